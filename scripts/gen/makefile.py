# SPDX-License-Identifier: Apache-2.0
"""The Makefile's lists: blocks, and the sizes of their benches."""
from gen.description import NOTE


def blocks(src):
    small = [b for b in src["blocks"] if not b.get("unit")]
    unit = [b for b in src["blocks"] if b.get("unit")]
    out = ["# SPDX-License-Identifier: Apache-2.0", "# blocks.mk: the blocks (%s)" % NOTE,
           "BLOCKS := " + " ".join(b["name"] for b in small), "UNIT := " + " ".join(b["name"] for b in unit)]
    for b in src["blocks"]:
        for key in ("sets", "more_sets"):
            if b.get(key):
                out.append("%s_%s := %s" % (b["name"], key.upper(), " ".join(b[key])))
    return "\n".join(out + [""])
