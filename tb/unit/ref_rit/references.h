// SPDX-License-Identifier: Apache-2.0
// references.h: which reference executes next.
#ifndef GMMU_TB_REF_RIT_REFERENCES_H
#define GMMU_TB_REF_RIT_REFERENCES_H

#include <cstdint>
#include <vector>

#include "bench.h"
#include "blocks/crc32c.h"
#include "blocks/ref_rit.h"
#include "styles.h"

class References {
   public:
    struct Exec {
        bool valid;  // an execution
        uint32_t asid;
        uint64_t ref;
        bool look = false;
    };

    References(const gmmu_config &c, bench::Random &r, const gmmu_ref_rit &twin)
        : cfg(c), rng(r), twin_(twin) {}

    // Others: so many in each of so many sets.
    void draw(unsigned sets, unsigned refs) {
        refs_ = some_refs(sets, refs);
        last_ = refs_[0];
        hot_ = rng.below(refs_.size());
        two_ = rng.below(3) == 0 && refs_.size() > 1;
        turn_ = false;
        hot_count_[0] = hot_count_[1] = 0;
        soon_ = static_cast<unsigned>(rng.below(8));  // the hot ones get any ways
        pause_ = EXECUTE_CYCLES + 3;
        count_.assign(refs_.size(), 0);
        others_ = 10 + static_cast<unsigned>(rng.below(150));
        misses_ = 300 + static_cast<unsigned>(rng.below(700));
    }

    // An address space, most often of one of these.
    uint32_t some_asid() {
        return rng.below(8) ? refs_[rng.below(refs_.size())].asid
                            : static_cast<uint32_t>(rng.edgy(cfg.asid_w));
    }
    unsigned set_of_first() const {
        return gmmu_hash(refs_[0].asid, cfg.asid_w, refs_[0].ref, cfg.ref_w) % twin_.sets;
    }

    // A look: of a reference of these, or of one that is near, often of the last execution or look.
    Exec look() {
        Exec e = refs_[rng.below(refs_.size())];
        if (rng.below(4) == 0)
            e = last_;
        if (rng.below(4) == 0)
            e = near(e);
        e.valid = false;
        e.look = true;
        last_ = e;
        return e;
    }

    // Of one cycle; HOT as in a Style.
    Exec next(unsigned hot, bool executes) {
        if (hot == EVEN && !executes && pause_ == 0)
            return {};
        if (rng.below(1500) == 0)
            hot_ = rng.below(refs_.size());
        Exec e = hot == WRAPS      ? wrapping(executes)
                 : hot == GROWS    ? growing()
                 : hot == EVEN     ? even()
                 : rng.chance(hot) ? refs_[hot_]
                                   : refs_[rng.below(refs_.size())];
        e.valid = executes && !(hot == EVEN && pause_ > 0);
        if (e.valid)
            last_ = e;
        return e;
    }

   private:
    const gmmu_config &cfg;
    bench::Random &rng;
    const gmmu_ref_rit &twin_;
    std::vector<Exec> refs_;
    Exec last_ = {};                   // the last execution or look
    std::size_t hot_ = 0;              // of refs_
    bool two_ = false, turn_ = false;  // wrapping(): two references; whose turn it is
    unsigned hot_count_[2] = {}, soon_ = 0, others_ = 0, misses_ = 0;
    unsigned out_ = 0;             // of refs_: the one that waits, see growing()
    std::vector<unsigned> count_;  // even(): of refs_, executions and 1; 0: holds no way
    unsigned level_ = 0, strangers_ = 0, pause_ = 0;

    // References of one set, whose ways halve again and again because of one, or of two that take
    // turns and overflow together; new references at once after it, when the order of the rest has
    // just changed.
    Exec wrapping(bool executes) {
        const unsigned top = 1u << cfg.exec_w, hot = 1u + two_,
                       all = static_cast<unsigned>(refs_.size());
        const unsigned stable = cfg.ways < all ? cfg.ways : all;
        if (stable <= hot)
            return refs_[rng.below(all)];
        const bool other = soon_ > 0 || rng.chance(hot_count_[0] + 6 > top ? 300 : others_);
        if (other && executes) {
            const bool any = soon_ > 0 && rng.chance(misses_);
            soon_ -= soon_ > 0;
            return refs_[hot + rng.below((any ? all : stable) - hot)];
        }
        if (executes) {
            turn_ = two_ && !turn_;
            if (++hot_count_[turn_] == top) {
                hot_count_[turn_] = top / 2;
                hot_count_[!turn_] /= 2;
                soon_ = static_cast<unsigned>(rng.below(6));
            }
        }
        return refs_[turn_];
    }

    // References that are executed so often, some more than others, that large counts say who goes
    // when at last another one comes, which then grows too.
    Exec growing() {
        const unsigned all = static_cast<unsigned>(refs_.size());
        if (rng.below(40u * all) == 0)
            out_ = static_cast<unsigned>(rng.below(all));
        const unsigned a = static_cast<unsigned>(rng.below(all)),
                       b = static_cast<unsigned>(rng.below(all));
        const unsigned pick = rng.below(2) ? a : a < b ? a : b;
        return refs_[pick == out_ ? (pick + 1) % all : pick];
    }

    // References of one set whose counts stay equal, or nearly, up to a level, to the top and over
    // it; then some that hold no way, when it hangs on the last executions who goes. Before the
    // next time the pipeline empties, and the twin says who holds a way.
    Exec even() {
        const unsigned all = static_cast<unsigned>(refs_.size()), top = 1u << cfg.exec_w;
        if (pause_ > 0 && --pause_ == 0) {
            count_.assign(all, 0);
            for (unsigned i = 0; i < all; i++)
                for (unsigned r = 0; r < cfg.classes; r++)
                    if (twin_.way[r].valid && twin_.way[r].ref == refs_[i].ref &&
                        twin_.way[r].asid == refs_[i].asid)
                        count_[i] = twin_.way[r].exec + 1u;
            const unsigned levels[] = {4, 64, top, 2 * top};
            level_ = 1 + static_cast<unsigned>(rng.below(levels[rng.below(4)]));
            soon_ = static_cast<unsigned>(rng.below(4));
            strangers_ = 1 + static_cast<unsigned>(rng.below(3));
        }
        unsigned at = all, held = 0;  // the least of those that hold a way
        const unsigned start = static_cast<unsigned>(rng.below(all));
        for (unsigned k = 0; k < all; k++) {
            const unsigned i = (start + k) % all;
            held += count_[i] > 0;
            if (count_[i] > 0 && (at == all || count_[i] < count_[at] || rng.chance(20)))
                at = i;
        }
        const bool level = at == all || count_[at] > level_;
        if (level && soon_ == 0 && strangers_ > 0 && held < all) {
            strangers_--;
            for (at = start; count_[at] > 0;) at = (at + 1) % all;
            if (strangers_ == 0)
                pause_ = EXECUTE_CYCLES + 3;
            return refs_[at];
        }
        if (at == all)
            return refs_[start];
        soon_ -= level && soon_ > 0;
        if (++count_[at] > top) {
            for (unsigned &c : count_) c = c > 0 ? (c - 1) / 2 + 1 : 0;
            level_ = 0;
        }
        return refs_[at];
    }

    // One that differs in eight neighbouring bits of {asid, ref}, often in one.
    Exec near(Exec e) {
        const unsigned at = 8 * static_cast<unsigned>(rng.below((cfg.asid_w + cfg.ref_w + 7) / 8));
        const uint64_t change = rng.below(2) ? 1ull << rng.below(8) : rng.bits(8);
        for (unsigned b = 0; b < 8 && at + b < cfg.asid_w + cfg.ref_w; b++)
            if (change >> b & 1)
                at + b < cfg.ref_w ? e.ref ^= 1ull << (at + b)
                                   : e.asid ^= 1u << (at + b - cfg.ref_w);
        return e;
    }

    // REFS references in each of SETS sets, from set 0 on, which has a way less, or from any.
    std::vector<Exec> some_refs(unsigned sets, unsigned refs) {
        std::vector<Exec> all;
        std::vector<unsigned> have(twin_.sets, 0);
        const unsigned in_play = sets < twin_.sets ? sets : twin_.sets;
        const unsigned first = twin_.sets > 1 && rng.below(2)
                                   ? 1 + static_cast<unsigned>(rng.below(twin_.sets - 1))
                                   : 0;
        // few bits have few values
        for (unsigned misses = 0;
             all.size() < static_cast<std::size_t>(in_play) * refs && misses < 10000; misses++) {
            Exec e = {true, static_cast<uint32_t>(rng.edgy(cfg.asid_w)), rng.edgy(cfg.ref_w)};
            if (!all.empty() && rng.below(2))
                e = near(all[rng.below(all.size())]);
            const unsigned set =
                (gmmu_hash(e.asid, cfg.asid_w, e.ref, cfg.ref_w) + first) % twin_.sets;
            bool is_new = set < in_play && have[set] < refs;
            for (const Exec &o : all) is_new = is_new && (o.asid != e.asid || o.ref != e.ref);
            if (!is_new)
                continue;
            have[set]++;
            all.push_back(e);
            misses = 0;
        }
        return all;
    }
};

#endif
