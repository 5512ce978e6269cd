# SPDX-License-Identifier: Apache-2.0
"""descriptions/gmmu_registers.rdl and gmmu_rings.rdl: the registers behind the bus in SystemRDL 2.0, with the sizes as parameters."""
import textwrap

from gen import register_map, ring
from gen.description import NOTE

ACCESS = {"r": "sw = r;", "rw": "sw = rw;", "w1c": "sw = rw; onwrite = woclr;", "w": "sw = w; singlepulse;"}
# fields of the rings' words whose access is not that of their word, and those that the unit changes, too
RINGS_OWN = {"COUNTER_WIDTH": "sw = r; hw = w;", "ERROR": "sw = r; hw = w;", "RESET": "sw = w; singlepulse; hw = r; donttest;",
             "LAST": "sw = r; hw = w;"}
RINGS_BOTH = ("ENABLE", "HEAD", "TAIL", "GO", "WINDOW")
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


def ring_word(name, access, what, fields, indent, width=32):
    """Lines of a word of the rings; what has no fields is one."""
    out = [indent + "reg {"] + ([indent + "    desc = %s;" % quoted(what)] if what else [])
    for field_name, low, bits, text in fields or [(name, 6 if name == "BASE" else 0, width - 6 if name == "BASE" else width, "")]:
        hw = "rw" if field_name in RINGS_BOTH else "w" if access != "rw" else "r"
        more = RINGS_OWN.get(field_name, "%s hw = %s;" % (ACCESS[access], hw))
        about = " desc = %s;" % quoted(text) if text else ""
        out.append(indent + "    field { %s%s } %s[%d:%d]%s;" % (more, about, field_name, low + bits - 1, low, " = 0" if hw == "r" and access == "rw" else ""))
    return out


def rings(src):
    """The page of the rings: a word for each of the one list, a regfile for each channel."""
    of = ring.checked(src)
    out = ["// SPDX-License-Identifier: Apache-2.0",
           "// gmmu_rings.rdl: the registers of the rings of gmmu_tier_ring, at 0x%x, in SystemRDL 2.0" % of["behind"],
           "// (%s)" % NOTE, "// Without ranges (-P RANGES=0) the channels XFER and RANGE are absent.",
           "regfile gmmu_ring_channel {", "    default regwidth = 32;", "    default accesswidth = 32;"]
    for name, at, access, what, fields in of["words"]:
        words = "[16]" if name == "WINDOW" else ""
        out += ring_word(name, access, what, fields, "    ") + ["    } %s%s @ 0x%02x%s;" % (name, words, at, " += 4" if words else "")]
    out += ["};", "", "addrmap gmmu_rings #(", "    longint unsigned RANGES = 1", ") {", "    name = \"rings\";",
            "    desc = \"registers of the rings in memory of the memory-tiering unit\";", "    default regwidth = 32;", "    default accesswidth = 32;",
            "    littleendian;", "    lsb0;"]
    for i, (name, way, what) in enumerate(of["channels"]):
        out += ["    gmmu_ring_channel %s @ 0x%03x;" % (name, of["first"] + of["length"] * i),
                "    %s->desc = %s;" % (name, quoted("%s: %s" % (way, what.replace("`", ""))))]
        out += ["    %s->ispresent = RANGES != 0;" % name] if "RANGES 0" in what else []
    for name, at, access, what, fields in of["page"]:
        out += ring_word(name, access, what, fields, "    ", len(of["channels"])) + ["    } %s @ 0x%03x;" % (name, at)]
    return "\n".join(out + ["};", ""])
