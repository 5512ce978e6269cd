// SPDX-License-Identifier: Apache-2.0
// newmark.cpp: the application of SemCache's case study: its mechanics are right, its sub-domains
// together are the whole, and on a GPU behind the runtime it gets the same bits, however little
// memory there is.
//
// State space: cuboids of 1 to 6 cubes a side, 1 to 16 sub-domains, 20 steps. Parameter space:
// write-back and write-through, the three evictions, rows and columns, GPU memory from more than
// enough to less than a call needs.
#include "newmark/newmark.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "newmark/fem.h"
#include "newmark/offload.h"
#include "random_trace.h"
#include "semcache/play.h"

namespace {

using Vector = std::vector<double>;

// ---- the element and the mesh

TEST(NewmarkFem, AStiffnessIsSymmetricAndRigidMotionsAreFree) {
    double k[FEM_ELEMENT][FEM_ELEMENT];
    fem_stiffness(k);
    for (int i = 0; i < FEM_ELEMENT; i++)
        for (int j = 0; j < FEM_ELEMENT; j++) EXPECT_NEAR(k[i][j], k[j][i], 1e-15);
    for (int motion = 0; motion < 6; motion++) {
        double u[FEM_ELEMENT] = {};
        for (int n = 0; n < 8; n++) {
            const double at[3] = {double(n & 1), double(n >> 1 & 1), double(n >> 2)};
            const int a = motion % 3, b = (motion + 1) % 3;
            if (motion < 3) {
                u[3 * n + motion] = 1;
            } else {  // a turn, of small angle
                u[3 * n + a] = -at[b];
                u[3 * n + b] = at[a];
            }
        }
        for (int i = 0; i < FEM_ELEMENT; i++) {
            double f = 0;
            for (int j = 0; j < FEM_ELEMENT; j++) f += k[i][j] * u[j];
            EXPECT_NEAR(f, 0, 1e-14) << "motion " << motion;
        }
    }
}

// A strain that is the same everywhere has the energy that the material says.
TEST(NewmarkFem, AConstantStrainHasItsEnergy) {
    const double e = 1, nu = 0.3;
    double k[FEM_ELEMENT][FEM_ELEMENT];
    fem_stiffness(k);
    const auto energy = [&](const double g[3][3]) {  // of displacement g · x
        double u[FEM_ELEMENT], sum = 0;
        for (int n = 0; n < 8; n++)
            for (int d = 0; d < 3; d++)
                u[3 * n + d] = g[d][0] * (n & 1) + g[d][1] * (n >> 1 & 1) + g[d][2] * (n >> 2);
        for (int i = 0; i < FEM_ELEMENT; i++)
            for (int j = 0; j < FEM_ELEMENT; j++) sum += u[i] * k[i][j] * u[j];
        return sum;
    };
    const double stretch[3][3] = {{1, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    const double shear[3][3] = {{0, 1, 0}, {0, 0, 0}, {0, 0, 0}};
    const double free_sides[3][3] = {{1, 0, 0}, {0, -nu, 0}, {0, 0, -nu}};
    EXPECT_NEAR(energy(stretch), e * (1 - nu) / ((1 + nu) * (1 - 2 * nu)), 1e-14);
    EXPECT_NEAR(energy(shear), e / (2 * (1 + nu)), 1e-14);
    EXPECT_NEAR(energy(free_sides), e, 1e-14);
}

TEST(NewmarkFem, MassAndLoadAreAllThere) {
    const unsigned size[3] = {3, 2, 4};
    const fem_box all = {{0, 0, 0}, {3, 2, 4}};
    const size_t n = 3 * fem_nodes(&all);
    Vector k(n * n), mass(n), f(n);
    fem_assemble(&all, k.data(), mass.data());
    fem_load(&all, size, f.data());
    double m = 0, load = 0;
    for (size_t i = 0; i < n; i += 3) {
        m += mass[i];
        load += f[i];
        EXPECT_EQ(f[i + 1], 0);
        EXPECT_EQ(f[i + 2], 0);
    }
    EXPECT_NEAR(m, 24, 1e-12);
    EXPECT_NEAR(load, 1, 1e-14);
}

// ---- a run

struct Done {
    Vector u, tips;
    offload_counts counts;
    bool made;
};

Done run(const newmark_config &mesh, const offload_config &cfg, int steps) {
    Done d = {};
    offload *o = offload_create(&cfg);
    if (o == nullptr)
        return d;
    const newmark_library lib = offload_library(o);
    newmark *m = newmark_create(&mesh, &lib);
    d.made = m != nullptr;
    for (int i = 0; i < steps && m != nullptr; i++) d.tips.push_back(newmark_step(m));
    d.counts = offload_counted(o);
    if (m != nullptr) {
        d.u.resize(newmark_unknowns(m));
        newmark_displacements(m, d.u.data());
    }
    EXPECT_TRUE(offload_good(o));
    newmark_destroy(m);
    offload_destroy(o);
    return d;
}

newmark_config mesh_of(unsigned x, unsigned y, unsigned z, unsigned depth) {
    newmark_config c = {};
    c.size[0] = x;
    c.size[1] = y;
    c.size[2] = z;
    c.depth = depth;
    c.report = 5;
    c.step = 0.5;
    return c;
}

offload_config on_cpu() {
    return {};
}

offload_config on_gpu(uint64_t limit) {
    offload_config c = {};
    c.gpu = true;
    c.runtime.limit = limit;
    return c;
}

// A x = b by Gauss, without a library.
Vector solve(Vector a, Vector b) {
    const size_t n = b.size();
    for (size_t i = 0; i < n; i++) {
        size_t best = i;
        for (size_t r = i; r < n; r++)
            if (std::fabs(a[r * n + i]) > std::fabs(a[best * n + i]))
                best = r;
        for (size_t c = 0; c < n; c++) std::swap(a[i * n + c], a[best * n + c]);
        std::swap(b[i], b[best]);
        for (size_t r = i + 1; r < n; r++) {
            const double f = a[r * n + i] / a[i * n + i];
            for (size_t c = i; c < n && f != 0; c++) a[r * n + c] -= f * a[i * n + c];
            b[r] -= f * b[i];
        }
    }
    for (size_t i = n; i-- != 0;) {
        for (size_t c = i + 1; c < n; c++) b[i] -= a[i * n + c] * b[c];
        b[i] /= a[i * n + i];
    }
    return b;
}

// Newmark's method as the books have it, of the whole body, damping as the application's.
TEST(Newmark, IsNewmarksMethod) {
    const newmark_config mesh = mesh_of(2, 1, 2, 0);
    const fem_box all = {{0, 0, 0}, {2, 1, 2}};
    const size_t n = 3 * fem_nodes(&all);
    const double dt = mesh.step;
    Vector k(n * n), mass(n), f(n), d(n * n), left(n * n), u(n), v(n), a(n);
    fem_assemble(&all, k.data(), mass.data());
    fem_load(&all, mesh.size, f.data());
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            d[i * n + j] = 0.02 * (k[i * n + j] + (i == j && k[i * n + i] != 0 ? mass[i] : 0));
            left[i * n + j] =
                (i == j ? mass[i] : 0) + dt / 2 * d[i * n + j] + dt * dt / 4 * k[i * n + j];
        }
    for (int step = 1; step <= 10; step++) {
        Vector uu(n), vv(n), right = f;
        for (size_t i = 0; i < n; i++) {
            uu[i] = u[i] + dt * v[i] + dt * dt / 4 * a[i];
            vv[i] = v[i] + dt / 2 * a[i];
        }
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++) right[i] -= k[i * n + j] * uu[j] + d[i * n + j] * vv[j];
        a = solve(left, right);
        for (size_t i = 0; i < n; i++) {
            u[i] = uu[i] + dt * dt / 4 * a[i];
            v[i] = vv[i] + dt / 2 * a[i];
        }
        const Done is = run(mesh, on_cpu(), step);
        ASSERT_EQ(is.u.size(), n);
        for (size_t i = 0; i < n; i++) ASSERT_NEAR(is.u[i], u[i], 1e-11) << "step " << step;
    }
    EXPECT_GT(std::fabs(u[n - 3]), 0.1);
}

TEST(Newmark, SubDomainsTogetherAreTheWhole) {
    const unsigned sizes[][3] = {{4, 4, 4}, {5, 3, 4}, {2, 2, 9}, {6, 2, 2}};
    for (const auto &s : sizes) {
        const Done whole = run(mesh_of(s[0], s[1], s[2], 0), on_cpu(), 20);
        for (unsigned depth = 1; depth <= 4; depth++) {
            const Done parts = run(mesh_of(s[0], s[1], s[2], depth), on_cpu(), 20);
            if (!parts.made) {
                EXPECT_GE(depth, 4u);
                continue;
            }
            double most = 0;
            for (size_t i = 0; i < whole.u.size(); i++) {
                most = std::fmax(most, std::fabs(whole.u[i]));
                ASSERT_NEAR(parts.u[i], whole.u[i], 1e-9) << depth << " unknown " << i;
            }
            EXPECT_GT(most, 0.1);
        }
    }
}

TEST(Newmark, TooFewCubesAreRefused) {
    EXPECT_FALSE(run(mesh_of(1, 1, 1, 1), on_cpu(), 0).made);
    EXPECT_FALSE(run(mesh_of(2, 2, 2, 11), on_cpu(), 0).made);
    EXPECT_TRUE(run(mesh_of(2, 2, 2, 3), on_cpu(), 0).made);
}

// ---- on a GPU

bool same_bits(const Vector &a, const Vector &b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof a[0]) == 0;
}

TEST(Newmark, OnTheGpuItGetsTheSameBits) {
    std::mt19937_64 rng(test_seed());
    uint64_t calls = 0, evictions = 0, off = 0, elided = 0;
    for (int i = 0; i < 24; i++) {
        const newmark_config mesh = mesh_of(2 + unsigned(rng() % 3), 2 + unsigned(rng() % 3),
                                            2 + unsigned(rng() % 3), unsigned(rng() % 4));
        offload_config cfg = on_cpu();
        cfg.columns = rng() % 2;
        const Done plain = run(mesh, cfg, 20);
        ASSERT_TRUE(plain.made);
        const uint64_t limits[] = {UINT64_C(1) << 40, 2000000, 600000, 100000, 20000};
        cfg.gpu = true;
        cfg.runtime.limit = limits[i % 5];
        cfg.runtime.evict = static_cast<gmmu_sem_evict>(rng() % GMMU_SEM_EVICTS);
        cfg.runtime.write_through = rng() % 2;
        cfg.runtime.ranges = rng() % 2 ? 0 : 4 + unsigned(rng() % 12);
        const Done gpu = run(mesh, cfg, 20);
        EXPECT_TRUE(same_bits(plain.u, gpu.u)) << "run " << i;
        EXPECT_TRUE(same_bits(plain.tips, gpu.tips)) << "run " << i;
        EXPECT_EQ(plain.counts.gesv, plain.counts.factorised);
        calls += gpu.counts.sem.calls;
        evictions += gpu.counts.sem.evictions;
        off += gpu.counts.sem.on_cpu;
        elided += gpu.counts.sem.elided;
    }
    std::printf("[ vectors  ] %llu calls, %llu on the CPU, %llu evictions, %llu results kept\n",
                static_cast<unsigned long long>(calls), static_cast<unsigned long long>(off),
                static_cast<unsigned long long>(evictions),
                static_cast<unsigned long long>(elided));
    EXPECT_GT(evictions, 100u);
    EXPECT_GT(off, 100u);
    EXPECT_LT(off, calls);
    EXPECT_GT(elided, 100u);
}

// ---- the case study's figures

struct Played {
    gmmu_sem_row total;
    gmmu_sem_counts counts;
};

Played play(const std::string &path, const char *protocol) {
    gmmu_sem_play_config c = {};
    EXPECT_TRUE(gmmu_sem_protocol_of(protocol, &c.protocol));
    c.runtime.limit = UINT64_C(1) << 40;
    c.link = gmmu_sem_usual_link;
    gmmu_error err = {};
    gmmu_sem_reader *r = gmmu_sem_open(path.c_str(), &err);
    EXPECT_NE(r, nullptr) << err.text;
    gmmu_sem_play *p = gmmu_sem_play_create(&c);
    gmmu_sem_event e;
    int status;
    while ((status = gmmu_sem_next(r, &e, &err)) == GMMU_OK)
        EXPECT_TRUE(gmmu_sem_play_event(p, &e));
    EXPECT_EQ(status, GMMU_END) << err.text;
    const Played is = {gmmu_sem_play_total(p), gmmu_sem_play_counts(p)};
    gmmu_sem_play_destroy(p);
    gmmu_sem_close(r);
    return is;
}

// What is recorded moves in the replay what moved in the run, and by the case study's measures:
// its mix of operations, transfers and factorisations.
TEST(Newmark, TheCaseStudysMeasures) {
    for (const bool through : {false, true}) {
        char path[] = "/tmp/newmark.XXXXXX";
        const int fd = mkstemp(path);
        ASSERT_GE(fd, 0);
        offload_config cfg = on_gpu(UINT64_C(1) << 40);
        cfg.runtime.write_through = through;
        cfg.trace = fdopen(fd, "w");
        const Done d = run(mesh_of(5, 5, 5, 3), cfg, 20);
        ASSERT_EQ(std::fclose(cfg.trace), 0);
        const offload_counts &n = d.counts;
        cfg.trace = nullptr;
        cfg.dry = true;
        const offload_counts dry = run(mesh_of(5, 5, 5, 3), cfg, 20).counts;
        EXPECT_EQ(std::memcmp(&dry, &n, sizeof n), 0);
        const Played same = play(path, through ? "wt" : "wb"), fig9 = play(path, "fig9");
        std::remove(path);
        // newmark_displacements, after the counts were taken, reads what the last report has read
        EXPECT_EQ(same.total.up_bytes, n.sem.up_bytes);
        EXPECT_EQ(same.total.down_bytes, n.sem.down_bytes);
        EXPECT_EQ(same.counts.elided, n.sem.elided);
        EXPECT_EQ(n.sem.lookups, 3 * n.gemm + 2 * (n.gesv + n.xpy + n.copy) + n.factorised);
        EXPECT_LE((n.sem.up_bytes + n.sem.down_bytes) * 5,
                  fig9.total.up_bytes + fig9.total.down_bytes);
        EXPECT_LE(n.factorised * 5, n.gesv);
        const double mix[][2] = {
            {double(n.gesv), 131.0}, {double(n.xpy), 394.0}, {double(n.copy), 62.0}};
        for (const auto &m : mix) {
            const double ours = m[0] / double(n.gemm), paper = m[1] / 470;  // Table 3, Cube10
            EXPECT_LT(ours, 2 * paper);
            EXPECT_GT(ours, paper / 2);
        }
    }
}

// The trace in sim/sem is of this program.
TEST(Newmark, TheTraceIsWhatItRecords) {
    char *text = nullptr;
    size_t length = 0;
    offload_config cfg = on_cpu();
    cfg.trace = open_memstream(&text, &length);
    ASSERT_NE(cfg.trace, nullptr);
    (void)run(mesh_of(3, 3, 3, 2), cfg, 5);
    ASSERT_EQ(std::fclose(cfg.trace), 0);
    std::istringstream is(text);
    std::free(text);
    const char *root = std::getenv("GMMU_ROOT");
    std::ifstream kept((root != nullptr ? std::string(root) + "/" : "") + "sim/sem/newmark.sem");
    ASSERT_TRUE(kept);
    std::string a, b;
    unsigned lines = 0;
    while (std::getline(kept, a)) {
        if (a[0] == '#')
            continue;
        ASSERT_TRUE(std::getline(is, b)) << a;
        ASSERT_EQ(a, b);
        lines++;
    }
    EXPECT_GT(lines, 400u);
}

}  // namespace
