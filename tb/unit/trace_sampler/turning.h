// SPDX-License-Identifier: Apache-2.0
// turning.h: a table whose words may turn bad as they are written.
#ifndef GMMU_TB_TRACE_SAMPLER_TURNING_H
#define GMMU_TB_TRACE_SAMPLER_TURNING_H

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

#include "pages.h"

// Which words turned bad is not known: of each set all that it may hold is kept, and what a slot
// shows excludes some of it. A slot does as its set asks and tells of a bad word exactly if one is
// among those that it looks at, or no slot did so.
class Turning {
   public:
    // What a slot that is done has shown.
    struct Slot {
        uint64_t cycle = 0, now = 0;  // NOW: of an access its own time
        bool scrub = false, access = false;
        bool removed = false;         // SCRUB
        uint64_t name = 0, cls9 = 0;  // of the access
        bool hit = false;             // access
        bool record = false;
        uint64_t cls = 0, interval = 0;  // of the record
    };

    unsigned next = 0;  // the entry that SCRUB visits next
    uint32_t threshold = GMMU_SAMPLER_ALL;

    Turning(unsigned entries, unsigned ways)
        : ways_(ways), sets_(entries / ways), guesses_(sets_, {Set(ways)}), range_(sets_) {}

    // Some of what the set may hold is the reason of this slot, and of what it TOLD.
    bool explains(const Slot &s, bool told) {
        if (!s.scrub && !s.access)
            return !told;
        const unsigned set =
            s.scrub ? next / ways_ : static_cast<unsigned>(s.name & 0xFFFF) % sets_;
        std::vector<Set> before;
        before.swap(guesses_[set]);
        for (Set &g : before) {
            forget(g, s);
            decide(g, 0, s, told, guesses_[set]);
        }
        if (s.scrub)
            next = next + 1 == ways_ * sets_ ? 0 : next + 1;
        Range r = {ways_, 0};
        for (const Set &g : guesses_[set]) {
            unsigned n = 0;
            for (const Way &w : g) n += w.now.valid;
            r = {std::min(r.first, n), std::max(r.second, n)};
        }
        least_ += r.first - range_[set].first;
        most_ += r.second - range_[set].second;
        range_[set] = r;
        return !guesses_[set].empty();
    }

    void thresh() { threshold -= std::max(1u, threshold / 8); }

    // Words that were written as entries and not removed: at least, at most.
    unsigned least() const { return least_; }
    unsigned most() const { return most_; }
    unsigned least(unsigned set) const { return range_[set].first; }

   private:
    enum State { GOOD, BAD, UNKNOWN };
    struct Word {
        bool valid = false;
        State state = UNKNOWN;
        uint64_t name = 0, cls = 0, last = 0, written = 0;  // WRITTEN: in that cycle
    };
    struct Way {
        Word now, before;
    };
    static auto all_of(const Word &w) {
        return std::tie(w.valid, w.state, w.name, w.cls, w.last, w.written);
    }
    friend bool operator==(const Way &a, const Way &b) {
        return all_of(a.now) == all_of(b.now) && all_of(a.before) == all_of(b.before);
    }
    using Set = std::vector<Way>;
    using Range = std::pair<unsigned, unsigned>;
    unsigned ways_, sets_;
    std::vector<std::vector<Set>> guesses_;
    std::vector<Range> range_;
    unsigned least_ = 0, most_ = 0;

    // The word that slot S has from the RAM, if that matters: it reads four cycles before it is
    // done. What the slots 2 to 4 before it have written stands for it; what the slot just before
    // it has, too, but its bad word is told.
    static Word *word_of(Way &w, const Slot &s) {
        if (w.now.written + 5 <= s.cycle)
            return &w.now;
        return w.now.written + 1 == s.cycle && w.before.written + 5 <= s.cycle ? &w.before
                                                                               : nullptr;
    }
    bool looks_at(const Slot &s, unsigned way) const { return s.access || way == next % ways_; }

    // What nobody will look at any more: then sets that differ in nothing else are one.
    static void forget(Set &g, const Slot &s) {
        for (Way &w : g)
            if (w.now.written + 5 <= s.cycle) {
                w.before = {};
                w.now.written = 0;
                if (w.now.state == BAD)
                    w.now.name = w.now.cls = w.now.last = 0;
            }
    }

    // The words from way AT on that S looks at are good or bad.
    void decide(Set g, unsigned at, const Slot &s, bool told, std::vector<Set> &out) {
        for (; at < ways_; at++) {
            Word *w = looks_at(s, at) ? word_of(g[at], s) : nullptr;
            if (w == nullptr || w->state != UNKNOWN)
                continue;
            if (told) {
                w->state = BAD;
                decide(g, at + 1, s, told, out);
            }
            w->state = GOOD;
        }
        bool met = false;
        for (unsigned i = 0; i < ways_; i++) {
            const Word *w = looks_at(s, i) ? word_of(g[i], s) : nullptr;
            met = met || (w != nullptr && w->state == BAD);
        }
        if (met == told && (s.scrub ? scrubs(g, s) : accesses(g, s)) &&
            std::find(out.begin(), out.end(), g) == out.end())
            out.push_back(g);
    }

    static bool bad(const Way &w, const Slot &s) {
        return w.now.written + 5 <= s.cycle && w.now.state == BAD;
    }
    static uint64_t age(const Word &w, const Slot &s) {
        return (s.now - w.last) & mask(config().time_w);
    }
    // The record of W.
    static bool is_record(const Word &w, const Slot &s) {
        return s.record && s.cls == w.cls && s.interval == age(w, s);
    }
    static void write(Way &w, const Word &word) {
        w.before = w.now;
        w.now = word;
    }

    bool scrubs(Set &g, const Slot &s) const {
        Way &w = g[next % ways_];
        const bool lost = bad(w, s);
        const bool removed =
            lost || (w.now.valid && (static_cast<uint32_t>(w.now.name) >> 16 >= threshold ||
                                     age(w.now, s) >= 1ull << (config().time_w - 2)));
        if (s.removed != removed || (removed && !lost ? !is_record(w.now, s) : s.record))
            return false;
        if (removed)
            write(w, {.state = UNKNOWN, .written = s.cycle});
        return true;
    }

    bool accesses(Set &g, const Slot &s) const {
        Way *hit = nullptr, *free = nullptr, *oldest = nullptr;
        for (Way &w : g) {
            const bool valid = w.now.valid && !bad(w, s);
            if (valid && w.now.name == s.name)
                hit = &w;
            if (!valid && free == nullptr)
                free = &w;
            if (valid && (oldest == nullptr || age(w.now, s) > age(oldest->now, s)))
                oldest = &w;
        }
        Way *w = hit != nullptr ? hit : free != nullptr ? free : oldest;
        if (s.hit != (hit != nullptr) ||
            (w == free && hit == nullptr ? s.record : !is_record(w->now, s)))
            return false;
        write(*w, {.valid = true,
                   .state = UNKNOWN,
                   .name = s.name,
                   .cls = s.cls9,
                   .last = s.now,
                   .written = s.cycle});
        return true;
    }
};

#endif
