#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""conformance.py [--quick | --seeds N] [--actions N] [--jobs N] [--configs LIST] [--test NAME | --only TEXT] [--fresh] [--no-doc | --doc FILE]

Compares RTL and C model at length: every test of sim/tests x configuration x recorded trace x seed.

- unit_replay: each trace of sim/traces through the whole unit. Walks have random gaps, the driver has random latency,
  decisions are taken late, RAMs return garbage on a collision, and the initial state is random. Gap, latency, search
  and memory differ from seed to seed.
- unit_protect: the same of all traces, .walk and .gwt, with cfg_protect 217. The .walk traces also run with another share
  at random times (docs/reference/blocks/segment.md).
- tier_place: GMT's nine applications with three tiers, every policy (docs/reference/blocks/tier_place.md).
- leu_priority, leu_recorded: the paper's examples and the standard schedule, where RTL and C model take the same decisions without lock-step.
- the block tests: the benches at every set of sizes, 10 M random actions a block.

--quick is for every change: `tiny` and `default` with one seed, the first 4000 walks of each .walk trace (at `large` 2000
walks of one trace), and GMT's policies on one trace at `tiny`. Blocks run the sets of `make test`, the whole unit
(tier_random) every set, 120 000 actions each. `make test` has the steps of sim/tests already, so --quick leaves these
out. The page does not change; the folder is build/conformance/quick.

Finished runs are kept in build/conformance/done. A run is repeated only if its program has changed, or with --fresh. The
output has a line a run, one table, and `N passed, N failed`. build/conformance has the table as text, CSV and JSON. With
standard --seeds, --actions and --configs, and without --only, the runs of a test replace those that
docs/reference/signoff/conformance.csv has of the test, and docs/reference/signoff/conformance.md has the sums of that file;
otherwise --doc FILE, if given, has the sums. Exit status 0: no run failed; 1: some runs failed; 2: the script cannot run.
"""
import argparse
import concurrent.futures
import csv
import fcntl
import glob
import hashlib
import json
import os
import random
import resource
import signal
import subprocess
import sys
import textwrap
import time

import block_sim
import tools
from gmt_parts.runs import APPS as GMT

HERE = "build/conformance"
COLUMNS = ["test", "config", "trace", "seed", "events", "decisions", "cycles", "mismatches"]
DOC, KEPT = "docs/reference/signoff/conformance.md", "docs/reference/signoff/conformance.csv"
STANDARD = {"seeds": 3, "actions": 0, "configs": "tiny,default,large"}
QUICK_WALKS, QUICK_LARGE = 4000, 2000


def name_of(job):
    return "-".join(str(job[k]) for k in ("test", "config", "trace", "seed")).replace(" ", ",").replace("=", "")


def sha(*parts):
    h = hashlib.sha256()
    for p in parts:
        h.update(block_sim.read(p) if os.path.exists(p) else p.encode())
    return h.hexdigest()


def row_of(job, events=0, decisions=0, cycles=0, mismatches=0, note=""):
    row = {k: job[k] for k in COLUMNS[:4]}
    row.update(events=events, decisions=decisions, cycles=cycles, mismatches=mismatches, note=note)
    return row


def replay_job(trace, config, seed):
    """A step of sim: its sizes are random, but the same for the same trace, configuration and seed."""
    rng = random.Random("%s %s %d" % (trace, config, seed))
    step = {"kind": "stream", "walks": trace, "frames": rng.choice(["50%", "75%"]), "latency": rng.choice([50, 400, 2000]),
            "gap": rng.choice([1, 4, 24, 60])}
    # a scan takes a cycle a frame and fault: of 256 frames only
    step["search"] = rng.choice(["sample", "scan"]) if config == "tiny" else "sample"
    return {"test": "unit_replay", "config": config, "trace": os.path.basename(trace)[:-5], "seed": seed,
            "describes": {"summary": "conformance", "steps": [step]}}


def protect_job(trace, config, seed, shares):
    rng = random.Random("%s %s %d %d" % (trace, config, seed, shares))
    step = {"kind": "stream", "walks": trace, "frames": rng.choice(["50%", "75%"]), "latency": rng.choice([20, 50, 100]),
            "gap": rng.choice([1, 4, 24]), "search": "sample", "protect": 217, "shares": shares}
    name = os.path.basename(trace).rsplit(".", 1)[0] + (", shares" if shares else "")
    return {"test": "unit_protect", "config": config, "trace": name, "seed": seed, "describes": {"summary": "conformance", "steps": [step]}}


PLACES = ((1, {"full": 0}), (2, {}), (3, {}), (3, {"full": 0}), (4, {}), (4, {"tie": 0}))  # cfg_tier, and what else


def place_job(trace, config, seed, tier, more):
    """Three tiers: Tier 1 a tenth of the pages, at most what the configuration has; Tier 2 four times as large."""
    rng = random.Random("%s %s %d %d" % (trace, config, seed, tier))
    step = {"kind": "stream", "walks": trace, "frames": "10%", "latency": rng.choice([20, 50, 100]), "gap": rng.choice([1, 4, 24]),
            "search": "sample" if tier == 4 else "clock", "tier": tier, "tier2": 4,
            "near": rng.choice([200, 600, 2000]), "far": rng.choice([3000, 10000, 40000]), **more}
    name = "%s, tier %d%s" % (os.path.basename(trace).rsplit(".", 1)[0], tier, "".join(", %s %s" % m for m in more.items()))
    return {"test": "tier_place", "config": config, "trace": name, "seed": seed, "describes": {"summary": "conformance", "steps": [step]}}


def place_jobs(o):
    """GMT's applications, every policy: the committed traces at `tiny`, those of `make gmt-traces`, if they are there, at `default`."""
    jobs = []
    for config in o.configs:
        folder = {"tiny": "sim/traces", "default": "build/gmt/traces"}.get(config, "")
        for trace in sorted(f for name in GMT for f in glob.glob("%s/%s.[wg]*" % (folder, name))):
            limit = {"limit": 500000} if config == "default" else {}
            jobs += [place_job(trace, config, o.seeds, tier, {**more, **limit})
                     for tier, more in PLACES]
    return jobs


def named_job(test, config, seed):
    with open("sim/tests/%s.json" % test, encoding="utf-8") as file:
        return {"test": test, "config": config, "trace": "its own", "seed": seed, "describes": json.load(file)}


def quick_jobs(o):
    """What --quick does, at the configurations that were asked for."""
    walks = sorted(glob.glob("sim/traces/*.walk"), key=os.path.getsize)
    jobs = []
    for config in o.configs:
        jobs += [replay_job(t, config, 1) for t in (walks[:1] if config == "large" else walks)]
        if config != "large":  # FRAME_MEM: no frame is protected
            jobs += [protect_job(t, config, 1, shares) for shares in (0, 5000) for t in walks]
    if "tiny" in o.configs:
        trace = next(t for t in walks if os.path.basename(t)[:-5] in GMT)
        jobs += [place_job(trace, "tiny", 1, tier, more) for tier, more in PLACES]
    for job in jobs:
        job["describes"]["steps"][0]["limit"] = QUICK_LARGE if job["config"] == "large" else QUICK_WALKS
    for test in sorted(glob.glob("sim/tests/*.json")):
        name = os.path.basename(test)[:-5]
        with open(test, encoding="utf-8") as file:
            if "blocks" not in json.load(file):
                continue
        sets = block_sim.sets_of(test, 1, name != "tier_random", block_sim.QUICK)
        for s in sets:
            s.actions = block_sim.QUICK
            jobs.append({"test": name, "config": s.name, "trace": s.block, "seed": 1, "set": s})
    return [j for j in jobs if o.only in name_of(j) and o.test in ("", j["test"])]


def run_sim(job, folder):
    test = folder + "/test.json"
    with open(test, "w", encoding="utf-8") as file:
        json.dump(job["describes"], file)
    status = block_sim.run(["build/sim-" + job["config"], "--test", test, "--out", folder, "--seed", str(job["seed"])],
                           folder + "/log")
    try:
        with open(folder + "/report.json", encoding="utf-8") as file:
            steps = json.load(file)["steps"]
    except (OSError, ValueError):
        steps = []
    total = {k: sum(s[k] for s in steps) for k in ("events", "decisions", "cycles", "mismatches")}
    if status != 0 or not steps:
        total["mismatches"] = max(1, total["mismatches"])
    bad = [s["note"] for s in steps if s["mismatches"]]
    return row_of(job, note=bad[0] if bad else "exit status %d, see %s/log" % (status, folder) if total["mismatches"] else "",
                  **total)


def run_set(job):
    row = job["set"].go()
    return row_of(job, row["actions"], 0, row["cycles"], row["mismatches"], row["note"])


def key_of(job):
    if "set" in job:
        return sha(json.dumps([job["set"].block, job["set"].name, job["set"].actions, job["seed"]]),
                   job["set"].folder + "/key")
    traces = [s["walks"] for s in job["describes"]["steps"] if "walks" in s]
    return sha(json.dumps(job["describes"]), "build/sim-" + job["config"], *traces)


def do(job, fresh, here):
    kept = "%s/done/%s.json" % (here, name_of(job))
    if "set" in job:
        job["set"].build()
    key = key_of(job)
    if not fresh and os.path.exists(kept):
        with open(kept, encoding="utf-8") as file:
            old = json.load(file)
        if old["key"] == key:
            return old["row"], True
    folder = "%s/%s" % (here, name_of(job))
    os.makedirs(folder, exist_ok=True)
    row = run_set(job) if "set" in job else run_sim(job, folder)
    if row["mismatches"] == 0:
        with open(kept + ".new", "w", encoding="utf-8") as file:
            json.dump({"key": key, "row": row}, file)
        os.rename(kept + ".new", kept)
    return row, False


def all_jobs(o):
    jobs = []
    for config in o.configs:
        for seed in range(1, o.seeds + 1):
            jobs += [replay_job(t, config, seed) for t in sorted(glob.glob("sim/traces/*.walk"))]
    walks, gwts = glob.glob("sim/traces/*.walk"), glob.glob("sim/traces/*.gwt")
    for config in o.configs:
        if config != "large":  # FRAME_MEM: no frame is protected
            jobs += [protect_job(t, config, o.seeds, 0) for t in sorted(walks + (gwts if config == "tiny" else []), key=os.path.getsize)]
            jobs += [protect_job(t, config, o.seeds, 5000) for t in sorted(walks)]
    jobs += place_jobs(o)
    for test in sorted(glob.glob("sim/tests/*.json")):
        name = os.path.basename(test)[:-5]
        with open(test, encoding="utf-8") as file:
            described = json.load(file)
        if "blocks" in described:
            for s in block_sim.sets_of(test, o.seeds, False, o.actions):
                jobs.append({"test": name, "config": s.name, "trace": s.block, "seed": o.seeds, "set": s})
        elif "steps" in described:  # `large` takes too long with a scan at every fault
            jobs += [named_job(name, c, o.seeds) for c in o.configs if c != "large"]
        else:
            raise block_sim.Bad('%s: found neither "blocks" nor "steps", expected one of them' % test)
    return [j for j in jobs if o.only in name_of(j) and o.test in ("", j["test"])]


def table(rows):
    width = [max(len(str(r[c])) for r in rows + [dict(zip(COLUMNS, COLUMNS))]) for c in COLUMNS]
    width[1] = min(width[1], 60)
    lines = []
    for r in [dict(zip(COLUMNS, COLUMNS))] + rows:
        cells = [str(r[c]) if len(str(r[c])) <= w else str(r[c])[:w - 3] + "..." for c, w in zip(COLUMNS, width)]
        lines.append("  ".join(c.ljust(w) if i < 3 else c.rjust(w) for i, (c, w) in enumerate(zip(cells, width))).rstrip())
        if r.get("note"):
            lines.append("    " + r["note"])
    return "\n".join(lines)


def keep(rows):
    """ROWS in place of what KEPT has of their tests; returns all of KEPT. Another run may do so at the same time."""
    with open("VERSION", encoding="utf-8") as file:
        release = file.read().strip()
    tests = {r["test"] for r in rows}
    with open(KEPT, "a+", encoding="utf-8", newline="") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.seek(0)
        old = [r for r in csv.DictReader(file) if r["test"] not in tests]
        kept = sorted(old + [{"release": release, **r} for r in rows], key=lambda r: [str(r[k]) for k in COLUMNS[:4]])
        file.truncate(0)
        out = csv.DictWriter(file, ["release"] + COLUMNS, lineterminator="\n", extrasaction="ignore")
        out.writeheader()
        out.writerows(kept)
    return [{**r, **{k: int(r[k]) for k in COLUMNS[4:]}} for r in kept]


def write_doc(path, rows, made_by):
    groups = {}
    for r in rows:
        block = r["test"] not in ("unit_replay", "leu_priority", "leu_recorded") and r["decisions"] == 0
        key = (r["test"], r["trace"] if block else r["config"], block)
        groups.setdefault(key, []).append(r)
    lines = ["# Conformance", "",
             "Figures are made by %s." % made_by,
             "RTL and C model run in lock-step, and every action and every result is compared. If a read of a RAM meets a",
             "write at its address, the read returns garbage (in runs of blocks also the old or the new data). Initial",
             "states are random.", "",
             "| runs of | have |", "|---|---|",
             "| the whole unit | walks at random gaps, a driver of random latency, decisions that are taken late |",
             "| blocks | random actions, at the sets of sizes in `sim/tests/*.json`. One set has the block's main size (as FRAMES) 1; most have"
             " sizes that are no power of two |", "",
             "A row of the whole unit has the runs of recorded traces, and one run of the steps in `sim/tests/TEST.json`. A",
             "row of blocks has a run for each set of sizes; the column names the block whose bench runs. *Shares*:",
             "cfg_protect changes at random times.", "",
             "| test | configuration or block | runs | events or actions | decisions | cycles | mismatches |", "|---|---|---|---|---|---|---|"]
    for (test, what, block), mine in groups.items():
        sums = [sum(r[k] for r in mine) for k in COLUMNS[4:]]
        lines.append("| `%s` | %s | %d%s | %d | %s | %d | %d |" % (
            test, what, len(mine), " sets of sizes" if block else "", sums[0], "" if block else sums[1], sums[2], sums[3]))
    for test in ("unit_replay", "unit_protect"):
        whole = [r for r in rows if r["test"] == test]
        traces = sorted({r["trace"] for r in whole if r["trace"] != "its own"})
        if traces:
            lines += ["", "`%s`'s runs of recorded traces, by trace (without the run of `sim/tests/%s.json`):" % (test, test), "",
                      "| trace | runs | events | decisions | cycles | mismatches |", "|---|---|---|---|---|---|"]
        for trace in traces:
            mine = [r for r in whole if r["trace"] == trace]
            lines.append("| %s | %d | %s |" % (trace, len(mine), " | ".join(str(sum(r[k] for r in mine)) for k in COLUMNS[4:])))
    lines += ["", "%d runs, %d with a mismatch." % (len(rows), sum(r["mismatches"] != 0 for r in rows)), ""]
    tests = sorted(os.path.basename(p)[:-5] for p in glob.glob("sim/tests/*.json"))
    missing = [t for t in tests if t not in {r["test"] for r in rows}]
    if missing:
        lines += textwrap.wrap("Not among these runs: %s." % ", ".join("`%s`" % t for t in missing), 110, break_on_hyphens=False) + [""]
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(lines))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="what every change is to pass: minutes")
    parser.add_argument("--seeds", type=int, default=STANDARD["seeds"], help="runs of each trace (3)")
    parser.add_argument("--actions", type=int, default=STANDARD["actions"], help="random actions a block (10 M)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--configs", default=STANDARD["configs"])
    parser.add_argument("--test", default="", help="runs of this test of sim/tests")
    parser.add_argument("--only", default="", help="runs whose name contains this")
    parser.add_argument("--fresh", action="store_true", help="do all of it again")
    parser.add_argument("--no-doc", action="store_true", help="leave %s and %s" % (KEPT, DOC))
    parser.add_argument("--doc", default="", help="write the sums of these runs there instead")
    o = parser.parse_args()
    standard = not o.quick and not o.only and all(getattr(o, k) == v for k, v in STANDARD.items())
    o.configs = o.configs.split(",")
    os.chdir(block_sim.ROOT)
    signal.signal(signal.SIGTERM, block_sim.stopped)
    signal.signal(signal.SIGINT, block_sim.stopped)
    tools.own_makes()
    here = HERE + "/quick" * o.quick
    os.makedirs(here + "/done", exist_ok=True)
    jobs = quick_jobs(o) if o.quick else all_jobs(o)
    if not jobs:
        raise block_sim.Bad("found no run of test \"%s\" whose name contains \"%s\"" % (o.test, o.only))
    needs = {"build/sim-" + j["config"] for j in jobs if "set" not in j}
    needs |= {"build/c/libbench.a", "build/rtl/libverilated.a", "build/pch/rtl.h.gch"}
    if subprocess.run(["make", "--no-print-directory", "-s", "-j%d" % o.jobs] + sorted(needs), check=False).returncode:
        raise block_sim.Bad("make %s failed" % " ".join(sorted(needs)))
    rows, start = {}, time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(o.jobs) as pool:
        waiting = {pool.submit(do, j, o.fresh, here): n for n, j in enumerate(jobs)}
        try:
            for future in concurrent.futures.as_completed(waiting):
                n = waiting[future]
                rows[n], kept = future.result()
                print("%s%3d/%d  %-70s %s%s" % ("\r" * sys.stderr.isatty(), len(rows), len(jobs), name_of(jobs[n])[:70],
                                             "MISMATCH" if rows[n]["mismatches"] else "ok", " (kept)" * kept), flush=True)
                if sys.stderr.isatty():
                    used = time.monotonic() - start
                    sys.stderr.write("%d %%, about %d s left " % (100 * len(rows) / len(jobs),
                                                                 used * (len(jobs) - len(rows)) / len(rows)))
        except block_sim.Bad:
            for f in waiting:
                f.cancel()
            raise
    rows = [rows[n] for n in range(len(jobs))]
    text = table(rows)
    print("\n" + text)
    with open(here + "/table.txt", "w", encoding="utf-8") as file:
        file.write(text + "\n")
    with open(here + "/table.csv", "w", encoding="utf-8", newline="") as file:
        out = csv.DictWriter(file, COLUMNS + ["note"])
        out.writeheader()
        out.writerows(rows)
    with open(here + "/table.json", "w", encoding="utf-8") as file:
        json.dump(rows, file, indent=1)
    if o.doc:
        write_doc(o.doc, rows, "`scripts/conformance.py`: %d seeds, %s" % (o.seeds, ", ".join(o.configs)))
    elif standard and not o.no_doc:
        kept = keep(rows)
        releases = sorted({r["release"] for r in kept})
        write_doc(DOC, kept, "`make signoff PARTS=conformance`, release %s, run by run in\n[conformance.csv](conformance.csv)"
                  % " and ".join(releases))
    failed = sum(r["mismatches"] != 0 for r in rows)
    print("text, CSV and JSON: %s/table.*" % here)
    usage = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    print("%.1f minutes, %.1f of a processor" % ((time.monotonic() - start) / 60, sum(u.ru_utime + u.ru_stime for u in usage) / 60))
    print("%d passed, %d failed" % (len(rows) - failed, failed))
    return int(failed > 0)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except block_sim.Bad as bad:
        sys.stderr.write("conformance.py: %s\n" % bad)
        sys.exit(2)
