// SPDX-License-Identifier: Apache-2.0
// turned.h: words of the directory in which the bench flips a bit (open.vlt): it knows which word
// is bad, and so which ways are free, and that this is told once.
#ifndef GMMU_TB_REF_RIT_TURNED_H
#define GMMU_TB_REF_RIT_TURNED_H

#include <string>
#include <vector>

#include "flips/bits.h"
#include "scenes.h"

class RefRitTurned : public RefRitScenes {
   public:
    uint64_t keys = 0, states = 0;          // words that turned bad
    uint64_t counts_used = 0, cleared = 0;  // words of counts that were used; that CLEAR met
    uint64_t freed = 0, kept = 0, met = 0;  // ways that they freed; that they did not; words told

    explicit RefRitTurned(const bench::Setup &s) : RefRitScenes(s), bits_(context, "") {
        turns_ = true;
    }

    // In one set after the other, ROUNDS in each: some ways turn bad while nothing is under way.
    // The next execution, look or FLUSH of the set finds them free, and all others as they were.
    bool run(unsigned rounds) {
        const Style order = {.flush = 1000};
        for (unsigned set = 0; set < twin_.sets && set < 3 && ok(); set++) {
            reset();
            refs_.draw(1, 1);
            const std::vector<Exec> refs = in_set(set, cfg.ways + 3);
            for (unsigned i = 0; i < rounds && ok(); i++) {
                some(refs, rng.below(24), 400);
                play();
                if (!turn(set))
                    return false;
                const uint64_t told = told_, one = to_tell_;
                if (rng.below(8) == 0) {  // (it looks at all rows, one after the other)
                    do cycle(order);
                    while (ok() && !flushes_.flushing());
                    while (ok() && flushes_.flushing()) cycle({});
                    play();
                } else {
                    some(refs, 1 + rng.below(6), rng.below(2) * 300);
                    play();
                }
                expect("words that turned bad and were told", told_ - told, one);
                met += one;
            }
            rest();
        }
        return ok();
    }

    // A word of counts turns bad, TIMES one after the other; then a LEARN, CLEAR, HALVE or REFRESH
    // of its row: the counts are told, but by CLEAR, and 0.
    bool counts(unsigned times) {
        const Style tick = {.tick = 1000, .ready = 1000, .calm = 1000};
        const unsigned many = 1u << (cfg.cnt_w - 1);
        reset();
        refs_.draw(1, 1);
        for (unsigned i = 0; i < times && ok(); i++) {
            for (unsigned set = 0; set < twin_.sets; set++)  // new owners of some rows
                some(in_set(set, cfg.ways + 3), rng.below(3), 0);
            play();
            rest();
            const unsigned row = static_cast<unsigned>(rng.below(cfg.classes)),
                           bin = static_cast<unsigned>(rng.below(cfg.bins)),
                           kind = static_cast<unsigned>(rng.below(4)),
                           other = (bin + 1) % cfg.bins;  // (whose counts are sound)
            const gmmu_class cls = {static_cast<uint16_t>(row), twin_.way[row].gen};
            const auto learn = [&](unsigned at, unsigned n) {
                const uint32_t x =
                    static_cast<uint32_t>(gmmu_bin_low(at) & bench::mask(cfg.time_w));
                queue_[0].insert(queue_[0].end(), n, {cls, x, rng.below(2) != 0});
                while (ok() && !queue_[0].empty()) cycle({});
                rest();
            };
            learn(bin, 1 + static_cast<unsigned>(rng.below(6)));
            learn(other, kind == HALVE ? bench::mask(cfg.cnt_w) - 1 -
                                             std::max(twin_.row[row].reuse[other],
                                                      twin_.row[row].censored[other])
                                       : 1);
            if (twin_.row[row].reuse[bin] >= many || twin_.row[row].censored[bin] >= many ||
                (kind == CLEAR && (row == 0 || !twin_.way[row].valid)))
                continue;  // (a bit could make them full)
            turn_count(row, bin);
            const uint64_t told = counts_told_, used = counts_bad_;
            if (kind == LEARN) {
                learn(bin, 1);
            } else if (kind == HALVE) {
                for (unsigned n = 0; n < 2; n++) {  // of one kind or the other
                    queue_[0].push_back(
                        {cls, static_cast<uint32_t>(gmmu_bin_low(other) & bench::mask(cfg.time_w)),
                         twin_.row[row].reuse[other] < twin_.row[row].censored[other]});
                    while (ok() && !queue_[0].empty()) cycle({});
                    rest();
                }
            } else if (kind == REFRESH) {
                script_.assign(1, in_set((row / cfg.ways + 1) % twin_.sets, 1)[0]);
                while (ok() && !script_.empty()) cycle(tick);
                for (uint64_t limit = cycles + 4 * cfg.classes * (cfg.bins + START_BOUND);
                     ok() && cycles < limit &&
                     !(dut->idle && cycles > busy_until_ && !any_pending());)
                    cycle(tick);
                rest();
            } else {
                for (unsigned n = 0; n < 64 && bad_count_.there && ok(); n++) {  // of any owner
                    do cycle({.flush = 1000});
                    while (ok() && !flushes_.flushing());
                    while (ok() && flushes_.flushing()) cycle({});
                    rest();
                }
                cleared += !bad_count_.there;
            }
            expect("counts that turned bad and were told", counts_told_ - told, counts_bad_ - used);
            counts_used += counts_bad_ - used;
            if (bad_count_.there)  // nothing used it: it is told with its next use
                learn(bin, 1);
        }
        return ok();
    }

   private:
    const flips::Bits bits_;
    uint64_t to_tell_ = 0;

    // So many executions and looks of REFS, GAPS permille of the cycles without one; the first
    // cycle has one.
    void some(const std::vector<Exec> &refs, uint64_t n, unsigned gaps) {
        while (n > 0) {
            const bool gap = rng.chance(gaps);
            Exec e = gap ? Exec{} : refs[rng.below(rng.below(3) ? refs.size() - 3 : refs.size())];
            e.look = !gap && rng.below(6) == 0;
            e.valid = !gap && !e.look;
            script_.push_back(e);
            n -= !gap;
        }
    }
    // The RAM with NAME in its name.
    const flips::Register *ram(const std::string &name) {
        for (const flips::Register *r : bits_.all_rams())
            if ((r->part + ".").find(name) != std::string::npos)
                return r;
        expect("the bench finds its RAM", 0, 1);
        return nullptr;
    }

    // Some words of SET turn bad, and the twin's ways are free. False: the RAMs are not found.
    bool turn(unsigned set) {
        const bool state = rng.below(6) == 0;
        to_tell_ = state;
        std::vector<bool> turned(cfg.ways, false);
        for (uint64_t n = rng.below(state ? 2 : 3) + !state; n > 0; n--)
            turned[rng.below(cfg.ways)] = true;
        for (unsigned w = 0; w < cfg.ways && ok(); w++) {
            gmmu_rit_way &way = twin_.way[set * cfg.ways + w];
            if (turned[w]) {
                const flips::Register *key = ram(".keys.g_key[" + std::to_string(w) + "].");
                if (key == nullptr)
                    return false;
                flips::Bit{key, set, static_cast<uint32_t>(rng.below(key->width))}.flip();
                keys++;
            }
            if (!way.valid)
                continue;
            if (turned[w])
                to_tell_ = 1;
            freed += turned[w] || state;
            kept += !turned[w] && !state;
            if (turned[w] || state) {
                way.valid = false;
                way.exec = 0;
            }
        }
        return ok() && (!state || turn_state(set));
    }
    // {censored, reuse} of a bin; row 0 has a RAM of its own.
    void turn_count(unsigned row, unsigned bin) {
        const flips::Register *words =
            ram(row == 0 ? ".histogram.global_histogram." : ".histogram.histograms.");
        if (words == nullptr)
            return;
        const uint32_t bit = static_cast<uint32_t>(rng.below(words->width));
        flips::Bit{words, row * cfg.bins + bin, bit}.flip();
        uint16_t *counts[] = {twin_.row[row].reuse, twin_.row[row].censored};
        if (bit < 2u * cfg.cnt_w)
            counts[bit / cfg.cnt_w][bin] ^= static_cast<uint16_t>(1u << bit % cfg.cnt_w);
        bad_count_ = {true, row, bin};
    }
    // {valid of all ways, generations, executions}: the highest bit of each generation turns over,
    // too, so that the next one is another than the one before, whichever bit turned.
    bool turn_state(unsigned set) {
        const flips::Register *word = ram(".directory.state_ram.");
        if (word == nullptr)
            return false;
        for (unsigned w = set == 0; w < cfg.ways; w++) lost_gen_[set * cfg.ways + w] = true;
        cycle({});  // a cycle later nobody asks for their generations any more
        const uint32_t bit = static_cast<uint32_t>(rng.below(word->width)),
                       gens = cfg.ways * cfg.exec_w;
        flips::Bit{word, set, bit}.flip();
        states++;
        for (unsigned w = set == 0; w < cfg.ways; w++) {
            gmmu_rit_way &way = twin_.way[set * cfg.ways + w];
            way.gen ^= static_cast<uint16_t>(1u << (cfg.gen_w - 1));
            if (bit >= gens + w * cfg.gen_w && bit < gens + (w + 1) * cfg.gen_w)
                way.gen ^= static_cast<uint16_t>(1u << (bit - gens - w * cfg.gen_w));
        }
        return true;
    }
};

#endif
