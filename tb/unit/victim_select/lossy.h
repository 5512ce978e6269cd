// SPDX-License-Identifier: Apache-2.0
// lossy.h: the search while answers and outcomes are lost.
#ifndef GMMU_TB_VICTIM_SELECT_LOSSY_H
#define GMMU_TB_VICTIM_SELECT_LOSSY_H

#include <algorithm>
#include <cstdint>
#include <deque>
#include <vector>

#include "bench.h"
#include "blocks/victim_select.h"

// Answers and outcomes that are lost, and answers that nobody asked for, as a bit turned over: each
// search ends all the same, with a frame that was eligible of late, or none.
class Lossy : public bench::Block {
   public:
    uint64_t decisions = 0, lost = 0, extra = 0, unheard = 0, longest = 0;

    explicit Lossy(const bench::Setup &s) : Block("victim_select", s) {}

    bool run(unsigned search, uint64_t searches) {
        dut->rst = 1;
        dut->cfg_frames = frames_;
        dut->cfg_search = search;
        dut->slow = dut->wanted = dut->no_search = 0;
        idle_inputs();
        for (int i = 0; i < 4; i++) tick();
        dut->rst = 0;
        dut->wanted = 1;
        answers_.clear();
        eligible_.clear();
        before_.clear();
        const uint64_t until = decisions + searches;
        for (since_ = cycles; decisions < until && ok();) cycle(search == GMMU_SEARCH_CLOCK);
        return ok();
    }

   private:
    enum { LATENCY = 12 };
    const uint32_t frames_ = std::min(37u, cfg.frames);
    struct Answer {
        uint64_t due;
        uint32_t frame;
        bool eligible;
    };
    std::deque<Answer> answers_;
    std::vector<uint32_t> eligible_, before_;  // in this search, in the one before
    uint64_t since_ = 0, outcome_at_ = 0;

    bool is_in(const std::vector<uint32_t> &frames) const {
        return std::find(frames.begin(), frames.end(), dut->decide_frame) != frames.end();
    }
    void idle_inputs() {
        dut->cand_grant = dut->ans_valid = dut->hand_valid = 0;
        dut->forces = dut->ans_fresh = dut->hand_fresh = 0;
        dut->decide_grant = dut->decide_done = dut->decide_retry = dut->decide_kept = 0;
        dut->decide_taken = 0;
    }
    void cycle(bool clock) {
        idle_inputs();
        const bool odd = rng.chance(10);
        Answer a = {0, static_cast<uint32_t>(rng.below(frames_)), rng.below(2) != 0};
        bool answer = false;
        if (!answers_.empty() && answers_.front().due <= cycles) {
            a = answers_.front();
            answers_.pop_front();
            answer = !odd;
            lost += odd;
        } else if (odd && rng.chance(100)) {
            answer = true;
            extra++;
        }
        dut->ans_valid = answer && !clock;
        dut->hand_valid = answer && clock;
        dut->ans_eligible = dut->hand_eligible = a.eligible;
        dut->hand_recent = 0;
        dut->ans_frame = dut->hand_frame = a.frame;
        if (answer && a.eligible)
            eligible_.push_back(a.frame);
        const bool done = outcome_at_ != 0 && outcome_at_ == cycles;
        const bool heard = done && !odd;
        unheard += done && odd;
        if (done)
            outcome_at_ = 0;
        dut->decide_done = heard;
        dut->decide_taken = heard && dut->decide_have;
        dut->decide_retry = heard && !dut->decide_have && !dut->decide_tired;
        settle();
        dut->cand_grant = dut->cand_req;
        dut->decide_grant = dut->decide_req;
        settle();
        if (dut->cand_grant)
            answers_.push_back({cycles + LATENCY, dut->cand_frame, rng.below(4) != 0});
        if (dut->decide_grant) {
            expect("a decision under way", outcome_at_, 0);
            outcome_at_ = cycles + 3;
        }
        if (heard && !dut->decide_retry) {
            if (dut->decide_have)
                expect("an eligible frame", is_in(eligible_) || is_in(before_), 1);
            decisions++;
            actions++;
            before_.swap(eligible_);
            eligible_.clear();
            longest = std::max(longest, cycles - since_);
            since_ = cycles;
        }
        expect("a search without end", cycles - since_ > 500, 0);
        edge();
    }
};

#endif
