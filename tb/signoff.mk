# SPDX-License-Identifier: Apache-2.0
# The long forms of the tests, and what a release is measured by (docs/reference/signoff).
#
#:
#: Long tests and sign-off
#:   make conformance [SEEDS=3] [JOBS=2] [QUICK=1]
#:                      every test x configuration x trace x seed, 10 M actions a block: hours. QUICK=1: one
#:                      seed, the first walks of each trace, every set of the whole unit: 5 minutes
#:   make long-tests    what make test thins: all seeds, all cases, all allocations that fail
#:   make mutate BLOCK=ppuc [MUTANTS=400] [SEED=1] [MODULE=ppuc_hull]
#:                      small changes of a block's RTL: how many its bench notices
#:   make coverage [TEST="ppuc_test cli_test"]
#:                      lines, branches and bits that the tests reach, C and RTL
#:   make formal [BLOCK=fifo] [QUICK=1]
#:                      proofs of the RTL by Yosys and abc: hours. QUICK=1: those of seconds: 4 minutes
#:   make signoff [PARTS="formal mutants/ppuc"] [LIST=1] [FRESH=1]
#:                      proofs, mutants, flips, coverage, FPGAs: a day and more. A run that was stopped goes on;
#:                      LIST=1: which parts are of the present sources

MUTANTS ?= 400
.PHONY: mutate coverage
mutate: $(B)/c/libbench.a
	@scripts/mutate.py $(BLOCK) $(MUTANTS) $(SEED) $(MODULE)

coverage:
	@scripts/coverage.py $(TEST)

.PHONY: formal
formal:
	@scripts/formal.sh $(BLOCK) $(if $(QUICK),--quick)

.PHONY: conformance long-tests
SEEDS ?= 3
# the whole: first the long forms of some tests
conformance: $(if $(QUICK),,long-tests reference)
	@scripts/conformance.py $(if $(QUICK),--quick,--seeds $(SEEDS)) --jobs $(JOBS) $(if $(ONLY),--only "$(ONLY)") $(if $(FRESH),--fresh)
# what `make test` thins: all seeds, all allocations that fail, all cases; sanitizers in the tests' own C++
WHOLE := $(foreach b,$(RTL_CHECKS),$(B)/test/$(b)) $(C_SAN_BINS)
long-tests: $(WHOLE) $(B)/gmmu-asan $(B)/fourstate/steps $(addprefix $(B)/test/,sem_test mrc_test tiers_test leu2_test stamp_lirs_test) \
            $(CONFIGS:%=$(B)/test/hir_cache_test-%)
	@for t in $(WHOLE); do env -u GMMU_QUICK GMMU_ROOT=$(CURDIR) GMMU_BIN=$(CURDIR)/$(B)/gmmu-asan $$t || exit 1; done
	@scripts/fourstate.py
	@$(MAKE) --no-print-directory checkers
	@scripts/limits.py
	@scripts/limits.py --tool verilator
	@scripts/rams.py --check
	@scripts/lint.sh
	@scripts/clang_tests.sh $(C_TESTS)
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
