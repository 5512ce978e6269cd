# SPDX-License-Identifier: Apache-2.0
# The platform: SystemC around the unit (docs/guide/platform.md).
#
#:
#: Platform: GPU, walkers, unit, driver, link, SSD (docs/guide/platform.md; make setup-platform)
#:   make platform [TRACE=sim/traces/bfs.walk] [POLICY=lru] [MODEL=lt|rtl] [CONFIG=tiny]
#:                 [PLATFORM_OPTIONS="--frames 75% --format json"]
#:                      run time of a trace
#:   make platform-page [TRACE=sim/traces/bfs.walk] [POLICY=unit,lru]
#:                      the same as a page: run times, depths of all queues over time (build/platform.html)
#:   make platform-results   all policies on all traces; writes docs/reference/platform_results.md: minutes

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

-include $(patsubst %.o,%.d,$(SYSC_OBJ) $(B)/systemc/main.o)
