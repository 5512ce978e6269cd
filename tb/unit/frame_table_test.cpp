// SPDX-License-Identifier: Apache-2.0
// frame_table_test.cpp: the frame table's RTL against its C twin, operation by operation.
//
// State space: one to a few frames in play (first, last, random ones), so that both ports meet on a
// frame in the same and in neighbouring cycles; every side operation on frames in every state;
// pages that differ in one bit, fresh or not, by force or not; hits and replays; ages at, below and
// above the clamp; time that jumps and wraps; both ports busy in every cycle, or with gaps; a reset
// in the middle of a run.
// Parameter space: the configuration that it is built for, the three RAM collision models, random
// initial state; bits that turn over in words as they go to the RAMs.
#include "bench.h"

namespace {

enum Side { READ, FILL, FREE, PIN, UNPIN, UNLEAVE, AGE, EXPIRE, TAKE, KEEP, PASS, SIDES };

struct Style {
    unsigned frames = 1;          // in play
    unsigned walk = 0, side = 0;  // permille of the cycles
    unsigned fill = 0;            // permille of the side operations
    unsigned hit = 0;             // permille of the walks name the page that is there
    unsigned jump = 0;            // permille of the cycles in which time jumps
    uint64_t cycles = 0;
};

class FrameTable : public bench::Block {
   public:
    uint64_t walks = 0, sides = 0, matches = 0, clamps = 0, takes = 0, keeps = 0, clashes = 0,
             passes = 0, written = 0, replays = 0, fresh_taken = 0, fresh_left = 0, expired = 0,
             used = 0, used_by_replay = 0;
    uint64_t told = 0, wrong = 0;  // with flips: words that turned bad, records that they spoilt

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
            dut->w5_frame = rng.below(cfg.frames);
            dut->s0_frame = rng.below(cfg.frames);
            tick();
        }
        dut->clear = 0;
        for (unsigned f = 0; f < cfg.frames; f++) gmmu_frame_table_put(&twin_, f, {});
        real_.assign(cfg.frames, Real{});
        was_match_ = false;
        for (int i = 0; i < 5; i++) w_frame_[i] = s_frame_[i] = 0;
        coming_ = 0;
        at3_ = {};
        renewed_ = 0;
        quiet_ = 4;
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
        const Style reads = {.frames = 1};
        for (uint32_t f = 0; f < cfg.frames + 4 && ok(); f++) {
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
    uint32_t w_frame_[5] = {}, s_frame_[5] = {};  // at stages 5 to 9; at stages 0 to 3
    uint32_t coming_ = 0;                         // the side port's next frame
    uint32_t renewed_ = 0;                        // FILL or AGE at stage 3, cycle by cycle
    bool was_hit_ = false;                        // the walk of the cycle before,
    uint32_t interval_ = 0, class_ = 0;  // and its interval, and class of the access before
    bool was_fill_ = false;              // the side operation before was a FILL,
    uint32_t last_ = 0;                  // with this last access
    int quiet_ = 0;                      // cycles until the first operation reaches stage 3

    // The operations of a cycle at stage 3; what they are is chosen as they come to stage 2.
    struct Operation {
        bool walk = false, write = false, replay = false, force = false;
        Side side = READ;
        gmmu_frame page = {};   // FILL
        uint32_t expected = 0;  // TAKE
        bool written = false;   // READ, of nothing: the port writes in the cycle of its address
        uint64_t now = 0, walk_time = 0, vpn = 0;
        uint32_t asid = 0;
        gmmu_class cls = {};
    } at3_;

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
        dut->w9_hit = dut->w9_replay = 0;
        dut->s3_fill = dut->s3_free = dut->s3_pin = dut->s3_unpin = 0;
        dut->s3_unleave = dut->s3_age = dut->s3_take = dut->s3_keep = dut->s3_pass = dut->s3_look =
            dut->s3_expire = dut->s3_force = 0;
    }
    void random_inputs() {
        idle_inputs();
        dut->w5_frame = rng.below(cfg.frames);
        dut->s0_frame = rng.below(cfg.frames);
        dut->clear_frame = rng.below(cfg.frames);
        dut->w9_hit = rng.below(2);
        dut->w9_replay = rng.below(2);
        dut->s3_fill = rng.below(2);
        dut->s2_asid = dut->w8_asid = rng.bits(cfg.asid_w);
        dut->s2_vpn = dut->w8_vpn = rng.bits(cfg.vpn_w);
        dut->s3_class = dut->w9_class = pack(random_class());
        dut->s3_last = dut->s2_expect = dut->s2_time = dut->w8_time = rng.bits(cfg.time_w);
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
        for (int i = 4; i > 0; i--) {
            w_frame_[i] = w_frame_[i - 1];
            s_frame_[i] = s_frame_[i - 1];
        }
        s_frame_[0] = coming_;
        coming_ = pick(pool_);
        w_frame_[0] = next_frame(coming_);
        dut->s0_frame = s_frame_[0];
        dut->w5_frame = w_frame_[0];
        idle_inputs();
        const Operation op = at3_;
        drive3(op);
        const gmmu_frame before =
            gmmu_frame_table_get(&twin_, s_frame_[3]);  // side first, then the walk
        const bool eligible = op.force ? gmmu_frame_table_forcible(&twin_, s_frame_[3])
                                       : gmmu_frame_table_eligible(&twin_, s_frame_[3]);
        const bool recent = twin_.page[s_frame_[3]].used;
        const bool clamped = side(op, eligible);
        gmmu_reuse reuse = {};
        bool matched = false;
        const bool ends = op.walk && twin_.seen[w_frame_[4]].fresh;
        if (op.walk && op.replay) {
            matched = gmmu_frame_table_replay(&twin_, w_frame_[4], op.asid, op.vpn, op.write);
            replays += matched;
            used_by_replay += matched && ends;
        } else if (op.walk) {
            reuse = gmmu_frame_table_hit(&twin_, w_frame_[4], op.asid, op.vpn, op.cls, op.write,
                                         static_cast<uint32_t>(op.walk_time));
            now_ = op.walk_time;
            matched = reuse.valid;
            used += matched && ends;
        }
        matches += matched;
        clashes += matched && w_frame_[4] == s_frame_[3] && op.side != READ;
        walks += op.walk;
        const bool ready = quiet_ == 0;
        if (!ready)
            quiet_--;
        renewed_ = renewed_ << 1 | (op.side == FILL || op.side == AGE);
        at3_ = quiet_ == 0 ? next(s) : Operation{};
        drive2(at3_);
        settle();
        if (ready && setup.flip != 0)
            check_flipped(op);
        else if (ready)
            check(op, before, eligible, recent, clamped, matched, reuse);
        actions += 1u + op.walk;
        edge();
    }

    void check(const Operation &op, const gmmu_frame &before, bool eligible, bool recent,
               bool clamped, bool matched, const gmmu_reuse &reuse) {
        expect("side valid", dut->s3_valid, before.valid);
        expect("side leaving", dut->s3_leaving, before.leaving);
        if (!op.written) {
            expect("side eligible", dut->s3_eligible, eligible);
            expect("side fresh", dut->s3_fresh, before.fresh && !before.pinned);
        }
        expect("a word turned bad", dut->s3_bad || dut->w9_bad, 0);
        if (before.valid) {
            expect("side dirty", dut->s3_is_dirty, before.dirty);
            expect("side hit since FILL or PASS", dut->s3_recent, recent);
        }
        if (before.valid && !op.written) {
            expect("side asid", dut->s3_was_asid, before.asid);
            expect("side vpn", dut->s3_was_vpn, before.vpn);
            expect("side class", dut->s3_was_class, pack(before.cls));
            expect("side last access", dut->s3_was_last, before.last);
            expect("side age", dut->s3_interval, (op.now - before.last) & time_mask_);
        }
        expect("TAKE taken", dut->s3_taken, taken(op, before.last, eligible));
        expect("AGE clamped", dut->s3_clamped, clamped);
        expect("walk match", dut->w9_match, matched);
        if (was_hit_) {
            expect("walk before: class of the previous access", dut->w10_was_class, class_);
            expect("reuse interval of the walk before", dut->w10_interval, interval_);
        }
        was_hit_ = reuse.valid;
        interval_ = reuse.interval;
        class_ = pack(reuse.cls);
        if (was_fill_)
            expect("last access of the FILL before", dut->s4_newlast, last_);
        was_fill_ = op.side == FILL;
        last_ = op.page.last;
    }

    // With flips the twin only makes stimuli. What must hold whatever turned over: who matches or
    // may leave is what the driver and the walks made of it, and dirty if a walk wrote it, found or
    // not; the class of the access before is right unless a bad word was told of this page since
    // its FILL and that access; what is fresh was not used, and what may leave is fresh only if a
    // bad word was told.
    struct Real {
        bool valid = false, pinned = false, leaving = false, dirty = false, told = false,
             fresh = false;
        uint64_t asid = 0, vpn = 0, cls = 0;
    };
    std::vector<Real> real_;
    bool was_free_ = false;   // the side operation before, and
    uint32_t side_was_ = 0;   // its frame
    bool was_match_ = false;  // the walk of the cycle before, no replay, and
    bool was_told_ = false;   // a bad word of its page,
    uint64_t was_class_ = 0;  // the class of the access before
    void check_flipped(const Operation &op) {
        told += dut->s3_bad + dut->w9_bad;
        if (was_match_) {
            const bool other = dut->w10_was_class != was_class_;
            expect("a class that is wrong and not told", other && !was_told_, 0);
            wrong += other;
        }
        Real &f = real_[s_frame_[3]];
        // Told is what an operation meets: of a page its state and its words, of none its use where
        // FILL takes it. FILL makes the state good.
        if (dut->s3_odd && dut->s3_valid && !op.written)
            expect("told: state or page", dut->s3_bad, 1);
        if (!dut->s3_odd && !dut->s3_valid && op.side != FILL)
            expect("told of no page", dut->s3_bad, 0);
        if (was_fill_ && side_was_ == s_frame_[3])
            expect("a bad word behind a FILL", dut->s3_odd, 0);
        const bool freed = was_free_ && side_was_ == w_frame_[4];
        was_fill_ = op.side == FILL;
        was_free_ = op.side == FREE;
        side_was_ = s_frame_[3];
        if (freed && !(op.side == FILL && s_frame_[3] == w_frame_[4]))
            expect("told of a frame that was freed", dut->w9_bad, 0);
        if (dut->s3_eligible && !op.written) {
            expect("eligible: valid", f.valid, 1);
            expect("eligible: pinned", f.pinned, 0);
            expect("eligible: leaving", f.leaving, 0);
            expect("eligible: asid", dut->s3_was_asid, f.asid);
            expect("eligible: vpn", dut->s3_was_vpn, f.vpn);
            expect("eligible: written, not dirty", f.dirty && !dut->s3_is_dirty, 0);
            expect("eligible: a class that is wrong and not told",
                   dut->s3_was_class != f.cls && !f.told && !dut->s3_bad, 0);
            expect("eligible: fresh and not told", f.fresh && !op.force && !f.told && !dut->s3_bad,
                   0);
        }
        if (dut->s3_fresh && !op.written)
            expect("fresh", f.fresh, 1);
        if (op.side == FILL)
            f = {true,          false,        false,       op.page.dirty,    false,
                 op.page.fresh, op.page.asid, op.page.vpn, pack(op.page.cls)};
        else if (op.side == FREE)
            f.valid = f.pinned = f.leaving = f.fresh = false;
        else if (op.side == PIN || op.side == UNPIN)
            f.pinned = op.side == PIN && f.valid;
        else if (op.side == UNLEAVE)
            f.leaving = false;
        else if (op.side == EXPIRE)
            f.fresh = false;
        else if (op.side == TAKE && dut->s3_taken)
            f.leaving = true, f.fresh = false;
        f.told = f.told || dut->s3_bad;
        Real &w = real_[w_frame_[4]];
        w.told = w.told || dut->w9_bad;
        const bool its = op.walk && w.valid && op.asid == w.asid && op.vpn == w.vpn;
        if (its && !dut->w9_match)
            expect("told: a walk that does not find its page", dut->w9_bad, 1);
        w.dirty = w.dirty || (its && op.write);
        was_match_ = dut->w9_match && !op.replay;
        if (dut->w9_match) {
            w.fresh = false;
            expect("match of a walk", op.walk, 1);
            expect("match: valid", w.valid, 1);
            expect("match: asid", op.asid, w.asid);
            expect("match: vpn", op.vpn, w.vpn);
            was_told_ = w.told;
            was_class_ = w.cls;
            if (!op.replay) {  // the hit wrote the class anew
                w.cls = pack(op.cls);
                w.told = false;
            }
        }
    }

    // The operations that come to stage 2 now, for the frames as those before leave them.
    Operation next(const Style &s) {
        const gmmu_frame sf = gmmu_frame_table_get(&twin_, s_frame_[2]);
        const gmmu_frame wf = gmmu_frame_table_get(&twin_, w_frame_[3]);
        if (rng.chance(s.jump))
            jump(sf);
        Operation o;
        o.now = now_;
        o.walk_time = (now_ + 1) & time_mask_;
        o.walk = rng.chance(s.walk);
        o.written = renewed_ >> 3 & 1;
        o.side = o.written || !rng.chance(s.side) ? READ
                 : rng.chance(s.fill)             ? FILL
                 : rng.chance(100)                ? AGE
                                                  : static_cast<Side>(1 + rng.below(SIDES - 1));
        if ((o.side == TAKE || o.side == KEEP || o.side == AGE) && (renewed_ & 1) != 0)
            o.side = FREE;  // it would come right behind a FILL or an AGE
        o.page.vpn = pick(vpns_);
        o.page.asid = static_cast<uint32_t>(pick(asids_));
        o.page.cls = random_class();
        o.page.last = static_cast<uint32_t>((now_ - rng.edgy(cfg.time_w)) & time_mask_);
        o.page.dirty = rng.below(2);
        o.page.fresh = rng.chance(800);
        o.replay = rng.chance(400);
        o.force = rng.chance(500);
        o.expected = sf.last;
        if (rng.chance(300))
            o.expected ^= 1u << rng.below(cfg.time_w);
        const bool fill = w_frame_[3] == s_frame_[2] && o.side == FILL;
        o.vpn = pick(vpns_);
        o.asid = static_cast<uint32_t>(pick(asids_));
        if (rng.chance(s.hit)) {  // the page that is there once the side operation is done
            o.vpn = fill ? o.page.vpn : wf.vpn;
            o.asid = fill ? o.page.asid : wf.asid;
        } else if (rng.chance(500)) {  // nearly that page
            o.vpn = wf.vpn ^ (rng.below(2) ? 1ull << rng.below(cfg.vpn_w) : 0);
            o.asid =
                static_cast<uint32_t>(wf.asid ^ (rng.below(2) ? 1u << rng.below(cfg.asid_w) : 0));
        }
        o.cls = random_class();
        o.write = rng.chance(300);
        return o;
    }

    void drive2(const Operation &o) {
        dut->s2_asid = o.page.asid;
        dut->s2_vpn = o.page.vpn;
        dut->s2_time = o.now;
        dut->s2_expect = o.expected;
        dut->w8_asid = o.asid;
        dut->w8_vpn = o.vpn;
        dut->w8_time = o.walk_time;
    }

    void drive3(const Operation &o) {
        dut->s3_fill = o.side == FILL;
        dut->s3_free = o.side == FREE;
        dut->s3_pin = o.side == PIN;
        dut->s3_unpin = o.side == UNPIN;
        dut->s3_unleave = o.side == UNLEAVE;
        dut->s3_age = o.side == AGE;
        dut->s3_take = o.side == TAKE || o.side == KEEP;
        dut->s3_keep = o.side == KEEP || (o.side != TAKE && rng.below(2));
        dut->s3_pass = o.side == PASS;
        dut->s3_look = o.side == READ && !o.written;
        dut->s3_class = pack(o.page.cls);
        dut->s3_last = o.page.last;
        dut->s3_dirty = o.page.dirty;
        dut->s3_new = o.page.fresh;
        dut->s3_expire = o.side == EXPIRE;
        dut->s3_force = o.force;
        dut->w9_hit = o.walk;
        dut->w9_replay = o.replay;
        dut->w9_class = pack(o.cls);
        dut->w9_write = o.write;
    }

    static bool taken(const Operation &o, uint32_t last, bool eligible) {
        return (o.side == TAKE || o.side == KEEP) && eligible && last == o.expected;
    }

    // The side operation in the twin; whether an AGE clamped.
    bool side(const Operation &o, bool eligible) {
        const uint32_t frame = s_frame_[3], now = static_cast<uint32_t>(o.now);
        gmmu_frame_seen &f = twin_.seen[frame];
        const bool take = taken(o, f.last, eligible);
        bool clamped = false;
        fresh_left += (o.side == TAKE || o.side == PASS) && !o.force && f.fresh;
        fresh_taken += take && o.side == TAKE && f.fresh;
        expired += o.side == EXPIRE && f.fresh;
        if (o.side == FILL)
            (void)gmmu_frame_table_fill(&twin_, frame, o.page, now);
        else if (o.side == FREE)
            (void)gmmu_frame_table_free(&twin_, frame, now);
        else if (o.side == PIN || o.side == UNPIN)
            f.pinned = o.side == PIN && f.valid;
        else if (o.side == UNLEAVE)
            f.leaving = false;
        else if (o.side == AGE)
            clamped = gmmu_frame_table_age(&twin_, frame, now, old_);
        else if (o.side == PASS && eligible)
            passes += gmmu_frame_table_pass(&twin_, frame);
        else if (o.side == EXPIRE)
            f.fresh = 0;
        else if (take && o.side == TAKE)
            f.leaving = 1, f.fresh = 0;
        else if (take)
            twin_.page[frame].used = true;
        clamps += clamped;
        takes += take && o.side == TAKE;
        keeps += take && o.side == KEEP;
        sides += o.side != READ;
        written += o.written;
        return clamped;
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
        // clang-format off
        {.walk = 1000, .side = 1000, .fill = 200, .hit = 850, .jump = 20, .cycles = 4000},
        {.frames = 2, .walk = 1000, .side = 1000, .fill = 150, .hit = 850, .jump = 20, .cycles = 6000},
        {.frames = 3, .walk = 700, .side = 900, .fill = 150, .hit = 850, .jump = 5, .cycles = 6000},
        {.frames = 3, .walk = 1000, .side = 300, .fill = 300, .hit = 950, .jump = 2, .cycles = 6000},
        {.frames = 8, .walk = 500, .side = 500, .fill = 200, .hit = 850, .jump = 50, .cycles = 6000},
        {.frames = 16, .walk = 900, .side = 900, .fill = 100, .hit = 900, .jump = 10, .cycles = 6000},
        {.frames = 64, .walk = 1000, .side = 1000, .fill = 200, .hit = 900, .jump = 2, .cycles = 6000},
        // clang-format on
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
    if (!o.add(b) || !bench::config().parity)
        return o;
    bench::Setup flips = s;
    flips.flip = 12;
    FrameTable f(flips);
    f.reset();
    for (const Style &style : styles) f.run(style);
    f.run({.frames = 3,
           .walk = 900,
           .side = 900,
           .fill = 150,
           .hit = 850,
           .jump = 5,
           .cycles = 100000});
    o.add(f);
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

TEST(FrameTable, WordsThatTurnBad) {
    if (!bench::config().parity)
        return;
    for (const char *ram : {"garbage", "old", "new"}) {
        FrameTable b({.ram = ram, .seed = bench::seed_of_run(), .flip = 12});
        b.reset();
        EXPECT_TRUE(b.run({.frames = 3,
                           .walk = 900,
                           .side = 900,
                           .fill = 150,
                           .hit = 850,
                           .jump = 5,
                           .cycles = 500000}))
            << b.mismatch.text();
        EXPECT_TRUE(b.run({.frames = 16,
                           .walk = 900,
                           .side = 900,
                           .fill = 150,
                           .hit = 900,
                           .jump = 5,
                           .cycles = 500000}))
            << b.mismatch.text();
        EXPECT_GT(b.told, 10000u);
        EXPECT_GT(b.wrong, 100u);
        std::printf(
            "frame_table (%s): %llu walks, %llu operations, %llu bad words, %llu wrong "
            "classes\n",
            GMMU_CONFIG_NAME, (unsigned long long)b.walks, (unsigned long long)b.sides,
            (unsigned long long)b.told, (unsigned long long)b.wrong);
    }
}

TEST(FrameTable, OneWalkAndOneSideOperationACycle) {
    FrameTable b({.ram = "garbage", .seed = bench::seed_of_run()});
    const uint64_t n = 50000;
    b.reset();
    // the first four cycles carry the first frames to stage 3
    EXPECT_TRUE(b.run({.frames = 4,
                       .walk = 1000,
                       .side = 1000,
                       .fill = 200,
                       .hit = 900,
                       .jump = 20,
                       .cycles = n + 4}))
        << b.mismatch.text();
    EXPECT_EQ(b.walks, n);
    EXPECT_EQ(b.sides + b.written, n);
    // the stimuli are worth it
    EXPECT_GT(b.matches, n / 4);
    EXPECT_GT(b.clashes, n / 20);
    EXPECT_GT(b.clamps, n / 300);
    EXPECT_GT(b.takes, n / 200);
    EXPECT_GT(b.keeps, n / 200);
    EXPECT_GT(b.passes, n / 200);
    EXPECT_GT(b.replays, n / 10);
    EXPECT_GT(b.used, n / 200);
    EXPECT_GT(b.used_by_replay, n / 200);
    EXPECT_GT(b.expired, n / 400);
    EXPECT_GT(b.fresh_taken, n / 2000);
    EXPECT_GT(b.fresh_left, n / 400);
}

#endif

}  // namespace
