# SPDX-License-Identifier: Apache-2.0
"""docs/pictures/hpe-*.svg"""
import plots
from hpe_parts.paper import APPS, CLOCKPRO, OPEN, REPAIRS, SHORT, SIZES, SWEEPS, hpe

COLOURS = {"opt": "#bbbbbb", "random": "#d8b365", "rrip": "#80b1d3", CLOCKPRO: "#6a9a3b", "hpe": "#c0504d"}


def draw(d):
    pyplot, save = plots.start("hpe")
    figure, axes = pyplot.subplots(2, 1, figsize=(10, 4.6), sharex=True)
    labels = [SHORT[t] for t in APPS] + ["mean"]
    for ax, s in zip(axes, SIZES):
        for i, (p, label) in enumerate((("opt", "Ideal"), ("random", "Random"), ("rrip", "RRIP"), (CLOCKPRO, "CLOCK-Pro"), ("hpe", "HPE"))):
            y = [d.over(t, p, s) for t in APPS] + [d.mean(p, s, traces=APPS)]
            ax.bar([x + (i - 2) * 0.17 for x in range(len(y))], [min(v, 4) for v in y], 0.16, label=label, color=COLOURS[p])
            for x, v in enumerate(y):
                if v > 4:
                    ax.text(x + (i - 2) * 0.17, 4.03, "%.0f" % v, fontsize=5, ha="center")
        ax.axhline(1, color="black", linewidth=0.6)
        ax.set_ylim(0, 4.3)
        ax.set_title("memory %s" % s.replace("%", " %"), loc="left", fontsize=8)
        ax.set_ylabel("evictions / LRU")
    axes[1].set_xticks(range(len(labels)), labels, fontsize=7)
    axes[0].legend(ncol=5, frameon=False, fontsize=7, loc="upper left", bbox_to_anchor=(0.2, 1.25))
    save(figure, "evictions")

    figure, axes = pyplot.subplots(1, 2, figsize=(9, 3.2), sharey=True)
    for ax, s in zip(axes, SIZES):
        low = 0
        for c, colour, label in (("regular", "#1f5a92", "regular"), ("irregular1", "#6a9a3b", "irregular#1"), ("irregular2", "#c0504d", "irregular#2")):
            ax.plot([], [], "o", color=colour, markersize=3, label=label)
            for t in sorted(APPS, key=lambda t: d.ratios(t, s)):
                if d.at(t, "hpe", s)["hpe_category"] == c:
                    x, y = (min(max(v, 0.01), 100) for v in d.ratios(t, s))
                    low += y == 0.01  # many have none that is large: their names in four steps
                    ax.plot(x, y, "o", color=colour, markersize=3)
                    ax.annotate(SHORT[t], (x, y), fontsize=6, xytext=(2, 2 + 7 * (low % 4) * (y == 0.01)), textcoords="offset points")
        ax.axvline(0.3, color="#999999", linewidth=0.6, linestyle="--")
        ax.plot([0.01, 0.3], [2, 2], color="#999999", linewidth=0.6, linestyle="--")
        ax.set_xscale("log")
        ax.set_yscale("log")
        ax.set_xlabel("ratio1 (within 0.01 to 100)")
        ax.set_title("memory %s" % s.replace("%", " %"), loc="left", fontsize=8)
    axes[0].set_ylabel("ratio2 (within 0.01 to 100)")
    axes[1].legend(frameon=False, fontsize=6, loc="upper left")
    save(figure, "ratios")

    figure, axes = pyplot.subplots(1, 3, figsize=(9, 2.4), sharey=True)
    for ax, (axis, title, values, default) in zip(axes, SWEEPS):
        for s, colour in zip(SIZES, ("#1f5a92", "#c0504d")):
            for traces, style, label in ((APPS, "o-", "the 23"), (d.traces, "s--", "all")):
                y = [d.mean(hpe("%s=%d" % (axis, v)) if v != default else "hpe", s, traces=traces) for v in values]
                ax.plot(range(len(y)), y, style, color=colour, markersize=3, linewidth=1, label="%s, %s" % (label, s.replace("%", " %")))
        ax.axvline(values.index(default), color="#999999", linewidth=0.6, linestyle=":")
        ax.set_xticks(range(len(values)), [str(v) for v in values])
        ax.set_title(title, loc="left", fontsize=8)
    axes[0].set_ylabel("evictions / LRU")
    axes[0].set_ylim(0, None)
    axes[2].legend(frameon=False, fontsize=6, loc="lower right")
    save(figure, "sensitivity")

    figure, ax = pyplot.subplots(1, 1, figsize=(9, 2.2))
    for i, (s, colour) in enumerate(zip(SIZES, ("#1f5a92", "#c0504d"))):
        y = [d.at(t, "hpe", s)["hpe_entries"] / max(1, d.at(t, "hpe", s)["hpe_packets"]) for t in APPS]
        ax.bar([x + (i - 0.5) * 0.4 for x in range(len(y))], y, 0.38, color=colour, label=s.replace("%", " %"))
    ax.axhline(10, color="#999999", linewidth=0.6, linestyle="--")
    ax.set_yscale("symlog", linthresh=1)
    ax.set_ylim(0, 1024)
    ax.set_xticks(range(len(APPS)), [SHORT[t] for t in APPS], fontsize=7)
    ax.set_ylabel("entries a transfer")
    ax.legend(frameon=False, fontsize=7)
    save(figure, "hir")

    shown = [("%s %s" % (e, a), o) for e, a, o in OPEN] + [(a, o) for a, o in REPAIRS]
    figure, ax = pyplot.subplots(1, 1, figsize=(8, 5.4))
    for i, (s, colour) in enumerate(zip(SIZES, ("#1f5a92", "#c0504d"))):
        y = [100 * (d.mean(hpe(o), s) / d.mean("hpe", s) - 1) for _, o in shown]
        ax.barh([-n - (i - 0.5) * 0.4 for n in range(len(y))], y, 0.38, color=colour, label=s.replace("%", " %"))
    ax.axvline(0, color="black", linewidth=0.6)
    ax.set_yticks([-n for n in range(len(shown))], [a for a, _ in shown], fontsize=6)
    ax.set_xlabel("evictions against `hpe`, %, mean of all traces")
    ax.legend(frameon=False, fontsize=7)
    save(figure, "open")
