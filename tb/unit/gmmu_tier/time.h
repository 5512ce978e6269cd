// SPDX-License-Identifier: Apache-2.0
// time.h: random runs behind a walker that replays and a driver to which faults take time
// (tb/driver/walker.h, batch.h).
//
// State space: one to hundreds of accesses at a time, more than there are frames too; batches of 1
// to 256; walks of different pages that overtake; pages that nobody asked for, decisions that are
// not followed, pages that leave by themselves, pinned frames, accesses that are given up,
// decisions ahead, frames taken by force; slots of Tier 2 that hold another page. Parameter space:
// of the registers all searches, all ways to place a victim, cfg_fresh from off to many walks,
// cfg_ahead from off to a quarter of memory.
#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>

#include "driver/timed_run.h"
#include "lockstep/lockstep.h"
#include "setup.h"

// What one seed makes of registers, walker and driver.
struct AnyTime {
    std::mt19937 rng;
    gmmu_regs regs;
    driver::BatchDriver::Settings d;
    driver::Walker::Settings w;
    unsigned pages, events;  // steps from a flush, or another register, to the next; 0: none
    bool swept, tiers;

    unsigned below(unsigned n) { return static_cast<unsigned>(rng() % n); }
    bool half() { return below(2) != 0; }
    // Every access is served at last. (An operation that names a wrong slot is refused, and not
    // repeated; without frames that are fresh for long enough a page may leave before its use,
    // again and again.)
    bool progresses() const {
        return config().late >= 8 && regs.fresh >= 6 && events == 0 && d.stale_slots == 0 &&
               w.stale_slot == 0;
    }

    explicit AnyTime(uint32_t seed) : rng(seed) {
        regs = gmmu_regs_default(&config());
        registers();
        d.batch = 1 + below(half() ? 8 : 256);
        d.any_size = half();
        d.collects = below(half() ? 400 : 100 + 40 * std::min(d.batch, regs.frames));
        d.latency = below(half() ? 40 : 2000);
        d.each = below(40);
        d.lag = half() ? 0 : below(60);
        d.patience = 100 + below(400);
        d.prefetches = half() ? 0 : below(900);
        d.cancels = half() ? 0 : below(200);
        d.frees = half() ? 0 : below(400);
        d.frees_unused = half();
        d.pins = half() ? 0 : below(200);
        d.most_pins = below(regs.frames / 3 + 1);
        d.seed = static_cast<uint32_t>(rng());
        w.warps = 1 + below(half() ? 8 : half() ? 100 : 300);
        w.tlbs = 1 + below(3);
        w.tells = below(4) != 0;
        w.every = 1 + below(half() ? 3 : 24);
        w.delay = half() ? 0 : below(400);
        w.gives_up = half() ? 0 : below(500);
        w.seed = static_cast<uint32_t>(rng());
        pages = 1 + below(4 * regs.frames + 8);
        events = below(5) ? 0 : 1 + below(3000);
        swept = below(3) == 0;
        if (tiers && below(6) == 0) {
            d.stale_slots = 100;
            w.stale_slot = 200;
        }
    }
    // Another value of a register, or of cfg_flush.
    void change(Lockstep *step) {
        if (half())
            return step->flush(below(2), half());
        step->change([this](gmmu_regs &r) {
            if (half())
                r.fresh = config().late == 0 ? 0 : below(12);
            else
                r.ahead = below(r.frames / 4 + 1);
        });
    }

   private:
    void registers() {
        const unsigned sizes[] = {24, 24, 100, 400};
        regs.frames = std::min(1 + below(sizes[below(4)]), config().frames);
        regs.search = below(3);
        regs.feed = below(2);
        regs.protect = half() ? 0 : below(200);
        regs.fresh = config().late == 0 || below(5) == 0 ? 0 : 6 + below(8);
        regs.ahead = half() ? 0 : below(regs.frames / 4 + 1);
        tiers = config().t2_slots != 0 && half();
        if (!tiers)
            return;
        regs.tier = 1 + below(4);
        regs.t2_slots = std::min(1 + below(half() ? 8 : 100), config().t2_slots);
        regs.t2_full = below(2);
        regs.tie = below(2);
        regs.tier_model = below(2);
        regs.tier_near = below(200);
        regs.tier_far = regs.tier_near + below(2000);
    }
};

// What happened in all runs.
struct TimePassed {
    uint64_t runs = 0, ended = 0, actions = 0, cycles = 0, accesses = 0;
    uint32_t slots = 0;  // of Tier 2, with a page at a run's end: the most
    gmmu_counters unit = {};
    driver::BatchDriver::Counts driver;

    // FROM: where the counters began (lockstep/counters.h).
    void add(const gmmu_counters &from, const gmmu_counters &to,
             const driver::BatchDriver::Counts &did) {
        unit.again += to.again - from.again;
        unit.lost += to.lost - from.lost;
        unit.late += to.late - from.late;
        unit.merged += to.merged - from.merged;
        unit.none_fresh += to.none_fresh - from.none_fresh;
        unit.ahead += to.ahead - from.ahead;
        unit.fault_drops += to.fault_drops - from.fault_drops;
        driver.evictions += did.evictions;
        driver.forced += did.forced;
        driver.cancelled += did.cancelled;
        driver.ahead_cancelled += did.ahead_cancelled;
        driver.prefetched += did.prefetched;
        driver.freed += did.freed;
        driver.pinned += did.pinned;
        driver.resident += did.resident;
        driver.going += did.going;
        driver.largest = std::max(driver.largest, did.largest);
    }
    void print() const {
        using Number = unsigned long long;
        std::printf(
            "%llu accesses in %llu runs, %llu of them ended: %llu actions compared in %llu "
            "cycles\n",
            Number{accesses}, Number{runs}, Number{ended}, Number{actions}, Number{cycles});
        std::printf(
            "%llu again, %llu lost, %llu late, %llu joined, %llu dropped, %llu NONE of fresh "
            "frames, %llu ahead\n",
            Number{unit.again}, Number{unit.lost}, Number{unit.late}, Number{unit.merged},
            Number{unit.fault_drops}, Number{unit.none_fresh}, Number{unit.ahead});
        std::printf(
            "%llu evictions, %llu ASK by force, %llu + %llu cancelled, %llu prefetched, %llu "
            "freed, %llu pinned, %llu resident, %llu going, "
            "largest batch %llu\n",
            Number{driver.evictions}, Number{driver.forced}, Number{driver.cancelled},
            Number{driver.ahead_cancelled}, Number{driver.prefetched}, Number{driver.freed},
            Number{driver.pinned}, Number{driver.resident}, Number{driver.going},
            Number{driver.largest});
    }
};

// ACCESSES to generated pages, in the way of A.
class GeneratedPages {
   public:
    GeneratedPages(const AnyTime &a, uint64_t accesses, uint32_t seed)
        : pages_(a.pages), swept_(a.swept), left_(accesses), rng_(seed), odd_(rng_() << 1 | 1) {
        odd_ = odd_ << 32 | rng_() | 1;
    }
    bool next(driver::Access *a) {
        if (left_ == 0)
            return false;
        left_--;
        const uint64_t p = rng_() % pages_;
        a->page = page(swept_ ? left_ % pages_ : rng_() % 2 ? p : p / 4);
        a->ref = rng_() % 9;
        a->write = rng_() % 4 == 0;
        return true;
    }
    // Any page, some of which nobody asks for.
    driver::Page guess() { return page(rng_() % (pages_ + pages_ / 2 + 1)); }

   private:
    const uint64_t pages_;
    const bool swept_;
    uint64_t left_;
    std::mt19937 rng_;
    uint64_t odd_;

    // Different pages have different names, with any bits.
    driver::Page page(uint64_t p) const {
        const uint64_t vpn = p * odd_;
        return {p % 7 == 3, config().vpn_w == 64 ? vpn : vpn & ((1ull << config().vpn_w) - 1)};
    }
};

// One run in the way of A; the mismatch, if any.
inline Mismatch any_time(const char *ram, AnyTime a, uint32_t seed, uint64_t accesses,
                         TimePassed *all) {
    Lockstep step(config(), a.regs, ram, seed);
    GeneratedPages source(a, accesses, seed);
    driver::TimedRun<Lockstep> run(
        &step, a.regs, a.d, a.w, step.memory_slack(),
        [&source](unsigned, driver::Access *access) { return source.next(access); },
        [&source](driver::Page) { return source.guess(); });
    const unsigned ready = a.half() ? 1000 : 100 + a.below(900);
    step.rit().ready = a.half() ? 1000 : 100 + a.below(900);
    if (!step.reset())
        return step.mismatch;
    const gmmu_counters from = gmmu_tier_counters(&step.twin);
    const uint64_t patience = 400000 + 100 * a.d.latency,
                   most = a.progresses() ? UINT64_MAX : 60 * accesses;
    bool calm = false;
    while (!step.mismatch.found && !run.ended() && run.idle() < patience && run.cycle < most) {
        if (a.events != 0 && a.below(a.events) == 0)
            a.change(&step);
        if (!calm && run.walker.done()) {
            calm = true;
            run.driver.calm();
        }
        run.step(a.below(1000) < ready);
    }
    const driver::Walker::Counts &walks = run.walker.counts();
    all->runs++;
    all->ended += run.ended();
    all->accesses += walks.accesses;
    all->actions += step.did.actions();
    if (a.regs.t2_slots != 0)
        all->slots = std::max(all->slots, step.twin.place.slots.held);
    all->cycles += step.did.cycles;
    all->add(from, gmmu_tier_counters(&step.twin), run.driver.counts());
    if (step.mismatch.found)
        return step.mismatch;
    if (run.ended()) {
        step.finish();
        EXPECT_EQ(run.digest.value(), step.twin_digest().value());
        EXPECT_EQ(walks.accesses, accesses);
        EXPECT_EQ(walks.accesses, walks.walks);
        EXPECT_EQ(walks.served + walks.given_up, walks.accesses);
    } else {
        EXPECT_FALSE(a.progresses()) << walks.served << " of " << accesses << " accesses served in "
                                     << run.cycle << " cycles";
    }
    if (a.d.stale_slots == 0 && a.w.stale_slot == 0) {
        EXPECT_EQ(step.twin.stats.stale_hits, from.stale_hits);
    }
    return step.mismatch;
}
