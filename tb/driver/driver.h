// SPDX-License-Identifier: Apache-2.0
// driver.h: plays the driver in front of the unit, operation by operation.
//
//    decided(d) --> answers: one a decision, each with the cycle in which it is due
//                       |  look(d): does the page table want it?  bring(d): FILL, ASK
//                       v
//                   operations, in their order --> next(): at most one, until taken()
//                       ^                           |  instead(): another one before it
//                       +-- idle(): ideas of its own v  ready(): what is known only now
//                                                  the unit
//
// The driver by itself is a prompt one that makes no mistake: it answers each decision in the
// order that docs/guide/integration.md asks for. What a test wants otherwise are its virtual
// functions: late answers, operations of its own, mistakes on purpose (odd.h).
#pragma once
#include <algorithm>
#include <cstdint>
#include <deque>

#include "driver/book.h"

namespace driver {

class Driver {
   public:
    Book book;

    // SLOTS 0: there is no Tier 2.
    Driver(uint32_t frames, uint32_t slots, Slots::Pick pick = Slots::EMPTIED_LAST)
        : book(frames, slots, pick) {}
    Driver(const Driver &) = delete;
    Driver &operator=(const Driver &) = delete;
    virtual ~Driver() = default;

    // ---- the unit, cycle by cycle; at rest CYCLE may be left out
    // The operation for this cycle and those that follow, until taken(); null: none, or the one
    // before was not taken yet.
    const Operation *next(uint64_t cycle = 0) {
        cycle_ = cycle;
        if (waits_)
            return nullptr;
        if (!instead(&offered_)) {
            if (operations.empty())
                follow();
            if (operations.empty())
                idle();
            while (!operations.empty() && over(operations.front())) operations.pop_front();
            if (operations.empty())
                return nullptr;
            offered_ = operations.front();
            operations.pop_front();
        }
        ready(&offered_);
        waits_ = true;
        return &offered_;
    }
    // This one, whatever is next. Only if none waits.
    const Operation *force(const Operation &o) {
        offered_ = o;
        waits_ = true;
        return &offered_;
    }
    void taken() {
        waits_ = false;
        took(offered_);
    }
    // A decision was heard: it will be answered; or it stays unanswered for good.
    virtual void decided(const Decision &d) {
        depart(d);
        const uint64_t due = cycle_ + latency();
        answers.push_back({answers.empty() ? due : std::max(due, answers.back().due), d});
    }
    void ignored(const Decision &d) { depart(d); }

    // Behind all that is to be done.
    void push(const Operation &o) { operations.push_back(o); }
    // Does an operation wait for the unit?
    bool waits() const { return waits_; }
    // Every decision is answered, every operation taken.
    bool done() const { return answers.empty() && operations.empty() && !waits_; }

   protected:
    struct Answer {
        uint64_t due;
        Decision d;
    };
    std::deque<Answer> answers;
    std::deque<Operation> operations;

    uint64_t cycle() const { return cycle_; }

    // ---- what a test may want otherwise
    // Cycles from a decision to its answer, at least; answers keep the order of the decisions.
    virtual uint64_t latency() { return 0; }
    // The victims of D leave, as it is heard.
    virtual void depart(const Decision &d) { book.decided(d); }
    // Before D is followed. FOLLOW it; WAIT: look again in the next cycle; DROP: it is dealt with.
    enum Look { FOLLOW, WAIT, DROP };
    virtual Look look(const Decision &d) {
        if (d.tier == GMMU_TIER_NONE || book.frames.find(page_of(d)) < 0)
            return FOLLOW;
        cancel(d);
        return DROP;
    }
    // The operation that brings the page of D: into the victim's frame, or an empty one.
    virtual Operation bring(const Decision &d) {
        Operation o =
            operation(d.tier == GMMU_TIER_NONE ? GMMU_ASK : GMMU_FILL, d.frame, page_of(d));
        if (d.tier == GMMU_TIER_FREE)
            o.frame = empty_frame(d);
        o.t2 = book.slots.find(page_of(d), &o.slot);
        return o;
    }
    virtual uint32_t empty_frame(const Decision &d) {
        return book.frames.has_empty() ? book.frames.take_empty() : d.frame;
    }
    // The victim of D goes into a slot by itself, before its page comes. False: both change places
    // if D says so, else the victim goes to Tier 3.
    virtual bool own_slot(const Decision &d) { return !d.swap; }
    // An operation before all others?
    virtual bool instead(Operation *o) {
        (void)o;
        return false;
    }
    // Nothing is to be done: the driver may push what nobody asked for.
    virtual void idle() {}
    // Is nobody interested in this operation any more?
    virtual bool over(const Operation &o) {
        (void)o;
        return false;
    }
    // O goes to the unit now.
    virtual void ready(Operation *o) { (void)o; }
    // The unit took it.
    virtual void took(const Operation &o) { book.took(o, cycle_); }

    // The operations that undo D. (A decision FREE names no frame of a page that may stay.)
    void cancel(const Decision &d) {
        Operation o =
            operation(GMMU_CANCEL, has_victim(d) ? d.frame : book.frames.any_held(), page_of(d));
        o.t2 = d.rise && book.slots.find(page_of(d), &o.slot);
        operations.push_back(o);
        if (d.t2_valid) {
            Operation t2 = operation(GMMU_T2_CANCEL, 0, {});
            t2.slot = d.t2_slot;
            operations.push_back(t2);
        }
        book.refused(d);
    }

   private:
    Operation offered_ = {};
    bool waits_ = false;
    uint64_t cycle_ = 0;

    // The first answer, if it is due.
    void follow() {
        if (answers.empty() || cycle_ < answers.front().due)
            return;
        const Decision d = answers.front().d;
        const Look found = look(d);
        if (found == WAIT)
            return;
        answers.pop_front();
        if (found == FOLLOW)
            answer(d);
    }
    // The operations that answer D, in their order.
    void answer(const Decision &d) {
        Operation comes = bring(d);
        uint32_t to;
        if (d.tier == GMMU_TIER_2 && book.slots.n() != 0 && own_slot(d) &&
            book.slots.room_for(d, &to)) {
            Operation goes = operation(GMMU_T2_FILL_DONE, d.frame, {});
            goes.slot = to;
            operations.push_back(goes);
        } else if (d.swap) {
            comes.op = GMMU_T2_SWAP;
        }
        operations.push_back(comes);
    }
};

}  // namespace driver
