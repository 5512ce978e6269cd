# SPDX-License-Identifier: Apache-2.0
# The checkers of rtl/check (docs/guide/checkers.md): the unit's simulation with the checkers bound to the unit, and a bench that breaks
# each rule once.
#:   make checkers      the checkers of rtl/check (docs/guide/checkers.md): each rule broken, then traffic by the rules at
#:                      more sizes than in make test: minutes

CHECK_SV := rtl/check/gmmu_check_stream.sv rtl/check/gmmu_check_packets.sv rtl/check/gmmu_check_ranges.sv rtl/check/gmmu_check_memory.sv \
            rtl/check/gmmu_check_axil.sv rtl/check/gmmu_check_axi.sv rtl/check/gmmu_check_fields.sv rtl/check/gmmu_check_order.sv \
            rtl/check/gmmu_check_unit.sv rtl/check/gmmu_bind.sv
CHECK_FLAGS := --assert --coverage-user +define+GMMU_CHECK_PATIENCE=200000 -Irtl/check $(CHECK_SV)
# $(1) configuration: make build/check/sim-tiny
define check_rule
$(B)/check/rtl-$(1)/done: $(RTL) $(CHECK_SV) rtl/check/gmmu_check.svh $(MODEL_DEP)
	@echo "verilate gmmu_tier ($(1), with its checkers)"
	$$(call verilate,$(B)/check/rtl-$(1),$(1),gmmu_tier,$(CHECK_FLAGS),rtl)
$(B)/check/sim-$(1): tb/system/unit.cpp $(SIM_OBJ) $(SIM_DEP) $(B)/check/rtl-$(1)/done $(B)/check/verilated_cov.o $(VL_LIB) $(B)/c/libcore.a
	@echo "link $$@"
	@$$(call link_sim,$(B)/check/rtl-$(1),$(1),-include tb/cover.h,$(B)/check/verilated_cov.o $(VL_LIB))
$(B)/check/checked-$(1): tb/check/checked_test.cpp $(SIM_DEP) $(B)/check/rtl-$(1)/done $(B)/check/verilated_cov.o $(VL_LIB) $(B)/c/libbench.a
	@echo "build $$@"
	@$(CXX) -include tb/cover.h $(TESTFLAGS) -DGMMU_BENCH -DGMMU_CONFIG_NAME='"$(1)"' $$(VL_INC) -isystem $(B)/check/rtl-$(1) \
	  $$< $(B)/check/rtl-$(1)/Vdut__ALL.a $(B)/check/verilated_cov.o $(VL_LIB) $(B)/c/libbench.a $(GTEST) $(LDLIBS) -o $$@
endef
$(foreach c,$(CONFIGS) onchip large tiny.FRAME_MEM1.T2_SLOTS0,$(eval $(call check_rule,$(c))))
# counts of rules that applied
$(B)/check/verilated_cov.o: rtl/rules.mk
	@mkdir -p $(@D)
	@$(CXX) -O1 -DVERILATOR=1 -DVL_TIME_CONTEXT -DVM_COVERAGE=1 $(VL_INC) -c $(VL_ROOT)/include/verilated_cov.cpp -o $@
# the unit behind its bus, with the bus's checker alone: its own bench has a driver that breaks the other rules
$(B)/check/rtl-axil/done: $(RTL) $(CHECK_SV) rtl/check/gmmu_check.svh $(MODEL_DEP)
	@echo "verilate gmmu_tier_axil (tiny, with its checkers)"
	$(call verilate,$(B)/check/rtl-axil,tiny,gmmu_tier_axil,+define+GMMU_CHECK_NO_UNIT $(CHECK_FLAGS),rtl)
$(B)/check/axil: tb/unit/gmmu_tier_axil_test.cpp $(SIM_DEP) $(B)/check/rtl-axil/done $(B)/check/verilated_cov.o $(VL_LIB) $(B)/c/libbench.a
	@echo "build $@"
	@$(CXX) -include tb/cover.h $(TESTFLAGS) -DGMMU_BENCH -DGMMU_CONFIG_NAME='"tiny"' $(VL_INC) -isystem $(B)/check/rtl-axil \
	  $< $(B)/check/rtl-axil/Vdut__ALL.a $(B)/check/verilated_cov.o $(VL_LIB) $(B)/c/libbench.a $(GTEST) $(LDLIBS) -o $@
# the rings alone, with the checker of their AXI4 master; the memory of their bench breaks its rules, too
$(B)/check/rtl-ring/done: $(RTL) $(CHECK_SV) rtl/check/gmmu_check.svh $(MODEL_DEP)
	@echo "verilate ring (tiny, with its checker)"
	$(call verilate,$(B)/check/rtl-ring,tiny,ring,+define+GMMU_CHECK_NO_UNIT +define+GMMU_CHECK_ANY_MEMORY $(CHECK_FLAGS),rtl)
$(B)/check/ring: tb/unit/ring_test.cpp $(SIM_DEP) $(B)/check/rtl-ring/done $(B)/check/verilated_cov.o $(VL_LIB) $(B)/c/libbench.a
	@echo "build $@"
	@$(CXX) -include tb/cover.h $(TESTFLAGS) -DGMMU_BENCH -DGMMU_CONFIG_NAME='"tiny"' $(VL_INC) -isystem $(B)/check/rtl-ring \
	  $< $(B)/check/rtl-ring/Vdut__ALL.a $(B)/check/verilated_cov.o $(VL_LIB) $(B)/c/libbench.a $(GTEST) $(LDLIBS) -o $@
# each rule broken once, in front of a unit without content
$(B)/check/stub/done: tb/check/stub.py $(RTL)
	@tb/check/stub.py $(@D)
	@touch $@
$(B)/check/broken-model/done: $(B)/check/stub/done $(CHECK_SV) rtl/check/gmmu_check.svh $(MODEL_DEP)
	@echo "verilate the checkers (tiny, without the unit)"
	@mkdir -p $(@D)
	@verilator --cc -O3 -fno-const-bit-op-tree --assert -Wno-fatal -Wno-lint -Wno-style --x-initial unique --prefix Vdut -CFLAGS -DVL_TIME_CONTEXT \
	  +define+GMMU_CONFIG_TINY +define+GMMU_CHECK_PATIENCE=3000 --top-module gmmu_tier_axil --Mdir $(@D) -I$(B)/check/stub -Irtl -Irtl/check \
	  $(B)/check/stub/gmmu_tier_axil.v $(B)/check/stub/gmmu_tier.v $(CHECK_SV)
	@MAKEFLAGS= $(MAKE) --no-print-directory -s -C $(@D) -f Vdut.mk -f $(CURDIR)/rtl/model.mk OPT_FAST=-O1 OPT_SLOW=-O0 OPT_GLOBAL=-O1 $(VL_TWO) Vdut__ALL.a
	@touch $@
$(B)/check/broken: tb/check/broken.cpp $(SIM_DEP) $(B)/check/broken-model/done $(VL_LIB) $(B)/c/libcore.a
	@echo "build $@"
	@$(CXX) $(CXXFLAGS) -O0 -DGMMU_CONFIG_NAME='"tiny"' $(VL_INC) -isystem $(B)/check/broken-model \
	  $< $(B)/check/broken-model/Vdut__ALL.a $(VL_LIB) $(B)/c/libcore.a $(LDLIBS) -o $@

.PHONY: checkers
checkers: $(B)/check/broken $(B)/check/checked-tiny $(B)/check/checked-tiny.FRAME_MEM1.T2_SLOTS0 $(B)/check/checked-default $(B)/check/axil $(B)/check/ring
	@tb/check/checkers.py --all
