// SPDX-License-Identifier: Apache-2.0
// lockstep.h: the RTL beside its twin.
#ifndef GMMU_TB_FRAME_MEM_LOCKSTEP_H
#define GMMU_TB_FRAME_MEM_LOCKSTEP_H

#include <cstdint>
#include <deque>
#include <vector>

#include "bench.h"
#include "blocks/frame_mem.h"
#include "frame_memory.h"

enum Side { READ, FILL, FREE, PIN, UNPIN, UNLEAVE, AGE, EXPIRE, TAKE, SIDES };

struct Style {
    unsigned frames = 1;          // in play
    unsigned walk = 0, side = 0;  // permille of the cycles
    unsigned fill = 0;            // permille of the side operations
    unsigned hit = 0;             // permille of the walks name the page that is there
    unsigned jump = 0;            // permille of the cycles in which time jumps
    unsigned hold = 0;            // permille of the cycles in which the stage is taken
    MemoryStyle memory = {};
    uint64_t cycles = 0;
};

class FrameMem : public bench::Block {
   public:
    uint64_t touches = 0, sides = 0, matches = 0, dropped = 0, clamps = 0, takes = 0, late = 0,
             dropped_writes = 0, longest = 0, replays = 0, old_replays = 0, fresh_left = 0,
             fresh_taken = 0, ended = 0, ended_by_replay = 0;

    FrameMem(const bench::Setup &s, uint32_t frames)
        : Block("frame_mem", s),
          frames_(frames < cfg.frames ? frames : cfg.frames),
          memory_(frames_, s.seed),
          rests_(s.seed % 2 != 0),
          old_(1u << (cfg.time_w - 2)),
          time_mask_(bench::mask(cfg.time_w)) {
        gmmu_frame_table_init(&table_, &cfg, &memory.arena);
        gmmu_frame_mem_init(&twin_, &cfg, &memory.arena);
        vpns_ = {0, bench::mask(cfg.vpn_w), 1ull << (cfg.vpn_w - 1), 1, rng.bits(cfg.vpn_w)};
        vpns_.push_back(vpns_.back() ^ (1ull << rng.below(cfg.vpn_w)));
        asids_ = {0, bench::mask(cfg.asid_w), 1ull << (cfg.asid_w - 1)};
        now_ = (time_mask_ - rng.below(2000)) & time_mask_;  // wraps soon
        strobes(READ);
    }
    uint64_t reads() const { return memory_.reads; }
    uint64_t writes() const { return memory_.writes; }

    void reset() {
        dut->rst = 1;
        dut->clear = 0;
        for (uint64_t n = rng.below(2) ? 1 : 6; n > 0; n--) {  // one is enough
            dut->w_hit = rng.below(2);
            dut->q_valid = rng.below(2);
            memory_.drive(*dut);
            tick();
        }
        memory_.forget();
        waiting_.clear();
        offered_ = false;
        dut->rst = 0;
        dut->w_hit = dut->q_valid = dut->hold = 0;
        dut->clear = 1;
        dut->clear_frames = frames_;
        const uint64_t limit = cycles + 4000 + 100ull * frames_;
        for (bool done = false; !done && cycles < limit;) {
            memory_.drive(*dut);
            settle();
            done = dut->cleared;
            expect("an operation after a reset", dut->m2_valid || dut->s3_valid || !dut->idle, 0);
            expect("wake after a reset", dut->wake, 0);
            memory_.take(*dut);
            edge();
        }
        expect("clearing does not end", cycles < limit, 1);
        dut->clear = 0;
        for (uint32_t f = 0; f < cfg.frames; f++) gmmu_frame_table_put(&table_, f, {});
        twin_.head = twin_.n = 0;
        noted_ = touches;
        pressed_ = 0;
        held_[0] = held_[1] = held_[2] = false;
        twin_.lost = false;
        soon_ = false;
        awake_.clear();
        on_way_ = 0;
        progress_ = cycles;
    }

    // The reset sequence of N words counts no answer without a write: not behind the last word, not
    // while some are written and the memory takes no further one.
    bool counts_writes(uint32_t n) {
        uint32_t stop = static_cast<uint32_t>(rng.below(n));
        dut->rst = 1;
        tick();
        dut->rst = 0;
        dut->clear = 1;
        dut->clear_frames = n;
        uint32_t taken = 0, answered = 0;
        for (uint64_t i = 0; i < 4ull * n + 40 && ok(); i++) {
            const bool last = answered == n;
            const bool extra = answered == taken && (last || taken == stop) && i % 2 == 0;
            if (taken == stop && extra)
                stop = n;  // once
            dut->m_frame_w_ready = taken < stop && !extra;
            dut->m_frame_b_valid = answered < taken || extra;
            settle();
            expect("cleared", dut->cleared, last);
            answered += dut->m_frame_b_valid && !extra;
            taken += dut->m_frame_w_valid && dut->m_frame_w_ready;
            edge();
        }
        expect("words of the reset sequence", answered, n);
        dut->clear = 0;
        dut->m_frame_w_ready = dut->m_frame_b_valid = 0;
        return ok();
    }

    bool run(const Style &s) {
        memory_.style = s.memory;
        pool_.clear();
        if (s.frames >= frames_)
            for (uint32_t f = 0; f < frames_; f++) pool_.push_back(f);
        while (pool_.size() < s.frames && pool_.size() < frames_)
            pool_.push_back(pool_.empty()       ? frames_ - 1
                            : pool_.size() == 1 ? 0
                                                : static_cast<uint32_t>(rng.below(frames_)));
        for (uint64_t i = 0; i < s.cycles && ok(); i++) cycle(s);
        return ok();
    }

    // No more stimuli: all that waits is done, and what the cleaner has sent by then is written.
    bool settle_down() {
        const Style quiet = {.memory = memory_.style};
        const uint64_t limit = cycles + 100000;
        while (ok() && cycles < limit && (twin_.n > 0 || !waiting_.empty() || offered_))
            cycle(quiet);
        expect("operations not done", waiting_.size(), 0);
        expect("walk hits not done", twin_.n, 0);
        while (ok() && cycles < limit && dut->wake) cycle(quiet);
        expect("words not written", cycles < limit, 1);
        for (uint64_t n = rng.below(40); ok() && n > 0; n--) cycle(quiet);
        return ok();
    }

    // Every frame gets a page.
    bool fill_all() {
        for (uint32_t f = 0; f < frames_ && ok(); f++) {
            pool_ = {f};
            do cycle({.side = 1000, .fill = 1000, .memory = {.latency = 0, .ready = 1000}});
            while (ok() && offered_);
        }
        return settle_down();
    }
    // Every frame is read, some twice. In between come operations that need no frame: that they
    // name the first one keeps it in no line.
    bool sweep() {
        const Style reads = {.side = 1000, .memory = {.latency = 20, .ready = 900}};
        memory_.style = reads.memory;
        only_reads_ = true;
        for (uint32_t f = 0; f < frames_ && ok(); f++) {
            pool_ = {f};
            unsigned n = rng.below(4) == 0 ? 2 : 1;
            while (ok() && n > 0) {
                cycle(reads);
                n -= !offered_ && !offer_.none;
            }
        }
        only_reads_ = false;
        return settle_down();
    }
    // After two sweeps a third finds no frame in a line and no word to be written: each line is
    // given up in its turn, and only a word that changed goes back.
    bool sweep_again() {
        if (!sweep() || frames_ < 4 * cfg.lines)
            return ok();
        const uint64_t read = reads(), written = writes();
        if (!sweep())
            return false;
        expect("a line that is not given up", reads() - read, frames_);
        expect("a word written back that nothing changed", writes() - written, 0);
        return ok();
    }
    // A side operation goes before walk hits while less than half of their places are taken; else
    // they take turns, also if they have to wait for each other's words in between.
    bool turns() {
        Style alone = {.frames = 300,
                       .side = 1000,
                       .fill = 200,
                       .hit = 900,
                       .jump = 2,
                       .memory = {.latency = 8, .ready = 900},
                       .cycles = 20};
        after_ = 0;
        if (!settle_down() || !run(alone))  // one waits from now on
            return false;
        const uint64_t before = touches;
        Style both = alone;
        both.walk = 1000;
        both.cycles = cfg.touchq / 2 - 1;
        alone.cycles = 200;
        if (!run(both) || !run(alone))
            return false;
        expect("walk hits before side operations that wait", touches - before, 0);
        if (cfg.touchq >= queue_) {  // then some wait, whatever is under way
            write_ = 1000;           // all places
            both.hold = 100;
            both.cycles = 400 + 2 * cfg.touchq;
            run(both);
            alternate_ = true;
            both.cycles = 1000;
            run(both);
            alternate_ = false;
            write_ = 300;
        }
        after_ = 200;
        return settle_down();
    }
    // While nothing goes on, as many operations wait as the queue for their words has places, and
    // one for its turn.
    bool fills_up() {
        after_ = 0;
        if (!settle_down())
            return false;
        run({.side = 1000,
             .fill = 300,
             .memory = {.latency = 3, .ready = 1000},
             .cycles = 200});  // from 16 lines on one goes a cycle now
        hold_on_ = queue_ + 100;
        for (unsigned i = 0; i < queue_ + 60; i++)
            cycle({.side = 1000, .fill = 300, .memory = {.latency = 3, .ready = 1000}});
        hold_on_ = 0;
        const uint64_t wait = waiting_.size();
        expect("operations that wait", wait, cfg.lines < 16 && wait == queue_ ? wait : queue_ + 1);
        after_ = 200;
        return settle_down();
    }
    // A walk hit in every cycle, on a frame that is in a line: the places for hits that write are
    // enough.
    bool keeps_up() {
        if (cfg.lines < 16 || cfg.touchq < 16)
            return ok();
        write_ = 1000;
        const Style hits = {
            .walk = 1000, .hit = 900, .memory = {.latency = 0, .ready = 1000}, .cycles = 1};
        if (!settle_down() || !run(hits) || !settle_down())
            return false;
        const uint64_t before = dropped;
        for (unsigned i = 0; i < 200; i++) cycle(hits);
        expect("walk hits dropped", dropped - before, 0);
        write_ = 300;
        return settle_down();
    }
    // Three frames are in use all the time, others once: those three stay in their lines, and what
    // changes in them is not written back.
    bool stays() {
        const Style hits = {.walk = 1000, .hit = 1000, .memory = {.latency = 4, .ready = 1000}};
        const Style none = {.memory = {.latency = 4, .ready = 1000}};
        memory_.style = hits.memory;
        uint32_t other = 0;
        for (unsigned round = 0; round < 512 / cfg.lines; round++) {
            std::vector<uint32_t> used;
            while (used.size() < 3) {
                const uint32_t f = static_cast<uint32_t>(rng.below(frames_));
                if (table_.seen[f].valid)
                    used.push_back(f);
            }
            for (unsigned i = 0; i < 8 * 6 * cfg.lines && ok(); i++) {
                if (i == 8 * 2 * cfg.lines)  // they have their lines
                    in_use_ = used;
                pool_ = {i % 8 == 7 ? other++ % frames_ : used[i % 3]};
                cycle(hits);
                cycle(none);
            }
            in_use_.clear();
        }
        return settle_down();
    }

   private:
    // Operations whose turn is over but that did not come to stage 2, beside the queue for their
    // words; a walk hit that the queue does not show yet; the turns.
    enum { UNDER_WAY = 8 };
    struct Op {
        Side side;
        uint64_t tag;
        uint32_t frame;
        bool none, after;
        uint64_t noted;  // walk hits noted before it was taken
        uint64_t began;  // walk hits done before it was taken
    };
    const uint32_t frames_;
    FrameMemory<Vdut> memory_;
    gmmu_frame_table table_;
    gmmu_frame_mem twin_;
    const unsigned queue_ = cfg.lines < 16 ? 16 : cfg.lines;  // of operations for their words
    const bool rests_;                                        // its clock, when it may
    uint32_t old_, expected_ = 0;
    uint64_t time_mask_, now_, tags_ = 0, progress_ = 0;
    std::vector<uint64_t> vpns_, asids_;
    std::vector<uint32_t> pool_;
    std::deque<Op> waiting_;
    Op offer_ = {};
    bool offered_ = false, only_reads_ = false, held_[3] = {};
    unsigned after_ = 200, write_ = 300;  // permille of the side operations, of the walk hits
    bool alternate_ = false, was_touch_ = false;
    std::vector<uint32_t> in_use_;  // frames whose words stay in their lines
    bool soon_ = false;             // an operation stood at stage 2 in the cycle before
    uint64_t soon_tag_ = 0;
    struct Awake {
        bool wake, needed;
    };
    std::deque<Awake> awake_;  // in the last cycles
    uint64_t on_way_ = 0;      // words that the memory has taken and not written yet
    uint64_t hold_on_ = 0;     // cycles
    uint64_t noted_ = 0;
    uint64_t pressed_ =
        0;  // side operations one after the other while half of the places are taken

    uint64_t pack(gmmu_class c) const { return static_cast<uint64_t>(c.row) << cfg.gen_w | c.gen; }
    gmmu_class random_class() {
        return {static_cast<uint16_t>(rng.below(cfg.classes)),
                static_cast<uint16_t>(rng.bits(cfg.gen_w))};
    }
    template <typename T>
    T pick(const std::vector<T> &from) {
        return from[rng.below(from.size())];
    }
    void strobes(Side op) {
        dut->s3_fill = op == FILL;
        dut->s3_free = op == FREE;
        dut->s3_pin = op == PIN;
        dut->s3_unpin = op == UNPIN;
        dut->s3_unleave = op == UNLEAVE;
        dut->s3_age = op == AGE;
        dut->s3_expire = op == EXPIRE;
        dut->s3_force = rng.below(2);
        dut->s3_take = op == TAKE;
    }

    void cycle(const Style &s) {
        memory_.drive(*dut);
        strobes(READ);
        // now and then for so long that as many words wait as there are lines for
        if (hold_on_ != 0)
            hold_on_--;
        else if (rng.chance(s.hold) && rng.chance(50))
            hold_on_ = 4 + rng.below(60);
        dut->hold = hold_on_ != 0 || rng.chance(s.hold);
        if (!offered_ && rng.chance(s.side)) {
            offered_ = true;
            offer_.side = only_reads_          ? READ
                          : rng.chance(s.fill) ? FILL
                                               : static_cast<Side>(rng.below(SIDES));
            offer_.frame = pick(pool_);
            offer_.none = rng.chance(only_reads_ ? 500 : 100);
            // in order, and all bits in use
            const unsigned tag_w = 1 + cfg.time_w + gmmu_index_bits(cfg.frames);
            offer_.tag = (tags_++ & bench::mask(16)) | (rng.bits(tag_w) & ~bench::mask(16));
            offer_.after = rng.chance(after_);
        }
        dut->q_valid = offered_;
        dut->q_frame = !offer_.none  ? offer_.frame
                       : only_reads_ ? 0
                                     : static_cast<uint32_t>(rng.bits(gmmu_index_bits(cfg.frames)));
        dut->q_none = offer_.none;
        dut->q_tag = offer_.tag;
        dut->q_after = offer_.after;
        gmmu_mem_touch t = {};
        const bool walk = rng.chance(s.walk);
        t.frame = pick(pool_);
        t.time = static_cast<uint32_t>((now_ + 1) & time_mask_);
        t.cls = random_class();
        t.replay = rng.chance(300);
        t.write = rng.chance(cycles / 256 % 4 == 0 ? 1000 : write_);
        const gmmu_frame_page &there = table_.page[t.frame];
        t.vpn = pick(vpns_);
        t.asid = static_cast<uint32_t>(pick(asids_));
        if (rng.chance(s.hit)) {
            t.vpn = there.vpn;
            t.asid = there.asid;
        } else if (rng.chance(500)) {  // nearly that page
            t.vpn = there.vpn ^ (rng.below(2) ? 1ull << rng.below(cfg.vpn_w) : 0);
            t.asid = static_cast<uint32_t>(there.asid ^
                                           (rng.below(2) ? 1u << rng.below(cfg.asid_w) : 0));
        }
        dut->w_hit = walk;
        dut->w_frame = t.frame;
        dut->w_asid = t.asid;
        dut->w_vpn = t.vpn;
        dut->w_class = pack(t.cls);
        dut->w_time = t.time;
        dut->w_write = t.write;
        dut->w_replay = t.replay;
        settle();

        expect("an operation in a slot that is held", dut->s3_valid && held_[2], 0);
        held_[2] = held_[1];
        held_[1] = held_[0];
        held_[0] = dut->hold;
        expect("idle", dut->idle, twin_.n == 0 && waiting_.empty());
        const bool busy = twin_.n > 0 || !waiting_.empty();
        awake(busy);
        expect("an operation that stage 2 did not foretell, or that did not come", dut->s3_valid,
               soon_);
        if (dut->s3_valid && !dut->s3_touch)
            expect("tag at stage 2", soon_tag_, dut->s3_tag);
        soon_ = dut->m2_valid;
        soon_tag_ = dut->m2_tag;
        if (dut->s3_valid) {
            if (alternate_)
                expect("a walk hit's turn", dut->s3_touch, !was_touch_);
            was_touch_ = dut->s3_touch;
            pressed_ = dut->s3_touch || 2 * twin_.n < cfg.touchq ? 0 : pressed_ + 1;
            expect("side operations before a walk hit that presses", pressed_ > UNDER_WAY + queue_,
                   0);
            dut->s3_touch ? touch() : side();
        }
        if (dut->s3_valid || !busy || dut->hold)
            progress_ = cycles;
        if (cycles - progress_ > longest)
            longest = cycles - progress_;
        expect("an operation is overdue", cycles - progress_ > 4u * memory_.style.latency + 2000,
               0);
        if (walk) {
            const bool room = gmmu_frame_mem_note(&twin_, t);
            expect("room for a walk hit", dut->w_room, room);
            noted_ += room;
            dropped += !room;
            dropped_writes += !room && t.write;
            if (!t.replay)
                now_ = t.time;
        }
        if (offered_ && dut->q_ready) {
            offer_.noted = noted_;
            offer_.began = touches;
            waiting_.push_back(offer_);
            offered_ = false;
        }
        foretell(s);
        for (const uint32_t f : in_use_)
            expect("a word written back that is in use",
                   dut->m_frame_w_valid && dut->m_frame_w_addr == f, 0);
        const uint64_t written = writes();
        memory_.take(*dut);
        on_way_ += writes() - written - dut->m_frame_b_valid;
        if (!memory_.broken.empty() && ok()) {
            expect("the memory port's rules", 1, 0);
            mismatch.field += ": " + memory_.broken;
        }
        if (!rests_ || dut->wake || dut->w_hit || dut->q_valid)
            edge();
        else
            cycles++;
    }

    // Its clock is needed while something waits or is under way, also a word to the memory. One
    // that the cleaner sent is offered four cycles later: what was right is known then.
    void awake(bool busy) {
        awake_.push_back({dut->wake != 0, busy || on_way_ > 0});
        if (dut->m_frame_w_valid)
            for (Awake &a : awake_) a.needed = true;
        if (awake_.size() < 4)
            return;
        expect("wake", awake_.front().wake, awake_.front().needed);
        awake_.pop_front();
    }

    // Stage 2, for the operation at stage 3 in the next cycle: the time then, what TAKE expects.
    void foretell(const Style &s) {
        if (rng.chance(s.jump))
            jump(table_.seen[pick(pool_)].last);
        // an AGE of a frame that is about as old as it has to be for that
        if (!waiting_.empty() && waiting_.front().side == AGE && dut->m2_valid &&
            dut->m2_tag == waiting_.front().tag && rng.chance(5 * s.jump))
            now_ =
                (table_.seen[waiting_.front().frame].last + old_ + rng.below(3) - 1) & time_mask_;
        expected_ = static_cast<uint32_t>(rng.bits(cfg.time_w));
        if (!waiting_.empty() && !waiting_.front().none) {
            expected_ = table_.seen[waiting_.front().frame].last;
            if (rng.chance(300))
                expected_ ^= 1u << rng.below(cfg.time_w);
        }
        dut->s2_time = now_;
        dut->s2_expect = expected_;
    }

    void touch() {
        if (!expect("a walk hit that was not there", twin_.n > 0, 1))
            return;
        // a hit may need the page of a FILL that came before the hit
        if (!waiting_.empty() && !waiting_.front().after)
            expect("a walk hit before an operation that came first",
                   touches < waiting_.front().noted, 1);
        const gmmu_mem_touch t = twin_.slot[twin_.head];
        const gmmu_frame before = gmmu_frame_table_get(&table_, t.frame);
        gmmu_reuse r = {};
        const bool match = gmmu_frame_mem_touch(&twin_, &table_, &r);
        expect("TOUCH frame", dut->s3_frame, t.frame);
        expect("TOUCH match", dut->s3_match, match);
        expect("TOUCH is a replay", dut->s3_replay, t.replay);
        if (r.valid) {
            expect("TOUCH class of the previous access", dut->s3_was_class, pack(r.cls));
            expect("TOUCH reuse interval", dut->s3_interval, r.interval);
        }
        late += !match && before.valid && before.vpn == t.vpn && before.asid == t.asid;
        matches += match;
        replays += match && t.replay;
        old_replays += match && t.replay && ((t.time - before.last) & time_mask_) > time_mask_ / 2;
        ended += match && before.fresh;
        ended_by_replay += match && before.fresh && t.replay;
        touches++;
        actions++;
    }

    void side() {
        if (!expect("an operation that was not there", !waiting_.empty(), 1))
            return;
        const Op o = waiting_.front();
        waiting_.pop_front();
        expect("order of operations", dut->s3_tag, o.tag);
        if (o.after)
            expect("walk hits before an operation that lets them go first", touches >= o.noted, 1);
        expect("walk hits before a side operation",
               touches - o.began > UNDER_WAY + queue_ + (o.after ? cfg.touchq : 0), 0);
        actions++;
        if (o.none)
            return;
        gmmu_frame_seen &f = table_.seen[o.frame];
        const gmmu_frame_page &p = table_.page[o.frame];
        const uint32_t now = static_cast<uint32_t>(now_);
        gmmu_frame page = {};
        page.vpn = pick(vpns_);
        page.asid = static_cast<uint32_t>(pick(asids_));
        page.cls = random_class();
        page.last = static_cast<uint32_t>(
            (now_ - (rng.below(4) ? rng.below(300) : rng.edgy(cfg.time_w))) & time_mask_);
        page.dirty = rng.below(2);
        page.fresh = rng.chance(700);
        strobes(o.side);
        const bool force = dut->s3_force;
        dut->s3_asid = page.asid;
        dut->s3_vpn = page.vpn;
        dut->s3_class = pack(page.cls);
        dut->s3_last = page.last;
        dut->s3_dirty = page.dirty;
        dut->s3_new = page.fresh;
        settle();
        const bool eligible = force ? gmmu_frame_table_forcible(&table_, o.frame)
                                    : gmmu_frame_table_eligible(&table_, o.frame);
        expect("frame", dut->s3_frame, o.frame);
        expect("match without a walk hit", dut->s3_match, 0);
        expect("valid", dut->s3_is_valid, f.valid);
        expect("leaving", dut->s3_leaving, f.leaving);
        expect("eligible", dut->s3_eligible, eligible);
        expect("fresh", dut->s3_fresh, f.fresh && !f.pinned);
        if (f.valid) {
            expect("asid", dut->s3_was_asid, p.asid);
            expect("vpn", dut->s3_was_vpn, p.vpn);
            expect("class", dut->s3_was_class, pack(gmmu_frame_table_class(&table_, o.frame)));
            expect("last access", dut->s3_was_last, f.last);
            expect("age", dut->s3_interval, (now_ - f.last) & time_mask_);
            expect("dirty", dut->s3_is_dirty, p.dirty || twin_.lost);
        }
        const bool take = o.side == TAKE && eligible && f.last == expected_;
        expect("TAKE taken", dut->s3_taken, take);
        bool clamped = false;
        fresh_left += o.side == TAKE && f.fresh && !force;
        fresh_taken += take && f.fresh;
        if (o.side == FILL)
            (void)gmmu_frame_table_fill(&table_, o.frame, page, now);
        else if (o.side == FREE)
            (void)gmmu_frame_table_free(&table_, o.frame, now);
        else if (o.side == PIN || o.side == UNPIN)
            f.pinned = o.side == PIN && f.valid;
        else if (o.side == UNLEAVE)
            f.leaving = false;
        else if (o.side == AGE)
            clamped = gmmu_frame_table_age(&table_, o.frame, now, old_);
        else if (o.side == EXPIRE)
            f.fresh = 0;
        else if (take)
            f.leaving = 1, f.fresh = 0;
        expect("AGE clamped", dut->s3_clamped, clamped);
        clamps += clamped;
        takes += take;
        sides++;
    }

    void jump(uint32_t last) {
        const uint64_t near = rng.below(5) - 2;
        switch (rng.below(4)) {
            case 0:
                now_ = last + old_ + near;
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

#endif
