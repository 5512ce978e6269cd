// SPDX-License-Identifier: Apache-2.0
// cache_log.h: a cache whose steps are written down.
//
// A cache's steps are written as one line each, such as
// "+A +C  0.0 E miss 9  1.1 F fail | 2".
// "+A": A fills; "0.0 E miss 9": bank 0, port 0, block E, status, RD (K = infinite); "| 2": free
// MSHRs. Banks are numbered over all partitions. Blocks are A = 0, B = 1 … and numbers from 26 on.
#ifndef GMMU_TB_RDGC_CACHE_LOG_H
#define GMMU_TB_RDGC_CACHE_LOG_H

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "rdgc/rdgc.h"

using Steps = std::vector<std::string>;

inline std::string name_of(uint64_t block) {
    return block < 26 ? std::string(1, static_cast<char>('A' + block)) : std::to_string(block);
}

// One bank, one port, one fully associative set of four blocks of 32 bytes; one MSHR set of four
// without merges; a fixed latency of one step.
inline gmmu_rdgc_cache_config small() {
    gmmu_rdgc_cache_config c = gmmu_rdgc_defaults().l1;
    c.block = 32;
    c.ways = 4;
    c.capacity = 4 * 32;
    c.ports = 1;
    c.index = GMMU_RDGC_MOD;
    c.bypass = GMMU_RDGC_OFF;
    c.mshrs = 4;
    c.merges = 0;
    c.adaptive = false;
    c.latency = 1;
    return c;
}

inline gmmu_rdgc_cache_config sets(gmmu_rdgc_cache_config c, uint32_t n) {
    c.capacity = static_cast<uint64_t>(c.block) * c.ways * c.partitions * c.banks * n;
    return c;
}

struct Access {
    unsigned warp;
    uint64_t block;
    bool write = false;
};

// "0AB 1Cd": warp 0 reads A and B, warp 1 reads C and writes D.
inline std::vector<Access> parse(const std::string &text) {
    std::vector<Access> list;
    unsigned warp = 0;
    for (const char x : text)
        if (x >= '0' && x <= '9')
            warp = static_cast<unsigned>(x - '0');
        else if (x >= 'A' && x <= 'Z')
            list.push_back({warp, static_cast<uint64_t>(x - 'A'), false});
        else if (x >= 'a' && x <= 'z')
            list.push_back({warp, static_cast<uint64_t>(x - 'a'), true});
    return list;
}

// A cache whose steps are written down.
class Log {
   public:
    explicit Log(const gmmu_rdgc_cache_config &c, bool watched = true, uint64_t seed = 1)
        : config(c), watch{this, update, access, step} {
        gmmu_error err{};
        cache = gmmu_rdgc_cache_create(&c, seed, &err);
        EXPECT_NE(cache, nullptr) << err.text;
        if (watched)
            gmmu_rdgc_cache_watch(cache, &watch);
        EXPECT_EQ(gmmu_rdgc_cache_reserve(cache, 4096, &err), GMMU_OK);
        EXPECT_EQ(gmmu_rdgc_cache_reserve(cache, 10, &err), GMMU_OK);
    }
    Log(const Log &) = delete;
    Log &operator=(const Log &) = delete;
    ~Log() { gmmu_rdgc_cache_destroy(cache); }

    // What went on to the next level: "A@0" is A, in step 0.
    std::string profile(const std::vector<Access> &list) {
        std::vector<gmmu_rdgc_access> w;
        for (const Access &a : list)
            w.push_back({a.block, 0, static_cast<uint16_t>(a.warp), a.write});
        std::vector<gmmu_rdgc_sent> sent(w.size() + 1);
        const size_t n = gmmu_rdgc_cache_profile(cache, w.data(), w.size(), sent.data());
        std::string text;
        for (size_t i = 0; i < n; i++)
            text += (i > 0 ? " " : "") + name_of(w[sent[i].access].block) + "@" +
                    std::to_string(sent[i].step);
        return text;
    }
    std::string profile(const std::string &text) { return profile(parse(text)); }
    Log &operator<<(const std::string &text) {
        profile(text);
        return *this;
    }
    const gmmu_rdgc_counts &counts() const { return *gmmu_rdgc_cache_counts(cache); }
    std::vector<uint64_t> reads() const { return {counts().r, counts().r + config.ways + 1}; }
    std::vector<uint64_t> writes() const { return {counts().w, counts().w + config.ways + 1}; }

    gmmu_rdgc_cache_config config;
    gmmu_rdgc_cache *cache;
    Steps steps;
    struct Event {
        uint64_t step, block;
        unsigned warp;
        gmmu_rdgc_event at;  // its access is gone
    };
    std::vector<Event> events;

   private:
    void put(const std::string &text) { line += (line.empty() ? "" : "  ") + text; }
    static void update(void *ctx, uint64_t, uint64_t block) {
        static_cast<Log *>(ctx)->put("+" + name_of(block));
    }
    static void access(void *ctx, uint64_t now, const gmmu_rdgc_event *e) {
        static const char *const names[] = {"hit", "miss", "join", "fail", "pass"};
        Log *log = static_cast<Log *>(ctx);
        log->events.push_back({now, e->access->block, e->access->warp, *e});
        log->put(std::to_string(e->partition * log->config.banks + e->bank) + "." +
                 std::to_string(e->port) + " " + name_of(e->access->block) + " " +
                 names[e->status] + " " +
                 (e->rd == log->config.ways ? "inf" : std::to_string(e->rd)));
    }
    static void step(void *ctx, uint64_t number, uint32_t free_mshrs) {
        Log *log = static_cast<Log *>(ctx);
        EXPECT_EQ(number, log->steps.size());
        log->put("| " + std::to_string(free_mshrs));
        log->steps.push_back(log->line);
        log->line.clear();
    }
    gmmu_rdgc_watch watch;
    std::string line;
};

// Runs the lists watched and unwatched; the steps must be these, the counters the same both times.
inline void expect_steps(const gmmu_rdgc_cache_config &c, const std::vector<std::string> &lists,
                         const Steps &steps) {
    Log seen(c), unseen(c, false);
    for (const std::string &l : lists) EXPECT_EQ(seen.profile(l), unseen.profile(l)) << l;
    EXPECT_EQ(seen.steps, steps);
    EXPECT_EQ(unseen.counts().steps, steps.size());
    EXPECT_EQ(seen.counts().steps, steps.size());
    EXPECT_EQ(gmmu_rdgc_cache_step(unseen.cache), steps.size());
    EXPECT_EQ(seen.counts().rf, unseen.counts().rf);
    EXPECT_EQ(seen.counts().merges, unseen.counts().merges);
    EXPECT_EQ(seen.reads(), unseen.reads());
    EXPECT_EQ(seen.writes(), unseen.writes());
    uint64_t fails = 0, joins = 0;
    for (const Log::Event &e : seen.events) {
        fails += e.at.status == GMMU_RDGC_FAILED;
        joins += e.at.status == GMMU_RDGC_MERGED;
    }
    EXPECT_EQ(seen.counts().rf, fails);
    EXPECT_EQ(seen.counts().merges, joins);
}

inline gmmu_rdgc_cache_config write_evict() {
    gmmu_rdgc_cache_config c = small();
    c.bypass = GMMU_RDGC_WON;
    return c;
}

#endif
