# SPDX-License-Identifier: Apache-2.0
# The C library (twins, policies, traces), the command gmmu, the shared library, the drop-in for BLAS, installation.
#
#:
#: C model
#:   make build/gmmu    the C model as a command: build/gmmu --help
#:   make blas          build/libgmmu_blas.so: records a program's BLAS and LAPACK calls (docs/guide/blas.md)
#:   make install PREFIX=/usr/local
#:                      command, libgmmu (pkg-config gmmu), libgmmu_blas.so, headers, man page, and install-rtl
#:   make install-rtl PREFIX=/usr/local
#:                      RTL, checkers, constraints, descriptions, pages (pkg-config gmmu-rtl); compiles nothing
#:   make man           docs/gmmu.1 and docs/reference/cli.md from --help (needs help2man)
#:   make traces [FOLDER=sim/traces/large]
#:                      make the recorded walks again, compare byte for byte
#:   make fuzz [RUNS=1000000]
#:                      the trace reader under libFuzzer (make setup-fuzz)
#:   make setup-sweeps  GNU parallel, for a sweep in parts (docs/guide/sweeps.md)
#:   make gpu-record    kernels for a real CUDA GPU: build/gpu_record (docs/guide/gpu.md; needs nvcc)

C_SRC   := $(wildcard cmodel/*/*.c cmodel/*/*/*.c)
# what stands in for the program's own functions, free among them, is in libgmmu_blas.so alone
PRE_SRC := $(filter cmodel/blas/preload/%,$(C_SRC))
LIB_SRC := $(filter-out cmodel/cli/% $(PRE_SRC),$(C_SRC))
CLI_SRC := $(filter cmodel/cli/%,$(C_SRC))
# of the library what simulations and the platform link, and what benches link: no kernels, no program's calls
CORE_SRC := $(filter $(patsubst %,cmodel/%/%,blocks driver exact policy trace),$(LIB_SRC))
BENCH_SRC := $(CORE_SRC) $(filter cmodel/board/% cmodel/semcache/%,$(LIB_SRC))
obj      = $(patsubst %.c,$(B)/$(1)/%.o,$(2))

# once for the program, the shared library and the drop-in
PIC     := -fPIC -fno-semantic-interposition
# flags are in this file: a change of it compiles anew
$(B)/c/%.o: %.c cmodel/rules.mk
	@mkdir -p $(@D)
	@echo "cc $@"
	@$(CC) $(CFLAGS) $(PIC) -MMD -MP -c $< -o $@
# the loops over accesses (cmodel/policy/counting.h): pairs of counters in a vector register are taken apart at each access
$(B)/c/cmodel/policy/%.o: CFLAGS += -fno-tree-slp-vectorize
# for tests: -O1 takes half as long to compile, and the tests no longer to run
$(B)/asan/%.o: %.c cmodel/rules.mk
	@mkdir -p $(@D)
	@echo "cc $@"
	@$(CC) $(filter-out -O2,$(CFLAGS)) -O1 -g1 $(SAN) -MMD -MP -c $< -o $@
$(B)/c/libgmmu.a: $(call obj,c,$(LIB_SRC))
	@rm -f $@ && $(AR) rcs $@ $^
$(B)/c/libcore.a: $(call obj,c,$(CORE_SRC))
	@rm -f $@ && $(AR) rcs $@ $^
$(B)/c/libbench.a: $(call obj,c,$(BENCH_SRC))
	@rm -f $@ && $(AR) rcs $@ $^
$(B)/asan/libgmmu.a: $(call obj,asan,$(LIB_SRC))
	@rm -f $@ && $(AR) rcs $@ $^
# plugins call the functions of the program that loads them (policy/plugin.h); what others link with libgmmu.a does the same by
# pkg-config --variable=plugin_host gmmu
PLUGIN_HOST := -Wl,--export-dynamic-symbol=gmmu_*
$(B)/gmmu: $(call obj,c,$(CLI_SRC)) $(B)/c/libgmmu.a
	@echo "link $@"
	@$(CC) '$(PLUGIN_HOST)' $^ -o $@ $(LDLIBS)
$(B)/gmmu-asan: $(call obj,asan,$(CLI_SRC)) $(B)/asan/libgmmu.a
	@echo "link $@"
	@$(CC) $(SAN) '$(PLUGIN_HOST)' $^ -o $@ $(LDLIBS)

# for builds that link the archive: python/CMakeLists.txt
print-LDLIBS: ; @echo $(LDLIBS)
# for scripts/coverage.py
print-PLUGIN_HOST: ; @echo '$(PLUGIN_HOST)'

# ======== shared library and installation
PREFIX  ?= /usr/local
DESTDIR ?=
SOMAJOR := $(firstword $(subst ., ,$(VERSION)))
SO      := libgmmu.so.$(VERSION)
PUBLIC  := $(wildcard cmodel/include/gmmu/*.h cmodel/blocks/*.h cmodel/policy/*.h cmodel/mrc/*.h cmodel/exact/*.h cmodel/driver/*.h cmodel/board/*.h \
             cmodel/rdgc/*.h cmodel/run/*.h cmodel/trace/pages.h cmodel/simt/front.h cmodel/simt/logical.h cmodel/simt/simt.h cmodel/simt/space.h)
$(B)/$(SO): $(call obj,c,$(LIB_SRC)) cmodel/libgmmu.map
	@echo "link $@"
	@$(CC) -shared -Wl,-soname,libgmmu.so.$(SOMAJOR) -Wl,--version-script=cmodel/libgmmu.map $(filter %.o,$^) -o $@ $(LDLIBS)
# the drop-in (docs/guide/blas.md): of the library what it uses, seen by nobody else
$(B)/pre/%.o: %.c
	@mkdir -p $(@D)
	@echo "cc $@"
	@$(CC) $(CFLAGS) $(PIC) -fvisibility=hidden -MMD -MP -c $< -o $@
# thousands of small functions without a loop: half the time, a quarter of the bytes
$(B)/pre/cmodel/blas/preload/wrappers.o: CFLAGS := $(filter-out -O2 -g,$(CFLAGS)) -O1 -g1
$(B)/libgmmu_blas.so: $(call obj,pre,$(PRE_SRC)) $(B)/c/libgmmu.a
	@echo "link $@"
	@$(CC) -shared -Wl,-soname,libgmmu_blas.so -Wl,--exclude-libs,ALL -Wl,-z,defs $^ -o $@ -lm -lpthread -ldl
.PHONY: blas
blas: $(B)/libgmmu_blas.so $(B)/gmmu
# pkg-config's files, of the PREFIX that is installed to
PKGCONFIG = $(DESTDIR)$(PREFIX)/lib/pkgconfig
define pc_files
	@mkdir -p $(PKGCONFIG)
	@printf '%s\n' 'prefix=$(PREFIX)' 'libdir=$${prefix}/lib' 'includedir=$${prefix}/include/gmmu-tier' 'rtldir=$${prefix}/share/gmmu-tier/rtl' \
	  'pythondir=$${prefix}/share/gmmu-tier/python' \
	  'descriptionsdir=$${prefix}/share/gmmu-tier/descriptions' 'plugin_host=$(PLUGIN_HOST)' '' 'Name: gmmu' \
	  'Description: bit-accurate C model of a GPU memory-tiering unit' 'Version: $(VERSION)' \
	  'Libs: -L$${libdir} -lgmmu' 'Libs.private: $(LDLIBS)' 'Cflags: -I$${includedir}' > $(PKGCONFIG)/gmmu.pc
	@printf '%s\n' 'prefix=$(PREFIX)' 'sources=$${prefix}/share/gmmu-tier/systemc/lt_unit.cpp' '' 'Name: gmmu-systemc' \
	  'Description: the unit as a loosely timed SystemC module; compile $${sources} with your platform' 'Version: $(VERSION)' \
	  'Requires: gmmu' 'Libs: -lsystemc' 'Cflags: -I$${prefix}/include/gmmu-tier/systemc' > $(PKGCONFIG)/gmmu-systemc.pc
endef
# share/gmmu-tier is laid out as the repository: the core file, IP-XACT and the pages find the files that they name
DATADIR  = $(DESTDIR)$(PREFIX)/share/gmmu-tier
# not what a run in their folders has made
EXAMPLES := $(wildcard $(addprefix examples/*/,Makefile Snakefile *.c *.cpp *.h *.v *.py *.ipynb *.yaml *.json *.sub *.sh *.sbatch))
OF_RTL  := LICENSE gmmu-tier.core $(wildcard rtl/*.v rtl/*.vh rtl/*.sdc rtl/*/*.v rtl/check/*) $(filter examples/soc/%,$(EXAMPLES)) \
           $(wildcard descriptions/*.rdl descriptions/*.xml descriptions/*/*.xml) \
           $(foreach e,md svg png csv html,$(wildcard docs/*.$(e) docs/*/*.$(e) docs/*/*/*.$(e)))
# of the platform what others need
SYSC_PUBLIC := platform/digest.h platform/direct_socket.h platform/payload.h platform/unit.h platform/lt_unit.h host/bad.h
.PHONY: install install-rtl man
install-rtl:
	@for f in $(OF_RTL); do install -D -m 644 $$f $(DATADIR)/$$f || exit 1; done
	@for c in tiny default onchip large; do scripts/descriptions.py --config $$c --root ../.. $(DATADIR)/descriptions/$$c || exit 1; done
	@for f in gmmu/beats.py gmmu/layouts.py $(patsubst python/%,%,$(wildcard python/gmmu/cocotb/*.py)); do \
	  install -D -m 644 python/$$f $(DATADIR)/python/$$f || exit 1; done
	@mkdir -p $(PKGCONFIG)
	@printf '%s\n' 'prefix=$(PREFIX)' 'share=$${prefix}/share/gmmu-tier' 'rtldir=$${share}/rtl' 'checkdir=$${rtldir}/check' 'pythondir=$${share}/python' \
	  'descriptionsdir=$${share}/descriptions' 'docdir=$${share}/docs' '' 'Name: gmmu-rtl' \
	  'Description: RTL of a GPU memory-tiering unit, with its checkers' 'Version: $(VERSION)' > $(PKGCONFIG)/gmmu-rtl.pc
	@echo 'RTL and pages: $(DATADIR); folders: PKG_CONFIG_PATH=$(PKGCONFIG) pkg-config --variable=rtldir gmmu-rtl'
install: install-rtl $(B)/gmmu $(B)/$(SO) $(B)/libgmmu_blas.so $(B)/c/libgmmu.a
	@install -D $(B)/gmmu $(DESTDIR)$(PREFIX)/bin/gmmu
	@install -D -m 644 $(B)/$(SO) $(DESTDIR)$(PREFIX)/lib/$(SO)
	@ln -sf $(SO) $(DESTDIR)$(PREFIX)/lib/libgmmu.so.$(SOMAJOR)
	@ln -sf libgmmu.so.$(SOMAJOR) $(DESTDIR)$(PREFIX)/lib/libgmmu.so
	@install -D -m 644 $(B)/libgmmu_blas.so $(DESTDIR)$(PREFIX)/lib/libgmmu_blas.so
	@install -D -m 644 $(B)/c/libgmmu.a $(DESTDIR)$(PREFIX)/lib/libgmmu.a
	$(pc_files)
	@for h in $(SYSC_PUBLIC); do install -D -m 644 sim/$$h $(DESTDIR)$(PREFIX)/include/gmmu-tier/systemc/$${h#platform/} || exit 1; done
	@install -D -m 644 cmodel/driver/unit_bus.c $(DATADIR)/driver/unit_bus.c
	@install -D -m 644 cmodel/driver/unit_rings.c $(DATADIR)/driver/unit_rings.c
	@install -D -m 644 sim/platform/lt_unit.cpp $(DATADIR)/systemc/lt_unit.cpp
	@install -D -m 644 docs/gmmu.1 $(DESTDIR)$(PREFIX)/share/man/man1/gmmu.1
	@for g in config/gpus/*.gpu; do install -D -m 644 $$g $(DATADIR)/gpus/$${g#config/gpus/} || exit 1; done
	@for f in $(EXAMPLES); do install -D -m 644 $$f $(DATADIR)/$$f || exit 1; done
	@for h in $(PUBLIC); do install -D -m 644 $$h $(DESTDIR)$(PREFIX)/include/gmmu-tier/$${h#cmodel/} || exit 1; done
	@if [ -d $(DESTDIR)$(PREFIX)/include/gmmu-tier/include ]; then cp -r $(DESTDIR)$(PREFIX)/include/gmmu-tier/include/. \
	  $(DESTDIR)$(PREFIX)/include/gmmu-tier && rm -r $(DESTDIR)$(PREFIX)/include/gmmu-tier/include; fi
	@echo 'command: $(DESTDIR)$(PREFIX)/bin/gmmu; library: PKG_CONFIG_PATH=$(PKGCONFIG) pkg-config --cflags --libs gmmu'
man: $(B)/gmmu
	@scripts/man.sh docs/gmmu.1
	@scripts/cli_page.sh $(B)/gmmu >docs/reference/cli.md

.PHONY: traces
traces: $(B)/gmmu
	@scripts/traces.sh $(FOLDER)

RUNS ?= 1000000
.PHONY: fuzz setup-fuzz
fuzz: $(B)/gmmu
	@scripts/fuzz.sh $(RUNS)
setup-fuzz:
	@scripts/setup.sh clang:clang libclang-rt-14-dev:/usr/lib/llvm-14/lib/clang/14.0.6/lib/linux

.PHONY: setup-sweeps
setup-sweeps:
	@scripts/setup.sh parallel:parallel

# ======== a real GPU
.PHONY: gpu-record
NVCC ?= nvcc
# -fmad=false: results equal to the host's bit for bit
gpu-record:
	@command -v $(NVCC) >/dev/null || { echo "make gpu-record: found no $(NVCC), expected a CUDA toolkit (NVCC=path)" >&2; exit 2; }
	@$(MAKE) --no-print-directory $(B)/c/libgmmu.a
	$(NVCC) -std=c++17 -O2 -fmad=false -arch=native -Icmodel/include -Icmodel gpu/gpu_record.cu $(B)/c/libgmmu.a -o $(B)/gpu_record $(LDLIBS)

-include $(patsubst %.o,%.d,$(call obj,c,$(C_SRC)) $(call obj,asan,$(C_SRC)) $(call obj,pre,$(PRE_SRC)))
