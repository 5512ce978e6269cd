#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""bench.py [--no-doc] [--repeat N] [--share] [--against GMMU]: measures the speed of the C model, the replay and the lock-step simulation.

Whole processes are measured by the CPU time of the best of N runs (user and system; other work on the machine disturbs CPU
time less than elapsed time). valgrind's callgrind counts instructions on a shorter input, which nothing disturbs. Google
Benchmark measures the C model's hot functions (bench/blocks_bench.cpp). The tables are printed, and written to
docs/reference/bench.md. --share measures only replays of leu by sample and of lru, in turn: the share of lru's speed.
--against GMMU measures only replays of leu and leu2, in turn with the command of another build: CPU times, their ratio,
and whether both print the same (bench/decisions.c compares the decisions).
"""
import argparse
import json
import os
import random
import re
import resource
import shutil
import subprocess
import sys

import docs_check
from page import markdown

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
OUT = "build/bench"
COLUMNS = ["what", "unit", "count", "CPU s", "M/s", "instructions each", "target M/s", "reached"]
LONG, SHORT = 10564680, 200000
# the trace of 10.6 M walks, and the piece of it that instructions are counted on
RECORD = "record atax --size 3250"
# synthetic traces of 10 M walks, the memory size of their replays, and the rates wanted
REFERENCE = {"zipf": "381560", "cyc": "250000"}
WALKS = 10000000
WANTED = {"lru": 30, "fifo": 30, "clock": 30, "opt": 15, "arc": 15, "sieve": 15, "2q": 15, "s3fifo": 15, "lirs": 10,
          "clockpro": None, "srrip": None, "lfu": None, "random": None, "leu:search=sample": 4, "leu2": None}
DOC = "docs/reference/bench.md"
SHARE = "Speed of `leu:search=sample` as a share of the speed of `lru`:"
SHARE_COLUMNS = ["trace", "pages", "lru, CPU s", "leu, CPU s", "share", "target", "reached"]
SHARE_WANTED = 0.4
LOCK_STEP = "Lock-step simulation, RTL beside the C model, configuration `default`,"
BESIDE = "Beside libCacheSim,"  # scripts/libcachesim.py
PROFILE = "Profile of replays of `zipf`"
PROFILED = PROFILE + " with 190780 pages (`perf record -e cpu-clock`), the eight functions that take most:"


def stop(text):
    sys.stderr.write("bench: %s\n" % text)
    sys.exit(2)


def make_long():
    text, gwt = OUT + "/atax.walk", OUT + "/atax.gwt"
    if not os.path.exists(gwt):
        print("bench: recording atax, 10.6 M walks", flush=True)
        for args in (RECORD.split() + ["-o", text + ".new"], ["trace", "convert", text + ".new", "-o", OUT + "/new.gwt"]):
            if subprocess.run(["build/gmmu"] + args, check=False).returncode:
                stop("gmmu %s failed" % " ".join(args))
        os.rename(text + ".new", text)
        os.rename(OUT + "/new.gwt", gwt)  # the name's end says the form
    for name in ("/short.walk", "/short.gwt"):
        subprocess.run(["build/gmmu", "trace", "head", "-n", str(SHORT), gwt, "-o", OUT + name], check=True)


def make_walks():
    """Of the lock-step simulations."""
    rng = random.Random(1)
    for name, count in (("resident", 1000000), ("resident-short", 4000), ("resident-longer", 44000)):
        with open("%s/%s.walk" % (OUT, name), "w", encoding="utf-8") as file:
            file.write("# gmmu-walk 1 page_shift=12\n")
            for _ in range(count):
                file.write("%d,%d,%s\n" % (rng.randrange(256), 16 * rng.randrange(24), "rw"[rng.random() < 0.2]))
    for trace, count, name in (("2dconv", 1500, "faults-short"), ("bfs", 20000, "standard"), ("bfs", 2500, "standard-short")):
        subprocess.run(["build/gmmu", "trace", "head", "-n", str(count), "sim/traces/%s.walk" % trace, "-o",
                        "%s/%s.walk" % (OUT, name)], check=True)


def make_reference():
    """The two synthetic traces of docs/reference/reference_traces.md."""
    for kind in REFERENCE:
        if not os.path.exists("%s/%s.gwt" % (OUT, kind)):
            print("bench: making %s, 10 M walks" % kind, flush=True)
            if subprocess.run(["build/gmmu", "gen", kind, "-n", str(WALKS), "-o", OUT + "/new.gwt"], check=False).returncode:
                stop("gmmu gen %s failed" % kind)
            os.rename(OUT + "/new.gwt", "%s/%s.gwt" % (OUT, kind))


def cpu(args, repeat):
    best = None
    for _ in range(repeat):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run(args, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        if done.returncode:
            stop("%s failed: %s" % (" ".join(args), done.stderr.strip()[-300:]))
        used = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
        best = used if best is None else min(best, used)
    return best


def instructions(args):
    done = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"] + args, stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE, text=True, check=False)
    found = re.search(r"Collected : (\d+)", done.stderr)
    if not found:
        stop("valgrind %s failed: %s" % (" ".join(args), done.stderr.strip()[-300:]))
    return int(found.group(1))


def sim(name, walks, frames, **more):
    step = dict({"kind": "stream" if "latency" in more else "walks", "walks": walks, "frames": frames, "search": "sample"}, **more)
    with open("%s/%s.json" % (OUT, name), "w", encoding="utf-8") as file:
        json.dump({"summary": name, "steps": [step]}, file)
    os.makedirs("%s/%s" % (OUT, name), exist_ok=True)
    return ["build/sim-default", "--test", "%s/%s.json" % (OUT, name), "--out", "%s/%s" % (OUT, name)]


def counts(name):
    with open("%s/%s/report.json" % (OUT, name), encoding="utf-8") as file:
        step = json.load(file)["steps"][0]
    return step["events"], step["cycles"]


def adds_to(rows):
    """A function that adds a row to ROWS, and prints it."""
    def add(what, unit, count, seconds, ops, short_count, target=None):
        rate = count / seconds / 1e6
        rows.append((what, unit, "%d" % count, "%.2f" % seconds, "%.2f" % rate, "%.0f" % (ops / short_count) if ops else "-",
                     "%g" % target if target else "-", "-" if target is None else "yes" if rate >= target else
                     "no: %.0f %% of it" % (100 * rate / target)))
        print("%-44s %9.2f M %s/s, %s instructions each" % (what, rate, unit, rows[-1][5]), flush=True)
    return add


def processes(repeat):
    rows = []
    add = adds_to(rows)
    long_one, short_one = OUT + "/atax.gwt", OUT + "/short.gwt"
    start = instructions(["build/gmmu", "--version"])
    for form in ("gwt", "walk"):
        args = ["build/gmmu", "trace", "digest"]
        add("trace digest, %s" % (".gwt" if form == "gwt" else "text"), "walks", LONG,
            cpu(args + [OUT + "/atax." + form], repeat), instructions(args + [OUT + "/short." + form]) - start, SHORT)
    for policy in ("lru", "fifo", "clock", "opt"):
        args = ["--policy", policy, "--frames", "4096"]
        add("replay %s, .gwt" % policy, "walks", LONG, cpu(["build/gmmu", "replay", long_one] + args, repeat),
            instructions(["build/gmmu", "replay", short_one] + args) - start, SHORT, 20 if policy == "lru" else None)
    for policy in ("leu:search=sample", "leu", "leu-exact"):
        args = ["build/gmmu", "replay", "sim/traces/bfs.walk", "--policy", policy, "--frames", "50%"]
        add("replay %s, bfs.walk" % policy, "walks", 168579, cpu(args, min(repeat, 2)), 0, 1)

    for kind in REFERENCE:
        trace = "%s/%s.gwt" % (OUT, kind)
        for policy, target in WANTED.items():
            slow = policy.startswith("leu")
            frames = "190780" if slow and kind == "zipf" else REFERENCE[kind]  # at most 2^18 in `default`
            args = ["build/gmmu", "replay", trace, "--policy", policy, "--frames", frames]
            add("replay %s, %s, %s pages" % (policy, kind, frames), "walks", WALKS, cpu(args, 1 if slow else repeat), 0, 1, target)
        add("mrc lru, %s, every size" % kind, "walks", WALKS, cpu(["build/gmmu", "mrc", trace, "--policy", "lru"], repeat), 0, 1, 5)
    return rows


def lock_step(repeat):
    """Rows of the simulations."""
    rows = []
    add = adds_to(rows)
    # name, what, and what is counted: the whole of a short run, or what a longer one takes more, without reset and first faults
    runs = [("standard", "standard schedule, bfs", {}, ["standard-short"]),
            ("faults", "2dconv with faults", {"latency": 400, "gap": 4}, ["faults-short"]),
            ("resident", "a walk hit a cycle", {"latency": 50, "gap": 1}, ["resident-short", "resident-longer"])]
    for name, what, more, pieces in runs:
        frames = "120%" if name == "resident" else "75%"
        walks = "sim/traces/2dconv.walk" if name == "faults" else "%s/%s.walk" % (OUT, name)
        seconds = cpu(sim(name, walks, frames, **more), repeat)
        events, cycles = counts(name)
        ops, short_cycles = 0, 0
        for piece in pieces:  # of two the difference
            ops = instructions(sim(piece, "%s/%s.walk" % (OUT, piece), frames, **more)) - ops
            short_cycles = counts(piece)[1] - short_cycles
        add(what, "cycles", cycles, seconds, ops, short_cycles, 1)
    add("the same, events", "events", events, seconds, 0, 1, 0.5)
    return rows


def share(repeat):
    """Replays of lru and of leu by sample in turn, so that other work on the machine disturbs both. Rows of a table."""
    rows = []
    for kind, frames in (("zipf", "190780"), ("cyc", "250000")):
        args = ["build/gmmu", "replay", "%s/%s.gwt" % (OUT, kind), "--frames", frames, "--policy"]
        lru, leu = [], []
        for _ in range(repeat):
            lru.append(cpu(args + ["lru"], 1))
            leu.append(cpu(args + ["leu:search=sample"], 1))
        is_share = min(lru) / min(leu)
        rows.append((kind, frames, "%.2f" % min(lru), "%.2f" % min(leu), "%.2f" % is_share, "%g" % SHARE_WANTED,
                     "yes" if is_share >= SHARE_WANTED else "no"))
        print("%-5s %s pages: lru %.2f s, leu:search=sample %.2f s, share %.2f" % (
            kind, frames, min(lru), min(leu), is_share), flush=True)
    return rows


def against(other, repeat):
    """Replays by build/gmmu and by OTHER side by side, and whether they print the same. Rows of a table."""
    rows = []
    for policy in ("leu:search=sample", "leu2"):
        for kind, frames in (("zipf", "190780"), ("cyc", "250000")):
            args = ["replay", "%s/%s.gwt" % (OUT, kind), "--policy", policy, "--frames", frames]
            said = {subprocess.run([exe] + args, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True).stdout
                    for exe in ("build/gmmu", other)}
            same = "yes" if len(said) == 1 else "no"
            mine, its = [], []
            for _ in range(repeat):
                its.append(cpu([other] + args, 1))
                mine.append(cpu(["build/gmmu"] + args, 1))
            print("%-18s %-5s %6.2f s, other %6.2f s: %.2f times as fast, same results: %s" % (
                policy, kind, min(mine), min(its), min(its) / min(mine), same), flush=True)
            rows.append((policy, kind, "%.2f" % min(mine), "%.2f" % min(its), "%.2f" % (min(its) / min(mine)), same))
    return rows


def change(**new):
    """Writes parts of the page anew, by name; a part that is not named stays as it is."""
    with open(DOC, encoding="utf-8") as file:
        rest = file.read()
    parts = {}
    for name, begins in (("profile", PROFILE), ("lock_step", LOCK_STEP), ("beside", BESIDE), ("share", SHARE)):
        rest, _, after = rest.partition("\n" + begins)
        parts[name] = "\n" + begins + after.rstrip("\n") if after else ""
    parts["head"] = rest.rstrip("\n")
    parts.update((name, "\n".join(lines)) for name, lines in new.items())
    with open(DOC, "w", encoding="utf-8") as file:
        order = ("head", "share", "beside", "lock_step", "profile")
        file.write(docs_check.wrapped("\n".join(parts[name] for name in order if parts[name]) + "\n"))


def share_section(rows):
    return ["", SHARE, ""] + markdown(SHARE_COLUMNS, rows) + ["",
            "Both replay the same trace with the same pages, in turn in one run. A time is the best of the runs."]


def lock_step_section(rows, load, repeat):
    return ["", "%s CPU time of the best of %d runs, load average %.1f before:" % (LOCK_STEP, repeat, load), ""] + markdown(COLUMNS, rows)


def profile():
    """Where the time of three replays goes, by perf's clock; empty where there is no perf."""
    rows = []
    for policy in ("lru", "arc", "leu:search=sample") if shutil.which("perf") else ():
        args = ["build/gmmu", "replay", OUT + "/zipf.gwt", "--policy", policy, "--frames", "190780"]
        subprocess.run(["perf", "record", "-q", "-e", "cpu-clock", "-o", OUT + "/perf.data"] + args, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL, check=False)
        text = subprocess.run(["perf", "report", "-i", OUT + "/perf.data", "--stdio"], stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, text=True, check=False).stdout
        found = re.findall(r"^ +([0-9.]+)% +\S+ +\S+ +\[[.k]\] ([\w.]+)", text, flags=re.M)[:8]
        rows.append((policy, ", ".join("%s %.0f %%" % (name, float(share)) for share, name in found)))
        print("%-20s %s" % rows[-1], flush=True)
    return rows


def profile_section(rows):
    if not rows:
        return []
    return ["", PROFILED, ""] + markdown(["policy", "share of the time"], rows) + ["",
            "`gmmu_pages_index_walks` maps page names to numbers. Its cache misses cost most on traces of a million pages in random",
            "order. `fill` and `gmmu_gwt_decode` read the trace. `replay` is the loop over the accesses with the policy compiled in.",
            "`leu:search=sample` runs the whole unit bit for bit: 80 candidates a fault (K = 64, and 16 kept), of which `make_older`",
            "keeps the best, and every action between two walks. The loop of `lru` sets the share above: whatever makes that loop",
            "faster makes the share smaller."]


def functions():
    done = subprocess.run([OUT + "/blocks_bench", "--benchmark_format=json"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          text=True, check=False)
    if done.returncode:
        stop("%s/blocks_bench failed" % OUT)
    rows = []
    for b in json.loads(done.stdout)["benchmarks"]:
        # a call of Front is many accesses
        each = 1e9 / b["items_per_second"] if b["name"].startswith("Front/") else b["cpu_time"]
        rows.append((b["name"], "%.1f" % each))
        print("%-44s %9s ns" % rows[-1], flush=True)
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--no-doc", action="store_true")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--against", metavar="GMMU")
    parser.add_argument("--profile", action="store_true", help="only the profile: it takes its old one's place in the page")
    parser.add_argument("--share", action="store_true", help="only leu by sample beside lru: likewise")
    parser.add_argument("--lock-step", action="store_true", help="only the simulations: likewise")
    o = parser.parse_args()
    os.chdir(ROOT)
    if shutil.which("valgrind") is None:
        stop("found no valgrind, expected it for the instruction counts: make setup-bench")
    os.makedirs(OUT, exist_ok=True)
    if o.against:
        make_reference()
        against(o.against, o.repeat)
        return
    if o.share:
        make_reference()
        shares = share(o.repeat)
        if not o.no_doc:
            change(share=share_section(shares))
        return
    load = os.getloadavg()[0]
    make_walks()
    if o.lock_step:
        rows = lock_step(o.repeat)
        if not o.no_doc:
            change(lock_step=lock_step_section(rows, load, o.repeat))
        return
    make_long()
    make_reference()
    if o.profile:
        found = profile()
        if not found:
            stop("found no perf, expected it for the profile")
        if not o.no_doc:
            change(profile=profile_section(found))
        return
    done = processes(o.repeat)
    shares = share(o.repeat)
    simulated = lock_step(o.repeat)
    parts = functions()
    model = re.search(r"model name\s*: (.*)", open("/proc/cpuinfo", encoding="utf-8").read())
    lines = ["# Speed", "", "`make bench` measures this page. Times are CPU times of one core (%s): the best of %d runs." % (
        model.group(1).strip() if model else "machine", o.repeat),
        "The load average before the run was %.1f. On a busy machine the times are too long; instructions do not change." % load, "",
        "Callgrind counts instructions on %d walks of the same trace, or on the first walks of the same simulation. The start" % SHORT,
        "of the process is included, except in the row *a walk hit a cycle* of the simulations. The long trace is `gmmu %s`. The traces `zipf`" % RECORD,
        "and `cyc` are made by `gmmu gen`: 10 M walks over 763 k and 500 k pages.", "", "Whole processes:", ""]
    lines += markdown(COLUMNS, done)
    lines += ["", "CPU time of a call of the C model's functions, configuration `default` (`bench/blocks_bench.cpp`):", "",
              "- `Hash`, `Bin`, `Minifloat`: the hash of a page, the bin of an interval, a quotient as priority.",
              "- `WalkHit`: a walk hit and all that follows on the standard schedule; `Refresh`: the priorities of a row; `Search`: a",
              "  search by `sample`; `Sample`, `Execute`: a walk in the trace sampler, in the Ref RIT.",
              "- `Policy`: a walk with 4096 frames. Three of four walks go to 2048 random pages, the fourth to 8192. `leu` scans 4096",
              "  frames at each fault, and faults are more frequent than on `bfs.walk`.",
              "- `PageIndex`: the number of a page name. `Front`: a coalesced access through L1, L2 and TLBs of `gmmu record --caches",
              "  l2`, with the kernels' real addresses; the target is 200 ns.",
              "- `RangeLookup/N`: a lookup of one of N ranges in GPU memory, in any order; the target is 125 ns with 10000.",
              "- `TrackCall/B/W`: what the drop-in adds to a call of three operands of 512 × 512 doubles when the program writes",
              "  to W pages of them before. B is 1 for userfaultfd, 2 for comparing, 3 for mprotect.", ""]
    lines += markdown(["function", "ns"], parts)
    profiled = profile_section(profile())
    if not o.no_doc:
        change(head=lines, share=share_section(shares), lock_step=lock_step_section(simulated, load, o.repeat),
               **({"profile": profiled} if profiled else {}))  # where there is no perf the old one stays
        print("written: " + DOC)


if __name__ == "__main__":
    main()
