// SPDX-License-Identifier: Apache-2.0
// rows.h: rows of counts.
#ifndef GMMU_TB_PPUC_ROWS_H
#define GMMU_TB_PPUC_ROWS_H

#include <algorithm>
#include <cstdint>
#include <vector>

#include "bench.h"

__extension__ typedef unsigned __int128 Wide;

enum { LOOKUP_CYCLES = 6, COLD_KIND = 11, SNAP_KINDS = 14, LAST_FULL, LAST_SOME, COLD_TWO };
// of the engine, a bin at most
enum { POP_CYCLES = 3, NORM_CYCLES = 63, DIVIDE_CYCLES = 24, OTHER_CYCLES = 20 };

// A row of counts, full at MAX.
inline std::vector<uint16_t> some_counts(bench::Random &rng, unsigned kind, unsigned bins,
                                         unsigned max) {
    std::vector<uint16_t> n(bins, 0);
    const auto at = [&] { return rng.below(bins); };
    const auto some = [&] { return static_cast<uint16_t>(1 + rng.below(max)); };
    const unsigned few = rng.chance(200) ? 8 : 1 + static_cast<unsigned>(rng.below(8));
    switch (kind) {
        case 0:
            break;
        case 1:
            n[at()] = some();
            break;
        case 2:
            n[rng.below(2) ? bins - 1 : 0] = some();
            break;
        case 3:
            for (unsigned i = 0; i < 4; i++) n[at()] = some();
            break;
        case 4:
            for (uint16_t &c : n) c = static_cast<uint16_t>(rng.below(max + 1));
            break;
        case 5:
            for (uint16_t &c : n) c = static_cast<uint16_t>(max);
            break;
        case 6:  // equal slopes: mass as the width of the bin
            for (unsigned b = 0; b < bins; b++)
                n[b] = static_cast<uint16_t>(std::min<uint64_t>(
                    max, few * (gmmu_bin_edge(b) - (b > 0 ? gmmu_bin_edge(b - 1) : 0))));
            for (uint64_t i = rng.below(2) * rng.below(bins); i > 0; i--) {  // or nearly
                uint16_t &one = n[at()];
                one = static_cast<uint16_t>(one == 0 ? 1 : one - 1);
            }
            break;
        case 7:  // falling
            for (unsigned b = 0; b < bins; b++)
                n[b] = static_cast<uint16_t>(max >> std::min(b / few, 16u));
            break;
        case 8:  // rising
            for (unsigned b = 0; b < bins; b++)
                n[b] = static_cast<uint16_t>(max >> std::min((bins - 1 - b) / few, 16u));
            break;
        case 10:  // small counts
            for (uint16_t &c : n) c = static_cast<uint16_t>(rng.below(3));
            break;
        case LAST_FULL:  // nothing but the last bins
            for (unsigned b = bins - std::min(few, bins); b < bins; b++)
                n[b] = static_cast<uint16_t>(max);
            break;
        case LAST_SOME:
            for (unsigned b = bins - std::min(few, bins); b < bins; b++) n[b] = some();
            break;
        case COLD_TWO: {  // cold, seven in two bins
            const uint64_t one = at(), two = rng.below(2) ? at() : bins - 1 - rng.below(4);
            for (unsigned i = 0; i < 7; i++) n[i < few ? one : two]++;
            break;
        }
        case 9:  // two clusters
            for (unsigned b = 0; b < bins; b++)
                if (b % (bins / 2) < few)
                    n[b] = some();
            break;
        default: {  // cold, all in one bin or spread
            const uint64_t one = at();
            const bool spread = rng.below(2);
            for (unsigned i = 0; i < few; i++) {
                uint16_t &c = n[spread ? at() : one];
                c = static_cast<uint16_t>(std::min<unsigned>(c + 1u, max));
            }
        }
    }
    return n;
}

// TOTAL observations, in one bin if they fit there, or anywhere.
inline std::vector<uint16_t> counts_of(bench::Random &rng, uint64_t total, unsigned bins,
                                       unsigned max) {
    std::vector<uint16_t> n(bins, 0);
    if (total <= max && rng.below(2)) {
        n[rng.below(bins)] = static_cast<uint16_t>(total);
        return n;
    }
    while (total > 0) {
        uint16_t &c = n[rng.below(bins)];
        const uint64_t more = std::min<uint64_t>(1 + rng.below(total), max - c);
        c = static_cast<uint16_t>(c + more);
        total -= more;
    }
    return n;
}

struct Row {
    std::vector<uint16_t> reuse, censored;
    gmmu_rit_row view() { return {reuse.data(), censored.data(), false, false, false, false}; }
    uint64_t observations() const {
        uint64_t n = 0;
        for (std::size_t b = 0; b < reuse.size(); b++) n += reuse[b] + censored[b];
        return n;
    }
};

inline Row some_row(bench::Random &rng) {
    const gmmu_config &c = bench::config();
    const unsigned max = static_cast<unsigned>(bench::mask(c.cnt_w));
    const unsigned kind = static_cast<unsigned>(rng.below(SNAP_KINDS));
    const unsigned lost = rng.below(2) ? 0 : static_cast<unsigned>(rng.below(SNAP_KINDS));
    Row r = {some_counts(rng, kind, c.bins, max), some_counts(rng, lost, c.bins, max)};
    if (rng.chance(40)) {  // a power of two and at most seven more: a row is cold by the bits above
                           // the lowest three
        std::fill(r.reuse.begin(), r.reuse.end(), static_cast<uint16_t>(0));
        std::fill(r.censored.begin(), r.censored.end(), static_cast<uint16_t>(0));
        uint64_t left =
            (1ull << (3 + rng.below(c.cnt_w + gmmu_index_bits(c.bins) - 4))) + rng.below(8);
        left = std::min<uint64_t>(left, c.bins * uint64_t{max} / 2);
        while (left > 0) {
            uint16_t &n = r.reuse[rng.below(c.bins)];
            const uint64_t more = std::min<uint64_t>({left, 1 + rng.below(max), uint64_t{max} - n});
            n = static_cast<uint16_t>(n + more);
            left -= more;
        }
        return r;
    }
    if (kind >= COLD_KIND && rng.chance(700)) {  // keep it cold: 1 to 9 observations in all
        std::fill(r.censored.begin(), r.censored.end(), static_cast<uint16_t>(0));
        if (rng.chance(300))
            r.censored[rng.below(c.bins)] = 1;
    }
    return r;
}

#endif
