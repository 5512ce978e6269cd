// SPDX-License-Identifier: Apache-2.0
// flipped.h: executions while bits turn over in words as they go to RAMs: what is found is right
// all the same.
#ifndef GMMU_TB_REF_RIT_FLIPPED_H
#define GMMU_TB_REF_RIT_FLIPPED_H

#include <array>
#include <cstdint>
#include <vector>

#include "bench.h"

class Flipped : public bench::Block {
   public:
    uint64_t turns = 0, hits = 0, allocations = 0;

    explicit Flipped(const bench::Setup &s)
        : Block("ref_rit", s), owner_(cfg.classes, Owner{false, {}, 0}) {}

    // A row that is found is the one that was given to this reference, with the generation of then.
    bool run(uint64_t executions) {
        reset();
        for (uint64_t i = 0; i < executions && ok(); i++) {
            Exec e = {};
            e.valid = rng.below(4) != 0;
            e.asid = static_cast<uint32_t>(rng.below(2));
            e.ref = rng.below(3) ? rng.below(cfg.classes) : rng.below(cfg.classes * 4ull);
            cycle(e);
        }
        return ok();
    }

   private:
    struct Exec {
        bool valid;
        uint32_t asid;
        uint64_t ref;
    };
    struct Owner {
        bool there;
        Exec of;
        uint64_t gen;
    };
    std::vector<Owner> owner_;
    std::array<Exec, 7> pipe_ = {};  // w3 to w9
    uint64_t turned_ = 0;

    void reset() {
        dut->rst = 1;
        dut->w2_valid = dut->w9_tick = dut->rec0_valid = dut->rec1_valid = 0;
        dut->rec0_bad = dut->rec1_bad = dut->refresh_hurry = dut->clear = 0;
        dut->refresh_ready = dut->refresh_calm = 1;
        dut->qa_row = dut->qb_row = dut->qa_gen = dut->qb_gen = 0;
        for (int i = 0; i < 8; i++) tick();
        dut->rst = 0;
        dut->clear = 1;
        for (settle(); !dut->cleared; settle()) edge();
        dut->clear = 0;
        for (int i = 0; i < 8; i++) tick();
    }
    void cycle(const Exec &e) {
        dut->w2_valid = e.valid;
        dut->w2_asid = e.asid;
        dut->w2_ref = e.ref;
        settle();
        const Exec w9 = pipe_.back();
        if (w9.valid) {
            Owner &row = owner_[dut->w9_row];
            if (dut->w9_alloc) {
                row = {true, w9, dut->w9_gen};
                allocations++;
            } else if (dut->w9_row != 0) {
                expect("the row's asid", row.of.asid, w9.asid);
                expect("the row's reference", row.of.ref, w9.ref);
                expect("the row was given", row.there, 1);
                expect("its generation", dut->w9_gen, row.gen);
                hits++;
            }
            actions++;
        }
        turns += (dut->turned ^ turned_) >> 2 & 1;
        turned_ = dut->turned;
        edge();
        for (size_t i = pipe_.size() - 1; i > 0; i--) pipe_[i] = pipe_[i - 1];
        pipe_[0] = e;
    }
};

#endif
