# SPDX-License-Identifier: Apache-2.0
# Pictures of the pages, generated files, the form of the sources.
#
#:
#: Pages and sources
#:   make pictures      draw the block diagrams and the waves in docs/pictures (make setup-pictures)
#:   make generated     what config/gmmu.json generates
#:   make format        clang-format
#:   make rams [CONFIG=default]
#:                      the RAMs of the unit behind its bus, by size (Yosys)

# drawings that are committed; Graphviz and GTKWave's fst2vcd are for this alone
.PHONY: pictures setup-pictures
pictures:
	@$(PLOT_PYTHON) scripts/pictures.py $(ONLY)
setup-pictures:
	@scripts/setup.sh graphviz:dot fonts-dejavu-core:/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf gtkwave:fst2vcd $(MATPLOTLIB)


.PHONY: format generated
format:
	git ls-files '*.c' '*.h' '*.cpp' | xargs clang-format -i

generated:
	scripts/gen_config.py

#:
#: ASICs (make setup-asic)
#:   make asic [BLOCK=ppuc] [LIB=path.lib] [CONFIG=default] [REGISTERS=2048] [GATES=0] [MHZ=700] [CHECK=10000] [JOBS=2]
#:                      gates, registers, RAMs, longest paths of the unit and its blocks, by Yosys and OpenSTA in a
#:                      library of standard cells (docs/reference/asic.md); LIB: a liberty, else osu018;
#:                      REGISTERS: RAMs of at most so many bits are registers; GATES: a clock gate for so many
#:                      registers and more of one enable, 0: none; MHZ: the clock rate aimed at; CHECK: netlist beside RTL,
#:                      so many random cycles
#:   make asic BLOCK=gmmu_tier POWER=replay [CONFIG=default] [LIB=path.lib] [GATES=0] [CYCLES=60000]
#:                      besides the energy of a cycle and of a walk of a replay, bfs with half of its pages; POWER: also
#:                      the VCD of the block's ports in a simulation of one's own
#:   make asic-page LIB=path/nangate45_typ.lib
#:                      all runs of the tables in docs/reference/asic.md, and the tables: an hour

.PHONY: asic asic-page setup-asic
ifeq ($(POWER),replay)
CYCLES ?= 60000
POWER_CONFIG := $(if $(call given,CONFIG),$(CONFIG),default)
REPLAY := $(B)/sim/power-$(POWER_CONFIG)-$(CYCLES)/ports.vcd
asic: $(REPLAY)
$(REPLAY): $(B)/sim-$(POWER_CONFIG)-ports sim/tests/unit_replay.json
	@mkdir -p $(@D)
	@echo "replay $@"
	@$< --test sim/tests/unit_replay.json --out $(@D) --quick --step 1 --wave-from 0 --wave-to $(CYCLES) >$(@D)/sim.log
endif
asic: | $(filter setup-asic,$(MAKECMDGOALS))
	@scripts/asic.py $(BLOCK) $(if $(LIB),--lib "$(LIB)") $(if $(call given,CONFIG),--config $(CONFIG)) \
	    $(if $(REGISTERS),--registers $(REGISTERS)) $(if $(GATES),--gates $(GATES)) $(if $(MHZ),--mhz $(MHZ)) $(if $(CHECK),--check $(CHECK)) \
	    $(if $(POWER),--power $(if $(filter replay,$(POWER)),$(REPLAY),$(POWER))) $(if $(call given,JOBS),--jobs $(JOBS))
asic-page: | $(filter setup-asic,$(MAKECMDGOALS))
	@scripts/asic_page.py --make "$(or $(LIB),$(error asic-page: found no LIB, expected LIB=path.lib, the liberty of Nangate45))" $(if $(ACCEPT),--accept)
setup-asic:
	@scripts/setup.sh yosys:yosys opensta:sta qflow-tech-osu018:/usr/share/qflow/tech/osu018/osu018_stdcells.lib iverilog:iverilog

.PHONY: rams
rams:
	@scripts/rams.py $(if $(CONFIG),$(CONFIG),default)
