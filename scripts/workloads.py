#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""workloads.py [--check]: describes every trace of sim/traces/README.md in docs/reference/workloads.md.

The table goes between the marks of docs/reference/workloads.md; the page defines the columns. Exit status 1: with --check,
the page is not current; 2: a trace is missing.
"""
import csv
import io
import os
import re
import statistics
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
GMMU = os.path.join(ROOT, "build", "gmmu")
PAGE = os.path.join(ROOT, "docs", "reference", "workloads.md")
BARS = "▁▂▃▄▅▆▇█"


def fail(text):
    print("workloads.py: %s" % text, file=sys.stderr)
    sys.exit(2)


def gmmu(*args):
    done = subprocess.run([GMMU, *args], capture_output=True, text=True, check=False)
    if done.returncode:
        fail(done.stderr.strip())
    return done.stdout


def listed():
    """(file, command) of each row of the traces' README."""
    with open(os.path.join(ROOT, "sim", "traces", "README.md"), encoding="utf-8") as f:
        return re.findall(r"^\| `([\w.+-]+)` \| `(gmmu record [^`]+)` \|", f.read(), re.M)


def path_of(name):
    path = os.path.join(ROOT, "sim", "traces", name)
    if not os.path.exists(path):
        fail("found no sim/traces/%s, expected it (its README names it)" % name)
    return path


def read(path):
    """Lists of pages and of references, in order."""
    text = gmmu("trace", "convert", path, "-o", "-")
    pages, refs = [], []
    for line in text.splitlines():
        if line and line[0] != "#":
            page, ref, _ = line.split(",", 2)
            pages.append(page)
            refs.append(ref)
    return pages, refs


def evictions(path):
    rows = csv.DictReader(io.StringIO(gmmu("replay", path, "--policy", "lru,opt", "--frames", "10%,50%,75%",
                                           "--format", "csv")))
    return {(r["policy"], n % 3): r for n, r in enumerate(rows)}


class Trace:
    def __init__(self, name, command):
        self.name, self.command = name, command
        self.path = path_of(name)
        pages, refs = read(self.path)
        self.walks = len(pages)
        first, last, touches, episodes = {}, {}, {}, {}
        histogram = {}
        distinct = len(set(pages))
        burst = max(1, distinct // 8)
        for t, page in enumerate(pages):
            before = last.get(page)
            if before is None:
                first[page] = t
                touches[page] = episodes[page] = 1
            else:
                interval = t - before
                touches[page] += 1
                episodes[page] += interval > burst
                octave = interval.bit_length() - 1
                histogram[octave] = histogram.get(octave, 0) + 1
            last[page] = t
        self.pages, self.refs = distinct, len(set(refs))
        self.reused = sum(n > 1 for n in touches.values()) / distinct
        self.touches = self.walks / distinct
        self.episodes = statistics.fmean(episodes.values())
        spread = statistics.pstdev(episodes.values())
        self.spread = spread / self.episodes
        self.span = statistics.fmean((last[p] - first[p]) / self.walks for p in first)
        self.histogram = histogram
        counts = evictions(self.path)
        reuses = self.walks - distinct
        one, two = (int(counts["lru", k]["faults"]) for k in (0, 1))
        self.tiers = [(self.walks - one) / reuses, (one - two) / reuses, (two - distinct) / reuses] if reuses else None
        self.lru, self.opt = (int(counts[p, 2]["evictions"]) for p in ("lru", "opt"))

    def sparkline(self):
        if not self.histogram:
            return ""
        top = max(self.histogram.values())
        line = ""
        for octave in range(max(self.histogram) + 1):
            n = self.histogram.get(octave, 0)
            line += BARS[min(7, -(-8 * n // top) - 1)] if n else " "
        return "`%s`" % line

    def pattern(self):
        """HPE's type, and why."""
        inside = self.touches / self.episodes
        if self.episodes < 1.3:
            if self.reused < 0.2:
                return "I", "%.0f %% of pages are walked once" % (100 * (1 - self.reused))
            if self.reused < 0.8:
                return "III", "%.0f %% of pages are walked again, at once" % (100 * self.reused)
            return "IV", "%.1f walks a page, in one episode" % self.touches
        if self.span < 0.35:
            return "VI", "a page lives for %.0f %% of the trace" % (100 * self.span)
        if self.reused < 0.8:
            return "III", "%.0f %% of pages are walked again" % (100 * self.reused)
        if self.spread < 0.35 and inside < 1.5:
            return "II", "%.1f episodes a page, %.1f walks each" % (self.episodes, inside)
        return "V", "%.1f episodes a page, %.1f walks each" % (self.episodes, inside)

    def gmt(self):
        if self.tiers is None:
            return "no reuse"
        best = max(range(3), key=lambda k: self.tiers[k])
        return "Tier %d (%s)" % (best + 1, ", ".join("%.0f" % (100 * t) for t in self.tiers))

    def row(self):
        kind, why = self.pattern()
        return "| `%s` | %d | %d | %d | %.0f | %s | %s: %s | %s | %d, %d |" % (
            self.name, self.pages, self.walks, self.refs, 100 * self.reused, self.sparkline(), kind, why, self.gmt(),
            self.lru, self.opt)


def main():
    rows, walks = [], 0
    traces = listed()
    for n, (name, command) in enumerate(traces):
        if sys.stderr.isatty():
            print("\r%d of %d: %s\033[K" % (n + 1, len(traces), name), end="", file=sys.stderr)
        t = Trace(name, command)
        walks += t.walks
        rows.append(t.row())
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr)
    table = ["%d traces, %d walks.\n" % (len(rows), walks),
             "| trace | pages | walks | refs | reuse % | reuse intervals | HPE's type | GMT's bias | LRU, OPT at 75 % |",
             "|---|---|---|---|---|---|---|---|---|", *rows]
    with open(PAGE, encoding="utf-8") as f:
        old = f.read()
    begin, end = "<!-- generated:workloads -->\n", "<!-- end -->"
    new = old[:old.index(begin) + len(begin)] + "\n".join(table) + "\n" + old[old.index(end):]
    if "--check" in sys.argv:
        sys.exit(new != old)
    with open(PAGE, "w", encoding="utf-8") as f:
        f.write(new)


if __name__ == "__main__":
    main()
