#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# sim.sh: `make sim`: builds what a test needs, runs it, and at a mismatch reruns the window with waves. With a fault of the tables
# of faults (tb/faults.txt) in the RTL, at `tiny`, one binary does both. CONFIG: a named configuration, or one with sizes changed, as
# tiny.FRAMES64 (scripts/config_args.py).
set -u
cd "$(dirname "$0")/.."
test="" config=default seed=1 waves=0 mode=cross quick="" fault=""
list() {
    echo "simulations (make sim TEST=...):"
    python3 - sim/tests/*.json <<'PY'
import json, os, signal, sys
signal.signal(signal.SIGPIPE, signal.SIG_DFL)
for path in sys.argv[1:]:
    try:
        with open(path, encoding="utf-8") as file:
            summary = json.load(file).get("summary", 'found no key "summary"')
    except (ValueError, AttributeError) as error:
        summary = "cannot be read: %s" % error
    print("  %-16s %s" % (os.path.basename(path)[:-5], summary))
PY
}
while [ $# -gt 0 ]; do
    case $1 in
        --list) list; exit 0 ;;
        --test) test=$2 ;;
        --config) config=$2 ;;
        --seed) seed=$2 ;;
        --waves) waves=$2 ;;
        --mode) mode=$2 ;;
        --fault) fault=$2 ;;
        --quick) quick=--quick; shift; continue ;;
        *) echo "sim: found \"$1\", expected --list, --test, --config, --seed, --waves, --mode, --fault or --quick" >&2; exit 2 ;;
    esac
    shift 2
done
desc=sim/tests/$test.json
if [ ! -f "$desc" ]; then
    echo "sim: found TEST=\"$test\", expected one of the following" >&2
    list >&2
    exit 2
fi
if ! sizes=$(scripts/config_args.py "$config" rtl/gmmu_tier.v 2>&1); then
    echo "sim: CONFIG=$config: ${sizes#config_args.py: }" >&2
    exit 2
fi
case $mode in cross|rtl|model) ;; *) echo "sim: found MODE=\"$mode\", expected cross, rtl or model" >&2; exit 2 ;; esac
case $seed in ''|*[!0-9]*) echo "sim: found SEED=\"$seed\", expected a whole number" >&2; exit 2 ;; esac
[ ${#seed} -le 9 ] || { echo "sim: found SEED=\"$seed\", expected at most 9 digits" >&2; exit 2; }
case $waves in 0|1) ;; *) echo "sim: found WAVES=\"$waves\", expected 0 or 1" >&2; exit 2 ;; esac
if [ "$waves" = 1 ] && [ "$mode" != cross ]; then
    echo "sim: found WAVES=1 with MODE=$mode, expected MODE=cross" >&2
    exit 2
fi
if [ -n "$fault" ]; then
    if [ "$config" != tiny ] || [ "$mode" != cross ] || grep -q '"blocks"' "$desc"; then
        echo "sim: found FAULT=$fault with CONFIG=$config and MODE=$mode in $test, expected CONFIG=tiny, MODE=cross and a test of the whole unit" >&2
        exit 2
    fi
    if ! grep -qxF -- "$fault" <(sed -n "s, | .*,,p" tb/faults.txt tb/faults/*.txt); then
        echo "sim: found FAULT=\"$fault\", expected the number of a row in tb/faults.txt or tb/faults" >&2
        exit 2
    fi
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
out=build/sim/$test-$config$quick${fault:+-fault$fault}
mkdir -p "$out"
rm -f "$out/waves.fst"
bin=build/sim-$config wave_bin=build/sim-$config-fst
[ -z "$fault" ] || bin=build/sim-tiny-faults-fst wave_bin=build/sim-tiny-faults-fst
if [[ $config == *.* ]] && [ ! -e "$bin" ]; then # sizes of one's own: a module that is none says what does not fit
    # shellcheck disable=SC2086
    wrong=$(verilator --lint-only -Wno-fatal $sizes -Irtl $(printf -- '-I%s ' rtl/*/) --top-module gmmu_tier rtl/gmmu_tier.v 2>&1 |
        sed -n "s,//,/,; s/^%Error: \\(.*\\): Cannot find file containing module: '\\(.*\\)'$/\\2 (\\1)/p" | head -1)
    [ -z "$wrong" ] || { echo "sim: CONFIG=$config: expected sizes that fit together, found $wrong" >&2; exit 2; }
fi
make --no-print-directory -s "$bin" || exit 2

open_line() { # cycle of the mismatch
    [ -f "$out/waves.fst" ] || { echo "sim: no waves were written, see $out/rerun.log" >&2; return; }
    scripts/wave_layout.py "$config" "$out" "$@" || return
    echo "open the waves:  gtkwave $out/waves.fst $out/waves.gtkw"
}
run() { # binary, more arguments
    local bin=$1
    shift
    "$bin" --test "$desc" --out "$out" --seed "$seed" --mode "$mode" $quick ${fault:+--fault "$fault"} "$@"
}

echo "sim: $test, configuration $config, mode $mode, seed $seed${fault:+, with fault $fault}"
run "$bin" | tee "$out/sim.log"
status=${PIPESTATUS[0]}
echo "log: $out/sim.log   report: $out/report.json"
if [ "$status" = 1 ]; then
    read -r step cycle < <(sed -n 's/^MISMATCH step \([0-9]*\) cycle \([0-9]*\):.*/\1 \2/p' "$out/sim.log")
    from=${FROM:-$((cycle > 300 ? cycle - 300 : 0))} # a cause that lies farther back: FROM=
    echo "sim: rerunning step $step from cycle $from to the mismatch, with waves"
    cp "$out/report.json" "$out/report.keep"
    make --no-print-directory -s "$wave_bin" &&
        run "$wave_bin" --step "$step" --wave-from "$from" --wave-to $((cycle + 200)) >"$out/rerun.log"
    mv "$out/report.keep" "$out/report.json"
    open_line "$((cycle - 1))"
elif [ "$status" = 0 ] && [ "$waves" != 0 ]; then
    cp "$out/report.json" "$out/report.keep"
    make --no-print-directory -s "$wave_bin" &&
        run "$wave_bin" --step "${STEP:-0}" --wave-from "${FROM:-0}" --wave-to "${TO:-120000}" >"$out/rerun.log"
    mv "$out/report.keep" "$out/report.json"
    open_line
fi
exit "$status"
