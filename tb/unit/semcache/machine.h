// SPDX-License-Identifier: Apache-2.0
// machine.h: a CPU's memory, a GPU's, and what runs on both, for the tests of SemCache.
//
// GPU memory is a second heap in which kernels run; what is allocated is full of nonsense,
// addresses are never used twice, and a kernel that touches what is not allocated is noticed. So
// what a protocol forgets to transfer shows in the bytes.
#pragma once
#include <cstdint>
#include <cstring>
#include <iterator>
#include <limits>
#include <map>
#include <vector>

#include "exact/semcache.h"

namespace semcache {

using Gemm = gmmu_exact_sem_gemm;

// C := alpha A B + beta C, column-major, element by element; C is not read if beta is 0.
template <typename Read, typename Write>
void multiply(const Gemm &g, uint64_t a, uint64_t b, uint64_t c, Read read, Write write) {
    for (uint64_t j = 0; j < g.n; j++)
        for (uint64_t i = 0; i < g.m; i++) {
            double sum = 0;
            for (uint64_t k = 0; k < g.k; k++)
                sum += read(a + 8 * (g.transa == 'N' ? i + k * g.lda : k + i * g.lda)) *
                       read(b + 8 * (g.transb == 'N' ? k + j * g.ldb : j + k * g.ldb));
            const uint64_t at = c + 8 * (i + j * g.ldc);
            write(at, g.alpha * sum + (g.beta != 0 ? g.beta * read(at) : 0));
        }
}

class Machine {
   public:
    std::vector<uint8_t> cpu;
    bool data = true;  // else transfers and kernels are counted only
    uint64_t ups = 0, downs = 0, up_bytes = 0, down_bytes = 0, kernels = 0;
    uint64_t wild = 0;  // accesses of kernels to GPU memory that is not theirs

    explicit Machine(uint64_t bytes, uint64_t gpu_bytes = 1ull << 40)
        : cpu(bytes), capacity_(gpu_bytes) {}

    // ---- the CPU's memory, in doubles
    double get(uint64_t at) const {
        double d;
        std::memcpy(&d, &cpu.at(at), 8);
        return d;
    }
    void put(uint64_t at, double d) { std::memcpy(&cpu.at(at), &d, 8); }
    void fill(uint64_t at, uint64_t n, double first, double step = 1) {
        for (uint64_t i = 0; i < n; i++) put(at + 8 * i, first + step * static_cast<double>(i));
    }
    void multiply_on_cpu(const Gemm &g) {
        multiply(
            g, g.a, g.b, g.c, [&](uint64_t at) { return get(at); },
            [&](uint64_t at, double d) { put(at, d); });
    }

    // ---- the GPU's
    uint64_t allocate(uint64_t bytes) {
        if (bytes > capacity_ - used_)
            return GMMU_EXACT_SEM_NOWHERE;
        used_ += bytes;
        const uint64_t at = next_;
        next_ += (bytes + 0xFFFF) & ~0xFFFFull;
        blocks_[at] = {bytes, std::vector<uint8_t>(data ? bytes : 0, 0xA5)};
        return at;
    }
    void release(uint64_t at) {
        used_ -= blocks_.at(at).bytes;
        blocks_.erase(at);
    }
    void up(uint64_t from, uint64_t to, uint64_t bytes) {
        ups++;
        up_bytes += bytes;
        if (data)
            std::memcpy(bytes_at(to, bytes), &cpu.at(from), bytes);
    }
    void down(uint64_t to, uint64_t from, uint64_t bytes) {
        downs++;
        down_bytes += bytes;
        if (data)
            std::memcpy(&cpu.at(to), bytes_at(from, bytes), bytes);
    }
    double gpu_get(uint64_t at) {
        double d = std::numeric_limits<double>::quiet_NaN();
        if (const uint8_t *p = bytes_at(at, 8))
            std::memcpy(&d, p, 8);
        return d;
    }
    void gpu_put(uint64_t at, double d) {
        if (uint8_t *p = bytes_at(at, 8))
            std::memcpy(p, &d, 8);
    }
    void multiply_on_gpu(const Gemm &g, uint64_t a, uint64_t b, uint64_t c) {
        kernels++;
        if (data)
            multiply(
                g, a, b, c, [&](uint64_t at) { return gpu_get(at); },
                [&](uint64_t at, double d) { gpu_put(at, d); });
    }
    uint64_t used() const { return used_; }

    // Itself as the exact model wants it.
    gmmu_exact_sem_gpu calls() {
        return {[](void *m, uint64_t bytes) { return of(m)->allocate(bytes); },
                [](void *m, uint64_t at) { of(m)->release(at); },
                [](void *m, uint64_t c, uint64_t g, uint64_t bytes) { of(m)->up(c, g, bytes); },
                [](void *m, uint64_t c, uint64_t g, uint64_t bytes) { of(m)->down(c, g, bytes); },
                [](void *m, const Gemm *call, uint64_t a, uint64_t b, uint64_t c) {
                    of(m)->multiply_on_gpu(*call, a, b, c);
                },
                this};
    }

   private:
    struct Block {
        uint64_t bytes;
        std::vector<uint8_t> content;
    };
    uint64_t capacity_, used_ = 0, next_ = 1ull << 40;
    std::map<uint64_t, Block> blocks_;

    static Machine *of(void *m) { return static_cast<Machine *>(m); }
    uint8_t *bytes_at(uint64_t at, uint64_t bytes) {
        auto block = blocks_.upper_bound(at);
        if (block != blocks_.begin()) {
            block = std::prev(block);
            if (at + bytes <= block->first + block->second.bytes)
                return block->second.content.data() + (at - block->first);
        }
        wild++;
        return nullptr;
    }
};

}  // namespace semcache
