#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""platform_results.py [--jobs N] [--no-doc] [--accept]: `make platform-results`: policies by run time (docs/reference/platform_results.md).

Plays sim/traces by build/platform, fills the tables and figures of docs/reference/platform_results.md, whose text is written by hand
(scripts/page.py), and draws docs/pictures/platform-*.svg. Runs that build/platform-results/runs.json has already, by the same command,
the same parameters and the same program, are not repeated. Exit status 2: it could not run.
"""
import sys

import page
import plots
from gmt_parts.runs import APPS as GMT_APPS
from gmt_parts.tables import NAMES as GMT_NAMES, SPEEDUP as GMT_SPEEDUP
from hpe_parts.paper import APPS as HPE_APPS, CLOCKPRO, PAPER, RRIP_FAR, RRIP_LONG, TYPES, hand
from results_parts.platform_runs import PLATFORM, Runs, begin, f2, mean, percent, setting_options
from split import HALVES, halves

DOC = "docs/reference/platform_results.md"
SIZES = ("75%", "50%")
POLICIES = [("random", "random"), ("CLOCK", "clock"), ("RRIP", "rrip"), ("CLOCK-Pro", CLOCKPRO), ("LIRS", "lirs"), ("HPE", "hpe"),
            ("leu (the unit)", "unit"), ("OPT", "opt")]
TYPE = {p[1]: p[2] for p in PAPER}
# what is changed, to what, and what stands in config/platform.json
SWEEPS = [("driver.fault", "a far fault", ("5 us", "20 us", "50 us")), ("driver.batch", "faults of a batch", ("1", "256")),
          ("driver.replay", "warps go on with their", ("batch", "page")), ("link.bandwidth", "link, each way", ("3.94 GB/s", "15.75 GB/s")),
          ("gpu.warps", "warps", ("1", "64", "512")), ("gpu.think", "a warp thinks", ("100 ns", "1 us"))]
# GMT: the GPU serves itself, each warp goes on with its page
GMT = ("driver.fault=0 us", "driver.replay=page")
GMT_HOST = GMT + ("host.latency=49 us",)
GMT_POLICIES = [("TierOrder", "gmt-tierorder", 1.07), ("Random, evicts", "gmt-random", 1.24), ("Random, drops", "gmt-random:full=drop", 1.24),
                ("Reuse, evicts", "gmt-reuse:full=evict", 1.50), ("Reuse, drops", "gmt-reuse", 1.50), ("tier", "tier", None), ("opt-tiers", "opt-tiers", None)]
PIN = ("driver.pin=yes",)
# HPE's section V.C: with LRU the host is busy for 29.9 % and 39.3 % of the time: at 20 us a fault, each alone, so much the GPU has to do itself. One
# warp: of 64 the others would hide such faults whole
ALONE = ("driver.batch=1",)
LOAD = ALONE + ("gpu.warps=1", "gpu.think=12.7 us")
HIDDEN = ALONE + ("gpu.think=1.8 ms",)  # the same load with 64 warps
# a walk of 8 and of 20 of HPE's cycles, 1.4 GHz
WALKS = [LOAD + ("walkers.latency=5714 ps",), LOAD + ("walkers.latency=14286 ps",)]
# GMT's section 3.5: (Tier 1, Tier 2)
STANDARD_TIERS, OVER_4 = ("10%", "4x"), ("5%", "4x")
RATIOS = [("10%", "2x"), ("10%", "4x"), ("10%", "8x")]
GRAPHS = ("bfs", "pagerank", "sssp")
OTHER_APPS = [a for a in GMT_APPS if a not in GRAPHS]
GMT_HEADS = [h for h, _, _ in GMT_POLICIES]


def command(path, trace, policy, frames, tier2="", more=()):
    if policy == "rrip":  # as HPE's section V.B has it
        policy = RRIP_FAR if TYPE.get(trace) == "II" else RRIP_LONG
    args = [PLATFORM, path, "--policy", policy, "--frames", frames, "--format", "json", "--set", "run.timeline=decided", "--set", "driver.page=0 us"]
    return args + (["--tier2", tier2] if tier2 else []) + setting_options(more)


def settings_of(name, value):
    return () if value == STANDARD[name] else ("%s=%s" % (name, value),)


def want_all(r):
    for trace in r.paths:
        for size in SIZES:
            for policy in ["lru"] + [p for _, p in POLICIES]:
                r.want(trace, policy, size)
        r.want(trace, "none", "50%")
    for name, _, values in SWEEPS:
        for value in values:
            for trace in HPE_APPS:
                for policy in ("lru", "unit"):
                    r.want(trace, policy, "50%", "", settings_of(name, value))
    for trace in GMT_APPS:
        for how in (GMT, GMT_HOST):
            for policy in ["bam"] + [p for _, p, _ in GMT_POLICIES]:
                r.want(trace, policy, "10%", "4x", how)
        for how in (GMT, GMT_HOST):
            for tiers in [OVER_4] + RATIOS:
                for policy in ("bam", "gmt-reuse", "gmt-tierorder", "gmt-random:full=drop"):
                    r.want(trace, policy, *tiers, how)
            r.want(trace, "unit", *STANDARD_TIERS, how)
            r.want(trace, "unit", *STANDARD_TIERS, how + PIN)
    for trace in r.paths:
        for size in SIZES:
            r.want(trace, "unit", size, "", PIN)
    for trace in HPE_APPS:  # a fault alone costs 20 us, as the paper simulates it
        for size in SIZES:
            for policy in ("lru", "random", "rrip", CLOCKPRO, "hpe", "opt"):
                r.want(trace, policy, size, "", ALONE)
                r.want(trace, policy, size, "", LOAD)
            for policy in ("lru", "hpe"):
                r.want(trace, policy, size, "", HIDDEN)
            for axis, values in HAND_AXES:
                for value in values:
                    for category in (1, 2):
                        r.want(trace, hand(axis, value, category), size, "", ALONE)
            for how in WALKS:
                for policy in ("lru", "hpe"):
                    r.want(trace, policy, size, "", how)


HAND_AXES = (("set", (8, 16, 32)), ("interval", (32, 64, 128)))


def by_policy(r):
    rows = [["LRU"] + ["1.00"] * 4]
    for label, policy in POLICIES:
        row = [label]
        for size in SIZES:
            row.append(f2(mean(r.time(t, policy, size) / r.time(t, "lru", size) for t in r.paths)))
            both = [(r.at(t, policy, size)["evictions"], r.at(t, "lru", size)["evictions"]) for t in r.paths]
            row.append(f2(mean((a + 1) / (b + 1) for a, b in both)))
        rows.append(row)
    free = [f2(mean(r.time(t, "none", "50%") / r.time(t, "lru", size) for t in r.paths)) for size in SIZES]
    rows.append(["all pages there", free[0], "", free[1], ""])
    return page.markdown(["over LRU's, geometric means", "75 %: run time", "evictions", "50 %: run time", "evictions"], rows)


def rank_agreement(r, trace, size):
    """Of the pairs of policies, those in which fewer evictions take less time (Kendall, without ties)."""
    rows = [r.at(trace, p, size) for p in ["lru"] + [p for _, p in POLICIES]]
    good = bad = 0
    for i, a in enumerate(rows):
        for b in rows[:i]:
            sign = (a["evictions"] - b["evictions"]) * (a["run_us"] - b["run_us"])
            good += sign > 0
            bad += sign < 0
    return good, bad


def follow(r):
    """Each trace: how run time follows evictions, those where it does least first."""
    rows = []
    for trace in r.paths:
        pairs = [rank_agreement(r, trace, size) for size in SIZES]
        good, bad = (sum(p[i] for p in pairs) for i in (0, 1))
        lru, unit = r.at(trace, "lru", "50%"), r.at(trace, "unit", "50%")
        rows.append((good / max(1, good + bad), [
            "`%s`" % trace, "%d of %d" % (good, good + bad), f2((unit["evictions"] + 1) / (lru["evictions"] + 1)), f2(unit["run_us"] / lru["run_us"]),
            "%.1f, %.1f" % (lru["pages_per_batch"], unit["pages_per_batch"])]))
    rows.sort(key=lambda x: (x[0], x[1][0]))
    return page.markdown(["trace", "pairs alike", "50 %: evictions, unit over LRU", "run time", "pages a batch, LRU, unit"], [x for _, x in rows[:12]]), rows


def sweep_rows(r):
    for name, words, values in SWEEPS:
        for value in values:
            s = settings_of(name, value)
            up = mean(r.time(t, "lru", "50%", "", s) / r.time(t, "unit", "50%", "", s) for t in HPE_APPS)
            slow = mean(r.time(t, "unit", "50%", "", s) / r.time(t, "unit", "50%") for t in HPE_APPS)
            stall = mean(r.at(t, "unit", "50%", "", s)["stall_per_fault_us"] for t in HPE_APPS)
            yield name, words, value, up, slow, stall


def sensitivity(r):
    rows = [["%s (`%s`)" % (words, name), ("**%s**" if value == STANDARD[name] else "%s") % value.replace("us", "µs"), f2(up), f2(slow), "%.0f" % stall]
            for name, words, value, up, slow, stall in sweep_rows(r)]
    return page.markdown(["parameter", "value", "LRU's time over the unit's", "the unit's time over that at the standard value", "stall a fault, µs"], rows)


def gmt(r, how):
    rows = []
    for app in GMT_APPS:
        bam = r.time(app, "bam", "10%", "4x", how)
        rows.append([GMT_NAMES[app]] + [f2(bam / r.time(app, p, "10%", "4x", how)) for _, p, _ in GMT_POLICIES] + [f2(GMT_SPEEDUP[app])])
    rows.append(["**mean**"] + ["**%s**" % f2(gmt_mean(r, p, how)) for _, p, _ in GMT_POLICIES] + ["**1.50**"])
    rows.append(["the paper"] + [f2(x) if x else "" for _, _, x in GMT_POLICIES] + [""])
    return page.markdown(["application"] + GMT_HEADS + ["GMT-Reuse (paper)"], rows)


def gmt_mean(r, policy, how):
    return mean(r.time(a, "bam", "10%", "4x", how) / r.time(a, policy, "10%", "4x", how) for a in GMT_APPS)


def hpe_up(r, policy, how=()):
    return [mean(r.time(t, policy, s, "", how) / r.time(t, "hpe", s, "", how) for t in HPE_APPS) for s in SIZES]


def ups_of(r, policy, how, tiers, apps=None):
    return mean(r.time(a, "bam", *tiers, how) / r.time(a, policy, *tiers, how) for a in apps or GMT_APPS)


def pins(r):
    half = halves()
    rows = []
    for name in HALVES + ("all",):
        traces = [t for t in r.paths if name == "all" or half[t][0] == name]
        row = ["%s (%d)" % (name.replace("-", " "), len(traces))]
        for size in SIZES:
            row += [f2(mean(r.time(t, "unit", size, "", how) / r.time(t, "lru", size) for t in traces)) for how in ((), PIN)]
            row.append(f2(mean(r.time(t, "unit", size, "", PIN) / r.time(t, "unit", size) for t in traces)))
            row.append(f2(mean((r.at(t, "unit", size, "", PIN)["evictions"] + 1) / (r.at(t, "unit", size)["evictions"] + 1) for t in traces)))
        rows.append(row)
    heads = ("unit over LRU", "with pins", "pins over none", "evictions")
    return page.markdown(["traces"] + ["%s: %s" % (percent(s), c) for s in SIZES for c in heads], rows)


def pin_traces(r):
    half = halves()
    rows = []
    for t in r.paths:
        gain = [r.time(t, "unit", s, "", PIN) / r.time(t, "unit", s) for s in SIZES]
        rows.append((min(gain), ["`%s`" % t, half[t][0].replace("-", " ")] + [f2(g) for g in gain] +
                     ["%d, %d" % tuple(r.at(t, "unit", s)["hasty"] for s in SIZES),
                      pair([r.time(t, "unit", s, "", PIN) / r.time(t, "lru", s) for s in SIZES])]))
    rows.sort(key=lambda x: (x[0], x[1][0]))
    heads = ["trace", "half", "75 %: pins over none", "50 %", "left before they came, without pins", "with pins, over LRU"]
    return page.markdown(heads, [x for _, x in rows])


def pin_tiers(r):
    rows = []
    for app in GMT_APPS + [None]:
        apps = [app] if app else GMT_APPS
        row = [GMT_NAMES[app] if app else "**mean**"]
        for how in (GMT, GMT_HOST):
            row += [f2(ups_of(r, p, how, STANDARD_TIERS, apps)) for p in ("gmt-reuse", "unit")]
            row.append(f2(mean(r.time(a, "bam", *STANDARD_TIERS, how) / r.time(a, "unit", *STANDARD_TIERS, how + PIN) for a in apps)))
        rows.append(row if app else [row[0]] + ["**%s**" % c for c in row[1:]])
    return page.markdown(["application"] + ["%s: %s" % (h, c) for h in ("100 ns", "49 µs") for c in ("Reuse, drops", "unit", "unit, pins")], rows)


def by_types(r, kinds, how):
    apps = [t for t in HPE_APPS if TYPE[t] in kinds]
    return [mean(r.time(t, "lru", s, "", how) / r.time(t, "hpe", s, "", how) for t in apps) for s in SIZES]


def spread(r, axis, values, how):
    """Of a type's mean run time over VALUES, the largest distance from the first, in parts; the strategy by hand: the one of less time at 16, 64."""
    worst = 0
    for size in SIZES:
        by_hand = {t: min((1, 2), key=lambda c, t=t: r.time(t, hand("set", 16, c), size, "", how)) for t in HPE_APPS}
        for kind in TYPES:
            apps = [t for t in HPE_APPS if TYPE[t] == kind]
            times = [mean(r.time(t, hand(axis, v, by_hand[t]), size, "", how) for t in apps) for v in values]
            worst = max([worst] + [abs(t / times[0] - 1) for t in times])
    return worst


def pair(values):
    return ", ".join(f2(v) for v in values)


def statements(r):
    """[section, the paper's words, three columns, holds]: HPE: by batches; each fault alone; alone, with LRU's load. GMT: 100 ns, 49 us."""
    rows = []

    def add(section, text, values, good):
        rows.append([section, text] + values + [""] * (3 - len(values)) + [good])

    hows = ((), ALONE, LOAD)
    for text, policy, paper in (("over LRU", "lru", (1.34, 1.16)), ("over Random", "random", (1.16, 1.21)), ("over RRIP", "rrip", (1.27, 1.16)),
                                ("over CLOCK-Pro", CLOCKPRO, (1.20, 1.15))):
        ours = [hpe_up(r, policy, h) for h in hows]
        add("HPE V.B", "HPE's speed-up %s: %s" % (text, pair(paper)), [pair(x) for x in ours],
            any(all(abs(x - y) <= 0.05 for x, y in zip(o, paper)) for o in ours[1:]))
    best = [max((r.time(t, "lru", s, "", h) / r.time(t, "hpe", s, "", h), t) for t in HPE_APPS for s in SIZES) for h in hows]
    add("HPE V.B", "up to 2.81 over LRU (HSD)", ["%.2f (`%s`)" % x for x in best],
        any(x[1] == "hotspot3d" and abs(x[0] - 2.81) <= 0.05 for x in best[1:]))
    ideal = [[1 / x for x in hpe_up(r, "opt", h)] for h in hows]
    add("HPE V.B", "within 11 % of Ideal", ["%s of Ideal's time" % pair(x) for x in ideal], any(all(x <= 1.11 for x in o) for o in ideal[1:]))
    slower = [[t for t in HPE_APPS if any(r.time(t, "hpe", s, "", h) > 1.01 * r.time(t, "lru", s, "", h) for s in SIZES)] for h in hows]
    add("HPE V.B", "slightly slower than LRU for several: NW, SAD, MVT, HWL", [", ".join("`%s`" % t for t in x) for x in slower],
        any({"nw", "sad", "mvt", "heartwall"} <= set(x) for x in slower[1:]))
    kinds = [[by_types(r, k, h) for h in hows] for k in (("I", "VI"), ("III", "IV", "V"), ("II",))]
    add("HPE V.B", "types I and VI: similar to LRU (within 5 %)", [pair(x) for x in kinds[0]],
        any(all(abs(x - 1) <= 0.05 for x in o) for o in kinds[0][1:]))
    add("HPE V.B", "types III to V: slightly faster than LRU (by up to 20 %)", [pair(x) for x in kinds[1]],
        any(all(1 < x <= 1.2 for x in o) for o in kinds[1][1:]))
    add("HPE V.B", "type II: much faster than LRU, most of the types", [pair(x) for x in kinds[2]],
        any(all(x > max(1.2, a, b) for x, a, b in zip(two, one, three)) for two, one, three in list(zip(kinds[2], kinds[0], kinds[1]))[1:]))
    walk = [mean(r.time(t, p, s, "", WALKS[1]) / r.time(t, p, s, "", WALKS[0]) for t in HPE_APPS for s in SIZES) for p in ("lru", "hpe")]
    add("HPE V.B", "walks of 20 instead of 8 cycles change LRU's and HPE's time little (1 %)",
        ["", "", "%.4f, %.4f" % tuple(walk)], all(x < 1.01 for x in walk))
    for axis, values, most in (("set", (8, 16, 32), 10), ("interval", (32, 64, 128), 12)):
        found = 100 * spread(r, axis, values, ALONE)
        add("HPE V.A", "%s of %s: IPC of a type within %d %%" % ({"set": "page sets", "interval": "intervals"}[axis], ", ".join(map(str, values)), most),
            ["", "%.0f %%" % found], found <= most)

    def loads(policy, how):
        return [sum(r.at(t, policy, s, "", how)["driver_use"] for t in HPE_APPS) / len(HPE_APPS) * 100 for s in SIZES]

    load = [loads("lru", h) for h in (ALONE, LOAD)]
    add("HPE V.C", "LRU's load of the host: 29.9 %, 39.3 % (the first sets the GPU's own time)",
        [""] + ["%.1f %%, %.1f %%" % tuple(x) for x in load], all(abs(x - y) <= 2 for x, y in zip(load[1], (29.9, 39.3))))
    for name, policy, paper in (("RRIP", "rrip", (30.3, 39.5)), ("CLOCK-Pro", CLOCKPRO, (29.5, 39.2))):
        load = [loads(policy, h) for h in (ALONE, LOAD)]
        add("HPE V.C", "%s's load: %.1f %%, %.1f %%" % ((name,) + paper),
            [""] + ["%.1f %%, %.1f %%" % tuple(x) for x in load], all(abs(x - y) <= 2 for x, y in zip(load[1], paper)))

    def gmt_row(section, text, found, good):
        add(section, text, [f2(x) for x in found], good)

    near = lambda found, paper: any(abs(x - paper) <= 0.05 for x in found)
    ups = {label: ([gmt_mean(r, p, h) for h in (GMT, GMT_HOST)], x) for label, p, x in GMT_POLICIES if x}
    for label, (found, paper) in ups.items():
        gmt_row("GMT 3.3", "%s %.2f times as fast as BaM" % (label, paper), found, near(found, paper))
    rows.append(["GMT 3.3", "Reuse is faster than the other two"] +
                ["%s; %s, %s" % tuple(f2(ups[k][0][i]) for k in ("Reuse, drops", "TierOrder", "Random, drops"))
                 for i in (0, 1)] + [""] +
                [all(ups["Reuse, drops"][0][i] > max(ups["TierOrder"][0][i], ups["Random, drops"][0][i]) for i in (0, 1))])
    for app, text in (("lavamd", "LavaMD 12 % slower"), ("pathfinder", "Pathfinder 25 % faster"), ("bfs", "BFS 28 %"),
                      ("multivectoradd", "MultiVectorAdd 40 %"), ("srad_v2", "Srad 133 %"), ("backprop", "Backprop 179 %"),
                      ("pagerank", "PageRank 18 %"), ("sssp", "SSSP 13 %"), ("hotspot", "Hotspot 125 %")):
        both = [ups_of(r, "gmt-reuse", h, STANDARD_TIERS, [app]) for h in (GMT, GMT_HOST)]
        gmt_row("GMT 3.3", "Reuse: " + text, both, near(both, GMT_SPEEDUP[app]))
    both = [[ups_of(r, p, h, STANDARD_TIERS, ["lavamd"]) for p in ("gmt-random:full=drop", "gmt-reuse")] for h in (GMT, GMT_HOST)]
    add("GMT 3.3", "LavaMD: Random is faster than Reuse", ["%s, %s" % tuple(map(f2, x)) for x in both], any(a > b for a, b in both))
    for label, policy, paper in (("Reuse", "gmt-reuse", 1.23), ("TierOrder", "gmt-tierorder", 1.03), ("Random", "gmt-random:full=drop", 1.14)):
        both = [ups_of(r, policy, h, OVER_4) for h in (GMT, GMT_HOST)]
        gmt_row("GMT 3.5", "oversubscription 4 (both tiers halved): %s %.2f" % (label, paper), both, near(both, paper))
    ratio = [[ups_of(r, "gmt-reuse", h, tiers) for tiers in RATIOS] for h in (GMT, GMT_HOST)]
    add("GMT 3.5", "Tier 2 of 2, 4, 8 times Tier 1: Reuse's speed-up rises", [", ".join(map(f2, x)) for x in ratio], all(x[0] < x[1] < x[2] for x in ratio))
    both = [[ups_of(r, p, h, STANDARD_TIERS, OTHER_APPS) for p in ("gmt-reuse", "gmt-random:full=drop", "gmt-tierorder")] for h in (GMT, GMT_HOST)]
    add("GMT 3.5", "without graphs (at twice the pages; here the same): Reuse 1.45, 20 % over Random, 35 % over TierOrder",
        ["%s; over them %s, %s" % (f2(a), f2(a / b), f2(a / c)) for a, b, c in both],
        any(abs(a - 1.45) <= 0.05 and abs(a / b - 1.2) <= 0.05 and abs(a / c - 1.35) <= 0.05 for a, b, c in both))
    return rows


def draw(r):
    pyplot, save = plots.start("platform")
    figure, axes = pyplot.subplots(1, 2, figsize=(9, 3.4), sharey=True)
    for ax, size in zip(axes, SIZES):
        for label, policy in POLICIES:
            points = [((r.at(t, policy, size)["evictions"] + 1) / (r.at(t, "lru", size)["evictions"] + 1), r.time(t, policy, size) / r.time(t, "lru", size))
                      for t in r.paths]
            ax.plot([min(max(x, 0.05), 8) for x, _ in points], [y for _, y in points], "o", markersize=2.5, label=label)
        ax.axhline(1, color="#999999", linewidth=0.6)
        ax.axvline(1, color="#999999", linewidth=0.6)
        ax.set_xscale("log")
        ax.set_yscale("log")
        ax.set_xlabel("evictions over LRU's (within 0.05 to 8)")
        ax.set_title("memory %s" % percent(size), loc="left", fontsize=8)
    axes[0].set_ylabel("run time over LRU's")
    axes[1].legend(frameon=False, fontsize=6)
    save(figure, "follow")

    groups = {}
    for name, words, value, up, _, _ in sweep_rows(r):
        groups.setdefault(words, []).append((value.replace("us", "µs"), up, value == STANDARD[name]))
    figure, axes = pyplot.subplots(1, len(groups), figsize=(10, 2.2), sharey=True)
    for ax, (words, points) in zip(axes, groups.items()):
        ax.plot(range(len(points)), [p[1] for p in points], "o-", markersize=3, linewidth=1, color="#1f5a92")
        ax.axvline([p[2] for p in points].index(True), color="#999999", linewidth=0.6, linestyle=":")
        ax.set_xticks(range(len(points)), [p[0] for p in points], fontsize=6)
        ax.set_title(words, loc="left", fontsize=7)
    axes[0].set_ylabel("LRU's time over\nthe unit's, 50 %")
    save(figure, "sensitivity")


def main():
    o, standard = begin("platform-results", __doc__)
    STANDARD.update(standard)
    r = Runs("platform-results", command)
    want_all(r)
    r.all(o.jobs)
    found = statements(r)
    least, ordered = follow(r)
    tables = {
        "policies": by_policy(r), "follow": least, "sensitivity": sensitivity(r), "gmt": gmt(r, GMT), "gmt_host": gmt(r, GMT_HOST),
        "statements": page.markdown(["paper", "states", "by batches; GMT: 100 ns to host memory", "a fault alone; GMT: 49 µs",
                                     "alone, one warp, LRU's load as stated", ""],
                                    [x[:5] + ["yes" if x[5] else "**no**"] for x in found]),
        "pins": pins(r), "pin_traces": pin_traces(r), "pin_tiers": pin_tiers(r)}
    pairs = [rank_agreement(r, t, s) for t in r.paths for s in SIZES]
    values = {"held": "%d of %d" % (sum(x[5] for x in found), len(found)),
              "alike": "%.0f %%" % (100 * sum(p[0] for p in pairs) / sum(sum(p) for p in pairs)),
              "whole": "%d of %d" % (sum(x[0] == 1 for x in ordered), len(ordered)),
              "hidden": "%s; the host's load %s" % (pair(hpe_up(r, "lru", HIDDEN)), ", ".join(
                  "%.0f %%" % (100 * sum(r.at(t, "lru", s, "", HIDDEN)["driver_use"] for t in HPE_APPS) / len(HPE_APPS)) for s in SIZES)),
              "pinned": pair([mean(r.time(t, "lru", s) / r.time(t, "unit", s, "", PIN) for t in r.paths) for s in SIZES]),
              "pin_held": pair([mean(r.time(t, "unit", s, "", PIN) / r.time(t, "unit", s) for t in r.paths if halves()[t][0] == "held-out") for s in SIZES]),
              "pin_worst": f2(max(r.time(t, "unit", s, "", PIN) / r.time(t, "unit", s) for t in r.paths for s in SIZES)),
              "unit": pair([mean(r.time(t, "lru", s) / r.time(t, "unit", s) for t in r.paths) for s in SIZES])}
    for x in found:
        print("%-3s  %s  %s\n          %s; %s; %s" % ("yes" if x[5] else "NO", x[0], x[1], x[2], x[3], x[4]))
    if not o.no_doc:
        draw(r)
        page.fill(DOC, "platform", tables, values, {}, o.accept)
        print("written: %s, docs/pictures/platform-*.svg" % DOC)
    return 0


STANDARD = {}  # {parameter: value in config/platform.json}

if __name__ == "__main__":
    sys.exit(main())
