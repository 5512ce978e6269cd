# SPDX-License-Identifier: Apache-2.0
"""LEU's statements. The paper has no evaluation of LEU: its examples, and what its text says of the policy."""
from statements_parts.pages import Page, one, tested
from statements_parts.strict import NO_FIGURE, Cell, Row, clause, number

SETS = ["exact LEU"]
TESTS = "tb/unit/exact_leu_test.cpp"


def test(name, path=TESTS):
    return [clause("test `%s`" % name, tested(path, name))]


def rows():
    results, beside = Page("docs/reference/results.md", "results"), Page("docs/papers/leu_results.md", "leu")
    sizes = ("25 %", "50 %", "75 %")

    def of(table, policy):
        return [one(beside.value(table, "%s, all" % size, policy)) for size in sizes]

    def listed(values):
        return ", ".join("%.2f" % v for v in values)

    over_opt = [one(results.value("policies_recorded", "%s, all" % size, "leu-exact")) for size in sizes]
    lru = [one(results.value("policies_recorded", "%s, all" % size, "lru")) for size in sizes]
    found = [
        ("2", "In `aabb aabb …` half of a's reuse intervals are 1, half 3.", True, test("Paper, BackgroundExample"), ""),
        ("3.1", "Fig. 3: at t = 6 the priorities of a, x, y, z are 1, 1/2, 1/4, 1/6.", True, test("Paper, Figure3"), ""),
        ("3.1", "`aaxyz` at t = 5: the priorities of a, x, y, z are 1, 1/2, 1/3, 1/4.", False,
         [number(p, v, "%.2f") for p, v in zip((1, 1 / 2, 1 / 3, 1 / 4), (1, 1 / 3, 1 / 4, 1 / 5))] + test("Paper, SecondExampleAtTime6"),
         "An erratum, [L2](leu.md#the-paper): the printed values of x, y, z belong to t = 6."),
        ("3.1", "`aaxyz`: a is kept first, the rest by MRU.", True, test("Paper, SecondExampleAtTime5"), ""),
        ("3.2", "Fig. 3 by two references has the same priorities.", True, test("Paper, Figure3ByReference"), ""),
        ("3.2", "LEU is a stack algorithm.", True, test("Exact, FastPolicyHasTheSameVictimsAtEverySize") + [clause("[proof](../guide/mrc.md#leu)", True)],
         "For `leu-exact`; the unit, which samples and rounds, makes no such promise."),
        ("3.1", "Ranking by PPUC maximizes the hit ratio.", False, [clause("evictions over OPT's %s" % ", ".join("%.2f" % v for v in over_opt),
                                                                         max(over_opt) <= 1.005)],
         "25, 50, 75 % of the pages, all traces. An instruction that touches pages of several reuse intervals gives one distribution to all of them."),
    ]
    out = [Row(place, words, [Cell(today, tuple(facts))], why) for place, words, today, facts, why in found]
    out.append(Row("1", "Statistical caching is near OPT and far better than LRU (of OSL).", [Cell(facts=tuple(
        number(1, v, "%.2f") for v in over_opt) + (clause("LRU %s" % ", ".join("%.2f" % v for v in lru), min(lru) > 1.1 * max(over_opt)),))],
                   "Here for LEU, evictions over OPT's at 25, 50, 75 %; OSL in the next row."))
    osl, others = of("figure1_recorded", "osl"), [of("figure1_recorded", p) for p in ("lru", "2q", "arc")]
    out.append(Row("Fig. 1", "OSL's miss ratios are OPT's or lower on `usr`, below LRU, 2Q and ARC.", [Cell(facts=(
        clause("faults over OPT's %s" % listed(osl), max(osl) <= 1.005), clause("the others' from %.2f on" % min(map(min, others)), all(
            o < min(other[n] for other in others) for n, o in enumerate(osl)))))],
                   "`usr` is not public: means over the traces as recorded, [OSL and VMIN](leu_results.md#osl-and-vmin)."))
    for table, which, counter in (("policies_recorded", "as recorded", "`gemm`"), ("policies_larger", "larger traces", "`cfd`")):
        exact, both = of(table, "leu-exact"), of(table, "better of lru and mru")
        text = "evictions over OPT's %s, the better of both on each trace %s" % (listed(exact), listed(both))
        out.append(Row("abstract, 3.1, 6", "LEU alone has the effect of LRU and MRU together (%s)." % which,
                       [Cell(facts=(clause(text, all(e <= b for e, b in zip(exact, both))),))],
                       "In the mean; %s at 50 %% is a [counter-example](leu_results.md#where-the-better-of-both-is-better-than-leu)." % counter))
    for words, policy in (("the expected interval", "mean-ri"), ("OSL's best lease", "osl-rank")):
        over = [p / e for p, e in zip(of("policies_recorded", policy), of("policies_recorded", "leu-exact"))]
        out.append(Row("4.2", "Ranking by %s does not rank at all sizes." % words, [Cell(facts=(
            clause("evictions over LEU's %s" % listed(over), 1 < over[0] < over[1] < over[2]),))],
                       "25, 50, 75 %: [the more memory, the worse](leu_results.md#one-number-a-reference)."))
    out.append(Row("5", "The space grows with the number of memory instructions and is bounded by a table.", [Cell(facts=(NO_FIGURE,))],
                   "So by construction; no table has bytes beside OSL's."))
    return out
