// SPDX-License-Identifier: Apache-2.0
// trace_sampler_test.cpp: the sampler's RTL against its C twin, action by action; and what the twin
// finds against a plain map of last accesses.
//
// State space: pages of one to a few sets back to back (more pages than ways, pages of equal hash),
// of all sets, and a footprint far beyond the table, so that every way of filling, hitting,
// replacing, lowering the threshold and scrubbing meets every other in the same and in neighbouring
// cycles; one walk in every cycle to sparse ones; scrubs by the clock, in excess, and none; slots
// stolen; time that wraps while entries age out; resets in the middle of a run.
// Parameter space: the configuration that it is built for, all first thresholds, the three RAM
// collision models, random initial state.
#include "blocks/trace_sampler.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <fstream>
#include <map>
#include <memory>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "Vdut.h"
#include "bits.h"
#include "blocks/crc32c.h"
#include "blocks/gmmu_tier.h"
#include "sizes.h"

namespace {

const gmmu_config &config() {
    return config_of_build();
}
bool is_tiny() {
    return std::string(GMMU_CONFIG_NAME) == "tiny";
}
unsigned entries_of_config() {
    return config().sampler;
}
unsigned ways_of_config() {
    return config().sways;
}
unsigned row_bits() {
    return gmmu_index_bits(config().classes);
}

uint32_t seed_of_run() {
    const char *s = std::getenv("GMMU_SEED");
    return s ? static_cast<uint32_t>(std::strtoul(s, nullptr, 0)) : 1;
}
// Actions that LockStep has to reach (scripts/block_sim.py wants many); 0: its own.
[[maybe_unused]] uint64_t actions_of_run() {
    const char *s = std::getenv("GMMU_ACTIONS");
    return s ? std::strtoull(s, nullptr, 0) : 0;
}
uint64_t mask(unsigned bits) {
    return bits >= 64 ? ~0ull : (1ull << bits) - 1;
}

struct Page {
    uint32_t asid;
    uint64_t vpn;
    bool operator<(const Page &o) const { return asid != o.asid ? asid < o.asid : vpn < o.vpn; }
};
uint32_t hash_of(const Page &p) {
    return gmmu_hash(p.asid, config().asid_w, p.vpn, config().vpn_w);
}

// The twin with memory of its own.
struct Twin {
    std::vector<char> memory;
    gmmu_arena arena = {};
    gmmu_trace_sampler ts = {};
    explicit Twin(unsigned entries, unsigned ways, unsigned sample)
        : memory(entries * sizeof(gmmu_sampler_entry) + 64) {
        arena = {memory.data(), memory.size(), 0};
        if (gmmu_trace_sampler_init(&ts, &config(), entries, ways, sample, &arena) != 0)
            std::abort();
    }
};

// Pages whose rank is at one of the thresholds that occur, or just below it.
const std::vector<Page> &edge_pages() {
    static std::vector<Page> pages;
    std::vector<bool> wanted(65536), found(65536);
    std::size_t left = 0;
    if (!pages.empty())
        return pages;
    for (uint32_t first : {65536u, 32768u, 8192u, 256u})
        for (uint32_t t = first, i = 0; i < 8; i++, t -= std::max(1u, t / 8))
            for (uint32_t v : {t - 1, t})
                if (v < 65536 && !wanted[v]) {
                    wanted[v] = true;
                    left++;
                }
    std::mt19937_64 rng(1);
    while (left > 0) {
        const Page p = {static_cast<uint32_t>(rng() & mask(config().asid_w)),
                        rng() & mask(config().vpn_w)};
        const uint32_t rank = hash_of(p) >> 16;
        if (!wanted[rank] || found[rank])
            continue;
        found[rank] = true;
        left--;
        pages.push_back(p);
    }
    return pages;
}

// P with the low 32 bits of its page number such that its hash is HASH: the CRC register backwards.
Page with_hash(Page p, uint32_t hash) {
    const unsigned vpn_w = config().vpn_w, asid_w = config().asid_w;
    uint32_t crc = ~hash;
    p.vpn &= ~mask(32);
    for (unsigned i = vpn_w + asid_w; i-- > 0;) {
        const uint32_t bit =
            (i >= vpn_w ? p.asid >> (i - vpn_w) : static_cast<uint32_t>(p.vpn >> i)) & 1;
        const uint32_t mix = crc >> 31;
        crc = (crc ^ (mix ? 0x82F63B78u : 0u)) << 1 | (mix ^ bit);
    }
    p.vpn |= ~crc;
    if (hash_of(p) != hash)
        std::abort();
    return p;
}

// Pages of the ranks 0 and 1, two and a half for each entry: for the lowest thresholds.
const std::vector<Page> &low_pages() {
    static std::vector<Page> pages;
    const unsigned vpn_w = config().vpn_w, asid_w = config().asid_w;
    std::mt19937_64 rng(2);
    if (!pages.empty())
        return pages;
    if (vpn_w < 32 && vpn_w + asid_w > 24) {  // by chance
        while (pages.size() < 5 * entries_of_config() / 2) {
            const Page p = {static_cast<uint32_t>(rng() & mask(asid_w)), rng() & mask(vpn_w)};
            if (hash_of(p) >> 17 == 0)
                pages.push_back(p);
        }
        return pages;
    }
    if (vpn_w < 32) {  // all there are
        for (uint64_t key = 0; key <= mask(vpn_w + asid_w); key++) {
            const Page p = {static_cast<uint32_t>(key >> vpn_w), key & mask(vpn_w)};
            if (hash_of(p) >> 17 == 0)
                pages.push_back(p);
        }
        return pages;
    }
    while (pages.size() < 5 * entries_of_config() / 2) {
        const Page p = {static_cast<uint32_t>(rng() & mask(asid_w)), rng() & mask(vpn_w)};
        pages.push_back(with_hash(p, static_cast<uint32_t>(rng() & 0x1FFFF)));
    }
    return pages;
}

struct Setup {
    const char *ram;
    uint32_t seed;
    unsigned fault;
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
    uint64_t cycles = 0;
    struct {
        uint64_t walks, lookups, hits, replaced, stolen, scrubs, removed, aged, threshs, shared,
            wraps;
    } did = {};
    uint64_t actions() const { return did.walks + did.scrubs + did.threshs; }

    explicit Sampler(const Setup &s) : rng(s.seed * 7919ull + 3) {
        const std::string ram = std::string("+ram=") + s.ram;
        const std::string fault = "+fault=" + std::to_string(s.fault);
        const char *args[] = {"bench", ram.c_str(), fault.c_str()};
        context.commandArgs(3, args);
        context.randReset(2);
        context.randSeed(static_cast<int>(s.seed));
        dut = std::make_unique<Vdut>(&context);
        mismatch.setup = s;
    }

    const gmmu_trace_sampler &twin() const { return own->ts; }

    void reset(unsigned sample) {
        own = std::make_unique<Twin>(entries_of_config(), ways_of_config(), sample);
        dut->rst = 1;
        dut->clear = 0;
        dut->scrub_calm = 1;  // gmmu_tier_test withholds it
        for (int i = 0; i < 6; i++) {
            noise();
            dut->w4_valid = rng() % 2;
            dut->scrub_owed = rng() % 2;
            dut->cfg_sample = sample;
            tick();
        }
        dut->rst = 0;
        dut->clear = 1;
        dut->w4_valid = 0;
        unsigned n = 0;
        do {
            noise();
            dut->scrub_owed = 0;
            tick();
        } while (!dut->cleared && ++n < 2 * entries_of_config());
        expect("cleared", dut->cleared, 1);
        for (int i = 0; i < 4; i++) tick();
        dut->clear = 0;
        dut->cfg_sample = rng() % 9;  // taken at reset only
        for (Walk &w : pipe) w = {};
        pulses.clear();
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

    // Ages at, below and above the limit of SCRUB; intervals of all magnitudes.
    bool boundaries() {
        mismatch.style = "boundaries";
        reset(0);
        jumping = true;
        const uint64_t quarter = 1ull << (config().time_w - 2);
        const Walk none = {};
        for (const uint64_t age :
             {quarter - 1, quarter, quarter + 1, 2 * quarter - 1, quarter - 2, 3 * quarter / 2}) {
            const Walk w = {true, random_page()};
            cycle(w, false, 0);
            for (int i = 0; i < 5; i++) cycle(none, false, 0);
            cycle(none, false, age - 1);  // the next access is a walk more
            cycle(w, false, 0);           // a reuse interval of AGE, and a stamp of this moment
            for (int i = 0; i < 5; i++) cycle(none, false, 0);
            now = (now + age) & mask(config().time_w);
            const uint64_t scrubs = did.scrubs;
            for (unsigned i = 0;
                 did.scrubs < scrubs + entries_of_config() && ok() && i < 4 * entries_of_config();
                 i++)
                cycle(none, i % 2 == 0, 0);
            for (int i = 0; i < 8; i++) cycle(none, false, 0);
        }
        return drain(quarter);
    }

    // One cycle: W at w4, a pulse of scrub_owed; afterwards time jumps.
    void cycle(const Walk &w, bool pulse, uint64_t jump) {
        noise();
        dut->w4_valid = w.valid;
        if (w.valid || rng() % 2) {  // also a page without a walk
            dut->w4_asid = w.page.asid;
            dut->w4_vpn = w.page.vpn;
        }
        dut->scrub_owed = pulse;
        const Walk w9 = pipe[4];
        std::copy_backward(pipe, pipe + 4, pipe + 5);
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
        for (unsigned i = 0; i < entries_of_config() + 100 && ok(); i++) cycle(none, false, 0);
        expect("idle at rest", dut->idle, 1);
        expect("owed at rest", 0, own->ts.thresh_owed || own->ts.pass_left);
        jumping = true;
        now = (now + quarter) & mask(config().time_w);
        const uint64_t scrubs = did.scrubs;
        for (unsigned i = 0; did.scrubs < scrubs + entries_of_config() && ok(); i++) {
            cycle(none, i % 2 == 0, 0);
            if (i > 4 * entries_of_config() + 16)
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
    Walk pipe[5] = {};
    uint64_t now = 0, budget = 0;
    bool jumping = false;  // time jumps by hand, beyond what scrubs by the clock allow
    std::vector<Page> pool;
    std::size_t at = 0;
    // what the scheduler owes
    std::deque<uint64_t> pulses;  // cycles of those without a SCRUB yet
    uint64_t owed_at = 0, pass_at = 0, last_scrub = 0;

    void tick() {
        dut->clk = 0;
        dut->eval();
        dut->clk = 1;
        dut->eval();
        cycles++;
    }
    void noise() {
        dut->w4_asid = rng() & mask(config().asid_w);
        dut->w4_vpn = rng() & mask(config().vpn_w);
        dut->w9_class = rng() & mask(row_bits() + config().gen_w);
        dut->w9_time = rng() & mask(config().time_w);
        dut->now = rng() & mask(config().time_w);
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

    void compare(const Walk &w9) {
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
        if (ts->thresh_owed && cycles > owed_at + 8)
            expect("THRESH overdue", 0, 1);
        // SCRUB
        const bool scrub = dut->tvi_scrub_valid;
        uint64_t may_steal = ~0ull;
        if (!pulses.empty())
            may_steal = pulses.front() + 67;
        if (ts->pass_left > 0)
            may_steal = std::min(may_steal, pass_at + 63);
        may_steal = std::max(may_steal, last_scrub + 64);
        if (scrub) {
            if (ts->pass_left == 0)
                expect("SCRUB owed", 1, !pulses.empty() && pulses.front() + 4 <= cycles);
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
                pool.push_back(rng() % 4 == 0 ? edge[rng() % edge.size()]
                               : rng() % 2 == 0
                                   ? random_page()
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

// name, walks, sets, pages, scrubs, fast, sample, cycles
const Style styles[] = {
    {"one set, every cycle", 1000, 1, 6, SOME, false, 0, 6000},
    {"two sets, every cycle", 1000, 2, 5, NONE, false, 0, 6000},
    {"three sets, scrubs in excess", 1000, 3, 5, MANY, false, 0, 20000},
    {"a few sets with gaps", 600, 3, 4, MANY, false, 0, 10000},
    {"one set, gaps, time wraps", 500, 1, 5, CLOCK, true, 0, 40000},
    {"all sets, every cycle, thresholds", 1000, 0, 64, SOME, false, 0, 30000},
    {"all sets, gaps, thresholds", 500, 0, 200, SOME, false, 0, 30000},
    {"all sets, sparse, time wraps", 100, 0, 16, CLOCK, true, 0, 60000},
    {"all sets just fitting", 900, 0, 6, CLOCK, false, 0, 10000},
    {"sampled by half, scrubs in excess", 1000, 0, 24, MANY, false, 1, 20000},
    {"sampled by 8", 1000, 0, 100, SOME, false, 3, 20000},
    {"sampled by 256, down to the lowest", 500, 0, 0, SOME, false, 8, 120},
    {"sampled by 256", 1000, 0, 400, MANY, false, 8, 10000},
};

struct Outcome {
    Mismatch mismatch;
    uint64_t actions = 0, cycles = 0;
    uint32_t lowest = GMMU_SAMPLER_ALL;
    uint64_t hits = 0, replaced = 0, stolen = 0, removed = 0, aged = 0, threshs = 0, shared = 0,
             wraps = 0;
};

// SEEDS random initial states for every collision model, or new ones until so many ACTIONS are
// done.
Outcome run_all(unsigned seeds, unsigned fault, uint64_t actions = 0) {
    Outcome o;
    for (unsigned s = 0; s < seeds || o.actions < actions; s++)
        for (const char *ram : {"garbage", "old", "new"}) {
            if (actions != 0 && o.actions >= actions)
                break;
            Sampler b({ram, seed_of_run() * 1000 + s, fault});
            for (const Style &style : styles) {
                if (!b.run(style))
                    break;
                o.lowest = std::min(o.lowest, b.twin().threshold);
            }
            for (unsigned sample = 0; b.ok() && sample <= 8; sample++)  // every first threshold
                (void)b.run({"first threshold", 1000, 0, 8, SOME, false, sample, 40});
            if (b.ok())
                b.boundaries();
            o.actions += b.actions();
            o.cycles += b.cycles;
            o.hits += b.did.hits;
            o.replaced += b.did.replaced;
            o.stolen += b.did.stolen;
            o.removed += b.did.removed;
            o.aged += b.did.aged;
            o.threshs += b.did.threshs;
            o.shared += b.did.shared;
            o.wraps += b.did.wraps;
            o.mismatch = b.mismatch;
            if (b.mismatch.found)
                return o;
        }
    return o;
}

#ifdef GMMU_FAULTS

// Every row of tb/faults.txt that belongs to this block: the bench goes red.
TEST(TraceSamplerFaults, EachIsSeen) {
    const char *root = std::getenv("GMMU_ROOT");
    std::ifstream in(std::string(root ? root : ".") + "/tb/faults.txt");
    ASSERT_TRUE(in.good());
    const Outcome none = run_all(1, 0);
    EXPECT_FALSE(none.mismatch.found) << none.mismatch.text();
    unsigned rows = 0, seen = 0;
    for (std::string line; std::getline(in, line);) {
        std::istringstream words(line);
        unsigned n;
        std::string bar, block;
        if (!(words >> n >> bar >> block) || block != "trace_sampler")
            continue;
        rows++;
        const Outcome o = run_all(2, n);
        EXPECT_TRUE(o.mismatch.found) << "not seen: " << line;
        seen += o.mismatch.found;
    }
    std::printf("trace_sampler: %u of %u faults seen\n", seen, rows);
    EXPECT_GE(rows, 6u);
}

#else

TEST(TraceSampler, LockStep) {
    const uint64_t wanted = actions_of_run();
    const Outcome o = run_all(wanted ? 0 : 6, 0, wanted);
    ASSERT_FALSE(o.mismatch.found) << o.mismatch.text();
    std::printf("trace_sampler (%s): %" PRIu64 " actions compared in %" PRIu64 " cycles: %" PRIu64
                " hits, %" PRIu64 " replaced, %" PRIu64 " stolen, %" PRIu64 " removed (%" PRIu64
                " by age), %" PRIu64 " thresholds, %" PRIu64 " slots shared, %" PRIu64 " wraps\n",
                GMMU_CONFIG_NAME, o.actions, o.cycles, o.hits, o.replaced, o.stolen, o.removed,
                o.aged, o.threshs, o.shared, o.wraps);
    if (wanted)
        return;  // at any sizes
    EXPECT_GT(o.actions, 1000000u);
    // the stimuli are worth it
    EXPECT_GT(o.hits, 100000u);
    EXPECT_GT(o.replaced, 10000u);
    EXPECT_GT(o.stolen, 1000u);
    EXPECT_GT(o.aged, 300u);
    EXPECT_GT(o.threshs, 200u);
    EXPECT_EQ(o.lowest, 1u);
    EXPECT_GT(o.shared, 1000u);
    EXPECT_GE(o.wraps, 6u);
}

// One access in every cycle, each selected: all are looked up; while a pass of SCRUBs is under way,
// all but one in 64.
TEST(TraceSampler, OneAccessACycle) {
    Sampler b({"garbage", seed_of_run(), 0});
    const uint64_t n = 100000;
    b.reset(0);
    for (uint64_t i = 0; i < n + 5; i++)  // as many pages as are left without THRESH
        b.cycle({true, {0, i % (entries_of_config() / 2)}}, false, 0);
    ASSERT_TRUE(b.ok()) << b.mismatch.text();
    EXPECT_EQ(b.did.walks, n);
    EXPECT_EQ(b.did.lookups, n);
    EXPECT_EQ(b.did.stolen, 0u);
    EXPECT_EQ(b.did.threshs, 0u);

    b.reset(0);
    b.did = {};
    std::mt19937_64 rng(seed_of_run());
    uint64_t in_pass = 0, passes = 0;
    for (uint64_t i = 0; passes < 2 && i < 1000000; i++) {
        const bool before = b.twin().pass_left > 0;
        Page p;
        do p = {0, rng() & mask(config().vpn_w)};
        while (hash_of(p) >> 16 >= 40000);  // in the sample after the first THRESHs too
        b.cycle({true, p}, false, 0);
        const bool after = b.twin().pass_left > 0;
        in_pass += after;
        passes += before && !after;
    }
    ASSERT_TRUE(b.ok()) << b.mismatch.text();
    EXPECT_EQ(passes, 2u);
    EXPECT_LE(b.did.stolen, in_pass / 64 + 4);
    EXPECT_EQ(b.did.lookups + b.did.stolen, b.did.walks);
    EXPECT_GE(b.did.lookups * 64, b.did.walks * 63 - 256);
    EXPECT_LE(in_pass, 2 * 64ull * entries_of_config());
}

#endif

// ======== the twin alone: what it finds

#ifndef GMMU_FAULTS

// A walk over phases: a hot part, a loop, strides, chance.
std::vector<Page> some_trace(std::mt19937_64 &rng, std::size_t length, unsigned pages) {
    std::vector<Page> t;
    unsigned loop = 0;
    while (t.size() < length) {
        uint64_t n;
        switch (rng() % 4) {
            case 0:
                n = rng() % (pages / 8);
                break;
            case 1:
            case 2:
                n = loop++ % pages;
                break;
            default:
                n = rng() % pages;
        }
        t.push_back({static_cast<uint32_t>(n & 1), (n * 3) & mask(config().vpn_w)});
    }
    return t;
}

// With every page selected and room for all, exactly the reuse intervals that a map of last
// accesses finds, each with the class of the earlier access.
TEST(TraceSamplerTwin, EveryReuseAtFullRate) {
    std::mt19937_64 rng(seed_of_run());
    Twin twin(65536, 16, 0);
    struct Last {
        uint32_t time;
        gmmu_class cls;
    };
    std::map<Page, Last> last;
    uint32_t time = 0;
    uint64_t reuses = 0;
    for (const Page &p : some_trace(rng, 200000, 8000)) {
        time++;
        const gmmu_class cls = {static_cast<uint16_t>(rng() % 64),
                                static_cast<uint16_t>(rng() % 16)};
        const auto it = last.find(p);
        const gmmu_sampled a = gmmu_trace_sampler_access(&twin.ts, p.asid, p.vpn, cls, time, false);
        ASSERT_TRUE(a.selected);
        ASSERT_EQ(a.hit, it != last.end());
        ASSERT_EQ(a.record, a.hit);
        if (a.hit) {
            ASSERT_FALSE(a.rec.censored);
            ASSERT_EQ(a.rec.interval, time - it->second.time);
            ASSERT_EQ(a.rec.cls.row, it->second.cls.row);
            ASSERT_EQ(a.rec.cls.gen, it->second.cls.gen);
            reuses++;
        }
        last[p] = {time, cls};
    }
    EXPECT_EQ(twin.ts.occupied, last.size());
    EXPECT_FALSE(twin.ts.thresh_owed);
    EXPECT_GT(reuses, 100000u);
}

// Pages of equal hash have equal names only if the rest of their keys folds alike: never while the
// page numbers are below 2^(32 + REST - ASID_W) (docs/blocks/trace_sampler.md, "The page's name").
TEST(TraceSamplerTwin, NamesOfPages) {
    const unsigned vpn_w = config().vpn_w, asid_w = config().asid_w;
    const auto name = [](const Page &p) {
        return gmmu_trace_sampler_name(&config(), p.asid, p.vpn);
    };
    std::mt19937_64 rng(seed_of_run() + 4);
    if (vpn_w <= 32) {  // the hash alone tells them apart
        std::map<uint64_t, Page> seen;
        for (unsigned i = 0; i < 200000; i++) {
            const Page p = {static_cast<uint32_t>(rng() & mask(asid_w)), rng() & mask(vpn_w)};
            const Page first = seen.emplace(name(p), p).first->second;
            ASSERT_TRUE(first.asid == p.asid && first.vpn == p.vpn);
        }
        return;
    }
    const unsigned exact =
        asid_w < GMMU_SAMPLER_REST ? std::min(vpn_w - 32, GMMU_SAMPLER_REST - asid_w) : 0;
    uint64_t equal = 0;
    for (unsigned i = 0; i < 200000; i++) {
        const Page p = {static_cast<uint32_t>(rng() & mask(asid_w)), rng() & mask(32 + exact)};
        Page q = {static_cast<uint32_t>(rng() & mask(asid_w)), rng() & mask(32 + exact)};
        q = with_hash(q, hash_of(p));
        if (asid_w < GMMU_SAMPLER_REST) {
            ASSERT_EQ(name(p) == name(q), p.asid == q.asid && p.vpn == q.vpn);
        }
        // upper bits of all kinds: one in 2^REST of those with equal hash
        q = with_hash({static_cast<uint32_t>(rng() & mask(asid_w)), rng() & mask(vpn_w)},
                      hash_of(p));
        equal += name(p) == name(q);
    }
    const double rate = static_cast<double>(equal) / 200000 * (1u << GMMU_SAMPLER_REST);
    std::printf("names: %" PRIu64 " of 200000 pairs of equal hash are equal: %.2f in 2^%u\n", equal,
                rate, static_cast<unsigned>(GMMU_SAMPLER_REST));
    EXPECT_GT(rate, 0.2);
    EXPECT_LT(rate, 3.0);
}

double distance(const std::map<unsigned, uint64_t> &a, const std::map<unsigned, uint64_t> &b) {
    uint64_t na = 0, nb = 0;
    std::map<unsigned, double> diff;
    for (const auto &x : a) na += x.second;
    for (const auto &x : b) nb += x.second;
    for (const auto &x : a)
        diff[x.first] += static_cast<double>(x.second) / static_cast<double>(na);
    for (const auto &x : b)
        diff[x.first] -= static_cast<double>(x.second) / static_cast<double>(nb);
    double sum = 0;
    for (const auto &x : diff) sum += std::fabs(x.second);
    return sum / 2;
}

// One page in eight: the share of each bin is that of the full histogram, within 0.05 in total
// variation distance; the number of records is an eighth, within 10 %.
TEST(TraceSamplerTwin, AnEighthOfThePagesIsEnough) {
    std::mt19937_64 rng(seed_of_run() + 1);
    const std::vector<Page> trace = some_trace(rng, 400000, 20000);
    std::map<unsigned, uint64_t> full, sampled;
    uint64_t n = 0, m = 0;
    for (unsigned sample : {0u, 3u}) {
        Twin twin(262144, 16, sample);
        uint32_t time = 0;
        for (const Page &p : trace) {
            const gmmu_sampled a =
                gmmu_trace_sampler_access(&twin.ts, p.asid, p.vpn, {1, 0}, ++time, false);
            if (a.record) {
                ASSERT_TRUE(a.hit);
                (sample ? m : n)++;
                (sample ? sampled : full)[static_cast<unsigned>(std::log2(a.rec.interval) * 4)]++;
            }
        }
    }
    const double d = distance(full, sampled),
                 rate = static_cast<double>(m) / static_cast<double>(n);
    std::printf("sampled 1/8: %" PRIu64 " of %" PRIu64
                " reuses (%.4f), total variation distance %.4f\n",
                m, n, rate, d);
    EXPECT_LT(d, 0.05);
    EXPECT_NEAR(rate, 0.125, 0.0125);
}

// A footprint 64 times the table: the threshold falls until the sample fits, and not much further;
// then nearly every sampled access finds its page.
TEST(TraceSamplerTwin, FixedSize) {
    std::mt19937_64 rng(seed_of_run() + 2);
    const unsigned entries = 1024;
    Twin twin(entries, 4, 0);
    gmmu_trace_sampler *ts = &twin.ts;
    uint32_t time = 0, threshs = 0, late = 0, late_hits = 0;
    const unsigned pages = 64 * entries;
    for (unsigned i = 0; i < 3000000; i++) {
        time = (time + 1) & ts->time_mask;
        const gmmu_sampled a = gmmu_trace_sampler_access(ts, 0, rng() % pages, {1, 0}, time, false);
        late += i > 2000000 && a.selected;  // the sample fits by then
        late_hits += i > 2000000 && a.hit;
        ASSERT_LE(ts->occupied, entries);
        if (ts->thresh_owed) {
            const uint32_t before = ts->threshold;
            ASSERT_EQ(gmmu_trace_sampler_thresh(ts), before - std::max(1u, before / 8));
            threshs++;
        }
        while (ts->pass_left > 0) gmmu_trace_sampler_scrub(ts, time);
        ASSERT_LT(ts->occupied, entries - entries / 8);
        if (i % 512 == 0)
            gmmu_trace_sampler_scrub(ts, time);
    }
    // Selected pages: more than fit, or as few as 6/8 of those that fit, but for the sets'
    // overflow.
    const double selected = static_cast<double>(pages) * ts->threshold / GMMU_SAMPLER_ALL;
    std::printf(
        "fixed size: %u THRESH, threshold %u, %.0f of %u pages in the sample, %u entries of %u\n",
        threshs, ts->threshold, selected, pages, ts->occupied, entries);
    EXPECT_GT(late_hits, late * 95 / 100);
    EXPECT_GT(selected, 0.6 * entries);
    EXPECT_LT(selected, 1.2 * entries);
    // the rule's whole way down, and its end
    while (ts->threshold > 1) {
        const uint32_t before = ts->threshold;
        ASSERT_EQ(gmmu_trace_sampler_thresh(ts), before - std::max(1u, before / 8));
    }
    EXPECT_EQ(gmmu_trace_sampler_thresh(ts), 1u);
}

// Pages at any stride from 1 to 4096 spread over the sets (hash[15:0]) and over the ranks
// (hash[31:16]). CRC-32C is linear, so single strides are worse than chance (docs/blocks/
// trace_sampler.md); stated and asserted here: in nine strides of ten chi-square is below its mean
// + 6 standard deviations for both; no set gets four times its share; one page in eight is 0.5
// to 1.5 of an eighth where there are 4096 pages, at most 3 where there are 256; over all strides
// the root mean square of that error is that of independent chance, within 20 %.
TEST(TraceSamplerTwin, HashSpreadsStrides) {
    const unsigned sets = entries_of_config() / ways_of_config();
    const unsigned n =
        static_cast<unsigned>(std::min<uint64_t>(16 * sets, (mask(config().vpn_w) + 1) / 4096));
    std::mt19937_64 rng(seed_of_run() + 3);
    unsigned beyond = 0;
    double worst_set = 0, worst_rank = 0, load = 0, least = 8, most = 0, squares = 0;
    for (unsigned stride = 1; stride <= 4096; stride++) {
        const uint64_t base = rng() & mask(config().vpn_w);
        std::vector<unsigned> in_set(sets), in_rank(16);
        unsigned eighth = 0;
        for (unsigned i = 0; i < n; i++) {
            const uint32_t h =
                hash_of({0, (base + static_cast<uint64_t>(stride) * i) & mask(config().vpn_w)});
            in_set[h % sets]++;
            in_rank[h >> 28]++;
            eighth += h >> 16 < GMMU_SAMPLER_ALL / 8;
        }
        const auto excess = [n](const std::vector<unsigned> &count) {
            const double mean = static_cast<double>(n) / static_cast<double>(count.size());
            const double free = static_cast<double>(count.size() - 1);
            double chi = 0;
            for (unsigned c : count) chi += (c - mean) * (c - mean) / mean;
            return (chi - free) / std::sqrt(2 * free);  // standard deviations above the mean
        };
        const double x = excess(in_set), y = excess(in_rank), share = eighth * 8.0 / n;
        beyond += x > 6 || y > 6;
        worst_set = std::max(worst_set, x);
        worst_rank = std::max(worst_rank, y);
        load = std::max(
            load, static_cast<double>(*std::max_element(in_set.begin(), in_set.end())) * sets / n);
        least = std::min(least, share);
        most = std::max(most, share);
        squares += (share - 1) * (share - 1);
    }
    const double rms = std::sqrt(squares / 4096), chance = std::sqrt(7.0 / n);
    std::printf(
        "strides 1..4096, %u pages each: %u beyond 6 deviations (worst: sets %.1f, ranks %.1f), "
        "fullest set "
        "%.2f of its share, an eighth is %.3f to %.3f of one, rms error %.3f (chance: %.3f)\n",
        n, beyond, worst_set, worst_rank, load, least, most, rms, chance);
    EXPECT_LT(beyond, 4096u / 10);
    EXPECT_LT(load, 4.0);
    EXPECT_GE(least, n >= 4096 ? 0.5 : 0.0);
    EXPECT_LT(most, n >= 4096 ? 1.5 : 3.0);
    EXPECT_LT(rms, 1.2 * chance);
}

#endif

}  // namespace
