#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""platform_page.py TRACE POLICY[,POLICY...] [OPTION...]: `make platform-page`: plays a trace on the platform (docs/guide/platform.md) by each
policy and writes build/platform.html: a table, run times, and the depths of all queues over time. OPTIONs go to build/platform. Exit
status 2: it could not run.
"""
import html
import io
import json
import os
import subprocess
import sys

import plots

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PLATFORM, OUT = "build/platform", "build/platform.html"
SHOWN = ["frames", "run_us", "faults", "evictions", "writebacks", "joined", "stall_per_fault_us", "batches", "pages_per_batch", "driver_use",
         "link_to_gpu_use", "link_to_host_use", "ssd_use", "digest"]
COLOURS = ["#1f5a92", "#c0504d", "#6a9a3b", "#d8b365", "#80b1d3", "#7a5195"]


def fail(text):
    print("platform-page: " + text, file=sys.stderr)
    sys.exit(2)


def play(trace, policy, options):
    done = subprocess.run([PLATFORM, trace, "--policy", policy, "--format", "json", "--series", "1"] + options, capture_output=True, text=True)
    if done.returncode != 0:
        fail(done.stderr.strip())
    return json.loads(done.stdout)


def picture(pyplot, draw, size):
    figure, ax = pyplot.subplots(figsize=size)
    draw(ax)
    figure.tight_layout()
    text = io.StringIO()
    figure.savefig(text, format="svg", metadata={"Date": None})
    pyplot.close(figure)
    return text.getvalue()[text.getvalue().index("<svg"):]


def times(runs):
    def draw(ax):
        bars = ax.barh(list(runs), [r["run_us"] / 1000 for r in runs.values()], color=COLOURS[:1])
        ax.bar_label(bars, ["%.2f ms, %d faults" % (r["run_us"] / 1000, r["faults"]) for r in runs.values()], fontsize=7, padding=2)
        ax.invert_yaxis()
        ax.set_xlim(0, 1.3 * max(r["run_us"] / 1000 for r in runs.values()))
        ax.set_xlabel("run time, ms")
    return draw


def depths(runs, queue):
    def draw(ax):
        for i, (policy, r) in enumerate(runs.items()):
            part, values = r[queue][0] / 1000, r[queue][1:]
            ax.step([n * part for n in range(len(values))], values, where="post", linewidth=0.9, color=COLOURS[i % len(COLOURS)], label=policy)
        ax.set_xlabel("ms")
        ax.set_ylabel("mean depth")
        ax.set_title(queue.replace(".series", "").replace("_", " "), loc="left")
        ax.legend(frameon=False, fontsize=6)
    return draw


def main():
    os.chdir(ROOT)
    if len(sys.argv) < 3:
        fail("found %d arguments, expected TRACE POLICY[,POLICY...]" % (len(sys.argv) - 1))
    if not os.access(PLATFORM, os.X_OK):
        fail("found no %s, expected it: make platform-page" % PLATFORM)
    try:
        import matplotlib
    except ImportError:
        fail(plots.missing())
    matplotlib.use("svg")
    matplotlib.rcParams.update({"font.size": 8, "axes.spines.top": False, "axes.spines.right": False})
    from matplotlib import pyplot
    runs = {p: play(sys.argv[1], p, sys.argv[3:]) for p in sys.argv[2].split(",")}
    parts = [picture(pyplot, times(runs), (8, 0.6 + 0.3 * len(runs)))]
    queues = [k for k in next(iter(runs.values())) if k.endswith(".series")]
    parts += [picture(pyplot, depths(runs, q), (8, 1.9)) for q in queues if any(len(r[q]) > 2 for r in runs.values())]
    head = "".join("<th>%s</th>" % html.escape(k) for k in ["policy"] + SHOWN)
    rows = "".join("<tr><td>%s</td>%s</tr>" % (html.escape(p), "".join("<td>%s</td>" % html.escape(str(r[k])) for k in SHOWN)) for p, r in runs.items())
    with open(OUT, "w", encoding="utf-8") as f:
        f.write("<!doctype html><meta charset=utf-8><title>platform: {0}</title><style>body{{font:14px sans-serif;margin:2em}}table{{border-collapse:collapse;"
                "font-size:12px}}td,th{{border-bottom:1px solid #ddd;padding:3px 8px;text-align:right}}</style><h1>{0}</h1><table><tr>{1}</tr>{2}</table>{3}"
                .format(html.escape(sys.argv[1]), head, rows, "".join("<p>%s</p>" % s for s in parts)))
    print("written: " + OUT)
    return 0


if __name__ == "__main__":
    sys.exit(main())
