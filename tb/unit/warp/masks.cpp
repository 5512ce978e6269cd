// SPDX-License-Identifier: Apache-2.0
// masks.cpp: masks, worked out by hand.
#include <gtest/gtest.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "simt/warp.h"
#include "simt_bench.h"
#include "warp_bench.h"

namespace {

std::vector<Issue> issues(const std::vector<std::pair<unsigned, uint32_t>> &list) {
    std::vector<Issue> v;
    for (auto &i : list) v.push_back({gmmu_simt_ref(i.first), i.second});
    return v;
}

// Eight threads.
gmmu_simt_event masks_step(void *self, const gmmu_simt_warp *w, void *registers, gmmu_simt_op *op) {
    auto *s = static_cast<Data *>(self);
    auto *r = static_cast<Regs *>(registers);
    WARP_BEGIN;
    LD(0, s->a, TID, r->x);
    IF(TID < 6) {
        LD(1, s->a, TID, r->x);
        IF(TID % 2 == 0) {
            LD(2, s->a, TID, r->x);
        }
        ELSE {
            LD(3, s->a, TID, r->x);
        }
        ENDIF;
        LD(4, s->a, TID, r->x);
    }
    ELSE {
        LD(5, s->a, TID, r->x);
    }
    ENDIF;
    EACH r->y[lane] = TID;
    WHILE(r->y[lane] < 4) {
        LD(6, s->a, TID, r->x);
        LEAVE(TID == 2);
        LD(7, s->a, TID, r->x);
        EACH r->y[lane]++;
    }
    ENDWHILE;
    LD(8, s->a, TID, r->x);
    RETURN_IF(TID == 0 || TID == 7);
    LD(9, s->a, TID, r->x);
    WARP_END;
}

TEST(Warp, MasksAreThoseWorkedOutByHand) {
    Plan p = program(masks_step, 8);
    p.blocks = 1;
    Trace r = run(p);
    EXPECT_EQ((r.warps[{0, 0}]), issues({{0, 0xff},
                                         {1, 0x3f},
                                         {2, 0x15},
                                         {3, 0x2a},
                                         {4, 0x3f},
                                         {5, 0xc0},
                                         {6, 0x0f},  // y = 0 1 2 3
                                         {7, 0x0b},  // thread 2 has left
                                         {6, 0x03},  // y = 1 2 - 4
                                         {7, 0x03},
                                         {6, 0x03},  // y = 2 3
                                         {7, 0x03},
                                         {6, 0x01},  // y = 3 4
                                         {7, 0x01},
                                         {8, 0xff},
                                         {9, 0x7e}}));
}

// Bodies that no lane enters, and what is in them.
gmmu_simt_event empty_step(void *self, const gmmu_simt_warp *w, void *registers, gmmu_simt_op *op) {
    auto *s = static_cast<Data *>(self);
    auto *r = static_cast<Regs *>(registers);
    WARP_BEGIN;
    IF(false) {
        LD(0, s->a, TID, r->x);
        IF(true) {
            LD(1, s->a, TID, r->x);
        }
        ENDIF;
    }
    ENDIF;
    IF(true) {
        LD(2, s->a, TID, r->x);
    }
    ELSE {
        LD(3, s->a, TID, r->x);
    }
    ENDIF;
    IF(false) {
        LD(4, s->a, TID, r->x);
    }
    ELSE {
        LD(5, s->a, TID, r->x);
    }
    ENDIF;
    WHILE(false) {
        LD(6, s->a, TID, r->x);
    }
    ENDWHILE;
    WHILE(true) {
        LD(7, s->a, TID, r->x);
        LEAVE(true);
        LD(8, s->a, TID, r->x);  // no lane is left
        ST(9, s->b, uint32_t, TID, 0);
        ATOMIC(10, s->b, uint32_t, TID, *item = 0);
        IF(true) {
            LD(11, s->a, TID, r->x);
        }
        ELSE {
            LD(12, s->a, TID, r->x);
        }
        ENDIF;
    }
    ENDWHILE;
    LD(13, s->a, TID, r->x);
    RETURN_IF(false);
    LD(14, s->a, TID, r->x);
    RETURN_IF(true);
    LD(15, s->a, TID, r->x);
    WARP_END;
}

TEST(Warp, WhatNoLaneEntersIsNotIssued) {
    for (unsigned threads : {1u, 7u, 32u, 40u}) {
        Plan p = program(empty_step, threads);
        p.blocks = 2;
        Trace r = expect_threads(p, [](Thread &t) {
            for (unsigned site : {2, 5, 7, 13, 14}) t.load(site, t.a, t.tid);
        });
        for (auto &warp : r.warps) EXPECT_EQ(warp.second.size(), 5u);
    }
}

// As deep as it goes: each level loses its lowest lane, and finds it again behind.
gmmu_simt_event deep_step(void *self, const gmmu_simt_warp *w, void *registers, gmmu_simt_op *op) {
    auto *s = static_cast<Data *>(self);
    auto *r = static_cast<Regs *>(registers);
    static_assert(WARP_DEPTH == 12, "one level a line below");
    WARP_BEGIN;
    IF(TID > 0) {
        IF(TID > 1) {
            IF(TID > 2) {
                IF(TID > 3) {
                    IF(TID > 4) {
                        IF(TID > 5) {
                            WHILE(TID + r->y[lane] > 6) {
                                IF(TID > 7) {
                                    IF(TID > 8) {
                                        IF(TID > 9) {
                                            IF(TID > 10) {
                                                IF(TID > 11) {
                                                    LD(0, s->a, TID, r->x);
                                                }
                                                ENDIF;
                                                LD(1, s->a, TID, r->x);
                                            }
                                            ENDIF;
                                        }
                                        ENDIF;
                                    }
                                    ENDIF;
                                    LD(2, s->a, TID, r->x);
                                }
                                ENDIF;
                                LEAVE(true);
                            }
                            ENDWHILE;
                            LD(3, s->a, TID, r->x);
                        }
                        ENDIF;
                    }
                    ENDIF;
                }
                ENDIF;
            }
            ENDIF;
            LD(4, s->a, TID, r->x);
        }
        ENDIF;
    }
    ENDIF;
    LD(5, s->a, TID, r->x);
    WARP_END;
}

TEST(Warp, TwelveLevels) {
    Plan p = program(deep_step, 16);
    p.blocks = 1;
    EXPECT_EQ(
        (run(p).warps[{0, 0}]),
        issues({{0, 0xf000}, {1, 0xf800}, {2, 0xff00}, {3, 0xffc0}, {4, 0xfffc}, {5, 0xffff}}));
}

}  // namespace
