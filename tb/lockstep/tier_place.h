// SPDX-License-Identifier: Apache-2.0
// tier_place.h: checks where victims go: what the predictor is asked and says, the page that leaves
// its slot, the search in Tier 2, and PLACE (docs/reference/blocks/tier_place.md).
#pragma once
#include <algorithm>
#include <deque>

#include "lockstep/checker.h"
#include "lockstep/fault_unit.h"

namespace lockstep {

class TierPlace : public Checker<TierPlace> {
   public:
    static constexpr const char *block = "tier_place";
    using Checker::Checker;

    const char *under_way() const {
        return gmmu_tier_placing(&twin)            ? "quiet with a decision that has no place"
               : dut.tvi_forgetting || flush_since ? "quiet with a FORGET under way"
               : !answers.empty()                  ? "quiet with an answer of the predictor to come"
               : owed(GMMU_TP_STAY)                ? "quiet with a STAY owed"
               : owed(GMMU_TP_AGE)                 ? "quiet with an AGE of the predictor owed"
               : cfg.t2_slots && lookups           ? "quiet with a lookup of Tier 2"
                                                   : nullptr;
    }
    bool restless() const { return gmmu_tier_placing(&twin); }

    bool step(Foretell &f) {
        forget();
        f.kind = dut.tvi_foretell_kind;
        if (!expect("FORETELL not owed", owed(f.kind), 1))
            return false;
        f.out = gmmu_tier_foretell(&twin, f.kind);
        return true;
    }
    bool step(Rise &r) {
        if (!expect("RISE not owed", gmmu_tier_rise_owed(&twin), 1))
            return false;
        expect("RISE slot", dut.tvi_side_slot, twin.place.slot);
        r.out = gmmu_tier_rise(&twin, dut.tvi_side_slot);
        return true;
    }
    // How long a decision may wait for its place, beside what always has to be done
    // (docs/guide/schedule.md): for others at the side port and in the predictor, its own
    // candidates, a RETRY's next search.
    void did(const Drv &) { allowed += 4; }
    void did(const Age &) { allowed += 4; }
    void did(const Install &) { allowed += 1; }
    void did(const Foretell &f) {
        answers.push_back(f);
        allowed += f.kind == GMMU_TP_RETURN || f.kind == GMMU_TP_LEAVE ? 0 : 11;
    }
    void did(const Rise &r) {
        expect("RISE rises", dut.tvi_rises, r.out);
        p.did.risen += r.out;
    }

    bool step(Cand2 &c) {
        const gmmu_victim_select &v = twin.place.slots.select;
        if (!expect("CAND2 with nothing to place", gmmu_tier_placing(&twin), 1) ||
            !expect("CAND2 behind the candidate", v.clock && gmmu_victim_select_best(&v) != nullptr,
                    0) ||
            !p.expect(search, "CAND2 slot", dut.tvi_side_slot,
                      gmmu_victim_select_next(&twin.place.slots.select, regs.t2_slots)))
            return false;
        c.out = gmmu_tier_cand2(&twin, dut.tvi_side_slot);
        return true;
    }
    void did(const Cand2 &c) {
        if (c.out.eligible)
            p.expect("ppuc", "CAND2 serving row", dut.tvi_row, c.out.row);
        asked.push_back(c.out);
        lookups++;
        retries = 0;
        allowed++;
    }

    bool step(Place &d) {
        if (!expect("PLACE with nothing to place", gmmu_tier_placing(&twin), 1))
            return false;
        expect("PLACE before the predictor answered", of_decision(), 0);
        if (!twin.place.slots.select.clock)  // which asks for no priority
            p.expect(search, "PLACE before the search was done", lookups, 0);
        const gmmu_victim_cand *best = gmmu_victim_select_best(&twin.place.slots.select);
        has_best = best != nullptr;
        if (has_best)
            p.expect(search, "PLACE slot", dut.tvi_side_slot, best->frame);
        d.out = gmmu_tier_placed(&twin);
        return true;
    }
    void did(const Place &d) {
        p.expect(!has_best && dut.tvi_place_tier == GMMU_TIER_RETRY ? search : block, "PLACE tier",
                 dut.tvi_place_tier, d.out.tier);
        if (d.out.tier == GMMU_TIER_RETRY) {
            undisturbed = false;
            retries++;
            allowed += 12 + cfg.pool;
            p.expect(search, "RETRYs without end", retries > cfg.pool + 2, 0);
            return;
        }
        retries = 0;
        expect("PLACE frame", dut.tvi_side_frame, d.out.frame);
        if (undisturbed && decided_at != 0)
            p.did.longest_place = std::max(p.did.longest_place, now() - decided_at);
        p.did.placed[d.out.swap                  ? Activity::SWAPPED
                     : d.out.t2_valid            ? Activity::EVICTED
                     : d.out.tier == GMMU_TIER_2 ? Activity::HAD_ROOM
                                                 : Activity::TO_TIER_3]++;
    }
    void did(const Decide &d) {
        expect("DECIDE before the predictor answered",
               d.looks || std::any_of(answers.begin(), answers.end(),
                                      [](const Foretell &f) { return f.kind == GMMU_TP_LOOK; }),
               0);
        expect("DECIDE kept", dut.tvi_dec_kept, d.out.kept);
        p.did.kept += d.out.kept;
        if (d.out.tier != GMMU_TIER_RETRY) {
            decided_at = now();
            undisturbed = true;
        }
    }

    void end() {
        if (dut.tvi_foretold_valid)
            check_answer();
        if (dut.tvi_looked2_valid)
            check_lookup();
        if (cfg.t2_slots == 0)
            return;
        const unsigned kind = dut.tvi_side_kind;
        if (dut.tvi_side_valid && (kind == GMMU_SIDE_DRV || kind == GMMU_SIDE_AGE))
            undisturbed = false;
        forget();
        check_forgetting();
        watch(gmmu_tier_placing(&twin), placing_since);
        const uint64_t by = uint64_t{regs.tier_near} << 32 | regs.tier_far << 1 | regs.tier_model;
        if (by != thresholds) {  // an operation waits until the predictor is at rest
            allowed += 19;
            stay_allowed += 19;
        }
        thresholds = by;
        watch(owed(GMMU_TP_STAY), stay_since);
        if (stay_since == 0)
            stay_allowed = 41;
        else
            p.did.longest_stay = std::max(p.did.longest_stay, now() - stay_since);
        expect("STAY overdue", stay_since != 0 && now() - stay_since > stay_allowed, 0);
        if (placing_since == 0) {
            allowed = 0;
            return;
        }
        const uint64_t took = now() - placing_since;
        p.did.longest_placing = std::max(p.did.longest_placing, took - std::min(took, allowed));
        expect("PLACE overdue", took > allowed + 54, 0);
    }
    void finish() {
        expect("answers of the predictor missing", 0, answers.size());
        expect("results of CAND2 missing", 0, asked.size());
    }

   private:
    static constexpr const char *search = "victim_select";  // Tier 2 has one of its own
    std::deque<Foretell> answers;
    std::deque<gmmu_tier_cand_out> asked;
    unsigned lookups = 0, retries = 0;  // RETRYs since the last candidate
    uint64_t placing_since = 0, allowed = 0, thresholds = 0, decided_at = 0;
    uint64_t stay_since = 0, stay_allowed = 0;
    bool undisturbed = false, has_best = false;
    uint64_t flush_since = 0, forgets_since = 0;
    bool flushing = false;

    bool owed(unsigned kind) const {
        return cfg.t2_slots != 0 && gmmu_tier_foretell_owed(&twin, kind);
    }
    bool of_decision() const {
        return owed(GMMU_TP_RETURN) || owed(GMMU_TP_LEAVE) ||
               std::any_of(answers.begin(), answers.end(),
                           [](const Foretell &f) { return f.kind == GMMU_TP_LEAVE; });
    }
    // FORGET: with a flush all entries of the predictor go, and none is made until they are
    // cleared.
    void forget() {
        if (cfg.t2_slots != 0 && dut.tvi_forgetting != twin.place.predict.forgetting) {
            gmmu_tier_forget(&twin, dut.tvi_forgetting);
            p.did.forgotten += dut.tvi_forgetting;
        }
    }
    // It begins as soon as nothing is under way in the predictor, if it is not going on, and takes
    // a cycle a set. Others wait until it has begun.
    void check_forgetting() {
        const bool going = dut.tvi_forgetting;
        if (dut.tvi_flushing && !flushing && !going && flush_since == 0) {
            flush_since = now();
            allowed += 22;
            stay_allowed += 22;
        }
        flushing = dut.tvi_flushing;
        if (going && forgets_since == 0) {
            expect("FORGET without a flush", flush_since != 0, 1);
            forgets_since = now();
            flush_since = 0;
        }
        expect("FORGET overdue", flush_since != 0 && now() - flush_since > 24, 0);
        if (!going && forgets_since != 0) {
            p.expect("tier_predict", "FORGET cycles", now() - forgets_since, cfg.tp_sets + 1);
            forgets_since = 0;
        }
    }
    void check_answer() {
        if (!expect("an answer of the predictor too many", answers.empty(), 0))
            return;
        const Foretell f = answers.front();
        answers.pop_front();
        const char *is = "tier_predict";
        if (f.kind != GMMU_TP_AGE) {
            p.expect(is, "FORETELL found", dut.tvi_foretold_found, f.out.found);
            p.expect(is, "FORETELL foretold", dut.tvi_foretold_pred, f.out.pred);
        }
        if (f.kind == GMMU_TP_RETURN)
            p.expect(is, "FORETELL right", dut.tvi_foretold_right, f.out.right);
        if (f.kind == GMMU_TP_LEAVE) {
            p.expect(is, "FORETELL goes to", dut.tvi_foretold_goes, f.out.tier);
            p.expect(is, "FORETELL forced", dut.tvi_foretold_forced, f.out.forced);
        }
        if (f.kind == GMMU_TP_AGE) {
            p.expect(is, "FORETELL clamped", dut.tvi_foretold_clamped, f.out.clamped);
            p.did.clamped_entries += f.out.clamped;
        }
    }
    void check_lookup() {
        if (!expect("an answer of CAND2 too many", asked.empty(), 0))
            return;
        const gmmu_tier_cand_out c = asked.front();
        asked.pop_front();
        lookups--;
        expect("slot of an answer", dut.tvi_looked2_slot, c.candidate.frame);
        if (c.eligible)
            p.expect("ppuc", "CAND2 priority", dut.tvi_looked_priority, c.candidate.priority);
    }
};

}  // namespace lockstep
