# SPDX-License-Identifier: Apache-2.0
# FPGAs: clock rates, sizes, floor plans, bitstreams (docs/guide/fpga.md).
#
#:
#: FPGAs (make setup-fpga)
#:   make fpga [BLOCK=ppuc] [DEVICE=hx8k|ecp5-85k|up5k|counts|curves] [CONFIG=tiny] [SEEDS=5] [FORMAT=json|csv]
#:             [STOCK=1] [KEPT=1] [ACCEPT=1]
#:                      clock rates, sizes, worst paths, floor plans (docs/guide/fpga.md): hours for all.
#:                      STOCK=1: besides by nextpnr's own placer, of the same netlists (docs/guide/placer.md);
#:                      KEPT=1: what is current in build/fpga; ACCEPT=1: the figures become the
#:                      baselines and the page's
#:   make bitstream BOARD=ulx3s [CONFIG=tiny] [SEEDS=5]
#:                      the unit behind a serial port, for a board (docs/guide/boards.md): minutes

.PHONY: fpga setup-fpga bitstream
bitstream: | $(filter setup-fpga,$(MAKECMDGOALS))
	@fpga/bitstream.py $(BOARD) $(if $(call given,CONFIG),--config $(CONFIG)) $(if $(call given,SEEDS),--seeds $(SEEDS))
fpga: | $(filter setup-fpga,$(MAKECMDGOALS))
	@$(PLOT_PYTHON) fpga/fpga.py $(BLOCK) $(addprefix --device ,$(DEVICE) $(ONLY)) $(if $(call given,CONFIG),$(addprefix --config ,$(CONFIG))) \
	    $(if $(call given,SEEDS),--seeds $(SEEDS)) $(if $(call given,JOBS),--jobs $(JOBS)) $(addprefix --format ,$(FORMAT)) $(if $(KEPT),--kept) \
	    $(if $(STOCK),--stock) $(if $(ACCEPT),--accept)
setup-fpga:
	@fpga/setup.sh
