// SPDX-License-Identifier: Apache-2.0
// hpe_side.h: HPE's driver behind the packets of hits: its page set chain says which page leaves.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "blocks/gmmu_tier.h"
#include "driver/page_set_chain.h"

class HpeSide {
   public:
    uint64_t packets = 0, records = 0;
    bool bad = false;  // a packet that is none, or a page that the chain does not know

    HpeSide(const gmmu_config &cfg, const gmmu_regs &regs)
        : c(gmmu_psc_paper(regs.frames, cfg.hir_pages)), memory(gmmu_psc_bytes(&c)) {
        hir = {cfg.hir_sets, cfg.hir_ways, cfg.hir_pages, cfg.hir_cnt_w, cfg.vpn_w, cfg.asid_w};
        bad = gmmu_psc_init(&chain, &c, memory.data(), memory.size()) != 0;
    }
    // Takes the packets as the beats that leave the RTL.
    template <typename Source>
    void listen(Source *unit) {
        unit->on_hir([this](const uint32_t *words, bool last) { beat(words, last); });
    }
    void beat(const uint32_t *words, bool last) {
        if (left == 0) {
            const gmmu_hir_head h = gmmu_hir_unpack_head(words);
            bad |= h.seq != (packets & 0xFFFF);
            packets++;
            left = h.n;
        } else {
            take(gmmu_hir_unpack_record(&hir, words));
            left--;
        }
        bad |= last != (left == 0);
    }
    // A packet of the C model.
    void packet(const gmmu_hir_packet &p) {
        packets++;
        for (unsigned i = 0; i < p.head.n; i++) take(p.record[i]);
    }
    // In this order for each fault; the packet that it closes comes after fault(), before victim().
    void fault(uint32_t asid, uint64_t vpn) { bad |= gmmu_psc_fault(&chain, asid, vpn) != 0; }
    gmmu_psc_page victim() {
        const gmmu_psc_page v = gmmu_psc_victim(&chain);
        bad |= !v.found || gmmu_psc_evicted(&chain, v.asid, v.vpn) != 0;
        return v;
    }
    void filled(uint32_t asid, uint64_t vpn) { bad |= gmmu_psc_filled(&chain, asid, vpn) != 0; }
    const char *category() const {
        static const char *const names[] = {"open", "regular", "irregular 1", "irregular 2"};
        return names[chain.category];
    }

   private:
    gmmu_psc_config c;
    gmmu_hir_config hir = {};
    gmmu_psc chain;
    std::vector<char> memory;
    unsigned left = 0;  // records of the packet that are still to come

    void take(const gmmu_hir_record &r) {
        gmmu_psc_record out = {};
        out.asid = r.asid;
        out.set = r.set;
        for (unsigned p = 0; p < hir.pages; p++)
            out.count[p] = static_cast<uint8_t>(r.counters >> p * hir.cnt_w &
                                                (UINT64_MAX >> (64 - hir.cnt_w)));
        gmmu_psc_hits(&chain, &out);
        records++;
    }
};
