// SPDX-License-Identifier: Apache-2.0
// step_hpe.cpp: HPE with the driver in software: hits leave the RTL in packets, the page set
// chain's victim goes back.
//
// The unit's own decision asks for another frame as a rule: the page goes where HPE says, and
// CANCEL takes the unit's back.
#include <algorithm>

#include "alone.h"
#include "driver/driver.h"
#include "host/hpe_side.h"
#include "progress.h"
#include "unit.h"
#include "walks.h"

namespace {

// Both sides, or the one that the mode asks for, each with the driver that hears it.
class Hpe {
   public:
    Unit unit;
    Alone alone;
    HpeSide heard, told;  // by the RTL's beats; by the twin on the standard schedule
    uint64_t evictions = 0, unlike = 0;
    Row row;

    Hpe(const gmmu_config &config, const gmmu_regs &regs, const Options &options)
        : unit(config, regs, options),
          alone(config, regs),
          heard(config, regs),
          told(config, regs),
          cfg(config),
          o(options),
          harness(regs.frames, 0) {
        heard.listen(&unit);
    }
    // False: a mismatch.
    bool walk(const gmmu_walk &recorded) {
        gmmu_tier_walk_in w = walk_of(recorded, cfg);
        harness.book.look_up(&w);
        if (w.fault) {
            heard.fault(w.asid, w.vpn);
            told.fault(w.asid, w.vpn);
        }
        if (o.rtl())
            ok = unit.walk(w);
        if (o.model()) {
            const gmmu_tier_walk_out out = alone.walk(w);
            if (out.hir_swap)
                told.packet(out.hir_packet);
        }
        row.events++;
        if (ok && w.fault) {
            row.faults++;
            const std::vector<gmmu_tier_decision> &made =
                o.rtl() ? unit.decisions : alone.decisions;
            if (made.empty() || made.back().tier == GMMU_TIER_NONE) {
                row.differs("walk " + std::to_string(row.events) + ": no decision for a fault");
                return false;
            }
            if (!answer(made.back()))
                return false;
            heard.filled(w.asid, w.vpn);
            told.filled(w.asid, w.vpn);
            unit.decisions.clear();
            alone.decisions.clear();
        }
        return ok;
    }
    // After the last walk.
    void judge() {
        const HpeSide &side = o.rtl() ? heard : told;
        if (unit.mismatch().found) {
            row.differs(unit.mismatch().text());
        } else if (row.mismatches == 0) {
            row.say(std::to_string(side.records) + " records in " + std::to_string(side.packets) +
                    " packets, " + std::to_string(unit.twin().hir.drops) + " hits dropped; " +
                    side.category());
            row.mismatches += side.bad || unlike != 0 ||
                              (o.cross() && (told.bad || told.records != heard.records));
        }
    }

   private:
    const gmmu_config &cfg;
    const Options &o;
    driver::Driver harness;
    bool ok = true;

    // Until the driver has nothing left to do.
    void drive() {
        for (const driver::Operation *op; (op = harness.next()) != nullptr; harness.taken()) {
            if (o.rtl())
                ok = ok && unit.drv(*op);
            if (o.model())
                alone.drv(*op);
        }
    }
    // The page goes into HPE's victim's frame. False: that is not resident.
    bool answer(gmmu_tier_decision d) {
        const uint32_t unit_frame = d.frame;
        if (d.tier == GMMU_TIER_2) {
            const gmmu_psc_page v = o.rtl() ? heard.victim() : told.victim();
            if (o.cross()) {
                const gmmu_psc_page u = told.victim();
                unlike += u.vpn != v.vpn || u.asid != v.asid;
            }
            const int64_t place = harness.book.frames.find({v.asid, v.vpn});
            if (place < 0) {
                row.differs("walk " + std::to_string(row.events) +
                            ": HPE's victim is not resident");
                return false;
            }
            d.frame = static_cast<uint32_t>(place);
            evictions++;
        }
        harness.decided(d);
        drive();
        if (d.frame != unit_frame) {
            harness.push(driver::operation(GMMU_CANCEL, unit_frame, driver::page_of(d)));
            drive();
        }
        return true;
    }
};

}  // namespace

Keys hpe_keys(const gmmu_config &) {
    return {needed(text_key("walks")), needed(frames_key("frames")),
            object_key("hpe", {number_key("transfer", 0, 65535), number_key("ready", 1, 1000)})};
}

Row run_hpe(json_t *j, const gmmu_config &cfg, const Options &o) {
    Recorded trace(text_of(j, "walks"));
    gmmu_regs regs = gmmu_regs_default(&cfg);
    const uint32_t frames = trace.frames(text_of(j, "frames"));
    regs.frames = std::min(frames, cfg.frames);
    regs.search = GMMU_SEARCH_SAMPLE;
    json_t *hir = json_object_get(j, "hpe");
    regs.transfer = static_cast<uint32_t>(number_of(hir, "transfer", regs.transfer));
    Hpe h(cfg, regs, o);
    h.unit.hir_ready(static_cast<unsigned>(number_of(hir, "ready", 1000)));
    Row &row = h.row;
    row.memory(frames, cfg.frames);
    row.step = trace.name() + ", " + std::to_string(regs.frames) + " of " +
               std::to_string(trace.distinct) + " pages, HPE";
    bool ok = !o.rtl() || h.unit.reset();
    Reader in(trace.path);
    Progress progress(row.step);
    gmmu_walk walk;
    while (ok && in.next(&walk)) {
        ok = h.walk(walk);
        progress.at(row.events, trace.walks, h.unit.did().cycles);
    }
    if (o.rtl() && ok)
        h.unit.finish();
    row.seconds = progress.seconds();
    row.did = h.unit.did();
    h.judge();
    row.evictions.push_back({"unit", h.evictions});
    if (row.mismatches != 0)
        return row;
    const std::string options =
        "sets=" + std::to_string(cfg.hir_sets) + ":ways=" + std::to_string(cfg.hir_ways) +
        ":set=" + std::to_string(cfg.hir_pages) + ":bits=" + std::to_string(cfg.hir_cnt_w) +
        ":transfer=" + std::to_string(regs.transfer);
    row.evictions.push_back({"hpe", trace.evictions("hpe", regs.frames, options.c_str())});
    if (row.evictions.back().second != h.evictions) {
        row.mismatches++;
        row.note += "; the policy hpe evicts otherwise";
    }
    for (const char *p : {"leu", "lru", "opt"})
        row.evictions.push_back({p, trace.evictions(p, regs.frames)});
    return row;
}
