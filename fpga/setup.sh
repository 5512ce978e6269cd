#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# setup.sh: what `make fpga` and `make bitstream` need: Yosys, nextpnr-ice40, METIS and matplotlib from Debian, nextpnr-ecp5 and ecppack from
# PyPI, in a virtual environment, build/fpga-venv, in the versions of fpga/requirements.txt.
set -eu
cd "$(dirname "$0")/.."
scripts/setup.sh yosys:yosys nextpnr-ice40:nextpnr-ice40 metis:gpmetis python3-matplotlib:/usr/lib/python3/dist-packages/matplotlib \
    python3-venv:/usr/share/doc/python3-venv
scripts/venv.sh build/fpga-venv fpga/requirements.txt --no-deps || { echo "setup: iCE40 does without" >&2; exit 2; }
echo "setup: nextpnr-ecp5 is in build/fpga-venv; its first run compiles it, which takes a minute"
