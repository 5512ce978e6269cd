// SPDX-License-Identifier: Apache-2.0
// rodinia2_test.cpp: tests of Rodinia's b+tree, hybridsort, lavaMD, heartwall and leukocyte as
// kernels of `gmmu record`.
//
// Each kernel checks its own result; here that check is run over sizes, blocks and seeds, and made
// to fail in every array that it looks at. What the instructions touch in all is worked out from
// the algorithm. The data that the hosts make are held to what they should be.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "simt_bench.h"

namespace {

using namespace simt_bench;

// An array of the machine, by name.
const gmmu_array *array_of(const gmmu_simt *m, const char *name) {
    const gmmu_space *space = gmmu_simt_space(m);
    for (unsigned i = 0; i < space->arrays; i++)
        if (std::strcmp(space->array[i].name, name) == 0)
            return &space->array[i];
    ADD_FAILURE() << "no array " << name;
    return nullptr;
}

template <typename T>
std::vector<T> values(const gmmu_simt *m, const char *name) {
    const gmmu_array *a = array_of(m, name);
    EXPECT_EQ(a->element, sizeof(T)) << name;
    auto *v = static_cast<const T *>(a->data);
    return {v, v + a->count};
}

gmmu_simt_params params(const gmmu_simt_kernel *k, uint64_t size, unsigned block = 256,
                        uint64_t seed = 1) {
    gmmu_simt_params p = gmmu_simt_defaults(k);
    p.size = size;
    p.block = block;
    p.seed = seed;
    return p;
}

double last_progress;  // of the run below, the last that it told

// A machine that has run, its result right; what it did goes to TALLY. Progress never falls.
Machine ran(const gmmu_simt_kernel *k, const gmmu_simt_params &p, Tally *tally = nullptr) {
    static gmmu_simt_kernel counted;
    static Tally none;
    std::vector<double> seen;
    counted = *k;
    counted.step = tally_step;
    tally_kernel = k;
    tally_now = tally != nullptr ? tally : &none;
    gmmu_error err = {};
    gmmu_simt_hooks hooks = {};
    hooks.ctx = &seen;
    hooks.progress = [](void *ctx, double done) {
        static_cast<std::vector<double> *>(ctx)->push_back(done);
    };
    Machine m = machine(&counted, p);
    EXPECT_EQ(gmmu_simt_run(m.get(), &hooks, &err), GMMU_OK) << k->name << ": " << err.text;
    EXPECT_EQ(seen.size(), gmmu_simt_get_stats(m.get()).instructions >> 15);
    EXPECT_TRUE(std::is_sorted(seen.begin(), seen.end())) << k->name;
    for (double done : seen) EXPECT_TRUE(done >= 0 && done <= 1) << k->name << " " << done;
    last_progress = seen.empty() ? 0 : seen.back();
    EXPECT_EQ(gmmu_simt_check(m.get(), &err), GMMU_OK) << k->name << ": " << err.text;
    return m;
}

// Flips one bit of element AT of array NAME: the check must say so, and be content again without.
void expect_noticed(gmmu_simt *m, const char *name, uint64_t at) {
    const gmmu_array *a = array_of(m, name);
    auto *byte = static_cast<unsigned char *>(a->data) + at * a->element;
    gmmu_error err = {};
    *byte ^= 4;
    EXPECT_EQ(gmmu_simt_check(m, &err), GMMU_BAD) << name << " " << at;
    EXPECT_NE(std::string(err.text).find(": found "), std::string::npos) << err.text;
    *byte ^= 4;
    EXPECT_EQ(gmmu_simt_check(m, &err), GMMU_OK) << err.text;
}

uint64_t ceil_of(uint64_t n, uint64_t part) {
    return (n + part - 1) / part;
}

// ---------------------------------------------------------------- b+tree

// Every path leads to a leaf of one depth; the leaves hold the records in order; a key of an inner
// node is the lowest one of the child beside it.
TEST(BTree, TheTreeIsOne) {
    for (unsigned block : {1u, 3u, 4u, 5u, 16u, 256u, 508u}) {
        for (uint64_t n : {1, 2, 3, 4, 5, 169, 170, 171, 172, 1000, 5000}) {
            const unsigned order = std::max(block, 3u);
            Machine m = machine(&gmmu_simt_btree, params(&gmmu_simt_btree, n, block));
            std::vector<int32_t> words = values<int32_t>(m.get(), "nodes");
            const uint64_t stride = 2 * order + 5;
            ASSERT_EQ(words.size() % stride, 0u);
            struct Place {
                uint64_t node;
                unsigned depth;
                int64_t low, high;  // its keys' bounds
            };
            std::vector<Place> queue = {{0, 0, INT32_MIN, INT32_MAX}};
            std::vector<int32_t> keys, records;
            unsigned leaf_depth = 0;
            for (size_t at = 0; at < queue.size(); at++) {
                const Place p = queue[at];
                EXPECT_EQ(p.node, at) << "by levels";
                const int32_t *index = &words[p.node * stride + 1];
                const int32_t *key = index + order + 1;
                const bool leaf = key[order + 1] != 0;
                const int32_t used = key[order + 2] - 2;
                EXPECT_EQ(words[p.node * stride], static_cast<int32_t>(p.node));
                ASSERT_LE(used, static_cast<int32_t>(order) - 1);
                ASSERT_GE(used, leaf ? 1 : 0);
                EXPECT_EQ(key[0], INT32_MIN);
                for (unsigned k = static_cast<unsigned>(used) + 1; k <= order; k++)
                    EXPECT_EQ(key[k], INT32_MAX);
                EXPECT_TRUE(leaf_depth == 0 || !leaf || p.depth == leaf_depth);
                for (int32_t k = leaf ? 1 : 0; k <= used; k++) {
                    const int64_t low = k == 0 ? p.low : key[k];
                    EXPECT_TRUE(low >= p.low && low < p.high);
                    if (leaf) {
                        leaf_depth = p.depth;
                        keys.push_back(key[k]);
                        records.push_back(index[k]);
                    } else {
                        queue.push_back({static_cast<uint64_t>(index[k]), p.depth + 1, low,
                                         k == used ? p.high : key[k + 1]});
                    }
                }
                if (!leaf) {
                    for (int32_t k = 1; k <= used; k++) {
                        uint64_t down = static_cast<uint64_t>(index[k]);
                        while (words[down * stride + 2 * order + 3] == 0)
                            down = static_cast<uint64_t>(words[down * stride + 1]);
                        EXPECT_EQ(words[down * stride + order + 3], key[k]);
                    }
                }
            }
            EXPECT_EQ(queue.size(), words.size() / stride);
            ASSERT_EQ(keys.size(), n);
            for (uint64_t i = 0; i < n; i++) {
                EXPECT_EQ(records[i], static_cast<int32_t>(i));
                if (i > 0) {
                    EXPECT_GT(keys[i], keys[i - 1]);
                }
            }
        }
    }
}

TEST(BTree, FindsAtEverySizeAndOrder) {
    unsigned found = 0;
    unsigned missed = 0;
    for (unsigned block : {1u, 3u, 4u, 7u, 33u, 100u, 256u, 508u, 1024u}) {
        for (uint64_t n : {1, 2, 5, 40, 333, 2000}) {
            for (uint64_t seed : {1, 2}) {
                Machine m = ran(&gmmu_simt_btree, params(&gmmu_simt_btree, n, block, seed));
                for (int32_t answer : values<int32_t>(m.get(), "answer"))
                    (answer < 0 ? missed : found)++;
            }
        }
    }
    EXPECT_GT(found, 100u);
    EXPECT_GT(missed, 50u);
}

// 20000 keys in 118 leaves below one root.
TEST(BTree, InstructionsTouchThePlannedElements) {
    const uint64_t finds = 200, ranges = 120, order = 256;
    std::vector<uint64_t> elements(55, 0);
    auto fill = [&](unsigned first, unsigned last, uint64_t count) {
        std::fill(elements.begin() + first, elements.begin() + last + 1, count);
    };
    fill(0, 2, order * finds);  // one level above the leaves
    fill(6, 12, finds);         // the one child; thread 0's turn
    fill(13, 15, order * finds);
    fill(20, 22, order * ranges);
    fill(26, 30, ranges);
    fill(31, 33, order * ranges);
    fill(37, 45, ranges);  // the other end; thread 0's turn, twice
    fill(46, 48, order * ranges);
    elements.resize(61);
    fill(46, 48, order * ranges);
    fill(52, 54, order * ranges);
    elements.resize(59);
    Tally tally =
        expect_plan({&gmmu_simt_btree, 20000, elements, {10, 12, 19, 30, 41, 43, 45, 51, 58}});
    auto touched = [&](unsigned site) { return tally.elements[gmmu_simt_ref(site)]; };
    // both comparisons: of the keys that are low enough
    EXPECT_EQ(touched(3), touched(4));
    EXPECT_EQ(touched(3), touched(5));
    EXPECT_GT(touched(3), finds);
    EXPECT_LT(touched(3), order * finds);
    for (unsigned site : {17u, 18u, 19u}) EXPECT_EQ(touched(site), touched(16));
    EXPECT_GT(touched(16), finds / 2);
    EXPECT_LT(touched(16), finds);
}

TEST(BTree, EveryWrongAnswerIsNoticed) {
    Machine m = ran(&gmmu_simt_btree, params(&gmmu_simt_btree, 3000, 20));
    for (uint64_t i : {0u, 17u, 29u}) expect_noticed(m.get(), "answer", i);
    for (uint64_t i : {0u, 9u, 17u}) {
        expect_noticed(m.get(), "first", i);
        expect_noticed(m.get(), "length", i);
    }
    ran(&gmmu_simt_btree, params(&gmmu_simt_btree, 100000));
    EXPECT_GT(last_progress, 0.8);
}

// ---------------------------------------------------------------- hybridsort

TEST(HybridSort, SortsAtEverySizeAndBlock) {
    for (uint64_t n : {1, 2, 3, 4, 5, 31, 100, 1023, 4096, 4097, 20000}) {
        for (unsigned block : {1u, 7u, 256u, 1000u}) {
            if (block == 1 && n > 100)
                continue;
            for (uint64_t seed = 0; seed < (n < 10 && block == 7 ? 6 : 1); seed++)
                ran(&gmmu_simt_hybridsort, params(&gmmu_simt_hybridsort, n, block, seed));
        }
    }
}

TEST(HybridSort, InstructionsTouchThePlannedElements) {
    const uint64_t n = 30000, blocks = ceil_of(n, 4096), bins = 1024;
    std::vector<uint64_t> elements = {n,
                                      64 * bins,  // histogram: each block adds all its bins
                                      n,
                                      n,
                                      9 * n,
                                      n,
                                      blocks * bins,  // count: ten pivots
                                      blocks * bins,
                                      blocks * bins,
                                      bins,  // prefix
                                      blocks * bins,
                                      blocks * bins,
                                      n,
                                      n,
                                      n,  // scatter
                                      0,
                                      0,  // first: of the vectors
                                      0,
                                      0,
                                      0,
                                      0,
                                      0,
                                      0,
                                      0,
                                      0,
                                      0,
                                      0,
                                      0,
                                      0,
                                      0,  // pass: of the vectors, by bucket
                                      0,
                                      0,
                                      n,
                                      n,
                                      n,
                                      n,
                                      n};  // pack
    expect_plan({&gmmu_simt_hybridsort, n, elements, {1, 5, 6, 8, 9, 14, 16, 22, 27, 29, 36}});
    Tally tally;
    Machine m = ran(&gmmu_simt_hybridsort, params(&gmmu_simt_hybridsort, n), &tally);
    auto touched = [&](unsigned site) { return tally.elements[gmmu_simt_ref(site)]; };
    std::vector<uint32_t> size = values<uint32_t>(m.get(), "size");
    uint64_t vectors = 0, largest = 0, sum = 0;
    for (uint32_t s : size) {
        vectors += ceil_of(s, 4);
        largest = std::max(largest, ceil_of(s, 4));
        sum += s;
    }
    EXPECT_EQ(sum, n);
    EXPECT_LT(largest, 4 * vectors / bins) << "buckets are about as large as one another";
    EXPECT_EQ(touched(15), vectors);
    EXPECT_EQ(touched(16), vectors);
    // In each pass a thread has a run; it copies the run, or merges its two halves, in which
    // every step but the last of them writes one vector and loads two.
    uint64_t threads = 0, begins = 0, copied = 0, merges = 0, merged = 0;
    for (uint64_t run = 2;; run *= 2) {
        const uint64_t per = ceil_of(largest, run);
        uint64_t grid = ceil_of(per * bins, 208) * 208;
        if (ceil_of(per * bins, 208) < 8)
            grid = ceil_of(per * bins, 8) * 8;
        threads += std::min(grid, per * bins);
        for (uint32_t s : size) {
            const uint64_t all = ceil_of(s, 4);
            for (uint64_t at = 0; at < all; at += run) {
                const uint64_t here = std::min(run, all - at);
                begins++;
                if (here <= run / 2)
                    copied += here;
                else
                    merges++, merged += here - 1;
            }
        }
        if (per == 1)
            break;
    }
    EXPECT_EQ(touched(17), threads);
    EXPECT_EQ(touched(18), threads);
    EXPECT_EQ(touched(19), begins);
    EXPECT_EQ(touched(20), copied + begins - merges) << "one look more, at the end";
    EXPECT_EQ(touched(21), copied);
    EXPECT_EQ(touched(22), copied);
    for (unsigned site : {23u, 24u, 29u}) EXPECT_EQ(touched(site), merges);
    for (unsigned site : {25u, 26u, 27u}) EXPECT_EQ(touched(site), merged);
    EXPECT_GE(touched(28), merged / 3);
    EXPECT_LE(touched(28), merged);
    const uint64_t packs = ceil_of(4 * largest, 256) * 256 * bins;
    EXPECT_EQ(touched(30), packs);
    EXPECT_EQ(touched(31), packs);
}

TEST(HybridSort, SortsManyElements) {
    ran(&gmmu_simt_hybridsort, params(&gmmu_simt_hybridsort, 120000));
    EXPECT_GT(last_progress, 0.8);
}

// ---------------------------------------------------------------- lavamd

TEST(LavaMd, BoxesKnowTheirNeighbours) {
    for (uint64_t n : {1, 2, 5, 8, 26, 27, 28, 64, 70}) {
        Machine m = machine(&gmmu_simt_lavamd, params(&gmmu_simt_lavamd, n));
        std::vector<int32_t> words = values<int32_t>(m.get(), "boxes");
        ASSERT_EQ(words.size(), n * 164);
        uint64_t pairs = 0;
        for (uint64_t b = 0; b < n; b++) {
            const int32_t *box = &words[b * 164];
            EXPECT_EQ(box[3], static_cast<int32_t>(b));
            EXPECT_EQ(box[4], static_cast<int32_t>(100 * b));
            for (int32_t k = 0; k < box[6]; k++) {
                const int32_t *one = box + 8 + 6 * k;
                ASSERT_LT(static_cast<uint64_t>(one[3]), n);
                const int32_t *other = &words[static_cast<uint64_t>(one[3]) * 164];
                EXPECT_TRUE(std::equal(other, other + 5, one)) << "place, number and offset";
                EXPECT_NE(other, box);
                if (k > 0) {
                    EXPECT_GT(one[3], one[3 - 6]) << "each once";
                }
            }
            // all that are near
            for (uint64_t c = 0; c < n; c++) {
                const int32_t *other = &words[c * 164];
                int far = 0;
                for (unsigned i = 0; i < 3; i++) far = std::max(far, std::abs(box[i] - other[i]));
                EXPECT_EQ(far == 0, b == c);
                pairs += far == 1;
            }
            pairs -= static_cast<uint64_t>(box[6]);
        }
        EXPECT_EQ(pairs, 0u);
    }
}

// Three boxes, each the neighbour of both others: two of a 2 x 2 x 2 cube's first line, one behind.
TEST(LavaMd, InstructionsTouchThePlannedElements) {
    const uint64_t boxes = 3, near = 2, all = boxes * 256, particles = boxes * 100;
    std::vector<uint64_t> elements = {
        all,  // home
        particles, particles, particles, particles, all * (near + 2), all * near, all * (near + 1)};
    elements.insert(elements.end(), 5, particles * (near + 1));
    elements.insert(elements.end(), 8, particles * (near + 1) * 100);
    expect_plan({&gmmu_simt_lavamd, boxes, elements, {14, 16, 18, 20}});
}

TEST(LavaMd, ForcesAtEverySizeAndBlock) {
    for (uint64_t n : {1, 2, 5})
        for (unsigned block : {31u, 100u, 128u, 1000u})
            ran(&gmmu_simt_lavamd, params(&gmmu_simt_lavamd, n, block, n));
    ran(&gmmu_simt_lavamd, params(&gmmu_simt_lavamd, 1, 1));
    Machine m = ran(&gmmu_simt_lavamd, params(&gmmu_simt_lavamd, 9));
    EXPECT_GT(last_progress, 0.1);
    for (uint64_t i : {0u, 1801u, 3599u}) expect_noticed(m.get(), "force", i);
}

// ---------------------------------------------------------------- heartwall

constexpr uint64_t kFrames = 4, kIn = 51 * 51, kWindow = 81 * 81, kConv = 131 * 131,
                   kPad = 183 * 183, kStrip = 131 * 183;

// The pattern's movement is what the points are found to follow.
void expect_followed(const gmmu_simt *m, uint64_t n) {
    static const int down[kFrames] = {0, 3, -1, 2};
    static const int right[kFrames] = {0, -2, 2, 4};
    std::vector<int32_t> rows = values<int32_t>(m, "rows");
    std::vector<int32_t> columns = values<int32_t>(m, "columns");
    std::vector<int32_t> row = values<int32_t>(m, "row");
    std::vector<int32_t> column = values<int32_t>(m, "column");
    for (uint64_t i = 0; i < n; i++) {
        for (uint64_t frame = 0; frame < kFrames; frame++) {
            EXPECT_EQ(rows[i * kFrames + frame], rows[i * kFrames] + down[frame]);
            EXPECT_EQ(columns[i * kFrames + frame], columns[i * kFrames] + right[frame]);
        }
        EXPECT_EQ(row[i], rows[i * kFrames] + down[2]) << "the place of frame 2";
        EXPECT_EQ(column[i], columns[i * kFrames] + right[2]);
    }
}

TEST(HeartWall, PointsLieOnTwoRings) {
    for (uint64_t n : {1, 2, 3, 4, 5, 51, 100}) {
        Machine m = machine(&gmmu_simt_heartwall, params(&gmmu_simt_heartwall, n));
        std::vector<int32_t> row = values<int32_t>(m.get(), "row");
        std::vector<int32_t> column = values<int32_t>(m.get(), "column");
        const double side = 256 + 7 * static_cast<double>(n);
        unsigned quarter[4] = {0, 0, 0, 0};
        for (uint64_t i = 0; i < n; i++) {
            const double y = row[i] - side / 2, x = column[i] - side / 2;
            const double radius = side * (i % 2 == 0 ? 0.18 : 0.24);
            EXPECT_NEAR(std::sqrt(x * x + y * y), radius, 1.5) << i << " of " << n;
            quarter[(x < 0) + 2 * (y < 0)]++;
            for (uint64_t k = 0; k < i; k++)
                EXPECT_TRUE(row[i] != row[k] || column[i] != column[k]);
        }
        for (unsigned q : quarter) EXPECT_GE(q + 2, n / 4);
    }
}

TEST(HeartWall, InstructionsTouchThePlannedElements) {
    const uint64_t tracked = kFrames - 1, threads = 256;
    // how many elements of a line of 131 the 10 of the mask reach, in all
    uint64_t reach = 0;
    for (int i = 0; i < 131; i++)
        for (int k = i - 4; k <= i + 5; k++) reach += k >= 0 && k < 131;
    std::vector<uint64_t> elements = {1, 1, 1, 1, kIn, kIn, kIn, kIn};
    auto add = [&](unsigned count, uint64_t each) {
        elements.insert(elements.end(), count, tracked * each);
    };
    add(2, threads);
    add(2, kWindow);
    add(1, kIn);
    add(1, kIn * kWindow);  // each pair meets once in a full convolution
    add(1, kConv);
    for (unsigned round = 0; round < 2; round++) {
        add(2, kWindow);
        add(1, kPad - kWindow);
        add(3, kPad);
        add(2, kStrip);
        add(2, kStrip);
        add(3, kStrip);
        add(3, kStrip);
        add(2, kConv);
        add(2, kConv);
        add(3, kConv);
    }
    add(2, kWindow);
    add(3, kConv);
    add(2, kIn);
    add(2, kIn);
    add(2, kConv);
    add(3, kConv);
    add(3, kConv);
    add(4, threads);
    add(1, kConv);
    add(1, reach * reach);
    add(3, kConv);
    add(4, 1);
    elements.insert(elements.end(), 4, threads);  // one update
    elements.insert(elements.end(), 5, kIn);
    std::vector<unsigned> stores = {1, 3, 7, 11, 14};
    for (unsigned site : {1u, 2u, 4u, 7u, 9u, 12u, 14u, 17u, 19u, 22u}) {
        stores.push_back(15 + site);
        stores.push_back(38 + site);
    }
    for (unsigned site : {62u, 65u, 67u, 71u, 74u, 77u, 82u, 85u, 88u, 90u, 92u, 94u, 99u})
        stores.push_back(site);
    Tally tally;
    Machine m = ran(&gmmu_simt_heartwall, params(&gmmu_simt_heartwall, 1), &tally);
    ASSERT_EQ(tally.elements.size(), elements.size());
    for (unsigned i = 0; i < elements.size(); i++) {
        const uint64_t ref = gmmu_simt_ref(i);
        const bool store = std::count(stores.begin(), stores.end(), i) != 0;
        EXPECT_EQ(tally.elements[ref], elements[i]) << i;
        EXPECT_EQ(tally.writes.count(ref) != 0, store) << i;
        EXPECT_EQ(tally.reads.count(ref) != 0, !store) << i;
    }
    expect_followed(m.get(), 1);
    for (uint64_t frame = 0; frame < kFrames; frame++) {
        expect_noticed(m.get(), "rows", frame);
        expect_noticed(m.get(), "columns", frame);
    }
    expect_noticed(m.get(), "row", 0);
    expect_noticed(m.get(), "column", 0);
    expect_noticed(m.get(), "templates", 0);
    expect_noticed(m.get(), "templates", kIn - 1);
    // the correlation at the last place, in the window around the place of frame 2
    expect_noticed(m.get(), "masked", (65 + 4 - 2) * 131 + 65 + 2 - -1);
}

TEST(HeartWall, FollowsWithSmallBlocks) {
    // fewer threads than the search has lines, the last warp partial
    Machine m = ran(&gmmu_simt_heartwall, params(&gmmu_simt_heartwall, 2, 75, 5));
    expect_followed(m.get(), 2);
}

// ---------------------------------------------------------------- leukocyte

TEST(Leukocyte, TablesAreThoseOfTheMathematicalLibrary) {
    Machine m = machine(&gmmu_simt_leukocyte, params(&gmmu_simt_leukocyte, 1));
    std::vector<float> sine = values<float>(m.get(), "sine");
    std::vector<float> cosine = values<float>(m.get(), "cosine");
    std::vector<int32_t> x = values<int32_t>(m.get(), "circle_x");
    std::vector<int32_t> y = values<int32_t>(m.get(), "circle_y");
    for (unsigned n = 0; n < 150; n++) {
        const double angle = 2 * 3.14159265358979323846 * n / 150;
        EXPECT_NEAR(sine[n], std::sin(angle), 1e-7);
        EXPECT_NEAR(cosine[n], std::cos(angle), 1e-7);
        for (unsigned k = 0; k < 7; k++) {
            const double radius = 8 + 2 * k;
            EXPECT_EQ(x[k * 150 + n], std::trunc(std::cos(angle) * (1 + 1e-12) * radius));
            EXPECT_EQ(y[k * 150 + n], std::trunc(std::sin(angle) * (1 + 1e-12) * radius));
        }
    }
    float area = 0;
    for (float d : values<float>(m.get(), "disk")) area += d;
    EXPECT_EQ(area, 441) << "points with integer coordinates in a circle of radius 12";
}

TEST(Leukocyte, InstructionsTouchThePlannedElements) {
    const uint64_t n = 20, side = n + 44;
    uint64_t square = 0, disk = 0;
    for (int64_t row = 0; row < 64; row++)
        for (int64_t y = -12; y <= 12; y++)
            for (int64_t column = 0; column < 64; column++)
                for (int64_t x = -12; x <= 12; x++)
                    if (row + y >= 0 && row + y < 64 && column + x >= 0 && column + x < 64) {
                        square++;
                        disk += x * x + y * y <= 144;
                    }
    const uint64_t points = 7 * 150 * n * n;
    Tally tally = expect_plan({&gmmu_simt_leukocyte,
                               n,
                               {points, points, points, points, points, points, n * n, square, disk,
                                side * side, 320, 320, 320, 320, 0, 0, 0},
                               {6, 9, 16}});
    const uint64_t pixels = tally.elements[gmmu_simt_ref(14)];
    const uint64_t looks = tally.elements[gmmu_simt_ref(15)];
    EXPECT_EQ(tally.elements[gmmu_simt_ref(16)], pixels);
    EXPECT_LE(pixels, 41u * 64);
    EXPECT_GE(pixels, 38u * 64);
    EXPECT_EQ(looks % pixels, 0u);
    EXPECT_GT(looks / pixels, 10u);
    EXPECT_LE(looks / pixels, 500u);
    std::printf("%llu iterations\n", static_cast<unsigned long long>(looks / pixels));
}

TEST(Leukocyte, FindsTheCells) {
    struct {
        uint64_t n, cells;
        unsigned block;
    } cases[] = {{1, 1, 32}, {2, 1, 100}, {33, 1, 7}, {128, 4, 1000}};
    for (auto &c : cases) {
        for (uint64_t seed = 1; seed < (c.n < 33 ? 4 : 2); seed++) {
            Machine m = ran(&gmmu_simt_leukocyte, params(&gmmu_simt_leukocyte, c.n, c.block, seed));
            std::vector<int32_t> rows = values<int32_t>(m.get(), "rows");
            std::vector<int32_t> columns = values<int32_t>(m.get(), "columns");
            EXPECT_EQ(rows.size(), c.cells);
            for (uint64_t k = 0; k < c.cells; k++) {
                EXPECT_EQ(rows[k], 41);
                EXPECT_GT(columns[k], 40);
                EXPECT_LE(columns[k], 81);
            }
            // The greatest score within a few pixels of each cell's center.
            const uint64_t side = c.n + 44, spacing = std::min<uint64_t>(c.n, 64);
            std::vector<float> score = values<float>(m.get(), "score");
            std::vector<float> dilated = values<float>(m.get(), "dilated");
            for (uint64_t k = 0; c.n >= 33 && k < c.cells; k++) {
                const uint64_t row = 22 + spacing / 2 + k % (c.n / spacing) * spacing;
                const uint64_t column = 22 + spacing / 2 + k / (c.n / spacing) * spacing;
                bool near = false;
                for (uint64_t r = row - 3; r <= row + 3; r++)
                    for (uint64_t x = column - 3; x <= column + 3; x++)
                        near |= score[x * side + r] == dilated[r * side + x];
                EXPECT_TRUE(near) << k << " of " << c.n;
            }
            if (c.n == 33) {
                expect_noticed(m.get(), "score", 40 * side + 35);
                expect_noticed(m.get(), "score", 0);
                expect_noticed(m.get(), "dilated", 0);
                expect_noticed(m.get(), "dilated", side * side - 1);
                expect_noticed(m.get(), "flow", 0);
            }
        }
    }
    EXPECT_GT(last_progress, 0.7) << "of the last case";
}

}  // namespace
