// SPDX-License-Identifier: Apache-2.0
// ppuc_test.cpp: the priorities, RTL against its C twin, and the C twin against exact rationals.
//
// State space: histograms that are empty, of one bin, sparse, dense, full, of censored records
// only, rising, falling, with equal and nearly equal slopes; cold rows of 0 to 8 observations with
// and without pseudo-counts; lookups in every cycle while the engine works, on the row that it
// works on too, at the borders of all bins; INSTALL late, of a stale generation, in the cycle of
// the row's FORGET; a reset in the middle. Parameter space: the configuration that it is built for,
// the three RAM collision models, random initial state.
#include <algorithm>
#include <cmath>
#include <deque>

#include "bench.h"
#include "blocks/log_bin.h"

namespace {

__extension__ typedef unsigned __int128 Wide;

enum { LOOKUP_CYCLES = 6, COLD_KIND = 11, SNAP_KINDS = 14, LAST_FULL, LAST_SOME, COLD_TWO };
// of the engine, a bin at most
enum { POP_CYCLES = 3, NORM_CYCLES = 63, DIVIDE_CYCLES = 24, OTHER_CYCLES = 20 };

// A row of counts, full at MAX.
std::vector<uint16_t> some_counts(bench::Random &rng, unsigned kind, unsigned bins, unsigned max) {
    std::vector<uint16_t> n(bins, 0);
    const auto at = [&] { return rng.below(bins); };
    const auto some = [&] { return static_cast<uint16_t>(1 + rng.below(max)); };
    const unsigned few = rng.chance(200) ? 8 : 1 + static_cast<unsigned>(rng.below(8));
    switch (kind) {
        case 0:
            break;
        case 1:
            n[at()] = some();
            break;
        case 2:
            n[rng.below(2) ? bins - 1 : 0] = some();
            break;
        case 3:
            for (unsigned i = 0; i < 4; i++) n[at()] = some();
            break;
        case 4:
            for (uint16_t &c : n) c = static_cast<uint16_t>(rng.below(max + 1));
            break;
        case 5:
            for (uint16_t &c : n) c = static_cast<uint16_t>(max);
            break;
        case 6:  // equal slopes: mass as the width of the bin
            for (unsigned b = 0; b < bins; b++)
                n[b] = static_cast<uint16_t>(std::min<uint64_t>(
                    max, few * (gmmu_bin_edge(b) - (b > 0 ? gmmu_bin_edge(b - 1) : 0))));
            for (uint64_t i = rng.below(2) * rng.below(bins); i > 0; i--) {  // or nearly
                uint16_t &one = n[at()];
                one = static_cast<uint16_t>(one == 0 ? 1 : one - 1);
            }
            break;
        case 7:  // falling
            for (unsigned b = 0; b < bins; b++)
                n[b] = static_cast<uint16_t>(max >> std::min(b / few, 16u));
            break;
        case 8:  // rising
            for (unsigned b = 0; b < bins; b++)
                n[b] = static_cast<uint16_t>(max >> std::min((bins - 1 - b) / few, 16u));
            break;
        case 10:  // small counts
            for (uint16_t &c : n) c = static_cast<uint16_t>(rng.below(3));
            break;
        case LAST_FULL:  // nothing but the last bins
            for (unsigned b = bins - std::min(few, bins); b < bins; b++)
                n[b] = static_cast<uint16_t>(max);
            break;
        case LAST_SOME:
            for (unsigned b = bins - std::min(few, bins); b < bins; b++) n[b] = some();
            break;
        case COLD_TWO: {  // cold, seven in two bins
            const uint64_t one = at(), two = rng.below(2) ? at() : bins - 1 - rng.below(4);
            for (unsigned i = 0; i < 7; i++) n[i < few ? one : two]++;
            break;
        }
        case 9:  // two clusters
            for (unsigned b = 0; b < bins; b++)
                if (b % (bins / 2) < few)
                    n[b] = some();
            break;
        default: {  // cold, all in one bin or spread
            const uint64_t one = at();
            const bool spread = rng.below(2);
            for (unsigned i = 0; i < few; i++) {
                uint16_t &c = n[spread ? at() : one];
                c = static_cast<uint16_t>(std::min<unsigned>(c + 1u, max));
            }
        }
    }
    return n;
}

// TOTAL observations, in one bin if they fit there, or anywhere.
std::vector<uint16_t> counts_of(bench::Random &rng, uint64_t total, unsigned bins, unsigned max) {
    std::vector<uint16_t> n(bins, 0);
    if (total <= max && rng.below(2)) {
        n[rng.below(bins)] = static_cast<uint16_t>(total);
        return n;
    }
    while (total > 0) {
        uint16_t &c = n[rng.below(bins)];
        const uint64_t more = std::min<uint64_t>(1 + rng.below(total), max - c);
        c = static_cast<uint16_t>(c + more);
        total -= more;
    }
    return n;
}

struct Row {
    std::vector<uint16_t> reuse, censored;
    gmmu_rit_row view() { return {reuse.data(), censored.data(), false, false, false, false}; }
    uint64_t observations() const {
        uint64_t n = 0;
        for (std::size_t b = 0; b < reuse.size(); b++) n += reuse[b] + censored[b];
        return n;
    }
};

Row some_row(bench::Random &rng) {
    const gmmu_config &c = bench::config();
    const unsigned max = static_cast<unsigned>(bench::mask(c.cnt_w));
    const unsigned kind = static_cast<unsigned>(rng.below(SNAP_KINDS));
    const unsigned lost = rng.below(2) ? 0 : static_cast<unsigned>(rng.below(SNAP_KINDS));
    Row r = {some_counts(rng, kind, c.bins, max), some_counts(rng, lost, c.bins, max)};
    if (rng.chance(40)) {  // a power of two and at most seven more: a row is cold by the bits above
                           // the lowest three
        std::fill(r.reuse.begin(), r.reuse.end(), static_cast<uint16_t>(0));
        std::fill(r.censored.begin(), r.censored.end(), static_cast<uint16_t>(0));
        uint64_t left =
            (1ull << (3 + rng.below(c.cnt_w + gmmu_index_bits(c.bins) - 4))) + rng.below(8);
        left = std::min<uint64_t>(left, c.bins * uint64_t{max} / 2);
        while (left > 0) {
            uint16_t &n = r.reuse[rng.below(c.bins)];
            const uint64_t more = std::min<uint64_t>({left, 1 + rng.below(max), uint64_t{max} - n});
            n = static_cast<uint16_t>(n + more);
            left -= more;
        }
        return r;
    }
    if (kind >= COLD_KIND && rng.chance(700)) {  // keep it cold: 1 to 9 observations in all
        std::fill(r.censored.begin(), r.censored.end(), static_cast<uint16_t>(0));
        if (rng.chance(300))
            r.censored[rng.below(c.bins)] = 1;
    }
    return r;
}

unsigned bits_of(Wide n) {
    unsigned bits = 0;
    for (; n != 0; n >>= 1) bits++;
    return bits;
}

// What the engine computes with: counts, or those of a cold row.
struct Effective {
    bool cold;
    std::vector<uint64_t> reuse, censored;
    Effective(const Row &row, const Row &global, bool pseudo)
        : cold(false),
          reuse(row.reuse.begin(), row.reuse.end()),
          censored(row.censored.begin(), row.censored.end()) {
        const uint64_t n = global.observations();
        cold = pseudo && row.observations() < 8 && n > 0;
        for (std::size_t b = 0; cold && b < reuse.size(); b++) {
            reuse[b] = reuse[b] * n + 8u * global.reuse[b];
            censored[b] = censored[b] * n + 8u * global.censored[b];
        }
    }
};

struct Schedule {
    std::vector<uint64_t> at;  // cycles after the last beat; the last entry is INSTALL
    Wide tight;                // the least difference that decides on a bit of a long division
};

// When the engine writes each priority, in cycles after the last beat of the snapshot: the hull
// pass step by step (docs/blocks/ppuc.md), so that a wrong comparison is seen although its priority
// comes out the same.
Schedule schedule(const Effective &counts) {
    const gmmu_config &c = bench::config();
    const unsigned bins = c.bins;
    const unsigned x_w = (bins - 9) / 4 + 4;                     // bits of the last edge
    const unsigned sum_w = c.cnt_w + gmmu_index_bits(bins) + 5;  // of an effective sum
    const uint64_t parts = counts.cold ? 4 : 1, product = x_w + 4, look = 2, pop = 2;
    struct Point {
        uint64_t x, beyond;
    };
    std::vector<Point> hull;
    Schedule s = {std::vector<uint64_t>(bins + 1), ~Wide{0}};
    uint64_t now = 3, beyond = 0, at_risk = 0;
    // from (X, COUNT): points that the one behind them beats go
    const auto trim = [&](uint64_t x, uint64_t count) {
        for (;;) {
            now += look;
            if (hull.size() < 2)
                return;
            const Point &top = hull.back(), &under = hull[hull.size() - 2];
            now += product;
            if (Wide{count - top.beyond} * (under.x - x) > Wide{count - under.beyond} * (top.x - x))
                return;
            now += pop;
            hull.pop_back();
        }
    };
    for (unsigned b = bins; b-- > 0;) {
        const uint64_t tau = gmmu_bin_low(b), edge = gmmu_bin_edge(b), mass = counts.reuse[b];
        const uint64_t from = beyond + mass;
        at_risk += mass + counts.censored[b];
        now += 2 + parts + 1 + parts + 2;  // read; reuses; censored records; sums
        trim(tau, from);
        uint64_t best = mass, cost = edge > tau ? edge - tau : 1;
        if (!hull.empty()) {
            const Point &top = hull.back();
            if (Wide{from - top.beyond} * cost > Wide{mass} * (top.x - tau)) {
                best = from - top.beyond;
                cost = top.x - tau;
            }
        }
        now += 1 + product + 2;
        if (best != 0) {
            // both shifted up until they are as long as a product; the first bit of the quotient
            // may be 0
            const Wide divisor = Wide{at_risk} * cost;
            const unsigned up = sum_w + x_w - bits_of(divisor), up_best = sum_w - bits_of(best);
            Wide rest = Wide{best} << (up_best + x_w);
            const unsigned steps = rest >= divisor << up ? 11 : 12;
            now += product + std::max(up, up_best) + 1 + 2 * steps;
            for (unsigned i = 0; i < steps && up < 2; i++) {
                const bool fits = rest >= divisor << up;
                const Wide less = fits ? rest - (divisor << up) : (divisor << up) - rest;
                if (less != 0)
                    s.tight = std::min(s.tight, less);
                rest = (fits ? less : rest) << 1;
            }
        }
        s.at[b] = now;
        now++;
        if (mass != 0) {
            trim(edge, beyond);
            now++;
            hull.push_back({edge, beyond});
        }
        now++;
        beyond = from;
    }
    s.at.back() = now;
    return s;
}

struct Style {
    unsigned lookup;  // permille of the cycles
    unsigned rows;    // in play
    unsigned forget;  // of 125 * BINS cycles
    unsigned gap;     // permille of the snapshot's cycles are gaps
    unsigned wait;    // cycles that INSTALL may take
    unsigned snapshots;
    unsigned cold;  // permille of the snapshots: pseudo-counts of a well-filled row 0
};

class Ppuc : public bench::Block {
   public:
    unsigned tries = 1;  // of so many cold rows the one with the tightest division is taken
    uint64_t lookups = 0, rows = 0, stale = 0, installs = 0, together = 0, slowest = 0;

    explicit Ppuc(const bench::Setup &s) : Block("ppuc", s) {
        dut->rst = 0;
        random_inputs();
    }

    void reset() {
        memory.arena.used = 0;
        gmmu_ppuc_init(&twin_, &cfg, &memory.arena);
        gen_.assign(cfg.classes, 0);
        dut->rst = 1;
        for (int i = 0; i < 10; i++) {
            random_inputs();
            tick();
        }
        dut->rst = 0;
        answers_.clear();
        phase_ = FREE;
        global_ = some_row(rng);
    }

    bool run(const Style &s) {
        const uint64_t until = rows + s.snapshots;
        while (ok() && rows < until) cycle(s);
        return ok();
    }

   private:
    struct Answer {
        uint64_t due;
        uint16_t priority;
        uint64_t tag;
    };
    enum Phase { FREE, SNAPSHOT, WORK, INSTALL };
    gmmu_ppuc twin_;
    std::vector<uint16_t> gen_;  // of each row
    std::deque<Answer> answers_;
    Phase phase_ = FREE;
    Row row_, global_;
    gmmu_class cls_ = {};
    unsigned bin_ = 0, left_ = 0, wait_ = 0;
    uint64_t started_ = 0, loaded_ = 0;
    std::vector<uint64_t> due_;  // of the priorities, and of INSTALL, after the last beat
    bool pseudo_ = false;

    unsigned tag_bits() const { return 1 + cfg.time_w + gmmu_index_bits(cfg.frames); }

    void random_inputs() {
        dut->cfg_pseudo = rng.below(2);
        dut->snap_start = dut->snap_valid = dut->install = 0;
        dut->snap_last = rng.below(2);
        if (dut->rst) {
            dut->snap_start = rng.below(2);
            dut->snap_valid = rng.below(2);
            dut->install = rng.below(2);
        }
        dut->install_current = rng.below(2);
        dut->snap_row = rng.below(cfg.classes);
        dut->snap_gen = rng.bits(cfg.gen_w);
        dut->snap_bin = rng.below(cfg.bins);
        dut->snap_reuse = rng.bits(cfg.cnt_w);
        dut->snap_censored = rng.bits(cfg.cnt_w);
        dut->snap_greuse = rng.bits(cfg.cnt_w);
        dut->snap_gcensored = rng.bits(cfg.cnt_w);
        dut->forget = dut->l0_valid = rng.below(2);
        dut->forget_row = dut->l0_row = rng.below(cfg.classes);
        dut->l0_current = rng.below(2);
        dut->l0_tau = rng.bits(cfg.time_w);
        clear_bits(dut->l0_tag);
    }

    // Rows in play: the last ones, and row 0.
    uint16_t some_row_number(const Style &s, bool with_zero) {
        const uint64_t n = std::min<uint64_t>(s.rows, cfg.classes - 1);
        if (n == 0 || (with_zero && rng.chance(150)))
            return 0;
        return static_cast<uint16_t>(cfg.classes - 1 - rng.below(n));
    }

    uint64_t some_tau() {
        switch (rng.below(4)) {
            case 0:
                return rng.edgy(cfg.time_w);
            case 1:
                return rng.bits(cfg.time_w);
            default:
                return (gmmu_bin_low(static_cast<unsigned>(rng.below(cfg.bins + 1))) +
                        rng.below(3) - 1) &
                       bench::mask(cfg.time_w);
        }
    }

    void cycle(const Style &s) {
        random_inputs();
        dut->cfg_pseudo = pseudo_;
        if (phase_ == FREE) {
            begin(s);
        } else if (phase_ == SNAPSHOT && !rng.chance(s.gap)) {
            dut->snap_valid = 1;
            dut->snap_bin = bin_;
            dut->snap_last = bin_ + 1 == cfg.bins;
            dut->snap_reuse = row_.reuse[bin_];
            dut->snap_censored = row_.censored[bin_];
            dut->snap_greuse = global_.reuse[bin_];
            dut->snap_gcensored = global_.censored[bin_];
            if (++bin_ == cfg.bins) {
                phase_ = WORK;
                loaded_ = cycles;
            }
        }
        const bool install = phase_ == INSTALL && wait_ == 0;
        const bool current = gen_[cls_.row] == cls_.gen;
        dut->install = install;
        if (install)
            dut->install_current = current;
        // a walk takes a row away, often the engine's
        uint16_t taken = some_row_number(s, false);
        if (cls_.row != 0 && rng.chance(install ? 500 : 100))
            taken = cls_.row;
        // row 0 is nobody's
        const bool forget =
            taken != 0 && (install ? rng.chance(300) : rng.below(125 * cfg.bins) < s.forget);
        dut->forget = forget;
        dut->forget_row = taken;
        // a lookup: not in the cycle of an INSTALL, both are side actions
        const bool lookup = !install && rng.chance(s.lookup);
        const uint16_t row = rng.chance(200) ? cls_.row : some_row_number(s, true);
        const bool is_current = rng.chance(850);
        const uint32_t tau = static_cast<uint32_t>(some_tau());
        const uint64_t tag = rng.bits(tag_bits());
        dut->l0_valid = lookup;
        dut->l0_row = row;
        dut->l0_current = is_current;
        dut->l0_tau = tau;
        put_bits(dut->l0_tag, {0, tag_bits()}, tag);
        settle();

        if (lookup) {
            const unsigned serving = gmmu_ppuc_serving_row(&twin_, {row, 0}, is_current);
            expect("CAND row", dut->l0_serving, serving);
            answers_.push_back(
                {cycles + LOOKUP_CYCLES, gmmu_ppuc_priority(&twin_, serving, tau), tag});
            lookups++;
            actions++;
        }
        engine();
        if (install && ok()) {
            (void)gmmu_ppuc_install(&twin_, current);
            phase_ = FREE;
            actions++;
            (current ? installs : stale)++;
            together += forget && taken == cls_.row;
        } else if (phase_ == INSTALL && wait_ > 0) {
            wait_--;
        }
        if (forget) {
            gmmu_ppuc_forget(&twin_, taken);
            gen_[taken] = static_cast<uint16_t>((gen_[taken] + 1) & bench::mask(cfg.gen_w));
        }
        const bool answer = !answers_.empty() && answers_.front().due == cycles;
        expect("answer to CAND", dut->l6_valid, answer);
        if (answer) {
            expect("CAND priority", dut->l6_priority, answers_.front().priority);
            expect("CAND tag", get_bits(dut->l6_tag, {0, tag_bits()}), answers_.front().tag);
            answers_.pop_front();
        }
        edge();
    }

    // REFRESH: the engine's next row.
    void begin(const Style &s) {
        if (rng.chance(300))
            return;
        cls_.row = rng.chance(100) ? 0 : some_row_number(s, false);
        cls_.gen = gen_[cls_.row];
        if (rng.chance(150))
            cls_.gen ^= static_cast<uint16_t>(1u << rng.below(cfg.gen_w));  // out of date
        if (rng.chance(200))
            global_ = some_row(rng);
        row_ = cls_.row == 0 ? global_ : some_row(rng);
        pseudo_ = rng.below(2);
        const unsigned max = static_cast<unsigned>(bench::mask(cfg.cnt_w));
        if (rng.chance(100)) {  // a number of observations that is cold but for one bit
            const unsigned bits = 3 + static_cast<unsigned>(rng.below(bits_of(max * cfg.bins) - 4));
            const std::vector<uint16_t> none(cfg.bins, 0);
            Row &near = cls_.row != 0 && rng.chance(700) ? row_ : global_;
            const uint64_t more = &near == &row_ ? rng.below(8) : 0;
            near = {counts_of(rng, (1u << bits) + more, cfg.bins, max), none};
            if (rng.below(2))
                std::swap(near.reuse, near.censored);
            if (&near == &global_)  // row 0 has any at all
                row_ = cls_.row == 0 ? global_
                                     : Row{counts_of(rng, rng.below(8), cfg.bins, max), none};
            pseudo_ = true;
        }
        Schedule due = schedule(Effective(row_, global_, pseudo_ && cls_.row != 0));
        if (cls_.row != 0 && rng.chance(s.cold)) {  // the largest sums and products
            pseudo_ = true;
            due.tight = ~Wide{0};
            Row best, best_global;
            for (unsigned i = 0; i < tries; i++) {
                large_row(max);
                const Schedule other = schedule(Effective(row_, global_, true));
                if (i == 0 || other.tight < due.tight) {
                    due = other;
                    best = row_;
                    best_global = global_;
                }
            }
            row_ = best;
            global_ = best_global;
        }
        due_ = due.at;
        dut->cfg_pseudo = pseudo_;
        dut->snap_start = 1;
        dut->snap_row = cls_.row;
        dut->snap_gen = cls_.gen;
        const gmmu_rit_row view = row_.view(), all = global_.view();
        gmmu_ppuc_refresh(&twin_, cls_, &view, &all, pseudo_);
        bin_ = 0;
        left_ = cfg.bins;
        wait_ = static_cast<unsigned>(rng.below(s.wait + 1));
        started_ = cycles;
        phase_ = SNAPSHOT;
        rows++;
    }

    // A cold row of few observations, and a row 0 of many.
    void large_row(unsigned max) {
        const auto some = [&](std::initializer_list<unsigned> kinds) {
            return some_counts(rng, kinds.begin()[rng.below(kinds.size())], cfg.bins, max);
        };
        if (tries > 1 &&
            rng.chance(800)) {  // long divisors: many at risk, and a far lease is the best
            global_ = {some({LAST_FULL, LAST_SOME}), some({5})};
            for (uint16_t &c : global_.censored) c = static_cast<uint16_t>(c - rng.below(max / 4));
            row_ = {some({0}), some({0})};
            for (unsigned i = 0; i < 7; i++) row_.reuse[cfg.bins - 1 - rng.below(4)]++;
            return;
        }
        global_ = {some({4, 5, 6, 7, 8, 9, LAST_FULL, LAST_SOME, LAST_SOME}), some({0, 4, 4, 5})};
        row_ = {some({0, COLD_KIND, COLD_KIND, COLD_TWO, COLD_TWO}), some({0})};
        for (unsigned i = 0; i < 7 && rng.chance(300); i++) row_.censored[rng.below(cfg.bins)]++;
        if (row_.observations() > 7 && rng.chance(900)) {  // still cold
            row_.censored.assign(cfg.bins, 0);
            if (rng.chance(500))  // one that makes it warm
                row_.censored[rng.below(cfg.bins)] = 1;
        }
    }

    void engine() {
        expect("engine idle", dut->idle, phase_ == FREE);
        if (dut->tvi_prio_valid) {
            if (!expect("priorities too many", phase_ == WORK && left_ > 0, 1))
                return;
            left_--;
            expect("REFRESH cycle of a priority", cycles - loaded_, due_[left_]);
            expect("REFRESH bin of a priority", dut->tvi_prio_bin, left_);
            expect("REFRESH priority", dut->tvi_prio, twin_.engine.priority[left_]);
            actions++;
        }
        if (dut->install_req && phase_ == WORK) {
            expect("priorities missing", left_, 0);
            expect("REFRESH cycle of its end", cycles - loaded_, due_.back());
            slowest = std::max(slowest, cycles - started_);
            phase_ = INSTALL;
        } else {
            expect("INSTALL wanted", dut->install_req, phase_ == INSTALL);
        }
        if (phase_ == INSTALL) {
            expect("INSTALL row", dut->install_row, cls_.row);
            expect("INSTALL generation", dut->install_gen, cls_.gen);
        }
        // Slope comparisons: two a bin and one a point that goes, so three a bin; one more with the
        // bin's own mass, and the divisor: five products, each as long as the last edge has bits.
        const uint64_t product = (cfg.bins - 9) / 4 + 4 + 5;
        const uint64_t bin = 5 * product + POP_CYCLES + NORM_CYCLES + DIVIDE_CYCLES + OTHER_CYCLES;
        expect("the engine is overdue", phase_ == WORK && cycles - loaded_ > cfg.bins * bin + 2, 0);
    }
};

// lookup, rows, forget, gap, wait, snapshots, cold
bench::Outcome run(const bench::Setup &s) {
    bench::Outcome o;
    Ppuc b(s);
    b.reset();
    const Style styles[] = {
        {1000, 2, 2, 0, 0, 50, 0},   {1000, 7, 0, 100, 20, 30, 0}, {500, 63, 20, 0, 3, 20, 0},
        {1000, 1, 0, 0, 200, 20, 0}, {200, 3, 0, 0, 0, 40, 900},
    };
    for (const Style &style : styles) b.run(style);
    if (!b.mismatch.found) {
        b.reset();
        b.run(styles[0]);
    }
    o.add(b);
    return o;
}

#ifdef GMMU_FAULTS

TEST(PpucFaults, EachIsSeen) {
    bench::expect_faults_seen("ppuc", 3, run);
}

#else

TEST(Ppuc, LockStep) {
    bench::expect_lockstep("ppuc", 6, run);
}

TEST(Ppuc, OneLookupACycle) {
    Ppuc b({"garbage", bench::seed_of_run(), 0});
    b.reset();
    // every cycle but those of an INSTALL; the answer comes six cycles later, in order (asserted)
    EXPECT_TRUE(b.run({1000, 3, 1, 0, 5, 2000, 0})) << b.mismatch.text();
    EXPECT_EQ(b.lookups + b.installs + b.stale, b.cycles - 10);  // 10 cycles of reset
    EXPECT_GT(b.installs, 10u);
    EXPECT_GT(b.stale, 2u);
    EXPECT_GT(b.together, 0u);
    std::printf("ppuc (%s): slowest row %" PRIu64 " cycles from its header to INSTALL\n",
                GMMU_CONFIG_NAME, b.slowest);
}

TEST(Ppuc, LargestProducts) {
    Ppuc b({"garbage", bench::seed_of_run() + 1, 0});
    b.reset();
    b.tries = 200;
    EXPECT_TRUE(b.run({100, 7, 0, 0, 0, 800, 950})) << b.mismatch.text();
}

// ---- the twin itself, against Eq. 1 and 2 of the LEU paper in exact rationals

// The bins, written down a second time: exact up to 8, then four an octave.
struct Span {
    uint64_t low, edge;
};
std::vector<Span> spans(unsigned bins) {
    std::vector<Span> s;
    for (uint64_t x = 0; s.size() < bins && x < 8; x++) s.push_back({x, x});
    for (uint64_t octave = 8; s.size() < bins; octave *= 2)
        for (uint64_t quarter = 0; quarter < 4 && s.size() < bins; quarter++)
            s.push_back({octave + quarter * octave / 4, octave + (quarter + 1) * octave / 4 - 1});
    return s;
}

struct Ratio {
    Wide num, den;
};

// max over l of (C(l) - C(tau)) / (at_risk(tau) * (l - tau)), all leases l one by one.
Ratio priority_of(const std::vector<Wide> &reuse, const std::vector<Wide> &censored,
                  const std::vector<Span> &bin, unsigned b) {
    const uint64_t tau = bin[b].low;
    Wide at_risk = 0;
    for (std::size_t j = b; j < bin.size(); j++) at_risk += reuse[j] + censored[j];
    Ratio best = {0, 1};
    const auto lease = [&](uint64_t l) {
        Wide mass = 0;  // of the bins from tau's on that end by l
        for (std::size_t j = b; j < bin.size(); j++)
            if (std::max(bin[j].edge, tau + 1) <= l)
                mass += reuse[j];
        if (mass * best.den > best.num * (l - tau))
            best = {mass, l - tau};
    };
    if (bin.back().edge < 1024) {
        for (uint64_t l = tau + 1; l <= std::max(bin.back().edge, tau + 1); l++) lease(l);
    } else {  // between two edges C does not grow, but the cost does
        for (std::size_t j = b; j < bin.size(); j++) lease(std::max(bin[j].edge, tau + 1));
    }
    return {best.num, best.den * at_risk};
}

TEST(Ppuc, TwinIsTheExactRationalRoundedDown) {
    const gmmu_config &c = bench::config();
    const std::vector<Span> bin = spans(c.bins);
    bench::Random rng(bench::seed_of_run());
    bench::Memory memory(gmmu_tier_bytes(&c) + 64);
    gmmu_ppuc twin;
    ASSERT_EQ(gmmu_ppuc_init(&twin, &c, &memory.arena), 0);
    for (unsigned b = 0; b < c.bins; b++) {
        ASSERT_EQ(gmmu_bin_low(b), bin[b].low);
        ASSERT_EQ(gmmu_bin_edge(b), bin[b].edge);
        ASSERT_EQ(gmmu_bin(bin[b].low, c.bins), b);
        ASSERT_EQ(gmmu_bin(bin[b].edge, c.bins), b);
    }
    uint64_t values = 0, dead = 0;
    double largest = 0;
    for (unsigned i = 0; i < 1500; i++) {
        Row row = some_row(rng), global = some_row(rng);
        const gmmu_class cls = {static_cast<uint16_t>(rng.below(c.classes)), 0};
        if (cls.row == 0)
            row = global;
        const bool pseudo = rng.below(2);
        const gmmu_rit_row view = row.view(), all = global.view();
        gmmu_ppuc_refresh(&twin, cls, &view, &all, pseudo);
        // a cold row: 8 more observations, as the global ones are distributed; everything times
        // the number of those
        const uint64_t n = global.observations();
        const bool cold = pseudo && cls.row != 0 && row.observations() < 8 && n > 0;
        std::vector<Wide> reuse(c.bins), censored(c.bins);
        for (unsigned b = 0; b < c.bins; b++) {
            reuse[b] =
                cold ? static_cast<Wide>(row.reuse[b]) * n + 8u * global.reuse[b] : row.reuse[b];
            censored[b] = cold ? static_cast<Wide>(row.censored[b]) * n + 8u * global.censored[b]
                               : row.censored[b];
        }
        for (unsigned b = 0; b < c.bins; b++) {
            const Ratio r = priority_of(reuse, censored, bin, b);
            const uint16_t code = twin.engine.priority[b];
            values++;
            ASSERT_EQ(code == 0, r.num == 0) << "dead if and only if there is no mass";
            if (code == 0) {
                dead++;
                continue;
            }
            // (1024 + M) * 2^(E - 73) against num / den
            const Wide exact = r.num << (73 - (code >> 10));
            const Wide is = (1024u + (code & 1023u)) * r.den;
            ASSERT_LE(is, exact) << "bin " << b;
            ASSERT_LT((exact - is) * 1024, exact) << "bin " << b;
            const double error = static_cast<double>(exact - is) / static_cast<double>(exact);
            largest = std::max(largest, error);
            const double value = static_cast<double>(r.num) / static_cast<double>(r.den);
            ASSERT_NEAR(gmmu_minifloat_value(code) / value, 1.0, 1.0 / 1024);
        }
    }
    EXPECT_GT(dead, values / 100);
    std::printf("ppuc (%s): %" PRIu64 " values, largest relative error %.3e (bound %.3e)\n",
                GMMU_CONFIG_NAME, values, largest, std::ldexp(1.0, -10));
}

#endif

}  // namespace
