// SPDX-License-Identifier: Apache-2.0
// clock_pro.h: CLOCK-Pro.
#ifndef GMMU_TB_SLOW_POLICIES_CLOCK_PRO_H
#define GMMU_TB_SLOW_POLICIES_CLOCK_PRO_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "policy.h"

namespace slow {

// Jiang, Chen and Zhang, USENIX ATC 2005, section 4, with one clock and three hands in it.
class ClockPro : public Policy {
   public:
    explicit ClockPro(const Setting &s) : Policy(s) {
        const uint64_t fixed = s.option("mc", 0);
        adaptive_ = fixed == 0;
        mc_ = adaptive_ ? m / 100 : fixed;
        clamp();
    }
    void access(Page x) override {
        for (Entry &e : ring_) {
            if (e.page == x && e.kind != GONE) {
                e.bit = true;
                return;
            }
        }
        if (count(HOT) + count(COLD) == m) {
            run_cold();
        }
        size_t at = 0;
        while (at < ring_.size() && ring_[at].page != x) {
            at++;
        }
        if (at < ring_.size()) {
            erase(at);
            adapt(true);
            insert({x, HOT, false, false});
            run_hot();
        } else {
            insert({x, COLD, false, true});
        }
    }
    void resident(std::vector<Page> *all) const override {
        for (const Entry &e : ring_) {
            if (e.kind != GONE) {
                all->push_back(e.page);
            }
        }
    }

   private:
    enum Kind { HOT, COLD, GONE };
    struct Entry {
        Page page;
        Kind kind;
        bool bit, test;
    };
    enum Hand { HAND_HOT, HAND_COLD, HAND_TEST, HANDS };

    uint64_t count(Kind k) const {
        return static_cast<uint64_t>(
            std::count_if(ring_.begin(), ring_.end(), [&](const Entry &e) { return e.kind == k; }));
    }
    void clamp() { mc_ = std::max<uint64_t>(1, std::min(mc_, m - 1)); }
    void adapt(bool accessed_in_test) {
        if (adaptive_) {
            mc_ = accessed_in_test ? mc_ + 1 : mc_ - 1;
            clamp();
        }
    }
    // At the head: just behind HANDhot.
    void insert(const Entry &e) {
        const size_t at = ring_.empty() ? 0 : hand_[HAND_HOT];
        const bool first = ring_.empty();
        ring_.insert(ring_.begin() + static_cast<std::ptrdiff_t>(at), e);
        for (size_t &h : hand_) {
            h += !first && h >= at ? 1 : 0;
        }
        if (e.kind == COLD) {
            is_cold(at);
        }
    }
    // Of the resident cold pages the one furthest from the head is HANDcold's: the first to come
    // when there was none.
    void is_cold(size_t at) {
        if (count(COLD) == 1) {
            hand_[HAND_COLD] = at;
        }
    }
    // A hand that points to the page goes on to the next.
    void erase(size_t at) {
        ring_.erase(ring_.begin() + static_cast<std::ptrdiff_t>(at));
        for (size_t &h : hand_) {
            h -= h > at ? 1 : 0;
            h = h == ring_.size() ? 0 : h;
        }
    }
    void advance(Hand h) { hand_[h] = (hand_[h] + 1) % ring_.size(); }
    Entry &at(Hand h) { return ring_[hand_[h]]; }
    void go_to_cold() {
        if (count(COLD) != 0) {
            while (at(HAND_COLD).kind != COLD) {
                advance(HAND_COLD);
            }
        }
    }
    void run_cold() {
        for (;;) {
            go_to_cold();
            Entry e = at(HAND_COLD);
            if (!e.bit) {
                if (e.test) {
                    at(HAND_COLD).kind = GONE;
                } else {
                    erase(hand_[HAND_COLD]);
                }
                go_to_cold();
                break;
            }
            erase(hand_[HAND_COLD]);
            go_to_cold();
            e.bit = false;
            if (e.test) {
                e.test = false;
                e.kind = HOT;
                adapt(true);
                insert(e);
                run_hot();
            } else {
                e.test = true;
                insert(e);
            }
        }
        run_test();
    }
    // The hand ends the test period of its page and goes on.
    void end_test(Hand h) {
        Entry &e = at(h);
        if (e.kind != HOT && e.test) {
            e.test = false;
            adapt(e.bit);
        }
        if (e.kind == GONE) {
            erase(hand_[h]);
        } else {
            advance(h);
        }
    }
    void run_hot() {
        bool moved = false;
        while (count(HOT) > m - mc_ || (moved && count(HOT) != 0 && at(HAND_HOT).kind != HOT)) {
            moved = true;
            Entry &e = at(HAND_HOT);
            if (e.kind != HOT) {
                end_test(HAND_HOT);
                continue;
            }
            if (!e.bit) {
                e.kind = COLD;
                is_cold(hand_[HAND_HOT]);
            }
            e.bit = false;
            advance(HAND_HOT);
        }
    }
    void run_test() {
        bool moved = false;
        while (count(GONE) > m || (moved && at(HAND_TEST).kind == HOT)) {
            moved = true;
            end_test(HAND_TEST);
        }
    }

    std::vector<Entry> ring_;  // clockwise
    size_t hand_[HANDS] = {0, 0, 0};
    uint64_t mc_ = 1;
    bool adaptive_ = true;
};

}  // namespace slow

#endif
