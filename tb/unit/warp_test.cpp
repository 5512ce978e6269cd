// SPDX-License-Identifier: Apache-2.0
// warp_test.cpp: tests of the notation in which kernels are written (cmodel/simt/warp.h).
//
// Each little program is written twice: in the notation, and as what one thread of it does, in
// plain C++. Memory must end alike, and every thread must have made the same accesses in the same
// order. Which lanes take part together is worked out by hand for some programs.
#include "simt/warp.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "simt_bench.h"

namespace {

// What a thread, or a warp, does.
struct Access {
    uint64_t ref, index;
    bool write;
    bool operator==(const Access &o) const {
        return ref == o.ref && index == o.index && write == o.write;
    }
};
struct Issue {
    uint64_t ref;
    uint32_t mask;
    bool operator==(const Issue &o) const { return ref == o.ref && mask == o.mask; }
};
std::ostream &operator<<(std::ostream &out, const Access &a) {
    return out << "(" << a.ref / 16 - 1 << ", " << a.index << (a.write ? ", w)" : ")");
}
std::ostream &operator<<(std::ostream &out, const Issue &i) {
    return out << "(" << i.ref / 16 - 1 << ", " << std::hex << i.mask << std::dec << ")";
}

using Step = gmmu_simt_event (*)(void *, const gmmu_simt_warp *, void *, gmmu_simt_op *);

constexpr uint64_t kWords = 512;  // of each array

// The data of a program: a is read, b written.
struct Data {
    const gmmu_array *a, *b;
    uint64_t blocks;
    unsigned threads;
    size_t shared;
    bool launched;
};

// What the next machine gets.
struct Plan {
    uint64_t blocks = 3;
    unsigned threads = 45, sms = 1, per_sm = 2;
    size_t shared = 0, regs = 0;
    uint64_t seed = 1;
    bool same = false;  // all elements of an array are alike
    Step step = nullptr;
} plan;

struct Regs {
    WARP_STATE;
    unsigned k, j;
    uint32_t x[GMMU_WARP], y[GMMU_WARP], z[GMMU_WARP];
    uint64_t at[GMMU_WARP];
};

void *create(const gmmu_simt_params *p, gmmu_space *space, gmmu_error *err) {
    auto *d = new Data{};
    d->a = gmmu_space_alloc(space, "a", kWords, 4, err);
    d->b = gmmu_space_alloc(space, "b", kWords, 4, err);
    d->blocks = plan.blocks;
    d->threads = plan.threads;
    d->shared = plan.shared;
    uint64_t random = p->seed;
    for (uint64_t i = 0; i < kWords; i++) {
        random = plan.same ? p->seed : random;
        static_cast<uint32_t *>(d->a->data)[i] = static_cast<uint32_t>(gmmu_simt_random(&random));
        static_cast<uint32_t *>(d->b->data)[i] = static_cast<uint32_t>(gmmu_simt_random(&random));
    }
    return d;
}
void destroy(void *self) {
    delete static_cast<Data *>(self);
}
bool launch(void *self, gmmu_simt_grid *grid) {
    auto *d = static_cast<Data *>(self);
    *grid = {d->blocks, d->threads, d->shared};
    return !std::exchange(d->launched, true);
}
double progress(const void *) {
    return 0;
}
int check(const void *, gmmu_error *) {
    return GMMU_OK;
}
const gmmu_array *result(const void *self) {
    return static_cast<const Data *>(self)->b;
}

struct Trace {
    std::vector<uint32_t> a, b;
    std::map<uint64_t, std::vector<Access>> threads;                    // by thread of the grid
    std::map<std::pair<uint64_t, unsigned>, std::vector<Issue>> warps;  // by block, warp
    std::vector<std::pair<uint64_t, unsigned>> order;                   // of issue: block, warp
    int status = GMMU_OK;
    std::string said;
};

int heard(void *ctx, const gmmu_simt_warp *w, unsigned, const gmmu_simt_op *op, gmmu_error *) {
    auto *run = static_cast<Trace *>(ctx);
    EXPECT_NE(op->mask, 0u);
    EXPECT_EQ(op->mask & ~w->lanes, 0u) << "a lane that does not exist";
    for (unsigned lane = 0; lane < GMMU_WARP; lane++)
        if (op->mask >> lane & 1)
            run->threads[w->thread + lane].push_back({op->ref, op->index[lane], op->write});
    run->warps[{w->block, w->index}].push_back({op->ref, op->mask});
    run->order.emplace_back(w->block, w->index);
    return GMMU_OK;
}

Trace run(const Plan &p) {
    plan = p;
    const gmmu_simt_kernel kernel = {"program", "nothing", 1,      1,        p.regs, create,
                                     destroy,   launch,    p.step, progress, check,  result};
    gmmu_simt_params params = gmmu_simt_defaults(&kernel);
    params.sms = p.sms;
    params.blocks_per_sm = p.per_sm;
    params.seed = p.seed;
    Trace r;
    gmmu_error err = {};
    simt_bench::Machine m = simt_bench::machine(&kernel, params);
    gmmu_simt_hooks hooks = {};
    hooks.ctx = &r;
    hooks.op = heard;
    r.status = gmmu_simt_run(m.get(), &hooks, &err);
    r.said = err.text;
    const gmmu_space *space = gmmu_simt_space(m.get());
    auto *a = static_cast<const uint32_t *>(space->array[0].data);
    auto *b = static_cast<const uint32_t *>(space->array[1].data);
    r.a.assign(a, a + kWords);
    r.b.assign(b, b + kWords);
    return r;
}

Plan program(Step step, unsigned threads = 45, uint64_t seed = 1) {
    Plan p;
    p.step = step;
    p.threads = threads;
    p.seed = seed;
    p.regs = sizeof(Regs);
    return p;
}

// A thread in plain C++: memory, and what it does.
struct Thread {
    std::vector<uint32_t> &a, &b;
    uint64_t id, tid, bid;
    std::vector<Access> done;
    uint32_t load(unsigned site, const std::vector<uint32_t> &from, uint64_t at) {
        done.push_back({gmmu_simt_ref(site), at, false});
        return from[at];
    }
    void store(unsigned site, uint64_t at, uint32_t value) {
        done.push_back({gmmu_simt_ref(site), at, true});
        b[at] = value;
    }
};

// Holds a run of P against THREAD, thread after thread; they must not depend on one another.
template <typename Body>
Trace expect_threads(const Plan &p, Body thread) {
    Plan none = p;
    none.blocks = 0;
    Trace before = run(none);
    Trace found = run(p);
    EXPECT_EQ(found.status, GMMU_OK) << found.said;
    for (uint64_t block = 0; block < p.blocks; block++) {
        for (uint64_t i = 0; i < p.threads; i++) {
            Thread t = {before.a, before.b, block * p.threads + i, i, block, {}};
            thread(t);
            EXPECT_EQ(found.threads[t.id], t.done) << "thread " << t.id;
        }
    }
    EXPECT_EQ(found.a, before.a);
    EXPECT_EQ(found.b, before.b);
    return found;
}

// ---------------------------------------------------------------- nested, on random data

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

// ---------------------------------------------------------------- masks, worked out by hand

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

// ---------------------------------------------------------------- memory

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

// ---------------------------------------------------------------- barriers and shared memory

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

// ---------------------------------------------------------------- what is outside

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
