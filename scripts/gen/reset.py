# SPDX-License-Identifier: Apache-2.0
"""How long the reset sequence is: one description, for the bench that asserts the length and for docs/reference/blocks/gmmu_tier.md."""
import re

from gen.c_header import opening
from gen.description import width_in, with_derived


def length(src, config):
    """Cycles of the reset sequence of CONFIG, with the frame table on the chip."""
    env = with_derived(src, config)
    reset = src["reset_sequence"]
    return max(width_in(cycles, env) if env[only] else 0 for _, cycles, only in reset["clears"]) + reset["after"]


def reset_cycles(src):
    names = [name for name in src["configurations"] if not src["configurations"][name]["FRAME_MEM"]]
    out = ["| cleared | cycles | " + " | ".join(names) + " |", "|---|---|" + "---|" * len(names)]
    for text, cycles, only in src["reset_sequence"]["clears"]:
        env = [with_derived(src, name) for name in names]
        shown = cycles.replace(" // ", " / ").replace(" * ", " · ")
        out.append("| %s | %s | " % (text, shown) + " | ".join(str(width_in(cycles, e) if e[only] else 0) for e in env) + " |")
    out.append("| **the sequence**: all tables at once, so the longest time, and %d cycles | | " % src["reset_sequence"]["after"] +
               " | ".join("**%d**" % length(src, name) for name in names) + " |")
    return out


def c_header(src):
    out = opening("reset", "how long the unit's reset sequence is (docs/reference/blocks/gmmu_tier.md)")
    out += ["#include \"gmmu/config.h\"\n", "#ifdef __cplusplus\nextern \"C\" {\n#endif\n",
            "// Cycles from the end of `rst` until walks are taken, with the frame table on the chip.",
            "static inline unsigned gmmu_reset_cycles(const gmmu_config *c) {", "    unsigned most = 0;"]
    for text, cycles, only in src["reset_sequence"]["clears"]:
        term = re.sub(r"[A-Z]\w*", lambda m: "c->" + m.group(0).lower(), cycles).replace(" // ", " / ").replace("pow2(", "1u << gmmu_log2(")
        out += ["    // %s" % text, "    if (c->%s != 0 && most < %s)" % (only.lower(), term), "        most = %s;" % term]
    return "\n".join(out + ["    return most + %d;" % src["reset_sequence"]["after"], "}\n", "#ifdef __cplusplus\n}\n#endif", "#endif\n"])
