# SPDX-License-Identifier: Apache-2.0
"""Limits of the sizes: rtl/gmmu_limits.vh, cmodel/blocks/limits.h, the table in docs/reference/formats.md, from one list in config/gmmu.json."""
import re

from gen import csr
from gen.description import NOTE, width_in

# most that other limits leave to a register's width
MOST = {"FRAME_W": 26, "T2_W": 24, "TIME_W": 32, "ASID_W": 32, "VPN_W": 64}
# what an expression may name beside the sizes: in C
DERIVED = {"FRAME_W": "gmmu_index_bits(c->frames)", "AGE_W": "gmmu_config_age_w(c)", "SAMP_W": "gmmu_index_bits(c->sampler)"}


def module(rule):
    """The rule as a name in Verilog: "FAULTS must be 1..2^20" is FAULTS_must_be_1_to_2_to_the_20."""
    name = re.sub(r"2\^\(?(\w+)(?:-(\d+)\))?", lambda m: "2_to_the_" + m.group(1) + ("_minus_" + m.group(2) if m.group(2) else ""), rule)
    return re.sub(r"\W+", "_", name.replace("..", "_to_").replace("+", "plus"))


def calls(expression, pow2, log2):
    """EXPRESSION with the calls of pow2 and log2 as these two, functions of the argument, write them."""
    return re.sub(r"\b(pow2|log2)\(([^()]*)\)", lambda m: (pow2 if m.group(1) == "pow2" else log2)(m.group(2)), expression)


def verilog(src):
    out = ["// SPDX-License-Identifier: Apache-2.0", "// gmmu_limits.vh: limits of the unit's sizes (%s)" % NOTE,
           "// Include it in a module that has gmmu_parameters.vh and gmmu_derived.vh. An unknown module stops every tool at elaboration, with its name",
           "// as the reason.", "generate"]
    for i, (rule, good) in enumerate(src["limits"]):
        good = calls(good, lambda x: "(({0}) > 0 && (({0}) & (({0}) - 1)) == 0)".format(x), "$clog2({0})".format)
        out += ["    if (!(%s)) begin : g_limit_%d" % (good, i), "        %s stop_here();" % module(rule), "    end"]
    return "\n".join(out + ["endgenerate", ""])


def c_header(src):
    out = ["// SPDX-License-Identifier: Apache-2.0", "// limits.h: limits of the unit's sizes", "// (%s)." % NOTE, "// clang-format off",
           "#ifndef GMMU_BLOCKS_LIMITS_H", "#define GMMU_BLOCKS_LIMITS_H", "",
           "// X of each limit: the rule, whether configuration C keeps it; in their order, as some ask what those before them keep.",
           "#define GMMU_LIMITS(X) \\"]
    for rule, good in src["limits"]:
        good = calls(good, "power_of_two({0})".format, "gmmu_log2({0})".format)
        good = re.sub(r"\b[A-Z]\w*", lambda m: DERIVED.get(m.group(0), "c->" + m.group(0).lower()), good)
        good = re.sub(r"c->(\w+) >= 0 && ", "", good)  # (sizes are unsigned)
        out.append('    X("%s", %s) \\' % (rule, good))
    out[-1] = out[-1][:-2]
    return "\n".join(out + ["", "#endif", ""])


def table(src):
    out = ["| limit | unknown module that stops the elaboration |", "|---|---|"]
    out += ["| %s | `%s` |" % (re.sub(r"\b([A-Z][A-Z0-9]*_?\w*)", r"`\1`", rule), module(rule)) for rule, _ in src["limits"]]
    for reg in csr.registers(src):
        if not reg.width.isdigit() and width_in(reg.width, MOST) > csr.most(reg):
            out.append("| behind the bus `%s`, of %s bits, must have at most %d | `%s` |" % (reg.name, reg.width, csr.most(reg), csr.too_wide(reg)))
    return out
