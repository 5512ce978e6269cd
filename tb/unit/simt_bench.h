// SPDX-License-Identifier: Apache-2.0
// simt_bench.h: what the tests of the SIMT front end and of its kernels share.
#ifndef GMMU_TB_SIMT_BENCH_H
#define GMMU_TB_SIMT_BENCH_H

#include <gtest/gtest.h>

#include <algorithm>
#include <list>
#include <map>
#include <memory>
#include <tuple>
#include <vector>

#include "simt/kernels/kernels.h"
#include "simt/simt.h"

namespace simt_bench {

// A TLB in the plainest way: a list of pages.
class NaiveTlb {
   public:
    NaiveTlb(unsigned entries, unsigned ways) : sets_(entries / ways), ways_(ways) {}
    bool access(uint64_t vpn) {
        std::list<uint64_t> &row = rows_[vpn % sets_];  // oldest first
        auto it = std::find(row.begin(), row.end(), vpn);
        bool hit = it != row.end();
        if (hit)
            row.erase(it);
        else if (row.size() == ways_)
            row.pop_front();
        row.push_back(vpn);
        return hit;
    }
    void remove(uint64_t vpn) { rows_[vpn % sets_].remove(vpn); }

   private:
    unsigned sets_, ways_;
    std::map<uint64_t, std::list<uint64_t>> rows_;
};

using Walk = std::tuple<uint64_t, uint64_t, uint64_t, uint32_t, bool>;  // vpn ref time sm write

struct Recording {
    std::vector<Walk> accesses, walks;
};

inline Walk tuple_of(const gmmu_walk *w) {
    EXPECT_EQ(w->asid, 0u);
    return {w->vpn, w->ref, w->time, w->sm, w->write};
}

inline int on_access(void *ctx, const gmmu_walk *w, gmmu_error *) {
    static_cast<Recording *>(ctx)->accesses.push_back(tuple_of(w));
    return GMMU_OK;
}

inline int on_walk(void *ctx, const gmmu_walk *w, gmmu_error *) {
    static_cast<Recording *>(ctx)->walks.push_back(tuple_of(w));
    return GMMU_OK;
}

using Machine = std::unique_ptr<gmmu_simt, decltype(&gmmu_simt_destroy)>;

inline Machine machine(const gmmu_simt_kernel *k, const gmmu_simt_params &p) {
    gmmu_error err = {};
    Machine m(gmmu_simt_create(k, &p, &err), gmmu_simt_destroy);
    EXPECT_NE(m.get(), nullptr) << err.text;
    return m;
}

inline Recording run(const gmmu_simt_kernel *k, const gmmu_simt_params &p) {
    gmmu_error err = {};
    Recording rec;
    gmmu_simt_hooks hooks = {};
    hooks.ctx = &rec;
    hooks.access = on_access;
    hooks.walk = on_walk;
    Machine m = machine(k, p);
    if (!m)
        return rec;
    EXPECT_EQ(gmmu_simt_run(m.get(), &hooks, &err), GMMU_OK) << err.text;
    EXPECT_EQ(gmmu_simt_check(m.get(), &err), GMMU_OK) << err.text;
    gmmu_simt_stats s = gmmu_simt_get_stats(m.get());
    EXPECT_EQ(s.accesses, rec.accesses.size());
    EXPECT_EQ(s.walks, rec.walks.size());
    EXPECT_EQ(s.accesses, s.l1_hits + s.l2_hits + s.walks);
    return rec;
}

inline std::vector<const gmmu_simt_kernel *> all_kernels() {
    std::vector<const gmmu_simt_kernel *> v;
    for (unsigned i = 0; gmmu_simt_kernels[i] != nullptr; i++) v.push_back(gmmu_simt_kernels[i]);
    return v;
}

// Which instructions of a kernel store, and how many elements each touches in all.
struct Plan {
    const gmmu_simt_kernel *kernel;
    uint64_t size;
    std::vector<uint64_t> elements;  // by ref, 0: depends on data
    std::vector<unsigned> stores;    // refs that do
};

// Counts the elements that each instruction of a kernel touches, in place of its step().
struct Tally {
    std::map<uint64_t, uint64_t> elements;
    std::map<uint64_t, int> reads, writes;
};
inline const gmmu_simt_kernel *tally_kernel = nullptr;
inline Tally *tally_now = nullptr;

inline gmmu_simt_event tally_step(void *self, const gmmu_simt_warp *w, void *regs,
                                  gmmu_simt_op *op) {
    gmmu_simt_event event = tally_kernel->step(self, w, regs, op);
    if (event == GMMU_SIMT_MEM) {
        for (unsigned lane = 0; lane < GMMU_WARP; lane++)
            tally_now->elements[op->ref] += op->mask >> lane & 1;
        (op->write ? tally_now->writes : tally_now->reads)[op->ref]++;
    }
    return event;
}

// Runs the plan's kernel with default blocks and compares; what was counted is returned.
inline Tally expect_plan(const Plan &plan) {
    gmmu_simt_params p = gmmu_simt_defaults(plan.kernel);
    p.size = plan.size;
    Tally tally;
    tally_kernel = plan.kernel;
    tally_now = &tally;
    gmmu_simt_kernel counted = *plan.kernel;
    counted.step = tally_step;
    run(&counted, p);
    EXPECT_EQ(tally.elements.size(), plan.elements.size()) << plan.kernel->name;
    for (unsigned i = 0; i < plan.elements.size(); i++) {
        uint64_t ref = gmmu_simt_ref(i);
        bool stores = std::find(plan.stores.begin(), plan.stores.end(), i) != plan.stores.end();
        if (plan.elements[i] != 0) {
            EXPECT_EQ(tally.elements[ref], plan.elements[i]) << plan.kernel->name << " " << i;
        }
        EXPECT_EQ(tally.writes.count(ref) != 0, stores) << plan.kernel->name << " " << i;
        EXPECT_EQ(tally.reads.count(ref) != 0, !stores) << plan.kernel->name << " " << i;
    }
    return tally;
}

}  // namespace simt_bench
#endif
