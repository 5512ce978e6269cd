# SPDX-License-Identifier: Apache-2.0
# `make test`: its checks in the order in which they begin, and what each needs. A check begins as soon as that is built
# (scripts/test.sh), beside what is still being built.

INSTALLED := $(B)/gmmu $(B)/$(SO) $(B)/libgmmu_blas.so $(B)/c/libgmmu.a
UNIT_LONG := $(UNIT)_test-faults $(UNIT)_test-default
UNIT_SIMS := leu_priority unit_replay unit_time unit_protect rimm_host share_duel hpe_eviction
BLOCK_SIMS := leu_victim rit_update sampler_reuse ppuc_row hir_record hir_drain segment_random gmt_predict tier_random tier_slots range_random sem_ranges
RTL_CHECKS := $(notdir $(RTL_BINS))
# package gmmu is tested where `make setup-python` has been; scripts/test.sh says where it has not
PYTHON_CHECK := $(if $(wildcard $(B)/python-venv/bin/pytest),python)
# what other tools read in descriptions, where `make setup-descriptions` has been
PYTHON_CHECK += $(if $(wildcard $(B)/descriptions-venv/installed),descriptions registers)
# first what needs no building, so that results come at once; then the longest; long steps and the whole unit's simulations in
# `tiny` are in `make conformance`
CHECKS := signoff against cli_1 cli_2 $(firstword $(UNIT_LONG)) $(UNIT_SIMS:%=sim.%.default) $(filter-out $(firstword $(UNIT_LONG)),$(UNIT_LONG)) \
          lint fpga asic placer miter recordings $(filter-out $(UNIT_LONG),$(filter $(UNIT)_test%,$(RTL_CHECKS))) cli_sim platform blas blas_track board \
          examples fourstate checkers flips marks stream limits debugging $(PYTHON_CHECK) $(C_TESTS) $(BLOCK_SIMS:%=quick.%) \
          $(filter-out $(UNIT)_test%,$(RTL_CHECKS))
# make starts all compilations that can start before it looks at a link again: what the longest checks need is a run of its own
BEGIN := $(filter signoff against,$(CHECKS))
.PHONY: begin checks $(CHECKS:%=check-%)
begin: $(BEGIN:%=check-%) $(if $(filter cli_%,$(CHECKS)),$(B)/gmmu-asan $(INSTALLED))
checks: $(filter-out $(BEGIN:%=check-%),$(CHECKS:%=check-%))
$(CHECKS:%=check-%): check-%:
	@scripts/test.sh --job $*
print-checks: ; @echo $(CHECKS)

$(C_TESTS:%=check-%) $(RTL_CHECKS:%=check-%): check-%: $(B)/test/%
check-record_test check-board check-cli_1 check-cli_2 check-cli_sim: $(B)/gmmu-asan
$(UNIT_SIMS:%=check-sim.%.default): $(B)/sim-default
$(BLOCK_SIMS:%=check-quick.%): $(B)/c/libbench.a $(VL_LIB) $(PCH_rtl).gch
check-cli_1 check-cli_2 check-cli_sim check-examples: $(INSTALLED)
check-cli_sim: $(B)/sim-tiny-faults
check-platform: $(B)/platform $(B)/platform-tiny $(B)/platform-ring-tiny $(B)/gmmu
check-blas check-blas_track: $(B)/libgmmu_blas.so $(B)/gmmu
check-board: $(B)/board-sim
check-debugging: $(B)/sim-tiny-faults $(B)/gmmu
check-flips check-marks: $(B)/flips
check-fourstate: $(B)/fourstate/steps
check-checkers: $(B)/check/broken $(B)/check/checked-tiny
check-stream: $(B)/gmmu
check-python: $(B)/gmmu $(B)/c/libgmmu.a

.PHONY: test
test:
	@JOBS=$(JOBS) scripts/test.sh
