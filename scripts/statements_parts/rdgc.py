# SPDX-License-Identifier: Apache-2.0
"""RDGC's statements: those of scripts/rdgc.py by the strict rule, and what the text states beside."""
from statements_parts.pages import Missing, Page, cause, grab, numbers, one, tested
from statements_parts.strict import NO_FIGURE, Cell, Row, clause, compared, number

SETS = ["model"]
FOUR = ("2DCONV", "2MM", "ATAX1", "CORR")
TABLES = "tb/unit/rdgc/tables.cpp"


def latency(cell):
    changes = numbers(cell.split("hit ratios change by ")[1])
    pairs = [grab(cell.split("fails")[0], r"%s (\d+) to (\d+)" % k) + grab(cell.split("fails")[1], r"%s (\d+) to (\d+)" % k) for k in FOUR]
    return [clause("merges or fails change in %d of 4" % sum(b > 2 * a or d > 2 * c for a, b, c, d in pairs),
                   all(b > 2 * a or d > 2 * c for a, b, c, d in pairs)),
            clause("hit ratios by %s points" % ", ".join("%g" % v for v in changes), max(changes) < 15)]


def order(cell, first, higher):
    """FIRST is above (or below) lru of each `lru x, lfu x, …` group."""
    found = []
    for part in cell.split(";"):
        v = dict(zip(("lru", "lfu", "fifo", "random"), grab(part, r"lru ([\d.]+), lfu ([\d.]+), fifo ([\d.]+), random ([\d.]+)")))
        found.append(clause("%s %g, lru %g" % (first, v[first], v["lru"]), v[first] > v["lru"] if not higher else v[first] == max(v.values())))
    return found


def fewer(cell):
    pairs = [grab(part, r"([\d.]+) to ([\d.]+)") for part in cell.split(";")]
    return [clause("%g to %g" % (a, b), b < a) for a, b in pairs]


def steady(cell):
    v = grab(cell, r"lru ([\d.]+), lfu ([\d.]+), fifo ([\d.]+), random ([\d.]+)")
    others = (v[0], v[2], v[3])
    return [clause("lfu %g" % v[1], v[1] < min(others)), clause("others %s" % ", ".join("%g" % x for x in others), max(others) - min(others) < 1)]


def least(cell):
    v = dict(zip(FOUR, [grab(cell, r"([\d.]+) points \(%s\)" % k)[0] for k in FOUR]))
    return [clause("%s by %g" % (k, x), k == "2MM" or x > v["2MM"]) for k, x in v.items()]


def blocks(cell):
    v = {k: grab(cell, r"%s ([\d.]+), ([\d.]+), ([\d.]+), ([\d.]+)" % k) for k in FOUR}
    return [clause("%s by %.1f points" % (k, max(x) - min(x)), max(x) - min(x) > 20 if k == "ATAX1" else max(x) - min(x) < 10) for k, x in v.items()]


def radical(cell):
    four = ", ".join([r"([\d.]+)"] * 4)
    l1, trans, hit = (grab(cell, name + " " + four) for name in ("L1", "L2_Trans", "L2_Hit"))
    return [clause("L1 by %.1f points" % (max(l1) - min(l1)), max(l1) - min(l1) < 10), clause("transactions × %.1f" % (max(trans) / min(trans)),
                                                                                              max(trans) > 2 * min(trans)),
            clause("L2 × %.1f" % (max(hit) / min(hit)), max(hit) > 1.5 * min(hit))]


def sensitive(cell):
    three = r"([\d.]+), ([\d.]+), ([\d.]+)"
    l1, alone, behind = grab(cell, "L1 differs by " + three), grab(cell, "bypassed by " + three), grab(cell, "behind L1 by " + three)
    return [clause("L1 %s" % ", ".join("%g" % v for v in l1), True),
            clause("L2 %s" % ", ".join("%g" % max(a, b) for a, b in zip(alone, behind)), all(a > max(b, c) for a, b, c in zip(l1, alone, behind)))]


def kept(cell):
    v = {k: grab(cell, r"([\d.]+) points \(%s\)" % k)[0] for k in ("2DCONV", "2MM")}
    return [clause("%s %g points" % (k, x), x < 1) for k, x in v.items()]


def parallel(cell):
    v = {k: grab(cell, r"%s ([\d.]+) %%" % k)[0] for k in FOUR}
    return [clause("%s %g %%" % (k, x), x > 1) for k, x in v.items()]


def prime(page):
    """PRI is nowhere behind; of `index`: columns pri, xor, mod, smod-1, smod-2."""
    behind = []
    for cells in page.rows("index"):
        v = [one(x) for x in cells[2:]]
        if max(v) - v[0] > 0.05:
            behind.append("%s %s by %.1f points" % (cells[0], cells[1], max(v) - v[0]))
    return [clause("ATAX1's L1 %s" % page.value("index", "pri", "ATAX1", "L1_R_Hit"), True), clause("behind: " + (", ".join(behind) or "nowhere"), not behind)]


RULES = {
    "With the latency": latency,
    "Even small L1": lambda c: [clause("%g %%" % v, v > 80) for v in grab(c, r"^([\d.]+) % with 4 KB, ([\d.]+) %")],
    "2DCONV: doubling": lambda c: [compared(1.78, 1 + grab(c, r"by ([\d.]+) %")[0] / 100)],
    "PRI functions": None,  # by its table
    "MOD and shifted": lambda c: [clause(c.split(": ")[1], len(c.split(": ")[1].split(", ")) > 1)],
    "CORR's L1": lambda c: order(c, "lfu", False),
    "LFU reduces": fewer,
    "ATAX1 is best": lambda c: order(c, "random", True),
    "2DCONV loses": steady,
    "2MM is less": least,
    "The block size": blocks,
    "Where L1's": radical,
    "ATAX1's L1: 65 %": lambda c: [number(p, v) for p, v in zip((65, 62.5, 45, 42), numbers(c))],
    "L1 is more": sensitive,
    "L2's parallelism": parallel,
    "2DCONV and 2MM": kept,
}
CAUSES = {
    "PRI functions": "Strictly, PRI would be nowhere behind another function.",
    "ATAX1's L1: 65 %": "The order and the gaps are the paper's; the level is up to 16 % higher.",
}
SHOWN = [("5.2", "The model takes 47 000 times as long as the GPU, 1504 to 212 000 times by kernel; GPGPU-Sim 59 times as long as the model.",
          "seconds of this machine: last column of Table 4; [GPGPU-Sim's beside them](rdgc_hardware.md#time)")]
OPEN = [("3", "Reduction makes the trace files 2.3 times smaller."),
        ("5.2", "GTX 970, hit ratios: errors of 3.72 % (L1), 4.5 % (L2), 4.52 % (L2 without L1)."),
        ("5.2", "GTX 970, transactions: errors of 15.0 % (L1), 11.9 % (L2), 7.6 % (L2 without L1)."),
        ("5.2", "GT 740M: errors of 5.4 % (L2's hit ratio) and 5.6 % (transactions).")]


def simulator():
    """GPGPU-Sim's errors and the model's, of kernels on which nothing was tuned; both in points."""
    page = Page("docs/papers/rdgc_hardware.md", "hardware")
    l1 = [one(page.value("means", column, "judging, all")) for column in ("L1: GPGPU-Sim", "L1: gtx570")]
    l2 = [one(page.value("means", column, "judging, all")) for column in ("L2 reads: GPGPU-Sim", "gtx570, on those that GPGPU-Sim has")]
    return [clause("%s: GPGPU-Sim %.2f, the model %.2f" % (name, *pair), pair[0] > pair[1]) for name, pair in (("L1", l1), ("L2 reads", l2))]


def match(words):
    for start in RULES:
        if words.startswith(start):
            return start
    raise Missing("RDGC: no strict rule for %r" % words)


def more(page):
    table4 = page.rows("table4")
    same = sum("≠" not in c[4] for c in table4)

    def test(*names):
        return [clause("a test each: `%s`" % "`, `".join(names), all(tested(TABLES, name) for name in names))]
    return [("3.1", "Table 1: the counters of its example.", test("Rdgc, Table1"), ""),
            ("4.4", "Table 3: steps, hits and fails of its example, as printed.", test("Rdgc, Table3AsPrinted"), ""),
            ("5", "Table 4: L, the accesses a thread.", [clause("%d of %d" % (same, len(table4)), same == len(table4) > 0)],
             "≠ in the page's table; [record](../guide/record.md#accesses-a-thread) says why.")]


def rows():
    page = Page("docs/papers/rdgc_results.md", "rdgc")
    lines = page.rows("statements")
    if {match(c[1]) for c in lines} != set(RULES):
        raise Missing("RDGC: the page lacks a statement that has a strict rule")
    out = []
    for c in lines:
        start = match(c[1])
        facts = RULES[start](c[2]) if RULES[start] else prime(page)
        out.append(Row(c[0], c[1], [Cell(c[3] == "yes", tuple(facts))], CAUSES.get(start) or cause(c[4], page.path)))
    out += [Row(place, words, [Cell(facts=tuple(facts))], why) for place, words, facts, why in more(page)]
    out += [Row(place, words, [Cell(shown=True, text=text)], "") for place, words, text in SHOWN]
    out.append(Row("5.2", "GPGPU-Sim's errors are larger than the model's: 23.3 % (L1), 11.7 % (L2).", [Cell(facts=tuple(simulator()))],
                   "Mean errors in points, on [a GTX 570](rdgc_hardware.md) and its judging kernels; the paper's are of a GTX 970."))
    other = "Not measured on this GPU; [a GTX 570 and a GTX TITAN X](rdgc_hardware.md) are."
    return out + [Row(place, words, [Cell(facts=(NO_FIGURE,))], other if place == "5.2" else "Not measured.") for place, words in OPEN]
