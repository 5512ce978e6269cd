# SPDX-License-Identifier: Apache-2.0
"""Statements of HPE's text that are in words or pictures, beside the 29 of statements.py. Bounds are a choice of the page."""
import json
import os

from hpe_parts.figures import mean, names, pair
from hpe_parts.paper import APPS, CLOCKPRO, HAND, PAPER, SIZES, hand

REGULAR = [t for _, t, _, _, _, stated in PAPER if stated == "R"]
RIVALS = (("Random", "random"), ("RRIP", "rrip"), ("CLOCK-Pro", CLOCKPRO))
L1_KB = 15 * 16
CONFIG = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))), "config/gmmu.json")


def statements(d):
    """Section, statement, what came out, does it hold. D.FREE, if there is one, has the runs by hand."""
    free = d.free or d
    return ideal(d) + counters(d) + by_hand(free) + rivals(d) + host(d)


def some(values):
    return ", ".join("%s %.2f" % v for v in values)


def ideal(d):
    def over(policy, traces):
        return [("`%s`" % t, d.evictions(t, policy, "75%") / d.evictions(t, "opt", "75%")) for t in traces]
    alike = [t for t in APPS if d.kind[t] in ("I", "VI") and t != "gemm"]
    lru, gemm = over("lru", alike), over("lru", ["gemm"])
    far = [x for x in lru if x[1] > 1.1]
    poor = over("lru", ("bfs", "histo", "spmv")) + over("rrip", ("bfs", "histo", "spmv"))
    vi = over("rrip", [t for t in APPS if d.kind[t] == "VI"])
    two = [("`%s`" % t, d.over(t, "rrip", "75%")) for t in ("mri-q", "stencil")]
    return [("III.B", "Fig. 3: LRU does well for types I, but GEM, and VI.",
             "over Ideal at 75 %%: above 1.10: %s; GEM %.2f" % (some(far) or "none", gemm[0][1]), not far and gemm[0][1] > 1.1),
            ("III.B", "Fig. 3: RRIP does poorly for type VI.", "over Ideal: " + some(vi), all(v > 1.1 for _, v in vi)),
            ("III.B", "Fig. 3: RRIP evicts less than LRU for MRQ and STN.", "over LRU: " + some(two), all(v < 1 for _, v in two)),
            ("III.B", "Fig. 3: LRU and RRIP do poorly for BFS, HIS, SPV.", "over Ideal: LRU %s; RRIP %s" % (some(poor[:3]), some(poor[3:])),
             all(v > 1.1 for _, v in poor))]


def shares(d, trace, size):
    """Of the sets at the first full memory: small and regular, large and regular, irregular."""
    r = d.at(trace, "hpe", size)
    total = r["hpe_regular"] + r["hpe_irregular"]
    return r["hpe_small"] / total, r["hpe_large"] / total, r["hpe_irregular"] / total


def counters(d):
    def average(values):
        values = list(values)
        return 100 * sum(values) / len(values) if values else 0.0
    early = [t for t in APPS if d.kind[t] in ("I", "II", "III") and t not in ("kmeans", "sad")]
    late = [t for t in APPS if d.kind[t] in ("IV", "V", "VI") and t != "sgemm"]
    small = pair(lambda s: average(shares(d, t, s)[0] for t in early))
    large = [shares(d, t, "75%")[1] for t in late if shares(d, t, "75%")[1] >= shares(d, t, "75%")[2]]
    odd = [shares(d, t, "75%")[2] for t in late if shares(d, t, "75%")[1] < shares(d, t, "75%")[2]]
    return [("IV.D", "Types I to III but KMN and SAD: 95 % of the page sets have a small and regular counter.", "%.0f %%, %.0f %%" % small,
             min(small) >= 90),
            ("IV.D", "Types IV to VI but SGM: most page sets are large and regular (91.4 %), or irregular (79.9 %).",
             "75 %%: large in %d, %.0f %% on average; irregular in %d, %.0f %%" % (len(large), average(large), len(odd), average(odd)),
             all(v > 0.5 for v in large + odd))]


def by_hand(d):
    """Without HIR and adjustment, as in §V.A."""
    def mru_over_lru(t):
        return pair(lambda s: d.evictions(t, hand("set", 16, 1), s) / d.evictions(t, hand("set", 16, 2), s))
    regular = pair(lambda s: mean(d.evictions(t, hand("set", 16, 1), s) / d.evictions(t, hand("set", 16, 2), s) for t in REGULAR))
    named = {t: mru_over_lru(t) for t in ("kmeans", "sad", "sgemm")}

    def ratio1(t, n, s):
        r = d.at(t, hand("set", n, 1), s)
        return r["hpe_irregular"] / r["hpe_regular"] if r["hpe_regular"] else float("inf")
    higher = [t for t in REGULAR if any(ratio1(t, 32, s) > ratio1(t, 16, s) + 0.05 for s in SIZES)]
    lengths = [v for a, v in HAND if a == "interval"]
    took = {t: [d.evictions(t, d.by_hand(t, "interval", v, "75%"), "75%") for v in lengths] for t in ("srad_v2", "stencil")}
    longer = [pair(lambda s, v=v: mean(d.evictions(t, d.by_hand(t, "interval", v, s), s) / d.evictions(t, d.by_hand(t, "interval", 32, s), s)
                                       for t in APPS)) for v in (64, 128)]
    srd, stn = took["srad_v2"], took["stencil"]
    return [("IV.D", "For regular applications the MRU end is better on average than the LRU end.", "evictions, MRU-C over LRU: %.2f, %.2f" % regular,
             max(regular) < 1),
            ("V.A", "A page set of 32 raises ratio1 of some regular applications.", "by more than 0.05: " + names(higher), bool(higher)),
            ("V.A", "An interval of 128 is best for SRD and worst for STN.",
             "75 %%, evictions at 32, 64, 128: SRD %d, %d, %d; STN %d, %d, %d" % tuple(srd + stn), srd[2] < min(srd[:2]) and stn[2] > max(stn[:2])),
            ("V.A", "Intervals of 64 and 128 are slightly better than 32 on average.",
             "evictions over those at 32: %.2f, %.2f; %.2f, %.2f" % (longer[0] + longer[1]), all(v < 1 for x in longer for v in x)),
            ("V.A", "LRU is better than MRU-C for KMN, and like MRU-C for SAD and SGM.",
             "evictions, MRU-C over LRU: KMN %.2f, %.2f; SAD %.2f, %.2f; SGM %.2f, %.2f" % (named["kmeans"] + named["sad"] + named["sgemm"]),
             min(named["kmeans"]) > 1 and all(abs(v - 1) <= 0.1 for t in ("sad", "sgemm") for v in named[t]))]


def rivals(d):
    def average(policy, kinds, base, s):
        return mean(d.over(t, policy, s, base) for t in APPS if d.kind[t] in kinds)
    every = ("I", "II", "III", "IV", "V", "VI")
    most = {n: (average("hpe", ("II", "VI"), p, "75%"), average("hpe", every, p, "75%")) for n, p in RIVALS}
    kinds = {k: pair(lambda s, k=k: average("random", (k,), "lru", s)) for k in every}
    return [("V.B", "HPE gains over Random, RRIP, CLOCK-Pro most for types II and VI.",
             "75 %, II and VI, all: " + "; ".join("%s %.2f, %.2f" % ((n,) + v) for n, v in most.items()), all(a < b for a, b in most.values())),
            ("V.B", "Random is competitive with LRU for all types but IV and VI.",
             "over LRU: " + "; ".join("%s %.2f, %.2f" % ((k,) + v) for k, v in kinds.items()),
             all((min(v) > 1) if k in ("IV", "VI") else (max(v) <= 1.1) for k, v in kinds.items()))]


def host(d):
    chain = d.at("mvt", "hpe", "75%")
    chain = chain["hpe_length_sum"] / max(1, chain["hpe_intervals"])
    part = {(t, s): d.strategies(t, s)[1] for t in ("bfs", "histo") for s in SIZES}
    with open(CONFIG, encoding="utf-8") as f:
        hir = json.load(f)["configurations"]["default"]
    bits = hir["VPN_W"] - (hir["HIR_PAGES"] - 1).bit_length() + hir["HIR_PAGES"] * hir["HIR_CNT_W"]
    entries = hir["HIR_SETS"] * hir["HIR_WAYS"]
    kb = entries * bits / 8 / 1024
    return [("V.C", "MVT's chain has 180 page sets on average.", "75 %%: %.0f" % chain, abs(chain / 180 - 1) <= 0.1),
            ("V.C", "BFS is under MRU-C for most of the run at 75 %; HIS at 75 %, under LRU at 50 % (parts under MRU-C).",
             "%.0f %%; %.0f %%, %.0f %% of the evictions" % tuple(100 * part[k] for k in (("bfs", "75%"), ("histo", "75%"), ("histo", "50%"))),
             min(part["bfs", "75%"], part["histo", "75%"]) > 0.5 > part["histo", "50%"]),
            ("V.C", "HIR has 10 KB, 4.2 % of the L1 data caches (240 KB).",
             "%d entries of %d bits, without address spaces: %g KB, %.1f %%" % (entries, bits, kb, 100 * kb / L1_KB), kb == 10)]
