// SPDX-License-Identifier: Apache-2.0
// barriers.cpp: barriers and shared memory.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "simt/warp.h"
#include "simt_bench.h"
#include "warp_bench.h"

namespace {

// Sums of all threads up to the own one, by doubling; warps 3, 7, ... leave before.
unsigned scanning;  // warps

gmmu_simt_event scan_step(void *self, const gmmu_simt_warp *w, void *registers, gmmu_simt_op *op) {
    auto *s = static_cast<Data *>(self);
    auto *r = static_cast<Regs *>(registers);
    auto *m = static_cast<uint32_t *>(w->shared);
    WARP_BEGIN;
    LD(0, s->a, GID, r->x);
    EACH EXPECT_EQ(m[TID], 0u) << "shared memory starts as zeros";
    RETURN_IF(w->index % 4 == 3);
    scanning++;
    EACH m[TID] = r->x[lane];
    SYNC;
    for (r->k = 1; r->k < 128; r->k *= 2) {
        EACH r->y[lane] = TID >= r->k ? m[TID - r->k] : 0;
        // warps come at different times
        for (r->j = 0; r->j < w->index; r->j++) {
            LD(1, s->a, GID, r->z);
        }
        SYNC;
        EACH m[TID] += r->y[lane];
        SYNC;
    }
    ST(2, s->b, uint32_t, GID, m[TID]);
    WARP_END;
}

TEST(Warp, BarriersHoldWarpsAndSharedMemoryIsTheBlocks) {
    for (unsigned threads : {1u, 32u, 33u, 96u, 100u, 128u}) {
        for (unsigned sms : {1u, 2u}) {
            Plan p = program(scan_step, threads);
            p.blocks = 4;  // more than have room at once
            p.sms = sms;
            p.per_sm = 1;
            p.shared = 128 * sizeof(uint32_t);
            Plan none = p;
            none.blocks = 0;
            std::vector<uint32_t> b = run(none).b;
            scanning = 0;
            Trace r = run(p);
            EXPECT_EQ(r.status, GMMU_OK) << r.said;
            EXPECT_EQ(scanning, 4 * std::min(3u, (threads + 31) / 32)) << "who leaves is gone";
            for (uint64_t block = 0; block < p.blocks; block++) {
                uint32_t sum = 0;
                for (unsigned i = 0; i < threads && i < 96; i++)
                    b[block * threads + i] = sum += r.a[block * threads + i];
            }
            EXPECT_EQ(r.b, b);
        }
    }
}

}  // namespace
