# SPDX-License-Identifier: Apache-2.0
# Simulations: the whole unit on recorded walks, single bits that turn over, a board behind a pseudo-terminal.
#
#:
#: Simulations
#:   make sim TEST=leu_priority [CONFIG=default|tiny|onchip|large] [SEED=1] [WAVES=1] [MODE=cross|rtl|model]
#:                      RTL and C model in lock-step on recorded walks (docs/guide/simulations.md)
#:   make sim TEST=... CONFIG=tiny.FRAMES64
#:                      the same at a size of one's own: a named configuration with sizes changed
#:   make sim TEST=... CONFIG=tiny FAULT=62
#:                      the same with a fault of tb/faults.txt or tb/faults in the RTL (docs/guide/debugging.md)
#:   make sim TEST=... STEP=4
#:                      this step alone
#:   make sim TEST=... WAVES=1 [STEP=0] [FROM=0] [TO=120000]
#:                      with waves of the cycles FROM to TO of a step (TO: 120000 after FROM). Without STEP all
#:                      steps run before, and the waves are of step 0. Without WAVES FROM is the first cycle
#:                      of the waves that a mismatch writes
#:   make wave TEST=leu_priority [FORMAT=vcd]
#:                      open the waves of a simulation in GTKWave, or write them as VCD for other viewers
#:                      (make setup-waves)
#:   make debugging     run what docs/guide/debugging.md shows; write its quotes, waves (make setup-pictures)
#:   make flips [FLIPS=12000] [SEED=1]
#:                      single bits turn over on recorded walks (docs/reference/signoff/flips.md): minutes
#:   make fourstate [CASE="parity memory-bare"]
#:                      the unit behind its bus in a four-state simulator, from power-up
#:   make build/replay-cost
#:                      what a walker that cannot tell replays costs, on recorded traces: build/replay-cost --help
#:   make build/latency-default
#:                      cycles from a fault to its decision and to `quiet`: build/latency-default --help
#:   make build/board-sim
#:                      what boards have, Verilated behind a pseudo-terminal (docs/guide/boards.md)

SIM_DEP := $(wildcard tb/*.h tb/*/*.h tb/*/*/*.h sim/host/*.h)
# of the simulation, unit.cpp alone knows the RTL's size
SIM_OBJ := $(patsubst tb/system/%.cpp,$(B)/system/%.o,$(filter-out %/unit.cpp,$(wildcard tb/system/*.cpp)))
$(B)/system/%.o: tb/system/%.cpp
	@mkdir -p $(@D)
	@echo "cc $@"
	@$(CXX) $(CXXFLAGS) -MMD -MP -c $< -o $@
# $(1) model directory, $(2) configuration, $(3) more flags, $(4) Verilator's part
link_sim = $(CXX) $(CXXFLAGS) $(3) -DGMMU_CONFIG_NAME='"$(2)"' $(VL_INC) \
	-isystem $(1) tb/system/unit.cpp $(SIM_OBJ) $(1)/Vdut__ALL.a $(4) $(B)/c/libcore.a $(LDLIBS) -o $@
define sim_rule
$(B)/sim-$(1): tb/system/unit.cpp $(SIM_OBJ) $(SIM_DEP) $(B)/rtl/$(1)/gmmu_tier/done $(VL_LIB) $(B)/c/libcore.a
	@echo "link $$@"
	@$$(call link_sim,$(B)/rtl/$(1)/gmmu_tier,$(1),,$(VL_LIB))
$(B)/sim-$(1)-fst: tb/system/unit.cpp $(SIM_OBJ) $(SIM_DEP) $(B)/rtl/$(1)/gmmu_tier-fst/done $(B)/c/libcore.a
	@echo "link $$@"
	@$$(call link_sim,$(B)/rtl/$(1)/gmmu_tier-fst,$(1),-DGMMU_FST,$(B)/rtl/$(1)/gmmu_tier-fst/libverilated.a)
# the unit's ports alone, as VCD: what scripts/asic.py plays
$(B)/rtl/$(1)/gmmu_tier-ports/done: $(RTL) $(MODEL_DEP)
	@echo "verilate gmmu_tier ($(1), with VCD of its ports)"
	$$(call verilate,$(B)/rtl/$(1)/gmmu_tier-ports,$(1),gmmu_tier,--trace --trace-depth 1,rtl)
$(B)/sim-$(1)-ports: tb/system/unit.cpp $(SIM_OBJ) $(SIM_DEP) $(B)/rtl/$(1)/gmmu_tier-ports/done $(B)/c/libcore.a
	@echo "link $$@"
	@$$(call link_sim,$(B)/rtl/$(1)/gmmu_tier-ports,$(1),-DGMMU_VCD,$(B)/rtl/$(1)/gmmu_tier-ports/libverilated.a)
endef
$(foreach c,$(CONFIGS) onchip large,$(eval $(call sim_rule,$(c))))
# at a size of one's own, named as a bench's: make sim TEST=... CONFIG=tiny.FRAMES64, make build/sim-tiny.FRAMES64
ASKED_FOR := $(patsubst $(B)/sim-%,%,$(patsubst %-ports,%,$(patsubst %-fst,%,$(filter $(B)/sim-%,$(MAKECMDGOALS)))))
OWN_SIZES := $(foreach c,$(sort $(CONFIG) $(ASKED_FOR)),$(if $(findstring .,$c),$c))
$(foreach c,$(filter-out $(gmmu_tier_SETS) $(gmmu_tier_MORE_SETS),$(OWN_SIZES)),$(eval $(call model_rule,$(c),gmmu_tier)))
$(foreach c,$(OWN_SIZES),$(eval $(call sim_rule,$(c))))

# with the faults (docs/guide/debugging.md): sim.sh takes the one with waves, the test the one whose model its bench has too
$(B)/faults/gmmu_tier-fst/done: $(B)/faults/rtl/done $(MODEL_DEP)
	@echo "verilate gmmu_tier (tiny, with faults, with FST)"
	$(call verilate,$(B)/faults/gmmu_tier-fst,tiny,gmmu_tier,-Wno-fatal -Wno-lint -Wno-style --trace-fst --trace-structs,$(B)/faults/rtl)
$(B)/sim-tiny-faults-fst: tb/system/unit.cpp $(SIM_OBJ) $(SIM_DEP) $(B)/faults/gmmu_tier-fst/done $(B)/c/libcore.a
	@echo "link $@"
	@$(call link_sim,$(B)/faults/gmmu_tier-fst,tiny,-DGMMU_FST,$(B)/faults/gmmu_tier-fst/libverilated.a)
$(B)/sim-tiny-faults: tb/system/unit.cpp $(SIM_OBJ) $(SIM_DEP) $(B)/faults/gmmu_tier/done $(VL_LIB) $(B)/c/libcore.a
	@echo "link $@"
	@$(call link_sim,$(B)/faults/gmmu_tier,tiny,,$(VL_LIB))

# what boards have, Verilated behind a pseudo-terminal (docs/guide/boards.md)
$(B)/board-sim: tb/board/board_sim.cpp tb/serial.h $(B)/rtl/tiny/gmmu_tier_uart/done $(VL_LIB)
	@echo "build $@"
	@$(CXX) $(CXXFLAGS) $(VL_INC) -isystem $(B)/rtl/tiny/gmmu_tier_uart \
	  $< $(B)/rtl/tiny/gmmu_tier_uart/Vdut__ALL.a $(VL_LIB) -lpthread -o $@

# recorded traces behind a walker that replays, in the C model alone
$(B)/replay-cost: tb/time/replay_cost.cpp $(SIM_DEP) $(B)/c/libcore.a
	@echo "build $@"
	@$(CXX) $(CXXFLAGS) $< $(B)/c/libcore.a $(LDLIBS) -o $@

# cycles from a fault to its decision and to `quiet`, of the RTL alone (docs/guide/on_chip.md)
$(B)/latency-default: tb/time/latency.cpp tb/system/unit.cpp $(SIM_DEP) $(B)/rtl/default/gmmu_tier/done $(VL_LIB) $(B)/c/libcore.a
	@echo "build $@"
	@$(CXX) $(CXXFLAGS) -DGMMU_CONFIG_NAME='"default"' $(VL_INC) -isystem $(B)/rtl/default/gmmu_tier $< tb/system/unit.cpp \
	  $(B)/rtl/default/gmmu_tier/Vdut__ALL.a $(VL_LIB) $(B)/c/libcore.a $(LDLIBS) -o $@

# single bits that turn over (docs/reference/signoff/flips.md): a model whose registers and RAMs can be written
$(B)/flips.vlt: scripts/flips_public.py $(RTL)
	@mkdir -p $(@D)
	@scripts/flips_public.py > $@
$(B)/flips-model/done: $(B)/flips.vlt $(MODEL_DEP)
	@echo "verilate gmmu_tier (tiny, with its registers open)"
	$(call verilate,$(B)/flips-model,tiny,gmmu_tier,$(B)/flips.vlt,rtl)
$(B)/flips: $(wildcard tb/flips/*) $(SIM_DEP) $(B)/flips-model/done $(VL_LIB) $(B)/c/libcore.a
	@echo "build $@"
	@$(CXX) $(CXXFLAGS) -DGMMU_CONFIG_NAME='"tiny"' $(VL_INC) -isystem $(B)/flips-model \
	  tb/flips/flips.cpp $(B)/flips-model/Vdut__ALL.a $(VL_LIB) $(B)/c/libcore.a $(LDLIBS) -o $@
FLIPS ?= 12000
.PHONY: flips
flips: $(B)/flips
	@$(B)/flips --flips $(FLIPS) --seed $(SEED) --list


# the unit behind its bus in a four-state simulator (Icarus); CASE: some of its cases
$(B)/fourstate/steps: tb/fourstate/steps.c $(B)/c/libcore.a
	@mkdir -p $(@D)
	@echo "build $@"
	@$(CC) $(CFLAGS) $^ -o $@ $(LDLIBS)
.PHONY: fourstate
fourstate: $(B)/fourstate/steps
	@scripts/fourstate.py $(CASE)


# what docs/guide/debugging.md quotes, and its waves
.PHONY: debugging
debugging: $(B)/gmmu $(B)/sim-tiny-faults-fst
	@scripts/debugging_page.py

.PHONY: sim wave setup-waves
sim:
ifeq ($(TEST),)
	@scripts/sim.sh --list
else
	@scripts/sim.sh --test "$(TEST)" --config "$(CONFIG)" --seed "$(SEED)" --waves "$(WAVES)" --mode "$(MODE)" $(if $(FAULT),--fault "$(FAULT)") \
	  $(if $(STEP),--step "$(STEP)") $(if $(FROM),--from "$(FROM)") $(if $(TO),--to "$(TO)")
endif

wave: | $(filter setup-waves,$(MAKECMDGOALS))
	@scripts/wave.sh "$(TEST)" "$(CONFIG)" "$(FORMAT)" "$(FAULT)"
setup-waves:
	@scripts/setup.sh gtkwave:fst2vcd


-include $(SIM_OBJ:.o=.d)
