// SPDX-License-Identifier: Apache-2.0
// frame_table_test.cpp: the frame table's RTL against its C twin, operation by operation.
//
// State space: one to a few frames in play (first, last, random ones), so that both ports meet on a
// frame in the same and in neighbouring cycles; every side operation on frames in every state;
// pages that differ in one bit; ages at, below and above the clamp; time that jumps and wraps; both
// ports busy in every cycle, or with gaps; a reset in the middle of a run.
// Parameter space: the configuration that it is built for, the three RAM collision models, random
// initial state.
#include "bench.h"

namespace {

enum Side { READ, FILL, FREE, PIN, UNPIN, UNLEAVE, AGE, TAKE, SIDES };

struct Style {
    unsigned frames;      // in play
    unsigned walk, side;  // permille of the cycles
    unsigned fill;        // permille of the side operations
    unsigned hit;         // permille of the walks name the page that is there
    unsigned jump;        // permille of the cycles in which time jumps
    uint64_t cycles;
};

class FrameTable : public bench::Block {
   public:
    uint64_t walks = 0, sides = 0, matches = 0, clamps = 0, takes = 0, clashes = 0;

    explicit FrameTable(const bench::Setup &s)
        : Block("frame_table", s),
          old_(1u << (cfg.time_w - 2)),
          time_mask_(bench::mask(cfg.time_w)) {
        gmmu_frame_table_init(&twin_, &cfg, &memory.arena);
        vpns_ = {0, bench::mask(cfg.vpn_w), 1ull << (cfg.vpn_w - 1), 1, rng.bits(cfg.vpn_w)};
        vpns_.push_back(vpns_.back() ^ (1ull << rng.below(cfg.vpn_w)));
        asids_ = {0, bench::mask(cfg.asid_w), 1ull << (cfg.asid_w - 1)};
        now_ = (time_mask_ - rng.below(2000)) & time_mask_;  // wraps soon
        random_inputs();
    }

    void reset() {
        dut->rst = 1;
        dut->clear = 0;
        for (int i = 0; i < 6; i++) {  // whatever stands at the inputs
            random_inputs();
            tick();
        }
        dut->rst = 0;
        idle_inputs();
        dut->clear = 1;
        for (unsigned f = 0; f < cfg.frames; f++) {
            dut->clear_frame = f;
            dut->w0_frame = rng.below(cfg.frames);
            dut->s0_frame = rng.below(cfg.frames);
            tick();
        }
        dut->clear = 0;
        for (unsigned f = 0; f < cfg.frames; f++) twin_.frame[f] = {};
        for (int i = 0; i < 3; i++) w_frame_[i] = s_frame_[i] = 0;
        quiet_ = 2;
    }

    bool run(const Style &s) {
        pool_.clear();
        pool_.push_back(static_cast<uint32_t>(rng.below(cfg.frames)));
        if (s.frames > 1)
            pool_.push_back(cfg.frames - 1);
        if (s.frames > 2)
            pool_.push_back(0);
        while (pool_.size() < s.frames)
            pool_.push_back(static_cast<uint32_t>(rng.below(cfg.frames)));
        for (uint64_t i = 0; i < s.cycles && ok(); i++) cycle(s);
        return ok();
    }

    // Reads every frame through the side port.
    bool sweep() {
        const Style reads = {1, 0, 0, 0, 0, 0, 0};
        for (uint32_t f = 0; f < cfg.frames + 2 && ok(); f++) {
            pool_ = {f % cfg.frames};
            cycle(reads);
        }
        return ok();
    }

   private:
    gmmu_frame_table twin_;
    uint32_t old_;
    uint64_t time_mask_, now_;
    std::vector<uint64_t> vpns_, asids_;
    std::vector<uint32_t> pool_;
    uint32_t w_frame_[3] = {}, s_frame_[3] = {};  // at stages 0, 1, 2
    int quiet_ = 0;  // cycles until the first operation reaches stage 2

    uint64_t pack(gmmu_class c) const { return static_cast<uint64_t>(c.row) << cfg.gen_w | c.gen; }
    gmmu_class random_class() {
        return {static_cast<uint16_t>(rng.below(cfg.classes)),
                static_cast<uint16_t>(rng.bits(cfg.gen_w))};
    }
    template <typename T>
    T pick(const std::vector<T> &from) {
        return from[rng.below(from.size())];
    }

    void idle_inputs() {
        dut->w2_hit = 0;
        dut->s2_fill = dut->s2_free = dut->s2_pin = dut->s2_unpin = 0;
        dut->s2_unleave = dut->s2_age = dut->s2_take = 0;
    }
    void random_inputs() {
        idle_inputs();
        dut->w0_frame = rng.below(cfg.frames);
        dut->s0_frame = rng.below(cfg.frames);
        dut->clear_frame = rng.below(cfg.frames);
        dut->w2_hit = rng.below(2);
        dut->s2_fill = rng.below(2);
        dut->s2_asid = dut->w2_asid = rng.bits(cfg.asid_w);
        dut->s2_vpn = dut->w2_vpn = rng.bits(cfg.vpn_w);
        dut->s2_class = dut->w2_class = pack(random_class());
        dut->s2_last = dut->s2_time = dut->w2_time = rng.bits(cfg.time_w);
    }

    // The frame of the coming operation: often that of the other port, or of one still under way.
    uint32_t next_frame(uint32_t other) {
        switch (rng.below(4)) {
            case 0:
                return other;
            default:
                return pick(pool_);
        }
    }

    void cycle(const Style &s) {
        w_frame_[2] = w_frame_[1];
        s_frame_[2] = s_frame_[1];
        w_frame_[1] = w_frame_[0];
        s_frame_[1] = s_frame_[0];
        s_frame_[0] = pick(pool_);
        w_frame_[0] = next_frame(s_frame_[0]);
        dut->s0_frame = s_frame_[0];
        dut->w0_frame = w_frame_[0];
        if (quiet_ > 0) {
            quiet_--;
            idle_inputs();
            tick();
            return;
        }
        gmmu_frame &sf = twin_.frame[s_frame_[2]];
        if (rng.chance(s.jump))
            jump(sf);

        // what stands at stage 2
        const bool walk = rng.chance(s.walk);
        const Side op = !rng.chance(s.side)  ? READ
                        : rng.chance(s.fill) ? FILL
                                             : static_cast<Side>(1 + rng.below(SIDES - 1));
        gmmu_frame page = {};
        page.vpn = pick(vpns_);
        page.asid = static_cast<uint32_t>(pick(asids_));
        page.cls = random_class();
        page.last = static_cast<uint32_t>((now_ - rng.edgy(cfg.time_w)) & time_mask_);
        page.dirty = rng.below(2);
        uint32_t expected = sf.last;  // TAKE
        if (rng.chance(300))
            expected ^= 1u << rng.below(cfg.time_w);
        idle_inputs();
        dut->s2_fill = op == FILL;
        dut->s2_free = op == FREE;
        dut->s2_pin = op == PIN;
        dut->s2_unpin = op == UNPIN;
        dut->s2_unleave = op == UNLEAVE;
        dut->s2_age = op == AGE;
        dut->s2_take = op == TAKE;
        dut->s2_asid = page.asid;
        dut->s2_vpn = page.vpn;
        dut->s2_class = pack(page.cls);
        dut->s2_last = op == TAKE ? expected : page.last;
        dut->s2_dirty = page.dirty;
        dut->s2_time = now_;

        const uint64_t walk_time = (now_ + 1) & time_mask_;
        const gmmu_frame &wf = twin_.frame[w_frame_[2]];
        const bool same = w_frame_[2] == s_frame_[2];
        uint64_t vpn = pick(vpns_);
        uint32_t asid = static_cast<uint32_t>(pick(asids_));
        if (rng.chance(s.hit)) {  // the page that is there once the side operation is done
            vpn = same && op == FILL ? page.vpn : wf.vpn;
            asid = same && op == FILL ? page.asid : wf.asid;
        } else if (rng.chance(500)) {  // nearly that page
            vpn = wf.vpn ^ (rng.below(2) ? 1ull << rng.below(cfg.vpn_w) : 0);
            asid =
                static_cast<uint32_t>(wf.asid ^ (rng.below(2) ? 1u << rng.below(cfg.asid_w) : 0));
        }
        const gmmu_class cls = random_class();
        const bool write = rng.chance(300);
        dut->w2_hit = walk;
        dut->w2_vpn = vpn;
        dut->w2_asid = asid;
        dut->w2_class = pack(cls);
        dut->w2_write = write;
        dut->w2_time = walk_time;
        settle();

        // side first, then the walk
        side(op, sf, page, expected);
        if (walk) {
            const gmmu_reuse r = gmmu_frame_table_hit(&twin_, w_frame_[2], asid, vpn, cls, write,
                                                      static_cast<uint32_t>(walk_time));
            expect("walk match", dut->w2_match, r.valid);
            if (r.valid) {
                expect("walk class of the previous access", dut->w2_was_class, pack(r.cls));
                expect("walk reuse interval", dut->w2_interval, r.interval);
            }
            matches += r.valid;
            clashes += r.valid && same && op != READ;
            now_ = walk_time;
            walks++;
        } else {
            expect("match without a walk", dut->w2_match, 0);
        }
        actions += 1u + walk;
        edge();
    }

    void side(Side op, const gmmu_frame &f, const gmmu_frame &page, uint32_t expected) {
        const uint32_t frame = s_frame_[2], now = static_cast<uint32_t>(now_);
        const bool eligible = gmmu_frame_table_eligible(&twin_, frame);
        expect("side valid", dut->s2_valid, f.valid);
        expect("side leaving", dut->s2_leaving, f.leaving);
        expect("side eligible", dut->s2_eligible, eligible);
        if (f.valid) {
            expect("side asid", dut->s2_was_asid, f.asid);
            expect("side vpn", dut->s2_was_vpn, f.vpn);
            expect("side class", dut->s2_was_class, pack(f.cls));
            expect("side last access", dut->s2_was_last, f.last);
            expect("side age", dut->s2_interval, (now_ - f.last) & time_mask_);
            expect("side dirty", dut->s2_is_dirty, f.dirty);
        }
        const bool take = op == TAKE && eligible && f.last == expected;
        expect("TAKE taken", dut->s2_taken, take);
        gmmu_frame &mine = twin_.frame[frame];
        bool clamped = false;
        if (op == FILL)
            (void)gmmu_frame_table_fill(&twin_, frame, page, now);
        else if (op == FREE)
            (void)gmmu_frame_table_free(&twin_, frame, now);
        else if (op == PIN || op == UNPIN)
            mine.pinned = op == PIN && mine.valid;
        else if (op == UNLEAVE)
            mine.leaving = false;
        else if (op == AGE)
            clamped = gmmu_frame_table_age(&twin_, frame, now, old_);
        else if (take)
            mine.leaving = true;
        expect("AGE clamped", dut->s2_clamped, clamped);
        clamps += clamped;
        takes += take;
        sides += op != READ;
    }

    void jump(const gmmu_frame &f) {
        const uint64_t near = rng.below(5) - 2;
        switch (rng.below(4)) {
            case 0:
                now_ = f.last + old_ + near;
                break;
            case 1:
                now_ = near;
                break;
            case 2:
                now_ += old_ + near;
                break;
            default:
                now_ += rng.edgy(cfg.time_w - 1);
        }
        now_ &= time_mask_;
    }
};

bench::Outcome run(const bench::Setup &s) {
    bench::Outcome o;
    FrameTable b(s);
    const Style styles[] = {
        // frames, walk, side, fill, hit, jump, cycles
        {1, 1000, 1000, 200, 850, 20, 4000}, {2, 1000, 1000, 150, 850, 20, 6000},
        {3, 700, 900, 150, 850, 5, 6000},    {3, 1000, 300, 300, 950, 2, 6000},
        {8, 500, 500, 200, 850, 50, 6000},   {16, 900, 900, 100, 900, 10, 6000},
        {64, 1000, 1000, 200, 900, 2, 6000},
    };
    b.reset();
    for (const Style &style : styles) b.run(style);
    if (!b.mismatch.found)
        b.sweep();
    if (!b.mismatch.found) {
        b.reset();  // whatever was under way and in the RAMs is gone
        b.sweep();
        b.run(styles[2]);
    }
    o.add(b);
    return o;
}

#ifdef GMMU_FAULTS

TEST(FrameTableFaults, EachIsSeen) {
    bench::expect_faults_seen("frame_table", 2, run);
}

#else

TEST(FrameTable, LockStep) {
    bench::expect_lockstep("frame_table", 8, run);
}

TEST(FrameTable, OneWalkAndOneSideOperationACycle) {
    FrameTable b({"garbage", bench::seed_of_run(), 0});
    const uint64_t n = 50000;
    b.reset();
    // the first two cycles carry the first frames to stage 2
    EXPECT_TRUE(b.run({4, 1000, 1000, 200, 900, 20, n + 2})) << b.mismatch.text();
    EXPECT_EQ(b.walks, n);
    EXPECT_EQ(b.sides, n);
    // the stimuli are worth it
    EXPECT_GT(b.matches, n / 4);
    EXPECT_GT(b.clashes, n / 20);
    EXPECT_GT(b.clamps, n / 200);
    EXPECT_GT(b.takes, n / 200);
}

#endif

}  // namespace
