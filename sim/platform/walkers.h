// SPDX-License-Identifier: Apache-2.0
// walkers.h: the page-table walkers: each walk takes one of them for a while; then the unit hears
// of it, and the driver of a fault. The page table is read at the end of the walk.
#pragma once
#include <tlm_utils/simple_initiator_socket.h>

#include <functional>
#include <vector>

#include "depth_log.h"
#include "direct_socket.h"
#include "page_table.h"
#include "payload.h"

class Walkers : public sc_core::sc_module {
   public:
    DirectSocket<Walkers> walks{"walks"};
    tlm_utils::simple_initiator_socket<Walkers> unit{"unit"};
    tlm_utils::simple_initiator_socket<Walkers> faults{"faults"};
    DepthLog depth;
    std::function<void()>
        before_fault;  // may be empty; what the driver has for the unit by then goes first

    Walkers(const sc_core::sc_module_name &name, const Parameters &p, PageTable *table)
        : sc_module(name), latency_(p.walkers.latency), table_(table) {
        walks.register_b_transport(this, &Walkers::b_walk);
        free_.assign(p.walkers.count, sc_core::SC_ZERO_TIME);
    }
    // A walk takes a walker, AT or when one is free: when the walk ends.
    sc_core::sc_time begin(uint32_t page, const gmmu_walk &walk, const sc_core::sc_time &at) {
        const sc_core::sc_time done = std::max(at, free_[turn_]) + latency_;
        free_[turn_] = done;
        turn_ = turn_ + 1 == free_.size() ? 0 : turn_ + 1;
        depth.enter(at, simcontext()->time_stamp());
        depth.leave(done, at);
        table_->prefetch(page, walk.asid, walk.vpn);
        return done;
    }

   private:
    sc_core::sc_time latency_;
    PageTable *table_;
    std::vector<sc_core::sc_time> free_;  // when each is: in turn, as all walks take as long
    size_t turn_ = 0;

    void b_walk(tlm::tlm_generic_payload &trans, sc_core::sc_time &delay) {
        WalkTag *tag = trans.get_extension<WalkTag>();
        if (!tag->begun) {
            const sc_core::sc_time &now = simcontext()->time_stamp();
            delay = begin(tag->page, tag->walk, now + delay) - now;
        }
        if (tag->page == GMMU_NO_PAGE)
            tag->page = table_->number(tag->walk.asid, tag->walk.vpn);
        PageTable::Entry &e = (*table_)[tag->page];
        tag->fault = e.place != GMMU_NEAR;
        tag->coming = e.coming;
        tag->frame = tag->fault ? 0 : e.frame;
        if (tag->fault) {
            tag->t2 = table_->slots.find(tag->walk.asid, tag->walk.vpn, &tag->slot);
            if (before_fault)
                before_fault();
        } else {
            tag->t2 = false;
        }
        unit->b_transport(trans, delay);
        if (!tag->fault || !tag->begun)
            e.dirty |= tag->walk.write;
        if (tag->stalls() && trans.is_response_ok())
            faults->b_transport(trans, delay);
    }
};
