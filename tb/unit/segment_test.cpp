// SPDX-License-Identifier: Apache-2.0
// segment_test.cpp: the protected segment's RTL against its C twin, action by action.
//
// State space: one to a few frames in play, so that walks and side actions meet on a frame in one
// and in neighbouring cycles; every side action, alone and in a row; intervals and ages at, next to
// and far from T; FILL with and without a last access; decisions that were searched for,
// four cycles apart at least; cfg_protect and cfg_frames that change while another limit is worked
// out, from and to 0; few frames protected, the limit reached, and more than the limit; limits next
// above the count; T at both its ends; a reset in the middle of a run. Parameter space: the
// configuration that it is built for, the three RAM collision models, random initial state; with
// bits that turn over in words as they are written all is as without, and with one in every word
// each use of a RAM's word is told.
#include <algorithm>
#include <deque>
#include <vector>

#include "bench.h"

namespace {

enum Side { NONE, FILL, FREE, CAND, TAKE, SEARCHED, SIDES };

struct Style {
    unsigned frames = 1;          // in play
    unsigned walk = 0, side = 0;  // permille of the cycles
    unsigned searched = 0;  // permille of the side actions are a decision that was searched for
    unsigned fill = 0;      // permille of the others are a FILL
    unsigned returns = 0;   // permille of the FILLs
    unsigned near = 0;      // permille of the intervals are next to T
    unsigned change = 0;    // permille of the cycles change a register
    uint64_t cycles = 0;
    bool next_above = false;  // most other limits are next above the count
};

class Segment : public bench::Block {
   public:
    uint64_t walks = 0, sides = 0, taken = 0, gone = 0, answers = 0, allowed = 0, over = 0;
    uint64_t turns = 0;  // cycles that used a word of which a bit had turned over

    explicit Segment(const bench::Setup &s) : Block("segment", s), time_(bench::mask(cfg.time_w)) {
        // each RAM model has stimuli of its own, and so has each number of flips
        rng = bench::Random(s.seed + (uint64_t{s.flip} << 32) +
                            (static_cast<uint64_t>(s.ram[0]) << 40));
        random_inputs();
    }

    void reset() {
        dut->rst = 1;
        for (int i = 0; i < 6; i++) {
            random_inputs();
            tick();
        }
        dut->rst = 0;
        idle_inputs();
        frames_ = cfg.frames;
        share_ = 0;
        registers();
        for (int i = 0; i < 3; i++) {  // the unit may begin later
            settle();
            expect("cleared without being told to", dut->cleared, 0);
            edge();
        }
        dut->clear = 1;
        for (uint32_t f = 0; f < cfg.frames; f++) {
            settle();
            expect("cleared too soon", dut->cleared, 0);
            edge();
        }
        for (int i = 0; i < 24; i++) {  // others may take longer
            if (i == 4)
                dut->clear = 0;
            settle();
            expect("cleared", dut->cleared, 1);
            edge();
        }
        gmmu_segment_init(&twin_, &cfg);
        bit_.assign(cfg.frames, 0);
        states_.clear();
        answers_.assign(LOOKUP, 0);
        written_.assign(cfg.frames, Written());
        uses_.assign(LATENCY, 0);
        walked_ = walk_sets_ = false;
        at_ = 0;
        turned_ = false;
        of_frames_ = frames_;
        of_share_ = share_;
    }

    bool run(const Style &s) {
        pool_ = {cfg.frames - 1, 0};
        while (pool_.size() < s.frames)
            pool_.push_back(static_cast<uint32_t>(rng.below(cfg.frames)));
        pool_.resize(s.frames);
        for (uint64_t i = 0; i < s.cycles && ok(); i++) cycle(s);
        return ok();
    }

    // Bits turned over, and were told.
    void expect_told() {
        expect("bits that turned over are told", turns >= (cfg.frames > 4 ? 1000 : 5), 1);
    }

   private:
    enum { LATENCY = 4, LOOKUP = 6, ALLOW = 10, LAST = 13, DECISIONS = 4, FORWARDED = 4 };
    struct Written {  // cycles of the last effects that wrote a frame's words; 0: by the clearing
        uint64_t side = 0, walk = 0;
    };
    uint64_t cycle_ = DECISIONS, decided_ = 0;  // of the last one that was searched for
    uint64_t time_;
    gmmu_segment twin_ = {};
    std::vector<char> bit_;
    std::vector<uint32_t> pool_;
    uint32_t frames_ = 1, share_ = 0;
    // the limit that is worked out
    unsigned at_ = 0;
    uint32_t of_frames_ = 0, of_share_ = 0;
    std::deque<gmmu_segment> states_;  // of the last cycles, after the side action and ALLOW
    std::deque<char> answers_;
    bool turned_ = false;
    std::vector<Written> written_;
    std::deque<char> uses_;                    // uses_ram of the last cycles
    bool walked_ = false, walk_sets_ = false;  // the walk before; its frame became protected
    uint32_t walk_frame_ = 0;
    uint64_t interval_ = 0;                  // of the walk that comes now
    uint32_t last_ = 0;                      // of the side action that comes now
    bool taken_ = false, searched_ = false;  // of the side action that comes now

    void registers() {
        dut->cfg_frames = frames_;
        dut->cfg_protect = share_;
    }
    void idle_inputs() {
        dut->clear = 0;
        dut->s3_fill = dut->s3_free = dut->s3_cand = 0;
        dut->s4_taken = taken_;
        dut->s4_searched = searched_;
        taken_ = searched_ = false;
        dut->w9_match = 0;
    }
    void random_inputs() {
        idle_inputs();
        dut->s3_fill = rng.below(2);
        dut->s4_searched = rng.below(2);
        dut->w9_match = rng.below(2);
        dut->cfg_frames = 1 + rng.below(cfg.frames);
        dut->cfg_protect = rng.below(256);
        others();
    }
    // What the action of the cycle does not need.
    void others() {
        dut->s3_frame = rng.below(cfg.frames);
        dut->w9_frame = rng.below(cfg.frames);
        dut->s4_last = last_;  // of the side action before
        last_ = static_cast<uint32_t>(rng.bits(cfg.time_w));
        dut->s3_was = rng.bits(cfg.time_w);
        dut->s3_age = rng.bits(cfg.time_w);
        dut->w10_interval = interval_;  // of the walk before
        interval_ = rng.bits(cfg.time_w);
        dut->s3_returns = rng.below(2);
    }
    uint32_t pick() { return pool_[rng.below(pool_.size())]; }
    uint32_t interval(const Style &s) {
        uint64_t x = rng.edgy(cfg.time_w);
        if (rng.chance(s.near))
            x = (twin_.t >> 8) + rng.below(5) - 2;
        else if (rng.below(3) == 0)
            x = rng.below(2 * (twin_.t >> 8) + 2);
        return static_cast<uint32_t>(x & time_);
    }
    void change(const Style &s) {
        if (s.next_above && rng.below(8) != 0) {
            const uint64_t limit = twin_.count + rng.below(16);
            share_ = static_cast<uint32_t>(
                std::min<uint64_t>(255, (limit * 256 + frames_ - 1) / frames_));
            return;
        }
        const uint32_t some[] = {0, 1, 255, 128, share_ + 1, share_ / 2};
        share_ = (rng.below(3) ? some[rng.below(6)] : static_cast<uint32_t>(rng.below(256))) & 255;
        if (rng.below(4) == 0) {
            frames_ = 1 + static_cast<uint32_t>(rng.below(cfg.frames));
            if (cfg.frames > 1000 && rng.below(2))
                frames_ = 1 + frames_ / 512;  // so that few frames reach the limit
        }
    }
    void count(uint32_t frame, bool is) {
        if (bit_[frame] != is)
            gmmu_segment_count(&twin_, is);
        bit_[frame] = is;
    }

    // As gmmu_frame_store and gmmu_fault_unit do. True: a candidate to be left alone.
    bool side(Side what, uint32_t frame, bool returns, uint32_t walks_ago, bool searched) {
        bool alone = false, writes = what == FILL || what == FREE || what == TAKE;
        if (what == FILL) {
            count(frame, false);
            if (returns ? gmmu_segment_takes(&twin_, walks_ago) : gmmu_segment_takes_new(&twin_))
                count(frame, true);
            taken += bit_[frame];
        } else if (what == FREE || what == TAKE) {
            count(frame, false);
        } else if (what == CAND && bit_[frame]) {
            if (gmmu_segment_lets_go(&twin_, walks_ago)) {
                count(frame, false);
                writes = true;
                gone++;
            } else {
                alone = twin_.limit != 0;
            }
        }
        if (writes)
            written_[frame].side = cycles;
        if (searched)
            gmmu_segment_searched(&twin_);
        answers += alone;
        over += twin_.count > twin_.limit;
        return alone;
    }

    // Whether the walk of the cycle before or the side action of this one uses a word from a RAM;
    // both have their effect in one cycle. A frame has two words, and a word that one of the last
    // four effects wrote is forwarded instead.
    bool uses_ram(bool acts, uint32_t frame) {
        const auto comes = [&](uint32_t f) {
            return cycles - written_[f].side > FORWARDED || cycles - written_[f].walk > FORWARDED;
        };
        const bool uses = (acts && comes(frame)) || (walked_ && comes(walk_frame_));
        if (walk_sets_)
            written_[walk_frame_].walk = cycles;  // the effects of this cycle did not see it
        return uses;
    }

    // The multiplication: ALLOW at its tenth step.
    bool steps() {
        const bool other = frames_ != of_frames_ || share_ != of_share_;
        expect("busy", dut->busy, at_ != 0 || other);
        const uint32_t limit = of_frames_ * of_share_ >> 8;
        const bool allow = at_ == ALLOW && limit != twin_.limit;
        expect("ALLOW", dut->tvi_allow, allow);
        if (allow)
            expect("ALLOW limit", dut->tvi_limit, limit);
        if (at_ == 0 && other) {
            of_frames_ = frames_;
            of_share_ = share_;
            at_ = 1;
        } else if (at_ != 0) {
            at_ = at_ == LAST || (at_ == ALLOW && !allow) ? 0 : at_ + 1;
        }
        if (allow)
            gmmu_segment_allow(&twin_, limit);
        return allow;
    }

    void cycle(const Style &s) {
        if (rng.chance(s.change))
            change(s);
        idle_inputs();
        others();
        registers();
        const bool acts = rng.chance(s.side), walk = rng.chance(s.walk);
        const bool decides = acts && cycle_ - decided_ >= DECISIONS && rng.chance(s.searched);
        decided_ = decides ? cycle_ : decided_;
        cycle_++;
        const Side what = !acts                ? NONE
                          : decides            ? (rng.below(2) ? TAKE : SEARCHED)
                          : rng.chance(s.fill) ? FILL
                                               : static_cast<Side>(1 + rng.below(SIDES - 2));
        const uint32_t frame = pick(), walks_ago = interval(s);
        const bool returns = rng.chance(s.returns);
        if (acts)
            dut->s3_frame = frame;
        dut->s3_fill = what == FILL;
        dut->s3_free = what == FREE;
        dut->s3_cand = what == CAND;
        taken_ = what == TAKE;
        searched_ = decides;
        if (what == FILL) {
            dut->s3_returns = returns;
            dut->s3_was = (last_ - walks_ago) & time_;
        } else if (what == CAND) {
            dut->s3_age = walks_ago;
        }
        settle();
        const bool told = dut->turned != turned_;
        turns += told;
        turned_ = dut->turned;
        if (setup.flip <= 1)  // 1: a bit turned over in each word of a RAM
            expect("a bit that turned over", told, setup.flip == 1 && uses_.front() != 0);
        uses_.pop_front();
        expect("CAND protected", dut->s9_guarded, static_cast<unsigned char>(answers_.front()));
        answers_.pop_front();
        if (states_.size() == LATENCY) {
            expect("frames that are protected", dut->tvi_count, states_.front().count);
            // a T that begins is there a cycle before the limit
            expect("T", dut->tvi_t, states_[states_[0].limit == 0 && states_[1].limit != 0].t);
            expect("filling", dut->tvi_filling, states_.front().filling);
            states_.pop_front();
        }
        uses_.push_back(uses_ram(acts && what != SEARCHED, frame));
        answers_.push_back(side(what, frame, returns, walks_ago, decides));
        allowed += steps();
        states_.push_back(twin_);
        walked_ = walk;
        walk_sets_ = false;
        if (walk) {  // it sees T as the side action and ALLOW leave it
            const uint32_t where = rng.below(3) ? pick() : frame, ago = interval(s);
            dut->w9_match = 1;
            dut->w9_frame = where;
            interval_ = ago;
            walk_frame_ = where;
            if (!bit_[where] && gmmu_segment_takes(&twin_, ago)) {
                count(where, true);
                walk_sets_ = true;
                taken++;
            }
        }
        settle();
        walks += walk;
        sides += acts;
        actions += static_cast<unsigned>(walk) + acts;
        edge();
    }
};

bench::Outcome run(const bench::Setup &s) {
    bench::Outcome o;
    Segment b(s);
    const Style styles[] = {
        // clang-format off
        {.frames = 1, .walk = 1000, .side = 1000, .searched = 50, .fill = 200, .returns = 500, .near = 500, .change = 10, .cycles = 3000},
        {.frames = 2, .walk = 1000, .side = 1000, .searched = 100, .fill = 200, .returns = 700, .near = 500, .change = 5, .cycles = 4000},
        {.frames = 3, .walk = 700, .side = 900, .searched = 100, .fill = 150, .returns = 800, .near = 300, .change = 100, .cycles = 4000},
        {.frames = 8, .walk = 300, .side = 500, .searched = 20, .fill = 100, .returns = 900, .near = 800, .change = 2, .cycles = 6000},
        {.frames = 16, .walk = 900, .side = 900, .searched = 300, .fill = 300, .returns = 500, .near = 500, .change = 20, .cycles = 6000},
        {.frames = 64, .walk = 1000, .side = 1000, .searched = 30, .fill = 100, .returns = 700, .near = 100, .change = 3, .cycles = 6000},
        {.frames = 64, .walk = 200, .side = 1000, .searched = 5, .fill = 500, .returns = 900, .near = 100, .change = 1, .cycles = 6000},
        {.frames = 32, .walk = 500, .side = 1000, .searched = 1000, .fill = 500, .returns = 900, .near = 500, .change = 1, .cycles = 16000},
        {.frames = 200, .walk = 1000, .side = 300, .searched = 10, .fill = 100, .returns = 900, .near = 50, .change = 1, .cycles = 6000},
        {.frames = 200, .walk = 1000, .side = 1000, .searched = 100, .fill = 500, .returns = 1000, .change = 300, .cycles = 12000,
         .next_above = true},
        // clang-format on
    };
    b.reset();
    for (const Style &style : styles)
        if (!b.mismatch.found)
            b.run(style);
    if (!b.mismatch.found) {
        b.reset();  // whatever was under way and in the RAMs is gone
        b.run(styles[2]);
    }
    if (!o.add(b) || !bench::config().parity)
        return o;
    bench::Setup flips = s;
    flips.flip = 1;
    Segment each(flips);
    each.reset();
    for (const Style &style : styles)
        if (!each.mismatch.found)
            each.run(style);
    if (!o.add(each))
        return o;
    flips.flip = 3;  // words with and without one beside each other
    Segment f(flips);
    f.reset();
    for (unsigned i = 3; i < 6 && !f.mismatch.found; i++) f.run(styles[i]);
    f.expect_told();
    o.add(f);
    return o;
}

#ifdef GMMU_FAULTS

TEST(SegmentFaults, EachIsSeen) {
    bench::expect_faults_seen("segment", 2, run);
}

#else

TEST(Segment, LockStep) {
    bench::expect_lockstep("segment", 8, run);
}

TEST(Segment, OneWalkAndOneSideActionACycle) {
    Segment b({.ram = "garbage", .seed = bench::seed_of_run()});
    const uint64_t n = 50000;
    b.reset();
    EXPECT_TRUE(b.run({.frames = std::min(24u, bench::config().frames),
                       .walk = 1000,
                       .side = 1000,
                       .searched = 30,
                       .fill = 150,
                       .returns = 800,
                       .near = 300,
                       .change = 6,
                       .cycles = n}))
        << b.mismatch.text();
    EXPECT_EQ(b.walks, n);
    EXPECT_EQ(b.sides, n);
    // the stimuli are worth it
    if (bench::config().frames > 16) {
        EXPECT_GT(b.taken, n / 20);
        EXPECT_GT(b.gone, n / 500);
        EXPECT_GT(b.answers, n / 20);
        EXPECT_GT(b.allowed, 30u);
        EXPECT_GT(b.over, n / 100);
    }
}

#endif

}  // namespace
