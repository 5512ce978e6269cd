# SPDX-License-Identifier: Apache-2.0
"""descriptions/gmmu_registers.rdl: the registers behind the bus in SystemRDL 2.0, with the sizes as parameters."""
import textwrap

from gen import register_map
from gen.description import NOTE

ACCESS = {"r": "sw = r;", "rw": "sw = rw;", "w1c": "sw = rw; onwrite = woclr;", "w": "sw = w; singlepulse;"}
MOST = 31  # bits of the index of the largest size


def quoted(text):
    return '"%s"' % text.replace("\\", "\\\\").replace('"', '\\"')


def index_bits(of):
    """The bits of an index into OF things; SystemRDL has no logarithm."""
    return " : ".join("%s > %d ? %d" % (of, 1 << bits - 1, bits) for bits in range(MOST, 1, -1)) + " : 1"


def macros(src):
    """The named configurations, chosen as in the RTL."""
    out = []
    names = sorted(src["configurations"], key=lambda name: name == "default")
    for i, name in enumerate(names):
        out.append("`else" if name == "default" else "`%sif%s GMMU_CONFIG_%s" % ("els" if i else "", "" if i else "def", name.upper()))
        out += ["`define GMMU_%s %d" % (par, src["configurations"][name][par]) for par, text, *only in src["parameters"] if not only]
    return out + ["`endif"]


def enums(src):
    out = []
    groups = {g["group"]: g for g in src["codes"]}
    for group in dict.fromkeys(register_map.NAMED.values()):
        out.append("enum %s_e {" % group.lower())
        out += ["    %s = %d'd%d { desc = %s; };" % (code if code[0].isalpha() else "%s_%s" % (group, code), groups[group]["width"], number, quoted(text))
                for number, code, text in groups[group]["codes"]]
        out += ["};", ""]
    return out


def field(f):
    more = ACCESS[f.access] + (" hw = w;" if f.of_unit else " hw = na;" if f.access == "r" else " hw = r;")
    if f.side_effect:
        more += " donttest;"
    if f.codes:
        more += " encode = %s_e;" % f.codes.lower()
    top = str(int(f.lsb) + int(f.width) - 1) if f.lsb.isdigit() and f.width.isdigit() else "%s + %s - 1" % (f.lsb, f.width)
    where = "[%s:%s]" % (top, f.lsb)
    about = ["            desc = %s;" % quoted(f.text)] if f.text else []
    return ["        field {", "            " + more] + about + ["        } %s%s%s;" % (f.name, where, "" if f.reset is None else " = %s" % f.reset)]


def entry(e):
    out = ["    reg {", "        desc = %s;" % quoted(e.text)]
    if e.words == 2:
        out.append("        regwidth = 64; accesswidth = 32;")
    if e.path:
        out.append("        hdl_path = %s;" % quoted(e.path))
    return out + [line for f in e.fields for line in field(f)] + ["    } %s @ 0x%03x;" % (e.name, e.address)]


def registers(src, version):
    out = ["// SPDX-License-Identifier: Apache-2.0", "// gmmu_registers.rdl: the registers of gmmu_tier_axil, in SystemRDL 2.0", "// (%s)" % NOTE,
           "// Sizes are those of `default`, or of -D GMMU_CONFIG_TINY, GMMU_CONFIG_ONCHIP, GMMU_CONFIG_LARGE; each is a parameter: -P FRAMES=300."]
    out += macros(src) + [""] + enums(src) + ["addrmap gmmu_registers #("]
    pars = ["    longint unsigned %s = `GMMU_%s" % (par, par) for par, _, *only in src["parameters"] if not only]
    used = " ".join(f.width for e in register_map.entries(src, version) for f in e.fields)
    pars += [textwrap.fill("longint unsigned %s = %s" % (par, index_bits(of)), 120, initial_indent="    ", subsequent_indent="        ")
             for par, of, _ in src["derived"] if par in used]
    out += [",\n".join(pars), ") {", "    name = \"gmmu_tier_axil\";", "    desc = \"registers of the memory-tiering unit behind AXI4-Lite\";",
            "    default regwidth = 32;", "    default accesswidth = 32;", "    littleendian;", "    lsb0;"]
    for e in register_map.entries(src, version):
        out += entry(e)
    return "\n".join(out + ["};", ""])
