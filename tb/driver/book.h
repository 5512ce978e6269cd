// SPDX-License-Identifier: Apache-2.0
// book.h: what the driver believes: which page is where, and which faults wait.
//
// The walker looks into the book, as the walker of a GPU reads page tables. An entry changes in the
// cycle in which the unit takes the operation: no walk names a place before the unit knows of the
// page there. A victim's entry ends as soon as the driver knows of the decision: no walk hits a
// page on its way out.
#pragma once
#include <cstdint>
#include <map>

#include "driver/frames.h"
#include "driver/page.h"
#include "driver/slots.h"

namespace driver {

// What the driver knows of a page that faulted and was not filled since.
struct Asked {
    bool written = false;    // one of its faults was a write
    bool forgotten = false;  // CANCEL made the unit forget the fault, and the write with it
};

class Book {
   public:
    Frames frames;
    Slots slots;
    std::map<Page, Asked> asked;

    Book(uint32_t frames_n, uint32_t slots_n, Slots::Pick pick = Slots::EMPTIED_LAST)
        : frames(frames_n), slots(slots_n, pick) {}

    // ---- the walker
    // W has page and write. Does the walk fault, which frame does it hit, which slot has the page?
    void look_up(gmmu_tier_walk_in *w) const {
        const Page page(w->asid, w->vpn);
        const int64_t frame = frames.find(page);
        w->fault = frame < 0;
        w->frame = w->fault ? 0 : static_cast<uint32_t>(frame);
        w->slot = 0;
        w->t2 = w->fault && slots.find(page, &w->slot);
    }
    bool waits(Page page) const { return asked.count(page) != 0; }
    // W is on its way to the unit. True: W is the first fault of its page. (Of a late fault the
    // page is here already: a hit of the access comes.)
    bool walked(const gmmu_tier_walk_in &w, uint64_t cycle) {
        if (!w.fault) {
            if (w.write && frames[w.frame].written == 0)
                frames[w.frame].written = cycle;
            return false;
        }
        if (frames.find(Page(w.asid, w.vpn)) >= 0)
            return false;
        const auto it = asked.try_emplace(Page(w.asid, w.vpn));
        it.first->second.written |= w.write;
        return it.second;
    }

    // ---- the unit
    // The unit decided D: victims are unmapped.
    void decided(const Decision &d) {
        if (d.t2_valid && slots.holds(d.t2_slot, {d.t2_asid, d.t2_vpn}))
            slots.leaves(d.t2_slot);
        if (has_victim(d) && d.frame < frames.n())
            frames.leaves(d.frame);
    }
    // The driver does not follow D: victims stay where they were.
    void refused(const Decision &d) {
        if (d.t2_valid)
            slots.stays(d.t2_slot);
        if (has_victim(d) && d.frame < frames.n())
            frames.stays(d.frame);
    }
    // The unit took O in CYCLE. (The book does not know whether the unit refused O.)
    void took(const Operation &o, uint64_t cycle) {
        const bool frame = o.frame < frames.n();
        if (o.op == GMMU_CANCEL && !o.ahead && waits(page_of(o)))
            asked[page_of(o)].forgotten = true;
        if (frame && (o.op == GMMU_T2_FILL_DONE || o.op == GMMU_T2_SWAP))
            slots.put(o.slot, frames[o.frame].page);
        if (o.op == GMMU_T2_FREE || (o.op == GMMU_FILL && o.t2))
            slots.free(o.slot);
        if (frame && fills(o))
            filled(o.frame, page_of(o), cycle);
        if (frame && frames[o.frame].state == HELD)
            of_frame(o, cycle);
    }

   private:
    void filled(uint32_t f, Page page, uint64_t cycle) {
        const auto it = asked.find(page);
        const bool as_before =
            frames[f].state == HELD && frames[f].page == page && frames[f].written != 0;
        const bool written = as_before || (it != asked.end() && it->second.written);
        frames.fill(f, page);
        frames[f].written = written ? cycle : 0;
        frames[f].since = cycle;
        if (it != asked.end())
            asked.erase(it);
    }
    void of_frame(const Operation &o, uint64_t cycle) {
        Frame &f = frames[o.frame];
        if (o.op == GMMU_PIN || o.op == GMMU_UNPIN)
            f.pinned = o.op == GMMU_PIN;
        if (o.op == GMMU_FREE)
            frames.free(o.frame);
        if (o.op == GMMU_PIN || o.op == GMMU_FREE)
            f.since = cycle;
    }
};

}  // namespace driver
