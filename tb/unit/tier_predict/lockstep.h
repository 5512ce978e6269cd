// SPDX-License-Identifier: Apache-2.0
// lockstep.h: the RTL beside its twin, every answer and every cycle that an operation waits.
#ifndef GMMU_TB_TIER_PREDICT_LOCKSTEP_H
#define GMMU_TB_TIER_PREDICT_LOCKSTEP_H

#include <cstdint>
#include <deque>
#include <vector>

#include "bench.h"
#include "blocks/tier_predict.h"
#include "page.h"

struct Style {
    unsigned pages = 1;    // in play
    unsigned one_set = 0;  // permille of the pages have the set of the first
    unsigned busy = 0;     // permille of the cycles ask
    unsigned look = 0, back = 0, leave = 0,
             stay = 0;  // permille of the operations; the rest is AGE
    unsigned near_far =
        0;  // 0 anything; 1 far is small: most are for Tier 3; 2 distances are about them
    unsigned jump = 0;    // permille of the operations move time
    unsigned change = 0;  // permille of the cycles change a register
    uint64_t cycles = 0;
    unsigned aim = 0;     // permille of the RETURNs are as from a tier that is chosen
    unsigned forget = 0;  // of 100000 cycles begin a flush
};

class TierPredict : public bench::Block {
   public:
    uint64_t found = 0, learnt = 0, foretold[4] = {}, forced = 0, clamped = 0, waits = 0, taken = 0;
    uint64_t changes = 0, forgotten = 0, blind = 0;

    explicit TierPredict(const bench::Setup &s) : Block("tier_predict", s) {
        dut->rst = 0;
        dut->clear = 0;
        dut->op_valid = 0;
        dut->flushes = 0;
        regs_ = {};
        drive_registers();
    }

    void reset() {
        entries_.arena.used = 0;
        ASSERT_EQ(gmmu_tier_predict_init(&twin_, &cfg, &entries_.arena), 0);
        dut->rst = 1;
        dut->flushes = 0;
        for (uint64_t i = rng.below(4) + 1; i > 0; i--) {
            dut->op_valid = rng.below(2);  // nobody takes it
            dut->op_kind = rng.below(GMMU_TP_AGE + 1);
            tick();
        }
        dut->rst = 0;
        dut->clear = 1;
        uint64_t cycles_of_clear = 0;
        dut->op_valid = 1;  // nobody takes it
        for (settle(); !dut->cleared && cycles_of_clear <= cfg.tp_sets + 1; settle()) {
            rests();
            cycles_of_clear++;
        }
        expect("cycles of the clearing", cycles_of_clear, cfg.tp_sets);
        for (uint64_t i = rng.below(8) + 1; i > 0; i--) {  // others may need longer
            settle();
            expect("cleared, and so it stays", dut->cleared, 1);
            rests();
        }
        dut->clear = 0;
        dut->op_valid = 0;
        due_.clear();
        for (Stage &s : pipe_) s = {};
        waiting_ = false;
        held_ = regs_;
        same_ = true;
        owed_ = flushed_ = false;
        left_ = 0;
    }

    bool run(const Style &s) {
        make_pages(s);
        for (uint64_t i = 0; i < s.cycles && ok(); i++) {
            if (rng.chance(s.change))
                change(s);
            if (rng.below(100000) < s.forget)
                dut->flushes = !dut->flushes;
            if (!waiting_ && rng.chance(s.busy))
                ask(s);
            cycle();
        }
        return ok();
    }

    // A cycle of the clearing.
    void rests() {
        expect("ready while it is cleared", dut->op_ready, 0);
        expect("idle while it is cleared", dut->idle, 1);
        expect("an answer while it is cleared", dut->r_valid, 0);
        edge();
    }

    // What is foretold of every page; then nothing is under way.
    void drain() {
        for (const Page &p : pages_) {
            wanted_ = {GMMU_TP_LOOK, p, 0, 0};
            waiting_ = true;
            while (ok() && waiting_) cycle();
        }
        for (unsigned i = 0; i < 28 && ok(); i++) cycle();
        expect("idle", dut->idle, 1);
        expect("answers left", due_.size(), 0);
    }

   protected:
    void drive_registers() {
        dut->cfg_tier = regs_.policy;
        dut->cfg_tier_default = regs_.random;
        dut->cfg_tier_model = regs_.model;
        dut->cfg_tier_near = regs_.near;
        dut->cfg_tier_far = regs_.far;
    }
    gmmu_tp_regs &registers() { return regs_; }
    // One operation, as soon as it is taken; its answer.
    gmmu_tp_answer done(unsigned kind, uint32_t asid, uint64_t vpn, uint64_t at, uint32_t index) {
        drive_registers();
        wanted_ = {kind, {asid, vpn}, static_cast<uint32_t>(at & bench::mask(cfg.time_w)), index};
        waiting_ = true;
        while (ok() && waiting_) cycle();
        return ok() ? due_.back().answer : gmmu_tp_answer{};
    }
    void settle_all() {
        for (unsigned i = 0; i < 28 && ok(); i++) cycle();
        expect("answers left", due_.size(), 0);
    }

   private:
    struct Stage {
        bool valid, writes;
        uint32_t set;
    };
    struct Op {
        unsigned kind;
        Page page;
        uint32_t time, index;
    };
    struct Due {
        Op op;
        gmmu_tp_answer answer;
    };
    static std::size_t bytes() {
        gmmu_tier_predict p;
        gmmu_arena count = {};
        (void)gmmu_tier_predict_init(&p, &bench::config(), &count);
        return count.used;
    }
    bench::Memory entries_{bytes()};
    gmmu_tier_predict twin_ = {};
    gmmu_tp_regs regs_ = {}, held_ = {};
    // A flush has begun, and waits until nothing is under way; `flushes` as it was; cycles of
    // forgetting.
    bool owed_ = false, flushed_ = false;
    uint32_t left_ = 0;
    bool same_ = true;  // they were what is held, in the cycle before
    std::vector<Page> pages_;
    // Of a page: when it left, where it should have gone, and which tier follows which.
    struct Habit {
        bool away;
        uint32_t left;
        unsigned last, next[4];
    };
    std::vector<Habit> habits_;
    std::deque<Due> due_;
    static constexpr unsigned STAGES = 10;  // from an operation to its answer
    Stage pipe_[STAGES + 1] = {};           // from 0 on
    bool waiting_ = false;
    Op wanted_ = {};
    uint64_t now_ = 0;

    uint32_t time() const { return static_cast<uint32_t>(now_ & bench::mask(cfg.time_w)); }
    uint32_t set_of(const Op &op) const {
        return op.kind == GMMU_TP_AGE
                   ? op.index % cfg.tp_sets
                   : gmmu_hash(op.page.asid, cfg.asid_w, op.page.vpn, cfg.vpn_w) &
                         (cfg.tp_sets - 1);
    }

    void make_pages(const Style &s) {
        pages_.clear();
        habits_.clear();
        for (unsigned i = 0; i < s.pages; i++) {
            habits_.push_back({});
            for (unsigned &t : habits_.back().next) t = 1 + static_cast<unsigned>(rng.below(3));
            Page p = {static_cast<uint32_t>(rng.bits(cfg.asid_w)), rng.edgy(cfg.vpn_w)};
            const bool same = i > 0 && rng.chance(s.one_set);
            for (unsigned tries = 0; same && tries < 4 * cfg.tp_sets; tries++) {
                if (set_of({GMMU_TP_LOOK, p, 0, 0}) == set_of({GMMU_TP_LOOK, pages_[0], 0, 0}))
                    break;
                p.vpn = rng.bits(cfg.vpn_w);
            }
            pages_.push_back(p);
        }
        // every third one hashes as the one before, or nearly
        const unsigned bits = gmmu_log2(cfg.tp_sets) + cfg.tp_tag_w;
        for (unsigned i = 2; i < s.pages; i += 3) {
            const Page d = difference(cfg, static_cast<unsigned>(rng.below(bits + 3)), rng.next());
            pages_[i] = {pages_[i - 1].asid ^ d.asid, pages_[i - 1].vpn ^ d.vpn};
        }
    }

    void change(const Style &s) {
        changes++;
        regs_.policy = static_cast<unsigned>(rng.below(8));
        if (rng.chance(600))
            regs_.policy = GMMU_PLACE_REUSE;
        regs_.random = rng.below(2) != 0;
        regs_.model = rng.chance(850);
        regs_.near = static_cast<uint32_t>(rng.edgy(cfg.time_w));
        regs_.far = rng.chance(200) ? regs_.near : static_cast<uint32_t>(rng.edgy(cfg.time_w));
        if (s.near_far == 1) {
            regs_.policy = GMMU_PLACE_REUSE;
            regs_.model = true;
            regs_.near = static_cast<uint32_t>(rng.below(2));
            regs_.far = regs_.near + static_cast<uint32_t>(rng.below(2));
        } else if (s.near_far == 2) {
            regs_.model = true;
            regs_.near = 1 + static_cast<uint32_t>(rng.below(8));
            if (s.aim != 0 && rng.below(2))
                regs_.near = 1 + static_cast<uint32_t>(rng.edgy(cfg.time_w - 3));
            regs_.far = regs_.near + static_cast<uint32_t>(rng.below(8));
        }
        drive_registers();
    }

    unsigned tier_after(uint32_t distance) const {
        return distance < regs_.near ? 1 : distance < regs_.far ? 2 : 3;
    }
    // Time moves to where page H returns as from TIER, mostly at one of its bounds, if it can.
    void aim(const Habit &h, unsigned tier) {
        const uint32_t from = tier == 1   ? 0
                              : tier == 2 ? regs_.near
                                          : regs_.far,
                       to = tier == 1   ? regs_.near
                            : tier == 2 ? regs_.far
                                        : from + 4;
        if (to <= from)
            return;
        const uint32_t distance = rng.below(3) == 0 ? from
                                  : rng.below(2) == 0
                                      ? to - 1
                                      : from + static_cast<uint32_t>(rng.below(to - from));
        now_ = h.left + distance;
    }
    // Before KIND is asked of page H.
    void follow(const Style &s, Habit &h, unsigned kind) {
        if (kind == GMMU_TP_RETURN && h.away) {
            if (rng.chance(s.aim))
                aim(h, h.next[h.last]);
            h.last = tier_after((time() - h.left) & static_cast<uint32_t>(bench::mask(cfg.time_w)));
        }
        if (kind == GMMU_TP_LEAVE)
            h.left = time();
        if (kind != GMMU_TP_LOOK && kind != GMMU_TP_AGE)
            h.away = kind == GMMU_TP_LEAVE;
    }

    void ask(const Style &s) {
        now_ += rng.below(4);
        if (rng.chance(s.jump))
            now_ += rng.edgy(cfg.time_w);
        const uint64_t at = rng.below(1000);
        const unsigned kind = at < s.look                               ? GMMU_TP_LOOK
                              : at < s.look + s.back                    ? GMMU_TP_RETURN
                              : at < s.look + s.back + s.leave          ? GMMU_TP_LEAVE
                              : at < s.look + s.back + s.leave + s.stay ? GMMU_TP_STAY
                                                                        : GMMU_TP_AGE;
        const std::size_t page = rng.below(pages_.size());
        follow(s, habits_[page], kind);
        wanted_ = {kind, pages_[page], time(),
                   static_cast<uint32_t>(rng.below(cfg.tp_sets * cfg.tp_ways))};
        waiting_ = true;
    }

    gmmu_tp_answer act(const Op &op, const gmmu_tp_regs &by) {
        const Page &p = op.page;
        switch (op.kind) {
            case GMMU_TP_RETURN:
                return gmmu_tier_predict_return(&twin_, &by, p.asid, p.vpn, op.time);
            case GMMU_TP_LEAVE:
                return gmmu_tier_predict_leave(&twin_, &by, p.asid, p.vpn, op.time);
            case GMMU_TP_STAY:
                return gmmu_tier_predict_stay(&twin_, &by, p.asid, p.vpn);
            case GMMU_TP_AGE:
                return gmmu_tier_predict_age(&twin_, op.index, op.time);
            default:
                return gmmu_tier_predict_look(&twin_, &by, p.asid, p.vpn);
        }
    }

    bool same_registers() const {
        return held_.policy == regs_.policy && held_.random == regs_.random &&
               held_.model == regs_.model && held_.near == regs_.near && held_.far == regs_.far;
    }

    // One cycle; what stands beside an operation that does not need it is noise.
    void cycle() {
        const bool needs_page = wanted_.kind != GMMU_TP_AGE;
        dut->op_valid = waiting_;
        dut->op_kind = waiting_ ? wanted_.kind : rng.below(8);
        Page page = {static_cast<uint32_t>(rng.bits(cfg.asid_w)), rng.bits(cfg.vpn_w)};
        if ((waiting_ && needs_page) || rng.below(2))
            page = wanted_.page;  // of an AGE: any in play
        dut->op_asid = page.asid;
        dut->op_vpn = page.vpn;
        dut->op_time = waiting_ ? wanted_.time : rng.bits(cfg.time_w);
        dut->op_index =
            waiting_ && !needs_page ? wanted_.index : rng.below(cfg.tp_sets * cfg.tp_ways);
        settle();
        bool conflict = false, any = false;
        for (unsigned i = 2; i <= STAGES; i++) conflict |= pipe_[i].writes;
        for (unsigned i = 0; i <= STAGES; i++) any |= pipe_[i].valid;
        const bool go = pipe_[1].valid && !conflict;
        const bool move = pipe_[0].valid && (!pipe_[1].valid || go);
        const bool ready =
            same_ && !owed_ && (pipe_[0].valid ? move && !pipe_[0].writes : !pipe_[1].valid || go);
        expect("forgetting", dut->forgetting, left_ != 0);
        expect("forgets", dut->forgets, owed_ || left_ != 0);
        expect("idle", dut->idle, !any);
        expect("a word that turned bad", dut->turned, 0);
        expect("ready", dut->op_ready, ready);
        expect("an answer", dut->r_valid, pipe_[STAGES].valid);
        if (pipe_[STAGES].valid && ok())
            answer();
        waits += pipe_[1].valid && conflict;
        const gmmu_tp_regs by = held_;
        const bool take_over = !any && !same_;
        same_ = same_registers();
        if (take_over)
            held_ = regs_;
        for (unsigned i = STAGES; i > 2; i--) pipe_[i] = pipe_[i - 1];
        pipe_[2] = go ? pipe_[1] : Stage{};
        if (go)
            pipe_[1] = {};
        if (move) {
            pipe_[1] = pipe_[0];
            pipe_[0] = {};
        }
        if (waiting_ && ready) {
            due_.push_back({wanted_, act(wanted_, by)});
            pipe_[0] = {true, wanted_.kind != GMMU_TP_LOOK, set_of(wanted_)};
            waiting_ = false;
            taken++;
            actions++;
            blind += left_ != 0;
        }
        forget(any);
        edge();
    }

    // A flush takes all entries as soon as nothing is under way, however long that takes the RAM.
    void forget(bool any) {
        const bool starts = owed_ && !any, ordered = dut->flushes != flushed_ && left_ == 0;
        owed_ = !starts && (ordered || owed_);
        flushed_ = dut->flushes;
        if (starts) {
            left_ = cfg.tp_sets + 1;
            gmmu_tier_predict_forget(&twin_, true);
            forgotten++;
        } else if (left_ != 0 && --left_ == 0) {
            gmmu_tier_predict_forget(&twin_, false);
        }
    }

    void answer() {
        const Due d = due_.front();
        due_.pop_front();
        const gmmu_tp_answer &a = d.answer;
        expect("operation", dut->r_kind, d.op.kind);
        expect("found", dut->r_found, a.found);
        expect("foretold", dut->r_pred, a.pred);
        expect("right tier", dut->r_right, a.right);
        if (d.op.kind == GMMU_TP_LEAVE)
            expect("where it goes", dut->r_tier, a.tier);
        expect("forced", dut->r_forced, a.forced);
        expect("made younger", dut->r_clamped, a.clamped);
        expect("an entry that turned bad", dut->r_lost, 0);
        found += a.found;
        learnt += a.right != 0;
        foretold[a.pred]++;
        forced += a.forced;
        clamped += a.clamped;
    }
};

#endif
