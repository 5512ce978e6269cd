// SPDX-License-Identifier: Apache-2.0
// hir_twin_test.cpp: the C twin of hir_cache against maps and lists, packet by packet.
//
// State space: hits of few pages and of many, runs to one page, full sets, full counters, packets
// without records, the other bank busy for any number of transfers, drops beyond 65535, more than
// 65536 packets, cfg_transfer that changes.
// Parameter space: 1 to 128 sets, 1 to 8 ways (3 too), 1 to 64 pages, counters of 1 to 64 bits,
// cfg_transfer 0, 1, 16, 64.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "blocks/hir_cache.h"

namespace {

using Tag = std::pair<uint32_t, uint64_t>;  // address space, page set

// One interval in maps: who is in which set, how often each page was hit, who came first.
struct Naive {
    gmmu_hir_config c;
    std::map<uint64_t, std::vector<Tag>> members;  // of each set
    std::map<Tag, std::map<uint64_t, uint64_t>> hits;
    std::vector<Tag> order;
    uint64_t packets = 0, lost = 0, lost_in_all = 0, skipped = 0, faults = 0;

    // 0 counted, 1 first touch, 2 dropped
    unsigned hit(uint32_t asid, uint64_t vpn) {
        const Tag tag{asid, vpn / c.pages};
        const bool known = hits.count(tag) != 0;
        if (!known) {
            auto &m = members[(tag.second ^ asid) % c.sets];
            if (m.size() >= c.ways) {
                lost++;
                lost_in_all++;
                return 2;
            }
            m.push_back(tag);
            order.push_back(tag);
        }
        hits[tag][vpn % c.pages]++;
        return known ? 0 : 1;
    }
    bool fault(uint32_t transfer) {
        faults = transfer == 0 ? 0 : faults + 1;
        if (transfer == 0 || faults < transfer)
            return false;
        faults = 0;
        return true;
    }
    uint64_t counters(const Tag &tag) const {
        const uint64_t most = c.cnt_w == 64 ? UINT64_MAX : (uint64_t{1} << c.cnt_w) - 1;
        uint64_t word = 0;
        for (const auto &[page, n] : hits.at(tag)) word |= std::min(n, most) << page * c.cnt_w;
        return word;
    }
    void expect(const gmmu_hir_packet &p) {
        ASSERT_EQ(p.head.seq, packets % 65536);
        ASSERT_EQ(p.head.n, order.size());
        ASSERT_EQ(p.head.dropped, std::min<uint64_t>(lost, 65535));
        for (std::size_t i = 0; i < order.size(); i++) {
            ASSERT_EQ(p.record[i].asid, order[i].first) << "record " << i;
            ASSERT_EQ(p.record[i].set, order[i].second) << "record " << i;
            ASSERT_EQ(p.record[i].counters, counters(order[i])) << "record " << i;
        }
        packets++;
        lost = 0;
        members.clear();
        hits.clear();
        order.clear();
    }
};

struct Cache {
    gmmu_hir_cache h{};
    std::vector<char> memory;
    explicit Cache(const gmmu_hir_config &c) {
        gmmu_arena need{};
        EXPECT_NE(gmmu_hir_cache_init(&h, &c, &need), 0);
        memory.resize(need.used);
        gmmu_arena arena{memory.data(), memory.size(), 0};
        EXPECT_EQ(gmmu_hir_cache_init(&h, &c, &arena), 0);
    }
};

// Both through the same actions.
struct Pair {
    Cache twin;
    Naive naive;
    explicit Pair(const gmmu_hir_config &c) : twin(c), naive{c, {}, {}, {}} {}
    void hit(uint32_t asid, uint64_t vpn) {
        ASSERT_EQ(gmmu_hir_cache_hit(&twin.h, asid, vpn), naive.hit(asid, vpn));
    }
    // A fault, and the swap that it asks for.
    void fault(uint32_t transfer, bool other_free) {
        const bool due = gmmu_hir_cache_fault(&twin.h, transfer);
        ASSERT_EQ(due, naive.fault(transfer));
        if (!due)
            return;
        gmmu_hir_packet p{};
        ASSERT_EQ(gmmu_hir_cache_drain_swap(&twin.h, other_free, &p), other_free);
        if (other_free)
            naive.expect(p);
        else
            naive.skipped++;
        ASSERT_EQ(twin.h.drops, naive.lost_in_all);
        ASSERT_EQ(twin.h.skipped, naive.skipped);
    }
};

constexpr gmmu_hir_config kTiny = {
    .sets = 16, .ways = 2, .pages = 16, .cnt_w = 2, .vpn_w = 20, .asid_w = 2};
constexpr gmmu_hir_config kDefault = {
    .sets = 128, .ways = 8, .pages = 16, .cnt_w = 2, .vpn_w = 52, .asid_w = 8};

class Sizes : public testing::TestWithParam<gmmu_hir_config> {};

TEST_P(Sizes, EveryPacketIsThatOfTheMaps) {
    const gmmu_hir_config c = GetParam();
    const uint64_t most = UINT64_MAX >> (64 - c.vpn_w), asids = uint64_t{1} << c.asid_w;
    uint64_t touched = 0, dropped = 0, full = 0;
    for (const uint32_t transfer : {1u, 16u, 64u}) {
        Pair both(c);
        std::mt19937_64 rng(transfer * 1000003u + c.sets * 31u + c.ways);
        uint64_t vpn = 0;
        uint32_t asid = 0;
        for (unsigned i = 0; i < 12000; i++) {
            // phases: pages of an eighth, of all, of twice the cache, or any
            const uint64_t entries = uint64_t{c.sets} * c.ways * c.pages;
            const uint64_t pool[] = {entries / 8 + 1, entries, 2 * entries + 1, most};
            if (rng() % 4 != 0) {  // else the page of the hit before
                const uint64_t p = pool[i / 1500 % 4];
                vpn = (p == UINT64_MAX ? rng() : rng() % (p + 1)) & most;
                asid = static_cast<uint32_t>(rng() % (rng() % 2 ? asids : 1));
            }
            const uint64_t before = both.naive.order.size();
            const uint64_t lost = both.naive.lost_in_all;
            ASSERT_NO_FATAL_FAILURE(both.hit(asid, vpn));
            touched += both.naive.order.size() - before;
            dropped += both.naive.lost_in_all - lost;
            full += both.naive.order.size() == std::size_t{c.sets} * c.ways;
            if (rng() % (i / 3000 % 2 ? 40 : 3) == 0) {
                ASSERT_NO_FATAL_FAILURE(both.fault(transfer, rng() % 4 != 0)) << "hit " << i;
            }
        }
        EXPECT_GT(both.naive.packets, 5u);
        EXPECT_GT(both.naive.skipped, 0u);
    }
    EXPECT_GT(touched, 0u);
    EXPECT_GT(dropped + full, 0u);
}
INSTANTIATE_TEST_SUITE_P(
    All, Sizes,
    testing::Values(
        kTiny,
        gmmu_hir_config{.sets = 1, .ways = 1, .pages = 1, .cnt_w = 1, .vpn_w = 1, .asid_w = 1},
        gmmu_hir_config{.sets = 1, .ways = 1, .pages = 16, .cnt_w = 2, .vpn_w = 12, .asid_w = 1},
        gmmu_hir_config{.sets = 1, .ways = 8, .pages = 16, .cnt_w = 2, .vpn_w = 20, .asid_w = 2},
        gmmu_hir_config{.sets = 32, .ways = 1, .pages = 16, .cnt_w = 1, .vpn_w = 20, .asid_w = 4},
        gmmu_hir_config{.sets = 8, .ways = 3, .pages = 8, .cnt_w = 8, .vpn_w = 20, .asid_w = 2},
        gmmu_hir_config{.sets = 4, .ways = 2, .pages = 1, .cnt_w = 64, .vpn_w = 64, .asid_w = 16},
        gmmu_hir_config{.sets = 4, .ways = 4, .pages = 64, .cnt_w = 1, .vpn_w = 64, .asid_w = 16},
        gmmu_hir_config{.sets = 16, .ways = 4, .pages = 1, .cnt_w = 3, .vpn_w = 10, .asid_w = 3},
        gmmu_hir_config{.sets = 2, .ways = 2, .pages = 2, .cnt_w = 32, .vpn_w = 33, .asid_w = 1}),
    [](const testing::TestParamInfo<gmmu_hir_config> &i) {
        return std::to_string(i.param.sets) + "x" + std::to_string(i.param.ways) + "_" +
               std::to_string(i.param.pages) + "x" + std::to_string(i.param.cnt_w);
    });

TEST(HirTwin, DefaultFillsAndDrops) {
    Pair both(kDefault);
    std::mt19937_64 rng(7);
    for (unsigned i = 0; i < 60000; i++) {
        ASSERT_NO_FATAL_FAILURE(both.hit(static_cast<uint32_t>(rng() % 3), rng() % 40000));
        if (rng() % 500 == 0) {
            ASSERT_NO_FATAL_FAILURE(both.fault(16, true));
        }
    }
    EXPECT_GT(both.naive.lost_in_all, 0u);
    EXPECT_GT(both.naive.packets, 3u);
}

TEST(HirTwin, WithoutHitsTheHeaderIsAlone) {
    Pair both(kTiny);
    for (unsigned i = 0; i < 3; i++) ASSERT_NO_FATAL_FAILURE(both.fault(1, true));
    EXPECT_EQ(both.naive.packets, 3u);
}

TEST(HirTwin, ABusyOtherBankLosesNothing) {
    Pair both(kTiny);
    both.hit(0, 5);
    for (unsigned i = 0; i < 40; i++) ASSERT_NO_FATAL_FAILURE(both.fault(4, false));
    both.hit(1, 5);
    for (unsigned i = 0; i < 4; i++) ASSERT_NO_FATAL_FAILURE(both.fault(4, true));
    EXPECT_EQ(both.naive.skipped, 10u);
    EXPECT_EQ(both.naive.packets, 1u);
}

TEST(HirTwin, APacketStaysWhileTheOtherBankRecords) {
    Cache twin(kTiny);
    gmmu_hir_cache_hit(&twin.h, 1, 0x123);
    gmmu_hir_packet p{};
    ASSERT_TRUE(gmmu_hir_cache_drain_swap(&twin.h, true, &p));
    for (uint64_t vpn = 0; vpn < 4096; vpn++) gmmu_hir_cache_hit(&twin.h, 0, vpn);
    ASSERT_FALSE(gmmu_hir_cache_drain_swap(&twin.h, false, &p));
    ASSERT_EQ(p.head.n, 1u);
    EXPECT_EQ(p.record[0].asid, 1u);
    EXPECT_EQ(p.record[0].set, 0x12u);
    EXPECT_EQ(p.record[0].counters, uint64_t{1} << 6);
}

TEST(HirTwin, SequenceNumbersWrapAndDropsSaturate) {
    Pair both({.sets = 1, .ways = 1, .pages = 1, .cnt_w = 1, .vpn_w = 8, .asid_w = 1});
    for (unsigned i = 0; i < 65536 + 5; i++) ASSERT_NO_FATAL_FAILURE(both.fault(1, true));
    for (unsigned i = 0; i < 65535 + 9; i++) ASSERT_NO_FATAL_FAILURE(both.hit(0, i ? 3 : 2));
    ASSERT_NO_FATAL_FAILURE(both.fault(1, true));
    EXPECT_EQ(both.twin.h.drops, 65535u + 8);
    ASSERT_NO_FATAL_FAILURE(both.fault(1, true));  // and the next header has none
}

TEST(HirTwin, TransferZeroNeverAndARegisterLoweredAtTheNextFault) {
    Cache twin(kTiny);
    for (unsigned i = 0; i < 10; i++) EXPECT_FALSE(gmmu_hir_cache_fault(&twin.h, 16));
    EXPECT_TRUE(gmmu_hir_cache_fault(&twin.h, 4));
    for (unsigned i = 0; i < 10; i++) EXPECT_FALSE(gmmu_hir_cache_fault(&twin.h, 16));
    EXPECT_FALSE(gmmu_hir_cache_fault(&twin.h, 0));
    for (unsigned i = 0; i < 15; i++) EXPECT_FALSE(gmmu_hir_cache_fault(&twin.h, 16));
    EXPECT_TRUE(gmmu_hir_cache_fault(&twin.h, 16));
}

// Beats as a string of bits, bit 0 last, put together from decimal fields.
std::string bits(const std::vector<std::pair<uint64_t, unsigned>> &fields) {
    std::string s;
    for (const auto &[value, width] : fields)
        for (unsigned i = 0; i < width; i++) s.insert(0, 1, value >> i & 1 ? '1' : '0');
    s.insert(0, 32 * GMMU_HIR_WORDS - s.size(), '0');
    return s;
}
std::string bits(const uint32_t *words) {
    std::string s;
    for (unsigned i = 0; i < 32 * GMMU_HIR_WORDS; i++)
        s.insert(0, 1, words[i / 32] >> i % 32 & 1 ? '1' : '0');
    return s;
}

TEST(HirTwin, BeatsHaveTheirFieldsInOrder) {
    std::mt19937_64 rng(3);
    for (const gmmu_hir_config &c :
         {kTiny, kDefault,
          gmmu_hir_config{.sets = 1, .ways = 1, .pages = 1, .cnt_w = 1, .vpn_w = 1, .asid_w = 1},
          gmmu_hir_config{
              .sets = 2, .ways = 1, .pages = 1, .cnt_w = 64, .vpn_w = 64, .asid_w = 16}}) {
        const unsigned set_w = c.vpn_w - static_cast<unsigned>(__builtin_ctz(c.pages));
        const unsigned used = c.asid_w + set_w + c.pages * c.cnt_w;
        EXPECT_EQ(gmmu_hir_beat_bits(&c), std::max(48u, used));
        EXPECT_LE(gmmu_hir_beat_bits(&c), 32u * GMMU_HIR_WORDS);
        for (unsigned i = 0; i < 200; i++) {
            uint32_t words[GMMU_HIR_WORDS];
            const gmmu_hir_record r = {static_cast<uint32_t>(rng() & ((1u << c.asid_w) - 1)),
                                       rng() >> (64 - set_w), rng() >> (64 - c.pages * c.cnt_w)};
            std::fill(words, words + GMMU_HIR_WORDS, ~0u);
            gmmu_hir_pack_record(&c, &r, words);
            ASSERT_EQ(bits(words),
                      bits({{r.asid, c.asid_w}, {r.set, set_w}, {r.counters, c.pages * c.cnt_w}}));
            const gmmu_hir_record back = gmmu_hir_unpack_record(&c, words);
            ASSERT_EQ(back.asid, r.asid);
            ASSERT_EQ(back.set, r.set);
            ASSERT_EQ(back.counters, r.counters);

            const gmmu_hir_head h = {static_cast<uint32_t>(rng() & 65535),
                                     static_cast<uint32_t>(rng() & 65535),
                                     static_cast<uint32_t>(rng() & 65535)};
            std::fill(words, words + GMMU_HIR_WORDS, ~0u);
            gmmu_hir_pack_head(&h, words);
            ASSERT_EQ(bits(words), bits({{h.seq, 16}, {h.n, 16}, {h.dropped, 16}}));
            const gmmu_hir_head again = gmmu_hir_unpack_head(words);
            ASSERT_EQ(again.seq, h.seq);
            ASSERT_EQ(again.n, h.n);
            ASSERT_EQ(again.dropped, h.dropped);
        }
    }
}

TEST(HirTwin, WrongSizesAreRefusedByName) {
    struct Legal {  // but for what a row says
        unsigned sets = 1, ways = 1, pages = 16, cnt_w = 2, vpn_w = 20, asid_w = 2;
    };
    const std::vector<std::pair<Legal, std::string>> wrong = {
        {{.sets = 0}, "HIR_SETS"},     {{.sets = 3}, "HIR_SETS"},
        {{.ways = 0}, "HIR_WAYS"},     {{.ways = 65536}, "HIR_WAYS"},
        {{.sets = 65536}, "HIR_WAYS"}, {{.pages = 0}, "HIR_PAGES"},
        {{.pages = 12}, "HIR_PAGES"},  {{.cnt_w = 0}, "HIR_CNT_W"},
        {{.cnt_w = 5}, "HIR_CNT_W"},   {{.pages = 128, .cnt_w = 1}, "HIR_CNT_W"},
        {{.vpn_w = 4}, "VPN_W"},       {{.vpn_w = 65}, "VPN_W"},
        {{.asid_w = 0}, "ASID_W"},     {{.asid_w = 33}, "ASID_W"}};
    for (const auto &[sizes, name] : wrong) {
        const gmmu_hir_config c = {.sets = sizes.sets,
                                   .ways = sizes.ways,
                                   .pages = sizes.pages,
                                   .cnt_w = sizes.cnt_w,
                                   .vpn_w = sizes.vpn_w,
                                   .asid_w = sizes.asid_w};
        const char *error = gmmu_hir_config_error(&c);
        ASSERT_NE(error, nullptr) << name;
        EXPECT_EQ(std::string(error).substr(0, name.size() + 1), name + ":");
        gmmu_hir_cache h;
        gmmu_arena none{};
        EXPECT_NE(gmmu_hir_cache_init(&h, &c, &none), 0);
        EXPECT_EQ(none.used, 0u);
    }
    const gmmu_hir_config widest = {
        .sets = 1, .ways = 65535, .pages = 1, .cnt_w = 1, .vpn_w = 1, .asid_w = 1};
    EXPECT_EQ(gmmu_hir_config_error(&widest), nullptr);
}

TEST(HirTwin, ABytesShortIsTold) {
    gmmu_hir_cache h;
    gmmu_arena need{};
    ASSERT_NE(gmmu_hir_cache_init(&h, &kTiny, &need), 0);
    std::vector<char> memory(need.used);
    gmmu_arena enough{memory.data(), memory.size(), 0}, less{memory.data(), memory.size() - 1, 0};
    EXPECT_NE(gmmu_hir_cache_init(&h, &kTiny, &less), 0);
    EXPECT_EQ(gmmu_hir_cache_init(&h, &kTiny, &enough), 0);
}

}  // namespace
