// SPDX-License-Identifier: Apache-2.0
// gmmu_tier_test.cpp: the whole unit against its C twin, action by action, on random stimuli.
//
// State space: few pages, references and frames, so that hits, faults, merges, evictions,
// re-allocated rows, full queues and same-cycle meetings on one frame are frequent; walks from one
// every cycle to sparse; a driver that answers at once, late, or does odd things (frees, pins,
// cancels, asks, fills what nobody asked for); decisions taken at once or late.
// Parameter space: the configuration that it is built for; cfg_frames from 1 to all, pseudo-counts
// and censoring on and off, refresh periods from every walk to rare; the three RAM collision
// models; random initial state.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <random>
#include <sstream>

#include "driver.h"
#include "lockstep/lockstep.h"
#include "sizes.h"

namespace {

uint32_t seed_of_run() {
    const char *s = std::getenv("GMMU_SEED");
    return s ? static_cast<uint32_t>(std::strtoul(s, nullptr, 0)) : 1;
}

const gmmu_config &config() {
    return config_of_build();
}

// What a random run is like.
struct Style {
    const char *name;
    unsigned walk_permille;   // of the cycles bring a walk
    unsigned drv_permille;    // of the free cycles bring an answer of the driver
    unsigned odd_permille;    // of the driver's operations are odd ones
    unsigned ready_permille;  // of the cycles a decision is taken
    unsigned stale_permille;  // of the hits name a wrong frame
    unsigned times;           // as many cycles as the others
};

class RandomRun {
   public:
    RandomRun(const char *ram, uint32_t seed, const gmmu_regs &regs, const char *arg)
        : rng(seed),
          step(config(), regs, ram, seed, arg),
          frames(regs.frames),
          page_in(regs.frames) {
        // every bit of a page's and of a reference's number matters, in one run or another
        any_page = static_cast<uint64_t>(rng()) << 32 | rng();
        any_ref = static_cast<uint64_t>(rng()) << 32 | rng();
    }

    Lockstep &lockstep() { return step; }

    // False at the first mismatch.
    bool run(const Style &s, uint64_t cycles, unsigned pages, unsigned refs) {
        if (!begin())
            return false;
        for (uint64_t i = 0; i < cycles && !step.mismatch.found; i++) {
            if (chance(s.walk_permille)) {
                const gmmu_tier_walk_in w = walk(s, pages, refs);
                step.offer_walk(w);
                if (meet_in == 0 && w.fault && chance(20 + s.odd_permille / 10)) {
                    meet = w;
                    meet_in = 5 + below(3);
                }
            }
            // an operation on the page of a fault, in the cycle in which that takes effect
            if (meet_in != 0 && --meet_in == 0 && !drv_waits && s.odd_permille != 0) {
                waiting = {};
                waiting.op = below(4) ? GMMU_ASK : GMMU_CANCEL;
                waiting.vpn = meet.vpn;
                waiting.asid = meet.asid;
                step.offer_drv(waiting);
                drv_waits = true;
            }
            if (!drv_waits && chance(s.drv_permille))
                offer_drv(s, pages);
            step.take_decisions(chance(s.ready_permille));
            after(step.cycle());
        }
        return settle();
    }

    // Reset, before all else. False: the reset sequence does not end.
    bool begin() {
        if (started)
            return true;
        started = true;
        if (!step.reset())
            return false;
#ifndef GMMU_MUTANTS  // their netlist has no variable for an output
        // at the end of a number of bits, of all 32 at last: no run is long enough for the upper
        // ones
        step.count_from((0xFFFFFFFFu >> below(24)) - below(16));
#endif
        return true;
    }

    // A page of its own, for which no other stimulus asks: the driver leaves its decision
    // unanswered, and its fault grows old. SLOT is 0 or 1; from a walk, or by ASK.
    void old_fault(unsigned slot, bool by_walk) {
        gmmu_tier_walk_in w = {};
        w.vpn = old_page(slot);
        w.ref = 0x77 + slot;
        w.write = w.fault = true;
        if (by_walk) {
            step.offer_walk(w);
            after(step.cycle());
        } else {
            operate(GMMU_ASK, old_page(slot), 0);
        }
        (void)settle();
    }
    // At last it is answered: its last access is seen.
    void fill_old_fault(unsigned slot, uint32_t frame) {
        operate(GMMU_FILL, old_page(slot), frame);
        (void)settle();
    }

   private:
    std::mt19937 rng;
    Lockstep step;
    uint32_t frames;
    struct Page {
        bool valid = false, leaving = false;
        uint32_t asid = 0;
        uint64_t vpn = 0;
    };
    std::vector<Page> page_in;  // the driver's view of each frame
    std::deque<gmmu_tier_decision> todo;
    bool started = false, drv_waits = false;
    uint64_t any_page, any_ref;
    gmmu_tier_drv_in waiting = {};
    gmmu_tier_walk_in meet = {};
    unsigned meet_in = 0;  // cycles

    unsigned below(uint64_t n) {
        return static_cast<unsigned>(rng() % n);
    }
    bool chance(unsigned permille) {
        return below(1000) < permille;
    }
    uint64_t old_page(unsigned slot) const {
        return (0x5A5A5u + slot) & ((1ull << std::min(config().vpn_w, 32u)) - 1);
    }
    void operate(unsigned op, uint64_t vpn, uint32_t frame) {
        waiting = {};
        waiting.op = op;
        waiting.vpn = vpn;
        waiting.frame = frame;
        drv_waits = true;
        for (step.offer_drv(waiting); drv_waits && !step.mismatch.found;) after(step.cycle());
    }

    Page some_page(unsigned pages) {
        Page p;
        p.valid = true;
        const unsigned n = below(4) ? below(pages) : below(pages) * below(8) / 8;
        p.vpn = (n % 3 == 0 ? ~0ull << 3 : 0) ^ n;  // both ends of the number range
        if (n % 4 == 2)
            p.vpn = n * (any_page | 1);
        if (n % 8 == 3)
            p.vpn ^= 1ull << (any_page + n) % config().vpn_w;
        p.vpn &= config().vpn_w == 64 ? ~0ull : (1ull << config().vpn_w) - 1;
        p.asid = below(8) ? 0 : below(2) * ((1u << config().asid_w) - 1);
        if (below(16) == 0)
            p.asid = 1u << below(config().asid_w);
        return p;
    }

    gmmu_tier_walk_in walk(const Style &s, unsigned pages, unsigned refs) {
        gmmu_tier_walk_in w = {};
        const Page p = some_page(pages);
        w.vpn = p.vpn;
        w.asid = p.asid;
        const uint64_t r = below(refs);
        w.ref = (r % 2 ? r * (any_ref | 1) : 0x1000 + 0x10 * r) &
                ((config().ref_w == 64 ? 0 : 1ull << config().ref_w) - 1);
        w.write = below(4) == 0;
        w.fault = true;
        for (uint32_t f = 0; f < frames; f++)
            if (page_in[f].valid && page_in[f].vpn == p.vpn && page_in[f].asid == p.asid) {
                w.fault = false;
                w.frame = f;
            }
        if (chance(s.stale_permille)) {
            w.fault = false;
            w.frame = below(1u << gmmu_index_bits(config().frames));
        }
        return w;
    }

    void offer_drv(const Style &s, unsigned pages) {
        gmmu_tier_drv_in d = {};
        if (chance(s.odd_permille)) {
            const Page p = some_page(pages);
            d.op = below(50) ? 1 + below(6) : below(16);
            d.frame = below(100) ? below(frames) : below(1u << gmmu_index_bits(config().frames));
            d.vpn = p.vpn;
            d.asid = p.asid;
            d.dirty = below(2);
            if (d.op == GMMU_PIN && below(4))
                d.op = GMMU_UNPIN;  // or soon nothing is left to evict
            if ((d.op == GMMU_FILL || d.op == GMMU_CANCEL) && !todo.empty() && below(2)) {
                d.vpn = todo.front().vpn;
                d.asid = todo.front().asid;
                d.frame = todo.front().tier == GMMU_TIER_2 ? todo.front().frame : d.frame;
            }
        } else if (!todo.empty()) {
            const gmmu_tier_decision t = todo.front();
            todo.pop_front();
            d.vpn = t.vpn;
            d.asid = t.asid;
            d.op = t.tier == GMMU_TIER_NONE ? GMMU_ASK : GMMU_FILL;
            d.frame = t.frame;
            d.dirty = below(8) == 0;
            if (t.tier == GMMU_TIER_FREE)
                for (uint32_t f = 0; f < frames; f++)
                    if (!page_in[f].valid)
                        d.frame = f;
        } else {
            return;
        }
        step.offer_drv(d);
        waiting = d;
        drv_waits = true;
    }

    void after(const Cycle &c) {
        if (c.drv_taken) {
            drv_waits = false;
            if (waiting.frame < frames && waiting.op == GMMU_FILL) {
                for (Page &p : page_in)
                    if (p.valid && p.vpn == waiting.vpn && p.asid == waiting.asid)
                        p.valid = false;
                page_in[waiting.frame].valid = true;
                page_in[waiting.frame].vpn = waiting.vpn;
                page_in[waiting.frame].asid = waiting.asid;
            }
            if (waiting.frame < frames && waiting.op == GMMU_FREE)
                page_in[waiting.frame].valid = false;
        }
        if (c.decided && c.decision.vpn != old_page(0) && c.decision.vpn != old_page(1))
            todo.push_back(c.decision);
    }

    // No more stimuli: the unit comes to rest, and then nothing is missing.
    bool settle() {
        step.take_decisions(true);
        const uint64_t limit = step.did.cycles + 40ull * config().frames +
                               10000ull * config().classes + (config().frame_mem ? 400000 : 60000);
        unsigned rest = 0;
        while (rest < 16 && step.did.cycles < limit && !step.mismatch.found) {
            const Cycle c = step.cycle();
            after(c);
            rest = c.quiet && !drv_waits ? rest + 1 : 0;
        }
        EXPECT_TRUE(rest == 16 || step.mismatch.found) << "the unit does not come to rest";
        step.finish();
        return rest == 16 && !step.mismatch.found;
    }
};

const Style styles[] = {
    {"one walk a cycle, prompt driver", 1000, 1000, 0, 1000, 0, 1},
    {"one walk a cycle, odd driver", 1000, 300, 500, 500, 20, 1},
    {"dense walks, slow driver", 700, 20, 100, 100, 5, 1},
    {"sparse walks, prompt driver", 60, 1000, 50, 1000, 5, 1},
    {"sparse walks, odd driver", 100, 400, 600, 300, 50, 1},
    {"rest between walks", 2, 1000, 0, 1000, 0, 6},
    {"no walks, busy driver", 2, 1000, 700, 700, 100, 1},
};

// All styles in turn; the registers from SEED. Returns the mismatch, if any.
Mismatch all_styles(const char *ram, uint32_t seed, uint64_t cycles, const char *arg,
                    Activity *did) {
    std::mt19937 rng(seed * 7919 + 17);
    gmmu_regs regs = gmmu_regs_default(&config());
    const uint32_t sizes[] = {8, 1, 5, 32, 3, config().frames < 200 ? config().frames : 200};
    regs.frames = sizes[seed % 6] < config().frames ? sizes[seed % 6] : config().frames;
    regs.pseudo = rng() % 4 != 0;
    regs.censor = rng() % 4 != 0;
    regs.search = rng() % 2;
    regs.feed = rng() % 3 == 0;
    regs.sample = rng() % 3 == 0 ? rng() % 4 : 0;
    const uint32_t periods[] = {0, 4, 6, 9};
    regs.refresh = rng() % 3 ? periods[rng() % 4] : rng() % (config().time_w + 1);
    const unsigned refs = 3 + rng() % (2 * config().classes);
    regs.rit_batch = rng() % 3 ? 1 + rng() % (rng() % 2 ? 8 : config().ritq + 8) : 0;
    regs.rit_fault = rng() % 2;
    regs.rit_wait = rng() % 12;
    regs.transfer = rng() % 4 ? 1 + rng() % 40 : rng() % 2;
    RandomRun run(ram, seed, regs, arg);
    run.lockstep().rit().ready = rng() % 3 ? 1000 : 100 + rng() % 900;
    run.lockstep().hir().ready = rng() % 3 ? 1000 : 60 + rng() % 900;
    const unsigned pages = regs.frames * 2 + 3;
    for (const Style &s : styles)
        if (!run.run(s, cycles * s.times, pages, refs)) {
            run.lockstep().mismatch.field += std::string(" [") + s.name + ", ram=" + ram + "]";
            break;
        }
    did->walks += run.lockstep().did.walks;
    did->cands += run.lockstep().did.actions() - run.lockstep().did.walks;
    did->victims += run.lockstep().did.victims;
    did->cycles += run.lockstep().did.cycles;
    if (regs.search == GMMU_SEARCH_SAMPLE || config().frame_mem)
        did->longest_search = std::max(did->longest_search, run.lockstep().did.longest_search);
    return run.lockstep().mismatch;
}

// So many walks at one a cycle that time wraps (where that is not too long), and then all styles.
Mismatch time_wraps(const char *ram, uint32_t seed, const char *arg, Activity *did) {
    gmmu_regs regs = gmmu_regs_default(&config());
    regs.frames = 9;
    regs.refresh = 9;
    RandomRun run(ram, seed, regs, arg);
    const uint64_t walks = 3ull << (config().time_w - 2);
    Style s = styles[0];
    for (uint64_t done = 0; done < walks; done += 4000) {
        // two faults stay for so long that AGE clamps them
        if (done == 0 && run.begin()) {
            run.old_fault(0, false);
            run.old_fault(1, true);
        }
        if (done / 4000 == walks * 5 / 8 / 4000) {
            run.fill_old_fault(0, 8);
            run.old_fault(0, true);
        }
        // now many pages are forgotten, now all are in use
        const unsigned pages = done / 4000 % 4 == 0 ? 40 : 5;
        // at last faults grow old, because no driver answers
        s.drv_permille = done < walks / 2 ? 1000 : 0;
        if (!run.run(s, 4000, pages, 5))
            break;
    }
    // at the first of these fills time is above 3/4 of its range and all visits of AGE were for a
    // while, at the second it has wrapped
    for (unsigned slot = 0; slot < 2 && !run.lockstep().mismatch.found; slot++) {
        (void)run.run(styles[1], walks / 4, 20, 5);
        if (!run.lockstep().mismatch.found)
            run.fill_old_fault(slot, 7 + slot);
    }
    did->walks += run.lockstep().did.walks;
    did->cands += run.lockstep().did.actions() - run.lockstep().did.walks;
    did->victims += run.lockstep().did.victims;
    did->cycles += run.lockstep().did.cycles;
    return run.lockstep().mismatch;
}

// Scenes, stimulus by stimulus, of what random ones seldom meet.
class Scene {
   public:
    Lockstep step;
    std::deque<gmmu_tier_decision> decisions;

    Scene(const gmmu_regs &regs, const char *ram, const char *arg = nullptr)
        : step(config(), regs, ram, seed_of_run(), arg) {
        EXPECT_TRUE(step.reset());
        step.take_decisions(true);
    }
    bool good() const { return !step.mismatch.found; }
    Cycle cycle() {
        const Cycle c = step.cycle();
        if (c.decided)
            decisions.push_back(c.decision);
        return c;
    }
    void cycles(uint64_t n) {
        for (; n > 0 && good(); n--) cycle();
    }
    void offer_hit(uint64_t page, uint32_t frame, uint64_t ref) {
        gmmu_tier_walk_in w = {};
        w.vpn = page;
        w.frame = frame;
        w.ref = ref;
        step.offer_walk(w);
    }
    void hit(uint64_t page, uint32_t frame, uint64_t ref) {
        offer_hit(page, frame, ref);
        cycle();
    }
    void fault(uint64_t page, uint64_t ref) {
        gmmu_tier_walk_in w = {};
        w.vpn = page;
        w.ref = ref;
        w.fault = true;
        step.offer_walk(w);
        cycle();
    }
    void offer_drv(unsigned op, uint32_t frame, uint64_t page) {
        gmmu_tier_drv_in d = {};
        d.op = op;
        d.frame = frame;
        d.vpn = page;
        step.offer_drv(d);
    }
    void drv(unsigned op, uint32_t frame, uint64_t page) {
        offer_drv(op, frame, page);
        while (good() && !cycle().drv_taken) {
        }
    }
    // Nothing is offered until nothing is under way.
    void rest() {
        const uint64_t limit =
            step.did.cycles + 40ull * config().frames + 10000ull * config().classes + 400000;
        unsigned calm = 0;
        while (calm < 16 && good() && step.did.cycles < limit) calm = cycle().quiet ? calm + 1 : 0;
        EXPECT_TRUE(calm == 16 || !good()) << "the unit does not come to rest";
    }
    // False: there was a mismatch.
    bool end() {
        step.take_decisions(true);
        rest();
        step.finish();
        EXPECT_TRUE(good()) << step.mismatch.text();
        return good();
    }
};

gmmu_regs regs_of(uint32_t frames, unsigned feed, unsigned refresh) {
    gmmu_regs regs = gmmu_regs_default(&config());
    regs.frames = std::min(frames, config().frames);
    regs.feed = feed;
    regs.refresh = refresh;
    regs.censor = true;
    return regs;
}

// All clocks rest. Then registers change, a cycle or two before the next walk; and a decision is
// taken late.
Mismatch clocks_rest(const char *ram, uint32_t seed, const char *arg) {
    std::mt19937 rng(seed);
    gmmu_regs regs = regs_of(8, GMMU_FEED_RESIDENT, 3);
    regs.search = rng() % 2;
    Scene s(regs, ram, arg);
    for (uint32_t f = 0; f < 6; f++) s.drv(GMMU_FILL, f, f);
    for (unsigned r = 0; r < 80 && s.good(); r++) {
        s.rest();
        s.cycles(20 + rng() % 20);
        regs.transfer = rng() % 4;
        regs.refresh = 1 + rng() % 5;
        regs.feed = rng() % 2;
        regs.censor = rng() % 2;
        regs.pseudo = rng() % 2;
        regs.rit_batch = rng() % 2;  // none, or each record by itself: none waits when that changes
        s.step.configure(regs);
        s.cycles(1 + rng() % 3);
        s.step.take_decisions(rng() % 2);
        for (unsigned w = rng() % 8; w > 0 && s.good(); w--) {
            const uint32_t f = rng() % 8;
            if (rng() % 2)
                s.hit(f, f, 0x10 + rng() % 4);
            else
                s.fault(20 + rng() % 8, 0x10 + rng() % 4);
            s.cycles(rng() % 3);
        }
        s.cycles(rng() % 400);
        s.step.take_decisions(true);
        s.rest();
        for (; !s.decisions.empty() && s.good();
             s.decisions.pop_front())  // the victim's frame takes the page
            if (s.decisions.front().tier == GMMU_TIER_2)
                s.drv(GMMU_FILL, s.decisions.front().frame, s.decisions.front().vpn);
    }
    if (s.good()) {
        s.rest();
        s.step.finish();
    }
    return s.step.mismatch;
}

#ifndef GMMU_FAULTS

class GmmuTierScenes : public testing::TestWithParam<const char *> {};  // RAM model

// One walk, one operation, one decision, or a few operations without a gap, and rest between: what
// is under way is alone.
TEST_P(GmmuTierScenes, FewThingsBetweenRests) {
    for (unsigned feed = 0; feed < 2; feed++) {
        Scene s(regs_of(8, feed, 2), GetParam());
        for (uint32_t f = 0; f < 8; f++) {
            s.drv(GMMU_FILL, f, f);
            s.rest();
        }
        for (unsigned i = 0; i < 12; i++) {
            s.hit(i % 8, i % 8, 0x10 + i % 3);
            s.rest();
            s.hit(i % 8, (i + 1) % 8, 0x10);  // the frame holds another page
            s.rest();
            s.fault(100 + i, 0x20);
            s.rest();
            s.drv(GMMU_CANCEL, s.decisions.empty() ? 0 : s.decisions.back().frame, 100 + i);
            s.rest();
            s.drv(1 + i % GMMU_ASK, i % 8, i % 8);
            s.rest();
            s.drv(GMMU_UNPIN, i % 8, 0);
            s.rest();
        }
        for (unsigned n = 1; n <= 7; n++) {
            for (uint32_t f = 0; f < n; f++) s.drv(GMMU_FILL, f, f);
            s.rest();
            for (uint32_t f = 0; f < n; f++) s.drv(GMMU_FREE, f, 0);
            s.rest();
        }
        if (!s.end())
            break;
    }
}

// A decision is not taken, so the next fault stays undecided and there is no calm: a REFRESH waits
// for its longest time, or for the fourth walk. All the time faults and operations come.
TEST_P(GmmuTierScenes, NoCalm) {
    const uint64_t longest = config().frame_mem ? 4096 : 4ull << gmmu_index_bits(config().frames);
    std::mt19937 rng(seed_of_run());
    Scene s(regs_of(6, GMMU_FEED_RESIDENT, 0), GetParam());
    for (uint32_t f = 0; f < 4; f++) s.drv(GMMU_FILL, f, f);
    s.rest();
    s.step.take_decisions(false);
    s.fault(10, 0x10);
    s.cycles(40);
    s.fault(11, 0x11);
    s.cycles(40);
    const unsigned rounds = config().frames > 1000 ? 9 : 18;
    for (unsigned r = 0; r < rounds && s.good(); r++) {
        for (unsigned w = 0; w < r % 6; w++) {
            const uint32_t f = rng() % 4;
            s.hit(f, f, 0x10 + rng() % 4);
            s.cycles(rng() % 5 == 0 ? rng() % 1000 : rng() % 40);
        }
        if (config().frames <= 1000 || r % 4 == 3)
            s.cycles(r % 3 == 0 ? rng() % longest : longest + 200 + rng() % longest);
        if (r % 6 == 5) {  // faults that are full, by and by
            s.drv(GMMU_ASK, 0, 12 + r);
            s.fault(40 + r, 0x12);
        }
    }
    for (unsigned i = 0; i < 2 * config().faults; i++)
        s.drv(GMMU_ASK, 0, 80 + i);  // more than there are entries
    EXPECT_TRUE(s.end());
}

// The tick that makes rows pending comes with a record, of the same walk or of a page that leaves
// in that cycle, and after so many records that a row operation need not wait for more: it is
// learnt before the REFRESH.
TEST_P(GmmuTierScenes, RecordWithTheTick) {
    gmmu_regs regs = regs_of(8, GMMU_FEED_RESIDENT, 5);
    regs.sample = 12;  // the sampler, which is not calm either, sees few pages
    Scene s(regs, GetParam());
    for (uint32_t f = 0; f < 8; f++) s.drv(GMMU_FILL, f, f);
    for (unsigned w = 1; w < 20 * 32 && s.good(); w++) {
        const bool tick = w % 32 == 0, left = tick && w % 64 == 0;
        if (left)
            s.hit(99, 3, 0x10);  // the frame holds another page: no record
        else
            s.hit(w % 3, w % 3, 0x10);
        s.cycles(left ? 5 : 1);
        if (left)
            s.drv(GMMU_FREE, 3, 0);
        s.cycles(tick ? 4000 : 24);
        if (left)
            s.drv(GMMU_FILL, 3, 3);
    }
    EXPECT_TRUE(s.end());
}

// More frames than a sample takes, so that the hand stands anywhere; between searches at rest
// another search, or both in turn.
TEST_P(GmmuTierScenes, SearchSwitchesAtRest) {
    std::mt19937 rng(seed_of_run());
    gmmu_regs regs = regs_of(config().k + 24, GMMU_FEED_RESIDENT, 4);
    regs.search = GMMU_SEARCH_SAMPLE;
    Scene s(regs, GetParam());
    for (uint32_t f = 0; f < regs.frames; f++) s.drv(GMMU_FILL, f, f);
    for (unsigned i = 0; i < 60 && s.good(); i++) {
        s.rest();
        for (unsigned n = rng() % 3; n > 0; n--) {
            regs.search ^= 1U;
            s.step.configure(regs);
            s.cycles(1 + rng() % 12);
        }
        s.hit(rng() % regs.frames, rng() % regs.frames, 0x10 + rng() % 4);
        s.fault(1000 + i, 0x20 + rng() % 4);
        s.rest();
        for (; !s.decisions.empty() && s.good(); s.decisions.pop_front())
            s.drv(GMMU_FILL, s.decisions.front().frame, s.decisions.front().vpn);
    }
    EXPECT_TRUE(s.end());
}

TEST_P(GmmuTierScenes, ClocksRest) {
    const Mismatch m = clocks_rest(GetParam(), seed_of_run(), nullptr);
    EXPECT_FALSE(m.found) << m.text();
}

// All frames are in use, at numbers with many bits set: operations on the frames beyond are
// refused, a search comes by all, and no more are in use than there are. The driver is silent, or
// has an operation in each cycle.
TEST_P(GmmuTierScenes, AllFrames) {
    for (const uint32_t frames : {21u, 32u, 40u, 63u})
        for (unsigned search = 0; search < 2; search++) {
            if (frames > config().frames)
                continue;
            gmmu_regs regs = regs_of(frames, GMMU_FEED_SAMPLER, 6);
            regs.search = search;
            Scene s(regs, GetParam());
            for (uint32_t f = 0; f < frames; f++) s.drv(GMMU_FILL, f, f);
            for (uint32_t f = frames;
                 f < std::min(frames + 24, 1u << gmmu_index_bits(config().frames)); f++)
                s.drv(1 + f % GMMU_CANCEL, f, f);
            for (uint32_t bit = 1; bit >> gmmu_index_bits(config().frames) == 0; bit <<= 1)
                if ((frames ^ bit) > frames && (frames ^ bit) < config().frames)
                    s.drv(GMMU_FILL, frames ^ bit, frames);
            for (unsigned i = 0; i < 12 && s.good(); i++) {
                for (unsigned w = 0; w < 20; w++) {
                    const uint32_t f = (7 * w + i) % frames;
                    s.hit(f, f, 0x10 + w % 5);
                }
                s.fault(200 + i, 0x20);
                const std::size_t before = s.decisions.size();
                bool offered = false;
                for (unsigned c = 0; c < 8 * frames + (config().frame_mem ? 80000 : 2000) &&
                                     s.good() && s.decisions.size() == before;
                     c++) {
                    if (i % 3 != 0 && !offered)
                        s.offer_drv(c % 2 ? GMMU_UNPIN : GMMU_PIN, 0, 0);
                    offered = i % 3 != 0;
                    if (s.cycle().drv_taken)
                        offered = false;
                }
                s.cycles(offered ? 20 : 0);
                if (s.decisions.size() == before)
                    break;
                EXPECT_EQ(s.decisions.back().tier, GMMU_TIER_2);
                s.drv(GMMU_FILL, s.decisions.back().frame, 200 + i);
            }
            if (!s.end())
                return;
            EXPECT_EQ(s.decisions.size(), 12u);
        }
}
INSTANTIATE_TEST_SUITE_P(GmmuTier, GmmuTierScenes, testing::Values("old", "new", "garbage"));

// Pages leave in a row while walk hits fill the other queue, at ages a little above each power of
// two, where the bin tells whether an upper bit is lost in any place of a queue.
TEST(GmmuTier, OldPagesLeave) {
    if (config().time_w > 20)
        return;  // as TimeWraps
    enum { IN_A_ROW = 3, LOWEST = 8 };
    const uint32_t last =
        IN_A_ROW * (config().time_w - 2 - LOWEST);  // of all frames: the one that is hit
    Scene s(regs_of(last + 1, GMMU_FEED_RESIDENT, 9), "garbage");
    for (uint32_t f = 0; f <= last; f++) {
        s.drv(GMMU_FILL, f, f);
        s.hit(f, f, 0x10 + f % 3);
    }
    uint32_t t = last + 1;
    for (uint32_t f = 0; f < last && s.good();) {
        s.offer_hit(last, last, 0x10);
        t++;
        if (t <=
            last + 20 + (1u << (LOWEST + f / IN_A_ROW))) {  // a FREE sees a time some cycles ago
            s.cycle();
        } else {
            s.drv(GMMU_FREE, f++, 0);
            if (f % IN_A_ROW == 0)
                s.cycles(400);  // the walks' records go first
        }
    }
    for (unsigned w = 0; w < 1024; w++)
        s.hit(last, last, 0x10);  // refresh ticks: the counts are seen
    EXPECT_TRUE(s.end());
}

TEST(GmmuTier, TimeWraps) {
    if (config().time_w > 20)
        return;  // 16 M walks: tiny has the same RTL and wraps in a second
    Activity did;
    const Mismatch m = time_wraps("garbage", seed_of_run(), nullptr, &did);
    EXPECT_FALSE(m.found) << m.text();
    EXPECT_GT(did.walks, 1ull << config().time_w);
}

// Many settings of the registers, each for a short time.
class ManyShortRuns : public testing::TestWithParam<unsigned> {};
TEST_P(ManyShortRuns, Lockstep) {
    Activity did;
    for (uint32_t s = 6 * GetParam(); s < 6 * GetParam() + 6; s++) {
        const Mismatch m = all_styles(s % 3 == 0   ? "garbage"
                                      : s % 3 == 1 ? "new"
                                                   : "old",
                                      seed_of_run() * 1000 + s, 300, nullptr, &did);
        ASSERT_FALSE(m.found) << m.text();
        ASSERT_FALSE(HasFailure());
    }
    EXPECT_GT(did.victims, 25u);
}
INSTANTIATE_TEST_SUITE_P(GmmuTier, ManyShortRuns, testing::Range(0u, 4u));

TEST(GmmuTier, RandomLockstep) {
    const uint64_t cycles = config().frames > 1000 ? 30000 : 60000;
    // scripts/block_sim.py wants many actions, at any sizes
    const char *wants = std::getenv("GMMU_ACTIONS");
    const uint64_t wanted = wants ? std::strtoull(wants, nullptr, 0) : 0;
    Activity did;
    for (uint32_t s = 0; wanted ? did.walks + did.cands < wanted : s < 6; s++)
        for (const char *ram : {"old", "new", "garbage"}) {
            if (wanted && did.walks + did.cands >= wanted)
                break;
            const Mismatch m = all_styles(ram, seed_of_run() * 100 + s, cycles, nullptr, &did);
            ASSERT_FALSE(m.found) << m.text();
        }
    std::printf("%s: %llu walks and %llu other actions compared in %llu cycles, %llu victims\n",
                GMMU_CONFIG_NAME, static_cast<unsigned long long>(did.walks),
                static_cast<unsigned long long>(did.cands),
                static_cast<unsigned long long>(did.cycles),
                static_cast<unsigned long long>(did.victims));
    if (wanted)
        std::printf("gmmu_tier (%s): %llu actions compared in %llu cycles\n", GMMU_CONFIG_NAME,
                    static_cast<unsigned long long>(did.walks + did.cands),
                    static_cast<unsigned long long>(did.cycles));
    EXPECT_GT(did.victims, 100u);
    // in `large` beside what the memory may take (docs/schedule.md)
    std::printf("longest search by sample %llu cycles\n",
                static_cast<unsigned long long>(did.longest_search));
    if (wants == nullptr) {  // a short run at odd sizes may have no undisturbed search
        EXPECT_GT(did.longest_search, 0u);
    }
    EXPECT_LE(did.longest_search, 100u);
}

#else

// Every row of tb/faults.txt, by hand put into the RTL: the bench goes red and names the block.
// Each row of this block must be found; some of the others need states that only their own bench
// reaches.
TEST(GmmuTier, FaultsAreFound) {
    const char *root = std::getenv("GMMU_ROOT");
    std::ifstream in(std::string(root ? root : ".") + "/tb/faults.txt");
    ASSERT_TRUE(in.good());
    std::string line;
    unsigned rows = 0, named = 0;
    Activity did;
    {
        const Mismatch m = all_styles("garbage", 3, 20000, "+fault=0", &did);
        ASSERT_FALSE(m.found) << "fault 0 is no fault: " << m.text();
    }
    while (std::getline(in, line)) {
        if (line.empty() || line[0] == '#')
            continue;
        std::istringstream fields(line);
        std::string number, block, file;
        std::getline(fields, number, '|');
        std::getline(fields, block, '|');
        std::getline(fields, file, '|');
        const auto trim = [](std::string s) {
            s.erase(0, s.find_first_not_of(' '));
            return s.erase(s.find_last_not_of(' ') + 1);
        };
        block = trim(block);
        if (trim(file).rfind("rtl/frame_mem", 0) == 0)
            continue;  // not a part of this configuration
        if (trim(file) == "rtl/hir_cache.v")
            continue;  // its bench finds them all; nothing else in the unit depends on it
        const std::string arg = "+fault=" + trim(number);
        rows++;
        Mismatch m;
        const uint64_t cycles[] = {4000, 20000, 60000};
        // those of a block must be found by its own bench; here it is a matter of names
        const bool gate = block == "clk_gate";
        const bool own = gate || block == "gmmu_tier";
        for (uint32_t s = 0; s < (own ? 12 : 8) && !m.found; s++)
            m = all_styles(s % 2 ? "garbage" : "old", seed_of_run() * 100 + s, cycles[s / 4],
                           arg.c_str(), &did);
        if (own && !m.found)
            m = time_wraps("old", seed_of_run(), arg.c_str(), &did);
        if (gate && !m.found)
            m = clocks_rest("garbage", seed_of_run(), arg.c_str());
        EXPECT_TRUE(m.found || !own) << "not found: " << line;
        if (!m.found)
            std::printf("not found here: %s\n", line.c_str());
        if (m.found) {
            // a fault in a small part shows in whichever block that has one sees it first
            bool shared = file.find("rtl/lib/") != std::string::npos;
            // an engine that does not end keeps ref_rit's next REFRESH waiting
            shared |= gate || (block == "ppuc" && m.field.rfind("REFRESH overdue", 0) == 0);
            EXPECT_TRUE(shared || m.block == block) << line << "\n  " << m.text();
            named += shared || m.block == block;
        }
    }
    std::printf("%u faults, %u found and named\n", rows, named);
    EXPECT_GT(named, rows * 3 / 4);
}

#endif

}  // namespace
