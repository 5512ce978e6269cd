// SPDX-License-Identifier: Apache-2.0
// lockstep.h: the Verilated unit and its C twin, action by action.
//
// Each cycle the unit states on tvi which actions it did, in the order side, background, walk. The
// twin does the same ones in that order and every result is compared; the first difference is kept,
// with the name of the block that made it. A C model on its own cannot know the order; all else it
// knows, so the freedom that the RTL has is checked too (docs/schedule.md): an action that is not
// due, or one that is overdue, is a mismatch of the block that schedules it.
#pragma once
#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "Vdut.h"
#include "bits.h"
#include "blocks/gmmu_tier.h"
#include "frame_memory.h"
#ifdef GMMU_FST
#include "verilated_fst_c.h"
#endif

struct Mismatch {
    bool found = false;
    std::string block, field;
    uint64_t rtl = 0, twin = 0, cycle = 0, walk = 0;
    std::string text() const {
        char s[256];
        std::snprintf(s, sizeof s,
                      "block %s: %s: RTL 0x%" PRIx64 ", C model 0x%" PRIx64 " (cycle %" PRIu64
                      ", after walk %" PRIu64 ")",
                      block.c_str(), field.c_str(), rtl, twin, cycle, walk);
        return s;
    }
};

// What the RTL did so far.
struct Activity {
    uint64_t cycles = 0, walks = 0, drvs = 0, cands = 0, decisions = 0, victims = 0, learns = 0,
             row_ops = 0, installs = 0, ages = 0, scrubs = 0, touches = 0, sends = 0, exports = 0,
             longest_search =
                 0;  // cycles from the first candidate to the decision, undisturbed;
                     // without those that the frames' memory may take (docs/schedule.md)
    uint64_t actions() const {
        return walks + drvs + cands + decisions + learns + row_ops + installs + ages + scrubs +
               touches + sends;
    }
};

class Lockstep {
   public:
    gmmu_config cfg;
    gmmu_regs regs;
    gmmu_tier twin;
    Mismatch mismatch;
    Activity did;
    bool compare = true;                               // false: the RTL alone
    MemoryStyle memory_style = {200, 500, 1000, 950};  // of the frames' memory, if they lie in one
    // priorities of the candidates, as they come: (frame, priority)
    void (*on_candidate)(void *, uint32_t, uint16_t) = nullptr;
    void *on_candidate_ctx = nullptr;
    // beats of m_axis_rit, as they are taken: (words, tlast); in how many of 1000 cycles they may
    // be
    void (*on_rit)(void *, const uint32_t *, bool) = nullptr;
    void *on_rit_ctx = nullptr;
    unsigned rit_ready = 1000;
    uint64_t rit_records = 0, rit_packets = 0;  // taken
    // the same of m_axis_hir
    void (*on_hir)(void *, const uint32_t *, bool) = nullptr;
    void *on_hir_ctx = nullptr;
    unsigned hir_ready = 1000;
    uint64_t hir_records = 0, hir_packets = 0;

    Lockstep(const gmmu_config &config, const gmmu_regs &r, const char *ram, uint32_t seed,
             const char *more_arg = nullptr)
        : cfg(config),
          regs(r),
          walk_l(gmmu_walk_layout_of(&cfg)),
          drv_l(gmmu_drv_layout_of(&cfg)),
          dec_l(gmmu_decision_layout_of(&cfg)),
          memory(gmmu_tier_bytes(&cfg) + 16) {
        const std::string ram_arg = std::string("+ram=") + ram;
        // of six neighbouring seeds, 4 among them, two have no clock that rests
        const char *args[] = {"bench", ram_arg.c_str(), more_arg ? more_arg : "+none",
                              (seed / 2 + 1) % 3 ? "+clocks=rest" : "+clocks=run"};
        context.commandArgs(4, args);
        context.randReset(2);
        context.randSeed(static_cast<int>(seed));
        context.traceEverOn(true);
        dut = std::make_unique<Vdut>(&context);
        snaps_expected.reserve(4);
    }
    ~Lockstep() {
#ifdef GMMU_FST
        if (fst.isOpen())
            fst.close();
#endif
    }

    // The waves of cycles FROM to TO go to PATH (models built with FST only).
    void wave(const std::string &path, uint64_t from, uint64_t to) {
        wave_path = path;
        wave_from = from;
        wave_to = to;
    }

    // Gives both these registers. After reset() only while the unit is quiet, and without another
    // search, sample or batch.
    void configure(const gmmu_regs &to) {
        twin.regs = regs = to;
        dut->cfg_frames = regs.frames;
        dut->cfg_pseudo = regs.pseudo;
        dut->cfg_search = regs.search;
        dut->cfg_feed = regs.feed;
        dut->cfg_sample = regs.sample;
        dut->cfg_censor = regs.censor;
        dut->cfg_refresh = regs.refresh;
        dut->cfg_rit_batch = regs.rit_batch;
        dut->cfg_rit_fault = regs.rit_fault;
        dut->cfg_rit_wait = regs.rit_wait;
        dut->cfg_transfer = static_cast<uint16_t>(regs.transfer);
    }

    // Resets both; returns when walks are accepted. False: the reset sequence does not end.
    bool reset() {
        if (gmmu_tier_init(&twin, &cfg, &regs, memory.data(), memory.size()) != 0)
            return false;
        configure(regs);
        dut->m_axis_rit_tready = dut->m_axis_hir_tready = 1;
        dut->s_axis_walk_tvalid = 0;
        dut->s_axis_drv_tvalid = 0;
        dut->m_axis_decision_tready = 1;
        if (cfg.frame_mem)
            frame_memory = std::make_unique<FrameMemory<Vdut>>(
                regs.frames, static_cast<uint32_t>(context.randSeed()));
        dut->rst = 1;
        for (int i = 0; i < 8; i++) edge();
        dut->rst = 0;
        const uint64_t began = did.cycles,
                       limit = did.cycles + 2ull * cfg.frames + 2ull * cfg.classes * cfg.bins +
                               2ull * cfg.sampler + 64 +
                               (cfg.frame_mem ? 100ull * regs.frames + 4000 : 0);
        do {
            edge();
            dut->eval();
            expect("gmmu_tier", "quiet in the reset sequence",
                   dut->quiet && !dut->s_axis_walk_tready, 0);
        } while (!dut->s_axis_walk_tready && did.cycles < limit);
        if (!cfg.frame_mem)  // docs/blocks/gmmu_tier.md, s_axis_walk
            expect("gmmu_tier", "length of the reset sequence", did.cycles - began,
                   std::max({cfg.frames, cfg.classes * cfg.bins, cfg.sampler / cfg.sways,
                             cfg.hir_sets + 3}) +
                       8ull);
        ready = dut->s_axis_walk_tready;
        return ready;
    }

    // After reset(): both count on from START, as if the run were already that long. An output
    // register of the top is its model's own variable, so it can be set like this.
    void count_from(uint32_t start) {
        dut->stat_walks = twin.stats.walks = start;
        dut->stat_stale_hits = twin.stats.stale_hits = start + 1;
        dut->stat_merged = twin.stats.merged = start + 2;
        dut->stat_fault_drops = twin.stats.fault_drops = start + 3;
        dut->stat_rec_drops = twin.stats.rec_drops = start + 4;
        dut->stat_drv_errors = twin.stats.drv_errors = start + 5;
        dut->stat_none = twin.stats.none = start + 6;
        if (cfg.frame_mem)
            dut->stat_touch_drops = twin.stats.touch_drops = start + 7;
    }

    // What stands at the inputs in the coming cycle.
    void offer_walk(const gmmu_tier_walk_in &w) {
        clear_bits(dut->s_axis_walk_tdata);
        put_bits(dut->s_axis_walk_tdata, walk_l.vpn, w.vpn);
        put_bits(dut->s_axis_walk_tdata, walk_l.ref, w.ref);
        put_bits(dut->s_axis_walk_tdata, walk_l.asid, w.asid);
        // nothing depends on the SM
        put_bits(dut->s_axis_walk_tdata, walk_l.sm,
                 did.cycles * 2654435761u >> 16 & ((1u << cfg.sm_w) - 1));
        put_bits(dut->s_axis_walk_tdata, walk_l.write, w.write);
        put_bits(dut->s_axis_walk_tdata, walk_l.fault, w.fault);
        put_bits(dut->s_axis_walk_tdata, walk_l.frame, w.frame);
        dut->s_axis_walk_tvalid = 1;
        walk_in = w;
    }
    void offer_drv(const gmmu_tier_drv_in &d) {
        clear_bits(dut->s_axis_drv_tdata);
        put_bits(dut->s_axis_drv_tdata, drv_l.op, d.op);
        put_bits(dut->s_axis_drv_tdata, drv_l.frame, d.frame);
        put_bits(dut->s_axis_drv_tdata, drv_l.asid, d.asid);
        put_bits(dut->s_axis_drv_tdata, drv_l.vpn, d.vpn);
        put_bits(dut->s_axis_drv_tdata, drv_l.dirty, d.dirty);
        dut->s_axis_drv_tvalid = 1;
        drv_in = d;
    }
    void take_decisions(bool yes) {
        dut->m_axis_decision_tready = yes;
    }

    // One cycle. After it: was the driver's operation taken, and did a decision come?
    struct Cycle {
        bool drv_taken, decided, quiet;
        gmmu_tier_decision decision;
    };
    Cycle cycle() {
        Cycle c = {};
        rit_random = rit_random * 1664525u + 1013904223u;
        dut->m_axis_rit_tready = (rit_random >> 16) % 1000 < rit_ready;
        dut->m_axis_hir_tready = (rit_random >> 8 & 0xFFFFu) % 1000 < hir_ready;
        dut->clk = 0;  // the falling edge changes nothing: one evaluation for it and the inputs
        dut->eval();
        dump(0);
        const bool walk = dut->s_axis_walk_tvalid;
        c.drv_taken = dut->s_axis_drv_tvalid && dut->s_axis_drv_tready;
        c.decided = dut->m_axis_decision_tvalid && dut->m_axis_decision_tready;
        drv_history = drv_history << 1 | (dut->s_axis_drv_tvalid & 1u);
        decision_stands = !decisions.empty();
        c.quiet = dut->quiet && !walk && !c.drv_taken;
        // the driver and the search take turns; AGE and INSTALL are rare
        drv_waited = dut->s_axis_drv_tvalid && !c.drv_taken ? drv_waited + 1 : 0;
        expect("gmmu_tier", "the driver waits", !cfg.frame_mem && drv_waited > 6, 0);
        expect("gmmu_tier", "s_axis_walk_tready", dut->s_axis_walk_tready, 1);
        drvs_before = drvs.size();
        if (c.drv_taken)
            drvs.push_back(drv_in);
        if (c.decided)
            c.decision = take_decision();
        count();
        if (compare)
            replay();
        if (dut->m_axis_rit_tvalid && dut->m_axis_rit_tready)
            rit_beat();
        if (dut->m_axis_hir_tvalid && dut->m_axis_hir_tready)
            hir_beat();
        walk_history = walk_history << 1 | walk;
        if (walk)
            walks.push_back(walk_in);
        if (frame_memory)
            frame_memory->take(*dut);
        rise();
        dut->s_axis_walk_tvalid = 0;
        if (c.drv_taken)
            dut->s_axis_drv_tvalid = 0;
        return c;
    }

    // At the end of a run, when the unit is quiet: nothing may be left, and the counters agree.
    void finish() {
        if (!compare)
            return;
        expect("gmmu_tier", "walks not done", 0, walks.size());
        expect("gmmu_tier", "driver operations not done", 0, drvs.size());
        expect("gmmu_tier", "decisions not given", 0, decisions.size());
        expect("rit_export", "beats not given", 0, rit_expected.size());
        expect("rit_export", "stat_rit_drops", dut->stat_rit_drops, twin.rit_export.drops);
        expect("hir_cache", "beats not given", 0, hir_expected.size());
        expect("hir_cache", "stat_hir_drops", dut->stat_hir_drops, twin.hir.drops);
        expect("hir_cache", "stat_hir_skipped", dut->stat_hir_skipped, twin.hir.skipped);
        expect("ref_rit", "results of LEARN missing", 0, learnt_expected.size());
        expect("ref_rit", "results of REFRESH missing", 0, snaps_expected.size());
        expect("ppuc", "results of CAND missing", 0, looked_expected.size());
        expect("gmmu_tier", "stat_walks", dut->stat_walks, twin.stats.walks);
        expect("gmmu_tier", "stat_stale_hits", dut->stat_stale_hits, twin.stats.stale_hits);
        expect("gmmu_tier", "stat_merged", dut->stat_merged, twin.stats.merged);
        expect("gmmu_tier", "stat_fault_drops", dut->stat_fault_drops, twin.stats.fault_drops);
        expect("gmmu_tier", "stat_rec_drops", dut->stat_rec_drops, twin.stats.rec_drops);
        expect("gmmu_tier", "stat_drv_errors", dut->stat_drv_errors, twin.stats.drv_errors);
        expect("gmmu_tier", "stat_none", dut->stat_none, twin.stats.none);
        expect("frame_mem", "stat_touch_drops", dut->stat_touch_drops, twin.stats.touch_drops);
        expect("frame_mem", "walk hits not done", 0, twin.frames.mem.n);
        expect("trace_sampler", "stat_stolen", dut->stat_stolen, twin.sampler.stolen);
    }

   private:
    enum {
        WALK_LATENCY = 9,
        SIDE_LATENCY = 3,
        DECIDE_BOUND = 24,
        RETRY_COST = 12,
        QUIET_BOUND = 16
    };
    struct Snap {
        std::vector<uint16_t> reuse, censored, greuse, gcensored;
        std::size_t at = 0;
    };
    struct Looked {
        uint32_t frame;
        uint16_t priority;
    };
    struct Learnt {
        unsigned bin, count, gcount;
    };
    struct Beat {
        uint32_t words[GMMU_RIT_WORDS];
        bool last;
    };
    struct HirBeat {
        uint32_t words[GMMU_HIR_WORDS];
        bool last;
    };

    VerilatedContext context;
    std::unique_ptr<Vdut> dut;
    gmmu_walk_layout walk_l;
    gmmu_drv_layout drv_l;
    gmmu_decision_layout dec_l;
    std::vector<char> memory;
    std::unique_ptr<FrameMemory<Vdut>> frame_memory;
    bool ready = false;
    gmmu_tier_walk_in walk_in = {};
    gmmu_tier_drv_in drv_in = {};
    std::deque<gmmu_tier_walk_in> walks;
    std::deque<gmmu_tier_drv_in> drvs;
    std::deque<gmmu_tier_decision> decisions;
    std::deque<Learnt> learnt_expected;
    std::deque<Beat> rit_expected;
    uint32_t rit_random = 1, rit_waited = 0;
    bool rit_in_packet = false;
    std::deque<HirBeat> hir_expected;
    bool hir_in_packet = false;
    uint64_t hir_left = 0;  // cycle in which the last packet's last beat was taken
    unsigned drv_waited = 0;
    std::vector<Snap> snaps_expected;
    std::deque<Looked> looked_expected;
    std::vector<uint16_t> prio_expected;
    unsigned prio_left = 0;
    uint32_t walk_history = 0;
    uint64_t pending_since = 0, age_since = 0, scrub_since = 0, thresh_since = 0,
             undecided_since = 0, scanned_at = 0;
    unsigned retries = 0;
    bool pending = false;    // some row of the twin is
    bool undecided = false;  // some fault of the twin is
    std::string wave_path;
    uint64_t wave_from = 1, wave_to = 0;
#ifdef GMMU_FST
    VerilatedFstC fst;
#endif

    void edge() {
        dut->clk = 0;
        dut->eval();
        if (frame_memory && !dut->rst)
            frame_memory->take(*dut);
        dump(0);
        rise();
    }
    void rise() {
        dut->clk = 1;
        dut->eval();
        dump(1);
        if (frame_memory) {
            frame_memory->style = memory_style;
            frame_memory->drive(*dut);
            expect("frame_mem", frame_memory->broken.c_str(), 0, !frame_memory->broken.empty());
        }
        did.cycles++;
    }
    void dump(int half) {
#ifdef GMMU_FST
        if (wave_from > wave_to || did.cycles < wave_from || did.cycles > wave_to)
            return;
        if (!fst.isOpen()) {
            dut->trace(&fst, 99);
            fst.open(wave_path.c_str());
        }
        fst.dump(did.cycles * 10 + static_cast<uint64_t>(half) * 5);
#else
        (void)half;
#endif
    }

    bool expect(const char *block, const char *field, uint64_t rtl, uint64_t model) {
        return rtl == model || differs(block, field, rtl, model);
    }
    __attribute__((noinline)) bool differs(const char *block, const char *field, uint64_t rtl,
                                           uint64_t model) {
        if (mismatch.found)
            return false;
        mismatch.found = true;
        mismatch.block = block;
        mismatch.field = field;
        mismatch.rtl = rtl;
        mismatch.twin = model;
        mismatch.cycle = did.cycles;
        mismatch.walk = did.walks;
        return false;
    }

    void count() {
        did.walks += dut->tvi_walk_valid;
        if (dut->tvi_side_valid) {
            const unsigned kind = dut->tvi_side_kind;
            did.drvs += kind == 0;
            did.ages += kind == 1;
            did.installs += kind == 2;
            did.cands += kind == 3;
            did.touches += kind == 5;
            did.decisions += kind == 4 && dut->tvi_dec_tier != GMMU_TIER_RETRY;
            did.victims += kind == 4 && dut->tvi_dec_tier == GMMU_TIER_2;
        }
        did.scrubs += dut->tvi_scrub_valid + dut->tvi_thresh_valid;
        did.sends += dut->tvi_send;
        did.exports +=
            (dut->tvi_rit_walk == GMMU_RIT_QUEUED) + (dut->tvi_rit_side == GMMU_RIT_QUEUED);
        if (dut->tvi_bg_valid)
            (dut->tvi_bg_kind == 0 ? did.learns : did.row_ops)++;
        if (dut->tvi_looked_valid && on_candidate != nullptr)
            on_candidate(on_candidate_ctx, dut->tvi_looked_frame,
                         static_cast<uint16_t>(dut->tvi_looked_priority));
    }

    void replay() {
        if (mismatch.found)
            return;
        expect("ref_rit", "rows are pending", dut->tvi_pending, pending);
        quiet();
        refresh_waits();
        rit_send();
        turns();
        if (dut->tvi_side_valid)
            side();
        if (dut->tvi_bg_valid)
            background();
        if (dut->tvi_thresh_valid)
            thresh();
        if (dut->tvi_scrub_valid)
            scrub();
        // a walk takes effect exactly WALK_LATENCY cycles after its beat
        expect("gmmu_tier", "walk latency", dut->tvi_walk_valid,
               walk_history >> (WALK_LATENCY - 1) & 1);
        if (dut->tvi_walk_valid)
            walk();
        if (dut->tvi_learnt_valid)
            learnt();
        if (dut->tvi_snap_valid)
            snap();
        if (dut->tvi_prio_valid)
            prio();
        if (dut->tvi_looked_valid)
            looked();
        bounds();
    }

    bool row_owes() const {
        for (unsigned r = 0; r < cfg.classes; r++)
            if (twin.rit.row[r].clear_owed || twin.rit.row[r].halve_owed)
                return true;
        return false;
    }
    // What is owed or under way at the start of this cycle, so that `quiet` must be low, and the
    // block that has it; nothing: nullptr.
    const char *under_way(const char **block) const {
        *block = "gmmu_tier";
        if ((walk_history & ((1u << WALK_LATENCY) - 1)) != 0)
            return "quiet with a walk under way";
        if (drvs_before != 0)
            return "quiet with a driver operation under way";
        if (twin.side.age_owed)
            return "quiet with an AGE owed";
        if (twin.feed.queue[0].n != 0 || twin.feed.queue[1].n != 0)
            return "quiet with a record waiting";
        if (decision_stands)
            return "quiet with a decision not taken";
        *block = "victim_select";
        if (undecided)
            return "quiet with a fault undecided";
        *block = "ppuc";
        if (twin.ppuc.engine.busy || !looked_expected.empty())
            return "quiet with the engine or a lookup under way";
        *block = "trace_sampler";
        if (gmmu_tier_scrub_due(&twin) || gmmu_trace_sampler_thresh_owed(&twin.sampler))
            return "quiet with a SCRUB or THRESH owed";
        *block = "frame_mem";
        if (twin.frames.mem.n != 0)
            return "quiet with a walk hit noted";
        *block = "rit_export";
        if (!rit_expected.empty() || rit_due[0] || rit_due[1])
            return "quiet with a packet due or leaving";
        *block = "hir_cache";
        if (!hir_expected.empty())
            return "quiet with a packet leaving";
        *block = "ref_rit";
        if (pending || !learnt_expected.empty() || !snaps_expected.empty() || row_owes())
            return "quiet with a row operation owed or a LEARN under way";
        return nullptr;
    }
    // `quiet` in every cycle: never while anything is owed or under way, and high soon after (what
    // was begun last may be a row operation).
    void quiet() {
        const char *block, *what = under_way(&block);
        calm_since = what != nullptr ? did.cycles : calm_since;
        if (what != nullptr)
            expect(block, what, dut->quiet, 0);
        else if (did.cycles - calm_since > cfg.bins + QUIET_BOUND + memory_slack())
            expect("gmmu_tier", "quiet with nothing under way", dut->quiet, 1);
    }
    uint64_t calm_since = 0;
    std::size_t drvs_before = 0;
    bool decision_stands = false;

    // When a REFRESH may come and when it must (docs/schedule.md). A pending row waits, from the
    // first cycle with the engine free, for calm; after HURRY cycles, or when WALKS walks came
    // meanwhile, it hurries.
    enum { HURRY_WALKS = 4 };
    uint64_t refresh_waited = 0, hurried = 0;
    unsigned overtaken = 0;
    // the block that keeps it from being calm, unless in a hurry; none: nullptr. Two cycles before,
    // one before, now
    const char *not_calm[3] = {};
    void refresh_waits() {
        const uint64_t longest =
            (cfg.frame_mem ? 4096ull : 4ull << gmmu_index_bits(cfg.frames)) - 1;
        const bool idle = !twin.ppuc.engine.busy,
                   hurry = refresh_waited == longest || overtaken >= HURRY_WALKS;
        const char *busy =
            twin.feed.queue[0].n != 0 || twin.feed.queue[1].n != 0 ? "gmmu_tier"
            : undecided                                            ? "victim_select"
            : twin.frames.mem.n != 0                               ? "frame_mem"
            : gmmu_tier_scrub_due(&twin) || gmmu_trace_sampler_thresh_owed(&twin.sampler)
                ? "trace_sampler"
                : nullptr;
        not_calm[0] = not_calm[1];
        not_calm[1] = not_calm[2];
        not_calm[2] = !pending ? "ref_rit" : !idle ? "ppuc" : hurry ? nullptr : busy;
        if (!pending || !idle) {
            refresh_waited = overtaken = 0;
        } else if (!hurry) {
            refresh_waited++;
            overtaken += dut->tvi_walk_valid;
        }
        // in a hurry what may come before it is a row operation under way or chosen, and the
        // records that go first
        bool due = false;
        for (unsigned r = 0; pending && idle && hurry && r < cfg.classes && !due; r++)
            due = twin.rit.row[r].pending && !twin.rit.row[r].clear_owed;
        hurried = due ? hurried + 1 : 0;
        expect("ref_rit", "REFRESH overdue in a hurry", hurried > 2 * cfg.bins + 320, 0);
        // and calm, each row operation that is owed
        const bool row_op = dut->tvi_bg_valid && dut->tvi_bg_kind != 0;
        calmed = pending && idle && busy == nullptr && !row_op ? calmed + 1 : 0;
        expect("ref_rit", "REFRESH overdue in a calm", calmed > cfg.bins + 64, 0);
    }
    uint64_t calmed = 0;

    // The driver and the search take turns, slot by slot: while a round of candidates is under way,
    // each slot of the side port that AGE and INSTALL leave is the driver's, if it waited and had
    // not the one before, or else brings a candidate.
    uint32_t drv_history = 0;
    bool drv_was_last = false;
    void turns() {
        const bool valid = dut->tvi_side_valid;
        const unsigned kind = dut->tvi_side_kind;
        if (!cfg.frame_mem && twin.select.active && !(valid && (kind == 1 || kind == 2))) {
            const bool driver = (drv_history >> SIDE_LATENCY & 1) && !drv_was_last;
            expect("gmmu_tier", "a slot is the driver's", valid && kind == 0, driver);
            if (!driver)
                expect("victim_select", "a slot is the search's", valid && kind == 3, 1);
        }
        if (valid && (kind == 0 || kind == 3 || kind == 4))
            drv_was_last = kind == 0;
    }

    void side() {
        switch (dut->tvi_side_kind) {
            case 0:
                drv();
                break;
            case 1:
                age();
                break;
            case 2:
                install();
                break;
            case 3:
                cand();
                break;
            case 4:
                decide();
                break;
            case 5:
                touch();
                break;
            default:
                expect("gmmu_tier", "tvi_side_kind", dut->tvi_side_kind, 0);
        }
    }

    void drv() {
        if (!expect("gmmu_tier", "a DRV that was not asked for", drvs.empty(), 0))
            return;
        const gmmu_tier_drv_in in = drvs.front();
        drvs.pop_front();
        const gmmu_tier_drv_out o = gmmu_tier_drv(&twin, in);
        expect("gmmu_tier", "DRV refused", dut->tvi_drv_refused, o.refused);
        expect("frame_table", "DRV a page left", dut->tvi_drv_left, o.reuse.valid);
        expect("frame_table", "DRV age of the page", dut->tvi_drv_age, o.reuse.interval);
        expect("gmmu_tier", "DRV record", dut->tvi_drv_record, o.record);
        expect("gmmu_tier", "DRV outstanding fault", dut->tvi_drv_hit, o.entry_hit);
        expect("gmmu_tier", "DRV ASK", dut->tvi_drv_fault, o.fault);
        rit_side_expected = o.exported;
        if (in.op == GMMU_FILL && !o.refused) {
            const gmmu_frame &f = twin.frames.table.frame[in.frame];
            expect("gmmu_tier", "FILL dirty", dut->tvi_fill_dirty, f.dirty);
            expect("gmmu_tier", "FILL last access", dut->tvi_fill_last, f.last);
            expect("gmmu_tier", "FILL row", dut->tvi_fill_row, f.cls.row);
            expect("gmmu_tier", "FILL generation", dut->tvi_fill_gen, f.cls.gen);
        }
        if (o.entry_hit || o.fault != GMMU_FAULT_NONE)  // dropped: 0
            expect("gmmu_tier", "DRV fault entry", dut->tvi_drv_entry, o.entry);
    }

    void touch() {
        if (!expect("frame_mem", "a TOUCH that was not asked for", 1, twin.frames.mem.n > 0))
            return;
        expect("frame_mem", "TOUCH frame", dut->tvi_side_frame,
               twin.frames.mem.slot[twin.frames.mem.head].frame);
        unsigned record;
        const gmmu_reuse r = gmmu_tier_touch(&twin, &record);
        expect("frame_mem", "TOUCH match", dut->tvi_walk_match, r.valid);
        if (r.valid) {
            expect("frame_mem", "TOUCH reuse interval", dut->tvi_walk_ri, r.interval);
            expect("frame_mem", "TOUCH row of the previous access", dut->tvi_walk_was_row,
                   r.cls.row);
            expect("frame_mem", "TOUCH generation of the previous access", dut->tvi_walk_was_gen,
                   r.cls.gen);
        }
        if (regs.feed == GMMU_FEED_RESIDENT)
            expect("gmmu_tier", "TOUCH record", dut->tvi_walk_record, record);
        touch_since = 0;
    }
    // FRAME_MEM: the time that the frames' memory may add to what waits for one operation.
    uint64_t memory_slack() const {
        return cfg.frame_mem ? 4ull * (memory_style.latency + 1) + 8ull * (cfg.lines + cfg.touchq)
                             : 0;
    }
    uint64_t touch_since = 0, search_refused = 0;

    void age() {
        expect("gmmu_tier", "AGE not owed", 0, !twin.side.age_owed);
        uint32_t index;
        const bool clamped = gmmu_tier_age(&twin, &index);
        age_since = 0;
        expect("gmmu_tier", "AGE index", dut->tvi_age_index, index);
        expect(index < cfg.frames ? "frame_table" : "gmmu_tier", "AGE clamped",
               dut->tvi_age_clamped, clamped);
    }

    void install() {
        if (!expect("ppuc", "INSTALL without REFRESH", 1, twin.ppuc.engine.busy))
            return;
        expect("ppuc", "INSTALL before all priorities are written", prio_left, 0);
        expect("ppuc", "INSTALL row", dut->tvi_row, twin.ppuc.engine.cls.row);
        const bool current = gmmu_tier_install(&twin);
        expect("ref_rit", "INSTALL current", dut->tvi_install_current, current);
    }

    void cand() {
        if (!expect("victim_select", "CAND frame", dut->tvi_side_frame,
                    gmmu_victim_select_next(&twin.select, regs.frames)))
            return;
        const gmmu_tier_cand_out o = gmmu_tier_cand(&twin, dut->tvi_side_frame);
        expect("frame_table", "CAND eligible", dut->tvi_cand_eligible, o.eligible);
        if (o.eligible) {
            expect("frame_table", "CAND last access", dut->tvi_cand_last, o.candidate.last);
            expect("ppuc", "CAND serving row", dut->tvi_row, o.row);
        }
        if (twin.select.rounds == 0 && looked_expected.empty() && !searching) {
            searching = true;
            search_began = did.cycles;
            search_refused = frame_memory ? frame_memory->refused : 0;
        }
        looked_expected.push_back(
            {o.candidate.frame, o.eligible ? o.candidate.priority : uint16_t{0}});
        ineligible.push_back(!o.eligible);
        scanned_at = did.cycles;
        retries = 0;
    }
    std::deque<bool> ineligible;

    void decide() {
        const int i = gmmu_fault_queue_head(&twin.faults.queue);
        if (!expect("gmmu_tier", "DECIDE without a fault", i >= 0, 1))
            return;
        const bool free_choice = gmmu_tier_needs_no_search(&twin, static_cast<unsigned>(i));
        const bool scanned = gmmu_victim_select_searched(&twin.select);
        const bool had = gmmu_victim_select_best(&twin.select) != nullptr;
        const gmmu_tier_decision d = gmmu_tier_decide(&twin);
        if (!free_choice && d.tier != GMMU_TIER_RETRY)
            expect("victim_select", "DECIDE before the scan is complete", scanned, 1);
        expect("gmmu_tier", "DECIDE entry", dut->tvi_dec_entry, d.entry);
        if (d.tier == GMMU_TIER_2 || (d.tier == GMMU_TIER_RETRY && had)) {
            expect("victim_select", "DECIDE frame", dut->tvi_side_frame, d.frame);
            expect("victim_select", "DECIDE priority", dut->tvi_dec_priority, d.priority);
        }
        // credit is the unit's own doing, an empty list the search's, a frame that is gone the
        // table's
        const unsigned tier = dut->tvi_dec_tier;
        const bool credit = tier == GMMU_TIER_FREE || d.tier == GMMU_TIER_FREE;
        expect(credit ? "gmmu_tier"
               : had  ? "frame_table"
                      : "victim_select",
               "DECIDE tier", tier, d.tier);
        if (scanned && !free_choice && !decisions_blocked())
            expect("victim_select", "DECIDE later than its bound",
                   did.cycles - scanned_at >
                       DECIDE_BOUND + RETRY_COST * retries + memory_slack() * (retries + 1),
                   0);
        retries++;
        if (d.tier != GMMU_TIER_RETRY) {
            if (searching && blocked_at < search_began && d.tier == GMMU_TIER_2 && retries == 1)
                did.longest_search = std::max(did.longest_search, search_time());
            searching = false;
            decisions.push_back(d);
        }
    }
    uint64_t search_time() const {
        const uint64_t all = did.cycles - search_began + 1;
        const uint64_t waits = frame_memory ? 2ull * (memory_style.latency + 1) +
                                                  frame_memory->refused - search_refused
                                            : 0;
        return all > waits ? all - waits : 1;
    }
    // An earlier decision stood at the output, or the driver was served in between: no bound.
    bool decisions_blocked() const {
        return blocked_at + 64 > did.cycles;
    }
    uint64_t blocked_at = 0, search_began = 0;
    bool searching = false;

    gmmu_tier_decision take_decision() {
        gmmu_tier_decision d = {};
        const auto &t = dut->m_axis_decision_tdata;
        d.seq = static_cast<uint32_t>(get_bits(t, dec_l.seq));
        d.asid = static_cast<uint32_t>(get_bits(t, dec_l.asid));
        d.vpn = get_bits(t, dec_l.vpn);
        d.tier = static_cast<unsigned>(get_bits(t, dec_l.tier));
        d.frame = static_cast<uint32_t>(get_bits(t, dec_l.frame));
        d.victim_asid = static_cast<uint32_t>(get_bits(t, dec_l.v_asid));
        d.victim_vpn = get_bits(t, dec_l.v_vpn);
        d.victim_dirty = get_bits(t, dec_l.v_dirty) != 0;
        d.priority = static_cast<uint16_t>(get_bits(t, dec_l.prio));
        if (!compare || mismatch.found)
            return d;
        if (!expect("gmmu_tier", "a decision that was not made", decisions.empty(), 0))
            return d;
        const gmmu_tier_decision m = decisions.front();
        decisions.pop_front();
        expect("gmmu_tier", "decision seq", d.seq, m.seq);
        expect("gmmu_tier", "decision asid", d.asid, m.asid);
        expect("gmmu_tier", "decision vpn", d.vpn, m.vpn);
        expect("gmmu_tier", "decision tier", d.tier, m.tier);
        expect("victim_select", "decision frame", d.frame, m.frame);
        expect("victim_select", "decision priority", d.priority, m.priority);
        expect("frame_table", "decision victim asid", d.victim_asid, m.victim_asid);
        expect("frame_table", "decision victim vpn", d.victim_vpn, m.victim_vpn);
        expect("frame_table", "decision victim dirty", d.victim_dirty, m.victim_dirty);
        return d;
    }

    void background() {
        const unsigned row = dut->tvi_bg_row;
        if (dut->tvi_bg_kind == 0) {
            const unsigned q = dut->tvi_bg_queue;
            if (!expect("ref_rit", "LEARN from an empty queue", twin.feed.queue[q].n == 0, 0))
                return;
            const gmmu_rit_record rec = twin.feed.queue[q].slot[twin.feed.queue[q].head];
            const gmmu_rit_learnt l = gmmu_tier_learn(&twin, q);
            expect("gmmu_tier", "LEARN row of the record", row, rec.cls.row);
            expect("ref_rit", "LEARN applied", dut->tvi_bg_applied, l.applied);
            learnt_expected.push_back({l.bin, l.row_count, l.global_count});
        } else if (row >= cfg.classes) {
            expect("ref_rit", "row", row, 0);
        } else if (dut->tvi_bg_kind == 1) {
            expect("ref_rit", "CLEAR not owed", 1, twin.rit.row[row].clear_owed);
            gmmu_tier_clear(&twin, row);
        } else if (dut->tvi_bg_kind == 2) {
            expect("ref_rit", "HALVE not owed", 1, twin.rit.row[row].halve_owed);
            gmmu_tier_halve(&twin, row);
        } else {
            refresh(row);
        }
    }

    void refresh(unsigned row) {
        expect("ref_rit", "REFRESH not pending", 1, twin.rit.row[row].pending);
        expect("ppuc", "REFRESH while the engine is busy", 0, twin.ppuc.engine.busy);
        if (not_calm[0] != nullptr)
            expect(not_calm[0], "REFRESH neither calm nor in a hurry two cycles before", 1, 0);
        Snap s;
        const gmmu_rit_row *r = &twin.rit.row[row], *g = &twin.rit.row[0];
        s.reuse.assign(r->reuse, r->reuse + cfg.bins);
        s.censored.assign(r->censored, r->censored + cfg.bins);
        s.greuse.assign(g->reuse, g->reuse + cfg.bins);
        s.gcensored.assign(g->censored, g->censored + cfg.bins);
        snaps_expected.push_back(s);
        gmmu_tier_refresh(&twin, row);
        prio_expected.assign(twin.ppuc.engine.priority, twin.ppuc.engine.priority + cfg.bins);
        prio_left = cfg.bins;
        pending_since = 0;
    }

    void thresh() {
        expect("trace_sampler", "THRESH not owed", 1,
               gmmu_trace_sampler_thresh_owed(&twin.sampler));
        expect("trace_sampler", "THRESH threshold", dut->tvi_thresh, gmmu_tier_thresh(&twin));
    }

    void scrub() {
        expect("trace_sampler", "SCRUB not due", 1, gmmu_tier_scrub_due(&twin));
        unsigned record, exported;
        const gmmu_scrubbed s = gmmu_tier_scrub(&twin, &record, &exported);
        rit_side_expected |= exported;
        expect("trace_sampler", "SCRUB index", dut->tvi_scrub_index, s.index);
        expect("trace_sampler", "SCRUB removed", dut->tvi_scrub_removed, s.removed);
        if (s.removed) {
            expect("trace_sampler", "SCRUB age", dut->tvi_scrub_age, s.rec.interval);
            expect("trace_sampler", "SCRUB row", dut->tvi_scrub_row, s.rec.cls.row);
            expect("trace_sampler", "SCRUB generation", dut->tvi_scrub_gen, s.rec.cls.gen);
        }
        expect("gmmu_tier", "SCRUB record", dut->tvi_scrub_record, record);
    }

    // SEND, first of its cycle. It comes as soon as a batch was full, had a fault or had waited
    // 2^cfg_rit_wait cycles two cycles before, and the packet before has left but for its last
    // beat. What became of the records is told a cycle later.
    unsigned rit_side_expected = 0, rit_walk_expected = 0;
    bool rit_due[2] = {};  // two cycles before, in the cycle before
    void rit_send() {
        gmmu_rit_packet p;
        const gmmu_rit_export &x = twin.rit_export;
        expect("rit_export", "export beside the walk", dut->tvi_rit_side, rit_side_expected);
        expect("rit_export", "WALK export", dut->tvi_rit_walk, rit_walk_expected);
        rit_side_expected = rit_walk_expected = GMMU_RIT_NONE;
        const bool wanted = rit_due[0] && rit_expected.size() <= 1;
        rit_due[0] = rit_due[1];
        rit_due[1] = x.waiting != 0 &&
                     (gmmu_rit_export_due(&x, regs.rit_batch) || rit_waited >> regs.rit_wait != 0);
        if (!expect("rit_export", "SEND", dut->tvi_send, wanted))
            return;
        rit_waited = dut->tvi_send || x.waiting == 0 ? 0 : std::min(rit_waited + 1, 0xFFFFu);
        if (!dut->tvi_send)
            return;
        gmmu_tier_send(&twin, &p);
        Beat b = {};
        gmmu_rit_pack_head(&cfg, &p.head, b.words);
        rit_expected.push_back(b);
        for (unsigned i = 0; i < p.head.n; i++) {
            gmmu_rit_pack_event(&cfg, &p.event[i], b.words);
            b.last = i + 1 == p.head.n;
            rit_expected.push_back(b);
        }
    }

    void rit_beat() {
        uint32_t words[GMMU_RIT_WORDS] = {};
        const unsigned bits =
            std::max(gmmu_rit_layout_of(&cfg).bits, gmmu_rit_head_layout_of(&cfg).bits);
        for (unsigned i = 0; i < bits; i += 32)
            words[i / 32] = static_cast<uint32_t>(
                get_bits(dut->m_axis_rit_tdata, {i, std::min(32u, bits - i)}));
        (rit_in_packet ? rit_records : rit_packets)++;
        rit_in_packet = !dut->m_axis_rit_tlast;
        if (on_rit != nullptr)
            on_rit(on_rit_ctx, words, dut->m_axis_rit_tlast);
        if (!compare || !expect("rit_export", "a beat that is not due", rit_expected.empty(), 0))
            return;
        for (unsigned i = 0; i < GMMU_RIT_WORDS; i++)
            expect("rit_export", ("word " + std::to_string(i) + " of a beat").c_str(), words[i],
                   rit_expected.front().words[i]);
        expect("rit_export", "tlast", dut->m_axis_rit_tlast, rit_expected.front().last);
        rit_expected.pop_front();
    }

    // What became of the walk in the HIR cache. Whether the packet before has left is seen four
    // cycles before the walk takes effect, in the cycle after its last beat at the earliest.
    enum { HIR_LOOK = 4 };
    void hir(const gmmu_tier_walk_in &in, const gmmu_tier_walk_out &o) {
        expect("hir_cache", "WALK hit of the page set", dut->tvi_walk_hir, o.hir);
        expect("hir_cache", "WALK transfer due", dut->tvi_walk_due, o.hir_due);
        expect("hir_cache", "WALK packet closed", dut->tvi_walk_swap, o.hir_swap);
        if (in.hir_busy)
            expect("hir_cache", "swap skipped without need",
                   hir_expected.empty() && did.cycles > hir_left + HIR_LOOK + 1, 0);
        if (!o.hir_swap ||
            !expect("hir_cache", "swap with a packet leaving", hir_expected.size(), 0))
            return;
        HirBeat b = {};
        gmmu_hir_pack_head(&o.hir_packet.head, b.words);
        b.last = o.hir_packet.head.n == 0;
        hir_expected.push_back(b);
        for (unsigned i = 0; i < o.hir_packet.head.n; i++) {
            gmmu_hir_pack_record(&twin.hir.cfg, &o.hir_packet.record[i], b.words);
            b.last = i + 1 == o.hir_packet.head.n;
            hir_expected.push_back(b);
        }
    }

    void hir_beat() {
        uint32_t words[GMMU_HIR_WORDS] = {};
        const unsigned bits = gmmu_hir_beat_bits(&twin.hir.cfg);
        for (unsigned i = 0; i < bits; i += 32)
            words[i / 32] = static_cast<uint32_t>(
                get_bits(dut->m_axis_hir_tdata, {i, std::min(32u, bits - i)}));
        (hir_in_packet ? hir_records : hir_packets)++;
        hir_in_packet = !dut->m_axis_hir_tlast;
        if (dut->m_axis_hir_tlast)
            hir_left = did.cycles;
        if (on_hir != nullptr)
            on_hir(on_hir_ctx, words, dut->m_axis_hir_tlast);
        if (!compare || !expect("hir_cache", "a beat that is not due", hir_expected.empty(), 0))
            return;
        for (unsigned i = 0; i < GMMU_HIR_WORDS; i++)
            expect("hir_cache", ("word " + std::to_string(i) + " of a beat").c_str(), words[i],
                   hir_expected.front().words[i]);
        expect("hir_cache", "tlast", dut->m_axis_hir_tlast, hir_expected.front().last);
        hir_expected.pop_front();
    }

    void learnt() {
        if (!expect("ref_rit", "a result of LEARN too many", learnt_expected.empty(), 0))
            return;
        const Learnt l = learnt_expected.front();
        learnt_expected.pop_front();
        expect("ref_rit", "LEARN bin", dut->tvi_learnt_bin, l.bin);
        expect("ref_rit", "LEARN count", dut->tvi_learnt_count, l.count);
        expect("ref_rit", "LEARN count of all", dut->tvi_learnt_gcount, l.gcount);
    }

    void snap() {
        if (!expect("ref_rit", "a snapshot that was not asked for", snaps_expected.empty(), 0))
            return;
        Snap &s = snaps_expected.front();
        expect("ref_rit", "REFRESH bin", dut->tvi_snap_bin, s.at);
        expect("ref_rit", "REFRESH reuses", dut->tvi_snap_reuse, s.reuse[s.at]);
        expect("ref_rit", "REFRESH censored", dut->tvi_snap_censored, s.censored[s.at]);
        expect("ref_rit", "REFRESH reuses of all", dut->tvi_snap_greuse, s.greuse[s.at]);
        expect("ref_rit", "REFRESH censored of all", dut->tvi_snap_gcensored, s.gcensored[s.at]);
        if (++s.at == cfg.bins)
            snaps_expected.erase(snaps_expected.begin());
    }

    void prio() {
        if (!expect("ppuc", "priorities too many", prio_left > 0, 1))
            return;
        prio_left--;
        expect("ppuc", "REFRESH bin of a priority", dut->tvi_prio_bin, prio_left);
        expect("ppuc", "REFRESH priority", dut->tvi_prio, prio_expected[prio_left]);
    }

    void looked() {
        if (!expect("ppuc", "an answer too many", looked_expected.empty(), 0))
            return;
        const Looked l = looked_expected.front();
        looked_expected.pop_front();
        const bool skip = ineligible.front();
        ineligible.pop_front();
        expect("victim_select", "frame of an answer", dut->tvi_looked_frame, l.frame);
        if (!skip)
            expect("ppuc", "CAND priority", dut->tvi_looked_priority, l.priority);
    }

    void walk() {
        if (!expect("gmmu_tier", "a WALK that was not asked for", walks.empty(), 0))
            return;
        gmmu_tier_walk_in in = walks.front();
        walks.pop_front();
        in.stolen = dut->tvi_sampled_stolen;
        in.hir_busy = dut->tvi_walk_due && !dut->tvi_walk_swap;
        const gmmu_tier_walk_out o = gmmu_tier_walk(&twin, in);
        expect("gmmu_tier", "WALK time", dut->tvi_walk_time, o.time);
        expect("gmmu_tier", "WALK refresh tick", dut->tvi_walk_tick,
               (o.time & ((1u << regs.refresh) - 1)) == 0);
        expect("ref_rit", "WALK row", dut->tvi_walk_row, o.place.cls.row);
        expect("ref_rit", "WALK generation", dut->tvi_walk_gen, o.place.cls.gen);
        expect("ref_rit", "WALK row allocated", dut->tvi_walk_alloc, o.place.allocated);
        expect("frame_mem", "WALK hit noted", dut->tvi_walk_touch, o.touch);
        if (!cfg.frame_mem)
            expect("frame_table", "WALK match", dut->tvi_walk_match, o.reuse.valid);
        if (o.reuse.valid) {
            expect("frame_table", "WALK reuse interval", dut->tvi_walk_ri, o.reuse.interval);
            expect("frame_table", "WALK row of the previous access", dut->tvi_walk_was_row,
                   o.reuse.cls.row);
            expect("frame_table", "WALK generation of the previous access", dut->tvi_walk_was_gen,
                   o.reuse.cls.gen);
        }
        const gmmu_sampled &sa = o.sampled;
        expect("trace_sampler", "WALK selected", dut->tvi_sampled_selected, sa.selected);
        expect("trace_sampler", "WALK stolen without need", dut->tvi_sampled_stolen, sa.stolen);
        expect("trace_sampler", "WALK sampled page found", dut->tvi_sampled_hit, sa.hit);
        expect("trace_sampler", "WALK sample", dut->tvi_sampled_record, sa.record);
        if (sa.record) {
            expect("trace_sampler", "WALK sample interval", dut->tvi_sampled_interval,
                   sa.rec.interval);
            expect("trace_sampler", "WALK sample row", dut->tvi_sampled_row, sa.rec.cls.row);
            expect("trace_sampler", "WALK sample generation", dut->tvi_sampled_gen, sa.rec.cls.gen);
            expect("trace_sampler", "WALK sample censored", !dut->tvi_sampled_hit, sa.rec.censored);
        }
        if (!cfg.frame_mem || regs.feed == GMMU_FEED_SAMPLER)
            expect("gmmu_tier", "WALK record", dut->tvi_walk_record, o.record);
        rit_walk_expected = o.exported;
        hir(in, o);
        expect("gmmu_tier", "WALK fault", dut->tvi_walk_fault, o.fault);
        if (o.fault != GMMU_FAULT_NONE)  // dropped: 0
            expect("gmmu_tier", "WALK fault entry", dut->tvi_walk_entry, o.entry);
    }

    // What must not wait for ever.
    void bounds() {
        const uint64_t frames =
            cfg.frame_mem ? 8192 : cfg.frames;  // FRAME_MEM: nothing takes a turn a frame
        if (twin.frames.mem.n == 0)
            touch_since = 0;
        else if (touch_since == 0)
            touch_since = did.cycles;
        if (touch_since != 0)
            expect("frame_mem", "TOUCH overdue", did.cycles - touch_since > 64 + memory_slack(), 0);
        if (dut->tvi_bg_valid ||
            (dut->tvi_walk_valid && (dut->tvi_walk_tick || dut->tvi_walk_alloc))) {
            pending = false;
            for (unsigned r = 0; r < cfg.classes && !pending; r++)
                pending = twin.rit.row[r].pending;
        }
        if (!pending)
            pending_since = 0;
        else if (pending_since == 0)
            pending_since = did.cycles;
        // a refresh of some row starts within the hurry time and one pass of the engine
        const uint64_t x_w = (cfg.bins - 9) / 4 + 4, pass = cfg.bins * (5 * (x_w + 5) + 110);
        if (pending_since != 0)
            expect("ref_rit", "REFRESH overdue",
                   did.cycles - pending_since >
                       (cfg.frame_mem ? 163840 : (4ull << gmmu_index_bits(cfg.frames)) + pass),
                   0);
        if (!gmmu_trace_sampler_thresh_owed(&twin.sampler))
            thresh_since = 0;
        else if (thresh_since == 0)
            thresh_since = did.cycles;
        if (thresh_since != 0)
            expect("trace_sampler", "THRESH overdue", did.cycles - thresh_since > 16, 0);
        // a fault is decided after two rounds of candidates at half the rate, if its decision can
        // leave
        if (dut->tvi_walk_valid || dut->tvi_side_valid)
            undecided = gmmu_fault_queue_head(&twin.faults.queue) >= 0;
        if (!undecided || !dut->m_axis_decision_tready || dut->tvi_side_kind == 4 ||
            !decisions.empty())
            undecided_since = 0;
        else if (undecided_since == 0)
            undecided_since = did.cycles;
        if (undecided_since != 0)
            expect(
                "victim_select", "DECIDE overdue",
                did.cycles - undecided_since > (cfg.frame_mem ? 69632 : 4ull * regs.frames + 1024),
                0);
        if (!gmmu_tier_scrub_due(&twin))
            scrub_since = 0;
        else if (scrub_since == 0 || dut->tvi_scrub_valid)
            scrub_since = did.cycles;
        if (scrub_since != 0)
            expect("trace_sampler", "SCRUB overdue",
                   did.cycles - scrub_since > 16ull * frames + 32768, 0);
        if (!twin.side.age_owed)
            age_since = 0;
        else if (age_since == 0)
            age_since = did.cycles;
        if (age_since != 0)
            expect("gmmu_tier", "AGE overdue", did.cycles - age_since > 8 + memory_slack(), 0);
        if ((dut->m_axis_decision_tvalid && !dut->m_axis_decision_tready) ||
            dut->s_axis_drv_tvalid ||
            (dut->tvi_side_valid && (dut->tvi_side_kind < 3 || dut->tvi_side_kind == 5)))
            blocked_at = did.cycles;
    }
};
