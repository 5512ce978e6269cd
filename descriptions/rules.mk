# SPDX-License-Identifier: Apache-2.0
# Descriptions of the unit that other tools read (docs/guide/descriptions.md).
#
#:
#: Descriptions
#:   make descriptions CONFIG=default
#:                      registers and ports for other tools, in build/descriptions/CONFIG: SVD, IP-XACT, and by PeakRDL C header,
#:                      UVM model, HTML; scripts/descriptions.py takes sizes of one's own
#:   make setup-descriptions
#:                      readers of these files (PyPI, build/descriptions-venv); afterwards `make test` has the checks
#:                      `descriptions` and `registers`

.PHONY: setup-descriptions descriptions
test: | $(filter setup-descriptions,$(MAKECMDGOALS))
setup-descriptions:
	@scripts/setup.sh iverilog:iverilog gcc:gcc python3-dev:/usr/share/doc/python3-dev python3-venv:/usr/share/doc/python3-venv
	@scripts/venv.sh $(B)/descriptions-venv scripts/requirements-descriptions.txt
descriptions: | $(filter setup-descriptions,$(MAKECMDGOALS))
	@scripts/descriptions.py --all --config $(CONFIG) $(B)/descriptions/$(CONFIG)
