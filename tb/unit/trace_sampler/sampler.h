// SPDX-License-Identifier: Apache-2.0
// sampler.h: what the sampler is put through: walks, SCRUBs, resets, words that turn bad.
#ifndef GMMU_TB_TRACE_SAMPLER_SAMPLER_H
#define GMMU_TB_TRACE_SAMPLER_SAMPLER_H

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <vector>

#include "bits.h"
#include "blocks/trace_sampler.h"
#include "lockstep.h"
#include "pages.h"

enum Pulses { NONE, CLOCK, SOME, MANY };  // scrubs: none, by time, at random, nearly every cycle

struct Style {
    const char *name = "";
    unsigned walk = 0;  // permille of the cycles
    unsigned sets = 0;  // in play; 0: all
    unsigned pages =
        0;  // for each set in play; with all sets, for each entry, in eighths; 0: low ranks
    Pulses pulses = NONE;
    bool fast = false;    // time runs as fast as scrubs by the clock allow
    unsigned sample = 0;  // first threshold
    uint64_t cycles = 0;
};

// What the sampler is put through.
class Sampler : public Lockstep {
   public:
    using Lockstep::Lockstep;

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

   private:
    std::vector<Page> pool;
    std::size_t at = 0;

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
