// SPDX-License-Identifier: Apache-2.0
// flipped.h: the search while bits turn over in the slots.
#ifndef GMMU_TB_VICTIM_SELECT_FLIPPED_H
#define GMMU_TB_VICTIM_SELECT_FLIPPED_H

#include <algorithm>
#include <cstdint>
#include <deque>
#include <vector>

#include "bench.h"
#include "blocks/victim_select.h"

// Bits turn over in what goes to the slots: who is decided for was told so, with this priority and
// last access, in this search. Without RETRYs the slots are read for the frames that were kept
// alone: if each word has turned bad, each of these is told.
class Flipped : public bench::Block {
   public:
    uint64_t decisions = 0, retries = 0, turns = 0;

    explicit Flipped(const bench::Setup &s) : Block("victim_select", s) {}

    bool run(uint64_t searches, bool retry = true) {
        retry_ = retry;
        frames_ = cfg.frames < 37 ? cfg.frames : 37;
        dut->rst = 1;
        dut->cfg_frames = frames_;
        dut->cfg_search = GMMU_SEARCH_SAMPLE;
        dut->slow = dut->wanted = dut->no_search = dut->hand_valid = 0;
        dut->forces = dut->ans_fresh = dut->hand_fresh = 0;
        dut->cand_grant = dut->ans_valid = dut->decide_grant = dut->decide_done = 0;
        dut->decide_retry = dut->decide_kept = dut->decide_taken = 0;
        for (int i = 0; i < 4; i++) tick();
        dut->rst = 0;
        dut->wanted = 1;
        told_.clear();
        const uint64_t until = decisions + searches;
        for (since_ = cycles; decisions < until && ok();) cycle();
        return ok();
    }

   private:
    enum { LATENCY = 8 };
    struct Answer {
        bool eligible = false;
        uint64_t due = 0;
        uint32_t frame = 0;
        uint64_t priority = 0, last = 0;
    };
    uint32_t frames_ = 0;
    bool retry_ = true;
    std::deque<Answer> answers_;
    std::vector<Answer> told_;                 // in this search
    uint64_t granted_ = 0, turns_before_ = 0;  // in this search, before it
    uint64_t since_ = 0, outcome_at_ = 0;
    bool turned_ = false;

    void cycle() {
        dut->ans_valid = !answers_.empty() && answers_.front().due <= cycles;
        if (dut->ans_valid) {
            const Answer a = answers_.front();
            answers_.pop_front();
            dut->ans_eligible = a.eligible;
            dut->ans_guarded = 0;
            dut->ans_priority = a.priority;
            dut->ans_last = a.last;
            dut->ans_frame = a.frame;
            if (a.eligible)
                told_.push_back(a);
        }
        const bool done = outcome_at_ != 0 && outcome_at_ == cycles;
        const bool good = dut->decide_have && (!retry_ || rng.below(3) == 0);
        dut->decide_done = done;
        dut->decide_taken = done && good;
        dut->decide_retry = done && !good && (dut->decide_have || !dut->decide_tired);
        dut->cand_grant = dut->decide_grant = 0;
        settle();
        dut->cand_grant = dut->cand_req && rng.below(4) != 0;
        dut->decide_grant = dut->decide_req;
        settle();
        turns_over();
        granted_ += dut->cand_grant;
        if (dut->cand_grant)
            answers_.push_back({rng.below(4) != 0, cycles + LATENCY,
                                static_cast<uint32_t>(dut->cand_frame), rng.bits(4),
                                rng.bits(cfg.time_w - 1)});
        if (dut->decide_grant)
            outcome_at_ = cycles + 3;
        if (done)
            outcome();
        expect("a search without end", cycles - since_ > 2000, 0);
        edge();
    }
    void turns_over() {
        turns += dut->turned != turned_;
        turned_ = dut->turned;
    }
    void outcome() {
        outcome_at_ = 0;
        actions++;
        if (dut->decide_have)
            expect("a frame that is enabled", dut->decide_frame < frames_, 1);
        if (dut->decide_have)
            expect("told so",
                   std::any_of(told_.begin(), told_.end(),
                               [&](const Answer &a) {
                                   return a.frame == dut->decide_frame &&
                                          a.priority == dut->decide_priority &&
                                          a.last == dut->decide_last;
                               }),
                   1);
        if (dut->decide_retry) {
            retries++;
            return;
        }
        if (!retry_) {
            const uint64_t hand = (dut->decide_tired ? 2 : 1) * std::min(cfg.k, frames_);
            expect("frames that were kept in bad words", turns - turns_before_, granted_ - hand);
        }
        granted_ = 0;
        turns_before_ = turns;
        decisions++;
        told_.clear();
        since_ = cycles;
    }
};

#endif
