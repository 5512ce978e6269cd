// SPDX-License-Identifier: Apache-2.0
// lockstep.h: the RTL beside its twin, candidate by candidate.
#ifndef GMMU_TB_VICTIM_SELECT_LOCKSTEP_H
#define GMMU_TB_VICTIM_SELECT_LOCKSTEP_H

#include <cstdint>
#include <deque>
#include <vector>

#include "bench.h"
#include "blocks/victim_select.h"

struct Style {
    unsigned frames = 0;      // cfg_frames; 0: all
    unsigned wanted = 500;    // permille of the idle cycles bring a fault
    unsigned eligible = 900;  // permille of the candidates
    unsigned priorities = 0;  // so many different ones
    unsigned stamps = 0;      // so many different last accesses; 0: any
    unsigned grant = 1000;    // permille of the requests
    unsigned latency = 8;     // of an answer
    unsigned credit = 0;      // permille of the cycles in which credit comes or goes
    unsigned retry = 500;     // permille of the decisions find that the best was used
    unsigned near = 0;        // permille of the candidates are like one of the last
    uint64_t cycles = 0;
    unsigned fresh = 0;      // permille of the candidates, as many searches are forced
    unsigned guarded = 300;  // permille of the candidates are protected, or not as one of the last
    bool late = false;       // outcomes come 58 to 63 cycles behind their grant, not 1 to 3
    unsigned slow = 0;       // permille of the cycles are slow, and latency does not count these;
                             // 0: all if latency is more than 60, else none
};

class VictimSelect : public bench::Block {
   public:
    uint64_t candidates = 0, victims = 0, retries = 0, nones = 0, frees = 0, second = 0, kept = 0,
             stays = 0;
    uint64_t voids = 0, resumed = 0;        // clock: hands behind the taker; rounds that went on
    uint64_t passed = 0, last_resorts = 0;  // fresh frames passed over, taken
    uint64_t same_slot = 0, re_kept = 0;    // right behind the other; a kept frame met by the hand

    // permille of the idle cycles change cfg_frames and cfg_search, half of it of the others
    // cfg_search
    unsigned change = 0;

    explicit VictimSelect(const bench::Setup &s) : Block("victim_select", s) {
        dut->rst = dut->slow = 0;
        dut->cfg_frames = 1;
        dut->wanted = dut->no_search = dut->cand_grant = dut->ans_valid = 0;
        dut->hand_valid = dut->forces = dut->ans_fresh = dut->hand_fresh = 0;
        dut->decide_grant = dut->decide_done = dut->decide_retry = dut->decide_kept =
            dut->decide_taken = 0;
    }

    void reset(unsigned frames, unsigned search = GMMU_SEARCH_SCAN) {
        search_ = search;
        frames_ = frames == 0 || frames > cfg.frames ? cfg.frames : frames;
        memory.arena.used = 0;
        gmmu_victim_select_init(&twin_, &cfg, search, &memory.arena);
        dut->cfg_search = search;
        dut->cfg_frames = frames_;
        dut->rst = 1;
        for (uint64_t i = rng.below(6) + 1; i > 0; i--) {
            dut->wanted = rng.below(2);
            dut->ans_valid = rng.below(2);
            dut->hand_valid = rng.below(2);
            dut->ans_eligible = dut->hand_eligible = 1;
            dut->hand_recent = 0;
            tick();
        }
        dut->rst = 0;
        answers_.clear();
        wanted_ = credit_ = took_ = taking_ = false;
        phase_ = IDLE;
        granted_ = -1;
        settled_ = cycles;
    }

    bool run(const Style &s) {
        base_ = rng.edgy(cfg.time_w);
        for (gmmu_victim_cand &c : near_) c = {0, static_cast<uint32_t>(base_), 0};
        for (uint64_t i = 0; i < s.cycles && ok(); i++) cycle(s);
        return ok();
    }

   private:
    struct Answer {
        uint64_t due;
        bool eligible, recent, fresh;  // eligible: a fresh frame is so in a forced search alone
        gmmu_victim_cand is;
    };
    gmmu_victim_select twin_;
    unsigned frames_ = 1;
    std::deque<Answer> answers_;
    bool wanted_ = false, credit_ = false;
    unsigned search_ = GMMU_SEARCH_SCAN;
    bool took_ = false;    // clock: the answers that are to come are void
    bool forces_ = false;  // a search that begins is forced
    bool taking_ = false;  // the search ends in the next cycle, in which one more HAND may go
    // What the RTL asks for in each cycle is foretold: docs/reference/blocks/victim_select.md,
    // "Timing".
    enum Phase { IDLE, SCAN, WAIT, DECIDE };
    Phase phase_ = IDLE;
    int granted_ = -1;       // cycles until the outcome of the decision that was granted
    uint64_t settled_ = 0;   // the cycle from which on no candidate is under way to its slot
    uint64_t answered_ = 0;  // the cycle after the last eligible answer, and its slot
    uint32_t slot_ = 0;
    std::vector<uint32_t> turns_;  // the frames of this round
    uint32_t asked_ = 0;           // candidates granted in this round
    uint64_t base_ = 0;            // the present, for time stamps
    uint64_t counted_ = 0;         // cycles that were not slow

    // What an answer's `due` is told by.
    uint64_t now(const Style &s) const { return s.slow != 0 ? counted_ : cycles; }
    enum { NEAR = 4 };
    gmmu_victim_cand near_[NEAR];  // some candidates of before

    gmmu_victim_cand candidate(uint32_t frame, const Style &s) {
        // ages stay below 2^(TIME_W-1), as AGE sees to it
        const uint64_t old = bench::mask(cfg.time_w - 1);
        uint64_t age = s.stamps == 0 ? rng.edgy(cfg.time_w - 1) : rng.below(s.stamps);
        if (s.stamps != 0 && rng.chance(100))
            age = old - age;
        gmmu_victim_cand c;
        c.frame = frame;
        c.last = static_cast<uint32_t>((base_ - age) & bench::mask(cfg.time_w));
        c.priority = s.priorities == 0 ? static_cast<uint16_t>(rng.edgy(16))
                                       : static_cast<uint16_t>(rng.below(s.priorities) * 0x5555u);
        // next to one of the last ones: the same, or one bit of it different
        gmmu_victim_cand &other = near_[rng.below(NEAR)];
        if (rng.chance(s.near)) {
            c.priority = other.priority;
            c.last = other.last;
            if (rng.below(2))
                c.priority ^= static_cast<uint16_t>(1u << rng.below(16));
            else if (rng.below(2))  // ages stay below 2^(TIME_W-1)
                c.last = static_cast<uint32_t>(
                    (base_ - (((base_ - c.last) & old) ^ 1ull << rng.below(cfg.time_w - 1))) &
                    bench::mask(cfg.time_w));
        }
        if (rng.chance(s.guarded))
            c.priority ^= GMMU_GUARDED;
        if (rng.below(2))
            other = c;
        return c;
    }

    // As the hand and the turns stand when the next search begins.
    void configure() {
        search_ = static_cast<unsigned>(rng.below(4));
        frames_ = 1 + static_cast<unsigned>(rng.below(cfg.frames < 64 ? cfg.frames : 64));
        dut->cfg_search = search_;
        dut->cfg_frames = frames_;
    }

    // Another search in the middle of one: from the next round on, and for what is kept; a clock
    // stays one, and none becomes one.
    void switch_search() {
        search_ = (search_ + 1 + static_cast<unsigned>(rng.below(3))) % 4;
        dut->cfg_search = search_;
        gmmu_victim_select_configure(&twin_, search_, frames_, false);
    }

    void cycle(const Style &s) {
        dut->slow = s.slow != 0 ? rng.chance(s.slow) : s.latency > 60;
        counted_ += !dut->slow;
        if (!wanted_)
            wanted_ = rng.chance(s.wanted);
        if (phase_ == IDLE && !wanted_ && rng.chance(change))
            configure();
        else if (phase_ != IDLE && rng.chance(change / 2))
            switch_search();
        if (phase_ == IDLE)
            gmmu_victim_select_configure(&twin_, search_, frames_, true);
        if (rng.chance(s.credit))
            credit_ = !credit_;
        const bool answer = !answers_.empty() && answers_.front().due <= now(s);
        forces_ = rng.chance(s.fresh);
        if (phase_ == IDLE)
            twin_.forced = forces_;
        const Answer a = answer ? answers_.front()
                                : Answer{0, rng.below(2) != 0, rng.below(2) != 0, rng.below(2) != 0,
                                         candidate(static_cast<uint32_t>(rng.below(frames_)), s)};
        const bool clock = twin_.clock;
        const bool done = granted_ == 0;
        const gmmu_victim_cand *best = gmmu_victim_select_best(&twin_);
        // as gmmu_tier_decide
        const bool good = best != nullptr && !rng.chance(s.retry);
        const bool tired = twin_.rounds >= GMMU_SEARCH_ROUNDS;
        const bool retry = !credit_ && !good && (best != nullptr || !tired);
        const bool keep = retry && clock && best != nullptr && rng.below(2);
        dut->wanted = wanted_;
        dut->no_search = credit_;
        dut->ans_valid = clock ? rng.below(2) : answer;  // those of the other kind mean nothing
        dut->hand_valid = clock ? answer : phase_ != IDLE && rng.below(2);
        dut->ans_eligible = dut->hand_eligible = a.eligible;
        dut->hand_recent = a.recent;
        dut->ans_fresh = dut->hand_fresh = a.fresh;
        dut->forces = forces_;
        dut->ans_priority = a.is.priority & (GMMU_GUARDED - 1);
        dut->ans_guarded = (a.is.priority & GMMU_GUARDED) != 0;
        dut->ans_last = dut->hand_last = a.is.last;
        dut->ans_frame = dut->hand_frame = a.is.frame;
        dut->decide_done = done;
        dut->decide_retry = done ? retry : rng.below(2);
        dut->decide_kept = done ? keep : rng.below(2);
        dut->decide_taken = done ? !credit_ && good : rng.below(2);
        dut->cand_grant = dut->decide_grant = 0;
        settle();
        const bool grant = rng.chance(s.grant);
        dut->cand_grant = dut->cand_req && grant;
        dut->decide_grant = dut->decide_req && grant;
        settle();

        expect("idle", dut->idle, phase_ == IDLE && !wanted_);
        expect("a slot that turned bad", dut->turned, 0);
        expect("request for a candidate", dut->cand_req, phase_ == SCAN);
        expect("request for a decision", dut->decide_req, phase_ == DECIDE && granted_ < 0);
        if (phase_ == SCAN)
            expect("kind of the candidate", dut->cand_hand, clock);
        if (clock && answer)
            expect("a HAND is void", dut->hand_void, took_);
        if (!ok())
            return;
        const bool taken = taking_;
        taking_ = false;
        advance(s, done && !retry);
        if (taken)
            phase_ = WAIT;
        decision(done);
        if (answer && clock) {
            hand(a);
        } else if (answer) {
            const uint32_t slot = a.is.frame & (cfg.pool - 1);
            same_slot += a.eligible && answered_ == cycles && slot_ == slot;
            re_kept += a.eligible && (twin_.valid >> slot & 1) != 0 &&
                       twin_.frame[slot] == a.is.frame && twin_.kept == 0;
            if (a.eligible) {
                settled_ = cycles + 2;
                answered_ = cycles + 1;
                slot_ = slot;
            }
            // as gmmu_tier_cand
            gmmu_victim_cand c = a.is;
            if (a.fresh && a.eligible)
                c.priority = GMMU_LAST_RESORT;
            pass(a);
            gmmu_victim_select_offer(&twin_, c, a.eligible, frames_);
            answers_.pop_front();
            actions++;
            candidates++;
        }
        took_ = took_ && (taking_ || !answers_.empty());
        if (done)
            outcome(retry, keep, good);
        else if (granted_ > 0)
            granted_--;
        if (dut->decide_grant)
            granted_ = static_cast<int>(s.late ? 57 + rng.below(6) : rng.below(3));
        edge();
    }

    void pass(const Answer &a) {
        if (a.fresh && !a.eligible) {
            gmmu_victim_select_over_fresh(&twin_);
            passed += twin_.rounds == 1;
        }
        last_resorts += a.fresh && a.eligible;
    }

    // A HAND's answer: none behind the taker has an effect.
    void hand(const Answer &a) {
        const bool takes = a.eligible && !a.recent;
        if (!took_) {
            gmmu_victim_cand c = a.is;
            c.priority = 0;
            pass(a);
            gmmu_victim_select_hand(&twin_, c, takes, frames_);
            if (takes) {
                took_ = taking_ = true;
                settled_ = cycles + 3;
            }
        } else {
            voids++;
        }
        answers_.pop_front();
        actions++;
        candidates++;
    }

    // What follows this cycle; FINAL: a decision ends the search.
    void advance(const Style &s, bool final) {
        const bool done = granted_ == 0;
        switch (phase_) {
            case IDLE:
                if (wanted_)
                    start(credit_ ? DECIDE : SCAN);
                break;
            case SCAN:
                expect("frame of the candidate", dut->cand_frame, turns_[asked_]);
                if (dut->cand_grant) {
                    const bool fresh = rng.chance(s.fresh);
                    answers_.push_back({now(s) + 1 + rng.below(s.latency),
                                        rng.chance(s.eligible) && (!fresh || twin_.forced),
                                        rng.below(2) != 0, fresh, candidate(turns_[asked_], s)});
                    if (answers_.size() > 1 &&
                        answers_.back().due <= answers_[answers_.size() - 2].due)
                        answers_.back().due = answers_[answers_.size() - 2].due + 1;  // in order
                    if (++asked_ == turns_.size())
                        phase_ = WAIT;
                }
                break;
            case WAIT:
                if (answers_.empty() && cycles >= settled_)
                    start(gmmu_victim_select_best(&twin_) != nullptr ||
                                  twin_.rounds >= GMMU_SEARCH_ROUNDS || credit_
                              ? DECIDE
                              : SCAN);
                break;
            case DECIDE:
                if (done)
                    phase_ = final ? IDLE : WAIT;
                break;
        }
    }

    void start(Phase next) {
        phase_ = next;
        if (next != SCAN)
            return;
        asked_ = 0;
        second += twin_.rounds == 1;
        resumed += twin_.clock && twin_.left != 0;
        // the kept ones in the first round, then the hand
        (void)gmmu_victim_select_next(&twin_, frames_);
        turns_.clear();
        for (uint64_t left = twin_.kept; left != 0; left &= left - 1)
            turns_.push_back(twin_.frame[__builtin_ctzll(left)]);
        kept += turns_.size();
        const uint32_t n = twin_.left;
        for (uint32_t t = 0; t < n; t++) turns_.push_back((twin_.hand + t) % frames_);
    }

    // What stands at the decision's outputs, at the request and when its outcome comes.
    void decision(bool done) {
        if (!dut->decide_req && !done && granted_ < 0)
            return;
        const gmmu_victim_cand *best = gmmu_victim_select_best(&twin_);
        expect("DECIDE has a candidate", dut->decide_have, best != nullptr);
        expect("DECIDE two scans are done", dut->decide_tired, twin_.rounds >= GMMU_SEARCH_ROUNDS);
        expect("DECIDE by force", dut->forced, twin_.forced);
        expect("DECIDE fresh frames were passed", dut->decide_fresh, twin_.passed_fresh);
        expect("DECIDE a search was done", dut->decide_searched, twin_.rounds > 0 && !twin_.clock);
        if (best != nullptr) {
            expect("DECIDE frame", dut->decide_frame, best->frame);
            expect("DECIDE priority", dut->decide_priority, best->priority & (GMMU_GUARDED - 1));
            expect("DECIDE last access", dut->decide_last, best->last);
        }
        actions += done;
    }

    void outcome(bool retry, bool keep, bool good) {
        granted_ = -1;
        if (retry) {
            stays += keep;
            if (keep)
                gmmu_victim_select_keep(&twin_);
            else if (gmmu_victim_select_best(&twin_) != nullptr)
                gmmu_victim_select_retry(&twin_);
            // three cycles and one for each slot that is not empty
            const unsigned n = static_cast<unsigned>(__builtin_popcountll(twin_.valid));
            settled_ = cycles + (n == 0 ? 1 : n + 3);
            retries++;
            return;
        }
        frees += credit_;
        victims += !credit_ && good;
        nones += !credit_ && !good;
        if (!credit_ && good)
            gmmu_victim_select_taken(&twin_);  // as gmmu_tier_decide does with a victim
        gmmu_victim_select_end(&twin_);
        wanted_ = rng.below(2);  // perhaps another fault at once
    }
};

#endif
