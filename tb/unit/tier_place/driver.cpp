// SPDX-License-Identifier: Apache-2.0
// driver.cpp: the tiers of the twin with a driver that keeps to the protocol: no page is in two
// tiers, and nothing that was written is lost.
//
// Each copy of a page has a version: a store makes a new one in Tier 1, and a page moves with its
// version. The driver writes a page to Tier 3 only if the unit says that it is dirty, or if it was
// written after its DECIDE; what comes from Tier 3 must be the newest.
// State space: walks and the driver's steps at random between the unit's actions; decisions that
// wait, are followed or cancelled, pages of Tier 2 that are rescued, raised, dropped; the three
// ways of a swap. Parameter space: cfg_tier 1 to 4, cfg_t2_full, cfg_tie, all searches; 1 to 12
// frames, 1 to 24 slots, 1 to 4 faults.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <deque>
#include <random>
#include <vector>

#include "blocks/config.h"
#include "blocks/gmmu_tier.h"
#include "random_trace.h"

namespace {

enum : uint32_t { MANY = 60, NOWHERE = UINT32_MAX };

struct Moved {
    uint64_t actions = 0, up = 0, down = 0, swaps = 0, read = 0, written = 0, cancelled = 0,
             rescued = 0, dropped = 0, asked = 0, late = 0;
};

class Machine {
   public:
    Machine(uint64_t seed, Moved *moved) : rng_(seed), moved_(*moved) {
        gmmu_config c = *gmmu_config_find("tiny");
        c.frames = 1 + below(12);
        c.faults = 1 + below(c.frames < 4 ? c.frames : 4);
        c.late = 0;
        c.t2_slots = 1 + below(24);
        c.sampler = 8;
        c.sways = 2;
        c.time_w = 16;
        c.pool = 1u << 2 * below(3);
        c.k = 1 + below(12);
        gmmu_regs r = gmmu_regs_default(&c);
        r.tier = 1 + below(4);
        r.t2_full = below(2);
        r.tie = below(2);
        r.search = below(3);
        r.tier_model = !one_in(3);
        r.tier_near = below(20);
        r.tier_far = r.tier_near + below(60);
        r.t2_slots = one_in(2) ? c.t2_slots : 1 + below(c.t2_slots);
        memory_.resize(gmmu_tier_bytes(&c));
        EXPECT_EQ(gmmu_tier_init(&u_, &c, &r, memory_.data(), memory_.size()), 0);
        frame_.resize(c.frames);
        slot_.resize(r.t2_slots);
        for (unsigned row = 0; row < c.classes; row++) {
            u_.ppuc.ready[row] = u_.rit.way[row].gen + 1u;
            for (unsigned bin = 0; bin < c.bins; bin++)
                u_.ppuc.priority[row * c.bins + bin] = static_cast<uint16_t>(below(6));
        }
    }
    Machine(const Machine &) = delete;
    Machine &operator=(const Machine &) = delete;

    void step() {
        moved_.actions++;
        const unsigned kind = below(10);
        if (kind < 4)
            walk();
        else if (kind < 7)
            advance();
        else if (kind < 9 && !decisions_.empty())
            follow();
        else if (one_in(4))
            own_idea();
        check();
    }
    void finish() const {
        const gmmu_counters n = gmmu_tier_counters(&u_);
        EXPECT_EQ(n.drv_errors, 0u);
        EXPECT_EQ(n.stale_hits, 0u);
        EXPECT_EQ(n.fault_drops, dropped_);
    }

   private:
    // What lies in a frame or in a slot.
    struct Copy {
        uint32_t page = NOWHERE, version = 0;
        bool late = false;    // a frame: written since its DECIDE
        bool mapped = false;  // a frame: walks find it
    };
    struct Page {
        uint32_t frame = NOWHERE, slot = NOWHERE;  // in the page table
        uint32_t newest = 0, stored = 0;           // versions: of all copies, in Tier 3
    };
    std::mt19937_64 rng_;
    Moved &moved_;
    gmmu_tier u_ = {};
    std::vector<char> memory_;
    std::vector<Copy> frame_, slot_;
    std::vector<Page> page_ = std::vector<Page>(MANY);
    std::deque<gmmu_tier_decision> decisions_;
    unsigned at_ = 0;  // steps of the first one that are done
    uint64_t dropped_ = 0;

    uint32_t below(uint64_t n) { return static_cast<uint32_t>(rng_() % n); }
    bool one_in(unsigned n) { return below(n) == 0; }

    void drv(unsigned op, uint32_t frame, uint32_t page, uint32_t slot, bool t2 = false,
             bool dirty = false) {
        gmmu_tier_drv_in in = {};
        in.op = op;
        in.frame = frame == NOWHERE ? 0 : frame;
        in.vpn = page;
        in.t2 = t2;
        in.slot = slot == NOWHERE ? 0 : slot;
        in.dirty = dirty;
        const gmmu_tier_drv_out out = gmmu_tier_drv(&u_, in);
        EXPECT_FALSE(out.refused) << "op " << op;
        EXPECT_FALSE(out.t2_stale) << "op " << op;
        dropped_ += out.fault == GMMU_FAULT_DROPPED;
    }
    void store(const Copy &c) {
        page_[c.page].stored = c.version;
        moved_.written++;
    }

    void walk() {
        const uint32_t page = below(one_in(2) ? MANY / 4 : MANY);
        Page &p = page_[page];
        gmmu_tier_walk_in w = {};
        w.vpn = page;
        w.ref = below(12);
        w.write = one_in(3);
        w.fault = p.frame == NOWHERE;
        w.frame = w.fault ? 0 : p.frame;
        w.t2 = w.fault && p.slot != NOWHERE;
        w.slot = w.t2 ? p.slot : 0;
        const gmmu_tier_walk_out out = gmmu_tier_walk(&u_, w);
        dropped_ += w.fault && gmmu_tier_enter(&u_).outcome == GMMU_FAULT_DROPPED;
        if (w.fault || !w.write)
            return;
        EXPECT_TRUE(out.reuse.valid);
        Copy &c = frame_[p.frame];
        c.version = ++p.newest;
        c.late = true;
    }

    // One action of the unit, if one is due.
    void advance() {
        for (const unsigned kind :
             {GMMU_TP_STAY, GMMU_TP_AGE, GMMU_TP_LOOK, GMMU_TP_RETURN, GMMU_TP_LEAVE})
            if (gmmu_tier_foretell_owed(&u_, kind)) {
                (void)gmmu_tier_foretell(&u_, kind);
                return;
            }
        uint32_t index;
        if (u_.side.age_owed) {
            (void)gmmu_tier_age(&u_, &index);
            return;
        }
        if (gmmu_tier_placing(&u_))
            place();
        else if (u_.faults.queue.undecided != 0)
            decide();
    }
    void decide() {
        const unsigned head = static_cast<unsigned>(gmmu_fault_queue_head(&u_.faults.queue));
        if (!gmmu_tier_needs_no_search(&u_, head) &&
            gmmu_victim_select_best(&u_.select) == nullptr &&
            u_.select.rounds < GMMU_SEARCH_ROUNDS) {
            gmmu_tier_round(&u_);
            return;
        }
        const gmmu_tier_decision d = gmmu_tier_decide(&u_);
        if (d.tier == GMMU_TIER_2) {
            Copy &c = frame_[d.frame];
            EXPECT_EQ(c.page, d.victim_vpn);
            c.late = false;
            EXPECT_TRUE(d.victim_dirty || c.version == page_[c.page].stored);
        }
        if (d.tier == GMMU_TIER_NONE)
            decisions_.push_back(d);
    }
    void place() {
        if (gmmu_tier_rise_owed(&u_))
            (void)gmmu_tier_rise(&u_, u_.place.slot);
        else if (u_.place.d.tier == GMMU_TIER_FREE)
            decisions_.push_back(gmmu_tier_unplaced(&u_));
        else if (gmmu_tier_needs_cand2(&u_))
            gmmu_tier_round2(&u_);
        else
            placed(gmmu_tier_placed(&u_));
    }
    void placed(const gmmu_tier_decision &d) {
        if (d.tier == GMMU_TIER_RETRY)
            return;
        if (d.t2_valid) {
            const Copy &c = slot_[d.t2_slot];
            EXPECT_EQ(c.page, d.t2_vpn);
            EXPECT_TRUE(d.t2_dirty || c.version == page_[c.page].stored);
        }
        decisions_.push_back(d);
    }

    uint32_t free_frame() const {
        for (uint32_t f = 0; f < frame_.size(); f++)
            if (frame_[f].page == NOWHERE)
                return f;
        return NOWHERE;
    }
    // A slot that is empty in the unit, too.
    uint32_t empty_slot() const {
        for (uint32_t s = 0; s < slot_.size(); s++)
            if (slot_[s].page == NOWHERE)
                return s;
        return NOWHERE;
    }

    // The next step of the oldest decision.
    void follow() {
        const gmmu_tier_decision d = decisions_.front();
        const uint32_t page = static_cast<uint32_t>(d.vpn);
        if (d.tier == GMMU_TIER_NONE) {
            decisions_.pop_front();
            return;
        }
        const bool victim = d.tier != GMMU_TIER_FREE;
        if (at_ == 0 && page_[page].frame != NOWHERE) {  // it stayed, by a CANCEL since its fault
            EXPECT_TRUE(has_fault(page, true));
            drv(GMMU_CANCEL, victim ? d.frame : page_[page].frame, page, NOWHERE);
            if (leaves(d))
                drv(GMMU_T2_CANCEL, NOWHERE, 0, d.t2_slot);
            done();
            return;
        }
        switch (at_++) {
            case 0:  // walks find them no more
                if (victim)
                    unmap(d);
                break;
            case 1:
                if (one_in(8) && victim) {
                    cancel(d);
                    done();
                }
                break;
            case 2:
                if (victim)
                    move_out(d);
                if (!victim || frame_[d.frame].page != page)
                    break;
                [[fallthrough]];  // they changed places
            default: {
                const uint32_t frame = victim ? d.frame : free_frame();
                ASSERT_NE(frame, NOWHERE);
                bring(frame, page);
                done();
            }
        }
    }
    void done() {
        decisions_.pop_front();
        at_ = 0;
    }
    void unmap(const gmmu_tier_decision &d) {
        Copy &c = frame_[d.frame];
        ASSERT_EQ(c.page, d.victim_vpn);
        page_[c.page].frame = NOWHERE;
        c.mapped = false;
        moved_.late += c.late;
    }
    // Is the page that D wants out of Tier 2 still there? An earlier decision may have raised it.
    bool leaves(const gmmu_tier_decision &d) const {
        return d.t2_valid && slot_[d.t2_slot].page == d.t2_vpn &&
               gmmu_tier2_table_state(&u_.place.slots, d.t2_slot) == GMMU_SLOT_LEAVING;
    }
    void cancel(const gmmu_tier_decision &d) {
        Page &faulting = page_[d.vpn];
        drv(GMMU_CANCEL, d.frame, static_cast<uint32_t>(d.vpn), faulting.slot, d.rise);
        if (leaves(d))
            drv(GMMU_T2_CANCEL, NOWHERE, 0, d.t2_slot);
        Copy &c = frame_[d.frame];
        page_[c.page].frame = d.frame;
        c.mapped = true;
        moved_.cancelled++;
        // an undecided fault of it ends; a decided one's decision is cancelled when it comes
        if (one_in(2) && !has_fault(c.page, true))
            drv(GMMU_FILL, d.frame, c.page, NOWHERE, false,
                d.victim_dirty || c.version != page_[c.page].stored);
    }
    bool has_fault(uint32_t page, bool decided = false) const {
        for (unsigned i = 0; i < u_.cfg.faults; i++) {
            const gmmu_fault &f = u_.faults.queue.fault[i];
            if (f.valid && f.vpn == page && (f.decided || !decided))
                return true;
        }
        return false;
    }
    // The victim leaves its frame, and who leaves Tier 2 for it before that.
    void move_out(const gmmu_tier_decision &d) {
        Copy &c = frame_[d.frame];
        uint32_t to = NOWHERE;
        const bool leaver = leaves(d);
        if (leaver && one_in(6)) {
            drv(GMMU_T2_CANCEL, NOWHERE, 0, d.t2_slot);
            moved_.rescued++;
        } else if (leaver) {
            to = d.t2_slot;
            if (d.t2_dirty)
                store(slot_[to]);
            page_[slot_[to].page].slot = NOWHERE;
            slot_[to] = {};
        }
        if (d.swap && one_in(2)) {
            swap(d);
            return;
        }
        if (d.swap && one_in(2))
            into_buffer(static_cast<uint32_t>(d.vpn));
        if (d.tier == GMMU_TIER_2 && (to == NOWHERE || one_in(2)) && empty_slot() != NOWHERE)
            to = empty_slot();
        if (d.tier == GMMU_TIER_2 && to != NOWHERE) {
            drv(GMMU_T2_FILL_DONE, d.frame, 0, to);
            slot_[to] = c;
            page_[c.page].slot = to;
            moved_.down++;
        } else if (d.victim_dirty || c.late) {
            store(c);
        }
        if (leaver && slot_[d.t2_slot].page == NOWHERE)
            drv(GMMU_T2_FREE, NOWHERE, 0, d.t2_slot);
        c = {};
    }
    Copy buffer_;
    // PAGE leaves Tier 2 before it comes into its frame: what is said of dirty is the driver's.
    void into_buffer(uint32_t page) {
        const uint32_t slot = page_[page].slot;
        buffer_ = slot_[slot];
        drv(GMMU_T2_FREE, NOWHERE, 0, slot);
        page_[page].slot = NOWHERE;
        slot_[slot] = {};
    }

    void swap(const gmmu_tier_decision &d) {
        Copy &c = frame_[d.frame];
        const uint32_t slot = page_[d.vpn].slot;
        drv(GMMU_T2_SWAP, d.frame, static_cast<uint32_t>(d.vpn), slot);
        std::swap(c, slot_[slot]);
        page_[slot_[slot].page].slot = slot;
        page_[d.vpn].slot = NOWHERE;
        moved_.swaps++;
    }
    // PAGE comes into FRAME, from where it is.
    void bring(uint32_t frame, uint32_t page) {
        Page &p = page_[page];
        Copy &c = frame_[frame];
        // a decision that is not known yet may want it out: then FILL would not take it from there
        if (p.slot != NOWHERE &&
            gmmu_tier2_table_state(&u_.place.slots, p.slot) == GMMU_SLOT_LEAVING)
            into_buffer(page);
        if (c.page == page) {  // it changed places with the victim
        } else if (buffer_.page == page) {
            drv(GMMU_FILL, frame, page, NOWHERE, false, buffer_.version != p.stored);
            c = buffer_;
            buffer_ = {};
        } else if (p.slot != NOWHERE) {
            drv(GMMU_FILL, frame, page, p.slot, true);
            c = slot_[p.slot];
            slot_[p.slot] = {};
            p.slot = NOWHERE;
            moved_.up++;
        } else {
            EXPECT_EQ(p.stored, p.newest) << "page " << page << " was lost";
            drv(GMMU_FILL, frame, page, NOWHERE);
            c = {page, p.stored, false, false};
            moved_.read++;
        }
        EXPECT_EQ(c.version, p.newest) << "page " << page << " is an old one";
        c.late = false;
        c.mapped = true;
        p.frame = frame;
        EXPECT_FALSE(has_fault(page)) << page;
    }

    // A page of Tier 2 is raised, or dropped.
    void own_idea() {
        const uint32_t s = below(slot_.size());
        const uint32_t page = slot_[s].page;
        if (page == NOWHERE || gmmu_tier2_table_state(&u_.place.slots, s) != GMMU_SLOT_HELD)
            return;
        if (!one_in(3)) {
            drv(GMMU_ASK, NOWHERE, page, s, true);
            moved_.asked++;
            return;
        }
        store(slot_[s]);
        drv(GMMU_T2_FREE, NOWHERE, 0, s);
        page_[page].slot = NOWHERE;
        slot_[s] = {};
        moved_.dropped++;
    }

    // The unit and the driver agree, and what is not in Tier 3 is dirty.
    void check() const {
        std::vector<unsigned> places(MANY);
        for (uint32_t f = 0; f < frame_.size(); f++) {
            const gmmu_frame is = gmmu_frame_table_get(&u_.frames.table, f);
            const Copy &c = frame_[f];
            if (is.leaving && c.page == NOWHERE)
                continue;  // it was written to Tier 3
            ASSERT_EQ(is.valid, c.page != NOWHERE) << "frame " << f;
            if (!is.valid)
                continue;
            ASSERT_EQ(is.vpn, c.page) << "frame " << f;
            EXPECT_TRUE(is.dirty || c.version == page_[c.page].stored) << "frame " << f;
            places[c.page] += !is.leaving;
        }
        uint32_t held = 0;
        for (uint32_t s = 0; s < slot_.size(); s++) {
            const unsigned state = gmmu_tier2_table_state(&u_.place.slots, s);
            const gmmu_frame is = gmmu_tier2_table_get(&u_.place.slots, s);
            const Copy &c = slot_[s];
            held += state == GMMU_SLOT_HELD;
            if (state == GMMU_SLOT_LEAVING && c.page == NOWHERE)
                continue;  // it was written to Tier 3
            ASSERT_EQ(state != GMMU_SLOT_FREE, c.page != NOWHERE) << "slot " << s;
            if (c.page == NOWHERE)
                continue;
            ASSERT_EQ(is.vpn, c.page) << "slot " << s;
            EXPECT_TRUE(is.dirty || c.version == page_[c.page].stored) << "slot " << s;
            EXPECT_EQ(page_[c.page].slot, s);
            places[c.page] += state == GMMU_SLOT_HELD;
        }
        for (uint32_t p = 0; p < MANY; p++) EXPECT_LE(places[p], 1u) << "page " << p;
        EXPECT_EQ(u_.place.slots.held, held);
    }
};

TEST(TierPlace, NothingIsLostOrTwice) {
    const bool lots = std::getenv("GMMU_LONG") != nullptr;
    Moved m;
    for (uint64_t seed = 1; seed <= (lots ? 2000u : 60u) && !testing::Test::HasFailure(); seed++) {
        SCOPED_TRACE(seed);
        Machine machine(test_seed() * 10000 + seed, &m);
        for (int i = 0; i < 10000 && !testing::Test::HasFailure(); i++) machine.step();
        machine.finish();
    }
    const struct {
        const char *name;
        uint64_t n;
    } all[] = {{"up", m.up},           {"down", m.down},       {"swaps", m.swaps},
               {"reads", m.read},      {"writes", m.written},  {"cancelled", m.cancelled},
               {"rescued", m.rescued}, {"dropped", m.dropped}, {"asked", m.asked},
               {"late", m.late}};
    std::printf("[ vectors  ] tier_place, driver: %llu steps",
                static_cast<unsigned long long>(m.actions));
    for (const auto &a : all) {
        std::printf(", %llu %s", static_cast<unsigned long long>(a.n), a.name);
        EXPECT_GT(a.n, 20u) << a.name;
    }
    std::printf("\n");
}

}  // namespace
