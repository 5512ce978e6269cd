// SPDX-License-Identifier: Apache-2.0
// slow_models.h: lru, fifo, clock, opt and leu-exact as slow models.
#ifndef GMMU_TB_POLICY_SLOW_MODELS_H
#define GMMU_TB_POLICY_SLOW_MODELS_H

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "gmmu/trace.h"
#include "numbered_trace.h"

__extension__ typedef unsigned __int128 Wide;

inline Page page_of(const gmmu_walk &w) {
    return {w.asid, w.vpn};
}

// What a slow model knows of a trace; victims are chosen from the residents at walk `now` (from 0).
struct View {
    const std::vector<gmmu_walk> &trace;
    size_t now;
    std::set<Page> resident;
    std::map<Page, size_t> last, inserted;
};

class Model {
   public:
    virtual ~Model() = default;
    virtual void reuse(const gmmu_walk &earlier, uint64_t interval) {
        (void)earlier;
        (void)interval;
    }
    virtual void hit(const Page &p) { (void)p; }
    virtual void filled(const Page &p) { (void)p; }
    virtual Page victim(const View &v) = 0;
};

class Lru : public Model {
   public:
    Page victim(const View &v) override {
        return *std::min_element(v.resident.begin(), v.resident.end(),
                                 [&](auto &a, auto &b) { return v.last.at(a) < v.last.at(b); });
    }
};

class Fifo : public Model {
   public:
    Page victim(const View &v) override {
        return *std::min_element(v.resident.begin(), v.resident.end(), [&](auto &a, auto &b) {
            return v.inserted.at(a) < v.inserted.at(b);
        });
    }
};

// The queue form of CLOCK: the hand is the front; a page with its bit set goes to the back.
class Clock : public Model {
   public:
    void hit(const Page &p) override {
        for (auto &e : queue_) {
            e.second = e.second || e.first == p;
        }
    }
    void filled(const Page &p) override { queue_.emplace_back(p, false); }
    Page victim(const View &) override {
        while (queue_.front().second) {
            queue_.emplace_back(queue_.front().first, false);
            queue_.erase(queue_.begin());
        }
        Page p = queue_.front().first;
        queue_.erase(queue_.begin());
        return p;
    }

   private:
    std::vector<std::pair<Page, bool>> queue_;
};

class Opt : public Model {
   public:
    Page victim(const View &v) override {
        std::optional<Page> best;
        size_t best_next = 0;
        for (const Page &p : v.resident) {  // ascending, so that the lower page number stays
            size_t next = v.now + 1;
            while (next < v.trace.size() && page_of(v.trace[next]) != p) {
                next++;
            }
            if (!best || next > best_next ||
                (next == best_next && v.last.at(p) < v.last.at(*best))) {
                best = p;
                best_next = next;
            }
        }
        return *best;
    }
};

struct Fraction {
    uint64_t profit, left, cost;
    bool operator<(const Fraction &o) const {
        return static_cast<Wide>(profit) * o.left * o.cost <
               static_cast<Wide>(o.profit) * left * cost;
    }
};

class Leu : public Model {
   public:
    void reuse(const gmmu_walk &earlier, uint64_t interval) override {
        histogram_[{earlier.asid, earlier.ref}][interval]++;
    }
    Page victim(const View &v) override {
        std::optional<Page> best;
        Fraction least{};
        for (const Page &p : v.resident) {
            size_t at = v.last.at(p);
            Fraction f = priority({p.first, v.trace[at].ref}, v.now - at);
            if (!best || f < least || (!(least < f) && at < v.last.at(*best))) {
                best = p;
                least = f;
            }
        }
        return *best;
    }

   private:
    Fraction priority(const Page &ref, uint64_t tau) {
        const auto &h = histogram_[ref];
        uint64_t left = 0;
        for (auto [interval, n] : h) {
            left += interval > tau ? n : 0;
        }
        Fraction most{0, 1, 1};
        uint64_t profit = 0;
        for (auto i = h.upper_bound(tau); i != h.end(); ++i) {
            profit += i->second;
            most = std::max(most, Fraction{profit, left, i->first - tau});
        }
        return most;
    }
    std::map<Page, std::map<uint64_t, uint64_t>> histogram_;
};

inline std::unique_ptr<Model> make_model(const std::string &name) {
    if (name == "lru") {
        return std::make_unique<Lru>();
    }
    if (name == "fifo") {
        return std::make_unique<Fifo>();
    }
    if (name == "clock") {
        return std::make_unique<Clock>();
    }
    if (name == "opt") {
        return std::make_unique<Opt>();
    }
    return std::make_unique<Leu>();
}

#endif
