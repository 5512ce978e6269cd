// SPDX-License-Identifier: Apache-2.0
// pages.h: sizes, pages and the twin of the bench.
#ifndef GMMU_TB_TRACE_SAMPLER_PAGES_H
#define GMMU_TB_TRACE_SAMPLER_PAGES_H

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "blocks/crc32c.h"
#include "blocks/gmmu_tier.h"
#include "blocks/trace_sampler.h"
#include "sizes.h"

inline const gmmu_config &config() {
    return config_of_build();
}
inline bool is_tiny() {
    return std::string(GMMU_CONFIG_NAME) == "tiny";
}
inline unsigned entries_of_config() {
    return config().sampler;
}
inline unsigned ways_of_config() {
    return config().sways;
}
inline unsigned row_bits() {
    return gmmu_index_bits(config().classes);
}

inline uint32_t seed_of_run() {
    const char *s = std::getenv("GMMU_SEED");
    return s ? static_cast<uint32_t>(std::strtoul(s, nullptr, 0)) : 1;
}
// Actions that LockStep has to reach (scripts/block_sim.py wants many); 0: its own.
[[maybe_unused]] uint64_t actions_of_run() {
    const char *s = std::getenv("GMMU_ACTIONS");
    return s ? std::strtoull(s, nullptr, 0) : 0;
}
inline uint64_t mask(unsigned bits) {
    return bits >= 64 ? ~0ull : (1ull << bits) - 1;
}

struct Page {
    uint32_t asid;
    uint64_t vpn;
    bool operator<(const Page &o) const { return asid != o.asid ? asid < o.asid : vpn < o.vpn; }
};
inline uint32_t hash_of(const Page &p) {
    return gmmu_hash(p.asid, config().asid_w, p.vpn, config().vpn_w);
}

// The twin with memory of its own.
struct Twin {
    std::vector<char> memory;
    gmmu_arena arena = {};
    gmmu_trace_sampler ts = {};
    explicit Twin(unsigned entries, unsigned ways, unsigned sample)
        : memory(entries * sizeof(gmmu_sampler_entry) + 64) {
        arena = {memory.data(), memory.size(), 0};
        if (gmmu_trace_sampler_init(&ts, &config(), entries, ways, sample, &arena) != 0)
            std::abort();
    }
};

// Pages whose rank is at one of the thresholds that occur, or just below it.
inline const std::vector<Page> &edge_pages() {
    static std::vector<Page> pages;
    std::vector<bool> wanted(65536), found(65536);
    std::size_t left = 0;
    if (!pages.empty())
        return pages;
    for (uint32_t first : {65536u, 32768u, 8192u, 256u})
        for (uint32_t t = first, i = 0; i < 8; i++, t -= std::max(1u, t / 8))
            for (uint32_t v : {t - 1, t})
                if (v < 65536 && !wanted[v]) {
                    wanted[v] = true;
                    left++;
                }
    std::mt19937_64 rng(1);
    while (left > 0) {
        const Page p = {static_cast<uint32_t>(rng() & mask(config().asid_w)),
                        rng() & mask(config().vpn_w)};
        const uint32_t rank = hash_of(p) >> 16;
        if (!wanted[rank] || found[rank])
            continue;
        found[rank] = true;
        left--;
        pages.push_back(p);
    }
    return pages;
}

// P with the low 32 bits of its page number such that its hash is HASH: the CRC register backwards.
inline Page with_hash(Page p, uint32_t hash) {
    const unsigned vpn_w = config().vpn_w, asid_w = config().asid_w;
    uint32_t crc = ~hash;
    p.vpn &= ~mask(32);
    for (unsigned i = vpn_w + asid_w; i-- > 0;) {
        const uint32_t bit =
            (i >= vpn_w ? p.asid >> (i - vpn_w) : static_cast<uint32_t>(p.vpn >> i)) & 1;
        const uint32_t mix = crc >> 31;
        crc = (crc ^ (mix ? 0x82F63B78u : 0u)) << 1 | (mix ^ bit);
    }
    p.vpn |= ~crc;
    if (hash_of(p) != hash)
        std::abort();
    return p;
}

// A page of this rank in this set. At `tiny` one of those that there are, else by its hash.
inline Page page_with(uint32_t rank, unsigned set, std::mt19937_64 &rng) {
    const unsigned vpn_w = config().vpn_w, asid_w = config().asid_w, key_w = vpn_w + asid_w;
    const unsigned sets = entries_of_config() / ways_of_config();
    if (vpn_w >= 32) {
        const uint32_t low = set + sets * static_cast<uint32_t>(rng() % (65536 / sets));
        return with_hash({static_cast<uint32_t>(rng() & mask(asid_w)), rng() & mask(vpn_w)},
                         rank << 16 | low);
    }
    if (key_w > 24)
        std::abort();
    const auto page_of = [=](uint64_t key) {
        return Page{static_cast<uint32_t>(key >> vpn_w), key & mask(vpn_w)};
    };
    // a list for each rank, linked by key + 1
    static std::vector<uint32_t> first, next;
    if (first.empty()) {
        first.resize(65536);
        next.resize(mask(key_w) + 1);
        for (uint32_t key = 0; key <= mask(key_w); key++) {
            uint32_t &head = first[hash_of(page_of(key)) >> 16];
            next[key] = head;
            head = key + 1;
        }
    }
    std::vector<Page> found;
    for (uint32_t at = first[rank]; at != 0; at = next[at - 1]) {
        const Page p = page_of(at - 1);
        if ((hash_of(p) & 0xFFFF) % sets == set)
            found.push_back(p);
    }
    if (found.empty())
        std::abort();
    return found[rng() % found.size()];
}

// Pages of the ranks 0 and 1, two and a half for each entry: for the lowest thresholds.
inline const std::vector<Page> &low_pages() {
    static std::vector<Page> pages;
    const unsigned vpn_w = config().vpn_w, asid_w = config().asid_w;
    std::mt19937_64 rng(2);
    if (!pages.empty())
        return pages;
    if (vpn_w < 32 && vpn_w + asid_w > 24) {  // by chance
        while (pages.size() < 5 * entries_of_config() / 2) {
            const Page p = {static_cast<uint32_t>(rng() & mask(asid_w)), rng() & mask(vpn_w)};
            if (hash_of(p) >> 17 == 0)
                pages.push_back(p);
        }
        return pages;
    }
    if (vpn_w < 32) {  // all there are
        for (uint64_t key = 0; key <= mask(vpn_w + asid_w); key++) {
            const Page p = {static_cast<uint32_t>(key >> vpn_w), key & mask(vpn_w)};
            if (hash_of(p) >> 17 == 0)
                pages.push_back(p);
        }
        return pages;
    }
    while (pages.size() < 5 * entries_of_config() / 2) {
        const Page p = {static_cast<uint32_t>(rng() & mask(asid_w)), rng() & mask(vpn_w)};
        pages.push_back(with_hash(p, static_cast<uint32_t>(rng() & 0x1FFFF)));
    }
    return pages;
}

#endif
