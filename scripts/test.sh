#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# test.sh: everything a change must pass. A line a check, and at the end `N passed, N failed`.
set -u
cd "$(dirname "$0")/.."
export GMMU_ROOT=$PWD
start=$SECONDS
mkdir -p build/test
counts=build/test/counts # a line a check: passed, failed
: >$counts
note() { printf '%s  (%d s)\n' "$1" $((SECONDS - start)); }
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
    GMMU_BIN=$PWD/build/gmmu-asan timeout 600 "$bin" --gtest_color=no >"$log" 2>&1
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

step "build" make --no-print-directory -j"$(nproc)" -s test-binaries
step "lint" scripts/lint.sh
bins="$(make --no-print-directory -s print-c-bins) $(make --no-print-directory -s print-rtl-bins)"
# two lanes: the longest bench and the simulations, and all the rest
(
    for b in $bins; do
        case $b in *gmmu_tier_test-faults) gtest "$b" ;; esac
    done
    for c in tiny default; do
        step "sim leu_priority ($c)" scripts/sim.sh --test leu_priority --config $c
        step "sim unit_replay ($c)" scripts/sim.sh --test unit_replay --config $c
        step "sim rimm_host ($c)" scripts/sim.sh --test rimm_host --config $c
    done
) &
for b in $bins; do
    case $b in *gmmu_tier_test-faults) ;; *) gtest "$b" ;; esac
done
step "command line" tb/cli_test.sh
for t in leu_victim rit_update sampler_reuse ppuc_row tier_random; do
    step "sim $t (quick)" scripts/sim.sh --test $t --quick
done
wait
note "all done"
passed=$(awk '{ n += $1 } END { print n + 0 }' $counts)
failed=$(awk '{ n += $2 } END { print n + 0 }' $counts)
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
