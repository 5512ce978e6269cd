// SPDX-License-Identifier: Apache-2.0
// hir.h: the RTL beside its twin, every action and beat in exactly its cycle.
#ifndef GMMU_TB_HIR_CACHE_HIR_H
#define GMMU_TB_HIR_CACHE_HIR_H

#include <algorithm>
#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

#include "bench.h"
#include "blocks/hir_cache.h"

// What the counters of events start from: as far as no run counts, where mutants are run
// (scripts/mutate.py).
#ifndef GMMU_COUNTS_FROM
#define GMMU_COUNTS_FROM 0
#endif

inline gmmu_hir_config hir_config() {
    const gmmu_config &c = bench::config();
    return {c.hir_sets, c.hir_ways, c.hir_pages, c.hir_cnt_w, c.vpn_w, c.asid_w};
}

constexpr unsigned kAll = 1u << 30;
constexpr uint32_t kCountsFrom = GMMU_COUNTS_FROM;

struct Style {
    unsigned walk = 0, fault = 0;  // permille: of the cycles; of the walks
    unsigned again = 0;            // permille of the walks: the page set of one of the few before
    unsigned sets = 1, tags = 1;   // in play; tags: of a set
    unsigned asids = 1, transfer = 0;
    unsigned ready = 1000,
             stall = 0;  // permille of the cycles; now and then none for up to so many
    uint64_t cycles = 0;
    unsigned flicker = 0;  // permille of the cycles in which cfg_transfer becomes another one
};

struct Walk {
    bool valid = false, fault = false;
    uint32_t asid = 0, transfer = 0;
    uint64_t vpn = 0;
    uint64_t gone = 0;  // packets whose last beat was taken by the end of the walk's cycle
};

class Hir : public bench::Block {
   public:
    uint64_t hits = 0, faults = 0, counted = 0, touched = 0, dropped = 0, packets = 0, skipped = 0,
             records = 0, longest = 0, same_entry = 0, during_drain = 0, saturated = 0;

    explicit Hir(const bench::Setup &s) : Block("hir_cache", s) {
        gmmu_arena need = {};
        (void)gmmu_hir_cache_init(&twin_, &hir_, &need);
        bytes_.resize(need.used);
        dut->rst = dut->clear = 0;
        dut->walk_valid = 0;
        dut->m_tready = 0;
        base_ = rng.next();
    }

    bool ok() const { return Block::ok(); }

    void reset() {
        gmmu_arena arena = {bytes_.data(), bytes_.size(), 0};
        (void)gmmu_hir_cache_init(&twin_, &hir_, &arena);
        // into walks of all kinds
        for (uint64_t i = rng.below(64); i > 0; i--) {
            noise();
            dut->walk_valid = rng.below(4) != 0;
            dut->cfg_transfer = 1;
            dut->m_tready = 1;
            tick();
        }
        dut->rst = 1;
        for (uint64_t i = rng.below(4); i < 4; i++) {
            noise();
            dut->walk_valid = 1;
            dut->clear = rng.below(2);
            dut->cfg_transfer = 1;
            tick();
        }
        dut->rst = 0;
        dut->walk_valid = 0;
        // clearing: a set a cycle, while `clear` is there
        // mostly the walks follow at once
        const unsigned until = hir_.sets + 4 + (rng.below(4) != 0 ? 0 : 2 * hir_.sets + 4);
        for (unsigned n = 0; n < until && ok();) {
            noise();
            dut->clear = rng.below(8) != 0;  // of no matter after the last set
            settle();
            expect("cleared", dut->cleared, n >= hir_.sets + 3);
            // nothing is left of what was under way
            expect("m_tvalid before the first walk", dut->m_tvalid, 0);
            expect("idle before the first walk", dut->idle, 1);
            expect("HIT before the first walk", dut->tvi_hit || dut->tvi_outcome, 0);
            expect("FAULT before the first walk", dut->tvi_fault || dut->tvi_due || dut->tvi_swap,
                   0);
            expect("drops before the first walk", dut->stat_drops, kCountsFrom);
            expect("skips before the first walk", dut->stat_skipped, kCountsFrom);
            n += dut->clear || n >= hir_.sets;
            edge();
        }
        dut->clear = 0;
        transfer_ = dut->cfg_transfer;
        beats_.clear();
        pipe_.assign(kStages, {});
        drops_.assign(3, 0);
        skips_.assign(3, 0);
        recent_.assign(6, {});
        closed_ = gone_ = gone_before_ = 0;
        busy_until_ = cycles - 1;
        stalled_ = 0;
    }

    bool run(const Style &s) {
        uint32_t transfer = s.transfer;
        for (uint64_t i = 0; i < s.cycles && ok(); i++) {
            if (rng.chance(s.flicker))
                transfer = static_cast<uint32_t>(rng.below(3) == 0 ? rng.edgy(16)
                                                                   : rng.below(2 * s.transfer + 2));
            Walk w;
            w.valid = rng.chance(s.walk);
            w.fault = rng.chance(s.fault);
            w.transfer = transfer;
            page(s, &w);
            if (stalled_ > 0)
                stalled_--;
            else if (s.stall != 0 && rng.below(200) == 0)
                stalled_ = rng.below(s.stall);
            cycle(w, stalled_ == 0 && rng.chance(s.ready));
        }
        return ok();
    }

    // One cycle: W, if it is valid; is a beat taken? A fault takes cfg_transfer as it was in the
    // cycle before.
    void cycle(Walk w, bool ready) {
        noise();
        dut->walk_valid = w.valid;
        if (w.valid || rng.below(2)) {
            dut->walk_fault = w.fault;
            dut->walk_asid = w.asid;
            dut->walk_vpn = w.vpn;
        }
        dut->cfg_transfer = w.transfer;
        std::swap(w.transfer, transfer_);
        dut->m_tready = ready;
        settle();
        stream();
        w.gone = gone_;
        expect("stat_drops", dut->stat_drops, kCountsFrom + drops_.front());
        expect("stat_skipped", dut->stat_skipped, kCountsFrom + skips_.front());
        expect("idle", dut->idle, cycles > busy_until_ && gone_before_ == closed_);
        expect("a word that turned bad", dut->turned, 0);
        act(pipe_.front());
        pipe_.pop_front();
        pipe_.push_back(w);
        drops_.pop_front();
        drops_.push_back(twin_.drops);
        skips_.pop_front();
        skips_.push_back(twin_.skipped);
        gone_before_ = gone_;
        if (w.valid)
            busy_until_ = std::max(busy_until_, cycles + 5);
        edge();
    }

    // No walks until all is at rest; then all that was recorded leaves, and nothing is left.
    bool drain() {
        Walk none;
        const uint64_t limit = cycles + 4ull * hir_.sets * hir_.ways + 64;
        while (ok() && (cycles <= busy_until_ || !beats_.empty()) && cycles < limit)
            cycle(none, true);
        cycle(none, true);
        expect("idle at rest", dut->idle, 1);
        Walk last;
        last.transfer = 1;
        cycle(last, true);
        last.valid = last.fault = true;
        cycle(last, true);
        for (uint64_t i = 0; i < hir_.sets * hir_.ways + 24ull && ok(); i++) cycle(none, true);
        expect("packets that left", gone_, closed_);
        expect("entries left", 0, twin_.n);
        return ok();
    }

    const gmmu_hir_cache &twin() const { return twin_; }

   private:
    static constexpr unsigned kStages = 5;
    struct Beat {
        uint32_t words[GMMU_HIR_WORDS];
        bool last;
        uint64_t from;  // stands at the port from this cycle on
    };
    const gmmu_hir_config hir_ = hir_config();
    const unsigned shift_ = static_cast<unsigned>(__builtin_ctz(hir_.pages)),
                   low_ = static_cast<unsigned>(__builtin_ctz(hir_.sets));
    const unsigned high_w_ =
        cfg.vpn_w - shift_ > low_ ? cfg.vpn_w - shift_ - low_ : 1;  // bits of a set's tags
    const unsigned beat_bits_ = gmmu_hir_beat_bits(&hir_);
    std::vector<char> bytes_;
    gmmu_hir_cache twin_ = {};
    std::deque<Walk> pipe_;  // walks whose results are to come
    std::deque<Beat> beats_;
    std::deque<uint32_t> drops_, skips_;  // so many, three cycles before and then
    std::deque<std::pair<uint32_t, uint64_t>> recent_;
    uint64_t closed_ = 0, gone_ = 0,
             gone_before_ = 0;  // packets closed, taken whole; taken by the cycle before
    uint64_t busy_until_ = 0;
    uint64_t stalled_ = 0, base_ = 0;
    uint32_t transfer_ = 0;  // of the cycle before

    void noise() {
        dut->walk_fault = rng.below(2);
        dut->walk_asid = rng.bits(cfg.asid_w);
        dut->walk_vpn = rng.bits(cfg.vpn_w);
        dut->cfg_transfer = rng.bits(16);
        dut->m_tready = rng.below(2);
    }

    void page(const Style &s, Walk *w) {
        uint64_t set;
        if (rng.chance(s.again)) {
            // mostly the very last ones
            const auto &r = recent_[rng.below(2) ? 0 : rng.below(recent_.size())];
            w->asid = r.first;
            set = r.second;
            if (rng.below(10) == 0)  // nearly the same
                set ^= 1ull << rng.below(cfg.vpn_w - shift_);
        } else {
            w->asid = static_cast<uint32_t>(rng.below(s.asids) & bench::mask(cfg.asid_w));
            if (s.asids > 1 && rng.below(16) == 0)
                w->asid = static_cast<uint32_t>(rng.edgy(cfg.asid_w));
            const uint64_t index =
                s.sets >= hir_.sets ? rng.next() : base_ + rng.below(s.sets) * 0x9E3779B1u;
            const uint64_t tag = rng.below(s.tags);
            // small numbers, or one bit of a random one changed
            const uint64_t high =
                base_ & 4096 ? tag
                             : (base_ >> 16) ^ (tag == 0 ? 0 : 1ull << (tag * 7 + base_) % high_w_);
            set = high << low_ | ((index ^ w->asid) & (hir_.sets - 1));
        }
        w->vpn = (set << shift_ | rng.below(rng.below(2) ? hir_.pages : std::min(2u, hir_.pages))) &
                 bench::mask(cfg.vpn_w);
        recent_.pop_back();
        recent_.emplace_front(w->asid, w->vpn >> shift_);
    }

    // What the walk of five cycles ago did.
    void act(const Walk &w) {
        expect("HIT", dut->tvi_hit, w.valid && !w.fault);
        expect("FAULT", dut->tvi_fault, w.valid && w.fault);
        if (!w.valid) {
            expect("outcome without a walk", dut->tvi_outcome, 0);
            expect("due without a walk", dut->tvi_due, 0);
            expect("swap without a walk", dut->tvi_swap, 0);
            return;
        }
        actions++;
        if (w.fault) {
            faults++;
            expect("outcome of a fault", dut->tvi_outcome, 0);
            const bool due = gmmu_hir_cache_fault(&twin_, w.transfer);
            expect("due", dut->tvi_due, due);
            // free when the last beat had been taken by the fault's cycle
            const bool other_free = closed_ == w.gone;
            expect("swap", dut->tvi_swap, due && other_free);
            if (due)
                swap(other_free);
            return;
        }
        hits++;
        during_drain += closed_ != gone_;
        const unsigned was = gmmu_hir_cache_hit(&twin_, w.asid, w.vpn);
        expect("outcome", dut->tvi_outcome, was);
        expect("due after a hit", dut->tvi_due, 0);
        expect("swap after a hit", dut->tvi_swap, 0);
        counted += was == GMMU_HIR_COUNTED;
        touched += was == GMMU_HIR_TOUCHED;
        dropped += was == GMMU_HIR_DROPPED;
        same_entry += was == GMMU_HIR_COUNTED && pipe_[1].valid && !pipe_[1].fault &&
                      pipe_[1].asid == w.asid && pipe_[1].vpn == w.vpn;
        busy_until_ = std::max(busy_until_, cycles + (was == GMMU_HIR_DROPPED ? 1 : 3));
    }

    void swap(bool other_free) {
        actions++;
        gmmu_hir_packet p = {};
        if (!gmmu_hir_cache_drain_swap(&twin_, other_free, &p)) {
            skipped++;
            busy_until_ = std::max(busy_until_, cycles + 1);
            return;
        }
        packets++;
        closed_++;
        longest = std::max<uint64_t>(longest, p.head.n);
        saturated += p.head.dropped == 65535;
        Beat b = {{}, p.head.n == 0, cycles + 6};
        gmmu_hir_pack_head(&p.head, b.words);
        beats_.push_back(b);
        for (unsigned i = 0; i < p.head.n; i++) {
            gmmu_hir_pack_record(&hir_, &p.record[i], b.words);
            b.last = i + 1 == p.head.n;
            beats_.push_back(b);
        }
    }

    // What stands at the port: the packet, six cycles after DRAIN_SWAP, without a gap; a beat that
    // is not taken stays.
    void stream() {
        const bool wanted = !beats_.empty() && cycles >= beats_.front().from;
        if (!expect("m_tvalid", dut->m_tvalid, wanted) || !wanted)
            return;
        const Beat &b = beats_.front();
        for (unsigned i = 0; i < beat_bits_; i += 32)
            expect("beat", get_bits(dut->m_tdata, {i, std::min(32u, beat_bits_ - i)}),
                   b.words[i / 32]);
        expect("m_tlast", dut->m_tlast, b.last);
        if (dut->m_tready) {
            gone_ += b.last;
            records++;
            beats_.pop_front();
        }
    }
};

#endif
