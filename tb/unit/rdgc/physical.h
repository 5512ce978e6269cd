// SPDX-License-Identifier: Apache-2.0
// physical.h: a machine of caches, and what its first level does.
#ifndef GMMU_TB_RDGC_PHYSICAL_H
#define GMMU_TB_RDGC_PHYSICAL_H

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "rdgc/rdgc.h"

struct Model {
    explicit Model(const gmmu_rdgc_config &c) {
        gmmu_error err{};
        m = gmmu_rdgc_create(&c, &err);
        EXPECT_NE(m, nullptr) << err.text;
        gmmu_rdgc_watch_l2(m, list, this);
        sms.resize(c.sms);
        for (unsigned i = 0; i < c.sms; i++) {
            sms[i] = {this, i};
            watches.push_back({&sms[i], update, access, nullptr});
        }
        for (unsigned i = 0; i < c.sms; i++) gmmu_rdgc_cache_watch(gmmu_rdgc_l1(m, i), &watches[i]);
    }
    Model(const Model &) = delete;
    Model &operator=(const Model &) = delete;
    ~Model() { gmmu_rdgc_destroy(m); }
    void run(const gmmu_rdgc_trace *t) {
        gmmu_error err{};
        for (size_t i = 0; i < gmmu_rdgc_trace_grids(t); i++)
            EXPECT_EQ(gmmu_rdgc_run(m, gmmu_rdgc_trace_grid(t, i), &err), GMMU_OK) << err.text;
    }
    const gmmu_rdgc_result &result() { return *gmmu_rdgc_get_result(m); }

    struct Seen {
        unsigned sm;
        uint64_t step, block;
        unsigned warp;
        bool write;
        gmmu_rdgc_status status;
    };
    struct Sm {
        Model *model;
        unsigned number;
    };
    gmmu_rdgc *m;
    std::vector<Sm> sms;
    std::vector<gmmu_rdgc_watch> watches;
    std::vector<Seen> seen;          // L1, SM by SM
    std::vector<std::string> lists;  // of L2: "sm:block[w] …"

   private:
    static void update(void *, uint64_t, uint64_t) {}
    static void access(void *ctx, uint64_t step, const gmmu_rdgc_event *e) {
        const Sm *sm = static_cast<Sm *>(ctx);
        sm->model->seen.push_back(
            {sm->number, step, e->access->block, e->access->warp, e->access->write, e->status});
    }
    static void list(void *ctx, const gmmu_rdgc_access *list, size_t n) {
        std::string s;
        for (size_t i = 0; i < n; i++)
            s += (i > 0 ? " " : "") + std::to_string(list[i].warp) + ":" +
                 std::to_string(list[i].block) + (list[i].write ? "w" : "");
        static_cast<Model *>(ctx)->lists.push_back(s);
    }
};

inline gmmu_rdgc_config machine() {
    gmmu_rdgc_config c = gmmu_rdgc_defaults();
    c.sms = 1;
    c.schedulers = 2;
    c.l1.adaptive = c.l2.adaptive = false;
    return c;
}

#endif
