// SPDX-License-Identifier: Apache-2.0
// runtime.cpp: SemCache's runtime: limited to N ranges it is range_dir's twin, operation by
// operation; and in shadow execution every byte that the CPU reads is what a CPU alone would have
// made.
//
// State space: random operations of the directory; random programs: calls with up to four operands
// that overlap, have gaps, are the same, are written whole or in part, kernels on a second heap;
// CPU accesses, frees, results that are kept and asked for again; GPU memory that is large, small,
// too small for a call. Parameter space: the three evictions, write-back and write-through, ranges,
// records that split, and pages of 8 and 32 bytes, 2 to 40 records or any number; memory of 512
// bytes and of up to 16 KiB, which is several pages of the split records' states.
#include "semcache/runtime.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <random>
#include <vector>

#include "random_trace.h"

namespace {

TEST(SemRuntime, OfNRangesIsTheTwin) {
    std::mt19937_64 rng(test_seed());
    const auto below = [&](uint64_t n) { return rng() % n; };
    uint64_t operations = 0, refused = 0, beats_seen = 0;
    for (int run = 0; run < 40 && !testing::Test::HasFailure(); run++) {
        const uint32_t ranges = 2 + static_cast<uint32_t>(below(39));
        const uint64_t space = 64u << below(4), limit = 1 + below(space);
        gmmu_sem_config cfg = {};
        cfg.limit = limit;
        cfg.ranges = ranges;
        const gmmu_sem_gpu nobody = {};
        gmmu_sem *s = gmmu_sem_create(&cfg, &nobody);
        ASSERT_NE(s, nullptr);
        std::vector<char> memory(ranges * sizeof(gmmu_range) + 64);
        gmmu_arena arena = {memory.data(), memory.size(), 0};
        gmmu_range_dir d;
        ASSERT_EQ(gmmu_range_dir_init(&d, ranges, limit, &arena), 0);
        std::vector<gmmu_range_beat> beats(gmmu_range_dir_most_beats(&d));
        for (int i = 0; i < 30000 && !testing::Test::HasFailure(); i++) {
            gmmu_range_op op = {};
            op.op = static_cast<uint8_t>(below(40) == 0 ? below(16) : below(GMMU_RANGE_BASE));
            op.start = below(space);
            op.last = op.start + below(below(3) ? 8 : 40);
            op.whole = below(2) != 0;
            op.pin = below(3) == 0;
            if (below(3) == 0 && d.used != 0) {  // a record
                const gmmu_range &r = d.range[below(d.used)];
                op.start = r.start;
                op.last = r.last;
            }
            if (below(4) == 0 && d.used != 0)
                op.op = GMMU_RANGE_UNPIN;
            const gmmu_range_beat a = gmmu_sem_operate(s, op);
            const uint32_t n = gmmu_range_dir_op(&d, op, beats.data());
            gmmu_range_beat b = beats[n - 1];
            beats_seen += n;
            const bool on_gpu =
                b.code == GMMU_RANGE_OK && b.state != GMMU_RANGE_C && op.op <= GMMU_RANGE_TO_GPU;
            if (on_gpu && !b.base_ok) {  // as a driver does
                gmmu_range_op base = {};
                base.op = GMMU_RANGE_BASE;
                base.start = b.start;
                (void)gmmu_range_dir_op(&d, base, beats.data());
                b.base_ok = true;
            }
            ASSERT_EQ(a.code, b.code) << "operation " << unsigned{op.op};
            EXPECT_EQ(a.state, b.state);
            EXPECT_EQ(a.start, b.start);
            EXPECT_EQ(a.last, b.last);
            EXPECT_EQ(a.hit, b.hit);
            EXPECT_EQ(a.base_ok, b.base_ok);
            const gmmu_range_dir *is = gmmu_sem_ranges(s);
            ASSERT_EQ(is->used, d.used);
            ASSERT_EQ(is->gpu_bytes, d.gpu_bytes);
            for (uint32_t k = 0; k < d.used; k++) {
                EXPECT_EQ(is->range[k].start, d.range[k].start);
                EXPECT_EQ(is->range[k].last, d.range[k].last);
                EXPECT_EQ(is->range[k].state, d.range[k].state);
                EXPECT_EQ(is->range[k].hits, d.range[k].hits);
                EXPECT_EQ(is->range[k].pins, d.range[k].pins);
            }
            operations++;
            refused += b.code != GMMU_RANGE_OK;
        }
        gmmu_sem_destroy(s);
    }
    std::printf("[ vectors  ] runtime against twin: %llu operations, %llu beats, %llu refused\n",
                static_cast<unsigned long long>(operations),
                static_cast<unsigned long long>(beats_seen),
                static_cast<unsigned long long>(refused));
    EXPECT_GE(operations, 1000000u);
}

// ---- shadow execution

enum : uint64_t { SPACE = 512 };

class Shadow {
   public:
    uint64_t calls = 0, on_gpu = 0, elided = 0, results = 0, reads = 0, in_calls = 0, gaps = 0;

    // SCALE: matrices and memory are so many times as large.
    Shadow(uint64_t seed, const gmmu_sem_config &cfg, uint64_t scale)
        : rng_(seed), scale_(scale), cpu_(SPACE * scale), truth_(SPACE * scale) {
        gpu_.allocate = [](void *c, uint64_t bytes, uint64_t *base) {
            return static_cast<Shadow *>(c)->allocate(bytes, base);
        };
        gpu_.release = [](void *c, uint64_t, uint64_t base, uint64_t bytes) {
            Shadow *s = static_cast<Shadow *>(c);
            ASSERT_EQ(s->heap_.at(base).size(), bytes);
            s->heap_.erase(base);
        };
        gpu_.up = [](void *c, uint64_t start, uint64_t base, uint64_t bytes) {
            Shadow *s = static_cast<Shadow *>(c);
            std::memcpy(s->heap_.at(base).data(), s->cpu_.data() + start, bytes);
        };
        gpu_.down = [](void *c, uint64_t start, uint64_t base, uint64_t bytes) {
            Shadow *s = static_cast<Shadow *>(c);
            std::memcpy(s->cpu_.data() + start, s->heap_.at(base).data(), bytes);
        };
        gpu_.copy = [](void *c, uint64_t from, uint64_t to, uint64_t bytes) {
            Shadow *s = static_cast<Shadow *>(c);
            EXPECT_NE(s->at_gpu(from + bytes - 1), nullptr);
            EXPECT_NE(s->at_gpu(to + bytes - 1), nullptr);
            std::memcpy(s->at_gpu(to), s->at_gpu(from), bytes);
        };
        gpu_.outdated = [](void *c, uint64_t base, uint64_t bytes) {
            Shadow *s = static_cast<Shadow *>(c);
            EXPECT_EQ(s->at_gpu(base + bytes - 1), s->at_gpu(base) + (bytes - 1));
            std::memset(s->at_gpu(base), 0xEE, bytes);
        };
        if (cfg.split) {  // parts of what was allocated
            gpu_.up = [](void *c, uint64_t start, uint64_t base, uint64_t bytes) {
                static_cast<Shadow *>(c)->move(true, start, base, bytes);
            };
            gpu_.down = [](void *c, uint64_t start, uint64_t base, uint64_t bytes) {
                static_cast<Shadow *>(c)->move(false, start, base, bytes);
            };
        }
        if (cfg.split && seed % 2)
            gpu_.gather = [](void *c, bool up, const gmmu_sem_piece *p, size_t n) {
                for (; n > 0; n--, p++)
                    for (uint64_t i = 0; i < p->count; i++)
                        static_cast<Shadow *>(c)->move(up, p->start + i * p->stride,
                                                       p->base + i * p->stride, p->run);
            };
        gpu_.context = this;
        cfg_ = cfg;
        sem_ = gmmu_sem_create(&cfg, &gpu_);
        for (uint64_t i = 0; i < SPACE * scale; i++) cpu_[i] = truth_[i] = byte();
    }
    Shadow(const Shadow &) = delete;
    Shadow &operator=(const Shadow &) = delete;
    ~Shadow() {
        gmmu_sem_destroy(sem_);
        EXPECT_TRUE(heap_.empty());
    }

    void step() {
        switch (below(8)) {
            case 0:
                cpu_reads(operand());
                break;
            case 1:
                cpu_writes();
                break;
            case 2:
                if (below(4) == 0)
                    frees();
                break;
            case 3:
                computes(below(8));
                break;
            default:
                calls_one();
        }
    }
    gmmu_sem_counts counted() const { return gmmu_sem_counted(sem_); }
    void finish() {
        gmmu_sem_operand all = {};
        all.last = SPACE * scale_ - 1;
        cpu_reads(all);
    }

   private:
    std::mt19937_64 rng_;
    uint64_t scale_;
    gmmu_sem_gpu gpu_ = {};
    gmmu_sem_config cfg_ = {};
    gmmu_sem *sem_ = nullptr;
    std::vector<uint8_t> cpu_, truth_;
    std::map<uint64_t, std::vector<uint8_t>> heap_;
    uint64_t next_ = 1 << 20;

    uint64_t below(uint64_t n) { return rng_() % n; }
    uint8_t byte() { return static_cast<uint8_t>(rng_()); }
    bool allocate(uint64_t bytes, uint64_t *base) {
        if (below(60) == 0)
            return false;  // it is in pieces
        *base = next_;
        next_ += bytes + 64;
        heap_[*base].assign(bytes, 0xEE);
        return true;
    }
    // GPU bytes from AT on.
    uint8_t *at_gpu(uint64_t at) {
        auto i = heap_.upper_bound(at);
        --i;
        EXPECT_LT(at - i->first, i->second.size());
        return i->second.data() + (at - i->first);
    }
    void move(bool up, uint64_t start, uint64_t base, uint64_t bytes) {
        uint8_t *gpu = at_gpu(base);
        EXPECT_EQ(at_gpu(base + bytes - 1), gpu + (bytes - 1));
        EXPECT_LE(start + bytes, cpu_.size());
        std::memcpy(up ? gpu : &cpu_[start], up ? &cpu_[start] : gpu, bytes);
    }
    gmmu_sem_operand operand() {
        gmmu_sem_operand o = {};
        // mostly one of a few matrices, whole
        o.start = below(4) ? 48 * scale_ * below(8) : below((SPACE - 64) * scale_);
        o.last = o.start + (below(4) ? 48 * scale_ - 1 : below(60 * scale_));
        o.reads = true;
        if (below(3) == 0)
            with_gaps(&o);
        return o;
    }
    // Columns of a matrix, or rows: runs of 1 byte on.
    void with_gaps(gmmu_sem_operand *o) {
        const uint64_t all = o->last - o->start + 1, count = 2 + below(below(2) ? 4 : 20);
        if (all / count < 2)
            return;
        o->stride = all / count;
        o->run = below(3) ? 1 + below(o->stride - 1) : 1;
        o->last = o->start + (count - 1) * o->stride + o->run - 1;
        gaps++;
    }
    static bool has(const gmmu_sem_operand &o, uint64_t i) {
        return o.run == 0 || (i - o.start) % o.stride < o.run;
    }
    void cpu_reads(const gmmu_sem_operand &o) {
        gmmu_sem_operand r = o;
        r.reads = true;
        r.writes = r.whole = false;
        gmmu_sem_cpu(sem_, r);
        for (uint64_t i = r.start; i <= r.last; i++)
            if (has(r, i)) {
                ASSERT_EQ(cpu_[i], truth_[i]) << "byte " << i;
            }
        reads++;
    }
    void cpu_writes() {
        gmmu_sem_operand o = operand();
        o.reads = false;
        o.writes = true;
        o.whole = below(2) != 0;
        gmmu_sem_cpu(sem_, o);
        for (uint64_t i = o.start; i <= o.last; i++)
            if (has(o, i) && (o.whole || below(2)))
                cpu_[i] = truth_[i] = byte();
    }
    void frees() {
        gmmu_sem_operand o = operand();
        o.run = o.stride = 0;
        gmmu_sem_free(sem_, o);
        for (uint64_t i = o.start; i <= o.last; i++) cpu_[i] = truth_[i] = byte();
    }
    // What a kernel, or the CPU in its place, makes of the bytes that are read.
    static uint8_t made(uint64_t sum, uint64_t salt, uint64_t i) {
        return static_cast<uint8_t>((sum ^ salt) * 0x9E3779B97F4A7C15u >> (8 + i % 40));
    }
    struct Part {
        gmmu_sem_operand o;
        uint8_t *gpu;
    };
    // The kernel on the bytes that BYTE gives.
    template <class F>
    static void kernel(const std::vector<Part> &parts, uint64_t salt, F byte) {
        uint64_t sum = 0;
        for (const Part &p : parts)
            for (uint64_t i = p.o.start; p.o.reads && i <= p.o.last; i++)
                sum = has(p.o, i) ? sum * 31 + *byte(p, i) : sum;
        for (const Part &p : parts)
            for (uint64_t i = p.o.start; p.o.writes && i <= p.o.last; i++)
                if (has(p.o, i) && (p.o.whole || (salt >> i % 61 & 1) != 0))
                    *byte(p, i) = made(sum, salt, i);
    }
    void calls_one() {
        std::vector<Part> parts(1 + below(4));
        std::vector<gmmu_sem_operand> ops;
        bool written = false;
        for (Part &p : parts) {
            p.o = operand();
            if (!written && below(2)) {  // one result, which may overlap what is read
                written = p.o.writes = true;
                p.o.reads = below(2) != 0;
                p.o.whole = !p.o.reads && below(2) != 0;
            }
            ops.push_back(p.o);
        }
        const uint64_t salt = rng_();
        std::vector<uint64_t> base(ops.size());
        const uint32_t n = static_cast<uint32_t>(ops.size());
        calls++;
        const bool gpu = gmmu_sem_begin(sem_, static_cast<uint32_t>(below(5)), ops.data(), n,
                                        cfg_.page == 0 ? base.data() : nullptr);
        if (gpu)
            asks(ops);
        kernel(parts, salt, [&](const Part &, uint64_t i) { return &truth_[i]; });
        if (gpu) {
            on_gpu++;
            kernel(parts, salt, [&](const Part &p, uint64_t i) {
                if (cfg_.page != 0)
                    return at_page(i);
                return at_gpu(base[static_cast<size_t>(&p - parts.data())] + (i - p.o.start));
            });
            gmmu_sem_end(sem_, ops.data(), n);
            return;
        }
        for (const gmmu_sem_operand &o : ops)
            for (uint64_t i = o.start; i <= o.last; i++)
                ASSERT_TRUE(!o.reads || !has(o, i) || cpu_[i] == truth_[i] || o.writes || written);
        kernel(parts, salt, [&](const Part &, uint64_t i) { return &cpu_[i]; });
    }
    uint8_t *at_page(uint64_t i) {
        const gmmu_range *r = gmmu_range_dir_at(gmmu_sem_ranges(sem_), 0, i);
        EXPECT_NE(r, nullptr);
        return at_gpu(r->base + (i - r->start));
    }
    struct Held {
        uint64_t base, sum;
    };
    // Results that a kernel asks for stay, however many there are, until its call ends. Not of what
    // it writes whole: there is nothing there yet.
    void asks(const std::vector<gmmu_sem_operand> &ops) {
        std::vector<Held> held;
        for (uint64_t left = below(4); left != 0; left--) {
            const uint64_t which = below(8), start = 48 * scale_ * which;
            const uint64_t last = start + 48 * scale_ - 1;
            bool empty = false;
            for (const gmmu_sem_operand &o : ops)
                empty = empty || (o.whole && o.start <= last && start <= o.last);
            if (empty)
                continue;
            const Held h = computes(which);
            if (h.base != UINT64_MAX)
                held.push_back(h);
        }
        for (const Held &h : held) {
            uint64_t is;
            std::memcpy(&is, at_gpu(h.base), sizeof is);
            ASSERT_EQ(is, h.sum);
        }
        in_calls += held.size();
    }
    // A result of the bytes of a matrix: their sum.
    Held computes(uint64_t which) {
        gmmu_sem_operand o = {};
        o.start = 48 * scale_ * which;
        o.last = o.start + 48 * scale_ - 1;
        const uint32_t computation = static_cast<uint32_t>(below(3));
        uint64_t base, from;
        const uint64_t bytes = 8 + 24 * (which + computation) % 64;
        const bool kept = gmmu_sem_computed(sem_, 7, computation, o, bytes, &base, &from);
        uint64_t sum = computation, its = computation;
        for (uint64_t i = o.start; i <= o.last; i++) sum = sum * 33 + truth_[i];
        if (kept) {
            std::memcpy(&its, at_gpu(base), sizeof its);
            elided++;
        } else if (base != UINT64_MAX) {
            for (uint64_t i = o.start; i <= o.last; i++)
                its = its * 33 + *(cfg_.page != 0 ? at_page(i) : at_gpu(from + (i - o.start)));
            std::memcpy(at_gpu(base), &its, sizeof its);
            results++;
        }
        EXPECT_TRUE(base == UINT64_MAX || its == sum);
        return {base, sum};
    }
};

TEST(SemRuntime, ShadowExecutionReadsEveryByteRight) {
    const bool lots = std::getenv("GMMU_LONG") != nullptr;
    uint64_t programs = 0, calls = 0, on_gpu = 0, elided = 0, results = 0, reads = 0, in_calls = 0;
    uint64_t gaps = 0, merges = 0, splits = 0;
    for (uint64_t seed = 1; seed <= (lots ? 200000u : 4000u) && !testing::Test::HasFailure();
         seed++) {
        SCOPED_TRACE(seed);
        std::mt19937_64 rng(test_seed() * 1000000 + seed);
        gmmu_sem_config c = {};
        const uint64_t scales[] = {1, 1, 5, 32};
        c.split = rng() % 2;
        c.grain = c.split && rng() % 2 ? 1u << rng() % 10 : 0;
        const uint64_t scale = c.split ? scales[rng() % 4] : 1;
        c.limit = scale * (rng() % 4 ? 48 + rng() % 500 : 4096);
        c.ranges = rng() % 3 ? 0 : 2 + static_cast<uint32_t>(rng() % 20);
        c.evict = static_cast<gmmu_sem_evict>(rng() % GMMU_SEM_EVICTS);
        const uint64_t pages[] = {0, 0, 0, 8, 32};
        c.page = c.split ? 0 : pages[rng() % 5];
        c.write_through = rng() % 2;
        Shadow s(rng(), c, scale);
        for (int i = 0; i < 60 && !testing::Test::HasFailure(); i++) s.step();
        s.finish();
        programs++;
        calls += s.calls;
        on_gpu += s.on_gpu;
        elided += s.elided;
        results += s.results;
        reads += s.reads;
        in_calls += s.in_calls;
        gaps += s.gaps;
        const gmmu_sem_counts n = s.counted();
        splits += n.splits;
        merges += c.split ? n.merges : 0;
    }
    std::printf(
        "[ vectors  ] shadow execution: %llu programs, %llu calls, %llu on the GPU, %llu "
        "results made, %llu kept, %llu reads by the CPU, %llu operands with gaps, %llu merges, "
        "%llu splits\n",
        static_cast<unsigned long long>(programs), static_cast<unsigned long long>(calls),
        static_cast<unsigned long long>(on_gpu), static_cast<unsigned long long>(results),
        static_cast<unsigned long long>(elided), static_cast<unsigned long long>(reads),
        static_cast<unsigned long long>(gaps), static_cast<unsigned long long>(merges),
        static_cast<unsigned long long>(splits));
    EXPECT_GT(gaps, programs);
    EXPECT_GT(merges, programs);
    EXPECT_GT(splits, programs / 10);
    EXPECT_GT(on_gpu, calls / 4);
    EXPECT_LT(on_gpu, calls);
    EXPECT_GT(elided, 100u);
    EXPECT_GT(results, 100u);
    EXPECT_GT(in_calls, 100u);
}

}  // namespace
