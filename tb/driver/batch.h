// SPDX-License-Identifier: Apache-2.0
// batch.h: a driver that serves faults in batches, in front of a walker that replays (walker.h).
//
//    COLLECT --- a batch is full, or waited long enough ---> SERVE: unmaps, brings, FILLs
//       ^                                                      |
//       +---- ASKs <--- REPLAY: waits for the last walk <------+
//
// What the driver is told to do on top: it prefetches pages that nobody asked for, CANCELs, frees
// and pins frames of its own accord, FILLs late. It keeps the order rules of
// docs/guide/integration.md: a page is unmapped, and its last hit has ended, before another page
// comes into its frame; a page is mapped with its FILL; the page table is read before a decision is
// followed; before an ASK with `force` everything that arrived was replayed.
#pragma once
#include <algorithm>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <random>
#include <set>
#include <vector>

#include "driver/driver.h"
#include "driver/walker.h"

namespace driver {

class BatchDriver : public Driver {
   public:
    struct Settings {
        unsigned batch = 256;       // most decisions of a batch
        bool any_size = true;       // a batch's size is drawn from 1 to `batch`
        uint64_t collects = 0;      // cycles for which a batch waits for more decisions
        uint64_t latency = 20000;   // cycles from the begin of a batch to its first page
        uint64_t each = 0;          // cycles from a page to the next page of a batch
        uint64_t lag = 0;           // most cycles from a page to its FILL
        uint64_t counter = 0;       // cycles from an operation to its count in stat_drv_errors
        uint64_t patience = 1000;   // cycles until the driver replays again for accesses that wait
        unsigned prefetches = 0;    // permille of the pages that bring another page
        unsigned cancels = 0;       // permille of the decisions that are not followed
        unsigned frees = 0;         // permille of the FILLs behind which a page leaves by itself
        bool frees_unused = false;  // a page may leave so before it was replayed
        unsigned pins = 0;          // permille of the FILLs behind which a frame is pinned
        unsigned most_pins = 0;     // frames at a time
        unsigned stale_slots = 0;   // permille of FILL, ASK, CANCEL that name any slot of Tier 2
        uint32_t seed = 1;
    };
    // A page worth a prefetch, when PAGE comes.
    using Guess = std::function<Page(Page page)>;
    struct Counts {
        uint64_t decisions = 0, batches = 0, largest = 0;
        uint64_t evictions = 0;  // decisions followed that name a victim
        uint64_t none = 0, none_fresh = 0;
        uint64_t resident = 0;   // decisions of pages that are mapped already
        uint64_t cancelled = 0;  // by the driver's own will
        uint64_t going = 0;      // decisions of pages that are on their way out
        uint64_t no_frame = 0;   // decisions FREE that find no empty frame
        uint64_t prefetched = 0, prefetched_in_vain = 0;
        uint64_t freed = 0, pinned = 0;
        uint64_t ahead = 0, ahead_cancelled = 0;
        uint64_t asks = 0, forced = 0;
    };

    BatchDriver(uint32_t frames, uint32_t slots, const Settings &settings, Guess guess = nullptr,
                Slots::Pick pick = Slots::EMPTIED_LAST)
        : Driver(frames, slots, pick),
          set_(settings),
          guess_(std::move(guess)),
          rng_(settings.seed) {
        if (!guess_)
            guess_ = [this](Page p) { return Page(p.first, p.second ^ (1 + below(7))); };
        draw_size();
    }
    // The walker reads the driver's book, so the driver comes first.
    void meet(Walker *walker) { walker_ = walker; }

    const Counts &counts() const { return counts_; }

    // The unit decided D.
    void decided(const Decision &said) override {
        Decision d = said;
        counts_.decisions++;
        if (d.t2_valid && book.slots.holds(d.t2_slot, {d.t2_asid, d.t2_vpn}))
            book.slots.leaves(d.t2_slot);
        else
            d.t2_valid = false;  // the page has left its slot by itself
        if (d.ahead) {
            ahead(d);
            return;
        }
        if (d.tier == GMMU_TIER_NONE) {
            none(d);
            return;
        }
        known_[page_of(d)]++;
        if (has_victim(d) && !claim(d)) {
            counts_.no_frame++;
            nones_.emplace(page_of(d), None{});
            cancel_free(without_frame(d));
            return;
        }
        if (gathered_.empty())
            first_ = cycle();
        gathered_.push_back(emptied_.count(d.frame) != 0 && has_victim(d) ? gone_already(d) : d);
    }
    // stat_fault_drops is N: if it grew, the driver ASKs for each page that waits.
    void fault_drops(uint64_t n) {
        ask_all_ |= n != drops_;
        drops_ = n;
    }
    // stat_drv_errors is N: the unit refuses to CANCEL a decision ahead whose frame is promised.
    void drv_errors(uint64_t n) { errors_ = n; }
    // The first cycle from CYCLE on in which next() may have something to do.
    uint64_t next_event(uint64_t cycle) {
        if (waits() || !operations.empty())
            return cycle;
        uint64_t at = Walker::NEVER;
        if (!answers.empty())
            at = std::min(at, answers.front().due);
        for (const Coming &p : prefetches_) at = std::min(at, p.due);
        for (const auto &l : leaving_) at = std::min(at, l.second.due);
        if (undoes_)
            at = std::min(at, undone_);
        if (ask_all_ || (phase_ != REPLAY && !aheads_.empty()) ||
            (phase_ == SERVE && answers.empty()) || (phase_ == REPLAY && !walker_->replaying()))
            at = cycle;
        else if (phase_ != COLLECT)
            return std::max(at, cycle);
        else if (!gathered_.empty())
            at = std::min(at, gathered_.size() >= size_ ? cycle : first_ + set_.collects);
        else if (!nones_.empty() || walker_->any_waits())
            at = std::min(at, replayed_ + set_.patience);
        return std::max(at, cycle);
    }
    // Nothing is under way, and nobody waits.
    bool at_rest() const {
        return done() && gathered_.empty() && phase_ == COLLECT && prefetches_.empty() &&
               leaving_.empty() && !undoes_ && undone_later_.empty() && aheads_.empty() &&
               !walker_->any_waits() && !walker_->replaying();
    }
    // No page comes or leaves any more of the driver's own accord, and no frame is pinned.
    void calm() {
        calm_ = true;
        unpin_all();
    }

   protected:
    // Of a decision that waits in a batch nothing leaves yet: begin().
    void depart(const Decision &d) override { (void)d; }

    Look look(const Decision &d) override {
        if (undoes_)
            return WAIT;
        if (book.frames.find(page_of(d)) >= 0 || (has_victim(d) && page_of(d) == victim_of(d))) {
            counts_.resident++;
            return undo(d);
        }
        for (const auto &l : leaving_)
            if (book.frames[l.first].page == page_of(d))
                return WAIT;
        if (going_.count(page_of(d)) != 0) {  // a later decision names the page as victim
            counts_.going++;
            nones_.emplace(page_of(d), None{});
            return undo(d);
        }
        if (has_victim(d) && walker_->hits(d.frame))
            return WAIT;
        if (!calm_ && chance(set_.cancels)) {
            counts_.cancelled++;
            nones_.emplace(page_of(d), None{});
            return undo(d);
        }
        if (d.tier == GMMU_TIER_FREE && !find_empty(&empty_)) {
            if (!leaving_.empty() || !aheads_.empty())
                return WAIT;  // a frame becomes empty soon
            counts_.no_frame++;
            nones_.emplace(page_of(d), None{});
            return undo(d);
        }
        counts_.evictions += has_victim(d);
        return FOLLOW;
    }
    uint32_t empty_frame(const Decision &d) override {
        (void)d;
        promised_.insert(empty_);
        return empty_;
    }
    // (A frame that a decision names would stay by any CANCEL.)
    uint32_t uninvolved() const override {
        uint32_t held = book.frames.n();
        for (uint32_t f = 0; f < book.frames.n(); f++) {
            if (named_.count(f) != 0)
                continue;
            if (book.frames[f].state == EMPTY)
                return f;
            if (book.frames[f].state == HELD && (held == book.frames.n() || book.frames[f].pinned))
                held = f;
        }
        return held;
    }
    void ready(Operation *o) override {
        const bool may = o->op == GMMU_FILL || o->op == GMMU_ASK || o->op == GMMU_CANCEL;
        if (may && book.slots.n() != 0 && chance(set_.stale_slots)) {
            o->t2 = true;
            o->slot = below(book.slots.n());
        }
    }
    bool outdated(const Operation &o) override {
        return o.op == GMMU_ASK && (book.frames.find(page_of(o)) >= 0 || known(page_of(o)));
    }
    void took(const Operation &o) override {
        Driver::took(o);
        const bool empties =
            o.op == GMMU_FREE || (o.op == GMMU_T2_FILL_DONE && ahead_.erase(o.frame) != 0);
        if (empties) {
            frees_.erase(o.frame);
            book.frames.free(o.frame);
            book.frames.give_empty(o.frame);
        } else {
            filled(o);
        }
    }
    void filled(const Operation &o) {
        if (o.op == GMMU_CANCEL && o.ahead) {
            undoes_ = true;
            undone_ = cycle() + set_.counter;
        }
        if (!fills(o))
            return;
        promised_.erase(o.frame);
        gone(o.frame);
        named_.erase(o.frame);
        emptied_.erase(o.frame);
        pins_.erase(o.frame);
        if (fetched_.erase(o.frame) == 0)
            resolved(page_of(o));
        passed_.erase(page_of(o));
        if (!calm_)
            of_own_accord();
    }
    void idle() override {
        if (prefetch_comes() || page_leaves() || cancels_now())
            return;
        if (ask_all_) {
            ask_all_ = false;
            ask_for_waiting_ = true;
        }
        if (phase_ != REPLAY)
            begin_ahead();
        switch (phase_) {
            case COLLECT:
                collect();
                break;
            case SERVE:
                if (answers.empty()) {
                    walker_->replay();
                    began_ = cycle();
                    phase_ = REPLAY;
                }
                break;
            default:
                if (walker_->replaying())
                    break;
                replayed_ = cycle();
                replays_++;
                ask();
                phase_ = COLLECT;
        }
    }

   private:
    struct None {
        bool force = false;  // fresh frames were passed over, before and behind a replay
    };
    struct Coming {
        uint64_t due;
        Page page;
        uint32_t frame;
    };
    // A page that leaves its frame for no other page: its FREE waits for the last hit.
    struct Leaving {
        uint64_t due;
        Decision d;  // ahead; else the driver's own will
    };
    enum Phase { COLLECT, SERVE, REPLAY };

    const Settings set_;
    Guess guess_;
    std::mt19937 rng_;
    Walker *walker_ = nullptr;
    Counts counts_;
    Phase phase_ = COLLECT;
    bool calm_ = false, ask_all_ = false, ask_for_waiting_ = false;
    uint64_t drops_ = 0, first_ = 0;
    uint64_t replays_ = 0, replayed_ = 0;  // replays that have ended; when
    uint64_t began_ = 0;                   // when the last replay began
    std::size_t size_ = 1;
    std::deque<Decision> gathered_;    // not in a batch yet
    std::map<Page, unsigned> known_;   // number of decisions neither followed nor undone
    std::map<Page, None> nones_;       // pages that need an ASK behind the next replay
    std::map<Page, uint64_t> passed_;  // replays_ when fresh frames were passed over for a page
    std::deque<Coming> prefetches_;
    std::map<uint32_t, Page> fetched_;  // frames of prefetches
    std::set<uint32_t> promised_;       // empty frames for which a page is under way
    std::set<uint32_t> named_;          // frames whose victim a known decision names
    std::set<uint32_t> emptied_;        // of these: the page left before the driver knew
    std::deque<Decision> undone_later_;
    std::map<uint32_t, Page> goes_;  // victims of decisions that are followed, by frame
    std::multiset<Page> going_;      // these pages
    std::map<uint32_t, Leaving> leaving_;
    std::deque<Decision> aheads_;  // decisions ahead that wait for the end of a replay
    std::set<uint32_t> frees_;     // frames whose FREE, or its like, waits to be taken
    std::set<uint32_t> ahead_;     // frames whose page goes to Tier 2 ahead of need
    bool undoes_ = false;          // a CANCEL of the decision ahead on `undone_frame_` was sent
    uint64_t undone_ = 0, errors_ = 0, errors_before_ = 0;
    uint32_t undone_frame_ = 0;
    std::set<uint32_t> pins_;
    uint32_t empty_ = 0;

    unsigned below(uint64_t n) { return static_cast<unsigned>(rng_() % n); }
    bool chance(unsigned permille) { return permille != 0 && below(1000) < permille; }
    void draw_size() { size_ = set_.any_size ? 1 + below(set_.batch) : set_.batch; }
    bool known(Page page) const { return known_.count(page) != 0; }
    void resolved(Page page) {
        const auto it = known_.find(page);
        if (it != known_.end() && --it->second == 0)
            known_.erase(it);
    }

    // ---- empty frames
    // An empty frame for which no page is under way.
    bool find_empty(uint32_t *frame) {
        while (book.frames.has_empty()) {
            *frame = book.frames.take_empty();
            if (book.frames[*frame].state == EMPTY && promised_.count(*frame) == 0 &&
                named_.count(*frame) == 0)
                return true;
        }
        return false;
    }

    // ---- decisions
    void none(const Decision &d) {
        counts_.none++;
        counts_.none_fresh += d.fresh;
        if (book.frames.find(page_of(d)) >= 0)
            return;
        None &n = nones_[page_of(d)];
        if (d.fresh)
            n.force |= passed_.emplace(page_of(d), replays_).first->second < replays_;
        if (gathered_.empty() && answers.empty())
            unpin_all();
    }
    // D names a victim. False: the frame has gone to another page since the unit decided.
    bool claim(const Decision &d) {
        const Frame &f = book.frames[d.frame];
        const bool empty =
            frees_.count(d.frame) != 0 || (f.state == EMPTY && promised_.count(d.frame) == 0);
        if (named_.count(d.frame) != 0)
            return false;
        if (!empty && (f.state == EMPTY || f.page != victim_of(d)))
            return false;
        if (empty)
            emptied_.insert(d.frame);
        if (undoes_ && d.frame == undone_frame_)
            stayed();
        named_.insert(d.frame);
        leaving_.erase(d.frame);
        pins_.erase(d.frame);
        return true;
    }
    static Page victim_of(const Decision &d) { return {d.victim_asid, d.victim_vpn}; }
    // The page that a decision sent out of FRAME is on its way no more.
    void gone(uint32_t frame) {
        const auto it = goes_.find(frame);
        if (it == goes_.end())
            return;
        going_.erase(going_.find(it->second));
        goes_.erase(it);
    }
    // D without the moves of its victim, which has left by itself.
    Decision gone_already(Decision d) {
        if (d.t2_valid) {
            push(t2_cancel(d));
            book.slots.stays(d.t2_slot);
        }
        d.tier = GMMU_TIER_3;
        d.swap = d.t2_valid = false;
        return d;
    }
    // The operations that undo D.
    Look undo(const Decision &d) {
        if (!has_victim(d)) {
            cancel_free(d);
            return DROP;
        }
        gone(d.frame);
        named_.erase(d.frame);
        if (emptied_.erase(d.frame) != 0) {
            cancel_free(without_frame(d));
            book.frames.free(d.frame);
            book.frames.give_empty(d.frame);
            return DROP;
        }
        resolved(page_of(d));
        cancel(d);
        if (set_.most_pins != 0)
            unpin(d.frame);  // a PIN may have met the decision
        return DROP;
    }
    // CANCEL of D, as soon as there is a frame for it.
    void cancel_free(const Decision &d) {
        if (uninvolved() == book.frames.n()) {
            undone_later_.push_back(d);
            return;
        }
        resolved(page_of(d));
        cancel(d);
    }
    // True: a CANCEL that waited for a frame is pushed.
    bool cancels_now() {
        if (undone_later_.empty() || uninvolved() == book.frames.n())
            return false;
        const Decision d = undone_later_.front();
        undone_later_.pop_front();
        cancel_free(d);
        return true;
    }
    // No page of a frame can stay by D.
    static Decision without_frame(Decision d) {
        d.tier = GMMU_TIER_FREE;
        return d;
    }
    // The batch of the first decisions begins: what leaves is unmapped.
    void begin() {
        const std::size_t n = std::min(size_, gathered_.size());
        uint64_t due = cycle() + set_.latency;
        for (std::size_t i = 0; i < n; i++) {
            const Decision d = gathered_.front();
            gathered_.pop_front();
            book.decided(d);
            if (has_victim(d) && emptied_.count(d.frame) == 0) {
                going_.insert(victim_of(d));
                goes_[d.frame] = victim_of(d);
            }
            const uint64_t late = set_.lag == 0 ? 0 : below(set_.lag + 1);
            answers.push_back({std::max(answers.empty() ? 0 : answers.back().due, due + late), d});
            if (!calm_ && chance(set_.prefetches))
                prefetch(guess_(page_of(d)), due);
            due += set_.each;
        }
        counts_.batches++;
        counts_.largest = std::max<uint64_t>(counts_.largest, n);
        phase_ = SERVE;
        draw_size();
        first_ = cycle();
    }
    void collect() {
        if (!gathered_.empty()) {
            if (gathered_.size() >= size_ || cycle() >= first_ + set_.collects)
                begin();
        } else if ((!nones_.empty() || walker_->any_waits()) &&
                   cycle() >= replayed_ + set_.patience) {
            phase_ = SERVE;  // of nothing: accesses wait for pages that are here, or were lost
        }
    }

    // ---- behind a replay
    void ask() {
        for (const auto &n : nones_) {
            const Page page = n.first;
            if (book.frames.find(page) >= 0 || known(page) || !walker_->waits(page))
                continue;
            Operation o = ask_of(page);
            o.force = n.second.force;
            counts_.forced += o.force;
            push(o);
        }
        nones_.clear();
        if (ask_for_waiting_)
            for (const auto &w : walker_->waiting())
                if (book.frames.find(w.first) < 0 && !known(w.first))
                    push(ask_of(w.first));
        ask_for_waiting_ = false;
    }
    Operation ask_of(Page page) {
        counts_.asks++;
        Operation o = operation(GMMU_ASK, 0, page);
        o.t2 = book.slots.find(page, &o.slot);
        return o;
    }

    // ---- of the driver's own accord
    void prefetch(Page page, uint64_t due) {
        uint32_t slot, frame;
        if (book.frames.find(page) >= 0 || known(page) || book.slots.find(page, &slot) ||
            !book.frames.has_empty() || free_decisions() >= empties() || !find_empty(&frame))
            return;
        promised_.insert(frame);
        prefetches_.push_back({due, page, frame});
    }
    std::size_t free_decisions() const {
        std::size_t n = 0;
        for (const Decision &d : gathered_) n += d.tier == GMMU_TIER_FREE;
        for (const Answer &a : answers) n += a.d.tier == GMMU_TIER_FREE;
        return n;
    }
    std::size_t empties() const {
        std::size_t n = 0;
        for (uint32_t f = 0; f < book.frames.n(); f++)
            n += book.frames[f].state == EMPTY && promised_.count(f) == 0 && named_.count(f) == 0;
        return n;
    }
    // True: the FILL of a prefetch is pushed.
    bool prefetch_comes() {
        const auto it = std::find_if(prefetches_.begin(), prefetches_.end(),
                                     [this](const Coming &p) { return p.due <= cycle(); });
        if (it == prefetches_.end())
            return false;
        const Coming p = *it;
        prefetches_.erase(it);
        uint32_t slot;
        if (book.frames.find(p.page) >= 0 || book.slots.find(p.page, &slot)) {
            counts_.prefetched_in_vain++;
            promised_.erase(p.frame);
            book.frames.give_empty(p.frame);
            return false;
        }
        counts_.prefetched++;
        fetched_[p.frame] = p.page;
        push(operation(GMMU_FILL, p.frame, p.page));
        return true;
    }
    // Behind a FILL: a page begins to leave, a frame is pinned.
    void of_own_accord() {
        const uint32_t f = below(book.frames.n());
        const Frame &frame = book.frames[f];
        if (frame.state != HELD || frame.pinned || named_.count(f) != 0)
            return;
        if ((set_.frees_unused || frame.since < began_) && chance(set_.frees)) {
            book.frames.leaves(f);
            leaving_[f] = {cycle(), Decision{}};
        } else if (pins_.size() < set_.most_pins && chance(set_.pins)) {
            counts_.pinned++;
            pins_.insert(f);
            push(operation(GMMU_PIN, f, frame.page));
        } else if (!pins_.empty() && chance(set_.pins)) {
            unpin(*pins_.begin());
        }
    }
    void unpin(uint32_t frame) {
        pins_.erase(frame);
        push(operation(GMMU_UNPIN, frame, book.frames[frame].page));
    }
    void unpin_all() {
        while (!pins_.empty()) unpin(*pins_.begin());
    }
    // The unit decided D ahead of need. (While a replay is under way no page is unmapped: accesses
    // to the page may be part of the replay.)
    void ahead(const Decision &d) {
        counts_.ahead++;
        if (undoes_ && d.frame == undone_frame_)  // and leaves again
            stayed();
        const Frame &f = book.frames[d.frame];
        if (f.state != HELD || f.page != victim_of(d)) {
            if (d.t2_valid) {  // the page has gone already
                push(t2_cancel(d));
                book.slots.stays(d.t2_slot);
            }
            return;
        }
        named_.insert(d.frame);
        pins_.erase(d.frame);
        aheads_.push_back(d);
    }
    void begin_ahead() {
        for (const Decision &d : aheads_) {
            named_.erase(d.frame);
            book.decided(d);
            leaving_[d.frame] = {cycle() + set_.latency, d};
        }
        aheads_.clear();
    }
    Operation t2_cancel(const Decision &d) const {
        Operation o = operation(GMMU_T2_CANCEL, 0, {});
        o.slot = d.t2_slot;
        return o;
    }
    // True: the operation that ends a page's leaving is pushed.
    bool page_leaves() {
        if (undoes_ && cycle() >= undone_)
            undone();
        if (undoes_)
            return true;
        for (const auto &l : leaving_)
            if (l.second.due <= cycle() && !walker_->hits(l.first)) {
                const Decision d = l.second.d;
                const uint32_t f = l.first;
                if (d.ahead && !calm_ && chance(set_.cancels)) {
                    undo_ahead(d);
                    return true;
                }
                leaving_.erase(f);
                counts_.freed++;
                frees_.insert(f);
                push(last_of(d, f));
                return true;
            }
        return false;
    }
    // The page of F goes to Tier 2, or the frame is free.
    Operation last_of(const Decision &d, uint32_t f) {
        Operation o = operation(GMMU_FREE, f, book.frames[f].page);
        uint32_t slot;
        if (!d.ahead || d.tier != GMMU_TIER_2 || book.slots.n() == 0 ||
            !book.slots.room_for(d, &slot))
            return o;
        o = operation(GMMU_T2_FILL_DONE, f, {});
        o.slot = slot;
        ahead_.insert(f);
        return o;
    }
    // The page of D, a decision ahead, stays, unless the unit refuses.
    void undo_ahead(const Decision &d) {
        Operation o = operation(GMMU_CANCEL, d.frame, {});
        o.ahead = true;
        errors_before_ = errors_;
        undone_frame_ = d.frame;
        push(o);
    }
    void undone() {
        if (errors_ == errors_before_) {
            stayed();
            return;
        }
        undoes_ = false;
        leaving_[undone_frame_].d.ahead = false;  // refused: the frame becomes free
    }
    void stayed() {
        const Decision d = leaving_[undone_frame_].d;
        undoes_ = false;
        leaving_.erase(undone_frame_);
        counts_.ahead_cancelled++;
        if (d.t2_valid)
            push(t2_cancel(d));
        book.refused(d);
    }
};

}  // namespace driver
