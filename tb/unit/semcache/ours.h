// SPDX-License-Identifier: Apache-2.0
// ours.h: a library of matrices on the twin of range_dir, by the rules of its page: how operands
// are looked up, pinned and released, when a call runs on the CPU instead, and when a result that
// was kept falls.
#pragma once
#include <functional>
#include <map>
#include <tuple>
#include <vector>

#include "blocks/range_dir.h"
#include "machine.h"

namespace semcache {

struct Operand {
    uint64_t start, bytes;
    bool read, write;
    bool whole;  // every byte of it is written
};

// The bytes from a matrix's first element to its last, whatever lies between its columns.
inline uint64_t extent(uint64_t rows, uint64_t columns, uint64_t ld) {
    return 8 * ((columns - 1) * ld + rows);
}

class Ours {
   public:
    uint64_t lookups = 0, on_cpu = 0;

    Ours(Machine *m, uint32_t ranges, uint64_t gpu_bytes)
        : m_(m), memory_(ranges * sizeof(gmmu_range) + 64) {
        gmmu_arena arena = {memory_.data(), memory_.size(), 0};
        (void)gmmu_range_dir_init(&dir_, ranges, gpu_bytes, &arena);
        beats_.resize(gmmu_range_dir_most_beats(&dir_));
    }
    ~Ours() {
        for (auto &[key, memo] : memos_) m_->release(memo);
        for (uint32_t i = 0; i < dir_.used; i++)
            if (dir_.range[i].base_ok)
                m_->release(dir_.range[i].base);
    }
    const gmmu_range_dir &dir() const { return dir_; }

    // An operation, its transfers executed, a place in GPU memory found where there was none.
    gmmu_range_beat op(unsigned kind, uint64_t start, uint64_t bytes, bool whole = false,
                       bool pin = false) {
        gmmu_range_op o = {};
        o.op = static_cast<uint8_t>(kind);
        o.start = start;
        o.last = start + bytes - 1;
        o.whole = whole;
        o.pin = pin;
        const uint32_t n = gmmu_range_dir_op(&dir_, o, beats_.data());
        gmmu_range_beat answer = beats_[n - 1];
        uint64_t fresh = GMMU_EXACT_SEM_NOWHERE;
        for (uint32_t i = 0; i + 1 < n; i++) {
            const gmmu_range_beat &b = beats_[i];
            const uint64_t size = b.last - b.start + 1;
            if (b.kind == GMMU_RANGE_UP) {
                fresh = b.base_ok ? b.base : m_->allocate(size);
                m_->up(b.start, fresh, size);
            } else if (b.kind == GMMU_RANGE_DOWN) {
                m_->down(b.start, b.base, size);
            } else {
                m_->release(b.base);
                forget(b.start, b.last);
            }
        }
        if (answer.code == GMMU_RANGE_OK && answer.state != GMMU_RANGE_C && !answer.base_ok) {
            if (fresh == GMMU_EXACT_SEM_NOWHERE)
                fresh = m_->allocate(answer.last - answer.start + 1);
            gmmu_range_op base = {};
            base.op = GMMU_RANGE_BASE;
            base.start = answer.start;
            base.last = fresh;
            (void)gmmu_range_dir_op(&dir_, base, beats_.data());
            answer.base = fresh;
            answer.base_ok = true;
        }
        if (answer.code == GMMU_RANGE_OK && kind == GMMU_RANGE_WRITE_GPU)
            forget(answer.start, answer.last);
        return answer;
    }
    void before_cpu_reads(uint64_t at, uint64_t bytes) { (void)op(GMMU_RANGE_READ_CPU, at, bytes); }
    void before_cpu_writes(uint64_t at, uint64_t bytes, bool whole = false) {
        (void)op(GMMU_RANGE_WRITE_CPU, at, bytes, whole);
    }
    void before_free(uint64_t at, uint64_t bytes) { (void)op(GMMU_RANGE_RELEASE, at, bytes); }

    // A call of a library: on the GPU, with the operands' addresses there, or on the CPU.
    void call(const std::vector<Operand> &operands,
              const std::function<void(const std::vector<uint64_t> &)> &on_gpu,
              const std::function<void()> &on_cpu_instead, bool writeback) {
        bool fits = true;
        for (const Operand &o : operands) {
            lookups++;
            fits = fits && op(GMMU_RANGE_LOOKUP, o.start, o.bytes).code == GMMU_RANGE_OK;
        }
        std::vector<uint64_t> at(operands.size());
        std::vector<bool> pinned(operands.size());
        for (const bool writes : {false, true})  // what is read is there before another is written
            for (size_t i = 0; i < operands.size() && fits; i++) {
                const Operand &o = operands[i];
                if (o.write != writes)
                    continue;
                const gmmu_range_beat answer =
                    op(writes ? GMMU_RANGE_WRITE_GPU : GMMU_RANGE_READ_GPU, o.start, o.bytes,
                       o.whole && !o.read, true);
                pinned[i] = answer.code == GMMU_RANGE_OK;
                fits = pinned[i];
                at[i] = answer.base + (o.start - answer.start);
            }
        if (fits)
            on_gpu(at);
        for (size_t i = 0; i < operands.size(); i++)
            if (pinned[i])
                (void)op(GMMU_RANGE_UNPIN, operands[i].start, operands[i].bytes);
        if (!fits) {
            on_cpu++;
            for (const Operand &o : operands)
                if (o.read)
                    before_cpu_reads(o.start, o.bytes);
            for (const Operand &o : operands)
                if (o.write)
                    before_cpu_writes(o.start, o.bytes, o.whole && !o.read);
            on_cpu_instead();
        } else if (!writeback) {
            for (const Operand &o : operands)
                if (o.write)
                    before_cpu_reads(o.start, o.bytes);
        }
    }
    void gemm(const Gemm &g, bool writeback) {
        const bool ta = g.transa != 'N', tb = g.transb != 'N';
        const Operand a = {g.a, extent(ta ? g.k : g.m, ta ? g.m : g.k, g.lda), true, false, false};
        const Operand b = {g.b, extent(tb ? g.n : g.k, tb ? g.k : g.n, g.ldb), true, false, false};
        const Operand c = {g.c, extent(g.m, g.n, g.ldc), g.beta != 0, true,
                           g.ldc == g.m || g.n == 1};
        call(
            {a, b, c},
            [&](const std::vector<uint64_t> &at) { m_->multiply_on_gpu(g, at[0], at[1], at[2]); },
            [&] { m_->multiply_on_cpu(g); }, writeback);
    }

    // A result of COMPUTE that is kept as long as its range stays on the GPU as it is; it has GPU
    // memory of its own.
    uint64_t computed(unsigned computation, uint64_t start, uint64_t bytes,
                      const std::function<uint64_t(uint64_t)> &compute, bool *elided) {
        const gmmu_range_beat there = op(GMMU_RANGE_READ_GPU, start, bytes);
        const Key key = {computation, start, start + bytes - 1};
        const auto found = memos_.find(key);
        *elided = found != memos_.end();
        return *elided ? found->second : memos_[key] = compute(there.base + (start - there.start));
    }

   private:
    struct Key {
        unsigned computation;
        uint64_t start, last;
        bool operator<(const Key &o) const {
            return std::tie(computation, start, last) < std::tie(o.computation, o.start, o.last);
        }
    };
    Machine *m_;
    std::vector<char> memory_;
    gmmu_range_dir dir_;
    std::vector<gmmu_range_beat> beats_;
    std::map<Key, uint64_t> memos_;  // where in GPU memory

    // Results of what lies from START to LAST fall.
    void forget(uint64_t start, uint64_t last) {
        for (auto i = memos_.begin(); i != memos_.end();)
            if (i->first.start <= last && start <= i->first.last) {
                m_->release(i->second);
                i = memos_.erase(i);
            } else {
                ++i;
            }
    }
};

}  // namespace semcache
