#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# examples.sh [NAME ...]: builds and runs the examples, or those named, in an empty folder and from an installed tree:
#   model    C model through pkg-config          soc      RTL beside a walker and a driver, Icarus
#   systemc  the unit as a SystemC module        plugin   a policy of one's own, gmmu replay --plugin
#   faultpath  the unit in a simulator's fault path, its counts beside gmmu replay's
#   ring     a driver in software over rings in memory, its counts beside gmmu replay's, its interrupts beside their page
#   cocotb   the same under cocotb               fusesoc  targets of the core file: lint of the four tops, check, sim, synth
# The last two need build/examples-venv (make setup-examples). Ends with status 1 if one fails, with 2 if a tool is missing.
# --names-and-tools first: looks at names and tools alone.
set -u
cd "$(dirname "$0")/.."
look=""
[ "${1:-}" != --names-and-tools ] || { look=1 && shift; }
names=("$@")
[ $# -gt 0 ] || names=(model plugin faultpath ring soc systemc cocotb fusesoc)
for n in "${names[@]}"; do
    case $n in
        model | plugin | faultpath | ring) tool=pkg-config from="make setup" ;;
        soc) tool=iverilog from="make setup" ;;
        systemc) tool=pkg-config from="make setup" ;;
        cocotb) tool=build/examples-venv/bin/cocotb-config from="make setup-examples" ;;
        fusesoc) tool=build/examples-venv/bin/fusesoc from="make setup-examples" ;;
        *)
            echo "examples: found example \"$n\", expected one of model plugin faultpath ring soc systemc cocotb fusesoc" >&2
            exit 2
            ;;
    esac
    if [ "$n" = systemc ] && [ ! -e /usr/include/systemc ]; then
        echo "examples: found no SystemC for systemc, expected libsystemc-dev: make setup-examples" >&2
        exit 2
    fi
    if ! command -v $tool >/dev/null 2>&1; then
        echo "examples: found no ${tool##*/} for $n, expected it: $from" >&2
        exit 2
    fi
done
[ -z "$look" ] || exit 0
venv=$PWD/build/examples-venv pages=$PWD/docs/reference/blocks
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
if ! make --no-print-directory -s install PREFIX="$tmp/installed" B="${B:-build}" >"$tmp/log" 2>&1; then
    tail -5 "$tmp/log" >&2
    echo "examples: make install failed" >&2
    exit 1
fi
export PKG_CONFIG_PATH=$tmp/installed/lib/pkgconfig PATH=$venv/bin:$PATH
share=$tmp/installed/share/gmmu-tier
example() { # folder, command...: in an empty folder with a copy of the installed example
    local at=$tmp/run/$n
    mkdir -p "$at"
    cp "$share/examples/$1"/* "$at" && cd "$at" && shift && "$@"
}
core() {
    mkdir -p "$tmp/run/fusesoc" && cd "$tmp/run/fusesoc" || return 1
    for target in lint lint_axil_default lint_axil_large lint_ring_tiny lint_uart_tiny check sim synth; do
        fusesoc --cores-root "$share" run --target=$target gmmu_tier || return 1
    done
    fusesoc --cores-root "$share" run --target=lint_axil_default gmmu_tier --FRAMES 512 --T2_SLOTS 0 || return 1
    # a core that depends on the unit gets RTL and descriptions
    mkdir chip && echo "module chip; endmodule" >chip/chip.v && printf '%s\n' "CAPI=2:" "name: example:chip:chip:1.0" \
        "filesets: {rtl: {depend: [gmmu-tier:gmmu:gmmu_tier], file_type: verilogSource, files: [chip.v]}}" \
        "targets: {lint: {filesets: [rtl], toplevel: chip, flow: lint, flow_options: {tool: verilator}}}" >chip/chip.core
    fusesoc --cores-root "$share" --cores-root chip run --target=lint example:chip:chip || return 1
    find build/example_chip_chip_1.0 -name gmmu_registers.rdl | grep -q . && find build/example_chip_chip_1.0 -name gmmu_tier.v | grep -q .
}
rings() { # the table of interrupts is that of the page
    make -s run && make -s interrupts >interrupts.md && sed -n '/^| watermark/,/^$/{/./p}' "$pages/ring.md" | diff - interrupts.md
}
fails=0
for n in "${names[@]}"; do
    begun=$SECONDS
    case $n in
        model) (example model make -s run) >"$tmp/log" 2>&1 && what=$(tail -1 "$tmp/log") ;;
        plugin) (example plugin make -s run) >"$tmp/log" 2>&1 && what=$(grep '^slru' "$tmp/log") ;;
        faultpath) (example faultpath make -s run) >"$tmp/log" 2>&1 && what="$(grep -c 'as gmmu replay' "$tmp/log") sizes as gmmu replay" ;;
        ring) (example ring rings) >"$tmp/log" 2>&1 && what="$(grep -c 'as gmmu replay' "$tmp/log") sizes as gmmu replay, interrupts as on the page" ;;
        soc) (example soc make -s run) >"$tmp/log" 2>&1 && grep -q '^PASS$' "$tmp/log" && what=$(grep accesses "$tmp/log") ;;
        systemc) (example systemc make -s run) >"$tmp/log" 2>&1 && what=$(grep accesses "$tmp/log") ;;
        cocotb) (example soc make -s cocotb) >"$tmp/log" 2>&1 && grep -q 'TESTS=2 PASS=2 FAIL=0' "$tmp/log" && what="2 tests" ;;
        fusesoc) (core) >"$tmp/log" 2>&1 && grep -q "^PASS$" "$tmp/log" && what="lint of four tops, check, sim, synth" ;;
    esac && echo "ok    $n: $what  ($((SECONDS - begun)) s)" && continue
    fails=$((fails + 1))
    tail -20 "$tmp/log"
    echo "FAIL  $n"
done
[ $fails -eq 0 ]
