# SPDX-License-Identifier: Apache-2.0
"""GMT's statements: those of scripts/gmt_parts/tables.py by the strict rule, and what the text states beside."""
from statements_parts.pages import Missing, Page, cause, grab, numbers, one
from statements_parts.strict import NO_FIGURE, Cell, Row, clause, compared, number

SETS = ["GMT set", "rule, 1/10 + 4/10", "rule, 1/6 + 4/6", "rule, 1/6 + 2/6", "outcome"]
HEADS = SETS[1:4] + ["outcome, chosen"]  # of the page of the recordings
N = r"([-−]?[\d.]+|–)"
REUSED = {"LavaMD": 1.17, "Pathfinder": 19.47, "BFS": 32.86, "MultiVectorAdd": 40.0, "Srad": 83.38, "Backprop": 93.54, "PageRank": 90.42,
          "SSSP": 79.96, "Hotspot": 81.33}


def ups(cell, paper):
    """Speed-ups `NAME figure, …` beside {name: the paper's}."""
    return [compared(p, grab(cell, r"%s %s" % (a, N))[0]) for a, p in paper.items()]


def clearly(cell):
    order, chance, reuse = numbers(cell)
    return [clause("%.2f over %.2f, %.2f" % (reuse, order, chance), reuse > 1.1 * max(order, chance))]


def correlate(cell):
    return [NO_FIGURE if v is None else clause("r² %.2f" % v, v > 0.8) for v in grab(cell.replace(" (all pairs equal)", ""), r"r² %s, %s" % (N, N))]


def alternates(cell):
    vector, rank = grab(cell, r"before: %s(?: %%)?, %s" % (N, N))
    return [clause("MultiVectorAdd %g %%" % vector, vector == 100), NO_FIGURE if rank is None else clause("PageRank %g %%" % rank, rank < 50)]


def in_and_out(cell):
    reuse, order = grab(cell, r"in / out: %s; %s" % (N, N))
    return [number(1, reuse), clause("TierOrder %.2f" % order, order > 2)]


def growing(cell):
    v = numbers(cell)
    return [clause(", ".join("%.2f" % x for x in v), v[0] < v[1] < v[2])]


RULES = {
    "VTD and RD correlate": correlate,
    "MultiVectorAdd: a page has": alternates,
    "Hybrid-32T is": lambda c: [clause("%.2f of the best" % numbers(c)[0], numbers(c)[0] >= 0.9)],
    "Pathfinder: 99.99 %": lambda c: [number(99.99, one(c), "%g %%")],
    "RRDs beyond Tier 2": lambda c: [number(p, v, "%g %%") for p, v in zip((94, 97, 100), numbers(c))],
    "Reuse is 1.50 times": lambda c: [compared(1.5, numbers(c)[0])],
    "TierOrder 1.07, Random": lambda c: [compared(p, v) for p, v in zip((1.07, 1.24), numbers(c))],
    "Reuse is significantly": clearly,
    "LavaMD: Reuse 12 %": lambda c: [compared(0.88, numbers(c)[0]), clause("Random %.2f" % numbers(c)[1], numbers(c)[1] > numbers(c)[0])],
    "Pathfinder: all three": lambda c: [compared(1.25, v) for v in numbers(c)],
    "BFS 28 %": lambda c: ups(c, {"BFS": 1.28, "MultiVectorAdd": 1.40}),
    "TierOrder does well": lambda c: [clause("BFS %.2f" % v, v > 1.1) for v in grab(c, "BFS " + N)] + [
        clause("MultiVectorAdd %.2f" % v, v < 1.05) for v in grab(c, "MultiVectorAdd " + N)],
    "Srad 133 %": lambda c: ups(c, {"Srad": 2.33, "Backprop": 2.79}) + [
        compared(p, 1 + v / 100) for p, v in zip((0.27, 0.19), grab(c, r"I/O %s %%, %s %%" % (N, N)))],
    "PageRank 18 %": lambda c: ups(c, {"PageRank": 1.18, "SSSP": 1.13, "Hotspot": 2.25}),
    "Hotspot: SSD": lambda c: [compared(0.27, 1 + numbers(c)[0] / 100)],
    "Reuse reads 26 %": lambda c: [compared(p, 1 - v / 100) for p, v in zip((0.743, 0.851), numbers(c))],
    "Reuse wastes": lambda c: [compared(p, 1 - v / 100) for p, v in zip((0.591, 0.9985), numbers(c))],
    "Reuse: as many": in_and_out,
    "Oversubscription 4": lambda c: [compared(p, v) for p, v in zip((1.23, 1.03, 1.14), numbers(c))],
    "Reuse gains": growing,
    "Larger data": lambda c: [compared(p, v) for p, v in zip((1.45, 1.2, 1.35), numbers(c))],
}

def means(p):
    """For the GMT set by a table with a third digit, on which the verdict hangs."""
    return [compared(paper, one(p.value("hardware", "GMT set", name)), "%.3f")
            for name, paper in (("TierOrder, evicts", 1.07), ("Random, drops", 1.24))]


class Committed:
    """What `more` asks of the GMT set."""

    def __init__(self, p):
        self.p = p

    def hosted(self):
        return [one(self.p.value("hmm", "GMT set", name)) for name in ("GMT-Reuse", "HMM", "HMM with the hit rates of GMT-Reuse")]

    def reused(self, a):
        return one(self.p.value("accuracy", "pages reused", a))

    def bias(self, a):
        """Percent of RRDs below Tier 1, from there to both tiers, beyond."""
        v = [one(self.p.value("distances", c, "GMT set", a)) for c in ("below T1", "below T2", "below both", "beyond")]
        return [v[0], v[1] + v[2], v[3]]

    def means(self):
        return {q: one(self.p.value("means", q, "GMT set")) for q in ("TierOrder", "Random, drops", "Reuse, drops")}

    def right(self, a):
        return one(self.p.value("accuracy", "right", a))

    def io(self, a):
        del a

    def ratios(self, a):
        del a


class Recorded:
    """The same of the column HEAD of the page of the recordings."""

    def __init__(self, p, head):
        self.p, self.head = p, head

    def hosted(self):
        return [one(self.p.value("hmm", name, self.head)) for name in ("GMT-Reuse", "HMM", "HMM with the hit rates of GMT-Reuse")]

    def reused(self, a):
        return one(self.p.value("io", "reused: " + self.head.split(",")[0], a))

    def bias(self, a):
        return numbers(self.p.value("bias", self.head, a)) or [None] * 3

    def means(self):
        return {q: one(self.p.value("means", q, self.head, "bandwidths")) for q in ("TierOrder", "Random, drops", "Reuse, drops")}

    def right(self, a):
        last = self.p.value("lines", self.head, a).split(", ")[2]
        return one(last)

    def io(self, a):
        name, share = self.head.split(", ")
        return one(self.p.value("io", "I/O: " + (name if share == "chosen" else "%s, %s" % (name, share.split()[0])), a))

    def ratios(self, a):
        name, share = self.head.split(", ")
        return numbers(self.p.value("tier2", "%s, Tier 1 %s" % (name, share.split()[0]), a))


def lies(name, v, n):
    """RRDs of NAME are mostly in the N-th range."""
    return NO_FIGURE if v[n] is None else clause("%s %.0f %%" % (name, v[n]), v[n] > 50)


def biased(e):
    """Fig. 12: from twice to eight times Tier 1, those with a bias to Tier 2, and all."""
    found = {a: e.ratios(a) for a in REUSED}
    if None in found.values():
        return [NO_FIGURE]
    gain = {a: v[2] / v[0] for a, v in found.items()}
    part, rest = ([g for a, g in gain.items() if (a in TIER2) == there] for there in (True, False))
    mean = [sum(x) / len(x) for x in (part, rest)]
    return [clause("%.2f; the others %.2f" % tuple(mean), mean[0] > mean[1])]


TIER2 = ("BFS", "MultiVectorAdd", "Srad", "Backprop")
IO = {"LavaMD": 168, "Pathfinder": 202, "BFS": 87, "MultiVectorAdd": 267, "Srad": 270, "Backprop": 6823, "PageRank": 349, "SSSP": 239, "Hotspot": 1492}


def hmm(e):
    reuse, hosted, hoped = e.hosted()
    return [compared(4.57, reuse / hosted), compared(1.903, reuse / hoped)]


MORE = [
    ("1, 3.6", "Reuse is 357 % faster than HMM, and 90.3 % faster than HMM with Reuse's hit rates.", hmm,
     "By a sum of latencies, which does not show that a few host cores cannot keep up."),
    ("3.6", "BaM is faster than HMM.", lambda e: [clause("HMM %.2f of BaM" % v, v < 1) for v in [e.hosted()[1]]],
     "By a sum of latencies."),
    ("3.2", "Pages reused, of nine applications (Table 2, Fig. 7).", lambda e: [number(v, e.reused(a), "%.1f %%") for a, v in REUSED.items()],
     "Here a page that is walked twice counts. The paper's quantity is another: by any two accesses LavaMD would reuse every page."),
    ("3.2", "Total I/O of nine applications, 168 to 6823 GB (Table 2).", lambda e: [number(v, e.io(a), "%.0f") for a, v in IO.items()],
     "BaM's reads, scaled to the paper's data ([I/O](gmt_recordings.md#total-io-and-pages-reused)). The GMT set is not scaled."),
    ("3.3", "LavaMD's RRDs lie within Tier 1.", lambda e: [lies("LavaMD", e.bias("LavaMD"), 0)],
     "On the set rule no page that leaves Tier 1 comes back."),
    ("3.3", "BFS's and MultiVectorAdd's RRDs lie in Tier 2's range.", lambda e: [lies(a, e.bias(a), 1) for a in TIER2[:2]],
     "The range from Tier 1 to both tiers, as Fig. 7 has it. BFS scans the edges of a level in order, so its distances are those of a sweep."),
    ("3.3", "Srad's and Backprop's RRDs lie in Tier 2's range.", lambda e: [lies(a, e.bias(a), 1) for a in TIER2[2:]],
     "Sweeps over all pages are longer than both tiers together, at any of the shares ([bias](gmt_recordings.md#bias))."),
    ("3.3", "The predictor is right for most victims of Srad and Backprop (Fig. 9).",
     lambda e: [NO_FIGURE if v is None else clause("%s %g %%" % (a, v), v > 80) for a in TIER2[2:] for v in [e.right(a)]],
     "On the set rule Srad has one launch, and fewer than a hundredth of its victims is foretold."),
    ("3.4", "All three policies are faster than BaM on average.", lambda e: [clause("%s %.2f" % (q, v), v > 1) for q, v in e.means().items()], ""),
    ("3.5", "A larger Tier 2 helps applications with a bias to Tier 2 most (Fig. 12).", biased,
     "Speed with Tier 2 of eight times Tier 1 over that with twice, means of BFS, MultiVectorAdd, Srad, Backprop and of the others."),
]
OPEN = [("3.4", "The costs of Tier 2 are 2.41 % of an application's time on average.")]


def match(words):
    for start in RULES:
        if words.startswith(start):
            return start
    raise Missing("GMT: no strict rule for %r" % words)


def judged(page, head):
    """{start of the rule: (text, verdict)} of a page's table of statements. HEAD None: the figures and the verdict have columns of their own."""
    found = {}
    for c in page.rows("statements"):
        text, verdict = (c[2], c[3]) if head is None else c[head].split(": ", 1)[::-1]
        found[match(c[1])] = (text, verdict.strip("*") == "yes")
    if set(found) != set(RULES):
        raise Missing("%s lacks a statement that has a strict rule" % page.path)
    return found


def rows():
    page, recorded = Page("docs/papers/gmt_results.md", "gmt"), Page("docs/papers/gmt_recordings.md", "recordings")
    columns = [judged(page, None)] + [judged(recorded, 2 + n) for n in range(len(HEADS))]
    out = []
    for c in recorded.rows("statements"):
        start = match(c[1])
        cells = []
        for n, of in enumerate(columns):
            text, yes = of[start]
            cells.append(Cell(yes, tuple(means(page) if n == 0 and start.startswith("TierOrder 1.07") else RULES[start](text))))
        out.append(Row(c[0], c[1], cells, cause(c[2 + len(HEADS)], recorded.path)))
    every = [Committed(page)] + [Recorded(recorded, head) for head in HEADS]
    out += [Row(place, words, [Cell(facts=tuple(rule(e))) for e in every], why) for place, words, rule, why in MORE]
    return out + [Row(place, words, [Cell(facts=(NO_FIGURE,))] * len(SETS), "Not measured.") for place, words in OPEN]
