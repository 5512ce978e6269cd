# SPDX-License-Identifier: Apache-2.0
"""docs/pictures/results-*.svg; the same file for the same figures."""
import math
import re

import plots
import split
from results_parts.study import BY_TRACE, NAME, OPTION_SIZES, OPTIONS, SIZES, UNIT, option

COLOUR = {"chosen-on": "#80b1d3", "held-out": "#1f5a92"}
TITLE = {"chosen-on": "chosen on", "held-out": "held out"}


def label(policy):
    return "leu (the unit)" if policy == UNIT else NAME[policy].replace("`", "").replace(", ", ",\n")


def percent(size):
    return size.replace("%", " %")


def policies(pyplot, save, traces):
    figure, axes = pyplot.subplots(len(SIZES), 1, figsize=(8.5, 5.4), sharex=True)
    for ax, size in zip(axes, SIZES):
        for n, half in enumerate(split.HALVES):
            y = [traces.mean(p, size, half) for p in traces.rivals] + [traces.mean_of_best(size, half)]
            bars = ax.bar([x + (n - 0.5) * 0.4 for x in range(len(y))], y, 0.38, label="%s, %d traces" % (TITLE[half], len(traces.part(half))),
                          color=COLOUR[half])
            ax.bar_label(bars, ["%.2f" % v for v in y], fontsize=5, padding=1)
        ax.axhline(1, color="black", linewidth=0.6)
        ax.set_ylabel("evictions / OPT")
        ax.set_title("memory %s of the pages" % percent(size), loc="left", fontsize=8)
    axes[-1].set_xticks(range(len(traces.rivals) + 1), [label(p) for p in traces.rivals] + ["best of\neach trace"], rotation=40, ha="right", fontsize=7)
    axes[-1].legend(frameon=False, loc="upper right", fontsize=7)
    save(figure, "policies")


def heat(pyplot, save, traces):
    shown = [p for p in BY_TRACE if p in traces.rivals]
    figure, axes = pyplot.subplots(1, len(SIZES), figsize=(11, 0.19 * len(traces.names) + 1), sharey=True)
    for ax, size in zip(axes, SIZES):
        rows = [[traces.over(t, p, size) for p in shown] for t in traces.names]
        ax.imshow([[math.log2(min(v, 4)) if v else 0 for v in r] for r in rows], aspect="auto", cmap="YlOrRd", vmin=0, vmax=2.4)
        for y, r in enumerate(rows):
            for x, v in enumerate(r):
                ax.text(x, y, "%.2f" % v if v else "-", ha="center", va="center", fontsize=5.5, color="white" if v and v > 2.8 else "black")
        ax.set_xticks(range(len(shown)), [label(p) for p in shown], rotation=40, ha="right", fontsize=7)
        ax.set_yticks(range(len(traces.names)), traces.names, fontsize=6.5)
        ax.axhline(len(traces.part("chosen-on")) - 0.5, color="black", linewidth=1)
        ax.set_title("memory %s" % percent(size), fontsize=8)
        ax.tick_params(length=0)
    save(figure, "traces")


def options(pyplot, save, traces):
    columns = 3
    groups = [g for g in OPTIONS if len(g[2]) > 2 and g[1] is not None]
    figure, axes = pyplot.subplots(-(-len(groups) // columns), columns, figsize=(8.5, 2.1 * -(-len(groups) // columns)), sharey=True)
    for ax, (title, default, values) in zip(axes.flat, groups):
        labels, base = [v[0] for v in values], option(dict(values)[default])
        for size, mark in zip(OPTION_SIZES, "os"):
            for half in split.HALVES:
                y = [traces.mean(option(o), size, half) / traces.mean(base, size, half) for _, o in values]
                ax.plot(range(len(y)), y, mark + "-", color=COLOUR[half], markersize=3, linewidth=1, label="%s, %s" % (percent(size), TITLE[half]))
        ax.axvline(labels.index(default), color="#999999", linewidth=0.6, linestyle=":")
        ax.axhline(1, color="#999999", linewidth=0.6)
        ax.set_xticks(range(len(labels)), labels, fontsize=7)
        ax.set_title(re.sub(r"\s*\(`.*$", "", title), loc="left", fontsize=8)
        ax.set_ylim(0.95, 1.1)
    for ax in list(axes.flat)[len(groups):]:
        ax.axis("off")
    for ax in axes[:, 0]:
        ax.set_ylabel("evictions / default's")
    axes.flat[0].legend(frameon=False, loc="upper left", fontsize=6)
    save(figure, "options")


def draw(recorded):
    pyplot, save = plots.start("results")
    policies(pyplot, save, recorded)
    heat(pyplot, save, recorded)
    options(pyplot, save, recorded)
