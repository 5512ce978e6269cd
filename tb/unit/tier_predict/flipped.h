// SPDX-License-Identifier: Apache-2.0
// flipped.h: the predictor while bits turn over in words as they go to RAMs: what is found is what
// was put there, or is told to be lost.
#ifndef GMMU_TB_TIER_PREDICT_FLIPPED_H
#define GMMU_TB_TIER_PREDICT_FLIPPED_H

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <vector>

#include "bench.h"
#include "blocks/crc32c.h"
#include "blocks/tier_predict.h"
#include "page.h"

// For each name, {set, tag}, a twin of one entry, which the answers keep in step: which page has an
// entry is as the RTL says, but one that had none, or lost it, gets one by LEAVE alone.
class Flipped : public bench::Block {
   public:
    uint64_t found = 0, lost = 0, gone = 0, turns = 0, foretold = 0;
    uint64_t tags = 0;  // of turns, those of a tag alone

    explicit Flipped(const bench::Setup &s) : Block("tier_predict", s) {
        dut->clear = dut->op_valid = dut->flushes = 0;
        dut->cfg_tier = regs_.policy;
        dut->cfg_tier_default = regs_.random;
        dut->cfg_tier_model = regs_.model;
        dut->cfg_tier_near = regs_.near;
        dut->cfg_tier_far = regs_.far;
        dut->rst = 1;
        for (int i = 0; i < 4; i++) tick();
        dut->rst = 0;
        dut->clear = 1;
        for (settle(); !dut->cleared; settle()) edge();
        dut->clear = 0;
    }

    // In groups of pages that differ in one bit of their tags: a bit that turns makes one the
    // other.
    bool run(uint64_t operations, unsigned groups) {
        pages_.clear();
        for (unsigned g = 0; g < groups; g++) {
            const Page first = {static_cast<uint32_t>(rng.bits(cfg.asid_w)), rng.bits(cfg.vpn_w)};
            pages_.push_back(first);
            for (unsigned b = 0; b < cfg.tp_tag_w; b++) {
                const Page d = difference(cfg, gmmu_log2(cfg.tp_sets) + b, 0);
                pages_.push_back({first.asid ^ d.asid, first.vpn ^ d.vpn});
            }
        }
        Op op = {};
        bool waits = false;
        for (uint64_t asked = 0; ok() && (asked < operations || !under_way_.empty());) {
            if (!waits && asked < operations) {
                op = some();
                waits = true;
            }
            dut->op_valid = waits;
            dut->op_kind = op.kind;
            dut->op_asid = op.page.asid;
            dut->op_vpn = op.page.vpn;
            dut->op_time = op.time;
            dut->op_index = 0;
            settle();
            tags += told_ && !(dut->r_valid && dut->r_lost);  // else it was the entry
            told_ = dut->turned != turned_;
            turns += told_;
            turned_ = dut->turned;
            if (dut->r_valid && expect("an answer to nothing", under_way_.empty(), 0)) {
                answer(under_way_.front());
                under_way_.pop_front();
            }
            if (waits && dut->op_ready) {
                under_way_.push_back(op);
                asked++;
                actions++;
                waits = false;
            }
            edge();
        }
        return ok();
    }

   private:
    struct Op {
        unsigned kind = 0;
        Page page = {0, 0};
        uint32_t time = 0;
    };
    struct Entry {
        bool is = false;
        Page page = {0, 0};  // one of that name
        std::unique_ptr<bench::Memory> memory;
        gmmu_tier_predict twin = {};
    };
    const uint32_t most_ = static_cast<uint32_t>(bench::mask(cfg.time_w) / 4);
    const gmmu_tp_regs regs_ = {GMMU_PLACE_REUSE, false, true, most_ < 40 ? most_ / 2 : 40,
                                most_ < 400 ? most_ : 400};
    std::vector<Page> pages_;
    std::deque<Op> under_way_;
    std::map<uint32_t, Entry> entries_;
    uint64_t now_ = 0, turned_ = 0;
    bool told_ = false;  // `turned` turned over in the cycle before

    Op some() {
        static const unsigned kinds[] = {GMMU_TP_LOOK,   GMMU_TP_RETURN, GMMU_TP_RETURN,
                                         GMMU_TP_RETURN, GMMU_TP_LEAVE,  GMMU_TP_LEAVE,
                                         GMMU_TP_LEAVE,  GMMU_TP_STAY};
        now_ += rng.below(20) == 0 ? rng.below(500) : rng.below(4);
        return {kinds[rng.below(8)], pages_[rng.below(pages_.size())],
                static_cast<uint32_t>(now_ & bench::mask(cfg.time_w))};
    }

    // The entry of a page that leaves without one: nothing is known of it.
    void renew(Entry &e, Page page) {
        gmmu_config one = cfg;
        one.tp_sets = one.tp_ways = 1;
        e.memory = std::make_unique<bench::Memory>(1024);
        (void)gmmu_tier_predict_init(&e.twin, &one, &e.memory->arena);
        e.is = true;
        e.page = page;
    }

    void answer(const Op &op) {
        const uint32_t name =
            static_cast<uint32_t>(gmmu_hash(op.page.asid, cfg.asid_w, op.page.vpn, cfg.vpn_w) &
                                  bench::mask(gmmu_log2(cfg.tp_sets) + cfg.tp_tag_w));
        Entry &e = entries_[name];
        expect("operation", dut->r_kind, op.kind);
        if (!dut->r_found) {
            gone += e.is;
            e.is = false;
        } else {
            expect("the page was put there", e.is, 1);
        }
        if (dut->r_found && dut->r_lost && e.is) {
            lost++;
            renew(e, e.page);  // no history; not away
            if (op.kind != GMMU_TP_LEAVE) {
                (void)gmmu_tier_predict_leave(&e.twin, &regs_, e.page.asid, e.page.vpn, 0);
                (void)gmmu_tier_predict_stay(&e.twin, &regs_, e.page.asid, e.page.vpn);
            }
        }
        if (!e.is && op.kind == GMMU_TP_LEAVE)
            renew(e, op.page);
        gmmu_tp_answer a = {};
        if (e.is)
            a = op.kind == GMMU_TP_RETURN
                    ? gmmu_tier_predict_return(&e.twin, &regs_, e.page.asid, e.page.vpn, op.time)
                : op.kind == GMMU_TP_LEAVE
                    ? gmmu_tier_predict_leave(&e.twin, &regs_, e.page.asid, e.page.vpn, op.time)
                : op.kind == GMMU_TP_STAY
                    ? gmmu_tier_predict_stay(&e.twin, &regs_, e.page.asid, e.page.vpn)
                    : gmmu_tier_predict_look(&e.twin, &regs_, e.page.asid, e.page.vpn);
        expect("foretold", dut->r_pred, a.pred);
        expect("right tier", dut->r_right, a.right);
        found += dut->r_found;
        foretold += a.pred != 0;
    }
};

#endif
