# SPDX-License-Identifier: Apache-2.0
"""Tables and figures of docs/papers/gmt_results.md from the replays."""
import page
from gmt_parts import hybrid
from gmt_parts.runs import APPS, HARDWARE, POLICIES, READINGS, mean

NAMES = {"lavamd": "LavaMD", "pathfinder": "Pathfinder", "bfs": "BFS", "multivectoradd": "MultiVectorAdd", "srad_v2": "Srad", "backprop": "Backprop",
         "pagerank": "PageRank", "sssp": "SSSP", "hotspot": "Hotspot"}
# GMT: pages reused (Table 2; BFS's from §3.3), speed-up of Reuse (text of §3.3)
REUSED = {"lavamd": 1.17, "pathfinder": 19.47, "bfs": 32.86, "multivectoradd": 40.0, "srad_v2": 83.38, "backprop": 93.54, "pagerank": 90.42, "sssp": 79.96,
          "hotspot": 81.33}
SPEEDUP = {"lavamd": 0.88, "pathfinder": 1.25, "bfs": 1.28, "multivectoradd": 1.40, "srad_v2": 2.33, "backprop": 2.79,
           "pagerank": 1.18, "sssp": 1.13, "hotspot": 2.25}
PAPER = {"gmt-tierorder": 1.07, "gmt-random": 1.24, "gmt-reuse": 1.50}
PAPER4 = {"gmt-tierorder": 1.03, "gmt-random": 1.14, "gmt-reuse": 1.23}
GRAPHS = ("bfs", "pagerank", "sssp")
MAIN = [p for _, p in POLICIES]
HEADS = [h for h, _ in POLICIES]


def f2(x):
    return "%.2f" % x


class Data:
    def __init__(self, times, rows, reused, distances, how="latency", transfers=None):
        self.t, self.rows, self.reused, self.distances, self.how = times, rows, reused, distances, how
        self.transfers = transfers or hybrid.zipf(times)

    def up(self, where, app, policy, how=None, **kw):
        """Speed-up over bam."""
        rows = self.rows[where][app]
        time = getattr(self.t, how or self.how)
        return time(rows["bam"], **kw) / time(rows[policy], **kw)

    def mean_up(self, where, policy, how=None, apps=APPS, **kw):
        return mean(self.up(where, a, policy, how, **kw) for a in apps if a in self.rows[where])

    def ratios(self):
        """Rows with Tier 2 of twice, four and eight times Tier 1."""
        return "gmt2", "times4" if "times4" in self.rows else "gmt", "gmt8"

    def share(self, where, app, policy, column, of, by="bam"):
        """COLUMN of POLICY over OF of BY."""
        return self.rows[where][app][policy][column] / max(1, self.rows[where][app][by][of])

    def average(self, where, policy, column, of, by=None):
        found = [self.share(where, a, policy, column, of, by or policy) for a in APPS if a in self.rows[where]]
        return sum(found) / len(found)


def speedups(d, where):
    rows = [[NAMES[a]] + [f2(d.up(where, a, p)) for p in MAIN] + [f2(SPEEDUP[a])] for a in APPS]
    rows.append(["**mean**"] + ["**%s**" % f2(d.mean_up(where, p)) for p in MAIN] + ["**1.50**"])
    return page.markdown(["application"] + HEADS + ["GMT-Reuse (paper)"], rows)


def means(d):
    rows = [[title] + [f2(d.mean_up(where, p, apps=d.rows[where])) for p in MAIN] for title, where in (
        ("GMT set", "gmt"), ("committed traces", "committed"), ("all 39 committed traces", "all"))]
    rows.append(["the paper"] + [f2(PAPER[p]) if p in PAPER else "" for p in MAIN])
    return page.markdown(["speed-up over `bam`"] + HEADS, rows)


def times(d):
    models = [("latency, reads", "latency", {}), ("and writes", "latency", {"writes": True}),
              ("and puts into Tier 2", "latency", {"writes": True, "puts": True}),
              ("overlapped, reads", "overlapped", {}), ("overlapped, reads and writes", "overlapped", {"writes": True})]
    rows = []
    for where, title in (("gmt", "GMT set"), ("committed", "committed")):
        rows += [[title, name] + [f2(d.mean_up(where, p, how, **kw)) for p in MAIN] for name, how, kw in models]
    return page.markdown(["traces", "time"] + HEADS, rows)


def hmm(d):
    rows = []
    for name, policy, how, paper in (("HMM", "gmt-tierorder", "hosted", 1.5 / 4.57),
                                     ("HMM with the hit rates of GMT-Reuse", "gmt-reuse", "hosted", 1.5 / 1.903),
                                     ("GMT-Reuse", "gmt-reuse", "latency", 1.5)):
        up = [mean(d.t.latency(r["bam"]) / getattr(d.t, how)(r[policy]) for r in (d.rows[w][a] for a in APPS)) for w in ("gmt", "committed")]
        rows.append([name] + [f2(x) for x in up + [paper]])
    return page.markdown(["speed-up over `bam`", "GMT set", "committed", "the paper"], rows)


def sizes(d):
    rows = []
    for title, where, apps, paper in (("T1 a tenth, T2 = 2 · T1", "gmt2", APPS, {}), ("T2 = 4 · T1", "gmt", APPS, PAPER), ("T2 = 8 · T1", "gmt8", APPS, {}),
                                      ("half of both (oversubscription 4)", "gmt4", APPS, PAPER4),
                                      ("larger data (five applications)", "large", APPS, {"gmt-reuse": 1.45})):
        rows.append([title] + [f2(d.mean_up(where, p, apps=apps)) for p in MAIN] + [", ".join("%s %s" % (k.split("-")[1], f2(v)) for k, v in paper.items())])
    return page.markdown(["sizes"] + HEADS + ["the paper"], rows)


def traffic(d):
    rows = []
    for name, p in [("bam", "bam")] + POLICIES:
        rows.append([name, f2(mean(d.share("gmt", a, p, "tier3_reads", "tier3_reads") for a in APPS)), f2(d.average("gmt", p, "wasted_lookups", "faults")),
                     f2(d.average("gmt", p, "tier2_puts", "tier3_reads", "bam")), f2(d.average("gmt", p, "tier2_hits", "tier3_reads", "bam")),
                     f2(mean(max(1, d.rows["gmt"][a][p]["tier3_writes"]) / max(1, d.rows["gmt"][a]["bam"]["tier3_writes"]) for a in APPS))])
    return page.markdown(["policy", "SSD reads", "wasted look-ups", "into Tier 2", "out of it", "SSD writes"], rows)


def accuracy(d):
    rows = []
    for a in APPS:
        cells = [NAMES[a], "%.1f %%" % d.reused[a], "%.1f %%" % REUSED[a]]
        for where in ("gmt", "committed"):
            r = d.rows[where][a]["gmt-reuse"]
            known = r["foretold"] + r["unknown"]
            cells += ["%.0f %%" % (100 * r["foretold"] / known) if known else "–", "%.1f %%" % (100 * r["right"] / r["foretold"]) if r["foretold"] else "–"]
        rows.append(cells)
    return page.markdown(["application", "pages reused", "the paper", "GMT set: foretold", "right", "committed: foretold", "right"], rows)


def percent(part, whole):
    return "%.0f %%" % (100 * part / whole) if whole else "–"


def part_of(part, whole, every):
    """PART of WHOLE; of a WHOLE below a hundredth of EVERY nothing follows."""
    return percent(part, whole) if 100 * whole >= every else "–"


def distances(d):
    rows = []
    for where, title in (("gmt", "GMT set"), ("committed", "committed")):
        for a in APPS:
            r = d.distances[where][a]
            rows.append([title, NAMES[a], f2(r["r2"]) if r["r2"] else "–"] + [percent(r[k], r["returns"]) for k in ("short", "medium", "between", "long")] +
                        [percent(r["by_line"], r["returns"]), percent(r["same"], r["again"])])
    return page.markdown(["traces", "application", "r²", "below T1", "below T2", "below both", "beyond", "the line has the class",
                          "the class of the time before"], rows)


def hardware(d):
    """Each mean of GMT's policy, and the unit's."""
    def up(rows, policy):
        return mean(d.t.latency(r["bam"]) / d.t.latency(r[policy]) for r in rows)
    sets = [list(d.rows["gmt"].values()), list(d.rows["committed"].values()), list(d.rows["all"].values())]
    rows = []
    for name, gmt, unit in HARDWARE:
        apart = max(abs(d.t.latency(r[unit]) / d.t.latency(r[gmt]) - 1) for r in sets[0] + sets[2])
        rows.append([name] + ["%.3f · %.3f" % (up(s, gmt), up(s, unit)) for s in sets] + ["%.1f %%" % (100 * apart)])
    return page.markdown(["policy: GMT's · the unit's", "GMT set", "committed nine", "all 39", "furthest apart, of 48"], rows)


def goals(d):
    """(goal, wanted, found, whether it is reached)"""
    every = list(d.rows["all"].values()) + list(d.rows["gmt"].values())
    names = [p.rsplit("/", 1)[1].split(".")[0] for p in d.rows["all"]] + ["%s (GMT set)" % a for a in d.rows["gmt"]]
    rows = []
    for tie, policy, scan in (("younger first", "tier", "tier:search=scan"), ("older first", "tier:tie=older", "tier:search=scan:tie=older")):
        for where, title, wanted in (("gmt", "GMT set", 1.55), ("committed", "committed nine", 1.95)):
            up = d.mean_up(where, policy)
            part = up / d.mean_up(where, "opt-tiers")
            rows += [["`tier`, %s, over `bam`: %s" % (tie, title), f2(wanted), "%.3f" % up, up >= wanted],
                     ["of `opt-tiers`: %s" % title, "0.88", "%.3f" % part, part >= 0.88]]
        worst = min((d.t.latency(r["bam"]) / d.t.latency(r[policy]), n) for r, n in zip(every, names))
        reads = max((r[policy]["tier3_reads"] / r[scan]["tier3_reads"], n) for r, n in zip(every, names))
        over = sum(r[policy]["tier3_reads"] > 1.03 * r[scan]["tier3_reads"] for r in every)
        rows += [["over `bam`: the worst of %d" % len(every), "0.99", "%.3f, `%s`" % worst, worst[0] >= 0.99],
                 ["SSD reads of K = 64, P = 16 over those of a scan: the worst of %d" % len(every), "1.03", "%.3f, `%s`; above 1.03: %d" % (reads + (over,)),
                  reads[0] <= 1.03]]
    for where, title, wanted in (("gmt", "GMT set", 1.70), ("committed", "committed nine", 2.50)):
        up = d.mean_up(where, "tier:ahead=8")
        rows.append(["`tier:ahead=8` over `bam`: %s; beside `bam:ahead=8`'s %.3f" % (title, d.mean_up(where, "bam:ahead=8")), f2(wanted), "%.3f" % up,
                     up >= wanted])
    worst = min((d.t.latency(r["bam"]) / d.t.latency(r["tier:ahead=8"]), n) for r, n in zip(every, names))
    beside = min((d.t.latency(r["bam"]) / d.t.latency(r["bam:ahead=8"]), n) for r, n in zip(every, names))
    rows.append(["the worst of %d; beside `bam:ahead=8`'s %.3f, `%s`" % ((len(every),) + beside), "0.99", "%.3f, `%s`" % worst, worst[0] >= 0.99])
    for where, title, wanted in (("gmt", "GMT set", 1.20), ("committed", "committed nine", 1.37)):
        up = max(d.mean_up(where, p) for p in ("gmt-reuse", "gmt-reuse:full=evict"))
        rows.append(["`gmt-reuse`, better reading, over `bam`: %s" % title, f2(wanted), "%.3f" % up, up >= wanted])
    return page.markdown(["goal", "wanted", "found", ""], [r[:3] + ["yes" if r[3] else "**no**"] for r in rows])


def readings(d):
    rows = [[name, f2(d.mean_up("gmt", p)), f2(d.mean_up("committed", p))] for name, p in [("Reuse as in the decisions", "gmt-reuse")] + READINGS]
    return page.markdown(["reading", "GMT set", "committed"], rows)


def sources(d):
    return page.markdown(["parameter", "value", "source"], [["`%s`" % k, str(v), s] for k, (v, s) in d.t.rows.items()])


def statements(d):
    """(§, what the paper states, what came out, whether it holds). Of D's rows: gmt; half of both tiers in gmt4; twice and eight times Tier 1 as
    Tier 2 in gmt2 and gmt8; larger data in large; committed may be missing."""
    up, reads = lambda a, p: d.up("gmt", a, p), lambda a, p: d.share("gmt", a, p, "tier3_reads", "tier3_reads")  # noqa: E731
    order, chance, reuse = (d.mean_up("gmt", p) for p in ("gmt-tierorder", "gmt-random:full=drop", "gmt-reuse"))
    three = "gmt-tierorder", "gmt-random:full=drop", "gmt-reuse"
    wasted = {p: d.average("gmt", p, "wasted_lookups", "faults") for p in three}
    io = {p: mean(reads(a, p) for a in APPS) for p in three}

    def those(apps, p="gmt-reuse"):
        return ", ".join("%s %s" % (NAMES[a], f2(up(a, p))) for a in apps)

    def less(one, other, of):
        return 100 * (1 - of[one] / of[other])
    puts = {p: d.average("gmt", p, "tier2_puts", "tier3_reads", "bam") for p in three}
    hits = {p: d.average("gmt", p, "tier2_hits", "tier3_reads", "bam") for p in three}
    def beyond(a):
        r = d.distances["gmt"][a]
        return (r["between"] + r["long"]) / max(1, r["returns"])
    rise = [d.mean_up(w, "gmt-reuse") for w in d.ratios()]
    vector, rank = (d.distances["gmt"][a] for a in ("multivectoradd", "pagerank"))
    found = [
        ("2.1.3", "VTD and RD correlate well and linearly: MultiVectorAdd, PageRank.", "r² %s, %s" % (
            f2(vector["r2"]) if vector["r2"] else "– (all pairs equal)", f2(rank["r2"])),
         vector["r2"] > 0.8 and rank["r2"] > 0.8),
        ("2.1.3", "MultiVectorAdd: a page has the same RRD at each eviction; PageRank's alternates, and is like that of prior evictions.",
         "the class of the time before: %s, %s" % tuple(part_of(r["same"], r["again"], r["returns"]) for r in (vector, rank)),
         all(r["same"] > 0.8 * r["again"] for r in (vector, rank))),
        ("2.3", "Hybrid-32T is, or is close to, the best at every skew.", "worst %.2f of the best, at skew %.1f" % d.transfers[2], d.transfers[1]),
        ("3.3", "Pathfinder: 99.99 % of RRDs within Tier 1.", percent(d.distances["gmt"]["pathfinder"]["short"], d.distances["gmt"]["pathfinder"]["returns"]),
         d.distances["gmt"]["pathfinder"]["short"] > 0.99 * d.distances["gmt"]["pathfinder"]["returns"]),
        ("3.3", "RRDs beyond Tier 2: PageRank 94 %, SSSP 97 %, Hotspot 100 %.", ", ".join(percent(beyond(a), 1) for a in ("pagerank", "sssp", "hotspot")),
         beyond("pagerank") > 0.9 and beyond("sssp") > 0.9 and beyond("hotspot") > 0.99),
        ("3.3", "Reuse is 1.50 times as fast as BaM on average.", "%s on the GMT set, %s on the committed traces (evicts: %s)" % (
            f2(reuse), f2(d.mean_up("committed", "gmt-reuse")), f2(d.mean_up("committed", "gmt-reuse:full=evict"))) if "committed" in d.rows else
         "%s (evicts: %s)" % (f2(reuse), f2(d.mean_up("gmt", "gmt-reuse:full=evict"))), reuse >= 1.45),
        ("3.3", "TierOrder 1.07, Random 1.24.", "%s, %s (Random drops; evicts %s)" % (f2(order), f2(chance), f2(d.mean_up("gmt", "gmt-random"))),
         abs(order - 1.07) < 0.05 and abs(chance - 1.24) < 0.05),
        ("3.3", "Reuse is significantly faster than the other two.", "%s, %s, %s" % (f2(order), f2(chance), f2(reuse)), reuse > 1.05 * max(order, chance)),
        ("3.3", "LavaMD: Reuse 12 % slower than BaM, Random better than Reuse.", "%s; Random %s" % (f2(up("lavamd", "gmt-reuse")), f2(up("lavamd", three[1]))),
         up("lavamd", "gmt-reuse") < 1 and up("lavamd", three[1]) > up("lavamd", "gmt-reuse")),
        ("3.3", "Pathfinder: all three 25 % faster.", ", ".join(f2(up("pathfinder", p)) for p in three), all(up("pathfinder", p) >= 1.2 for p in three)),
        ("3.3", "BFS 28 %, MultiVectorAdd 40 % faster.", those(("bfs", "multivectoradd")),
         up("bfs", "gmt-reuse") >= 1.28 and up("multivectoradd", "gmt-reuse") >= 1.4),
        ("3.3", "TierOrder does well for BFS, not for MultiVectorAdd.", those(("bfs", "multivectoradd"), "gmt-tierorder"),
         up("bfs", "gmt-tierorder") > 1.1 > up("multivectoradd", "gmt-tierorder")),
        ("3.3", "Srad 133 %, Backprop 179 % faster; SSD I/O falls by 73 % and 81 %.", "%s; I/O −%.0f %%, −%.0f %%" % (
            those(("srad_v2", "backprop")), 100 - 100 * reads("srad_v2", "gmt-reuse"), 100 - 100 * reads("backprop", "gmt-reuse")),
         up("srad_v2", "gmt-reuse") >= 2.33 and up("backprop", "gmt-reuse") >= 2.79),
        ("3.3", "PageRank 18 %, SSSP 13 %, Hotspot 125 % faster.", those(("pagerank", "sssp", "hotspot")),
         all(up(a, "gmt-reuse") >= SPEEDUP[a] for a in ("pagerank", "sssp", "hotspot"))),
        ("3.3", "Hotspot: SSD accesses fall by 73 %.", "−%.0f %%; the bound, `opt-tiers`, −%.0f %%" % (
            100 - 100 * reads("hotspot", "gmt-reuse"), 100 - 100 * reads("hotspot", "opt-tiers")), reads("hotspot", "gmt-reuse") <= 0.27),
        ("3.4", "Reuse reads 26 % less than TierOrder and 15 % less than Random from the SSD.", "%.0f %%, %.0f %%" % (
            less("gmt-reuse", "gmt-tierorder", io), less("gmt-reuse", three[1], io)),
         less("gmt-reuse", "gmt-tierorder", io) >= 20 and less("gmt-reuse", three[1], io) >= 10),
        ("3.4", "Reuse wastes the fewest look-ups: 41 % fewer than TierOrder, 0.15 % fewer than Random.", "%.0f %%, %.0f %%" % (
            less("gmt-reuse", "gmt-tierorder", wasted), less("gmt-reuse", three[1], wasted)), wasted["gmt-reuse"] <= min(wasted[p] for p in three)),
        ("3.4", "Reuse: as many pages into Tier 2 as out of it; TierOrder: far more in.", "in / out: %s; %s" % (
            f2(puts["gmt-reuse"] / hits["gmt-reuse"]), f2(puts["gmt-tierorder"] / hits["gmt-tierorder"])),
         puts["gmt-reuse"] / hits["gmt-reuse"] < 1.3 < puts["gmt-tierorder"] / hits["gmt-tierorder"]),
        ("3.5", "Oversubscription 4: Reuse 1.23, TierOrder 1.03, Random 1.14.", ", ".join(f2(d.mean_up("gmt4", p)) for p in (three[2], three[0], three[1])),
         all(abs(d.mean_up("gmt4", p) - PAPER4[q]) < 0.05 for p, q in zip(three, ("gmt-tierorder", "gmt-random", "gmt-reuse")))),
        ("3.5", "Reuse gains with Tier 2's size (2, 4, 8 times Tier 1).", ", ".join(map(f2, rise)),
         rise[0] < rise[1] < rise[2]),
        ("3.5", "Larger data: Reuse 45 % faster than BaM, 20 % than Random, 35 % than TierOrder.", "%s; %s, %s" % (
            f2(d.mean_up("large", "gmt-reuse")), f2(d.mean_up("large", "gmt-reuse") / d.mean_up("large", three[1])),
            f2(d.mean_up("large", "gmt-reuse") / d.mean_up("large", "gmt-tierorder"))),
         d.mean_up("large", "gmt-reuse") >= 1.4),
    ]
    return found


def all_tables(d):
    found = statements(d)
    stated = page.markdown(["§", "the paper states", "here", "", "why"], [[s, p, h, "yes" if ok else "**no**", "?"] for s, p, h, ok in found])
    tables = {"means": means(d), "gmt": speedups(d, "gmt"), "committed": speedups(d, "committed"), "times": times(d), "hmm": hmm(d),
              "sizes": sizes(d), "traffic": traffic(d),
              "accuracy": accuracy(d), "distances": distances(d), "goals": goals(d), "readings": readings(d),
              "hardware": hardware(d), "transfers": hybrid.non_contiguous(d.t), "zipf": d.transfers[0], "sources": sources(d), "statements": stated}
    others = [a for a in APPS if a != "bfs"]
    three = ("TierOrder", "gmt-tierorder"), ("Random", "gmt-random:full=drop"), ("Reuse", "gmt-reuse")
    reads = {p: mean(d.share("gmt", a, p, "tier3_reads", "tier3_reads") for a in others) for _, p in three}

    def named(pairs):
        return ", ".join("%s %s" % pair for pair in pairs)
    values = {"held": "%d of %d" % (sum(ok for *_, ok in found), len(found)),
              "bound": "%s and %s" % tuple(f2(d.mean_up(w, "opt-tiers")) for w in ("gmt", "committed")),
              "bandwidth": f2(d.mean_up("gmt", "gmt-reuse", "overlapped")),
              "lavamd": named((n, f2(d.up("large", "lavamd", p))) for n, p in three[:0:-1]),
              "reads": "%.0f %% and %.0f %%" % tuple(100 - 100 * reads["gmt-reuse"] / reads[p] for _, p in three[:2]),
              "others": named((n, f2(d.mean_up("gmt", p, apps=others))) for n, p in three),
              "others4": named((n, f2(d.mean_up("gmt4", p, apps=others))) for n, p in three),
              "bfs": named((h, f2(d.up("gmt", "bfs", p))) for h, p in POLICIES)}
    return tables, values, found
