#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""blas_bench.py [--runs N] [--no-doc]: measures the cost of libgmmu_blas.so for a call of DGEMM.

The figure is the CPU time of a call: the least of N alternating runs of each variant (other work on the machine disturbs
the least less than a mean). The table is printed, and put into docs/guide/blas.md.
"""
import argparse
import os
import subprocess
import sys

import tools

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BLAS, OUT, DOC = "build/libgmmu_blas.so", "build/bench", "docs/guide/blas.md"
FILES = {"GMMU_TRACE": "/dev/null", "GMMU_REPORT": "/dev/null"}
# what, size, calls of a run, settings, wanted
ROWS = [("`calls`, trace and report", 512, 6, {"GMMU_TRACK": "calls", **FILES}, "1 %"),
        ("`writes`, trace and report", 512, 6, {"GMMU_TRACK": "writes", **FILES}, "3 %"),
        ("below `GMMU_MIN`", 4, 3, {"GMMU_TRACK": "calls", "GMMU_MIN": "100", **FILES}, "200 ns"),
        ("`calls`, trace", 4, 3, {"GMMU_TRACK": "calls", "GMMU_TRACE": "/dev/null"}, ""),
        ("`calls`, trace and report", 4, 3, {"GMMU_TRACK": "calls", **FILES}, "")]
BEGIN, END = "<!-- scripts/blas_bench.py -->\n", "<!-- end -->"


def ns(size, calls, settings):
    env = {k: v for k, v in os.environ.items() if not k.startswith("GMMU_")}
    if settings:
        env.update(settings, LD_PRELOAD=os.path.join(ROOT, BLAS))
    done = subprocess.run([OUT + "/blas_program", "time", str(size), str(calls)], env=env, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit("blas_bench: %s failed: %s" % (OUT + "/blas_program", done.stderr.strip()[-300:]))
    return None if "nothing is recorded" in done.stderr else float(done.stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--runs", type=int, default=30)
    parser.add_argument("--no-doc", action="store_true", help="leave docs/guide/blas.md as it is")
    args = parser.parse_args()
    tools.expect("blas_bench", "gcc")
    os.chdir(ROOT)
    os.makedirs(OUT, exist_ok=True)
    subprocess.run(["gcc", "-std=gnu17", "-O1", "-w", "tb/blas/program.c", "-o", OUT + "/blas_program", "-l:libblas.so.3",
                    "-l:liblapack.so.3", "-lpthread"], check=True)
    table = ["| DGEMM | recorded as | without, µs | with, µs | more | wanted |", "|---|---|---|---|---|---|"]
    for what, size, calls, settings, wanted in ROWS:
        without, with_it = [], []
        for _ in range(args.runs):
            without.append(ns(size, calls, {}))
            with_it.append(ns(size, calls, settings))
            if with_it[-1] is None:
                break
        if with_it[-1] is None:  # not a setting of this library
            continue
        a, b = min(without), min(with_it)
        more = "%.2f %%" % (100 * (b - a) / a) if size > 100 else "%.0f ns" % (b - a)
        table.append("| %d³ | %s | %.*f | %.*f | %s | %s |" % (size, what, 1 if size > 100 else 3, a / 1000, 1 if size > 100 else 3, b / 1000, more,
                                                             wanted or "-"))
        print(table[-1], flush=True)
    if args.no_doc:
        return
    with open(DOC, encoding="utf-8") as file:
        text = file.read()
    begin = text.index(BEGIN) + len(BEGIN)
    end = text.index(END, begin)
    with open(DOC, "w", encoding="utf-8") as file:
        file.write(text[:begin] + "\n".join(table) + "\n" + text[end:])


main()
