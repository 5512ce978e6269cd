// SPDX-License-Identifier: Apache-2.0
// nested.cpp: nested branches and loops on random data.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <map>

#include "simt/warp.h"
#include "simt_bench.h"
#include "warp_bench.h"

namespace {

// One draw in ONE_IN, of all that X holds.
bool draw(uint32_t x, unsigned k, unsigned one_in) {
    uint64_t state = uint64_t{x} << 8 | k;
    return gmmu_simt_random(&state) % one_in == 0;
}

uint32_t mix(uint32_t x, uint32_t y) {
    return x * 33 + y;
}

// x is what the thread has seen, y counts: loops end at 9.
gmmu_simt_event nested_step(void *self, const gmmu_simt_warp *w, void *registers,
                            gmmu_simt_op *op) {
    auto *s = static_cast<Data *>(self);
    auto *r = static_cast<Regs *>(registers);
    WARP_BEGIN;
    LD(0, s->a, GID, r->x);
    IF(draw(r->x[lane], 0, 2)) {
        LD(1, s->a, r->x[lane] % kWords, r->z);
        EACH r->x[lane] = mix(r->x[lane], r->z[lane]);
        WHILE(!draw(r->x[lane], 1, 6) && r->y[lane] < 9) {
            LD(2, s->a, r->x[lane] % kWords, r->z);
            EACH {
                r->x[lane] = mix(r->x[lane], r->z[lane]);
                r->y[lane]++;
            }
            IF(draw(r->x[lane], 2, 3)) {
                ST(3, s->b, uint32_t, GID, r->x[lane]);
                for (r->k = 0; r->k < 3; r->k++) {
                    LD(4, s->a, (r->x[lane] + r->k) % kWords, r->z);
                    EACH r->x[lane] = mix(r->x[lane], r->z[lane]);
                }
            }
            ELSE {
                LD(5, s->b, GID, r->z);
                EACH r->x[lane] = mix(r->x[lane], r->z[lane]);
                IF(draw(r->x[lane], 3, 2)) {
                    ATOMIC(6, s->b, uint32_t, GID, *item ^= r->x[lane]);
                    WHILE(draw(r->x[lane], 4, 2)) {
                        LD(7, s->a, r->x[lane] % kWords, r->z);
                        EACH r->x[lane] = mix(r->x[lane], r->z[lane]);
                        LEAVE(draw(r->x[lane], 5, 4));
                        ST(8, s->b, uint32_t, GID, r->x[lane] + 1);
                    }
                    ENDWHILE;
                }
                ENDIF;
            }
            ENDIF;
            LEAVE(draw(r->x[lane], 6, 5));
            LD(9, s->b, GID, r->z);
            EACH r->x[lane] = mix(r->x[lane], r->z[lane]);
        }
        ENDWHILE;
        ST(10, s->b, uint32_t, GID, r->x[lane]);
    }
    ELSE {
        IF(draw(r->x[lane], 7, 3)) {
            ST(11, s->b, uint32_t, GID, r->x[lane]);
        }
        ENDIF;
        WHILE(r->y[lane] < r->x[lane] % 5) {
            LD(12, s->a, GID + r->y[lane], r->z);
            EACH {
                r->x[lane] = mix(r->x[lane], r->z[lane]) / 5 * 5 + r->x[lane] % 5;
                r->y[lane]++;
            }
        }
        ENDWHILE;
    }
    ENDIF;
    RETURN_IF(draw(r->x[lane], 8, 3));
    ST(13, s->b, uint32_t, GID, r->x[lane]);
    RETURN_IF(draw(r->x[lane], 9, 2));
    LD(14, s->a, r->x[lane] % kWords, r->z);
    ST(15, s->b, uint32_t, GID, mix(r->x[lane], r->z[lane]));
    WARP_END;
}

void nested_thread(Thread &t) {
    uint32_t x = t.load(0, t.a, t.id);
    uint32_t y = 0;
    if (draw(x, 0, 2)) {
        x = mix(x, t.load(1, t.a, x % kWords));
        while (!draw(x, 1, 6) && y < 9) {
            x = mix(x, t.load(2, t.a, x % kWords));
            y++;
            if (draw(x, 2, 3)) {
                t.store(3, t.id, x);
                for (unsigned k = 0; k < 3; k++) x = mix(x, t.load(4, t.a, (x + k) % kWords));
            } else {
                x = mix(x, t.load(5, t.b, t.id));
                if (draw(x, 3, 2)) {
                    t.store(6, t.id, t.b[t.id] ^ x);
                    while (draw(x, 4, 2)) {
                        x = mix(x, t.load(7, t.a, x % kWords));
                        if (draw(x, 5, 4))
                            break;
                        t.store(8, t.id, x + 1);
                    }
                }
            }
            if (draw(x, 6, 5))
                break;
            x = mix(x, t.load(9, t.b, t.id));
        }
        t.store(10, t.id, x);
    } else {
        if (draw(x, 7, 3))
            t.store(11, t.id, x);
        for (; y < x % 5; y++) x = mix(x, t.load(12, t.a, t.id + y)) / 5 * 5 + x % 5;
    }
    if (draw(x, 8, 3))
        return;
    t.store(13, t.id, x);
    if (draw(x, 9, 2))
        return;
    uint32_t z = t.load(14, t.a, x % kWords);
    t.store(15, t.id, mix(x, z));
}

TEST(Warp, NestedBranchesAndLoopsAreThoseOfEachThread) {
    std::map<uint64_t, unsigned> sites;
    unsigned accesses = 0;
    for (unsigned threads : {1u, 2u, 31u, 32u, 33u, 45u, 64u, 96u}) {
        for (uint64_t seed = 0; seed < 40; seed++) {
            Plan p = program(nested_step, threads, seed);
            p.sms = 1 + seed % 3;
            p.per_sm = 1 + seed % 2;
            Trace r = expect_threads(p, nested_thread);
            for (auto &t : r.threads)
                for (const Access &a : t.second) sites[a.ref]++, accesses++;
            if (HasFailure())
                return;
        }
    }
    EXPECT_EQ(sites.size(), 16u) << "every instruction took part";
    std::printf("%u accesses\n", accesses);
}

TEST(Warp, LanesThatAgreeStayTogether) {
    for (uint64_t seed = 0; seed < 100; seed++) {
        Plan p = program(nested_step, 27, seed);
        p.blocks = 1;
        p.same = true;
        Trace r = expect_threads(p, nested_thread);
        for (unsigned i = 0; i < 27; i++) EXPECT_EQ(r.threads[i].size(), (r.warps[{0, 0}].size()));
    }
}

}  // namespace
