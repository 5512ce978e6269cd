#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""gmt_recordings.py [--no-doc] [--accept]: GMT's evaluation on the recordings of docs/papers/recordings.md.

The script replays what `scripts/recordings.py make gmt rule` and `… outcome` have recorded, at the paper's sizes of the tiers, and the
variations of the size that are there, and writes docs/papers/gmt_recordings.md, whose text is written by hand (scripts/page.py).
build/gmt/recordings keeps replays. Exit status 2: a recording is missing.
"""
import json
import os
import sys

import page
import recordings
from gmt_parts import recorded, runs, tables, timed
from gmt_parts.recorded import SHARES
from gmt_parts.runs import APPS, mean
from gmt_parts.tables import NAMES, REUSED, SPEEDUP, Data, f2, part_of, percent

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
DOC = "docs/papers/gmt_recordings.md"
TIMES = [("summed", "bandwidths"), ("latency", "latencies")]
COLUMNS = [("TierOrder", "gmt-tierorder"), ("Random, evicts", "gmt-random"), ("Random, drops", "gmt-random:full=drop"),
           ("Reuse, evicts", "gmt-reuse:full=evict"), ("Reuse, drops", "gmt-reuse"), ("Foretold", "gmt-foretold"), ("opt-tiers", "opt-tiers")]
MEAN = {"gmt-tierorder": 1.07, "gmt-random": 1.24, "gmt-random:full=drop": 1.24, "gmt-reuse": 1.50}
THREE = [("TierOrder", "gmt-tierorder"), ("Random, evicts", "gmt-random"), ("Random, drops", "gmt-random:full=drop"), ("Reuse", "gmt-reuse")]
# Table 2: total I/O in GB; and the paper's data in GB: with 16 GB of Tier 1 a tenth or a sixth; of graphs what is in storage, entries of 8 bytes
# of GAP-Kron's 2^32 edges, weights of 4
IO = {"lavamd": 168, "pathfinder": 202, "bfs": 87, "multivectoradd": 267, "srad_v2": 270, "backprop": 6823, "pagerank": 349, "sssp": 239, "hotspot": 1492}
GRAPH_DATA = {"bfs": 34.4, "pagerank": 34.4, "sssp": 51.5}
STALLS = (0, 500, 2000, 8000)
IO_CUT = {"srad_v2": 0.27, "backprop": 0.19, "hotspot": 0.27}

# What is changed, in the machine of the set by rule: (words, application, command, shares)
PAGES_64 = [("pages of 64 KiB", a, "%s --page-shift 16", share) for a in ("pathfinder", "multivectoradd", "srad_v2", "hotspot")
            for share in ("1/10 + 4/10", "1/6 + 4/6")]
TRIALS = PAGES_64 + [
    ("a list of each level's vertices, a warp a vertex", "bfs", "bfs_frontier --size 262144 --features 16 --arrays edges", "1/10 + 4/10"),
    ("the same", "bfs", "bfs_frontier --size 262144 --features 16 --arrays edges", "1/6 + 4/6"),
    ("6 iterations", "srad_v2", "srad_v2 --size 2644 --launches 6", "1/6 + 4/6"),
    ("16 steps", "hotspot", "hotspot --size 3740 --launches 16", "1/6 + 4/6"),
    ("4 epochs", "backprop", "backprop --size 1165084 --launches 4", "1/6 + 4/6"),
    ("2 iterations", "pagerank", "pagerank --size 262144 --launches 2 --arrays from", "1/10 + 4/10")]


class Found:
    """The sets' figures: of each (set, share), where the share of the set by outcome is that of each application."""

    def __init__(self):
        self.kept = recorded.Kept()
        self.sizes = {name: {f: recorded.found(self.kept, name, f) for f in recorded.FACTORS} for name in recordings.SETS}
        self.keys = [("rule", s) for s in SHARES] + [("outcome", "chosen")]
        self.transfers = None
        self.t = runs.Times("config/tier_times.json")
        self.data = {}

    def share_of(self, key):
        name, share = key
        return recorded.chosen() if name == "outcome" else {a: share for a in APPS}

    def missing(self):
        """What `scripts/recordings.py make gmt` is to be called with: all nine, and twice the size of those that are no graphs."""
        return ["%s %s%s" % (name, NAMES[a], " --size 2" if size == 2 else "") for name in recordings.SETS for size in (1.0, 2.0) for a in APPS
                if a not in self.sizes[name][size] and (size == 1 or a not in tables.GRAPHS)]

    def make(self):
        for key in self.keys:
            of = self.share_of(key)
            rows = recorded.rows_of(of, self.sizes[key[0]])
            here = self.sizes[key[0]][1.0]
            distances = {"gmt": recorded.distances_of(of, here)}
            reused = {a: r.reused() for a, r in here.items()}
            for how, _ in TIMES:
                self.data[key, how] = Data(self.t, rows, reused, distances, how, self.transfers)
                self.transfers = self.data[key, how].transfers

    def of(self, key, how="summed"):
        return self.data[key, how]


def title(key):
    return ", ".join(key)


def reads(d, policy, apps=APPS):
    return mean(d.share("gmt", a, policy, "tier3_reads", "tier3_reads") for a in apps)


def means(f):
    rows = []
    for key in f.keys:
        for how, word in TIMES:
            d = f.of(key, how)
            rows.append([title(key), word] + [f2(d.mean_up("gmt", p)) for _, p in COLUMNS])
    rows.append(["the paper", ""] + [f2(MEAN[p]) if p in MEAN else "" for _, p in COLUMNS])
    return page.markdown(["set, shares", "time by"] + [h for h, _ in COLUMNS], rows)


def fewer(f):
    rows = [[title(key)] + [f2(reads(f.of(key), p)) for _, p in COLUMNS] for key in f.keys]
    return page.markdown(["set, shares"] + [h for h, _ in COLUMNS], rows)


def applications(f, key):
    by, sums = f.of(key), f.of(key, "latency")
    shares = f.share_of(key)
    rows = []
    for a in APPS:
        r = by.rows["gmt"][a]["bam"]
        cut = f2(IO_CUT[a]) if a in IO_CUT else ""
        rows.append([NAMES[a]] + ([shares[a]] if key[0] == "outcome" else []) +
                    ["%d" % r["frames"]] + [f2(by.share("gmt", a, p, "tier3_reads", "tier3_reads")) for _, p in THREE] + [cut] +
                    [f2(by.up("gmt", a, p)) for _, p in THREE] + [f2(sums.up("gmt", a, "gmt-reuse")), f2(SPEEDUP[a])])
    rows.append(["**mean**"] + ([""] if key[0] == "outcome" else []) + [""] + ["**%s**" % f2(reads(by, p)) for _, p in THREE] + [""] +
                ["**%s**" % f2(by.mean_up("gmt", p)) for _, p in THREE] + ["**%s**" % f2(sums.mean_up("gmt", "gmt-reuse")), "**1.50**"])
    head = ["application"] + (["shares"] if key[0] == "outcome" else []) + ["Tier 1, pages"] + ["reads: %s" % h for h, _ in THREE] + [
        "Reuse, paper"] + ["speed: %s" % h for h, _ in THREE] + ["Reuse, latencies", "Reuse, paper"]
    return page.markdown(head, rows)


def io(f):
    """BaM's reads, in the paper's GB: passes over the data times the paper's data."""
    def gb(key, a):
        r = f.of(key).rows["gmt"][a]["bam"]
        here = f.sizes[key[0]][1.0][a]
        share = f.share_of(key)[a]
        data = GRAPH_DATA.get(a) or float(16 / SHARES[share][0])
        return r["tier3_reads"] / here.pages, r["tier3_reads"] / here.pages * data
    rows = []
    for a in APPS:
        cells = [NAMES[a], "%d" % IO[a]]
        for key in (f.keys[0], f.keys[1], f.keys[3]):
            cells.append("%.0f (%.2f)" % gb(key, a)[::-1])
        rows.append(cells + ["%.1f %%" % REUSED[a], "%.1f %%" % f.of(f.keys[0]).reused[a], "%.1f %%" % f.of(f.keys[3]).reused[a]])
    return page.markdown(["application", "I/O, paper"] + ["I/O: %s" % t for t in ("rule, 1/10", "rule, 1/6", "outcome")] +
                         ["reused, paper", "reused: rule", "reused: outcome"], rows)


def bias(f):
    rows = []
    for a in APPS:
        cells = [NAMES[a]]
        for key in f.keys:
            r = f.of(key).distances["gmt"][a]
            cells.append("%s, %s, %s" % tuple(percent(n, r["returns"]) for n in (r["short"], r["medium"] + r["between"], r["long"])))
        rows.append(cells)
    return page.markdown(["application"] + [title(k) for k in f.keys], rows)


def lines(f):
    """Fig. 4: how well a line fits VTD and RD, and victims with the class of the time before; Fig. 9: classes that Reuse foretold rightly."""
    rows = []
    for a in APPS:
        cells = [NAMES[a]]
        for key in f.keys:
            r, reuse = f.of(key).distances["gmt"][a], f.of(key).rows["gmt"][a]["gmt-reuse"]
            cells.append(", ".join([f2(r["r2"]) if r["r2"] else "–", part_of(r["same"], r["again"], r["returns"]),
                                    part_of(reuse["right"], reuse["foretold"], reuse["foretold"] + reuse["unknown"])]))
        rows.append(cells)
    return page.markdown(["application"] + [title(k) for k in f.keys], rows)


def ranges(f):
    """Means over the applications that all sizes of a set have; then of the set by outcome over those that all stalls have."""
    rows, seen = [], {}

    def add(key, of, variations, words):
        variations = {what: here for what, here in variations.items() if here}
        shared = [a for a in APPS if all(a in here for here in variations.values())]
        for what, here in variations.items():
            made = {a: here[a].replay(recorded.tier1(here[a].pages, SHARES[of[a]][0]), SHARES[of[a]][1]) for a in shared}
            d = {how: Data(f.t, {"gmt": made}, {}, {}, how, f.transfers) for how, _ in TIMES}
            rows.append([title(key), words % what, "%d" % len(shared)] + [f2(d["summed"].mean_up("gmt", p)) for _, p in THREE] +
                        [f2(d["latency"].mean_up("gmt", "gmt-reuse"))])
            for label, p in THREE:
                seen.setdefault((key, words.split()[0], label), []).append(d["summed"].mean_up("gmt", p))
    for key in f.keys:
        add(key, f.share_of(key), f.sizes[key[0]], "size × %g")
    stalls = {s: recorded.found(f.kept, "outcome", 1.0, s) for s in STALLS}
    add(f.keys[3], f.share_of(f.keys[3]), stalls, "stall %d")
    return page.markdown(["set, shares", "varied", "applications"] + ["%s, bandwidths" % h for h, _ in THREE] + ["Reuse, latencies"], rows), seen


def tier2(f):
    """Fig. 12: Reuse by application and size of Tier 2."""
    keys = [k for k in f.keys if k != ("rule", "1/6 + 2/6")]  # whose Tier 2 of twice Tier 1 is in the column of 1/6 + 4/6
    rows = [[NAMES[a]] + [", ".join(f2(f.of(key).up(w, a, "gmt-reuse")) for w in f.of(key).ratios()) for key in keys] for a in APPS]
    return page.markdown(["application"] + ["%s, Tier 1 %s" % (k[0], "chosen" if k[1] == "chosen" else k[1].split()[0]) for k in keys], rows)


def trials(f):
    """Recordings with one thing changed; kept like the sets' own."""
    of, rows = recordings.load("gmt")["rule"], []
    for words, app, command, share in TRIALS:
        command = command % of["applications"][NAMES[app]]["command"] if "%s" in command else command
        path = os.path.join(ROOT, "build/recordings/gmt/trials", command.replace(" ", "_").replace("--", "") + ".gwt")
        full = command.split()[:1] + of["machine"].split() + command.split()[1:]
        if recordings.kept(full, path) is None:
            found = recordings.record(full, path)
            if found is None:
                raise RuntimeError("found no recording, expected one by gmmu record " + " ".join(full))
            with open(path + ".json", "w", encoding="utf-8") as file:
                json.dump(found, file)
        r = recorded.Recording(f.kept, os.path.relpath(path, ROOT))
        part, times = SHARES[share]
        d = Data(f.t, {"gmt": {app: r.replay(recorded.tier1(r.pages, part), times)}}, {}, {}, "summed", f.transfers)
        bam = d.rows["gmt"][app]["bam"]
        rows.append([NAMES[app], words, "`%s`" % command, share, "%d" % bam["frames"], f2(bam["tier3_reads"] / r.pages),
                     f2(d.share("gmt", app, "gmt-reuse", "tier3_reads", "tier3_reads"))] + [f2(d.up("gmt", app, p)) for _, p in THREE] + [f2(SPEEDUP[app])])
    return page.markdown(["application", "changed", "`gmmu record`", "shares", "Tier 1, pages", "BaM's reads a page", "reads: Reuse"] +
                         ["speed: %s" % h for h, _ in THREE] + ["Reuse, paper"], rows)


def verdict(text, holds):
    return "%s: %s" % ("yes" if holds else "**no**", page.short(text))


def stated(f):
    found = {key: tables.statements(f.of(key)) for key in f.keys}
    rows = []
    for n, (where, text, *_) in enumerate(found[f.keys[0]]):
        rows.append([where, text] + [verdict(found[key][n][2], found[key][n][3]) for key in f.keys] + ["?"])
    return page.markdown(["§", "the paper states"] + [title(k) for k in f.keys] + ["why"], rows)


def on_time(f):
    found = {(key, how): timed.statements(f.of(key, how)) for key in f.keys for how, _ in TIMES}
    columns = [(("rule", "1/10 + 4/10"), "summed"), (("rule", "1/6 + 4/6"), "summed"), (("rule", "1/6 + 2/6"), "summed"),
               (("outcome", "chosen"), "summed"), (("outcome", "chosen"), "latency")]
    rows = []
    for n, (where, text, *_) in enumerate(found[columns[0]]):
        rows.append([where, text] + [verdict(found[c][n][2], found[c][n][3]) for c in columns])
    return page.markdown(["§", "the paper states"] + [title(k) + (", latencies" if how == "latency" else "") for k, how in columns], rows), found


def hosted(f):
    """Fig. 14: HMM over BaM, and over HMM's time Reuse's."""
    rows = []
    for key in f.keys:
        d = f.of(key, "latency")
        cells = [title(key)]
        for policy in ("gmt-tierorder", "gmt-reuse"):
            cells.append(f2(mean(d.t.latency(r["bam"]) / d.t.hosted(r[policy]) for r in d.rows["gmt"].values())))
        rows.append(cells + [f2(d.mean_up("gmt", "gmt-reuse"))])
    rows.append(["the paper", f2(1.5 / 4.57), f2(1.5 / 1.903), "1.50"])
    return page.markdown(["set, shares", "HMM", "HMM with the hit rates of GMT-Reuse", "GMT-Reuse"], rows)


def values_of(f, times, seen):
    values = {}
    for key in f.keys:
        name = "%s_%s" % (key[0], {"1/10 + 4/10": "a", "1/6 + 4/6": "b", "1/6 + 2/6": "c", "chosen": "x"}[key[1]])
        for how, _ in TIMES:
            rows = tables.statements(f.of(key, how))
            values["%s_%s" % (name, how)] = "%d of %d" % (sum(ok for *_, ok in rows), len(rows))
            values["%s_time_%s" % (name, how)] = "%d of %d" % (sum(r[3] for r in times[key, how]), len(times[key, how]))
        for label, _ in THREE:
            for what in ("size", "stall"):
                v = seen.get((key, what, label))
                if v:
                    values["%s_%s_%s" % (name, what, label.replace(", ", "_"))] = "%.2f to %.2f" % (min(v), max(v))
        d = f.of(key)
        for label, p in THREE:
            values["mean_%s_%s" % (name, label.replace(", ", "_"))] = f2(d.mean_up("gmt", p))
        rest = [a for a in APPS if a != "pathfinder"]
        values[name + "_rest"] = "TierOrder %s, Random %s (evicts), %s (drops), Reuse %s" % tuple(
            f2(d.mean_up("gmt", p, apps=rest)) for _, p in THREE)
    r = f.sizes["outcome"][1.0]["multivectoradd"]
    frames, times = recorded.tier1(r.pages, SHARES["1/6 + 2/6"][0]), SHARES["1/6 + 2/6"][1]
    for name, n in (("vector", frames), ("vector_more", frames + 1), ("vector_two", frames + 2)):
        values[name] = f2(Data(f.t, {"gmt": {"multivectoradd": r.replay(n, times)}}, {}, {}, "summed", f.transfers).up("gmt", "multivectoradd", "gmt-reuse"))
    return values


def main():
    o = page.parser(__doc__, no_doc=True).parse_args()
    os.chdir(ROOT)
    f = Found()
    if f.missing():
        print("gmt_recordings: found no recording, expected: scripts/recordings.py make gmt %s" % f.missing()[0], file=sys.stderr)
        return 2
    try:
        f.make()
    except (RuntimeError, OSError, ValueError) as problem:
        print("gmt_recordings: %s" % problem, file=sys.stderr)
        return 2
    time_table, times = on_time(f)
    range_table, seen = ranges(f)
    values = values_of(f, times, seen)
    made = {"means": means(f), "reads": fewer(f), "io": io(f), "bias": bias(f), "lines": lines(f), "ranges": range_table, "tier2": tier2(f),
            "statements": stated(f), "time": time_table, "hmm": hosted(f), "trials": trials(f)}
    for n, key in enumerate(f.keys):
        made[("rule_a", "rule_b", "rule_c", "outcome")[n]] = applications(f, key)
    for name, text in values.items():
        print("%-28s %s" % (name, text))
    if o.no_doc:
        print("\n".join(sum(made.values(), [])))
        return 0
    page.fill(DOC, "recordings", made, values, {"statements": 2}, o.accept)
    return 0


if __name__ == "__main__":
    sys.exit(main())
