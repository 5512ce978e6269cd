// SPDX-License-Identifier: Apache-2.0
// broken.cpp: breaks each rule of the checkers once, and looks whether the checkers name this rule,
// and this rule alone.
//
// The unit is an empty module (stub.py) to which gmmu_bind.sv binds the checkers. A case plays the
// unit and its neighbours by the rules, then breaks one. Prints a row a case: rule, who is at
// fault, how the rule is broken, what the checkers found. With --list the names of the rules alone.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "Vdut.h"
#include "bits.h"
#include "driver/page.h"
#include "lockstep/ports.h"
#include "sizes.h"

namespace {

using driver::Page;

class Bench {
   public:
    const gmmu_config &cfg = config_of_build();
    gmmu_regs regs = gmmu_regs_default(&cfg);

   private:
    VerilatedContext context;

   public:
    std::unique_ptr<Vdut> dut;

    Bench() : ports_(cfg) {
        context.randReset(2);
        context.errorLimit(1000000);  // a broken rule does not stop the model
        dut = std::make_unique<Vdut>(&context);
        regs.tier = GMMU_PLACE_ORDER;
        regs.t2_slots = cfg.t2_slots;
        idle();
        ready(false);
        dut->rst = 1;
        edges(3);
        dut->rst = 0;
        edge();
        ready(true);
    }
    ~Bench() { dut->final(); }
    Bench(const Bench &) = delete;
    Bench &operator=(const Bench &) = delete;

    void edge() {
        lockstep::put_registers(*dut, regs);
        dut->clk = 0;
        dut->eval();
        dut->clk = 1;
        dut->eval();
        context.timeInc(1);
    }
    void edges(unsigned n) {
        while (n-- != 0) edge();
    }
    // Out of reset again; before its end, a cycle later on.
    void restart() {
        begin_reset();
        dut->rst = 0;
        edge();
        ready(true);
        dut->s_axis_walk_tready = 0;
        edge();
        dut->s_axis_walk_tready = 1;
    }
    void begin_reset() {
        idle();
        ready(false);
        dut->rst = 1;
        edges(2);
        seq_ = 0;
    }
    // Every stream takes what comes, or nothing.
    void ready(bool yes) {
        dut->s_axis_walk_tready = dut->s_axis_drv_tready = dut->s_axis_range_tready = yes;
        dut->m_axis_decision_tready = dut->m_axis_rit_tready = dut->m_axis_hir_tready = yes;
        dut->m_axis_xfer_tready = dut->spare_tready = dut->given_tready = yes;
        dut->s_axil_awready = dut->s_axil_wready = dut->s_axil_arready = yes;
        dut->s_axil_bready = dut->s_axil_rready = yes;
        dut->m_frame_ar_ready = dut->m_frame_w_ready = yes;
        dut->m_axi_awready = dut->m_axi_wready = dut->m_axi_arready = yes;
    }
    // A beat is offered and taken.
    void walk(const gmmu_tier_walk_in &w) {
        ports_.put(*dut, w, 0);
        edge();
        dut->s_axis_walk_tvalid = 0;
    }
    void hit(Page p, uint32_t frame, bool replay = false) {
        gmmu_tier_walk_in w = {};
        w.asid = p.first;
        w.vpn = p.second;
        w.frame = frame;
        w.replay = replay;
        walk(w);
    }
    void fault(Page p, bool replay = false) {
        gmmu_tier_walk_in w = {};
        w.asid = p.first;
        w.vpn = p.second;
        w.fault = true;
        w.replay = replay;
        walk(w);
    }
    void drv(const driver::Operation &o) {
        ports_.put(*dut, o);
        edge();
        dut->s_axis_drv_tvalid = 0;
    }
    void op(unsigned kind, uint32_t frame, Page p = {}, uint32_t slot = 0, bool ahead = false) {
        driver::Operation o = driver::operation(kind, frame, p);
        o.slot = slot;
        o.ahead = ahead;
        drv(o);
    }
    void give(driver::Decision d) {
        offer(d);
        edge();
        dut->m_axis_decision_tvalid = 0;
        seq_++;
    }
    void offer(const driver::Decision &d) {
        auto &t = dut->m_axis_decision_tdata;
        const gmmu_decision_layout l = gmmu_decision_layout_of(&cfg);
        clear_bits(t);
        put_bits(t, l.seq, d.seq != 0 ? d.seq : seq_);
        put_bits(t, l.asid, d.asid);
        put_bits(t, l.vpn, d.vpn);
        put_bits(t, l.tier, d.tier);
        put_bits(t, l.frame, d.frame);
        put_bits(t, l.v_asid, d.victim_asid);
        put_bits(t, l.v_vpn, d.victim_vpn);
        put_bits(t, l.ahead, d.ahead);
        put_bits(t, l.fresh, d.fresh);
        put_bits(t, l.rise, d.rise);
        put_bits(t, l.swap, d.swap);
        put_bits(t, l.pred, d.pred);
        put_bits(t, l.t2_valid, d.t2_valid);
        put_bits(t, l.t2_slot, d.t2_slot);
        put_bits(t, l.t2_asid, d.t2_asid);
        put_bits(t, l.t2_vpn, d.t2_vpn);
        dut->m_axis_decision_tvalid = 1;
    }
    static driver::Decision free_for(Page p) {
        driver::Decision d = {};
        d.asid = p.first;
        d.vpn = p.second;
        d.tier = GMMU_TIER_FREE;
        return d;
    }
    static driver::Decision victim_for(Page p, uint32_t frame, Page v) {
        driver::Decision d = free_for(p);
        d.tier = GMMU_TIER_2;
        d.frame = frame;
        d.victim_asid = v.first;
        d.victim_vpn = v.second;
        return d;
    }
    static driver::Decision ahead_of_need(uint32_t frame, Page v) {
        driver::Decision d = victim_for({}, frame, v);
        d.ahead = true;
        return d;
    }
    // Page P comes into FRAME by the rules.
    void filled(uint32_t frame, Page p) {
        fault(p);
        give(free_for(p));
        op(GMMU_FILL, frame, p);
    }
    // Page P of FRAME goes to SLOT, and page NEXT comes into the frame.
    void to_slot(uint32_t slot, uint32_t frame, Page p, Page next) {
        leaves(next, frame, p);
        op(GMMU_T2_FILL_DONE, frame, {}, slot);
        op(GMMU_FILL, frame, next);
    }
    // P faults, and V leaves FRAME for P.
    void leaves(Page p, uint32_t frame, Page v) {
        fault(p);
        give(victim_for(p, frame, v));
    }
    // A beat of another stream: its fields, whatever else.
    struct Field {
        gmmu_field at;
        uint64_t value;
    };
    template <class T>
    static void fields(T &port, std::initializer_list<Field> list) {
        clear_bits(port);
        for (const Field &f : list) put_bits(port, f.at, f.value);
    }
    void rit(bool last, std::initializer_list<Field> list) {
        fields(dut->m_axis_rit_tdata, list);
        dut->m_axis_rit_tlast = last;
        dut->m_axis_rit_tvalid = 1;
        edge();
        dut->m_axis_rit_tvalid = 0;
    }
    void hir(bool last, std::initializer_list<Field> list) {
        fields(dut->m_axis_hir_tdata, list);
        dut->m_axis_hir_tlast = last;
        dut->m_axis_hir_tvalid = 1;
        edge();
        dut->m_axis_hir_tvalid = 0;
    }
    void range(std::initializer_list<Field> list) {
        fields(dut->s_axis_range_tdata, list);
        dut->s_axis_range_tvalid = 1;
        edge();
        dut->s_axis_range_tvalid = 0;
    }
    void xfer(bool last, std::initializer_list<Field> list) {
        fields(dut->m_axis_xfer_tdata, list);
        dut->m_axis_xfer_tlast = last;
        dut->m_axis_xfer_tvalid = 1;
        edge();
        dut->m_axis_xfer_tvalid = 0;
    }
    // The memory port.
    void reads(uint32_t frame) {
        dut->m_frame_ar_addr = static_cast<uint8_t>(frame);
        dut->m_frame_ar_valid = 1;
        edge();
        dut->m_frame_ar_valid = 0;
    }
    void writes(uint32_t frame, uint32_t value) {
        dut->m_frame_w_addr = static_cast<uint8_t>(frame);
        clear_bits(dut->m_frame_w_data);
        put_bits(dut->m_frame_w_data, {0, 32}, value);
        dut->m_frame_w_valid = 1;
        edge();
        dut->m_frame_w_valid = 0;
    }
    void answers(uint32_t value) {
        clear_bits(dut->m_frame_r_data);
        put_bits(dut->m_frame_r_data, {0, 32}, value);
        dut->m_frame_r_valid = 1;
        edge();
        dut->m_frame_r_valid = 0;
    }
    void done() {
        dut->m_frame_b_valid = 1;
        edge();
        dut->m_frame_b_valid = 0;
    }
    // The bus: a request is taken, a response is given.
    void aw() {
        dut->s_axil_awvalid = 1;
        edge();
        dut->s_axil_awvalid = 0;
    }
    void w() {
        dut->s_axil_wvalid = 1;
        edge();
        dut->s_axil_wvalid = 0;
    }
    void ar() {
        dut->s_axil_arvalid = 1;
        edge();
        dut->s_axil_arvalid = 0;
    }
    void b(unsigned resp) {
        dut->s_axil_bresp = static_cast<uint8_t>(resp);
        dut->s_axil_bvalid = 1;
        edge();
        dut->s_axil_bvalid = 0;
    }
    void r(unsigned resp) {
        dut->s_axil_rresp = static_cast<uint8_t>(resp);
        dut->s_axil_rvalid = 1;
        edge();
        dut->s_axil_rvalid = 0;
    }
    // The AXI4 master: an address of a burst of BEATS, data, an answer.
    void axi_aw(uint64_t address, unsigned beats) {
        dut->m_axi_awaddr = address;
        dut->m_axi_awlen = static_cast<uint8_t>(beats - 1);
        dut->m_axi_awvalid = 1;
        edge();
        dut->m_axi_awvalid = 0;
    }
    void axi_ar(uint64_t address, unsigned beats) {
        dut->m_axi_araddr = address;
        dut->m_axi_arlen = static_cast<uint8_t>(beats - 1);
        dut->m_axi_arvalid = 1;
        edge();
        dut->m_axi_arvalid = 0;
    }
    void axi_w(bool last) {
        dut->m_axi_wlast = last;
        dut->m_axi_wvalid = 1;
        edge();
        dut->m_axi_wvalid = 0;
    }
    void axi_b(unsigned id = 0) {
        dut->m_axi_bid = static_cast<uint8_t>(id);
        dut->m_axi_bvalid = 1;
        edge();
        dut->m_axi_bvalid = 0;
    }
    void axi_r(bool last, unsigned id = 0) {
        dut->m_axi_rlast = last;
        dut->m_axi_rid = static_cast<uint8_t>(id);
        dut->m_axi_rvalid = 1;
        edge();
        dut->m_axi_rvalid = 0;
    }

   private:
    lockstep::Ports ports_;
    uint32_t seq_ = 0;

    void idle() {
        dut->s_axis_walk_tvalid = dut->s_axis_drv_tvalid = dut->s_axis_range_tvalid = 0;
        dut->m_axis_decision_tvalid = dut->m_axis_rit_tvalid = dut->m_axis_hir_tvalid = 0;
        dut->m_axis_xfer_tvalid = dut->spare_tvalid = dut->given_tvalid = dut->parcel_tvalid = 0;
        dut->m_frame_ar_valid = dut->m_frame_w_valid = dut->m_frame_r_valid = 0;
        dut->m_frame_b_valid = 0;
        dut->s_axil_awvalid = dut->s_axil_wvalid = dut->s_axil_arvalid = 0;
        dut->s_axil_bvalid = dut->s_axil_rvalid = 0;
        dut->m_axi_awvalid = dut->m_axi_wvalid = dut->m_axi_arvalid = 0;
        dut->m_axi_bvalid = dut->m_axi_rvalid = 0;
        dut->m_axi_bready = dut->m_axi_rready = 1;
        dut->m_axi_awsize = dut->m_axi_arsize = 3;
        dut->m_axi_awburst = dut->m_axi_arburst = 1;
        dut->m_axi_awcache = dut->m_axi_arcache = 3;
        dut->m_axi_awprot = dut->m_axi_arprot = 2;
        dut->m_axi_awid = dut->m_axi_awlock = dut->m_axi_awqos = 0;
        dut->m_axi_arid = dut->m_axi_arlock = dut->m_axi_arqos = 0;
        dut->m_axi_wstrb = 0xFF;
        dut->quiet = 0;
        dut->stat_walks = 0;
    }
};

struct Case {
    const char *rule;
    std::string who;     // is at fault
    std::string stream;  // that the message names; empty: none
    std::string how;
    std::function<void(Bench &)> play;
};

const Page A = {0, 0x10}, B = {0, 0x20}, C = {1, 0x10}, D = {1, 0x20};
const char *const UNIT = "the unit", *const WALKER = "the walker", *const DRIVER = "the driver";
const char *const TABLE = "the driver's page table, or a walker", *const MEMORY = "the memory";
const char *const MASTER = "the bus master", *const LIBRARY = "the library that offloads";

// ---- the handshake of each stream
struct Stream {
    std::string name, other;  // the party at the other end
    bool unit;                // sends
    CData &(*valid)(Vdut &), &(*ready)(Vdut &);
    std::function<void(Bench &)> before;          // by the rules; then a beat is offered
    std::function<void(Bench &, unsigned)> beat;  // two beats by the rules, 0 and 1
};

#define PORT(name) [](Vdut &d) -> CData & { return d.name; }
std::vector<Stream> streams(const gmmu_config &c) {
    const auto nothing = [](Bench &) {};
    return {
        {"s_axis_walk", WALKER, false, PORT(s_axis_walk_tvalid), PORT(s_axis_walk_tready),
         [](Bench &b) { b.restart(); },  // tready falls in reset alone
         [c](Bench &b, unsigned n) {
             const gmmu_walk_layout l = gmmu_walk_layout_of(&c);
             Bench::fields(b.dut->s_axis_walk_tdata, {{l.fault, 1}, {l.ref, n}});
         }},
        {"s_axis_drv", DRIVER, false, PORT(s_axis_drv_tvalid), PORT(s_axis_drv_tready), nothing,
         [c](Bench &b, unsigned n) {
             const gmmu_drv_layout l = gmmu_drv_layout_of(&c);
             Bench::fields(b.dut->s_axis_drv_tdata, {{l.op, GMMU_FREE}, {l.frame, n}});
         }},
        {"s_axis_range", LIBRARY, false, PORT(s_axis_range_tvalid), PORT(s_axis_range_tready),
         nothing,
         [c](Bench &b, unsigned n) {
             Bench::fields(b.dut->s_axis_range_tdata, {{gmmu_range_layout_of(&c).tag, n}});
         }},
        {"m_axis_decision", DRIVER, true, PORT(m_axis_decision_tvalid),
         PORT(m_axis_decision_tready), nothing,
         [c](Bench &b, unsigned n) {
             const gmmu_decision_layout l = gmmu_decision_layout_of(&c);
             Bench::fields(b.dut->m_axis_decision_tdata, {{l.tier, GMMU_TIER_NONE}, {l.prio, n}});
         }},
        {"m_axis_rit", "the consumer of m_axis_rit", true, PORT(m_axis_rit_tvalid),
         PORT(m_axis_rit_tready), nothing,
         [c](Bench &b, unsigned n) {
             const gmmu_rit_head_layout l = gmmu_rit_head_layout_of(&c);
             b.dut->m_axis_rit_tlast = 0;
             Bench::fields(b.dut->m_axis_rit_tdata, {{l.n, 1}, {l.dropped, n}});
         }},
        {"m_axis_hir", "the consumer of m_axis_hir", true, PORT(m_axis_hir_tvalid),
         PORT(m_axis_hir_tready), nothing,
         [](Bench &b, unsigned n) {
             const gmmu_hir_head_layout l = gmmu_hir_head_layout_of();
             b.dut->m_axis_hir_tlast = 0;
             Bench::fields(b.dut->m_axis_hir_tdata, {{l.n, 1}, {l.dropped, n}});
         }},
        {"m_axis_xfer", LIBRARY, true, PORT(m_axis_xfer_tvalid), PORT(m_axis_xfer_tready),
         [](Bench &b) { b.range({}); },
         [c](Bench &b, unsigned n) {
             const gmmu_xfer_layout l = gmmu_xfer_layout_of(&c);
             b.dut->m_axis_xfer_tlast = 0;
             Bench::fields(b.dut->m_axis_xfer_tdata,
                           {{l.kind, GMMU_RANGE_UP}, {l.last, 1}, {l.hit, n}});
         }},
    };
}

void handshakes(const gmmu_config &cfg, std::vector<Case> *cases) {
    for (const Stream &s : streams(cfg)) {
        const std::string sender = s.unit ? UNIT : s.other;
        const auto offer = [s](Bench &b) {
            s.before(b);
            s.beat(b, 0);
            s.ready(*b.dut) = 0;
            s.valid(*b.dut) = 1;
            b.edges(3);
        };
        cases->push_back(
            {"valid_stays", sender, s.name, "tvalid falls before tready", [=](Bench &b) {
                 offer(b);
                 s.valid(*b.dut) = 0;
                 b.edge();
             }});
        cases->push_back(
            {"data_stays", sender, s.name, "tdata changes before tready", [=](Bench &b) {
                 offer(b);
                 s.beat(b, 1);
                 b.edge();
             }});
        if (s.name != "s_axis_range")
            cases->push_back({"silent_in_reset", UNIT, s.name,
                              s.unit ? "tvalid is 1 in reset" : "tready is 1 in reset",
                              [=](Bench &b) {
                                  b.begin_reset();
                                  s.beat(b, 0);
                                  (s.unit ? s.valid : s.ready)(*b.dut) = 1;
                                  b.edge();
                                  (s.unit ? s.valid : s.ready)(*b.dut) = 0;
                              }});
    }
    cases->push_back({"reserved_zero", WALKER, "spare", "a bit above the beat is 1", [](Bench &b) {
                          b.dut->spare_tdata = 1 << 10;
                          b.dut->spare_tvalid = 1;
                          b.edge();
                      }});
    cases->push_back({"reserved_zero", UNIT, "given", "a bit above the beat is 1", [](Bench &b) {
                          b.dut->given_tdata = 1 << 15;
                          b.dut->given_tvalid = 1;
                          b.edge();
                      }});
    cases->push_back({"walk_never_waits", UNIT, "s_axis_walk",
                      "tready falls after the reset sequence", [](Bench &b) {
                          b.edge();
                          b.dut->s_axis_walk_tready = 0;
                          b.edge();
                      }});
}

// ---- packets, ranges
void packets(const gmmu_config &c, std::vector<Case> *cases) {
    const gmmu_rit_head_layout rh = gmmu_rit_head_layout_of(&c);
    const gmmu_rit_layout rr = gmmu_rit_layout_of(&c);
    const gmmu_hir_head_layout hh = gmmu_hir_head_layout_of();
    const gmmu_hir_layout hr = gmmu_hir_layout_of(&c);
    const auto add = [cases](const char *rule, const char *stream, const char *how,
                             std::function<void(Bench &)> play) {
        cases->push_back({rule, UNIT, stream, how, std::move(play)});
    };
    add("packet_number", "m_axis_rit", "the second packet has the number 2", [=](Bench &b) {
        b.rit(false, {{rh.n, 1}});
        b.rit(true, {});
        b.rit(false, {{rh.seq, 2}, {rh.n, 1}});
    });
    add("packet_number", "m_axis_hir", "the first packet has the number 1", [=](Bench &b) {
        b.hir(true, {{hh.seq, 1}});
    });
    add("packet_records", "m_axis_rit", "a packet without records",
        [=](Bench &b) { b.rit(true, {}); });
    add("packet_last", "m_axis_rit", "the first of two records has tlast", [=](Bench &b) {
        b.rit(false, {{rh.n, 2}});
        b.rit(true, {});
    });
    add("packet_last", "m_axis_hir", "the last record has no tlast", [=](Bench &b) {
        b.hir(false, {{hh.n, 1}});
        b.hir(false, {});
    });
    add("header_zero", "m_axis_rit", "a bit above the header is 1", [=](Bench &b) {
        b.rit(false, {{rh.n, 1}, {{rh.time.offset + rh.time.width, 1}, 1}});
    });
    if (hh.dropped.offset + hh.dropped.width < hr.bits)
        add("header_zero", "m_axis_hir", "a bit above the header is 1", [=](Bench &b) {
            b.hir(true, {{{hh.dropped.offset + hh.dropped.width, 1}, 1}});
        });
    add("record_zero", "parcel", "a bit above the record is 1", [=](Bench &b) {
        b.dut->parcel_tvalid = 1;
        b.dut->parcel_tlast = 0;
        b.dut->parcel_tdata = 1 << 16;
        b.edge();
        b.dut->parcel_tlast = 1;
        b.dut->parcel_tdata = 1ull << 40;
        b.edge();
        b.dut->parcel_tvalid = 0;
    });
    add("rit_rec_zero", "m_axis_rit", "an interval without rec", [=](Bench &b) {
        b.rit(false, {{rh.n, 1}});
        b.rit(true, {{rr.interval, 7}});
    });
    add("rit_access_zero", "m_axis_rit", "a page without access", [=](Bench &b) {
        b.rit(false, {{rh.n, 1}});
        b.rit(true, {{rr.vpn, 7}});
    });
    const gmmu_range_layout in = gmmu_range_layout_of(&c);
    const gmmu_xfer_layout out = gmmu_xfer_layout_of(&c);
    add("xfer_asked", "m_axis_xfer", "an answer after the last answer", [=](Bench &b) {
        b.range({{in.tag, 5}});
        for (int i = 0; i < 2; i++) b.xfer(true, {{out.kind, GMMU_RANGE_ANSWER}, {out.tag, 5}});
    });
    add("xfer_answer", "m_axis_xfer", "answers in another order than the operations",
        [=](Bench &b) {
            b.range({{in.tag, 5}});
            b.range({{in.tag, 6}});
            b.xfer(true, {{out.kind, GMMU_RANGE_ANSWER}, {out.tag, 6}});
        });
    add("xfer_last", "m_axis_xfer", "a transfer has tlast", [=](Bench &b) {
        b.range({});
        b.xfer(true, {{out.kind, GMMU_RANGE_UP}});
    });
    add("xfer_code", "m_axis_xfer", "code 7", [=](Bench &b) {
        b.range({});
        b.xfer(true, {{out.kind, GMMU_RANGE_ANSWER}, {out.code, 7}});
    });
    add("xfer_state", "m_axis_xfer", "state 3", [=](Bench &b) {
        b.range({});
        b.xfer(true, {{out.kind, GMMU_RANGE_ANSWER}, {out.state, 3}});
    });
    add("xfer_base", "m_axis_xfer", "a base without base_ok", [=](Bench &b) {
        b.range({});
        b.xfer(false, {{out.kind, GMMU_RANGE_UP}, {out.base, 4096}});
    });
    add("xfer_range", "m_axis_xfer", "start 2, last 1", [=](Bench &b) {
        b.range({});
        b.xfer(false, {{out.kind, GMMU_RANGE_DOWN}, {out.start, 2}, {out.last, 1}});
    });
    cases->push_back({"range_op_known", LIBRARY, "s_axis_range", "operation 12", [=](Bench &b) {
                          b.range({{in.op, 12}});
                      }});
    cases->push_back({"range_ends", LIBRARY, "s_axis_range", "start 2, last 1", [=](Bench &b) {
                          b.range({{in.op, GMMU_RANGE_READ_GPU}, {in.start, 2}, {in.last, 1}});
                      }});
}

// ---- fields
void fields(const gmmu_config &c, std::vector<Case> *cases) {
    const auto add = [cases](const char *rule, const char *who, const char *stream, const char *how,
                             std::function<void(Bench &)> play) {
        cases->push_back({rule, who, stream, how, std::move(play)});
    };
    const uint32_t time_w = c.time_w;
    add("walk_frame_enabled", WALKER, "s_axis_walk", "a hit of frame 16 with cfg_frames 16",
        [](Bench &b) {
            b.regs.frames = 16;
            b.hit(A, 16);
        });
    add("walk_slot_enabled", WALKER, "s_axis_walk", "a fault names slot 8 with cfg_t2_slots 8",
        [](Bench &b) {
            b.regs.t2_slots = 8;
            gmmu_tier_walk_in w = {};
            w.fault = w.t2 = true;
            w.slot = 8;
            b.walk(w);
        });
    add("drv_op_known", DRIVER, "s_axis_drv", "operation 11", [](Bench &b) { b.op(11, 0); });
    add("drv_op_known", DRIVER, "s_axis_drv", "operation 0", [](Bench &b) { b.op(0, 0); });
    add("drv_frame_enabled", DRIVER, "s_axis_drv", "PIN of frame 16 with cfg_frames 16",
        [](Bench &b) {
            b.regs.frames = 16;
            b.op(GMMU_PIN, 16);
        });
    add("drv_tiers", DRIVER, "s_axis_drv", "T2_FREE with cfg_tier 0", [](Bench &b) {
        b.regs.tier = GMMU_PLACE_NONE;
        b.op(GMMU_T2_FREE, 0);
    });
    add("drv_slot_enabled", DRIVER, "s_axis_drv", "T2_FREE of slot 8 with cfg_t2_slots 8",
        [](Bench &b) {
            b.regs.t2_slots = 8;
            b.op(GMMU_T2_FREE, 0, {}, 8);
        });
    add("drv_was_recent", DRIVER, "s_axis_drv", "FILL with a page of 2^(TIME_W-2) walks ago",
        [time_w](Bench &b) {
            b.dut->stat_walks = 1u << (time_w - 2);
            driver::Operation o = driver::operation(GMMU_FILL, 0, A);
            o.returns = true;
            o.was = 0;
            b.drv(o);
        });
    add("dec_frame_enabled", UNIT, "m_axis_decision", "a victim in frame 16 with cfg_frames 16",
        [](Bench &b) {
            b.regs.frames = 16;
            b.leaves(A, 16, B);
        });
    add("dec_tier_3", UNIT, "m_axis_decision", "tier 3 with cfg_tier 0", [](Bench &b) {
        b.regs.tier = GMMU_PLACE_NONE;
        b.filled(0, B);
        b.fault(A);
        driver::Decision d = Bench::victim_for(A, 0, B);
        d.tier = GMMU_TIER_3;
        b.give(d);
    });
    add("dec_ahead", UNIT, "m_axis_decision", "ahead with a page that comes", [](Bench &b) {
        b.filled(0, B);
        driver::Decision d = Bench::ahead_of_need(0, B);
        d.vpn = 1;
        b.give(d);
    });
    add("dec_fresh", UNIT, "m_axis_decision", "FREE with fresh", [](Bench &b) {
        b.fault(A);
        driver::Decision d = Bench::free_for(A);
        d.fresh = true;
        b.give(d);
    });
    add("dec_no_tiers", UNIT, "m_axis_decision", "pred 2 with cfg_tier 0", [](Bench &b) {
        b.regs.tier = GMMU_PLACE_NONE;
        b.fault(A);
        driver::Decision d = Bench::free_for(A);
        d.pred = 2;
        b.give(d);
    });
    add("dec_swap", UNIT, "m_axis_decision", "swap without rise", [](Bench &b) {
        b.filled(0, B);
        b.fault(A);
        driver::Decision d = Bench::victim_for(A, 0, B);
        d.swap = true;
        b.give(d);
    });
    add("dec_slot_enabled", UNIT, "m_axis_decision", "slot 8 leaves with cfg_t2_slots 8",
        [](Bench &b) {
            b.regs.t2_slots = 8;
            b.filled(0, B);
            b.fault(A);
            driver::Decision d = Bench::victim_for(A, 0, B);
            d.t2_valid = true;
            d.t2_slot = 8;
            b.give(d);
        });
}

// ---- the memory port
void memory(const gmmu_config &c, std::vector<Case> *cases) {
    const auto add = [cases](const char *rule, const char *who, const char *how,
                             std::function<void(Bench &)> play) {
        cases->push_back({rule, who, "", how, std::move(play)});
    };
    const unsigned lines = c.lines;
    add("read_stays", UNIT, "a read is taken back", [](Bench &b) {
        b.dut->m_frame_ar_ready = 0;
        b.reads(3);
        b.edge();
    });
    add("read_stays", UNIT, "the address of a read changes", [](Bench &b) {
        b.dut->m_frame_ar_ready = 0;
        b.reads(3);
        b.reads(4);
        b.dut->m_frame_ar_ready = 1;
        b.reads(4);
    });
    add("write_stays", UNIT, "the data of a write change", [](Bench &b) {
        b.dut->m_frame_w_ready = 0;
        b.writes(3, 1);
        b.dut->m_frame_w_ready = 1;
        b.writes(3, 2);
    });
    add("read_enabled", UNIT, "a read of word 16 with cfg_frames 16", [](Bench &b) {
        b.regs.frames = 16;
        b.reads(16);
    });
    add("write_enabled", UNIT, "a write of word 16 with cfg_frames 16", [](Bench &b) {
        b.regs.frames = 16;
        b.writes(16, 1);
    });
    add("reads_bounded", UNIT, "LINES + 1 reads without an answer", [lines](Bench &b) {
        for (unsigned i = 0; i <= lines; i++) b.reads(i);
    });
    add("read_apart", UNIT, "a read of a word whose write is not done", [](Bench &b) {
        b.writes(3, 1);
        b.reads(3);
    });
    add("write_apart", UNIT, "a write of a word whose read has no answer", [](Bench &b) {
        b.reads(3);
        b.writes(3, 1);
    });
    add("write_once", UNIT, "a second write of a word whose write is not done", [](Bench &b) {
        b.writes(3, 1);
        b.writes(3, 2);
    });
    add("memory_silent", UNIT, "a write in reset", [](Bench &b) {
        b.begin_reset();
        b.writes(3, 1);
    });
    add("answer_asked", MEMORY, "the answer to a read of before a reset", [](Bench &b) {
        b.reads(3);
        b.restart();
        b.answers(0);
    });
    add("answer_asked", MEMORY, "an answer in the cycle of its request", [](Bench &b) {
        b.dut->m_frame_r_valid = 1;
        b.reads(3);
        b.dut->m_frame_r_valid = 0;
    });
    add("done_asked", MEMORY, "two dones to one write", [](Bench &b) {
        b.writes(3, 1);
        b.done();
        b.done();
    });
    add("answer_data", MEMORY, "answers in another order than the reads", [](Bench &b) {
        for (unsigned i = 1; i < 3; i++) b.writes(i, i);
        b.done();
        b.done();
        b.reads(1);
        b.reads(2);
        b.answers(2);
    });
}

// ---- the AXI4 master
void axi(std::vector<Case> *cases) {
    const auto add = [cases](const char *rule, const char *who, const char *how,
                             std::function<void(Bench &)> play) {
        cases->push_back({rule, who, "", how, std::move(play)});
    };
    // a form: SIGNAL has VALUE in the address of a write, and of a read
#define FORM(signal, value, how)                 \
    add("axi_aw_form", UNIT, how, [](Bench &b) { \
        b.dut->m_axi_aw##signal = value;         \
        b.axi_aw(0x40, 2);                       \
    });                                          \
    add("axi_ar_form", UNIT, how, [](Bench &b) { \
        b.dut->m_axi_ar##signal = value;         \
        b.axi_ar(0x40, 2);                       \
    })
    FORM(size, 2, "half the width");
    FORM(burst, 2, "WRAP");
    FORM(burst, 0, "FIXED");
    FORM(id, 1, "ID 1");
    FORM(lock, 1, "exclusive");
    FORM(cache, 2, "not bufferable");
    FORM(prot, 0, "secure");
    FORM(qos, 8, "another quality of service");
#undef FORM
    add("axi_aw_form", UNIT, "an address in the middle of a beat",
        [](Bench &b) { b.axi_aw(0x44, 2); });
    add("axi_ar_form", UNIT, "an address in the middle of a beat",
        [](Bench &b) { b.axi_ar(0x44, 2); });
    add("axi_aw_page", UNIT, "the second beat lies in the next page", [](Bench &b) {
        b.axi_aw(0xFF0, 2);  // ends where the page ends
        b.axi_aw(0xFF8, 2);
    });
    add("axi_ar_page", UNIT, "the last of 256 beats lies in the next page",
        [](Bench &b) { b.axi_ar(0x808, 256); });
    add("axi_aw_stays", UNIT, "AWVALID falls before AWREADY", [](Bench &b) {
        b.dut->m_axi_awready = 0;
        b.axi_aw(0x40, 2);
        b.edge();
    });
    add("axi_aw_stays", UNIT, "AWLEN changes before AWREADY", [](Bench &b) {
        b.dut->m_axi_awready = 0;
        b.axi_aw(0x40, 2);
        b.axi_aw(0x40, 4);
        b.dut->m_axi_awready = 1;
        b.axi_aw(0x40, 4);
    });
    add("axi_ar_stays", UNIT, "ARADDR changes before ARREADY", [](Bench &b) {
        b.dut->m_axi_arready = 0;
        b.axi_ar(0x40, 2);
        b.axi_ar(0x80, 2);
        b.dut->m_axi_arready = 1;
        b.axi_ar(0x80, 2);
    });
    add("axi_w_stays", UNIT, "WDATA change before WREADY", [](Bench &b) {
        b.axi_aw(0x40, 2);
        b.dut->m_axi_wready = 0;
        b.dut->m_axi_wdata = 1;
        b.axi_w(false);
        b.dut->m_axi_wdata = 2;
        b.axi_w(false);
        b.dut->m_axi_wready = 1;
        b.axi_w(false);
    });
    add("axi_w_strobes", UNIT, "a byte without a strobe", [](Bench &b) {
        b.dut->m_axi_wstrb = 0xFE;
        b.axi_aw(0x40, 2);
        b.axi_w(false);
    });
    add("axi_w_last", UNIT, "WLAST a beat too early", [](Bench &b) {
        b.axi_aw(0x40, 2);
        b.axi_w(true);
    });
    add("axi_w_last", UNIT, "WLAST a beat too late, of the second of two addresses", [](Bench &b) {
        b.axi_aw(0x40, 2);
        b.axi_aw(0x80, 1);
        b.axi_w(false);
        b.axi_w(true);
        b.axi_w(false);
    });
    add("axi_w_last", UNIT, "WLAST too early, in the cycle of the address", [](Bench &b) {
        b.dut->m_axi_wlast = b.dut->m_axi_wvalid = 1;
        b.axi_aw(0x40, 2);
        b.dut->m_axi_wvalid = 0;
    });
    add("axi_aw_length", UNIT, "an address of two beats behind data of one", [](Bench &b) {
        b.axi_w(true);
        b.axi_aw(0x40, 2);
    });
    add("axi_aw_length", UNIT, "an address and the next data at once, behind other data",
        [](Bench &b) {
            b.axi_w(true);
            b.axi_w(false);
            b.dut->m_axi_wlast = b.dut->m_axi_wvalid = 1;
            b.axi_aw(0x40, 1);  // by the rules: of the first data
            b.dut->m_axi_wvalid = 0;
            b.axi_aw(0x40, 3);
        });
    add("axi_w_length", UNIT, "256 beats without an address, and no WLAST", [](Bench &b) {
        for (unsigned i = 0; i < 256; i++) b.axi_w(false);
    });
    add("axi_writes_bounded", UNIT, "a fifth write under way where four may be", [](Bench &b) {
        for (unsigned i = 0; i < 5; i++) {
            b.axi_aw(0x40 * i, 1);
            b.axi_w(true);
        }
    });
    add("axi_reads_bounded", UNIT, "a second read before the end of the first", [](Bench &b) {
        b.axi_ar(0x40, 2);
        b.axi_r(false);
        b.axi_ar(0x80, 2);
    });
    add("axi_takes", UNIT, "BREADY is 0", [](Bench &b) {
        b.axi_aw(0x40, 1);
        b.axi_w(true);
        b.dut->m_axi_bready = 0;
        b.axi_b();
        b.dut->m_axi_bready = 1;
    });
    add("axi_takes", UNIT, "RREADY is 0", [](Bench &b) {
        b.axi_ar(0x40, 2);
        b.dut->m_axi_rready = 0;
        b.axi_r(false);
        b.dut->m_axi_rready = 1;
    });
    add("axi_silent", UNIT, "a read in reset", [](Bench &b) {
        b.begin_reset();
        b.axi_ar(0x40, 2);
    });
    add("axi_b_asked", MEMORY, "an answer before the last beat of the data", [](Bench &b) {
        b.axi_aw(0x40, 2);
        b.axi_w(false);
        b.axi_b();
    });
    add("axi_b_asked", MEMORY, "an answer before the address", [](Bench &b) {
        b.axi_w(true);
        b.axi_b();
    });
    add("axi_b_asked", MEMORY, "two answers to one write", [](Bench &b) {
        b.axi_aw(0x40, 1);
        b.axi_w(true);
        b.axi_b();
        b.axi_b();
    });
    add("axi_r_asked", MEMORY, "a beat behind RLAST", [](Bench &b) {
        b.axi_ar(0x40, 2);
        b.axi_r(false);
        b.axi_r(true);
        b.axi_r(true);
    });
    add("axi_r_last", MEMORY, "RLAST a beat too early", [](Bench &b) {
        b.axi_ar(0x40, 2);
        b.axi_r(true);
    });
    add("axi_r_last", MEMORY, "RLAST a beat too late", [](Bench &b) {
        b.axi_ar(0x40, 2);
        b.axi_r(false);
        b.axi_r(false);
    });
    add("axi_b_id", MEMORY, "BID 1", [](Bench &b) {
        b.axi_aw(0x40, 1);
        b.axi_w(true);
        b.axi_b(1);
    });
    add("axi_r_id", MEMORY, "RID 1", [](Bench &b) {
        b.axi_ar(0x40, 2);
        b.axi_r(false, 1);
    });
}

// ---- the bus
void bus(std::vector<Case> *cases) {
    const auto add = [cases](const char *rule, const char *who, const char *how,
                             std::function<void(Bench &)> play) {
        cases->push_back({rule, who, "", how, std::move(play)});
    };
    add("axil_b_stays", UNIT, "BRESP changes before BREADY", [](Bench &b) {
        b.aw();
        b.w();
        b.dut->s_axil_bready = 0;
        b.b(0);
        b.b(2);
        b.dut->s_axil_bready = 1;
        b.b(2);
    });
    add("axil_r_stays", UNIT, "RVALID falls before RREADY", [](Bench &b) {
        b.ar();
        b.dut->s_axil_rready = 0;
        b.r(0);
        b.edge();
    });
    add("axil_b_asked", UNIT, "a response to an address without data", [](Bench &b) {
        b.aw();
        b.b(0);
    });
    add("axil_r_asked", UNIT, "two responses to one read", [](Bench &b) {
        b.ar();
        b.r(0);
        b.r(0);
    });
    add("axil_b_resp", UNIT, "EXOKAY", [](Bench &b) {
        b.aw();
        b.w();
        b.b(1);
    });
    add("axil_r_resp", UNIT, "DECERR", [](Bench &b) {
        b.ar();
        b.r(3);
    });
    add("axil_b_comes", UNIT, "no response for 65 cycles", [](Bench &b) {
        b.aw();
        b.w();
        b.edges(66);
    });
    add("axil_r_comes", UNIT, "no response for 65 cycles", [](Bench &b) {
        b.ar();
        b.edges(66);
    });
    add("axil_aw_stays", MASTER, "AWVALID falls before AWREADY", [](Bench &b) {
        b.dut->s_axil_awready = 0;
        b.aw();
        b.edge();
    });
    add("axil_w_stays", MASTER, "WSTRB changes before WREADY", [](Bench &b) {
        b.dut->s_axil_wready = 0;
        b.dut->s_axil_wstrb = 15;
        b.w();
        b.dut->s_axil_wready = 1;
        b.dut->s_axil_wstrb = 3;
        b.w();
    });
    add("axil_ar_stays", MASTER, "ARADDR changes before ARREADY", [](Bench &b) {
        b.dut->s_axil_arready = 0;
        b.dut->s_axil_araddr = 8;
        b.ar();
        b.dut->s_axil_arready = 1;
        b.dut->s_axil_araddr = 12;
        b.ar();
    });
}

// ---- order: walker and driver
void neighbours(const gmmu_config &c, std::vector<Case> *cases) {
    const auto add = [cases](const char *rule, const char *who, const char *how,
                             std::function<void(Bench &)> play) {
        cases->push_back({rule, who, "", how, std::move(play)});
    };
    const unsigned late = c.late;
    add("hit_filled", TABLE, "the page is mapped before its FILL", [](Bench &b) {
        b.fault(A);
        b.give(Bench::free_for(A));
        b.hit(A, 0);
    });
    add("hit_filled", TABLE, "a hit names another frame than the FILL", [](Bench &b) {
        b.filled(0, A);
        b.hit(A, 1);
    });
    add("hit_mapped", TABLE, "the page is mapped behind its FREE", [](Bench &b) {
        b.filled(0, A);
        b.op(GMMU_FREE, 0);
        b.hit(A, 0);
    });
    add("hit_mapped", TABLE, "the victim is mapped behind the FILL of its frame", [](Bench &b) {
        b.filled(0, A);
        b.leaves(B, 0, A);
        b.hit(A, 0);  // still allowed
        b.op(GMMU_FILL, 0, B);
        b.hit(B, 0);
        b.hit(A, 0);
    });
    add("replay_faulted", WALKER, "a replay of a page that was prefetched", [](Bench &b) {
        b.op(GMMU_FILL, 0, A);
        b.hit(A, 0, true);
    });
    add("fault_in_time", WALKER, "a fault comes LATE + 1 FILLs after the FILL of its page",
        [late](Bench &b) {
            b.filled(0, A);
            for (unsigned i = 0; i <= late; i++) b.filled(1 + i, {2, i});
            b.fault(A);
            b.give(Bench::free_for(A));
            b.op(GMMU_CANCEL, 100, A);
        });
    add("fill_one_frame", DRIVER, "a decision of a page that is resident is followed",
        [late](Bench &b) {
            b.filled(0, A);
            for (unsigned i = 0; i <= late; i++) b.filled(1 + i, {2, i});
            b.fault(A);
            b.give(Bench::free_for(A));
            b.op(GMMU_FILL, 100, A);
        });
    add("fill_going", DRIVER, "FILL of a page that a later decision names as victim", [](Bench &b) {
        b.filled(0, A);
        b.fault(A);
        b.give(Bench::free_for(A));
        b.leaves(B, 0, A);
        b.op(GMMU_FILL, 1, A);
    });
    add("fill_held", DRIVER, "FREE is followed into a frame that holds a page", [](Bench &b) {
        b.filled(0, A);
        b.fault(B);
        b.give(Bench::free_for(B));
        b.op(GMMU_FILL, 0, B);
    });
    add("fill_others", DRIVER, "FREE is followed into the frame of another decision's victim",
        [](Bench &b) {
            b.filled(0, A);
            b.leaves(B, 0, A);
            b.fault(C);
            b.give(Bench::free_for(C));
            b.op(GMMU_FILL, 0, C);
        });
    add("dec_answered", DRIVER, "FREE has no answer", [](Bench &b) {
        b.fault(A);
        b.give(Bench::free_for(A));
        b.edges(5000);
    });
    add("dec_answered", DRIVER, "the page comes into another frame, and the victim's has no answer",
        [](Bench &b) {
            b.filled(0, A);
            b.leaves(B, 0, A);
            b.op(GMMU_FILL, 1, B);
            b.edges(5000);
        });
    add("cancel_asked", DRIVER, "a decision is answered by CANCEL twice", [](Bench &b) {
        b.fault(A);
        b.give(Bench::free_for(A));
        for (int i = 0; i < 2; i++) b.op(GMMU_CANCEL, 9, A);
    });
    add("cancel_frame", DRIVER, "CANCEL names another frame than the victim's", [](Bench &b) {
        b.filled(0, A);
        b.filled(1, B);
        b.leaves(C, 0, A);
        b.op(GMMU_CANCEL, 1, C);
    });
    add("cancel_frame", DRIVER, "CANCEL of FREE names a frame that leaves for another page",
        [](Bench &b) {
            b.filled(0, A);
            b.leaves(B, 0, A);
            b.fault(C);
            b.give(Bench::free_for(C));
            b.op(GMMU_CANCEL, 0, C);
        });
    add("cancel_ahead", DRIVER, "CANCEL with ahead of a frame that nobody named", [](Bench &b) {
        b.filled(0, A);
        b.op(GMMU_CANCEL, 0, {}, 0, true);
    });
    add("slot_leaving", DRIVER, "T2_FILL_DONE of a frame that nobody named", [](Bench &b) {
        b.filled(0, A);
        b.op(GMMU_T2_FILL_DONE, 0, {}, 3);
    });
    add("slot_empty", DRIVER, "two pages into one slot", [](Bench &b) {
        b.filled(0, A);
        b.filled(1, B);
        b.leaves(C, 0, A);
        b.op(GMMU_T2_FILL_DONE, 0, {}, 3);
        b.op(GMMU_FILL, 0, C);
        b.leaves(D, 1, B);
        b.op(GMMU_T2_FILL_DONE, 1, {}, 3);
    });
    add("slot_cancel", DRIVER, "T2_CANCEL of a slot that nobody named",
        [](Bench &b) { b.op(GMMU_T2_CANCEL, 0, {}, 3); });
    add("one_tier", DRIVER, "FILL without t2 of a page that a slot holds", [](Bench &b) {
        b.filled(0, A);
        b.to_slot(3, 0, A, B);
        b.fault(A);
        b.give(Bench::free_for(A));
        b.op(GMMU_FILL, 1, A);
    });
    add("one_tier", DRIVER, "FILL without t2 of a page that rises", [](Bench &b) {
        b.filled(0, A);
        b.to_slot(3, 0, A, B);
        b.fault(A);
        driver::Decision d = Bench::free_for(A);
        d.rise = true;
        b.give(d);
        b.op(GMMU_FILL, 1, A);
    });
    add("one_tier", DRIVER, "FILL names another slot than the page's", [](Bench &b) {
        b.filled(0, A);
        b.to_slot(3, 0, A, B);
        b.fault(A);
        b.give(Bench::free_for(A));
        driver::Operation o = driver::operation(GMMU_FILL, 1, A);
        o.t2 = true;
        o.slot = 4;
        b.drv(o);
    });
    add("one_tier", DRIVER, "T2_CANCEL of a slot whose page has come from Tier 3", [](Bench &b) {
        b.filled(0, A);
        b.to_slot(3, 0, A, B);
        b.fault(C);
        driver::Decision d = Bench::victim_for(C, 0, B);
        d.t2_valid = true;
        d.t2_slot = 3;
        d.t2_asid = A.first;
        d.t2_vpn = A.second;
        b.give(d);
        b.fault(A);
        b.give(Bench::free_for(A));
        b.op(GMMU_FILL, 1, A);
        b.op(GMMU_T2_CANCEL, 0, {}, 3);
    });
    add("swap_asked", DRIVER, "T2_SWAP answers a decision without swap", [](Bench &b) {
        b.filled(0, A);
        b.leaves(B, 0, A);
        b.op(GMMU_T2_SWAP, 0, B, 3);
    });
    add("swap_asked", DRIVER, "rule 10: T2_SWAP, and the frame is empty by the driver's own FREE",
        [](Bench &b) {
            b.filled(0, A);
            b.leaves(B, 0, A);
            b.op(GMMU_T2_FILL_DONE, 0, {}, 3);
            b.op(GMMU_FILL, 0, B);
            b.fault(A);
            b.op(GMMU_FREE, 0);
            driver::Decision d = Bench::victim_for(A, 0, B);
            d.rise = d.swap = true;
            b.give(d);
            b.op(GMMU_T2_SWAP, 0, A, 3);
        });
}

// ---- order: the unit
void decisions(const gmmu_config &c, std::vector<Case> *cases) {
    const auto add = [cases](const char *rule, const char *how, std::function<void(Bench &)> play) {
        cases->push_back({rule, UNIT, "", how, std::move(play)});
    };
    const unsigned faults = c.faults;
    add("dec_seq", "a number is left out", [](Bench &b) {
        b.filled(0, A);
        b.fault(B);
        driver::Decision d = Bench::free_for(B);
        d.seq = 2;
        b.give(d);
    });
    add("dec_asked", "a decision of a page that did not fault",
        [](Bench &b) { b.give(Bench::free_for(A)); });
    add("dec_asked", "a second decision of one fault, after the answer", [](Bench &b) {
        b.fault(A);
        b.give(Bench::free_for(A));
        b.op(GMMU_CANCEL, 9, A);
        b.give(Bench::free_for(A));
    });
    add("dec_once", "a second decision before the answer, of a fault that joined", [](Bench &b) {
        b.fault(A);
        b.give(Bench::free_for(A));
        b.fault(A);
        b.give(Bench::free_for(A));
    });
    add("dec_bound", "FAULTS + 1 decisions wait for their answers", [faults](Bench &b) {
        for (unsigned i = 0; i <= faults; i++) {
            b.fault({0, i});
            b.give(Bench::free_for({0, i}));
        }
    });
    add("dec_credit", "FREE twice, and one frame is enabled", [](Bench &b) {
        b.regs.frames = 1;
        b.restart();
        b.fault(A);
        b.give(Bench::free_for(A));
        b.fault(B);
        b.give(Bench::free_for(B));
    });
    add("dec_late", "a fault behind the FILL of its page is decided", [](Bench &b) {
        b.filled(0, A);
        b.filled(1, B);
        b.fault(A);
        b.give(Bench::free_for(A));
    });
    add("victim_held", "a victim in an empty frame", [](Bench &b) { b.leaves(A, 0, B); });
    add("victim_held", "another page than the frame's", [](Bench &b) {
        b.filled(0, A);
        b.filled(1, B);
        b.leaves(C, 0, B);
    });
    add("victim_held", "a victim twice", [](Bench &b) {
        b.filled(0, A);
        b.leaves(B, 0, A);
        b.leaves(C, 0, A);
    });
    add("victim_pin", "a victim that was pinned before the decision before", [](Bench &b) {
        b.filled(0, A);
        b.op(GMMU_PIN, 0);
        b.filled(1, B);
        b.leaves(C, 0, A);
    });
    add("rise_held", "rise of a page that was never in Tier 2", [](Bench &b) {
        b.fault(A);
        driver::Decision d = Bench::free_for(A);
        d.rise = true;
        b.give(d);
    });
    add("rise_held", "rise of a page that was never in Tier 2, behind an operation on a slot",
        [](Bench &b) {
            b.filled(0, A);
            b.to_slot(3, 0, A, B);
            b.fault(C);
            b.op(GMMU_T2_FREE, 0, {}, 3);
            driver::Decision d = Bench::free_for(C);
            d.rise = true;
            b.give(d);
        });
    add("rise_held", "rise of a page that left its slot before the decision before", [](Bench &b) {
        b.filled(0, A);
        b.to_slot(3, 0, A, B);
        b.op(GMMU_T2_FREE, 0, {}, 3);
        b.filled(1, C);
        b.fault(A);
        driver::Decision d = Bench::free_for(A);
        d.rise = true;
        b.give(d);
    });
    add("rise_held", "rise twice of a page whose CANCEL did not name the slot", [](Bench &b) {
        b.filled(0, A);
        b.to_slot(3, 0, A, B);
        driver::Decision d = Bench::free_for(A);
        d.rise = true;
        b.fault(A);
        b.give(d);
        b.op(GMMU_CANCEL, 9, A);
        b.fault(A);
        b.give(d);
    });
    add("leaver_held", "a page leaves a slot that another page left last", [](Bench &b) {
        b.filled(0, A);
        b.to_slot(3, 0, A, B);
        b.fault(C);
        b.op(GMMU_T2_FREE, 0, {}, 3);
        driver::Decision d = Bench::victim_for(C, 0, B);
        d.t2_valid = true;
        d.t2_slot = 3;
        d.t2_asid = D.first;
        d.t2_vpn = D.second;
        b.give(d);
    });
    add("leaver_held", "a page leaves an empty slot", [](Bench &b) {
        b.filled(0, A);
        b.fault(B);
        driver::Decision d = Bench::victim_for(B, 0, A);
        d.t2_valid = true;
        d.t2_slot = 3;
        b.give(d);
    });
}

// ---- what the checkers print
class Printed {
   public:
    Printed() {
        std::fflush(stdout);
        saved_ = dup(STDOUT_FILENO);
        file_ = std::tmpfile();
        dup2(fileno(file_), STDOUT_FILENO);
    }
    // All lines with a rule since the construction.
    std::vector<std::string> end() {
        std::fflush(stdout);
        dup2(saved_, STDOUT_FILENO);
        close(saved_);
        std::rewind(file_);
        std::vector<std::string> lines;
        char line[2000];
        while (std::fgets(line, sizeof line, file_) != nullptr)
            if (const char *at = std::strstr(line, "GMMU rule ")) {
                std::string text = at + std::strlen("GMMU rule ");
                text.erase(text.find_last_not_of('\n') + 1);
                lines.push_back(text);
            }
        std::fclose(file_);
        return lines;
    }

   private:
    int saved_;
    std::FILE *file_;
};

// Nothing is broken in what the cases do by the rules.
void by_the_rules(Bench &b) {
    b.filled(0, A);
    b.hit(A, 0);
    b.hit(A, 0, true);
    b.leaves(B, 0, A);
    b.hit(A, 0);
    b.op(GMMU_T2_FILL_DONE, 0, {}, 3);
    b.op(GMMU_FILL, 0, B);
    b.hit(B, 0, true);
    b.fault(A);
    driver::Decision d = Bench::victim_for(A, 0, B);
    d.rise = d.swap = true;
    b.give(d);
    b.op(GMMU_T2_SWAP, 0, A, 3);
    b.hit(A, 0, true);
    b.give(Bench::ahead_of_need(0, A));
    b.op(GMMU_CANCEL, 0, {}, 0, true);
    b.hit(A, 0);
    b.op(GMMU_FREE, 0);
    b.fault(A, true);
    b.give(Bench::free_for(A));
    b.op(GMMU_CANCEL, 7, A);
    b.op(GMMU_ASK, 0, A);
    b.give(Bench::free_for(A));
    b.op(GMMU_FILL, 5, A);
    // operations that met the decision: A left its slot when the unit had decided
    b.to_slot(4, 5, A, C);
    b.fault(A);
    driver::Operation up = driver::operation(GMMU_FILL, 6, A);
    up.t2 = true;
    up.slot = 4;
    b.drv(up);
    d = Bench::free_for(A);
    d.rise = true;
    b.give(d);
    b.op(GMMU_CANCEL, 7, A);
    b.to_slot(5, 6, A, {2, 1});
    b.fault(D);
    b.op(GMMU_T2_FREE, 0, {}, 5);
    d = Bench::victim_for(D, 6, {2, 1});
    d.t2_valid = true;
    d.t2_slot = 5;
    d.t2_asid = A.first;
    d.t2_vpn = A.second;
    b.give(d);
    b.op(GMMU_FILL, 6, D);
    b.restart();
    b.hit(A, 5);
}

}  // namespace

int main(int argc, char **argv) {
    const gmmu_config &cfg = config_of_build();
    std::vector<Case> cases;
    handshakes(cfg, &cases);
    packets(cfg, &cases);
    fields(cfg, &cases);
    memory(cfg, &cases);
    axi(&cases);
    bus(&cases);
    neighbours(cfg, &cases);
    decisions(cfg, &cases);
    if (argc > 1 && std::strcmp(argv[1], "--list") == 0) {
        std::set<std::string> names;
        for (const Case &c : cases) names.insert(c.rule);
        for (const std::string &name : names) std::printf("%s\n", name.c_str());
        return 0;
    }
    unsigned failed = 0;
    const auto play = [](const std::function<void(Bench &)> &f) {
        Printed printed;
        {
            Bench b;
            f(b);
            b.edges(3);
        }
        return printed.end();
    };
    std::vector<std::string> lines = play(by_the_rules);
    // the last hit is of before the reset: hit_filled alone
    if (lines.size() != 1 || lines[0].rfind("hit_filled:", 0) != 0) {
        failed++;
        std::printf(
            "FAIL by the rules, then a hit of before a reset: found %zu messages, expected "
            "hit_filled alone\n",
            lines.size());
        for (const std::string &line : lines) std::printf("     %s\n", line.c_str());
    }
    std::printf("rule | at fault | how it is broken | found\n");
    for (const Case &c : cases) {
        lines = play(c.play);
        const std::string start = std::string(c.rule) + ": fault of " + c.who;
        bool good = !lines.empty();
        for (const std::string &line : lines)
            good &= line.rfind(start, 0) == 0 && line.find(": " + c.stream) != std::string::npos;
        failed += !good;
        std::printf("%s | %s | %s%s%s | %s\n", c.rule, c.who.c_str(), c.stream.c_str(),
                    c.stream.empty() ? "" : ": ", c.how.c_str(), good ? "yes" : "NO");
        if (!good)
            for (const std::string &line : lines) std::printf("     %s\n", line.c_str());
    }
    std::printf("%zu rules broken, %u not found by name\n", cases.size(), failed);
    return failed != 0;
}
