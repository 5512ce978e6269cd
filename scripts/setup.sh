#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# setup.sh [PACKAGE:SIGN ...]: installs with apt what is missing of what the project uses, or of the
# packages named, each with a file or command that shows that it is there; Debian packages alone.
set -eu
need=(
    "make:make" "pkg-config:pkg-config" "gcc:gcc" "g++:g++" "python3:python3"
    "verilator:verilator" "iverilog:iverilog" "yosys:yosys"
    "libgtest-dev:/usr/include/gtest/gtest.h" "libjansson-dev:/usr/include/jansson.h"
    "libblas-dev:/usr/share/doc/libblas-dev/copyright" "liblapack-dev:/usr/share/doc/liblapack-dev/copyright"
    "zlib1g-dev:/usr/include/zlib.h" "libzstd-dev:/usr/include/zstd.h" "liblzma-dev:/usr/include/lzma.h"
    "clang-tidy:clang-tidy" "clang-format:clang-format" "git:git"
    "libsystemc-dev:/usr/include/systemc" "python3-pytest:/usr/lib/python3/dist-packages/pytest"
    # what reading compressed traces is tested with
    "zstd:zstd" "xz-utils:xz" "sqlite3:sqlite3"
    # what the drop-in is tested with
    "libblas3:/usr/share/doc/libblas3/copyright" "liblapack3:/usr/share/doc/liblapack3/copyright"
    "liblapack-test:/usr/share/doc/liblapack-test/copyright" "python3-numpy:/usr/share/doc/python3-numpy/copyright"
)
[ $# -eq 0 ] || need=("$@")
missing=()
for n in "${need[@]}"; do
    pkg=${n%%:*} sign=${n#*:}
    case $sign in
        /*) [ -e "$sign" ] || missing+=("$pkg") ;;
        *) command -v "$sign" >/dev/null 2>&1 || missing+=("$pkg") ;;
    esac
done
if [ ${#missing[@]} -eq 0 ]; then
    echo "setup: everything is there"
    exit 0
fi
echo "setup: missing: ${missing[*]}"
line="apt-get install -y --no-install-recommends ${missing[*]}"
sudo=""
if [ "$(id -u)" != 0 ]; then
    if ! command -v sudo >/dev/null 2>&1; then
        echo "setup: not root and no sudo; have these installed: $line" >&2
        exit 2
    fi
    sudo="sudo"
fi
export DEBIAN_FRONTEND=noninteractive
$sudo apt-get update -q
$sudo env DEBIAN_FRONTEND=noninteractive $line
