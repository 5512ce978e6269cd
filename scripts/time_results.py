#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""time_results.py [--jobs N] [--no-doc] [--accept] [--only policies|driver]: `make time-results`: run time of all policies, faults taking time.

Plays the recorded traces by build/platform in its default timeline, where a page is there when the page has arrived. Fills the tables and
figures of docs/reference/time_results.md, whose text is written by hand (scripts/page.py), draws docs/pictures/time-*.svg, and writes
build/time-results/runs.csv. Runs that build/time-results/runs.json has already, by the same command, the same parameters and the same
program, are not repeated: an interrupted call goes on. `--only driver` makes the section "Against today's driver" alone, `--only policies`
the others; the tables and pictures of the other part stay as they are. Exit status 2: it could not run.
"""
import csv
import os
import sys

import page
import plots
from gmt_parts.runs import APPS as GMT_APPS
from gmt_parts.tables import NAMES as GMT_NAMES, SPEEDUP as GMT_SPEEDUP
from results_parts import driver
from results_parts.platform_runs import PLATFORM, Runs, begin, f2, mean, percent, setting_options
from split import HALVES, halves

DOC = "docs/reference/time_results.md"
SIZES = ("75%", "50%", "25%")
AHEAD = ("unit.ahead=16",)
FAIR = ("driver.fair=25",)
# (row, options, settings); a policy of `gmmu replay` decides in the unit's place
UNIT = [("the unit, `sample`", ("--search", "sample"), ()), ("the unit, `scan`", ("--search", "scan"), ()), ("the unit, `clock`", ("--search", "clock"), ()),
        ("the unit, `sample`, duel of shares", ("--driver", "duel"), ()),
        ("the unit, `sample`, 16 frames ahead", ("--search", "sample"), AHEAD),
        ("the unit, `sample`, fair pins", ("--search", "sample"), FAIR)]
OTHERS = [("random", "random"), ("FIFO", "fifo"), ("CLOCK", "clock"), ("LFU", "lfu"), ("2Q", "2q"), ("ARC", "arc"), ("SRRIP", "srrip"),
          ("SIEVE", "sieve"), ("S3-FIFO", "s3fifo"), ("CLOCK-Pro", "clockpro"), ("LIRS", "lirs"), ("LIRS, 10 % for HIR pages", "lirs:hir=10"), ("HPE", "hpe")]
FUTURE = [("OPT", "opt")]


def row_of(name, policy, settings=()):
    return name, ("--policy", policy), tuple(settings)


LRU = row_of("LRU", "lru")
NONE = row_of("all pages there", "none")
ROWS = ([LRU] + [row_of(*x) for x in OTHERS] + [row_of("LRU, 16 frames ahead", "lru", AHEAD), row_of("LIRS, 10 %, 16 frames ahead", "lirs:hir=10", AHEAD)] +
        [row_of("LRU, fair pins", "lru", FAIR), row_of("CLOCK-Pro, fair pins", "clockpro", FAIR), row_of("HPE, fair pins", "hpe", FAIR),
         row_of("LIRS, 10 %, fair pins", "lirs:hir=10", FAIR)] +
        [(n, ("--policy", "unit") + o, s) for n, o, s in UNIT] + [row_of(*x) for x in FUTURE])
BASE = next(r for r in ROWS if r[0] == UNIT[0][0])
KNOWN = {n for n, _ in FUTURE}  # rows that know the future
FAIR_ROWS = [r for r in ROWS if r[2] == FAIR]  # constants of the driver that were chosen for time
FAIR_UNIT = next(r for r in FAIR_ROWS if r[0].startswith("the unit"))
LOSES = (("LRU", 1.03), ("LIRS", 1.10))  # the most that the unit may take of a policy's time, where OPT evicts EVICTS pages
EVICTS = 1000
# how many warps: on recorded traces and on larger ones, of which memory bounds them (gpu.frames_per_warp)
WARPS = {"recorded": ("16", "64", "256"), "larger": ("64", "512", "4096")}
CURVE = [next(r for r in ROWS if r[0] == n) for n in ("CLOCK-Pro", "LIRS", UNIT[0][0], "OPT")]
# GMT: the GPU serves itself, page by page, and each warp goes on with its page
GMT = ("driver.fault=0 us", "driver.block=0 us", "driver.page=0 us", "driver.batch=1", "driver.replay=block")
GMT_HOSTS = [("100 ns", GMT), ("49 µs", GMT + ("host.latency=49 us",))]
TIERS = ("10%", "4x")
BAM = row_of("BaM", "bam")
GMT_ROWS = [row_of("TierOrder", "gmt-tierorder"), row_of("Random", "gmt-random:full=drop"), row_of("Reuse", "gmt-reuse"),
            ("the unit, by priority", ("--policy", "unit", "--search", "sample", "--place", "priority"), ())]
PAPER = {"TierOrder": 1.07, "Random": 1.24, "Reuse": 1.50}


def command(path, _, row, frames, tier2="", more=()):
    args = [PLATFORM, path, *row[1], "--frames", frames, "--format", "json"]
    return args + (["--tier2", tier2] if tier2 else []) + setting_options(row[2] + tuple(more))


def write_runs(r):
    """build/time-results/runs.csv: a line each run."""
    what = ("run_us", "walks", "faults", "evictions", "writebacks", "batches", "stall_us")
    with open(r.folder + "/runs.csv", "w", encoding="utf-8", newline="") as f:
        out = csv.writer(f)
        out.writerow(("trace", "half", "policy", "frames", "tier2", "settings") + what)
        half = halves()
        for words, (trace, row, frames, *more) in r.keys.items():
            tier2, how = more[0] if more else "", row[2] + (tuple(more[1]) if len(more) > 1 else ())
            out.writerow([trace, half[os.path.basename(trace)][0], row[0].replace("`", ""), frames, tier2, " ".join(how)] +
                         [r.rows[words].get(w, "") for w in what])


def of_half(r, half):
    return [t for t in r.paths if half == "all" or halves()[t][0] == half]


def over(r, row, size, half="all", base=LRU):
    return mean(r.time(t, row, size) / r.time(t, base, size) for t in of_half(r, half))


def want_times(r):
    for trace in r.paths:
        for size in SIZES:
            for row in ROWS:
                r.want(trace, row, size)
        r.want(trace, NONE, "50%")


def warps_of(value):
    return () if value == STANDARD["gpu.warps"] else ("gpu.warps=" + value,)


def want_warps(r):
    for traces, values in ((r.paths, WARPS["recorded"]), (r.larger, WARPS["larger"])):
        for trace in traces:
            for value in values:
                for row in [LRU] + CURVE:
                    r.want(trace, row, "50%", "", warps_of(value))


def warps(r):
    rows = []
    for name, traces in (("recorded (%d)" % len(r.paths), r.paths), ("larger (%d)" % len(r.larger), r.larger)):
        values = WARPS[name.split()[0]]
        for value in values:
            how = warps_of(value)
            used = sorted(r.at(t, LRU, "50%", "", how)["warps"] for t in traces)
            rows.append([name, "**%s**" % value if value == STANDARD["gpu.warps"] else value, "%d, %d, %d" % (used[0], used[len(used) // 2], used[-1]),
                         "%.1f" % mean(max(1, r.at(t, LRU, "50%", "", how)["pages_per_batch"]) for t in traces),
                         f2(mean(r.time(t, LRU, "50%", "", how) / r.time(t, LRU, "50%", "", warps_of(values[0])) for t in traces))] +
                        [f2(mean(r.time(t, row, "50%", "", how) / r.time(t, LRU, "50%", "", how) for t in traces)) for row in CURVE])
    return page.markdown(["traces", "`gpu.warps`", "warps: least, median, most", "LRU: pages a batch", "LRU's time over that with the fewest warps"] +
                         [row[0] + ", over LRU" for row in CURVE], rows)


def want_tiers(r):
    for app in GMT_APPS:
        for _, how in GMT_HOSTS:
            for row in [BAM] + GMT_ROWS:
                r.want(app, row, *TIERS, how)


def policies(r):
    rows = []
    names = ("all",) + HALVES
    for row in ROWS:
        rows.append([row[0]] + [f2(over(r, row, s, h)) for h in names for s in SIZES])
    rows.append([NONE[0]] + [f2(mean(r.time(t, NONE, "50%") / r.time(t, LRU, s) for t in of_half(r, h))) for h in names for s in SIZES])
    heads = ["%s (%d): %s" % (h.replace("-", " "), len(of_half(r, h)), percent(s)) for h in names for s in SIZES]
    return page.markdown(["run time over LRU's"] + heads, rows)


def evictions(r):
    rows = []
    for row in ROWS:
        rows.append([row[0]] + [f2(mean((r.at(t, row, s)["evictions"] + 1) / (r.at(t, LRU, s)["evictions"] + 1) for t in r.paths)) for s in SIZES])
    return page.markdown(["evictions over LRU's"] + [percent(s) for s in SIZES], rows)


def others(fair=False):
    """Rows of policies that are not the unit and do not know the future, with fair pins or without."""
    return [row for row in ROWS if row not in UNIT_ROWS and row[0] not in KNOWN and (row in FAIR_ROWS) == fair]


def best_other(r, size, half="all", fair=False):
    """(ratio, name) of the row of least time that is not the unit's and does not know the future."""
    return min((over(r, row, size, half), row[0]) for row in others(fair))


UNIT_ROWS = [r for r in ROWS if r[0].startswith("the unit")]


def losses(r):
    """Traces on which the unit with fair pins takes more than LOSES allows."""
    named, rows = {row[0]: row for row in ROWS}, []
    for size in SIZES:
        for t in r.paths:
            ratios = [r.time(t, FAIR_UNIT, size) / r.time(t, named[n], size) for n, _ in LOSES]
            if r.at(t, named["OPT"], size)["evictions"] >= EVICTS and any(x > most for x, (_, most) in zip(ratios, LOSES)):
                rows.append([percent(size), "`%s`" % t, halves()[t][0].replace("-", " ")] + [f2(x) for x in ratios] +
                            [f2(r.time(t, BASE, size) / r.time(t, named["LRU"], size))])
    return page.markdown(["memory", "trace", "half"] + ["over %s" % n for n, _ in LOSES] + ["without fair pins, over LRU"], rows)


def by_trace(r):
    rows = []
    named = {row[0]: row for row in ROWS}
    for t in r.paths:
        line = ["`%s`" % t, halves()[t][0].replace("-", " ")]
        worst = 0
        for s in SIZES:
            unit, lirs = (r.time(t, row, s) / r.time(t, LRU, s) for row in (BASE, named["LIRS"]))
            best, name = min((r.time(t, row, s) / r.time(t, LRU, s), row[0]) for row in others())
            fair, opt = (r.time(t, row, s) / r.time(t, LRU, s) for row in (FAIR_UNIT, named["OPT"]))
            line += [f2(unit), f2(fair), f2(lirs), "%s %s" % (f2(best), name), f2(opt)]
            worst = max(worst, unit / best)
        rows.append((-worst, line))
    rows.sort(key=lambda x: (x[0], x[1][0]))
    heads = ["%s: %s" % (percent(s), c) for s in SIZES for c in ("unit", "fair pins", "LIRS", "best other", "OPT")]
    return page.markdown(["trace", "half"] + heads, [x for _, x in rows])


def tiers(r, how):
    rows = []
    for app in GMT_APPS:
        bam = r.time(app, BAM, *TIERS, how)
        rows.append([GMT_NAMES[app]] + [f2(bam / r.time(app, row, *TIERS, how)) for row in GMT_ROWS] + [f2(GMT_SPEEDUP[app])])
    means = [mean(r.time(a, BAM, *TIERS, how) / r.time(a, row, *TIERS, how) for a in GMT_APPS) for row in GMT_ROWS]
    rows.append(["**mean**"] + ["**%s**" % f2(x) for x in means] + ["**1.50**"])
    rows.append(["the paper"] + [f2(PAPER[row[0]]) if row[0] in PAPER else "" for row in GMT_ROWS] + [""])
    return page.markdown(["application"] + [row[0] for row in GMT_ROWS] + ["Reuse (paper)"], rows)


def draw(r, pyplot, save):
    figure, axes = pyplot.subplots(1, len(SIZES), figsize=(10, 4), sharey=True)
    for ax, size in zip(axes, SIZES):
        rows = sorted(ROWS, key=lambda row: -mean(over(r, row, s) for s in SIZES))
        for n, row in enumerate(rows):
            color = "#1f5a92" if row in UNIT_ROWS else "#999999" if row[0] in KNOWN else "#8fb8dd"
            ax.barh(n, over(r, row, size), color=color)
            ax.plot([over(r, row, size, h) for h in HALVES], [n, n], "|", color="#000000", markersize=6)
        ax.axvline(1, color="#999999", linewidth=0.6)
        ax.set_yticks(range(len(rows)), [row[0].replace("`", "") for row in rows], fontsize=7)
        ax.set_title("memory %s" % percent(size), loc="left", fontsize=8)
    axes[0].set_xlabel("run time over LRU's")
    save(figure, "policies")

    figure, axes = pyplot.subplots(1, 2, figsize=(8, 2.6), sharey=True)
    for ax, (name, traces) in zip(axes, (("recorded", r.paths), ("larger", r.larger))):
        for row in CURVE:
            ax.plot([int(v) for v in WARPS[name]],
                    [mean(r.time(t, row, "50%", "", warps_of(v)) / r.time(t, LRU, "50%", "", warps_of(v)) for t in traces) for v in WARPS[name]],
                    "o-", markersize=3, linewidth=1, label=row[0].replace("`", ""))
        ax.axhline(1, color="#999999", linewidth=0.6)
        ax.set_xscale("log", base=2)
        ax.set_xlabel("gpu.warps")
        ax.set_title("%s traces (%d), memory 50 %%" % (name, len(traces)), loc="left", fontsize=8)
    axes[0].set_ylabel("run time over LRU's")
    axes[1].legend(frameon=False, fontsize=6)
    save(figure, "warps")


def want_policies(r):
    want_times(r)
    want_warps(r)
    want_tiers(r)


def tables_of_policies(r):
    tables = {"policies": policies(r), "evictions": evictions(r), "by_trace": by_trace(r), "losses": losses(r), "warps": warps(r)}
    for n, (_, how) in enumerate(GMT_HOSTS):
        tables["tiers%d" % n] = tiers(r, how)
    return tables


def values_of_policies(r):
    return {"unit": ", ".join(f2(over(r, BASE, s)) for s in SIZES), "unit_held": ", ".join(f2(over(r, BASE, s, "held-out")) for s in SIZES),
            "best": "; ".join("%s %s" % (f2(x), n) for x, n in (best_other(r, s) for s in SIZES)),
            "fair": ", ".join(f2(over(r, FAIR_UNIT, s)) for s in SIZES), "fair_held": ", ".join(f2(over(r, FAIR_UNIT, s, "held-out")) for s in SIZES),
            "fair_best": ", ".join(f2(over(r, FAIR_UNIT, s) / best_other(r, s)[0]) for s in SIZES),
            "fair_other": "; ".join("%s %s" % (f2(x), n) for x, n in (best_other(r, s, fair=True) for s in SIZES)),
            "opt": ", ".join(f2(over(r, row_of(*FUTURE[0]), s)) for s in SIZES)}


# (name, runs, tables, figures in sentences, pictures)
PARTS = [("policies", want_policies, tables_of_policies, values_of_policies, draw), ("driver", driver.want, driver.tables, driver.values, driver.draw)]


def main():
    o, standard = begin("time-results", __doc__, ("--only", {"choices": [p[0] for p in PARTS], "help": "runs, tables and pictures of this part alone"}))
    STANDARD.update(standard)
    r = Runs("time-results", command)
    parts = [p for p in PARTS if o.only in (None, p[0])]
    for _, want, _, _, _ in parts:
        want(r)
    r.all(o.jobs)
    write_runs(r)
    tables, values = {}, {}
    for _, _, tables_of, values_of, _ in parts:
        tables.update(tables_of(r))
        values.update(values_of(r))
    for name, lines in tables.items():
        print("\n%s\n%s" % (name, "\n".join(lines)))
    if not o.no_doc:
        pyplot, save = plots.start("time")
        for *_, pictures in parts:
            pictures(r, pyplot, save)
        page.fill(DOC, "time", tables, values, {}, o.accept, partial=o.only is not None)
        print("written: %s, docs/pictures/time-*.svg, %s/runs.csv" % (DOC, r.folder))
    return 0


STANDARD = {}  # {parameter: value in config/platform.json}

if __name__ == "__main__":
    sys.exit(main())
