// SPDX-License-Identifier: Apache-2.0
// host_side.h: a RIMM host behind the beats of m_axis_rit, beside the unit that decides.
#pragma once
#include <cinttypes>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "blocks/gmmu_tier.h"
#include "driver/rimm_host.h"

class HostSide {
   public:
    uint64_t asked = 0, alike = 0, beats = 0;

    HostSide(const gmmu_config &cfg, const gmmu_regs &regs)
        : memory(gmmu_rimm_host_bytes(config(cfg, regs, &c))) {
        (void)gmmu_rimm_host_init(&host, &c, memory.data(), memory.size());
        host.on_fault = [](void *self, const gmmu_rimm_fault *f) {
            static_cast<HostSide *>(self)->heard = *f;
        };
        host.ctx = this;
    }
    template <typename Source>
    void listen(Source *unit) {
        unit->on_rit([this](const uint32_t *words, bool last) { beat(words, last); });
    }
    void beat(const uint32_t *words, bool last) {
        bad |= gmmu_rimm_host_beat(&host, words, last) != GMMU_RIMM_OK;
        beats++;
    }
    // Was the fault of this page the last that the packets told of, and none of them lost?
    bool heard_of(uint32_t asid, uint64_t vpn) const {
        return !bad && heard.asid == asid && heard.vpn == vpn;
    }
    // The page that leaves for it; it is in FRAME now.
    gmmu_rimm_victim victim() { return gmmu_rimm_host_answer(&host, &heard); }
    void filled(uint32_t frame) { gmmu_rimm_host_fill(&host, frame, &heard); }
    void pin(uint32_t frame, bool yes) { gmmu_rimm_host_pin(&host, frame, yes); }
    // The unit's decision D was taken and its page went into FRAME: what would the host have done?
    // The unit's choice is carried out.
    void decided(const gmmu_tier_decision &d, uint32_t frame) {
        unheard += heard.asid != d.asid || heard.vpn != d.vpn;
        if (d.tier == GMMU_TIER_2) {
            const gmmu_rimm_victim v = victim();
            asked++;
            alike +=
                v.found && v.frame == d.frame && v.priority == d.priority && v.vpn == d.victim_vpn;
            if (v.found && v.frame != d.frame)
                gmmu_rimm_host_keep(&host, v.frame);
        }
        filled(frame);
    }
    // The words of the report; *MISMATCH: a record was lost on the way, or not all are accounted
    // for.
    template <typename Source>
    std::string report(const Source &unit, bool *mismatch) const {
        const gmmu_rit_export &x = unit.twin().rit_export;
        const uint64_t records = unit.rit().records, packets = unit.rit().packets;
        const bool lost = unit.did().exports != records + x.waiting || beats != records + packets ||
                          host.stats.packets != packets ||
                          host.stats.dropped + x.dropped != x.drops || bad || unheard != 0;
        char s[200];
        std::snprintf(s, sizeof s,
                      "%" PRIu64 " records in %" PRIu64 " packets, %u dropped, %" PRIu64
                      " rows taken%s",
                      records, packets, x.drops, host.stats.allocated,
                      lost ? "; RECORDS OR FAULTS WERE LOST" : "");
        *mismatch = lost;
        return s;
    }

   private:
    gmmu_rimm_config c = {};
    gmmu_rimm_host host;
    std::vector<char> memory;
    gmmu_rimm_fault heard = {};
    uint64_t unheard = 0;
    bool bad = false;
    static gmmu_rimm_config *config(const gmmu_config &cfg, const gmmu_regs &regs,
                                    gmmu_rimm_config *c) {
        *c = {cfg, regs.frames, regs.pseudo != 0, regs.refresh, true};
        return c;
    }
};
