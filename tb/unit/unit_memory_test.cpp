// SPDX-License-Identifier: Apache-2.0
// unit_memory_test.cpp: the unit behind one call (driver/unit_memory.h) beside policies `leu` and
// `tier`, access by access; the schedule one action at a time (blocks/steps.h) beside the whole.
//
// State space: every access of random traces of five shapes; walks and operations of a driver at
// random. Parameter space: 1 to 40 frames, without Tier 2 or 1 to 40 slots, all places; searches,
// feeds, records, fresh frames, victims ahead, tables in memory.
#include "driver/unit_memory.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "blocks/steps.h"
#include "driver/unit_regs.h"
#include "gmmu/csr.h"
#include "policy/registry.h"
#include "random_trace.h"
#include "trace/pages.h"

namespace {

using Memory = std::unique_ptr<gmmu_unit_memory, decltype(&gmmu_unit_memory_destroy)>;

Memory memory_of(const gmmu_config &cfg, const gmmu_regs &regs) {
    gmmu_error err;
    Memory m(gmmu_unit_memory_create(&cfg, &regs, &err), gmmu_unit_memory_destroy);
    EXPECT_NE(m, nullptr) << err.text;
    return m;
}

Memory sized(uint32_t frames, uint32_t slots, unsigned place) {
    gmmu_config cfg = *gmmu_config_find("default");
    gmmu_regs regs;
    gmmu_unit_memory_sizes(&cfg, &regs, frames, slots, place);
    return memory_of(cfg, regs);
}

struct Moved {
    uint64_t vpn;
    uint32_t asid;
    int from, to;
    bool operator==(const Moved &o) const {
        return vpn == o.vpn && asid == o.asid && from == o.from && to == o.to;
    }
};

// The moves of an access as a policy tells them.
std::vector<Moved> moves(const gmmu_walk &w, const gmmu_unit_access &a, bool tiers) {
    const auto memory = [&](int tier) {
        return tier == 1 ? GMMU_NEAR : tier == 2 && tiers ? GMMU_HOST : GMMU_FAR;
    };
    std::vector<Moved> all;
    if (a.from != 1)
        all.push_back({w.vpn, w.asid, memory(a.from), GMMU_NEAR});
    if (a.t2_left)
        all.push_back({a.t2_vpn, a.t2_asid, GMMU_HOST, GMMU_FAR});
    if (a.victim_to != 0)
        all.push_back({a.victim_vpn, a.victim_asid, GMMU_NEAR, memory(a.victim_to)});
    return all;
}

void beside_policy(uint64_t seed, const char *options, unsigned place) {
    SCOPED_TRACE(std::to_string(seed) + " " + (options != nullptr ? options : "leu"));
    RandomTrace random(seed);
    const bool tiers = place != GMMU_PLACE_NONE;
    const auto frames = static_cast<uint32_t>(1 + random.below(40));
    const auto slots = static_cast<uint32_t>(tiers ? 1 + random.below(40) : 0);
    const std::vector<gmmu_walk> trace = random.make(3000, 4 + random.below(150));
    const gmmu_policy *policy = tiers ? gmmu_policy_find("tier", 4) : gmmu_policy_find("leu", 3);
    std::unique_ptr<gmmu_pages, decltype(&gmmu_pages_destroy)> pages(gmmu_pages_create(),
                                                                     gmmu_pages_destroy);
    gmmu_policy_config config = {};
    config.frames = frames;
    config.tier2 = slots;
    config.pages = pages.get();
    config.options = options;
    gmmu_error err;
    void *state = policy->create(&config, &err);
    ASSERT_NE(state, nullptr) << err.text;
    const Memory m = sized(frames, slots, place);
    uint64_t faults = 0, evictions = 0, dirty = 0;
    for (const gmmu_walk &w : trace) {
        gmmu_outcome out;
        gmmu_unit_access a;
        ASSERT_EQ(
            policy->access(state, gmmu_pages_index(pages.get(), w.asid, w.vpn), &w, &out, &err),
            GMMU_OK);
        ASSERT_EQ(gmmu_unit_memory_access(m.get(), &w, &a, &err), GMMU_OK) << err.text;
        std::vector<Moved> expected;
        for (uint32_t i = 0; i < out.count; i++) {
            const gmmu_move &o = out.move[i];
            expected.push_back({gmmu_pages_number(pages.get(), o.page),
                                gmmu_pages_asid(pages.get(), o.page), o.from, o.to});
        }
        ASSERT_TRUE(moves(w, a, tiers) == expected);
        uint32_t where = 0;
        ASSERT_EQ(gmmu_unit_memory_find(m.get(), w.asid, w.vpn, &where), 1u);
        ASSERT_EQ(where, a.frame);
        if (a.victim_to != 0) {
            const unsigned there = tiers && a.victim_to == 2 ? 2 : 0;
            where = a.slot;
            ASSERT_EQ(gmmu_unit_memory_find(m.get(), a.victim_asid, a.victim_vpn, &where), there);
            ASSERT_EQ(where, a.slot);
        }
        faults += a.from != 1;
        evictions += a.victim_to != 0;
        dirty += a.victim_to != 0 && a.victim_dirty;
    }
    policy->destroy(state);
    const gmmu_unit_memory_counts n = gmmu_unit_memory_counted(m.get());
    EXPECT_EQ(n.accesses, trace.size());
    EXPECT_EQ(n.faults, faults);
    EXPECT_EQ(n.evictions, evictions);
    EXPECT_EQ(n.writebacks, dirty);
    EXPECT_EQ(n.cold, gmmu_pages_count(pages.get()));
    EXPECT_EQ(gmmu_unit_memory_counters(m.get()).walks, trace.size());
}

TEST(UnitMemory, MovesTheSamePagesAsThePolicies) {
    for (uint64_t i = 0; i < 12; i++) {
        const uint64_t seed = test_seed() + i;
        beside_policy(seed, nullptr, GMMU_PLACE_NONE);
        beside_policy(seed, nullptr, GMMU_PLACE_PRIORITY);
        beside_policy(seed, "place=order", GMMU_PLACE_ORDER);
        beside_policy(seed, "place=random", GMMU_PLACE_RANDOM);
        beside_policy(seed, "place=reuse", GMMU_PLACE_REUSE);
    }
}

TEST(UnitMemory, KeepsPinnedPagesAndTakesFreedOnes) {
    const Memory m = sized(2, 0, GMMU_PLACE_NONE);
    gmmu_unit_access a;
    gmmu_error err;
    gmmu_walk w = {};
    for (w.vpn = 1; w.vpn <= 2; w.vpn++) {
        ASSERT_EQ(gmmu_unit_memory_access(m.get(), &w, &a, &err), GMMU_OK);
        EXPECT_TRUE(gmmu_unit_memory_pin(m.get(), 0, w.vpn, true));
    }
    EXPECT_FALSE(gmmu_unit_memory_pin(m.get(), 0, 3, true));
    EXPECT_EQ(gmmu_unit_memory_access(m.get(), &w, &a, &err), GMMU_BAD);
    EXPECT_STREQ(err.text,
                 "memory: found no page that may leave for page 0x3 of address space 0, expected "
                 "one that is not pinned");
    EXPECT_EQ(gmmu_unit_memory_find(m.get(), 0, 3, nullptr), 0u);
    EXPECT_TRUE(gmmu_unit_memory_free(m.get(), 0, 2));
    EXPECT_FALSE(gmmu_unit_memory_free(m.get(), 0, 2));
    ASSERT_EQ(gmmu_unit_memory_access(m.get(), &w, &a, &err), GMMU_OK);
    EXPECT_EQ(a.victim_to, 0);
    EXPECT_EQ(a.frame, 1u);
    w.vpn = 4;
    ASSERT_EQ(gmmu_unit_memory_access(m.get(), &w, &a, &err), GMMU_OK);
    EXPECT_EQ(a.victim_vpn, 3u) << "the other is pinned";
    w.vpn = UINT64_C(1) << 60;
    EXPECT_EQ(gmmu_unit_memory_access(m.get(), &w, &a, &err), GMMU_BAD);
    EXPECT_STREQ(err.text,
                 "memory: found page 0x1000000000000000 of address space 0, expected at most 52 "
                 "and 8 bits (configuration default)");
    gmmu_unit_memory_flush(m.get(), 0);
    EXPECT_EQ(gmmu_unit_memory_counters(m.get()).flushes, 1u);
}

TEST(UnitMemory, FreesPagesOfTier2) {
    const Memory m = sized(1, 2, GMMU_PLACE_ORDER);
    gmmu_unit_access a;
    gmmu_error err;
    gmmu_walk w = {};
    for (uint64_t vpn : {1, 2, 3}) {
        w.vpn = vpn;
        ASSERT_EQ(gmmu_unit_memory_access(m.get(), &w, &a, &err), GMMU_OK);
    }
    EXPECT_EQ(gmmu_unit_memory_find(m.get(), 0, 1, nullptr), 2u);
    EXPECT_TRUE(gmmu_unit_memory_free(m.get(), 0, 1));
    EXPECT_EQ(gmmu_unit_memory_find(m.get(), 0, 1, nullptr), 0u);
    w.vpn = 1;
    ASSERT_EQ(gmmu_unit_memory_access(m.get(), &w, &a, &err), GMMU_OK);
    EXPECT_EQ(a.from, 3);
    EXPECT_FALSE(a.t2_left) << "the freed slot takes the victim";
    EXPECT_EQ(gmmu_unit_memory_find(m.get(), 0, 3, nullptr), 2u);
}

// cfg_tier with no slot is no Tier 2: victims go to the memory below.
TEST(UnitMemory, TiersWithoutSlotsAreNone) {
    for (const unsigned tier : {GMMU_PLACE_NONE, GMMU_PLACE_PRIORITY, GMMU_PLACE_ORDER}) {
        gmmu_config cfg = *gmmu_config_find("tiny");
        gmmu_regs regs = gmmu_regs_default(&cfg);
        regs.frames = 4;
        regs.tier = tier;
        regs.t2_slots = 0;
        gmmu_error err;
        gmmu_unit_memory *m = gmmu_unit_memory_create(&cfg, &regs, &err);
        ASSERT_NE(m, nullptr) << err.text;
        unsigned to[4] = {}, from[4] = {};
        for (unsigned i = 0; i < 200; i++) {
            gmmu_unit_access a;
            gmmu_walk w = {};
            w.vpn = i * 7 % 9;
            w.write = true;
            ASSERT_EQ(gmmu_unit_memory_access(m, &w, &a, &err), GMMU_OK);
            to[a.victim_to]++;
            from[a.from]++;
        }
        const gmmu_unit_memory_counts n = gmmu_unit_memory_counted(m);
        EXPECT_EQ(to[3] + from[3] + n.tier3_writes, 0u) << tier;
        EXPECT_EQ(to[2], n.writebacks) << tier;
        gmmu_unit_memory_destroy(m);
    }
}

// What is not legal is refused, with register, value and what is expected.
TEST(UnitRegs, AreChecked) {
    const struct {
        const char *config;
        void (*wrong)(gmmu_regs *);
        const char *text;
    } cases[] = {
        {"default", [](gmmu_regs *r) { r->frames = 0; }, "cfg_frames: found 0, expected 1..4096"},
        {"default", [](gmmu_regs *r) { r->frames = 4097; },
         "cfg_frames: found 4097, expected 1..4096"},
        {"default", [](gmmu_regs *r) { r->pseudo = 2; }, "cfg_pseudo: found 2, expected 0..1"},
        {"default", [](gmmu_regs *r) { r->search = 3; }, "cfg_search: found 3, expected 0..2"},
        {"default", [](gmmu_regs *r) { r->tier = 5; }, "cfg_tier: found 5, expected 0..4"},
        {"default", [](gmmu_regs *r) { r->t2_slots = 8193; },
         "cfg_t2_slots: found 8193, expected 0..8192"},
        {"tiny", [](gmmu_regs *r) { r->rit_batch = 33; },
         "cfg_rit_batch: found 33, expected 0..32"},
        {"tiny", [](gmmu_regs *r) { r->ahead = 65; }, "cfg_ahead: found 65, expected 0..64"},
        {"tiny", [](gmmu_regs *r) { r->tier_near = 1 << 20; },
         "cfg_tier_near: found 1048576, expected 0..1048575"},
        {"large", [](gmmu_regs *r) { r->search = 0; }, "cfg_search: found 0, expected 1..1"},
        {"large", [](gmmu_regs *r) { r->protect = 1; }, "cfg_protect: found 1, expected 0..0"},
        {"large", [](gmmu_regs *r) { r->tier = 1; }, "cfg_tier: found 1, expected 0..0"},
    };
    for (const auto &c : cases) {
        const gmmu_config *cfg = gmmu_config_find(c.config);
        gmmu_regs regs = gmmu_regs_default(cfg);
        regs.search = cfg->frame_mem != 0;
        gmmu_error err;
        EXPECT_TRUE(gmmu_unit_regs_legal(cfg, &regs, &err)) << err.text;
        c.wrong(&regs);
        EXPECT_FALSE(gmmu_unit_regs_legal(cfg, &regs, &err)) << c.text;
        EXPECT_STREQ(err.text, c.text);
    }
    gmmu_config cfg = *gmmu_config_find("default");
    gmmu_regs regs;
    gmmu_error err;
    gmmu_unit_memory_sizes(&cfg, &regs, 16, 0, GMMU_PLACE_NONE);
    regs.ahead = 2;
    EXPECT_EQ(gmmu_unit_memory_create(&cfg, &regs, &err), nullptr);
    EXPECT_STREQ(err.text, "cfg_ahead: found 2, expected 0: accesses come one at a time");
    regs.ahead = 0;
    regs.fresh = 3;
    EXPECT_EQ(gmmu_unit_memory_create(&cfg, &regs, &err), nullptr);
    EXPECT_STREQ(err.text, "cfg_fresh: found 3, expected 0: accesses come one at a time");
    cfg.pool = 3;
    EXPECT_EQ(gmmu_unit_memory_create(&cfg, &regs, &err), nullptr);
    EXPECT_STREQ(err.text,
                 "configuration default with 4096 frames: POOL must be a power of two, at most 64");
}

// ---- steps

// A unit with what it told: decisions and records, one text each.
struct Unit {
    gmmu_tier unit;
    std::vector<uint64_t> memory;
    std::vector<std::string> told;

    Unit(const gmmu_config &cfg, const gmmu_regs &regs) : memory(gmmu_tier_bytes(&cfg) / 8 + 2) {
        EXPECT_EQ(gmmu_tier_init(&unit, &cfg, &regs, memory.data(), memory.size() * 8), 0);
        unit.rit_sink = [](void *self, const gmmu_rit_packet *p) {
            gmmu_rit_beats(&static_cast<Unit *>(self)->unit.cfg, p, beat, self);
        };
        unit.rit_ctx = this;
    }
    static void beat(void *self, const uint32_t words[GMMU_RIT_WORDS], bool) {
        std::string text;
        for (unsigned i = 0; i < GMMU_RIT_WORDS; i++) text += " " + std::to_string(words[i]);
        static_cast<Unit *>(self)->told.push_back(text);
    }
    static void decided(void *self, const gmmu_tier_decision *d) {
        std::string text;
        for (uint64_t v : {d->vpn, d->victim_vpn, d->t2_vpn}) text += std::to_string(v) + " ";
        for (unsigned v : {d->asid, d->victim_asid, d->frame, d->seq, d->victim_last, d->t2_slot,
                           d->t2_asid, d->tier, d->pred, static_cast<unsigned>(d->priority)})
            text += std::to_string(v) + " ";
        for (bool v : {d->victim_dirty, d->rise, d->swap, d->forced, d->t2_valid, d->t2_dirty,
                       d->ahead, d->lost, d->fresh})
            text += v ? "1" : "0";
        static_cast<Unit *>(self)->told.push_back(text);
    }
};

struct Kind {
    const char *name;
    void (*set)(gmmu_config *, gmmu_regs *);
    std::set<gmmu_step_kind> special;  // steps that the others lack
};

const Kind kinds[] = {
    {"scan", [](gmmu_config *, gmmu_regs *) {}, {GMMU_STEP_INSTALL, GMMU_STEP_CLEAR}},
    {"clock, fresh, ahead",
     [](gmmu_config *, gmmu_regs *r) { r->search = GMMU_SEARCH_CLOCK, r->fresh = 4, r->ahead = 3; },
     {GMMU_STEP_EXPIRE}},
    {"ahead, few frames",
     [](gmmu_config *, gmmu_regs *r) { r->frames = 4, r->ahead = 1, r->fresh = 6; },
     {}},
    {"records",
     [](gmmu_config *c, gmmu_regs *r) {
         c->cnt_w = 2, r->rit_batch = 8, r->feed = 1, r->sample = 0;
     },
     {GMMU_STEP_SEND, GMMU_STEP_HALVE}},
    {"small sampler",
     [](gmmu_config *c, gmmu_regs *r) {
         c->sampler = 8, c->time_w = 18, r->sample = 0, r->rit_batch = 4;
     },
     {GMMU_STEP_THRESH, GMMU_STEP_SCRUB, GMMU_STEP_AGE}},
    {"reuse",
     [](gmmu_config *, gmmu_regs *r) {
         r->tier = GMMU_PLACE_REUSE, r->search = GMMU_SEARCH_CLOCK;
         r->tier_model = 1, r->tier_near = 40, r->tier_far = 90;
     },
     {GMMU_STEP_FORETELL, GMMU_STEP_RISE, GMMU_STEP_PLACE}},
    {"priority",
     [](gmmu_config *, gmmu_regs *r) { r->tier = GMMU_PLACE_PRIORITY, r->t2_slots = 1; },
     {GMMU_STEP_ROUND2}},
    {"memory",
     [](gmmu_config *c, gmmu_regs *r) {
         c->frame_mem = 1, c->t2_slots = r->t2_slots = 0, r->search = GMMU_SEARCH_SAMPLE;
     },
     {GMMU_STEP_TOUCH}},
};

gmmu_tier_walk_in walk(RandomTrace &r, const gmmu_config &c) {
    gmmu_tier_walk_in in = {};
    in.vpn = r.below(64), in.ref = r.below(12), in.asid = static_cast<uint32_t>(r.below(2));
    in.write = r.below(3) == 0, in.fault = r.below(5) < 2, in.replay = r.below(10) == 0;
    in.frame = in.fault ? 0 : static_cast<uint32_t>(r.below(20));
    in.t2 = in.fault && c.t2_slots != 0 && r.below(3) == 0;
    in.slot = in.t2 ? static_cast<uint32_t>(r.below(16)) : 0;
    return in;
}

gmmu_tier_drv_in operation(RandomTrace &r, const gmmu_config &c) {
    gmmu_tier_drv_in in = {};
    const uint64_t of = r.below(18);
    in.op = of < 6 ? 1u * GMMU_FILL : of < 8 ? 1u * GMMU_ASK : static_cast<unsigned>(of - 7);
    in.frame = static_cast<uint32_t>(r.below(20)), in.vpn = r.below(64);
    in.asid = static_cast<uint32_t>(r.below(2)), in.dirty = r.below(3) == 0;
    in.t2 = c.t2_slots != 0 && r.below(3) == 0, in.slot = static_cast<uint32_t>(r.below(16));
    in.force = r.below(5) == 0, in.ahead = r.below(10) == 0;
    return in;
}

TEST(Steps, AreTheSchedule) {
    std::set<gmmu_step_kind> all;
    for (const Kind &kind : kinds) {
        SCOPED_TRACE(kind.name);
        gmmu_config cfg = *gmmu_config_find("tiny");
        gmmu_regs regs = gmmu_regs_default(&cfg);
        regs.frames = 20, regs.t2_slots = 16, regs.refresh = 4;
        kind.set(&cfg, &regs);
        Unit whole(cfg, regs), steps(cfg, regs);
        gmmu_tier_steps at = {};
        std::set<gmmu_step_kind> seen;
        RandomTrace r(test_seed());
        for (int i = 0; i < 20000; i++) {
            if (r.below(5) < 3) {
                const gmmu_tier_walk_in in = walk(r, cfg);
                for (Unit *u : {&whole, &steps}) {
                    if (in.replay)
                        (void)gmmu_tier_replay(&u->unit, in);
                    else
                        (void)gmmu_tier_walk(&u->unit, in);
                }
            } else {
                const gmmu_tier_drv_in in = operation(r, cfg);
                for (Unit *u : {&whole, &steps}) (void)gmmu_tier_drv(&u->unit, in);
            }
            gmmu_tier_settle(&whole.unit, Unit::decided, &whole);
            gmmu_step_kind did;
            while ((did = gmmu_tier_step(&steps.unit, &at, Unit::decided, &steps)) !=
                   GMMU_STEP_NONE)
                seen.insert(did);
            ASSERT_EQ(at.phase, 0u);
            ASSERT_LT(gmmu_record_feed_next(&steps.unit.feed), 0) << "records are left";
            ASSERT_EQ(steps.told, whole.told) << "action " << i;
            whole.told.clear();
            steps.told.clear();
        }
        const gmmu_counters a = gmmu_tier_counters(&whole.unit),
                            b = gmmu_tier_counters(&steps.unit);
#define SAME(name) EXPECT_EQ(a.name, b.name) << #name;
        GMMU_COUNTERS(SAME)
#undef SAME
        for (const gmmu_step_kind s : kind.special) EXPECT_TRUE(seen.count(s)) << gmmu_step_name(s);
        all.insert(seen.begin(), seen.end());
    }
    EXPECT_EQ(all.size(), static_cast<size_t>(GMMU_STEPS - 1)) << "each kind of step was seen";
    EXPECT_STREQ(gmmu_step_name(GMMU_STEP_TOUCH), "TOUCH");
    EXPECT_EQ(gmmu_step_name(GMMU_STEP_NONE), nullptr);
    EXPECT_EQ(gmmu_step_name(GMMU_STEPS), nullptr);
}

}  // namespace
