#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# test.sh: everything a change must pass. A line a check, every half minute one about what is being done, and at the
# end `N passed, N failed`.
set -u
cd "$(dirname "$0")/.."
export GMMU_ROOT=$PWD
start=$(date +%s)
mkdir -p build/test
counts=build/test/counts # a line a check: passed, failed
now=build/test/now       # a file for each check that runs
: >$counts
rm -rf $now && mkdir -p $now
note() { printf '%s  (%d s)\n' "$1" $(($(date +%s) - start)); }
result() { # status, name
    if [ "$1" -eq 0 ]; then
        echo 1 0 >>$counts
        note "ok    $2"
    else
        echo 0 1 >>$counts
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
gtest() { # a GoogleTest binary: each of its tests counts
    local bin=$1 name log p f
    name=$(basename "$bin") log=$bin.log
    GMMU_BIN=$PWD/build/gmmu-asan timeout 1200 "$bin" --gtest_color=no >"$log" 2>&1
    local status=$?
    p=$(grep -c '^\[       OK \]' "$log")
    f=$(grep -c '^\[  FAILED  \].*(.* ms)' "$log")
    [ $status -eq 0 ] || [ "$f" -gt 0 ] || f=1 # it died
    [ "$p" -gt 0 ] || [ "$f" -gt 0 ] || f=1    # it tested nothing
    echo "$p" "$f" >>$counts
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
    GMMU_BIN=build/gmmu-asan timeout 1200 scripts/pytest.sh -q -ra --tb=short --color=no "$@" >"$log" 2>&1
    local status=$?
    summary=$(grep -E '^[0-9]+ (passed|failed|skipped|error).* in [0-9.]+s' "$log" | tail -1)
    counted() { grep -oE "[0-9]+ ($1)" <<<"$summary" | awk '{ n += $1 } END { print n + 0 }'; }
    p=$(counted passed)
    f=$(counted 'failed|errors?')
    [ $status -eq 0 ] || [ "$f" -gt 0 ] || f=1 # it died
    [ "$p" -gt 0 ] || [ "$f" -gt 0 ] || f=1    # it tested nothing
    echo "$p" "$f" >>$counts
    if [ "$f" -eq 0 ]; then
        note "ok    $name: $p tests$(grep -oE '[0-9]+ skipped' <<<"$summary" | sed 's/^/; /')"
    else
        note "FAIL  $name"
        echo "--- $log"
        grep -vE '^[.sFE]+ *\[ *[0-9]+%\]$|^=|^[0-9]+ (passed|failed|skipped|error)' "$log" | tail -40
    fi
}

# one line of the list below: a GoogleTest binary, or a name and a command
job() {
    local mark=$now/${1##*/}
    : >"$mark"
    case $1 in
        */test/*) gtest "$1" ;;
        sim:*) IFS=: read -r _ test config <<<"$1"
            step "sim $test ($config, quick)" scripts/sim.sh --test "$test" --config "$config" --quick ;;
        quick:*) JOBS=1 step "sim ${1#quick:} (quick)" scripts/sim.sh --test "${1#quick:}" --quick ;;
        lint) step "lint" scripts/lint.sh --quick ;;
        miter) step "comparison of mutants" scripts/miter_test.py ;;
        against) step "comparison of revisions" scripts/against_test.py ;;
        signoff) pytests "sign-off goes on where it ended" scripts/signoff_test.py ;;
        cli) pytests "command line" tb/cli ;;
        blas) step "drop-in" tb/blas_test.sh ;;
        blas_track) step "drop-in: accesses" tb/blas_track_test.sh ;;
        fpga) step "FPGA scripts" tb/fpga_test.sh ;;
        board) step "board" tb/board_test.sh ;;
        platform) step "platform" tb/platform_test.py ;;
        debugging) step "quotes of docs/guide/debugging.md" scripts/debugging_page.py --quotes ;;
        flips) step "flips (short)" build/flips --flips 160 ;;
        fourstate) step "four-state" scripts/fourstate.py ;;
        marks) step "flips (marks)" build/flips --marks ;;
        examples) step "examples" scripts/examples.sh model soc systemc ;;
        stream) step "stream (short)" scripts/stream.py --accesses 3000000 --pages 200000,270000,400000 --policies lru,fifo,clock ;;
    esac
    rm -f "$mark"
}
export -f note result step gtest pytests job
export start counts now

# every half minute a line: $1, a function, says what is being done
ticker=
tick() {
    (
        trap 'kill $nap; exit' TERM
        while sleep 30 & nap=$!; wait $nap; do note "..    $($1)"; done
    ) &
    ticker=$!
}
untick() { kill $ticker 2>/dev/null; wait $ticker 2>/dev/null; ticker=; }
trap '[ -z "$ticker" ] || kill $ticker' EXIT

binaries() { grep -cE "$1" "$2"; }
building() { echo "building: $(binaries '^(build|link) ' build/test/build.log) of $to_build programs begun; now $(tail -1 build/test/build.log)"; }
testing() { echo "testing: $(($(wc -l <$counts) - 1)) of $(wc -l <$list) done; now $(ls $now | tr '\n' ' ')"; }

make --no-print-directory -n -s test-binaries >build/test/todo 2>&1
to_build=$(binaries '^echo "(build|link) ' build/test/todo)
all=$(make --no-print-directory -s print-test-binaries | wc -w)
note "..    building: $to_build of $all programs, a line every half minute; log: build/test/build.log"
tick building
step "build" make --no-print-directory -j"$(nproc)" -s test-binaries
untick
# Side by side on all cores, the longest first. Long steps and the whole unit's simulations in `tiny` are in `make conformance`.
list=build/test/list
{
    bins="$(make --no-print-directory -s print-c-bins) $(make --no-print-directory -s print-rtl-bins)"
    printf '%s\n' $bins | grep gmmu_tier_test-faults
    printf '%s\n' sim:leu_priority:default
    printf '%s\n' $bins | grep gmmu_tier_test-default
    printf '%s\n' sim:{unit_replay,unit_protect,rimm_host,share_duel,hpe_eviction}:default
    printf 'quick:%s\n' leu_victim rit_update sampler_reuse ppuc_row hir_record hir_drain segment_random gmt_predict tier_random tier_slots \
        range_random sem_ranges
    printf '%s\n' lint cli platform blas blas_track board fpga examples fourstate flips marks stream debugging miter against signoff
    printf '%s\n' $bins | grep -v -e gmmu_tier_test-faults -e gmmu_tier_test-default
} >$list
note "..    testing: $(wc -l <$list) checks"
tick testing
xargs -P "$(nproc)" -I{} bash -c 'job {}' <$list
untick
# a check that died without a word has failed
lost=$((1 + $(wc -l <$list) - $(wc -l <$counts)))
[ $lost -eq 0 ] || { echo "$lost checks ended without a result, see $list"; echo 0 $lost >>$counts; }
note "all done"
passed=$(awk '{ n += $1 } END { print n + 0 }' $counts)
failed=$(awk '{ n += $2 } END { print n + 0 }' $counts)
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
