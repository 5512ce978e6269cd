# SPDX-License-Identifier: Apache-2.0
# Evaluations of policies and papers on all traces, pages about traces, speed.
#
#:
#: Evaluations. ACCEPT=1: the page's text has been read again and fits its figures
#:   make setup-results | setup-plots
#:                      matplotlib from Debian, or without root from PyPI (build/plot-venv): for all that draws
#:   make report [TRACES=FILE...] [POLICY=lru,arc]
#:                      a page about traces and policies: curves, heat maps, intervals (build/report.html);
#:                      POLICY: whose curves, beside OPT's
#:   make results [JOBS=2] [KEEP=1]
#:                      evictions of all policies on all traces (docs/reference/results.md): minutes; KEEP=1
#:                      takes replays of an earlier build that decides alike
#:   make carry [JOBS=2] [KEEP=1]
#:                      evictions with fewer bits of the reference, merged walks, two units (docs/guide/carry.md): minutes
#:   make latency [KEEP=1]
#:                      cycles of the RTL from a fault to its decision, and to `quiet` (docs/guide/on_chip.md): minutes
#:   make leu [JOBS=2] [KEEP=1]
#:                      LEU beside LRU and MRU, OSL, VMIN, Hawkeye, Mockingjay (docs/papers/leu_results.md)
#:   make hpe | gmt | rdgc | semcache
#:                      a paper's evaluation beside the paper's statements (docs/papers/*_results.md): minutes,
#:                      rdgc half an hour [ONLY="index ways"]
#:   make rdgc-hardware
#:                      RDGC's model beside the counters of two GPUs (docs/papers/rdgc_hardware.md): minutes
#:   make recordings    HPE's and GMT's applications by rule and by outcome, into build/recordings
#:                      (docs/papers/recordings.md), and each policy's own for HPE's; what is there stays: an hour
#:   make hpe-recordings | gmt-recordings
#:                      HPE's and GMT's evaluations on these (docs/papers/*_recordings.md): minutes
#:   make statements    what the five papers state, and what comes out, from the tables of the pages of results
#:                      (docs/papers/README.md): a second
#:   make gmt-traces    GMT's applications at its ratios, into build/gmt/traces: two minutes
#:   make reference     miss ratios on two synthetic traces against another simulator's
#:                      (docs/reference/reference_traces.md)
#:   make stream [ACCESSES=1000000000] [POLICIES=lru]
#:                      memory that a stream takes which is never stored, at most 96 bytes a page
#:   make bench         how fast C model, replay and simulation are (docs/reference/bench.md; make setup-bench)
#:   make blas-bench    what libgmmu_blas.so costs a call (docs/guide/blas.md)
#:   make blas-operations
#:                      what LAPACK's drivers that iterate compute, counted by valgrind (docs/guide/blas.md): minutes
#:   make setup-blas-wild test-blas-wild bench-blas-wild
#:                      libgmmu_blas.so with R, Octave, PyPI's numpy, programs under mpirun and others: they print the same;
#:                      their CPU time (half an hour; SHARE=0.1 a tenth)

.PHONY: results setup-results setup-plots
results: $(B)/gmmu
	@$(PLOT_PYTHON) scripts/results.py --jobs $(JOBS) $(if $(KEEP),--keep) $(if $(ACCEPT),--accept)
setup-results:
	@scripts/setup.sh $(MATPLOTLIB)
# without root
setup-plots:
	@scripts/venv.sh $(B)/plot-venv scripts/requirements-plots.txt

.PHONY: carry latency
carry: $(B)/gmmu
	@scripts/carry.py --jobs $(JOBS) $(if $(KEEP),--keep) $(if $(ACCEPT),--accept)
latency: $(B)/latency-default
	@scripts/latency.py $(if $(KEEP),--keep) $(if $(ACCEPT),--accept)

.PHONY: leu
leu: $(B)/gmmu
	@scripts/leu.py --jobs $(JOBS) $(if $(KEEP),--keep) $(if $(ACCEPT),--accept)

.PHONY: rdgc
rdgc: $(B)/gmmu
	@$(PLOT_PYTHON) scripts/rdgc.py $(if $(ONLY),--only $(ONLY)) $(if $(ACCEPT),--accept)

.PHONY: rdgc-hardware
rdgc-hardware: $(B)/gmmu
	@scripts/rdgc_hardware.py $(if $(ACCEPT),--accept)

.PHONY: hpe
hpe: $(B)/gmmu $(B)/bench/hpe_times
	@$(PLOT_PYTHON) scripts/hpe.py $(if $(ACCEPT),--accept)
.PHONY: recordings hpe-recordings gmt-recordings
recordings: $(B)/gmmu
	@fails=0; for p in hpe gmt; do for s in rule outcome; do scripts/recordings.py make $$p $$s || fails=1; done; done; \
	    scripts/recordings.py own hpe outcome || fails=1; exit $$fails
hpe-recordings: $(B)/gmmu $(B)/bench/hpe_times
	@scripts/hpe_recordings.py $(if $(ACCEPT),--accept)
gmt-recordings: $(B)/gmmu $(B)/bench/gmt_distances
	@scripts/gmt_recordings.py $(if $(ACCEPT),--accept)
.PHONY: statements
statements:
	@scripts/statements.py $(if $(ACCEPT),--accept)
$(B)/bench/hpe_times $(B)/bench/decisions $(B)/bench/gmt_distances $(B)/bench/split_states: $(B)/bench/%: bench/%.c $(B)/c/libgmmu.a
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
$(B)/bench/newmark: $(call obj,c,$(NEWMARK) bench/newmark/main.c) $(B)/c/libgmmu.a
	@mkdir -p $(@D)
	@echo "link $@"
	@$(CC) $^ -o $@ $(LAPACK) $(LDLIBS)

.PHONY: semcache
semcache: $(B)/gmmu $(B)/bench/newmark
	@$(PLOT_PYTHON) scripts/semcache.py $(if $(ACCEPT),--accept)

.PHONY: report
report: $(B)/gmmu
	@$(PLOT_PYTHON) scripts/report.py $(TRACES) $(if $(call given,TRACE),$(TRACE)) $(if $(call given,POLICY),--policies "$(POLICY)")


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
.PHONY: setup-blas-wild test-blas-wild bench-blas-wild
WILD := $(B)/blas-wild
# OpenBLAS is unpacked, not installed: other programs' BLAS stays what it is
setup-blas-wild:
	@scripts/setup.sh r-base-core:Rscript octave:octave-cli hpcc:hpcc openmpi-bin:mpirun scalapack-mpi-test:/usr/share/doc/scalapack-mpi-test/copyright \
	  scilab-cli:scilab-cli quantum-espresso:pw.x quantum-espresso-data:/usr/share/espresso/pseudo libarmadillo-dev:/usr/include/armadillo \
	  libsuitesparse-dev:/usr/include/suitesparse libgsl-dev:/usr/include/gsl libeigen3-dev:/usr/include/eigen3 \
	  python3-venv:/usr/share/doc/python3-venv/copyright libblas-dev:/usr/share/doc/libblas-dev/copyright
	@mkdir -p $(WILD)
	@[ -d $(WILD)/usr ] || { cd $(WILD) && apt-get download -q libopenblas0-pthread && dpkg -x libopenblas0-pthread_*.deb .; }
	@scripts/venv.sh $(WILD)/venv tb/blas/wild/requirements.txt
	g++ -O1 tb/blas/wild/dense.cpp -o $(WILD)/armadillo -llapack -lblas
	g++ -O1 -DEIGEN tb/blas/wild/dense.cpp -o $(WILD)/eigen -lblas
	gcc -O1 tb/blas/wild/sparse.c -o $(WILD)/sparse -lumfpack -lcholmod -lblas
	gcc -O1 tb/blas/wild/fit.c -o $(WILD)/fit -lgsl -lblas -lm
test-blas-wild: $(B)/libgmmu_blas.so
	@scripts/blas_wild.py same
bench-blas-wild: $(B)/libgmmu_blas.so
	@scripts/blas_wild.py cost --share $(or $(SHARE),1)

.PHONY: blas-bench blas-operations
blas-bench: $(B)/libgmmu_blas.so
	@scripts/blas_bench.py
blas-operations: $(B)/libgmmu_blas.so
	@scripts/blas_operations.py


.PHONY: reference stream
reference: $(B)/gmmu
	@scripts/reference_traces.py
ACCESSES ?= 1000000000
POLICIES ?= lru
stream: $(B)/gmmu
	@scripts/stream.py --accesses $(ACCESSES) --policies $(POLICIES)
