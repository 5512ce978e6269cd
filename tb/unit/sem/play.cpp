// SPDX-License-Identifier: Apache-2.0
// play.cpp: a trace under the protocols: Fig. 1's chain has the transfers that the paper says;
// who goes back and forth; what is small stays on the CPU; device first use never loses bytes.
#include "semcache/play.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <string>
#include <vector>

namespace {

const gmmu_sem_link LINK = {.up_gbs = 16,
                            .down_gbs = 8,
                            .remote_gbs = 4,
                            .transfer_us = 10,
                            .gpu_gflops = 1000,
                            .gpu_gbs = 100,
                            .gpu_single_gflops = 2000,
                            .cpu_gflops = 10,
                            .cpu_gbs = 20,
                            .call_us = 5};

struct Played {
    gmmu_sem_row all;
    gmmu_sem_counts counts;
    std::vector<gmmu_sem_pair> pairs;
};

Played play(const char *protocol, const std::vector<gmmu_sem_event> &events,
            uint64_t limit = 1ull << 40, uint64_t least = 0) {
    gmmu_sem_play_config c = {};
    EXPECT_TRUE(gmmu_sem_protocol_of(protocol, &c.protocol)) << protocol;
    c.runtime.limit = limit;
    c.link = LINK;
    c.least = least;
    gmmu_sem_play *p = gmmu_sem_play_create(&c);
    for (const gmmu_sem_event &e : events) EXPECT_TRUE(gmmu_sem_play_event(p, &e));
    uint32_t n;
    const gmmu_sem_pair *pairs = gmmu_sem_play_pairs(p, &n);
    const Played is = {gmmu_sem_play_total(p), gmmu_sem_play_counts(p), {pairs, pairs + n}};
    gmmu_sem_play_destroy(p);
    return is;
}

std::vector<gmmu_sem_event> recorded(const char *path) {
    gmmu_error err = {};
    gmmu_sem_reader *r = gmmu_sem_open(path, &err);
    EXPECT_NE(r, nullptr) << err.text;
    std::vector<gmmu_sem_event> events;
    gmmu_sem_event e;
    while (r != nullptr && gmmu_sem_next(r, &e, &err) == GMMU_OK) events.push_back(e);
    gmmu_sem_close(r);
    return events;
}

TEST(SemPlay, TheChainOfFig1) {
    const auto chain = recorded("sim/sem/chain.sem");
    const uint64_t mib = 1 << 20;
    const struct {
        const char *protocol;
        uint64_t ups, downs, up_mib, down_mib;
    } wanted[] = {{"naive", 6, 3, 768, 384},
                  {"fig9", 9, 3, 1152, 384},
                  {"wb", 2, 1, 256, 128},
                  {"wt", 2, 3, 256, 384}};
    for (const auto &w : wanted) {
        const Played p = play(w.protocol, chain);
        EXPECT_EQ(p.all.ups, w.ups) << w.protocol;
        EXPECT_EQ(p.all.downs, w.downs) << w.protocol;
        EXPECT_EQ(p.all.up_bytes, w.up_mib * mib) << w.protocol;
        EXPECT_EQ(p.all.down_bytes, w.down_mib * mib) << w.protocol;
        EXPECT_EQ(p.all.calls, 3u);
        EXPECT_EQ(p.all.on_cpu, 0u);
    }
    const Played pages = play("page:2m", chain);  // the same bytes, page by page
    EXPECT_EQ(pages.all.up_bytes, 256 * mib);
    EXPECT_EQ(pages.all.ups, 128u);
    const Played home = play("dfu", chain);
    EXPECT_EQ(home.all.up_bytes, 256 * mib);
    EXPECT_EQ(home.all.down_bytes, 0u);
    EXPECT_EQ(home.all.remote_bytes, 128 * mib);
    // 384 MiB of a call: below that it runs on the CPU, and nothing moves
    for (const char *protocol : {"naive", "wb", "wt", "page:2m", "dfu"}) {
        const Played small = play(protocol, chain, 384 * mib - 1);
        EXPECT_EQ(small.all.on_cpu, 3u) << protocol;
        EXPECT_EQ(small.all.up_bytes + small.all.down_bytes, 0u) << protocol;
        EXPECT_EQ(play(protocol, chain, 384 * mib).all.on_cpu, 0u) << protocol;
    }
}

gmmu_sem_event event(gmmu_sem_kind kind, uint32_t site, char letter, uint64_t start,
                     uint64_t bytes) {
    gmmu_sem_event e = {};
    e.kind = kind;
    e.site = site;
    e.operands = 1;
    e.operand[0] = {start, start + bytes - 1, letter == 'r' || letter == 'u', letter != 'r',
                    letter == 'o'};
    return e;
}

TEST(SemPlay, WhoGoesBackAndForth) {
    std::vector<gmmu_sem_event> events;
    for (int i = 0; i < 10; i++) {
        events.push_back(event(GMMU_SEM_CALL, 1, 'u', 4096, 1000));
        events.push_back(event(GMMU_SEM_CPU, 2, 'u', 4100, 8));
        events.push_back(event(GMMU_SEM_CALL, 3, 'r', 9000, 500));  // stays
    }
    const Played p = play("wb", events);
    EXPECT_EQ(p.all.ups, 11u);
    EXPECT_EQ(p.all.downs, 10u);
    ASSERT_EQ(p.pairs.size(), 1u);
    EXPECT_EQ(p.pairs[0].start, 4096u);
    EXPECT_EQ(p.pairs[0].last, 5095u);
    EXPECT_EQ(p.pairs[0].site, 1u);
    EXPECT_EQ(p.pairs[0].cpu_site, 2u);
    EXPECT_EQ(p.pairs[0].moves, 19u);
    EXPECT_EQ(p.pairs[0].bytes, 19000u);
    // a result that the CPU writes whole goes up again only, as its doing
    std::vector<gmmu_sem_event> fed;
    for (int i = 0; i < 5; i++) {
        fed.push_back(event(GMMU_SEM_CPU, 2, 'o', 0, 64));
        fed.push_back(event(GMMU_SEM_CALL, 1, 'r', 0, 64));
    }
    const Played q = play("wb", fed);
    EXPECT_EQ(q.all.ups, 5u);
    EXPECT_EQ(q.all.downs, 0u);
    ASSERT_EQ(q.pairs.size(), 1u);
    EXPECT_EQ(q.pairs[0].moves, 4u);
}

// What is freed or comes is nowhere any more; a part of what the GPU has newer brings the rest
// back.
TEST(SemPlay, MemoryThatComesAndGoes) {
    const gmmu_sem_event result = event(GMMU_SEM_CALL, 1, 'o', 4096, 4096);
    const gmmu_sem_event read = event(GMMU_SEM_CPU, 2, 'r', 4096, 4096);
    for (const gmmu_sem_kind kind : {GMMU_SEM_ALLOC, GMMU_SEM_FREE}) {
        EXPECT_EQ(play("wb", {result, event(kind, 0, 'o', 4096, 4096), read}).all.downs, 0u);
        const Played part = play("wb", {result, event(kind, 0, 'o', 4096, 100), read});
        EXPECT_EQ(part.all.downs, 1u);
        EXPECT_EQ(part.all.down_bytes, 4096u);
        EXPECT_TRUE(part.pairs.empty());
    }
    EXPECT_EQ(play("page:4k", {result, event(GMMU_SEM_FREE, 0, 'o', 4096, 100)}).all.downs, 1u);
    EXPECT_EQ(play("page:4k", {result, event(GMMU_SEM_ALLOC, 0, 'o', 4096, 100)}).all.downs, 0u);
}

TEST(SemPlay, TimesAndSmallCalls) {
    gmmu_sem_event e = event(GMMU_SEM_CALL, 0, 'u', 0, 1000);
    e.flops = 2 * 50 * 50 * 50;
    e.ns = 7000;
    const std::vector<gmmu_sem_event> one = {e};
    const Played gpu = play("naive", one);
    // 10 us and 1000 bytes at 16 and at 8 bytes a ns; 5 us and 250000 operations at 1000 a ns
    EXPECT_DOUBLE_EQ(gpu.all.ns, 2 * 10000 + 1000 / 16.0 + 1000 / 8.0 + 5000 + 250);
    EXPECT_EQ(gpu.all.cpu_ns, 7000u);
    const Played cpu = play("naive", one, 1ull << 40, 51);
    EXPECT_DOUBLE_EQ(cpu.all.ns, 7000);
    EXPECT_EQ(cpu.all.on_cpu, 1u);
    EXPECT_EQ(play("naive", one, 1ull << 40, 50).all.on_cpu, 0u);
}

TEST(SemPlay, ResultsAreKeptUntilTheirMatrixChanges) {
    gmmu_sem_event factor = event(GMMU_SEM_MEMO, 0, 'r', 0, 800);
    factor.result = 800;
    factor.flops = 1000;
    std::vector<gmmu_sem_event> events = {factor,
                                          factor,
                                          factor,
                                          event(GMMU_SEM_CPU, 1, 'r', 0, 8),
                                          factor,
                                          event(GMMU_SEM_CPU, 1, 'w', 0, 8),
                                          factor,
                                          factor,
                                          event(GMMU_SEM_CALL, 2, 'o', 0, 800),
                                          factor};
    const Played wb = play("wb", events);
    EXPECT_EQ(wb.all.memos, 7u);
    EXPECT_EQ(wb.all.elided, 4u);
    EXPECT_EQ(wb.all.flops, 3000u);
    EXPECT_EQ(play("naive", events).all.elided, 0u);
    // without room for the result beside the matrix it is made each time
    EXPECT_EQ(play("wb", events, 1000).all.elided, 0u);
}

// Section 6: a factorisation is the CPU's under every protocol, the first one of a matrix too.
TEST(SemPlay, ResultsAreMadeOnTheCpu) {
    gmmu_sem_event factor = event(GMMU_SEM_MEMO, 0, 'r', 0, 800);
    factor.result = 800;
    factor.ns = 123456;
    const std::vector<gmmu_sem_event> twice = {factor, factor};
    const double up = 10000 + 800 / 16.0;
    EXPECT_DOUBLE_EQ(play("naive", twice).all.ns, 2 * 123456);
    EXPECT_DOUBLE_EQ(play("fig9", twice).all.ns, 2 * 123456);
    EXPECT_DOUBLE_EQ(play("dfu", twice).all.ns, 2 * 123456);
    EXPECT_DOUBLE_EQ(play("wb", twice).all.ns, up + 123456);
    EXPECT_DOUBLE_EQ(play("wt", twice).all.ns, up + 123456);
    EXPECT_DOUBLE_EQ(play("page:4k", twice).all.ns, 10000 + 4096 / 16.0 + 123456);
}

TEST(SemPlay, NamesOfProtocols) {
    gmmu_sem_protocol p;
    for (const char *bad : {"", "WB", "page", "page:", "page:3k", "page:0", "page:-1", "page:4kk",
                            "page:4g", "wb ", "page:99999999999999999999k"})
        EXPECT_FALSE(gmmu_sem_protocol_of(bad, &p)) << bad;
    EXPECT_TRUE(gmmu_sem_protocol_of("page:64", &p));
    EXPECT_EQ(p.page, 64u);
    EXPECT_TRUE(gmmu_sem_protocol_of("page:4k", &p));
    EXPECT_EQ(p.page, 4096u);
}

}  // namespace
