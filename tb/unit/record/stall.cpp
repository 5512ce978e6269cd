// SPDX-License-Identifier: Apache-2.0
// stall.cpp: turns, faults and order of `gmmu record --stall` and `--threads-per-sm`, by closed
// form, with a kernel made for that.
//
// The kernel: a grid of one-warp blocks. Warp b reads its pages b * apart, b * apart + 1, ... one
// after the other, each of them `again` times in a row, and `rounds` times over all of them.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "simt/simt.h"
#include "simt_bench.h"

namespace {

using namespace simt_bench;

constexpr uint64_t kPage = 4096;

struct Shape {
    uint64_t blocks, pages, apart, again, rounds;
};
Shape shape;

struct Reader {
    const gmmu_array *array;
    bool launched;
};
struct ReaderRegs {
    uint64_t step;
};

void *reader_create(const gmmu_simt_params *, gmmu_space *space, gmmu_error *err) {
    uint64_t pages = (shape.blocks - 1) * shape.apart + shape.pages;
    return new Reader{gmmu_space_alloc(space, "a", pages * kPage, 1, err), false};
}
void reader_destroy(void *self) {
    delete static_cast<Reader *>(self);
}
bool reader_launch(void *self, gmmu_simt_grid *grid) {
    grid->blocks = shape.blocks;
    grid->threads = 32;
    return !std::exchange(static_cast<Reader *>(self)->launched, true);
}
gmmu_simt_event reader_step(void *self, const gmmu_simt_warp *w, void *registers,
                            gmmu_simt_op *op) {
    auto *r = static_cast<ReaderRegs *>(registers);
    uint64_t turn = r->step++;
    if (turn == shape.rounds * shape.pages * shape.again)
        return GMMU_SIMT_EXIT;
    op->array = static_cast<Reader *>(self)->array;
    op->mask = 1;
    op->ref = w->block;
    op->write = false;
    op->index[0] = (w->block * shape.apart + turn / shape.again % shape.pages) * kPage;
    return GMMU_SIMT_MEM;
}
double reader_progress(const void *) {
    return 0;
}
int reader_check(const void *, gmmu_error *) {
    return GMMU_OK;
}
const gmmu_array *reader_result(const void *self) {
    return static_cast<const Reader *>(self)->array;
}

gmmu_simt_kernel reader_kernel() {
    gmmu_simt_kernel k = {};
    k.name = "reader";
    k.size_text = "nothing";
    k.default_size = k.max_size = 1;
    k.regs = sizeof(ReaderRegs);
    k.create = reader_create;
    k.destroy = reader_destroy;
    k.launch = reader_launch;
    k.step = reader_step;
    k.progress = reader_progress;
    k.check = reader_check;
    k.result = reader_result;
    return k;
}

struct Outcome {
    gmmu_simt_stats stats;
    std::vector<Walk> walks;
};

// A memory of FRAMES pages with the oldest walk as the victim; 0: all pages stay.
struct Memory {
    gmmu_simt *machine;
    uint64_t frames;
    std::vector<uint64_t> pages;
    Outcome run;
};

int keep(void *ctx, const gmmu_walk *w, gmmu_error *) {
    auto *m = static_cast<Memory *>(ctx);
    m->run.walks.push_back(tuple_of(w));
    bool here = std::find(m->pages.begin(), m->pages.end(), w->vpn) != m->pages.end();
    if (m->frames == 0 || here)
        return GMMU_OK;
    if (m->pages.size() == m->frames) {
        gmmu_simt_shootdown(m->machine, m->pages.front());
        m->pages.erase(m->pages.begin());
    }
    m->pages.push_back(w->vpn);
    return GMMU_OK;
}

Outcome go(unsigned sms, unsigned per_sm, uint64_t stall, uint64_t frames = 0,
           unsigned threads_per_sm = 0) {
    gmmu_simt_kernel k = reader_kernel();
    gmmu_simt_params p = gmmu_simt_defaults(&k);
    p.sms = sms;
    p.blocks_per_sm = per_sm;
    p.stall = stall;
    p.threads_per_sm = threads_per_sm;
    Machine m = machine(&k, p);
    Memory memory = {m.get(), frames, {}, {}};
    gmmu_simt_hooks hooks = {};
    hooks.ctx = &memory;
    hooks.walk = keep;
    gmmu_error err = {};
    EXPECT_EQ(gmmu_simt_run(m.get(), &hooks, &err), GMMU_OK) << err.text;
    memory.run.stats = gmmu_simt_get_stats(m.get());
    return memory.run;
}

TEST(Stall, OneWarpWaitsForEachPageOnce) {
    for (uint64_t stall : {1, 2, 500, 8000}) {
        for (uint64_t pages : {1, 7, 100}) {
            for (uint64_t again : {1, 5}) {
                for (uint64_t rounds : {1, 3}) {
                    shape = {1, pages, 0, again, rounds};
                    Outcome r = go(1, 1, stall);
                    EXPECT_EQ(r.stats.faults, pages);
                    // The first access to a page takes the stall, every other one a turn.
                    EXPECT_EQ(r.stats.turns, pages * stall + pages * (again * rounds - 1));
                }
            }
        }
    }
}

TEST(Stall, FaultsAreServedOneAfterTheOther) {
    for (unsigned sms : {1u, 2u, 5u}) {
        for (uint64_t warps : {2, 6}) {
            shape = {warps * sms, 20, 20, 1, 1};  // every warp has pages of its own
            Outcome r = go(sms, 6, 100);
            EXPECT_EQ(r.stats.faults, 20 * warps * sms);
            EXPECT_EQ(r.stats.turns, 20 * warps * sms * 100);
        }
    }
}

TEST(Stall, AllWhoNeedAPageWaitForItsOneFault) {
    for (unsigned sms : {1u, 2u, 5u}) {
        shape = {3 * sms, 20, 0, 1, 1};  // every warp has the same pages
        Outcome r = go(sms, 3, 100);
        EXPECT_EQ(r.stats.faults, 20u);
        EXPECT_EQ(r.walks.size(), 20u);
        // The three warps of an SM issue in three turns, and all go on when the first one's fault
        // has been served.
        EXPECT_EQ(r.stats.turns, 20u * 100);
    }
}

TEST(Stall, OtherWarpsGoOnMeanwhile) {
    // Two warps on an SM: each has one page, and reads it 1000 times. While the second waits for
    // its page the first one's accesses pass: 10 turns wait for the first page, 10 more for the
    // second, in which the first warp has had 10 of its 999 further turns; then they alternate.
    shape = {2, 1, 1, 1000, 1};
    Outcome r = go(1, 2, 10);
    EXPECT_EQ(r.stats.faults, 2u);
    EXPECT_EQ(r.stats.turns, 10u + 2 * 999);
}

TEST(Stall, WarpsThatRunApartWithoutAStallStaySideBySide) {
    // SM 0 has one warp, SM 1 two: without a stall SM 0 is ahead by half; with one no page is
    // walked before all have been through the page before it.
    shape = {3, 50, 0, 1, 1};
    for (uint64_t stall : {0, 1000}) {
        gmmu_simt_kernel k = reader_kernel();
        gmmu_simt_params p = gmmu_simt_defaults(&k);
        p.sms = 2;
        p.blocks_per_sm = 2;
        p.stall = stall;
        Recording rec = run(&k, p);
        std::map<uint64_t, uint64_t> at;  // page of each block
        uint64_t apart = 0;
        for (const Walk &a : rec.accesses) {
            at[std::get<1>(a)] = std::get<0>(a);
            if (at.size() == 3) {
                auto ends = std::minmax_element(
                    at.begin(), at.end(), [](auto &x, auto &y) { return x.second < y.second; });
                apart = std::max(apart, ends.second->second - ends.first->second);
            }
        }
        EXPECT_EQ(apart, stall == 0 ? 25u : 1u);
    }
}

TEST(Stall, APageThatLeftIsAbsentAgain) {
    // 10 pages in turn through 9 frames, first in, first out: every access is a fault.
    shape = {1, 10, 0, 1, 4};
    Outcome r = go(1, 1, 300, 9);
    EXPECT_EQ(r.stats.faults, 40u);
    EXPECT_EQ(r.walks.size(), 40u);
    EXPECT_EQ(r.stats.turns, 40u * 300);
    // Through 10 frames every page faults once.
    r = go(1, 1, 300, 10);
    EXPECT_EQ(r.stats.faults, 10u);
    EXPECT_EQ(r.stats.turns, 10u * 300 + 30);
}

TEST(Stall, NoneIsTheRecorderWithoutTurns) {
    shape = {1, 10, 0, 1, 4};
    Outcome r = go(1, 1, 0);
    EXPECT_EQ(r.stats.faults, 0u);
    EXPECT_EQ(r.stats.turns, 0u);
    EXPECT_EQ(r.walks.size(), 10u);
}

// ---------------------------------------------------------------- threads of an SM

TEST(ThreadsPerSm, BlocksThatFitAreResident) {
    // Blocks of 32 threads, each with one page of its own that is read twice: what is resident at
    // once faults back to back, and the second reads of one batch pass in the stalls of the next.
    struct {
        unsigned threads, resident;
    } cases[] = {{0, 4}, {1, 1}, {31, 1}, {32, 1}, {63, 1}, {64, 2}, {100, 3}, {128, 4}, {999, 4}};
    for (auto &c : cases) {
        shape = {8, 50, 50, 1, 1};
        gmmu_simt_kernel k = reader_kernel();
        gmmu_simt_params p = gmmu_simt_defaults(&k);
        p.sms = 1;
        p.blocks_per_sm = 4;
        p.threads_per_sm = c.threads;
        Recording rec = run(&k, p);
        // The blocks take turns from the beginning on: as many as are resident.
        unsigned together = 1;
        while (std::get<1>(rec.accesses[together]) != 0) together++;
        EXPECT_EQ(together, c.resident) << c.threads;
    }
}

}  // namespace
