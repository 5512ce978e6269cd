# SPDX-License-Identifier: Apache-2.0
"""docs/pictures/semcache-*.svg; the same file for the same figures."""
import plots
from semcache_parts import runs

COLOURS = {"cpu": "#bbbbbb", "fig9": "#d8b365", "naive": "#80b1d3", "wt": "#6a9a3b", "wb": "#1f5a92", "page:4k": "#c0504d", "split": "#7b5aa6"}
LABELS = {"cpu": "CPU", "fig9": "Fig. 9 (CUBLAS)", "naive": "each alone (CULA)", "wt": "write-through", "wb": "write-back", "page:4k": "pages of 4 KiB",
          "split": "records that split"}


def draw(d):
    pyplot, save = plots.start("semcache")
    figure, axes = pyplot.subplots(1, 2, figsize=(9, 2.8))
    for p in ("fig9", "naive", "wt", "wb"):
        axes[0].plot(range(len(runs.CHAIN_SIZES)), [d.chain[n][p]["model_s"] / d.chain[n]["wb"]["model_s"] for n in runs.CHAIN_SIZES], "o-", markersize=3,
                     color=COLOURS[p], label=LABELS[p])
    axes[0].set_xticks(range(len(runs.CHAIN_SIZES)), runs.CHAIN_SIZES)
    axes[0].set_xlabel("N")
    axes[0].set_ylabel("time / write-back's")
    axes[0].set_title("Fig. 1's chain, modelled time (the paper's Fig. 12)", loc="left", fontsize=8)
    axes[0].legend(frameon=False, fontsize=7)
    names = ("fig9", "naive", "wt", "wb")
    up = [d.chain[4096][p]["up_bytes"] >> 20 for p in names]
    down = [d.chain[4096][p]["down_bytes"] >> 20 for p in names]
    axes[1].bar(range(4), up, 0.6, color="#1f5a92", label="sent")
    axes[1].bar(range(4), down, 0.6, bottom=up, color="#d8b365", label="received")
    axes[1].set_xticks(range(4), [LABELS[p] for p in names], fontsize=7)
    axes[1].set_ylabel("MiB")
    axes[1].set_title("N = 4096 (the paper's Fig. 13)", loc="left", fontsize=8)
    axes[1].legend(frameon=False, fontsize=7)
    save(figure, "chain")

    figure, axes = pyplot.subplots(1, 2, figsize=(9, 2.8), sharey=True)
    for ax, (title, rows) in zip(axes, (("a C2070 (the paper's machine)", d.rows), ("a V100", d.now))):
        for i, p in enumerate(("cpu", "fig9", "naive", "wt", "wb", "page:4k", "split")):
            y = [(rows[n]["wb"]["cpu_s"] if p == "cpu" else rows[n][p]["model_s"]) / rows[n]["fig9"]["model_s"] for n in runs.INPUTS]
            ax.bar([x + (i - 3) * 0.12 for x in range(len(y))], y, 0.11, color=COLOURS[p], label=LABELS[p])
        ax.axhline(1, color="black", linewidth=0.6)
        ax.set_xticks(range(len(runs.INPUTS)), list(runs.INPUTS))
        ax.set_title("modelled time over Fig. 9's, %s" % title, loc="left", fontsize=8)
    axes[1].legend(frameon=False, fontsize=7)
    save(figure, "times")

    figure, axes = pyplot.subplots(1, len(runs.INPUTS), figsize=(9, 2.6))
    for ax, n in zip(axes, runs.INPUTS):
        for e, colour in zip(runs.EVICTS, ("#d8b365", "#6a9a3b", "#1f5a92")):
            ax.plot(runs.MEMORY, [d.memory[n, part, e]["up_bytes"] / 1e9 for part in runs.MEMORY], "o-", markersize=3, color=colour, label=e)
        ax.axhline(d.rows[n]["fig9"]["up_bytes"] / 1e9, color="#999999", linewidth=0.6, linestyle="--")
        ax.set_ylim(bottom=0)
        ax.set_title("%s; dashed: Fig. 9" % n, loc="left", fontsize=8)
        ax.set_xlabel("GPU memory, % of what it needs")
    axes[0].set_ylabel("GB sent")
    axes[0].legend(frameon=False, fontsize=7)
    save(figure, "memory")
