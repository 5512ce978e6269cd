# SPDX-License-Identifier: Apache-2.0
# Makefile: front door of gmmu-tier; `make` alone prints help. Rules lie beside their product, in its rules.mk.
#
# Goals that follow `setup` run after it, in a make of their own: what setup installs decides how
# they run.

SHELL := /bin/bash
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.SUFFIXES:

# each product's rules and help
RULES := cmodel/rules.mk rtl/rules.mk sim/rules.mk sim/platform/rules.mk tb/rules.mk tb/check/rules.mk tb/test.mk tb/signoff.mk fpga/rules.mk \
         bench/rules.mk examples/rules.mk scripts/rules.mk python/rules.mk descriptions/rules.mk
# a variable that no makefile uses is refused; from a make around this one come the variables of that make, too
SET   := $(if $(filter 0,$(MAKELEVEL)),$(foreach v,$(.VARIABLES),$(if $(filter command,$(firstword $(origin $v))),$v)))
WRONG := $(if $(SET),$(shell scripts/variables.sh "$(SET)" Makefile config/blocks.mk $(RULES)))
$(if $(WRONG),$(error $(WRONG)))
# a recipe whose program the machine lacks says which goal installs the program; nearly every goal runs Python, by `env`, which cannot say it
ifeq ($(filter %/scripts/not_found.sh,$(BASH_ENV)),)
export GMMU_BASH_ENV := $(BASH_ENV)
endif
export BASH_ENV := $(CURDIR)/scripts/not_found.sh
ifeq ($(filter setup% help clean print-% %.a,$(or $(MAKECMDGOALS),help))$(wildcard $(addsuffix /python3,$(subst :, ,$(PATH)))),)
$(error found no python3, expected it: make setup)
endif

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
CXXFLAGS := -std=gnu++20 -O2 -g1 -ffp-contract=off $(WARN) -Wno-missing-field-initializers -Icmodel/include -Icmodel -Isim -Itb -DGMMU_VERSION='"$(VERSION)"'
SAN     := -fsanitize=address,undefined -fno-sanitize-recover=all
LDLIBS  := -ljansson -lzstd -llzma -lz -lm -lpthread -ldl

# the Python that has matplotlib
PLOT_PYTHON := $$(scripts/plot_python.sh)
MATPLOTLIB  := python3-matplotlib:/usr/lib/python3/dist-packages/matplotlib
# named on the command line or in the environment, whatever is their default above
given = $(filter command environment,$(firstword $(origin $(1))))
JOBS  ?= $(shell nproc)

# ======== goals
.PHONY: help clean
help:
	@sed -n 's/^#: \{0,1\}//p' Makefile $(RULES)

#: gmmu-tier: the memory-tiering unit of a GPU's MMU, as RTL and as C model
#:
#:   make setup         install what is missing (apt)
#:   make sim           list the simulations
#:   make test [CHECKS="lint ppuc_test-tiny"] [JOBS=2]
#:                      everything a change must pass, or some of it (make print-checks): half an hour to an
#:                      hour on two cores; ends with `N passed, N failed`
#:   make clean
#:
#: Several goals run in turn: make setup sim TEST=leu_priority

clean:
	rm -rf $(B)

include $(RULES)

# before the first compilation: what a goal looks at, in FIRST, and the libraries whose headers the C sources include
$(foreach d,c asan,$(call obj,$(d),$(C_SRC))) $(call obj,pre,$(PRE_SRC)): | $(B)/libraries
$(B)/libraries: | $(FIRST)
	@command -v $(CC) >/dev/null || $(CC)
	@missing=; for h in jansson.h zlib.h zstd.h lzma.h; do echo "#include <$$h>" | $(CC) -E -x c - >/dev/null 2>&1 || missing+=" $$h"; done; \
	  [ -z "$$missing" ] || { echo "found no$$missing, expected the libraries of: make setup" >&2; exit 2; }
	@mkdir -p $(@D) && touch $@
endif
