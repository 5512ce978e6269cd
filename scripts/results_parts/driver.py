# SPDX-License-Identifier: Apache-2.0
"""The section "Against today's driver" of docs/reference/time_results.md: the unit, and other orders, beside NVIDIA's driver.

R is the kept runs of scripts/time_results.py. A row is (name, options, settings).
"""
import os
import struct

import page
from results_parts.platform_runs import f2, mean, percent
from split import HALVES, halves

SIZES = ("75%", "50%", "25%")
SHIFT, LEAST = 12, 8192  # pages of 4 KiB, 32 MiB at least
FEW = 16  # below so many chunks of 2 MiB the figures are those of the grain (docs/guide/platform.md)
AHEAD = "unit.ahead=16"
SAMPLE = ("--policy", "unit", "--search", "sample")


def grain(size, *more):
    return ("driver.grain=" + size,) + more


def row_of(name, policy, settings=()):
    return name, ("--policy", policy), settings


BASE = row_of("today's driver", "uvm")
TODAY = [BASE, row_of("today's driver, no prefetch", "uvm:prefetch=none"), row_of("today's driver, told of accesses", "uvm:order=access"),
         row_of("today's driver, chunks of 64 KiB", "uvm", grain("64 KiB"))]
OTHERS = [row_of("LRU, 4 KiB", "lru"), row_of("LIRS, 10 %, 4 KiB", "lirs:hir=10"), row_of("LRU, 64 KiB", "lru", grain("64 KiB")),
          row_of("LIRS, 64 KiB", "lirs", grain("64 KiB")), row_of("LIRS, 10 %, 64 KiB", "lirs:hir=10", grain("64 KiB")),
          row_of("HPE, 64 KiB", "hpe", grain("64 KiB"))]
BEST = ("the unit, 64 KiB", SAMPLE, grain("64 KiB"))
UNIT = [("the unit, 4 KiB", SAMPLE, ()), BEST, ("the unit, 64 KiB, 16 chunks ahead", SAMPLE, grain("64 KiB", AHEAD)),
        ("the unit, 256 KiB", SAMPLE, grain("256 KiB")), ("the unit, 2 MiB", SAMPLE, grain("2 MiB"))]
OPT = row_of("OPT, 64 KiB", "opt", grain("64 KiB"))
NONE = row_of("all pages there", "none")
ROWS = TODAY + OTHERS + UNIT + [OPT]
WHY = (("stall", "stall_us"), ("to the GPU", "bytes_to_gpu"), ("from the GPU", "bytes_to_host"), ("batches", "batches"))


def header(path):
    """(log2 of the page size, pages) of a .gwt trace; of a text trace, which does not say its pages, (0, 0)."""
    with open(path, "rb") as f:
        head = f.read(32)
    return (struct.unpack_from("<I", head, 12)[0], struct.unpack_from("<Q", head, 24)[0]) if path.endswith(".gwt") else (0, 0)


def traces(r):
    """The traces with pages of 4 KiB and at least LEAST pages, the one with the fewest pages first."""
    found = {t: header(path) for t, path in list(r.paths.items()) + list(r.larger.items())}
    return sorted((t for t, (shift, pages) in found.items() if shift == SHIFT and pages >= LEAST), key=lambda t: (found[t][1], t))


def half_of(trace):
    return halves()[os.path.basename(trace)][0]


def of_half(r, half):
    return [t for t in traces(r) if half in ("all", half_of(t))]


def want(r):
    for trace in traces(r):
        for size in SIZES:
            for row in ROWS:
                r.want(trace, row, size)
        r.want(trace, NONE, "50%")


def ratio(r, trace, row, size, what="run_us"):
    return r.at(trace, row, "50%" if row is NONE else size)[what] / r.at(trace, BASE, size)[what]


def over(r, row, size, half="all", what="run_us"):
    found = [ratio(r, t, row, size, what) for t in of_half(r, half)]
    return sum(found) / len(found) if what == "bytes_to_host" else mean(found)


def chunks(r, trace, size):
    return r.at(trace, BASE, size)["chunks"]


def times(r):
    names = ("all",) + HALVES
    rows = [[row[0]] + [f2(over(r, row, s, h)) for h in names for s in SIZES] for row in ROWS + [NONE]]
    heads = ["%s (%d): %s" % (h.replace("-", " "), len(of_half(r, h)), percent(s)) for h in names for s in SIZES]
    return page.markdown(["run time over today's driver"] + heads, rows)


def why(r):
    rows = [[row[0]] + [f2(over(r, row, s, "all", what)) for s in SIZES for _, what in WHY] for row in ROWS]
    return page.markdown(["over today's driver"] + ["%s: %s" % (percent(s), name) for s in SIZES for name, _ in WHY], rows)


def best_other(r, trace, size):
    return min((ratio(r, trace, row, size), row[0]) for row in OTHERS + TODAY[1:])


def by_trace(r):
    rows = []
    for t in traces(r):
        line = ["`%s`" % os.path.basename(t), half_of(t).replace("-", " "), "%.0f" % (r.at(t, BASE, "50%")["distinct"] / 256),
                ", ".join("%d" % chunks(r, t, s) for s in SIZES)]
        worst = 0
        for s in SIZES:
            unit, (best, name) = ratio(r, t, BEST, s), best_other(r, t, s)
            line += ["%.1f" % (r.time(t, BASE, s) / 1000), "%s %s" % (f2(best), name), f2(unit)]
            worst = max(worst, unit / min(1, best))
        rows.append((-worst, line))
    rows.sort(key=lambda x: (x[0], x[1][0]))
    heads = ["%s: %s" % (percent(s), c) for s in SIZES for c in ("today's driver, ms", "best other", "unit, 64 KiB")]
    return page.markdown(["trace", "half", "MiB", "chunks of 2 MiB"] + heads, [x for _, x in rows])


def tables(r):
    return {"driver": times(r), "driver_why": why(r), "driver_trace": by_trace(r)}


def over_on(r, row, shown, base=BASE):
    return "%s, %s and %s" % tuple(f2(mean(r.time(t, row, s) / r.time(t, base, s) for t in shown)) for s in SIZES)


def many_chunks(r):
    """The traces of which a memory of 75 % has FEW chunks or more."""
    return [t for t in traces(r) if chunks(r, t, SIZES[0]) >= FEW]


def values(r):
    named = {row[0]: row for row in ROWS}
    all_of, many = traces(r), many_chunks(r)
    few = [t for t in all_of if t not in many]
    counts = [chunks(r, t, s) for t in few for s in SIZES]
    found = {name: over_on(r, named[row], all_of) for name, row in
             (("unit", BEST[0]), ("small", TODAY[3][0]), ("big", "the unit, 2 MiB"), ("page", "the unit, 4 KiB"), ("page_lru", "LRU, 4 KiB"))}
    found.update({"held": over_on(r, BEST, of_half(r, "held-out")), "order": over_on(r, BEST, all_of, TODAY[3]),
                  "few": "%d of the %d traces" % (len(few), len(all_of)), "counts": "%d to %d" % (min(counts), max(counts)),
                  "many": ", ".join("`%s`" % os.path.basename(t) for t in many),
                  "many_counts": "; ".join(", ".join("%d" % chunks(r, t, s) for s in SIZES) for t in many),
                  "many_unit": over_on(r, BEST, many), "many_big": over_on(r, named["the unit, 2 MiB"], many),
                  "lost": "%d, %d and %d" % tuple(sum(ratio(r, t, BEST, s) > 1 for t in all_of) for s in SIZES)})
    return {"driver_" + name: text for name, text in found.items()}


def draw(r, pyplot, save):
    figure, axes = pyplot.subplots(1, len(SIZES), figsize=(10, 3.4), sharey=True, sharex=True)
    rows = sorted((row for row in ROWS if row is not OPT), key=lambda row: -mean(over(r, row, s) for s in SIZES))
    many = many_chunks(r)
    for ax, size in zip(axes, SIZES):
        for n, row in enumerate(rows):
            y = over(r, row, size)
            ax.barh(n, y - 1, left=1, color="#1f5a92" if row in UNIT else "#bbbbbb" if row in TODAY else "#8fb8dd")
            ax.plot([over(r, row, size, h) for h in HALVES], [n, n], "|", color="#000000", markersize=6)
            ax.plot([mean(ratio(r, t, row, size) for t in many)], [n], "o", color="#c0392b", markersize=3.5, fillstyle="none")
            ax.text(9.5, n, f2(y), ha="right", va="center", fontsize=6)
        ax.axvline(1, color="#333333", linewidth=0.6)
        ax.set_xscale("log")
        ax.set_xlim(0.09, 10)
        ax.set_xticks([0.1, 0.25, 0.5, 1, 2, 4], ["0.1", "0.25", "0.5", "1", "2", "4"])
        ax.minorticks_off()
        ax.set_yticks(range(len(rows)), [row[0] for row in rows], fontsize=7)
        ax.set_title("memory %s" % percent(size), loc="left", fontsize=8)
    axes[0].set_xlabel("run time over that of today's driver")
    save(figure, "driver")
