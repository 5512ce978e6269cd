# SPDX-License-Identifier: Apache-2.0
"""The core file for FuseSoC: the RTL's files, which it wants by name, and the targets lint, check, sim and synth."""
import glob
import os

from gen.description import NOTE, ROOT


def files(pattern, more=""):
    return ["      - %s%s" % (os.path.relpath(p, ROOT), more) for p in sorted(glob.glob(os.path.join(ROOT, pattern)))]


def core(version):
    out = ["CAPI=2:", "# SPDX-License-Identifier: Apache-2.0", "# (%s)" % NOTE.replace("from", "from rtl, VERSION,"),
           "name: gmmu-tier:gmmu:gmmu_tier:%s" % version, 'description: "memory-tiering unit of a GPU\'s memory management unit"', "",
           "filesets:", "  rtl:", "    file_type: verilogSource", "    files:"]
    out += files("rtl/*.vh", ": {is_include_file: true}") + files("rtl/*.v") + files("rtl/*/*.v")
    out += ["  soc: # the unit beside a page-table walker and a driver, and its test", "    file_type: verilogSource", "    files:"]
    out += files("examples/soc/*.v")
    out += ["  check: # assertions to bind to the unit (docs/guide/checkers.md)", "    file_type: systemVerilogSource", "    files:"]
    out += files("rtl/check/*.svh", ": {is_include_file: true}") + files("rtl/check/*.sv")
    out += ["", "targets:",
            "  default: &default", "    filesets: [rtl]", "    toplevel: gmmu_tier", "    parameters: [GMMU_CONFIG_TINY=true]",
            "  lint:", "    <<: *default", "    description: Verilator's warnings", "    flow: lint", "    flow_options:",
            "      tool: verilator", "      verilator_options: [-Wall]",
            "  check:", "    <<: *default", "    description: the unit behind its bus with its checkers bound to it, by Verilator's warnings", "    filesets: [rtl, check]",
            "    toplevel: gmmu_tier_axil", "    flow: lint", "    flow_options:", "      tool: verilator", "      verilator_options: [-Wall, --assert]",
            "  sim:", "    <<: *default", "    description: a stream of accesses to the unit beside a walker and a driver, in Icarus",
            "    filesets: [rtl, soc]", "    toplevel: tb_soc", "    flow: sim", "    flow_options:", "      tool: icarus",
            "      iverilog_options: [-g2012]",
            "  synth:", "    <<: *default", "    description: cells of an ECP5 by Yosys, without tiers and ranges", "    flow: generic",
            "    parameters: [GMMU_CONFIG_TINY=true, T2_SLOTS=0, RANGES=0]", "    flow_options: {tool: yosys, arch: ecp5, output_format: json}", "",
            "parameters:", "  GMMU_CONFIG_TINY: {datatype: bool, paramtype: vlogdefine, description: the sizes of `tiny`; without it those of `default`}",
            "  T2_SLOTS: {datatype: int, paramtype: vlogparam, description: slots of Tier 2}",
            "  RANGES: {datatype: int, paramtype: vlogparam, description: records of range_dir}"]
    return "\n".join(out + [""])
