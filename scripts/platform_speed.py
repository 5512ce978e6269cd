#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""platform_speed.py [--runs N] [--program build/platform]: measures the walks a second of the loosely timed platform.

Each recorded trace of more than 50000 walks runs by `scan` and by `sample`: the best of N runs, in processor time, the
slowest first (docs/guide/platform.md, Speed).
"""
import argparse
import glob
import json
import os
import re
import subprocess
import sys

TRACES = ["sim/traces/*.walk", "sim/traces/*.gwt", "sim/traces/large/*.gwt"]
SEARCHES = ("scan", "sample")
LEAST, WANTED = 50000, 2.0


def run(program, trace, search):
    """(its results, M walks a second)"""
    done = subprocess.run([program, trace, "--format", "json", "--search", search], capture_output=True, text=True)
    if done.returncode != 0:
        print("platform_speed: " + done.stderr.strip(), file=sys.stderr)
        sys.exit(2)
    return json.loads(done.stdout), float(re.search(r"([0-9.]+) M walks/s", done.stderr)[1])


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--program", default="build/platform")
    o = parser.parse_args()
    os.chdir(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    rows = []
    for trace in sorted(path for pattern in TRACES for path in glob.glob(pattern)):
        found, speed = run(o.program, trace, SEARCHES[0])
        if found["walks"] <= LEAST:
            continue
        best = [max(run(o.program, trace, search)[1] for _ in range(o.runs)) for search in SEARCHES]
        rows.append((max(best[0], speed), best[1], trace, found))
    print("%-34s %9s %7s %7s %7s %7s" % (("trace", "walks", "frames", "faults") + SEARCHES))
    for scan, sample, trace, found in sorted(rows, key=lambda row: row[:3]):
        print("%-34s %9d %7d %6.1f%% %7.2f %7.2f" % (trace, found["walks"], found["frames"], 100 * found["faults"] / found["walks"], scan, sample))
    for i, search in enumerate(SEARCHES):
        print("%s: %d of %d traces at %.0f M walks/s or more" % (search, sum(row[i] >= WANTED for row in rows), len(rows), WANTED))


if __name__ == "__main__":
    main()
