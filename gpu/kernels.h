// SPDX-License-Identifier: Apache-2.0
// kernels.h: kernels of `gmmu record` as CUDA threads, with the same loads and stores at the same
// sites.
//
// A kernel is a class of static functions. thread() runs one thread of one grid through a Mem,
// whose ld(site, array, index) and st(site, array, index, value) are the only way to memory: on a
// GPU they are single instructions, which no compiler merges or drops, and may log (gpu_record.cu);
// on a host they are what a test wants (tb/unit/gpu_test.cpp holds them against the engine's). None
// of these kernels has a barrier. Arrays are those of the kernel of the same name in
// cmodel/simt/kernels, in their order; grids too. Build without contraction (-fmad=false): results
// are then equal bit for bit.
#ifndef GMMU_GPU_KERNELS_H
#define GMMU_GPU_KERNELS_H

#include <math.h>
#include <stdint.h>

#ifdef __CUDACC__
#define GMMU_BOTH __host__ __device__
#else
#define GMMU_BOTH
#endif

namespace gmmu_gpu {

struct Grid {
    uint64_t blocks;
    unsigned threads;  // of a block
};

// Where a thread is: of which block, of which grid (from 0).
struct Where {
    uint64_t block;
    unsigned thread, threads, grid;
    GMMU_BOTH uint64_t global() const { return block * threads + thread; }
};

inline Grid line(uint64_t n, unsigned block) {
    return {(n + block - 1) / block, block};
}

// Blocks of 32 x (block / 32) threads, or of one row when block is smaller, over rows of N points.
struct Tiles {
    uint64_t across, down;
    unsigned width, height;
};

GMMU_BOTH inline Tiles tiles(uint64_t n, unsigned block) {
    Tiles t;
    t.width = block < 32 ? block : 32;
    t.height = block < 32 ? 1 : block / 32;
    t.across = (n + t.width - 1) / t.width;
    t.down = (n + t.height - 1) / t.height;
    return t;
}

inline Grid tiled(uint64_t n, unsigned block) {
    Tiles t = tiles(n, block);
    return {t.across * t.down, t.width * t.height};
}

struct Point {
    uint64_t row, column;
};

GMMU_BOTH inline Point point_of(const Tiles &t, const Where &w) {
    return {w.block / t.across * t.height + w.thread / t.width,
            w.block % t.across * t.width + w.thread % t.width};
}

struct Kernel {
    // The host's part after the last grid.
    static void finish(uint64_t, float *const[]) {}
};

// ---------------------------------------------------------------- matrix and vector

// out[i] += matrix[i or column] * vector[k], the body of several: sites first, first + 1, first
// + 2.
template <class Mem>
GMMU_BOTH float dot(Mem &m, unsigned first, uint64_t n, uint64_t i, bool rows, int matrix,
                    int vector, int out, float sum) {
    for (uint64_t k = 0; k < n; k++) {
        float a = m.ld(first, matrix, rows ? i * n + k : k * n + i);
        float b = m.ld(first + 1, vector, k);
        sum = sum + a * b;
        m.st(first + 2, out, i, sum);
    }
    return sum;
}

struct AtaxReg : Kernel {
    static const char *name() { return "atax_reg"; }
    enum { A, X, TMP, Y };
    static unsigned grids(uint64_t) { return 2; }
    static Grid grid(uint64_t n, unsigned block, unsigned) { return line(n, block); }
    template <class Mem>
    GMMU_BOTH static void thread(Mem &m, uint64_t n, unsigned, const Where &w) {
        uint64_t i = w.global();
        if (i >= n)
            return;
        unsigned site = 4 * w.grid;
        int out = w.grid == 0 ? TMP : Y;
        float sum = m.ld(site, out, i);
        dot(m, site + 1, n, i, w.grid == 0, A, w.grid == 0 ? X : TMP, out, sum);
    }
};

struct Mvt : Kernel {
    static const char *name() { return "mvt"; }
    enum { A, X1, X2, Y1, Y2 };
    static unsigned grids(uint64_t) { return 2; }
    static Grid grid(uint64_t n, unsigned block, unsigned) { return line(n, block); }
    template <class Mem>
    GMMU_BOTH static void thread(Mem &m, uint64_t n, unsigned, const Where &w) {
        uint64_t i = w.global();
        if (i >= n)
            return;
        unsigned site = 4 * w.grid;
        int x = w.grid == 0 ? X1 : X2;
        float sum = m.ld(site, x, i);
        dot(m, site + 1, n, i, w.grid == 0, A, w.grid == 0 ? Y1 : Y2, x, sum);
    }
};

struct Bicg : Kernel {
    static const char *name() { return "bicg"; }
    enum { A, R, S, P, Q };
    static unsigned grids(uint64_t) { return 2; }
    static Grid grid(uint64_t n, unsigned block, unsigned) { return line(n, block); }
    template <class Mem>
    GMMU_BOTH static void thread(Mem &m, uint64_t n, unsigned, const Where &w) {
        uint64_t i = w.global();
        if (i >= n)
            return;
        unsigned site = 4 * w.grid;
        int out = w.grid == 0 ? S : Q;
        m.st(site, out, i, 0.0F);
        dot(m, site + 1, n, i, w.grid == 1, A, w.grid == 0 ? R : P, out, 0.0F);
    }
};

struct Gesummv : Kernel {
    static const char *name() { return "gesummv"; }
    enum { A, B, X, Y, TMP };
    static unsigned grids(uint64_t) { return 1; }
    static Grid grid(uint64_t n, unsigned block, unsigned) { return line(n, block); }
    template <class Mem>
    GMMU_BOTH static void thread(Mem &m, uint64_t n, unsigned, const Where &w) {
        uint64_t i = w.global();
        if (i >= n)
            return;
        float y = 0;
        for (uint64_t k = 0; k < n; k++) {
            float tmp = m.ld(0, TMP, i);
            float a = m.ld(1, A, i * n + k);
            float x = m.ld(2, X, k);
            m.st(3, TMP, i, tmp + a * x);
            y = m.ld(4, Y, i);
            float b = m.ld(5, B, i * n + k);
            x = m.ld(6, X, k);
            y = y + b * x;
            m.st(7, Y, i, y);
        }
        float tmp = m.ld(8, TMP, i);
        m.st(9, Y, i, 43532.0F * tmp + 12313.0F * y);
    }
};

// ---------------------------------------------------------------- matrix and matrix

struct TwoMm : Kernel {
    static const char *name() { return "2mm"; }
    enum { A, B, C, D, E };
    static unsigned grids(uint64_t) { return 2; }
    static Grid grid(uint64_t n, unsigned block, unsigned) { return tiled(n, block); }
    template <class Mem>
    GMMU_BOTH static void thread(Mem &m, uint64_t n, unsigned block, const Where &w) {
        Point p = point_of(tiles(n, block), w);
        if (p.row >= n || p.column >= n)
            return;
        unsigned site = 3 * w.grid;
        float sum = 0;
        for (uint64_t k = 0; k < n; k++) {
            float left = m.ld(site, w.grid == 0 ? A : C, p.row * n + k);
            float right = m.ld(site + 1, w.grid == 0 ? B : D, k * n + p.column);
            sum = sum + left * right;
            m.st(site + 2, w.grid == 0 ? C : E, p.row * n + p.column, sum);
        }
    }
};

struct Syrk : Kernel {
    static const char *name() { return "syrk"; }
    enum { A, C };
    static unsigned grids(uint64_t) { return 1; }
    static Grid grid(uint64_t n, unsigned block, unsigned) { return tiled(n, block); }
    template <class Mem>
    GMMU_BOTH static void thread(Mem &m, uint64_t n, unsigned block, const Where &w) {
        Point p = point_of(tiles(n, block), w);
        if (p.row >= n || p.column >= n)
            return;
        uint64_t at = p.row * n + p.column;
        float sum = m.ld(0, C, at) * 4546.0F;
        m.st(1, C, at, sum);
        for (uint64_t k = 0; k < n; k++) {
            float a = m.ld(2, A, p.row * n + k);
            float b = m.ld(3, A, p.column * n + k);
            sum = sum + 12435.0F * a * b;
            m.st(4, C, at, sum);
        }
    }
};

// ---------------------------------------------------------------- stencils

struct TwoDconv : Kernel {
    static const char *name() { return "2dconv"; }
    static unsigned grids(uint64_t) { return 12; }
    static Grid grid(uint64_t n, unsigned block, unsigned) { return tiled(n, block); }
    template <class Mem>
    GMMU_BOTH static void thread(Mem &m, uint64_t n, unsigned block, const Where &w) {
        const float taps[9] = {0.2F, 0.5F, -0.8F, -0.3F, 0.6F, -0.9F, 0.4F, 0.7F, 0.1F};
        Point p = point_of(tiles(n, block), w);
        if (p.row == 0 || p.column == 0 || p.row + 1 >= n || p.column + 1 >= n)
            return;
        int from = static_cast<int>(w.grid % 2);
        float sum = 0;
        for (unsigned t = 0; t < 9; t++) {
            float product = taps[t] * m.ld(t, from, (p.row + t / 3 - 1) * n + p.column + t % 3 - 1);
            sum = t == 0 ? product : sum + product;
        }
        m.st(9, 1 - from, p.row * n + p.column, sum);
    }
};

struct ThreeDconv : Kernel {
    static const char *name() { return "3dconv"; }
    enum { A, B };
    static unsigned grids(uint64_t n) { return static_cast<unsigned>(n); }
    static Grid grid(uint64_t n, unsigned block, unsigned) { return tiled(n + 2, block); }
    template <class Mem>
    GMMU_BOTH static void thread(Mem &m, uint64_t n, unsigned block, const Where &w) {
        const signed char di[11] = {-1, 1, 0, 0, 0, -1, 1, -1, 1, -1, 1};
        const signed char dj[11] = {-1, -1, -1, 0, 1, -1, -1, 0, 0, 1, 1};
        const signed char dk[11] = {-1, -1, 0, 0, 0, 1, 1, 1, 1, 1, 1};
        const unsigned char term[15] = {0, 1, 0, 1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
        const float weight[15] = {2, 4, 5, 7, -8, 10, -3, 6, -9, 2, 4, 5, 7, -8, 10};
        uint64_t side = n + 2;
        Point p = point_of(tiles(side, block), w);
        if (p.row == 0 || p.column == 0 || p.row + 1 >= side || p.column + 1 >= side)
            return;
        uint64_t at = ((w.grid + 1) * side + p.row) * side + p.column;
        float value[11];
        for (unsigned k = 0; k < 11; k++)
            value[k] = m.ld(
                k, A,
                at + (static_cast<uint64_t>(di[k]) * side + static_cast<uint64_t>(dj[k])) * side +
                    static_cast<uint64_t>(dk[k]));
        float sum = weight[0] * value[term[0]];
        for (unsigned t = 1; t < 15; t++) sum = sum + weight[t] * value[term[t]];
        m.st(11, B, at, sum);
    }
};

// ---------------------------------------------------------------- statistics

struct Corr : Kernel {
    static const char *name() { return "corr"; }
    enum { DATA, MEAN, STDDEV, SYMMAT };
    static unsigned grids(uint64_t) { return 4; }
    static void finish(uint64_t n, float *const host[]) {
        host[SYMMAT][(n + 1) * (n + 2) + n + 1] = 1;
    }
    static Grid grid(uint64_t n, unsigned block, unsigned g) {
        return g == 2 ? tiled(n + 1, block) : line(n + 1, block);
    }
    template <class Mem>
    GMMU_BOTH static void thread(Mem &m, uint64_t n, unsigned block, const Where &w) {
        uint64_t variables = n + 1, pitch = n + 2, j = w.global() + 1;
        if (w.grid == 2) {
            Point p = point_of(tiles(variables, block), w);
            uint64_t at = (p.row + 1) * pitch + p.column + 1;
            if (p.row >= n || p.column >= variables)
                return;
            float a = m.ld(9, DATA, at);
            a = a - m.ld(10, MEAN, p.column + 1);
            m.st(11, DATA, at, a);
            float deviation = m.ld(12, STDDEV, p.column + 1);
            m.st(13, DATA, at, a / (sqrtf(static_cast<float>(n)) * deviation));
            return;
        }
        if (j > variables)
            return;
        float sum = 0;
        if (w.grid == 0) {
            m.st(0, MEAN, j, 0.0F);
            for (uint64_t i = 1; i <= n; i++) {
                sum = sum + m.ld(1, DATA, i * pitch + j);
                m.st(2, MEAN, j, sum);
            }
            m.st(3, MEAN, j, sum / static_cast<float>(n));
        } else if (w.grid == 1) {
            m.st(4, STDDEV, j, 0.0F);
            for (uint64_t i = 1; i <= n; i++) {
                float a = m.ld(5, DATA, i * pitch + j);
                a = a - m.ld(6, MEAN, j);
                sum = sum + a * a;
                m.st(7, STDDEV, j, sum);
            }
            float deviation = sqrtf(sum / static_cast<float>(n));
            m.st(8, STDDEV, j, deviation <= 0.005F ? 1.0F : deviation);
        } else if (j < variables) {
            m.st(14, SYMMAT, j * pitch + j, 1.0F);
            for (uint64_t second = j + 1; second <= variables; second++) {
                sum = 0;
                m.st(15, SYMMAT, j * pitch + second, 0.0F);
                for (uint64_t i = 1; i <= n; i++) {
                    float a = m.ld(16, DATA, i * pitch + j);
                    float b = m.ld(17, DATA, i * pitch + second);
                    sum = sum + a * b;
                    m.st(18, SYMMAT, j * pitch + second, sum);
                }
                m.st(19, SYMMAT, second * pitch + j, sum);
            }
        }
    }
};

// Calls F with an object of each kernel's class.
template <class F>
void for_each_kernel(F &&f) {
    f(TwoDconv());
    f(TwoMm());
    f(ThreeDconv());
    f(AtaxReg());
    f(Bicg());
    f(Corr());
    f(Gesummv());
    f(Mvt());
    f(Syrk());
}

}  // namespace gmmu_gpu
#endif
