# SPDX-License-Identifier: Apache-2.0
"""The tables of docs/papers/hpe_results.md, and the figures in its sentences."""
import math

from hpe_parts import losses, statements
from hpe_parts.figures import mean, number, pair, percent
from hpe_parts.paper import (APPS, CATEGORY, CLOCKPRO, HAND, NUMERALS, OPEN, PAPER, REPAIRS, SHORT, SIZES, STRATEGY, SWEEPS,
                             TOGETHER, TYPES, hpe, is_class)
from page import markdown

BOTH_SIZES = [s.replace("%", " %") for s in SIZES]


def all_tables(d, found, one):
    out = {"statements": markdown(["§", "the paper states", "here", "", ""], [[w, s, t, "yes" if h else "**no**", ""] for w, s, t, h in found]),
           "evictions": eviction_table(d), "ideal": ideal_table(d), "classes": class_table(d, one), "strategies": strategy_table(d),
           "hand": hand_table(d), "hir": hir_table(d), "compared": compared_table(d), "times": time_table(d), "speedup": speedup_table(d),
           "load": load_table(d), "open": option_table(d, ["", "alternative"], [(["", "**the decisions**"], "")] + [([e, a], o) for e, a, o in OPEN]),
           "repairs": option_table(d, ["change"], [([a], o) for a, o in REPAIRS]), "losses": losses.loss_table(d), "bounds": losses.bound_table(d)}
    out.update({axis: sweep_table(d, axis, title, values, default) for axis, title, values, default in SWEEPS})
    return out


def all_values(d, found):
    def two(f):
        return "%s and %s" % pair(f)

    def spaced(n):
        return "{:,}".format(n).replace(",", " ")

    def sum_of(what):
        return sum(d.at(t, "hpe", s)[what] for t in d.traces for s in SIZES)

    def sets(trace, size):
        r = d.at(trace, "hpe", size)
        return "%d of %d" % (r["hpe_irregular"], r["hpe_irregular"] + r["hpe_regular"])
    return {
        "all": "%s at 75 %%, %s at 50 %%" % pair(lambda s: percent(d.mean("hpe", s))), "apps": two(lambda s: percent(d.mean("hpe", s, traces=APPS))),
        "held": "%d of %d" % (sum(1 for f in found if f[3]), len(found)),
        "clockpro_rest": "%.2f, %.2f" % pair(lambda s: d.mean("hpe", s, CLOCKPRO, statements.rest(d))),
        "hybridsort": "RRIP %.2f, CLOCK-Pro %.2f" % (d.over("hybridsort", "rrip", "75%"), d.over("hybridsort", CLOCKPRO, "75%")),
        "spmv": sets("spmv", "75%"), "stencil": sets("stencil", "75%"), "srad_v2": sets("srad_v2", "50%"),
        "srad_v2_ratio": number(d.ratios("srad_v2", "50%")[0]),
        "stencil_lru": "%.0f %%" % (100 * (1 - d.strategies("stencil", "75%")[1])),
        "faults_alone": "%.2f, %.2f" % pair(lambda s: d.speedup("lru", s, walk_us=0)),
        "heartwall": "%.2f, %.2f" % pair(lambda s: d.over("heartwall", "hpe", s)),
        "sad": number(d.ratios("sad", "75%")[0]), "sad_256": number(d.ratios("sad", "75%", hpe("saturate=256"))[0]),
        "old": "%d of the %d" % (sum(1 for t in APPS if d.at(t, "hpe", "50%")["hpe_old"] >= 64), len(APPS)),
        "walk": "%.2f" % d.walk_us, "stale": spaced(sum_of("hpe_stale")), "records": spaced(sum_of("hpe_records")),
        "together_apps": two(lambda s: percent(d.mean(hpe(TOGETHER), s, traces=APPS))), "together": two(lambda s: percent(d.mean(hpe(TOGETHER), s)))}


def eviction_table(d):
    shown = [("`opt`", "opt"), ("Random", "random"), ("RRIP", "rrip"), ("CLOCK-Pro", CLOCKPRO), ("**`hpe`**", "hpe"), ("`ideal`", hpe("ideal=1"))]
    rows = []
    for t in sorted(d.traces, key=lambda t: (APPS.index(t) if t in APPS else 99, t)):
        rows.append([SHORT.get(t, ""), "`%s`" % t, d.kind[t], str(d.at(t, "lru", "75%")["distinct"]),
                     "%d, %d" % pair(lambda s, t=t: d.evictions(t, "lru", s))] +
                    ["%.2f, %.2f" % pair(lambda s, t=t, p=p: d.over(t, p, s)) for _, p in shown])
    groups = [("mean, type %s of the 23" % k, d.of_type(k)) for k in TYPES] + [("**mean, the 23**", APPS), ("**mean, all**", d.traces)]
    for label, traces in groups:
        rows.append(["", label, "", "", ""] + ["%.3f, %.3f" % pair(lambda s, p=p, of=traces: d.mean(p, s, traces=of)) for _, p in shown])
    return markdown(["", "trace", "type", "pages", "LRU"] + [n for n, _ in shown], rows)


def ideal_table(d):
    rows = [[n] + ["%.2f" % d.mean(p, s, "opt", traces) for traces in (APPS, d.traces) for s in SIZES] + [stated]
            for n, p, stated in (("LRU", "lru", "not stated (1.44, 1.32 follow)"), ("Random", "random", "not stated"), ("RRIP", "rrip", "not stated"),
                                 ("CLOCK-Pro", CLOCKPRO, "not stated"), ("`hpe`", "hpe", "1.18, 1.16"))]
    return markdown(["", "the 23, 75 %", "50 %", "all, 75 %", "50 %", "the paper"], rows)


def class_table(d, one):
    """ONE: rows of the traces with one SM."""
    rows = []
    for a, t, k, _, _, c in PAPER:
        r = [d.at(t, "hpe", s) for s in SIZES]
        got = [NUMERALS[x["hpe_category"]] for x in r]
        others = ["%s, %s" % pair(lambda s, t=t, o=o: NUMERALS[d.at(t, hpe(o), s)["hpe_category"]]) for o in ("bits=1", "counted=1", "saturate=256")]
        alone = "%s, %s" % pair(lambda s, t=t: NUMERALS[one[t, "hpe"][s]["hpe_category"]]) if (t, "hpe") in one else ""
        rows.append([a, "`%s`" % t, k] + ["%d : %d" % (x["hpe_regular"], x["hpe_irregular"]) for x in r] +
                    ["%s, %s" % tuple(number(v) for v in d.ratios(t, s)) for s in SIZES] +
                    ["%s, %s" % tuple("irregular#" + g if g in "12" else "regular" for g in got), CATEGORY[c],
                     "" if c is None else "%s, %s" % tuple("yes" if is_class(x["hpe_category"], c) else "**no**" for x in r), alone] + others)
    return markdown(["", "trace", "type", "regular : irregular", "", "ratio1, ratio2 at 75 %", "at 50 %", "class", "the paper", "", "1 SM", "bits=1",
                     "not new", "saturate=256"], rows)


def strategy_table(d):
    rows = []
    for a, t, _, s75, s50, _ in PAPER:
        for s, stated in zip(SIZES, (s75, s50)):
            r = d.at(t, "hpe", s)
            letter, part = d.strategies(t, s)
            wrong = (r["hpe_lru_wrong"] + r["hpe_mruc_wrong"]) / max(1, r["evictions"])
            rows.append([a, "`%s`" % t, s.replace("%", " %"), "%.0f %%" % (100 * part), str(r["hpe_jumps"]), str(r["hpe_switches"]),
                         "%.0f %%" % (100 * wrong), STRATEGY[letter], STRATEGY[stated],
                         "" if stated is None else "yes" if letter == stated else "**no**"])
    return markdown(["", "trace", "memory", "MRU-C", "jumps", "switches", "wrong", "here", "the paper", ""], rows)


def hand_table(d):
    """The sensitivity study of §V.A."""
    def over_first(axis, value, first, kind, s):
        return mean(d.evictions(t, d.by_hand(t, axis, value, s), s) / d.evictions(t, d.by_hand(t, axis, first, s), s) for t in d.of_type(kind))
    rows = []
    for k in TYPES:
        cells = [k]
        for axis in ("set", "interval"):
            first, *others = [v for a, v in HAND if a == axis]
            cells += ["%.2f, %.2f" % pair(lambda s, v=v, axis=axis, first=first, k=k: over_first(axis, v, first, k, s)) for v in others]
        rows.append(cells)
    return markdown(["type", "page set 16 (8: 1)", "32", "interval 64 (32: 1)", "128"], rows)


def sweep_table(d, axis, title, values, default):
    policies = [hpe("%s=%d" % (axis, v)) if v != default else "hpe" for v in values]
    return markdown([title] + ["**%d**" % v if v == default else str(v) for v in values],
                    [[label] + ["%.3f, %.3f" % pair(lambda s, p=p, of=traces: d.mean(p, s, traces=of)) for p in policies]
                     for label, traces in (("the 23", APPS), ("all", d.traces))])


def hir_table(d):
    rows = []
    for a, t, *_ in PAPER:
        cells = [a, "`%s`" % t]
        for s in SIZES:
            r = d.at(t, "hpe", s)
            n = max(1, r["hpe_packets"])
            saving = d.buffer_saving(t, s)
            cells += ["%.1f" % (r["hpe_entries"] / n), str(r["hpe_most_entries"]), "%.1f" % (r["hpe_hits"] / n),
                      "–" if saving is None else "%.0f %%" % (100 * saving), str(r["hpe_dropped"])]
        rows.append(cells)
    return markdown(["", "trace"] + ["%s, %s" % (h, s) for s in BOTH_SIZES for h in ("entries", "most", "hits", "saved", "dropped")], rows)


def compared_table(d):
    rows = []
    for a, t, *_ in PAPER:
        cells = [a, "`%s`" % t]
        for s in SIZES:
            r = d.at(t, "hpe", s)
            cells += ["%.1f" % (r["hpe_mruc_compared"] / r["hpe_mruc_searches"]) if r["hpe_mruc_searches"] else "–", str(r["hpe_most_compared"]),
                      "%.0f" % (r["hpe_length_sum"] / max(1, r["hpe_intervals"]))]
        rows.append(cells)
    return markdown(["", "trace"] + ["%s, %s" % (h, s) for s in BOTH_SIZES for h in ("comparisons", "most", "chain")], rows)


def time_table(d):
    return markdown(["", "µs here", "the paper"], [[what, "%.2f" % d.times[key], stated] for what, key, stated in (
        ("classification, chain of 62 sets", ("classify", 62), "not stated"), ("classification, 1562 sets", ("classify", 1562), "16.7 (KMN)"),
        ("classification, 6082 sets", ("classify", 6082), "not stated"), ("a search of 300 comparisons", ("compare", 300), "3.98"),
        ("150 records, chain of 202 sets", ("update", 150), "16.1"), ("the same from beats", ("unpack-update", 150), "not stated"))])


def speedup_table(d):
    rows = []
    for n, p, stated in (("LRU", "lru", "1.34, 1.16"), ("Random", "random", "1.16, 1.21"), ("RRIP", "rrip", "1.27, 1.16"),
                         ("CLOCK-Pro", CLOCKPRO, "1.2, 1.15"), ("Ideal", "opt", "within 11 %")):
        rows.append(["over " + n] + ["%.2f" % d.speedup(p, s) for s in SIZES] + [stated] + ["%.2f" % d.speedup(p, s, walk_us=0) for s in SIZES])
    return markdown(["speed-up of `hpe`", "75 %", "50 %", "the paper", "faults alone, 75 %", "50 %"], rows)


def load_table(d):
    return markdown(["host core load", "75 %", "50 %", "the paper, %"], [
        [n] + ["%.1f %%" % (100 * d.load(p, s)) for s in SIZES] + [stated]
        for n, p, stated in (("LRU", "lru", "29.9, 39.3"), ("RRIP", "rrip", "30.3, 39.5"), ("CLOCK-Pro", CLOCKPRO, "29.5, 39.2"),
                             ("`hpe`", "hpe", "34.0, 47.2"))])


def option_table(d, head, options):
    """Means of each alternative, and where it changes most."""
    rows = []
    for lead, o in options:
        p = hpe(o)
        row = lead + ["`%s`" % o if o else "`hpe`"] + ["%.3f" % d.mean(p, s, traces=of) for of in (None, APPS) for s in SIZES]
        moved = sorted((math.log(d.evictions(t, p, s) / d.evictions(t, "hpe", s)), t, s) for t in d.traces for s in SIZES)
        show = [m for m in moved[:2] + moved[-2:] if abs(m[0]) > 0.05]
        rows.append(row + [", ".join("%s %s × %.2f" % (t, s.replace("%", " %"), math.exp(v)) for v, t, s in show) or "–"])
    return markdown(head + ["option", "all, 75 %", "50 %", "the 23, 75 %", "50 %", "changes most"], rows)
