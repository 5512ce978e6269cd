// SPDX-License-Identifier: Apache-2.0
// payload.h: what the transactions of the platform carry beside the generic payload. The contents
// of pages are not modelled: data pointers are null.
#pragma once
#include <cstdint>
#include <systemc>
#include <tlm>
#include <vector>

#include "blocks/gmmu_tier.h"
#include "driver/gmt_model.h"
#include "gmmu/trace.h"
#include "policy/outcome.h"

template <typename T>
struct Tag : tlm::tlm_extension<T> {
    tlm::tlm_extension_base *clone() const override { return new T(static_cast<const T &>(*this)); }
    void copy_from(const tlm::tlm_extension_base &other) override {
        static_cast<T &>(*this) = static_cast<const T &>(other);
    }
};

// A transaction and its tag.
template <typename T>
struct Tagged {
    tlm::tlm_generic_payload trans;
    T tag;
    Tagged() { trans.set_extension(&tag); }
    Tagged(const Tagged &) = delete;
    Tagged &operator=(const Tagged &) = delete;
    ~Tagged() { trans.clear_extension(&tag); }
};

// GPU to walkers to unit, walkers to driver: one access that missed the TLBs.
struct WalkTag : Tag<WalkTag> {
    gmmu_walk walk = {};
    uint64_t number = 0;
    uint32_t warp = 0;
    uint32_t page = GMMU_NO_PAGE;  // its number, where it is known: from its end on
    uint32_t frame = 0;            // of a hit
    uint32_t slot = 0;             // of a fault whose page is in Tier 2, where the unit knows of it
    bool t2 = false;
    bool replay = false;  // the access was asked for before
    bool fault = false;   // no frame is its page's
    bool coming = false;  // there is one, but the page has not arrived
    bool begun = false;   // the walk had its walker before: the transaction is its end
    bool stalls() const { return fault || coming; }
};

// Unit to driver: what follows from a walk. Pages that move, in the unit's order.
struct DecisionTag : Tag<DecisionTag> {
    const WalkTag *walk = nullptr;
    const gmmu_outcome *outcome = nullptr;         // of a driver that decides itself, or
    const gmmu_tier_decision *decision = nullptr;  // of the unit
    sc_core::sc_time takes;                        // from the fault on
};

// Driver to unit: an operation, or other registers: those of GMT's model, or cfg_protect.
struct OperationTag : Tag<OperationTag> {
    enum What { OPERATION, MODEL, SHARE } what = OPERATION;
    gmmu_tier_drv_in in = {};
    gmmu_gmt_registers foresee = {};
    uint32_t share = 0;
};

// Which of the unit's packets somebody listens to.
struct Hears {
    bool hir = false, rit = false;
};

// Unit to driver: a beat of a packet.
struct BeatTag : Tag<BeatTag> {
    const uint32_t *words = nullptr;
    bool last = false;
};

// Driver to GPU: the warp goes on; where faults take time, every warp that waits asks again.
struct ResumeTag : Tag<ResumeTag> {
    uint32_t warp = 0;
};

// One page on its way from one memory to another.
struct Copy {
    uint32_t page = 0;
    gmmu_memory from = GMMU_FAR, to = GMMU_FAR;
    bool moves = false;  // false: its contents are there already
    bool with = false;   // begins with the copy before it in its job, not behind
    unsigned stage = 0;
    bool waits = false;      // for an earlier copy of the same page
    Copy *behind = nullptr;  // the copy of the page that waits for this one
    struct Job *job = nullptr;
    sc_core::sc_time begun;
};

// Driver to DMA and back: all that one decision moves, copy after copy, and who waits for it.
struct Job : Tag<Job> {
    struct Waiter {
        uint32_t warp;
        sc_core::sc_time since;
    };
    uint64_t number = 0;
    uint32_t page = 0;
    std::vector<Copy> copies;
    size_t next = 0;    // copy to begin
    uint32_t open = 0;  // copies that have begun
    std::vector<Waiter> waiters;
    tlm::tlm_generic_payload *trans = nullptr;  // that carries it
    sc_core::sc_time decided;                   // not to be begun before
    bool arrived = false, taken = false;
    // where faults take time: a page comes into the frame, the frame's page leaves ahead of need,
    // or a page leaves Tier 2
    enum Kind { COMES, AHEAD, DROPS } kind = COMES;
    uint32_t frame = 0;
    uint32_t block = 0;              // of the pages that are replayed together
    uint32_t victim = GMMU_NO_PAGE;  // what leaves the frame
    uint32_t slot = 0;               // where to, in Tier 2, if the unit knows of slots
    enum Goes { AWAY, TO_SLOT, SWAPS } goes = AWAY;
    bool tells = true;     // the unit hears when the page has come
    bool halfway = false;  // the driver hears when the first copy has ended, too: END_REQ
};
