# SPDX-License-Identifier: Apache-2.0
"""C headers: configurations, registers, stream layouts; codes; for the benches, lists of names."""
import re

from gen.description import NOTE, key_of, width_in, with_derived

INDEX_BITS = """// Bits of an index into N things; at least 1.
static inline unsigned gmmu_index_bits(unsigned n) {
    unsigned w = 0;
    for (unsigned step = 16, rest = n > 1 ? n - 1 : 1; step > 0; step /= 2)
        if (rest >> step != 0) {
            rest >>= step;
            w += step;
        }
    return w + 1;
}

// log2 of N, a power of two.
static inline unsigned gmmu_log2(unsigned n) {
    return n > 1 ? gmmu_index_bits(n) : 0;
}
"""


def opening(name, of):
    guard = "GMMU_%s_H" % name.upper()
    return ["// SPDX-License-Identifier: Apache-2.0", "// %s.h: %s" % (name, of), "// (%s)." % NOTE,
            "// clang-format off", "#ifndef " + guard, "#define " + guard, ""]


def sizes(src):
    pars = src["parameters"]
    out = ["// Sizes of a unit, as the parameters of rtl/gmmu_tier.v.",
           "typedef struct {\n    const char *name;"]
    out += ["    unsigned %s; // %s" % (par.lower(), text) for par, text, *_ in pars]
    out.append("} gmmu_config;\n")
    out += ["// The named configurations, ended by one whose name is NULL.",
            "static const gmmu_config gmmu_configs[] = {"]
    for name, c in src["configurations"].items():
        vals = ", ".join(".%s = %d" % (p.lower(), c[p]) for p, *_ in pars)
        out.append('    {.name = "%s", %s},' % (name, vals))
    zero = ", ".join(".%s = 0" % p.lower() for p, *_ in pars)
    out.append("    {.name = 0, %s}};\n" % zero)
    return out


def registers(src):
    out = ["// Run-time registers (docs/reference/registers.md).", "typedef struct {"]
    most = max((with_derived(src, c) for c in src["configurations"]), key=lambda c: c["VPN_W"])
    out += ["    uint%d_t %s; // %s" % (64 if width_in(width, most) > 32 else 32, name[4:], text) for name, width, _, text in src["registers"]]
    out += ["} gmmu_regs;\n", "// Reset values for configuration C.",
            "static inline gmmu_regs gmmu_regs_default(const gmmu_config *c) {"]
    vals = []
    for name, _, reset, _ in src["registers"]:
        vals.append("." + name[4:] + " = " + (reset if reset.isdigit() else "c->" + reset.lower()))
    out.append("    gmmu_regs r = {%s};\n    return r;\n}\n" % ", ".join(vals))
    return out


def counters(src):
    out = ["// The counters: X of the name of each, of stat_NAME (docs/reference/registers.md).", "#define GMMU_COUNTERS(X) \\"]
    out += ["    X(%s) \\" % name[5:] for name, _ in src["counters"]]
    out[-1] = out[-1][:-2]
    out += ["typedef struct {"] + ["    uint32_t %s; // %s" % (name[5:], text) for name, text in src["counters"]]
    out += ["} gmmu_counters;\n"]
    return out


def streams(src):
    out = ["// A field's place in a stream's beat, in bits from bit 0.\n"
           "typedef struct {\n    unsigned offset, width;\n} gmmu_field;\n"]
    derived = {d[0]: "gmmu_index_bits(c->%s)" % d[1].lower() for d in src["derived"]}

    def width(expr):
        expr = re.sub(r"log2 ([A-Z]\w*)", lambda m: "gmmu_log2(c->%s)" % m.group(1).lower(), expr)
        return re.sub(r"\b[A-Z]\w*", lambda m: derived.get(m.group(0), "c->" + m.group(0).lower()), expr)
    for st in src["streams"]:
        key = key_of(st)
        out.append("// %s: %s." % (st["name"], st["of"]))
        out.append("typedef struct {\n    gmmu_field %s;\n    unsigned bits; // of a beat\n} gmmu_%s_layout;"
                   % (", ".join(f[0] for f in st["fields"]), key))
        sized = re.search(r"[A-Z]", " ".join(f[1] for f in st["fields"]))
        out.append("// Returns the places of the fields%s, side by side from bit 0 on." % (" in configuration C" if sized else ""))
        out.append("static inline gmmu_%s_layout gmmu_%s_layout_of(%s) {" % (key, key, "const gmmu_config *c" if sized else "void"))
        out.append("    gmmu_%s_layout l;\n    unsigned o = 0;" % key)
        for name, w, _ in st["fields"]:
            out.append("    l.%s.offset = o;\n    l.%s.width = %s;\n    o += l.%s.width;"
                       % (name, name, width(w), name))
        out.append("    l.bits = o;\n    return l;\n}\n")
    return out


def config(src):
    out = opening("config", "named configurations, stream layouts, register defaults")
    out += ["#include <stdint.h>", "", "#ifdef __cplusplus", 'extern "C" {', "#endif", ""]
    out += sizes(src) + registers(src) + counters(src) + [INDEX_BITS] + streams(src)
    out += ["#ifdef __cplusplus", "}", "#endif", "#endif", ""]
    return "\n".join(out)


def codes(src):
    out = opening("codes", "names of codes, of the unit's ports and of outcomes")
    for group in src["codes"]:
        prefix = group.get("c", group["group"] + "_")
        out += ["// %s" % group["of"].replace("`", ""), "enum {"]
        out += ["    GMMU_%s%s = %d, // %s" % (prefix, name, number, text)
                for number, name, text in group["codes"]]
        out += ["};", ""]
    return "\n".join(out + ["#endif", ""])


def names(src):
    out = opening("names", "the sizes and registers by name, for the benches")
    out += ["// X of the name of each size, and of its member of gmmu_config.", "#define GMMU_SIZE_NAMES(X) \\"]
    out += ["    X(%s, %s) \\" % (par, par.lower()) for par, *_ in src["parameters"]]
    out[-1] = out[-1][:-2]
    out += ["", "// X of the name of each register, as in gmmu_regs; cfg_NAME is its port.", "#define GMMU_REGISTERS(X) \\"]
    out += ["    X(%s) \\" % name[4:] for name, *_ in src["registers"]]
    out[-1] = out[-1][:-2]
    out += ["", "// X of each that may change at any time, and the cycles from then to the first in which an action is by it.",
            "#define GMMU_IN_FORCE(X) \\"]
    out += ["    X(%s, %d) \\" % (name[4:], after) for name, after in src["in_force"].items() if isinstance(after, int)]
    out[-1] = out[-1][:-2]
    return "\n".join(out + ["", "#endif", ""])
