# SPDX-License-Identifier: Apache-2.0
# model.mk: beside Verilator's own makefile of a model: its sources in two files, what runs in each cycle and the rest;
# Verilator's part of a model with waves.
fast.cpp: $(addsuffix .cpp,$(VM_FAST))
	$(VERILATOR_INCLUDER) -DVL_INCLUDE_OPT=include $^ > $@
slow.cpp: $(addsuffix .cpp,$(VM_SLOW))
	$(VERILATOR_INCLUDER) -DVL_INCLUDE_OPT=include $^ > $@
libverilated.a: $(VK_GLOBAL_OBJS)
	$(AR) rcs $@ $^
