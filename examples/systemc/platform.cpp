// SPDX-License-Identifier: Apache-2.0
// platform.cpp: the unit in a platform of one's own: four cores that walk a page table, a driver
// that serves one fault after the other, 16 frames. The cores loop over 200 pages, beside 4 pages
// that are used again and again.
#define SC_INCLUDE_DYNAMIC_PROCESSES
#include <deque>
#include <iostream>
#include <map>
#include <set>

#include "lt_unit.h"

using sc_core::SC_NS;
using sc_core::sc_time;
using sc_core::SC_US;

constexpr unsigned FRAMES = 16, CORES = 4, ACCESSES = 20000;

struct Table {  // which page is where, and how often it came
    std::map<uint64_t, uint32_t> frame;
    std::map<uint64_t, unsigned> arrivals;
    sc_core::sc_event changed;
};

// Four cores behind one socket: the unit's has one initiator.
struct Gpu : sc_core::sc_module {
    tlm_utils::simple_initiator_socket<Gpu> walks{"walks"};
    Table &table;
    unsigned next = 0, done = 0, misses = 0, hot = 0, hot_misses = 0;
    SC_HAS_PROCESS(Gpu);
    Gpu(const sc_core::sc_module_name &name, Table &of) : sc_module(name), table(of) {
        for (unsigned i = 0; i < CORES; i++) sc_core::sc_spawn([this] { core(); });
    }
    void core() {
        Tagged<WalkTag> walk;
        while (next < ACCESSES) {
            const unsigned i = next++;
            const bool is_hot = i % 4 == 3;
            const uint64_t page = is_hot ? 1000 + i / 4 % 4 : i % 200;
            const auto at = table.frame.find(page);
            walk.tag.walk.vpn = page;
            walk.tag.walk.ref = is_hot ? 0x20 : 0x10;
            walk.tag.walk.write = page % 2 != 0;
            walk.tag.fault = at == table.frame.end();
            walk.tag.frame = walk.tag.fault ? 0 : at->second;
            misses += walk.tag.fault;
            hot += is_hot;
            hot_misses += is_hot && walk.tag.fault;
            const unsigned before = table.arrivals[page];
            walk.trans.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
            sc_time delay = sc_core::SC_ZERO_TIME;
            walks->b_transport(walk.trans, delay);
            if (walk.trans.get_response_status() != tlm::TLM_OK_RESPONSE)
                SC_REPORT_FATAL("core", "a walk was not taken");
            // a walk that faulted is not sent again: the access goes on when its page has come
            while (walk.tag.fault && table.arrivals[page] == before) wait(table.changed);
            wait(100, SC_NS);
            done++;
        }
    }
};

struct Driver : sc_core::sc_module {
    tlm_utils::simple_target_socket<Driver> decisions{"decisions"}, packets{"packets"};
    tlm_utils::simple_initiator_socket<Driver> operations{"operations"};
    Table &table;
    std::deque<gmmu_tier_decision> waiting;
    sc_core::sc_event came;
    unsigned used = 0, evictions = 0, written = 0;
    SC_HAS_PROCESS(Driver);
    Driver(const sc_core::sc_module_name &name, Table &of) : sc_module(name), table(of) {
        decisions.register_b_transport(this, &Driver::decided);
        packets.register_b_transport(this, &Driver::unheard);
        SC_THREAD(run);
    }
    // Within the walk that made it: it is noted here, and served beside the walks.
    void decided(tlm::tlm_generic_payload &trans, sc_time &) {
        waiting.push_back(*trans.get_extension<DecisionTag>()->decision);
        came.notify(sc_core::SC_ZERO_TIME);
        trans.set_response_status(tlm::TLM_OK_RESPONSE);
    }
    void unheard(tlm::tlm_generic_payload &trans, sc_time &) {
        trans.set_response_status(tlm::TLM_OK_RESPONSE);
    }
    void tell(const gmmu_tier_drv_in &in) {
        Tagged<OperationTag> operation;
        operation.tag.in = in;
        sc_time delay = sc_core::SC_ZERO_TIME;
        operations->b_transport(operation.trans, delay);
    }
    void run() {
        for (;;) {
            while (waiting.empty()) wait(came);
            const gmmu_tier_decision d = waiting.front();
            waiting.pop_front();
            serve(d);
        }
    }
    // excerpt software_driver
    void serve(const gmmu_tier_decision &d) {
        gmmu_tier_drv_in in = {};
        in.asid = d.asid;
        in.vpn = d.vpn;
        if (d.tier == GMMU_TIER_NONE) {
            wait(20, SC_US);  // nobody could leave: later again, if the page is not there by now
            in.op = GMMU_ASK;
            if (table.frame.count(d.vpn) == 0)
                tell(in);
            return;
        }
        in.frame = d.tier == GMMU_TIER_FREE ? used++ : d.frame;
        if (d.tier != GMMU_TIER_FREE) {
            table.frame.erase(d.victim_vpn);  // unmapped before it is copied
            evictions++;
            if (d.victim_dirty) {
                written++;
                wait(10, SC_US);  // copies it out
            }
        }
        wait(10, SC_US);  // brings the page
        in.op = GMMU_FILL;
        tell(in);  // before the page is mapped: no hit comes before its FILL
        table.frame[d.vpn] = in.frame;
        table.arrivals[d.vpn]++;
        table.changed.notify(sc_core::SC_ZERO_TIME);
    }
    // end software_driver
};

int sc_main(int, char **) try {
    Table table;
    LtUnit unit("unit", sc_time(1, SC_US), UnitSize("tiny", FRAMES, 0, 0));
    Driver driver("driver", table);
    unit.decisions.bind(driver.decisions);
    unit.packets.bind(driver.packets);
    driver.operations.bind(unit.operations);
    Gpu gpu("gpu", table);
    gpu.walks.bind(unit.walks);
    sc_core::sc_start();
    std::cout << gpu.done << " accesses, " << sc_core::sc_time_stamp() << ", " << gpu.misses
              << " misses, " << driver.evictions << " evictions, " << driver.written
              << " written back; " << gpu.hot_misses << " of " << gpu.hot
              << " accesses to the 4 pages in use missed\n";
    // all was served, no two pages share a frame, and what is in use stays
    std::set<uint32_t> frames;
    for (const auto &at : table.frame) frames.insert(at.second);
    return gpu.done == ACCESSES && table.frame.size() == FRAMES && frames.size() == FRAMES &&
                   gpu.hot_misses < 100
               ? 0
               : 1;
} catch (const Bad &b) {
    std::cerr << "platform: " << b.text << "\n";
    return 2;
}
