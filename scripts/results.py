#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""results.py: `make results`: evictions of all policies, and of leu with every option, on all traces.

Replays sim/traces/*.walk at 50 % and 75 % of the distinct pages; writes build/results.csv, the tables
of docs/results.md, whose text is written by hand (scripts/page.py; --accept: it has been read again and
fits them), and the pictures in docs/pictures/. The unit's form is search=sample with K = 64 and P = 16, all else as in the configuration `default`.
Exit status 1: a bound (at the end of this file) does not hold. 2: it could not run.
"""
import concurrent.futures
import csv
import glob
import io
import math
import os
import re
import subprocess
import sys

import page

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
GMMU = os.path.join(ROOT, "build", "gmmu")
SIZES = ("50%", "75%")
UNIT = "leu:search=sample"
BASE = ["opt", "lru", "fifo", "clock", "leu-exact", UNIT, "leu"]
CHUNK = 6  # policies a run: small enough to spread over the cores

# Group: what is varied, where the default stands, and the values. * : not in the hardware.
# A value is "label" -> options; the default itself is put in by its label.
OPTIONS = [
    ("refresh", "walks between refresh ticks (`refresh`)", "64",
     [(str(2 ** n), "refresh=%d" % n) for n in (0, 2, 4, 5)] + [("64", "")] +
     [(str(2 ** n), "refresh=%d" % n) for n in (7, 8, 9, 10, 12)]),
    ("early", "the same, every 64 up to walk 8192 (`early`) *", None,
     [("64, then 128", "refresh=7:early=6"), ("64, then 256", "refresh=8:early=6"),
      ("64, then 512", "refresh=9:early=6"), ("16, then 64", "early=4")]),
    ("sample", "pages for one in the sample (`sample`)", "4",
     [("1", "sample=0"), ("2", "sample=1"), ("4", ""), ("8", "sample=3"), ("16", "sample=4"),
      ("64", "sample=6")]),
    ("sampler", "entries of the sampler (`sampler`)", "1024",
     [("256", "sampler=256"), ("512", "sampler=512"), ("1024", ""), ("2048", "sampler=2048"),
      ("4096", "sampler=4096")]),
    ("full", "every page sampled (`sample=0`), entries of the sampler", None,
     [(str(n), "sample=0:sampler=%d" % n) for n in (256, 512, 1024, 2048, 4096, 16384)]),
    ("censor", "censored records (`censor`), and with every page sampled", "1",
     [("1", ""), ("0", "censor=0"), ("1, every page", "sample=0"), ("0, every page", "sample=0:censor=0")]),
    ("feed", "records from (`feed`)", "sampler", [("sampler", ""), ("resident pages", "feed=1")]),
    ("prior", "pseudo-counts (`pseudo`, `prior` *)", "8",
     [("0", "pseudo=0")] + [("4", "prior=4"), ("8", ""), ("16", "prior=16"), ("32", "prior=32")]),
    ("count", "bits of a count (`count`)", "11",
     [(str(n), "count=%d" % n) for n in (5, 6, 7, 8, 9, 10)] + [("11", "")] +
     [(str(n), "count=%d" % n) for n in (12, 13, 16)]),
    ("keep", "full counts (`keep`) *", "11 bits, halved",
     [("11 bits, halved", ""), ("11 bits, saturate", "keep=1"), ("8 bits, halved", "count=8"),
      ("8 bits, saturate", "count=8:keep=1"), ("6 bits, halved", "count=6"), ("6 bits, saturate", "count=6:keep=1")]),
    ("octave", "bins an octave (`octave`) *", "4",
     [("1", "octave=1"), ("2", "octave=2"), ("4", ""), ("8", "octave=8")]),
    ("mantissa", "bits of a priority's mantissa (`drop`) *", "10",
     [(str(10 - d), "drop=%d" % d) for d in (8, 7, 6, 5, 4, 2)] + [("10", "")]),
    ("classes", "rows of the Ref RIT (`classes`)", "64",
     [(str(n), "classes=%d" % n) for n in (4, 8, 16, 32)] + [("64", ""), ("128", "classes=128")]),
    ("k", "candidates of a search (`k`); all: `search=scan`", "64",
     [(str(n), "k=%d" % n) for n in (8, 16, 32)] + [("64", "")] + [(str(n), "k=%d" % n) for n in (128, 256)] +
     [("all", "search=scan")]),
    ("pool", "frames kept from search to search (`pool`)", "16",
     [(str(n), "pool=%d" % n) for n in (1, 4, 8)] + [("16", "")] + [(str(n), "pool=%d" % n) for n in (32, 64)]),
    ("engine", "walks that the refresh of a row takes (`engine`) *", "0",
     [("0", "")] + [(str(n), "engine=%d" % n) for n in (5, 20, 100, 400)] +
     [("20, every page", "sample=0:engine=20"), ("100, every page", "sample=0:engine=100")]),
]
PLOTTED = ["refresh", "sample", "sampler", "count", "octave", "mantissa", "k", "pool", "engine"]


def fail(text):
    print("results: " + text, file=sys.stderr)
    sys.exit(2)


def policy(options):
    """The name that replay knows; later options overrule the unit's."""
    return UNIT if not options else UNIT + ":" + options


def replay(job):
    trace, policies = job
    done = subprocess.run([GMMU, "replay", trace, "--notes", "--format", "csv", "--policy", ",".join(policies),
                           "--frames", ",".join(SIZES)], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(done.stderr.strip())
    notes = {}
    for name, frames, text in re.findall(r"^note: (\S+) frames=(\d+) (.*)$", done.stderr, flags=re.M):
        notes[name, frames] = text
    rows, seen = [], {}
    for row in csv.DictReader(io.StringIO(done.stdout)):
        row["trace"] = os.path.basename(trace).rsplit(".", 1)[0]
        row["size"] = SIZES[seen.setdefault(row["policy"], 0)]
        seen[row["policy"]] += 1
        row["note"] = notes.get((row["policy"], row["frames"]), "")
        rows.append(row)
    return rows


def replay_all():
    traces = sorted(glob.glob(os.path.join(ROOT, "sim", "traces", "*.walk")), key=os.path.getsize, reverse=True)
    if not traces or not os.access(GMMU, os.X_OK):
        fail("found no %s, expected it (make results)" % (GMMU if traces else "sim/traces/*.walk"))
    wanted = list(BASE)
    for _, _, _, values in OPTIONS:
        wanted += [policy(o) for _, o in values if policy(o) not in wanted]
    wanted = list(dict.fromkeys(wanted))
    jobs = [(t, wanted[i:i + CHUNK]) for t in traces for i in range(0, len(wanted), CHUNK)]
    rows = []
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for n, got in enumerate(pool.map(replay, jobs), 1):
            rows += got
            print("\rresults: %d of %d replays" % (n, len(jobs)), end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return rows


def mean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


class Results:
    def __init__(self, rows):
        self.row = {(r["trace"], r["policy"], r["size"]): r for r in rows}
        self.traces = sorted({r["trace"] for r in rows})

    def evictions(self, trace, name, size):
        return int(self.row[trace, name, size]["evictions"])

    def ratio(self, trace, name, size, over):
        return self.evictions(trace, name, size) / self.evictions(trace, over, size)

    def mean(self, name, size, over, traces=None):
        return mean([self.ratio(t, name, size, over) for t in traces or self.traces])

    def best(self, size):
        """The trace on which the unit gains most over LRU."""
        return min(self.traces, key=lambda t: self.ratio(t, UNIT, size, "lru"))

    def but_best(self, size):
        return [t for t in self.traces if t != self.best(size)]


def main_table(r, size):
    heads = ["trace", "walks", "pages", "frames", "`opt`", "`lru`", "`fifo`", "`clock`", "`leu-exact`",
             "`leu`, K = 64, P = 16", "`leu`, scan", "over `leu-exact`", "over `lru`", "over `opt`",
             "sampled at the end", "entries in use"]
    out = ["| " + " | ".join(heads) + " |", "|" + "---|" * len(heads)]
    for t in r.traces:
        row = r.row[t, UNIT, size]
        note = dict(p.split("=") for p in row["note"].split())
        cells = [t, row["accesses"], row["distinct"], row["frames"]]
        cells += [str(r.evictions(t, p, size)) for p in BASE]
        cells += ["%.3f" % r.ratio(t, UNIT, size, p) for p in ("leu-exact", "lru", "opt")]
        cells += ["%.1f %%" % (int(note["threshold"]) / 655.36), "%s of %s" % (note["sampled"], note["sampler"])]
        out.append("| " + " | ".join(cells) + " |")
    for label, traces in (("geometric mean over `lru`", r.traces), ("without " + r.best(size), r.but_best(size))):
        cells = [label] + [""] * 3
        cells += ["%.3f" % r.mean(p, size, "lru", traces) for p in BASE]
        cells += ["%.3f" % r.mean(UNIT, size, p, traces) for p in ("leu-exact", "lru", "opt")] + ["", ""]
        out.append("| " + " | ".join(cells) + " |")
    return out


def option_table(r):
    out = ["| option | value | " + " | ".join(r.traces) + " | mean 50 % | mean 75 % |",
           "|" + "---|" * (len(r.traces) + 4)]
    for _, title, default, values in OPTIONS:
        for i, (label, options) in enumerate(values):
            cells = [title if i == 0 else "", "**%s**" % label if label == default else label]
            cells += [" / ".join("%.3f" % r.ratio(t, policy(options), s, "leu-exact") for s in SIZES) for t in r.traces]
            cells += ["%.3f" % r.mean(policy(options), s, "leu-exact") for s in SIZES]
            out.append("| " + " | ".join(cells) + " |")
    return out


def bounds(r):
    """What must hold: name, size, value, limit."""
    for s in SIZES:
        yield "evictions over `leu-exact`", s, r.mean(UNIT, s, "leu-exact"), 1.03
        yield "evictions over `lru`", s, r.mean(UNIT, s, "lru"), 0.70
        yield "evictions over `lru` without %s" % r.best(s), s, r.mean(UNIT, s, "lru", r.but_best(s)), 0.80


def bound_table(r):
    out = ["| geometric mean | memory | found | at most | |", "|---|---|---|---|---|"]
    for name, size, value, limit in bounds(r):
        out.append("| %s | %s | %.3f | %.2f | %s |" % (name, size.replace("%", " %"), value, limit,
                                                      "holds" if value <= limit else "**does not hold**"))
    return out


def draw(r, folder):
    import matplotlib
    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "gmmu"  # the same file for the same figures
    matplotlib.rcParams.update({"font.size": 8, "svg.fonttype": "none", "axes.spines.top": False,
                                "axes.spines.right": False})
    from matplotlib import pyplot
    os.makedirs(folder, exist_ok=True)

    def save(figure, name):
        figure.savefig(os.path.join(folder, name), metadata={"Date": None}, bbox_inches="tight")
        pyplot.close(figure)

    shown = [("opt", "OPT", "#bbbbbb"), ("clock", "CLOCK", "#d8b365"), ("leu-exact", "leu-exact", "#80b1d3"),
             (UNIT, "leu, K = 64, P = 16", "#1f5a92")]
    figure, axes = pyplot.subplots(2, 1, figsize=(7.5, 4.6), sharex=True)
    names = r.traces + ["mean"]
    for ax, size in zip(axes, SIZES):
        for i, (p, label, colour) in enumerate(shown):
            y = [r.ratio(t, p, size, "lru") for t in r.traces] + [r.mean(p, size, "lru")]
            ax.bar([x + (i - 1.5) * 0.2 for x in range(len(names))], y, 0.19, label=label, color=colour)
        ax.axhline(1, color="black", linewidth=0.6)
        ax.set_ylim(0, 1.5)
        ax.set_title("memory %s of the pages" % size.replace("%", " %"), loc="left", fontsize=8)
        ax.set_ylabel("evictions / LRU")
    axes[1].set_xticks(range(len(names)), names)
    axes[0].legend(ncol=4, frameon=False, loc="upper right", fontsize=7)
    save(figure, "results-policies.svg")

    columns = 3
    groups = [g for g in OPTIONS if g[0] in PLOTTED]
    figure, axes = pyplot.subplots(-(-len(groups) // columns), columns, figsize=(8.5, 6.6), sharey=True)
    for ax, (_, title, default, values) in zip(axes.flat, groups):
        values = [v for v in values if "every page" not in v[0]]
        labels = [v[0] for v in values]
        for size, colour, mark in zip(SIZES, ("#1f5a92", "#c0504d"), "os"):
            y = [r.mean(policy(o), size, "leu-exact") for _, o in values]
            ax.plot(range(len(y)), y, mark + "-", color=colour, markersize=3, linewidth=1,
                    label=size.replace("%", " %"))
        ax.axvline(labels.index(default), color="#999999", linewidth=0.6, linestyle=":")
        ax.axhline(1.03, color="#999999", linewidth=0.6, linestyle="--")
        ax.set_xticks(range(len(labels)), labels, fontsize=7)
        ax.set_title(re.sub(r"\s*\(`.*$", "", title), loc="left", fontsize=8)
        ax.set_ylim(0.95, 1.3)
    for ax in axes[:, 0]:
        ax.set_ylabel("evictions / leu-exact")
    axes.flat[0].legend(frameon=False, loc="upper left", fontsize=7)
    figure.tight_layout()
    save(figure, "results-options.svg")


def main():
    try:
        import matplotlib  # noqa: F401, before the work that would be lost without it
    except ImportError:
        fail("found no matplotlib for %s, expected it: make setup-results" % sys.executable)
    try:
        rows = replay_all()
    except RuntimeError as e:
        fail(str(e))
    with open(os.path.join(ROOT, "build", "results.csv"), "w", encoding="utf-8", newline="") as f:
        out = csv.DictWriter(f, ["trace", "size", "policy", "frames", "accesses", "distinct", "faults", "cold",
                                 "evictions", "writebacks", "note"])
        out.writeheader()
        out.writerows(rows)
    r = Results(rows)
    old = page.fill(os.path.join(ROOT, "docs", "results.md"), "results",
                    {"bounds": bound_table(r), "main50": main_table(r, "50%"), "main75": main_table(r, "75%"),
                     "options": option_table(r)}, accept="--accept" in sys.argv[1:])
    for section in old:
        print("docs/results.md: the figures of \"%s\" are not those that its text was written for" % section)
    draw(r, os.path.join(ROOT, "docs", "pictures"))
    held = True
    for name, size, value, limit in bounds(r):
        print("%-44s %s  %.3f, at most %.2f%s" % (name.replace("`", ""), size, value, limit,
                                                  "" if value <= limit else "  DOES NOT HOLD"))
        held &= value <= limit
    print("build/results.csv, docs/results.md, docs/pictures/results-*.svg")
    return 0 if held else 1


if __name__ == "__main__":
    sys.exit(main())
