// SPDX-License-Identifier: Apache-2.0
// outside.cpp: indices that are outside an array.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "simt/warp.h"
#include "simt_bench.h"
#include "warp_bench.h"

namespace {

uint64_t outside;  // index of thread 3
unsigned outside_site;

gmmu_simt_event outside_step(void *self, const gmmu_simt_warp *w, void *registers,
                             gmmu_simt_op *op) {
    auto *s = static_cast<Data *>(self);
    auto *r = static_cast<Regs *>(registers);
    WARP_BEGIN;
    EACH r->at[lane] = TID == 3 ? outside : TID;
    EACH r->x[lane] = 7;
    if (outside_site == 0) {
        LD(0, s->a, r->at[lane], r->x);
    } else if (outside_site == 1) {
        ST(1, s->b, uint32_t, r->at[lane], 7);
    } else {
        ATOMIC(2, s->b, uint32_t, r->at[lane], *item = r->x[lane]);
    }
    ST(3, s->b, uint32_t, 100 + TID, r->x[lane]);
    WARP_END;
}

TEST(Warp, AnIndexOutsideIsReportedAndTouchesNothing) {
    for (uint64_t index : {kWords, kWords + 1, UINT64_MAX / 4, UINT64_MAX}) {
        for (unsigned site : {0u, 1u, 2u}) {
            outside = index;
            outside_site = site;
            Plan p = program(outside_step, 8);
            p.blocks = 1;
            Plan none = p;
            none.blocks = 0;
            std::vector<uint32_t> b = run(none).b;
            Trace r = run(p);
            EXPECT_EQ(r.status, GMMU_BAD);
            char ref[40];
            std::snprintf(ref, sizeof ref, "0x%x", 16 * (site + 1));
            EXPECT_EQ(r.said, std::string("program: found an access to ") +
                                  (site == 0 ? "a" : "b") + "[" + std::to_string(index) + "] by " +
                                  ref + ", expected an index below 512");
            for (unsigned i = 0; site != 0 && i < 8; i++)
                if (i != 3)
                    b[i] = 7;
            EXPECT_EQ(r.b, b) << "only lanes inside have written, and nothing behind";
        }
    }
    // of lanes that do not take part nobody asks
    outside = kWords - 1;
    Plan p = program(outside_step, 8);
    EXPECT_EQ(run(p).status, GMMU_OK);
}

}  // namespace
