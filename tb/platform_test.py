#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""platform_test.py [--all [--walks N]]: the SystemC platform (docs/guide/platform.md) against closed formulas, against `gmmu replay`, and the RTL
against its twin, by its streams and behind registers and rings. Prints a line a check; exit status 1 if one fails. --all: RTL and twin on every
recorded trace at `tiny` and on five at `default`, behind rings on three, whole (hours) or the first N walks of each; else on the beginnings of two.
"""
import argparse
import csv
import glob
import heapq
import io
import json
import math
import os
import random
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LT, GMMU = "build/platform", "build/gmmu"
TEN = ["spmv.walk", "kmeans.walk", "hotspot.walk", "srad_v2.walk", "b+tree.gwt", "sad.gwt", "histo.gwt", "nw.gwt", "lavamd.gwt", "stencil.gwt"]
UVM = ["uvm:chunk=4", "uvm:chunk=16:prefetch=none", "uvm:order=access"]
OBEY = ["lru", "opt", "fifo", "lfu", "2q", "arc", "lirs", "clockpro", "sieve", "s3fifo", "clock", "random", "srrip", "hpe", "leu-exact", "hinted", "bam"]
TRACES = ["sim/traces/spmv.walk", "sim/traces/kmeans.walk", "sim/traces/bfs.walk"]
failures = 0
FRAMES = {}


def expect(what, found, wanted):
    global failures
    good = found == wanted
    print("ok    " + what if good else "FAIL  %s: found %s, expected %s" % (what, found, wanted), flush=True)
    failures += not good


DECIDED, ARRIVAL = ["--set", "run.timeline=decided", "--set", "driver.page=0 us"], []  # arrival is the default


def start(args, program=LT, timeline=ARRIVAL):
    return subprocess.run([program] + timeline + [str(a) for a in args], capture_output=True, text=True)


def decided(*args, program=LT):
    """A run in the timeline whose decisions are those of the replay."""
    return run(*args, program=program, timeline=DECIDED)


def run(*args, program=LT, timeline=ARRIVAL):
    done = start(list(args) + ["--format", "json"], program, timeline)
    if done.returncode != 0:
        raise RuntimeError("%s %s: %s" % (program, " ".join(map(str, args)), done.stderr.strip()))
    return json.loads(done.stdout)


def ps(microseconds):
    """Exact: the text has six digits behind the point."""
    return round(microseconds * 1e6)


def replay(trace, policy, *more):
    done = subprocess.run([GMMU, "replay", trace, "--policy", policy, "--format", "csv"] + list(more), capture_output=True, text=True, check=True)
    return {k: int(v) for k, v in next(csv.DictReader(io.StringIO(done.stdout))).items() if k not in ("trace", "policy")}


# the parameters of config/platform.json in picoseconds, for pages of 4096 bytes
WALK, THINK, FAULT, BLOCK, PAGE, PREFETCHED, LINK, HOST, SSD = 68000, 1000000, 20000000, 10000000, 1000000, 150000, 500000, 100000, 130000000


def page(bytes_per_s):
    return -(-4096 * 10**12 // bytes_per_s)


def one_warp():
    """No overlap: the run takes the sum of all latencies."""
    wire, dram, read, write = page(15750000000), page(38400000000), page(3500000000), page(3300000000)
    for trace in TRACES:
        for policy in ("unit", "lru", "opt"):
            r = decided(trace, "--policy", policy, "--set", "gpu.warps=1")
            comes = HOST + dram + LINK + wire
            leaves = LINK + wire + HOST + dram
            sum_ = r["walks"] * WALK + (r["walks"] - 1) * THINK + r["faults"] * (FAULT + comes) + r["writebacks"] * leaves
            expect("%s, %s, one warp: run time is the sum of latencies" % (trace, policy), ps(r["run_us"]), sum_)
            r = decided(trace, "--policy", policy, "--set", "gpu.warps=1", "--set", "driver.replay=page")
            expect("%s, %s, one warp, by page: the same" % (trace, policy), ps(r["run_us"]), sum_)
        r = decided(trace, "--policy", "bam", "--set", "gpu.warps=1", "--frames", "50%", "--tier2", "1x")
        comes = SSD + read + LINK + wire
        leaves = LINK + wire + SSD + write
        sum_ = r["walks"] * WALK + (r["walks"] - 1) * THINK + r["faults"] * (FAULT + comes) + r["writebacks"] * leaves
        expect("%s, bam, one warp, SSD: the same" % trace, ps(r["run_us"]), sum_)


def counts():
    """Decisions are those of the replay, and the bytes are those of their pages."""
    for trace in TRACES:
        for policy, name in [("unit", "leu")] + [(name, name) for name in (*OBEY, "leu2", "leu-host", "uvm:chunk=64:prefetch=none")]:
            r, w = decided(trace, "--policy", name if policy != "unit" else "unit"), replay(trace, name, "--frames", "50%")
            for key in ("frames", "faults", "cold", "evictions", "writebacks", "distinct"):
                expect("%s, %s: %s as gmmu replay" % (trace, policy, key), r[key], w[key])
            expect("%s, %s: bytes to the GPU" % (trace, policy), r["bytes_to_gpu"], 4096 * r["faults"])
            expect("%s, %s: bytes to the host" % (trace, policy), r["bytes_to_host"], 4096 * r["writebacks"])
        for policy in ("tier", "gmt-reuse", "gmt-tierorder"):
            tiers = ["--frames", "10%", "--tier2", "4x"]
            r, w = decided(trace, "--policy", policy, *tiers), replay(trace, policy, *tiers)
            for key in ("tier2_hits", "tier2_puts", "tier3_writes", "faults"):
                expect("%s, %s: %s as gmmu replay" % (trace, policy, key), r[key], w[key])
            expect("%s, %s: bytes that the SSD reads" % (trace, policy), r["ssd_read_bytes"], 4096 * w["tier3_reads"])
            expect("%s, %s: bytes that it writes" % (trace, policy), r["ssd_write_bytes"], 4096 * w["tier3_writes"])
            expect("%s, %s: bytes to the GPU" % (trace, policy), r["bytes_to_gpu"], 4096 * w["faults"])


def drivers():
    """Behind the unit's packets: HPE's chain and the RIMM host move the pages that the policies of replay move; so does Tier 2 of the unit."""
    tiers = ["--frames", "10%", "--tier2", "4x"]
    for trace in TRACES:
        own = decided(trace)
        for driver, policy in (("hpe", "hpe"), ("rimm", "leu-host")):
            a, b = decided(trace, "--driver", driver), decided(trace, "--policy", policy)
            expect("%s, driver %s: pages, times as policy %s" % (trace, driver, policy), (a["moves"], a["run_us"]), (b["moves"], b["run_us"]))
            expect("%s, driver %s: not the unit's victims" % (trace, driver), a["moves"] != own["moves"], True)
        for search in ("sample", "clock"):
            a, b = decided(trace, "--search", search), decided(trace, "--policy", "leu:search=" + search)
            expect("%s, unit, search %s: pages as policy leu" % (trace, search), a["moves"], b["moves"])
        seen = set()
        for place in ("order", "random", "priority"):
            a, b = decided(trace, "--place", place, *tiers), decided(trace, "--policy", "tier:place=" + place, *tiers)
            for key in ("moves", "run_us", "tier2_hits", "tier2_puts", "tier3_writes", "ssd_read_bytes"):
                expect("%s, unit with tiers, %s: %s as policy tier" % (trace, place, key), a[key], b[key])
            seen.add(a["moves"])
        expect("%s: the places differ" % trace, len(seen), 3)
    # the driver's model hears records, policy tier's all accesses: its registers are others, and set
    reuse, fixed = decided(TRACES[2], "--place", "reuse", *tiers), decided(TRACES[2], "--place", "order", *tiers)
    expect("%s, reuse: the driver's model is at work" % TRACES[2], reuse["moves"] != fixed["moves"], True)


def pins():
    """A page on its way may not leave, whatever the quantum."""
    trace = "sim/traces/hotspot.walk"
    free, pinned = decided(trace), decided(trace, "--set", "driver.pin=yes")
    expect("without pins pages leave before they came", free["hasty"] > 0, True)
    expect("with pins none does", pinned["hasty"], 0)
    expect("and others leave", free["moves"] != pinned["moves"], True)
    for quantum in ("1 ns", "1 ms"):
        expect("pins, quantum of %s: the same run" % quantum, decided(trace, "--set", "driver.pin=yes", "--set", "run.quantum=" + quantum), pinned)
    for driver in ("unit", "rimm"):  # more warps than frames: half of the frames at most are pinned
        r = decided(trace, "--driver", driver, "--set", "driver.pin=yes", "--frames", 40)
        expect("pins of more pages than there are frames, %s: the run ends" % driver, r["walks"], pinned["walks"])
    one = [decided(trace, "--set", "gpu.warps=1", *more)["moves"] for more in ([], ["--set", "driver.pin=yes"])]
    expect("one warp: nothing is on its way at a fault", one[0], one[1])


def little():
    """In every queue, of many warps and slow parts."""
    for more in ([], ["--set", "driver.replay=page"], ["--set", "link.bandwidth=300 MB/s"], ["--set", "walkers.count=2", "--set", "gpu.think=10 ns"]):
        r = decided(TRACES[2], "--policy", "lru", *more)
        worst = max(v for k, v in r.items() if k.endswith(".little"))
        expect("Little's law within 1 %%, %s" % " ".join(more), worst < 0.01, True)
        expect("walkers: %s" % " ".join(more), r["walks.n"], r["walks"])
        expect("every stall has its fault: %s" % " ".join(more), r["stalled_warps.n"], r["faults"] + r["joined"])


def invariance():
    """What must not change a result, and what no memory and all memory are worth."""
    base = decided(TRACES[2], "--policy", "lru")
    for quantum in ("1 ns", "1 ms"):
        r = decided(TRACES[2], "--policy", "lru", "--set", "run.quantum=" + quantum)
        expect("quantum of %s: the same run" % quantum, r, base)
    for trace in TRACES:
        for warps in (1, 7, 64):
            r = decided(trace, "--policy", "none", "--set", "gpu.warps=%d" % warps)
            turns = -(-r["walks"] // warps)
            expect("%s, %d warps, all pages there: the fault-free time" % (trace, warps), ps(r["run_us"]), turns * WALK + (turns - 1) * THINK)
        free = decided(trace, "--policy", "none", "--set", "gpu.warps=1")
        all_ = decided(trace, "--policy", "lru", "--frames", "100%", "--set", "gpu.warps=1", "--set", "driver.fault=0 s", "--set", "link.latency=0 s",
                   "--set", "unit.decision=0 s", "--set", "host.latency=0 s", "--set", "link.bandwidth=1000000 GB/s", "--set", "host.bandwidth=1000000 GB/s")
        expect("%s, infinite memory, faults for nothing: the fault-free time but for 10 ps a cold page" % trace,
               ps(all_["run_us"]) - ps(free["run_us"]), 10 * all_["cold"])
        expect("%s, infinite memory: nothing leaves" % trace, (all_["evictions"], all_["bytes_to_host"]), (0, 0))
        a = decided(trace, "--policy", "unit", "--set", "gpu.warps=1")
        b = decided(trace, "--policy", "unit", "--set", "gpu.warps=500", "--set", "driver.replay=page", "--set", "driver.fault=1 us")
        expect("%s: decisions do not depend on times" % trace, a["digest"], b["digest"])


def parameters(folder):
    def bad(what, *args, wanted=None):
        for timeline in (DECIDED, ARRIVAL) if wanted is None else (ARRIVAL,):
            done = start(args, timeline=timeline)
            expect("%s: status, lines of message" % what, (done.returncode, done.stderr.count("\n"), done.stdout), (2, 1, ""))
            expect("%s: expected what, as the message says" % what, wanted is None or wanted in done.stderr, True)
    trace = TRACES[0]
    with open("config/platform.json", encoding="utf-8") as f:
        good = json.load(f)
    for what, setting in (("negative", "gpu.think=-1 us"), ("zero bandwidth", "link.bandwidth=0 GB/s"), ("unknown key", "gpu.wraps=1"),
                          ("missing unit", "driver.fault=20"), ("wrong unit", "driver.fault=20 GB/s"), ("no warps", "gpu.warps=0"),
                          ("half a warp", "gpu.warps=1.5"), ("no number", "gpu.warps=many"), ("nothing", "gpu.warps="), ("no =", "gpu.warps"),
                          ("endless", "driver.fault=inf s"), ("a word", "driver.replay=never"), ("no quantum", "run.quantum=0 s")):
        bad("parameter: " + what, trace, "--set", setting)
    for what, args in (("rows", [trace]), ("help", ["--help"])):
        with open("/dev/full", "w", encoding="utf-8") as full:
            done = subprocess.run([LT, *args], stdout=full, stderr=subprocess.PIPE, text=True)
        expect("%s on a full disk: status, message" % what, (done.returncode, done.stderr.splitlines()[-1]),
               (2, "platform: standard output: cannot be written"))
    done = start([trace, "--timeline", "/dev/full"])
    expect("a time line on a full disk: status, message", (done.returncode, done.stderr.splitlines()[-1]),
           (2, "platform: /dev/full: cannot be written"))
    # a batch of one has one page, also where others wait for the same
    joined = os.path.join(folder, "joined.walk")
    with open(joined, "w", encoding="utf-8") as f:
        f.write("# gmmu-walk 1 page_shift=12\n" + "1,0x10,r\n" * 3)
    r = decided(joined, "--policy", "lru", "--frames", "2", "--set", "walkers.count=1", "--set", "driver.batch=1")
    expect("joined walks: batches, pages of a batch", (r["batches"], r["pages_per_batch"]), (1, 1))
    done = start([trace, "--policy", "uvm:chunk=64"], timeline=DECIDED)
    expect("decided, a policy that prefetches pages without a walk: status, lines of message", (done.returncode, done.stderr.count("\n")), (2, 1))
    def file(change):
        p = json.loads(json.dumps(good))
        change(p)
        path = os.path.join(folder, "p.json")
        with open(path, "w", encoding="utf-8") as f:
            json.dump(p, f)
        return path
    for what, change in (("unknown key", lambda p: p["gpu"].update(wraps=[1, "x"])), ("unknown group", lambda p: p.update(cpu={"n": [1, "x"]})),
                         ("missing key", lambda p: p["ssd"].pop("read")), ("missing group", lambda p: p.pop("ssd")),
                         ("no source", lambda p: p["gpu"].update(warps=[64])), ("empty source", lambda p: p["gpu"].update(warps=[64, ""])),
                         ("a number for a time", lambda p: p["gpu"].update(think=[1, "x"])),
                         ("a text for a count", lambda p: p["gpu"].update(warps=["64", "x"])),
                         ("a negative count", lambda p: p["gpu"].update(warps=[-64, "x"])), ("no object", lambda p: p.update(gpu=3))):
        bad("parameter file: " + what, trace, "--parameters", file(change))
    for what, text in (("empty", ""), ("a list", "[]"), ("no JSON", "{"), ("a key twice", '{"gpu": {}, "gpu": {}}')):
        path = os.path.join(folder, "t.json")
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)
        bad("parameter file: " + what, trace, "--parameters", path)
    bad("parameter file: none there", trace, "--parameters", folder + "/nonesuch.json")
    for args in ([], ["x.walk"], [trace, trace], [trace, "--policy", "nonesuch"], [trace, "--policy", "lru:x=1"], [trace, "--policy", "vmin"],
                 [trace, "--frames", "0"], [trace, "--frames", "-1"], [trace, "--frames", "x"], [trace, "--frames", "50%%"], [trace, "--frames", "1.5"],
                 [trace, "--tier2", "x"], [trace, "--policy", "lru", "--driver", "hpe"], [trace, "--driver", "x"], [trace, "--place", "order"],
                 [trace, "--search", "x"], [trace, "--policy", "lru", "--search", "scan"],
                 [trace, "--tier2", "1x", "--place", "x"], [trace, "--driver", "rimm", "--tier2", "1x"], [trace, "--tier2", "1x", "--config", "large"],
                 [trace, "--policy", "lru", "--set", "driver.pin=yes"], [trace, "--driver", "hpe", "--set", "driver.pin=yes"], [trace, "--policy", "tier"],
                 [trace, "--model", "rtl"], [trace, "--model", "x"], [trace, "--format", "x"],
                 [trace, "--config", "x"], [trace, "--walks", "0"], [trace, "--nonesuch", "1"], [trace, "--frames"], ["-", "--policy", "opt"],
                 ["-", "--policy", "opt", "--distinct", "9"], [trace, "--distinct", "0"], [trace, "--distinct", "3300000000"],
                 [trace, "--timeline", folder + "/none/such"]):
        bad("arguments " + " ".join(args), *args)
    for args, wanted in ((["--tier2", "1x", "--place", "reuse"], "run.timeline=decided"), (["--driver", "hpe"], "run.timeline=decided"),
                         (["--set", "driver.pin=yes"], "run.timeline=decided"), (["--set", "driver.replay=page"], "run.timeline=decided"),
                         (["--policy", "osl"], "run.timeline=decided"), (["--policy", "leu2"], "pages that may not leave"),
                         (["--set", "unit.fresh=32"], "at most 31"), (["--set", "unit.ahead=300", "--frames", "1000"], "a quarter of the 1000 frames"),
                         (["--policy", "uvm", "--tier2", "1x"], "run.timeline=decided"), (["--policy", "uvm", "--set", "unit.ahead=1"], "unit.ahead=0"),
                         (["--policy", "uvm:chunk=3"], "a power of two"),
                         (["--page", "2K"], "from the trace's 4096"), (["--page", "12K"], "a power of two in bytes"), (["--page", "x"], "a power of two"),
                         (grain("2 KiB"), "at least a page, 4096 bytes"), (grain("16 MiB"), "at most memory, 536 pages"), (grain("12 KiB"), "a power of two"),
                         (grain("64"), "at least a page"), (grain("many"), "page, or a power of two"), (grain("64 KiB", "driver.big=page"), "a power of two"),
                         (grain("64 KiB") + ["--tier2", "1x"], "with --tier2"), (grain("64 KiB") + ["--policy", "uvm:chunk=4"], "one of the two sizes"),
                         (grain("64 KiB", "unit.ahead=9"), "a quarter of the 33 frames"), (grain("64 KiB", "run.timeline=decided"), "expected page"),
                         (grain("64 KiB", "driver.prefetch=all"), "tbn|none"), (grain("64 KiB", "driver.clean=no"), "copied|dropped"),
                         (["--set", "driver.fair=100"], "at most 99"), (["--set", "driver.fair=1", "--set", "gpu.sms=65537"], "65536 SMs"),
                         (["--set", "driver.fair=25", "--set", "run.timeline=decided"], "expected 0"),
                         (grain("64 KiB", "driver.fair=25"), "memory in chunks"), (["--policy", "uvm", "--set", "driver.fair=25"], "memory in chunks"),
                         (["--policy", "hinted", "--set", "unit.ahead=0", "--set", "driver.replay=never"], "batch|page|block|once")):
        bad("by arrival, " + " ".join(args), trace, *args, wanted=wanted)


def pipe():
    """A pipe whose number of pages is known: the same run, read once. Another number is found at the end."""
    trace = TRACES[0]
    for policy in ("unit", "lru", "uvm"):
        r = run(trace, "--policy", policy)
        args = ["-", "--policy", policy, "--format", "json", "--distinct"]
        with open(trace, encoding="utf-8") as f:
            done = subprocess.run([LT] + args + [str(r["distinct"])], stdin=f, capture_output=True, text=True, check=True)
        # pages are numbered as they come, not in the trace's order, and a digest is of numbers
        same = [k for k in r if k not in ("trace", "moves")]
        expect("a pipe with --distinct, %s" % policy, {k: json.loads(done.stdout)[k] for k in same}, {k: r[k] for k in same})
        with open(trace, encoding="utf-8") as f:
            done = subprocess.run([LT] + args + [str(r["distinct"] + 1)], stdin=f, capture_output=True, text=True, check=False)
        expect("another number of pages, %s: status and output" % policy, (done.returncode, done.stdout), (2, ""))
        expect("another number of pages, %s: the message" % policy, done.stderr.splitlines()[-1:],
               ["platform: --distinct: found %d, expected %d, the pages of -" % (r["distinct"] + 1, r["distinct"])])


def watchdog():
    """What is lost is found, and who waits for whom is named."""
    for lost, who in (("--lose-copy", "waits for"), ("--lose-batch", "the driver itself"), ("--lose-resume", "warps are stalled; warp"),
                      ("--lose-decision", "waits for the unit's decisions on 1 faults")):
        for replay_by in ("batch", "page"):
            warps = "1" if lost == "--lose-decision" else "64"
            done = start([TRACES[2], "--policy", "lru", lost, "5", "--set", "driver.replay=" + replay_by, "--set", "gpu.warps=" + warps], timeline=DECIDED)
            expect("%s, %s: status" % (lost, replay_by), done.returncode, 1)
            expect("%s, %s: watchdog names who" % (lost, replay_by), "watchdog" in done.stderr and who in done.stderr, True)
    for timeline in (DECIDED, ARRIVAL):
        done = start([TRACES[2], "--policy", "lru"], timeline=timeline)
        expect("nothing lost: the watchdog is silent", (done.returncode, "watchdog" in done.stderr), (0, False))
    for lost, who in (("--lose-copy", "1 pages from the dma"), ("--lose-batch", "the driver itself"), ("--lose-resume", "the warp waits for a replay"),
                      ("--lose-decision", "waits for the unit's decision on page 0xb51 of address space 0")):
        for policy in ("unit", "lru"):
            for replay_by in ("batch", "block", "once"):
                done = start([TRACES[2], "--policy", policy, lost, "5", "--set", "driver.replay=" + replay_by, "--set", "gpu.warps=1"])
                expect("by arrival, %s, %s, %s: status" % (lost, policy, replay_by), done.returncode, 1)
                expect("by arrival, %s, %s, %s: watchdog names who" % (lost, policy, replay_by), "watchdog: nothing went on" in done.stderr and who in
                       done.stderr and "warp 0, walk 5, waits for page 0xb51 of address space 0" in done.stderr, True)
    # the faults of 300 warps hold all that the unit has room for, and the driver serves none of them
    crowd = [TRACES[0], "--config", "tiny", "--frames", 100, "--walks", 1000, "--set", "gpu.frames_per_warp=0", "--set", "gpu.warps=300", "--set",
             "driver.replay=block", "--set", "driver.batch=4", "--set", "driver.block=0 s", "--set", "driver.page=0 s", "--set", "run.watchdog=10 ms"]
    found = run(*crowd)
    expect("a batch without a frame takes other pages", found["others"] > 0, True)
    done = start(crowd + ["--lose-others", "1"])
    expect("livelock: status", done.returncode, 1)
    expect("livelock: watchdog names who", "watchdog: no access ended, by " in done.stderr and "replays of the GPU, for 10 ms" in done.stderr and
           "of 300 warps are stalled; warp" in done.stderr, True)


def formats(folder):
    path = os.path.join(folder, "timeline.json")
    r = decided(TRACES[0], "--policy", "lru", "--series", "1", "--timeline", path)
    expect("series of a queue", len(r["stalled_warps.series"]) > 10, True)
    with open(path, encoding="utf-8") as f:
        events = json.load(f)["traceEvents"]
    expect("timeline: a begin and an end a copy", sum(e["ph"] == "b" for e in events), r["faults"] + r["writebacks"])
    expect("timeline: a slice a batch", sum(e["ph"] == "X" for e in events), r["batches"])
    row = next(csv.DictReader(io.StringIO(start([TRACES[0], "--policy", "lru", "--format", "csv"], timeline=DECIDED).stdout)))
    expect("CSV has what JSON has", [row[k] for k in ("run_us", "faults")], ["%.6f" % r["run_us"], str(r["faults"])])
    table = start([TRACES[0], "--policy", "lru"], timeline=DECIDED).stdout
    expect("table has the run time", "%.6f" % r["run_us"] in table, True)


def copies(folder):
    """Each copy ends when a model of the queues says, which gets their begins; copies of a page follow each other."""
    path, wire, dram = os.path.join(folder, "copies.json"), page(2000000000), page(2500000000)
    for trace in TRACES[1:]:
        for more in ([], ["--set", "driver.batch=4"], ["--set", "gpu.warps=500", "--set", "driver.fault=1 us", "--frames", "64"]):
            for replay_by, timeline in (("batch", DECIDED), ("page", DECIDED), ("batch", ARRIVAL), ("block", ARRIVAL)):
                what = "%s, by %s, %s%s" % (trace, replay_by, " ".join(more), "" if timeline == DECIDED else " by arrival")
                run(trace, "--policy", "lru", "--timeline", path, "--set", "driver.replay=" + replay_by, "--set", "link.bandwidth=2 GB/s", "--set",
                    "host.bandwidth=2.5 GB/s", *more, timeline=timeline)
                with open(path, encoding="utf-8") as f:
                    events = [e for e in json.load(f)["traceEvents"] if e["ph"] in "be"]
                begin, end = ({e["id"]: ps(e["ts"]) for e in events if e["ph"] == ph} for ph in "be")
                page_of, comes = ({e["id"]: e[key] for e in events} for key in ("name", "tid"))
                # (latency, time of a page) of the pipes, and which ones a copy takes in each direction
                pipes = {"to_gpu": (LINK, wire), "to_host": (LINK, wire), "host": (HOST, dram)}
                ways = {3: ("host", "to_gpu"), 2: ("to_host", "host")}
                free, found, agenda = dict.fromkeys(pipes, 0), {}, [(at, i, 0) for i, at in begin.items()]
                heapq.heapify(agenda)
                while agenda:
                    at, i, stage = heapq.heappop(agenda)
                    if stage == 2:
                        found[i] = at
                        continue
                    pipe = ways[comes[i]][stage]
                    latency, busy = pipes[pipe]
                    free[pipe] = max(at, free[pipe]) + busy
                    heapq.heappush(agenda, (free[pipe] + latency, i, stage + 1))
                expect("copies end as by a model, " + what, [i for i in end if end[i] != found[i]][:3], [])
                last, early = {}, []
                for i in sorted(begin, key=lambda i: (begin[i], end[i])):
                    early += [i] if begin[i] < last.get(page_of[i], 0) else []
                    last[page_of[i]] = end[i]
                expect("copies of a page follow each other, " + what, early[:3], [])


# ---- by arrival

def came(r):
    """Of one warp: what its faults take, but for victims."""
    return r["faults"] * (FAULT + BLOCK + PAGE + HOST + page(38400000000) + LINK + page(15750000000) + WALK)


def arrival_one_warp():
    """No overlap: the run takes the sum of all latencies, and decides as the replay, as nothing is under way at a fault."""
    leaves = LINK + page(15750000000) + HOST + page(38400000000)
    for trace in TRACES:
        for policy in ["unit"] + OBEY:
            r = run(trace, "--policy", policy, "--set", "gpu.warps=1")
            own = r["walks"] * WALK + (r["walks"] - 1) * THINK
            expect("%s, %s, by arrival, one warp: run time is the sum of latencies" % (trace, policy), ps(r["run_us"]),
                   own + came(r) + r["writebacks"] * leaves)
            w = replay(trace, "leu" if policy == "unit" else policy, "--frames", "50%")
            for key in ("faults", "cold", "evictions", "writebacks"):
                expect("%s, %s, by arrival, one warp: %s as gmmu replay" % (trace, policy, key), r[key], w[key])
        r = run(trace, "--set", "gpu.warps=1")
        expect("%s, by arrival, one warp: decisions as in the other timeline" % trace, r["digest"], decided(trace, "--set", "gpu.warps=1")["digest"])
        for more in ("driver.replay=block", "driver.replay=once"):
            expect("%s, %s, one warp: the same run" % (trace, more), run(trace, "--set", "gpu.warps=1", "--set", more), r)
        slow = run(trace, "--set", "gpu.warps=1", "--set", "unit.decision=50 us")
        expect("%s, by arrival, one warp: a slow decision keeps the driver waiting" % trace, ps(slow["run_us"]),
               ps(r["run_us"]) + r["faults"] * (50000000 - FAULT - BLOCK - PAGE))
        for policy in ("unit", "lru"):  # a victim ahead of need has left before the next fault
            r = run(trace, "--policy", policy, "--set", "gpu.warps=1", "--set", "unit.ahead=4")
            own = r["walks"] * WALK + (r["walks"] - 1) * THINK
            expect("%s, %s, one warp: victims ahead of need lie off the path" % (trace, policy), ps(r["run_us"]), own + came(r))
            expect("%s, %s: all victims leave ahead of need" % (trace, policy), (r["ahead"] > 0, r["ahead"]), (True, r["evictions"]))


def arrival_counts():
    """Bytes are those of the pages that moved; what came, and has not left, fits into memory."""
    for trace in TRACES:
        for more in ([], ["--policy", "lru"], ["--policy", "opt"], ["--policy", "clockpro"], ["--set", "driver.replay=block"],
                     ["--set", "driver.replay=once"], ["--set", "unit.ahead=16"], ["--frames", 20, "--set", "gpu.frames_per_warp=0"],
                     ["--policy", "lirs", "--frames", 20, "--set", "gpu.frames_per_warp=0", "--set", "gpu.warps=300"],
                     ["--config", "tiny", "--frames", 100], ["--config", "tiny", "--frames", 100, "--set", "unit.ahead=8"],
                     ["--set", "driver.fair=25"], ["--policy", "lru", "--set", "driver.fair=50"]):
            what = "%s, by arrival, %s: " % (trace, " ".join(map(str, more)))
            r = run(trace, *more)
            expect(what + "bytes to the GPU", r["bytes_to_gpu"], 4096 * r["fetched"])
            expect(what + "bytes to the host", r["bytes_to_host"], 4096 * r["writebacks"])
            expect(what + "every page came, and memory is not exceeded", (r["cold"], r["fetched"] - r["evictions"] <= r["frames"]), (r["distinct"], True))
            expect(what + "every access ends", r["walks"], decided(trace, "--policy", "lru")["walks"])
            expect(what + "walkers: a walk for each access that is not merged, and for each replay", r["walks.n"], r["walks"] - r["merged"] + r["replayed"])
            expect(what + "Little's law within 1 %", max(v for k, v in r.items() if k.endswith(".little")) < 0.01, True)
            expect(what + "no hit of a page that is not there, no operation refused, no fault behind a FILL", (r["stale_hits"], r["refused"], r["late"]),
                   (0, 0, 0))
            if "tiny" not in more:
                expect(what + "the unit has room for all faults", r["drops"], 0)
            for quantum in ("1 ns", "1 ms"):
                expect(what + "quantum of %s: the same run" % quantum, run(trace, *more, "--set", "run.quantum=" + quantum), r)


TIERS = [["--policy", p] for p in ("bam", "gmt-tierorder", "gmt-random", "gmt-random:full=drop", "gmt-reuse", "gmt-reuse:full=evict")] + [
    ["--place", p] for p in ("order", "random", "priority")]


def arrival_tiers():
    """Three tiers by arrival: one warp moves what the other timeline moves; with many, bytes are those of the pages that moved."""
    for trace in TRACES + ["sim/traces/lavamd.gwt"]:
        for policy in TIERS:
            more = policy + ["--frames", "10%", "--tier2", "4x"]
            what = "%s, three tiers by arrival, %s: " % (trace, " ".join(policy))
            one, of = run(trace, *more, "--set", "gpu.warps=1"), decided(trace, *more)
            for key in ("moves", "faults", "evictions", "tier2_hits", "tier2_puts", "tier3_writes", "ssd_read_bytes", "ssd_write_bytes"):
                expect(what + "one warp: %s as in the other timeline" % key, one[key], of[key])
            r = run(trace, *more)
            expect(what + "bytes to the GPU", r["bytes_to_gpu"], 4096 * r["fetched"])
            expect(what + "bytes of the SSD", (r["ssd_read_bytes"], r["ssd_write_bytes"]), (4096 * (r["fetched"] - r["tier2_hits"]), 4096 * r["tier3_writes"]))
            expect(what + "bytes to the host", 4096 * r["tier2_puts"] <= r["bytes_to_host"] <= 4096 * (r["tier2_puts"] + r["tier3_writes"]), True)
            expect(what + "every page came, and memory is not exceeded", (r["cold"], r["fetched"] - r["evictions"] <= r["frames"]), (r["distinct"], True))
            expect(what + "no hit of a page that is not there, no operation refused", (r["stale_hits"], r["refused"], r["late"]), (0, 0, 0))
            expect(what + "Little's law within 1 %", max(v for k, v in r.items() if k.endswith(".little")) < 0.01, True)
            expect(what + "quantum of 1 ns: the same run", run(trace, *more, "--set", "run.quantum=1 ns"), r)
            alone = run(trace, *more, *sum((["--set", s] for s in (
                "driver.fault=0 us", "driver.block=0 us", "driver.page=0 us", "driver.batch=1", "driver.replay=block", "host.latency=49 us")), []))
            expect(what + "a GPU that serves itself: none refused", (alone["walks"], alone["stale_hits"], alone["refused"]), (r["walks"], 0, 0))
            ahead = run(trace, *more, "--set", "unit.ahead=8")
            expect(what + "victims ahead of need: none refused", (ahead["ahead"] > 0, ahead["stale_hits"], ahead["refused"]), (True, 0, 0))
    # a page that went down can come back before the page that took its frame has come from the SSD
    alone = sum((["--set", s] for s in ("driver.fault=0 us", "driver.block=0 us", "driver.page=0 us", "driver.batch=1", "driver.replay=block")), [])
    unit, policy = (run("sim/traces/bfs.walk", *who, "--frames", "10%", "--tier2", "4x", *alone)["run_us"] for who in (
        ["--search", "clock", "--place", "order"], ["--policy", "gmt-tierorder"]))
    expect("three tiers: the unit by clock and order takes TierOrder's time, %.3f" % (unit / policy), 0.9 < unit / policy < 1.1, True)


def arrival_duel():
    """The duel of shares: protected where this helps, by arrival as in the other timeline."""
    for trace, helps in (("sim/traces/pagerank.gwt", True), ("sim/traces/bfs.walk", True), ("sim/traces/kmeans.walk", None)):
        alone, duel = (run(trace, "--search", "sample", "--driver", d) for d in ("unit", "duel"))
        if helps:
            expect("%s, duel of shares: fewer evictions, less time" % trace, (duel["evictions"] < alone["evictions"], duel["run_us"] < alone["run_us"]),
                   (True, True))
        expect("%s, duel of shares: no operation refused" % trace, (duel["stale_hits"], duel["refused"], duel["drops"]), (0, 0, 0))
        expect("%s, duel of shares, quantum of 1 ns: the same run" % trace, run(trace, "--driver", "duel", "--set", "run.quantum=1 ns"), duel)
        one = run(trace, "--driver", "duel", "--set", "gpu.warps=1")
        expect("%s, duel of shares, one warp: decisions as in the other timeline" % trace, one["digest"], decided(trace, "--driver", "duel")["digest"])


def fair_model(walks, sms, frames):
    """Faults, evictions and PINs of LRU with fair pins, one warp: a quarter of the SMs with refaults is behind."""
    memory, came, count, owner = [], set(), [0] * sms, {}  # memory: last used last
    loose, pinned = [], []  # the page that was put last is last
    most = frames // 2
    spare = (most + 31) // 32
    faults = evictions = pins = refaults = 0
    for page, sm in walks:
        if page in memory:
            memory.remove(page)
            memory.append(page)
            continue
        faults += 1
        victim = None
        if len(memory) == frames:  # the policy decides at the fault, before the driver hears of it
            victim = next(p for p in memory if p not in pinned)
            memory.remove(victim)
            evictions += 1
        if page in came:
            count[sm] += 1
            refaults += 1
            if refaults % (2 * frames) == 0:
                count = [n // 2 for n in count]
        order = sorted(range(sms), key=lambda s: (-count[s], s))
        behind = order[:sum(n != 0 for n in count) * (sms // 4) // sms]
        for p in [p for p in reversed(pinned) if owner[p] not in behind]:
            pinned.remove(p)
            loose.append(p)
        while len(pinned) > most - spare:
            owner.pop(pinned.pop(0))
        for s in behind:
            for p in [p for p in reversed(loose) if owner[p] == s][:most - len(pinned)]:
                loose.remove(p)
                pinned.append(p)
                pins += 1
        if victim in owner:  # the victim, too, was loose: it leaves behind this
            owner.pop(victim)
            (pinned if victim in pinned else loose).remove(victim)
        memory.append(page)
        came.add(page)
        owner[page] = sm
        if sm in behind and len(pinned) < most:
            pinned.append(page)
            pins += 1
        else:
            loose.append(page)
    return faults, evictions, pins


def arrival_fair(folder):
    """The driver pins the pages of SMs behind: with one warp what a literal model pins; with many warps ten traces take less time and evict fewer
    pages, as geometric means; with one SM nothing changes."""
    rng = random.Random(7)
    for _ in range(20):
        frames, pages = rng.choice((40, 48)), rng.choice((60, 72, 140))  # the pages of an SM are fewer than half of the frames, or more
        walks = [(sm * 100 + rng.randrange(pages // 4), sm) for sm in rng.choices(range(4), weights=(6, 3, 2, 1), k=1500)]
        r = run(written(folder, walks), "--policy", "lru", "--frames", frames, "--set", "gpu.warps=1", "--set", "gpu.sms=4", "--set", "driver.fair=25")
        expect("fair pins, one warp, %d frames: faults, evictions and PINs of the model" % frames,
               (r["faults"], r["evictions"], r["pins"], min(r["evictions"], r["pins"]) > 50), fair_model(walks, 4, frames) + (True,))
    trace = "sim/traces/spmv.walk"
    for more in (["--search", "sample"], ["--search", "scan"], ["--policy", "lirs:hir=10"], ["--policy", "lru"]):
        pairs = [[run("sim/traces/" + t, "--frames", "50%", *more, "--set", "driver.fair=%d" % n) for n in (0, 25)] for t in TEN]
        mean = [math.exp(sum(math.log((fair[x] + 1) / (alone[x] + 1)) for alone, fair in pairs) / len(pairs)) for x in ("run_us", "evictions")]
        expect("ten traces, fair pins, %s: less time, fewer evictions, as geometric means" % " ".join(more), [m < 1 for m in mean], [True, True])
        what = "%s, fair pins, %s: " % (trace, " ".join(more))
        for one in ("gpu.sms=1", "gpu.sms=3"):
            alone, fair = (run(trace, *more, "--set", one, "--set", "driver.fair=%d" % n) for n in (0, 25))
            expect(what + "%s: nobody is behind, and nothing changes" % one, fair, alone)
    for policy in TIERS:
        r = run("sim/traces/lavamd.gwt", *policy, "--frames", "10%", "--tier2", "4x", "--set", "driver.fair=25")
        expect("fair pins, three tiers, %s: pages are pinned, and none is refused" % " ".join(policy), (r["pins"] > 0, r["stale_hits"], r["refused"]),
               (True, 0, 0))


def arrival_infinite():
    """With room for all pages each comes once, and none leaves."""
    for trace in TRACES:
        for policy in ("unit", "lru", "opt"):
            for replay_by in ("batch", "block", "once"):
                r = run(trace, "--policy", policy, "--frames", "100%", "--set", "driver.replay=" + replay_by)
                expect("%s, %s, %s, infinite memory: each page comes once, none leaves" % (trace, policy, replay_by),
                       (r["fetched"], r["evictions"], r["bytes_to_host"], r["none"], r["lost"]), (r["distinct"], 0, 0, 0, 0))
        r = run(trace, "--policy", "none", "--set", "gpu.warps=1")
        expect("%s, by arrival, all pages there: the fault-free time" % trace, ps(r["run_us"]), r["walks"] * WALK + (r["walks"] - 1) * THINK)


def written(folder, walks):
    """A trace of WALKS, each a page and an SM."""
    path = os.path.join(folder, "own.walk")
    with open(path, "w", encoding="utf-8") as f:
        f.write("# gmmu-walk 1 page_shift=12\n" + "".join("0x%x,0x10,r,%d\n" % w for w in walks))
    return path


def arrival_gpu(folder):
    """TLBs merge misses of their SM alone, each that waits replays; warps are bounded by frames."""
    comes = HOST + page(38400000000) + LINK + page(15750000000)
    path = written(folder, [(1, 0), (1, 1), (1, 0), (1, 1)])
    for sms, merged in ((2, 2), (1, 3)):
        r = run(path, "--frames", 2, "--set", "gpu.frames_per_warp=0", "--set", "gpu.warps=4", "--set", "gpu.sms=%d" % sms)
        expect("%d TLBs: misses merged, walks of replays, pages" % sms, (r["merged"], r["replayed"], r["joined"], r["fetched"]), (merged, sms, sms - 1, 1))
        expect("%d TLBs: run time" % sms, ps(r["run_us"]), WALK + FAULT + BLOCK + PAGE + comes + WALK)
    # each SM has one warp and two accesses; SM 1 does not wait for SM 0
    path = written(folder, [(1, 0), (2, 0), (1, 1), (2, 1)])
    r = run(path, "--policy", "none", "--set", "gpu.warps=2", "--set", "gpu.sms=2")
    expect("an SM's walks wait for warps of the SM", ps(r["run_us"]), 2 * WALK + THINK)
    r = run(path, "--policy", "none", "--set", "gpu.warps=2", "--set", "gpu.sms=2", "--set", "gpu.window=1")
    expect("a window of one walk: SM 1 waits until SM 0 has begun its second", ps(r["run_us"]), 3 * WALK + 2 * THINK)
    for frames, warps in ((100, 25), (3, 1), (4000, 64)):
        expect("%d frames: warps" % frames, run(TRACES[0], "--frames", frames, "--walks", 100)["warps"], warps)


def arrival_batches(folder):
    """A batch: sorted, each page once, by block, each with its cost; replay policies."""
    pages = [(10 * i) % 301 * 5 for i in range(301)]  # in four blocks of 512 pages; the first one is page 0
    path = written(folder, [(p, 0) for p in pages])
    timeline = os.path.join(folder, "batches.json")
    of = ["--frames", 400, "--set", "gpu.frames_per_warp=0", "--set", "gpu.warps=301", "--set", "gpu.sms=1", "--set", "walkers.count=301",
          "--timeline", timeline]
    r = run(path, *of)
    with open(timeline, encoding="utf-8") as f:
        events = json.load(f)["traceEvents"]
    slices = [(ps(e["ts"]), int(e["name"].split()[0])) for e in events if e["ph"] == "X"]
    expect("batches: the first fault alone, then 256, then the others", [n for _, n in slices], [1, 256, 44])
    begins = sorted((ps(e["ts"]), pages[int(e["name"].split()[1])]) for e in events if e["ph"] == "b")
    expect("each page comes once", len(begins), 301)
    at, wanted, blocks = 0, [], []
    for (begun, n), of_batch in zip(slices, (pages[:1], pages[1:257], pages[257:])):
        at, block = begun + FAULT, None
        blocks.append(len({p // 512 for p in of_batch}))
        for p in sorted(of_batch):
            if p // 512 != block:
                block = p // 512
                at += BLOCK + PAGE * sum(q // 512 == block for q in of_batch)
            wanted.append((at, p))
    expect("copies begin block by block, sorted, when the driver has done its work", sorted(begins), sorted(wanted))
    expect("replays by batch", (r["replays"], r["flushed"], r["replayed_in_vain"]), (3, 300 + 44, 300 + 44))
    r = run(path, *of, "--set", "driver.replay=block")
    expect("replays by block", (r["replays"], r["flushed"]), (sum(blocks), 0))
    r = run(path, *of, "--set", "driver.replay=once")
    expect("replay once", (r["replays"], r["replayed"], r["replayed_in_vain"]), (1, 301, 0))
    # the fourth batch has two pages of two blocks; the first one's replay begins just before the second one is to be served
    path = written(folder, [(p, 0) for p in (0, 512, 1024, 1, 513, 1025)])
    arrives = HOST + page(38400000000) + LINK + page(15750000000)
    expect("a replay begins before the next page is to be served", arrives < 970000 < arrives + WALK, True)
    for more in ([], grain("4 KiB", "driver.big=4 KiB", "driver.clean=dropped")):
        run(path, "--policy", "lru", "--frames", 3, "--set", "gpu.frames_per_warp=0", "--set", "gpu.warps=3", "--set", "gpu.sms=1", "--set",
            "driver.replay=block", "--set", "driver.block=0 s", "--set", "driver.page=970 ns", "--timeline", timeline, *more)
        with open(timeline, encoding="utf-8") as f:
            begins = {e["name"]: ps(e["ts"]) for e in json.load(f)["traceEvents"] if e["ph"] == "b"}
        expect("no victim is unmapped while a replay is under way" + (", chunks" if more else ""), begins["page 5"] - begins["page 4"], arrives + WALK)


def uvm_notes(trace, policy, frames):
    """What `gmmu replay` counts."""
    done = subprocess.run([GMMU, "replay", trace, "--policy", policy, "--frames", str(frames), "--format", "csv", "--notes"], capture_output=True, text=True,
                          check=True)
    row = next(csv.DictReader(io.StringIO(done.stdout)))
    note = next(line for line in done.stderr.split("\n") if line.startswith("note: "))
    return {**{k: int(v) for k, v in row.items() if k not in ("trace", "policy")}, **{k: int(v) for k, v in (x.split("=") for x in note.split()[2:])}}


def arrival_uvm():
    """NVIDIA's driver: one warp moves what the replay moves, in the sum of all latencies; with many warps sums hold, and runs end."""
    wire, dram = page(15750000000), page(38400000000)
    for trace in TRACES:
        base = decided(trace, "--policy", "lru", "--walks", 3000)
        for policy in ("uvm:chunk=64", "uvm:chunk=64:prefetch=none", "uvm:chunk=64:order=access", "uvm", "uvm:prefetch=none"):
            for chunks in (1, 2, 16):
                more = [trace, "--policy", policy, "--frames", chunks * (64 if "chunk" in policy else 512)]
                what = "%s, %s, %d chunks: " % (trace, policy, chunks)
                r, w = run(*more, "--set", "gpu.warps=1"), uvm_notes(trace, policy, more[-1])
                for key, of in [(k, k) for k in ("faults", "cold", "distinct", "evictions", "writebacks", "prefetched", "used", "chunks_out")] + [
                        ("fetched", "in"), ("evictions", "out"), ("bytes_to_gpu", "bytes_in"), ("bytes_to_host", "bytes_out")]:
                    expect(what + "one warp: %s as gmmu replay" % key, r[key], w[of])
                # a page's way through host memory and over the link; of a region the pages follow each other on the link
                own = r["walks"] * WALK + (r["walks"] - 1) * THINK
                expect(what + "one warp: run time is the sum of latencies", ps(r["run_us"]), own + came(r) + r["prefetched"] * (PREFETCHED + wire) +
                       r["chunks_out"] * (LINK + HOST + dram) + r["evictions"] * wire)
                more += ["--walks", 3000, "--set", "gpu.frames_per_warp=0"]
                for by in ("batch", "once"):
                    r = run(*more, "--set", "driver.replay=" + by)
                    expect(what + by + ": bytes", (r["bytes_to_gpu"], r["bytes_to_host"]), (4096 * r["fetched"], 4096 * r["evictions"]))
                    expect(what + by + ": every access ends, and memory is not exceeded",
                           (r["walks"], r["distinct"], 0 <= r["fetched"] - r["evictions"] <= r["frames"]), (base["walks"], base["distinct"], True))
                    expect(what + by + ": walkers", r["walks.n"], r["walks"] - r["merged"] + r["replayed"])
                    expect(what + by + ": Little's law within 1 %", max(v for k, v in r.items() if k.endswith(".little")) < 0.01, True)
                    for quantum in ("1 ns", "1 ms"):
                        expect(what + by + ": quantum of %s: the same run" % quantum,
                               run(*more, "--set", "driver.replay=" + by, "--set", "run.quantum=" + quantum), r)
        for policy in ("uvm", "uvm:prefetch=none"):
            r = run(trace, "--policy", policy, "--frames", 1 << 20)
            want = (True, 0, 0, 0) if policy == "uvm" else (r["fetched"] == r["distinct"], 0, 0, r["prefetched"])
            expect("%s, %s, infinite memory: each page comes once, none leaves" % (trace, policy),
                   (r["distinct"] <= r["fetched"] == r["prefetched"] + r["cold"], r["evictions"], r["bytes_to_host"], 0), want)
    # a replay after each block, with faults that take next to no time: chunks leave before the replay that they came for
    done = start([TRACES[1], "--policy", "uvm:chunk=64", "--frames", 17, "--walks", 1500, "--set", "run.watchdog=10 ms", "--set", "gpu.frames_per_warp=0",
                  "--set", "gpu.warps=3", "--set", "gpu.sms=1", "--set", "driver.replay=block", "--set", "driver.batch=7", "--set", "driver.fault=1 us",
                  "--set", "driver.block=0 s", "--set", "driver.prefetched=0 s"])
    expect("uvm, replays by block, one chunk: the watchdog names the livelock", (done.returncode, "watchdog: no access ended, by " in done.stderr), (1, True))


def uvm_model(pages, chunk, slots, alone):
    """The rules of docs/reference/policies.md, page by page, for warps of one SM that ask for PAGES once. Returns what moves for each block of each batch:
    the block's pages in the batch, the pages that come, the pages that leave."""
    used, resident, steps, waiting, batch = [], {}, [], list(pages), pages[:1]
    while waiting:
        steps.append([])
        for block in sorted({p // chunk for p in batch}):
            faulted, have = sorted(p for p in batch if p // chunk == block), set(resident.get(block, ()))
            come = set(faulted)
            if not alone:
                big = max(1, chunk // 32)
                tree = have | {q for p in faulted for q in range(p // big * big, p // big * big + big)}
                for p in faulted:
                    size = max(n for n in (1 << i for i in range(20)) if n <= chunk and 100 * sum(q // n == p // n for q in tree) > 51 * n)
                    come |= set(range(p // size * size, p // size * size + size)) - have
            out = ()
            if block not in resident and len(used) == slots:
                out = resident.pop(used.pop(0))
            used = [b for b in used if b != block] + [block]
            resident[block] = have | come
            steps[-1].append((faulted, sorted(come), sorted(out)))
        there = set().union(*resident.values())
        waiting = [p for p in waiting if p not in there]
        batch = waiting[:256]
    return steps


def arrival_uvm_batches(folder):
    """NVIDIA's driver moves, batch by batch, what a literal model moves; copies begin when the driver has done its work, and wait for what leaves."""
    rng, timeline = random.Random(5), os.path.join(folder, "uvm.json")
    pages = [0] + rng.sample(range(1, 2560), 300)
    wire, dram = page(15750000000), page(38400000000)
    keys = ("driver.fault", "driver.block", "driver.page", "driver.prefetched")
    slow, fast = (FAULT, BLOCK, PAGE, PREFETCHED), (1000, 0, 0, 0)  # fast: what leaves is on its way
    # in fault order 2, 1; in the batch 1, 2, and so in memory: 1 leaves for 3, although the replay asks for 2 before 1
    order = written(folder, [(p, 0) for p in (9, 2, 1, 3, 2, 2)])
    r = run(order, "--policy", "uvm:chunk=1:order=access", "--frames", 2, "--set", "gpu.frames_per_warp=0", "--set", "gpu.warps=3", "--set", "gpu.sms=1",
            "--set", "gpu.think=100 us")
    expect("uvm, order=access: a replay is no access", (r["batches"], r["faults"], r["evictions"]), (3, 4, 2))
    path = written(folder, [(p, 0) for p in pages])
    for alone, costs in ((False, slow), (True, slow), (False, fast), (True, fast)):
        fault, block, each, prefetched = costs
        for slots in (1, 2, 5, 16, 40):
            policy = "uvm:chunk=64" + (":prefetch=none" if alone else "")
            what = "batches, %s, %d chunks, %d ps a batch: " % (policy, slots, fault)
            r = run(path, "--policy", policy, "--frames", slots * 64, "--set", "gpu.frames_per_warp=0", "--set", "gpu.warps=301", "--set", "gpu.sms=1", "--set",
                    "walkers.count=301", "--timeline", timeline, *(x for pair in zip(keys, costs) for x in ("--set", "%s=%d ps" % pair)))
            with open(timeline, encoding="utf-8") as f:
                events = json.load(f)["traceEvents"]
            batches = [(ps(e["ts"]), int(e["name"].split()[0])) for e in events if e["ph"] == "X"]
            steps = uvm_model(pages, 64, slots, alone)
            expect(what + "pages of each batch", [n for _, n in batches], [sum(len(f) for f, _, _ in s) for s in steps])
            number = {p: i for i, p in enumerate(pages)}  # prefetched pages get theirs as they come
            begin, end = ({e["id"]: ps(e["ts"]) for e in events if e["ph"] == ph} for ph in "be")
            found = {}
            for e in events:
                if e["ph"] == "b":
                    found.setdefault((int(e["name"].split()[1]), e["tid"] == 3), []).append((begin[e["id"]], end[e["id"]]))
            for moves in found.values():
                moves.sort()
            wrong, late, left = [], 0, 0
            for (at, _), step in zip(batches, steps):
                at += fault
                for faulted, come, out in step:
                    at += block + each * len(faulted) + prefetched * (len(come) - len(faulted))
                    began = at
                    for p in out:  # with its way in, if the page is on it
                        b, e = found[number[p], False].pop(0)
                        wrong += [p] if b < at else []
                        late += b > at
                        began, left = max(began, e), left + 1
                    for p in come:
                        b, e = found[number.setdefault(p, len(number)), True].pop(0)
                        wrong += [p] if b != began or e < b + HOST + dram + LINK + wire else []
            expect(what + "copies begin when they may", wrong[:3], [])
            expect(what + "nothing else moves", sum(map(len, found.values())), 0)
            expect(what + "pages that leave before they came wait", late > 0, costs == fast and slots < 40)
            expect(what + "pages that left, that came", (r["evictions"], r["fetched"]), (left, sum(len(c) for s in steps for _, c, _ in s)))


def grain(size, *more):
    return sum((["--set", x] for x in ("driver.grain=" + size,) + more), [])


def arrival_chunks(folder):
    """At the driver's grain: chunks of a page are pages, one warp decides as the replay on larger pages, sums hold, and runs end."""
    wire, dram = page(15750000000), page(38400000000)
    crowd = ["--config", "tiny", "--frames", 100, "--walks", 1000] + sum((["--set", x] for x in (
        "gpu.frames_per_warp=0", "gpu.warps=300", "driver.replay=block", "driver.batch=4", "driver.block=0 s", "driver.page=0 s")), [])
    for trace in TRACES:
        for more in (["--policy", "lru"], ["--policy", "opt"], ["--policy", "clockpro"], [], ["--search", "sample", "--set", "unit.ahead=16"],
                     ["--set", "driver.replay=block"], ["--policy", "lru", "--set", "driver.replay=once"], ["--driver", "duel"],
                     ["--frames", 20, "--set", "gpu.frames_per_warp=0"], ["--config", "tiny", "--frames", 100], crowd):
            what = "%s, chunks of a page, %s: " % (trace, " ".join(map(str, more)))
            a, b = run(trace, *more), run(trace, *more, *grain("4 KiB", "driver.big=4 KiB", "driver.clean=dropped"))
            found = [b.pop(k) for k in ("chunk", "chunks", "chunks_out", "prefetched", "used", "within")]
            expect(what + "counts of chunks", found, [1, b["frames"], b["evictions"], 0, 0, 0])
            b.pop("unused")
            if "tiny" in more or 20 in more:  # pages that left, or whose fault was dropped: with chunks a fault joins those of its page alone
                a.pop("joined"), b.pop("joined")
            expect(what + "the same run as without chunks", b, a)
        for size, pages in (("64 KiB", 16), ("256 KiB", 64)):
            for policy in ["unit"] + OBEY:
                for prefetch in ("tbn", "none"):
                    what = "%s, %s, chunks of %s, %s, one warp: " % (trace, policy, size, prefetch)
                    more = grain(size, "driver.prefetch=" + prefetch, "gpu.warps=1") + ["--policy", policy]
                    r = run(trace, *more)
                    w = replay(trace, "leu" if policy == "unit" else policy, "--page", size.replace(" ", ""), "--frames", str(r["chunks"]))
                    expect(what + "chunks that come and leave as by gmmu replay on larger pages",
                           (r["chunk"], r["chunks"], r["faults"] - r["within"], r["chunks_out"], r["decisions"]),
                           (pages, r["frames"] // pages, w["faults"], w["evictions"], w["faults"]))
                    own = r["walks"] * WALK + (r["walks"] - 1) * THINK
                    expect(what + "run time is the sum of latencies", ps(r["run_us"]), own + came(r) + r["prefetched"] * (PREFETCHED + wire) +
                           r["chunks_out"] * (LINK + HOST + dram) + r["evictions"] * wire)
                    expect(what + "what comes", r["fetched"], r["faults"] + r["prefetched"])
                    if prefetch == "none":
                        expect(what + "nothing comes without a fault", (r["prefetched"], r["used"]), (0, 0))
                    elif size == "64 KiB":  # the first touch brings it all
                        expect(what + "no page is missing in a chunk", (r["within"], r["fetched"]), (0, 16 * r["faults"]))
            for policy in ("unit", "lru"):  # a victim ahead of need has left before the next fault
                r = run(trace, "--policy", policy, *grain("64 KiB", "gpu.warps=1", "unit.ahead=4"))
                expect("%s, %s, chunks, one warp: victims ahead of need lie off the path" % (trace, policy), (ps(r["run_us"]), r["ahead"]),
                       (r["walks"] * WALK + (r["walks"] - 1) * THINK + came(r) + r["prefetched"] * (PREFETCHED + wire), r["chunks_out"]))
        # the order is NVIDIA's, and the tree that of chunk=: the same run where blocks and pages cost nothing
        free = sum((["--set", "driver.%s=0 s" % x] for x in ("block", "page")), [])
        a, b = run(trace, "--policy", "uvm:chunk=16", *free), run(trace, "--policy", "uvm", *free, *grain("64 KiB", "driver.big=4 KiB"))
        a.pop("policy"), b.pop("policy")
        expect("%s, uvm at a grain: the same run as with chunk=" % trace, b, a)
        base = run(trace, "--policy", "lru", "--walks", 3000)
        for more in ([], ["--search", "sample", "--set", "unit.ahead=2"], ["--policy", "lru"], ["--policy", "opt"], ["--policy", "lirs"], ["--policy", "uvm"],
                     ["--config", "tiny", "--frames", 100], ["--frames", 17, "--set", "gpu.frames_per_warp=0"],
                     ["--policy", "lru", "--frames", 33, "--set", "gpu.frames_per_warp=0", "--set", "gpu.warps=300"]):
            for settings in (["driver.clean=dropped"], ["driver.prefetch=none"], ["driver.replay=block"], ["driver.replay=once", "driver.big=8 KiB"]):
                what = "%s, chunks of 64 KiB, %s, %s: " % (trace, " ".join(map(str, more)), " ".join(settings))
                args = [trace, "--walks", 3000, *more, *grain("64 KiB", *settings)]
                if "uvm" in more and "driver.replay=block" in settings:  # chunks may leave before their replay, for ever
                    continue
                r = run(*args)
                leave = r["writebacks"] if "driver.clean=dropped" in settings else r["evictions"]
                expect(what + "bytes", (r["bytes_to_gpu"], r["bytes_to_host"]), (4096 * r["fetched"], 4096 * leave))
                expect(what + "every access ends, and memory is not exceeded",
                       (r["walks"], r["distinct"], 0 <= r["fetched"] - r["evictions"] <= 16 * r["chunks"] <= r["frames"]),
                       (base["walks"], base["distinct"], True))
                expect(what + "walkers", r["walks.n"], r["walks"] - r["merged"] + r["replayed"])
                expect(what + "no hit of a chunk that is not there, no operation refused, no fault behind a FILL",
                       (r["stale_hits"], r["refused"], r["late"]), (0, 0, 0))
                expect(what + "Little's law within 1 %", max(v for k, v in r.items() if k.endswith(".little")) < 0.01, True)
                expect(what + "quantum of 1 ns: the same run", run(*args, "--set", "run.quantum=1 ns"), r)
        for policy in ("unit", "lru", "uvm"):
            r = run(trace, "--policy", policy, "--frames", 1 << 17, *grain("2 MiB"))
            expect("%s, %s, chunks, infinite memory: each page comes once, none leaves" % (trace, policy),
                   (r["fetched"], r["evictions"], r["bytes_to_host"]), (r["cold"] + r["prefetched"], 0, 0))
    # chunk 0 leaves for chunk 2, whose pages 128 and 129 fault in two batches: 129 comes behind the FILL that 128 brings
    path, timeline = written(folder, [(p, 0) for p in (*range(66), 128, 129)]), os.path.join(folder, "chunks.json")
    for policy in ("lru", "unit"):
        r = run(path, "--policy", policy, "--frames", 128, "--timeline", timeline, *grain(
            "256 KiB", "driver.prefetch=none", "driver.batch=1", "driver.replay=block", "driver.fault=0 s", "driver.block=0 s", "driver.page=0 s",
            "gpu.frames_per_warp=0", "gpu.warps=2", "gpu.sms=1", "unit.decision=0 s"))
        with open(timeline, encoding="utf-8") as f:
            events = [e for e in json.load(f)["traceEvents"] if e["ph"] in "be"]
        begin, end = ({(e["tid"], e["name"]): ps(e["ts"]) for e in events if e["ph"] == ph} for ph in "be")
        expect("%s: a chunk's first page waits for what leaves, its second one for the first" % policy,
               (begin[3, "page 66"] >= max(end[2, "page %d" % p] for p in range(64)), begin[3, "page 67"] >= end[3, "page 66"], r["chunks_out"],
                r["stale_hits"]), (True, True, 1, 0))
    # the fault of page 16 takes the free frame, so chunk 0 is to leave ahead of need; its page 1 comes in the same batch as page 16
    path = written(folder, [(p, 0) for p in (0, 4, 8, 12, 12, 12, 5, 1, 16)])
    r = run(path, "--policy", "fifo", "--frames", 20, "--timeline", timeline, *grain(
        "16 KiB", "driver.prefetch=none", "unit.ahead=1", "unit.decision=60 us", "gpu.frames_per_warp=0", "gpu.warps=3", "gpu.sms=1"))
    with open(timeline, encoding="utf-8") as f:
        events = json.load(f)["traceEvents"]
    replay_at = max(ps(e["ts"]) + ps(e["dur"]) for e in events if e["ph"] == "X")
    expect("a chunk that leaves ahead of need stays until the replay of its pages", (r["fetched"], r["evictions"], r["ahead"],
           [ps(e["ts"]) >= replay_at for e in events if e["ph"] == "b" and e["tid"] == 2]), (7, 2, 1, [True, True]))
    # everything on pages of 64 KiB: TLBs and copies too
    r, w = run(TRACES[2], "--policy", "lru", "--page", "64K", "--set", "gpu.warps=1"), replay(TRACES[2], "lru", "--page", "64K", "--frames", "50%")
    expect("--page: one warp decides as gmmu replay", [r[k] for k in ("frames", "distinct", "faults", "evictions", "writebacks", "bytes_to_gpu")],
           [w[k] for k in ("frames", "distinct", "faults", "evictions", "writebacks")] + [65536 * w["faults"]])


def arrival_random(runs, chunks=False):
    """Any sizes and times: the run ends, no quantum changes it, and what must be equal is. CHUNKS: at the driver's grain."""
    rng = random.Random(2 if chunks else 1)
    policies = ["unit"] * 8 + OBEY + ["uvm", "uvm:order=access"] if chunks else ["unit", "none"] + OBEY + UVM
    choices = {"gpu.frames_per_warp": (0, 1, 4), "gpu.warps": (1, 2, 3, 8, 64, 300), "gpu.sms": (1, 2, 16), "gpu.window": (1, 10, 4096),
               "gpu.think": ("0 s", "100 ns", "1 us"), "walkers.count": (1, 3, 64), "driver.replay": ("batch", "block", "once"),
               "driver.batch": (1, 2, 7, 64, 256), "driver.fault": ("0 s", "1 us", "20 us"), "driver.block": ("0 s", "10 us"), "unit.fresh": (0, 1, 3, 6, 14),
               "unit.decision": ("0 s", "1 us", "60 us")}
    for _ in range(runs):
        frames, policy, size, clean = rng.choice((1, 2, 3, 5, 9, 17, 40, 100, 300, 600)), rng.choice(policies), 1, False
        args = [rng.choice(TRACES)]
        if chunks:
            size, clean = rng.choice((1, 2, 4, 8, 16, 64)), rng.choice((True, False))
            frames = rng.choice((1, 2, 3, 5, 9, 17, 40)) * size + rng.randint(0, size - 1)
            args += grain("%d KiB" % (4 * size), "driver.big=%d KiB" % rng.choice((4, 16, 64)), "driver.prefetch=" + rng.choice(("tbn", "tbn", "none")),
                          "driver.clean=" + ("copied" if clean else "dropped"))
        elif policy in UVM:
            clean = True
        own = policy in ["none", "uvm", "uvm:order=access"] + UVM
        if not chunks and policy not in UVM:
            args += ["--set", "driver.fair=%d" % rng.choice((0, 0, 25, 50, 99))]
        args += ["--frames", frames, "--walks", rng.choice((300, 1500)), "--policy", policy]
        args += ["--set", "unit.ahead=%d" % (rng.randint(0, frames // size // 4) if not own else 0)]
        for key, values in choices.items():
            args += ["--set", "%s=%s" % (key, rng.choice(values))]
        if own and policy != "none":  # by block chunks may leave before their replay, for ever
            args += ["--set", "driver.replay=" + rng.choice(("batch", "once"))]
        if policy == "unit":
            args += ["--config", rng.choice(("tiny", "default")), "--search", rng.choice(("scan", "sample", "clock"))]
        r, other = run(*args), run(*args, "--set", "run.quantum=1 ns")
        leaves = r["evictions" if clean else "writebacks"]
        found = (r == other, r["bytes_to_gpu"], r["bytes_to_host"], r["walks.n"], r["stale_hits"], r["refused"],
                 max(v for k, v in r.items() if k.endswith(".little")) < 0.01, 0 <= r["fetched"] - r["evictions"] <= frames)
        expect(" ".join(map(str, args)), found, (True, 4096 * r["fetched"], 4096 * leaves, r["walks"] - r["merged"] + r["replayed"], 0, 0, True, True))


def program_of(model, config):
    return "build/platform-%s%s" % ("ring-" if model == "rtl-ring" else "", config)


def arrival_rtl(config, traces, walks, model="rtl"):
    """RTL and twin decide alike, at the same times, by each replay policy, ahead of need, and with more warps than frames."""
    program, most = program_of(model, config), FRAMES[config]
    settings = [[]] if walks == 0 else [[], ["--set", "driver.replay=block"], ["--set", "driver.replay=once"], ["--set", "unit.ahead=8"],
                                        ["--frames", 6, "--set", "gpu.frames_per_warp=0"], ["--search", "sample", "--set", "unit.fresh=6"],
                                        ["--driver", "duel"], ["--set", "driver.fair=25"], ["--tier2", 300],
                                        ["--tier2", 300, "--place", "order", "--set", "unit.ahead=8"],
                                        ["--tier2", 300, "--place", "random"], grain("64 KiB"), grain("16 KiB", "driver.prefetch=none", "driver.replay=block"),
                                        grain("32 KiB", "unit.ahead=4", "driver.big=8 KiB") + ["--search", "sample"],
                                        grain("16 KiB", "driver.replay=once", "gpu.frames_per_warp=0") + ["--driver", "duel"]]
    for trace in traces:
        for more in settings + ([grain("64 KiB")] if walks == 0 and trace in traces[:2] else []):
            frames = min(most, max(1, replay(trace, "lru", "--frames", "50%")["frames"]))
            args = [trace, "--config", config, "--frames", frames] + (["--walks", walks] if walks else []) + more
            a, b = (run(*args, "--model", m, program=program) for m in ("lt", model))
            cycles = b.pop("cycles")
            a.pop("model"), b.pop("model")
            expect("%s at %s by arrival, %s, %d walks, %d decisions, %d cycles: %s and twin alike" %
                   (trace, config, " ".join(map(str, more)), a["walks"], a["decisions"], cycles, model), b, a)
            expect("%s: something was decided" % trace, a["decisions"] > 10, True)
    one = [traces[0], "--model", model, "--config", config, "--frames", 64, "--walks", 300, "--set", "gpu.warps=1"]
    fast, slow = (run(*one, *more, program=program) for more in ([], ["--set", "unit.time=measured", "--set", "unit.clock=1 us"]))
    expect("by arrival, measured decisions on a slow clock: longer, and with one warp the same", (slow["run_us"] > fast["run_us"], slow["digest"]),
           (True, fast["digest"]))


def sizes():
    """Frames of each configuration."""
    with open("config/gmmu.json", encoding="utf-8") as f:
        d = json.load(f)
    return {c: d["configurations"][c]["FRAMES"] for c in ("tiny", "default")}


def rtl(config, traces, walks, model="rtl"):
    """RTL and twin decide alike, and take as long."""
    program, most = program_of(model, config), FRAMES[config]
    for trace in traces:
        more = ["--config", config, "--walks", str(walks)] if walks else ["--config", config]
        frames = min(most, max(1, replay(trace, "lru", "--frames", "50%")["frames"]))
        a, b = (decided(trace, "--model", m, "--frames", frames, *more, program=program) for m in ("lt", model))
        cycles = b.pop("cycles")
        a.pop("model"), b.pop("model")
        expect("%s at %s, %d walks, %d decisions, %d cycles: %s and twin alike" % (trace, config, a["walks"], a["decisions"], cycles, model), b, a)
        expect("%s: something was decided" % trace, a["decisions"] > 10, True)
    for more in (["--driver", "hpe"], ["--driver", "rimm"], ["--driver", "duel"],
                 ["--tier2", 300], ["--tier2", 300, "--place", "reuse"], ["--tier2", 300, "--place", "order"],
                 ["--tier2", 300, "--place", "random"], ["--set", "driver.pin=yes"], ["--driver", "rimm", "--set", "driver.pin=yes"]):
        n = min(walks or 4000, 4000) if walks == 0 or walks > 2000 else 1200
        a, b = (decided(traces[0], "--model", m, "--frames", 100, "--walks", n, *more, "--config", config, program=program) for m in ("lt", model))
        b.pop("cycles"), a.pop("model"), b.pop("model")
        expect("%s at %s, %s: %s and twin alike" % (traces[0], config, " ".join(map(str, more)), model), b, a)
    slow = decided(traces[0], "--model", model, "--frames", 64, "--config", config, "--walks", 300, "--set", "unit.time=measured", "--set",
               "unit.clock=1 us", program=program)
    fast = decided(traces[0], "--model", model, "--frames", 64, "--config", config, "--walks", 300, program=program)
    expect("measured decisions on a slow clock take longer", slow["run_us"] > fast["run_us"], True)
    expect("and are the same", slow["digest"], fast["digest"])


def rings(config, walks):
    """The driver behind registers and rings in memory: the RTL that it reaches so decides as the RTL whose streams it holds; how far memory is away
    takes cycles, and with measured decisions time, and changes no decision."""
    ring, bare = (program_of(m, config) for m in ("rtl-ring", "rtl"))
    args = [TRACES[0], "--config", config, "--frames", 100, "--walks", walks]
    for more in ([], ["--set", "unit.ahead=8"], ["--tier2", 300]):
        streams = run(*args, *more, "--model", "rtl", program=bare)
        near, far = (run(*args, *more, "--model", "rtl-ring", "--set", "unit.memory=%d" % way, program=ring) for way in (0, 300))
        cycles = [r.pop("cycles") for r in (streams, near, far)]
        for r in (streams, near, far):
            r.pop("model")
        expect("rings %s: as by streams, %d decisions" % (" ".join(map(str, more)), streams["decisions"]), near, streams)
        expect("rings %s: far memory changes nothing" % " ".join(map(str, more)), far, near)
        # an operation is read and answered, or a decision written and answered: two ways each
        expect("rings %s: %s cycles by streams, rings, far memory" % (" ".join(map(str, more)), cycles),
               (cycles[0] < cycles[1], cycles[2] - cycles[1] > 600 * streams["decisions"]), (True, True))
    one = [TRACES[0], "--config", config, "--frames", 100, "--walks", 300, "--set", "gpu.warps=1", "--set", "unit.time=measured"]
    near, far = (run(*one, "--model", "rtl-ring", "--set", "unit.clock=100 ns", "--set", "unit.memory=%d" % way, program=ring) for way in (0, 300))
    # one warp: the decision's way to memory and the answer, 300 cycles of 100 ns each, begin with the driver's work for a batch and its block
    waits = 2 * 30 - (FAULT + BLOCK) / 1e6 - 5
    expect("rings, measured: %s us with near and far memory, %d faults" % ([near["run_us"], far["run_us"]], far["faults"]),
           (far["digest"], far["run_us"] - near["run_us"] > waits * far["faults"]), (near["digest"], True))
    for program, model in ((ring, "rtl"), (bare, "rtl-ring"), (LT, "rtl-ring")):
        done = start([TRACES[0], "--model", model], program)
        expect("%s --model %s is refused" % (program, model), (done.returncode, "without this RTL" in done.stderr), (2, True))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--walks", type=int, default=0)
    o = parser.parse_args()
    os.chdir(ROOT)
    FRAMES.update(sizes())
    if o.all:
        arrival_rtl("tiny", ["sim/traces/%s" % t for t in TEN], o.walks)
        arrival_rtl("default", ["sim/traces/%s" % t for t in ("spmv.walk", "kmeans.walk", "hotspot.walk")], o.walks)
        arrival_rtl("tiny", ["sim/traces/%s" % t for t in ("spmv.walk", "kmeans.walk", "hotspot.walk")], o.walks, "rtl-ring")
        rtl("tiny", sorted(glob.glob("sim/traces/*.walk") + glob.glob("sim/traces/*.gwt")), o.walks)
        rtl("default", ["sim/traces/%s" % t for t in ("spmv.walk", "kmeans.walk", "atax.walk", "hotspot.walk", "srad_v2.walk")], o.walks)
        return failures != 0
    with tempfile.TemporaryDirectory() as folder:
        one_warp()
        counts()
        drivers()
        pins()
        little()
        invariance()
        parameters(folder)
        pipe()
        watchdog()
        formats(folder)
        copies(folder)
        arrival_one_warp()
        arrival_counts()
        arrival_tiers()
        arrival_duel()
        arrival_fair(folder)
        arrival_infinite()
        arrival_gpu(folder)
        arrival_batches(folder)
        arrival_uvm()
        arrival_uvm_batches(folder)
        arrival_chunks(folder)
        arrival_random(80)
        arrival_random(80, chunks=True)
    if os.access("build/platform-tiny", os.X_OK):
        rtl("tiny", TRACES[:2], 2000)
        arrival_rtl("tiny", TRACES[:2], 1000)
    else:
        expect("build/platform-tiny", "missing", "there")
    if os.access("build/platform-ring-tiny", os.X_OK):
        rtl("tiny", TRACES[:1], 500, "rtl-ring")
        arrival_rtl("tiny", TRACES[:1], 250, "rtl-ring")
        rings("tiny", 400)
    else:
        expect("build/platform-ring-tiny", "missing", "there")
    return failures != 0


if __name__ == "__main__":
    sys.exit(main())
