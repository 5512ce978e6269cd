# SPDX-License-Identifier: Apache-2.0
"""What the paper's text states, beside what came out. Why it did stands in docs/papers/hpe_results.md."""
from hpe_parts.figures import mean, names, pair, percent
from hpe_parts.paper import APPS, CLOCKPRO, HAND, PAPER, SHORT, SIZES, TYPES, hpe, is_class

RIVALS = ("random", "rrip", CLOCKPRO)


def worst(d):
    return sorted(APPS, key=lambda t: -d.over(t, "hpe", "75%"))[:4]


def rest(d):
    return [t for t in APPS if t not in worst(d)]


def outcomes(d):
    """Section, statement, what came out, does it hold. Sensitivities are of runs without recordings of their own."""
    return evictions(d) + classes(d) + sensitivity(d.free or d) + information(d) + driver(d) + time(d)


def evictions(d):
    def over(policy, base, traces=APPS):
        return pair(lambda s: d.mean(policy, s, base, traces))

    def gain(traces):
        return tuple(percent(v) for v in over("hpe", "lru", traces))
    kinds = {k: over("hpe", "lru", d.of_type(k)) for k in TYPES}

    def of(k):
        return "%s %.2f, %.2f" % ((k,) + kinds[k])
    out = [("V.B", "HPE evicts 18 % fewer pages than LRU at 75 %, 12 % at 50 % (average).",
            "all %d traces: %s, %s; the paper's 23 applications: %s, %s; without %s: %s, %s" % (
                (len(d.traces),) + gain(d.traces) + gain(APPS) + (names(worst(d)),) + gain(rest(d))),
            over("hpe", "lru")[0] < 0.85 and over("hpe", "lru")[1] < 0.90)]
    out.append(("V.B", "HPE evicts 18 % more than Ideal at 75 %, 16 % at 50 %.",
                "the 23: %s, %s; LRU %s, %s" % tuple(percent(v) for v in over("hpe", "opt") + over("lru", "opt")),
                over("hpe", "opt")[0] < 1.25))
    out.append(("V.B", "Types I and VI: as many evictions as LRU.", "over LRU: %s; %s" % (of("I"), of("VI")),
                all(0.9 < v < 1.1 for k in ("I", "VI") for v in kinds[k])))
    out.append(("V.B", "Type II: far fewer.", "%s (Ideal %.2f, %.2f)" % ((of("II"),) + over("opt", "lru", d.of_type("II"))),
                all(v < 0.75 for v in kinds["II"])))
    out.append(("V.B", "Types III to V: slightly fewer on average.", "; ".join(of(k) for k in ("III", "IV", "V")),
                all(v < 1 for k in ("III", "IV", "V") for v in kinds[k])))
    out.append(("V.B", "HPE evicts fewer pages than Random, RRIP and CLOCK-Pro on average.",
                "over Random %.2f, %.2f; over RRIP %.2f, %.2f; over CLOCK-Pro %.2f, %.2f" % sum((over("hpe", p) for p in RIVALS), ()),
                all(v < 1 for p in RIVALS for v in over("hpe", p))))
    stn = {t: d.over(t, "rrip", "75%", "opt") for t in ("mri-q", "stencil", "srad_v2", "hotspot3d")}
    out.append(("III.B", "At 75 % RRIP evicts 50 % more than Ideal for MRQ and STN, and thrashes for SRD and HSD.",
                ", ".join("%s %s" % (SHORT[t], percent(v)) for t, v in stn.items()),
                abs(stn["mri-q"] - 1.5) < 0.2 and abs(stn["stencil"] - 1.5) < 0.2))
    vi = [d.mean(p, "75%", traces=d.of_type("VI")) for p in RIVALS]
    out.append(("V.B", "Random, RRIP and CLOCK-Pro are worse than LRU for type VI.",
                "75 %%, over LRU: %.2f, %.2f, %.2f" % tuple(vi), min(vi) > 1))
    return out


def classes(d):
    def right(s):
        return [t for _, t, _, _, _, c in PAPER if c and is_class(d.at(t, "hpe", s)["hpe_category"], c)]
    stated = [p for p in PAPER if p[5]]
    out = [("IV.D, V.C", "Classes (where the text or the strategy used tells it).",
            "of %d: %d as stated at 75 %%, %d at 50 %%" % (len(stated), len(right("75%")), len(right("50%"))),
            len(right("75%")) == len(stated) == len(right("50%")))]
    small = [t for t in APPS if d.kind[t] in ("I", "II", "III") and t not in ("kmeans", "sad")]
    low = [t for t in small if d.ratios(t, "75%")[0] < 0.3]
    out.append(("V.A", "Types I to III but KMN and SAD: ratio1 below 0.3.",
                "%d of %d at 75 %%; not %s" % (len(low), len(small), names([t for t in small if t not in low])),
                len(low) == len(small)))
    high = [t for t in APPS if d.kind[t] in ("IV", "V", "VI") and t != "sgemm"]
    big = [t for t in high if d.ratios(t, "75%")[0] > 0.3 or d.ratios(t, "75%")[1] >= 2]
    out.append(("V.A", "Types IV to VI but SGM: ratio1 or ratio2 is large.",
                "%d of %d; not %s" % (len(big), len(high), names([t for t in high if t not in big])), len(big) == len(high)))
    used = [(a, t, (s75, s50)) for a, t, _, s75, s50, _ in PAPER if s75]
    as_stated = [a for a, t, st in used if all(d.strategies(t, s)[0] == x for s, x in zip(SIZES, st))]
    out.append(("V.C", "Strategies used (22 applications).", "as stated at both sizes: %s" % (", ".join(as_stated) or "none"),
                len(as_stated) == len(used)))
    return out


def spread(d, axis):
    """{type: most over least time of the model, the worse of both memory sizes}."""
    values = [v for a, v in HAND if a == axis]
    found = {}
    for k in TYPES:
        found[k] = max(max(times) / min(times) for times in (
            [mean(d.time(t, d.by_hand(t, axis, v, s), s) for t in d.of_type(k)) for v in values] for s in SIZES))
    return found


def sensitivity(d):
    found = {a: spread(d, a) for a in ("set", "interval")}

    def text(axis):
        return ", ".join("%s %.0f %%" % (k, 100 * (v - 1)) for k, v in found[axis].items())
    tr = {n: pair(lambda s, n=n: d.mean(hpe("transfer=%d" % n) if n != 16 else "hpe", s)) for n in (1, 8, 16, 32, 64)}
    return [("V.A", "Page set size 8, 16, 32: IPC differs by less than 10 % in each type.",
             "times of the model: by at most %s" % text("set"), max(found["set"].values()) < 1.10),
            ("V.A", "Interval 32, 64, 128: less than 12 %.", "by at most %s" % text("interval"), max(found["interval"].values()) < 1.12),
            ("V.A", "Transfer every 16th fault is the best tradeoff.",
             "evictions over LRU, 1 to 64: " + "; ".join("%.3f, %.3f" % v for v in tr.values()), tr[16][0] < tr[32][0] < tr[64][0])]


def information(d):
    lost = [t for t in d.traces if any(d.at(t, "hpe", s)["hpe_dropped"] for s in SIZES)]
    saving = {s: [v for v in (d.buffer_saving(t, s) for t in APPS) if v is not None] for s in SIZES}

    def total(s, what):
        return sum(d.at(t, "hpe", s)[what] for t in APPS)
    whole = pair(lambda s: 100 * (1 - 10 * total(s, "hpe_entries") / (8 * total(s, "hpe_hits"))))
    avg = pair(lambda s: 100 * sum(saving[s]) / len(saving[s]))
    per = {t: d.at(t, "hpe", "75%") for t in APPS}
    entries = {t: r["hpe_entries"] / r["hpe_packets"] if r["hpe_packets"] else 0 for t, r in per.items()}
    few = [t for t in APPS if entries[t] < 10]
    top = max(APPS, key=entries.get)
    return [("IV.B", "8 × 128 entries avoid conflicts, but for MVT.", "hits dropped: " + names(lost), not lost or lost == ["mvt"]),
            ("IV.B", "Against a buffer of addresses HIR saves 63 % of the storage at 75 %, 53 % at 50 %.",
             "mean of the 23: %.0f %%, %.0f %% (entries of 10 bytes, addresses of 8, all transfers); of the sums %.0f %%, %.0f %%" % (avg + whole),
             avg[0] > 50 and avg[1] > 40),
            ("V.C", "Entries a transfer: less than ten in most applications, most in MVT (139).",
             "75 %%: less than ten in %d of 23; most in `%s`, %.0f (`mvt` %.0f)" % (len(few), top, entries[top], entries["mvt"]),
             len(few) > 11 and top == "mvt")]


def driver(d):
    compared = {}
    for t in APPS:
        for r in (d.at(t, "hpe", s) for s in SIZES):
            if r["hpe_mruc_searches"]:
                compared[t] = max(compared.get(t, 0), r["hpe_mruc_compared"] / r["hpe_mruc_searches"])
    far = sorted(t for t, v in compared.items() if v >= 50)
    divided = [t for t in APPS if any(d.at(t, "hpe", s)["hpe_divided"] for s in SIZES)]
    nw = [pair(lambda s, n=n: d.over("nw", hpe("divide=%d" % n) if n != 64 else "hpe", s)) for n in (64, 32, 24)]
    t = d.times
    return [("V.C", "Comparisons a search of MRU-C: below 50, but for BFS and HIS.", "50 and more: " + names(far), set(far) <= {"bfs", "histo"}),
            ("IV.F", "Only NW and MVT divide page sets.", names(divided), set(divided) == {"nw", "mvt"}),
            ("V.B", "Dividing sooner helps NW.", "over LRU at 64 touches %.2f, %.2f; at 32 %.2f, %.2f; at 24 %.2f, %.2f" % sum(nw, ()),
             all(b < a for a, b in zip(nw[0], nw[2]))),
            ("V.C", "Classification of KMN takes 16.7 µs.",
             "a chain of 1560 sets (KMN's, if its footprint is the largest, 130 MB): %.1f µs" % t["classify", 1562], t["classify", 1562] < 20),
            ("V.C", "300 comparisons take 4.0 µs (19.92 % of 20 µs).", "%.1f µs" % t["compare", 300], t["compare", 300] < 4.0),
            ("V.C", "150 records to a chain of 200 sets take 16.1 µs.",
             "%.1f µs; %.1f µs with the unpacking of the beats" % (t["update", 150], t["unpack-update", 150]), t["update", 150] < 16.1)]


def time(d):
    load = {p: pair(lambda s, p=p: 100 * d.load(p, s)) for p in ("lru", "rrip", CLOCKPRO, "hpe")}
    sp = {b: pair(lambda s, b=b: d.speedup(b, s)) for b in ("lru",) + RIVALS}
    best = max((d.time(t, "lru", s) / d.time(t, "hpe", s), t) for t in APPS for s in SIZES)
    ideal = pair(lambda s: d.speedup("opt", s))
    slow = sorted(t for t in APPS if any(d.time(t, "hpe", s) > 1.01 * d.time(t, "lru", s) for s in SIZES))
    return [("V.C", "Host core load: LRU 29.9 %, 39.3 %; RRIP 30.3, 39.5; CLOCK-Pro 29.5, 39.2; HPE 34.0, 47.2.",
             "LRU 29.9 (by calibration), %.1f; RRIP %.1f, %.1f; CLOCK-Pro %.1f, %.1f; HPE %.1f, %.1f" % (
                 load["lru"][1:] + load["rrip"] + load[CLOCKPRO] + load["hpe"]), load["hpe"][0] > load["lru"][0]),
            ("V.B", "Speed-up over LRU 1.34, 1.16; up to 2.81 (HSD).", "%.2f, %.2f; up to %.2f (`%s`)" % (sp["lru"] + best),
             sp["lru"][0] > 1.25 and sp["lru"][1] > 1.1),
            ("V.B", "Over Random 1.16, 1.21; RRIP 1.27, 1.16; CLOCK-Pro 1.2, 1.15.",
             "%.2f, %.2f; %.2f, %.2f; %.2f, %.2f" % sum((sp[p] for p in RIVALS), ()), all(v > 1.05 for p in RIVALS for v in sp[p])),
            ("V.B", "Within 11 % of Ideal at both sizes.", "speed %.2f, %.2f of Ideal's" % ideal, min(ideal) > 0.89),
            ("V.B", "HPE is slightly slower than LRU for several, as NW, SAD, MVT, HWL.", "by more than 1 %: " + names(slow),
             {"nw", "sad", "mvt"} <= set(slow))]
