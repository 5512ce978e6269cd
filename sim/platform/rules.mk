# SPDX-License-Identifier: Apache-2.0
# The platform: SystemC around the unit (docs/guide/platform.md).
#
#:
#: Platform: GPU, walkers, unit, driver, link, SSD (docs/guide/platform.md; make setup-platform)
#:   make platform [TRACE=sim/traces/bfs.walk] [POLICY=lru] [MODEL=lt|rtl|rtl-ring] [CONFIG=tiny]
#:                 [PLATFORM_OPTIONS="--frames 75% --format json"]
#:                      run time of a trace
#:   make platform-page [TRACE=sim/traces/bfs.walk] [POLICY=unit,lru]
#:                      the same as a page: run times, depths of all queues over time (build/platform.html)
#:   make time-results       run time of all policies on all traces; writes docs/reference/time_results.md: half an hour
#:   make time-results ONLY=driver   the unit beside NVIDIA's driver alone: minutes
#:   make time-huge          run time of five kernels with 4 GiB of arrays; part of the same page: an hour
#:   make platform-results   all policies on all traces; writes docs/reference/platform_results.md: minutes

# ======== platform: SystemC around the unit (docs/guide/platform.md): $(B)/platform has its twin alone, $(B)/platform-CONFIG its RTL too,
# $(B)/platform-ring-CONFIG its RTL behind registers and rings
SYSC_OBJ  := $(patsubst sim/platform/%.cpp,$(B)/sim/platform/%.o,\
  $(filter-out %/main.cpp %/rtl_unit.cpp %/ring_unit.cpp %/ring_device.cpp,$(wildcard sim/platform/*.cpp)))
# the twin once more, optimized together with the platform: 8 % fewer instructions
SYSC_TWIN := $(patsubst cmodel/%.c,$(B)/sim/platform/%.o,$(wildcard cmodel/blocks/*.c) cmodel/trace/pages.c)
SYSC_OPT  := -O3 -flto=auto
SYSC_LIBS := $(SYSC_TWIN) $(B)/c/libcore.a -lsystemc $(LDLIBS)
$(SYSC_TWIN): $(B)/sim/platform/%.o: cmodel/%.c
	@mkdir -p $(@D)
	@echo "cc $@"
	@$(CC) $(CFLAGS) $(SYSC_OPT) -MMD -MP -c $< -o $@
$(B)/sim/platform/%.o: sim/platform/%.cpp | $(filter setup-platform,$(MAKECMDGOALS))
	@[ -e /usr/include/systemc ] || { echo "platform: found no SystemC, expected libsystemc-dev: make setup-platform" >&2; exit 2; }
	@mkdir -p $(@D)
	@echo "cc $@"
	@$(CXX) $(filter-out -Itb,$(CXXFLAGS)) $(SYSC_OPT) -MMD -MP -c $< -o $@
$(B)/platform: $(SYSC_OBJ) $(B)/sim/platform/main.o $(SYSC_TWIN) $(B)/c/libcore.a
	@echo "link $@"
	@$(CXX) -g1 $(SYSC_OPT) $(SYSC_OBJ) $(B)/sim/platform/main.o $(SYSC_LIBS) -o $@
define platform_rule
$(B)/systemc/$(1)/done: $(RTL) $(MODEL_DEP) | $(filter setup-platform,$(MAKECMDGOALS))
	@mkdir -p $(B)/systemc/$(1)
	@echo "verilate gmmu_tier ($(1), for SystemC)"
	@verilator --sc $(filter-out --cc --prefix Vdut +define+GMMU_TVI,$(VL_FLAGS)) --prefix Vunit -CFLAGS "-DVL_TIME_CONTEXT" \
	  $$$$(scripts/config_args.py $(1) rtl/gmmu_tier.v) --top-module gmmu_tier --Mdir $(B)/systemc/$(1) $(call rtl_dirs,rtl) rtl/gmmu_tier.v
	@MAKEFLAGS= $(MAKE) --no-print-directory -s -C $(B)/systemc/$(1) -f Vunit.mk -f $(CURDIR)/rtl/model.mk \
	  OPT_FAST="$(VL_UNIT)" OPT_SLOW=-O0 OPT_GLOBAL=-O2 $(VL_TWO) Vunit__ALL.a libverilated.a
	@touch $$@
$(B)/platform-$(1): $(SYSC_OBJ) $(wildcard sim/platform/*.h) sim/platform/main.cpp sim/platform/rtl_unit.cpp \
  $(B)/systemc/$(1)/done $(SYSC_TWIN) $(B)/c/libcore.a
	@echo "build $$@"
	@$(CXX) $$(filter-out -Itb,$$(CXXFLAGS)) $(SYSC_OPT) -DGMMU_RTL -DGMMU_CONFIG_NAME='"$(1)"' $$(VL_INC) \
	  -isystem $(B)/systemc/$(1) sim/platform/main.cpp sim/platform/rtl_unit.cpp $(SYSC_OBJ) \
	  $(B)/systemc/$(1)/Vunit__ALL.a $(B)/systemc/$(1)/libverilated.a $(SYSC_LIBS) -o $$@
$(B)/systemc/ring-$(1)/done: $(RTL) $(MODEL_DEP)
	@mkdir -p $(B)/systemc/ring-$(1)
	@echo "verilate gmmu_tier_ring ($(1), for SystemC)"
	@verilator $(filter-out --prefix Vdut +define+GMMU_TVI,$(VL_FLAGS)) --prefix Vring \
	  $$$$(scripts/config_args.py $(1) rtl/gmmu_tier_ring.v) --top-module gmmu_tier_ring --Mdir $(B)/systemc/ring-$(1) $(call rtl_dirs,rtl) \
	  rtl/gmmu_tier_ring.v
	@MAKEFLAGS= $(MAKE) --no-print-directory -s -C $(B)/systemc/ring-$(1) -f Vring.mk -f $(CURDIR)/rtl/model.mk \
	  OPT_FAST="$(VL_UNIT)" OPT_SLOW=-O0 OPT_GLOBAL=-O2 $(VL_TWO) Vring__ALL.a
	@touch $$@
$(B)/platform-ring-$(1): $(SYSC_OBJ) $(wildcard sim/platform/*.h) $(RING_SRC) $(B)/systemc/ring-$(1)/done $(VL_LIB) $(SYSC_TWIN) $(B)/c/libcore.a
	@echo "build $$@"
	@$(CXX) $$(filter-out -Itb,$$(CXXFLAGS)) $(SYSC_OPT) -DGMMU_RTL -DGMMU_CONFIG_NAME='"$(1)"' $$(VL_INC) \
	  -isystem $(B)/systemc/ring-$(1) $(RING_SRC) $(SYSC_OBJ) $(B)/systemc/ring-$(1)/Vring__ALL.a $(VL_LIB) $(SYSC_LIBS) -o $$@
endef
RING_SRC := sim/platform/main.cpp sim/platform/ring_unit.cpp sim/platform/ring_device.cpp
$(foreach c,$(CONFIGS),$(eval $(call platform_rule,$(c))))
# Debian's SystemC links with C++17 alone
$(SYSC_OBJ) $(dir $(firstword $(SYSC_OBJ)))main.o $(B)/platform $(CONFIGS:%=$(B)/platform-%) \
  $(CONFIGS:%=$(B)/platform-ring-%): CXXFLAGS := $(subst gnu++20,gnu++17,$(CXXFLAGS))
.PHONY: platform setup-platform platform-page platform-results time-results time-huge
platform-page: $(B)/platform
	@$(PLOT_PYTHON) scripts/platform_page.py "$(PLATFORM_TRACE)" "$(POLICY)" $(PLATFORM_OPTIONS)
platform-results: $(B)/platform
	@$(PLOT_PYTHON) scripts/platform_results.py --jobs $(JOBS) $(if $(ACCEPT),--accept)
time-results: $(B)/platform
	@$(PLOT_PYTHON) scripts/time_results.py --jobs $(JOBS) $(if $(ACCEPT),--accept) $(if $(ONLY),--only $(ONLY))
time-huge: $(B)/platform $(B)/gmmu
	@scripts/time_huge.py $(if $(ACCEPT),--accept) $(if $(ONLY),--only $(ONLY))
TRACE  ?= sim/traces/bfs.walk
POLICY ?= unit
MODEL  ?= lt
# TRACES, the variable of `make report`, is taken too: one trace
PLATFORM_TRACE := $(or $(TRACES),$(TRACE))
ifneq ($(filter platform platform-page,$(MAKECMDGOALS)),)
$(if $(or $(word 2,$(TRACES)),$(and $(TRACES),$(call given,TRACE))),\
  $(error found $(if $(call given,TRACE),TRACE="$(TRACE)" and )TRACES="$(TRACES)", expected one trace))
endif
PLATFORM_BIN := $(B)/platform$(if $(filter rtl,$(MODEL)),-$(CONFIG))$(if $(filter rtl-ring,$(MODEL)),-ring-$(CONFIG))
platform: $(PLATFORM_BIN)
	@$(PLATFORM_BIN) "$(PLATFORM_TRACE)" --policy "$(POLICY)" --model "$(MODEL)" $(PLATFORM_OPTIONS)
setup-platform:
	@scripts/setup.sh gcc:gcc g++:g++ libjansson-dev:/usr/include/jansson.h zlib1g-dev:/usr/include/zlib.h \
	  libzstd-dev:/usr/include/zstd.h liblzma-dev:/usr/include/lzma.h \
	  verilator:verilator python3:python3 libsystemc-dev:/usr/include/systemc $(MATPLOTLIB)

-include $(patsubst %.o,%.d,$(SYSC_OBJ) $(SYSC_TWIN) $(B)/sim/platform/main.o)
