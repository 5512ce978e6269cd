// SPDX-License-Identifier: Apache-2.0
// blocks_bench.cpp: the C model's hot functions by themselves, configuration `default`, and the
// front end of gmmu record (Google Benchmark).
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <random>
#include <vector>

#include "blocks/crc32c.h"
#include "blocks/gmmu_tier.h"
#include "blocks/log_bin.h"
#include "blocks/schedule.h"
#include "policy/registry.h"
#include "policy/replay.h"
#include "semcache/runtime.h"
#include "semcache/track.h"
#include "simt/front.h"
#include "simt/kernels/kernels.h"
#include "simt/tlb.h"

namespace {

const gmmu_config &config() {
    return *gmmu_config_find("default");
}

// The whole unit, as memory of all blocks; DISTINCT pages of which all are resident.
struct Unit {
    std::vector<char> memory;
    gmmu_tier u;
    std::mt19937_64 rng{1};
    std::vector<gmmu_tier_walk_in> walks;
    explicit Unit(unsigned distinct) : memory(gmmu_tier_bytes(&config()) + 64) {
        gmmu_regs regs = gmmu_regs_default(&config());
        regs.search = GMMU_SEARCH_SAMPLE;
        if (gmmu_tier_init(&u, &config(), &regs, memory.data(), memory.size()) != 0)
            std::abort();
        for (unsigned p = 0; p < distinct; p++) {
            gmmu_tier_drv_in d = {};
            d.op = GMMU_FILL;
            d.frame = p;
            d.vpn = 0x7000 + p;
            (void)gmmu_tier_drv(&u, d);
        }
        for (unsigned i = 0; i < 4096; i++) {
            gmmu_tier_walk_in w = {};
            const unsigned p = static_cast<unsigned>(rng() % distinct);
            w.vpn = 0x7000 + p;
            w.frame = p;
            w.ref = 0x100 + rng() % 40;
            walks.push_back(w);
        }
    }
    static void ignore(void *, const gmmu_tier_decision *) {}
};

void Hash(benchmark::State &state) {
    uint64_t vpn = 0;
    for (auto _ : state)
        benchmark::DoNotOptimize(gmmu_hash(3, config().asid_w, vpn++, config().vpn_w));
}
BENCHMARK(Hash);

void Bin(benchmark::State &state) {
    uint64_t x = 1;
    for (auto _ : state) {
        benchmark::DoNotOptimize(gmmu_bin(x & 0xFFFFFF, config().bins));
        x = x * 5 + 1;
    }
}
BENCHMARK(Bin);

void Minifloat(benchmark::State &state) {
    uint64_t x = 1;
    for (auto _ : state) {
        benchmark::DoNotOptimize(gmmu_minifloat(1 + (x >> 50), 1 + (x >> 20)));
        x = x * 6364136223846793005ull + 1;
    }
}
BENCHMARK(Minifloat);

// A walk hit and all that it brings about, on the standard schedule.
void WalkHit(benchmark::State &state) {
    Unit unit(1000);
    std::size_t i = 0;
    for (auto _ : state) {
        (void)gmmu_tier_walk(&unit.u, unit.walks[i++ & 4095]);
        gmmu_tier_settle(&unit.u, Unit::ignore, nullptr);
    }
    state.SetItemsProcessed(state.iterations());
}
BENCHMARK(WalkHit);

// Refresh of a row: all its priorities.
void Refresh(benchmark::State &state) {
    Unit unit(1000);
    for (std::size_t i = 0; i < 4096; i++) {
        (void)gmmu_tier_walk(&unit.u, unit.walks[i]);
        gmmu_tier_settle(&unit.u, Unit::ignore, nullptr);
    }
    for (auto _ : state)
        gmmu_ppuc_refresh(&unit.u.ppuc, {1, unit.u.rit.way[1].gen}, &unit.u.rit.row[1],
                          &unit.u.rit.row[0], true);
}
BENCHMARK(Refresh);

// A sampled search: K candidates and those that were kept.
void Search(benchmark::State &state) {
    Unit unit(config().frames);
    for (auto _ : state) {
        do {
            const uint32_t frame = gmmu_victim_select_next(&unit.u.select, unit.u.regs.frames);
            (void)gmmu_tier_cand(&unit.u, frame);
        } while (!gmmu_victim_select_searched(&unit.u.select));
        gmmu_victim_select_end(&unit.u.select);
    }
}
BENCHMARK(Search);

void Sample(benchmark::State &state) {
    Unit unit(1000);
    std::size_t i = 0;
    uint32_t t = 0;
    for (auto _ : state)
        benchmark::DoNotOptimize(gmmu_trace_sampler_access(
            &unit.u.sampler, 0, unit.walks[i++ & 4095].vpn, {1, 0}, ++t & 0xFFFFFF, false));
}
BENCHMARK(Sample);

void Execute(benchmark::State &state) {
    Unit unit(1000);
    std::size_t i = 0;
    for (auto _ : state)
        benchmark::DoNotOptimize(gmmu_ref_rit_execute(&unit.u.rit, 0, unit.walks[i++ & 4095].ref));
}
BENCHMARK(Execute);

// A replay policy, 8192 pages of which half fit.
void Policy(benchmark::State &state, const char *name) {
    gmmu_error err = {};
    gmmu_pages *pages = gmmu_pages_create();
    gmmu_policy_config c = {};
    c.frames = 4096;
    c.pages = pages;
    std::mt19937_64 rng(1);
    std::vector<gmmu_walk> walks(65536);
    std::vector<uint32_t> index;
    for (gmmu_walk &w : walks) {
        w = {};
        w.vpn = rng() % 4 ? rng() % 2048 : rng() % 8192;
        w.ref = w.vpn % 7;
        index.push_back(gmmu_pages_index(pages, 0, w.vpn));
    }
    gmmu_sim *sim =
        gmmu_sim_create(gmmu_policy_find(name, std::char_traits<char>::length(name)), &c, &err);
    std::size_t i = 0;
    gmmu_outcome out;
    for (auto _ : state) {
        if (sim == nullptr ||
            gmmu_sim_access(sim, index[i & 65535], &walks[i & 65535], &out, &err) != GMMU_OK) {
            state.SkipWithError(err.text);
            break;
        }
        i++;
    }
    state.SetItemsProcessed(state.iterations());
    gmmu_sim_destroy(sim);
    gmmu_pages_destroy(pages);
}
BENCHMARK_CAPTURE(Policy, lru, "lru");
BENCHMARK_CAPTURE(Policy, fifo, "fifo");
BENCHMARK_CAPTURE(Policy, clock, "clock");
BENCHMARK_CAPTURE(Policy, leu, "leu");
BENCHMARK_CAPTURE(Policy, leu_exact, "leu-exact");

void PageIndex(benchmark::State &state) {
    gmmu_pages *pages = gmmu_pages_create();
    uint64_t x = 1;
    for (auto _ : state) {
        benchmark::DoNotOptimize(gmmu_pages_index(pages, 0, x >> 49));
        x = x * 6364136223846793005ull + 1;
    }
    gmmu_pages_destroy(pages);
}
BENCHMARK(PageIndex);

// A lookup of one of N ranges that are in GPU memory, in any order: 8 M/s at 10000 are wanted.
void RangeLookup(benchmark::State &state) {
    gmmu_sem_config cfg = {};
    cfg.limit = UINT64_C(1) << 40;
    const gmmu_sem_gpu nobody = {};
    gmmu_sem *s = gmmu_sem_create(&cfg, &nobody);
    const uint64_t n = static_cast<uint64_t>(state.range(0));
    std::vector<gmmu_range_op> ops;
    std::mt19937_64 rng(1);
    for (uint64_t i = 0; i < n; i++) {
        gmmu_range_op op = {};
        op.op = GMMU_RANGE_READ_GPU;
        op.start = i << 20;
        op.last = op.start + 500000;
        (void)gmmu_sem_operate(s, op);
    }
    for (unsigned i = 0; i < 1 << 16; i++) {
        gmmu_range_op op = {};
        op.op = GMMU_RANGE_LOOKUP;
        op.start = rng() % n << 20;
        op.last = op.start + 4095;
        ops.push_back(op);
    }
    size_t i = 0;
    for (auto _ : state) {
        benchmark::DoNotOptimize(gmmu_sem_operate(s, ops[i]));
        i = i + 1 < ops.size() ? i + 1 : 0;
    }
    state.SetItemsProcessed(state.iterations());
    gmmu_sem_destroy(s);
}
BENCHMARK(RangeLookup)->Arg(100)->Arg(10000)->Arg(100000);

// What one call of three operands of 512 x 512 doubles costs beside the call: collect, open, arm.
// The program writes a byte to each of so many pages of them in between.
void TrackCall(benchmark::State &state) {
    gmmu_track_config cfg = {};
    cfg.mode = GMMU_SEM_WRITES;
    cfg.backend = static_cast<gmmu_track_backend>(state.range(0));
    gmmu_error err;
    gmmu_track *t = gmmu_track_create(&cfg, &err);
    if (t == nullptr) {
        state.SkipWithError(err.text);
        return;
    }
    state.SetLabel(gmmu_track_backend_name(t));
    const size_t bytes = 512 * 512 * sizeof(double);
    std::vector<std::vector<unsigned char>> matrix(3, std::vector<unsigned char>(bytes + 64, 1));
    const auto start = [&](size_t i) { return reinterpret_cast<uintptr_t>(&matrix[i][16]); };
    for (size_t i = 0; i < 3; i++) (void)gmmu_track_arm(t, start(i), start(i) + bytes - 1, true);
    uint64_t told = 0;
    for (auto _ : state) {
        for (int64_t page = 0; page < state.range(1); page++)
            matrix[static_cast<size_t>(page / 512)][static_cast<size_t>(page % 512 * 4096 + 99)]++;
        (void)gmmu_track_collect(
            t, [](void *n, const gmmu_track_change *) { ++*static_cast<uint64_t *>(n); }, &told);
        for (size_t i = 0; i < 3; i++) gmmu_track_open(t, start(i), start(i) + bytes - 1, i == 2);
        for (size_t i = 0; i < 3; i++)
            (void)gmmu_track_arm(t, start(i), start(i) + bytes - 1, i == 2);
    }
    benchmark::DoNotOptimize(told);
    for (size_t i = 0; i < 3; i++) gmmu_track_drop(t, start(i), start(i) + bytes - 1);
    gmmu_track_destroy(t);
}
BENCHMARK(TrackCall)->ArgsProduct({{GMMU_TRACK_UFFD, GMMU_TRACK_COMPARE, GMMU_TRACK_MPROTECT},
                                   {0, 512}});

// Memory instructions of a kernel, as the front end gets them.
struct Instruction {
    uint64_t addr[GMMU_WARP];
    uint32_t mask;
    unsigned sm;
    bool write;
};

int keep(void *ctx, const gmmu_simt_warp *, unsigned sm, const gmmu_simt_op *op, gmmu_error *) {
    auto *kept = static_cast<std::vector<Instruction> *>(ctx);
    if (kept->size() == 1u << 18)
        return GMMU_END;
    Instruction i = {{}, op->mask, sm, op->write};
    for (unsigned lane = 0; lane < GMMU_WARP; lane++)
        if (op->mask >> lane & 1)
            i.addr[lane] = op->array->base + op->index[lane] * op->array->element;
    kept->push_back(i);
    return GMMU_OK;
}

// Coalescing, L1 of the SM, L2, TLBs; items are coalesced accesses (blocks of L1). Blocks of 128
// bytes, as in RDGC's baseline.
void Front(benchmark::State &state, const char *kernel, uint64_t size) {
    gmmu_error err = {};
    const gmmu_simt_kernel *k = gmmu_simt_find(kernel);
    gmmu_simt_params p = gmmu_simt_defaults(k);
    p.size = size;
    std::vector<Instruction> kept;
    gmmu_simt *m = gmmu_simt_create(k, &p, &err);
    gmmu_simt_hooks hooks = {};
    hooks.ctx = &kept;
    hooks.op = keep;
    if (m == nullptr || (gmmu_simt_run(m, &hooks, &err) != GMMU_OK && kept.empty()))
        std::abort();
    gmmu_simt_destroy(m);
    gmmu_front *front = gmmu_front_create(&p.cache, p.sms, GMMU_FRONT_L2, p.page_shift, &err);
    std::vector<gmmu_tlb> l1(p.sms);
    gmmu_tlb l2;
    bool good = front != nullptr && gmmu_tlb_init(&l2, p.l2_entries, p.l2_ways);
    for (gmmu_tlb &t : l1) good = good && gmmu_tlb_init(&t, p.l1_entries, p.l1_entries);
    if (!good)
        std::abort();
    uint64_t walks = 0;
    for (auto _ : state) {
        for (const Instruction &i : kept) {
            uint64_t vpn[GMMU_WARP];
            unsigned n = gmmu_front_access(front, i.sm, i.addr, i.mask, i.write, false, vpn);
            for (unsigned k2 = 0; k2 < n; k2++)
                walks += !gmmu_tlb_access(&l1[i.sm], vpn[k2]) && !gmmu_tlb_access(&l2, vpn[k2]);
        }
    }
    benchmark::DoNotOptimize(walks);
    state.SetItemsProcessed(static_cast<int64_t>(gmmu_front_counted(front).accesses));
    gmmu_front_destroy(front);
    gmmu_tlb_free(&l2);
    for (gmmu_tlb &t : l1) gmmu_tlb_free(&t);
}
BENCHMARK_CAPTURE(Front, gemm, "gemm", 320);
BENCHMARK_CAPTURE(Front, mvt, "mvt", 1024);
BENCHMARK_CAPTURE(Front, bfs, "bfs", 100000);
BENCHMARK_CAPTURE(Front, srad_v2, "srad_v2", 480);

}  // namespace

BENCHMARK_MAIN();
