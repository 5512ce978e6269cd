// SPDX-License-Identifier: Apache-2.0
// judge.h: a driver that looks whether each decision fits into its book.
//
// FILLs come some time after their decision; now and then a frame is pinned, unpinned or freed. A
// decision that stays away is asked for again, and a frame that the unit lost is brought back, as
// docs/guide/integration.md says.
#pragma once
#include <algorithm>
#include <deque>
#include <random>
#include <set>
#include <string>

#include "driver/driver.h"

namespace flips {

using driver::Decision;
using driver::Operation;
using driver::Page;

// What is wrong with a run, the worst last.
enum Wrong {
    FINE,
    UNASKED,  // a decision that nobody waits for
    LOST,     // a fault was never decided; after CANCEL and ASK it was
    UNTOLD,   // a free frame was to be used, and there was none; after FILL of all frames not so
    NO_FREE,  // a free frame is to be used, and there is none
    SLOT,     // a page of Tier 2 is to leave a slot that does not hold it
    CLEAN,    // a page leaves as not dirty that was written
    RESTLESS_TOLD,  // as the next one, and the watchdog says so
    RESTLESS,       // all is answered, but the unit does not come to rest
    HANG_TOLD,      // as the next one, and the watchdog says so
    HANG,           // walks are not taken, or a fault is not decided after CANCEL and ASK
    OTHER,          // the victim is a frame's page, but the decision names another one
    ILLEGAL,        // the victim is pinned, leaving, empty, or no enabled frame
    WRONGS
};
inline const char *name_of(unsigned wrong) {
    static const char *const names[WRONGS] = {
        "fine",           "unasked",  "lost",       "untold", "no free frame", "slot",   "clean",
        "restless, told", "restless", "hang, told", "hang",   "other page",    "illegal"};
    return names[wrong];
}

inline void mix(uint64_t *hash, uint64_t with) {
    *hash = (*hash ^ with) * 0x9E3779B97F4A7C15ull;
    *hash ^= *hash >> 29;
}

class Judge : public driver::Driver {
   public:
    Wrong wrong = FINE;
    std::string about;
    uint64_t victims = 0, pins = 0;
    uint64_t hash = 0;     // of the decisions so far
    bool resting = false;  // no operation that nobody asked for

    Judge(const gmmu_regs &regs, std::mt19937_64 *random)
        : Driver(regs.frames, regs.tier != GMMU_PLACE_NONE ? regs.t2_slots : 0),
          tiers(regs.tier != GMMU_PLACE_NONE),
          rng(*random) {}

    void found(Wrong w, const std::string &text) {
        if (w > wrong) {
            wrong = w;
            about = text;
        }
    }
    // Decisions stay away: all faults that wait are asked for again.
    void ask_again() {
        for (const auto &p : book.asked) {
            push(driver::operation(GMMU_CANCEL, book.frames.any_held(), p.first));
            push(driver::operation(GMMU_ASK, 0, p.first));
        }
    }
    void decided(const Decision &d) override {
        mix(&hash, d.vpn * 8 + d.tier);
        if (!book.waits(driver::page_of(d))) {
            push(driver::operation(GMMU_CANCEL, d.frame, driver::page_of(d)));
            return found(UNASKED, "a decision that nobody waits for");
        }
        const Page leaves_slot(d.t2_asid, d.t2_vpn);
        if (d.t2_valid && !book.slots.holds(d.t2_slot, leaves_slot))
            return found(SLOT, "slot " + std::to_string(d.t2_slot));
        if (d.t2_valid && written_below.erase(leaves_slot) != 0 && !d.t2_dirty)
            found(CLEAN, "slot " + std::to_string(d.t2_slot));
        if (driver::has_victim(d)) {
            mix(&hash, d.frame);
            if (!may_leave(d))
                return;
            victims++;
        }
        Driver::decided(d);
    }

   protected:
    uint64_t latency() override { return 1 + rng() % 200; }
    // (That its page is missing decided() saw.)
    Look look(const Decision &d) override {
        if (d.tier != GMMU_TIER_FREE || book.frames.has_empty())
            return FOLLOW;
        // a frame that was freed of late comes
        if (std::any_of(book.frames.begin(), book.frames.end(),
                        [](const driver::Frame &f) { return f.state == driver::EMPTY; })) {
            give_freed();
            return WAIT;
        }
        return sweep(driver::page_of(d)) ? DROP : WAIT;
    }
    void idle() override {
        if (!resting && rng() % 64 == 0)
            unasked();
    }
    // FILL of a frame that has left meanwhile.
    bool outdated(const Operation &o) override {
        const driver::Frame &f = book.frames[o.frame % book.frames.n()];
        return o.op == GMMU_FILL && !book.waits(driver::page_of(o)) &&
               (f.state != driver::HELD || f.page != driver::page_of(o));
    }
    void ready(Operation *o) override {
        if (driver::fills(*o))
            o->dirty = is_written(driver::page_of(*o), o->frame);
    }
    void took(const Operation &o) override {
        const bool fills = driver::fills(o) && o.frame < book.frames.n(),
                   written = fills && written_below.erase(driver::page_of(o)) != 0;
        if (fills && book.frames[o.frame].pinned)
            unpin(o.frame);
        Driver::took(o);
        if (written)
            book.frames[o.frame].written = cycle();
        if (o.op == GMMU_PIN && book.frames[o.frame].state == driver::HELD) {
            pinned.push_back(o.frame);
            pins++;
        }
    }

   private:
    enum {
        GRACE = 3000,     // cycles in which a decision may have been under way before an operation
        UNDER_WAY = 300,  // and after its victim's dirty bit was read
        SWEEPS = 8        // of all frames
    };
    const bool tiers;
    std::mt19937_64 &rng;
    std::deque<uint32_t> pinned;   // the oldest first
    std::set<Page> written_below;  // pages of Tier 2 that were written
    uint64_t sweeps = 0;

    // A frame is leaving, or empty, that the driver was not told of. FILL of all that it holds
    // brings that one back, and the fault is asked for again. False: not any more.
    bool sweep(Page page) {
        if (++sweeps > SWEEPS) {
            found(NO_FREE, "a free frame is to be used, and there is none");
            return false;
        }
        found(UNTOLD, "a free frame was to be used, and there was none");
        push(driver::operation(GMMU_CANCEL, book.frames.any_held(), page));
        for (uint32_t f = 0; f < book.frames.n(); f++) {
            const driver::Frame &held = book.frames[f];
            if (held.state != driver::HELD)
                continue;
            push(driver::operation(GMMU_FILL, f, held.page));
            if (held.pinned)
                push(driver::operation(GMMU_PIN, f, held.page));
        }
        push(driver::operation(GMMU_ASK, 0, page));
        return true;
    }
    // The unit does not know that the page to be filled was written.
    bool is_written(Page page, uint32_t n) const {
        const auto it = book.asked.find(page);
        const driver::Frame &f = book.frames[n % book.frames.n()];
        return (it != book.asked.end() && it->second.written && it->second.forgotten) ||
               (f.state == driver::HELD && f.page == page && f.written != 0);
    }
    // Frames that were freed so long ago that no decision names them.
    void give_freed() {
        for (uint32_t n = 0; n < book.frames.n(); n++) {
            driver::Frame &f = book.frames[n];
            if (f.state == driver::EMPTY && f.since != 0 && cycle() > f.since + GRACE) {
                f.since = 0;
                book.frames.give_empty(n);
            }
        }
    }
    // PIN, UNPIN or FREE of some frame.
    void unasked() {
        give_freed();
        if (pinned.size() >= book.frames.n() / 8 || (!pinned.empty() && rng() % 8 == 0)) {
            const uint32_t n = pinned.front();
            book.frames[n].pinned = false;
            push(driver::operation(GMMU_UNPIN, n, book.frames[n].page));
            pinned.pop_front();
            return;
        }
        const uint32_t n = static_cast<uint32_t>(rng() % book.frames.n());
        const driver::Frame &f = book.frames[n];
        // a page that is to go to Tier 2 by then would not be there any more
        if (f.state == driver::HELD && !f.pinned)
            push(driver::operation(!tiers && rng() % 8 == 0 ? GMMU_FREE : GMMU_PIN, n, f.page));
    }
    void unpin(uint32_t n) {
        pinned.erase(std::remove(pinned.begin(), pinned.end(), n), pinned.end());
        book.frames[n].pinned = false;
    }
    // May the victim of D leave, as the book says?
    bool may_leave(const Decision &d) {
        const std::string at = "frame " + std::to_string(d.frame);
        if (d.frame >= book.frames.n()) {
            found(ILLEGAL, at + " is not enabled");
            return false;
        }
        const driver::Frame &f = book.frames[d.frame];
        const bool late =
            f.since != 0 && cycle() <= f.since + GRACE;  // it was under way before the operation
        if (f.state == driver::LEAVING || (f.state == driver::EMPTY && !late))
            found(ILLEGAL, at + (f.state == driver::LEAVING ? " is leaving" : " is empty"));
        else if (f.pinned && !late)
            found(ILLEGAL, at + " is pinned");
        else if (f.page != Page(d.victim_asid, d.victim_vpn) && !late)
            found(OTHER, at + " has another page");
        else {
            note_written(d, f, at);
            unpin(d.frame);
            return true;
        }
        return false;
    }
    // (A write that was on its way may have come too late.)
    void note_written(const Decision &d, const driver::Frame &f, const std::string &at) {
        if (f.written == 0 || cycle() <= f.written + UNDER_WAY)
            return;
        if (!d.victim_dirty)
            found(CLEAN, at + " is written");
        if (d.tier == GMMU_TIER_2 && tiers)
            written_below.insert(f.page);
    }
};

}  // namespace flips
