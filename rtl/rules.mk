# SPDX-License-Identifier: Apache-2.0
# RTL models by Verilator: build/rtl/CONFIG/BLOCK, without waves or with FST; build/faults/BLOCK: with the tables of faults.

CONFIGS := tiny default
# BLOCKS, UNIT and, of some, NAME_SETS and NAME_MORE_SETS: block benches at other sizes too, named
# configurations with changes (scripts/config_args.py). With ALL_SETS=1 those, too, for which `make test` has no time.
include config/blocks.mk
ALL_SETS ?=
RTL     := $(wildcard rtl/*.v rtl/*.vh rtl/*/*.v)
# a block's module has its name and the prefix gmmu_; $(1) block, of rtl_file also $(2), folder of the RTL
RTL_DIRS := $(sort $(patsubst %/,%,$(dir $(RTL))))
module_of = $(if $(filter gmmu_%,$(1)),$(1),gmmu_$(1))
rtl_file  = $(patsubst rtl/%,$(2)/%,$(filter %/$(call module_of,$(1)).v,$(RTL)))
rtl_dirs  = $(patsubst rtl%,-I$(1)%,$(RTL_DIRS))
# asked for once, when it is needed
VL_ROOT  = $(eval VL_ROOT := $(shell verilator -getenv VERILATOR_ROOT))$(VL_ROOT)
VL_INC   = -isystem $(VL_ROOT)/include -isystem $(VL_ROOT)/include/vltstd
# without the tree of bit operations: Verilator 5.006's loses inversions among XORs now and then (its issues 4059, 5186)
VL_FLAGS := --cc -O3 -fno-const-bit-op-tree -Wall --x-assign unique --x-initial unique +define+GMMU_SIM +define+GMMU_TVI +define+GMMU_CLK_GATE \
            --prefix Vdut -CFLAGS "-DVL_TIME_CONTEXT"

# the unit's models, and those of blocks, that run long; the loops are those over its seven clocks
VL_UNIT := -O2 -fpeel-loops -ftree-vectorize -fvect-cost-model=dynamic
VL_LONG := gmmu_tier ppuc ref_rit range_dir

# of a large model two compilations in place of a dozen, whose time goes into the same headers (rtl/model.mk)
VL_TWO  := VK_FAST_OBJS=fast.o VK_SLOW_OBJS=slow.o
# $(1) directory, $(2) configuration, $(3) block, $(4) more flags, $(5) source folder
define verilate
	@mkdir -p $(1)
	@verilator $(VL_FLAGS) $(4) $$(scripts/config_args.py $(2) $(call rtl_file,$(3),rtl)) --top-module $(call module_of,$(3)) --Mdir $(1) \
	  $(call rtl_dirs,$(5)) $(call rtl_file,$(3),$(5))
	@MAKEFLAGS= $(MAKE) --no-print-directory -s -C $(1) -f Vdut.mk -f $(CURDIR)/rtl/model.mk \
	  OPT_FAST="$(if $(filter $(VL_LONG),$(3)),$(VL_UNIT),-O1)" OPT_SLOW=-O0 OPT_GLOBAL=-O2 $(VL_TWO) Vdut__ALL.a \
	  $(if $(filter --trace-fst --trace,$(4)),libverilated.a)
	@touch $(1)/done
endef
# Verilator's own part is the same for all models without waves
VL_LIB  := $(B)/rtl/libverilated.a
$(VL_LIB): rtl/rules.mk
	@mkdir -p $(@D)/verilated
	@echo "cc $@"
	@for f in verilated verilated_threads; do \
	  $(CXX) -O2 -DVERILATOR=1 -DVL_TIME_CONTEXT -I$(VL_ROOT)/include -I$(VL_ROOT)/include/vltstd \
	    -c $(VL_ROOT)/include/$$f.cpp -o $(@D)/verilated/$$f.o || exit 1; done
	@$(AR) rcs $@ $(@D)/verilated/*.o
# of config/gmmu.json what models depend on: a change of the rest makes none of them again
$(B)/sizes.json: config/gmmu.json scripts/config_args.py
	@mkdir -p $(@D)
	@scripts/config_args.py --sizes > $@.new
	@if cmp -s $@.new $@; then rm $@.new; else mv $@.new $@; fi
# and of this file
$(B)/vl_flags: Makefile
	@mkdir -p $(@D)
	@printf '%s\n' '$(VL_FLAGS)' '$(VL_UNIT)' '$(VL_LONG)' '$(VL_TWO)' > $@.new
	@if cmp -s $@.new $@; then rm $@.new; else mv $@.new $@; fi
MODEL_DEP := $(B)/sizes.json $(B)/vl_flags
VERIFY_MODULES := $(BLOCKS) $(UNIT)
define model_rule
$(B)/rtl/$(1)/$(2)/done: $(RTL) $(MODEL_DEP)
	@echo "verilate $(2) ($(1))"
	$$(call verilate,$(B)/rtl/$(1)/$(2),$(1),$(2),$(FLAGS_$(2)),rtl)
$(B)/rtl/$(1)/$(2)-fst/done: $(RTL) $(MODEL_DEP)
	@echo "verilate $(2) ($(1), with FST)"
	$$(call verilate,$(B)/rtl/$(1)/$(2)-fst,$(1),$(2),--trace-fst --trace-structs,rtl)
endef
$(foreach c,$(CONFIGS),$(foreach m,$(VERIFY_MODULES),$(eval $(call model_rule,$(c),$(m)))))
$(foreach m,$(VERIFY_MODULES),$(foreach c,$($(m)_SETS) $($(m)_MORE_SETS),$(eval $(call model_rule,$(c),$(m)))))

# RAMs as an ASIC has them, of the blocks with lib/gmmu_ram_rows, and of the blocks with fewer registers then
ASIC_RAMS := hir_cache ppuc range_dir ref_rit rit_export tier_predict tier2_table trace_sampler gmmu_tier
define asic_rams_rule
$(B)/rtl/$(1)-asic/$(2)/done: $(RTL) $(MODEL_DEP)
	@echo "verilate $(2) ($(1), RAMs of an ASIC)"
	$$(call verilate,$(B)/rtl/$(1)-asic/$(2),$(1),$(2),+define+GMMU_ASIC_RAM,rtl)
endef
$(foreach c,$(CONFIGS),$(foreach m,$(ASIC_RAMS),$(eval $(call asic_rams_rule,$(c),$(m)))))

# the unit's smallest bench writes some of its registers and RAMs: a model of its own, as that makes it slower
OPEN := $(B)/rtl/tiny/gmmu_tier-open
$(OPEN)/done: tb/unit/gmmu_tier/open.vlt $(RTL) $(MODEL_DEP)
	@echo "verilate gmmu_tier (tiny, open to its bench)"
	$(call verilate,$(OPEN),tiny,gmmu_tier,tb/unit/gmmu_tier/open.vlt,rtl)

# the unit behind a bus and behind a serial line: of the bus also where registers have two words, else one size, as all parts have benches of their own
TOPS    := gmmu_tier_axil gmmu_tier_uart uart_link
# four cycles a bit, the fewest that uart_rx takes
FLAGS_gmmu_tier_uart := -GDIV=4 -GPATIENCE_W=20
FLAGS_uart_link := -GBYTES=256 -GPATIENCE_W=8
$(foreach m,$(TOPS),$(eval $(call model_rule,tiny,$(m))))
$(eval $(call model_rule,default,gmmu_tier_axil))

# RTL with the tables of faults in it, each behind a switch: for the benches only
FAULT_TABLES := $(wildcard tb/faults.txt tb/faults/*.txt)
$(B)/faults/rtl/done: $(FAULT_TABLES) scripts/fault_rtl.py $(RTL)
	@scripts/fault_rtl.py $(B)/faults/rtl
	@touch $@
define fault_rule
$(B)/faults/$(1)/done: $(B)/faults/rtl/done $(MODEL_DEP)
	@echo "verilate $(1) (tiny, with faults)"
	$$(call verilate,$(B)/faults/$(1),tiny,$(1),-Wno-fatal,$(B)/faults/rtl)
endef
$(foreach m,$(VERIFY_MODULES),$(eval $(call fault_rule,$(m))))
