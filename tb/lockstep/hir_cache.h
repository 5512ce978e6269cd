// SPDX-License-Identifier: Apache-2.0
// hir_cache.h: checks what becomes of each hit in the HIR cache, and the packets of an interval.
#pragma once
#include "lockstep/beats.h"
#include "lockstep/checker.h"

namespace lockstep {

class HirCache : public Checker<HirCache> {
   public:
    static constexpr const char *block = "hir_cache";
    using Checker::Checker;
    Beats<GMMU_HIR_WORDS> beats{block};

    void drive(uint32_t random) { dut.m_axis_hir_tready = beats.draw(random >> 8 & 0xFFFFu); }
    const char *under_way() const {
        return !beats.expected.empty() ? "quiet with a packet leaving" : nullptr;
    }

    void did(const Walk &w) {
        const gmmu_tier_walk_out &o = w.out;
        expect("WALK hit of the page set", dut.tvi_walk_hir, o.hir);
        expect("WALK transfer due", dut.tvi_walk_due, o.hir_due);
        expect("WALK packet closed", dut.tvi_walk_swap, o.hir_swap);
        if (w.in.hir_busy)
            expect("swap skipped without need",
                   beats.expected.empty() && now() > left_at + LOOK + 1, 0);
        if (o.hir_swap && expect("swap with a packet leaving", beats.expected.size(), 0))
            leaves(o.hir_packet);
    }

    void taken() {
        if (!dut.m_axis_hir_tvalid || !dut.m_axis_hir_tready)
            return;
        if (dut.m_axis_hir_tlast)
            left_at = now();
        beats.take(p, dut.m_axis_hir_tdata, gmmu_hir_beat_bits(&twin.hir.cfg),
                   dut.m_axis_hir_tlast);
    }
    void finish() { expect("beats not given", 0, beats.expected.size()); }

   private:
    // Whether the packet before has left is seen so many cycles before the walk takes effect, in
    // the cycle after its last beat at the earliest.
    enum { LOOK = 4 };
    uint64_t left_at = 0;  // cycle in which the last packet's last beat was taken

    void leaves(const gmmu_hir_packet &packet) {
        Beats<GMMU_HIR_WORDS>::Beat b = {};
        gmmu_hir_pack_head(&packet.head, b.words);
        b.last = packet.head.n == 0;
        beats.expected.push_back(b);
        for (unsigned i = 0; i < packet.head.n; i++) {
            gmmu_hir_pack_record(&twin.hir.cfg, &packet.record[i], b.words);
            b.last = i + 1 == packet.head.n;
            beats.expected.push_back(b);
        }
    }
};

}  // namespace lockstep
