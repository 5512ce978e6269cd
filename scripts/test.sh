#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# test.sh: everything a change must pass: the checks of tb/test.mk, each as soon as what it needs is built. A line a check,
# every half minute one about what is being done, and at the end `N passed, N failed`.
# --job NAME: one check, as make calls it. --left-out: what is left out here, and what it lacks.
set -u
cd "$(dirname "$0")/.."
export GMMU_ROOT=$PWD
counts=build/test/counts # a line a check: name, passed, failed
spent=build/test/seconds # a line a check: processor seconds, name
now=build/test/now       # a file for each check that runs
log=build/test/build.log # what make says
note() { printf '%s  (%d s)\n' "$1" $(($(date +%s) - start)); }
result() { # status, name
    if [ "$1" -eq 0 ]; then
        echo "$job 1 0" >>$counts
        note "ok    $2"
    else
        echo "$job 0 1" >>$counts
        note "FAIL  $2"
    fi
}
step() { # name, command...
    local name=$1 log
    shift
    log=build/test/$(echo "$name" | tr -c 'A-Za-z0-9\n' _).log
    "$@" >"$log" 2>&1
    local status=$?
    [ $status -eq 0 ] || { echo "--- $log"; tail -30 "$log"; }
    result $status "$name"
}
tally() { # counts what its caller found: $p passed, $f failed, at the end $status
    [ $status -eq 0 ] || [ "$f" -gt 0 ] || f=1 # it died
    [ "$p" -gt 0 ] || [ "$f" -gt 0 ] || f=1    # it tested nothing
    echo "$job $p $f" >>$counts
}
gtest() { # a GoogleTest binary: each of its tests counts
    local bin=$1 name log p f
    name=$(basename "$bin") log=$bin.log
    GMMU_QUICK=1 GMMU_BIN=$PWD/build/gmmu-asan timeout 1200 "$bin" --gtest_color=no >"$log" 2>&1
    local status=$?
    p=$(grep -c '^\[       OK \]' "$log")
    f=$(grep -c '^\[  FAILED  \].*(.* ms)' "$log")
    tally
    if [ "$f" -eq 0 ]; then
        note "ok    $name: $p tests$(grep -hE 'compared|found and named' "$log" | sed 's/^/; /' | tr -d '\n')"
    else
        note "FAIL  $name"
        grep -vE '^\[ RUN|^\[       OK' "$log" | head -40
    fi
}
pytests() { # name, files...: each test in Python counts
    local name=$1 log summary p f
    shift
    log=build/test/$(echo "$name" | tr -c 'A-Za-z0-9\n' _).log
    if [ "$1" = python ]; then # by the Python of `make setup-python`
        GMMU_BIN=build/gmmu timeout 1200 scripts/python.sh test -q -ra --tb=short --color=no >"$log" 2>&1
    else
        GMMU_BIN=build/gmmu-asan timeout 1200 scripts/pytest.sh -q -ra --tb=short --color=no "$@" >"$log" 2>&1
    fi
    local status=$?
    summary=$(grep -E '^[0-9]+ (passed|failed|skipped|error).* in [0-9.]+s' "$log" | tail -1)
    counted() { grep -oE "[0-9]+ ($1)" <<<"$summary" | awk '{ n += $1 } END { print n + 0 }'; }
    p=$(counted passed)
    f=$(counted 'failed|errors?')
    tally
    if [ "$f" -eq 0 ]; then
        note "ok    $name: $p tests$(grep -oE '[0-9]+ skipped' <<<"$summary" | sed 's/^/; /')"
    else
        note "FAIL  $name"
        echo "--- $log"
        grep -vE '^[.sFE]+ *\[ *[0-9]+%\]$|^=|^[0-9]+ (passed|failed|skipped|error)' "$log" | tail -40
    fi
}

half() { # 1 or 2, files...: every other file, so that both halves take their time side by side; test_sim.py is a check of its own
    local n=$1
    shift
    printf '%s\n' "$@" | grep -v /test_sim.py | awk -v n="$n" 'NR % 2 == n % 2'
}
check() { # a name in tb/test.mk
    case $1 in
        *_test | *_test-*) gtest "build/test/$1" ;;
        sim.*) IFS=. read -r _ test config <<<"$1"
            step "sim $test ($config, quick)" scripts/sim.sh --test "$test" --config "$config" --quick ;;
        quick.*) JOBS=1 step "sim ${1#quick.} (quick)" scripts/sim.sh --test "${1#quick.}" --quick ;;
        lint) step "lint" scripts/lint.sh --quick ;;
        miter) step "comparison of mutants" scripts/miter_test.py ;;
        against) step "comparison of revisions" scripts/against_test.py ;;
        signoff) pytests "sign-off goes on where it ended" scripts/signoff_test.py ;;
        recordings) pytests "recordings of the papers" scripts/*recordings_test.py ;;
        cli_sim) pytests "command line: make sim" tb/cli/test_sim.py ;;
        cli_*) pytests "command line, half ${1#cli_}" $(half "${1#cli_}" tb/cli/test_*.py) ;;
        blas) step "drop-in" tb/blas_test.sh ;;
        blas_track) step "drop-in: accesses" tb/blas_track_test.sh ;;
        fpga) step "FPGA scripts" tb/fpga_test.sh ;;
        asic) step "ASIC scripts" tb/asic_test.py ;;
        placer) step "placer" python3 -m unittest discover -s fpga/placer/test -p '*_test.py' ;;
        board) step "board" tb/board_test.sh ;;
        platform) step "platform" tb/platform_test.py ;;
        debugging) step "quotes of docs/guide/debugging.md" scripts/debugging_page.py --quotes ;;
        flips) step "flips (short)" build/flips --flips 160 ;;
        # about half of the cases: each size and each kind of memory has both values in them; all are in `make long-tests`
        fourstate) step "four-state" scripts/fourstate.py tiers-parity tiers-bare tiers-test memory-reset-parity memory-bare rings-tiers ;;
        limits) step "limits of the sizes (quick)" scripts/limits.py --quick ;;
        checkers) step "checkers: each rule broken, then traffic by the rules" tb/check/checkers.py ;;
        marks) step "flips (marks)" build/flips --marks ;;
        examples) step "examples" scripts/examples.sh model plugin faultpath ring soc systemc ;;
        python) pytests "Python package" python ;;
        descriptions) step "descriptions" build/descriptions-venv/bin/python3 -m unittest discover -s tb/descriptions -p descriptions_test.py ;;
        registers) step "registers by their SystemRDL" build/descriptions-venv/bin/python3 -m unittest discover -s tb/descriptions -p csr_test.py ;;
        stream) step "stream (short)" scripts/stream.py --accesses 3000000 --pages 200000,270000,400000 --policies lru,fifo,clock ;;
        *) echo "test: found check \"$1\", expected one of: make print-checks" >&2; exit 2 ;;
    esac
}
if [ "${1:-}" = --job ]; then
    unset MAKEFLAGS MFLAGS MAKELEVEL JOBS # the makes here are on their own
    job=$2 start=${GMMU_TEST_START:-$(date +%s)}
    mkdir -p $now
    : >"$now/$job"
    # results go where test.sh's do, past build.log
    if [ -n "${GMMU_TEST_START:-}" ]; then check "$job" >&9 2>&9; else check "$job"; fi
    times >"$now/$job" # (a pipe would tell of its own process)
    awk -v job="$job" 'NR == 2 { split($1, u, /[ms]/); split($2, s, /[ms]/); printf "%d %s\n", 60 * (u[1] + s[1]) + u[2] + s[2], job }' "$now/$job" >>$spent
    rm -f "$now/$job"
    exit 0
fi

left_out() {
    [ -x build/python-venv/bin/pytest ] || note "..    the check python is left out: found no build/python-venv, expected after make setup-python"
    [ -e build/descriptions-venv/installed ] ||
        note "..    the checks descriptions and registers are left out: found no build/descriptions-venv, expected after make setup-descriptions"
    [ -e /usr/share/qflow/tech/osu018 ] && command -v sta >/dev/null ||
        note "..    of the check asic a block's synthesis is left out: found no OpenSTA or no osu018, expected after make setup-asic"
    # what the tests of the command line skip
    "$(scripts/plot_python.sh)" -c 'import matplotlib' 2>/dev/null ||
        note "..    of the command line's checks make report is left out: found no matplotlib, expected after make setup-plots"
    command -v parallel >/dev/null ||
        note "..    of the command line's checks a sweep by GNU parallel is left out: found no parallel, expected after make setup-sweeps"
    command -v clang >/dev/null || command -v clang-14 >/dev/null ||
        note "..    of the command line's checks a plugin by clang is left out: found no clang, expected after make setup-fuzz"
}
if [ "${1:-}" = --left-out ]; then
    start=$(date +%s)
    left_out
    exit 0
fi

# a name that is none changes nothing of a run that is going on
checks=$(make --no-print-directory -s print-checks)
all=" $(env -u MAKEFLAGS -u MAKELEVEL make --no-print-directory -s print-checks) python descriptions registers "
for name in $checks; do
    case $all in *" $name "*) continue ;; esac
    case $name in sim.* | quick.*) continue ;; esac # also at configurations that CHECKS leaves to `make conformance`
    echo "test: found check \"$name\", expected one of: make print-checks" >&2
    exit 2
done

start=$(date +%s)
mkdir -p build/test
: >$counts >$log >$spent
rm -rf $now && mkdir -p $now
n=$(wc -w <<<"$checks")
said() { # what is being done
    local built tested
    built=$(grep -cE '^(build|link|verilate|cc) ' $log)
    tested=$(wc -l <$counts)
    note "..    $tested of $n checks done, $built files built; now $(ls $now | tr '\n' ' ')$(grep -E '^(build|link|verilate|cc) ' $log | tail -1)"
}
ticker=
(
    trap 'kill $nap 2>/dev/null; exit' TERM
    while sleep 30 & nap=$!; wait $nap; do said; done
) &
ticker=$!
trap 'kill $ticker 2>/dev/null' EXIT
note "..    $n checks, each as soon as what it needs is built; a line every half minute; log: $log"
left_out
status=0
for goal in begin checks; do
    GMMU_TEST_START=$start make --no-print-directory -k -s -j"${JOBS:-$(nproc)}" "$goal" 9>&1 >>$log 2>&1 || status=1
done
kill $ticker 2>/dev/null
wait $ticker 2>/dev/null
# a check that died without a word, or whose build failed, has failed
lost=
for name in $checks; do grep -q "^$name " $counts || lost+=" $name"; done
job=build
[ -z "$lost" ] || grep -E -B1 -A3 '(error|undefined reference|multiple definition|%Error)[: ]|\*\*\* ' $log | head -40
result $((status != 0)) "build"
for name in $lost; do
    echo "$name 0 1" >>$counts
    note "FAIL  $name: no result, see $log"
done
note "all done; processor seconds by check: $spent; most: $(sort -rn $spent | head -5 | awk '{ printf "%s%s %d", (NR > 1 ? ", " : ""), $2, $1 }')"
passed=$(awk '{ n += $2 } END { print n + 0 }' $counts)
failed=$(awk '{ n += $3 } END { print n + 0 }' $counts)
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
