#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# sim.sh: `make sim`: builds what a test needs, runs it, and at a mismatch reruns the window with waves. With a fault of the tables
# of faults (tb/faults.txt) in the RTL, at `tiny`, one binary does both. CONFIG: a named configuration, or one with sizes changed, as
# tiny.FRAMES64 (scripts/config_args.py).
set -u
cd "$(dirname "$0")/.."
test="" config=default seed=1 waves=0 mode=cross quick="" fault="" step="" from="" to=""
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
        --step) step=$2 ;;
        --from) from=$2 ;;
        --to) to=$2 ;;
        --quick) quick=--quick; shift; continue ;;
        *) echo "sim: found \"$1\", expected --list, --test, --config, --seed, --waves, --mode, --fault, --step, --from, --to or --quick" >&2; exit 2 ;;
    esac
    shift 2
done
desc=sim/tests/$test.json
if [ ! -f "$desc" ]; then
    list >&2
    echo "sim: found TEST=\"$test\", expected one of the above" >&2 # below the list, where the eye is
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
for given in "STEP=$step" "FROM=$from" "TO=$to"; do
    case ${given#*=} in *[!0-9]*) what="a whole number" ;; ??????????*) what="at most 9 digits" ;; *) continue ;; esac
    echo "sim: found ${given%%=*}=\"${given#*=}\", expected $what" >&2
    exit 2
done
if [ -n "$to" ] && [ "$waves" = 0 ]; then
    echo "sim: found TO=$to without WAVES=1, expected both" >&2
    exit 2
fi
if [ -n "$from" ] && { [ "$mode" != cross ] || grep -q '"blocks"' "$desc"; }; then
    echo "sim: found FROM=$from with MODE=$mode in $test, expected MODE=cross and a test of the whole unit" >&2
    exit 2
fi
from=${from:+$((10#$from))} step=${step:+$((10#$step))} to=${to:+$((10#$to))} # 08 is no octal number
if [ "$((${from:-0}))" -gt "${to:-$((${from:-0}))}" ]; then
    echo "sim: found FROM=${from:-0} and TO=$to, expected FROM up to TO" >&2
    exit 2
fi
if [ -n "$step" ] && grep -q '"blocks"' "$desc"; then
    echo "sim: found STEP=$step, expected none: $test runs blocks alone" >&2
    exit 2
fi
steps=$(python3 -c 'import json, sys; print(len(json.load(open(sys.argv[1], encoding="utf-8"))["steps"]))' "$desc" 2>/dev/null)
if [ -n "$step" ] && [ -n "$steps" ] && [ "$step" -ge "$steps" ]; then
    echo "sim: found STEP=$step, expected 0 to $((steps - 1)), the steps of $test" >&2
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
[ "$waves" = 1 ] || rm -f "$out/waves.fst"
bin=build/sim-$config wave_bin=build/sim-$config-fst
[ -z "$fault" ] || bin=build/sim-tiny-faults-fst wave_bin=build/sim-tiny-faults-fst
if [[ $config == *.* ]] && [ ! -e "$bin" ]; then # sizes of one's own: a module that is none says what does not fit
    # shellcheck disable=SC2086
    wrong=$(verilator --lint-only -Wno-fatal $sizes -Irtl $(printf -- '-I%s ' rtl/*/) --top-module gmmu_tier rtl/gmmu_tier.v 2>&1 |
        sed -n "s,//,/,; s/^%Error: \\(.*\\): Cannot find file containing module: '\\(.*\\)'$/\\2 (\\1)/p" |
        awk '/gmmu_limits/ && limit == "" { limit = $0 } first == "" { first = $0 } END { print limit == "" ? first : limit }')
    [ -z "$wrong" ] || { echo "sim: CONFIG=$config: expected sizes that fit together, found $wrong" >&2; exit 2; }
fi
make --no-print-directory -s "$bin" || exit 2

open_line() { # cycle of the mismatch
    [ -f "$out/waves.fst" ] || { echo "sim: no waves were written, see $out/rerun.log" >&2; return; }
    scripts/wave_layout.py "$config" "$out" "$@" || return
    echo "open the waves:  gtkwave $out/waves.fst $out/waves.gtkw"
}
cycles_of() { # step: its cycles in the report, which has STEP alone, or no steps that --quick leaves out
    python3 - "$desc" "$out/report.json" "$1" "$quick" "$step" <<'PY'
import json, sys
test, report = (json.load(open(path, encoding="utf-8")) for path in sys.argv[1:3])
ran = [int(sys.argv[5])] if sys.argv[5] else [i for i, step in enumerate(test["steps"]) if not (sys.argv[4] and step.get("long"))]
print(report["steps"][ran.index(int(sys.argv[3]))]["cycles"] if int(sys.argv[3]) in ran else 0)
PY
}
run() { # binary, more arguments
    local bin=$1
    shift
    "$bin" --test "$desc" --out "$out" --seed "$seed" --mode "$mode" $quick ${fault:+--fault "$fault"} "$@"
}
shown() { # a row that comes late begins where the next step's progress stands
    if [ -t 1 ]; then sed -u $'s/^/\r\033[K/'; else cat; fi
}

echo "sim: $test, configuration $config, mode $mode, seed $seed${fault:+, with fault $fault}"
run "$bin" ${step:+--step "$step"} | tee "$out/sim.log" | shown
status=${PIPESTATUS[0]}
echo "log: $out/sim.log   report: $out/report.json"
if [ "$status" = 1 ]; then
    read -r step cycle < <(sed -n 's/^MISMATCH step \([0-9]*\) cycle \([0-9]*\):.*/\1 \2/p' "$out/sim.log")
    if [ -n "$from" ] && [ "$from" -gt "$cycle" ]; then
        echo "sim: found FROM=$from, expected at most $cycle, the cycle of the mismatch" >&2
        from=
    fi
    from=${from:-$((cycle > 300 ? cycle - 300 : 0))} # a cause that lies farther back: FROM=
    rm -f "$out/waves.fst"
    echo "sim: rerunning step $step from cycle $from to the mismatch, with waves"
    cp "$out/report.json" "$out/report.keep"
    make --no-print-directory -s "$wave_bin" &&
        run "$wave_bin" --step "$step" --wave-from "$from" --wave-to $((cycle + 200)) >"$out/rerun.log"
    mv "$out/report.keep" "$out/report.json"
    open_line "$((cycle - 1))"
elif [ "$status" = 0 ] && [ "$waves" != 0 ]; then
    cycles=$(cycles_of "${step:-0}")
    step=${step:-0} from=${from:-0}
    if [ "$from" -ge "$cycles" ]; then
        echo "sim: found FROM=$from, expected less than $cycles, the cycles of step $step: the waves of before are kept" >&2
        exit 2
    fi
    [ "${to:-0}" -le "$cycles" ] || echo "sim: step $step ends after $cycles cycles, before TO=$to: the waves end there"
    rm -f "$out/waves.fst"
    cp "$out/report.json" "$out/report.keep"
    make --no-print-directory -s "$wave_bin" &&
        run "$wave_bin" --step "$step" --wave-from "$from" --wave-to "${to:-$((from + 120000))}" >"$out/rerun.log" || status=2
    mv "$out/report.keep" "$out/report.json"
    open_line
fi
exit "$status"
