// SPDX-License-Identifier: Apache-2.0
// driver.h: plays the driver in front of the unit, operation by operation.
//
//    decided(d)                          next()                     taken()
//        |                                 ^                           |
//        v  latency()                      |  instead(), ready()       v  took()
//     answers, each with  -- look(), -> operations                   book
//     the cycle it is due    bring()       ^
//                                          |  idle(), push()
//
// A plain Driver is prompt and makes no mistake: the operations that answer a decision come in the
// order that docs/guide/integration.md asks for. A test overrides virtual functions for the rest:
// late answers and batches, operations that no decision asks for, mistakes on purpose (odd.h).
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

    // ---- the unit, cycle by cycle; a test at rest may leave CYCLE out
    // The operation that the driver offers from this cycle on, until taken(). Null: no operation is
    // due, or the last operation still waits.
    const Operation *next(uint64_t cycle = 0) {
        cycle_ = cycle;
        if (waits_)
            return nullptr;
        if (!instead(&offered_)) {
            if (operations.empty())
                follow();
            if (operations.empty())
                idle();
            while (!operations.empty() && outdated(operations.front())) operations.pop_front();
            if (operations.empty())
                return nullptr;
            offered_ = operations.front();
            operations.pop_front();
        }
        ready(&offered_);
        waits_ = true;
        return &offered_;
    }
    // The driver offers O, whatever is next. No operation may wait.
    const Operation *offer(const Operation &o) {
        offered_ = o;
        waits_ = true;
        return &offered_;
    }
    void taken() {
        waits_ = false;
        took(offered_);
    }
    // The unit decided D, which the driver will answer; or will never answer.
    virtual void decided(const Decision &d) {
        depart(d);
        const uint64_t due = cycle_ + latency();
        answers.push_back({answers.empty() ? due : std::max(due, answers.back().due), d});
    }
    void ignored(const Decision &d) { depart(d); }

    // O comes behind all operations that wait.
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

    // ---- what a test may override
    // Cycles from a decision to its answer, at least. Answers keep the order of the decisions; the
    // answers of a batch are due in the same cycle.
    virtual uint64_t latency() { return 0; }
    // The victims of D leave, as soon as the driver knows of D.
    virtual void depart(const Decision &d) { book.decided(d); }
    // Does the driver follow D, which is ahead of need? Else the victim stays.
    virtual bool evicts(const Decision &d) {
        (void)d;
        return true;
    }
    // The driver looks into its page table before it follows D. FOLLOW: D is answered; WAIT: the
    // driver looks again in the next cycle; DROP: D needs no answer any more.
    enum Look { FOLLOW, WAIT, DROP };
    virtual Look look(const Decision &d) {
        if (d.ahead || d.tier == GMMU_TIER_NONE || book.frames.find(page_of(d)) < 0)
            return FOLLOW;
        cancel(d);
        return DROP;
    }
    // FILL brings the page of D into the victim's frame or an empty frame; after a decision without
    // a frame ASK repeats the fault.
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
    // Does the victim of D go into a slot of its own, before the page of D comes? False: victim and
    // page change places if D says swap, else the victim goes to Tier 3.
    virtual bool own_slot(const Decision &d) { return !d.swap; }
    // A frame for the CANCEL of a decision FREE: the frame's page is not leaving.
    virtual uint32_t uninvolved() const { return book.frames.any_held(); }
    // True: O comes before all operations that wait.
    virtual bool instead(Operation *o) {
        (void)o;
        return false;
    }
    // No operation waits and no answer is due: the driver may push operations of its own.
    virtual void idle() {}
    // Has O lost its purpose since the driver pushed it?
    virtual bool outdated(const Operation &o) {
        (void)o;
        return false;
    }
    // The driver offers O now: fields that change until then are written here.
    virtual void ready(Operation *o) { (void)o; }
    // The unit took O.
    virtual void took(const Operation &o) { book.took(o, cycle_); }

    // The operations that undo D. (FREE names no frame whose page could stay.)
    void cancel(const Decision &d) {
        Operation o = operation(GMMU_CANCEL, has_victim(d) ? d.frame : uninvolved(), page_of(d));
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
        if (d.ahead)
            return answer_ahead(d);
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
    // The victim leaves, and its frame is empty for a page to come; or the victim stays.
    void answer_ahead(const Decision &d) {
        uint32_t to;
        if (!evicts(d)) {
            Operation o = operation(GMMU_CANCEL, d.frame, {});
            o.ahead = true;
            operations.push_back(o);
            return;
        }
        Operation goes = operation(GMMU_FREE, d.frame, {});
        if (d.tier == GMMU_TIER_2 && book.slots.n() != 0 && book.slots.room_for(d, &to)) {
            goes.op = GMMU_T2_FILL_DONE;
            goes.slot = to;
        }
        operations.push_back(goes);
    }
};

}  // namespace driver
