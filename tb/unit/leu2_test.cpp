// SPDX-License-Identifier: Apache-2.0
// leu2_test.cpp: policy `leu2` against the rules of docs/leu2.md written naively: maps, lists that
// are searched from end to end, nothing kept that can be computed again; victim by victim.
//
// What the slow model shares with the policy is the learning half of the unit (sampler, Ref RIT,
// PPUC table), which has benches of its own; here it is told of every walk as of a hit on a frame
// that holds nothing, so that it neither decides nor keeps pages.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "blocks/schedule.h"
#include "policy/policy.h"
#include "random_trace.h"

namespace {

using Page = std::pair<uint32_t, uint64_t>;  // (asid, vpn)

struct Options {
    std::string config = "default";
    unsigned k = 0, pool = 0, samples = 6, ring = 1024, table = 1024, history = 4096;
    unsigned unknown = 1;
    uint32_t seed = 1;
    std::string text() const {
        std::string t = "config=" + config + ":samples=" + std::to_string(samples) +
                        ":ring=" + std::to_string(ring) + ":table=" + std::to_string(table) +
                        ":history=" + std::to_string(history) +
                        ":unknown=" + std::to_string(unknown) + ":seed=" + std::to_string(seed);
        t += k != 0 ? ":k=" + std::to_string(k) : "";
        return t + (pool != 0 ? ":pool=" + std::to_string(pool) : "");
    }
};

// CRC-32C, a bit at a time.
uint32_t crc(const std::vector<std::pair<uint64_t, unsigned>> &fields) {
    uint32_t c = 0xFFFFFFFF;
    for (auto [value, bits] : fields) {
        for (unsigned i = 0; i < bits; i++) {
            c = (c >> 1) ^ (((c ^ (value >> i)) & 1) != 0 ? 0x82F63B78U : 0U);
        }
    }
    return c;
}

int64_t log2_in(uint64_t x, int64_t steps) {  // linear within an octave, rounded down
    int64_t octave = 0;
    while (x >> (octave + 1) != 0) {
        octave++;
    }
    return x == 0 ? 0 : octave * steps + static_cast<int64_t>(x * steps >> octave) - steps;
}

int64_t sigmoid(int64_t logit) {  // in 1/64, to 0..255
    int64_t q = logit >= 0 ? logit / 4 : -((3 - logit) / 4);
    q = std::clamp<int64_t>(q, -127, 127);
    const auto up =
        static_cast<int64_t>(std::floor(255.0 / (1.0 + std::exp(-std::abs(q) / 16.0)) + 0.5));
    return q >= 0 ? up : 255 - up;
}

struct Frame {
    Page page;
    uint64_t last;
    gmmu_class cls;
    bool dirty;
};

class Slow {
   public:
    Slow(const Options &o, uint32_t frames) : o_(o), frames_(frames) {
        cfg_ = *gmmu_config_find(o.config.c_str());
        cfg_.frame_mem = 0;
        k_ = o.k != 0 ? o.k : cfg_.k;
        pool_ = o.pool != 0 ? o.pool : cfg_.pool;
        cfg_.frames = std::max(cfg_.frames, frames);
        gmmu_regs regs = gmmu_regs_default(&cfg_);
        memory_.resize(gmmu_tier_bytes(&cfg_));
        EXPECT_EQ(gmmu_tier_init(&unit_, &cfg_, &regs, memory_.data(), memory_.size()), 0);
        lfsr_ = o.seed;
        limit_ = 1ULL << (cfg_.time_w - 2);
        for (uint64_t times : {1, 4, 16, 64}) {  // C/2, 2C, 8C, 32C
            const uint64_t walks = frames * times / 2 + (times == 1 ? 1 : 0);
            threshold_.push_back(std::min(walks, limit_));
        }
        history_.resize(o.history / 4);
    }

    // One walk; the page that leaves.
    std::optional<Page> walk(const gmmu_walk &w) {
        gmmu_tier_walk_in in = {};
        in.vpn = w.vpn;
        in.asid = w.asid;
        in.ref = w.ref;
        in.write = w.write;
        const gmmu_class cls = gmmu_tier_walk(&unit_, in).place.cls;
        now_++;
        const Page page = {w.asid, w.vpn};
        const uint32_t pc = ~crc({{w.ref, cfg_.ref_w}, {w.asid, cfg_.asid_w}}) & 1023;
        Line &line = place(page);
        line.pages[w.vpn % 8] = {now_, pc};
        line.used = now_;
        const uint64_t every = (1ULL << (cfg_.time_w - 3)) / o_.history;
        if (now_ % every == 0) {
            scrub((now_ / every - 1) % o_.history);
        }
        labels();
        std::optional<Page> victim;
        auto at = std::find_if(memory().begin(), memory().end(),
                               [&](const Frame &f) { return f.page == page; });
        if (at != memory().end()) {
            at->last = now_;
            at->cls = cls;
            at->dirty = at->dirty || w.write;
        } else {
            size_t frame = memory().size();
            if (frame == frames_) {
                frame = choose();
                victim = memory()[frame].page;
            }
            for (unsigned i = 0; i < o_.samples && !memory().empty(); i++) {
                sample(memory()[static_cast<uint64_t>(random()) * memory().size() >> 32]);
            }
            if (frame == memory().size()) {
                memory().emplace_back();
            }
            memory()[frame] = {page, now_, cls, w.write};
        }
        gmmu_tier_settle(
            &unit_, [](void *, const gmmu_tier_decision *) { ADD_FAILURE(); }, nullptr);
        return victim;
    }

    uint64_t dropped = 0, lost = 0, count = 0, forgotten = 0, at_limit = 0;

   private:
    struct Record {
        uint64_t last;
        uint32_t pc;
    };
    struct Line {
        uint32_t asid;
        uint64_t block, used;
        std::map<unsigned, Record> pages;
    };
    using View = std::vector<uint32_t>;  // pc, near, age, four orders
    struct Sample {
        Page page;
        uint64_t time;
        size_t stage;
        View view;
    };
    struct Word {
        int64_t weight[4] = {}, trained = 0;
    };

    std::vector<Frame> &memory() { return memory_frames_; }

    uint32_t random() {
        for (int i = 0; i < 32; i++) {
            const bool out = (lfsr_ & 1) != 0;
            lfsr_ /= 2;
            lfsr_ ^= out ? 0x80200003U : 0U;
        }
        return lfsr_;
    }

    // Ways of a set, by position; an empty optional holds nothing.
    std::vector<std::optional<Line>> &set_of(const Page &p) {
        auto &set =
            history_[~crc({{p.second / 8, cfg_.vpn_w}, {p.first, cfg_.asid_w}}) % history_.size()];
        set.resize(4);
        return set;
    }

    Line &place(const Page &p) {
        auto &set = set_of(p);
        for (auto &l : set) {
            if (l && l->asid == p.first && l->block == p.second / 8) {
                return *l;
            }
        }
        auto worst = set.begin();
        for (auto l = set.begin(); l != set.end(); ++l) {
            if (*worst && (!*l || (*l)->used < (*worst)->used)) {
                worst = l;
            }
        }
        *worst = Line{p.first, p.second / 8, now_, {}};
        return **worst;
    }

    std::optional<Record> recall(const Page &p) {
        for (auto &l : set_of(p)) {
            if (l && l->asid == p.first && l->block == p.second / 8 &&
                l->pages.count(p.second % 8) != 0) {
                return l->pages.at(p.second % 8);
            }
        }
        return std::nullopt;
    }

    void scrub(uint64_t index) {
        auto &set = history_[index / 4];
        if (set.empty() || !set[index % 4]) {
            return;
        }
        auto &l = set[index % 4];
        for (unsigned i = 0; i < 8; i++) {
            if (l->pages.count(i) != 0 && now_ - l->pages.at(i).last >= limit_) {
                l->pages.erase(i);
                forgotten++;
            }
        }
        if (now_ - l->used >= limit_) {
            l.reset();
        }
    }

    int64_t distance(const Frame &f) {
        const uint64_t age = now_ - f.last;
        const unsigned row =
            gmmu_ppuc_serving_row(&unit_.ppuc, f.cls, gmmu_ref_rit_current(&unit_.rit, f.cls));
        const int64_t code = gmmu_ppuc_priority(&unit_.ppuc, row, static_cast<uint32_t>(age));
        const int64_t most = 16 * log2_in(threshold_[3], 64) + 4096;
        if (o_.unknown == 0 || (code != 0 && 65535 - code <= most)) {
            return 65535 - code;
        }
        return most + 64 * static_cast<int64_t>(cfg_.time_w) - log2_in(age, 64) -
               (f.dirty ? 2048 : 0);
    }

    View view(const Frame &f, const Record &me, int64_t far) {
        const uint64_t age = now_ - me.last;
        uint32_t half = 0;  // 0, 1, then two bins an octave
        if (age < 2) {
            half = static_cast<uint32_t>(age);
        } else {
            half = static_cast<uint32_t>(log2_in(age, 2));
        }
        View v = {me.pc, static_cast<uint32_t>(far / 16), std::min(half, 62U)};
        for (int64_t away : {-1, 1, -8, 8}) {
            const uint64_t mask = cfg_.vpn_w == 64 ? ~0ULL : (1ULL << cfg_.vpn_w) - 1;
            auto other =
                recall({f.page.first, (f.page.second + static_cast<uint64_t>(away)) & mask});
            if (!other) {
                v.push_back(0);
                continue;
            }
            const bool after = other->last > me.last;
            const uint64_t apart = after ? other->last - me.last : me.last - other->last;
            const auto n = static_cast<uint32_t>(std::min<int64_t>(log2_in(apart, 1) / 2, 10));
            v.push_back((after ? 1 : 12) + n);
        }
        return v;
    }

    std::vector<Word *> words(const View &v) {
        const uint32_t what[6] = {
            0, v[2], v[1] / 32, v[1] / 32, v[3] + 32 * v[4], v[5] + 32 * v[6]};
        std::vector<Word *> w;
        for (uint32_t k = 0; k < 6; k++) {
            const uint32_t h = crc({{k == 2 ? 0 : v[0], 10}, {what[k], 14}, {k, 8}});
            w.push_back(&table_[{k, (h ^ (h >> 11)) % o_.table}]);
        }
        return w;
    }

    int64_t base(const View &v, size_t i) {
        return std::clamp<int64_t>(static_cast<int64_t>(v[1]) - log2_in(threshold_[i], 64), -256,
                                   256);
    }

    int64_t key(const Frame &f) {
        int64_t far = distance(f), x = 0;
        auto r = recall(f.page);
        if (r && o_.samples > 0) {
            const View v = view(f, *r, far);
            for (size_t i = 0; i < 4; i++) {
                int64_t sum = base(v, i);
                for (Word *w : words(v)) {
                    sum += w->weight[i];
                }
                x += sigmoid(sum) - sigmoid(base(v, i));
            }
        }
        return std::clamp<int64_t>(65535 - far - 6 * x, 0, 65535);
    }

    size_t choose() {
        std::vector<size_t> candidates(kept_.begin(), kept_.end());
        for (unsigned i = 0; i < std::min<size_t>(k_, frames_); i++) {
            candidates.push_back(hand_);
            hand_ = (hand_ + 1) % frames_;
        }
        std::sort(candidates.begin(), candidates.end());
        candidates.erase(std::unique(candidates.begin(), candidates.end()), candidates.end());
        std::map<size_t, int64_t> keys;
        for (size_t c : candidates) {
            keys[c] = key(memory()[c]);
        }
        std::sort(candidates.begin(), candidates.end(), [&](size_t a, size_t b) {
            return std::make_tuple(keys[a], memory()[a].last, a) <
                   std::make_tuple(keys[b], memory()[b].last, b);
        });
        candidates.resize(std::min<size_t>(candidates.size(), pool_));
        kept_.assign(candidates.begin() + 1, candidates.end());
        return candidates[0];
    }

    void train(const View &v, size_t i, bool waits) {
        int64_t sum = base(v, i);
        for (Word *w : words(v)) {
            sum += w->weight[i];
        }
        const int64_t error = (waits ? 255 : 0) - sigmoid(sum);
        const uint64_t bits = random();
        unsigned k = 0;
        count++;
        for (Word *w : words(v)) {
            const int64_t rate = 5 + 77 / (w->trained / 4 + 2);
            const int64_t x =
                error * rate * 64 + static_cast<int64_t>(bits / (1U << 3 * k) % 65536);
            w->weight[i] += static_cast<int64_t>(std::floor(static_cast<double>(x) / 65536));
            at_limit += std::abs(w->weight[i]) >= 511 ? 1 : 0;
            w->weight[i] = std::clamp<int64_t>(w->weight[i], -511, 511);
            w->trained = std::min<int64_t>(w->trained + 1, 255);
            k++;
        }
    }

    void enter(Sample s, size_t stage) {
        s.stage = stage;
        const auto waiting = std::count_if(samples_.begin(), samples_.end(),
                                           [&](const Sample &o) { return o.stage == stage; });
        if (static_cast<size_t>(waiting) >= o_.ring) {
            dropped++;
        } else {
            samples_.push_back(std::move(s));
        }
    }

    void sample(const Frame &f) {
        auto r = recall(f.page);
        if (!r) {
            lost++;
            return;
        }
        enter({f.page, now_, 0, view(f, *r, distance(f))}, 0);
    }

    void labels() {
        for (size_t stage = 0; stage < 4; stage++) {
            for (;;) {
                // the oldest of those that wait for this threshold; entered in this order
                auto s = std::find_if(samples_.begin(), samples_.end(),
                                      [&](const Sample &o) { return o.stage == stage; });
                if (s == samples_.end() || now_ - s->time < threshold_[stage]) {
                    break;
                }
                const Sample done = *s;
                samples_.erase(s);
                auto r = recall(done.page);
                if (!r) {
                    lost++;
                } else if (r->last > done.time) {
                    for (size_t i = stage; i < 4; i++) {
                        train(done.view, i, false);
                    }
                } else {
                    train(done.view, stage, true);
                    if (stage < 3) {
                        enter(done, stage + 1);
                    }
                }
            }
        }
    }

    Options o_;
    size_t frames_;
    unsigned k_, pool_;
    gmmu_config cfg_;
    gmmu_tier unit_;
    std::vector<char> memory_;
    std::vector<Frame> memory_frames_;
    std::vector<size_t> kept_;
    size_t hand_ = 0;
    uint64_t now_ = 0, limit_ = 0;
    uint32_t lfsr_ = 1;
    std::vector<uint64_t> threshold_;
    std::vector<std::vector<std::optional<Line>>> history_;
    std::list<Sample> samples_;
    std::map<std::pair<uint32_t, uint32_t>, Word> table_;
};

struct Freer {
    void operator()(gmmu_sim *s) const { gmmu_sim_destroy(s); }
    void operator()(gmmu_pages *p) const { gmmu_pages_destroy(p); }
};

// A replay of one policy.
class Fast {
   public:
    Fast(const char *policy, const std::string &options, uint32_t frames)
        : pages_(gmmu_pages_create()) {
        const gmmu_policy_config config = {frames, pages_.get(), nullptr, options.c_str(), 1};
        gmmu_error err = {};
        sim_.reset(
            gmmu_sim_create(gmmu_policy_find(policy, std::string(policy).size()), &config, &err));
        EXPECT_NE(sim_, nullptr) << err.text;
    }
    std::optional<Page> walk(const gmmu_walk &w) {
        gmmu_outcome out = {};
        gmmu_error err = {};
        EXPECT_EQ(gmmu_sim_access(sim_.get(), gmmu_pages_index(pages_.get(), w.asid, w.vpn), &w,
                                  &out, &err),
                  GMMU_OK)
            << err.text;
        if (out.victim == GMMU_NO_PAGE) {
            return std::nullopt;
        }
        return Page{gmmu_pages_asid(pages_.get(), out.victim),
                    gmmu_pages_number(pages_.get(), out.victim)};
    }
    std::string note() const {
        char text[256] = "";
        EXPECT_TRUE(gmmu_sim_note(sim_.get(), text, sizeof text));
        return text;
    }
    uint64_t noted(const std::string &key) const {
        const std::string text = note();
        return std::stoull(text.substr(text.find(key + "=") + key.size() + 1));
    }

   private:
    std::unique_ptr<gmmu_pages, Freer> pages_;
    std::unique_ptr<gmmu_sim, Freer> sim_;
};

std::vector<std::optional<Page>> victims(const std::vector<gmmu_walk> &trace, const char *policy,
                                         const std::string &options, uint32_t frames) {
    Fast fast(policy, options, frames);
    std::vector<std::optional<Page>> all;
    for (const gmmu_walk &w : trace) {
        all.push_back(fast.walk(w));
    }
    return all;
}

struct Totals {
    uint64_t walks = 0, victims = 0, labels = 0, dropped = 0, lost = 0, forgotten = 0, at_limit = 0;
};

void compare(const std::vector<gmmu_walk> &trace, const Options &o, uint32_t frames, Totals *sum) {
    Fast fast("leu2", o.text(), frames);
    Slow slow(o, frames);
    for (size_t i = 0; i < trace.size(); i++) {
        const auto expected = slow.walk(trace[i]);
        const auto found = fast.walk(trace[i]);
        ASSERT_EQ(found, expected) << o.text() << ", " << frames << " frames, walk " << i + 1;
        sum->victims += expected ? 1 : 0;
    }
    EXPECT_EQ(fast.noted("labels"), slow.count);
    EXPECT_EQ(fast.noted("dropped"), slow.dropped);
    EXPECT_EQ(fast.noted("lost"), slow.lost);
    EXPECT_LE(fast.noted("heaviest"), 511U);
    sum->walks += trace.size();
    sum->labels += slow.count;
    sum->dropped += slow.dropped;
    sum->lost += slow.lost;
    sum->forgotten += slow.forgotten;
    sum->at_limit += slow.at_limit;
}

void print(const char *what, const Totals &t) {
    std::printf(
        "[ vectors  ] %s: %llu walks, %llu victims, %llu labels, %llu samples dropped, %llu lost\n",
        what, static_cast<unsigned long long>(t.walks), static_cast<unsigned long long>(t.victims),
        static_cast<unsigned long long>(t.labels), static_cast<unsigned long long>(t.dropped),
        static_cast<unsigned long long>(t.lost));
}

// GMMU_LONG (make conformance): more of the same, and a clock that comes round.
bool at_length() {
    return std::getenv("GMMU_LONG") != nullptr;
}

TEST(Leu2Test, EveryVictimEqualsTheSlowModelAtEverySize) {
    RandomTrace random(test_seed());
    Totals sum;
    for (int i = 0; i < (at_length() ? 200 : 24); i++) {
        const uint64_t pages = 1 + random.below(20);
        const auto trace = random.make(1 + random.below(300), pages);
        Options o;
        o.config = "tiny";
        o.k = 1 + static_cast<unsigned>(random.below(8));
        o.pool = 1 + static_cast<unsigned>(random.below(5));
        o.samples = static_cast<unsigned>(random.below(8));
        o.ring = 1 + static_cast<unsigned>(random.below(20));
        o.table = 2U << random.below(10);
        o.history = 4U << random.below(5);
        o.unknown = random.below(4) != 0 ? 1 : 0;
        o.seed = 1 + static_cast<uint32_t>(random.below(1000));
        for (uint32_t frames = 1; frames <= pages + 1; frames++) {
            compare(trace, o, frames, &sum);
            ASSERT_FALSE(HasFatalFailure()) << "trace " << i << " of seed " << test_seed();
        }
    }
    print("leu2, every size", sum);
    EXPECT_GT(sum.dropped, 0U);
    EXPECT_GT(sum.lost, 0U);
}

TEST(Leu2Test, EveryVictimEqualsTheSlowModelOnLongTraces) {
    RandomTrace random(test_seed() + 1);
    Totals sum;
    for (int i = 0; i < (at_length() ? 12 : 3); i++) {
        const uint64_t pages = 60 + random.below(300);
        const auto trace = random.make(at_length() ? 3000 : 1500, pages);
        Options o;
        o.config = i % 2 == 0 ? "tiny" : "default";
        o.ring = i % 3 == 0 ? 1024 : 64;
        compare(trace, o, static_cast<uint32_t>(pages / 2), &sum);
        ASSERT_FALSE(HasFatalFailure()) << "trace " << i << " of seed " << test_seed();
    }
    print("leu2, long", sum);
}

// Time stamps of 20 bits come round; what is older than 2^18 walks is forgotten before they do.
TEST(Leu2Test, EveryVictimEqualsTheSlowModelWhenTimeComesRound) {
    if (!at_length()) {
        GTEST_SKIP() << "1.3 M walks: only with GMMU_LONG";
    }
    RandomTrace random(test_seed() + 2);
    Totals sum;
    std::vector<gmmu_walk> trace(1300000);
    for (size_t i = 0; i < trace.size(); i++) {
        // long silence of most pages: 20 pages are accessed most of the time
        const bool all = i % 150000 < 400;
        trace[i].vpn = random.below(all ? 400 : 20) * (i / 400000 + 1);
        trace[i].ref = trace[i].vpn % 3;
    }
    Options o;
    o.config = "tiny";
    o.history = 64;
    compare(trace, o, 40, &sum);
    print("leu2, time comes round", sum);
    EXPECT_GT(sum.forgotten, 0U);
}

// Four lines of history, of which one is looked at every 2^15 walks: the pages of the first walks
// are forgotten when they are 2^18 old, those of a line that is still in use one by one.
TEST(Leu2Test, EveryVictimEqualsTheSlowModelWhenPagesAreForgotten) {
    Totals sum;
    std::vector<gmmu_walk> trace(440000);
    for (size_t i = 0; i < trace.size(); i++) {
        trace[i].vpn = i % 400000 < 40 ? i % 40 : i % 2;
        trace[i].ref = trace[i].vpn % 3;
    }
    Options o;
    o.config = "tiny";
    o.history = 4;
    compare(trace, o, 20, &sum);
    print("leu2, forgotten", sum);
    EXPECT_GT(sum.forgotten, 4U);
}

// With so many frames the last threshold, 32 times as many walks, is as long as time stamps allow.
TEST(Leu2Test, EveryVictimEqualsTheSlowModelWithThresholdsAtTheLimit) {
    Totals sum;
    std::vector<gmmu_walk> trace(270000);
    for (size_t i = 0; i < trace.size(); i++) {
        trace[i].vpn = i < 40 ? i : i % 2;
        trace[i].ref = trace[i].vpn % 3;
    }
    Options o;
    o.config = "tiny";
    compare(trace, o, 8192, &sum);
    print("leu2, long thresholds", sum);
    EXPECT_GT(sum.labels, 0U);
}

// Reuses so far off that LEU's knowledge of them counts as none: more than 16 times 32C.
TEST(Leu2Test, EveryVictimEqualsTheSlowModelWhenReusesAreFar) {
    Totals sum;
    std::vector<gmmu_walk> trace(8000);
    for (size_t i = 0; i < trace.size(); i++) {
        trace[i].vpn = i % 3000;
        trace[i].ref = i % 3;
    }
    for (const unsigned unknown : {0U, 1U}) {
        Options o;
        o.config = "tiny";
        o.unknown = unknown;
        o.samples = 0;
        compare(trace, o, 2, &sum);
    }
    print("leu2, far reuses", sum);
    EXPECT_GT(sum.victims, trace.size());
}

// Pages that never come back, of one instruction, for long: weights go to their limit and stay.
TEST(Leu2Test, WeightsStayWithinTenBits) {
    std::vector<gmmu_walk> trace(60000);
    for (size_t i = 0; i < trace.size(); i++) {
        trace[i].vpn = i % 2 == 0 ? i : (i / 2) % 7;
        trace[i].ref = i % 2;
    }
    Options o;
    o.config = "tiny";
    o.table = 2;
    o.samples = 16;
    o.ring = 2048;
    Fast fast("leu2", o.text(), 16);
    uint64_t most = 0;
    for (size_t i = 0; i < trace.size(); i++) {
        (void)fast.walk(trace[i]);
        if (i % 1000 == 0) {
            most = std::max(most, fast.noted("heaviest"));
            ASSERT_LE(most, 511U);
        }
    }
    EXPECT_GT(most, 256U);  // they do grow
}

TEST(Leu2Test, WithoutSamplesAndUnknownItIsLeu) {
    RandomTrace random(test_seed() + 3);
    for (int i = 0; i < 20; i++) {
        const uint64_t pages = 2 + random.below(300);
        const auto trace = random.make(at_length() ? 3000 : 1500, pages);
        const auto frames = static_cast<uint32_t>(1 + random.below(pages));
        EXPECT_EQ(victims(trace, "leu2", "samples=0:unknown=0", frames),
                  victims(trace, "leu", "search=sample", frames));
    }
}

TEST(Leu2Test, TheSeedAloneDecides) {
    RandomTrace random(test_seed() + 4);
    unsigned different = 0;
    for (int i = 0; i < 4; i++) {
        const auto trace = random.make(3000, 200);
        const auto once = victims(trace, "leu2", "seed=7", 90);
        EXPECT_EQ(once, victims(trace, "leu2", "seed=7", 90));
        different += once != victims(trace, "leu2", "seed=8", 90) ? 1 : 0;
    }
    EXPECT_GT(different, 0U);
}

TEST(Leu2Test, OneFrameHoldsTheLastPage) {
    RandomTrace random(test_seed() + 5);
    const auto trace = random.make(500, 9);
    Fast fast("leu2", "", 1);
    for (size_t i = 0; i < trace.size(); i++) {
        std::optional<Page> expected;
        if (i > 0 &&
            Page{trace[i - 1].asid, trace[i - 1].vpn} != Page{trace[i].asid, trace[i].vpn}) {
            expected = Page{trace[i - 1].asid, trace[i - 1].vpn};
        }
        EXPECT_EQ(fast.walk(trace[i]), expected);
    }
}

TEST(Leu2Test, BadOptionsAreRefused) {
    for (const char *bad : {"k=0",
                            "pool=0",
                            "samples=65",
                            "ring=0",
                            "table=1000",
                            "table=1",
                            "history=3",
                            "history=2",
                            "unknown=2",
                            "seed=0",
                            "seed=-1",
                            "seed=x",
                            "seed=",
                            "config=huge",
                            "colour=red",
                            "k",
                            "sample=9",
                            "refresh=21",
                            "config=tiny:history=1048576",
                            "seed=99999999999999"}) {
        gmmu_pages *pages = gmmu_pages_create();
        const gmmu_policy_config config = {8, pages, nullptr, bad, 1};
        gmmu_error err = {};
        gmmu_sim *sim = gmmu_sim_create(gmmu_policy_find("leu2", 4), &config, &err);
        EXPECT_EQ(sim, nullptr) << bad;
        EXPECT_EQ(std::string(err.text).substr(0, 5), "leu2:") << bad;
        gmmu_sim_destroy(sim);
        gmmu_pages_destroy(pages);
    }
}

}  // namespace
