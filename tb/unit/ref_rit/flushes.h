// SPDX-License-Identifier: Apache-2.0
// flushes.h: when a flush is ordered, and in which slot each of its rows goes.
#ifndef GMMU_TB_REF_RIT_FLUSHES_H
#define GMMU_TB_REF_RIT_FLUSHES_H

#include <cstdint>

#include "bench.h"
#include "styles.h"

class Flushes {
   public:
    struct Slot {
        bool valid;
        unsigned row;
    };
    uint32_t asid = 0;    // of the pass under way, or the last one
    uint32_t done = 0;    // passes, as it counts them: a cycle after their end
    uint64_t cycles = 0;  // since the pass began

    Flushes(const gmmu_config &c, bench::Random &r) : cfg(c), rng(r) {}

    void reset() {
        for (Slot &s : slot_) s = {};
        row_ = cfg.classes;
        refused_ = 0;
        order_ = 0;
        taken_ = flushing_ = was_ = false;
        done = 0;
        cycles = 0;
    }

    // A cycle; an execution or a look is at w2, or none is. Returns the order at the port.
    uint32_t next(bool wanted, unsigned permille, uint32_t whose) {
        done += was_ && !flushing_;
        was_ = flushing_;
        for (int i = EXECUTE_CYCLES; i > 0; i--) slot_[i] = slot_[i - 1];
        slot_[0] = {};
        bool under_way = row_ < cfg.classes;
        if (under_way && (!wanted || refused_ == FLUSH_WAITS)) {
            slot_[0] = {true, row_++};
            refused_ = 0;
        } else if (under_way) {
            refused_++;
        }
        for (const Slot &s : slot_) under_way |= s.valid;
        flushing_ = under_way;
        cycles++;
        order(permille, whose);
        if ((order_ & 1) != 0 && !taken_ && !flushing_) {
            taken_ = true;
            asid = order_ >> 1;
            row_ = refused_ = 0;
            cycles = 0;
        }
        taken_ = taken_ && (order_ & 1) != 0;
        return order_;
    }
    Slot at_w9() const { return slot_[EXECUTE_CYCLES]; }
    bool flushing() const { return flushing_; }
    // An order waits for the end of a pass, or rows of a pass are still to come.
    bool to_come() const { return ((order_ & 1) != 0 && !taken_) || row_ < cfg.classes; }

   private:
    const gmmu_config &cfg;
    bench::Random &rng;
    Slot slot_[EXECUTE_CYCLES + 1] = {};
    unsigned row_ = 0,
             refused_ = 0;  // the row that is next; executions and looks that took its slot
    uint32_t order_ = 0;    // {asid, go}
    bool taken_ = false, flushing_ = false, was_ = false;

    // Most orders stand until they are taken; once taken, the address space does not matter.
    void order(unsigned permille, uint32_t whose) {
        if ((order_ & 1) == 0) {
            if (permille != 0 && rng.chance(permille))
                order_ = whose << 1 | 1;
        } else if (rng.chance(taken_ ? 200 : 5)) {
            order_ = 0;
        } else if (taken_ && rng.chance(100)) {
            order_ = whose << 1 | 1;
        }
    }
};

#endif
