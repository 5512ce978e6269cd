#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# test.sh: everything a change must pass. A line a check, and at the end `N passed, N failed`.
set -u
cd "$(dirname "$0")/.."
export GMMU_ROOT=$PWD
passed=0 failed=0
start=$SECONDS
mkdir -p build/test
note() { printf '%s  (%d s)\n' "$1" $((SECONDS - start)); }
result() { # status, name
    if [ "$1" -eq 0 ]; then
        passed=$((passed + 1))
        note "ok    $2"
    else
        failed=$((failed + 1))
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
    passed=$((passed + p)) failed=$((failed + f))
    if [ "$f" -eq 0 ]; then
        note "ok    $name: $p tests$(grep -hE 'compared|found and named' "$log" | sed 's/^/; /' | tr -d '\n')"
    else
        note "FAIL  $name"
        grep -vE '^\[ RUN|^\[       OK' "$log" | head -40
    fi
}

step "build" make --no-print-directory -j"$(nproc)" -s test-binaries
step "lint" scripts/lint.sh
for b in $(make --no-print-directory -s print-c-bins) $(make --no-print-directory -s print-rtl-bins); do
    gtest "$b"
done
step "command line" tb/cli_test.sh
for c in tiny default; do
    step "sim leu_priority ($c)" scripts/sim.sh --test leu_priority --config $c
    step "sim unit_replay ($c)" scripts/sim.sh --test unit_replay --config $c
    step "sim rimm_host ($c)" scripts/sim.sh --test rimm_host --config $c
done
for t in leu_victim rit_update sampler_reuse ppuc_row tier_random; do
    step "sim $t (quick)" scripts/sim.sh --test $t --quick
done
note "all done"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
