#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""against_wires.py REV [SIZES]: does what lies between the blocks of the unit still do what it did at the revision REV?

The blocks (config/gmmu.json) and record queues are taken out of gmmu_tier on both sides: their outputs become free inputs, the same on
both sides, and their inputs become outputs that must be equal in every cycle, as the unit's own. What is left, the walk's and the
side action's stages, credit, decision, counters and wires, is proved equal by abc, from registers that are all 0 on, with reset at
any time. scripts/against.py compares the blocks themselves. What does not matter is made equal first (SAME). FRAME_MEM 0 only.
Exit status 0: proved; 1: they differ, or undecided. Logs: build/against/wires.
"""
import argparse
import os
import re
import subprocess
import sys

import blocks

OUT = "build/against/wires"
# file, text, what stands for it in the comparison: equal wherever it matters
SAME = [
    # tvi_row means nothing in a cycle without a side action
    ("gmmu_tvi.vh", "s3_install ? install_row", "s3_kind == 3'd2 ? install_row"),
    # the frame is taken only if that was asked for
    ("fault_unit.v", "(f_take && f_taken)", "(s3_decide && !head_filled && !credit && f_taken)"),
]
TOP = """read_verilog -D GMMU_CONFIG_%(config)s -D GMMU_TVI -I%(rtl)s %(rtl)s/*.v %(rtl)s/lib/*.v
hierarchy -check -top gmmu_tier
rename -top gmmu_tier
proc
setattr -mod -set keep_hierarchy 1 %(kept)s
flatten
write_json %(out)s.json
%(renames)s
expose -evert -sep __ gmmu_tier/c:apart_*
hierarchy -top gmmu_tier
opt_clean
write_rtlil %(out)s.il
"""
BOTH = """read_rtlil %(out)s/gold.il
rename gmmu_tier gold
read_rtlil %(out)s/gate.il
rename gmmu_tier gate
miter -equiv -flatten gold gate miter
hierarchy -top miter
flatten
async2sync
dffunmap
setundef -undriven -zero
setundef -zero
memory_map
opt -full
zinit -all
techmap
dffunmap
abc -g AND -fast
opt_clean
write_aiger -zinit %(out)s/same.aig
"""


def run(args, log):
    with open(log, "w", encoding="utf-8") as out:
        if subprocess.run(args, stdout=out, stderr=subprocess.STDOUT, check=False).returncode:
            sys.exit("against_wires.py: %s failed: %s" % (args[0], log))


def yosys(script, name):
    with open("%s/%s.ys" % (OUT, name), "w", encoding="utf-8") as file:
        file.write(script)
    run(["yosys", "-q", "%s/%s.ys" % (OUT, name)], "%s/%s.log" % (OUT, name))


def side(name, rtl, config, apart):
    """One side's RTL, its blocks taken out; they are called by the last part of their instance's name."""
    kept = " ".join("$paramod$*\\\\%s $paramod\\\\%s\\\\* %s" % (b, b, b) for b in apart)
    out = "%s/%s" % (OUT, name)
    script = {"rtl": rtl, "config": config.upper(), "kept": kept, "out": out}
    yosys(TOP.split("%(renames)s", maxsplit=1)[0] % script, name)
    with open(out + ".json", encoding="utf-8") as file:
        text = file.read()
    unit = re.search(r'^    "gmmu_tier": \{.*?^    \}', text, flags=re.M | re.S).group(0)
    cells = re.findall(r'^        "([\w.\[\]]+)": \{\n\s+"hide_name": 0,\n\s+"type": "\$paramod', unit, flags=re.M)
    names = ["rename %s apart_%s" % (c, c.split(".")[-1]) for c in cells]
    yosys(TOP % dict(script, renames="\n".join(["cd gmmu_tier"] + names + ["cd .."])), name)
    return sorted(c.split(".")[-1] for c in cells)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("rev")
    parser.add_argument("sizes", nargs="?", default="tiny")
    given = parser.parse_args()
    os.chdir(blocks.ROOT)
    subprocess.check_call("rm -rf %s && mkdir -p %s/old %s/new && git archive %s rtl | tar x -C %s/old && cp -r rtl %s/new"
                          % (OUT, OUT, OUT, given.rev, OUT, OUT), shell=True)
    for name, text, instead in SAME:
        for which in ("old", "new"):
            path = "%s/%s/rtl/%s" % (OUT, which, name)
            if os.path.exists(path):
                with open(path, encoding="utf-8") as file:
                    rtl = file.read()
                with open(path, "w", encoding="utf-8") as file:
                    file.write(rtl.replace(text, instead))
    apart = [b for b in blocks.NAMES if b != blocks.UNIT] + ["fifo"]
    out = [side(name, "%s/%s/rtl" % (OUT, which), given.sizes, apart) for name, which in (("gold", "old"), ("gate", "new"))]
    if out[0] != out[1]:
        sys.exit("against_wires.py: found other blocks: %s and %s" % tuple(" ".join(o) for o in out))
    yosys(BOTH % {"out": OUT}, "both")
    run(["yosys-abc", "-c", "read_aiger %s/same.aig; print_stats; scorr; print_stats; pdr -T 300" % OUT], OUT + "/abc.log")
    with open(OUT + "/abc.log", encoding="utf-8") as file:
        log = file.read()
    print("wires between %s: %s" % (" ".join(out[0]), "equal, for all time" if "Property proved" in log else log.strip().split("\n")[-1]))
    sys.exit("Property proved" not in log)


if __name__ == "__main__":
    main()
