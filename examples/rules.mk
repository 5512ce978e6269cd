# SPDX-License-Identifier: Apache-2.0
# What others build on, from an installed tree.
#
#:
#: Examples
#:   make examples [EXAMPLE="model plugin faultpath ring soc systemc"]
#:                      from an installed tree: C model, a policy as a plugin, a simulator's fault path, a driver in software,
#:                      RTL beside a walker (Icarus, cocotb), SystemC, FuseSoC (make setup-examples; the six above need Debian's packages alone)

.PHONY: examples examples-tools setup-examples
# a name that is none, or a tool that is missing, is told before minutes of compiling
examples-tools: | $(filter setup-examples,$(MAKECMDGOALS))
	@scripts/examples.sh --names-and-tools $(EXAMPLE)
examples: $(B)/gmmu $(B)/$(SO) $(B)/libgmmu_blas.so $(B)/c/libgmmu.a
	@scripts/examples.sh $(EXAMPLE)
FIRST += $(if $(filter examples,$(MAKECMDGOALS)),examples-tools)
setup-examples:
	@scripts/setup.sh iverilog:iverilog yosys:yosys verilator:verilator pkg-config:pkg-config libsystemc-dev:/usr/include/systemc \
	  python3-venv:/usr/share/doc/python3-venv
	@scripts/venv.sh $(B)/examples-venv examples/requirements.txt
