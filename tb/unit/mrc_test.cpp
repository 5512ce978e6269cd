// SPDX-License-Identifier: Apache-2.0
// mrc_test.cpp: miss-ratio curves against one replay per size, against slow models written here,
// and sampled curves against exact ones.
//
// State space: random traces of five shapes (random_trace.h), and forms of the recorded traces:
// whole, heads, cuts. Parameter space: every memory size of the random traces; 50 sizes of the
// recorded ones of up to 20 000 walks and 2 000 pages, 5 of longer ones. GMMU_LONG=1: all of
// every form; without it the longer ones are cut, since replays with sanitizers are slow.
#include "mrc/mrc.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "policy/registry.h"
#include "policy/replay.h"
#include "random_trace.h"

namespace {

// A trace with its pages numbered, its future, and itself as runs read it.
class Numbered {
   public:
    explicit Numbered(std::vector<gmmu_walk> walks) : trace(std::move(walks)) {
        pages = gmmu_pages_create();
        for (const gmmu_walk &w : trace) {
            index.push_back(gmmu_pages_index(pages, w.asid, w.vpn));
            EXPECT_EQ(gmmu_kept_add(&kept, index.back(), &w), GMMU_OK);
        }
        future.count = trace.size();
        future.pages =
            static_cast<uint32_t *>(gmmu_grow(nullptr, 0, index.size() + 1, sizeof(uint32_t), 0));
        std::copy(index.begin(), index.end(), future.pages);
        EXPECT_EQ(gmmu_future_build(&future, distinct()), GMMU_OK);
    }
    ~Numbered() {
        gmmu_kept_free(&kept);
        gmmu_future_free(&future);
        gmmu_pages_destroy(pages);
    }
    Numbered(const Numbered &) = delete;
    Numbered &operator=(const Numbered &) = delete;

    uint32_t distinct() const { return gmmu_pages_count(pages); }
    gmmu_touch touch(size_t i) const { return {index[i], trace[i].asid, trace[i].ref, i + 1}; }
    gmmu_run run(const char *policy, uint32_t frames) const {
        gmmu_run r = {};
        r.policy = gmmu_policy_find(policy, std::string(policy).size());
        r.config = {};
        r.config.frames = frames;
        r.config.pages = pages;
        r.config.future = &future;
        return r;
    }

    std::vector<gmmu_walk> trace;
    std::vector<uint32_t> index;
    gmmu_pages *pages;
    gmmu_future future = {};
    gmmu_kept_trace kept = {};
};

// The stack distances of a trace.
std::vector<uint32_t> distances(const gmmu_stack *stack, const Numbered &n) {
    std::vector<uint32_t> d(n.trace.size());
    void *s = stack->create();
    gmmu_error err = {};
    for (size_t i = 0; i < d.size(); i++) {
        const gmmu_touch t = n.touch(i);
        EXPECT_EQ(stack->access(s, &t, &d[i], &err), GMMU_OK) << err.text;
    }
    stack->destroy(s);
    return d;
}

class Curve {
   public:
    Curve(const gmmu_stack *stack, const Numbered &n) {
        for (uint32_t d : distances(stack, n)) {
            EXPECT_EQ(gmmu_curve_add(&curve_, d), GMMU_OK);
        }
    }
    ~Curve() { gmmu_curve_free(&curve_); }
    Curve(const Curve &) = delete;
    Curve &operator=(const Curve &) = delete;
    gmmu_counts at(uint32_t frames) { return gmmu_curve_at(&curve_, frames); }

   private:
    gmmu_curve curve_ = {};
};

const gmmu_stack *const stacks[] = {&gmmu_stack_lru, &gmmu_stack_opt, &gmmu_stack_leu_exact};

// Curve and replay count the same at all of SIZES.
void compare(const gmmu_stack *stack, const Numbered &n, const std::vector<uint32_t> &sizes,
             const std::string &what) {
    Curve curve(stack, n);
    for (uint32_t frames : sizes) {
        gmmu_run run = n.run(stack->policy, frames);
        gmmu_error err = {};
        ASSERT_EQ(gmmu_runs(&n.kept, &run, 1, 1, &err), GMMU_OK) << err.text;
        const gmmu_counts c = curve.at(frames);
        ASSERT_EQ(c.faults, run.counts.faults)
            << what << ", " << stack->policy << ", " << frames << " of " << n.distinct();
        ASSERT_EQ(c.evictions, run.counts.evictions) << what << ", " << stack->policy;
        ASSERT_EQ(c.accesses, run.counts.accesses);
        ASSERT_EQ(c.cold, run.counts.cold);
    }
}

TEST(Curve, EqualsReplayAtEverySizeOfRandomTraces) {
    RandomTrace random(test_seed() + 10);
    uint64_t vectors = 0;
    for (int i = 0; i < 250; i++) {
        Numbered n(random.make(20 + random.below(400), 2 + random.below(i % 8 == 0 ? 120 : 24)));
        std::vector<uint32_t> sizes;
        for (uint32_t frames = 1; frames <= n.distinct() + 1; frames++) {
            sizes.push_back(frames);
        }
        for (const gmmu_stack *stack : stacks) {
            compare(stack, n, sizes, "random trace " + std::to_string(i));
            vectors += sizes.size();
        }
        if (HasFatalFailure()) {
            return;
        }
    }
    std::printf("[ vectors  ] curve, random traces: %llu sizes\n",
                static_cast<unsigned long long>(vectors));
}

// LRU and LEU, access by access: the distance is the smallest memory in which the access hits.
TEST(Curve, DistanceIsTheSmallestMemoryThatHits) {
    RandomTrace random(test_seed() + 11);
    for (int i = 0; i < 60; i++) {
        Numbered n(random.make(200, 2 + random.below(20)));
        for (const gmmu_stack *stack : {&gmmu_stack_lru, &gmmu_stack_leu_exact}) {
            std::vector<uint32_t> found(n.trace.size(), 0);
            for (uint32_t frames = n.distinct(); frames != 0; frames--) {
                gmmu_run r = n.run(stack->policy, frames);
                gmmu_error err = {};
                gmmu_sim *sim = gmmu_sim_create(r.policy, &r.config, &err);
                for (size_t t = 0; t < n.trace.size(); t++) {
                    gmmu_outcome out = {};
                    ASSERT_EQ(gmmu_sim_access(sim, n.index[t], &n.trace[t], &out, &err), GMMU_OK);
                    found[t] = out.fault ? found[t] : frames;
                }
                gmmu_sim_destroy(sim);
            }
            ASSERT_EQ(distances(stack, n), found) << stack->policy << ", trace " << i;
        }
    }
}

// Long enough that slots are numbered again many times, with pages that come late.
TEST(Lru, DistanceIsTheNumberOfDistinctPagesSince) {
    std::mt19937_64 rng(test_seed() + 12);
    gmmu_error err = {};
    void *s = gmmu_stack_lru.create();
    std::vector<uint32_t> order;  // youngest last
    for (uint64_t i = 0; i < 400000; i++) {
        const uint32_t most = 1 + static_cast<uint32_t>(i / 500);
        const uint32_t page = static_cast<uint32_t>(rng() % (1 + rng() % most));
        const gmmu_touch t = {page * 3, 0, 0, i + 1};
        uint32_t d = 0;
        ASSERT_EQ(gmmu_stack_lru.access(s, &t, &d, &err), GMMU_OK);
        const auto at = std::find(order.rbegin(), order.rend(), page);
        ASSERT_EQ(d, at == order.rend() ? 0 : at - order.rbegin() + 1) << i;
        if (at != order.rend()) {
            order.erase(std::next(at).base());
        }
        order.push_back(page);
        if (i % 97 == 0) {
            const uint32_t gone = order[rng() % order.size()];
            gmmu_stack_lru.forget(s, gone * 3);
            order.erase(std::find(order.begin(), order.end(), gone));
        }
    }
    gmmu_stack_lru.forget(s, 1U << 30);  // never seen
    gmmu_stack_lru.destroy(s);
}

// Mattson's algorithm for MIN, page by page: priority is the next use; of pages that are never used
// again the one with the oldest last access goes down.
std::map<uint32_t, uint64_t> mattson_opt(const Numbered &n) {
    std::vector<uint32_t> stack;
    std::map<uint32_t, uint64_t> last, next, hits;
    const uint64_t never = UINT64_MAX;
    const auto further = [&](uint32_t a, uint32_t b) {
        return next[a] != next[b] ? next[a] > next[b] : next[a] == never && last[a] < last[b];
    };
    for (size_t t = 0; t < n.trace.size(); t++) {
        const uint32_t x = n.index[t];
        auto at = std::find(stack.begin(), stack.end(), x);
        if (at != stack.end()) {
            hits[static_cast<uint32_t>(at - stack.begin()) + 1]++;
        } else {
            stack.push_back(x);
            at = stack.end() - 1;
        }
        if (at != stack.begin()) {
            uint32_t carried = stack.front();
            for (auto i = stack.begin() + 1; i != at; ++i) {
                if (further(*i, carried)) {
                    std::swap(*i, carried);
                }
            }
            *at = carried;
        }
        stack.front() = x;
        last[x] = t;
        next[x] = n.future.next[t];
    }
    return hits;
}

TEST(Opt, HistogramIsThatOfMattsonsStack) {
    RandomTrace random(test_seed() + 13);
    for (int i = 0; i < 300; i++) {
        const bool large = i % 100 == 0;
        Numbered n(random.make(large ? 8000 : 100 + random.below(900),
                               large ? 700 : 2 + random.below(200)));
        std::map<uint32_t, uint64_t> hits;
        for (uint32_t d : distances(&gmmu_stack_opt, n)) {
            hits[d] += d != 0 ? 1 : 0;
        }
        hits.erase(0);
        ASSERT_EQ(hits, mattson_opt(n)) << "trace " << i;
    }
}

// ---- runs in threads

TEST(Runs, AreThoseOfASimulationOnAnyNumberOfThreads) {
    RandomTrace random(test_seed() + 14);
    Numbered n(random.make(6000, 300));
    std::vector<gmmu_run> runs;
    for (const char *policy : {"lru", "fifo", "clock", "opt", "leu-exact", "leu"}) {
        for (uint32_t frames : {1U, 7U, 50U, 200U, 400U}) {
            runs.push_back(n.run(policy, frames));
        }
    }
    for (unsigned threads : {1U, 2U, 5U, 64U}) {
        std::vector<gmmu_run> done = runs;
        gmmu_error err = {};
        ASSERT_EQ(gmmu_runs(&n.kept, done.data(), done.size(), threads, &err), GMMU_OK) << err.text;
        for (const gmmu_run &r : done) {
            gmmu_sim *sim = gmmu_sim_create(r.policy, &r.config, &err);
            for (size_t t = 0; t < n.trace.size(); t++) {
                gmmu_outcome out = {};
                ASSERT_EQ(gmmu_sim_access(sim, n.index[t], &n.trace[t], &out, &err), GMMU_OK);
            }
            const gmmu_counts c = gmmu_sim_counts(sim);
            gmmu_sim_destroy(sim);
            EXPECT_EQ(r.counts.faults, c.faults) << r.policy->name << ", " << threads;
            EXPECT_EQ(r.counts.evictions, c.evictions) << r.policy->name << ", " << threads;
            EXPECT_EQ(r.counts.writebacks, c.writebacks) << r.policy->name << ", " << threads;
        }
    }
}

TEST(Runs, TheFirstThatFailsIsReported) {
    Numbered n({gmmu_walk{}});
    for (unsigned threads : {1U, 3U}) {
        std::vector<gmmu_run> runs = {n.run("lru", 1), n.run("fifo", 0), n.run("clock", 0)};
        gmmu_error err = {};
        EXPECT_EQ(gmmu_runs(&n.kept, runs.data(), runs.size(), threads, &err), GMMU_BAD);
        EXPECT_EQ(std::string(err.text), "policy fifo: found 0 frames, expected at least 1");
    }
}

// ---- samples

struct Sampled {
    gmmu_estimate estimate = {};
    gmmu_sample_set set = {};
    Sampled() = default;
    Sampled(const Sampled &) = delete;
    Sampled &operator=(const Sampled &) = delete;
    ~Sampled() {
        gmmu_estimate_free(&estimate);
        gmmu_sample_set_free(&set);
    }
};

// The estimate from pages of hashes below THRESHOLD, of no more than MOST pages.
void sample(const gmmu_stack *stack, const Numbered &n, uint64_t threshold, uint32_t most,
            Sampled *out) {
    gmmu_error err = {};
    gmmu_sample_set_init(&out->set, most, threshold);
    void *s = stack->create();
    std::set<uint32_t> met;
    for (size_t i = 0; i < n.trace.size(); i++) {
        const uint64_t hash = gmmu_sample_hash(n.trace[i].asid, n.trace[i].vpn);
        if (hash >= out->set.threshold) {
            continue;
        }
        uint32_t page = 0;
        if (met.insert(n.index[i]).second) {
            ASSERT_EQ(gmmu_sample_set_add(&out->set, hash, n.index[i]), GMMU_OK);
            while (gmmu_sample_set_shrink(&out->set, &page)) {
                stack->forget(s, page);
            }
        }
        if (hash < out->set.threshold) {
            const gmmu_touch t = n.touch(i);
            uint32_t d = 0;
            ASSERT_EQ(stack->access(s, &t, &d, &err), GMMU_OK);
            ASSERT_EQ(gmmu_estimate_add(&out->estimate, d, hash, out->set.threshold), GMMU_OK);
        }
    }
    stack->destroy(s);
}

// Zipf with exponent 1 over PAGES, scattered over the page numbers.
std::vector<gmmu_walk> zipf_trace(size_t length, size_t pages, uint64_t seed) {
    std::mt19937_64 rng(seed);
    std::vector<double> sum(pages);
    double total = 0;
    for (size_t i = 0; i < pages; i++) {
        sum[i] = total += 1.0 / static_cast<double>(i + 1);
    }
    std::vector<gmmu_walk> trace;
    for (size_t i = 0; i < length; i++) {
        const double u = static_cast<double>(rng() >> 11) * 0x1p-53 * total;
        const uint64_t rank =
            static_cast<uint64_t>(std::lower_bound(sum.begin(), sum.end(), u) - sum.begin());
        gmmu_walk w = {};
        w.vpn = seed * 1000003 + rank;
        w.ref = rank % 5;
        trace.push_back(w);
    }
    return trace;
}

struct Errors {
    double mean = 0, largest = 0;
    unsigned points = 0, within = 0;  // two standard errors
};

// The estimate beside the exact curve at 40 sizes.
Errors errors(const gmmu_stack *stack, const Numbered &n, uint64_t threshold, uint32_t most) {
    Curve exact(stack, n);
    Sampled s;
    sample(stack, n, threshold, most, &s);
    Errors e;
    for (uint32_t i = 1; i <= 40; i++) {
        const uint32_t frames = static_cast<uint32_t>(static_cast<uint64_t>(n.distinct()) * i / 40);
        const gmmu_estimate_point p =
            gmmu_estimate_at(&s.estimate, frames, n.trace.size(), s.set.threshold);
        const double miss =
            static_cast<double>(exact.at(frames).faults) / static_cast<double>(n.trace.size());
        const double off = std::fabs(p.miss_ratio - miss);
        e.mean += off / 40;
        e.largest = std::max(e.largest, off);
        e.points++;
        e.within += off <= 2 * p.std_error + 1e-12 ? 1 : 0;
    }
    return e;
}

TEST(Sample, OfAllPagesIsExact) {
    RandomTrace random(test_seed() + 15);
    for (int i = 0; i < 60; i++) {
        Numbered n(random.make(50 + random.below(1500), 2 + random.below(300)));
        for (const gmmu_stack *stack : stacks) {
            const Errors e = errors(stack, n, GMMU_SAMPLE_ALL, GMMU_MAX_PAGES);
            ASSERT_LT(e.largest, 1e-12) << stack->policy;
            ASSERT_EQ(e.within, e.points);
        }
        ASSERT_LT(errors(&gmmu_stack_lru, n, GMMU_SAMPLE_ALL, n.distinct()).largest, 1e-12);
    }
}

// The bounds are those that docs/guide/mrc.md states for samples of these sizes.
TEST(Sample, MeanErrorsStayBelowTheirBounds) {
    double mean = 0;
    unsigned points = 0;
    unsigned within = 0;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        Numbered n(zipf_trace(150000, 40000, seed));
        for (uint32_t most : {GMMU_MAX_PAGES, 2048U}) {
            const Errors e = errors(&gmmu_stack_lru, n,
                                    most == 2048 ? GMMU_SAMPLE_ALL : GMMU_SAMPLE_ALL / 10, most);
            EXPECT_LT(e.mean, 0.02) << "seed " << seed << ", " << most;
            mean += e.mean / 12;
            points += e.points;
            within += e.within;
        }
    }
    std::printf("[ sampled  ] lru: mean absolute error %.5f, %u of %u within two standard errors\n",
                mean, within, points);
    EXPECT_LT(mean, 0.01);
    EXPECT_GE(within, points * 3 / 4);  // neighbouring points err together
}

TEST(Sample, OptAndLeuExactToo) {
    for (const gmmu_stack *stack : {&gmmu_stack_opt, &gmmu_stack_leu_exact}) {
        double mean = 0;
        for (uint64_t seed = 1; seed <= 2; seed++) {
            Numbered n(zipf_trace(20000, 4000, seed));
            mean += errors(stack, n, GMMU_SAMPLE_ALL / 4, GMMU_MAX_PAGES).mean / 2;
        }
        std::printf("[ sampled  ] %s: mean absolute error %.5f\n", stack->policy, mean);
        EXPECT_LT(mean, 0.03) << stack->policy;
    }
}

TEST(Sample, ASetOfBoundedSizeHasTheLowestHashes) {
    std::mt19937_64 rng(test_seed() + 16);
    for (uint32_t most : {1U, 2U, 3U, 11U, 500U}) {
        gmmu_sample_set set;
        gmmu_sample_set_init(&set, most, GMMU_SAMPLE_ALL);
        std::set<std::pair<uint64_t, uint32_t>> slow;  // hash, page
        uint64_t threshold = GMMU_SAMPLE_ALL;
        for (uint32_t page = 0; page < 3000; page++) {
            const uint64_t hash = rng() % (page % 2 == 0 ? 4000 : GMMU_SAMPLE_ALL);  // some equal
            if (hash >= set.threshold) {
                continue;
            }
            ASSERT_EQ(gmmu_sample_set_add(&set, hash, page), GMMU_OK);
            slow.insert({hash, page});
            if (slow.size() > most) {
                threshold = slow.rbegin()->first;
            }
            std::set<uint32_t> wanted, found;
            while (!slow.empty() && slow.rbegin()->first >= threshold) {
                wanted.insert(slow.rbegin()->second);
                slow.erase(std::prev(slow.end()));
            }
            uint32_t out = 0;
            while (gmmu_sample_set_shrink(&set, &out)) {
                found.insert(out);
            }
            ASSERT_EQ(found, wanted);
            ASSERT_EQ(set.threshold, threshold);
            ASSERT_EQ(set.count, slow.size());
        }
        gmmu_sample_set_free(&set);
    }
}

TEST(Sample, PagesOfOneHashLeaveTogether) {
    gmmu_sample_set set;
    gmmu_sample_set_init(&set, 1, GMMU_SAMPLE_ALL);
    uint32_t out = 0;
    for (uint32_t page = 0; page < 2; page++) {
        ASSERT_EQ(gmmu_sample_set_add(&set, 7, page), GMMU_OK);
        EXPECT_EQ(gmmu_sample_set_shrink(&set, &out), page == 1);
    }
    EXPECT_TRUE(gmmu_sample_set_shrink(&set, &out));
    EXPECT_FALSE(gmmu_sample_set_shrink(&set, &out));
    EXPECT_EQ(set.count, 0U);
    EXPECT_EQ(set.threshold, 7U);
    gmmu_sample_set_free(&set);
}

// A sample that ran empty says so with zeros, not with what 0 / 0 is.
TEST(Sample, NothingIsEstimatedFromNothing) {
    gmmu_estimate e = {};
    EXPECT_EQ(gmmu_estimate_add(&e, 0, 3, 4), GMMU_OK);
    for (const auto &[accesses, threshold] : {std::pair<uint64_t, uint64_t>{0, 4}, {9, 0}}) {
        const gmmu_estimate_point p = gmmu_estimate_at(&e, 1, accesses, threshold);
        EXPECT_EQ(p.miss_ratio, 0);
        EXPECT_EQ(p.std_error, 0);
        EXPECT_EQ(p.distinct, 0);
    }
    gmmu_estimate_free(&e);
}

TEST(Curve, TooManyWalksAreRefused) {
    void *stack = gmmu_stack_leu_exact.create();
    gmmu_error err = {};
    uint32_t distance = 0;
    gmmu_touch touch = {0, 0, 0, (1ULL << 42) - 1};
    EXPECT_EQ(gmmu_stack_leu_exact.access(stack, &touch, &distance, &err), GMMU_OK);
    touch.time++;
    EXPECT_EQ(gmmu_stack_leu_exact.access(stack, &touch, &distance, &err), GMMU_BAD);
    EXPECT_EQ(std::string(err.text),
              "leu-exact curve: found more than 2^42 - 1 walks, expected no more");
    gmmu_stack_leu_exact.destroy(stack);
}

// ---- recorded traces

std::vector<gmmu_walk> read_trace(const std::string &name) {
    const char *root = std::getenv("GMMU_ROOT");
    const std::string path =
        (root != nullptr ? std::string(root) + "/" : "") + "sim/traces/" + name;
    gmmu_error err = {};
    gmmu_reader *r = gmmu_reader_open(path.c_str(), &err);
    EXPECT_NE(r, nullptr) << err.text;
    std::vector<gmmu_walk> walks;
    gmmu_walk w;
    while (r != nullptr && gmmu_reader_next(r, &w, &err) == GMMU_OK) {
        walks.push_back(w);
    }
    gmmu_reader_close(r);
    return walks;
}

bool long_test() {
    const char *text = std::getenv("GMMU_LONG");
    return text != nullptr && std::string(text) == "1";
}

// A form of a trace, with COUNT sizes spread over its pages at random.
void compare_form(const std::vector<gmmu_walk> &walks, uint32_t count, const std::string &what) {
    Numbered n(walks);
    std::mt19937_64 rng(test_seed() + walks.size());
    std::set<uint32_t> sizes = {1, n.distinct()};
    while (sizes.size() < std::min(count, n.distinct())) {
        sizes.insert(static_cast<uint32_t>(1 + rng() % n.distinct()));
    }
    for (const gmmu_stack *stack : stacks) {
        compare(stack, n, {sizes.begin(), sizes.end()}, what);
    }
    std::printf("[ vectors  ] %s: %zu walks, %u pages, %zu sizes\n", what.c_str(), walks.size(),
                n.distinct(), sizes.size());
}

class Recorded : public testing::TestWithParam<const char *> {};

TEST_P(Recorded, CurveEqualsReplay) {
    const std::vector<gmmu_walk> whole = read_trace(GetParam());
    const std::set<size_t> lengths = long_test() ? std::set<size_t>{whole.size(), 20000, 8000, 2000}
                                                 : std::set<size_t>{3000, 800};
    for (size_t length : lengths) {
        for (size_t start : {size_t{0}, whole.size() / 3, whole.size() / 2}) {
            if (length > whole.size() || start + length > whole.size()) {
                continue;
            }
            const std::vector<gmmu_walk> form(whole.begin() + static_cast<long>(start),
                                              whole.begin() + static_cast<long>(start + length));
            std::set<std::pair<uint32_t, uint64_t>> pages;
            for (const gmmu_walk &w : form) {
                pages.insert({w.asid, w.vpn});
            }
            const bool small = length <= 20000 && pages.size() <= 2000;
            compare_form(form, small ? 50 : 5,
                         std::string(GetParam()) + " from " + std::to_string(start));
            if (HasFatalFailure()) {
                return;
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(All, Recorded,
                         testing::Values("2dconv.walk", "atax.walk", "bfs.walk", "gemm.walk",
                                         "hotspot.walk", "kmeans.walk", "spmv.walk",
                                         "srad_v2.walk"),
                         [](const auto &test) {
                             const std::string name = test.param;
                             return "trace_" + name.substr(0, name.find('.'));
                         });

}  // namespace
