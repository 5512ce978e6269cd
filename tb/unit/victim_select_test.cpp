// SPDX-License-Identifier: Apache-2.0
// victim_select_test.cpp: the search's RTL against its C twin, candidate by candidate.
//
// State space: candidates with few priorities and few time stamps (ties on both, stamps that wrap),
// protected ones and others, neighbours that differ in one bit of either; none, few or all of them
// eligible; decisions that find the best one used or pinned, until all slots are empty and into the
// second round; frames of the same slot one right behind the other; credit that comes and goes at
// any time; the side port granted in every cycle or rarely; answers after 1 to 600 cycles.
// In search clock: hands that come late, so that those behind the taker are void; frames that were
// hit and others; rounds that go on after a RETRY.
// Parameter space: the configuration that it is built for; all searches and cfg_frames, changed
// while idle too, the search in the middle of one as well; bits that turn over in the slots;
// cfg_frames 1, 2, POOL, POOL + 1, some that are no power of two, all; random initial state; a
// reset in the middle of a search.
#include <algorithm>
#include <deque>
#include <vector>

#include "bench.h"

namespace {

struct Style {
    unsigned frames;      // cfg_frames; 0: all
    unsigned wanted;      // permille of the idle cycles bring a fault
    unsigned eligible;    // permille of the candidates
    unsigned priorities;  // so many different ones
    unsigned stamps;      // so many different last accesses; 0: any
    unsigned grant;       // permille of the requests
    unsigned latency;     // of an answer
    unsigned credit;      // permille of the cycles in which credit comes or goes
    unsigned retry;       // permille of the decisions find that the best was used
    unsigned near;        // permille of the candidates are like one of the last
    uint64_t cycles;
    unsigned guarded = 300;  // permille of the candidates are protected, or not as one of the last
    bool late = false;       // outcomes come 58 to 63 cycles behind their grant, not 1 to 3
    unsigned slow = 0;       // permille of the cycles are slow, and latency does not count these;
                             // 0: all if latency is more than 60, else none
};

class VictimSelect : public bench::Block {
   public:
    uint64_t candidates = 0, victims = 0, retries = 0, nones = 0, frees = 0, second = 0, kept = 0,
             stays = 0;
    uint64_t voids = 0, resumed = 0;      // clock: hands behind the taker; rounds that went on
    uint64_t same_slot = 0, re_kept = 0;  // right behind the other; a kept frame met by the hand

    // permille of the idle cycles change cfg_frames and cfg_search, half of it of the others
    // cfg_search
    unsigned change = 0;

    explicit VictimSelect(const bench::Setup &s) : Block("victim_select", s) {
        dut->rst = dut->slow = 0;
        dut->cfg_frames = 1;
        dut->wanted = dut->no_search = dut->cand_grant = dut->ans_valid = 0;
        dut->hand_valid = 0;
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
        bool eligible, recent;
        gmmu_victim_cand is;
    };
    gmmu_victim_select twin_;
    unsigned frames_ = 1;
    std::deque<Answer> answers_;
    bool wanted_ = false, credit_ = false;
    unsigned search_ = GMMU_SEARCH_SCAN;
    bool took_ = false;    // clock: the answers that are to come are void
    bool taking_ = false;  // the search ends in the next cycle, in which one more HAND may go
    // What the RTL asks for in each cycle is foretold: docs/blocks/victim_select.md, "Timing".
    enum Phase { IDLE, SCAN, WAIT, DECIDE };
    Phase phase_ = IDLE;
    int granted_ = -1;       // cycles until the outcome of the decision that was granted
    uint64_t settled_ = 0;   // the cycle from which on no candidate is under way to its slot
    uint64_t answered_ = 0;  // the cycle after the last eligible answer, and its slot
    uint32_t slot_ = 0;
    std::vector<uint32_t> turns_;  // the frames of this round
    uint32_t asked_ = 0;           // candidates granted in this round
    bool begun_ = false;           // a round of this search: it began where the hand was at rest
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
        else if (phase_ != IDLE && begun_ && rng.chance(change / 2))
            switch_search();
        if (phase_ == IDLE)
            gmmu_victim_select_configure(&twin_, search_, frames_, true);
        if (rng.chance(s.credit))
            credit_ = !credit_;
        const bool answer = !answers_.empty() && answers_.front().due <= now(s);
        const Answer a = answer ? answers_.front()
                                : Answer{0, rng.below(2) != 0, rng.below(2) != 0,
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
            gmmu_victim_select_offer(&twin_, a.is, a.eligible, frames_);
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

    // A HAND's answer: none behind the taker has an effect.
    void hand(const Answer &a) {
        const bool takes = a.eligible && !a.recent;
        if (!took_) {
            gmmu_victim_cand c = a.is;
            c.priority = 0;
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
                    answers_.push_back({now(s) + 1 + rng.below(s.latency), rng.chance(s.eligible),
                                        rng.below(2) != 0, candidate(turns_[asked_], s)});
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
        if (phase_ == IDLE)
            begun_ = false;
        phase_ = next;
        if (next != SCAN)
            return;
        asked_ = 0;
        begun_ = true;
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

bench::Outcome run(const bench::Setup &s) {
    const gmmu_config &c = bench::config();
    bench::Outcome o;
    VictimSelect b(s);
    bench::Random sizes(s.seed);
    const unsigned any = 1 + static_cast<unsigned>(sizes.below(c.frames < 256 ? c.frames : 256));
    const unsigned other = 1 + static_cast<unsigned>(sizes.below(40));
    const unsigned all = c.frames < 256 ? c.frames : 256;
    // frames, wanted, eligible, priorities, stamps, grant, latency, credit, retry, near, cycles
    const Style styles[] = {
        {1, 500, 700, 3, 2, 800, 8, 5, 300, 0, 3000},
        {2, 500, 500, 2, 2, 1000, 1, 20, 300, 0, 3000},
        {c.pool, 300, 800, 2, 3, 1000, 8, 2, 600, 0, 4000},
        {c.pool + 1, 300, 900, 2, 3, 700, 8, 2, 900, 0, 4000},
        {37, 300, 900, 4, 4, 1000, 8, 1, 800, 0, 6000},
        {37, 300, 30, 2, 2, 900, 20, 1, 500, 0, 6000},    // often nobody: a second scan
        {37, 300, 0, 2, 2, 900, 8, 3, 500, 0, 3000},      // never anyone
        {37, 500, 900, 0, 0, 1000, 8, 0, 1000, 0, 6000},  // until all slots are empty
        {100, 500, 700, 2, 0, 500, 40, 0, 300, 0, 8000},
        {5, 500, 700, 2, 0, 500, 60, 0, 300, 0, 8000},
        {100, 1000, 700, 0, 0, 1000, 8, 1, 200, 0, 8000},
        {all, 700, 900, 0, 0, 1000, 4, 20, 300, 0,
         8000},  // credit in the middle of a search keeps full slots
        {37, 500, 900, 0, 0, 1000, 8, 0, 800, 900, 20000},
        {c.k + c.pool + 1, 500, 900, 2, 3, 1000, 1, 2, 500, 500, 10000},  // equal slots at its end
        {2 * c.k + 2 * c.pool + 1, 500, 900, 0, 0, 1000, 1, 2, 800, 900, 10000},
        {any, 500, 900, 0, 0, 1000, 8, 0, 500, 950, 10000},
        {other, 500, 900, 3, 0, 1000, 1, 1, 500, 500, 10000},
        // all equal: the frame decides, in slots that are met at once
        {c.frames < 61 ? c.frames : 61, 700, 950, 1, 1, 1000, 1, 0, 300, 0, 20000, 0},
        // the same among more, that a frame of a high number is held as a lower one comes
        {c.frames < 135 ? c.frames : 135, 700, 500, 1, 1, 1000, 1, 0, 300, 0, 20000, 0},
        // as late as they may come: outcomes, answers
        {37, 1000, 700, 3, 3, 1000, 4, 1, 600, 0, 12000, 300, true},
        {37, 1000, 700, 3, 3, 1000, 60, 1, 300, 0, 12000, 300, false, 300},
        {0, 1000, 500, 3, 5, 1000, 8, 0, 500, 0, 2ull * c.frames + 4000},
        // very late answers
        {0, 1000, 500, 0, 0, 1000, 250, 0, 500, 500, 2ull * c.frames + 4000},
        {0, 1000, 500, 0, 0, 1000, 600, 0, 0, 500, 2ull * c.frames + 4000},
    };
    for (const unsigned search : {GMMU_SEARCH_SCAN, GMMU_SEARCH_SAMPLE, GMMU_SEARCH_CLOCK})
        for (const Style &style : styles) {
            if (b.mismatch.found)
                break;
            b.reset(style.frames, search);
            (void)b.run(style);
        }
    b.reset(37, GMMU_SEARCH_SAMPLE);
    b.change = 100;
    (void)b.run({37, 300, 700, 3, 3, 1000, 8, 2, 200, 0, 30000});
    (void)b.run({37, 300, 20, 3, 3, 1000, 8, 2, 200, 0, 30000});  // a second round, of another kind
    if (!o.add(b))
        return o;
    Lossy lossy(s);
    for (const unsigned search : {GMMU_SEARCH_SCAN, GMMU_SEARCH_SAMPLE, GMMU_SEARCH_CLOCK})
        if (!lossy.run(search, 200))
            break;
    if (!o.add(lossy) || !c.parity)
        return o;
    bench::Setup flips = s;
    flips.flip = 6;
    Flipped f(flips);
    (void)f.run(400);
    if (!o.add(f))
        return o;
    flips.flip = 1;
    Flipped all_bad(flips);
    (void)all_bad.run(200, false);
    o.add(all_bad);
    return o;
}

#ifdef GMMU_FAULTS

TEST(VictimSelectFaults, EachIsSeen) {
    bench::expect_faults_seen("victim_select", 2, run);
}

#else

TEST(VictimSelect, LockStep) {
    bench::expect_lockstep("victim_select", 8, run);
}

TEST(VictimSelect, WhatIsLostIsNotWaitedFor) {
    Lossy b({"garbage", bench::seed_of_run(), 0});
    for (const unsigned search : {GMMU_SEARCH_SCAN, GMMU_SEARCH_SAMPLE, GMMU_SEARCH_CLOCK})
        EXPECT_TRUE(b.run(search, 3000)) << b.mismatch.text();
    EXPECT_GT(b.lost, 300u);
    EXPECT_GT(b.extra, 100u);
    EXPECT_GT(b.unheard, 50u);
    std::printf(
        "%llu decisions; %llu answers lost, %llu too many, %llu outcomes lost; longest "
        "search %llu cycles\n",
        (unsigned long long)b.decisions, (unsigned long long)b.lost, (unsigned long long)b.extra,
        (unsigned long long)b.unheard, (unsigned long long)b.longest);
}

TEST(VictimSelect, SlotsThatTurnBad) {
    if (!bench::config().parity)
        return;
    for (const char *ram : {"garbage", "old", "new"}) {
        Flipped b({ram, bench::seed_of_run(), 0, 6});
        EXPECT_TRUE(b.run(3000)) << b.mismatch.text();
        EXPECT_GT(b.turns, 300u);
        EXPECT_GT(b.retries, 1000u);
        Flipped all_bad({ram, bench::seed_of_run(), 0, 1});
        EXPECT_TRUE(all_bad.run(1000, false)) << all_bad.mismatch.text();
        EXPECT_GT(all_bad.turns, 1000u);
        std::printf("victim_select (%s): %llu decisions, %llu RETRYs; a slot was bad %llu times\n",
                    GMMU_CONFIG_NAME, (unsigned long long)b.decisions,
                    (unsigned long long)b.retries, (unsigned long long)b.turns);
    }
}

TEST(VictimSelect, OneCandidateACycle) {
    // granted in every cycle, a scan takes a cycle a frame; that the request stands in each of them
    // and that nothing waits longer than three cycles is asserted in every run
    const gmmu_config &c = bench::config();
    VictimSelect b({"old", bench::seed_of_run(), 0});
    b.reset(0);
    const uint64_t n = 4ull * c.frames;
    const Style full_rate = {0, 1000, 1000, 0, 0, 1000, 1, 0, 0, 0, n};
    EXPECT_TRUE(b.run(full_rate)) << b.mismatch.text();
    // a decision costs the answers' latency and less than 16 cycles between two scans
    EXPECT_GE(b.candidates + 16 * (b.victims + 1), n);
    EXPECT_GE(b.victims, 3u);
}

TEST(VictimSelect, StimuliReachTheCorners) {
    VictimSelect b({"old", bench::seed_of_run(), 0});
    b.reset(37);
    EXPECT_TRUE(b.run({37, 500, 100, 2, 3, 1000, 8, 5, 500, 0, 50000})) << b.mismatch.text();
    b.reset(5);
    EXPECT_TRUE(b.run({5, 500, 50, 2, 3, 1000, 8, 2, 500, 0, 50000})) << b.mismatch.text();
    EXPECT_GT(b.victims, 100u);
    EXPECT_GT(b.retries, 100u);
    EXPECT_GT(b.second, 20u);
    EXPECT_GT(b.nones, 5u);
    EXPECT_EQ(b.kept, 0u);
    b.reset(37, GMMU_SEARCH_SAMPLE);
    EXPECT_TRUE(b.run({37, 500, 700, 2, 3, 1000, 8, 5, 200, 0, 50000})) << b.mismatch.text();
    EXPECT_GT(b.kept, 100u);
    EXPECT_GT(b.frees, 20u);
    EXPECT_GT(b.re_kept, 20u);
    b.reset(bench::config().k + bench::config().pool + 1, GMMU_SEARCH_SAMPLE);
    EXPECT_TRUE(b.run({0, 500, 900, 2, 3, 1000, 1, 5, 200, 0, 50000})) << b.mismatch.text();
    EXPECT_GT(b.same_slot, 100u);
    const uint64_t before = b.victims, nones = b.nones, seconds = b.second;
    b.reset(37, GMMU_SEARCH_CLOCK);
    EXPECT_TRUE(b.run({37, 500, 300, 2, 3, 1000, 8, 2, 200, 0, 50000})) << b.mismatch.text();
    EXPECT_GT(b.stays, 50u);
    b.reset(5, GMMU_SEARCH_CLOCK);
    EXPECT_TRUE(b.run({5, 500, 100, 2, 3, 1000, 8, 2, 500, 0, 50000})) << b.mismatch.text();
    EXPECT_GT(b.victims - before, 100u);
    EXPECT_GT(b.nones - nones, 20u);
    EXPECT_GT(b.second - seconds, 20u);
    EXPECT_GT(b.voids, 100u);
    EXPECT_GT(b.resumed, 50u);
}

#endif

}  // namespace
