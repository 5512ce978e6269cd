// SPDX-License-Identifier: Apache-2.0
// slow_leu2.h: the rules of docs/reference/leu2.md written naively: maps, lists that are searched
// from end to end, nothing kept that can be computed again.
//
// What the slow model shares with the policy is the learning half of the unit (sampler, Ref RIT,
// PPUC table), which has benches of its own; here it is told of every walk as of a hit on a frame
// that holds nothing, so that it neither decides nor keeps pages.
#ifndef GMMU_TB_LEU2_SLOW_LEU2_H
#define GMMU_TB_LEU2_SLOW_LEU2_H

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <list>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "blocks/schedule.h"
#include "gmmu/trace.h"

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
inline uint32_t crc(const std::vector<std::pair<uint64_t, unsigned>> &fields) {
    uint32_t c = 0xFFFFFFFF;
    for (auto [value, bits] : fields) {
        for (unsigned i = 0; i < bits; i++) {
            c = (c >> 1) ^ (((c ^ (value >> i)) & 1) != 0 ? 0x82F63B78U : 0U);
        }
    }
    return c;
}

inline int64_t log2_in(uint64_t x, int64_t steps) {  // linear within an octave, rounded down
    int64_t octave = 0;
    while (x >> (octave + 1) != 0) {
        octave++;
    }
    return x == 0 ? 0 : octave * steps + static_cast<int64_t>(x * steps >> octave) - steps;
}

inline int64_t sigmoid(int64_t logit) {  // in 1/64, to 0..255
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
        std::set<size_t> slots;  // of each only the first stays
        candidates.erase(std::remove_if(candidates.begin(), candidates.end(),
                                        [&](size_t f) { return !slots.insert(f % pool_).second; }),
                         candidates.end());
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

#endif
