#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""fourstate.py [--rtl FOLDER] [--keep-going] [CASE...]: plays the unit behind its bus in a four-state simulator (Icarus), from power-up.

Each case is the unit with other sizes. tb/fourstate/steps.c writes the stimuli and each decision of the C model.
tb/fourstate/bench.v plays the stimuli, compares the decisions, and looks for x in every cycle. The output has a line a
case. Exit status 1: a case failed, with cycle and signal; the first failure ends the run, unless with --keep-going. `make
fourstate` builds all that is needed.
"""
import argparse
import glob
import os
import subprocess
import sys
import time

import tools

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
OUT = os.path.join(ROOT, "build", "fourstate")

# beside those of `tiny`: fewer bins and entries of the predictor, so that a refresh and a round of AGE are short
SIZES = {"FRAMES": 16, "BINS": 16, "TP_SETS": 4, "TP_WAYS": 2, "RANGES": 4, "LINES": 4, "T2_SLOTS": 0, "FRAME_MEM": 0, "PARITY": 1}
# name: sizes, what else the bench gets: a memory with a reset (MEMORY 1) or none, clocks that rest, or could (TEST_EN), and rings in memory
# (GMMU_RINGS)
CASES = {
    "parity": ({}, []),
    "bare": ({"PARITY": 0}, ["-DGMMU_CLK_GATE"]),
    "tiers-parity": ({"T2_SLOTS": 8}, []),
    "tiers-bare": ({"T2_SLOTS": 8, "PARITY": 0}, ["-DGMMU_CLK_GATE"]),
    "tiers-test": ({"T2_SLOTS": 8}, ["-DGMMU_CLK_GATE", "-Pbench.TEST_EN=1"]),
    "memory-reset-parity": ({"FRAME_MEM": 1}, ["-DGMMU_CLK_GATE", "-Pbench.MEMORY=1"]),
    "memory-reset-bare": ({"FRAME_MEM": 1, "PARITY": 0}, ["-Pbench.MEMORY=1"]),
    "memory-parity": ({"FRAME_MEM": 1}, ["-Pbench.MEMORY=0"]),
    "memory-bare": ({"FRAME_MEM": 1, "PARITY": 0}, ["-DGMMU_CLK_GATE", "-Pbench.MEMORY=0"]),
    "rings": ({}, ["-DGMMU_RINGS"]),
    "rings-tiers": ({"T2_SLOTS": 8}, ["-DGMMU_RINGS", "-DGMMU_CLK_GATE"]),
    "rings-memory": ({"FRAME_MEM": 1}, ["-DGMMU_RINGS", "-DGMMU_CLK_GATE", "-Pbench.MEMORY=0"]),
}


def run(name, rtl):
    """True: the case passed. Prints its line."""
    sizes, more = CASES[name]
    sizes = {**SIZES, **sizes}
    steps, program = os.path.join(OUT, name + ".steps"), os.path.join(OUT, name + ".vvp")
    with open(steps, "w", encoding="utf-8") as file:
        subprocess.run([os.path.join(OUT, "steps")] + ["%s=%d" % size for size in sizes.items()], stdout=file, check=True)
    of_rings = [os.path.join(ROOT, *path) for path in (("tb", "fourstate", "rings.v"), ("rtl", "check", "gmmu_check_axi.sv")) if "-DGMMU_RINGS" in more]
    sources = sorted(glob.glob(os.path.join(rtl, "**", "*.v"), recursive=True))
    folders = sorted({rtl} | {os.path.dirname(f) for f in glob.glob(os.path.join(rtl, "**", "*.vh"), recursive=True)})
    subprocess.run(["iverilog", "-g2012", "-DGMMU_CONFIG_TINY", "-s", "bench", "-o", program] + ["-I" + f for f in folders] +
                   ["-Pbench.%s=%d" % size for size in sizes.items()] + more + ["-I" + os.path.join(ROOT, "rtl", "check")] +
                   [os.path.join(ROOT, "tb", "fourstate", "bench.v")] + of_rings + sources,
                   check=True)
    begin = time.time()
    done = subprocess.run(["vvp", "-n", program, "+case=" + name, "+steps=" + steps], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, check=False)
    told = [line for line in done.stdout.splitlines() if "PASS " in line or "FAIL " in line]
    rules = [line for line in done.stdout.splitlines() if "GMMU rule " in line]
    good = done.returncode == 0 and len(told) == 1 and told[0].startswith("PASS ") and not rules
    line = told[0][told[0].index("PASS" if "PASS " in told[0] else "FAIL"):] if told else "FAIL %s: %s" % (name, done.stdout.strip()[-400:])
    if rules:
        line = "FAIL %s: %s" % (name, rules[0])
    print("%s  (%d s)" % (line, time.time() - begin), flush=True)
    return good


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--rtl", default=os.path.join(ROOT, "rtl"), help="the folder of the RTL, of this version or another")
    parser.add_argument("--keep-going", action="store_true", help="all cases, whatever fails")
    parser.add_argument("case", nargs="*", help=", ".join(CASES))
    args = parser.parse_args()
    tools.expect("fourstate", "iverilog", "vvp")
    names = args.case or list(CASES)
    for name in names:
        if name not in CASES:
            sys.exit("fourstate.py: found case \"%s\", expected one of %s" % (name, " ".join(CASES)))
    failed = 0
    for name in names:
        if not run(name, args.rtl):
            failed += 1
            if not args.keep_going:
                break
    sys.exit(failed != 0)


if __name__ == "__main__":
    main()
