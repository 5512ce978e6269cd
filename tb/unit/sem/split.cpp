// SPDX-License-Identifier: Apache-2.0
// split.cpp: write-back with records that split, against a model that knows each byte: it moves the
// bytes that were asked for and are old on the side that asks, and no others.
//
// State space: ranges of up to five pages of states, anywhere, up to the last byte of the address
// space; random changes of runs of one byte on, searches and moves between ranges. Random programs:
// calls with up to four operands with and without gaps, accesses of the CPU, memory that is freed.
// Parameter space: addresses near 0, in the middle and at the end of the address space; grains of
// 1, 64 and 4096 bytes.
#include "semcache/split.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <map>
#include <random>
#include <vector>

#include "random_trace.h"
#include "semcache/play.h"
#include "semcache/runtime.h"
#include "semcache/valid.h"

namespace {

// ---- a range's states

class Valid {
   public:
    Valid(uint64_t first, uint64_t bytes) : first_(first), byte_(bytes, GMMU_VALID_C) {
        EXPECT_TRUE(gmmu_valid_make(&is, first, first + (bytes - 1)));
    }
    Valid(const Valid &) = delete;
    Valid &operator=(const Valid &) = delete;
    gmmu_valid is = {};

    uint64_t bytes() const { return byte_.size(); }
    gmmu_valid_state &at(uint64_t address) { return byte_[address - first_]; }
    void same(std::mt19937_64 &rng) {
        uint64_t on = 0;
        for (gmmu_valid_state s : byte_) on += s != GMMU_VALID_C;
        ASSERT_EQ(is.on_gpu, on);
        const uint64_t from = rng() % bytes(), to = from + rng() % (bytes() - from);
        const unsigned states = 1 + rng() % 6;
        const auto in = [&](uint64_t i) { return (states >> byte_[i] & 1) != 0; };
        uint64_t first = from, last, a, b;
        while (first <= to && !in(first)) first++;
        ASSERT_EQ(gmmu_valid_run(&is, first_ + from, first_ + to, states, &a, &b), first <= to);
        if (first <= to) {
            for (last = first; last < to && in(last + 1);) last++;
            ASSERT_EQ(a, first_ + first);
            ASSERT_EQ(b, first_ + last);
            for (last = to; !in(last);) last--;
            ASSERT_TRUE(gmmu_valid_last(&is, first_ + from, first_ + to, states, &b));
            ASSERT_EQ(b, first_ + last);
        } else {
            ASSERT_FALSE(gmmu_valid_last(&is, first_ + from, first_ + to, states, &b));
        }
    }

    uint64_t mixed() const {
        uint64_t pages = 0, counted = UINT64_MAX;
        for (uint64_t i = 1; i < byte_.size(); i++) {
            const uint64_t page = (first_ + i) / 4096;
            if (byte_[i] != byte_[i - 1] && (first_ + i - 1) / 4096 == page && page != counted) {
                counted = page;
                pages++;
            }
        }
        return pages;
    }

   private:
    uint64_t first_;
    std::vector<gmmu_valid_state> byte_;
};

TEST(SemSplit, StatesAreThoseOfEachByte) {
    std::mt19937_64 rng(test_seed());
    uint64_t changes = 0;
    for (int run = 0; run < 120 && !testing::Test::HasFailure(); run++) {
        const uint64_t bytes = 1 + rng() % 20000;
        const uint64_t starts[] = {0, 0x7f0000000000 + rng() % 4096, UINT64_MAX - (bytes - 1)};
        const uint64_t first = starts[rng() % 3];
        gmmu_valid_pool pool = {};
        Valid v(first, bytes);
        for (int i = 0; i < 200 && !testing::Test::HasFailure(); i++, changes++) {
            const uint64_t from = rng() % bytes;
            uint64_t n = 1 + rng() % (rng() % 3 ? 20 : bytes);
            n = std::min(n, bytes - from);
            const auto state = static_cast<gmmu_valid_state>(rng() % 3);
            ASSERT_TRUE(gmmu_valid_reserve(&pool, 4));
            const size_t before = pool.count;
            gmmu_valid_set(&v.is, &pool, first + from, first + from + (n - 1), state);
            ASSERT_GE(pool.count + 2, before);
            for (uint64_t k = 0; k < n; k++) v.at(first + from + k) = state;
            v.same(rng);
        }
        // a part moves to another range
        const uint64_t at = rng() % bytes, n = 1 + rng() % (bytes - at);
        Valid part(first + at, n);
        ASSERT_TRUE(gmmu_valid_reserve(&pool, 4));
        const size_t before = pool.count;
        gmmu_valid_move(&part.is, &v.is, &pool, first + at, first + at + (n - 1));
        ASSERT_GE(pool.count + 4, before);
        for (uint64_t k = at; k < at + n; k++) {
            part.at(first + k) = v.at(first + k);
            v.at(first + k) = GMMU_VALID_C;
        }
        for (int i = 0; i < 30; i++) {
            v.same(rng);
            part.same(rng);
        }
        EXPECT_EQ(gmmu_valid_mixed(&v.is), v.mixed());
        gmmu_valid_free(&v.is, &pool);
        gmmu_valid_free(&part.is, &pool);
        gmmu_valid_pool_free(&pool);
        EXPECT_EQ(pool.count, 0u);
    }
    std::printf("[ vectors  ] states of ranges: %llu changes\n",
                static_cast<unsigned long long>(changes));
}

// ---- programs

struct Model {
    uint64_t grain;  // with what the CPU asks for comes what is beside it
    std::map<uint64_t, gmmu_valid_state> byte;  // C if it is not there
    uint64_t up = 0, down = 0;

    template <class F>
    static void each(const gmmu_sem_operand &o, F f) {
        const uint64_t run = o.run == 0 ? o.last - o.start + 1 : o.run;
        for (uint64_t k = 0; k < gmmu_sem_runs(&o); k++)
            for (uint64_t i = 0; i < run; i++) f(o.start + k * o.stride + i);
    }
    gmmu_valid_state state(uint64_t i) const {
        const auto at = byte.find(i);
        return at == byte.end() ? GMMU_VALID_C : at->second;
    }
    void call(const gmmu_sem_event &e) {
        for (uint32_t k = 0; k < e.operands; k++)
            if (e.operand[k].reads || !e.operand[k].whole)
                each(e.operand[k], [&](uint64_t i) {
                    if (state(i) == GMMU_VALID_C) {
                        up++;
                        byte[i] = GMMU_VALID_S;
                    }
                });
        for (uint32_t k = 0; k < e.operands; k++)
            if (e.operand[k].writes)
                each(e.operand[k], [&](uint64_t i) { byte[i] = GMMU_VALID_G; });
    }
    void cpu(const gmmu_sem_operand &o) {
        const uint64_t run = o.run == 0 ? o.last - o.start + 1 : o.run;
        for (uint64_t k = 0; k < gmmu_sem_runs(&o) && (o.reads || !o.whole); k++) {
            const uint64_t first = o.start + k * o.stride, last = first + (run - 1);
            const auto from = byte.lower_bound(first & ~(grain - 1));
            bool wanted = false;
            for (auto i = byte.lower_bound(first); i != byte.end() && i->first <= last; i++)
                wanted = wanted || i->second == GMMU_VALID_G;
            for (auto i = from; wanted && i != byte.end() && i->first <= (last | (grain - 1)); i++)
                if (i->second == GMMU_VALID_G) {
                    down++;
                    i->second = GMMU_VALID_S;
                }
        }
        if (o.writes)
            each(o, [&](uint64_t i) { byte.erase(i); });
    }
};

class Programs {
   public:
    Programs(uint64_t seed, uint64_t origin, uint64_t space)
        : rng_(seed), origin_(origin), space_(space) {}

    gmmu_sem_operand operand(bool gaps) {
        gmmu_sem_operand o = {};
        const uint64_t matrix = space_ / 8, at = below(3) ? matrix * below(8) : below(space_ - 1);
        o.start = origin_ + at;
        o.last = o.start + std::min(space_ - at - 1, below(3) ? matrix - 1 : below(matrix + 40));
        const uint64_t all = o.last - o.start + 1, count = 2 + below(30);
        if (gaps && below(2) && all / count >= 2) {
            o.stride = all / count;
            o.run = 1 + below(o.stride - 1);
            o.last = o.start + (count - 1) * o.stride + o.run - 1;
        }
        return o;
    }
    gmmu_sem_event event() {
        gmmu_sem_event e = {};
        e.kind = below(2) ? GMMU_SEM_CALL : below(3) ? GMMU_SEM_CPU : GMMU_SEM_FREE;
        e.operands = e.kind == GMMU_SEM_CALL ? 1 + static_cast<uint32_t>(below(3)) : 1;
        for (uint32_t i = 0; i < e.operands; i++) {
            gmmu_sem_operand &o = e.operand[i] = operand(e.kind != GMMU_SEM_FREE);
            o.reads = below(3) != 0;
            o.writes = !o.reads || below(4) == 0;
            o.whole = !o.reads && below(2);
        }
        return e;
    }

   private:
    std::mt19937_64 rng_;
    uint64_t origin_, space_;
    uint64_t below(uint64_t n) { return rng_() % n; }
};

// However many runs an operand has, and however long it is: what no record has takes neither memory
// nor time.
TEST(SemSplit, OperandsOfTheWholeMemory) {
    gmmu_sem_play_config c = {};
    ASSERT_TRUE(gmmu_sem_protocol_of("split", &c.protocol));
    c.runtime.limit = 1 << 20;
    c.link = gmmu_sem_usual_link;
    for (const bool first : {false, true}) {  // with a record before, or none
        gmmu_sem_play *p = gmmu_sem_play_create(&c);
        gmmu_sem_event small = {};
        small.kind = GMMU_SEM_CALL;
        small.operands = 1;
        small.operand[0].start = 0x1000;
        small.operand[0].last = 0x17ff;
        small.operand[0].writes = true;
        small.operand[0].whole = true;
        EXPECT_TRUE(!first || gmmu_sem_play_event(p, &small));
        gmmu_sem_event all = {};  // every second byte
        all.kind = GMMU_SEM_CPU;
        all.operands = 1;
        all.operand[0].last = UINT64_MAX - 1;
        all.operand[0].run = 1;
        all.operand[0].stride = 2;
        all.operand[0].reads = true;
        EXPECT_TRUE(gmmu_sem_play_event(p, &all));
        EXPECT_EQ(gmmu_sem_play_total(p).down_bytes, first ? 2048u : 0u);  // the page's others, too
        all.operand[0].writes = true;
        EXPECT_TRUE(gmmu_sem_play_event(p, &all));
        all.kind = GMMU_SEM_CALL;  // does not fit
        EXPECT_TRUE(gmmu_sem_play_event(p, &all));
        EXPECT_EQ(gmmu_sem_play_total(p).on_cpu, 1u);
        small.operand[0].reads = true;
        small.operand[0].whole = false;
        EXPECT_TRUE(gmmu_sem_play_event(p, &small));
        EXPECT_EQ(gmmu_sem_play_total(p).up_bytes, first ? 1024u : 2048u);
        gmmu_sem_play_destroy(p);
    }
}

TEST(SemSplit, MovesTheBytesThatAreAskedForAndOld) {
    std::mt19937_64 rng(test_seed());
    uint64_t events = 0, merges = 0, splits = 0, moved = 0, best = 0;
    for (int run = 0; run < 150 && !testing::Test::HasFailure(); run++) {
        const uint64_t space = 64 + rng() % (run % 8 ? 3000 : 30000);
        const uint64_t origins[] = {0, 0x7f0000000000 + rng() % 4096, UINT64_MAX - (space - 1)};
        Programs programs(rng(), origins[rng() % 3], space);
        static const char *const grains[] = {"split:1", "split:64", "split"};
        const unsigned grain = rng() % 3;
        const char *const names[] = {grains[grain], "naive", "wb", "page:64", "page:4k"};
        std::vector<gmmu_sem_play *> plays;
        for (const char *name : names) {
            gmmu_sem_play_config c = {};
            ASSERT_TRUE(gmmu_sem_protocol_of(name, &c.protocol));
            c.runtime.limit = uint64_t{1} << 40;
            c.link = gmmu_sem_usual_link;
            plays.push_back(gmmu_sem_play_create(&c));
        }
        Model model = {};
        model.grain = grain == 0 ? 1 : grain == 1 ? 64 : 4096;
        for (int i = 0; i < 60 && !testing::Test::HasFailure(); i++, events++) {
            const gmmu_sem_event e = programs.event();
            for (gmmu_sem_play *p : plays) ASSERT_TRUE(gmmu_sem_play_event(p, &e));
            if (e.kind == GMMU_SEM_CALL)
                model.call(e);
            else if (e.kind == GMMU_SEM_CPU)
                model.cpu(e.operand[0]);
            else
                Model::each(e.operand[0], [&](uint64_t b) { model.byte.erase(b); });
            const gmmu_sem_row r = gmmu_sem_play_total(plays[0]);
            ASSERT_EQ(r.up_bytes, model.up) << "run " << run << " event " << i;
            ASSERT_EQ(r.down_bytes, model.down) << "run " << run << " event " << i;
        }
        uint64_t least = UINT64_MAX;
        for (size_t k = 1; k < plays.size(); k++) {
            const gmmu_sem_row r = gmmu_sem_play_total(plays[k]);
            least = std::min(least, r.up_bytes + r.down_bytes);
        }
        if (grain == 0) {
            EXPECT_LE(model.up + model.down, least);
        }
        moved += model.up + model.down;
        best += least;
        const gmmu_sem_counts n = gmmu_sem_play_counts(plays[0]);
        merges += n.merges;
        splits += n.splits;
        for (gmmu_sem_play *p : plays) gmmu_sem_play_destroy(p);
    }
    EXPECT_GT(merges, 500u);
    EXPECT_GT(splits, 10u);
    std::printf(
        "[ vectors  ] split: %llu events, %llu merges, %llu splits; %llu bytes, the best other "
        "protocol %llu\n",
        static_cast<unsigned long long>(events), static_cast<unsigned long long>(merges),
        static_cast<unsigned long long>(splits), static_cast<unsigned long long>(moved),
        static_cast<unsigned long long>(best));
}

// Ten rows of 16 bytes, every 1000: runs on the GPU, in three pages. Then the CPU writes in a row,
// and a call writes another.
TEST(SemSplit, CountsWhatIsOnTheGpu) {
    gmmu_sem_config config = {};
    config.limit = 1 << 20;
    config.split = true;
    const gmmu_sem_gpu nobody = {};
    gmmu_sem *s = gmmu_sem_create(&config, &nobody);
    const auto is = [&](uint64_t records, uint64_t runs, uint64_t mixed) {
        const gmmu_split_census c = gmmu_sem_census(s);
        EXPECT_EQ(c.records, records);
        EXPECT_EQ(c.runs, runs);
        EXPECT_EQ(c.mixed, mixed);
    };
    gmmu_sem_operand o = {};
    o.start = 0x10000;
    o.run = 16;
    o.stride = 1000;
    o.last = o.start + 9 * o.stride + o.run - 1;
    o.reads = true;
    const auto call = [&](const gmmu_sem_operand &with) {
        ASSERT_TRUE(gmmu_sem_begin(s, 0, &with, 1, nullptr));
        gmmu_sem_end(s, &with, 1);
    };
    is(0, 0, 0);
    call(o);
    is(1, 10, 3);
    gmmu_sem_operand part = {};
    part.start = o.start + 2004;
    part.last = part.start + 3;
    part.writes = true;
    gmmu_sem_cpu(s, part);  // of its row the bytes before and behind stay
    is(1, 11, 3);
    part.start = o.start + 3000;
    part.last = part.start + 7;
    part.whole = true;
    call(part);  // half a row is newest on the GPU
    is(1, 12, 3);
    gmmu_sem_operand whole = {};
    whole.start = 0x40000;
    whole.last = 0x41fff;
    whole.reads = true;
    call(whole);
    is(2, 13, 3);
    gmmu_sem_destroy(s);
}

// PAGE without a record for each page has the transfers of PAGE. One operand a call is written:
// which of two comes first decides whether a page that both write in part goes up.
TEST(SemSplit, FastPagesAreThePages) {
    std::mt19937_64 rng(test_seed());
    uint64_t ups = 0, downs = 0;
    for (int run = 0; run < 150 && !testing::Test::HasFailure(); run++) {
        Programs programs(rng(), 0x7f0000000000 + rng() % 4096, 64 + rng() % 30000);
        gmmu_sem_play_config c = {};
        ASSERT_TRUE(gmmu_sem_protocol_of(run % 2 ? "page:4k" : "page:256", &c.protocol));
        c.runtime.limit = uint64_t{1} << 40;
        c.link = gmmu_sem_usual_link;
        gmmu_sem_play *slow = gmmu_sem_play_create(&c);
        c.fast = true;
        gmmu_sem_play *fast = gmmu_sem_play_create(&c);
        for (int i = 0; i < 60 && !testing::Test::HasFailure(); i++) {
            gmmu_sem_event e = programs.event();
            for (uint32_t k = 1; k < e.operands; k++) {
                e.operand[k].reads = true;
                e.operand[k].writes = e.operand[k].whole = false;
            }
            ASSERT_TRUE(gmmu_sem_play_event(slow, &e));
            ASSERT_TRUE(gmmu_sem_play_event(fast, &e));
            const gmmu_sem_row a = gmmu_sem_play_total(slow), b = gmmu_sem_play_total(fast);
            ASSERT_EQ(a.ups, b.ups) << "run " << run << " event " << i;
            ASSERT_EQ(a.downs, b.downs) << "run " << run << " event " << i;
            ASSERT_EQ(a.up_bytes, b.up_bytes);
            ASSERT_EQ(a.down_bytes, b.down_bytes);
        }
        const gmmu_sem_row a = gmmu_sem_play_total(slow), b = gmmu_sem_play_total(fast);
        EXPECT_NEAR(a.transfer_ns, b.transfer_ns, 1e-6 * a.transfer_ns);
        ups += a.ups;
        downs += a.downs;
        gmmu_sem_play_destroy(slow);
        gmmu_sem_play_destroy(fast);
    }
    EXPECT_GT(downs, 1000u);
    std::printf("[ vectors  ] fast pages: %llu transfers up, %llu down\n",
                static_cast<unsigned long long>(ups), static_cast<unsigned long long>(downs));
}

// A call with as many operands as a trace's line has, each with a part of its first page, of its
// last, and whole pages between: that is more ranges than operands.
TEST(SemSplit, FastPagesOfAsManyOperandsAsACallHas) {
    for (uint32_t operands = 1; operands <= GMMU_SEM_MOST_OPERANDS; operands++) {
        gmmu_sem_play_config c = {};
        ASSERT_TRUE(gmmu_sem_protocol_of("page:4k", &c.protocol));
        c.runtime.limit = uint64_t{1} << 40;
        c.link = gmmu_sem_usual_link;
        gmmu_sem_event e = {};
        e.kind = GMMU_SEM_CALL;
        e.operands = operands;
        for (uint32_t i = 0; i < operands; i++) {
            e.operand[i].start = 0x7f0000000100 + i * uint64_t{0x100000};
            e.operand[i].last = e.operand[i].start + 5 * 4096;
            e.operand[i].writes = e.operand[i].whole = true;
        }
        for (bool fast : {false, true}) {
            c.fast = fast;
            gmmu_sem_play *play = gmmu_sem_play_create(&c);
            ASSERT_TRUE(gmmu_sem_play_event(play, &e));
            const gmmu_sem_row is = gmmu_sem_play_total(play);
            EXPECT_EQ(is.on_cpu, 0u) << operands << (fast ? " fast" : "");
            EXPECT_EQ(is.up_bytes, operands * 2u * 4096) << operands << (fast ? " fast" : "");
            gmmu_sem_play_destroy(play);
        }
    }
}

}  // namespace
