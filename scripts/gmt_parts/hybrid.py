# SPDX-License-Identifier: Apache-2.0
"""GMT §2.3 and Fig. 6: moving pages between GPU and host memory by DMA, by a warp's loads (zero-copy), or by either (Hybrid-XT).

A cost model: the DMA engine takes one page after the other and a call each; zero-copy pins its pages first, whatever their number, and then
moves them at PCIe's rate times the part of the warp's 32 threads that take part. What pinning costs is what makes a full warp as fast as the DMA
engine at the cross-over that the paper states.
"""
import itertools
import random

import page

WARP = 32
PAGES, WARPS = 65536, 3000  # of the microbenchmark; a tenth of the pages, the most frequent, are in GPU memory
LEAST = (8, 16, 32)         # X
SCHEMES = ["DMA", "zero-copy"] + ["Hybrid-%dT" % x for x in LEAST]


def dma(t, n):
    """Microseconds for N pages."""
    return n * (t.dma_call_us + one(t))


def one(t):
    return t.page_kib * 1.024 / t.pcie_gbs


def zero_copy(t, n, threads):
    return t.crossover_pages * t.dma_call_us + n * one(t) * WARP / threads


def by(t, scheme, n, threads):
    if scheme == "DMA" or (scheme != "zero-copy" and (n < t.crossover_pages or threads < LEAST[SCHEMES.index(scheme) - 2])):
        return dma(t, n)
    return zero_copy(t, n, threads)


def gbs(t, n, us):
    return n * t.page_kib * 1.024e-3 / us * 1e3 if us else 0


def non_contiguous(t):
    rows = []
    for n in (1, 2, 4, 8, 16, 32, 64):
        rows.append(["%d" % n, "%.2f" % gbs(t, n, dma(t, n))] + ["%.2f" % gbs(t, n, zero_copy(t, n, k)) for k in (WARP, WARP // 2, WARP // 4)])
    return page.markdown(["pages at once, GB/s", "DMA", "zero-copy, 32 threads", "16", "8"], rows)


def misses(skew, rng):
    """Of warps whose threads draw pages from a Zipf distribution: (threads that miss, different pages that they want)."""
    weights = list(itertools.accumulate((i + 1) ** -skew for i in range(PAGES)))
    for _ in range(WARPS):
        drawn = [p for p in rng.choices(range(PAGES), cum_weights=weights, k=WARP) if p >= PAGES // 10]
        if drawn:
            yield len(drawn), len(set(drawn))


def zipf(t):
    """Table; and whether Hybrid-32T is within 5 % of the best at each skew, with its worst."""
    rng = random.Random(6)
    rows, worst = [], (2, 0)
    for skew in (1.0, 0.8, 0.6, 0.4, 0.2, 0.0):
        seen = list(misses(skew, rng))
        moved = sum(n for _, n in seen)
        rate = [gbs(t, moved, sum(by(t, s, n, threads) for threads, n in seen)) for s in SCHEMES]
        worst = min(worst, (rate[-1] / max(rate), skew))
        rows.append(["%.1f" % skew, "%.1f" % (moved / len(seen))] + ["%.2f" % r for r in rate])
    return page.markdown(["skew", "pages of a warp at once"] + ["%s, GB/s" % s for s in SCHEMES], rows), worst[0] >= 0.95, worst
