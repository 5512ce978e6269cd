#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# clang_cli.sh: the tests of the command line, with the command compiled by clang and its sanitizer of undefined behaviour.
# Clang's also finds sums of a null pointer and 0, which C17 does not define and gcc's lets pass. Without clang (make setup-fuzz)
# a message, and status 0.
set -eu
cd "$(dirname "$0")/.."
if ! command -v clang >/dev/null; then
    echo "clang_cli: skipped: found no clang, expected: make setup-fuzz"
    exit 0
fi
out=build/clang
# -g0, -O0: compiled in a minute; warnings are gcc's
MAKEFLAGS= make --no-print-directory -s -j2 B=$out CC=clang WARN=-Wall \
    SAN="-O0 -g0 -fsanitize=undefined -fno-sanitize-recover=all" $out/gmmu-asan
GMMU_BIN=$out/gmmu-asan scripts/pytest.sh -q tb/cli
