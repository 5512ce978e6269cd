// SPDX-License-Identifier: Apache-2.0
// front_test.cpp: tests of the data caches in front of the TLBs and of shootdowns, against caches
// and TLBs written in the plainest way.
#include "simt/front.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <list>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "policy/policy.h"
#include "policy/registry.h"
#include "policy/shootdown.h"
#include "simt/record.h"
#include "simt/tlb.h"
#include "simt_bench.h"

namespace {

using namespace simt_bench;

// An LRU cache with MOD indexing: lists of blocks, most recent first.
class NaiveCache {
   public:
    NaiveCache(uint64_t size, unsigned ways, unsigned block)
        : sets_(size / ways / block), ways_(ways) {}
    // Write-evict when WRITE_EVICTS: a write never stays.
    bool access(uint64_t block, bool write, bool write_evicts) {
        std::list<uint64_t> &set = rows_[block % sets_];
        auto it = std::find(set.begin(), set.end(), block);
        bool hit = it != set.end();
        if (hit)
            set.erase(it);
        if (write && write_evicts)
            return false;
        if (!hit && set.size() == ways_)
            set.pop_back();
        set.push_front(block);
        return hit;
    }
    void remove_page(uint64_t page, uint64_t blocks) {
        for (auto &row : rows_)
            row.second.remove_if([&](uint64_t b) { return b / blocks == page; });
    }

   private:
    uint64_t sets_;
    unsigned ways_;
    std::map<uint64_t, std::list<uint64_t>> rows_;
};

struct Shape {
    uint64_t l1_size;
    unsigned l1_ways, l1_block;
    uint64_t l2_size;
    unsigned l2_ways, l2_block;
    gmmu_rdgc_bypass bypass;
    gmmu_front_level up_to;
};

gmmu_rdgc_config config_of(const Shape &s) {
    gmmu_rdgc_config c = gmmu_rdgc_defaults();
    c.l1.capacity = s.l1_size;
    c.l1.ways = s.l1_ways;
    c.l1.block = s.l1_block;
    c.l1.bypass = s.bypass;
    c.l1.index = GMMU_RDGC_MOD;
    c.l2.capacity = s.l2_size;
    c.l2.ways = s.l2_ways;
    c.l2.block = s.l2_block;
    c.l2.index = GMMU_RDGC_MOD;
    c.l2.partitions = c.l2.banks = c.l2.mshr_sets = 1;
    return c;
}

// What the caches let through, by what front.h says.
class NaiveFront {
   public:
    NaiveFront(const Shape &s, unsigned sms, unsigned page_shift)
        : s_(s),
          page_shift_(page_shift),
          l1_(sms, NaiveCache(s.l1_size, s.l1_ways, s.l1_block)),
          l2_(s.l2_size, s.l2_ways, s.l2_block) {}
    std::vector<uint64_t> access(unsigned sm, const std::vector<uint64_t> &addresses, bool write) {
        bool passes = s_.bypass == GMMU_RDGC_RWON;
        uint64_t size = passes ? s_.l2_block : s_.l1_block;
        std::vector<uint64_t> blocks, pages;
        for (uint64_t a : addresses)
            if (std::find(blocks.begin(), blocks.end(), a / size) == blocks.end())
                blocks.push_back(a / size);
        for (uint64_t b : blocks) {
            bool evicts = s_.bypass == GMMU_RDGC_WON;
            if (!passes && l1_[sm].access(b, write, evicts))
                continue;
            std::vector<uint64_t> wanted;
            if (passes || s_.l2_block >= s_.l1_block) {
                wanted.push_back(b * size / s_.l2_block);
            } else if (write && evicts) {
                std::set<uint64_t> touched;
                for (uint64_t a : addresses)
                    if (a / size == b)
                        touched.insert(a / s_.l2_block);
                wanted.assign(touched.begin(), touched.end());
            } else {
                for (uint64_t k = 0; k < s_.l1_block / s_.l2_block; k++)
                    wanted.push_back(b * size / s_.l2_block + k);
            }
            bool missed = s_.up_to == GMMU_FRONT_L1;
            if (s_.up_to == GMMU_FRONT_L2)
                for (uint64_t w : wanted)
                    if (!l2_.access(w, write, false))
                        missed = true;
            uint64_t page = b * size >> page_shift_;
            if (missed && std::find(pages.begin(), pages.end(), page) == pages.end())
                pages.push_back(page);
        }
        return pages;
    }
    void remove_page(uint64_t page) {
        for (NaiveCache &c : l1_) c.remove_page(page, (UINT64_C(1) << page_shift_) / s_.l1_block);
        l2_.remove_page(page, (UINT64_C(1) << page_shift_) / s_.l2_block);
    }

   private:
    Shape s_;
    unsigned page_shift_;
    std::vector<NaiveCache> l1_;
    NaiveCache l2_;
};

constexpr Shape kShapes[] = {
    // clang-format off
    {.l1_size = 1024, .l1_ways = 4, .l1_block = 128, .l2_size = 8192, .l2_ways = 8, .l2_block = 32, .bypass = GMMU_RDGC_WON, .up_to = GMMU_FRONT_L2},
    {.l1_size = 1024, .l1_ways = 4, .l1_block = 128, .l2_size = 8192, .l2_ways = 8, .l2_block = 32, .bypass = GMMU_RDGC_WON, .up_to = GMMU_FRONT_L1},
    {.l1_size = 2048, .l1_ways = 64, .l1_block = 32, .l2_size = 4096, .l2_ways = 2, .l2_block = 128, .bypass = GMMU_RDGC_WON, .up_to = GMMU_FRONT_L2},
    {.l1_size = 512, .l1_ways = 1, .l1_block = 64, .l2_size = 4096, .l2_ways = 4, .l2_block = 64, .bypass = GMMU_RDGC_OFF, .up_to = GMMU_FRONT_L2},
    // 32 sectors
    {.l1_size = 1024, .l1_ways = 2, .l1_block = 128, .l2_size = 8192, .l2_ways = 8, .l2_block = 4, .bypass = GMMU_RDGC_OFF, .up_to = GMMU_FRONT_L2},
    {.l1_size = 1024, .l1_ways = 2, .l1_block = 128, .l2_size = 8192, .l2_ways = 8, .l2_block = 32, .bypass = GMMU_RDGC_RWON, .up_to = GMMU_FRONT_L2},
    {.l1_size = 1024, .l1_ways = 2, .l1_block = 128, .l2_size = 8192, .l2_ways = 8, .l2_block = 32, .bypass = GMMU_RDGC_RWON, .up_to = GMMU_FRONT_L1},
    {.l1_size = 512, .l1_ways = 4, .l1_block = 128, .l2_size = 512, .l2_ways = 4, .l2_block = 128, .bypass = GMMU_RDGC_WON, .up_to = GMMU_FRONT_L2},
    // clang-format on
};

TEST(Front, LetsThroughWhatPlainCachesDo) {
    uint64_t random = 11;
    unsigned long checked = 0, pages = 0, pages_without = 0;
    for (const Shape &shape : kShapes) {
        for (unsigned page_shift : {9u, 12u}) {
            constexpr unsigned sms = 3;
            gmmu_rdgc_config c = config_of(shape);
            gmmu_error err = {};
            gmmu_front *f = gmmu_front_create(&c, sms, shape.up_to, page_shift, &err);
            ASSERT_NE(f, nullptr) << err.text;
            NaiveFront naive(shape, sms, page_shift);
            for (int i = 0; i < 4000; i++) {
                uint64_t r = gmmu_simt_random(&random);
                auto sm = static_cast<unsigned>(r % sms);
                bool write = r >> 8 & 1 && r >> 9 & 1;
                uint32_t mask = r >> 10 & 1 ? UINT32_MAX : static_cast<uint32_t>(r >> 32) | 1;
                // a stride from anywhere in 16 KiB, or addresses all over
                uint64_t base = (r >> 12) % 16384 & ~UINT64_C(3), stride = (r >> 30) % 5 * 4;
                uint64_t addr[GMMU_WARP] = {}, vpn[GMMU_WARP];
                std::vector<uint64_t> active;
                for (unsigned lane = 0; lane < GMMU_WARP; lane++) {
                    addr[lane] = r >> 11 & 1 ? base + lane * stride
                                             : gmmu_simt_random(&random) % 16384 & ~UINT64_C(3);
                    if (mask >> lane & 1)
                        active.push_back(addr[lane]);
                }
                unsigned n = gmmu_front_access(f, sm, addr, mask, write, false, vpn);
                std::vector<uint64_t> expected = naive.access(sm, active, write);
                ASSERT_EQ(std::vector<uint64_t>(vpn, vpn + n), expected) << i;
                checked++;
                pages += n;
                pages_without += gmmu_simt_coalesce(addr, mask, page_shift, vpn);
                if (i % 50 == 0) {
                    uint64_t page = (r >> 20) % (16384 >> page_shift);
                    gmmu_front_remove(f, page);
                    naive.remove_page(page);
                }
            }
            gmmu_front_destroy(f);
        }
    }
    EXPECT_GT(pages, 0u);
    EXPECT_LT(pages, pages_without);
    std::printf("%lu instructions, %lu pages of %lu\n", checked, pages, pages_without);
}

TEST(Front, BadShapesAreNamed) {
    gmmu_error err = {};
    gmmu_rdgc_config c = gmmu_rdgc_defaults();
    c.l1.block = 1024;
    EXPECT_EQ(gmmu_front_create(&c, 2, GMMU_FRONT_L2, 9, &err), nullptr);
    EXPECT_STREQ(err.text, "l1.block: found 1024, expected no more than a page of 512 bytes");
    c = gmmu_rdgc_defaults();
    c.l2.block = 1024;
    EXPECT_EQ(gmmu_front_create(&c, 2, GMMU_FRONT_L2, 9, &err), nullptr);
    EXPECT_STREQ(err.text, "l2.block: found 1024, expected no more than a page of 512 bytes");
    c.l2.ways = 0;
    EXPECT_EQ(gmmu_front_create(&c, 2, GMMU_FRONT_L2, 12, &err), nullptr);
    EXPECT_NE(std::string(err.text).find("l2.ways: found 0"), std::string::npos) << err.text;
    gmmu_front_destroy(nullptr);
}

// ---------------------------------------------------------------- in the machine

gmmu_simt_params small(const gmmu_simt_kernel *k) {
    gmmu_simt_params p = gmmu_simt_defaults(k);
    p.size = 44;
    p.block = 96;
    p.sms = 3;
    p.page_shift = 10;
    p.l1_entries = 6;
    p.l2_entries = 12;
    p.l2_ways = 4;
    return p;
}

struct Seen {
    Recording rec;
    std::vector<NaiveTlb> l1;
    NaiveTlb l2;
    NaiveFront front;
    unsigned page_shift;
    std::vector<Walk> expected;
};

// Replays each instruction through the plain models.
int on_op(void *ctx, const gmmu_simt_warp *, unsigned sm, const gmmu_simt_op *op, gmmu_error *) {
    auto *s = static_cast<Seen *>(ctx);
    std::vector<uint64_t> addresses;
    for (unsigned lane = 0; lane < GMMU_WARP; lane++)
        if (op->mask >> lane & 1)
            addresses.push_back(op->array->base + op->index[lane] * op->array->element);
    for (uint64_t page : s->front.access(sm, addresses, op->write))
        if (!s->l1[sm].access(page) && !s->l2.access(page))
            s->expected.emplace_back(page, op->ref, 0, sm, op->write);
    return GMMU_OK;
}

int on_walk_of(void *ctx, const gmmu_walk *w, gmmu_error *) {
    static_cast<Seen *>(ctx)->rec.walks.emplace_back(w->vpn, w->ref, 0, w->sm, w->write);
    return GMMU_OK;
}

TEST(Front, WalksOfKernelsAreWhatPlainCachesAndTlbsLetThrough) {
    for (const char *name : {"gemm", "atax", "bfs", "srad_v2"}) {
        for (const Shape &shape : kShapes) {
            gmmu_simt_params p = small(gmmu_simt_find(name));
            p.caches = shape.up_to;
            p.cache = config_of(shape);
            Machine m = machine(gmmu_simt_find(name), p);
            ASSERT_NE(m.get(), nullptr);
            Seen seen = {{},
                         std::vector<NaiveTlb>(p.sms, NaiveTlb(p.l1_entries, p.l1_entries)),
                         NaiveTlb(p.l2_entries, p.l2_ways),
                         NaiveFront(shape, p.sms, p.page_shift),
                         p.page_shift,
                         {}};
            gmmu_simt_hooks hooks = {};
            hooks.ctx = &seen;
            hooks.walk = on_walk_of;
            hooks.op = on_op;
            gmmu_error err = {};
            ASSERT_EQ(gmmu_simt_run(m.get(), &hooks, &err), GMMU_OK) << err.text;
            EXPECT_EQ(gmmu_simt_check(m.get(), &err), GMMU_OK) << err.text;
            EXPECT_EQ(seen.rec.walks, seen.expected) << name;
            gmmu_simt_stats s = gmmu_simt_get_stats(m.get());
            EXPECT_EQ(s.accesses, s.l1_hits + s.l2_hits + s.walks);
            EXPECT_GE(s.cache_accesses, s.cache_l1_hits);
            EXPECT_EQ(s.cache_l2_accesses == 0, shape.up_to == GMMU_FRONT_L1);
            EXPECT_EQ(s.cache_l1_hits == 0, shape.bypass == GMMU_RDGC_RWON);
        }
    }
}

// ---------------------------------------------------------------- shootdown

TEST(Tlb, RemoveForgetsOnePage) {
    gmmu_tlb t;
    ASSERT_TRUE(gmmu_tlb_init(&t, 4, 4));
    for (uint64_t v : {1, 2, 3, 4}) EXPECT_FALSE(gmmu_tlb_access(&t, v));
    EXPECT_TRUE(gmmu_tlb_remove(&t, 2));
    EXPECT_FALSE(gmmu_tlb_remove(&t, 2));
    EXPECT_FALSE(gmmu_tlb_access(&t, 5));  // in its room: nobody leaves
    for (uint64_t v : {1, 3, 4, 5}) EXPECT_TRUE(gmmu_tlb_access(&t, v)) << v;
    EXPECT_FALSE(gmmu_tlb_access(&t, 2));
    EXPECT_FALSE(gmmu_tlb_access(&t, 1));  // the oldest left
    gmmu_tlb_free(&t);
    ASSERT_TRUE(gmmu_tlb_init(&t, 0, 0));
    EXPECT_FALSE(gmmu_tlb_remove(&t, 2));
    gmmu_tlb_free(&t);
}

class Shootdown : public testing::Test {
   protected:
    std::string out = testing::TempDir() + "front_test." + std::to_string(getpid()) + ".walk";
    gmmu_simt_stats stats = {};
    gmmu_error err = {};
    gmmu_shootdown *shootdown = nullptr;
    void TearDown() override {
        gmmu_shootdown_destroy(shootdown);
        std::remove(out.c_str());
    }
    // R gets an empty memory of FRAMES by a policy.
    void remember(gmmu_simt_request *r, const char *policy, const char *options, uint32_t frames) {
        gmmu_policy_config config = {};
        config.frames = frames;
        config.options = options;
        gmmu_shootdown_destroy(shootdown);
        shootdown = gmmu_shootdown_create(gmmu_policy_find(policy, 3), &config, &err);
        ASSERT_NE(shootdown, nullptr) << err.text;
        r->memory = {gmmu_shootdown_walk, shootdown, policy, options, frames};
    }
    std::vector<gmmu_walk> read() {
        std::vector<gmmu_walk> walks;
        gmmu_reader *reader = gmmu_reader_open(out.c_str(), &err);
        EXPECT_NE(reader, nullptr) << err.text;
        gmmu_walk w;
        while (reader != nullptr && gmmu_reader_next(reader, &w, &err) == GMMU_OK)
            walks.push_back(w);
        gmmu_reader_close(reader);
        return walks;
    }
};

// The walks with shootdown are those of TLBs that forget what a plain LRU memory evicts; the
// accesses are independent of them.
TEST_F(Shootdown, PagesThatLeaveWalkAgain) {
    for (const char *name : {"gemm", "atax", "bfs"}) {
        for (uint32_t frames : {3u, 10u, 100000u}) {
            gmmu_simt_request r = {};
            r.kernel = gmmu_simt_find(name);
            r.params = small(r.kernel);
            if (r.kernel == &gmmu_simt_bfs)
                r.params.size = 900;
            r.output = out.c_str();
            remember(&r, "lru", nullptr, frames);
            ASSERT_EQ(gmmu_simt_record(&r, &stats, &err), GMMU_RECORD_OK) << err.text;
            std::vector<Walk> found, expected;
            for (const gmmu_walk &w : read()) found.emplace_back(w.vpn, w.ref, 0, w.sm, w.write);
            std::vector<NaiveTlb> l1(r.params.sms,
                                     NaiveTlb(r.params.l1_entries, r.params.l1_entries));
            NaiveTlb l2(r.params.l2_entries, r.params.l2_ways);
            std::list<uint64_t> memory;  // most recent first
            uint64_t evictions = 0;
            for (const Walk &a : run(r.kernel, r.params).accesses) {
                uint64_t page = std::get<0>(a);
                if (l1[std::get<3>(a)].access(page) || l2.access(page))
                    continue;
                expected.push_back(a);
                std::get<2>(expected.back()) = 0;
                auto it = std::find(memory.begin(), memory.end(), page);
                if (it != memory.end()) {
                    memory.erase(it);
                } else if (memory.size() == frames) {
                    for (NaiveTlb &t : l1) t.remove(memory.back());
                    l2.remove(memory.back());
                    memory.pop_back();
                    evictions++;
                }
                memory.push_front(page);
            }
            EXPECT_EQ(found, expected) << name << " " << frames;
            EXPECT_EQ(stats.evictions, evictions);
            EXPECT_EQ(stats.evictions == 0, frames == 100000u);
        }
    }
}

TEST_F(Shootdown, TheTraceSaysHowItWasMade) {
    gmmu_simt_request r = {};
    r.kernel = gmmu_simt_find("gemm");
    r.params = small(r.kernel);
    r.params.caches = GMMU_FRONT_L1;
    r.params.cache.l1.capacity = 24576;
    r.output = out.c_str();
    remember(&r, "leu", "sample=0", 30);
    ASSERT_EQ(gmmu_simt_record(&r, &stats, &err), GMMU_RECORD_OK) << err.text;
    EXPECT_GT(stats.shootdowns, 0u);
    FILE *f = std::fopen(out.c_str(), "r");
    ASSERT_NE(f, nullptr);
    std::string text(2000, '\0');
    text.resize(std::fread(text.data(), 1, text.size(), f));
    std::fclose(f);
    EXPECT_NE(
        text.find("\n# --caches l1 --set l1.size=24576\n# --shootdown leu:sample=0 --frames 30\n"),
        std::string::npos)
        << text.substr(0, 500);
    uint64_t distinct = 0;
    ASSERT_EQ(gmmu_simt_distinct(&r, &distinct, &err), GMMU_OK) << err.text;
    EXPECT_EQ(distinct, stats.distinct);
}

TEST_F(Shootdown, BadPolicyOrCachesAreSaid) {
    gmmu_policy_config config = {};
    config.frames = 30;
    config.options = "no-such=1";
    EXPECT_EQ(gmmu_shootdown_create(gmmu_policy_find("leu", 3), &config, &err), nullptr);
    EXPECT_NE(std::string(err.text).find("no-such"), std::string::npos) << err.text;
    gmmu_simt_request r = {};
    r.kernel = gmmu_simt_find("gemm");
    r.params = small(r.kernel);
    r.output = out.c_str();
    remember(&r, "leu", nullptr, 30);
    r.params.caches = GMMU_FRONT_L2;
    r.params.cache.l2.ways = 0;
    EXPECT_EQ(gmmu_simt_record(&r, &stats, &err), GMMU_RECORD_BAD);
    EXPECT_NE(std::string(err.text).find("l2.ways"), std::string::npos) << err.text;
    uint64_t distinct = 0;
    EXPECT_EQ(gmmu_simt_distinct(&r, &distinct, &err), GMMU_BAD);
}

}  // namespace
