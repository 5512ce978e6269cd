#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""report.py [TRACE...] [--policies LIST] [--points N] [--out FILE]: writes one HTML page about traces and policies.

The traces are those of the command line, or the eight of sim/traces/*.walk and those of sim/sem/*.sem (.sem:
scripts/report_ranges.py). For each walk trace the page has the miss-ratio curves of the policies with OPT as the floor,
the reuse intervals of each reference, the profile of reuse distances, and the frames that the unit protects over time
(docs/reference/blocks/segment.md). For all traces the page has evictions relative to OPT as heat maps at 50 % and 75 %.
The page contains its pictures, and the figures as tables; it has no scripts and no links to other files. --docs bfs
writes the page and that trace's curves for the docs, too (docs/reference/report.html, docs/pictures). Exit status 2: the
script cannot run.
"""
import argparse
import base64
import csv
import glob
import html
import io
import json
import math
import os
import subprocess
import sys

import plots
import report_ranges

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
GMMU = os.path.join(ROOT, "build", "gmmu")
SIZES = ("50%", "75%")
UNIT = "leu:search=sample"
HEAT = ["lru", "fifo", "clock", "random", "lfu", "2q", "arc", "lirs", "clockpro", "srrip", "rrip-hpe", "sieve", "s3fifo",
        "leu-exact", UNIT, "leu2"]
CURVES = "opt,lru,arc,lirs,s3fifo,leu-exact," + UNIT
COLOURS = {"opt": "#000000", "lru": "#c0504d", "arc": "#d8b365", "lirs": "#5aae61", "s3fifo": "#9970ab",
           "leu-exact": "#80b1d3", UNIT: "#1f5a92"}
# whose protected frames are shown over time
PROTECT, DUEL = UNIT + ":protect=248", UNIT + ":duel=1"
PROTECT_SIZE, PROTECT_POINTS = "50%", 200
LABELS = {UNIT: "leu (K = 64, P = 16)", "opt": "OPT", "lru": "LRU", "arc": "ARC", "lirs": "LIRS", "s3fifo": "S3-FIFO"}
STYLE = """body{font:15px/1.5 system-ui,sans-serif;max-width:72em;margin:2em auto;padding:0 1em;color:#222}
h1,h2{font-weight:600}h2{margin-top:2.2em;border-bottom:1px solid #ccc}img{max-width:100%;height:auto}
table{border-collapse:collapse;font-size:13px}td,th{padding:.15em .7em;text-align:right;border-bottom:1px solid #eee}
td:first-child,th:first-child{text-align:left}figcaption{color:#555;font-size:13px}figure{margin:1.2em 0}
details{margin:.6em 0}nav a{margin-right:1em}"""


class Fail(Exception):
    pass


said = set()  # notes about traces, each said once


def gmmu(*args):
    done = subprocess.run([GMMU, *args], capture_output=True, text=True, check=False)
    if done.returncode:
        raise Fail(done.stderr.strip() or "gmmu %s ended with status %d" % (args[0], done.returncode))
    for line in done.stderr.splitlines():
        note = line.partition(": ")[2]  # without the command, of which several read a trace
        if note.endswith("the file may be cut") and note not in said:
            said.add(note)
            sys.stderr.write("%sreport.py: %s\n" % ("\r\033[K" if sys.stderr.isatty() else "", note))
    return done.stdout


def name_of(trace):
    return os.path.basename(trace).rsplit(".", 1)[0]


def rows_of(text):
    return list(csv.DictReader(io.StringIO(text)))


class Data:
    """All figures of one trace."""

    def __init__(self, trace, policies, points):
        self.path, self.name, self.id = trace, name_of(trace), name_of(trace)
        self.info = json.loads(gmmu("trace", "info", "--format", "json", trace))
        if self.info["walks"] == 0:
            raise Fail("%s: found no walks, expected a trace" % trace)
        self.curve = {}
        for r in rows_of(gmmu("mrc", trace, "--policy", policies, "--points", str(points), "--format", "csv")):
            self.curve.setdefault(r["policy"], []).append((int(r["frames"]), float(r["miss_ratio"])))
        every = rows_of(gmmu("mrc", trace, "--policy", "lru", "--points", "all", "--format", "csv"))
        self.faults = [(int(r["frames"]), int(r["faults"])) for r in every]
        self.evictions = {}
        replayed = rows_of(gmmu("replay", trace, "--policy", ",".join(["opt"] + HEAT), "--frames", ",".join(SIZES),
                                "--format", "csv"))
        for n, r in enumerate(replayed):
            self.evictions[r["policy"], SIZES[n % len(SIZES)]] = int(r["evictions"])

        # Of one frame none is protected.
        every = str(max(1, self.info["walks"] // PROTECT_POINTS))
        self.protection = {p: json.loads(gmmu("explain", trace, "--every", every, "--policy", p, "--frames", PROTECT_SIZE,
                                              "--format", "json")) for p in (PROTECT, DUEL)} if self.info["distinct"] >= 4 else {}
        for policy, rows in self.protection.items():
            if rows[-1]["walks"] != self.info["walks"]:
                raise Fail("%s: found %s after %d walks, expected %d" % (trace, policy, rows[-1]["walks"], self.info["walks"]))

    def ratio(self, policy, size):
        """Evictions / OPT's; None where OPT has none."""
        best = self.evictions["opt", size]
        return self.evictions[policy, size] / best if best else None


def mean(values):
    values = [v for v in values if v]
    return math.exp(sum(map(math.log, values)) / len(values)) if values else None


class Pictures:
    def __init__(self, pyplot, docs):
        self.pyplot, self.docs = pyplot, docs

    def done(self, figure, name, caption):
        """The figure as an element of the page; as a file for the docs too."""
        png = io.BytesIO()
        figure.savefig(png, format="png", dpi=130, bbox_inches="tight", metadata={"Software": None})
        self.pyplot.close(figure)
        if self.docs and name == self.docs + "-mrc":
            with open(os.path.join(ROOT, "docs", "pictures", "report-%s.png" % name), "wb") as f:
                f.write(png.getvalue())
        return ('<figure><img alt="%s" src="data:image/png;base64,%s"><figcaption>%s</figcaption></figure>' %
                (html.escape(caption, True), base64.b64encode(png.getvalue()).decode(), html.escape(caption)))

    def heat(self, data, size):
        rows = [[d.ratio(p, size) for p in HEAT] for d in data]
        rows.append([mean(r[i] for r in rows) for i in range(len(HEAT))])
        figure, ax = self.pyplot.subplots(figsize=(9.5, 0.42 * len(rows) + 1.2))
        shade = [[math.log2(min(v, 4)) if v else 0 for v in r] for r in rows]
        ax.imshow(shade, aspect="auto", cmap="YlOrRd", vmin=0, vmax=2.4)
        for y, r in enumerate(rows):
            for x, v in enumerate(r):
                ax.text(x, y, "%.2f" % v if v else "-", ha="center", va="center", fontsize=7,
                        color="white" if shade[y][x] > 1.5 else "black")
        ax.set_xticks(range(len(HEAT)), [p.split(":")[0] for p in HEAT], rotation=30, ha="right")
        ax.set_yticks(range(len(rows)), [d.name.replace("$", r"\$") for d in data] + ["geometric mean"])
        ax.axhline(len(data) - 0.5, color="black", linewidth=1)
        ax.tick_params(length=0)
        return self.done(figure, "heat-%s" % size.rstrip("%"),
                         "Evictions relative to OPT, memory %s of the distinct pages. Pale: as many as OPT; red: four times as "
                         "many or more; -: OPT evicts nothing." % size.replace("%", " %"))

    def curves(self, d):
        figure, ax = self.pyplot.subplots(figsize=(7, 3.4))
        for policy, points in d.curve.items():
            x, y = [p[0] for p in points], [p[1] for p in points]
            ax.plot(x, y, label=LABELS.get(policy, policy), color=COLOURS.get(policy), linewidth=2 if policy == "opt" else 1.2)
            if policy == "opt":
                ax.fill_between(x, y, color="#eeeeee")
        ax.set_ylim(0, 1.02 * max(p[1] for points in d.curve.values() for p in points))
        ax.set_xlim(0, d.info["distinct"])
        ax.set_xlabel("memory, pages")
        ax.set_ylabel("faults / accesses")
        ax.legend(frameon=False, fontsize=7, ncol=2)
        return self.done(figure, d.name + "-mrc", "%s: miss ratio over memory size. Below the black line nobody comes: OPT." % d.name)

    def intervals(self, d):
        refs = [r for r in d.info["top_refs"] if r["reuse_interval_octaves"]]
        if not refs:
            return ""
        wide = max(len(r["reuse_interval_octaves"]) for r in refs)
        grid = [[n / sum(r["reuse_interval_octaves"]) for n in r["reuse_interval_octaves"]] +
                [0] * (wide - len(r["reuse_interval_octaves"])) for r in refs]
        figure, ax = self.pyplot.subplots(figsize=(7, 0.28 * len(refs) + 1))
        ax.imshow(grid, aspect="auto", cmap="Blues", vmin=0, vmax=1)
        ax.set_xticks(range(0, wide, 2), ["$2^{%d}$" % i for i in range(0, wide, 2)])
        ax.set_yticks(range(len(refs)), ["%s (%d)" % (r["ref"], r["walks"]) for r in refs], fontsize=7)
        ax.set_xlabel("reuse interval, walks, by octave")
        return self.done(figure, d.name + "-ri",
                         "%s: reuse intervals after each reference (its walks beside it), share by octave." % d.name)

    def protection(self, d):
        figure, ax = self.pyplot.subplots(figsize=(7, 2.4))
        for policy, colour, label in ((PROTECT, "#5aae61", "protected, share 248/256"), (DUEL, "#1f5a92", "protected, by the duel")):
            rows = d.protection[policy]
            ax.plot([r["walks"] for r in rows], [r["protected"] / r["frames"] for r in rows], color=colour, linewidth=1.2,
                    drawstyle="steps-post", label=label)
        rows = d.protection[DUEL]
        ax.step([r["walks"] for r in rows], [r["share"] for r in rows], where="post", color="#1f5a92", linewidth=0.8, linestyle=":",
                label="share that the duel has set")
        ax.set_xlim(0, d.info["walks"])
        ax.set_ylim(0, 1.02)
        ax.set_xlabel("walks")
        ax.set_ylabel("share of memory")
        ax.legend(frameon=False, fontsize=7, ncol=3, loc="lower center", bbox_to_anchor=(0.5, 1))
        changes = rows[-1]["changes"]
        return self.done(figure, d.name + "-protected",
                         "%s: frames that are protected over time, memory %s of the pages; the duel changed its share %d time%s." %
                         (d.name, PROTECT_SIZE.replace("%", " %"), changes, "" if changes == 1 else "s"))

    def distances(self, d):
        figure, ax = self.pyplot.subplots(figsize=(7, 2.4))
        # Faults that one page more of memory saves are the reuses at that stack distance.
        before = [(0, d.info["walks"])] + d.faults[:-1]
        steps = [(size, b[1] - faults) for (size, faults), b in zip(d.faults, before)]
        bins = {}
        for size, n in steps:
            bins[size.bit_length() - 1] = bins.get(size.bit_length() - 1, 0) + n
        cold = d.faults[-1][1]
        keys = range(max(bins) + 1)
        ax.bar(keys, [bins.get(k, 0) / d.info["walks"] for k in keys], color="#1f5a92")
        ax.bar([max(bins) + 1], [cold / d.info["walks"]], color="#999999")
        ax.set_xticks(list(keys) + [max(bins) + 1], ["$2^{%d}$" % k for k in keys] + ["first"])
        ax.set_xlabel("reuse distance, distinct pages, by octave")
        ax.set_ylabel("share of walks")
        return self.done(figure, d.name + "-rd", "%s: reuse distances (LRU stack), and first touches." % d.name)


def table(data, size):
    out = ["<table><tr><th>trace</th><th>OPT evictions</th>%s</tr>" %
           "".join("<th>%s</th>" % html.escape(p.split(":")[0]) for p in HEAT)]
    for d in data:
        cells = ["%.3f" % d.ratio(p, size) if d.ratio(p, size) else "-" for p in HEAT]
        out.append("<tr><td>%s</td><td>%d</td>%s</tr>" % (html.escape(d.name), d.evictions["opt", size],
                                                          "".join("<td>%s</td>" % c for c in cells)))
    return "\n".join(out + ["</table>"])


def ranges_of(trace):
    return report_ranges.Ranges(name_of(trace), lambda *more: rows_of(gmmu("semcache", trace, "--format", "csv", *more)))


def set_ids(sections):
    """Each section's id: its name, of a name that comes again also a number."""
    taken = set()
    for s in sections:
        n = 1
        while s.id in taken:
            n += 1
            s.id = "%s-%d" % (s.name, n)
        taken.add(s.id)


def page(data, ranges, pictures):
    set_ids(data + ranges)
    out = ["<!doctype html><!-- SPDX-License-Identifier: Apache-2.0 --><html lang=en><head><meta charset=utf-8>"
           "<meta name=viewport content='width=device-width'>",
           "<title>gmmu-tier: policies on %d traces</title><style>%s</style></head><body>" % (len(data) + len(ranges), STYLE),
           "<h1>Policies on %d traces</h1>" % (len(data) + len(ranges)),
           "<p>Made by <code>make report</code> (%s). What each figure counts: docs/reference/policies.md.</p>" %
           html.escape(subprocess.run([GMMU, "--version"], capture_output=True, text=True, check=False).stdout.split("\n")[0]),
           "<nav>%s</nav>" % " ".join('<a href="#%s">%s</a>' % (html.escape(d.id, True), html.escape(d.name)) for d in data + ranges)]
    if data:
        out.append("<h2>Evictions relative to OPT</h2>")
    for size in SIZES if data else ():
        out += [pictures.heat(data, size), "<details><summary>as a table</summary>%s</details>" % table(data, size)]
    for d in data:
        out += ['<h2 id="%s">%s</h2>' % (html.escape(d.id, True), html.escape(d.name)),
                "<p>%d walks, %d distinct pages, %d references, %d reuses.</p>" %
                tuple(d.info[k] for k in ("walks", "distinct", "refs", "reuses")),
                pictures.curves(d), pictures.intervals(d), pictures.distances(d)] + ([pictures.protection(d)] if d.protection else [])
    for r in ranges:
        out += report_ranges.section(r, pictures)
    return "\n".join(out + ["</body></html>", ""])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("traces", nargs="*")
    parser.add_argument("--policies", default=CURVES, help="of the curves, beside OPT's (%s)" % CURVES)
    parser.add_argument("--points", type=int, default=40, help="memory sizes of a curve (40)")
    parser.add_argument("--out", default=os.path.join(ROOT, "build", "report.html"))
    parser.add_argument("--docs", metavar="NAME", help="the page to docs/reference/report.html, this trace's curves to docs/pictures")
    o = parser.parse_args()
    if "opt" not in o.policies.split(","):  # the floor
        o.policies = "opt," + o.policies
    try:
        import matplotlib
    except ImportError:
        sys.stderr.write("report.py: %s\n" % plots.missing())
        return 2
    matplotlib.use("agg")
    matplotlib.rcParams.update({"font.size": 8, "axes.spines.top": False, "axes.spines.right": False})
    from matplotlib import pyplot
    traces = o.traces or sorted(glob.glob(os.path.join(ROOT, "sim", "traces", "*.walk"))) + sorted(glob.glob(os.path.join(ROOT, "sim", "sem", "*.sem")))
    data, ranges = [], []
    try:
        for n, trace in enumerate(traces):
            if sys.stderr.isatty():
                sys.stderr.write("\r%d/%d %-30s" % (n + 1, len(traces), name_of(trace)))
            if trace.endswith(".sem"):
                ranges.append(ranges_of(trace))
            else:
                data.append(Data(trace, o.policies, o.points))
        if not data and not ranges:
            raise Fail("found no trace, expected some in sim/traces or on the command line")
        text = page(data, ranges, Pictures(pyplot, o.docs))
        with open(o.out, "w", encoding="utf-8") as f:
            f.write(text)
        if o.docs:
            with open(os.path.join(ROOT, "docs", "reference", "report.html"), "w", encoding="utf-8") as f:
                f.write(text)
    except (Fail, OSError) as e:
        sys.stderr.write("report.py: %s\n" % e)
        return 2
    if sys.stderr.isatty():
        sys.stderr.write("\r\033[K")
    print(os.path.relpath(o.out))
    return 0


if __name__ == "__main__":
    sys.exit(main())
