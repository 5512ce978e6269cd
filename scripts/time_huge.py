#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""time_huge.py [--sizes 50%,75%] [--only APP,...] [--jobs N] [--no-doc] [--accept]: `make time-huge`: run time at 4 GiB and more.

Records each application of APPS by `gmmu record` into a pipe, and plays the walks by build/platform and `gmmu replay` as they come: one
recording for all rows of an application, nothing stored. Fills the tables of "4 GiB and more" in docs/reference/time_results.md. Rows that
build/time-huge/runs.json has already, by the same command, program, parameters and recorder, are not repeated: an interrupted call goes
on with the next application. Exit status 2: it could not run.
"""
import glob
import hashlib
import json
import os
import queue
import re
import subprocess
import sys
import threading
import time

import page
from results_parts.platform_runs import mean

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
GMMU, PLATFORM, PARAMETERS, DOC, KEPT = "build/gmmu", "build/platform", "config/platform.json", "docs/reference/time_results.md", "build/time-huge"
# TLBs as in sim/traces/large: an L2 TLB of a 32nd of the pages
MACHINE = ("--l1-tlb", "32", "--l2-tlb", "32768", "--seed", "1")
# (name, kind of access, arguments of `gmmu record`, distinct pages, which the runs check)
APPS = [("multivectoradd", "dense sweeps", ("--size", "215000000", "--fold"), 1049805),
        ("nw", "wave front", ("--size", "23170", "--fold"), 1048602),
        ("b+tree", "random look-ups", ("--size", "268435456"), 1098342),
        ("spmm", "sparse rows of a graph", ("--size", "4060000", "--fold"), 1050685),
        ("hotspot", "stencil", ("--size", "18920", "--fold"), 1048731)]
# (row, options of build/platform)
LRU = ("LRU", ("--policy", "lru"))
ROWS = [LRU, ("LIRS, 10 % for HIR pages", ("--policy", "lirs:hir=10")), ("HPE", ("--policy", "hpe")),
        ("the unit, `sample`", ("--policy", "unit", "--config", "large", "--search", "sample")),
        ("the unit, `sample`, fair pins", ("--policy", "unit", "--config", "large", "--search", "sample", "--set", "driver.fair=25")),
        ("NVIDIA's driver, no prefetch", ("--policy", "uvm:prefetch=none")), ("NVIDIA's driver", ("--policy", "uvm"))]
# more warps, with a kernel of sweeps, one of scattered pages, and the sparse one
WIDE = [r for r in ROWS if r[0] in ("LRU", "the unit, `sample`") or "driver" in r[0]]
WIDE_APPS = [a for a in APPS if a[0] in ("multivectoradd", "nw", "spmm")]
WARPS = ("--set", "gpu.warps=4096")
# the unit at the driver's grain: (grain, settings)
GRAINS = [("a page", ()), ("64 KiB", ("--set", "driver.grain=64K")), ("2 MiB", ("--set", "driver.grain=2M"))]
UNIT_ROW = next(r for r in ROWS if r[0] == "the unit, `sample`")
# evictions with the segment and without it, by `gmmu replay`
UNIT = "leu:config=large:search=sample"
SEGMENT = [("LRU", "lru"), ("LIRS, 10 % for HIR pages", "lirs:hir=10"), ("the unit, `sample`", UNIT), ("`protect=248`", UNIT + ":protect=248"),
           ("`duel=1`", UNIT + ":duel=1")]
BLOCK, AHEAD = 1 << 16, 64  # bytes; blocks that wait for a program at most


def fail(text):
    print("time-huge: " + text, file=sys.stderr)
    sys.exit(2)


def record(app):
    return [GMMU, "record", app[0], *app[2], *MACHINE, "--to", "gwt", "-o", "-"]


def play(app, row, size, more=()):
    return [PLATFORM, "-", "--distinct", str(app[3]), *row[1], "--frames", size, "--format", "json", *more]


def replay(app, sizes):
    return [GMMU, "replay", "-", "--distinct", str(app[3]), "--policy", ",".join(p for _, p in SEGMENT), "--frames", ",".join(sizes),
            "--threads", "1", "--format", "json"]


def ended(program):
    """(exit status, peak of its memory in MiB, seconds of processor time)"""
    _, status, usage = os.wait4(program.pid, 0)
    program.returncode = status
    return status, usage.ru_maxrss // 1024, usage.ru_utime + usage.ru_stime


def memory(program):
    """MiB that it has now: a folded array's memory once, not once an address, as the resident set has it."""
    try:
        with open("/proc/%d/smaps_rollup" % program.pid, encoding="ascii") as f:
            return int(re.search(r"Pss: +(\d+) kB", f.read()).group(1)) // 1024
    except (OSError, AttributeError):  # it has ended
        return 0


class Reader:
    """A program that reads the trace from its standard input."""

    def __init__(self, command):
        self.command, self.blocks = command, queue.Queue(AHEAD)
        self.program = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.out, self.err = b"", b""
        self.threads = [threading.Thread(target=f) for f in (self.feed, self.listen, self.hear)]
        for t in self.threads:
            t.start()

    def feed(self):
        broken = False
        while (block := self.blocks.get()) is not None:
            try:
                if not broken:
                    self.program.stdin.write(block)
            except BrokenPipeError:  # its exit status says why
                broken = True
        try:
            self.program.stdin.close()
        except BrokenPipeError:
            pass

    def listen(self):
        self.out = self.program.stdout.read()

    def hear(self):
        self.err = self.program.stderr.read()

    def end(self):
        """(what it printed, peak of its memory in MiB, seconds of processor time)"""
        self.blocks.put(None)
        for t in self.threads:
            t.join()
        status, mib, seconds = ended(self.program)
        if status != 0:
            fail("%s: %s" % (" ".join(self.command), self.err.decode().strip()))
        return json.loads(self.out), mib, seconds


class Runs:
    """Each run once, by its recording and its command."""

    def __init__(self):
        made = hashlib.sha256()
        for path in [PLATFORM, PARAMETERS] + sorted(glob.glob("cmodel/simt/**/*.[ch]", recursive=True)):
            with open(path, "rb") as f:
                made.update(f.read())
        self.of, self.rows = made.hexdigest(), {}
        try:
            with open(KEPT + "/runs.json", encoding="utf-8") as f:
                kept = json.load(f)
            self.rows = kept["rows"] if kept["of"] == self.of else {}
        except (OSError, ValueError, KeyError):
            pass

    @staticmethod
    def key(app, command):
        return " ".join(record(app)) + " | " + " ".join(command)

    def at(self, app, command):
        return self.rows.get(self.key(app, command))

    def save(self):
        os.makedirs(KEPT, exist_ok=True)
        with open(KEPT + "/runs.new", "w", encoding="utf-8") as f:
            json.dump({"of": self.of, "rows": self.rows}, f, indent=1)
        os.replace(KEPT + "/runs.new", KEPT + "/runs.json")

    def play(self, app, commands, jobs):
        """All COMMANDS that have not run yet, JOBS at a time with each recording."""
        todo = [c for c in commands if self.at(app, c) is None]
        for first in range(0, len(todo), jobs):
            self.record(app, todo[first:first + jobs])

    def record(self, app, commands):
        begun = said = time.monotonic()
        recorder = subprocess.Popen(record(app), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        readers, size, mib = [Reader(c) for c in commands], 0, 0
        while block := recorder.stdout.read(BLOCK):
            if size % (AHEAD * BLOCK) < len(block):
                mib = max(mib, memory(recorder))
            size += len(block)
            for r in readers:
                r.blocks.put(block)
            if time.monotonic() > said + 30:
                said = time.monotonic()
                print("%s: %.1f MB of walks to %d runs, %.0f s" % (app[0], size * 1e-6, len(readers), said - begun), file=sys.stderr)
        said = recorder.stderr.read().decode()
        done = [r.end() for r in readers]
        status, _, seconds = ended(recorder)
        if status != 0:
            fail("%s: %s" % (" ".join(record(app)), said.strip()))
        walks, distinct = (int(re.search(r"(\d+) " + what, said).group(1)) for what in ("walks", "distinct pages"))
        if distinct != app[3]:
            fail("%s: found %d distinct pages, expected %d" % (app[0], distinct, app[3]))
        self.rows[" ".join(record(app))] = {"walks": walks, "distinct": distinct, "bytes": size, "mib": mib, "seconds": seconds}
        for command, (found, mib, processor) in zip(commands, done):
            found = found[0] if isinstance(found, list) and len(found) == 1 else found
            self.rows[self.key(app, command)] = {"found": found, "mib": mib, "seconds": processor}
        self.save()
        print("%s: %d walks, %d runs in %.0f s" % (app[0], walks, len(readers), time.monotonic() - begun), file=sys.stderr)


def sizes_of(r):
    """The sizes of which all runs are there."""
    return [s for s in ("75%", "50%", "25%") if all(r.at(a, play(a, row, s)) for a in APPS for row in ROWS)]


def gb(n):
    return "%.1f" % (n * 1e-9)


def recordings(r):
    rows = []
    for app in APPS:
        made = r.rows[" ".join(record(app))]
        runs = [r.at(app, play(app, row, s)) for s in sizes_of(r) for row in ROWS]
        rows.append(["`%s`" % app[0], app[1], "`%s`" % " ".join(app[2]), str(made["distinct"]), "%.1f M" % (made["walks"] * 1e-6),
                     "%.1f" % (made["bytes"] * 1e-6), "%d s, %d MiB" % (round(made["seconds"]), made["mib"]),
                     "%d s, %d MiB" % (round(max(x["seconds"] for x in runs)), max(x["mib"] for x in runs))])
    return page.markdown(["application", "access", "arguments", "distinct pages", "walks", "MB through the pipe", "recorder: time, memory",
                          "longest run: time, most memory"], rows)


def times(r):
    rows = []
    for s in sizes_of(r):
        for row in ROWS:
            over = [r.at(a, play(a, row, s))["found"]["run_us"] / r.at(a, play(a, LRU, s))["found"]["run_us"] for a in APPS]
            rows.append([s.replace("%", " %"), row[0]] + ["%.2f" % x for x in over + [mean(over)]])
    return page.markdown(["memory", "run time over LRU's"] + [x[0] for x in APPS] + ["mean"], rows)


def counts(r, size):
    rows = []
    for app in APPS:
        for row in ROWS:
            f = r.at(app, play(app, row, size))["found"]
            came = f.get("fetched") or f["faults"]
            rows.append(["`%s`" % app[0], row[0], "%.2f" % (f["run_us"] * 1e-6), "%.0f" % (f["stall_us"] * 1e-6), "%.2f" % (f["batches"] * 1e-6),
                         "%.1f" % f["pages_per_batch"], "%.2f" % (f["faults"] * 1e-6), "%.2f" % (came * 1e-6), "%.2f" % (f["evictions"] * 1e-6),
                         gb(f["bytes_to_gpu"]), gb(f["bytes_to_host"])])
    return page.markdown(["application", "policy", "run time, s", "stall of all warps, s", "batches, M", "pages a batch", "faults, M", "pages in, M",
                          "pages out, M", "GB to the GPU", "GB to the host"], rows)


def warps(r):
    rows = []
    for app in WIDE_APPS:
        for row in WIDE:
            few, many = (r.at(app, play(app, row, "50%", more)) for more in ((), WARPS))
            if few is None or many is None:
                continue
            few, many = few["found"], many["found"]
            rows.append(["`%s`" % app[0], row[0]] + ["%.2f" % (f["run_us"] * 1e-6) for f in (few, many)] +
                        ["%.1f" % f["pages_per_batch"] for f in (few, many)] +
                        ["%.1f" % ((f.get("fetched") or f["faults"]) * 1e-6) for f in (few, many)])
    return page.markdown(["application", "policy", "run time, s: 64 warps", "4096 warps", "pages a batch: 64", "4096", "pages in, M: 64", "4096"], rows)


def grains(r):
    rows, over = [], {name: [] for name, _ in GRAINS}
    for app in APPS:
        lru, today = (r.at(app, play(app, row, "50%"))["found"]["run_us"] for row in (LRU, ROWS[-1]))
        for name, how in GRAINS:
            run = r.at(app, play(app, UNIT_ROW, "50%", how))
            if run is not None:
                f = run["found"]
                over[name].append(today / f["run_us"])
                rows.append(["`%s`" % app[0], name, "%.2f" % (f["run_us"] * 1e-6), "%.2f" % (f["run_us"] / lru), "%.2f" % over[name][-1],
                             "%.2f" % (f["faults"] * 1e-6), "%.2f" % ((f.get("fetched") or f["faults"]) * 1e-6), gb(f["bytes_to_gpu"]),
                             gb(f["bytes_to_host"])])
    rows += [["mean", name, "", "", "%.2f" % mean(of)] + 4 * [""] for name, of in over.items() if len(of) == len(APPS)]
    return page.markdown(["application", "grain", "run time, s", "over LRU's", "NVIDIA's driver over this", "faults, M", "pages in, M", "GB to the GPU",
                          "GB to the host"], rows)


def segment(r):
    rows = []
    for app in APPS:
        found = {}
        for sizes in (["50%"], ["75%"], ["25%"]):
            at = r.at(app, replay(app, sizes))
            for x in at["found"] if at else []:
                found[x["policy"], sizes[0]] = x["evictions"]
        sizes = [s for s in ("75%", "50%", "25%") if all((p, s) in found for _, p in SEGMENT)]
        for s in sizes:
            rows.append(["`%s`" % app[0], s.replace("%", " %")] + ["%.3f M" % (found[p, s] * 1e-6) for _, p in SEGMENT])
    return page.markdown(["application", "memory"] + [n for n, _ in SEGMENT], rows)


def main():
    parser = page.parser(__doc__, no_doc=True)
    parser.add_argument("--sizes", default="50%")
    parser.add_argument("--only", default=",".join(a[0] for a in APPS))
    parser.add_argument("--jobs", type=int, default=8, help="programs that one recording feeds at most")
    o = parser.parse_args()
    os.chdir(ROOT)
    for program in (GMMU, PLATFORM):
        if not os.access(program, os.X_OK):
            fail("found no %s, expected it: make time-huge" % program)
    r = Runs()
    for app in APPS:
        if app[0] in o.only.split(","):
            runs = []
            for size in o.sizes.split(","):
                runs += [play(app, row, size) for row in ROWS] + [replay(app, [size])]
                if size == "50%":
                    runs += [play(app, UNIT_ROW, size, how) for _, how in GRAINS[1:]]
                    runs += [play(app, row, size, WARPS) for row in WIDE if app in WIDE_APPS]
            r.play(app, runs, o.jobs)
    sizes = sizes_of(r)
    if not sizes:
        print("time-huge: not all runs of a size are there yet", file=sys.stderr)
        return 0
    tables = {"recordings": recordings(r), "times": times(r), "counts": counts(r, "50%" if "50%" in sizes else sizes[0]), "segment": segment(r),
              "warps": warps(r), "grains": grains(r)}
    for name, lines in tables.items():
        print("\n%s\n%s" % (name, "\n".join(lines)))
    if not o.no_doc:
        page.fill(DOC, "huge", tables, {}, {}, o.accept, ("recordings",))
    return 0


if __name__ == "__main__":
    sys.exit(main())
