// SPDX-License-Identifier: Apache-2.0
// scheduler.cpp: the order in which `gmmu record` issues warps, with a kernel made for that.
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "simt/simt.h"
#include "simt_bench.h"

namespace {

using namespace simt_bench;

// Each warp: `before` accesses, a barrier (unless its index is 0 and it leaves early), `after`
// more.
struct Probe {
    const gmmu_array *array;
    unsigned block;
    uint64_t blocks;
    bool launched;
    bool out_of_bounds;
    struct Event {
        uint64_t block;
        unsigned index, phase;
        uint32_t lanes;
    };
    std::vector<Event> events;
};

struct ProbeRegs {
    unsigned before, after, passed;
};

constexpr unsigned kBefore = 2, kAfter = 3, kLate = 20;
bool probe_late = false;
bool probe_early_exit = false;
bool probe_out_of_bounds = false;
Probe *probe = nullptr;  // the one that runs

void *probe_create(const gmmu_simt_params *p, gmmu_space *space, gmmu_error *err) {
    probe = new Probe{};
    probe->array = gmmu_space_alloc(space, "p", p->size * p->block, 4, err);
    probe->block = p->block;
    probe->blocks = p->size;
    return probe;
}
void probe_destroy(void *self) {
    delete static_cast<Probe *>(self);
}
bool probe_launch(void *self, gmmu_simt_grid *grid) {
    auto *p = static_cast<Probe *>(self);
    grid->blocks = p->blocks;
    grid->threads = p->block;
    return !std::exchange(p->launched, true);
}
gmmu_simt_event probe_step(void *self, const gmmu_simt_warp *w, void *registers, gmmu_simt_op *op) {
    auto *p = static_cast<Probe *>(self);
    auto *r = static_cast<ProbeRegs *>(registers);
    if (r->before < kBefore + (probe_late && w->index == 0 ? kLate : 0)) {
        r->before++;
    } else if (probe_early_exit && w->index == 0) {
        return GMMU_SIMT_EXIT;
    } else if (!r->passed) {
        r->passed = 1;
        return GMMU_SIMT_BARRIER;
    } else if (r->after < kAfter) {
        r->after++;
    } else {
        return GMMU_SIMT_EXIT;
    }
    p->events.push_back({w->block, w->index, r->passed, w->lanes});
    op->array = p->array;
    op->mask = w->lanes;
    op->ref = w->block;  // so that the walk says which block made it
    op->write = false;
    for (unsigned lane = 0; lane < GMMU_WARP; lane++)
        op->index[lane] = probe_out_of_bounds ? p->array->count : w->thread + lane;
    return GMMU_SIMT_MEM;
}
double probe_progress(const void *) {
    return 0;
}
int probe_check(const void *, gmmu_error *) {
    return GMMU_OK;
}
const gmmu_array *probe_result(const void *self) {
    return static_cast<const Probe *>(self)->array;
}

const gmmu_simt_kernel probe_kernel = {
    "probe",       "blocks",     4,          1000,           sizeof(ProbeRegs), probe_create,
    probe_destroy, probe_launch, probe_step, probe_progress, probe_check,       probe_result};

gmmu_simt_params probe_params(uint64_t blocks, unsigned block, unsigned sms, unsigned per_sm) {
    gmmu_simt_params p = gmmu_simt_defaults(&probe_kernel);
    p.size = blocks;
    p.block = block;
    p.sms = sms;
    p.blocks_per_sm = per_sm;
    return p;
}

TEST(Scheduler, RoundRobinOverWarpsAndSms) {
    probe_early_exit = false;
    gmmu_simt_params p = probe_params(4, 64, 2, 2);
    Machine m = machine(&probe_kernel, p);
    gmmu_error err = {};
    gmmu_simt_hooks hooks = {};
    ASSERT_EQ(gmmu_simt_run(m.get(), &hooks, &err), GMMU_OK);
    // Blocks 0 and 2 on SM 0, 1 and 3 on SM 1; two warps each; the SMs take turns.
    std::vector<std::pair<uint64_t, unsigned>> expected, found;
    for (unsigned round = 0; round < kBefore + kAfter; round++)
        for (uint64_t slot = 0; slot < 2; slot++)
            for (unsigned warp = 0; warp < 2; warp++)
                for (uint64_t sm = 0; sm < 2; sm++) expected.emplace_back(2 * slot + sm, warp);
    for (auto &e : probe->events) found.emplace_back(e.block, e.index);
    EXPECT_EQ(found, expected);
}

TEST(Scheduler, NextFreeSlotGetsTheNextBlock) {
    probe_early_exit = false;
    Recording rec = run(&probe_kernel, probe_params(11, 32, 3, 1));
    std::map<uint64_t, uint32_t> sm_of;
    for (auto &a : rec.accesses)
        EXPECT_EQ(sm_of.emplace(std::get<1>(a), std::get<3>(a)).first->second, std::get<3>(a));
    ASSERT_EQ(sm_of.size(), 11u);
    for (auto &e : sm_of)
        EXPECT_EQ(e.second, e.first % 3) << "blocks of equal length take the SMs in turn";
}

TEST(Scheduler, BarrierHoldsUntilAllLiveWarpsArrive) {
    probe_late = true;
    for (bool early : {false, true}) {
        probe_early_exit = early;
        gmmu_simt_params p = probe_params(9, 150, 2, 3);  // 5 warps, the last of 22 threads
        Machine m = machine(&probe_kernel, p);
        gmmu_error err = {};
        gmmu_simt_hooks hooks = {};
        ASSERT_EQ(gmmu_simt_run(m.get(), &hooks, &err), GMMU_OK);
        std::map<uint64_t, unsigned> before;
        uint64_t events = 0;
        for (auto &e : probe->events) {
            events++;
            EXPECT_EQ(e.lanes, e.index == 4 ? (1u << 22) - 1 : UINT32_MAX);
            if (e.phase == 0)
                before[e.block]++;
            else
                EXPECT_EQ(before[e.block], 5 * kBefore + kLate);
        }
        EXPECT_EQ(events, 9u * (5 * kBefore + kLate + (early ? 4 : 5) * kAfter));
    }
    probe_early_exit = probe_late = false;
}

TEST(Scheduler, AccessOutsideAnArrayIsAnError) {
    probe_out_of_bounds = true;
    Machine m = machine(&probe_kernel, probe_params(1, 32, 1, 1));
    gmmu_error err = {};
    gmmu_simt_hooks hooks = {};
    EXPECT_EQ(gmmu_simt_run(m.get(), &hooks, &err), GMMU_BAD);
    EXPECT_STREQ(err.text, "probe: found an access to p[32] by 0x0, expected an index below 32");
    probe_out_of_bounds = false;
}

TEST(Scheduler, AHookStopsTheRun) {
    auto stop = [](void *, const gmmu_walk *, gmmu_error *) -> int { return 77; };
    Machine m = machine(&gmmu_simt_atax, [] {
        gmmu_simt_params p = gmmu_simt_defaults(&gmmu_simt_atax);
        p.size = 10;
        return p;
    }());
    gmmu_error err = {};
    gmmu_simt_hooks hooks = {};
    hooks.walk = stop;
    EXPECT_EQ(gmmu_simt_run(m.get(), &hooks, &err), 77);
}

TEST(Scheduler, ParametersOutOfRangeAreNamed) {
    struct {
        const char *name;
        void (*set)(gmmu_simt_params *);
    } cases[] = {{"size", [](gmmu_simt_params *p) { p->size = 0; }},
                 {"size", [](gmmu_simt_params *p) { p->size = UINT64_MAX; }},
                 {"sms", [](gmmu_simt_params *p) { p->sms = 257; }},
                 {"blocks-per-sm", [](gmmu_simt_params *p) { p->blocks_per_sm = 0; }},
                 {"block", [](gmmu_simt_params *p) { p->block = 1025; }},
                 {"page-shift", [](gmmu_simt_params *p) { p->page_shift = 8; }},
                 {"page-shift", [](gmmu_simt_params *p) { p->page_shift = 31; }},
                 {"l1-tlb", [](gmmu_simt_params *p) { p->l1_entries = 1 << 21; }},
                 {"l2-tlb", [](gmmu_simt_params *p) { p->l2_entries = 1 << 21; }},
                 {"l2-ways", [](gmmu_simt_params *p) { p->l2_ways = 0; }},
                 {"l2-tlb", [](gmmu_simt_params *p) { p->l2_entries = 100; }}};
    for (auto &c : cases) {
        gmmu_simt_params p = gmmu_simt_defaults(&gmmu_simt_atax);
        c.set(&p);
        gmmu_error err = {};
        EXPECT_EQ(gmmu_simt_create(&gmmu_simt_atax, &p, &err), nullptr) << c.name;
        EXPECT_EQ(std::string(err.text).rfind(std::string(c.name) + ": found ", 0), 0u) << err.text;
    }
}

}  // namespace
