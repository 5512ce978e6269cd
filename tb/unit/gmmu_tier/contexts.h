// SPDX-License-Identifier: Apache-2.0
// contexts.h: two contexts that teach the unit, of which one ends.
#pragma once
#include <vector>

#include "scene.h"

// Two contexts, of address spaces 1 and 2, that teach: frames 0 to 3 and 4 to 7 have their pages.
class TwoContexts : public Scene {
   public:
    // DENSE: the second one walks in every cycle of the flush.
    TwoContexts(const char *ram, bool dense)
        : Scene(regs_of(8, GMMU_FEED_RESIDENT, 3), ram), dense_(dense) {
        for (uint32_t f = 0; f < 8; f++) {
            gmmu_tier_drv_in d = operation(GMMU_FILL, f, f);
            d.asid = f < 4 ? 1 : 2;
            drv(d);
        }
        for (unsigned w = 0; w < 200; w++) hit_of(w % 8 < 4 ? 1 : 2, w % 8, w % 8, 0x10 + w % 2);
        rest();
    }
    std::vector<unsigned> rows_of(uint32_t asid) const {
        std::vector<unsigned> rows;
        for (unsigned r = 0; r < config().classes; r++)
            if (rit().way[r].valid && rit().way[r].asid == asid)
                rows.push_back(r);
        return rows;
    }
    // What ROW knows. (The second context learns on, if it walks.)
    std::vector<uint32_t> contents(unsigned row) const {
        const gmmu_rit_row &counts = rit().row[row];
        std::vector<uint32_t> all = {rit().way[row].gen, rit().way[row].valid};
        if (!dense_) {
            all.insert(all.end(), counts.reuse, counts.reuse + config().bins);
            all.insert(all.end(), counts.censored, counts.censored + config().bins);
        }
        return all;
    }
    bool is_empty(unsigned row) const {
        for (unsigned b = 0; b < config().bins; b++)
            if (rit().row[row].reuse[b] + rit().row[row].censored[b] != 0)
                return false;
        return true;
    }
    // The first one's flush, to its end; cycles.
    uint64_t flush() {
        const uint64_t began = step.did.cycles;
        step.flush(1, true);
        while (good() && step.twin.stats.flushes == 0 && step.did.cycles < began + 100000)
            dense_ ? hit_of(2, 4, 4, 0x10) : cycles(1);
        const uint64_t took = step.did.cycles - began;
        rest();
        return took;
    }
    // Of the row that had GEN nothing is left, but for row 0.
    void expect_gone(unsigned row, uint32_t gen) const {
        const gmmu_class was = {static_cast<uint16_t>(row), static_cast<uint16_t>(gen)},
                         now = {static_cast<uint16_t>(row), rit().way[row].gen};
        EXPECT_FALSE(rit().way[row].valid);
        EXPECT_FALSE(gmmu_ref_rit_current(&rit(), was));
        EXPECT_TRUE(is_empty(row));
        EXPECT_EQ(gmmu_ppuc_serving_row(&step.twin.ppuc, now, true), 0u);
    }

   private:
    const bool dense_;
    const gmmu_ref_rit &rit() const { return step.twin.rit; }
};
