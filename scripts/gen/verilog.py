# SPDX-License-Identifier: Apache-2.0
"""Verilog headers: default parameters, their list, stream layouts, codes."""
import re

from gen.description import NOTE, key_of


def config(src):
    out = ["// SPDX-License-Identifier: Apache-2.0",
           "// gmmu_config.vh: default parameter values of the named configuration (%s)" % NOTE,
           "`ifndef GMMU_CONFIG_VH", "`define GMMU_CONFIG_VH"]
    names = [n for n in src["configurations"] if n != "default"] + ["default"]
    for i, name in enumerate(names):
        if name == "default":
            out.append("`else")
        else:
            out.append("`%s GMMU_CONFIG_%s" % ("ifdef" if i == 0 else "elsif", name.upper()))
        for par, *_ in src["parameters"]:
            out.append("`define GMMU_%-8s %d" % (par, src["configurations"][name][par]))
    out += ["`endif", "`endif", ""]
    return "\n".join(out)


def parameters(src):
    out = ["// SPDX-License-Identifier: Apache-2.0",
           "// gmmu_parameters.vh: the unit's sizes as parameters (%s)" % NOTE,
           "// Include it in the parameter list of a module that has all of them, before others."]
    out += ["parameter %s = `GMMU_%s, // %s" % (par, par, text) for par, text, *block in src["parameters"] if not block]
    return "\n".join(out + [""])


def streams(src):
    out = ["// SPDX-License-Identifier: Apache-2.0",
           "// gmmu_streams.vh: bit layout of the streams as local parameters (%s)" % NOTE,
           "// Include it in a module that has the parameters and FRAME_W in scope; _O offset, _W width.",
           "/* verilator lint_off UNUSEDPARAM */ // a module uses only its own streams"]
    for st in src["streams"]:
        key = key_of(st).upper()
        off = "0"
        for name, width, text in st["fields"]:
            f = "%s_%s" % (key, name.upper())
            out.append("localparam %s_W = %s;" % (f, re.sub(r"log2 (\w+)", r"$clog2(\1)", width)))
            out.append("localparam %s_O = %s; // %s" % (f, off, text))
            off = "%s_O + %s_W" % (f, f)
        out.append("localparam %s_TW = %s; // bits of a beat of %s" % (key, off, st["name"]))
    out += ["/* verilator lint_on UNUSEDPARAM */", ""]
    return "\n".join(out)


def codes(src):
    out = ["// SPDX-License-Identifier: Apache-2.0",
           "// gmmu_codes.vh: names of codes as local parameters (%s)" % NOTE,
           "// Include it in a module.",
           "/* verilator lint_off UNUSEDPARAM */ // a module uses only its own codes"]
    for group in src["codes"]:
        out.append("// %s" % group["of"].replace("`", ""))
        for number, name, text in group["codes"]:
            out.append("localparam [%d:0] %s_%s = %d'd%d; // %s"
                       % (group["width"] - 1, group["group"], name, group["width"], number, text))
    out += ["/* verilator lint_on UNUSEDPARAM */", ""]
    return "\n".join(out)
