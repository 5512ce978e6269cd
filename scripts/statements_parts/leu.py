# SPDX-License-Identifier: Apache-2.0
"""LEU's statements. The paper has no evaluation of LEU: its examples, and what its text says of the policy."""
from statements_parts.pages import Page, one, tested
from statements_parts.strict import NO_FIGURE, Cell, Row, clause, number

SETS = ["exact LEU"]
TESTS = "tb/unit/exact_leu_test.cpp"


def test(name, path=TESTS):
    return [clause("test `%s`" % name, tested(path, name))]


def rows():
    results = Page("docs/reference/results.md", "results")
    over_opt = [one(results.value("policies_recorded", "%s, all" % size, "leu-exact")) for size in ("25 %", "50 %", "75 %")]
    lru = [one(results.value("policies_recorded", "%s, all" % size, "lru")) for size in ("25 %", "50 %", "75 %")]
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
                   "Here for LEU, evictions over OPT's at 25, 50, 75 %; OSL is a policy of `gmmu replay` without a table."))
    for place, words, why in (
            ("Fig. 1", "OSL's miss ratios are OPT's or lower on `usr`, below LRU, 2Q and ARC.", "The trace is not public; no table has OSL and VMIN."),
            ("abstract, 3.1, 6", "LEU alone has the effect of LRU and MRU together.", "Shown by the two examples; no table has MRU beside LEU."),
            ("4.2", "Ranking by the expected interval does not rank at all sizes.", "Not measured."),
            ("4.2", "Ranking by OSL's best lease does not rank at all sizes.", "Not measured."),
            ("5", "The space grows with the number of memory instructions and is bounded by a table.", "So by construction; no table has bytes beside OSL's.")):
        out.append(Row(place, words, [Cell(facts=(NO_FIGURE,))], why))
    return out
