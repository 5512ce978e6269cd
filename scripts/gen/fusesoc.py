# SPDX-License-Identifier: Apache-2.0
"""The core file for FuseSoC: the RTL's files, which it wants by name, the sizes as parameters, and targets of all tops and configurations."""
import glob
import os

from gen.description import NOTE, ROOT

# the four tops: name in a target, module, parameters of its own with what they are
TOPS = (("unit", "gmmu_tier", ()), ("axil", "gmmu_tier_axil", ()),
        ("ring", "gmmu_tier_ring", (("RING_ADDR_W", "bits of an address in memory"), ("RING_DATA_W", "bits of the data of m_axi_"),
                                    ("RING_WRITES", "entries on their way to memory"), ("RING_OPS", "operations that are fetched ahead"))),
        ("uart", "gmmu_tier_uart", (("CLK_HZ", "clock rate, in Hz"), ("DIV", "clock cycles a bit on the serial line"),
                                    ("BYTES", "bytes of a packet"), ("PATIENCE_W", "log2 of the cycles after which an operation is aborted"))))


def files(pattern, more=""):
    return ["      - %s%s" % (os.path.relpath(p, ROOT), more) for p in sorted(glob.glob(os.path.join(ROOT, pattern)))]


def sizes(src):
    """The parameters that every top has, with what they are."""
    return [(p[0], p[1]) for p in src["parameters"] if len(p) == 2]


def macro(config):
    return "GMMU_CONFIG_" + config.upper()


def kinds(src):
    """(name of top, module, its parameters, configuration): without the unit's memory port there is no serial top."""
    return [(top, module, [name for name, _ in own], config) for top, module, own in TOPS for config, values in src["configurations"].items()
            if top != "uart" or not values["FRAME_MEM"]]


def target(name, description, module, given, flow):
    return ["  %s:" % name, "    description: %s" % description, "    filesets: [rtl]", "    toplevel: %s" % module,
            "    parameters: [%s]" % ", ".join(given)] + flow


def lint():
    return ["    flow: lint", "    flow_options: {tool: verilator, verilator_options: [-Wall]}"]


def synth():
    return ["    flow: generic", "    flow_options: {tool: yosys, arch: ecp5, output_format: json}"]


def core(version, src):
    names = [name for name, _ in sizes(src)]
    out = ["CAPI=2:", "# SPDX-License-Identifier: Apache-2.0", "# (%s)" % NOTE.replace("from", "from rtl, VERSION,"),
           "name: gmmu-tier:gmmu:gmmu_tier:%s" % version, 'description: "memory-tiering unit of a GPU\'s memory management unit"', "",
           "filesets:", "  rtl:", "    file_type: verilogSource", "    files:"]
    out += files("rtl/*.vh", ": {is_include_file: true}") + files("rtl/*.v") + files("rtl/*/*.v")
    out += ["  descriptions: # for tools that take SystemRDL or IP-XACT (docs/guide/descriptions.md)", "    file_type: user", "    files:"]
    out += files("descriptions/*.rdl") + files("descriptions/*.xml") + files("descriptions/interface/*.xml")
    out += ["  soc: # the unit beside a page-table walker and a driver, and its test", "    file_type: verilogSource", "    files:"]
    out += files("examples/soc/*.v")
    out += ["  check: # assertions to bind to the unit (docs/guide/checkers.md)", "    file_type: systemVerilogSource", "    files:"]
    out += files("rtl/check/*.svh", ": {is_include_file: true}") + files("rtl/check/*.sv")
    out += ["", "targets:",
            "  default: # what a core that depends on this one gets", "    filesets: [rtl, descriptions]", "    toplevel: gmmu_tier",
            "    parameters: [GMMU_CONFIG_TINY, GMMU_CONFIG_ONCHIP, GMMU_CONFIG_LARGE, %s]" %
            ", ".join(names)]
    out += target("lint", "Verilator's warnings, of gmmu_tier at `tiny`", "gmmu_tier", ["GMMU_CONFIG_TINY=true"] + names, lint())
    out += ["  sim:", "    description: a stream of accesses to the unit beside a walker and a driver, in Icarus",
            "    filesets: [rtl, soc]", "    toplevel: tb_soc", "    parameters: [GMMU_CONFIG_TINY=true]", "    flow: sim",
            "    flow_options: {tool: icarus, iverilog_options: [-g2012]}"]
    out += target("synth", "cells of an ECP5 by Yosys, at `tiny` without tiers and ranges", "gmmu_tier",
                  ["GMMU_CONFIG_TINY=true", "T2_SLOTS=0", "RANGES=0"] + [n for n in names if n not in ("T2_SLOTS", "RANGES")], synth())
    out += ["  check:", "    description: the unit behind its bus with its checkers bound to it, by Verilator's warnings", "    filesets: [rtl, check]",
            "    toplevel: gmmu_tier_axil", "    parameters: [%s]" % ", ".join(["GMMU_CONFIG_TINY=true"] + names), "    flow: lint",
            "    flow_options: {tool: verilator, verilator_options: [-Wall, --assert]}"]
    for tool, text, flow in (("lint", "Verilator's warnings", lint()), ("synth", "cells of an ECP5 by Yosys", synth())):
        for top, module, own, config in kinds(src):
            given = [macro(config) + "=true"] + own + names
            out += target("%s_%s_%s" % (tool, top, config), "%s, of %s at `%s`" % (text, module, config), module, given, flow)
    out += ["", "parameters:"]
    out += ["  %s: {datatype: bool, paramtype: vlogdefine, description: the sizes of `%s`}" % (macro(config), config) for config in src["configurations"]]
    for name, what in sizes(src) + [p for _, _, own in TOPS for p in own]:
        out.append('  %s: {datatype: int, paramtype: vlogparam, description: "%s"}' % (name, what))
    return "\n".join(out + [""])
