#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# sim.sh: `make sim`: builds what a test needs, runs it, and at a mismatch reruns the window with waves.
set -u
cd "$(dirname "$0")/.."
test="" config=default seed=1 waves=0 mode=cross quick=""
list() {
    echo "simulations (make sim TEST=...):"
    for f in sim/tests/*.json; do
        python3 - "$f" <<'PY'
import json, os, sys
name = os.path.basename(sys.argv[1])[:-5]
print("  %-16s %s" % (name, json.load(open(sys.argv[1]))["summary"]))
PY
    done
}
while [ $# -gt 0 ]; do
    case $1 in
        --list) list; exit 0 ;;
        --test) test=$2 ;;
        --config) config=$2 ;;
        --seed) seed=$2 ;;
        --waves) waves=$2 ;;
        --mode) mode=$2 ;;
        --quick) quick=--quick; shift; continue ;;
        *) echo "sim: found \"$1\", expected --list, --test, --config, --seed, --waves, --mode or --quick" >&2; exit 2 ;;
    esac
    shift 2
done
desc=sim/tests/$test.json
if [ ! -f "$desc" ]; then
    echo "sim: found TEST=\"$test\", expected one of the following" >&2
    list >&2
    exit 2
fi
case $config in tiny|default|onchip|large) ;; *) echo "sim: found CONFIG=\"$config\", expected tiny, default, onchip or large" >&2; exit 2 ;; esac
case $mode in cross|rtl|model) ;; *) echo "sim: found MODE=\"$mode\", expected cross, rtl or model" >&2; exit 2 ;; esac
case $seed in ''|*[!0-9]*) echo "sim: found SEED=\"$seed\", expected a whole number" >&2; exit 2 ;; esac
[ ${#seed} -le 9 ] || { echo "sim: found SEED=\"$seed\", expected at most 9 digits" >&2; exit 2; }
case $waves in 0|1) ;; *) echo "sim: found WAVES=\"$waves\", expected 0 or 1" >&2; exit 2 ;; esac
if [ "$waves" = 1 ] && [ "$mode" != cross ]; then
    echo "sim: found WAVES=1 with MODE=$mode, expected MODE=cross" >&2
    exit 2
fi
if grep -q '"blocks"' "$desc"; then # blocks by themselves, at the sizes that the description names
    if [ "$waves" != 0 ] || [ "$mode" != cross ]; then
        echo "sim: found WAVES=$waves and MODE=$mode, expected neither: $test runs blocks alone" >&2
        exit 2
    fi
    out=build/sim/$test$quick
    mkdir -p "$out"
    echo "sim: $test, blocks at many sizes, seed $seed"
    scripts/block_sim.py "$desc" $quick --seed "$seed" --jobs "${JOBS:-$(nproc)}" --out "$out" | tee "$out/sim.log"
    status=${PIPESTATUS[0]}
    echo "log: $out/sim.log   report: $out/report.json"
    exit "$status"
fi
out=build/sim/$test-$config$quick
mkdir -p "$out"
rm -f "$out/waves.fst"
make --no-print-directory -s "build/sim-$config" || exit 2

layout=sim/waves/$test.gtkw
[ -f "$layout" ] || layout=sim/waves/leu_priority.gtkw # the same ports of the top
open_line() {
    [ -f "$out/waves.fst" ] || { echo "sim: no waves were written, see $out/rerun.log" >&2; return; }
    echo "open the waves:  gtkwave $out/waves.fst $([ -f "$layout" ] && echo "$layout")"
}
run() { # binary, more arguments
    local bin=$1
    shift
    "$bin" --test "$desc" --out "$out" --seed "$seed" --mode "$mode" $quick "$@"
}

echo "sim: $test, configuration $config, mode $mode, seed $seed"
run "build/sim-$config" | tee "$out/sim.log"
status=${PIPESTATUS[0]}
echo "log: $out/sim.log   report: $out/report.json"
if [ "$status" = 1 ]; then
    read -r step cycle < <(sed -n 's/^MISMATCH step \([0-9]*\) cycle \([0-9]*\):.*/\1 \2/p' "$out/sim.log")
    from=$((cycle > 300 ? cycle - 300 : 0))
    echo "sim: rerunning step $step from cycle $from to the mismatch, with waves"
    cp "$out/report.json" "$out/report.keep"
    make --no-print-directory -s "build/sim-$config-fst" &&
        run "build/sim-$config-fst" --step "$step" --wave-from "$from" --wave-to $((cycle + 40)) >"$out/rerun.log"
    mv "$out/report.keep" "$out/report.json"
    open_line
elif [ "$status" = 0 ] && [ "$waves" != 0 ]; then
    cp "$out/report.json" "$out/report.keep"
    make --no-print-directory -s "build/sim-$config-fst" &&
        run "build/sim-$config-fst" --step "${STEP:-0}" --wave-from "${FROM:-0}" --wave-to "${TO:-120000}" >"$out/rerun.log"
    mv "$out/report.keep" "$out/report.json"
    open_line
fi
exit "$status"
