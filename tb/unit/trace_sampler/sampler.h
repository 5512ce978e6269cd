// SPDX-License-Identifier: Apache-2.0
// sampler.h: the RTL beside its twin, action by action.
#ifndef GMMU_TB_TRACE_SAMPLER_SAMPLER_H
#define GMMU_TB_TRACE_SAMPLER_SAMPLER_H

#include <algorithm>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <map>
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
    const char *ram;
    uint32_t seed;
    unsigned fault;
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

enum Pulses { NONE, CLOCK, SOME, MANY };  // scrubs: none, by time, at random, nearly every cycle

struct Style {
    const char *name;
    unsigned walk;  // permille of the cycles
    unsigned sets;  // in play; 0: all
    unsigned
        pages;  // for each set in play; with all sets, for each entry, in eighths; 0: low ranks
    Pulses pulses;
    bool fast;        // time runs as fast as scrubs by the clock allow
    unsigned sample;  // first threshold
    uint64_t cycles;
};

class Sampler {
   public:
    Mismatch mismatch;
    uint64_t cycles = 0, turns = 0;
    struct {
        uint64_t walks, lookups, hits, replaced, stolen, scrubs, removed, aged, threshs, shared,
            wraps, hurried;
        uint64_t fresh[5];  // removed so many slots after an ACCESS wrote it
    } did = {};
    uint64_t actions() const { return did.walks + did.scrubs + did.threshs; }

    explicit Sampler(const Setup &s) : rng(s.seed * 7919ull + 3) {
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

    // False at the first mismatch.
    bool run(const Style &s) {
        mismatch.style = s.name;
        reset(s.sample);
        make_pages(s);
        if (!s.fast && rng() % 2)
            calm = rng() % 1000;
        const uint64_t quarter = 1ull << (config().time_w - 2);
        // twice as often as 2^(TIME_W-2) asks for: a SCRUB may come 66 cycles late
        const uint64_t period = quarter / 2 / entries_of_config();
        const uint64_t limit = s.fast && s.sets == 0 && !is_tiny() ? 5 * s.cycles
                               : s.pages == 0                      ? s.cycles * entries_of_config()
                                                                   : s.cycles;
        now = (mask(config().time_w) - rng() % 50000) & mask(config().time_w);
        for (uint64_t i = 0; i < limit && ok(); i++) {
            Walk w = {};
            w.valid = rng() % 1000 < s.walk;
            // with fast time the pages in use change, those of before age out
            const std::size_t third = pool.size() / 3;
            w.page = s.fast ? pool[(i * 3 / limit * third + rng() % (1 + third)) % pool.size()]
                            : next_page(s);
            bool pulse = false;
            if (s.pulses == SOME)
                pulse = rng() % 100 == 0;
            if (s.pulses == MANY)
                pulse = rng() % 8 != 0;
            const uint64_t jump = !s.fast ? 0 : rng() % 4 ? period / 64 - 1 : rng() % (period / 64);
            if (s.pulses == CLOCK) {
                budget += jump + w.valid;
                if (budget >= period) {
                    budget -= period;
                    pulse = true;
                }
            }
            cycle(w, pulse, jump);
        }
        return drain(quarter);
    }

    // Half of the time the pages that SCRUB comes to next, as soon as THRESH is near, most of
    // ranks that just miss the next threshold: entries that are removed within the slots that
    // follow their ACCESS. Down to the threshold 1, then anew, until N cycles are over.
    bool run_lowering(uint64_t n) {
        mismatch.style = "ranks at the next threshold";
        const unsigned entries = entries_of_config(), sets = entries / ways_of_config();
        std::map<uint64_t, Page> page_of;  // name
        reset(0);
        for (uint64_t i = 0; i < n && ok(); i++) {
            if (own->ts.threshold == 1) {
                reset(static_cast<unsigned>(rng() % 9));
                page_of.clear();
            }
            const gmmu_trace_sampler &ts = own->ts;
            const uint32_t step = std::max(1u, ts.threshold / 8), low = ts.threshold - step;
            Walk w = {};
            if (ts.thresh_owed || ts.pass_left == entries ||
                ts.occupied + 3 >= entries - entries / 8) {
                const gmmu_sampler_entry &e = ts.entry[(ts.next + rng() % 5 / 2) % entries];
                w.valid = e.valid && rng() % 3 != 0;
                if (w.valid)
                    w.page = page_of.at(e.name);
            }
            if (!w.valid && ts.pass_left == 0 && rng() % 2) {
                uint32_t rank = static_cast<uint32_t>(rng() % (low + 1));
                unsigned set = static_cast<unsigned>(rng() % sets);
                if (rng() % 2) {
                    rank = low + static_cast<uint32_t>(rng() % step) % (1u << rng() % 14);
                    set = (ts.next / ways_of_config() + static_cast<unsigned>(rng() % 2)) % sets;
                }
                w = {true, page_with(rank, set, rng)};
                page_of[gmmu_trace_sampler_name(&config(), w.page.asid, w.page.vpn)] = w.page;
            }
            cycle(w, rng() % 64 == 0, 0);
        }
        return ok();
    }

    // Resets while walks and SCRUBs are under way.
    bool run_resets(unsigned n) {
        mismatch.style = "resets";
        for (unsigned i = 0; i < n && ok(); i++) {
            reset(static_cast<unsigned>(rng() % 9));
            for (uint64_t k = rng() % 80; k > 0 && ok(); k--)
                cycle({rng() % 2 != 0, random_page()}, rng() % 2, 0);
        }
        return ok();
    }

    // From power-up on, without a reset: the slots stolen are counted on from whatever number the
    // register woke with, which is returned.
    uint32_t run_unreset() {
        mismatch.style = "no reset";
        dut->rst = dut->clear = dut->clk = 0;
        dut->eval();
        const uint32_t first = dut->stat_stolen;
        uint32_t count = first;
        for (int i = 0; i < 200 && ok(); i++) {
            noise();
            dut->w3_valid = dut->scrub_owed = dut->scrub_calm = 1;
            dut->clk = 0;
            dut->eval();
            expect("stat_stolen", dut->stat_stolen, count);
            count += dut->tvi_stolen;
            did.stolen += dut->tvi_stolen;
            dut->clk = 1;
            dut->eval();
            cycles++;
        }
        return first;
    }

    // With words that all turn bad: an empty table that SCRUBs and a few walks come to is never
    // full, though of some words the bit `valid` turned.
    bool run_empty(unsigned sweeps) {
        mismatch.style = "an empty table";
        reset(0);
        const uint64_t until = did.scrubs + static_cast<uint64_t>(sweeps) * entries_of_config(),
                       before = did.threshs;
        while (did.scrubs < until && ok()) cycle({}, true, 0);
        for (int i = 0; i < 40 && ok(); i++) cycle({i % 16 == 15, random_page()}, false, 0);
        expect("THRESH of an empty table", did.threshs, before);
        return ok();
    }

    // With words that all turn bad: four entries of one set, written again and again, are four. In
    // the last slot way 1 holds what the slot before wrote over a bad entry, the ways 0 and 2 what
    // the slots before that did, and way 3, the free one, a bad entry.
    bool run_rewritten(unsigned times) {
        mismatch.style = "entries written again and again";
        reset(0);
        const unsigned sets = entries_of_config() / ways_of_config();
        std::vector<Page> p;
        while (p.size() < 5) {
            const Page page = random_page();
            if ((hash_of(page) & 0xFFFF) % sets == 0)
                p.push_back(page);
        }
        const uint64_t before = did.threshs;
        for (unsigned i = 0; i < times && ok(); i++)
            for (const int page : {0, 1, -1, 2, 0, -1, 3, 4, -1, -1, -1, -1, -1, -1})
                cycle(page < 0 ? Walk{} : Walk{true, p[static_cast<unsigned>(page)]}, false, 0);
        for (int i = 0; i < 16 && ok(); i++) cycle({}, false, 0);
        expect("THRESH of four entries", did.threshs, before);
        return ok();
    }

    // As many pages as a quarter of the entries, and bits that turn over.
    bool run_flipped(uint64_t n) {
        mismatch.style = "bits that turn over";
        reset(0);
        std::vector<Page> some(entries_of_config() / 4);
        for (Page &p : some) p = random_page();
        while (ways_of_config() > 4 &&
               ok()) {  // else there is too much that a set may hold at first
            const uint64_t before = turns;
            for (const uint64_t scrubs = did.scrubs;
                 did.scrubs < scrubs + entries_of_config() && ok();)
                cycle({}, true, 0);
            if (turns == before)
                break;
        }
        for (uint64_t i = 0; i < n && ok(); i++)
            cycle({rng() % 4 != 0, some[rng() % some.size()]}, rng() % 64 == 0, 0);
        if (entries_of_config() >= 64)  // with fewer some words whose bit `valid` turned are enough
            expect("THRESH of a table that is not full", did.threshs, 0);
        return ok();
    }

    // Walks of the set that SCRUB comes to, in a table that is full by PERMILLE at most; most
    // entries are old or soon will be: what is removed and what comes to its place meet within few
    // slots.
    bool run_removed(unsigned sweeps, unsigned permille) {
        mismatch.style = "removed all the time";
        reset(0);
        const unsigned entries = entries_of_config(), ways = ways_of_config(),
                       sets = entries / ways,
                       some = std::max(1u, sets * permille / 1000);  // sets in play
        const uint64_t quarter = 1ull << (config().time_w - 2);
        const Walk none = {};
        std::vector<std::vector<Page>> of(sets);
        for (unsigned left = some * (ways + 1); left > 0;) {
            const Page p = random_page();
            const unsigned set = (hash_of(p) & 0xFFFF) % sets;
            if (set >= some || of[set].size() > ways)
                continue;
            of[set].push_back(p);
            left--;
        }
        for (unsigned i = 0; i < sweeps && ok(); i++) {
            for (int k = 0; k < 12; k++) cycle(none, false, 0);
            cycle(none, false, rng() % 2 ? quarter : quarter / 2);
            for (const uint64_t scrubs = did.scrubs; did.scrubs < scrubs + entries && ok();) {
                const std::vector<Page> &pages = of[next() / ways];
                Walk w = {};
                w.valid = !pages.empty() && rng() % 3 == 0;
                if (w.valid)
                    w.page = pages[rng() % pages.size()];
                cycle(w, rng() % 4 == 0, 0);
            }
        }
        return ok();
    }

    // Takes entries until THRESH comes: how many fewer than are counted there are, or more. (The
    // bit `valid` itself may have turned.)
    int miscount() {
        const Walk none = {};
        const unsigned ways = ways_of_config(), sets = entries_of_config() / ways;
        const uint64_t before = did.threshs;
        while (did.threshs == before && ok()) {
            for (int k = 0; k < 16; k++) cycle(none, false, 0);
            if (did.threshs != before)
                break;
            Page p = random_page();
            if (words->least() == entries_of_config())
                expect("THRESH of a full table", 0, 1);
            else
                while (words->least((hash_of(p) & 0xFFFF) % sets) == ways) p = random_page();
            cycle({true, p}, false, 0);
        }
        return static_cast<int>(entries_of_config() - entries_of_config() / 8) -
               static_cast<int>(words->least() + words->most()) / 2;
    }

    // Ages at, below and above the limit of SCRUB; intervals of all magnitudes.
    bool boundaries() {
        mismatch.style = "boundaries";
        reset(0);
        jumping = true;
        const uint64_t quarter = 1ull << (config().time_w - 2);
        const Walk none = {};
        for (const uint64_t age : {quarter - 1, quarter, quarter + 1, 2 * quarter - 1,
                                   3 * quarter / 2, quarter - 2, quarter - 1 - rng() % 16}) {
            const Walk w = {true, random_page()};
            cycle(none, false, rng() % 1024);  // stamps of all kinds
            cycle(w, false, 0);
            for (int i = 0; i < 6; i++) cycle(none, false, 0);  // it is done
            cycle(none, false, age - 1);                        // the next access is a walk more
            cycle(w, false, 0);  // a reuse interval of AGE, and a stamp of this moment
            for (int i = 0; i < 6; i++) cycle(none, false, 0);
            now = (now + age) & mask(config().time_w);
            const uint64_t scrubs = did.scrubs;
            for (unsigned i = 0;
                 did.scrubs < scrubs + entries_of_config() && ok() && i < 6 * entries_of_config();
                 i++)
                cycle(none, i % 2 == 0, 0);
            for (int i = 0; i < 8; i++) cycle(none, false, 0);
        }
        return drain(quarter);
    }

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

   private:
    std::mt19937_64 rng;
    VerilatedContext context;
    std::unique_ptr<Vdut> dut;
    std::unique_ptr<Twin> own;
    Walk pipe[6] = {};
    uint64_t now = 0, budget = 0;
    uint64_t calm = 1000;   // permille of the cycles in which SCRUBs need not wait
    unsigned calm_was = 0;  // bit 4: it was so when the slot that is done now was given away
    bool jumping = false;   // time jumps by hand, beyond what scrubs by the clock allow
    std::vector<Page> pool;
    std::size_t at = 0;
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

    // Low 32 bits of the key, changed by this pattern shifted, keep the hash: a multiple of
    // CRC-32C.
    Page same_hash(Page p, unsigned shift) const {
        const unsigned __int128 flip = static_cast<unsigned __int128>(1ull | 0x82F63B78ull << 1)
                                       << shift;
        const unsigned __int128 key =
            (static_cast<unsigned __int128>(p.asid) << config().vpn_w | p.vpn) ^ flip;
        return {static_cast<uint32_t>(static_cast<uint64_t>(key >> config().vpn_w)),
                static_cast<uint64_t>(key) & mask(config().vpn_w)};
    }
    // Another page of the same name: two bits of the rest that fold to one are flipped.
    Page same_name(Page p) {
        const uint32_t hash = hash_of(p);
        p.vpn ^= (1ull << 32 | 1ull << (32 + GMMU_SAMPLER_REST)) << rng() % 7;
        return with_hash(p, hash);
    }
    // A page whose name differs in one bit, of hash or rest; in the same set.
    Page near_name(Page p) {
        const uint32_t hash = hash_of(p), bit = static_cast<uint32_t>(rng() % 37);
        if (bit >= 24)
            p.vpn ^= 1ull << (32 + bit - 24);
        return with_hash(p, bit < 24 ? hash ^ 1u << (8 + bit) : hash);
    }
    Page random_page() {
        return {static_cast<uint32_t>(rng() & mask(config().asid_w)), rng() & mask(config().vpn_w)};
    }
    void make_pages(const Style &s) {
        const unsigned sets = entries_of_config() / ways_of_config();
        const unsigned key_w = config().asid_w + config().vpn_w;
        pool.clear();
        at = 0;
        if (s.pages == 0) {
            pool = low_pages();
            return;
        }
        if (s.sets == 0) {
            const unsigned n = s.pages * entries_of_config() / 8;
            const Page base = random_page();
            const std::vector<Page> &edge = edge_pages();
            for (unsigned i = 0; i < n; i++)
                pool.push_back(
                    rng() % 4 == 0                                    ? edge[rng() % edge.size()]
                    : i > 0 && config().vpn_w >= 52 && rng() % 8 == 0 ? near_name(pool.back())
                    : rng() % 2 == 0                                  ? random_page()
                                     : Page{base.asid, (base.vpn + i) & mask(config().vpn_w)});
            return;
        }
        for (unsigned k = 0; k < s.sets; k++) {
            const unsigned set = k == 0   ? 0
                                 : k == 1 ? sets - 1
                                          : static_cast<unsigned>(rng() % sets);
            for (unsigned n = 0; n < s.pages;) {
                const Page p = random_page();
                // half of them close to the thresholds that will come
                if ((hash_of(p) & 0xFFFF) % sets != set || (rng() % 2 && hash_of(p) >> 28 != 13))
                    continue;
                pool.push_back(p);
                n++;
                if (config().vpn_w >= 52 && n < s.pages && rng() % 8 == 0) {
                    pool.push_back(same_name(p));
                    n++;
                }
                if (key_w > 33 && n < s.pages && rng() % 2) {
                    pool.push_back(same_hash(p, static_cast<unsigned>(rng() % (key_w - 32))));
                    if (hash_of(p) != hash_of(pool.back()))
                        std::abort();
                    n++;
                }
            }
        }
    }
    Page next_page(const Style &s) {
        switch (rng() % 4) {
            case 0:
                return pool[at];  // once more
            case 1:
                at = (at + 1) % pool.size();
                break;
            case 2:
                at = (at + (s.sets ? 1 : pool.size() / 2 + 1)) % pool.size();
                break;
            default:
                at = rng() % pool.size();
        }
        return pool[at];
    }
};

#endif
