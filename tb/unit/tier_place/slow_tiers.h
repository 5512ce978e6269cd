// SPDX-License-Identifier: Apache-2.0
// slow_tiers.h: docs/reference/blocks/tier_place.md again, slow and literal: lists of frames, slots
// and faults; nothing is counted that can be recounted.
//
// Of the unit it takes who is Tier 1's victim, the arithmetic of priorities, and a predictor of its
// own, which it tells itself what it is asked.
#ifndef GMMU_TB_SLOW_TIERS_H
#define GMMU_TB_SLOW_TIERS_H

#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "blocks/gmmu_tier.h"

struct SlowPage {
    uint32_t asid = 0;
    uint64_t vpn = 0;
    bool operator==(const SlowPage &o) const { return asid == o.asid && vpn == o.vpn; }
};

// A page with its last access.
struct SlowCopy {
    SlowPage page;
    gmmu_class cls = {};
    uint32_t last = 0;
    bool dirty = false;
};

struct SlowFrame : SlowCopy {
    bool valid = false, leaving = false, to2 = false, pinned = false;
};

struct SlowSlot : SlowCopy {
    unsigned state = GMMU_SLOT_FREE;
};

struct SlowFault : SlowCopy {
    bool decided = false, filled = false, t2 = false;
    uint32_t slot = 0;
};

// The search in Tier 2 (docs/reference/blocks/victim_select.md, tier_place.md).
class SlowSearch {
   public:
    struct Candidate {
        uint32_t slot, priority, last;
    };
    uint32_t hand = 0;
    unsigned rounds = 0;
    bool active = false;

    // The slot whose turn it is; a round begins if none is under way.
    uint32_t next(const gmmu_regs &r, unsigned k) {
        if (!active) {
            active = true;
            met.clear();
            const bool first = r.tier != GMMU_PLACE_PRIORITY, scan = !first && r.search == 0;
            if (scan && rounds == 0)
                hand = 0;
            left = first || scan || k > r.t2_slots ? r.t2_slots : k;
        }
        return kept.empty() ? hand : kept.begin()->second;
    }
    void offer(const gmmu_regs &r, unsigned pool, uint32_t mask, const Candidate &c,
               bool eligible) {
        const bool first = r.tier != GMMU_PLACE_PRIORITY;
        if (eligible) {
            const auto is = met.find(first ? 0 : c.slot % pool);
            if (is == met.end())
                met[first ? 0 : c.slot % pool] = c;
            else if (before(r, mask, c, is->second))
                is->second = c;
        }
        if (!kept.empty()) {
            kept.erase(kept.begin());
        } else {
            hand = (hand + 1) % r.t2_slots;
            left--;
        }
        if (left == 0)
            rounds++;
        active = left != 0 && !(first && eligible);
    }
    // Empty: there is none.
    std::vector<Candidate> best(const gmmu_regs &r, uint32_t mask) const {
        std::vector<Candidate> b;
        for (const auto &m : met) {
            if (b.empty())
                b.push_back(m.second);
            else if (before(r, mask, m.second, b[0]))
                b[0] = m.second;
        }
        return b;
    }
    void drop(const gmmu_regs &r, unsigned pool, uint32_t slot, bool goes_on) {
        const bool first = r.tier != GMMU_PLACE_PRIORITY;
        met.erase(first ? 0 : slot % pool);
        if (first && goes_on)
            active = left != 0;
    }
    void end(const gmmu_regs &r) {
        const bool keeps = r.tier == GMMU_PLACE_PRIORITY && r.search != 0;
        if (rounds > 0) {
            kept.clear();
            for (const auto &m : met)
                if (keeps)
                    kept[m.first] = m.second.slot;
        }
        met.clear();
        active = false;
        rounds = 0;
    }
    void configure(const gmmu_regs &r) {
        if (r.tier != GMMU_PLACE_PRIORITY)
            kept.clear();
        if ((r.tier == GMMU_PLACE_PRIORITY && r.search == 0) || hand >= r.t2_slots)
            hand = 0;
    }

   private:
    uint32_t left = 0;
    std::map<uint32_t, Candidate> met;  // by slot mod POOL
    std::map<uint32_t, uint32_t> kept;

    static bool before(const gmmu_regs &r, uint32_t mask, const Candidate &a, const Candidate &b) {
        if (a.priority != b.priority)
            return a.priority < b.priority;
        const bool older = ((b.last - a.last) & mask) <= mask / 2;
        if (a.last != b.last)
            return r.tie != 0 ? !older : older;
        return a.slot < b.slot;
    }
};

class SlowTiers {
   public:
    gmmu_config cfg;
    gmmu_regs regs;
    uint32_t time = 0, mask;
    std::vector<SlowFrame> frames;
    std::vector<SlowSlot> slots;
    std::vector<SlowFault> faults;  // oldest first
    SlowSearch search;
    // the decision under way
    bool placing = false, rise_owed = false, return_owed = false, leave_owed = false, to3 = false;
    gmmu_tier_decision d = {};
    SlowFault of;
    // the candidate of Tier 1 by search clock
    SlowPage looked;
    bool look_owed = false, keeps = false;
    unsigned kept = 0;
    // the predictor's other work
    bool stay_owed = false, age_owed = false;
    SlowPage stays;
    uint32_t age_entry = 0;
    uint32_t errors = 0, stale = 0, none = 0;

    SlowTiers(const gmmu_config &c, const gmmu_regs &r)
        : cfg(c),
          regs(r),
          mask(static_cast<uint32_t>((1ull << c.time_w) - 1)),
          frames(c.frames),
          slots(c.t2_slots) {
        gmmu_arena count = {};
        (void)gmmu_tier_predict_init(&predict_, &cfg, &count);
        memory_.resize(count.used);
        gmmu_arena arena = {memory_.data(), memory_.size(), 0};
        (void)gmmu_tier_predict_init(&predict_, &cfg, &arena);
        search.configure(regs);
    }
    SlowTiers(const SlowTiers &) = delete;
    SlowTiers &operator=(const SlowTiers &) = delete;

    void configure(const gmmu_regs &r) {
        regs = r;
        search.configure(regs);
    }
    uint32_t held() const {
        uint32_t n = 0;
        for (const SlowSlot &s : slots) n += s.state == GMMU_SLOT_HELD;
        return n;
    }
    uint32_t claims() const {
        uint32_t n = 0;
        for (const SlowFrame &f : frames) n += f.valid && f.leaving && f.to2;
        return n;
    }
    bool place() const { return held() + claims() < regs.t2_slots; }
    // From the fault that names the slot until a fault that names the slot is decided.
    bool named(uint32_t slot) const { return named_.count(slot) != 0; }
    bool eligible(uint32_t slot) const {
        return slots[slot].state == GMMU_SLOT_HELD && !named(slot);
    }
    bool foretells() const { return regs.tier >= 1 && regs.tier <= 3; }

    SlowFault *find(const SlowPage &p) {
        for (SlowFault &f : faults)
            if (f.page == p)
                return &f;
        return nullptr;
    }
    void walk(const gmmu_tier_walk_in &w, gmmu_class cls) {
        time = (time + 1) & mask;
        const SlowPage page = {w.asid, w.vpn};
        if (!w.fault) {
            if (w.frame < frames.size() && frames[w.frame].valid && frames[w.frame].page == page)
                access(frames[w.frame], cls, w.write);
            return;
        }
        SlowFault *f = find(page);
        if (f == nullptr && faults.size() < cfg.faults) {
            faults.emplace_back();
            f = &faults.back();
            f->page = page;
            f->t2 = w.t2;
            f->slot = w.slot;
            if (w.t2)
                named_.insert(w.slot);
        }
        if (f != nullptr)
            access(*f, cls, w.write);
    }

    struct Did {
        bool refused = false, stale = false;
    };
    Did drv(const gmmu_tier_drv_in &in) {
        Did did;
        const SlowPage page = {in.asid, in.vpn};
        const bool on_frame = in.op != GMMU_ASK && in.op != GMMU_T2_FREE && in.op != GMMU_T2_CANCEL;
        const bool on_slot = in.op >= GMMU_T2_FILL_DONE;
        did.refused = in.op < GMMU_FILL || in.op > GMMU_T2_SWAP ||
                      (on_frame && in.frame >= regs.frames) ||
                      (on_slot && in.slot >= regs.t2_slots);
        if (!did.refused) {
            if (in.op == GMMU_FILL)
                did.stale = !fill(in, page);
            else if (in.op == GMMU_FREE)
                frames[in.frame] = {};
            else if (in.op == GMMU_PIN || in.op == GMMU_UNPIN)
                frames[in.frame].pinned = in.op == GMMU_PIN && frames[in.frame].valid;
            else if (in.op == GMMU_CANCEL)
                did = cancel(in, page);
            else if (in.op == GMMU_ASK)
                did.stale = !ask(in, page);
            else if (in.op == GMMU_T2_FILL_DONE)
                did.refused = !fill_done(frames[in.frame], slots[in.slot]);
            else if (in.op == GMMU_T2_SWAP)
                did.refused = !swap(in, page);
            else if (in.op == GMMU_T2_FREE)
                slots[in.slot] = {};
            else if (slots[in.slot].state == GMMU_SLOT_LEAVING)
                slots[in.slot].state = GMMU_SLOT_HELD;
            else
                did.refused = true;
        }
        errors += did.refused;
        stale += did.stale;
        return did;
    }

    // AGE of INDEX. True: clamped.
    bool age(uint32_t index) {
        if (index < cfg.frames)
            return frames[index].valid && clamp(frames[index]);
        index -= cfg.frames;
        if (index < cfg.faults)
            return false;  // which entry a fault has is not known here
        index -= cfg.faults;
        if (index < cfg.t2_slots)
            return slots[index].state != GMMU_SLOT_FREE && clamp(slots[index]);
        age_owed = true;
        age_entry = index - cfg.t2_slots;
        return false;
    }
    bool clamp(SlowCopy &c) const {
        const uint32_t limit = 1u << (cfg.time_w - 2);
        if (((time - c.last) & mask) < limit)
            return false;
        c.last = (time - limit) & mask;
        return true;
    }

    // HAND found FRAME.
    void took(uint32_t frame) {
        look_owed = regs.tier == GMMU_PLACE_REUSE && kept < 8;
        looked = frames[frame].page;
    }
    // DECIDE decided IS, on the oldest undecided fault.
    void decided(const gmmu_tier_decision &is) {
        keeps = false;
        kept = is.tier != GMMU_TIER_RETRY ? 0 : is.kept ? kept + 1 : kept;
        if (is.tier == GMMU_TIER_RETRY)
            return;
        size_t at = 0;
        while (faults[at].decided) at++;
        if (faults[at].t2)
            named_.erase(faults[at].slot);
        if (is.tier == GMMU_TIER_NONE) {
            faults.erase(faults.begin() + static_cast<std::ptrdiff_t>(at));
            return;
        }
        faults[at].decided = true;
        if (is.tier == GMMU_TIER_2)
            frames[is.frame].leaving = true;
        if (regs.tier == GMMU_PLACE_NONE)
            return;
        placing = true;
        d = is;
        of = faults[at];
        to3 = false;
        rise_owed = of.t2;
        return_owed = foretells();
        leave_owed = foretells() && is.tier == GMMU_TIER_2;
    }
    gmmu_tp_answer foretell(unsigned kind) {
        const gmmu_tp_regs by = {regs.tier, regs.tier_default != 0, regs.tier_model != 0,
                                 regs.tier_near, regs.tier_far};
        gmmu_tp_answer a = {};
        if (kind == GMMU_TP_LOOK) {
            look_owed = false;
            a = gmmu_tier_predict_look(&predict_, &by, looked.asid, looked.vpn);
            keeps = a.pred == 1;
        } else if (kind == GMMU_TP_RETURN) {
            return_owed = false;
            a = gmmu_tier_predict_return(&predict_, &by, d.asid, d.vpn, time);
        } else if (kind == GMMU_TP_LEAVE) {
            leave_owed = false;
            a = gmmu_tier_predict_leave(&predict_, &by, d.victim_asid, d.victim_vpn, time);
            to3 = a.tier == 3;
            d.pred = a.pred;
            d.forced = a.forced;
        } else if (kind == GMMU_TP_STAY) {
            stay_owed = false;
            a = gmmu_tier_predict_stay(&predict_, &by, stays.asid, stays.vpn);
        } else {
            age_owed = false;
            a = gmmu_tier_predict_age(&predict_, age_entry, time);
        }
        return a;
    }
    bool rise() {
        rise_owed = false;
        d.rise = fits(of.slot, of.page, GMMU_SLOT_HELD);
        if (d.rise)
            slots[of.slot].state = GMMU_SLOT_RISING;
        else
            stale++;
        return d.rise;
    }
    bool needs_search() const {
        if (d.tier != GMMU_TIER_2 || to3 || d.rise || place() ||
            (foretells() && regs.t2_full != 0) || regs.t2_slots == 0)
            return false;
        return search.best(regs, mask).empty() && search.rounds < 2;
    }
    // RETRY, or the decision.
    gmmu_tier_decision placed() {
        gmmu_tier_decision out = d;
        if (d.tier == GMMU_TIER_2 && !decide_place(&out))
            return out;
        if (d.tier == GMMU_TIER_2)
            search.end(regs);
        placing = false;
        return out;
    }

   private:
    std::set<uint32_t> named_;  // slots
    gmmu_tier_predict predict_ = {};
    std::vector<char> memory_;

    void access(SlowCopy &c, gmmu_class cls, bool write) const {
        c.cls = cls;
        c.last = time;
        c.dirty = c.dirty || write;
    }
    bool fits(uint32_t slot, const SlowPage &page, unsigned state) const {
        return slot < regs.t2_slots && slots[slot].state == state && slots[slot].page == page;
    }
    // The fault of PAGE as it was, which ends if it was decided.
    bool end_fault(const SlowPage &page, bool filled, SlowFault *was) {
        for (size_t i = 0; i < faults.size(); i++) {
            if (!(faults[i].page == page))
                continue;
            *was = faults[i];
            faults[i].filled = faults[i].filled || filled;
            if (was->decided)
                faults.erase(faults.begin() + static_cast<std::ptrdiff_t>(i));
            return true;
        }
        return false;
    }
    // False: its slot does not fit.
    bool fill(const gmmu_tier_drv_in &in, const SlowPage &page) {
        SlowFrame f;
        SlowFault was;
        f.valid = true;
        f.page = page;
        f.last = time;
        f.dirty = in.dirty;
        const bool fit = in.t2 && in.slot < regs.t2_slots &&
                         slots[in.slot].state != GMMU_SLOT_FREE && slots[in.slot].page == page;
        if (fit) {
            f.cls = slots[in.slot].cls;
            f.last = slots[in.slot].last;
            f.dirty = f.dirty || slots[in.slot].dirty;
            slots[in.slot] = {};
        }
        if (end_fault(page, true, &was)) {
            f.cls = was.cls;
            f.last = was.last;
            f.dirty = f.dirty || was.dirty;
        }
        frames[in.frame] = f;
        return fit || !in.t2;
    }
    Did cancel(const gmmu_tier_drv_in &in, const SlowPage &page) {
        Did did;
        SlowFrame &f = frames[in.frame];
        const bool left = f.valid && f.leaving;
        SlowFault was;
        const bool ended = end_fault(page, false, &was) && was.decided;
        did.refused = !left && !ended;
        if (left) {
            f.leaving = f.to2 = false;
            if (foretells()) {
                stay_owed = true;
                stays = f.page;
            }
        }
        if (did.refused || !in.t2)
            return did;
        did.stale = !fits(in.slot, page, GMMU_SLOT_RISING);
        if (!did.stale)
            slots[in.slot].state = GMMU_SLOT_HELD;
        return did;
    }
    bool ask(const gmmu_tier_drv_in &in, const SlowPage &page) {
        const bool fit = in.t2 && fits(in.slot, page, GMMU_SLOT_HELD);
        if (find(page) == nullptr && faults.size() < cfg.faults) {
            SlowFault f;
            f.page = page;
            f.last = time;
            if (fit) {
                f.t2 = true;
                f.slot = in.slot;
                named_.insert(in.slot);
                f.cls = slots[in.slot].cls;
                f.last = slots[in.slot].last;
            }
            faults.push_back(f);
        }
        return fit || !in.t2;
    }
    static bool fill_done(SlowFrame &f, SlowSlot &s) {
        if (!f.valid || !f.leaving || !f.to2 ||
            (s.state != GMMU_SLOT_FREE && s.state != GMMU_SLOT_LEAVING))
            return false;
        static_cast<SlowCopy &>(s) = f;
        s.state = GMMU_SLOT_HELD;
        f = {};
        return true;
    }
    bool swap(const gmmu_tier_drv_in &in, const SlowPage &page) {
        const SlowFrame f = frames[in.frame];
        if (!f.valid || !f.leaving || !f.to2 || !fits(in.slot, page, GMMU_SLOT_RISING))
            return false;
        gmmu_tier_drv_in up = in;
        up.t2 = true;
        (void)fill(up, page);
        static_cast<SlowCopy &>(slots[in.slot]) = f;
        slots[in.slot].state = GMMU_SLOT_HELD;
        return true;
    }
    // False: RETRY.
    bool decide_place(gmmu_tier_decision *out) {
        if (to3)
            return to_3(out);
        if (d.rise)
            return to_2(out, UINT32_MAX);
        if (place())
            return to_2(out, UINT32_MAX);
        if (foretells() && regs.t2_full != 0)
            return to_3(out);
        const auto found = search.best(regs, mask);
        if (found.empty()) {
            if (regs.t2_slots != 0 && search.rounds < 2) {
                out->tier = GMMU_TIER_RETRY;
                return false;
            }
            none++;
            return to_3(out);
        }
        const SlowSearch::Candidate best = found[0];
        const SlowSlot &s = slots[best.slot];
        if (!eligible(best.slot) || s.last != best.last) {
            search.drop(regs, cfg.pool, best.slot, true);
            out->tier = GMMU_TIER_RETRY;
            return false;
        }
        if (foretells() || best.priority < d.priority)
            return to_2(out, best.slot);
        const uint32_t its = (time - s.last) & mask, age = (time - d.victim_last) & mask;
        if (best.priority == d.priority && (regs.tie != 0 ? its <= age : its >= age))
            return to_2(out, best.slot);
        return to_3(out);
    }
    static bool to_3(gmmu_tier_decision *out) {
        out->tier = GMMU_TIER_3;
        return true;
    }
    bool to_2(gmmu_tier_decision *out, uint32_t for_slot) {
        SlowFrame &f = frames[d.frame];
        if (!f.valid || !f.leaving)
            return to_3(out);
        f.to2 = true;
        out->swap = d.rise;
        if (for_slot == UINT32_MAX)
            return true;
        SlowSlot &s = slots[for_slot];
        s.state = GMMU_SLOT_LEAVING;
        search.drop(regs, cfg.pool, for_slot, false);
        out->t2_valid = true;
        out->t2_slot = for_slot;
        out->t2_asid = s.page.asid;
        out->t2_vpn = s.page.vpn;
        out->t2_dirty = s.dirty;
        return true;
    }
};

#endif
