// SPDX-License-Identifier: Apache-2.0
// unit.h: who decides which page leaves: one pair of sockets, whatever is behind it.
#pragma once
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>  // for modules around it

#include <cstdint>
#include <string>

#include "digest.h"
#include "direct_socket.h"
#include "payload.h"

class Unit : public sc_core::sc_module {
   public:
    DirectSocket<Unit> walks{"walks"};            // walks, hits and faults
    DirectSocket<Unit> operations{"operations"};  // the driver's
    tlm_utils::simple_initiator_socket<Unit> decisions{"decisions"};
    tlm_utils::simple_initiator_socket<Unit> packets{"packets"};  // of those that the driver hears

    Unit(const sc_core::sc_module_name &name, const sc_core::sc_time &takes)
        : sc_module(name), takes_(takes) {
        walks.register_b_transport(this, &Unit::b_walk);
        operations.register_b_transport(this, &Unit::b_operation);
    }
    // Of all decisions so far, in their order: what was decided, not when.
    uint64_t digest() const { return digest_.value(); }
    uint64_t decided() const { return decided_; }
    virtual uint64_t cycles() const { return 0; }  // of RTL
    virtual gmmu_counters counters() { return {}; }
    uint64_t lose = 0;  // the decision that never leaves

   protected:
    // A walk, at its time; decide() for each decision that it brings.
    virtual void walk(const WalkTag &tag) = 0;
    virtual void operation(const gmmu_tier_drv_in &in) { (void)in; }
    virtual void foresee(const gmmu_gmt_registers &r) { (void)r; }
    virtual void protect(uint32_t share) { (void)share; }
    void tell(const uint32_t *words, bool last) {
        beat_.tag.words = words;
        beat_.tag.last = last;
        beat_.trans.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
        sc_core::sc_time delay = delay_;
        packets->b_transport(beat_.trans, delay);
    }
    void decide(const WalkTag &walk, const gmmu_tier_decision &d, const sc_core::sc_time &takes) {
        for (const uint64_t word :
             {d.tier | (d.ahead * 4u + d.lost * 2u + d.fresh) * uint64_t(256), uint64_t(d.frame),
              uint64_t(d.asid), uint64_t(d.vpn), uint64_t(d.victim_asid), uint64_t(d.victim_vpn),
              uint64_t(d.victim_dirty), uint64_t(d.priority), uint64_t(d.victim_last)})
            digest_.mix(word);
        decision_.tag.decision = &d;
        decision_.tag.outcome = nullptr;
        send(walk, takes);
    }
    // By page numbers.
    void decide(const WalkTag &walk, const gmmu_outcome &out) {
        digest_.mix(out.count + out.after_count);
        for (uint32_t i = 0; i < out.count + out.after_count; i++) {
            const gmmu_move &m = i < out.count ? out.move[i] : out.after[i - out.count];
            digest_.mix(m.page);
            digest_.mix(m.from * 4u + m.to);
        }
        decision_.tag.decision = nullptr;
        decision_.tag.outcome = &out;
        send(walk, takes_);
    }
    const sc_core::sc_time &takes() const { return takes_; }

   private:
    sc_core::sc_time takes_;  // a decision
    Digest digest_;
    uint64_t decided_ = 0;
    Tagged<DecisionTag> decision_;
    Tagged<BeatTag> beat_;
    sc_core::sc_time delay_;

    void send(const WalkTag &walk, const sc_core::sc_time &takes) {
        if (++decided_ == lose)
            return;
        decision_.tag.walk = &walk;
        decision_.tag.takes = takes;
        decision_.trans.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
        sc_core::sc_time delay = delay_;
        decisions->b_transport(decision_.trans, delay);
    }
    void b_walk(tlm::tlm_generic_payload &trans, sc_core::sc_time &delay) {
        delay_ = delay;
        walk(*trans.get_extension<WalkTag>());
        trans.set_response_status(tlm::TLM_OK_RESPONSE);
    }
    void b_operation(tlm::tlm_generic_payload &trans, sc_core::sc_time &delay) {
        const sc_core::sc_time of_walk = delay_;
        delay_ = delay;
        const OperationTag &tag = *trans.get_extension<OperationTag>();
        switch (tag.what) {
            case OperationTag::OPERATION:
                operation(tag.in);
                break;
            case OperationTag::MODEL:
                foresee(tag.foresee);
                break;
            case OperationTag::SHARE:
                protect(tag.share);
        }
        delay_ = of_walk;
        trans.set_response_status(tlm::TLM_OK_RESPONSE);
    }
};
