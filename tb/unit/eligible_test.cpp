// SPDX-License-Identifier: Apache-2.0
// eligible_test.cpp: the policies under a caller's rule of which pages may leave (eligible.h), and
// victims ahead of need.
//
// State space: random traces of five shapes, 1 to 90 walks over 1 to 14 pages, long ones, and
// recorded ones; pages apart, and side by side; hints of launches between the walks. A rule that
// lets each page leave, and rules by chance, which change from call to call, from none to all
// pages. Parameter space: every policy of the registry; memory sizes from 1 page to all distinct
// pages; of each policy the options that change what leaves.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "numbered_trace.h"
#include "policy/policy.h"
#include "policy/registry.h"
#include "policy/replay.h"
#include "policy/slow_models.h"
#include "random_trace.h"
#include "tiers/recorded.h"

namespace {

struct Subject {
    const char *name;
    std::vector<const char *> options;  // each trace has one of them
    // The victim ahead of need is the page that the next fault would take, whatever its page.
    bool foretells;
};

std::ostream &operator<<(std::ostream &out, const Subject &s) {
    return out << s.name;
}

const Subject subjects[] = {
    {"opt", {""}, true},
    {"lru", {""}, true},
    {"mru", {""}, true},
    {"fifo", {""}, true},
    {"clock", {""}, true},
    {"random", {"", "seed=7"}, true},
    {"lfu", {""}, true},
    {"2q", {"", "in=0:out=0", "in=50", "in=100:out=1000"}, false},
    {"arc", {""}, false},
    {"lirs", {"", "hir=20", "hir=50", "hir=100"}, true},
    {"clockpro", {"", "mc=1", "mc=3"}, true},
    {"srrip", {"", "bits=1", "bits=4"}, true},
    {"rrip-hpe",
     {"", "distant=1:delay=3", "bits=1:delay=4", "bits=3:distant=1", "delay=4294967295"},
     true},
    {"sieve", {""}, true},
    {"s3fifo", {"", "small=50", "small=100"}, true},
    {"leu-exact", {""}, false},
    {"hpe", {"", "ideal=1", "set=4:interval=4", "set=2:ideal=1", "set=1"}, false},
    {"hinted", {"", "candidates=0", "candidates=2"}, false},
    {"hinted-known", {"", "candidates=0:far=0"}, false},
    {"bam", {"", "ahead=1", "ahead=8"}, false},
    {"gmt-tierorder", {"", "full=drop"}, true},
    {"gmt-random", {"", "full=drop"}, true},
    {"gmt-reuse", {"", "keep=0:every=4", "keep=1000:every=9", "sets=1:ways=2:every=3"}, false},
    {"gmt-foretold", {"", "every=4"}, false},
    {"opt-tiers", {""}, false},
};

const gmmu_policy *find(const std::string &name) {
    const gmmu_policy *policy = gmmu_policy_find(name.c_str(), name.size());
    EXPECT_NE(policy, nullptr) << name;
    return policy;
}

// A caller's rule: of each page whether it may leave; and what the policy asks.
struct Rule {
    explicit Rule(size_t distinct) : may(distinct, 1), present(distinct, 0) {}
    // Each page may leave with a chance of EIGHTHS / 8.
    void draw(RandomTrace *random, uint64_t eighths) {
        for (uint8_t &m : may) {
            m = random->below(8) < eighths ? 1 : 0;
        }
    }
    void set_all(bool leaves) { std::fill(may.begin(), may.end(), leaves ? 1 : 0); }
    std::vector<uint8_t> may;
    std::vector<uint8_t> present;  // the page may be asked about: it is resident
    mutable bool strange = false;  // asked about another page
};

bool may_leave(const void *context, uint32_t page) {
    const Rule *r = static_cast<const Rule *>(context);
    r->strange = r->strange || page >= r->may.size() || r->present[page] == 0;
    return page < r->may.size() && r->may[page] != 0;
}

struct Sizes {
    uint32_t frames, tier2;
};

struct Destroy {
    void operator()(gmmu_sim *s) const { gmmu_sim_destroy(s); }
};
using Sim = std::unique_ptr<gmmu_sim, Destroy>;

// RULE NULL: each page may leave.
Sim make_sim(const Numbered &n, const gmmu_policy *policy, const char *options, Sizes sizes,
             const Rule *rule) {
    gmmu_policy_config config = {.frames = sizes.frames,
                                 .pages = n.pages,
                                 .future = &n.future,
                                 .options = options,
                                 .seed = 5,
                                 .tier2 = policy->tiers ? sizes.tier2 : 0};
    if (rule != nullptr) {
        config.eligible = {may_leave, rule};
    }
    gmmu_error err = {};
    gmmu_sim *s = gmmu_sim_create(policy, &config, &err);
    EXPECT_NE(s, nullptr) << err.text;
    return Sim(s);
}

bool same_move(const gmmu_move &a, const gmmu_move &b) {
    return a.page == b.page && a.from == b.from && a.to == b.to;
}

bool equal(const gmmu_outcome &a, const gmmu_outcome &b) {
    return a.fault == b.fault && a.stuck == b.stuck && a.count == b.count &&
           a.after_count == b.after_count &&
           std::equal(a.move, a.move + a.count, b.move, same_move) &&
           std::equal(a.after, a.after + a.after_count, b.after, same_move);
}

gmmu_hint launch(uint64_t kernel) {
    gmmu_hint h = {};
    h.kind = GMMU_HINT_LAUNCH;
    h.id = kernel;
    return h;
}

// Where each page is, told from the moves alone.
class Residents {
   public:
    Residents(size_t distinct, Sizes sizes, bool ahead)
        : at_(distinct, GMMU_FAR), sizes_(sizes), ahead_(ahead) {}

    bool near(uint32_t page) const { return at_[page] == GMMU_NEAR; }
    bool full() const { return count_[GMMU_NEAR] == sizes_.frames; }
    uint32_t count() const { return count_[GMMU_NEAR]; }
    bool none_may_leave(const Rule &rule) const {
        for (uint32_t p = 0; p < at_.size(); p++) {
            if (near(p) && rule.may[p] != 0) {
                return false;
            }
        }
        return true;
    }
    std::vector<uint32_t> pages(bool resident) const {
        std::vector<uint32_t> all;
        for (uint32_t p = 0; p < at_.size(); p++) {
            if (near(p) == resident) {
                all.push_back(p);
            }
        }
        return all;
    }
    void show(Rule *rule, bool ahead) const {
        for (uint32_t p = 0; p < at_.size(); p++) {
            rule->present[p] = near(p) || ahead ? 1 : 0;
        }
    }
    // An access to PAGE had the outcome OUT: what is wrong, or nothing.
    std::string access(uint32_t page, const gmmu_outcome &out, const Rule &rule) {
        const bool fault = !near(page);
        if (out.fault != fault) {
            return "wrong fault";
        }
        if (out.stuck != (fault && full() && none_may_leave(rule))) {
            return out.stuck ? "stuck in vain" : "not stuck";
        }
        if (out.stuck) {
            return moves_nothing(out) ? "" : "stuck, and moves";
        }
        const uint32_t must_leave = fault && full() ? 1 : 0;
        const uint32_t left = left_;
        if (fault && (out.count == 0 || out.move[0].page != page || out.move[0].to != GMMU_NEAR)) {
            return "the page does not come";
        }
        std::string wrong = apply(out, rule);
        if (wrong.empty() && !near(page)) {
            wrong = "the page is not there";
        }
        if (wrong.empty() && !ahead_ && (left_ - left != must_leave || out.after_count != 0)) {
            wrong = "not as many pages leave as must";
        }
        faults += fault ? 1 : 0;
        accesses++;
        return wrong;
    }
    // A victim ahead of need.
    std::string evict(const gmmu_outcome &out, const Rule &rule) {
        const uint32_t left = left_;
        if (out.fault) {
            return "a fault without an access";
        }
        if (out.stuck != none_may_leave(rule)) {
            return out.stuck ? "stuck in vain" : "not stuck";
        }
        if (out.stuck) {
            return moves_nothing(out) ? "" : "stuck, and moves";
        }
        const std::string wrong = apply(out, rule);
        return wrong.empty() && (left_ - left != 1 || out.after_count != 0) ? "not one page left"
                                                                            : wrong;
    }
    uint32_t left() const { return left_; }
    uint64_t faults = 0, accesses = 0;

   private:
    static bool moves_nothing(const gmmu_outcome &out) {
        return out.count == 0 && out.after_count == 0;
    }
    std::string move(const gmmu_move &m, const Rule &rule) {
        if (m.page >= at_.size() || at_[m.page] != m.from || m.from == m.to) {
            return "a page moves from where it is not";
        }
        if (m.from == GMMU_NEAR && rule.may[m.page] == 0) {
            return "a page leaves that may not";
        }
        left_ += m.from == GMMU_NEAR ? 1 : 0;
        count_[m.from] -= m.from == GMMU_FAR ? 0 : 1;
        count_[m.to] += m.to == GMMU_FAR ? 0 : 1;
        at_[m.page] = m.to;
        return "";
    }
    std::string apply(const gmmu_outcome &out, const Rule &rule) {
        std::string wrong;
        for (uint32_t i = 0; i < out.count && wrong.empty(); i++) {
            wrong = move(out.move[i], rule);
        }
        for (uint32_t i = 0; i < out.after_count && wrong.empty(); i++) {
            wrong = move(out.after[i], rule);
        }
        if (wrong.empty() &&
            (count_[GMMU_NEAR] > sizes_.frames || count_[GMMU_HOST] > sizes_.tier2)) {
            wrong = "more pages than there is room for";
        }
        return wrong;
    }
    std::vector<uint8_t> at_;  // of each page its memory
    uint32_t count_[3] = {};
    uint32_t left_ = 0;
    Sizes sizes_;
    bool ahead_;
};

std::string where(const Subject &s, const char *options, Sizes sizes, const Numbered &n,
                  size_t at) {
    std::string text = std::string(s.name) + ":" + options + ", " + std::to_string(sizes.frames) +
                       " and " + std::to_string(sizes.tier2) + " pages, walk " +
                       std::to_string(at) + ":";
    for (size_t i = 0; i < std::min<size_t>(n.index.size(), 100); i++) {
        text += " " + std::to_string(n.index[i]);
    }
    return text;
}

// LENGTH walks over at most PAGES pages; every other time the pages lie side by side, so that they
// share page sets, and some are raised ahead.
std::vector<gmmu_walk> make_walks(RandomTrace *random, size_t length, uint64_t pages) {
    std::vector<gmmu_walk> walks = random->make(length, pages);
    if (random->below(2) == 0) {
        const Numbered n(walks);
        for (size_t i = 0; i < walks.size(); i++) {
            walks[i].vpn = n.index[i];
            walks[i].asid = 0;
        }
    }
    return walks;
}

class EligibleTest : public testing::TestWithParam<Subject> {};

// ---- a rule that lets each page leave
uint64_t same_with_and_without(const Subject &s, const Numbered &n, const char *options,
                               Sizes sizes, RandomTrace *random) {
    const gmmu_policy *policy = find(s.name);
    Rule all(n.distinct());
    std::fill(all.present.begin(), all.present.end(), 1);
    Sim without = make_sim(n, policy, options, sizes, nullptr);
    Sim with = make_sim(n, policy, options, sizes, &all);
    gmmu_error err = {};
    for (size_t t = 0; t < n.trace.size(); t++) {
        if (random->below(16) == 0) {
            const gmmu_hint h = launch(random->below(3));
            gmmu_sim_hint(without.get(), &h);
            gmmu_sim_hint(with.get(), &h);
        }
        gmmu_outcome a = {};
        gmmu_outcome b = {};
        EXPECT_EQ(gmmu_sim_access(without.get(), n.index[t], &n.trace[t], &a, &err), GMMU_OK);
        EXPECT_EQ(gmmu_sim_access(with.get(), n.index[t], &n.trace[t], &b, &err), GMMU_OK);
        if (!equal(a, b) || a.stuck) {
            ADD_FAILURE() << where(s, options, sizes, n, t);
            return 0;
        }
    }
    const gmmu_counts a = gmmu_sim_counts(without.get());
    const gmmu_counts b = gmmu_sim_counts(with.get());
    EXPECT_EQ(a.accesses, b.accesses);
    EXPECT_EQ(a.faults, b.faults);
    EXPECT_EQ(a.evictions, b.evictions);
    EXPECT_EQ(a.writebacks, b.writebacks);
    return n.trace.size();
}

TEST_P(EligibleTest, DecisionsAreTheSameIfEachPageMayLeave) {
    const Subject &s = GetParam();
    RandomTrace random(test_seed());
    uint64_t vectors = 0;
    enum { TRACES = 200 };
    for (int i = 0; i < TRACES; i++) {
        const char *options = s.options[random.below(s.options.size())];
        Numbered n(make_walks(&random, 1 + random.below(90), 1 + random.below(14)));
        for (uint32_t frames = 1; frames <= n.distinct(); frames++) {
            const auto tier2 = static_cast<uint32_t>(1 + random.below(n.distinct()));
            const uint64_t v = same_with_and_without(s, n, options, {frames, tier2}, &random);
            ASSERT_NE(v, 0U) << "trace " << i << " of seed " << test_seed();
            vectors += v;
        }
    }
    for (const char *options : s.options) {
        Numbered n(make_walks(&random, 2000, 200));
        const uint32_t frames = n.distinct() / 3 + 1;
        vectors += same_with_and_without(s, n, options, {frames, frames}, &random);
    }
    std::printf("[ vectors  ] %s: %llu walks\n", s.name, static_cast<unsigned long long>(vectors));
}

TEST_P(EligibleTest, DecisionsAreTheSameOnRecordedTraces) {
    const Subject &s = GetParam();
    RandomTrace random(test_seed() + 1);
    uint64_t vectors = 0;
    for (const std::string &path : recorded_traces({"bicg.gwt", "hotspot.walk", "b+tree.gwt"})) {
        enum { MOST = 20000 };
        std::vector<gmmu_walk> walks = read_trace(path);
        ASSERT_FALSE(walks.empty()) << path;
        walks.resize(std::min<size_t>(walks.size(), MOST));
        Numbered n(walks);
        const uint32_t frames = n.distinct() / 3 + 1;
        const uint64_t v = same_with_and_without(s, n, s.options[0], {frames, frames}, &random);
        ASSERT_NE(v, 0U) << path;
        vectors += v;
    }
    std::printf("[ vectors  ] %s, recorded: %llu walks\n", s.name,
                static_cast<unsigned long long>(vectors));
}

// ---- rules that change
// How often what is rare happened.
struct Seen {
    uint64_t calls = 0, stuck = 0, ahead = 0, empty = 0, passed = 0;
};

// The density of a rule, in eighths: often the ends.
uint64_t density(RandomTrace *random) {
    const uint64_t of[] = {0, 0, 1, 2, 4, 7, 8};
    return of[random->below(7)];
}

// The accesses of N under rules by chance. A stuck access comes again: at once, or, of a policy
// that does not need the trace ahead, after others.
void under_rules(const Subject &s, const Numbered &n, const char *options, Sizes sizes,
                 RandomTrace *random, Seen *seen) {
    const gmmu_policy *policy = find(s.name);
    const bool ahead = std::string(options).find("ahead=") != std::string::npos;
    Rule rule(n.distinct());
    Residents model(n.distinct(), sizes, ahead);
    Sim sim = make_sim(n, policy, options, sizes, &rule);
    gmmu_error err = {};
    std::deque<size_t> waiting;
    size_t next = 0;
    uint64_t evictions = 0;
    while (next < n.trace.size() || !waiting.empty()) {
        if (random->below(16) == 0) {
            const gmmu_hint h = launch(random->below(3));
            gmmu_sim_hint(sim.get(), &h);
        }
        gmmu_outcome out = {};
        rule.draw(random, density(random));
        model.show(&rule, ahead);
        std::string wrong;
        seen->calls++;
        if (random->below(6) == 0) {
            seen->empty += model.count() == 0 ? 1 : 0;
            ASSERT_EQ(gmmu_sim_evict(sim.get(), &out, &err), GMMU_OK) << err.text;
            wrong = model.evict(out, rule);
            seen->ahead += out.stuck ? 0 : 1;
        } else {
            const bool again = !waiting.empty() && (next == n.trace.size() ||
                                                    policy->needs_future || random->below(3) == 0);
            const size_t t = again ? waiting.front() : next;
            ASSERT_EQ(gmmu_sim_access(sim.get(), n.index[t], &n.trace[t], &out, &err), GMMU_OK)
                << err.text;
            wrong = model.access(n.index[t], out, rule);
            next += again ? 0 : 1;
            if (again) {
                waiting.pop_front();
            }
            if (out.stuck) {
                seen->stuck++;
                waiting.push_back(t);
            }
        }
        ASSERT_EQ(wrong, "") << where(s, options, sizes, n, next);
        ASSERT_FALSE(rule.strange) << where(s, options, sizes, n, next);
    }
    evictions = model.left();
    const gmmu_counts c = gmmu_sim_counts(sim.get());
    ASSERT_EQ(c.accesses, n.trace.size());
    ASSERT_EQ(c.accesses, model.accesses);
    ASSERT_EQ(c.faults, model.faults);
    ASSERT_EQ(c.evictions, evictions);
}

TEST_P(EligibleTest, NoPageLeavesThatMayNot) {
    const Subject &s = GetParam();
    RandomTrace random(test_seed() + 2);
    Seen seen;
    enum { TRACES = 500 };
    for (int i = 0; i < TRACES; i++) {
        const char *options = s.options[random.below(s.options.size())];
        Numbered n(make_walks(&random, 1 + random.below(90), 1 + random.below(14)));
        for (uint32_t frames = 1; frames <= n.distinct(); frames++) {
            const auto tier2 = static_cast<uint32_t>(1 + random.below(n.distinct()));
            under_rules(s, n, options, {frames, tier2}, &random, &seen);
            ASSERT_FALSE(HasFatalFailure()) << "trace " << i << " of seed " << test_seed() + 2;
        }
    }
    for (const char *options : s.options) {
        Numbered n(make_walks(&random, 3000, 250));
        under_rules(s, n, options, {n.distinct() / 2 + 1, n.distinct() / 4 + 1}, &random, &seen);
        ASSERT_FALSE(HasFatalFailure());
    }
    std::printf("[ vectors  ] %s: %llu calls, %llu stuck, %llu ahead of need\n", s.name,
                static_cast<unsigned long long>(seen.calls),
                static_cast<unsigned long long>(seen.stuck),
                static_cast<unsigned long long>(seen.ahead));
    EXPECT_GT(seen.stuck, 0U);
    EXPECT_GT(seen.ahead, 0U);
    EXPECT_GT(seen.empty, 0U);
}

// ---- a stuck call changes nothing
// A page that is not resident, of a policy that needs the trace ahead the next one; else SIZE.
size_t any_fault(const Numbered &n, const Residents &model, bool in_order, size_t next,
                 RandomTrace *random) {
    const size_t t = in_order ? next : random->below(n.trace.size());
    return t < n.trace.size() && !model.near(n.index[t]) ? t : n.trace.size();
}

void beside_one_that_is_stuck(const Subject &s, const Numbered &n, const char *options, Sizes sizes,
                              RandomTrace *random, Seen *seen) {
    const gmmu_policy *policy = find(s.name);
    const bool ahead = std::string(options).find("ahead=") != std::string::npos;
    Rule rule(n.distinct());
    Residents model(n.distinct(), sizes, ahead);
    Sim plain = make_sim(n, policy, options, sizes, &rule);
    Sim stuck = make_sim(n, policy, options, sizes, &rule);
    gmmu_error err = {};
    for (size_t next = 0; next < n.trace.size();) {
        gmmu_outcome a = {};
        gmmu_outcome b = {};
        rule.set_all(false);
        model.show(&rule, ahead);
        const size_t t = any_fault(n, model, policy->needs_future, next, random);
        if (t != n.trace.size() && model.full()) {
            ASSERT_EQ(gmmu_sim_access(stuck.get(), n.index[t], &n.trace[t], &b, &err), GMMU_OK);
            ASSERT_EQ(model.access(n.index[t], b, rule), "");
            ASSERT_TRUE(b.stuck);
            seen->stuck++;
        }
        if (random->below(4) == 0) {
            ASSERT_EQ(gmmu_sim_evict(stuck.get(), &b, &err), GMMU_OK);
            ASSERT_EQ(model.evict(b, rule), "");
        }
        rule.draw(random, 1 + density(random));
        gmmu_error *e = &err;
        if (random->below(8) == 0) {
            ASSERT_EQ(gmmu_sim_evict(plain.get(), &a, e), GMMU_OK);
            ASSERT_EQ(gmmu_sim_evict(stuck.get(), &b, e), GMMU_OK);
            ASSERT_EQ(model.evict(a, rule), "");
        } else {
            ASSERT_EQ(gmmu_sim_access(plain.get(), n.index[next], &n.trace[next], &a, e), GMMU_OK);
            ASSERT_EQ(gmmu_sim_access(stuck.get(), n.index[next], &n.trace[next], &b, e), GMMU_OK);
            ASSERT_EQ(model.access(n.index[next], a, rule), "");
            next += a.stuck ? 0 : 1;
        }
        ASSERT_TRUE(equal(a, b)) << where(s, options, sizes, n, next);
        seen->calls++;
    }
}

TEST_P(EligibleTest, AStuckCallChangesNothing) {
    const Subject &s = GetParam();
    RandomTrace random(test_seed() + 3);
    Seen seen;
    enum { TRACES = 200 };
    for (int i = 0; i < TRACES; i++) {
        const char *options = s.options[random.below(s.options.size())];
        Numbered n(make_walks(&random, 1 + random.below(90), 1 + random.below(14)));
        for (uint32_t frames = 1; frames < n.distinct(); frames++) {
            const auto tier2 = static_cast<uint32_t>(1 + random.below(n.distinct()));
            beside_one_that_is_stuck(s, n, options, {frames, tier2}, &random, &seen);
            ASSERT_FALSE(HasFatalFailure()) << "trace " << i << " of seed " << test_seed() + 3;
        }
    }
    EXPECT_GT(seen.stuck, 0U);
}

// ---- victims ahead of need
// All pages leave ahead of need, one by one, and faults fill memory again without a victim.
TEST_P(EligibleTest, MemoryEmptiesAndFillsAgain) {
    const Subject &s = GetParam();
    const gmmu_policy *policy = find(s.name);
    if (policy->needs_future) {
        GTEST_SKIP() << "the accesses below are not those of the trace";
    }
    for (const char *options : s.options) {
        enum { PAGES = 40, FRAMES = 10, ROUNDS = 20 };
        std::vector<gmmu_walk> walks(PAGES);
        for (size_t i = 0; i < walks.size(); i++) {
            walks[i].vpn = 1000 * i;  // none close behind another: nothing is raised ahead
        }
        Numbered n(walks);
        Rule rule(n.distinct());
        Residents model(n.distinct(), {FRAMES, FRAMES}, false);
        Sim sim = make_sim(n, policy, options, {FRAMES, FRAMES}, &rule);
        RandomTrace random(test_seed() + 4);
        gmmu_error err = {};
        for (int round = 0; round < ROUNDS; round++) {
            for (int i = 0; i < 2 * FRAMES; i++) {
                const auto page = static_cast<uint32_t>(random.below(PAGES));
                gmmu_outcome out = {};
                model.show(&rule, false);
                ASSERT_EQ(gmmu_sim_access(sim.get(), page, &walks[page], &out, &err), GMMU_OK);
                ASSERT_EQ(model.access(page, out, rule), "") << s.name << ":" << options;
            }
            for (uint32_t left = round % 2 == 0 ? model.count() : 3; left > 0; left--) {
                gmmu_outcome out = {};
                model.show(&rule, false);
                ASSERT_EQ(gmmu_sim_evict(sim.get(), &out, &err), GMMU_OK);
                ASSERT_EQ(model.evict(out, rule), "") << s.name << ":" << options;
                ASSERT_FALSE(out.stuck);
            }
            if (round % 2 == 0) {
                gmmu_outcome out = {};
                ASSERT_EQ(model.count(), 0U);
                ASSERT_EQ(gmmu_sim_evict(sim.get(), &out, &err), GMMU_OK);
                ASSERT_TRUE(out.stuck) << "empty";
            }
        }
        EXPECT_FALSE(rule.strange);
    }
}

// One memory lets a page leave just before a fault, another at the fault: the same page.
TEST_P(EligibleTest, TheVictimAheadOfNeedIsTheNextOne) {
    const Subject &s = GetParam();
    if (!s.foretells) {
        GTEST_SKIP() << "the victim depends on the page that faults";
    }
    const gmmu_policy *policy = find(s.name);
    RandomTrace random(test_seed() + 5);
    uint64_t victims = 0;
    for (int i = 0; i < 300; i++) {
        const char *options = s.options[random.below(s.options.size())];
        Numbered n(make_walks(&random, 1 + random.below(90), 2 + random.below(14)));
        for (uint32_t frames = 1; frames < n.distinct(); frames++) {
            Rule rule(n.distinct());
            Residents model(n.distinct(), {frames, 1}, false);
            Sim at_fault = make_sim(n, policy, options, {frames, 1}, &rule);
            gmmu_error err = {};
            const size_t most = random.below(n.trace.size());
            size_t t = 0;
            for (; t < n.trace.size(); t++) {
                if (t >= most && model.full() && !model.near(n.index[t])) {
                    break;
                }
                gmmu_outcome out = {};
                rule.set_all(true);
                model.show(&rule, false);
                ASSERT_EQ(gmmu_sim_access(at_fault.get(), n.index[t], &n.trace[t], &out, &err), 0);
                ASSERT_EQ(model.access(n.index[t], out, rule), "");
            }
            if (t == n.trace.size()) {
                continue;
            }
            Sim before = make_sim(n, policy, options, {frames, 1}, &rule);
            for (size_t k = 0; k < t; k++) {
                gmmu_outcome out = {};
                std::fill(rule.present.begin(), rule.present.end(), 1);
                ASSERT_EQ(gmmu_sim_access(before.get(), n.index[k], &n.trace[k], &out, &err), 0);
            }
            rule.draw(&random, 5);
            gmmu_outcome ahead = {};
            gmmu_outcome out = {};
            ASSERT_EQ(gmmu_sim_evict(before.get(), &ahead, &err), 0);
            ASSERT_EQ(gmmu_sim_access(at_fault.get(), n.index[t], &n.trace[t], &out, &err), 0);
            ASSERT_EQ(ahead.stuck, out.stuck);
            ASSERT_EQ(gmmu_outcome_victim(&ahead), gmmu_outcome_victim(&out))
                << where(s, options, {frames, 1}, n, t);
            victims += ahead.stuck ? 0 : 1;
        }
    }
    EXPECT_GT(victims, 100U);
}

INSTANTIATE_TEST_SUITE_P(All, EligibleTest, testing::ValuesIn(subjects), [](const auto &test) {
    std::string name = test.param.name;
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
});

// ---- the next in the policy's own order
// The slow models choose among the pages that may leave.
TEST(Eligible, VictimsAreTheNextInOrder) {
    for (const char *name : {"lru", "fifo", "opt", "leu-exact"}) {
        const gmmu_policy *policy = find(name);
        RandomTrace random(test_seed() + 6);
        uint64_t vectors = 0;
        uint64_t passed = 0;
        for (int i = 0; i < 500; i++) {
            Numbered n(make_walks(&random, 1 + random.below(90), 2 + random.below(14)));
            for (uint32_t frames = 1; frames < n.distinct(); frames++) {
                std::unique_ptr<Model> model = make_model(name);
                Rule rule(n.distinct());
                std::fill(rule.present.begin(), rule.present.end(), 1);
                Sim sim = make_sim(n, policy, nullptr, {frames, 0}, &rule);
                View v{n.trace, 0, {}, {}, {}};
                for (v.now = 0; v.now < n.trace.size(); v.now++) {
                    const Page p = page_of(n.trace[v.now]);
                    rule.draw(&random, 4);
                    gmmu_outcome out = {};
                    gmmu_error err = {};
                    View may = v;
                    for (uint32_t q = 0; q < n.distinct(); q++) {
                        if (rule.may[q] == 0) {
                            may.resident.erase(n.page(q));
                        }
                    }
                    const bool fault = v.resident.count(p) == 0;
                    const bool full = v.resident.size() == frames;
                    const bool stuck = fault && full && may.resident.empty();
                    ASSERT_EQ(
                        gmmu_sim_access(sim.get(), n.index[v.now], &n.trace[v.now], &out, &err), 0);
                    ASSERT_EQ(out.stuck, stuck);
                    if (stuck) {
                        rule.set_all(true);
                        may.resident = v.resident;
                        ASSERT_EQ(
                            gmmu_sim_access(sim.get(), n.index[v.now], &n.trace[v.now], &out, &err),
                            0);
                    }
                    if (v.last.count(p) != 0) {
                        model->reuse(n.trace[v.last[p]], v.now - v.last[p]);
                    }
                    if (fault && full) {
                        const Page victim = model->victim(may);
                        passed += model->victim(v) != victim ? 1 : 0;
                        ASSERT_NE(gmmu_outcome_victim(&out), GMMU_NO_PAGE);
                        ASSERT_EQ(n.page(gmmu_outcome_victim(&out)), victim) << name;
                        v.resident.erase(victim);
                    }
                    if (fault) {
                        v.resident.insert(p);
                        v.inserted[p] = v.now;
                    }
                    v.last[p] = v.now;
                    vectors++;
                }
            }
        }
        EXPECT_GT(passed, 1000U) << name;
        std::printf("[ vectors  ] %s: %llu walks, %llu passed over\n", name,
                    static_cast<unsigned long long>(vectors),
                    static_cast<unsigned long long>(passed));
    }
}

// LFU by its definition, among the pages that may leave.
TEST(Eligible, LfuTakesTheLeastUsedThatMayLeave) {
    RandomTrace random(test_seed() + 7);
    for (int i = 0; i < 300; i++) {
        Numbered n(make_walks(&random, 1 + random.below(90), 2 + random.below(14)));
        const auto frames = static_cast<uint32_t>(1 + random.below(n.distinct()));
        Rule rule(n.distinct());
        std::fill(rule.present.begin(), rule.present.end(), 1);
        Sim sim = make_sim(n, find("lfu"), nullptr, {frames, 0}, &rule);
        std::map<uint32_t, std::pair<uint64_t, size_t>> used;  // page: accesses, the last
        for (size_t t = 0; t < n.trace.size(); t++) {
            const uint32_t page = n.index[t];
            rule.draw(&random, 4);
            uint32_t victim = GMMU_NO_PAGE;
            if (used.count(page) == 0 && used.size() == frames) {
                for (const auto &[p, by] : used) {
                    victim = rule.may[p] != 0 && (victim == GMMU_NO_PAGE || by < used[victim])
                                 ? p
                                 : victim;
                }
                if (victim == GMMU_NO_PAGE) {  // stuck: any page then
                    rule.set_all(true);
                    victim = std::min_element(used.begin(), used.end(), [](auto &a, auto &b) {
                                 return a.second < b.second;
                             })->first;
                }
                used.erase(victim);
            }
            used[page] = {used[page].first + 1, t};
            gmmu_outcome out = {};
            gmmu_error err = {};
            ASSERT_EQ(gmmu_sim_access(sim.get(), page, &n.trace[t], &out, &err), GMMU_OK);
            ASSERT_EQ(gmmu_outcome_victim(&out), victim) << "walk " << t;
        }
    }
}

// Plays pages of a policy with three frames by hand.
class Hand {
   public:
    explicit Hand(const char *name)
        : n_(pages()),
          rule_(n_.distinct()),
          sim_(make_sim(n_, find(name), nullptr, {3, 0}, &rule_)) {
        std::fill(rule_.present.begin(), rule_.present.end(), 1);
    }
    // An access to PAGE while KEPT, if a page, may not leave. Returns who leaves.
    uint32_t access(uint32_t page, uint32_t kept = GMMU_NO_PAGE) {
        rule_.set_all(true);
        if (kept != GMMU_NO_PAGE) {
            rule_.may[kept] = 0;
        }
        gmmu_outcome out = {};
        gmmu_error err = {};
        EXPECT_EQ(gmmu_sim_access(sim_.get(), page, &n_.trace[page], &out, &err), GMMU_OK);
        return gmmu_outcome_victim(&out);
    }

   private:
    static std::vector<gmmu_walk> pages() {
        std::vector<gmmu_walk> walks(16);
        for (size_t i = 0; i < walks.size(); i++) {
            walks[i].vpn = i;
        }
        return walks;
    }
    Numbered n_;
    Rule rule_;
    Sim sim_;
};

// The hand passes over a page that may not leave, and leaves its bit: the page has its second
// chance still.
TEST(Eligible, TheHandLeavesTheBitOfAPageThatStays) {
    for (const char *name : {"clock", "bam", "sieve"}) {
        Hand h(name);
        for (uint32_t page : {0, 1, 2, 0}) {
            EXPECT_EQ(h.access(page), GMMU_NO_PAGE);
        }
        EXPECT_EQ(h.access(3, 0), 1U) << name;  // the hand is now on 2
        EXPECT_EQ(h.access(4), 2U) << name;
        const bool sieve = std::string(name) == "sieve";
        // clock: on 0, which has its bit, then 3; sieve: on 3
        EXPECT_EQ(h.access(5), 3U) << name;
        EXPECT_EQ(h.access(6), 4U) << name;
        EXPECT_EQ(h.access(7), sieve ? 5U : 0U) << name;
    }
}

// RRPVs grow while no distant page may leave; the kept one is distant, and leaves when it may.
TEST(Eligible, ADistantPageThatStaysIsDistantStill) {
    Hand h("srrip");
    for (uint32_t page : {0, 1, 2}) {
        EXPECT_EQ(h.access(page), GMMU_NO_PAGE);
    }
    EXPECT_EQ(h.access(1), GMMU_NO_PAGE);
    EXPECT_EQ(h.access(3, 0), 2U);  // 0 and 2 are distant, 1 is at 1
    EXPECT_EQ(h.access(4), 0U);     // at once: 3 is long, and stays
    EXPECT_EQ(h.access(5), 4U);     // all grow; 4 took the lower frame
}

// The other list gives the victim if no page of the named one may leave.
TEST(Eligible, TheOtherListGivesTheVictim) {
    Hand h("arc");
    for (uint32_t page : {0, 0, 1, 2}) {
        EXPECT_EQ(h.access(page), GMMU_NO_PAGE);
    }
    EXPECT_EQ(h.access(3, 1), 2U);  // T1 has 1 and 2
    Hand lirs("lirs");
    for (uint32_t page : {0, 1, 2}) {
        EXPECT_EQ(lirs.access(page), GMMU_NO_PAGE);
    }
    EXPECT_EQ(lirs.access(3, 2), 0U);  // 2 is the only HIR page, 0 the lowest LIR page
}

// ---- who obeys
TEST(Eligible, EachPolicyObeysOrRefuses) {
    std::set<std::string> obey;
    std::set<std::string> refuse;
    Numbered n({gmmu_walk{}});
    Rule rule(n.distinct());
    for (size_t i = 0; gmmu_policy_at(i) != nullptr; i++) {
        const gmmu_policy *p = gmmu_policy_at(i);
        (p->obeys ? obey : refuse).insert(p->name);
        gmmu_policy_config config = {
            .frames = 1, .pages = n.pages, .future = &n.future, .seed = 1, .tier2 = 1};
        gmmu_error err = {};
        Sim free(gmmu_sim_create(p, &config, &err));
        EXPECT_NE(free, nullptr) << p->name << ": " << err.text;
        gmmu_outcome out = {};
        EXPECT_EQ(p->obeys, p->evict != nullptr) << p->name;
        if (p->evict == nullptr) {
            EXPECT_EQ(gmmu_sim_evict(free.get(), &out, &err), GMMU_BAD);
            EXPECT_EQ(std::string(err.text), std::string("policy ") + p->name +
                                                 ": found a victim ahead of need asked for, "
                                                 "expected none: this policy names a victim only "
                                                 "at a fault");
        }
        config.eligible = {may_leave, &rule};
        err = {};
        Sim ruled(gmmu_sim_create(p, &config, &err));
        EXPECT_EQ(ruled != nullptr, p->obeys) << p->name;
        if (!p->obeys) {
            EXPECT_EQ(std::string(err.text), std::string("policy ") + p->name +
                                                 ": found pages that may not leave, expected "
                                                 "none: this policy lets any page leave");
        }
    }
    std::set<std::string> tested;
    for (const Subject &s : subjects) {
        tested.insert(s.name);
    }
    EXPECT_EQ(obey, tested);
    EXPECT_EQ(refuse, (std::set<std::string>{"uvm", "vmin", "osl", "mean-ri", "osl-rank", "hawkeye",
                                             "mockingjay", "leu", "leu-host", "leu2", "tier"}));
}

}  // namespace
