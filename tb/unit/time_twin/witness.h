// SPDX-License-Identifier: Apache-2.0
// witness.h: a slow, literal model of outstanding faults, arrived pages, fresh frames, credit and
// decisions, which sees what goes into the unit and what comes out, and judges both. It has no code
// of the unit, and reads the unit's state only to compare.
//
// Which victim is best is no matter of this model; whether a victim may leave is.
#pragma once
#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <vector>

#include "driver/twin_run.h"

class Witness : public driver::Watcher {
   public:
    using Page = driver::Page;
    struct Seen {  // how often
        uint64_t joined = 0, again = 0, late = 0, lost = 0, entered = 0, dropped = 0;
        uint64_t free = 0, victims = 0, none = 0, none_fresh = 0, filled = 0, ahead = 0;
        uint64_t by_force = 0;                // fresh frames that were named
        uint64_t used = 0;                    // fresh frames that were used
        uint64_t expired = 0;                 // fresh frames that were not used in time
        uint64_t crowded = 0;                 // of these: too many FILLs came behind
        uint64_t compared = 0;                // whole states
        unsigned most_faults = 0;             // of an access
        std::map<unsigned, uint64_t> faults;  // of so many served accesses
    };
    Seen seen;
    unsigned compare_every = 1;  // steps
    bool in_order = true;        // the driver keeps to the order: nothing but a CANCEL is refused
    // Faults of an access, at most. A replay's fault counts if the page came and left since the
    // fault before: it does not while the page is still outstanding, or got NONE.
    unsigned most_faults = UINT_MAX;

    explicit Witness(driver::TwinRun *run)
        : run_(run), u_(run->unit), frame_(run->unit.regs.frames) {
        run->watcher = this;
    }

    // A flush of an address space begins.
    void flush() {
        for (Arrived &a : ring_) a.counts = false;
        for (Frame &f : frame_)
            if (f.fresh)
                f.due = true;
    }
    // cfg_fresh is FRESH from now on: what is fresh may end at once, or in two of the new epochs.
    void fresh_changes(unsigned fresh) {
        for (Frame &f : frame_) f.loose = f.fresh;
        settles_ = went_ + (2ull << fresh);
    }

    void before_walk(const driver::Walker::Sent &s) override {
        went_++;
        time_ += !s.walk.replay;
        const Page page(s.walk.asid, s.walk.vpn);
        if (!s.walk.fault) {
            Frame &f = frame_[s.walk.frame];
            if (f.valid && f.page == page)
                use(&f, s.walk);
            else
                stale_++;
            return;
        }
        const unsigned outcome = fault(page, s.walk.replay, false, false);
        const auto it = outstanding_.find(page);
        if (it != outstanding_.end())
            it->second.dirty |= s.walk.write;
        count(s, outcome);
        // a page that is nowhere gets a decision, or has one
        ASSERT_TRUE(outcome != GMMU_FAULT_LATE || held(page))
            << where() << ": late fault of a page that is nowhere";
    }
    void walked(const driver::Walker::Sent &s) override {
        if (s.served) {
            const unsigned n = faults_[s.warp].n;
            seen.faults[n]++;
            seen.most_faults = std::max(seen.most_faults, n);
            faults_[s.warp] = Faults{};
        }
        ASSERT_LE(faults_[s.warp].n, most_faults) << where() << ": warp " << s.warp;
        settled();
    }
    void before_operation(const driver::Operation &o) override {
        refused_ = false;
        const bool frame = o.frame < frame_.size();
        switch (o.op) {
            case GMMU_FILL:
                fill(o);
                break;
            case GMMU_T2_SWAP: {  // whether slots permit it is no matter of this model
                gmmu_frame was;
                refused_ = !gmmu_tier_place_may_swap(&u_.place, &u_.regs, &u_.frames, &o, &was);
                if (!refused_)
                    fill(o);
                break;
            }
            case GMMU_FREE:
                leaves(o.frame);
                frame_[o.frame] = Frame{};
                break;
            case GMMU_PIN:
            case GMMU_UNPIN:
                frame_[o.frame].pinned = o.op == GMMU_PIN && frame_[o.frame].valid;
                break;
            case GMMU_CANCEL:
                ASSERT_TRUE(frame);
                cancel(o);
                break;
            case GMMU_ASK:
                (void)fault(driver::page_of(o), false, o.force, true);
                break;
            default:;
        }
    }
    void operated(const driver::Operation &o, const gmmu_tier_drv_out &out) override {
        if (o.op == GMMU_T2_FILL_DONE && !out.refused) {
            ASSERT_TRUE(frame_[o.frame].leaving) << where();
            frame_[o.frame] = Frame{};
        } else if (o.op < GMMU_T2_FILL_DONE || o.op == GMMU_T2_SWAP) {
            ASSERT_EQ(out.refused, refused_) << where() << ": operation " << o.op;
        }
        const bool may = o.op == GMMU_CANCEL || o.op == GMMU_T2_CANCEL;
        ASSERT_TRUE(!out.refused || may || !in_order) << where() << ": operation " << o.op;
        errors_ += out.refused;
        settled();
    }
    void decided(const driver::Decision &d) override {
        if (d.ahead) {
            ASSERT_TRUE(order_.empty()) << where() << ": ahead of a fault";
            ASSERT_LT(credit(), static_cast<int64_t>(u_.regs.ahead)) << where();
            seen.ahead++;
            victim(d, false);
            return;
        }
        const Page page = driver::page_of(d);
        ASSERT_FALSE(order_.empty()) << where() << ": a decision that nobody asked for";
        ASSERT_EQ(order_.front(), page) << where();
        order_.pop_front();
        Outstanding &o = outstanding_.at(page);
        if (o.filled) {
            seen.filled++;
            ASSERT_EQ(d.tier, GMMU_TIER_NONE + 0u) << where();
        } else {
            ASSERT_FALSE(arrived(page)) << where() << ": decision of a page that has arrived";
        }
        o.decided = d.tier != GMMU_TIER_NONE;
        if (!o.filled && credit() > (o.decided ? -1 : 0)) {
            // (the claim of D is counted already)
            ASSERT_EQ(d.tier, GMMU_TIER_FREE + 0u) << where();
            seen.free++;
        } else if (!o.filled && d.tier == GMMU_TIER_NONE) {
            nobody_leaves(d);
        } else if (!o.filled) {
            ASSERT_TRUE(driver::has_victim(d)) << where();
            seen.victims++;
            victim(d, o.force);
        }
        if (!o.decided)
            outstanding_.erase(page);
    }

   private:
    struct Frame {
        bool valid = false, leaving = false, pinned = false, fresh = false;
        bool due = false;    // fresh: EXPIRE may come at once
        bool loose = false;  // fresh: by another cfg_fresh than the one now
        Page page;
        uint64_t since = 0, fills = 0;  // walks and replays, and FILLs, when the frame became fresh
        uint64_t last = 0;              // number of the last access
        bool dirty = false;
    };
    struct Outstanding {
        bool decided = false, filled = false, force = false;
        uint64_t last = 0;  // number of the last access
        bool dirty = false;
    };
    struct Arrived {
        Page page;
        uint32_t frame;
        bool counts;
    };
    driver::TwinRun *const run_;
    const gmmu_tier &u_;
    std::vector<Frame> frame_;
    std::map<Page, Outstanding> outstanding_;
    std::deque<Page> order_;
    std::deque<Arrived> ring_;  // the newest is at the back
    struct Faults {
        unsigned n = 0;
        uint64_t came = 0;  // FILLs of the page before the last one that counts
    };
    std::map<unsigned, Faults> faults_;  // of each warp's access
    std::map<Page, uint64_t> came_;      // FILLs
    uint64_t went_ = 0, time_ = 0, fills_ = 0, stale_ = 0, errors_ = 0, steps_ = 0;
    bool refused_ = false;
    uint64_t settles_ = 0;  // then what is `loose` has ended

    std::string where() const { return "cycle " + std::to_string(run_->cycle); }
    uint64_t epoch() const { return 1ull << u_.regs.fresh; }

    // ---- pages
    bool held(Page page) const {
        for (const Frame &f : frame_)
            if (f.valid && !f.leaving && f.page == page)
                return true;
        return false;
    }
    bool arrived(Page page) const {
        for (const Arrived &a : ring_)
            if (a.counts && a.page == page)
                return true;
        return false;
    }
    // The page of frame F leaves F.
    void leaves(uint32_t f) {
        if (!frame_[f].valid)
            return;
        for (Arrived &a : ring_)
            if (a.frame == f && a.page == frame_[f].page)
                a.counts = false;
    }
    // Free frames that are not promised.
    int64_t credit() const {
        int64_t n = static_cast<int64_t>(frame_.size());
        for (const Frame &f : frame_) n -= f.valid && !f.leaving;
        for (const auto &o : outstanding_) n -= o.second.decided;
        return n;
    }

    // ---- faults
    unsigned fault(Page page, bool replay, bool force, bool ask) {
        const auto it = outstanding_.find(page);
        if (it != outstanding_.end()) {
            it->second.force |= force && !it->second.decided;
            if (ask)
                return GMMU_FAULT_JOINED;
            if (!replay)
                it->second.last = time_;
            (replay ? seen.again : seen.joined)++;
            return replay ? GMMU_FAULT_AGAIN : GMMU_FAULT_JOINED;
        }
        if (arrived(page)) {
            seen.late++;
            return GMMU_FAULT_LATE;
        }
        if (outstanding_.size() == u_.cfg.faults) {
            seen.dropped++;
            return GMMU_FAULT_DROPPED;
        }
        outstanding_[page] = {false, false, force, time_, false};
        order_.push_back(page);
        seen.entered++;
        seen.lost += replay;
        return replay ? GMMU_FAULT_LOST : GMMU_FAULT_QUEUED;
    }
    void count(const driver::Walker::Sent &s, unsigned outcome) {
        const uint64_t came = came_[Page(s.walk.asid, s.walk.vpn)];
        Faults &f = faults_[s.warp];
        if (s.again &&
            (outcome == GMMU_FAULT_AGAIN || outcome == GMMU_FAULT_LATE || came == f.came))
            return;
        f.n++;
        f.came = came;
    }
    void fill(const driver::Operation &o) {
        const Page page = driver::page_of(o);
        came_[page]++;
        const auto it = outstanding_.find(page);
        const bool asked = it != outstanding_.end();
        const uint64_t last = asked ? it->second.last : time_;
        const bool dirty = asked && it->second.dirty;
        if (asked && it->second.decided)
            outstanding_.erase(it);
        else if (asked)
            it->second.filled = true;
        leaves(o.frame);
        Frame &f = frame_[o.frame];
        f = Frame{};
        f.valid = true;
        f.page = page;
        f.last = last;
        f.dirty = o.dirty || dirty;
        if (u_.cfg.late == 0)
            return;
        f.fresh = asked && u_.regs.fresh != 0;
        f.since = went_;
        f.fills = ++fills_;
        ring_.push_back({page, o.frame, true});
        if (ring_.size() > u_.cfg.late)
            ring_.pop_front();
    }
    void cancel(const driver::Operation &o) {
        Frame &f = frame_[o.frame];
        if (o.ahead) {
            refused_ = !f.leaving || credit() <= 0;
            f.leaving &= refused_;
            return;
        }
        const auto it = outstanding_.find(driver::page_of(o));
        const bool ends = it != outstanding_.end() && it->second.decided;
        refused_ = !f.leaving && !ends;
        if (ends)
            outstanding_.erase(it);
        f.leaving = false;
    }

    // ---- fresh
    void use(Frame *f, const gmmu_tier_walk_in &walk) {
        seen.used += f->fresh;
        f->fresh = false;
        f->dirty |= walk.write;
        if (!walk.replay)
            f->last = time_;
    }
    bool young(const Frame &f) const {
        return f.fresh && !f.due && !f.loose && went_ - f.since < epoch() &&
               fills_ - f.fills + 1 < u_.cfg.late;
    }
    bool old(const Frame &f) const {
        const bool late = f.loose ? went_ >= settles_ : went_ - f.since >= 2 * epoch();
        return !f.fresh || f.due || late || fills_ - f.fills + 1 >= u_.cfg.late;
    }

    // ---- decisions
    void victim(const driver::Decision &d, bool force) {
        ASSERT_LT(d.frame, frame_.size()) << where();
        Frame &f = frame_[d.frame];
        ASSERT_TRUE(f.valid && !f.leaving && !f.pinned) << where();
        ASSERT_EQ(f.page, Page(d.victim_asid, d.victim_vpn)) << where();
        ASSERT_TRUE(force || !young(f)) << where() << ": frame " << d.frame << " is fresh";
        if (young(f))
            by_force(f);
        leaves(d.frame);
        f.leaving = true;
        f.fresh = false;
    }
    // The page of F, which is fresh, leaves: no other page may, and the oldest leaves.
    void by_force(const Frame &f) {
        seen.by_force++;
        if (u_.regs.search != GMMU_SEARCH_SCAN || u_.cfg.frame_mem)
            return;
        for (const Frame &other : frame_) {
            ASSERT_FALSE(may_leave(other) && old(other)) << where() << ": no force is needed";
            ASSERT_FALSE(may_leave(other) && other.fresh && other.last < f.last &&
                         u_.place.slots.n == 0)
                << where();
        }
    }
    static bool may_leave(const Frame &f) { return f.valid && !f.leaving && !f.pinned; }
    bool all_are_read() const { return u_.regs.search != GMMU_SEARCH_SAMPLE && !u_.cfg.frame_mem; }
    // NONE: a reason there must be, if all frames are read.
    void nobody_leaves(const driver::Decision &d) {
        seen.none++;
        seen.none_fresh += d.fresh;
        bool may = false, may_be_fresh = false, fresh = false;
        for (const Frame &f : frame_) {
            may |= may_leave(f) && old(f);
            may_be_fresh |= f.valid && !f.leaving && f.fresh;  // pinned or not
            fresh |= may_leave(f) && young(f);
        }
        if (all_are_read()) {
            ASSERT_FALSE(may) << where() << ": NONE, but a page may leave";
            ASSERT_TRUE(d.fresh || !fresh) << where();
        }
        ASSERT_TRUE(!d.fresh || may_be_fresh) << where();
    }

    // ---- the state
    void settled() {
        ASSERT_TRUE(order_.empty()) << where() << ": a fault has no decision";
        ASSERT_EQ(u_.faults.queue.undecided, 0u) << where();
        ASSERT_EQ(u_.stats.merged, seen.joined) << where();
        ASSERT_EQ(u_.stats.again, seen.again) << where();
        ASSERT_EQ(u_.stats.late, seen.late) << where();
        ASSERT_EQ(u_.stats.lost, seen.lost) << where();
        ASSERT_EQ(u_.stats.fault_drops, seen.dropped) << where();
        ASSERT_EQ(u_.stats.none, seen.none) << where();
        ASSERT_EQ(u_.stats.none_fresh, seen.none_fresh) << where();
        ASSERT_EQ(u_.stats.drv_errors, errors_) << where();
        ASSERT_EQ(u_.stats.stale_hits, stale_) << where();
        ASSERT_EQ(u_.stats.walks + u_.stats.replays, went_) << where();
        if (++steps_ % compare_every == 0)
            compare();
    }
    void compare() {
        seen.compared++;
        for (uint32_t i = 0; i < frame_.size(); i++) {
            const gmmu_frame is = gmmu_frame_table_get(&u_.frames.table, i);
            Frame &f = frame_[i];
            ASSERT_EQ(is.valid, f.valid) << where() << ", frame " << i;
            ASSERT_EQ(is.leaving, f.leaving) << where() << ", frame " << i;
            if (!f.valid)
                continue;
            ASSERT_EQ(Page(is.asid, is.vpn), f.page) << where() << ", frame " << i;
            ASSERT_EQ(is.pinned, f.pinned) << where() << ", frame " << i;
            if (u_.place.slots.n == 0) {  // (a slot has an access and a dirty bit of its own)
                ASSERT_EQ(is.last, f.last) << where() << ", frame " << i;
                ASSERT_EQ(is.dirty, f.dirty) << where() << ", frame " << i;
            }
            if (is.fresh) {
                ASSERT_TRUE(f.fresh) << where() << ": frame " << i << " became fresh";
                ASSERT_FALSE(old(f)) << where() << ": frame " << i << " is fresh for too long";
            } else if (f.fresh) {
                ASSERT_FALSE(young(f)) << where() << ": frame " << i << " is not fresh too soon";
                seen.expired++;
                seen.crowded += went_ - f.since < epoch();
                f.fresh = false;
            }
        }
        uint32_t entries = 0;
        for (uint32_t e = 0; e < u_.faults.queue.faults; e++) {
            const gmmu_fault &f = u_.faults.queue.fault[e];
            entries += f.valid;
            if (!f.valid)
                continue;
            const auto it = outstanding_.find(Page(f.asid, f.vpn));
            ASSERT_TRUE(it != outstanding_.end()) << where();
            ASSERT_EQ(it->second.decided, f.decided) << where();
        }
        ASSERT_EQ(entries, outstanding_.size()) << where();
    }
};
