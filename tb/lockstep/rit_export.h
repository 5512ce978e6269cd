// SPDX-License-Identifier: Apache-2.0
// rit_export.h: checks the records for the host: SEND, what is exported, and the beats.
#pragma once
#include <algorithm>

#include "lockstep/beats.h"
#include "lockstep/checker.h"

namespace lockstep {

class RitExport : public Checker<RitExport> {
   public:
    static constexpr const char *block = "rit_export";
    using Checker::Checker;
    Beats<GMMU_RIT_WORDS> beats{block};

    void drive(uint32_t random) { dut.m_axis_rit_tready = beats.draw(random >> 16); }
    const char *under_way() const {
        return !beats.expected.empty() || due[0] || due[1] ? "quiet with a packet due or leaving"
                                                           : nullptr;
    }

    // SEND, first of its cycle. It comes as soon as a batch was full, had a fault or had waited
    // 2^cfg_rit_wait cycles two cycles before, and the packet before has left but for its last
    // beat. What became of the records is told a cycle later.
    void begin() {
        const gmmu_rit_export &x = twin.rit_export;
        const bool told = dut.tvi_rit_side | dut.tvi_rit_walk | dut.tvi_send;
        if (!told && x.waiting == 0 && (of_side | of_walk | waited) == 0 && !due[0] && !due[1])
            return;  // most cycles: nothing is told, and nothing is to be
        expect("export beside the walk", dut.tvi_rit_side, of_side);
        expect("WALK export", dut.tvi_rit_walk, of_walk);
        of_side = of_walk = GMMU_RIT_NONE;
        const bool wanted = due[0] && beats.expected.size() <= 1;
        due[0] = due[1];
        due[1] = x.waiting != 0 &&
                 (gmmu_rit_export_due(&x, regs.rit_batch) || waited >> regs.rit_wait != 0);
        if (!expect("SEND", dut.tvi_send, wanted))
            return;
        waited = dut.tvi_send || x.waiting == 0 ? 0 : std::min(waited + 1, 0xFFFFu);
        if (dut.tvi_send)
            send();
    }
    void did(const Walk &w) { of_walk = w.out.exported; }
    void did(const Drv &d) { of_side = d.out.exported; }
    void did(const Scrub &s) { of_side |= s.exported; }

    void taken() {
        if (dut.m_axis_rit_tvalid && dut.m_axis_rit_tready)
            beats.take(p, dut.m_axis_rit_tdata, bits, dut.m_axis_rit_tlast);
    }
    void finish() { expect("beats not given", 0, beats.expected.size()); }

   private:
    const unsigned bits =
        std::max(gmmu_rit_layout_of(&cfg).bits, gmmu_rit_head_layout_of(&cfg).bits);
    unsigned of_side = 0, of_walk = 0;  // what is told in the next cycle: GMMU_RIT_*
    bool due[2] = {};                   // two cycles before, in the cycle before
    uint32_t waited = 0;

    void send() {
        gmmu_rit_packet packet;
        gmmu_tier_send(&twin, &packet);
        Beats<GMMU_RIT_WORDS>::Beat b = {};
        gmmu_rit_pack_head(&cfg, &packet.head, b.words);
        beats.expected.push_back(b);
        for (unsigned i = 0; i < packet.head.n; i++) {
            gmmu_rit_pack_event(&cfg, &packet.event[i], b.words);
            b.last = i + 1 == packet.head.n;
            beats.expected.push_back(b);
        }
    }
};

}  // namespace lockstep
