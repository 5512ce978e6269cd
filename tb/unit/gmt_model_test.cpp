// SPDX-License-Identifier: Apache-2.0
// gmt_model_test.cpp: the driver's model of reuse behind the unit's own records: it hears every
// access of the pages that it follows, fits the line that a host fits that saw them itself, and
// says it in registers.
//
// State space: loops and random accesses, from few pages to more than the sampler holds of those
// that are not followed; before the first line, with lines, thresholds beyond TIME_W bits.
#include "driver/gmt_model.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <utility>
#include <vector>

#include "blocks/config.h"
#include "blocks/crc32c.h"
#include "blocks/schedule.h"
#include "trace/pages.h"

namespace {

// A unit with its records on, and a model behind them.
class Ears {
   public:
    gmmu_gmt_model model;

    Ears(unsigned sample, uint64_t tier1, uint64_t limit) : cfg(*gmmu_config_find("default")) {
        cfg.t2_slots = 0;
        gmmu_regs regs = gmmu_regs_default(&cfg);
        regs.frames = 64;
        regs.sample = 2;
        regs.rit_batch = 1;  // none waits at the end
        memory.resize(gmmu_tier_bytes(&cfg) / 8 + 1);
        EXPECT_EQ(gmmu_tier_init(&unit, &cfg, &regs, memory.data(), memory.size() * 8), 0);
        unit.rit_sink = [](void *self, const gmmu_rit_packet *p) {
            Ears *e = static_cast<Ears *>(self);
            gmmu_rit_beats(
                &e->cfg, p,
                [](void *m, const uint32_t *words, bool last) {
                    EXPECT_EQ(gmmu_gmt_model_beat(static_cast<gmmu_gmt_model *>(m), words, last),
                              GMMU_RIMM_OK);
                },
                &e->model);
        };
        unit.rit_ctx = this;
        const gmmu_gmt_model_config c = {cfg, sample, tier1, limit};
        ears.resize(gmmu_gmt_model_bytes(&c) / 8 + 1);
        EXPECT_EQ(gmmu_gmt_model_init(&model, &c, ears.data(), ears.size() * 8), 0);
        gmmu_gmt_host_init(&saw, tier1, limit);
    }
    ~Ears() {
        gmmu_gmt_model_free(&model);
        gmmu_gmt_host_free(&saw);
        gmmu_pages_destroy(numbers);
    }
    // The page is in memory from its first access on, as long as there is room.
    void walk(uint64_t vpn) {
        gmmu_tier_walk_in w = {};
        w.vpn = vpn;
        w.ref = 1;
        w.fault = frame_of.count(vpn) == 0;
        w.frame = w.fault ? 0 : frame_of[vpn];
        (void)gmmu_tier_walk(&unit, w);
        time++;
        if (followed(vpn)) {
            EXPECT_TRUE(gmmu_gmt_host_access(&saw, gmmu_pages_index(numbers, 0, vpn), time,
                                             model.cfg.sample));
        }
        gmmu_tier_settle(
            &unit,
            [](void *self, const gmmu_tier_decision *d) { static_cast<Ears *>(self)->answer(*d); },
            this);
    }
    bool followed(uint64_t vpn) const {
        return gmmu_hash(0, cfg.asid_w, vpn, cfg.vpn_w) >> 16 < 65536u >> model.cfg.sample;
    }

    // What a host learns that saw the accesses itself.
    gmmu_gmt_host saw = {};
    gmmu_tier unit = {};
    uint64_t time = 0;

   private:
    gmmu_config cfg;
    std::vector<uint64_t> memory, ears;
    std::map<uint64_t, uint32_t> frame_of;
    gmmu_pages *numbers = gmmu_pages_create();

    void answer(const gmmu_tier_decision &d) {
        gmmu_tier_drv_in op = {};
        op.op = GMMU_FILL;
        op.vpn = d.vpn;
        op.frame = static_cast<uint32_t>(frame_of.size());
        if (d.tier != GMMU_TIER_FREE) {  // its page goes
            op.frame = d.frame;
            frame_of.erase(d.victim_vpn);
        }
        frame_of[d.vpn] = op.frame;
        (void)gmmu_tier_drv(&unit, op);
    }
};

void expect_alike(const Ears &e) {
    const gmmu_gmt_host &h = e.model.host;
    EXPECT_EQ(h.sums.n, e.saw.sums.n);
    EXPECT_EQ(h.sums.x, e.saw.sums.x);
    EXPECT_EQ(h.sums.y, e.saw.sums.y);
    EXPECT_EQ(h.near, e.saw.near);
    EXPECT_EQ(h.far, e.saw.far);
    EXPECT_FALSE(e.model.no_memory);
}

TEST(GmtModel, HearsWhatAHostSees) {
    for (const unsigned sample : {2u, 3u, 5u}) {
        std::mt19937 rng(sample);
        Ears e(sample, 64, 320);
        for (unsigned i = 0; i < 120000; i++) e.walk(i % 7 < 3 ? rng() % 2000 : i * 5 % 1300);
        expect_alike(e);
        EXPECT_GT(e.model.host.sums.n, 1000u);
        EXPECT_EQ(gmmu_gmt_model_registers(&e.model).model, e.saw.line.known);
        EXPECT_EQ(sample > 3 || e.saw.line.known, true);
    }
}

// Pages of several address spaces, more than the model's first table of names holds.
TEST(GmtModel, NamesEachPageApart) {
    std::mt19937 rng(1);
    Ears e(0, 64, 20000);
    std::map<std::pair<uint32_t, uint64_t>, uint32_t> number;
    for (uint64_t time = 1; time <= 60000; time++) {
        const uint32_t asid = rng() % 3;
        const uint64_t vpn = rng() % (time < 20000 ? 900 : 5000);
        const uint32_t page =
            number.emplace(std::make_pair(asid, vpn), static_cast<uint32_t>(number.size()))
                .first->second;
        gmmu_gmt_model_access(&e.model, asid, vpn, time);
        EXPECT_TRUE(gmmu_gmt_host_access(&e.saw, page, time, 0));
    }
    EXPECT_GT(number.size(), 10000u);
    EXPECT_EQ(e.model.pages, number.size());
    EXPECT_GT(e.saw.sums.n, 20000u);
    expect_alike(e);
}

TEST(GmtModel, ThresholdsFitTheirRegisters) {
    Ears e(0, 10, 1000000);
    EXPECT_FALSE(gmmu_gmt_model_registers(&e.model).model);
    gmmu_gmt_host &h = e.model.host;
    h.line.known = true;
    h.near = 5;
    h.far = GMMU_GMT_NEVER;
    const gmmu_gmt_registers r = gmmu_gmt_model_registers(&e.model);
    EXPECT_TRUE(r.model);
    EXPECT_EQ(r.near, 5u);
    EXPECT_EQ(r.far, (1u << 24) - 1);
}

TEST(GmtModel, SizesThatAreRefused) {
    const gmmu_config &unit = *gmmu_config_find("tiny");
    const gmmu_gmt_model_config bad[] = {
        {unit, 32, 1, 1}, {unit, 0, 1ull << 32, 1}, {unit, 0, 1, 1ull << 32}};
    for (const gmmu_gmt_model_config &c : bad) {
        std::vector<uint64_t> memory(gmmu_gmt_model_bytes(&c) / 8 + 1);
        gmmu_gmt_model m;
        EXPECT_NE(gmmu_gmt_model_init(&m, &c, memory.data(), memory.size() * 8), 0);
    }
    const gmmu_gmt_model_config good = {unit, 0, 1, 1};
    std::vector<uint64_t> memory(gmmu_gmt_model_bytes(&good) / 8 + 1);
    gmmu_gmt_model m;
    EXPECT_NE(gmmu_gmt_model_init(&m, &good, memory.data(), 8), 0);
}

}  // namespace
