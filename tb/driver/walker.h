// SPDX-License-Identifier: Apache-2.0
// walker.h: warps, their TLBs and a page-table walker, as a GPU has them: an access that faults
// waits, and after a replay its translation is asked for again.
//
//    source --> warps --> look-up --> on its way --> the unit --> hit: the access is served
//                 ^      (the book)  (up to `delay`)    |
//                 |                                     v
//                 +---- replay() <----------------- fault: the access waits
//
// Of one page walks keep their order; walks of other pages may overtake. A walk that missed before
// the driver mapped the page may reach the unit after the page's FILL: a late fault.
#pragma once
#include <algorithm>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <queue>
#include <random>
#include <unordered_map>
#include <utility>
#include <vector>

#include "driver/book.h"

namespace driver {

// What a warp asks for, once.
struct Access {
    Page page;
    uint64_t ref = 0;
    bool write = false;
};

class Walker {
   public:
    struct Settings {
        unsigned warps = 1;       // each with at most one access
        unsigned tlbs = 1;        // a replay repeats a waiting access so many times; 0: an access
                                  // that faults is served without the walker
        bool tells = true;        // replays have `replay` 1
        unsigned every = 1;       // cycles from a look-up to the next
        unsigned delay = 0;       // most cycles from a look-up to the unit
        unsigned pipe = 0;        // cycles for which a hit counts as under way inside the unit
        unsigned gives_up = 0;    // permille of the waiting accesses that a replay finds gone
        unsigned stale_slot = 0;  // permille of the faults that name any slot of Tier 2
        uint32_t seed = 1;
    };
    // The next access of WARP. False: WARP ends.
    using Source = std::function<bool(unsigned warp, Access *)>;
    // A walk that goes to the unit.
    struct Sent {
        gmmu_tier_walk_in walk = {};
        unsigned warp = 0;
        bool again = false;   // the walk is of a replay, told or not
        bool served = false;  // and with it the access is served
    };
    // What happened so far.
    struct Counts {
        uint64_t accesses = 0, served = 0, given_up = 0;
        uint64_t walks = 0, faults = 0;               // first times
        uint64_t replays = 0;                         // replay()
        uint64_t repeated = 0, repeated_in_vain = 0;  // walks of replays; those that fault
        uint64_t mapped_meanwhile = 0;                // faults whose page is mapped by now
        unsigned most_waiting = 0;                    // accesses at a time
    };

    Walker(Book *book, const Settings &settings, Source source)
        : book_(book), set_(settings), source_(std::move(source)), rng_(settings.seed) {
        warp_.resize(settings.warps);
        for (unsigned w = 0; w < settings.warps; w++) idle_.push_back(w);
    }
    Walker(const Walker &) = delete;
    Walker &operator=(const Walker &) = delete;

    const Counts &counts() const { return counts_; }

    // ---- the unit, cycle by cycle
    // A look-up, if one may be done in CYCLE; then the walk that the unit gets in CYCLE, or null.
    const Sent *next(uint64_t cycle) {
        cycle_ = cycle;
        look_up();
        if (flying_.empty() || flying_.top().due > cycle)
            return nullptr;
        const Flying f = flying_.top();
        flying_.pop();
        arrive(f);
        return &sent_;
    }
    // The first cycle from CYCLE on in which something may happen; NEVER: only a replay helps.
    static constexpr uint64_t NEVER = UINT64_MAX;
    uint64_t next_event(uint64_t cycle) const {
        const uint64_t due = flying_.empty() ? NEVER : flying_.top().due;
        const uint64_t look = todo_.empty() && idle_.empty() ? NEVER : look_at_;
        const uint64_t next = std::min(due, look);
        return next == NEVER ? NEVER : std::max(next, cycle);
    }

    // ---- the driver
    // The GPU-wide replay: each access that waits is asked for again, once for each TLB that waits.
    void replay() {
        counts_.replays++;
        const std::size_t before = todo_.size();
        for (unsigned w = 0; w < warp_.size(); w++) {
            Warp &warp = warp_[w];
            if (warp.waiting == 0)
                continue;
            forget(warp);
            if (below(1000) < set_.gives_up && warp.todo == 0 && warp.flying == 0) {
                warp.waiting = 0;
                counts_.given_up++;
                end(w);
                continue;
            }
            warp.todo += warp.waiting;
            todo_.insert(todo_.end(), warp.waiting, w);
            warp.waiting = 0;
        }
        if (set_.delay != 0)
            std::shuffle(todo_.begin() + static_cast<std::ptrdiff_t>(before), todo_.end(), rng_);
    }
    // Has a walk of a replay not reached the unit yet?
    bool replaying() const { return !todo_.empty() || flying_again_ != 0; }
    // Does an access wait? Does an access to PAGE wait?
    bool any_waits() const { return !waits_.empty(); }
    bool waits(Page page) const { return waits_.count(page) != 0; }
    // The pages that accesses wait for, with the number of accesses.
    const std::map<Page, unsigned> &waiting() const { return waits_; }
    // A hit of FRAME is under way. The driver lets the hit end before another page comes.
    bool hits(uint32_t frame) {
        while (!in_pipe_.empty() && in_pipe_.front().first <= cycle_) {
            lands(in_pipe_.front().second);
            in_pipe_.pop_front();
        }
        return hits_.count(frame) != 0;
    }
    // No warp has anything left, nothing is under way.
    bool done() const { return alive() == 0 && idle_.empty() && todo_.empty() && flying_.empty(); }
    // Warps with an access.
    unsigned alive() const { return busy_; }

   private:
    struct Warp {
        Access access;
        unsigned todo = 0, flying = 0, waiting = 0;  // its translation, for each TLB
        bool again = false;                          // was asked for before
    };
    struct Flying {
        uint64_t due, number;
        gmmu_tier_walk_in walk;
        unsigned warp;
        bool again;
        bool operator<(const Flying &b) const {
            return due != b.due ? due > b.due : number > b.number;
        }
    };
    Book *const book_;
    const Settings set_;
    const Source source_;
    std::mt19937 rng_;
    Counts counts_;
    uint64_t cycle_ = 0, look_at_ = 0, number_ = 0, flying_again_ = 0;
    unsigned busy_ = 0, waiting_ = 0;
    std::vector<Warp> warp_;
    std::deque<unsigned> idle_;  // warps whose next access is to be looked up
    std::deque<unsigned> todo_;  // warps whose access is to be looked up again
    std::priority_queue<Flying> flying_;
    std::unordered_map<Page, std::pair<uint64_t, unsigned>, HashOfPage> order_;  // latest; number
    std::map<Page, unsigned> waits_;                                             // accesses
    std::unordered_map<uint32_t, unsigned> hits_;                                // by frame
    std::deque<std::pair<uint64_t, uint32_t>> in_pipe_;
    Sent sent_;

    unsigned below(uint64_t n) { return static_cast<unsigned>(rng_() % n); }

    void look_up() {
        if (cycle_ < look_at_ || (todo_.empty() && idle_.empty()))
            return;
        const bool again = !todo_.empty() && (idle_.empty() || below(2) != 0);
        std::deque<unsigned> &from = again ? todo_ : idle_;
        const unsigned w = from.front();
        from.pop_front();
        Warp &warp = warp_[w];
        if (again) {
            warp.todo--;
        } else if (!source_(w, &warp.access)) {
            return;
        } else {
            counts_.accesses++;
            busy_++;
            warp.again = false;
        }
        look_at_ = cycle_ + set_.every;
        fly(w);
    }
    // The page table is read now; the walk reaches the unit later.
    void fly(unsigned w) {
        Warp &warp = warp_[w];
        Flying f = {};
        f.walk.asid = warp.access.page.first;
        f.walk.vpn = warp.access.page.second;
        f.walk.ref = warp.access.ref;
        f.walk.write = warp.access.write;
        book_->look_up(&f.walk);
        f.again = warp.again;
        f.walk.replay = f.again && set_.tells;
        if (f.walk.fault && book_->slots.n() != 0 && below(1000) < set_.stale_slot) {
            f.walk.t2 = true;
            f.walk.slot = below(book_->slots.n());
        }
        f.warp = w;
        f.number = number_++;
        f.due = cycle_ + (set_.delay == 0 ? 0 : below(set_.delay + 1));
        auto &order = order_[warp.access.page];
        f.due = std::max(f.due, order.second == 0 ? 0 : order.first);
        order.first = f.due;
        order.second++;
        if (!f.walk.fault)
            hits_[f.walk.frame]++;
        warp.flying++;
        flying_again_ += f.again;
        flying_.push(f);
    }
    void arrive(const Flying &f) {
        Warp &warp = warp_[f.warp];
        const Page page = warp.access.page;
        const auto order = order_.find(page);
        if (--order->second.second == 0)
            order_.erase(order);
        warp.flying--;
        flying_again_ -= f.again;
        counts_.walks += !f.again;
        counts_.faults += !f.again && f.walk.fault;
        counts_.repeated += f.again;
        counts_.repeated_in_vain += f.again && f.walk.fault;
        counts_.mapped_meanwhile += f.walk.fault && book_->frames.find(page) >= 0;
        sent_.walk = f.walk;
        sent_.warp = f.warp;
        sent_.again = f.again;
        (void)book_->walked(f.walk, cycle_ + 1);
        if (f.walk.fault) {
            if (warp.waiting == 0 && (f.again || set_.tlbs != 0))
                wait(page);
            warp.waiting += f.again ? 1 : set_.tlbs;
            warp.again = true;
        } else {
            landed(f.walk.frame);
        }
        sent_.served = warp.flying == 0 && warp.todo == 0 && warp.waiting == 0;
        if (sent_.served) {
            counts_.served++;
            end(f.warp);
        }
    }
    void end(unsigned w) {
        busy_--;
        idle_.push_back(w);
    }
    void wait(Page page) {
        waits_[page]++;
        counts_.most_waiting = std::max(counts_.most_waiting, ++waiting_);
    }
    void forget(const Warp &warp) {
        const auto it = waits_.find(warp.access.page);
        waiting_--;
        if (--it->second == 0)
            waits_.erase(it);
    }
    void landed(uint32_t frame) {
        if (set_.pipe == 0)
            lands(frame);
        else
            in_pipe_.emplace_back(cycle_ + set_.pipe, frame);
    }
    void lands(uint32_t frame) {
        const auto it = hits_.find(frame);
        if (--it->second == 0)
            hits_.erase(it);
    }
};

}  // namespace driver
