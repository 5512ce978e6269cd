// SPDX-License-Identifier: Apache-2.0
// lockstep.h: the RTL beside its twin, cycle by cycle.
#ifndef GMMU_TB_TRACE_SAMPLER_LOCKSTEP_H
#define GMMU_TB_TRACE_SAMPLER_LOCKSTEP_H

#include <algorithm>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "Vdut.h"
#include "bits.h"
#include "blocks/trace_sampler.h"
#include "pages.h"
#include "trace_sampler/turning.h"

struct Setup {
    const char *ram = "old";
    uint32_t seed = 1;
    unsigned fault = 0;
    unsigned flip = 0;  // about every so many words that RAMs take have a bit turned over
};

struct Mismatch {
    bool found = false;
    std::string field, style;
    uint64_t cycle = 0, rtl = 0, twin = 0;
    Setup setup = {"old", 1, 0};
    std::string text() const {
        char s[400];
        std::snprintf(s, sizeof s,
                      "block trace_sampler: cycle %" PRIu64 ": %s: RTL 0x%" PRIx64
                      ", C model 0x%" PRIx64 " (%s, %s, +ram=%s, seed %u)",
                      cycle, field.c_str(), rtl, twin, GMMU_CONFIG_NAME, style.c_str(), setup.ram,
                      setup.seed);
        return s;
    }
};

class Lockstep {
   public:
    Mismatch mismatch;
    uint64_t cycles = 0, turns = 0;
    struct {
        uint64_t walks, lookups, hits, replaced, stolen, scrubs, removed, aged, threshs, shared,
            wraps, hurried;
        uint64_t fresh[5];  // removed so many slots after an ACCESS wrote it
    } did = {};
    uint64_t actions() const { return did.walks + did.scrubs + did.threshs; }

    explicit Lockstep(const Setup &s) : rng(s.seed * 7919ull + 3) {
        const std::string ram = std::string("+ram=") + s.ram;
        const std::string fault = "+fault=" + std::to_string(s.fault);
        const std::string flip = "+flip=" + std::to_string(s.flip);
        const char *args[] = {"bench", ram.c_str(), fault.c_str(), flip.c_str()};
        context.commandArgs(4, args);
        context.randReset(2);
        context.randSeed(static_cast<int>(s.seed));
        dut = std::make_unique<Vdut>(&context);
        mismatch.setup = s;
    }

    const gmmu_trace_sampler &twin() const { return own->ts; }
    // The entry that SCRUB comes to.
    unsigned next() const { return mismatch.setup.flip != 0 ? words->next : own->ts.next; }

    // A reset of one cycle to six, now and then another one while the sets are cleared: nothing of
    // before is seen behind its first edge.
    void reset(unsigned sample) {
        own = std::make_unique<Twin>(entries_of_config(), ways_of_config(), sample);
        words = std::make_unique<Turning>(entries_of_config(), ways_of_config());
        was = {};
        turned = 0;
        stolen_since = 0;
        calm = 1000;
        dut->scrub_calm = 1;
        dut->clear = 0;
        dut->cfg_sample = sample;
        for (unsigned resets = rng() % 4 == 0 ? 2 : 1; resets > 0; resets--) {
            dut->rst = 1;
            for (uint64_t i = rng() % 6 + 1; i > 0; i--) {
                noise();
                dut->w3_valid = rng() % 2;
                dut->scrub_owed = rng() % 2;
                tick();
                silence();
                dut->clear = 1;
            }
            dut->rst = 0;
            dut->w3_valid = 0;
            dut->scrub_owed = 0;
            const uint64_t until =
                resets > 1 ? rng() % (entries_of_config() / ways_of_config()) : ~0ull;
            for (uint64_t n = 0; !dut->cleared && n < 2 * entries_of_config() && n < until; n++) {
                noise();
                tick();
                silence();
            }
        }
        expect("cleared", dut->cleared, 1);
        for (int i = 0; i < 4; i++) tick();
        silence();
        dut->clear = 0;
        dut->cfg_sample = rng() % 9;  // taken at reset only
        for (Walk &w : pipe) w = {};
        pulses.clear();
        put_at.assign(entries_of_config(), 0);
        owed_at = pass_at = 0;
        last_scrub = cycles;
        budget = 0;
    }

    struct Walk {
        bool valid;
        Page page;
    };

    // One cycle: W at w3, a pulse of scrub_owed; afterwards time jumps.
    void cycle(const Walk &w, bool pulse, uint64_t jump) {
        noise();
        dut->w3_valid = w.valid;
        if (w.valid || rng() % 2) {  // also a page without a walk
            dut->w3_asid = w.page.asid;
            dut->w3_vpn = w.page.vpn;
        }
        dut->scrub_owed = pulse;
        dut->scrub_calm = calm == 1000 || rng() % 1000 < calm;
        calm_was = calm_was << 1 | dut->scrub_calm;
        const Walk w9 = pipe[5];
        std::copy_backward(pipe, pipe + 5, pipe + 6);
        pipe[0] = w;
        dut->now = now;
        // time jumps where no walk is, as if walks of other stages had come and gone
        if (w9.valid)
            jump = 0;
        dut->w9_time = (now + w9.valid + jump) & mask(config().time_w);
        if (pulse)
            pulses.push_back(cycles);
        dut->clk = 0;
        dut->eval();
        compare(w9);
        dut->clk = 1;
        dut->eval();
        cycles++;
        const uint64_t next = now + w9.valid + jump;
        did.wraps += next > mask(config().time_w);
        now = next & mask(config().time_w);
    }

    // No walks: all that is owed is done; then every entry is scrubbed away and so seen.
    bool drain(uint64_t quarter) {
        const Walk none = {};
        calm = 1000;
        for (unsigned i = 0; i < entries_of_config() + 100 && ok(); i++) cycle(none, false, 0);
        expect("idle at rest", dut->idle, 1);
        expect("owed at rest", 0, own->ts.thresh_owed || own->ts.pass_left);
        jumping = true;
        now = (now + quarter) & mask(config().time_w);
        const uint64_t scrubs = did.scrubs;
        for (unsigned i = 0; did.scrubs < scrubs + entries_of_config() && ok(); i++) {
            cycle(none, i % 2 == 0, 0);  // the next two pulses find the SCRUB on its way
            if (i > 6 * entries_of_config() + 16)
                expect("SCRUBs in free slots", did.scrubs, scrubs + entries_of_config());
        }
        expect("entries left", 0, own->ts.occupied);
        for (int i = 0; i < 8 && ok(); i++) cycle(none, false, 0);
        jumping = false;
        return ok();
    }

    bool ok() const { return !mismatch.found; }

   protected:
    std::mt19937_64 rng;
    VerilatedContext context;
    std::unique_ptr<Vdut> dut;
    std::unique_ptr<Twin> own;
    Walk pipe[6] = {};
    uint64_t now = 0, budget = 0;
    uint64_t calm = 1000;   // permille of the cycles in which SCRUBs need not wait
    unsigned calm_was = 0;  // bit 4: it was so when the slot that is done now was given away
    bool jumping = false;   // time jumps by hand, beyond what scrubs by the clock allow
    // what the scheduler owes
    std::deque<uint64_t> pulses;  // cycles of those without a SCRUB yet
    uint64_t owed_at = 0, pass_at = 0, last_scrub = 0;
    std::vector<uint64_t> put_at;  // an ACCESS wrote the entry in that cycle
    // with entries that turn bad
    std::unique_ptr<Turning> words;
    Turning::Slot was = {};  // of the cycle before
    unsigned turned = 0;
    uint64_t stolen_since = 0;  // the reset

    void tick() {
        dut->clk = 0;
        dut->eval();
        dut->clk = 1;
        dut->eval();
        cycles++;
    }
    void noise() {
        dut->w3_asid = rng() & mask(config().asid_w);
        dut->w3_vpn = rng() & mask(config().vpn_w);
        dut->w9_class = rng() & mask(row_bits() + config().gen_w);
        dut->w9_time = rng() & mask(config().time_w);
        dut->now = rng() & mask(config().time_w);
    }
    // In and behind a reset.
    void silence() {
        expect("SCRUB on its way in reset", dut->scrubbing, 0);
        expect("SCRUB in reset", dut->tvi_scrub_valid, 0);
        expect("THRESH in reset", dut->tvi_thresh_valid, 0);
        expect("threshold in reset", dut->tvi_thresh, own->ts.threshold);
        expect("selected in reset", dut->tvi_selected, 0);
        expect("stolen in reset", dut->tvi_stolen, 0);
        expect("hit in reset", dut->tvi_hit, 0);
        expect("rec_valid in reset", dut->rec_valid, 0);
        expect("srec_valid in reset", dut->srec_valid, 0);
        expect("turned in reset", dut->turned, 0);
        expect("stat_stolen in reset", dut->stat_stolen, 0);
        expect("idle in reset", dut->idle, !dut->clear);
    }
    void expect(const char *field, uint64_t rtl, uint64_t twin) {
        if (rtl == twin || mismatch.found)
            return;
        mismatch.found = true;
        mismatch.field = field;
        mismatch.rtl = rtl;
        mismatch.twin = twin;
        mismatch.cycle = cycles;
    }
    uint64_t bits_of(gmmu_class c) const {
        return static_cast<uint64_t>(c.row) << config().gen_w | c.gen;
    }

    // With entries that turn bad: some words of the set, good or bad, are the reason of all that is
    // seen, what is told too. Whether they are is not known before.
    void compare_flipped(const Walk &w9) {
        const bool told = dut->turned != turned;
        turned = dut->turned;
        turns += told;
        expect("what a slot met", words->explains(was, told), 1);
        if (dut->tvi_thresh_valid) {
            words->thresh();
            did.threshs++;
        }
        expect("threshold", dut->tvi_thresh, words->threshold);
        const bool scrub = dut->tvi_scrub_valid,
                   selected = w9.valid && hash_of(w9.page) >> 16 < words->threshold;
        expect("selected", dut->tvi_selected, selected);
        expect("stolen", dut->tvi_stolen, selected && scrub);
        expect("stat_stolen", dut->stat_stolen, stolen_since);
        was = {};
        was.cycle = cycles;
        was.now = now;
        was.scrub = scrub;
        was.access = selected && !scrub;
        was.record = scrub ? dut->srec_valid : dut->rec_valid;
        was.cls = scrub ? dut->srec_class : dut->rec_class;
        was.interval = scrub ? dut->srec_interval : dut->rec_interval;
        if (scrub) {
            expect("SCRUB index", dut->tvi_scrub_index, words->next);
            was.removed = dut->tvi_scrub_removed;
            did.scrubs++;
        } else {
            expect("srec_valid without SCRUB", dut->srec_valid, 0);
        }
        if (was.access) {
            was.name = gmmu_trace_sampler_name(&config(), w9.page.asid, w9.page.vpn);
            was.cls9 = dut->w9_class;
            was.now = dut->w9_time;
            was.hit = dut->tvi_hit;
            expect("rec_censored", was.record && dut->rec_censored == was.hit, 0);
        } else {
            expect("hit without access", dut->tvi_hit, 0);
            expect("rec_valid without access", dut->rec_valid, 0);
        }
        did.walks += w9.valid;
        stolen_since += selected && scrub;
        did.stolen += selected && scrub;
        did.hits += was.hit;
    }

    void compare(const Walk &w9) {
        if (mismatch.setup.flip != 0)
            return compare_flipped(w9);
        expect("an entry that turned bad", dut->turned, 0);
        gmmu_trace_sampler *ts = &own->ts;
        expect("stat_stolen", dut->stat_stolen, ts->stolen);
        if (dut->idle)
            expect(
                "idle with something owed", 0,
                ts->thresh_owed || ts->pass_left || (!pulses.empty() && pulses.front() < cycles));
        // THRESH
        if (dut->tvi_thresh_valid) {
            expect("THRESH owed", 1, gmmu_trace_sampler_thresh_owed(ts));
            gmmu_trace_sampler_thresh(ts);
            pass_at = cycles;
            did.threshs++;
        }
        expect("threshold", dut->tvi_thresh, ts->threshold);
        if (ts->thresh_owed && cycles > owed_at + 9)
            expect("THRESH overdue", 0, 1);
        // SCRUB
        const bool scrub = dut->tvi_scrub_valid;
        uint64_t may_steal = ~0ull;
        if (!pulses.empty())
            may_steal = pulses.front() + 68;
        if (ts->pass_left > 0)
            may_steal = std::min(may_steal, pass_at + 63);
        may_steal = std::max(may_steal, last_scrub + 64);
        if (scrub) {
            if ((calm_was >> 4 & 1) == 0) {
                expect("SCRUB that was to wait", cycles >= may_steal, 1);
                did.hurried++;
            }
            if (ts->pass_left == 0)
                expect("SCRUB owed", 1, !pulses.empty() && pulses.front() + 5 <= cycles);
            const uint32_t age =
                static_cast<uint32_t>((now - ts->entry[ts->next].last) & mask(config().time_w));
            const bool valid = ts->entry[ts->next].valid;
            if (!jumping)
                expect("a time stamp of 2^(TIME_W-1)",
                       valid && age >= 1ull << (config().time_w - 1), 0);
            const unsigned index = gmmu_trace_sampler_next(ts);
            const gmmu_scrubbed s = gmmu_trace_sampler_scrub(ts, static_cast<uint32_t>(now));
            expect("SCRUB next", index, s.index);
            expect("SCRUB index", dut->tvi_scrub_index, s.index);
            expect("SCRUB removed", dut->tvi_scrub_removed, s.removed);
            expect("srec_valid", dut->srec_valid, s.removed);
            if (s.removed && put_at[index] + 5 > cycles)
                did.fresh[cycles - put_at[index]]++;
            if (s.removed) {
                expect("srec_class", dut->srec_class, bits_of(s.rec.cls));
                expect("srec_interval", dut->srec_interval, s.rec.interval);
                expect("srec censored", 1, s.rec.censored);
            }
            while (!pulses.empty() && pulses.front() < cycles) pulses.pop_front();
            last_scrub = cycles;
            did.scrubs++;
            did.removed += s.removed;
            did.aged += !jumping && s.removed && s.rec.interval >= 1u << (config().time_w - 2);
            did.shared += w9.valid && !dut->tvi_selected;
        } else {
            expect("srec_valid without SCRUB", dut->srec_valid, 0);
            // a cycle late at most: not just behind the last access before THRESH
            if (may_steal != ~0ull && cycles > may_steal)
                expect("SCRUB overdue", 0, 1);
        }
        // ACCESS
        if (w9.valid) {
            const uint64_t c = dut->w9_class;
            const gmmu_class cls = {static_cast<uint16_t>(c >> config().gen_w),
                                    static_cast<uint16_t>(c & mask(config().gen_w))};
            const bool stolen = dut->tvi_stolen;
            const bool owed = ts->thresh_owed;
            const gmmu_sampled a = gmmu_trace_sampler_access(
                ts, w9.page.asid, w9.page.vpn, cls, static_cast<uint32_t>(dut->w9_time), stolen);
            expect("selected", dut->tvi_selected, a.selected);
            expect("stolen", stolen, a.selected && scrub);
            if (stolen)
                expect("stolen too early", cycles >= may_steal, 1);
            expect("hit", dut->tvi_hit, a.hit);
            expect("rec_valid", dut->rec_valid, a.record);
            if (a.record) {
                expect("rec_class", dut->rec_class, bits_of(a.rec.cls));
                expect("rec_interval", dut->rec_interval, a.rec.interval);
                expect("rec_censored", dut->rec_censored, a.rec.censored);
            }
            if (ts->thresh_owed && !owed)
                owed_at = cycles;
            if (a.selected && !a.stolen)
                put(gmmu_trace_sampler_name(&config(), w9.page.asid, w9.page.vpn));
            did.walks++;
            did.lookups += a.selected && !a.stolen;
            did.hits += a.hit;
            did.replaced += a.record && !a.hit;
            did.stolen += a.stolen;
        } else {
            expect("selected without walk", dut->tvi_selected, 0);
            expect("stolen without walk", dut->tvi_stolen, 0);
            expect("hit without walk", dut->tvi_hit, 0);
            expect("rec_valid without walk", dut->rec_valid, 0);
        }
        if (dut->idle)
            expect("idle with something that is owed now", 0, ts->thresh_owed || ts->pass_left);
    }
    // Page NAME was written.
    void put(uint64_t name) {
        const gmmu_trace_sampler &ts = own->ts;
        const std::size_t set = (name & 0xFFFF) % ts.sets * ts.ways;
        for (std::size_t e = set; e < set + ts.ways; e++)
            if (ts.entry[e].valid && ts.entry[e].name == name)
                put_at[e] = cycles;
    }

    Page random_page() {
        return {static_cast<uint32_t>(rng() & mask(config().asid_w)), rng() & mask(config().vpn_w)};
    }
};

#endif
