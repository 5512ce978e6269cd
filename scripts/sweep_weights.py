#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""sweep_weights.py [TRACE...]: what a walk costs each policy, for the table of cmodel/cli/sweep_cost.c.

Replays each trace (by default the three below) by each policy with memory for half of the distinct pages, one thread, and takes the user
time of the process, less that of `gmmu trace digest`. Prints the nanoseconds a walk, their mean over the traces and of each trace.
"""
import csv
import io
import os
import resource
import subprocess
import sys

GMMU = os.environ.get("GMMU_BIN", "build/gmmu")
TRACES = ("sim/traces/bicg.gwt", "sim/traces/sssp.gwt", "sim/traces/large/bfs.gwt")
SPECIAL = ("leu:search=sample", "leu:search=sample:duel=1", "leu2", "leu:search=clock")
TIERS = ("gmt-", "tier", "opt-tiers")


def seconds(*words):
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    done = subprocess.run([GMMU, *words], capture_output=True, text=True, check=True)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before, done.stdout


def policies():
    text = subprocess.run([GMMU, "replay", "--help"], capture_output=True, text=True, check=True).stdout.split("Policies:\n")[1]
    names = [line.split()[0] for line in text.splitlines() if line.startswith("  ") and line[2] != " "]
    return names + [p for p in SPECIAL if p not in names]


def main():
    os.chdir(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    traces = sys.argv[1:] or TRACES
    reading = {trace: min(seconds("trace", "digest", trace)[0] for _ in range(3)) for trace in traces}
    for policy in policies():
        costs = []
        for trace in traces:
            more = ["--tier2", "2x"] if policy.startswith(TIERS) else []
            took, text = seconds("replay", trace, "--threads", "1", "--format", "csv", "--policy", policy, "--frames", "50%", *more)
            walks = int(next(csv.DictReader(io.StringIO(text)))["accesses"])
            costs.append(1e9 * (took - reading[trace]) / walks)
        print("%-28s %6.0f   %s" % (policy, sum(costs) / len(costs), " ".join("%.0f" % c for c in costs)), flush=True)


if __name__ == "__main__":
    main()
