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

    // The numbers of executions of a set halve while two other ways have about as many: who goes
    // then, seen by new references right behind. TIMES in each set.
    bool halves_in_order(unsigned times) {
        if (cfg.ways < 4)
            return ok();  // two, the one that overflows, and row 0
        refs_.draw(1, 1);
        const unsigned top = (1u << cfg.exec_w) - 1;
        for (unsigned set = 0; set < twin_.sets && set < 4; set++) {
            const unsigned first = set * cfg.ways + (set == 0), ways = cfg.ways - (set == 0);
            const std::vector<Exec> refs = in_set(set, cfg.ways + 3);
            script_.assign(refs.begin(), refs.begin() + ways);
            play();
            for (unsigned i = 0; i < times && ok(); i++) {
                std::vector<unsigned> way(ways);  // the two, the one that overflows, others
                for (unsigned w = 0; w < ways; w++) {
                    way[w] = w;
                    std::swap(way[w], way[rng.below(w + 1)]);
                }
                std::vector<Exec> up;
                const auto raise = [&](unsigned w, unsigned to) {
                    const gmmu_rit_way &is = twin_.way[first + w];
                    for (unsigned n = is.exec; n < to; n++) up.push_back({true, is.asid, is.ref});
                };
                const auto has = [&](unsigned w) { return unsigned{twin_.way[first + w].exec}; };
                const unsigned least = std::max(has(way[0]), has(way[1])) +
                                       static_cast<unsigned>(rng.below(rng.below(4) ? 5 : top / 4));
                raise(way[0], least);
                raise(way[1], least + static_cast<unsigned>(rng.below(3)));
                for (unsigned w = 3; w < ways; w++)
                    raise(way[w], least + 4 + static_cast<unsigned>(rng.below(4)));
                raise(way[2], top);
                for (std::size_t n = up.size(); n > 1; n--) std::swap(up[n - 1], up[rng.below(n)]);
                const gmmu_rit_way &full = twin_.way[first + way[2]];
                up.push_back({true, full.asid, full.ref});
                for (uint64_t gap = rng.below(EXECUTE_CYCLES + 2); gap > 0; gap--) up.push_back({});
                for (unsigned n = 0, r = static_cast<unsigned>(rng.below(refs.size())); n < 2; r++)
                    if (!held(refs[r % refs.size()])) {
                        up.push_back(refs[r % refs.size()]);
                        n++;
                    }
                script_.assign(up.begin(), up.end());
                play();
            }
        }
        return rest();
    }

    // Two rows are given, the higher one first, so many cycles one after the other that the second
    // one is given about when the CLEAR of the first begins: each has its CLEAR. TIMES with other
    // rows.
    bool clears_meet(unsigned times) {
        for (unsigned i = 0; i < times && cfg.classes > 2 && cfg.ways > 2 && ok(); i++) {
            const unsigned a = 2 + static_cast<unsigned>(rng.below(cfg.classes - 2)),
                           b = rng.below(2) ? a - 1 : 1 + static_cast<unsigned>(rng.below(a - 1));
            const bool one_set = a / cfg.ways == b / cfg.ways;
            const unsigned later = 1 + one_set + static_cast<unsigned>(rng.below(4));
            reset();
            refs_.draw(1, 1);
            Exec last[2];  // new ones
            for (unsigned k = 0; k < 2; k++) {
                const unsigned row = k ? b : a, set = row / cfg.ways;
                const std::vector<Exec> refs = in_set(set, cfg.ways + 2);
                if (k == 0 || !one_set) {
                    last[k] = refs[cfg.ways];
                    last[1] = refs[cfg.ways + 1];
                    for (unsigned w = set == 0; w < cfg.ways; w++) {  // they take the ways in order
                        const unsigned r = set * cfg.ways + w;
                        script_.insert(script_.end(), r == row ? 1 : r == b ? 2 : 6, refs[w]);
                    }
                }
            }
            play();
            rest();
            const uint64_t cleared = done[CLEAR];
            script_.assign(one_set ? later : 1, last[0]);
            script_.resize(later);
            script_.push_back(last[1]);
            play();
            expect("the row that is given first", a, row_of(last[0]));
            expect("the row that is given behind it", b, row_of(last[1]));
            rest();
            expect("CLEARs of two rows", done[CLEAR] - cleared, 2);
        }
        return ok();
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

   protected:
    // So many references of a set, each another one.
    std::vector<Exec> in_set(unsigned set, unsigned refs) {
        std::vector<Exec> all;
        while (all.size() < refs) {
            const Exec e = {true, static_cast<uint32_t>(rng.bits(cfg.asid_w)), rng.bits(cfg.ref_w)};
            bool is_new = gmmu_hash(e.asid, cfg.asid_w, e.ref, cfg.ref_w) % twin_.sets == set;
            for (const Exec &o : all) is_new = is_new && (o.asid != e.asid || o.ref != e.ref);
            if (is_new)
                all.push_back(e);
        }
        return all;
    }
    // The row that a reference has; 0: none.
    unsigned row_of(const Exec &e) const { return gmmu_ref_rit_look(&twin_, e.asid, e.ref).row; }
    bool held(const Exec &e) const { return row_of(e) != 0; }
    // The script, to the end of its last execution and of what it reports.
    void play() {
        while (ok() && !script_.empty()) cycle({});
        for (unsigned t = 0; t < EXECUTE_CYCLES + 4 && ok(); t++) cycle({});
    }
    // Until every row that was given has its CLEAR.
    bool rest() {
        for (const uint64_t limit = cycles + cfg.classes * (2ull * cfg.bins + START_BOUND);
             ok() && cycles < limit && !dut->resting;)
            cycle({});
        for (unsigned r = 0; r < cfg.classes; r++)
            expect("a row waits for its CLEAR", 0, twin_.row[r].clear_owed);
        return ok();
    }
};

#endif
