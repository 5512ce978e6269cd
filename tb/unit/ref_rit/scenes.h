// SPDX-License-Identifier: Apache-2.0
// scenes.h: what random runs seldom do.
#ifndef GMMU_TB_REF_RIT_SCENES_H
#define GMMU_TB_REF_RIT_SCENES_H

#include <vector>

#include "lockstep.h"

class RefRitScenes : public RefRit {
   public:
    using RefRit::RefRit;

    // Some ROWS, each: it gets full, its REFRESH goes before the HALVE, and no record comes after
    // it. What HALVE left is looked at all the same.
    bool halve_after_refresh(unsigned rows) {
        // no more references than ways: the tick's gives no row away
        const unsigned refs = cfg.ways > 1 ? cfg.ways - 1 : 1;
        // clang-format off
        const Style fill = {.execute = 1000, .sets = 16, .refs = refs, .ready = 1000, .calm = 1000, .cycles = 60ull * cfg.classes};
        const Style still = {.tick = 1000};
        const Style hurry = {.tick = 1000, .ready = 1000, .hurry = 1000};
        // clang-format on
        run(fill);
        drain();
        for (unsigned i = 0; i < rows && ok(); i++) {
            const unsigned r = 1 + i * (cfg.classes - 1) / rows;
            const gmmu_class c = {static_cast<uint16_t>(r), twin_.way[r].gen};
            const uint32_t x = static_cast<uint32_t>(rng.edgy(cfg.time_w));
            const unsigned have = twin_.row[r].reuse[gmmu_bin(x, cfg.bins)];
            const uint64_t refreshed = done[REFRESH],
                           limit = cycles + (8ull << cfg.cnt_w) + 64 * START_BOUND;
            queue_[0].assign(bench::mask(cfg.cnt_w) - have - 1, {c, x, false});
            while (ok() && !(queue_[0].empty() && twin_.row[r].dirty && dut->resting)) cycle(still);
            cycle({.execute = 1000, .tick = 1000});  // the tick
            for (unsigned t = 0; t < EXECUTE_CYCLES + 2; t++) cycle(still);
            queue_[0].push_back({c, x, false});
            while (ok() && cycles < limit && !twin_.row[r].halve_owed) cycle(still);
            while (ok() && cycles < limit && done[REFRESH] == refreshed) cycle(hurry);
            expect("a row that is refreshed first is halved later", twin_.row[r].halve_owed, 1);
            while (ok() && cycles < limit && twin_.row[r].halve_owed) cycle(still);
            expect("HALVE makes its row dirty", 1, twin_.row[r].dirty);
            drain();
            // full again while it is pending: it stays so
            queue_[0].assign(bench::mask(cfg.cnt_w) - twin_.row[r].reuse[gmmu_bin(x, cfg.bins)],
                             {c, x, false});
            cycle(still);
            cycle({.execute = 1000, .tick = 1000});
            while (ok() && cycles < limit && !twin_.row[r].halve_owed) cycle(still);
            while (ok() && cycles < limit && twin_.row[r].halve_owed) cycle(still);
            expect("HALVE leaves its row pending", 1, twin_.row[r].pending);
            while (ok() && cycles < limit && twin_.row[r].pending) cycle(hurry);
            expect("row refreshed after its HALVE", 0, twin_.row[r].pending);
            drain();
        }
        return ok();
    }

    // Rows that owe a HALVE at once, TIMES with others: of some the REFRESH goes before it, so that
    // after it rows are looked at that are not followed by row 0.
    bool halves_meet(unsigned times) {
        // clang-format off
        const Style fill = {.execute = 1000, .sets = 16, .refs = cfg.ways, .ready = 1000, .calm = 1000, .cycles = 60ull * cfg.classes};
        const Style still = {.tick = 1000};
        const Style hurry = {.tick = 1000, .ready = 1000, .hurry = 1000};
        // clang-format on
        run(fill);
        drain();
        for (unsigned i = 0; i < times && ok(); i++) {
            const uint32_t x = static_cast<uint32_t>(rng.edgy(cfg.time_w));
            const uint64_t limit = cycles + cfg.classes * ((8ull << cfg.cnt_w) + 64 * START_BOUND);
            const uint64_t some = rng.below(2) ? rng.next() : 2ull << rng.below(cfg.classes - 1),
                           also = rng.next();
            std::vector<gmmu_rit_record> last;
            for (unsigned r = 1; r < cfg.classes; r++) {
                const gmmu_rit_record one = {
                    {static_cast<uint16_t>(r), twin_.way[r].gen}, x, false};
                if (some >> r % 64 & 1)
                    queue_[0].insert(
                        queue_[0].end(),
                        bench::mask(cfg.cnt_w) - 1 - twin_.row[r].reuse[gmmu_bin(x, cfg.bins)],
                        one);
                if ((some | also) >> r % 64 & 1)
                    last.insert(last.begin() + static_cast<long>(rng.below(last.size() + 1)), one);
            }
            while (ok() && cycles < limit && !(queue_[0].empty() && dut->resting)) cycle(still);
            for (unsigned t = 0; t < EXECUTE_CYCLES + DRAIN_CYCLES; t++) cycle(still);
            queue_[0].assign(last.begin(), last.end());
            const bool first = rng.below(4) > 0;  // REFRESH before HALVE
            while (ok() && !queue_[0].empty()) cycle(still);
            cycle({.execute = 1000, .tick = 1000});  // the tick
            for (unsigned t = 0; t < EXECUTE_CYCLES + 2; t++) cycle(first ? hurry : still);
            while (ok() && cycles < limit && first && any_pending()) cycle(hurry);
            while (ok() && cycles < limit && !dut->resting) cycle(still);
            drain();
        }
        return ok();
    }

    // A row alone is pending that is not above the one refreshed last, TIMES with others: row 0's
    // REFRESH and its own went before its HALVE, for which new references left no room.
    // Returns how often.
    unsigned low_row_again(unsigned times) {
        // clang-format off
        const Style fill = {.execute = 1000, .sets = 16, .refs = cfg.ways, .ready = 1000, .calm = 1000, .cycles = 60ull * cfg.classes};
        const Style still = {.tick = 1000};
        const Style flood = {.execute = 1000};
        const Style flood_tick = {.execute = 1000, .tick = 1000};
        const Style flood_hurry = {.execute = 1000, .ready = 1000, .hurry = 1000};
        // clang-format on
        unsigned reached = 0;
        run(fill);
        drain();
        for (unsigned i = 0; i < times && ok(); i++) {
            refs_.draw(1, 2 * cfg.ways);
            unsigned r = 0;
            while (r == 0 || r / cfg.ways == refs_.set_of_first())
                r = static_cast<unsigned>(rng.below(cfg.classes));
            const uint32_t x = static_cast<uint32_t>(rng.edgy(cfg.time_w));
            const gmmu_rit_record one = {{static_cast<uint16_t>(r), twin_.way[r].gen}, x, false};
            const uint64_t limit = cycles + (8ull << cfg.cnt_w) + 512 * START_BOUND;
            const unsigned have = twin_.row[r].reuse[gmmu_bin(x, cfg.bins)];
            queue_[0].assign(bench::mask(cfg.cnt_w) - 2 - have, one);
            while (ok() && cycles < limit && !(queue_[0].empty() && dut->resting)) cycle(still);
            drain();
            queue_[0].push_back(one);
            for (unsigned t = 0; t < 4 * START_BOUND; t++) cycle(flood);
            tick_of(flood_tick, flood);
            while (ok() && cycles < limit && twin_.row[r].pending) cycle(flood_hurry);
            queue_[0].push_back(one);
            while (ok() && cycles < limit && !twin_.row[r].halve_owed) cycle(flood);
            tick_of(flood_tick, flood);
            while (ok() && cycles < limit && any_pending()) cycle(flood_hurry);
            reached += twin_.row[r].halve_owed && !twin_.row[0].dirty;
            while (ok() && cycles < limit && !dut->resting) cycle(still);
            drain();
        }
        return reached;
    }

    // A look of each reference in play, one a cycle, and again: each finds its row, none without
    // one gets one, and a flush has to wait for its turn.
    bool looks_alone() {
        // clang-format off
        const Style fill = {.execute = 1000, .sets = 16, .refs = cfg.ways, .ready = 1000, .calm = 1000, .cycles = 60ull * cfg.classes};
        const Style only = {.ready = 1000, .calm = 1000, .look = 1000};
        const Style order = {.ready = 1000, .calm = 1000, .flush = 1000, .look = 1000};
        // clang-format on
        run(fill);
        drain();
        const std::vector<gmmu_rit_way> before(twin_.way, twin_.way + cfg.classes);
        const uint64_t had = found, given = allocations;
        for (unsigned t = 0; t < 64 * cfg.classes && ok(); t++) cycle(only);
        expect("a look finds a row", found - had > 8, 1);
        expect("a look allocates", allocations - given, 0);
        expect("looks leave no row operation behind", dut->idle, 1);
        cycle(order);
        const uint64_t began = cycles;
        do cycle(only);
        while (ok() && flushes_.flushing());
        expect("cycles that a flush takes between looks", cycles - began,
               cfg.classes * (FLUSH_WAITS + 1) + EXECUTE_CYCLES + 1);
        return ok();
    }

    // All rows taken, some by one address space, which is flushed: none of its rows is left, and
    // the counts, generations and executions of all others are as they were.
    bool flush_one() {
        // clang-format off
        const Style fill = {.execute = 1000, .sets = 16, .refs = cfg.ways, .rec0 = 300, .ready = 1000, .calm = 1000, .cycles = 60ull * cfg.classes};
        const Style still = {.ready = 1000, .calm = 1000};
        const Style order = {.ready = 1000, .calm = 1000, .flush = 1000};
        // clang-format on
        run(fill);
        drain();
        const std::vector<gmmu_rit_way> before(twin_.way, twin_.way + cfg.classes);
        cycle(order);
        const uint64_t began = cycles;
        do cycle(still);
        while (ok() && flushes_.flushing());
        expect("cycles that a flush takes at rest", cycles - began,
               cfg.classes + EXECUTE_CYCLES + 1);
        for (unsigned r = 0; r < cfg.classes; r++) {
            const gmmu_rit_way &was = before[r], &is = twin_.way[r];
            const bool goes = was.valid && was.asid == flushes_.asid;
            expect("a row after a flush: held", was.valid && !goes, is.valid);
            expect("a row after a flush: generation", (was.gen + goes) & bench::mask(cfg.gen_w),
                   is.gen);
            expect("a row after a flush: executions", goes ? 0 : was.exec, is.exec);
        }
        return ok();
    }
};

#endif
