# SPDX-License-Identifier: Apache-2.0
"""The replays behind docs/papers/gmt_results.md, and times from what they count."""
import csv
import glob
import io
import json
import math
import os
import re
import subprocess

GMMU = "build/gmmu"
DISTANCES = "build/bench/gmt_distances"
APPS = ["lavamd", "pathfinder", "bfs", "multivectoradd", "srad_v2", "backprop", "pagerank", "sssp", "hotspot"]  # as in GMT's Table 2
SETS = {"gmt": "build/gmt/traces", "committed": "sim/traces", "large": "sim/traces/large"}

# what is compared with `bam`, and what it is called
POLICIES = [("TierOrder", "gmt-tierorder"), ("Random, evicts", "gmt-random"), ("Random, drops", "gmt-random:full=drop"),
            ("Reuse, evicts", "gmt-reuse:full=evict"), ("Reuse, drops", "gmt-reuse"), ("Foretold, drops", "gmt-foretold"), ("tier", "tier"),
            ("tier, older", "tier:tie=older"), ("opt-tiers", "opt-tiers"), ("tier, ahead", "tier:ahead=8"),
            ("bam, ahead", "bam:ahead=8")]
BESIDE = ["leu:search=sample", "tier:search=scan", "tier:search=scan:tie=older"]  # what `tier` is compared with
READINGS = [("*long* from T1 + T2 on", "gmt-reuse:limit=both"), ("no history: Random", "gmt-reuse:default=random"), ("nothing kept", "gmt-reuse:keep=0"),
            ("weights without a bound", "gmt-reuse:bits=0"), ("TierOrder drops", "gmt-tierorder:full=drop"),
            ("pairs of one page in 4", "gmt-reuse:sample=2"), ("history in 64 × 4", "gmt-reuse:sets=64"), ("history in 4096 × 4", "gmt-reuse:sets=4096")]
# GMT's policies, and the same by the unit: its hand over Tier 2's slots, its draws, a predictor of 4096 × 4 pages
HARDWARE = [("TierOrder, evicts", "gmt-tierorder", "tier:place=order"), ("TierOrder, drops", "gmt-tierorder:full=drop", "tier:place=order:full=drop"),
            ("Random, evicts", "gmt-random", "tier:place=random"), ("Random, drops", "gmt-random:full=drop", "tier:place=random:full=drop"),
            ("Reuse, evicts", "gmt-reuse:full=evict", "tier:place=reuse:full=evict"), ("Reuse, drops", "gmt-reuse", "tier:place=reuse")]


class Times:
    """The parameters of PATH: {name: [value, source]}."""
    NAMES = ("lookup_us", "host_us", "read_us", "write_us", "page_kib", "ssd_read_gbs", "pcie_gbs", "hmm_fault_us",
             "dma_call_us", "crossover_pages")

    def __init__(self, path):
        with open(path, encoding="utf-8") as f:
            try:
                self.rows = json.load(f)
            except ValueError as problem:
                raise RuntimeError("%s: %s" % (path, problem)) from problem
        if not isinstance(self.rows, dict) or sorted(self.rows) != sorted(self.NAMES):
            raise RuntimeError("%s: found %s, expected %s" % (path, ", ".join(sorted(self.rows)) or "nothing", ", ".join(self.NAMES)))
        for name, row in self.rows.items():
            good = isinstance(row, list) and len(row) == 2 and isinstance(row[0], (int, float)) and 0 < row[0] < 1e9 and isinstance(row[1], str) and row[1]
            if not good or isinstance(row[0], bool):
                raise RuntimeError("%s: found %s = %s, expected [value above 0, its source]" % (path, name, json.dumps(row)[:60]))
            setattr(self, name, row[0])

    def latency(self, r, writes=False, puts=False):
        """Microseconds: each fault waits for its page, one after the other; a page that is raised from the SSD is read while others wait."""
        sum_ = self.read_us * (r["faults"] - r["tier2_hits"]) + self.host_us * r["tier2_hits"] + self.lookup_us * (r["wasted_lookups"] + r["tier2_hits"])
        sum_ += r.get("late_us", 0)  # pages that were raised and not yet there when they were used
        return sum_ + (self.write_us * r["tier3_writes"] if writes else 0) + (self.host_us * r["tier2_puts"] if puts else 0)

    def hosted(self, r):
        """Microseconds, if the host serves each fault and what comes from the SSD goes through its memory."""
        return (self.hmm_fault_us + self.host_us) * (r["tier2_hits"] + r["tier3_reads"]) + self.read_us * r["tier3_reads"]

    def summed(self, r):
        """Microseconds: what the SSD gives at its bandwidth, then what Tier 2 gives at PCIe's. The paper's own cuts of I/O give its speed-ups by
        this sum, and by no sum of latencies. For policies that raise no pages."""
        return self.page_kib * 1.024 * (r["tier3_reads"] / self.ssd_read_gbs + r["tier2_hits"] / self.pcie_gbs)


def path_of(folder, app):
    found = glob.glob("%s/%s.gwt" % (folder, app)) + glob.glob("%s/%s.walk" % (folder, app))
    if len(found) != 1:
        raise RuntimeError("found %d traces of %s in %s, expected one: make gmt-traces" % (len(found), app, folder))
    return found[0]


def replay(path, policies, frames="10%", tier2="4x"):
    """{policy: {column: number}}, with what the policy notes."""
    command = [GMMU, "replay", path, "--policy", ",".join(policies), "--frames", str(frames), "--tier2", str(tier2),
               "--notes", "--format", "csv", "--threads", "1"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError("%s: %s" % (" ".join(command), done.stderr.strip()))
    rows = {r["policy"]: {k: int(v) for k, v in r.items() if k not in ("trace", "policy")} for r in csv.DictReader(io.StringIO(done.stdout))}
    for label, text in re.findall(r"^note: (\S+) frames=\d+ (.*)$", done.stderr, re.M):
        rows[label].update({k: float(v) for k, v in (pair.split("=") for pair in text.split())})
    return rows


def reused(path):
    """Percent of the pages that are walked to more than once, from the trace itself."""
    done = subprocess.run([GMMU, "trace", "convert", path, "-o", "-"], capture_output=True, text=True, check=True)
    counts = {}
    for line in done.stdout.splitlines():
        if line and line[0] != "#":
            fields = line.split(",")
            key = (fields[0], fields[4] if len(fields) > 4 else "0")
            counts[key] = counts.get(key, 0) + 1
    return 100 * sum(n > 1 for n in counts.values()) / len(counts)


def distances(path, tier1, tier2):
    """What bench/gmt_distances.c says of a trace."""
    done = subprocess.run([DISTANCES, path, str(tier1), str(tier2)], capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(done.stderr.strip())
    return {name: float(value) for name, value in (line.split() for line in done.stdout.splitlines())}


def mean(values):
    values = list(values)
    return math.exp(sum(map(math.log, values)) / len(values))


def check_exact(path, frames="10%"):
    """bam is clock, opt-tiers is opt at T1 and at T1 + T2, tier has the faults of leu:search=sample, GMT-TierOrder and Reuse that drop are
    the unit's (with a predictor of 8192 × 16 pages); what differs, as text."""
    units = [("gmt-tierorder:full=drop", "tier:place=order:full=drop"), ("gmt-reuse", "tier:place=reuse:sets=8192:ways=16")]
    one = replay(path, ["bam", "clock", "opt", "opt-tiers", "tier", "leu:search=sample"] + [p for pair in units for p in pair], frames)
    t1 = one["bam"]["frames"]
    both = replay(path, ["opt"], 5 * t1)["opt"]
    wrong = [name for name in ("faults", "evictions", "writebacks") if one["bam"][name] != one["clock"][name]]
    if one["opt-tiers"]["faults"] != one["opt"]["faults"]:
        wrong.append("faults of opt-tiers")
    if one["tier"]["faults"] != one["leu:search=sample"]["faults"]:
        wrong.append("faults of tier")
    wrong += ["%s of %s" % (name, unit) for gmt, unit in units for name in
              ("faults", "writebacks", "tier2_hits", "tier2_puts", "tier3_reads", "tier3_writes") if one[gmt][name] != one[unit][name]]
    if one["opt-tiers"]["tier3_reads"] != both["faults"] or one["opt-tiers"]["tier3_writes"] != both["writebacks"]:
        wrong.append("reads or writes of opt-tiers")
    return ["%s: %s" % (os.path.basename(path), name) for name in wrong]
