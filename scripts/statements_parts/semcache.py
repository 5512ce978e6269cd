# SPDX-License-Identifier: Apache-2.0
"""SemCache's statements: those of scripts/semcache_parts/tables.py by the strict rule, and what the text states beside."""
from statements_parts.pages import Missing, Page, cause, numbers, one, tested
from statements_parts.strict import NO_FIGURE, Cell, Row, clause, compared, number

SETS = ["newmark"]
INPUTS = ("Rocket32", "Cube14", "Cube10")


def percents(cell):
    return numbers(cell.replace("Rocket32", "").replace("Cube14", "").replace("Cube10", ""))


def each(cell, holds, form="%g %%"):
    return [clause(form % v, holds(v)) for v in percents(cell)]


def sorted_times(page):
    rows = [[float(v) for v in page.row("chaintimes", name)[1:]] for name in ("SemCache, write-back", "SemCache, write-through", "each alone (CULA)")]
    return [clause("%.2f, %.2f, %.2f" % each_size, each_size[0] < each_size[1] < each_size[2]) for each_size in zip(*rows)]


def received(page):
    return [compared(p, one(page.row("moved", i, "SemCache, write-back")[4]) / one(page.row("moved", i, "Fig. 9 (CUBLAS)")[4]))
            for i, p in zip(INPUTS, (0.439, 0.412, 0.394))]


RULES = {  # takes the page's cell, and the page
    "write-back performs exactly": lambda c, _: [clause("2 + 1", c.startswith("2 + 1 "))],
    "in write-through": lambda c, _: [clause("%g sent, %g received" % tuple(numbers(c)[:2]), numbers(c) == [2, 3, 3])],
    "write-back is closest": lambda c, p: sorted_times(p),
    "more than 80 %": lambda c, _: each(c, lambda v: v > 80),
    "both policies": lambda c, p: [clause("%s, %s GB" % both, both[0] == both[1]) for both in [
        tuple(p.row("moved", i, "SemCache, write-" + policy)[2] for policy in ("back", "through")) for i in INPUTS]],
    "write-back reduced": lambda c, p: received(p),
    "all of the calculations": lambda c, _: [clause("%g on the CPU" % numbers(c)[0], numbers(c)[0] == 0)],
    "fewer factorizations": lambda c, _: each(c, lambda v: v > 80),
    "a lookup for each": lambda c, _: [clause("%g beside" % v, v == 0) for v in numbers(c)],
    "three to six": lambda c, _: each(c, lambda v: 3 <= v <= 6, "%g"),
    "write-through improves": lambda c, _: each(c, lambda v: 30 <= v <= 40),
    "write-back gains": lambda c, _: each(c, lambda v: 4 <= v <= 10),
    "pages communicate": lambda c, _: [number(1, v) for v in percents(c)],
    "… in more": lambda c, _: each(c, lambda v: v > 1, "%g ×"),
}
CAUSES = {
    "write-back reduced": "Nearly nothing is received here: all results of a time step are vectors.",
    "a lookup for each": "One more for each result that is made (S27 has the paper's own count).",
}
TABLE1 = {"Fig. 9 (CUBLAS)": [(23.70, 5.58), (10.67, 1.53), (3.01, 0.33)], "SemCache, write-back": [(2.02, 2.45), (1.01, 0.63), (0.29, 0.13)]}


def moved(page, policy, column):
    """Of Table 1: GB sent (column 2 of the page) or received (4)."""
    return [number(paper[column // 2 - 1], one(page.row("moved", i, policy)[column]), "%.3g") for i, paper in zip(INPUTS, TABLE1[policy])]


def more(page):
    shape = "The application is not public; the one here is of the same method with other shapes."
    calls = [number(one(c[n + 1]), one(c[n])) for c in page.rows("operations") for n in range(1, len(c), 2)]
    alone = [number(1, one(c[3]), "%.3f") for c in page.rows("times") if c[1] == "C2070"]
    naive = [sum(one(x) for x in page.row("chain", name)[1:3]) for name in ("each alone (CULA)", "SemCache, write-back")]
    return [("3", "Fig. 2: three multiplies make 9 transfers by encapsulated calls, 3 tuned by hand.",
             [clause("%g, %g" % tuple(naive), naive == [9, 3])], ""),
            ("6", "GESV: LU factorisation on the CPU, the solve on the GPU.",
             [clause("test `ResultsAreMadeOnTheCpu`", tested("tb/unit/sem/play.cpp", "SemPlay, ResultsAreMadeOnTheCpu"))], ""),
            ("7.2", "CULA's and CUBLAS's times are very similar (Fig. 14).", alone, ""),
            ("7.2", "Table 1: GB sent by CUBLAS: 23.70, 10.67, 3.01.", moved(page, "Fig. 9 (CUBLAS)", 2), shape),
            ("7.2", "Table 1: GB received by CUBLAS: 5.58, 1.53, 0.33.", moved(page, "Fig. 9 (CUBLAS)", 4), shape),
            ("7.2", "Table 1: GB sent by SemCache: 2.02, 1.01, 0.29.", moved(page, "SemCache, write-back", 2), shape),
            ("7.2", "Table 1: GB received by SemCache: 2.45, 0.63, 0.13.", moved(page, "SemCache, write-back", 4), shape),
            ("7.2", "Table 3: GEMM, GESV, XPY, COPY, lookups of three inputs.", calls, "The number of time steps is not stated: 20 here. " + shape)]


def lookups(page):
    """Of the table `overhead`: (rows of the chain, rows of the inputs)."""
    rows = page.rows("overhead")
    return [c for c in rows if c[0].startswith("chain")], [c for c in rows if c[0] in INPUTS]


def guards(page):
    rows = page.rows("guards")
    counts = [number(45, one(c[1])) for c in rows] + [number(7, one(c[3])) for c in rows]
    return counts + [clause("%s writes after the first call" % c[7], c[7] == "0") for c in rows]


def overhead(page):
    chain, inputs = lookups(page)
    slower = [one(c[4]) for c in chain]
    return [("7.1", "Write-back is slightly slower than hand-tuned code, by the cost of lookups (Fig. 12).",
             [clause("by %g %%" % v, 0 < v < 4) for v in slower], "N = 512, 1024, 2048, with 0.12 µs a lookup. *Slightly*: below 4 %."),
            ("7.2", "The cache hits in all lookups: 100 %.", [number(100, one(c[2]), "%g %%") for c in inputs],
             "The first lookup of a range has no record to hit."),
            ("7.2", "Caching costs less than 4 % of the run time.",
             [clause("%g %%" % one(c[4]), one(c[4]) < 4) for c in inputs],
             "With the paper's own cost a lookup %s %%; the time is the library's alone." % ", ".join("%g" % one(c[6]) for c in inputs)),
            ("7.2", "Seven readCPU guards, no writeCPU, in 45 calls.", guards(page),
             "The program here is another one, [smaller](../guide/semcache.md#a-program-to-offload)."),
            ("fn. 4", "Large inputs, such as Rocket32, cannot run with pages.",
             [clause("runs: %s of Fig. 9's time" % page.row("pages", "Rocket32")[2], False)], "The paper does not say which limit the pages met.")]


OPEN = [("7.1", "MAGMA is mostly slower than CUBLAS (Fig. 12).", "No rates of MAGMA's kernels: [S34](semcache.md#ranges-and-calls)."),
        ("7", "Instrumented guards and page protection perform alike.", "Both are implemented; no page compares them."),
        ("fn. 3", "Pages lose the link between storage by rows and by columns.",
         "The runs of the page need no such link; [S36](semcache.md#ranges-and-calls). A column has pages without any kept result."),
        ("8", "Several GPUs, packed structures with gaps (future work).", "Not built: [S37](semcache.md#ranges-and-calls).")]


def match(words):
    for start in RULES:
        if words.startswith(start):
            return start
    raise Missing("SemCache: no strict rule for %r" % words)


def rows():
    page = Page("docs/papers/semcache_results.md", "semcache")
    lines = [c for c in page.rows("statements") if c[0] != "ours"]
    if {match(c[1]) for c in lines} != set(RULES):
        raise Missing("SemCache: the page lacks a statement that has a strict rule")
    out = []
    for c in lines:
        start = match(c[1])
        out.append(Row(c[0], c[1], [Cell(c[3] == "yes", tuple(RULES[start](c[2], page)))], CAUSES.get(start) or cause(c[4], page.path)))
    out += [Row(place, words, [Cell(facts=tuple(facts))], why) for place, words, facts, why in more(page) + overhead(page)]
    seconds = "; ".join("%s %s, %s s" % (c[0], c[1], c[3]) for c in page.rows("seconds"))
    out.append(Row("7.2", "Table 2: transfers take 11.09, 5.27, 1.32 s by CUBLAS, 0.86, 0.47, 0.12 s by SemCache.", [Cell(shown=True, text=seconds)],
                   "By a link whose rate comes from the same table."))
    return out + [Row(place, words, [Cell(facts=(NO_FIGURE,))], why) for place, words, why in OPEN]
