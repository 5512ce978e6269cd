// SPDX-License-Identifier: Apache-2.0
// random.cpp: the tiers of the twin against docs/reference/blocks/tier_place.md, literally
// (slow_tiers.h).
//
// State space: random actions, one at a time: walks that hit, miss and lie, operations of the
// driver that fit or do not, with and without slots, in any order; decisions that wait for their
// place while these go on; rounds of CAND2 slot by slot and in one go, broken off; AGE; time that
// comes round. Parameter space: all of cfg_tier, cfg_t2_full, cfg_tie, all searches, changed on
// the way; 1 to 40 slots, of which none to all are enabled, 2 to 10 frames, 1 to 4 faults, POOL 1,
// 4, 16. After each action all frames, slots, faults and counts are compared.
#include <gtest/gtest.h>

#include <cstdio>
#include <random>

#include "random_trace.h"
#include "tier_place/slow_tiers.h"

namespace {

enum : unsigned { PAGES = 30 };

struct Seen {
    uint64_t actions = 0, rises = 0, swaps = 0, evictions = 0, room = 0, to_3 = 0, retries = 0,
             gone = 0, none = 0, refused = 0, stale = 0, stays = 0, clamped = 0, forced = 0,
             kept = 0, most_kept = 0;
};

class Random {
   public:
    Random(uint64_t seed, Seen *seen)
        : rng_(seed), seen_(*seen), cfg_(sizes()), slow_(cfg_, regs()) {
        memory_.resize(gmmu_tier_bytes(&cfg_));
        EXPECT_EQ(gmmu_config_error(&cfg_), nullptr);
        EXPECT_EQ(gmmu_tier_init(&u_, &cfg_, &slow_.regs, memory_.data(), memory_.size()), 0);
        new_priorities();
    }
    Random(const Random &) = delete;
    Random &operator=(const Random &) = delete;

    void step() {
        const uint32_t before = slow_.held() + slow_.claims();
        raises_ = false;
        act();
        seen_.actions++;
        compare();
        const uint32_t after = slow_.held() + slow_.claims();
        if (!raises_) {  // but for what the driver keeps, or puts back
            EXPECT_LE(after, std::max(before, slow_.regs.t2_slots));
        }
    }

   private:
    std::mt19937_64 rng_;
    Seen &seen_;
    gmmu_config cfg_;
    SlowTiers slow_;
    gmmu_tier u_ = {};
    std::vector<char> memory_;
    bool raises_ = false, changes_ = !one_in(3);

    uint32_t below(uint64_t n) { return static_cast<uint32_t>(rng_() % n); }
    bool one_in(unsigned n) { return below(n) == 0; }

    gmmu_config sizes() {
        gmmu_config c = *gmmu_config_find("tiny");
        c.frames = 2 + below(9);
        c.faults = 1 + below(c.frames < 4 ? c.frames : 4);
        c.late = 0;
        c.sampler = 8;
        c.sways = 2;
        c.time_w = 15;
        c.t2_slots = 1 + (one_in(3) ? below(40) : below(10));
        c.tp_sets = 1u << below(6);
        c.tp_ways = 1u << below(2);
        c.tp_tag_w = 1 + below(8);
        c.pool = 1u << 2 * below(3);
        c.k = 1 + below(20);
        return c;
    }
    gmmu_regs regs() {
        gmmu_regs r = gmmu_regs_default(&cfg_);
        r.t2_slots = one_in(20) ? 0 : one_in(2) ? cfg_.t2_slots : 1 + below(cfg_.t2_slots);
        return searches(r);
    }
    gmmu_regs searches(gmmu_regs r) {
        r.tier = one_in(20) ? 0 : one_in(2) ? 4 : 1 + below(3);
        r.search = below(3);
        r.t2_full = one_in(3);
        r.tie = below(2);
        r.tier_default = below(2);
        r.tier_model = !one_in(4);
        r.tier_near = one_in(3) ? 0 : below(30);
        r.tier_far = r.tier_near + (one_in(2) ? 0 : below(60));
        if (one_in(8)) {  // pages are kept
            r.tier = GMMU_PLACE_REUSE;
            r.search = GMMU_SEARCH_CLOCK;
            r.tier_model = 1;
            r.tier_near = 500 + below(500);
            r.tier_far = 1000;
        }
        return r;
    }
    void new_priorities() {
        for (unsigned row = 0; row < cfg_.classes; row++) {
            u_.ppuc.ready[row] = row != 0 && one_in(4) ? 0 : u_.rit.way[row].gen + 1u;
            for (unsigned bin = 0; bin < cfg_.bins; bin++)
                u_.ppuc.priority[row * cfg_.bins + bin] = static_cast<uint16_t>(below(4));
        }
    }

    // Often one that is in Tier 2.
    SlowPage any_page() {
        const SlowSlot &s = slow_.slots[below(slow_.slots.size())];
        return s.state != GMMU_SLOT_FREE && one_in(3) ? s.page
                                                      : SlowPage{below(2), below(PAGES / 2)};
    }
    // Mostly one that PICK likes.
    template <class F>
    uint32_t some(size_t n, F pick) {
        uint32_t i = below(n);
        for (unsigned tries = 0; tries < 20 && !pick(i); tries++) i = below(n);
        return i;
    }
    uint32_t any_slot(unsigned state) {
        return one_in(15) ? below(cfg_.t2_slots + 2) : some(slow_.slots.size(), [&](uint32_t i) {
            return slow_.slots[i].state == state;
        });
    }
    // A slot of PAGE, if one has it, or any.
    uint32_t slot_of(const SlowPage &page, bool *is) {
        for (uint32_t s = 0; s < slow_.slots.size(); s++)
            if (slow_.slots[s].state != GMMU_SLOT_FREE && slow_.slots[s].page == page) {
                *is = !one_in(15);
                return one_in(30) ? below(cfg_.t2_slots) : s;
            }
        *is = one_in(15);
        return below(cfg_.t2_slots);
    }

    void act() {
        const bool predictor = slow_.stay_owed || slow_.age_owed;
        if (u_.side.age_owed && one_in(2))
            age();
        else if (predictor && (slow_.stay_owed || one_in(2)))
            foretell(slow_.stay_owed ? GMMU_TP_STAY : GMMU_TP_AGE);
        else if (slow_.placing && one_in(2))
            place();
        else if (!slow_.placing && u_.faults.queue.undecided != 0 && one_in(2))
            decide();
        else if (one_in(150))
            for (unsigned i = below(one_in(10) ? 10000 : 300); i > 0; i--) walk_nowhere();
        else if (one_in(2))
            walk();
        else if (changes_ && one_in(50))
            configure();
        else
            drv();
    }

    void configure() {
        if (one_in(3))
            new_priorities();
        if (slow_.placing || u_.faults.queue.undecided != 0 || u_.place.owed != 0)
            return;
        const gmmu_regs r = searches(slow_.regs);
        gmmu_tier_configure(&u_, &r);
        slow_.configure(r);
    }

    void walk() {
        gmmu_tier_walk_in w = {};
        const uint32_t frame = below(slow_.regs.frames);
        SlowPage page = any_page();
        w.fault = !slow_.frames[frame].valid || !one_in(3);
        w.frame = frame;
        if (!w.fault && !one_in(10))
            page = slow_.frames[frame].page;
        w.asid = page.asid;
        w.vpn = page.vpn;
        w.ref = below(12);
        w.write = one_in(3);
        w.slot = slot_of(page, &w.t2);
        const gmmu_tier_walk_out out = gmmu_tier_walk(&u_, w);
        if (w.fault)
            (void)gmmu_tier_enter(&u_);
        slow_.walk(w, out.place.cls);
    }

    // Time goes on.
    void walk_nowhere() {
        gmmu_tier_walk_in w = {};
        w.frame = cfg_.frames;
        slow_.walk(w, gmmu_tier_walk(&u_, w).place.cls);
        if (u_.side.age_owed)
            age();
        if (slow_.age_owed)
            foretell(GMMU_TP_AGE);
    }

    void drv() {
        static const unsigned OPS[] = {
            GMMU_FILL,         GMMU_T2_SWAP,      GMMU_FILL,     GMMU_FILL, GMMU_FREE,
            GMMU_PIN,          GMMU_UNPIN,        GMMU_CANCEL,   GMMU_ASK,  GMMU_T2_FILL_DONE,
            GMMU_T2_FILL_DONE, GMMU_T2_FILL_DONE, GMMU_T2_CANCEL};
        gmmu_tier_drv_in in = {};
        in.op = one_in(50)   ? below(16)
                : one_in(30) ? unsigned{GMMU_T2_FREE}
                             : OPS[below(sizeof OPS / sizeof OPS[0])];
        const auto leaving = [&](uint32_t i) { return slow_.frames[i].leaving; };
        const auto to2 = [&](uint32_t i) { return slow_.frames[i].to2; };
        const auto empty = [&](uint32_t f) { return !slow_.frames[f].valid; };
        in.frame = below(slow_.frames.size());
        if (one_in(20))
            in.frame = below(cfg_.frames + 2);
        else if (in.op == GMMU_T2_FILL_DONE || in.op == GMMU_T2_SWAP)
            in.frame = some(slow_.frames.size(), to2);
        else if (in.op == GMMU_FILL && !one_in(3))
            in.frame = some(slow_.frames.size(), empty);
        else if (one_in(2))
            in.frame = some(slow_.frames.size(), leaving);
        SlowPage page = any_page();
        if (in.op != GMMU_ASK && !slow_.faults.empty() && !one_in(8))
            page = slow_.faults[below(slow_.faults.size())].page;
        if (in.op == GMMU_T2_SWAP) {
            in.slot = any_slot(GMMU_SLOT_RISING);
            if (in.slot < slow_.slots.size() && !one_in(10))
                page = slow_.slots[in.slot].page;
        }
        in.asid = page.asid;
        in.vpn = page.vpn;
        in.dirty = one_in(4);
        const uint32_t slot = slot_of(page, &in.t2);
        if (in.op != GMMU_T2_SWAP)
            in.slot = slot;
        if (in.op == GMMU_T2_FILL_DONE)
            in.slot = any_slot(one_in(2) ? GMMU_SLOT_FREE : GMMU_SLOT_LEAVING);
        if (in.op == GMMU_T2_CANCEL)
            in.slot = any_slot(GMMU_SLOT_LEAVING);
        if (in.op == GMMU_T2_FREE)
            in.slot = any_slot(1 + below(3));
        const gmmu_victim_cand *best = gmmu_victim_select_best(&u_.place.slots.select);
        if (best != nullptr && one_in(3)) {  // the candidate goes away
            in.op = GMMU_T2_FREE;
            in.slot = best->frame;
        }
        raises_ = in.op == GMMU_T2_CANCEL || in.op == GMMU_CANCEL;
        const gmmu_tier_drv_out out = gmmu_tier_drv(&u_, in);
        const SlowTiers::Did did = slow_.drv(in);
        EXPECT_EQ(out.refused, did.refused) << "op " << in.op;
        EXPECT_EQ(out.t2_stale, did.stale) << "op " << in.op;
        seen_.refused += did.refused;
        seen_.stale += did.stale;
    }

    void age() {
        uint32_t index = 0;
        const bool clamped = gmmu_tier_age(&u_, &index);
        const uint32_t entry = index - cfg_.frames;
        if (entry < cfg_.faults) {
            const gmmu_fault &f = u_.faults.queue.fault[entry];
            if (clamped) {
                EXPECT_TRUE(slow_.clamp(*slow_.find({f.asid, f.vpn})));
            }
            return;
        }
        EXPECT_EQ(clamped, slow_.age(index)) << index;
        seen_.clamped += clamped && index > cfg_.frames;
    }

    void foretell(unsigned kind) {
        EXPECT_TRUE(gmmu_tier_foretell_owed(&u_, kind)) << kind;
        const gmmu_tp_answer a = gmmu_tier_foretell(&u_, kind), b = slow_.foretell(kind);
        EXPECT_EQ(a.found, b.found);
        EXPECT_EQ(a.pred, b.pred);
        EXPECT_EQ(a.right, b.right);
        EXPECT_EQ(a.tier, b.tier);
        EXPECT_EQ(a.forced, b.forced);
        EXPECT_EQ(a.clamped, b.clamped);
        EXPECT_FALSE(gmmu_tier_foretell_owed(&u_, kind)) << kind;
        seen_.stays += kind == GMMU_TP_STAY;
    }

    void decide() {
        const int head = gmmu_fault_queue_head(&u_.faults.queue);
        if (!gmmu_tier_needs_no_search(&u_, static_cast<unsigned>(head)) &&
            gmmu_victim_select_best(&u_.select) == nullptr &&
            u_.select.rounds < GMMU_SEARCH_ROUNDS) {
            gmmu_tier_round(&u_);
            const gmmu_victim_cand *c = gmmu_victim_select_best(&u_.select);
            if (c != nullptr && u_.select.clock)
                slow_.took(c->frame);
            return;
        }
        if (slow_.look_owed) {
            foretell(GMMU_TP_LOOK);
            return;
        }
        const gmmu_victim_cand *c = gmmu_victim_select_best(&u_.select);
        const bool keeps = slow_.keeps && c != nullptr;
        const gmmu_victim_cand best = c != nullptr ? *c : gmmu_victim_cand{};
        const gmmu_tier_decision d = gmmu_tier_decide(&u_);
        if (keeps && d.tier != GMMU_TIER_FREE && d.tier != GMMU_TIER_NONE) {
            const SlowFrame &f = slow_.frames[best.frame];
            EXPECT_EQ(d.tier, GMMU_TIER_RETRY);
            EXPECT_EQ(d.kept, f.valid && !f.leaving && !f.pinned && f.last == best.last);
            EXPECT_TRUE(!d.kept || u_.frames.table.page[best.frame].used);
        } else {
            EXPECT_FALSE(d.kept);
        }
        seen_.kept += d.kept;
        if (d.tier == GMMU_TIER_RETRY) {
            slow_.decided(d);
            seen_.most_kept = std::max<uint64_t>(seen_.most_kept, slow_.kept);
            return;
        }
        if (d.tier == GMMU_TIER_2) {  // what was written is dirty
            const SlowFrame &f = slow_.frames[d.frame];
            EXPECT_TRUE(f.valid && !f.leaving && !f.pinned);
            EXPECT_TRUE((f.page == SlowPage{d.victim_asid, d.victim_vpn}));
            EXPECT_EQ(d.victim_dirty, f.dirty);
            EXPECT_EQ(d.victim_last, f.last);
        }
        slow_.decided(d);
    }

    void place() {
        if (slow_.return_owed || slow_.leave_owed) {
            EXPECT_EQ(gmmu_tier_foretell_owed(&u_, GMMU_TP_LEAVE), !slow_.return_owed);
            foretell(slow_.return_owed ? GMMU_TP_RETURN : GMMU_TP_LEAVE);
        } else if (slow_.rise_owed) {
            const uint32_t sum = slow_.held() + slow_.claims();
            EXPECT_EQ(u_.place.slot, slow_.of.slot);
            const bool rises = gmmu_tier_rise(&u_, u_.place.slot);
            EXPECT_EQ(rises, slow_.rise());
            EXPECT_EQ(slow_.held() + slow_.claims(), sum - rises);
            seen_.rises += rises;
        } else if (slow_.needs_search()) {
            if (one_in(200))  // it need not wait for the search
                placed();
            else
                search();
        } else if (u_.place.d.tier == GMMU_TIER_FREE) {
            const gmmu_tier_decision d = gmmu_tier_unplaced(&u_);
            expect_same(d, slow_.placed());
        } else {
            placed();
        }
    }
    void search() {
        const bool all = one_in(2);
        const unsigned rounds = u_.place.slots.select.rounds;
        if (all)
            gmmu_tier_round2(&u_);
        do {
            const uint32_t slot = slow_.search.next(slow_.regs, cfg_.k);
            const SlowSlot &s = slow_.slots[slot];
            const bool eligible = slow_.eligible(slot);
            const unsigned row =
                gmmu_ppuc_serving_row(&u_.ppuc, s.cls, gmmu_ref_rit_current(&u_.rit, s.cls));
            const uint16_t priority =
                gmmu_ppuc_priority(&u_.ppuc, row, (slow_.time - s.last) & slow_.mask);
            if (!all) {
                EXPECT_EQ(gmmu_victim_select_next(&u_.place.slots.select, slow_.regs.t2_slots),
                          slot);
                const gmmu_tier_cand_out out = gmmu_tier_cand2(&u_, slot);
                EXPECT_EQ(out.eligible, eligible);
                EXPECT_EQ(out.candidate.frame, slot);
                if (eligible) {
                    EXPECT_EQ(out.row, row);
                    EXPECT_EQ(out.candidate.priority, priority);
                    EXPECT_EQ(out.candidate.last, s.last);
                }
            }
            slow_.search.offer(slow_.regs, cfg_.pool, slow_.mask, {slot, priority, s.last},
                               eligible);
        } while (slow_.search.active && (all || !one_in(4)));
        const auto best = slow_.search.best(slow_.regs, slow_.mask);
        const gmmu_victim_select &v = u_.place.slots.select;
        ASSERT_EQ(gmmu_victim_select_best(&v) == nullptr, best.empty());
        if (!best.empty()) {
            EXPECT_EQ(v.best.frame, best[0].slot);
            EXPECT_EQ(v.best.priority, slow_.regs.tier == 4 ? best[0].priority : v.best.priority);
        }
        EXPECT_EQ(v.rounds, slow_.search.rounds);
        EXPECT_GE(v.rounds, rounds);
    }
    void placed() {
        raises_ = slow_.d.rise;  // the place that the faulting page left
        const bool retry_for_search = slow_.needs_search();
        const uint32_t none = slow_.none;
        const gmmu_tier_decision d = gmmu_tier_placed(&u_), m = slow_.placed();
        expect_same(d, m);
        seen_.retries += d.tier == GMMU_TIER_RETRY && !retry_for_search;
        seen_.swaps += d.tier == GMMU_TIER_2 && d.swap;
        seen_.evictions += d.tier == GMMU_TIER_2 && d.t2_valid;
        seen_.room += d.tier == GMMU_TIER_2 && !d.t2_valid && !d.swap;
        seen_.to_3 += d.tier == GMMU_TIER_3;
        seen_.gone += d.tier == GMMU_TIER_3 && d.rise && !slow_.to3;
        seen_.none += slow_.none != none;
        seen_.forced += d.forced;
    }
    static void expect_same(const gmmu_tier_decision &a, const gmmu_tier_decision &b) {
        ASSERT_EQ(a.tier, b.tier);
        EXPECT_EQ(a.frame, b.frame);
        EXPECT_EQ(a.vpn, b.vpn);
        EXPECT_EQ(a.seq, b.seq);
        EXPECT_EQ(a.victim_vpn, b.victim_vpn);
        EXPECT_EQ(a.rise, b.rise);
        EXPECT_EQ(a.swap, b.swap);
        EXPECT_EQ(a.pred, b.pred);
        EXPECT_EQ(a.forced, b.forced);
        EXPECT_EQ(a.t2_valid, b.t2_valid);
        EXPECT_EQ(a.t2_slot, b.t2_slot);
        EXPECT_EQ(a.t2_asid, b.t2_asid);
        EXPECT_EQ(a.t2_vpn, b.t2_vpn);
        EXPECT_EQ(a.t2_dirty, b.t2_dirty);
    }

    static void expect_copy(const gmmu_frame &a, const SlowCopy &b) {
        EXPECT_TRUE((SlowPage{a.asid, a.vpn} == b.page));
        EXPECT_EQ(a.cls.row, b.cls.row);
        EXPECT_EQ(a.cls.gen, b.cls.gen);
        EXPECT_EQ(a.last, b.last);
        EXPECT_EQ(a.dirty, b.dirty);
    }
    void compare() const {
        for (uint32_t i = 0; i < cfg_.frames; i++) {
            const gmmu_frame f = gmmu_frame_table_get(&u_.frames.table, i);
            const SlowFrame &m = slow_.frames[i];
            ASSERT_EQ(f.valid, m.valid) << i;
            ASSERT_EQ(f.leaving, m.leaving) << i;
            ASSERT_EQ(f.leaving && f.to2, m.to2) << i;
            if (m.valid)
                expect_copy(f, m);
        }
        for (uint32_t i = 0; i < cfg_.t2_slots; i++) {
            ASSERT_EQ(gmmu_tier2_table_state(&u_.place.slots, i), slow_.slots[i].state) << i;
            if (slow_.slots[i].state != GMMU_SLOT_FREE)
                expect_copy(gmmu_tier2_table_get(&u_.place.slots, i), slow_.slots[i]);
        }
        unsigned used = 0;
        for (unsigned i = 0; i < cfg_.faults; i++) {
            const gmmu_fault &f = u_.faults.queue.fault[i];
            used += f.valid;
            if (f.valid)
                expect_fault(f);
        }
        ASSERT_EQ(used, slow_.faults.size());
        EXPECT_EQ(u_.place.slots.held, slow_.held());
        EXPECT_EQ(u_.place.slots.claims, slow_.claims());
        const gmmu_counters n = gmmu_tier_counters(&u_);
        EXPECT_EQ(n.drv_errors, slow_.errors);
        EXPECT_EQ(n.t2_stale, slow_.stale);
        EXPECT_EQ(n.t2_none, slow_.none);
        EXPECT_EQ(gmmu_tier_placing(&u_), slow_.placing);
        EXPECT_EQ(gmmu_tier_rise_owed(&u_), slow_.rise_owed);
        EXPECT_EQ(gmmu_tier_foretell_owed(&u_, GMMU_TP_RETURN), slow_.return_owed);
        EXPECT_EQ(gmmu_tier_foretell_owed(&u_, GMMU_TP_STAY), slow_.stay_owed);
        EXPECT_EQ(gmmu_tier_foretell_owed(&u_, GMMU_TP_AGE), slow_.age_owed);
        EXPECT_EQ(gmmu_tier_needs_cand2(&u_), slow_.placing && slow_.needs_search());
    }
    void expect_fault(const gmmu_fault &f) const {
        for (const SlowFault &m : slow_.faults) {
            if (!(m.page == SlowPage{f.asid, f.vpn}))
                continue;
            EXPECT_EQ(f.t2, m.t2);
            EXPECT_TRUE(!m.t2 || f.slot == m.slot);
            EXPECT_EQ(f.decided, m.decided);
            EXPECT_EQ(f.last, m.last);
            EXPECT_EQ(f.cls.row, m.cls.row);
            EXPECT_EQ(f.dirty, m.dirty);
            return;
        }
        ADD_FAILURE() << "a fault of nobody";
    }
};

TEST(TierPlace, DoesWhatItsPageSays) {
    const bool lots = std::getenv("GMMU_LONG") != nullptr;
    Seen seen;
    for (uint64_t seed = 1; seed <= (lots ? 2000u : 120u) && !testing::Test::HasFailure(); seed++) {
        SCOPED_TRACE(seed);
        Random run(test_seed() * 10000 + seed, &seen);
        for (int i = 0; i < 10000 && !testing::Test::HasFailure(); i++) run.step();
    }
    std::printf(
        "[ vectors  ] tier_place: %llu actions; %llu rise, %llu swap, %llu have room, %llu for one "
        "that leaves, %llu to Tier 3 (%llu: %llu no candidate), %llu retries, %llu refused, %llu "
        "stale, %llu stay, %llu clamped, %llu forced; %llu kept, at most %llu in a search\n",
        static_cast<unsigned long long>(seen.actions), static_cast<unsigned long long>(seen.rises),
        static_cast<unsigned long long>(seen.swaps), static_cast<unsigned long long>(seen.room),
        static_cast<unsigned long long>(seen.evictions), static_cast<unsigned long long>(seen.to_3),
        static_cast<unsigned long long>(seen.gone), static_cast<unsigned long long>(seen.none),
        static_cast<unsigned long long>(seen.retries),
        static_cast<unsigned long long>(seen.refused), static_cast<unsigned long long>(seen.stale),
        static_cast<unsigned long long>(seen.stays), static_cast<unsigned long long>(seen.clamped),
        static_cast<unsigned long long>(seen.forced), static_cast<unsigned long long>(seen.kept),
        static_cast<unsigned long long>(seen.most_kept));
    for (const uint64_t n :
         {seen.rises, seen.swaps, seen.room, seen.evictions, seen.to_3, seen.gone, seen.none,
          seen.retries, seen.refused, seen.stale, seen.stays, seen.clamped, seen.forced, seen.kept})
        EXPECT_GT(n, 10u);
    EXPECT_EQ(seen.most_kept, 8u);
}

}  // namespace
