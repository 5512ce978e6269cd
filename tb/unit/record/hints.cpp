// SPDX-License-Identifier: Apache-2.0
// hints.cpp: launches and arrays that `gmmu record --hints` writes.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "simt/kernels/kernels.h"
#include "simt/record.h"
#include "simt/simt.h"
#include "simt_bench.h"

namespace {

using namespace simt_bench;

struct Hinted {
    std::vector<uint64_t> walks;  // their pages
    std::vector<gmmu_hint> hints;
};

Hinted recorded(const gmmu_simt_kernel *k, const gmmu_simt_params &p, bool hints,
                const std::string &ending) {
    const std::string path =
        testing::TempDir() + "record_test_" + std::to_string(getpid()) + ending;
    gmmu_simt_request order = {};
    order.kernel = k;
    order.params = p;
    order.output = path.c_str();
    order.hints = hints;
    gmmu_simt_stats stats = {};
    gmmu_error err = {};
    Hinted all;
    EXPECT_EQ(gmmu_simt_record(&order, &stats, &err), GMMU_RECORD_OK) << err.text;
    gmmu_reader *r = gmmu_reader_open(path.c_str(), &err);
    EXPECT_NE(r, nullptr) << err.text;
    for (int status = GMMU_OK; status == GMMU_OK;) {
        gmmu_walk w = {};
        size_t count = 0;
        status = gmmu_reader_next(r, &w, &err);
        EXPECT_NE(status, GMMU_BAD) << err.text;
        if (status == GMMU_OK)
            all.walks.push_back(w.vpn);
        const gmmu_hint *h = gmmu_reader_hints(r, &count);
        all.hints.insert(all.hints.end(), h, h + count);
    }
    gmmu_reader_close(r);
    (void)std::remove(path.c_str());
    return all;
}

// A launch before the first walk of each grid, with the entry of its code; all arrays allocated
// before and freed behind. The same walks as without hints.
TEST(Hints, LaunchesAndArrays) {
    struct {
        const char *kernel;
        uint64_t size;
        std::vector<uint64_t> entries;  // of its grids' code, repeated
    } cases[] = {{"atax", 40, {0x10, 0x50}},
                 {"kmeans", 600, {0x10, 0x30, 0x30, 0x30, 0x30}},
                 {"bfs", 900, {0x10, 0xa0}}};
    for (const auto &c : cases) {
        const gmmu_simt_kernel *k = gmmu_simt_find(c.kernel);
        ASSERT_NE(k, nullptr);
        gmmu_simt_params p = gmmu_simt_defaults(k);
        p.size = c.size;
        p.l1_entries = p.l2_entries = 0;
        const Hinted plain = recorded(k, p, false, ".walk");
        EXPECT_TRUE(plain.hints.empty());
        for (const char *ending : {".walk", ".gwt"}) {
            const Hinted got = recorded(k, p, true, ending);
            EXPECT_EQ(got.walks, plain.walks);
            Machine m = machine(k, p);
            ASSERT_NE(m.get(), nullptr);
            const gmmu_space *space = gmmu_simt_space(m.get());
            const size_t arrays = space->arrays;
            ASSERT_GT(got.hints.size(), 2 * arrays);
            for (size_t i = 0; i < arrays; i++) {
                const gmmu_hint &first = got.hints[i];
                const gmmu_hint &last = got.hints[got.hints.size() - arrays + i];
                EXPECT_EQ(first.kind, GMMU_HINT_ALLOC);
                EXPECT_EQ(first.walk, 0U);
                EXPECT_EQ(first.id, i);
                EXPECT_EQ(first.first, space->array[i].base >> 12);
                EXPECT_EQ(first.pages, gmmu_space_array_pages(space, &space->array[i]));
                EXPECT_EQ(last.kind, GMMU_HINT_FREE);
                EXPECT_EQ(last.walk, got.walks.size());
                EXPECT_EQ(last.first, first.first);
                EXPECT_EQ(last.pages, first.pages);
            }
            // when each grid began, seen from the front end itself
            struct Seen {
                uint64_t walks = 0;
                bool fresh = false;
                std::vector<std::pair<uint64_t, uint64_t>> launches;  // walk, entry
            } seen;
            gmmu_simt_hooks hooks = {};
            hooks.ctx = &seen;
            hooks.grid = [](void *ctx, const gmmu_simt_grid *, gmmu_error *) -> int {
                static_cast<Seen *>(ctx)->fresh = true;
                return GMMU_OK;
            };
            hooks.access = [](void *ctx, const gmmu_walk *a, gmmu_error *) -> int {
                Seen *s = static_cast<Seen *>(ctx);
                if (s->fresh)
                    s->launches.emplace_back(s->walks, a->ref);
                s->fresh = false;
                s->walks++;  // without TLBs each access walks
                return GMMU_OK;
            };
            gmmu_error err = {};
            ASSERT_EQ(gmmu_simt_run(m.get(), &hooks, &err), GMMU_OK) << err.text;
            ASSERT_EQ(got.hints.size(), 2 * arrays + seen.launches.size());
            for (size_t i = 0; i < seen.launches.size(); i++) {
                const gmmu_hint &h = got.hints[arrays + i];
                EXPECT_EQ(h.kind, GMMU_HINT_LAUNCH);
                EXPECT_EQ(h.walk, seen.launches[i].first);
                EXPECT_EQ(h.id, seen.launches[i].second);
                EXPECT_EQ(h.id, c.entries[i % c.entries.size()]) << c.kernel << i;
            }
        }
    }
}

}  // namespace
