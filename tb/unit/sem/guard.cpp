// SPDX-License-Identifier: Apache-2.0
// guard.cpp: programs in shadow execution that tell the runtime what the CPU accesses by guards, or
// by nothing but the protection of their pages: every byte that the CPU reads is what a CPU alone
// would have made.
//
// State space: random programs on real memory: calls with up to four operands, which overlap, are
// alike, lie next to each other on a page or across two; loads and stores of the CPU; guards that
// are too early, too wide, doubled; memory that is given back and comes again; results that are
// kept; operands with gaps; GPU memory that is small, in pieces, too small for a call. What is old
// is overwritten, on the GPU and, with pages, on the CPU. Parameter space: both ways, write-back
// and write-through, all evictions, ranges, records that split, and pages, few records.
#include "semcache/guard.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <random>
#include <vector>

#include "random_trace.h"
#include "shortage.h"

namespace guarded {

struct Counts {
    uint64_t programs, calls, on_gpu, results, elided, loads, stores, faults, given;
    uint64_t gaps, merges, splits, no_memory;  // merges: where records split
};

class Program {
   public:
    Counts n = {};

    // LARGE: operands are of several pages. SHORT_OF: of the host's memory, shortage::one_in.
    Program(gmmu_guard_mode mode, uint64_t seed, const gmmu_sem_config &cfg, bool large,
            unsigned short_of)
        : mode_(mode), cfg_(cfg), rng_(seed), large_(large) {
        gmmu_sem_gpu gpu = {};
        gpu.allocate = [](void *c, uint64_t bytes, uint64_t *base) {
            return static_cast<Program *>(c)->allocate(bytes, base);
        };
        gpu.release = [](void *c, uint64_t, uint64_t base, uint64_t) {
            static_cast<Program *>(c)->heap_.erase(base);
        };
        gpu.up = [](void *c, uint64_t start, uint64_t base, uint64_t bytes) {
            std::memcpy(static_cast<Program *>(c)->at_gpu(base, bytes), at(start), bytes);
        };
        gpu.down = [](void *c, uint64_t start, uint64_t base, uint64_t bytes) {
            std::memcpy(at(start), static_cast<Program *>(c)->at_gpu(base, bytes), bytes);
        };
        gpu.copy = [](void *c, uint64_t from, uint64_t to, uint64_t bytes) {
            Program *p = static_cast<Program *>(c);
            std::memcpy(p->at_gpu(to, bytes), p->at_gpu(from, bytes), bytes);
        };
        gpu.outdated = [](void *c, uint64_t base, uint64_t bytes) {
            std::memset(static_cast<Program *>(c)->at_gpu(base, bytes), 0xEE, bytes);
        };
        if (seed % 3 == 0)
            gpu.gather = [](void *c, bool up, const gmmu_sem_piece *p, size_t pieces) {
                for (; pieces > 0; pieces--, p++)
                    for (uint64_t i = 0; i < p->count; i++) {
                        uint8_t *cpu = at(p->start + i * p->stride);
                        uint8_t *its =
                            static_cast<Program *>(c)->at_gpu(p->base + i * p->stride, p->run);
                        std::memcpy(up ? its : cpu, up ? cpu : its, p->run);
                    }
            };
        gpu.context = this;
        g_ = gmmu_guard_create(mode, &cfg, &gpu);
        if (g_ == nullptr)
            std::abort();
        for (Block &b : blocks_) fresh(b);
        shortage::one_in = short_of;
    }
    Program(const Program &) = delete;
    Program &operator=(const Program &) = delete;
    ~Program() {
        shortage::one_in = 0;
        n.faults = gmmu_guard_faults(g_);
        gmmu_guard_destroy(g_);
        EXPECT_TRUE(heap_.empty());
    }

    void step() {
        switch (below(9)) {
            case 0:
            case 1:
                loads();
                break;
            case 2:
            case 3:
                stores();
                break;
            case 4:
                if (below(6) == 0)
                    gives();
                break;
            case 5:
                computes();
                break;
            default:
                calls();
        }
    }
    void finish() {
        for (const Block &b : blocks_) load(b, 0, b.truth.size());
        n.faults = gmmu_guard_faults(g_);
        const gmmu_sem_counts counted = gmmu_sem_counted(gmmu_guard_runtime(g_));
        n.merges = cfg_.split ? counted.merges : 0;
        n.no_memory = counted.no_memory;
        n.splits = counted.splits;
    }

   private:
    struct Block {
        uint8_t *at;
        std::vector<uint8_t> truth;
    };
    struct Part {
        gmmu_sem_operand o;
        Block *block;
    };
    gmmu_guard_mode mode_;
    gmmu_sem_config cfg_;
    std::mt19937_64 rng_;
    bool large_;
    gmmu_guard *g_ = nullptr;
    std::array<Block, 5> blocks_ = {};
    std::map<uint64_t, std::vector<uint8_t>> heap_;
    uint64_t next_ = 1 << 20;

    static uint8_t *at(uint64_t address) { return reinterpret_cast<uint8_t *>(address); }
    static uint64_t address(const void *p) { return reinterpret_cast<uintptr_t>(p); }
    uint64_t below(uint64_t most) { return rng_() % most; }
    bool allocate(uint64_t bytes, uint64_t *base) {
        if (below(60) == 0)
            return false;  // it is in pieces
        *base = next_;
        next_ += bytes + 64;
        heap_[*base].assign(bytes, 0xEE);
        return true;
    }
    void fresh(Block &b) {
        const uint64_t page = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
        b.truth.assign((large_ ? 4 : 1) * page + 300, 0);
        do b.at = static_cast<uint8_t *>(gmmu_sem_malloc(g_, b.truth.size()));
        while (b.at == nullptr && shortage::one_in != 0);
        ASSERT_NE(b.at, nullptr);
        ASSERT_EQ(address(b.at) % page, 0u);
    }
    // Bytes of a block: mostly one of three matrices, of which one is across two pages.
    Part part() {
        Part p = {};
        p.block = &blocks_[below(blocks_.size())];
        const uint64_t page = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
        const uint64_t starts[] = {0, page - 60, page + 100}, sizes[] = {96, 120, 64};
        const uint64_t which = below(3);
        uint64_t start = starts[which], bytes = sizes[which];
        if (below(4) == 0) {
            start = below(2) ? below(100) : page - 80 + below(200);
            bytes = 1 + below(60);
        }
        if (large_ && below(3) != 0) {
            start = below(p.block->truth.size() - 1);
            bytes = 1 + below(std::min(p.block->truth.size() - start, 2 * page));
        }
        p.o.start = address(p.block->at) + start;
        p.o.last = p.o.start + bytes - 1;
        p.o.reads = true;
        if (below(3) == 0)
            with_gaps(&p.o);
        return p;
    }
    // Columns of a matrix, or rows.
    void with_gaps(gmmu_sem_operand *o) {
        const uint64_t all = o->last - o->start + 1, count = 2 + below(below(2) ? 4 : 20);
        if (all / count < 2)
            return;
        o->stride = all / count;
        o->run = 1 + below(o->stride - 1);
        o->last = o->start + (count - 1) * o->stride + o->run - 1;
        n.gaps++;
    }
    static bool has(const gmmu_sem_operand &o, uint64_t i) {
        return o.run == 0 || (i - o.start) % o.stride < o.run;
    }
    static uint8_t &truth(const Part &p, uint64_t i) {
        return p.block->truth[i - address(p.block->at)];
    }
    // A guard, which may say more than is true.
    void guard(const Part &p, bool writes) {
        if (mode_ == GMMU_GUARD_PAGES && below(8) != 0)
            return;
        uint64_t start = p.o.start, last = p.o.last;
        if (below(3) == 0) {
            const uint64_t first = address(p.block->at), end = first + p.block->truth.size() - 1;
            start = std::max(first, start - std::min<uint64_t>(start, below(200)));
            last = std::min(end, last + below(200));
        }
        for (uint64_t times = 1 + below(2); times != 0; times--)
            if (writes)
                gmmu_sem_write_cpu(g_, at(start), last - start + 1);
            else
                gmmu_sem_read_cpu(g_, at(start), last - start + 1);
    }
    void load(const Block &b, uint64_t from, uint64_t to) {
        if (mode_ == GMMU_GUARD_INSTRUMENTED)
            gmmu_sem_read_cpu(g_, b.at + from, to - from);
        const volatile uint8_t *is = b.at;
        for (uint64_t i = from; i < to; i++) ASSERT_EQ(is[i], b.truth[i]) << "byte " << i;
        n.loads++;
    }
    void loads() {
        const Part p = part();
        guard(p, false);
        if (below(8) == 0) {  // too early: something else comes first
            const Part other = part();
            guard(other, below(2) != 0);
        }
        const uint64_t base = address(p.block->at);
        load(*p.block, p.o.start - base, p.o.last - base + 1);
    }
    void stores() {
        const Part p = part();
        guard(p, true);
        volatile uint8_t *to = at(0);
        for (uint64_t i = p.o.start; i <= p.o.last; i += 1 + below(20)) {
            const uint8_t v = static_cast<uint8_t>(rng_());
            to = at(i);
            *to = truth(p, i) = v;
        }
        n.stores++;
    }
    void gives() {
        Block &b = blocks_[below(blocks_.size())];
        gmmu_sem_give(g_, b.at);
        fresh(b);
        n.given++;
    }
    // BYTES of the GPU's from BASE on.
    uint8_t *at_gpu(uint64_t base, uint64_t bytes = 1) {
        auto i = heap_.upper_bound(base);
        --i;
        EXPECT_LE(base - i->first + bytes, i->second.size());
        return i->second.data() + (base - i->first);
    }
    uint8_t *at_page(uint64_t i) {
        const gmmu_range *r = gmmu_range_dir_at(gmmu_sem_ranges(gmmu_guard_runtime(g_)), 0, i);
        EXPECT_NE(r, nullptr);
        return at_gpu(r->base + (i - r->start));
    }
    template <class F>
    static void kernel(const std::vector<Part> &parts, uint64_t salt, F byte) {
        uint64_t sum = salt;
        for (const Part &p : parts)
            for (uint64_t i = p.o.start; p.o.reads && i <= p.o.last; i++)
                sum = has(p.o, i) ? sum * 31 + *byte(p, i) : sum;
        for (const Part &p : parts)
            for (uint64_t i = p.o.start; p.o.writes && i <= p.o.last; i++)
                if (has(p.o, i) && (p.o.whole || (salt >> i % 61 & 1) != 0))
                    *byte(p, i) = static_cast<uint8_t>(sum * 0x9E3779B97F4A7C15u >> (8 + i % 40));
    }
    void calls() {
        std::vector<Part> parts(1 + below(4));
        std::vector<gmmu_sem_operand> ops;
        bool written = false;
        for (Part &p : parts) {
            p = part();
            if (!written && below(2)) {  // one result, which may overlap what is read
                written = p.o.writes = true;
                p.o.reads = below(2) != 0;
                p.o.whole = !p.o.reads && below(2) != 0;
            }
            ops.push_back(p.o);
        }
        const uint64_t salt = rng_();
        std::vector<uint64_t> base(ops.size());
        const uint32_t count = static_cast<uint32_t>(ops.size());
        n.calls++;
        kernel(parts, salt, [&](const Part &p, uint64_t i) { return &truth(p, i); });
        if (!gmmu_guard_begin(g_, static_cast<uint32_t>(below(5)), ops.data(), count,
                              cfg_.page == 0 ? base.data() : nullptr)) {
            kernel(parts, salt, [&](const Part &, uint64_t i) { return at(i); });
            return;
        }
        n.on_gpu++;
        for (size_t i = 0; mode_ == GMMU_GUARD_PAGES && i < ops.size(); i++)
            if (ops[i].writes)
                gmmu_guard_overwrite(g_, &ops[i], 0xDD);
        kernel(parts, salt, [&](const Part &p, uint64_t i) {
            if (cfg_.page != 0)
                return at_page(i);
            return at_gpu(base[static_cast<size_t>(&p - parts.data())] + (i - p.o.start));
        });
        gmmu_guard_end(g_, ops.data(), count);
    }
    // A result of the bytes of a matrix: their sum, four times.
    void computes() {
        Part p = part();
        p.o.run = p.o.stride = 0;
        const uint32_t computation = static_cast<uint32_t>(below(2));
        if (below(4) != 0) {  // mostly of one of two matrices
            p.block = &blocks_[below(2)];
            p.o.start = address(p.block->at);
            p.o.last = p.o.start + 95;
        }
        uint64_t base, from, sum = computation, its = computation;
        const bool kept = gmmu_guard_computed(g_, 7, computation, p.o, 32, &base, &from);
        for (uint64_t i = p.o.start; i <= p.o.last; i++) sum = sum * 33 + truth(p, i);
        if (kept) {
            std::memcpy(&its, at_gpu(base), sizeof its);
            ASSERT_EQ(its, sum);
            n.elided++;
        } else if (base != UINT64_MAX) {
            for (uint64_t i = p.o.start; i <= p.o.last; i++)
                its = its * 33 + *(cfg_.page != 0 ? at_page(i) : at_gpu(from + (i - p.o.start)));
            ASSERT_EQ(its, sum);
            std::memcpy(at_gpu(base), &its, sizeof its);
            n.results++;
        }
    }
};

Counts play(gmmu_guard_mode mode, uint64_t programs, unsigned short_of = 0) {
    Counts all = {};
    for (uint64_t seed = 1; seed <= programs && !testing::Test::HasFailure(); seed++) {
        SCOPED_TRACE(seed);
        std::mt19937_64 rng(test_seed() * 1000000 + seed);
        gmmu_sem_config c = {};
        c.limit = rng() % 4 ? 96 + rng() % 700 : 1 << 16;
        c.ranges = rng() % 3 ? 0 : 2 + static_cast<uint32_t>(rng() % 20);
        c.evict = static_cast<gmmu_sem_evict>(rng() % GMMU_SEM_EVICTS);
        const uint64_t pages[] = {0, 0, 0, 0, 32, 4096};
        c.page = pages[rng() % 6];
        if (c.page == 4096)
            c.limit = 4096 * (1 + rng() % 8);
        c.split = c.page == 0 && rng() % 4 != 0;
        const bool large = c.split && rng() % 3 != 0;
        if (large)
            c.limit = 3000 + rng() % 40000;
        c.grain = c.split && rng() % 2 ? 1u << rng() % 14 : 0;
        c.write_through = rng() % 2;
        Program p(mode, rng(), c, large, short_of);
        for (int i = 0; i < 60 && !testing::Test::HasFailure(); i++) p.step();
        p.finish();
        const uint64_t *from = &p.n.programs;
        for (size_t k = 0; k < sizeof all / sizeof(uint64_t); k++) (&all.programs)[k] += from[k];
        all.programs++;
    }
    std::printf(
        "[ vectors  ] %s: %llu programs, %llu calls, %llu on the GPU, %llu results made, %llu "
        "kept, "
        "%llu loads, %llu stores, %llu blocks given back, %llu faults, %llu operands with gaps, "
        "%llu merges, %llu splits\n",
        mode == GMMU_GUARD_PAGES ? "pages" : "guards",
        static_cast<unsigned long long>(all.programs), static_cast<unsigned long long>(all.calls),
        static_cast<unsigned long long>(all.on_gpu), static_cast<unsigned long long>(all.results),
        static_cast<unsigned long long>(all.elided), static_cast<unsigned long long>(all.loads),
        static_cast<unsigned long long>(all.stores), static_cast<unsigned long long>(all.given),
        static_cast<unsigned long long>(all.faults), static_cast<unsigned long long>(all.gaps),
        static_cast<unsigned long long>(all.merges), static_cast<unsigned long long>(all.splits));
    EXPECT_GT(all.on_gpu, all.calls / (short_of == 0 ? 4 : 20));
    EXPECT_LT(all.on_gpu, all.calls);
    EXPECT_GT(all.results, 100u);
    EXPECT_GT(all.elided, short_of == 0 ? 100u : 10u);
    EXPECT_GT(all.merges, short_of == 0 ? 100u : 10u);
    if (short_of == 0) {
        EXPECT_GT(all.splits, programs / 40);
    }
    EXPECT_EQ(all.no_memory != 0, short_of != 0);
    return all;
}

uint64_t programs() {
    return std::getenv("GMMU_LONG") != nullptr ? 50000 : 1000;
}

TEST(Guard, InstrumentedProgramsReadEveryByteRight) {
    EXPECT_EQ(play(GMMU_GUARD_INSTRUMENTED, programs()).faults, 0u);
}

TEST(Guard, ProtectedProgramsReadEveryByteRight) {
    EXPECT_GT(play(GMMU_GUARD_PAGES, programs()).faults, 1000u);
}

// What has no memory of the host leaves the CPU's copies right.
TEST(Guard, ProgramsShortOfMemoryReadEveryByteRight) {
    uint64_t splits = 0;
    for (const unsigned one_in : {3, 20}) {
        splits += play(GMMU_GUARD_INSTRUMENTED, programs() / 2, one_in).splits;
        splits += play(GMMU_GUARD_PAGES, programs() / 2, one_in).splits;
    }
    EXPECT_GT(splits, 20u);
    EXPECT_GT(shortage::failed, 1000u);
}

// §4.5.2, state by state: a result in G cannot be touched, comes back whole at the first load, is S
// then, and C after a store.
TEST(Guard, AStructureAFault) {
    gmmu_sem_config c = {};
    c.limit = 1 << 20;
    const gmmu_sem_gpu nobody = {};
    gmmu_guard *g = gmmu_guard_create(GMMU_GUARD_PAGES, &c, &nobody);
    ASSERT_NE(g, nullptr);
    const uint64_t page = static_cast<uint64_t>(sysconf(_SC_PAGESIZE)), bytes = 16 * page;
    volatile uint8_t *m = static_cast<uint8_t *>(gmmu_sem_malloc(g, bytes));
    uint8_t *free_block = static_cast<uint8_t *>(gmmu_sem_malloc(g, 1));
    ASSERT_NE(free_block, nullptr);
    gmmu_sem_operand o = {};
    o.start = reinterpret_cast<uintptr_t>(m);
    o.last = o.start + bytes - 1;
    o.writes = o.whole = true;
    EXPECT_TRUE(gmmu_guard_begin(g, 0, &o, 1, nullptr));
    gmmu_guard_end(g, &o, 1);
    EXPECT_EQ(gmmu_guard_faults(g), 0u);
    for (uint64_t at = 0; at < bytes; at += page) (void)m[at];
    EXPECT_EQ(gmmu_guard_faults(g), 1u);
    EXPECT_EQ(gmmu_sem_counted(gmmu_guard_runtime(g)).down_bytes, bytes);
    for (uint64_t at = 0; at < bytes; at += page) m[at] = 1;
    EXPECT_EQ(gmmu_guard_faults(g), 2u);
    EXPECT_EQ(gmmu_sem_counted(gmmu_guard_runtime(g)).up_bytes, 0u);
    free_block[0] = 1;
    EXPECT_EQ(gmmu_guard_faults(g), 2u);
    o.writes = o.whole = false;
    o.reads = true;
    EXPECT_TRUE(gmmu_guard_begin(g, 0, &o, 1, nullptr));
    gmmu_guard_end(g, &o, 1);
    EXPECT_EQ(gmmu_sem_counted(gmmu_guard_runtime(g)).up_bytes, bytes);
    EXPECT_EQ(m[0], 1);  // S: it may be read
    EXPECT_EQ(gmmu_guard_faults(g), 2u);
    gmmu_sem_give(g, free_block);
    gmmu_sem_give(g, nullptr);
    gmmu_guard_destroy(g);
}

// Of records that split a touched page comes, and no other; what is beside a run stays the CPU's.
TEST(Guard, APageAFaultOfRecordsThatSplit) {
    gmmu_sem_config c = {};
    c.limit = 1 << 20;
    c.split = true;
    const gmmu_sem_gpu nobody = {};
    gmmu_guard *g = gmmu_guard_create(GMMU_GUARD_PAGES, &c, &nobody);
    ASSERT_NE(g, nullptr);
    const uint64_t page = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
    volatile uint8_t *m = static_cast<uint8_t *>(gmmu_sem_malloc(g, 16 * page));
    gmmu_sem_operand o = {};  // 10 bytes of every second page
    o.start = reinterpret_cast<uintptr_t>(m);
    o.run = 10;
    o.stride = 2 * page;
    o.last = o.start + 7 * o.stride + 9;
    o.writes = o.whole = true;
    EXPECT_TRUE(gmmu_guard_begin(g, 0, &o, 1, nullptr));
    gmmu_guard_end(g, &o, 1);
    for (uint64_t i = 1; i < 16; i += 2) m[i * page] = 1;  // between the runs
    EXPECT_EQ(gmmu_guard_faults(g), 0u);
    (void)m[20];  // beside a run
    EXPECT_EQ(gmmu_guard_faults(g), 1u);
    EXPECT_EQ(gmmu_sem_counted(gmmu_guard_runtime(g)).down_bytes, 10u);
    (void)m[0];
    EXPECT_EQ(gmmu_guard_faults(g), 1u);
    m[0] = 1;  // on both: one more
    EXPECT_EQ(gmmu_guard_faults(g), 2u);
    m[2 * page] = 1;  // on the GPU alone
    EXPECT_EQ(gmmu_guard_faults(g), 3u);
    EXPECT_EQ(gmmu_sem_counted(gmmu_guard_runtime(g)).down_bytes, 20u);
    gmmu_sem_write_cpu(g, const_cast<uint8_t *>(m) + 4 * page + 50, 1);  // the page is opened
    m[4 * page] = 1;
    EXPECT_EQ(gmmu_guard_faults(g), 3u);
    o.writes = o.whole = false;
    o.reads = true;
    EXPECT_TRUE(gmmu_guard_begin(g, 0, &o, 1, nullptr));
    gmmu_guard_end(g, &o, 1);
    EXPECT_EQ(gmmu_sem_counted(gmmu_guard_runtime(g)).up_bytes, 30u);  // of three pages
    gmmu_guard_destroy(g);
}

// What the program announces, system calls may do: also where another operand is in the page.
TEST(Guard, SystemCallsInAPageOfTwoOperands) {
    for (const bool split : {false, true}) {
        gmmu_sem_config c = {};
        c.limit = 1 << 20;
        c.split = split;
        c.grain = split ? 1 : 0;
        const gmmu_sem_gpu nobody = {};
        gmmu_guard *g = gmmu_guard_create(GMMU_GUARD_PAGES, &c, &nobody);
        ASSERT_NE(g, nullptr);
        auto *m = static_cast<uint8_t *>(gmmu_sem_malloc(g, 4096));
        const auto start = reinterpret_cast<uintptr_t>(m);
        gmmu_sem_operand o[2] = {};
        o[0].start = start;
        o[1].start = start + 128;
        int ends[2];
        ASSERT_EQ(pipe(ends), 0);
        for (gmmu_sem_operand &one : o) {
            one.last = one.start + 63;
            one.reads = one.writes = true;
        }
        for (const bool writes : {false, true}) {
            EXPECT_TRUE(gmmu_guard_begin(g, 0, o, 2, nullptr));
            gmmu_guard_end(g, o, 2);
            if (writes) {
                gmmu_sem_write_cpu(g, m, 64);
                EXPECT_EQ(read(ends[0], m, 64), 64) << split;
            } else {
                gmmu_sem_read_cpu(g, m, 64);
                EXPECT_EQ(write(ends[1], m, 64), 64) << split;
            }
        }
        (void)close(ends[0]);
        (void)close(ends[1]);
        gmmu_guard_destroy(g);
    }
}

TEST(Guard, BadConfigurations) {
    gmmu_sem_config c = {};
    c.page = 3;
    const gmmu_sem_gpu nobody = {};
    EXPECT_EQ(gmmu_guard_create(GMMU_GUARD_PAGES, &c, &nobody), nullptr);
    c.page = 4096;
    c.split = true;
    EXPECT_EQ(gmmu_guard_create(GMMU_GUARD_PAGES, &c, &nobody), nullptr);
    gmmu_guard_destroy(nullptr);
}

}  // namespace guarded
