#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""leu2.py [NAME=TRACE...]: how far `leu2` is from Belady: the tables of docs/reference/leu2.md.

Replays sim/traces/*.walk and the same kernels at other sizes, recorded into build/leu2, at 50 % and 75 %
of the distinct pages; and the walk traces that are named, for the table `real`, which else stays as it
is. Exit status 1: a bound (BOUNDS) does not hold. 2: it could not run.
"""
import csv
import glob
import io
import math
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
GMMU = os.path.join(ROOT, "build", "gmmu")
DOC = os.path.join(ROOT, "docs", "reference", "leu2.md")
SIZES = ("50%", "75%")
SHOWN = [("lru", "`lru`"), ("leu-exact", "`leu-exact`"), ("leu:search=sample", "`leu`"),
         ("leu2:samples=0", "no samples"), ("leu2:unknown=0", "`unknown=0`"), ("leu2", "`leu2`")]
POLICIES = ["opt"] + [p for p, _ in SHOWN]
HARD = 1.05  # LRU's evictions over OPT's above which there is something to gain
# Over OPT's evictions, geometric means, of the traces in sim/traces/*.walk and of the hard ones among them.
BOUNDS = [("leu:search=sample", "50%", 1.24), ("leu:search=sample", "75%", 1.22),
          ("leu2", "50%", 1.19), ("leu2", "75%", 1.17)]
# The same kernels at other sizes, with other data; smaller TLBs where else little would walk.
OTHERS = [("2dconv", 500, "--l2-tlb 128"), ("bfs", 200000, ""), ("bfs", 900000, "--page-shift 13"),
          ("gemm", 256, "--l1-tlb 8 --l2-tlb 32"), ("gemm", 448, "--l1-tlb 24 --l2-tlb 128"),
          ("hotspot", 500, "--l2-tlb 128"), ("kmeans", 20000, "--l1-tlb 32 --l2-tlb 128"), ("kmeans", 80000, ""),
          ("spmv", 50000, "--l1-tlb 32 --l2-tlb 128"), ("spmv", 200000, "--l2-tlb 256"),
          ("srad_v2", 320, "--l2-tlb 128")]


def fail(text):
    print("leu2: " + text, file=sys.stderr)
    sys.exit(2)


def run(command):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        fail("%s: %s" % (" ".join(command), done.stderr.strip()))
    return done.stdout


def record():
    """The traces of other sizes, by name; recorded once."""
    folder = os.path.join(ROOT, "build", "leu2")
    os.makedirs(folder, exist_ok=True)
    traces = {}
    for kernel, size, options in OTHERS:
        name = "%s %d" % (kernel, size)
        traces[name] = os.path.join(folder, name.replace(" ", "-") + ".walk")
        if not os.path.exists(traces[name]):
            run([GMMU, "record", kernel, "--size", str(size), "--seed", "7", "-o", traces[name]] + options.split())
    return traces


def replay(traces):
    """{trace: {(policy, size): evictions}}, with frames, walks and pages beside."""
    found = {}
    for n, (name, path) in enumerate(traces.items(), 1):
        print("\rleu2: %d of %d traces" % (n, len(traces)), end="", file=sys.stderr, flush=True)
        text = run([GMMU, "replay", path, "--format", "csv", "--policy", ",".join(POLICIES), "--frames", ",".join(SIZES)])
        at, seen = {}, {}
        for row in csv.DictReader(io.StringIO(text)):
            size = SIZES[seen.setdefault(row["policy"], 0)]
            seen[row["policy"]] += 1
            at[row["policy"], size] = int(row["evictions"])
            at["frames", size] = int(row["frames"])
            at["walks"], at["pages"] = row["accesses"], row["distinct"]
        found[name] = at
    print(file=sys.stderr)
    return found


def over(at, policy, size):
    return at[policy, size] / at["opt", size] if at["opt", size] else 1.0


def mean(found, names, policy, size):
    values = [math.log(over(found[n], policy, size)) for n in names]
    return math.exp(sum(values) / len(values)) if values else float("nan")


def hard(found, names, size):
    return [n for n in names if over(found[n], "lru", size) > HARD]


def table(found, halves):
    heads = ["trace", "walks", "pages", "evictions of `opt`"] + [label for _, label in SHOWN]
    out = ["| " + " | ".join(heads) + " |", "|" + "---|" * len(heads)]
    names = list(found)
    for n in names:
        at = found[n]
        cells = [n, at["walks"], at["pages"], " / ".join(str(at["opt", s]) for s in SIZES)]
        cells += [" / ".join("%.3f" % over(at, p, s) for s in SIZES) for p, _ in SHOWN]
        out.append("| " + " | ".join(cells) + " |")
    groups = [("all", names)]
    if halves:
        groups += [("odd half", names[0::2]), ("even half", names[1::2])]
    for label, group in groups:
        cells = ["**mean, %s**" % label, "", "", ""]
        cells += [" / ".join("%.3f" % mean(found, group, p, s) for s in SIZES) for p, _ in SHOWN]
        out.append("| " + " | ".join(cells) + " |")
        cells = ["where LRU > 1.05", "", "", " / ".join("%d traces" % len(hard(found, group, s)) for s in SIZES)]
        cells += [" / ".join("%.3f" % mean(found, hard(found, group, s), p, s) for s in SIZES) for p, _ in SHOWN]
        out.append("| " + " | ".join(cells) + " |")
    return out


def bound_table(found):
    out, held = ["| policy | memory | mean of all | where LRU > 1.05 | at most | |", "|---|---|---|---|---|---|"], True
    for policy, size, most in BOUNDS:
        a, h = mean(found, found, policy, size), mean(found, hard(found, found, size), policy, size)
        ok = a <= most and h <= most
        held &= ok
        out.append("| `%s` | %s | %.3f | %.3f | %.2f | %s |" % (policy, size.replace("%", " %"), a, h, most,
                                                              "holds" if ok else "**does not hold**"))
    return out, held


def close_table(groups):
    """Where LRU is within 2 % of OPT."""
    out = ["| trace | memory | `lru` over `opt` | `leu2` over `opt` | `leu2` over `lru` | |", "|---|---|---|---|---|---|"]
    for found in groups:
        for n, at in found.items():
            for s in SIZES:
                if over(at, "lru", s) <= 1.02:
                    r = over(at, "leu2", s) / over(at, "lru", s)
                    out.append("| %s | %s | %.3f | %.3f | %.3f | %s |" % (
                        n, s.replace("%", " %"), over(at, "lru", s), over(at, "leu2", s), r,
                        "" if r <= 1.05 else "**above 5 %**"))
    return out


def main():
    recorded = {os.path.basename(p)[:-5]: p for p in sorted(glob.glob(os.path.join(ROOT, "sim", "traces", "*.walk")))}
    if not recorded or not os.access(GMMU, os.X_OK):
        fail("found no %s, expected it (make build/gmmu)" % (GMMU if recorded else "sim/traces/*.walk"))
    for word in sys.argv[1:]:
        if "=" not in word:
            fail("found %s, expected NAME=TRACE" % word)
    suite, others = replay(recorded), replay(record())
    bounds, held = bound_table(suite)
    tables = {"bounds": bounds, "suite": table(suite, True), "sizes": table(others, False)}
    groups = [suite, others]
    if len(sys.argv) > 1:
        real = replay(dict(word.split("=", 1) for word in sys.argv[1:]))
        tables["real"] = table(real, False)
        tables["realclose"] = close_table([real])
    tables["close"] = close_table(groups)
    with open(DOC, encoding="utf-8") as f:
        text = f.read()

    def put(m):
        rows = tables.get(m.group(1))
        return m.group(0) if rows is None else "<!-- leu2:%s -->\n%s\n<!-- /leu2 -->" % (m.group(1), "\n".join(rows))
    text = re.sub(r"<!-- leu2:(\w+) -->.*?<!-- /leu2 -->", put, text, flags=re.S)
    with open(DOC, "w", encoding="utf-8") as f:
        f.write(text)
    print("\n".join(bounds[2:]))
    return 0 if held else 1


if __name__ == "__main__":
    sys.exit(main())
