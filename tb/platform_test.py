#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""platform_test.py [--all [--walks N]]: the SystemC platform (docs/guide/platform.md) against closed formulas, against `gmmu replay`, and the RTL
against its twin. Prints a line a check; exit status 1 if one fails. --all: RTL and twin on every recorded trace at `tiny` and on five at
`default`, whole (hours) or the first N walks of each; else on the beginnings of two.
"""
import argparse
import csv
import glob
import heapq
import io
import json
import os
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LT, GMMU = "build/platform", "build/gmmu"
TRACES = ["sim/traces/spmv.walk", "sim/traces/kmeans.walk", "sim/traces/bfs.walk"]
failures = 0
FRAMES = {}


def expect(what, found, wanted):
    global failures
    good = found == wanted
    print("ok    " + what if good else "FAIL  %s: found %s, expected %s" % (what, found, wanted), flush=True)
    failures += not good


def start(args, program=LT):
    return subprocess.run([program] + [str(a) for a in args], capture_output=True, text=True)


def run(*args, program=LT):
    done = start(list(args) + ["--format", "json"], program)
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
WALK, THINK, FAULT, LINK, HOST, SSD = 68000, 1000000, 20000000, 500000, 100000, 130000000


def page(bytes_per_s):
    return -(-4096 * 10**12 // bytes_per_s)


def one_warp():
    """No overlap: the run takes the sum of all latencies."""
    wire, dram, read, write = page(15750000000), page(38400000000), page(3500000000), page(3300000000)
    for trace in TRACES:
        for policy in ("unit", "lru", "opt"):
            r = run(trace, "--policy", policy, "--set", "gpu.warps=1")
            comes = HOST + dram + LINK + wire
            leaves = LINK + wire + HOST + dram
            sum_ = r["walks"] * WALK + (r["walks"] - 1) * THINK + r["faults"] * (FAULT + comes) + r["writebacks"] * leaves
            expect("%s, %s, one warp: run time is the sum of latencies" % (trace, policy), ps(r["run_us"]), sum_)
            r = run(trace, "--policy", policy, "--set", "gpu.warps=1", "--set", "driver.replay=page")
            expect("%s, %s, one warp, by page: the same" % (trace, policy), ps(r["run_us"]), sum_)
        r = run(trace, "--policy", "bam", "--set", "gpu.warps=1", "--frames", "50%", "--tier2", "1x")
        comes = SSD + read + LINK + wire
        leaves = LINK + wire + SSD + write
        sum_ = r["walks"] * WALK + (r["walks"] - 1) * THINK + r["faults"] * (FAULT + comes) + r["writebacks"] * leaves
        expect("%s, bam, one warp, SSD: the same" % trace, ps(r["run_us"]), sum_)


def counts():
    """Decisions are those of the replay, and the bytes are those of their pages."""
    for trace in TRACES:
        for policy, name in (("unit", "leu"), ("lru", "lru"), ("lirs", "lirs"), ("opt", "opt"), ("hpe", "hpe"), ("leu_host", "leu-host"),
                             ("uvm", "uvm:chunk=64:prefetch=none")):
            r, w = run(trace, "--policy", name if policy != "unit" else "unit"), replay(trace, name, "--frames", "50%")
            for key in ("frames", "faults", "cold", "evictions", "writebacks", "distinct"):
                expect("%s, %s: %s as gmmu replay" % (trace, policy, key), r[key], w[key])
            expect("%s, %s: bytes to the GPU" % (trace, policy), r["bytes_to_gpu"], 4096 * r["faults"])
            expect("%s, %s: bytes to the host" % (trace, policy), r["bytes_to_host"], 4096 * r["writebacks"])
        for policy in ("tier", "gmt-reuse", "gmt-tierorder"):
            tiers = ["--frames", "10%", "--tier2", "4x"]
            r, w = run(trace, "--policy", policy, *tiers), replay(trace, policy, *tiers)
            for key in ("tier2_hits", "tier2_puts", "tier3_writes", "faults"):
                expect("%s, %s: %s as gmmu replay" % (trace, policy, key), r[key], w[key])
            expect("%s, %s: bytes that the SSD reads" % (trace, policy), r["ssd_read_bytes"], 4096 * w["tier3_reads"])
            expect("%s, %s: bytes that it writes" % (trace, policy), r["ssd_write_bytes"], 4096 * w["tier3_writes"])
            expect("%s, %s: bytes to the GPU" % (trace, policy), r["bytes_to_gpu"], 4096 * w["faults"])


def drivers():
    """Behind the unit's packets: HPE's chain and the RIMM host move the pages that the policies of replay move; so does Tier 2 of the unit."""
    tiers = ["--frames", "10%", "--tier2", "4x"]
    for trace in TRACES:
        own = run(trace)
        for driver, policy in (("hpe", "hpe"), ("rimm", "leu-host")):
            a, b = run(trace, "--driver", driver), run(trace, "--policy", policy)
            expect("%s, driver %s: pages, times as policy %s" % (trace, driver, policy), (a["moves"], a["run_us"]), (b["moves"], b["run_us"]))
            expect("%s, driver %s: not the unit's victims" % (trace, driver), a["moves"] != own["moves"], True)
        for search in ("sample", "clock"):
            a, b = run(trace, "--search", search), run(trace, "--policy", "leu:search=" + search)
            expect("%s, unit, search %s: pages as policy leu" % (trace, search), a["moves"], b["moves"])
        seen = set()
        for place in ("order", "random", "priority"):
            a, b = run(trace, "--place", place, *tiers), run(trace, "--policy", "tier:place=" + place, *tiers)
            for key in ("moves", "run_us", "tier2_hits", "tier2_puts", "tier3_writes", "ssd_read_bytes"):
                expect("%s, unit with tiers, %s: %s as policy tier" % (trace, place, key), a[key], b[key])
            seen.add(a["moves"])
        expect("%s: the places differ" % trace, len(seen), 3)
    # the driver's model hears records, policy tier's all accesses: its registers are others, and set
    reuse, fixed = run(TRACES[2], "--place", "reuse", *tiers), run(TRACES[2], "--place", "order", *tiers)
    expect("%s, reuse: the driver's model is at work" % TRACES[2], reuse["moves"] != fixed["moves"], True)


def pins():
    """A page on its way may not leave, whatever the quantum."""
    trace = "sim/traces/hotspot.walk"
    free, pinned = run(trace), run(trace, "--set", "driver.pin=yes")
    expect("without pins pages leave before they came", free["hasty"] > 0, True)
    expect("with pins none does", pinned["hasty"], 0)
    expect("and others leave", free["moves"] != pinned["moves"], True)
    for quantum in ("1 ns", "1 ms"):
        expect("pins, quantum of %s: the same run" % quantum, run(trace, "--set", "driver.pin=yes", "--set", "run.quantum=" + quantum), pinned)
    for driver in ("unit", "rimm"):  # more warps than frames: half of the frames at most are pinned
        r = run(trace, "--driver", driver, "--set", "driver.pin=yes", "--frames", 40)
        expect("pins of more pages than there are frames, %s: the run ends" % driver, r["walks"], pinned["walks"])
    one = [run(trace, "--set", "gpu.warps=1", *more)["moves"] for more in ([], ["--set", "driver.pin=yes"])]
    expect("one warp: nothing is on its way at a fault", one[0], one[1])


def little():
    """In every queue, of many warps and slow parts."""
    for more in ([], ["--set", "driver.replay=page"], ["--set", "link.bandwidth=300 MB/s"], ["--set", "walkers.count=2", "--set", "gpu.think=10 ns"]):
        r = run(TRACES[2], "--policy", "lru", *more)
        worst = max(v for k, v in r.items() if k.endswith(".little"))
        expect("Little's law within 1 %%, %s" % " ".join(more), worst < 0.01, True)
        expect("walkers: %s" % " ".join(more), r["walks.n"], r["walks"])
        expect("every stall has its fault: %s" % " ".join(more), r["stalled_warps.n"], r["faults"] + r["joined"])


def invariance():
    """What must not change a result, and what no memory and all memory are worth."""
    base = run(TRACES[2], "--policy", "lru")
    for quantum in ("1 ns", "1 ms"):
        r = run(TRACES[2], "--policy", "lru", "--set", "run.quantum=" + quantum)
        expect("quantum of %s: the same run" % quantum, r, base)
    for trace in TRACES:
        for warps in (1, 7, 64):
            r = run(trace, "--policy", "none", "--set", "gpu.warps=%d" % warps)
            turns = -(-r["walks"] // warps)
            expect("%s, %d warps, all pages there: the fault-free time" % (trace, warps), ps(r["run_us"]), turns * WALK + (turns - 1) * THINK)
        free = run(trace, "--policy", "none", "--set", "gpu.warps=1")
        all_ = run(trace, "--policy", "lru", "--frames", "100%", "--set", "gpu.warps=1", "--set", "driver.fault=0 s", "--set", "link.latency=0 s",
                   "--set", "unit.decision=0 s", "--set", "host.latency=0 s", "--set", "link.bandwidth=1000000 GB/s", "--set", "host.bandwidth=1000000 GB/s")
        expect("%s, infinite memory, faults for nothing: the fault-free time but for 10 ps a cold page" % trace,
               ps(all_["run_us"]) - ps(free["run_us"]), 10 * all_["cold"])
        expect("%s, infinite memory: nothing leaves" % trace, (all_["evictions"], all_["bytes_to_host"]), (0, 0))
        a = run(trace, "--policy", "unit", "--set", "gpu.warps=1")
        b = run(trace, "--policy", "unit", "--set", "gpu.warps=500", "--set", "driver.replay=page", "--set", "driver.fault=1 us")
        expect("%s: decisions do not depend on times" % trace, a["digest"], b["digest"])


def parameters(folder):
    def bad(what, *args):
        done = start(args)
        expect("%s: status, lines of message" % what, (done.returncode, done.stderr.count("\n"), done.stdout), (2, 1, ""))
    trace = TRACES[0]
    with open("config/platform.json", encoding="utf-8") as f:
        good = json.load(f)
    for what, setting in (("negative", "gpu.think=-1 us"), ("zero bandwidth", "link.bandwidth=0 GB/s"), ("unknown key", "gpu.wraps=1"),
                          ("missing unit", "driver.fault=20"), ("wrong unit", "driver.fault=20 GB/s"), ("no warps", "gpu.warps=0"),
                          ("half a warp", "gpu.warps=1.5"), ("no number", "gpu.warps=many"), ("nothing", "gpu.warps="), ("no =", "gpu.warps"),
                          ("endless", "driver.fault=inf s"), ("a word", "driver.replay=never"), ("no quantum", "run.quantum=0 s")):
        bad("parameter: " + what, trace, "--set", setting)
    bad("a policy that prefetches pages without a walk", trace, "--policy", "uvm:chunk=64")
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
                 [trace, "--timeline", folder + "/none/such"]):
        bad("arguments " + " ".join(args), *args)


def watchdog():
    """What is lost is found, and who waits for whom is named."""
    for lost, who in (("--lose-copy", "waits for"), ("--lose-batch", "the driver itself"), ("--lose-resume", "warps are stalled; warp"),
                      ("--lose-decision", "waits for the unit's decisions on 1 faults")):
        for replay_by in ("batch", "page"):
            warps = "1" if lost == "--lose-decision" else "64"
            done = start([TRACES[2], "--policy", "lru", lost, "5", "--set", "driver.replay=" + replay_by, "--set", "gpu.warps=" + warps])
            expect("%s, %s: status" % (lost, replay_by), done.returncode, 1)
            expect("%s, %s: watchdog names who" % (lost, replay_by), "watchdog" in done.stderr and who in done.stderr, True)
    done = start([TRACES[2], "--policy", "lru"])
    expect("nothing lost: the watchdog is silent", (done.returncode, "watchdog" in done.stderr), (0, False))


def formats(folder):
    path = os.path.join(folder, "timeline.json")
    r = run(TRACES[0], "--policy", "lru", "--series", "1", "--timeline", path)
    expect("series of a queue", len(r["stalled_warps.series"]) > 10, True)
    with open(path, encoding="utf-8") as f:
        events = json.load(f)["traceEvents"]
    expect("timeline: a begin and an end a copy", sum(e["ph"] == "b" for e in events), r["faults"] + r["writebacks"])
    expect("timeline: a slice a batch", sum(e["ph"] == "X" for e in events), r["batches"])
    row = next(csv.DictReader(io.StringIO(start([TRACES[0], "--policy", "lru", "--format", "csv"]).stdout)))
    expect("CSV has what JSON has", [row[k] for k in ("run_us", "faults")], ["%.6f" % r["run_us"], str(r["faults"])])
    table = start([TRACES[0], "--policy", "lru"]).stdout
    expect("table has the run time", "%.6f" % r["run_us"] in table, True)


def copies(folder):
    """Each copy ends when a model of the queues says, which gets their begins; copies of a page follow each other."""
    path, wire, dram = os.path.join(folder, "copies.json"), page(2000000000), page(2500000000)
    for trace in TRACES[1:]:
        for more in ([], ["--set", "driver.batch=4"], ["--set", "gpu.warps=500", "--set", "driver.fault=1 us", "--frames", "64"]):
            for replay_by in ("batch", "page"):
                what = "%s, by %s, %s" % (trace, replay_by, " ".join(more))
                run(trace, "--policy", "lru", "--timeline", path, "--set", "driver.replay=" + replay_by, "--set", "link.bandwidth=2 GB/s", "--set",
                    "host.bandwidth=2.5 GB/s", *more)
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


def sizes():
    """Frames of each configuration."""
    with open("config/gmmu.json", encoding="utf-8") as f:
        d = json.load(f)
    return {c: d["configurations"][c]["FRAMES"] for c in ("tiny", "default")}


def rtl(config, traces, walks):
    """RTL and twin decide alike, and take as long."""
    program, most = "build/platform-" + config, FRAMES[config]
    for trace in traces:
        more = ["--config", config, "--walks", str(walks)] if walks else ["--config", config]
        frames = min(most, max(1, replay(trace, "lru", "--frames", "50%")["frames"]))
        a, b = (run(trace, "--model", m, "--frames", frames, *more, program=program) for m in ("lt", "rtl"))
        cycles = b.pop("cycles")
        a.pop("model"), b.pop("model")
        expect("%s at %s, %d walks, %d decisions, %d cycles: RTL and twin alike" % (trace, config, a["walks"], a["decisions"], cycles), b, a)
        expect("%s: something was decided" % trace, a["decisions"] > 10, True)
    for more in (["--driver", "hpe"], ["--driver", "rimm"], ["--tier2", 300], ["--tier2", 300, "--place", "reuse"], ["--tier2", 300, "--place", "order"],
                 ["--tier2", 300, "--place", "random"], ["--set", "driver.pin=yes"], ["--driver", "rimm", "--set", "driver.pin=yes"]):
        n = min(walks or 4000, 4000) if walks == 0 or walks > 2000 else 1200
        a, b = (run(traces[0], "--model", m, "--frames", 100, "--walks", n, *more, "--config", config, program=program) for m in ("lt", "rtl"))
        b.pop("cycles"), a.pop("model"), b.pop("model")
        expect("%s at %s, %s: RTL and twin alike" % (traces[0], config, " ".join(map(str, more))), b, a)
    slow = run(traces[0], "--model", "rtl", "--frames", 64, "--config", config, "--walks", 300, "--set", "unit.time=measured", "--set",
               "unit.clock=1 us", program=program)
    fast = run(traces[0], "--model", "rtl", "--frames", 64, "--config", config, "--walks", 300, program=program)
    expect("measured decisions on a slow clock take longer", slow["run_us"] > fast["run_us"], True)
    expect("and are the same", slow["digest"], fast["digest"])


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--walks", type=int, default=0)
    o = parser.parse_args()
    os.chdir(ROOT)
    FRAMES.update(sizes())
    if o.all:
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
        watchdog()
        formats(folder)
        copies(folder)
    if os.access("build/platform-tiny", os.X_OK):
        rtl("tiny", TRACES[:2], 2000)
    else:
        expect("build/platform-tiny", "missing", "there")
    return failures != 0


if __name__ == "__main__":
    sys.exit(main())
