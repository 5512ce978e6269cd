#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""table.py [DIR]: what the protocols move on the traces that record.sh recorded in DIR (build/wild).

naive, wb and page:4k have each operand as the hull from its first byte to its last, as in a trace of version 1; the table has
naive without the gaps, too. Exit status 1: on some trace split moves more than 1.05 times what the least of the others does.
"""
import csv
import os
import re
import subprocess
import sys

GMMU = os.environ.get("GMMU", "build/gmmu")
MOST = 1.05
ORDER = ["r", "octave", "sklearn", "hpcc", "xdllt", "xzqr"]
GAPS = re.compile(r"\b([rwuo]):0x([0-9a-f]+)\+(\d+)\*(\d+)/(\d+)")


def hull(found):
    """An operand with gaps as the range from its first byte to its last: not written in every byte."""
    letter, start, run, count, stride = found.groups()
    return "%s:0x%s+%d" % ("w" if letter == "o" else letter, start, (int(count) - 1) * int(stride) + int(run))


def rows(trace, protocols, make_hulls):
    """{protocol: row} of `gmmu semcache`."""
    with subprocess.Popen([GMMU, "semcache", "-", "--format", "csv", "--protocol", protocols],
                          stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as run, open(trace, encoding="utf-8") as lines:
        for line in lines:
            run.stdin.write(GAPS.sub(hull, line.replace("sem 2 ", "sem 1 ", 1) if line.startswith("sem ") else line) if make_hulls else line)
        run.stdin.close()
        found = {(r["protocol"], r["bound"]): r for r in csv.DictReader(run.stdout)}
    if run.returncode != 0:
        sys.exit("table.py: %s: gmmu semcache ended with status %d" % (trace, run.returncode))
    return {protocol: r for (protocol, bound), r in found.items() if bound in ("", "least")}


def moved(row):
    return int(row["up_bytes"]) + int(row["down_bytes"])


def main():
    where = sys.argv[1] if len(sys.argv) > 1 else "build/wild"
    names = [n for n in ORDER if os.path.exists(os.path.join(where, n + ".sem"))]
    if not names:
        sys.exit("table.py: found no trace in %s, expected those of scripts/wild/record.sh" % where)
    print("| program | calls | naive, hulls | wb | page:4k | naive | split | split over the least of the first three |")
    print("|---|---|---|---|---|---|---|---|")
    worst, times = 0, []
    for name in names:
        trace = os.path.join(where, name + ".sem")
        old, new = rows(trace, "naive,wb,page:4k", True), rows(trace, "naive,split", False)
        ratio = moved(new["split"]) / min(moved(r) for r in old.values())
        worst = max(worst, ratio)
        shown = [old["naive"], old["wb"], old["page:4k"], new["naive"], new["split"]]
        print("| %s | %s | %s | %.3f |" % (name, new["split"]["calls"], " | ".join("%.1f" % (moved(r) / 2**20) for r in shown), ratio))
        times.append((name, [old["naive"], old["wb"], old["page:4k"], new["naive"], new["split"]], new["split"]["cpu_s"]))
    print("\n| model, s | naive, hulls | wb | page:4k | naive | split | CPU |\n|---|---|---|---|---|---|---|")
    for name, shown, cpu in times:
        print("| %s | %s | %.3f |" % (name, " | ".join("%.3f" % float(r["model_s"]) for r in shown), float(cpu)))
    return worst > MOST


if __name__ == "__main__":
    sys.exit(main())
