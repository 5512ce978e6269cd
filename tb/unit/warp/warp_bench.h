// SPDX-License-Identifier: Apache-2.0
// warp_bench.h: tests of the notation in which kernels are written (cmodel/simt/warp.h).
//
// Each little program is written twice: in the notation, and as what one thread of it does, in
// plain C++. Memory must end alike, and every thread must have made the same accesses in the same
// order. Which lanes take part together is worked out by hand for some programs.
#ifndef GMMU_TB_WARP_WARP_BENCH_H
#define GMMU_TB_WARP_WARP_BENCH_H

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "simt/warp.h"
#include "simt_bench.h"

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
inline std::ostream &operator<<(std::ostream &out, const Access &a) {
    return out << "(" << a.ref / 16 - 1 << ", " << a.index << (a.write ? ", w)" : ")");
}
inline std::ostream &operator<<(std::ostream &out, const Issue &i) {
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
};
inline Plan plan;

struct Regs {
    WARP_STATE;
    unsigned k, j;
    uint32_t x[GMMU_WARP], y[GMMU_WARP], z[GMMU_WARP];
    uint64_t at[GMMU_WARP];
};

inline void *create(const gmmu_simt_params *p, gmmu_space *space, gmmu_error *err) {
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
inline void destroy(void *self) {
    delete static_cast<Data *>(self);
}
inline bool launch(void *self, gmmu_simt_grid *grid) {
    auto *d = static_cast<Data *>(self);
    *grid = {d->blocks, d->threads, d->shared};
    return !std::exchange(d->launched, true);
}
inline double progress(const void *) {
    return 0;
}
inline int check(const void *, gmmu_error *) {
    return GMMU_OK;
}
inline const gmmu_array *result(const void *self) {
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

inline int heard(void *ctx, const gmmu_simt_warp *w, unsigned, const gmmu_simt_op *op,
                 gmmu_error *) {
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

inline Trace run(const Plan &p) {
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

inline Plan program(Step step, unsigned threads = 45, uint64_t seed = 1) {
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
inline Trace expect_threads(const Plan &p, Body thread) {
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

#endif
