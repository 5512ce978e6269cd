// SPDX-License-Identifier: Apache-2.0
// slow_policies.h: replacement policies written from their papers, O(n) a step: what the fast ones
// of cmodel/policy are compared with. Nothing is shared with them but the rows of docs/policies.md.
//
// A queue is a vector whose front is the youngest end (the papers' head, MRU or top) and whose back
// is the oldest (tail, LRU or bottom).
#ifndef GMMU_TB_SLOW_POLICIES_H
#define GMMU_TB_SLOW_POLICIES_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace slow {

using Page = uint32_t;
using Queue = std::vector<Page>;

inline bool has(const Queue &q, Page p) {
    return std::find(q.begin(), q.end(), p) != q.end();
}
inline void push(Queue *q, Page p) {
    q->insert(q->begin(), p);
}
inline Page pop(Queue *q) {
    const Page p = q->back();
    q->pop_back();
    return p;
}
inline void take(Queue *q, Page p) {
    q->erase(std::find(q->begin(), q->end(), p));
}

template <class Pages>
void add(const Pages &pages, std::vector<Page> *all) {
    all->insert(all->end(), pages.begin(), pages.end());
}

// What a model is told.
struct Setting {
    uint64_t frames = 1;
    std::map<std::string, uint64_t> options;  // those that differ from the defaults
    uint64_t seed = 1;
    std::vector<Page> trace;  // for those that know the future

    uint64_t option(const std::string &key, uint64_t otherwise) const {
        auto found = options.find(key);
        return found == options.end() ? otherwise : found->second;
    }
    // A percentage of memory, in pages.
    uint64_t share(const std::string &key, uint64_t otherwise) const {
        return std::max<uint64_t>(1, frames * option(key, otherwise) / 100);
    }
};

class Policy {
   public:
    explicit Policy(const Setting &s) : m(s.frames) {}
    virtual ~Policy() = default;
    Policy(const Policy &) = delete;
    Policy &operator=(const Policy &) = delete;
    virtual void access(Page p) = 0;
    // Adds the resident pages to *ALL, in any order.
    virtual void resident(std::vector<Page> *all) const = 0;

   protected:
    const uint64_t m;  // size of memory
};

// Steele, Lea and Flood, OOPSLA 2014, Fig. 17's mix with the golden gamma.
inline uint64_t splitmix64(uint64_t *state) {
    *state += 0x9e3779b97f4a7c15U;
    uint64_t z = *state;
    z ^= z >> 30;
    z *= 0xbf58476d1ce4e5b9U;
    z ^= z >> 27;
    z *= 0x94d049bb133111ebU;
    z ^= z >> 31;
    return z;
}

class Random : public Policy {
   public:
    explicit Random(const Setting &s) : Policy(s), state_(s.option("seed", s.seed)) {}
    void access(Page p) override {
        if (has(frames_, p)) {
            return;
        }
        if (frames_.size() < m) {
            frames_.push_back(p);
            return;
        }
        // floor(x · m / 2^64), m below 2^32, in two halves of x
        const uint64_t x = splitmix64(&state_);
        const uint64_t low = ((x & 0xffffffffU) * m) >> 32;
        frames_[((x >> 32) * m + low) >> 32] = p;
    }
    void resident(std::vector<Page> *all) const override { add(frames_, all); }

   private:
    uint64_t state_;
    std::vector<Page> frames_;
};

class Lfu : public Policy {
   public:
    using Policy::Policy;
    void access(Page p) override {
        now_++;
        for (Use &u : uses_) {
            if (u.page == p) {
                u.count++;
                u.last = now_;
                return;
            }
        }
        if (uses_.size() == m) {
            uses_.erase(std::min_element(uses_.begin(), uses_.end(), [](auto &a, auto &b) {
                return std::tie(a.count, a.last) < std::tie(b.count, b.last);
            }));
        }
        uses_.push_back({p, 1, now_});
    }
    void resident(std::vector<Page> *all) const override {
        for (const Use &u : uses_) {
            all->push_back(u.page);
        }
    }

   private:
    struct Use {
        Page page;
        uint64_t count, last;
    };
    uint64_t now_ = 0;
    std::vector<Use> uses_;
};

// Johnson and Shasha, VLDB 1994, section 2.2, "2Q, full version".
class TwoQ : public Policy {
   public:
    explicit TwoQ(const Setting &s)
        : Policy(s), kin_(s.share("in", 25)), kout_(s.share("out", 50)) {}
    void access(Page p) override {
        if (has(am_, p)) {
            take(&am_, p);
            push(&am_, p);
        } else if (has(a1out_, p)) {
            take(&a1out_, p);
            reclaim();
            push(&am_, p);
        } else if (!has(a1in_, p)) {
            reclaim();
            push(&a1in_, p);
        }
    }
    void resident(std::vector<Page> *all) const override {
        add(a1in_, all);
        add(am_, all);
    }

   private:
    void reclaim() {
        if (a1in_.size() + am_.size() < m) {
            return;
        }
        if (a1in_.size() > kin_ || am_.empty()) {
            push(&a1out_, pop(&a1in_));
            if (a1out_.size() > kout_) {
                pop(&a1out_);
            }
        } else {
            pop(&am_);
        }
    }
    uint64_t kin_, kout_;
    Queue a1in_, a1out_, am_;
};

// Megiddo and Modha, FAST 2003, Fig. 4, case by case.
class Arc : public Policy {
   public:
    using Policy::Policy;
    void access(Page x) override {
        const uint64_t c = m;
        const bool in_b2 = has(b2_, x);
        if (has(t1_, x) || has(t2_, x)) {  // I
            take(has(t1_, x) ? &t1_ : &t2_, x);
            push(&t2_, x);
        } else if (has(b1_, x)) {  // II
            p_ = std::min(p_ + step(b1_, b2_), c);
            replace(in_b2);
            take(&b1_, x);
            push(&t2_, x);
        } else if (in_b2) {  // III
            const uint64_t by = step(b2_, b1_);
            p_ = p_ < by ? 0 : p_ - by;
            replace(in_b2);
            take(&b2_, x);
            push(&t2_, x);
        } else {  // IV
            if (t1_.size() + b1_.size() == c) {
                if (t1_.size() < c) {
                    pop(&b1_);
                    replace(in_b2);
                } else {
                    pop(&t1_);
                }
            } else if (t1_.size() + t2_.size() + b1_.size() + b2_.size() >= c) {
                if (t1_.size() + t2_.size() + b1_.size() + b2_.size() == 2 * c) {
                    pop(&b2_);
                }
                replace(in_b2);
            }
            push(&t1_, x);
        }
    }
    void resident(std::vector<Page> *all) const override {
        add(t1_, all);
        add(t2_, all);
    }

   private:
    // After a hit in `in`, whole pages.
    static uint64_t step(const Queue &in, const Queue &other) {
        return in.size() >= other.size() ? 1 : other.size() / in.size();
    }
    void replace(bool in_b2) {
        if (!t1_.empty() && (t1_.size() > p_ || (in_b2 && t1_.size() == p_))) {
            push(&b1_, pop(&t1_));
        } else {
            push(&b2_, pop(&t2_));
        }
    }
    uint64_t p_ = 0;
    Queue t1_, t2_, b1_, b2_;
};

// Jiang and Zhang, SIGMETRICS 2002, section 3.3, the three cases. The front of the paper's list Q,
// from where pages are replaced, is the back here.
class Lirs : public Policy {
   public:
    explicit Lirs(const Setting &s) : Policy(s), llirs_(m - s.share("hir", 1)) {}
    void access(Page x) override {
        if (lir_.count(x) != 0) {
            take(&s_, x);
            push(&s_, x);
        } else if (lir_.size() < llirs_) {  // the LIR set is not full: all pages become LIR
            lir_.insert(x);
            push(&s_, x);
        } else if (has(q_, x)) {
            take(&q_, x);
            hir(x);
        } else {
            if (lir_.size() + q_.size() == m) {
                pop(&q_);
            }
            hir(x);
        }
        prune();
    }
    void resident(std::vector<Page> *all) const override {
        add(q_, all);
        add(lir_, all);
    }

   private:
    // An access to an HIR page, taken off Q.
    void hir(Page x) {
        if (!has(s_, x)) {
            push(&s_, x);
            push(&q_, x);
            return;
        }
        take(&s_, x);
        push(&s_, x);
        lir_.insert(x);
        const Page bottom = pop(&s_);
        lir_.erase(bottom);
        push(&q_, bottom);
    }
    void prune() {
        while (!s_.empty() && lir_.count(s_.back()) == 0) {
            s_.pop_back();
        }
    }
    uint64_t llirs_;
    Queue s_, q_;
    std::set<Page> lir_;
};

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

// Jaleel et al., ISCA 2010, section 4.1 and 4.2, over all of memory; HPE, section V.B: the delay.
class Rrip : public Policy {
   public:
    Rrip(const Setting &s, bool frequency)
        : Policy(s),
          distant_((1U << s.option("bits", 2)) - 1),
          insert_(distant_ - (s.option("distant", 0) != 0 ? 0 : 1)),
          delay_(s.option("delay", 0)),
          frequency_(frequency) {}
    void access(Page p) override {
        for (Frame &f : frames_) {
            if (f.page == p) {
                f.rrpv = frequency_ && f.rrpv > 0 ? f.rrpv - 1 : 0;
                return;
            }
        }
        fault_++;
        const Frame mine = {p, insert_, fault_};
        if (frames_.size() < m) {
            frames_.push_back(mine);
        } else {
            *victim() = mine;
        }
    }
    void resident(std::vector<Page> *all) const override {
        for (const Frame &f : frames_) {
            all->push_back(f.page);
        }
    }

   private:
    struct Frame {
        Page page;
        unsigned rrpv;
        uint64_t fault;  // the one that brought it in
    };
    Frame *victim() {
        for (;;) {
            bool all_distant = true;
            for (Frame &f : frames_) {
                if (f.rrpv == distant_ && fault_ - f.fault >= delay_) {
                    return &f;
                }
                all_distant = all_distant && f.rrpv == distant_;
            }
            if (all_distant) {
                return &*std::min_element(
                    frames_.begin(), frames_.end(),
                    [](const Frame &a, const Frame &b) { return a.fault < b.fault; });
            }
            for (Frame &f : frames_) {
                f.rrpv += f.rrpv < distant_ ? 1 : 0;
            }
        }
    }
    unsigned distant_, insert_;
    uint64_t delay_;
    bool frequency_;
    uint64_t fault_ = 0;
    std::vector<Frame> frames_;
};

// Zhang et al., NSDI 2024, Algorithm 1, line by line; prev is towards the head.
class Sieve : public Policy {
   public:
    using Policy::Policy;
    void access(Page x) override {
        if (has(t_, x)) {
            visited_.insert(x);
            return;
        }
        if (t_.size() == m) {
            Page o = p_ ? *p_ : t_.back();
            while (visited_.count(o) != 0) {
                visited_.erase(o);
                const std::optional<Page> before = prev(o);
                o = before ? *before : t_.back();
            }
            p_ = prev(o);
            take(&t_, o);
        }
        push(&t_, x);
        visited_.erase(x);
    }
    void resident(std::vector<Page> *all) const override { add(t_, all); }

   private:
    std::optional<Page> prev(Page o) const {
        auto i = std::find(t_.begin(), t_.end(), o);
        return i == t_.begin() ? std::nullopt : std::optional<Page>(*(i - 1));
    }
    Queue t_;
    std::set<Page> visited_;
    std::optional<Page> p_;
};

// Yang et al., SOSP 2023, Algorithm 1, with the departures that docs/policies.md names.
class S3Fifo : public Policy {
   public:
    explicit S3Fifo(const Setting &s) : Policy(s), small_(s.share("small", 10)) {}
    void access(Page x) override {
        if (has(s_, x) || has(m_, x)) {
            freq_[x] = std::min(freq_[x] + 1, 3);
            return;
        }
        if (s_.size() + m_.size() == m) {
            if (s_.size() >= small_) {
                evict_s();
            } else {
                evict_m();
            }
        }
        if (has(g_, x)) {
            take(&g_, x);
            push(&m_, x);
        } else {
            push(&s_, x);
        }
        freq_[x] = 0;
    }
    void resident(std::vector<Page> *all) const override {
        add(s_, all);
        add(m_, all);
    }

   private:
    void evict_s() {
        for (;;) {
            const Page t = pop(&s_);
            if (freq_[t] <= 1) {
                push(&g_, t);
                if (g_.size() > m - small_) {
                    pop(&g_);
                }
                return;
            }
            freq_[t] = 0;
            push(&m_, t);
            if (m_.size() > m - small_) {
                evict_m();
                return;
            }
        }
    }
    void evict_m() {
        for (;;) {
            const Page t = pop(&m_);
            if (freq_[t] == 0) {
                return;
            }
            freq_[t]--;
            push(&m_, t);
        }
    }
    uint64_t small_;
    Queue s_, m_, g_;
    std::map<Page, int> freq_;
};

// Where each page is accessed, walks from 0.
inline std::map<Page, std::vector<uint64_t>> positions(const std::vector<Page> &trace) {
    std::map<Page, std::vector<uint64_t>> all;
    for (size_t t = 0; t < trace.size(); t++) {
        all[trace[t]].push_back(t);
    }
    return all;
}

// Prieve and Fabry, CACM 1976: the shortest reuses that fit, found by sorting them.
class Vmin : public Policy {
   public:
    explicit Vmin(const Setting &s) : Policy(s) {
        std::vector<std::pair<uint64_t, uint64_t>> reuses;  // (interval, begin)
        for (const auto &[page, at] : positions(s.trace)) {
            for (size_t i = 0; i + 1 < at.size(); i++) {
                reuses.emplace_back(at[i + 1] - at[i], at[i]);
            }
        }
        std::sort(reuses.begin(), reuses.end());
        uint64_t size = s.trace.size();  // each walk's own page
        for (const auto &[interval, begin] : reuses) {
            size += interval - 1;
            if (size > s.frames * s.trace.size()) {
                break;
            }
            kept_.insert(begin);
        }
    }
    void access(Page p) override {
        resident_.erase(p);
        if (kept_.count(now_++) != 0) {
            resident_.insert(p);
        }
    }
    void resident(std::vector<Page> *all) const override { add(resident_, all); }

   private:
    std::set<uint64_t> kept_;  // the walks after which the page stays
    uint64_t now_ = 0;
    std::set<Page> resident_;
};

// Li et al., ASPLOS 2019: among all longer leases of all pages the one with the most hits per cost
// is given, over and over. Of equal ones the page that appeared first, of one page the longest.
class Osl : public Policy {
   public:
    explicit Osl(const Setting &s) : Policy(s), end_(s.trace.size()) {
        for (auto &[page, at] : positions(s.trace)) {
            leases_.push_back({std::move(at), 1, 0, 0, 1, 0});
        }
        uint64_t left = (s.frames - 1) * end_;  // a lease of one costs one
        for (;;) {
            Lease *best = nullptr;
            Step most{0, 1, 0};
            for (Lease &l : leases_) {
                for (size_t i = 0; i + 1 < l.at.size(); i++) {
                    const uint64_t longer = l.at[i + 1] - l.at[i];
                    if (longer <= l.lease) {
                        continue;
                    }
                    const Step step = {hits(l, longer) - hits(l, l.lease),
                                       cost(l, longer) - cost(l, l.lease), longer};
                    const uint64_t here = step.hits * most.cost;
                    const uint64_t there = most.hits * step.cost;
                    if (here > there || (here == there && &l == best && longer > most.lease)) {
                        best = &l;
                        most = step;
                    }
                }
            }
            if (best == nullptr) {
                break;
            }
            if (most.cost > left) {
                best->longer = most.lease;
                best->share = left;
                best->shares = most.cost;
                break;
            }
            left -= most.cost;
            best->lease = most.lease;
        }
    }
    void access(Page p) override {
        Lease &l = leases_[p];
        // The k-th access gets the longer lease if floor(k · share / shares) is a new number.
        const uint64_t before = l.accesses++ * l.share / l.shares;
        const bool longer = l.accesses * l.share / l.shares != before;
        until_[p] = now_ + (longer ? l.longer : l.lease);
        for (auto i = until_.begin(); i != until_.end();) {
            i = i->second == now_ ? until_.erase(i) : std::next(i);
        }
        now_++;
    }
    void resident(std::vector<Page> *all) const override {
        for (const auto &[page, until] : until_) {
            all->push_back(page);
        }
    }

   private:
    struct Lease {
        std::vector<uint64_t> at;  // the page's accesses
        uint64_t lease, longer, share, shares, accesses;
    };
    struct Step {
        uint64_t hits, cost, lease;
    };
    static uint64_t hits(const Lease &l, uint64_t lease) {
        uint64_t n = 0;
        for (size_t i = 0; i + 1 < l.at.size(); i++) {
            n += l.at[i + 1] - l.at[i] <= lease ? 1 : 0;
        }
        return n;
    }
    uint64_t cost(const Lease &l, uint64_t lease) const {
        uint64_t sum = std::min(lease, end_ - l.at.back());
        for (size_t i = 0; i + 1 < l.at.size(); i++) {
            sum += std::min(lease, l.at[i + 1] - l.at[i]);
        }
        return sum;
    }
    uint64_t end_;
    std::vector<Lease> leases_;  // of each page
    uint64_t now_ = 0;
    std::map<Page, uint64_t> until_;  // the walk with which its lease ends
};

inline std::unique_ptr<Policy> make(const std::string &name, const Setting &s) {
    if (name == "random") {
        return std::make_unique<Random>(s);
    }
    if (name == "lfu") {
        return std::make_unique<Lfu>(s);
    }
    if (name == "2q") {
        return std::make_unique<TwoQ>(s);
    }
    if (name == "arc") {
        return std::make_unique<Arc>(s);
    }
    if (name == "lirs") {
        return std::make_unique<Lirs>(s);
    }
    if (name == "clockpro") {
        return std::make_unique<ClockPro>(s);
    }
    if (name == "srrip" || name == "rrip-hpe") {
        return std::make_unique<Rrip>(s, name == "rrip-hpe");
    }
    if (name == "sieve") {
        return std::make_unique<Sieve>(s);
    }
    if (name == "s3fifo") {
        return std::make_unique<S3Fifo>(s);
    }
    if (name == "vmin") {
        return std::make_unique<Vmin>(s);
    }
    if (name == "osl") {
        return std::make_unique<Osl>(s);
    }
    throw std::invalid_argument("no slow model of " + name);
}

}  // namespace slow

#endif
