#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# venv.sh FOLDER REQUIREMENTS [PIP OPTION ...]: a virtual environment in FOLDER with what the file REQUIREMENTS names; made again when that changed.
set -eu
venv=$1 wanted=$2
shift 2
if [ -x "$venv/bin/python3" ] && cmp -s "$wanted" "$venv/installed"; then
    echo "setup: $venv is there"
    exit 0
fi
mkdir -p "$(dirname "$venv")"
made=
for python in /usr/bin/python3 python3; do # Debian's is without venv where python3-venv is not installed
    "$python" -m venv --clear "$venv" >/dev/null 2>&1 && made=1 && break
done
[ -n "$made" ] || { echo "setup: found no python3 that makes a virtual environment, expected Debian's python3-venv" >&2; exit 2; }
if ! "$venv/bin/pip" install --disable-pip-version-check -q "$@" -r "$wanted"; then
    echo "setup: pip could not install $wanted in $venv: is PyPI reachable?" >&2
    exit 2
fi
cp "$wanted" "$venv/installed"
echo "setup: $venv is made"
