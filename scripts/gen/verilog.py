# SPDX-License-Identifier: Apache-2.0
"""Verilog headers: default parameters, their list, layouts of streams and of words inside the unit, codes."""
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


def layout(key, fields, head):
    """A header that adds a layout to a module's parameter list: KEY_FIELD_O of each of FIELDS, KEY_BITS of all."""
    out = ["// SPDX-License-Identifier: Apache-2.0"] + ["// " + line for line in head] + [
        "// Include it at the end of the parameter list of a module that has these sizes; _O: offset of a field. Not to be set.",
        "/* verilator lint_off UNUSEDPARAM */ // a module uses some fields"]
    at = "0"
    for name, width, text in fields:
        offset = "%s_%s_O" % (key, name.upper())
        out.append(", parameter %s = %s // %s" % (offset, at, text))
        at = "%s + %s" % (offset, width)
    return "\n".join(out + [", parameter %s_BITS = %s" % (key, at), "/* verilator lint_on UNUSEDPARAM */", ""])


def layouts(src):
    """{path: text}: a header for each bundle, and for each stream that goes through the unit as a word."""
    made = {}
    for bundle in src["bundles"]:
        path = "rtl/gmmu_%s.vh" % bundle["name"]
        what = bundle["of"] + (" (driven by %s)" % bundle["from"] if "from" in bundle else "")
        made[path] = layout(bundle["key"], bundle["fields"], ["gmmu_%s.vh: %s (%s)" % (bundle["name"], what, NOTE)])
    for stream in src["streams"]:
        key = key_of(stream)
        if key in ("walk", "drv", "decision"):
            head = "gmmu_beat_%s.vh: a beat of %s, %s (%s)" % (key, stream["name"], stream["of"], NOTE)
            made["rtl/gmmu_beat_%s.vh" % key] = layout(key.upper(), stream["fields"], [head])
    return made


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
