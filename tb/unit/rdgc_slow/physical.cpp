// SPDX-License-Identifier: Apache-2.0
// physical.cpp: the logical and the physical model.
#include <gtest/gtest.h>

#include <algorithm>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <map>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include "compare.h"
#include "random_cache.h"
#include "random_kernel.h"
#include "rdgc/rdgc.h"
#include "slow_rdgc.h"

namespace {

std::string compare_logical(const gmmu_rdgc_grid &fast, const slow_rdgc::Grid &g) {
    const slow_rdgc::Logical slow(g);
    std::string differs = first_of(
        {compare("blocks", fast.blocks, g.blocks), compare("threads", fast.threads, g.threads),
         compare("warps", fast.warps, (g.threads + 31) / 32),
         compare("numbers", fast.numbers, slow.numbers),
         compare("longest", fast.longest, slow.longest), compare("reads", fast.reads, slow.reads),
         compare("writes", fast.writes, slow.writes),
         compare("records", fast.count, slow.accesses.size())});
    uint32_t i = 0;
    std::map<uint64_t, uint64_t> of_block;
    for (auto a = slow.accesses.begin(); a != slow.accesses.end() && differs.empty(); ++a, ++i) {
        const gmmu_rdgc_record &record = fast.records[i];
        of_block[std::get<0>(a->first)]++;
        uint64_t addr[GMMU_WARP];
        std::fill(std::begin(addr), std::end(addr), 0xdeadU);
        const unsigned nt = gmmu_rdgc_record_addresses(&fast, &record, addr);
        Lanes lanes;
        for (unsigned lane = 0; lane < GMMU_WARP; lane++) {
            if ((record.mask >> lane & 1) != 0) {
                lanes[lane] = addr[lane];
            } else if (addr[lane] != 0xdeadU) {
                differs = "record " + std::to_string(i) + " has an address for an idle lane";
            }
        }
        const slow_rdgc::WarpKey key = {record.block, record.number, record.warp, record.write};
        if (key != a->first || lanes != a->second || nt != lanes.size()) {
            differs = "record " + std::to_string(i) + ": fast " + text_of(key, lanes) +
                      "\n  slow " + text_of(a->first, a->second);
        }
    }
    for (uint64_t b = 0, first = 0; b <= g.blocks && differs.empty(); b++) {
        differs = fast.first[b] == first ? "" : "first of block " + std::to_string(b) + " differs";
        first += of_block[b];
    }
    return differs;
}

// What the fast model writes, read here.
std::string compare_text(const gmmu_rdgc_trace *t, const std::vector<slow_rdgc::Grid> &grids) {
    char *buffer = nullptr;
    size_t size = 0;
    FILE *out = open_memstream(&buffer, &size);
    const int status = gmmu_rdgc_trace_write(t, out);
    fclose(out);
    std::istringstream in(std::string(buffer, size));
    std::free(buffer);
    if (status != 0) {
        return "trace_write fails";
    }
    std::vector<slow_rdgc::Grid> found;
    for (std::string line; std::getline(in, line);) {
        slow_rdgc::Grid g = {};
        if (std::sscanf(line.c_str(), "# gmmu-rdgc 1 blocks=%" SCNu64 " threads=%" SCNu64,
                        &g.blocks, &g.threads) == 2) {
            found.push_back(g);
            continue;
        }
        std::replace(line.begin(), line.end(), ',', ' ');
        std::istringstream fields(line);
        std::string number, block, thread, s, address;
        if (found.empty() || !(fields >> number >> block >> thread >> s >> address)) {
            return "text: found " + line;
        }
        auto value = [](const std::string &n) { return std::strtoull(n.c_str(), nullptr, 0); };
        found.back().accesses.push_back(
            {value(number), value(block), value(thread), s == "w", value(address)});
    }
    std::string differs = compare("grids of the text", found.size(), grids.size());
    for (size_t i = 0; i < grids.size() && differs.empty(); i++) {
        std::vector<ThreadAccess> own = grids[i].accesses;
        std::sort(own.begin(), own.end());
        std::sort(found[i].accesses.begin(), found[i].accesses.end());
        differs = first_of({compare("blocks of the text", found[i].blocks, grids[i].blocks),
                            compare("threads of the text", found[i].threads, grids[i].threads),
                            own == found[i].accesses ? "" : "the text has other accesses"});
    }
    return differs;
}

// The fast model with all that it can be watched by, or with nothing.
struct Watched {
    FastModel model;
    std::vector<std::unique_ptr<Log>> l1;
    Log l2;
    std::vector<std::vector<Access>> given;

    Watched(const gmmu_rdgc_config &c, bool watch, gmmu_error *err)
        : model(gmmu_rdgc_create(&c, err)) {
        if (model == nullptr || !watch) {
            return;
        }
        for (unsigned sm = 0; sm < c.sms; sm++) {
            l1.push_back(std::make_unique<Log>());
            gmmu_rdgc_cache_watch(gmmu_rdgc_l1(model.get(), sm), &l1.back()->watch);
        }
        gmmu_rdgc_cache_watch(gmmu_rdgc_l2(model.get()), &l2.watch);
        gmmu_rdgc_watch_l2(
            model.get(),
            [](void *ctx, const gmmu_rdgc_access *list, size_t n) {
                std::vector<Access> own;
                for (size_t i = 0; i < n; i++) {
                    own.push_back({list[i].block, list[i].warp, list[i].write});
                }
                static_cast<Watched *>(ctx)->given.push_back(own);
            },
            this);
    }

    std::string compare_results(const slow_rdgc::Model &slow, const gmmu_rdgc_config &c) const {
        const gmmu_rdgc_result *r = gmmu_rdgc_get_result(model.get());
        std::string differs = first_of(
            {compare("L1", r->l1, slow.l1()), compare("L2", r->l2, slow.l2()),
             compare("l1_steps_longest", r->l1_steps_longest, slow.l1_steps_longest),
             compare("instructions", r->instructions, slow.instructions),
             compare("coalesced", r->coalesced, slow.coalesced),
             compare("grids", r->grids, slow.grids),
             compare("L1 reads", gmmu_rdgc_l1_reads(r), slow.l1_reads()),
             compare("L2", gmmu_rdgc_l2_all(r), slow.l2_all()),
             compare("L2 cache", *gmmu_rdgc_cache_counts(gmmu_rdgc_l2(model.get())), slow.l2())});
        for (unsigned sm = 0; sm < c.sms && differs.empty(); sm++) {
            differs = compare("L1 of SM " + std::to_string(sm),
                              *gmmu_rdgc_cache_counts(gmmu_rdgc_l1(model.get(), sm)), slow.l1(sm));
        }
        return differs;
    }

    std::string compare_logs(const slow_rdgc::Model &slow) const {
        std::string differs;
        for (size_t sm = 0; sm < l1.size() && differs.empty(); sm++) {
            differs = compare("L1 of SM " + std::to_string(sm), l1[sm]->events, slow.l1_log[sm]);
        }
        if (differs.empty()) {
            differs = compare("L2's lists", given.size(), slow.l2_given.size());
        }
        for (size_t i = 0; i < given.size() && differs.empty(); i++) {
            const std::vector<Access> &s = slow.l2_given[i];
            const auto same = [](const Access &a, const Access &b) {
                return a.block == b.block && a.warp == b.warp && a.write == b.write;
            };
            if (!std::equal(given[i].begin(), given[i].end(), s.begin(), s.end(), same)) {
                differs = "L2's list " + std::to_string(i) + ": fast" + text_of(given[i]) +
                          "\n  slow" + text_of(s);
            }
        }
        return differs.empty() ? compare("L2", l2.events, slow.l2_log) : differs;
    }
};

std::string compare_measure(const gmmu_rdgc_config &c, const gmmu_rdgc_trace *t,
                            const std::vector<slow_rdgc::Grid> &grids, size_t first, size_t count) {
    gmmu_rdgc_metrics m;
    gmmu_error err;
    if (gmmu_rdgc_measure(&c, t, first, count, &m, &err) != GMMU_OK) {
        return err.text;
    }
    gmmu_rdgc_config bypassed = c;
    bypassed.l1.bypass = GMMU_RDGC_RWON;
    slow_rdgc::Model on(c);
    slow_rdgc::Model off(bypassed);
    for (size_t i = first; i < first + count; i++) {
        on.run(grids[i]);
        off.run(grids[i]);
    }
    return first_of({compare("L1_R", m.l1_r, on.l1_reads()), compare("L2", m.l2, on.l2_all()),
                     compare("L2_L1B", m.l2_l1b, off.l2_all())});
}

struct PhysicalTotals {
    Totals l1, l2;
    uint64_t instructions = 0, grids = 0, lists = 0;
};

std::string physical_case(uint64_t seed, PhysicalTotals *totals) {
    Random r(seed);
    const gmmu_rdgc_config c = random_config(&r);
    std::string text = keys(c, "");
    Kernel kernel(&r, r.of({512, 4096, 4096, 16384, 16384, 131072}),
                  std::max(1U, c.l1.block / c.l2.block / (c.l2.mshrs < 8 ? 1 : 4)));
    std::vector<slow_rdgc::Grid> grids;
    std::string differs;
    for (uint64_t n = r.of({1, 1, 2, 3}); n > 0; n--) {
        grids.push_back(kernel.grid());
        text += " grid " + std::to_string(grids.back().blocks) + "x" +
                std::to_string(grids.back().threads) + ": " +
                std::to_string(grids.back().accesses.size()) + " accesses";
    }
    text += "\n";
    gmmu_error err = {};
    if (gmmu_rdgc_config_check(&c, &err) != GMMU_OK) {
        return text + err.text;
    }
    if (r.percent(3)) {  // a thread with two accesses of one AN and S
        slow_rdgc::Grid &g = grids.back();
        const size_t n = g.accesses.size();
        if (n > 0) {
            g.accesses.push_back(g.accesses[r.below(n)]);
            g.accesses.back().address ^= r.of({0, 4});
            const bool refused = fast_trace(&r, grids, &err) == nullptr;
            EXPECT_THROW(slow_rdgc::Logical{g}, std::logic_error);
            g.accesses.pop_back();
            if (!refused) {
                return text + "two accesses of one AN and S are taken";
            }
        }
    }
    const FastTrace trace = fast_trace(&r, grids, &err);
    Watched watched(c, true, &err);
    Watched alone(c, false, &err);
    if (trace == nullptr || watched.model == nullptr || alone.model == nullptr) {
        return text + err.text;
    }
    slow_rdgc::Model slow(c);
    differs = compare("grids", gmmu_rdgc_trace_grids(trace.get()), grids.size());
    for (size_t i = 0; i < grids.size() && differs.empty(); i++) {
        const gmmu_rdgc_grid *grid = gmmu_rdgc_trace_grid(trace.get(), i);
        differs = compare_logical(*grid, grids[i]);
        if (!differs.empty()) {
            break;
        }
        if (gmmu_rdgc_run(watched.model.get(), grid, &err) != GMMU_OK ||
            gmmu_rdgc_run(alone.model.get(), grid, &err) != GMMU_OK) {
            return text + err.text;
        }
        slow.run(grids[i]);
        differs = first_of({watched.compare_logs(slow), watched.compare_results(slow, c),
                            alone.compare_results(slow, c)});
    }
    if (differs.empty() && r.percent(30)) {
        const size_t first = r.below(grids.size());
        differs = compare_measure(c, trace.get(), grids, first, r.below(grids.size() - first + 1));
    }
    if (differs.empty() && r.percent(20)) {
        differs = compare_text(trace.get(), grids);
    }
    for (const auto &log : slow.l1_log) {
        totals->l1.add(log, c.l1.ways);
    }
    totals->l2.add(slow.l2_log, c.l2.ways);
    totals->instructions += slow.instructions;
    totals->l1.accesses += slow.coalesced;
    totals->grids += slow.grids;
    totals->lists += slow.l2_given.size();
    return differs.empty() ? "" : text + differs;
}

constexpr uint64_t kPhysical = 400;

TEST(RdgcSlow, PhysicalModel) {
    PhysicalTotals t;
    run_cases(kPhysical, [&](uint64_t seed) { return physical_case(seed, &t); });
    std::printf("%" PRIu64 " GPUs x kernels compared, %" PRIu64 " grids, %" PRIu64
                " accesses of warps, %" PRIu64 " of L1: %" PRIu64 " hits, %" PRIu64
                " misses, %" PRIu64 " merged, %" PRIu64 " failed, %" PRIu64 " passed (%" PRIu64
                " evict); %" PRIu64 " lists of L2, %" PRIu64 " hits, %" PRIu64 " misses, %" PRIu64
                " merged, %" PRIu64 " failed\n",
                cases(kPhysical), t.grids, t.instructions, t.l1.accesses, t.l1.hits, t.l1.misses,
                t.l1.merged, t.l1.failed, t.l1.passed, t.l1.write_hits, t.lists, t.l2.hits,
                t.l2.misses, t.l2.merged, t.l2.failed);
}

}  // namespace
