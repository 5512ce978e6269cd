#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# clang_tests.sh TEST...: the tests of C (edge_test) that are named, and those of the command line, with the C code compiled by clang
# and its sanitizer of undefined behaviour. Clang's also finds sums of a null pointer and 0, which C17 does not define and gcc's lets
# pass. Without clang (make setup-fuzz) a message, and status 0. Exit status 1: a test failed.
set -eu
cd "$(dirname "$0")/.."
if ! command -v clang >/dev/null; then
    echo "clang_tests: skipped: found no clang, expected: make setup-fuzz"
    exit 0
fi
out=build/clang
# compiled in minutes; warnings are gcc's. The tests' own C++ is g++'s, without sanitizers
build() {
    MAKEFLAGS= make --no-print-directory -s -j2 B=$out CC=clang WARN=-Wall TESTSAN= \
        SAN="-O1 -g0 -fsanitize=undefined -fno-sanitize-recover=all" "$@"
}
build $out/gmmu-asan
failed=
for t; do
    build $out/test/$t
    GMMU_ROOT=$PWD GMMU_BIN=$PWD/$out/gmmu-asan $out/test/$t --gtest_brief=1 || failed+=" $t"
    rm $out/test/$t
done
GMMU_BIN=$out/gmmu-asan scripts/pytest.sh -q tb/cli || failed+=" tb/cli"
[ -z "$failed" ] || { echo "clang_tests: failed:$failed" >&2; exit 1; }
