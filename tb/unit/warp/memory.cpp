// SPDX-License-Identifier: Apache-2.0
// memory.cpp: loads, stores and atomics.
#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "simt/warp.h"
#include "simt_bench.h"
#include "warp_bench.h"

namespace {

// A chain: the index is what was loaded just before, into the same register.
gmmu_simt_event chain_step(void *self, const gmmu_simt_warp *w, void *registers, gmmu_simt_op *op) {
    auto *s = static_cast<Data *>(self);
    auto *r = static_cast<Regs *>(registers);
    WARP_BEGIN;
    EACH r->x[lane] = static_cast<uint32_t>(GID);
    for (r->k = 0; r->k < 5; r->k++) {
        LD(0, s->a, r->x[lane] % kWords, r->x);
    }
    ST(1, s->b, uint32_t, GID, r->x[lane]);
    WARP_END;
}

TEST(Warp, AnIndexMayBeWhatTheLoadReplaces) {
    for (uint64_t seed = 0; seed < 20; seed++) {
        expect_threads(program(chain_step, 50, seed), [](Thread &t) {
            auto x = static_cast<uint32_t>(t.id);
            for (unsigned k = 0; k < 5; k++) x = t.load(0, t.a, x % kWords);
            t.store(1, t.id, x);
        });
    }
}

// Tickets of b[GID % 3], and the last of several stores.
gmmu_simt_event ticket_step(void *self, const gmmu_simt_warp *w, void *registers,
                            gmmu_simt_op *op) {
    auto *s = static_cast<Data *>(self);
    auto *r = static_cast<Regs *>(registers);
    WARP_BEGIN;
    IF(TID % 5 != 1) {
        ATOMIC(0, s->b, uint32_t, GID % 3, r->x[lane] = (*item)++);
        ST(1, s->b, uint32_t, 10 + GID, r->x[lane]);
        ST(2, s->b, uint32_t, 3 + GID % 2, static_cast<uint32_t>(GID));
    }
    ENDIF;
    WARP_END;
}

TEST(Warp, AtomicsAreInOrderOfLanesAndOfIssue) {
    for (unsigned sms : {1u, 2u, 3u}) {
        for (unsigned threads : {1u, 20u, 45u, 70u}) {
            Plan p = program(ticket_step, threads);
            p.sms = sms;
            Plan none = p;
            none.blocks = 0;
            std::vector<uint32_t> b = run(none).b;
            Trace r = run(p);
            EXPECT_EQ(r.status, GMMU_OK) << r.said;
            std::map<std::pair<uint64_t, unsigned>, unsigned> issued;
            for (auto &warp : r.order) {
                unsigned site = issued[warp]++;
                for (unsigned i = warp.second * 32; i < warp.second * 32 + 32 && i < threads; i++) {
                    uint64_t id = warp.first * threads + i;
                    if (i % 5 == 1)
                        continue;
                    if (site == 0)
                        b[10 + id] = b[id % 3]++;  // as instruction 1 will store it
                    else if (site == 2)
                        b[3 + id % 2] = static_cast<uint32_t>(id);
                }
            }
            EXPECT_EQ(r.b, b);
        }
    }
}

}  // namespace
