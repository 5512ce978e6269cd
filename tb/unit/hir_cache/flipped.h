// SPDX-License-Identifier: Apache-2.0
// flipped.h: the HIR cache while bits turn over in words as they go to RAMs; in an entry's counters
// once an interval at most.
#ifndef GMMU_TB_HIR_CACHE_FLIPPED_H
#define GMMU_TB_HIR_CACHE_FLIPPED_H

#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <utility>
#include <vector>

#include "bench.h"
#include "hir_cache/hir.h"

// Packets keep their form, n is the number of first touches and never more than there are entries;
// each record is of a page set that was hit in its interval, with no more hits than there were, or
// empty.
class Flipped : public bench::Block {
   public:
    uint64_t hits = 0, dropped = 0, turns = 0, empty = 0, records = 0;
    uint64_t in_spoilt = 0;  // hits of which it is known that their set is spoilt

    explicit Flipped(const bench::Setup &s) : Block("hir_cache", s) {
        dut->walk_valid = dut->clear = 0;
        dut->cfg_transfer = 40;
        dut->m_tready = 1;
        dut->rst = 1;
        for (int i = 0; i < 4; i++) tick();
        dut->rst = 0;
        dut->clear = 1;
        for (settle(); !dut->cleared; settle()) edge();
        dut->clear = 0;
    }

    // In each set as many page sets as it has ways, or one more, whose tags differ in one bit from
    // the first one's; and shorter intervals then.
    bool run(uint64_t walks, unsigned more) {
        const gmmu_hir_config h = hir_config();
        dut->cfg_transfer = more != 0 ? 5 : 40;
        for (uint64_t i = 0; i < walks && ok(); i++) {
            Walk w;
            w.valid = rng.below(10) != 0;
            w.fault = rng.below(20) == 0;
            uint64_t set = upper(rng.below(h.ways + more)) * h.sets + rng.below(h.sets);
            switch (rng.below(8)) {
                case 0:  // the page set of the walk before
                    set = sets_[3];
                    break;
                case 1:  // of the one two before
                    set = sets_[2];
                    break;
                case 2:  // that of the walk four before, or one beside it
                    set = sets_[0] % h.sets + upper(rng.below(h.ways + more)) * h.sets;
                    break;
                default:
                    break;
            }
            sets_.pop_front();
            sets_.push_back(set);
            w.asid = set >> 1 & 1;
            w.vpn = (set * h.pages + rng.below(h.pages)) & bench::mask(cfg.vpn_w);
            cycle(w);
        }
        for (unsigned i = 0; i < 64 + 2 * h.sets * h.ways && ok(); i++) cycle({});
        return ok();
    }

    void expect_told() {
        if (cfg.hir_sets * cfg.hir_ways < 32)
            return;  // few records
        expect("words that turned bad are told", turns >= 100 && empty >= 20, 1);
        expect("hits of spoilt sets", in_spoilt >= 100, 1);
        expect("a third of the hits and more are counted",
               dropped > hits / 3 * 2 && cfg.hir_ways > 1, 0);
    }

   private:
    using Key = std::pair<uint64_t, uint64_t>;
    using Interval = std::map<Key, std::vector<uint32_t>>;  // hits of each page
    struct Packet {
        uint64_t n, dropped;
        Interval of;
    };
    std::deque<Walk> pipe_ = std::deque<Walk>(5);
    std::deque<uint64_t> sets_ = std::deque<uint64_t>(4);  // of the walks before
    std::map<uint64_t, unsigned> touched_;  // first touches of a set in this interval
    std::map<uint64_t, uint64_t> spoilt_;   // of a set, in this interval: when a hit met its header
    std::map<Key, uint64_t> last_hit_;      // of a page set
    uint64_t hit_set_ = 0;                  // of the hit of the cycle before
    unsigned bit_ = 0;                      // of the tags of this interval's page sets
    bool moved_ = true, hit_ = false;       // in the cycle before: the port, a hit
    Packet now_ = {};
    std::deque<Packet> packets_;
    uint64_t seq_ = 0, left_ = 0;
    bool head_ = true, turned_ = false;

    // Upper bits of a page set's number: 0, or one bit.
    uint64_t upper(uint64_t i) const {
        const auto below = static_cast<unsigned>(__builtin_ctz(cfg.hir_pages * cfg.hir_sets));
        const unsigned bits = cfg.vpn_w > below ? cfg.vpn_w - below : 1;
        return i == 0 ? 0 : uint64_t{1} << (bit_ + i) % bits;
    }

    void cycle(const Walk &w) {
        dut->walk_valid = w.valid;
        dut->walk_fault = w.fault;
        dut->walk_asid = w.asid;
        dut->walk_vpn = w.vpn;
        dut->m_tready = rng.below(8) != 0;
        settle();
        told();
        moved_ = !dut->m_tvalid || dut->m_tready;
        if (dut->m_tvalid && dut->m_tready)
            beat();
        act(pipe_.front());
        hit_ = dut->tvi_hit;
        pipe_.pop_front();
        pipe_.push_back(w);
        edge();
    }

    // A record that turned bad is told in the cycle in which it comes to the port, as an empty one;
    // a header a cycle behind a hit that met it; nothing else is.
    void told() {
        const bool over = dut->turned != turned_;
        turns += over;
        turned_ = dut->turned;
        if (moved_ && dut->m_tvalid && !head_ && is_empty(gmmu_hir_layout_of(&cfg)))
            expect("an empty record is told", over, 1);
        else if (!hit_)
            expect("told without a word that turned bad", over, 0);
        else if (over)
            spoilt_.emplace(hit_set_, cycles - 1);
    }

    void act(const Walk &w) {
        expect("HIT", dut->tvi_hit, w.valid && !w.fault);
        if (dut->tvi_hit) {
            actions++;
            hits++;
            const unsigned shift = static_cast<unsigned>(__builtin_ctz(cfg.hir_pages));
            const Key key = {w.asid, w.vpn >> shift};
            hit_set_ = ((w.vpn >> shift) ^ w.asid) & (cfg.hir_sets - 1);
            // A hit of up to four cycles before may forward its way.
            const auto since = spoilt_.find(hit_set_);
            const auto last = last_hit_.find(key);
            if (since != spoilt_.end() && cycles - since->second > 4 &&
                (last == last_hit_.end() || cycles - last->second > 4)) {
                in_spoilt++;
                expect("a hit of a spoilt set", dut->tvi_outcome, GMMU_HIR_DROPPED);
            }
            last_hit_[key] = cycles;
            if (dut->tvi_outcome == GMMU_HIR_DROPPED) {
                dropped++;
                now_.dropped++;
            } else {
                std::vector<uint32_t> &pages = now_.of[key];
                pages.resize(cfg.hir_pages);
                pages[w.vpn % cfg.hir_pages]++;
                now_.n += dut->tvi_outcome == GMMU_HIR_TOUCHED;
                touched_[hit_set_] += dut->tvi_outcome == GMMU_HIR_TOUCHED;
                expect("more page sets than ways", touched_[hit_set_] > cfg.hir_ways, 0);
            }
        }
        if (dut->tvi_swap) {
            packets_.push_back(now_);
            now_ = {};
            touched_.clear();
            spoilt_.clear();
            bit_ = static_cast<unsigned>(rng.below(64));
        }
    }

    void beat() {
        const gmmu_hir_head_layout h = gmmu_hir_head_layout_of();
        if (!expect("a packet", packets_.empty(), 0))
            return;
        const Packet &p = packets_.front();
        if (head_) {
            expect("seq", get_bits(dut->m_tdata, h.seq), seq_);
            expect("n", get_bits(dut->m_tdata, h.n), p.n);
            expect("n of so many entries", p.n > cfg.hir_sets * cfg.hir_ways, 0);
            expect("dropped", get_bits(dut->m_tdata, h.dropped),
                   std::min<uint64_t>(p.dropped, 65535));
            seq_ = (seq_ + 1) & 65535;
            left_ = p.n;
        } else {
            record(p);
            left_--;
        }
        expect("m_tlast", dut->m_tlast, left_ == 0);
        head_ = left_ == 0;
        if (head_)
            packets_.pop_front();
    }

    void record(const Packet &p) {
        const gmmu_hir_layout l = gmmu_hir_layout_of(&cfg);
        const uint64_t asid = get_bits(dut->m_tdata, l.asid), set = get_bits(dut->m_tdata, l.set);
        records++;
        if (is_empty(l)) {
            empty++;
            return;
        }
        const auto is = p.of.find({asid, set});
        if (!expect("a page set that was hit", is != p.of.end(), 1))
            return;
        for (unsigned i = 0; i < cfg.hir_pages; i++)
            expect("no more hits than there were", count(l, i) > is->second[i], 0);
    }
    bool is_empty(const gmmu_hir_layout &l) {
        uint64_t any = get_bits(dut->m_tdata, l.asid) | get_bits(dut->m_tdata, l.set);
        for (unsigned i = 0; i < cfg.hir_pages; i++) any |= count(l, i);
        return any == 0;
    }
    uint64_t count(const gmmu_hir_layout &l, unsigned page) {
        return get_bits(dut->m_tdata, {l.counters.offset + page * cfg.hir_cnt_w, cfg.hir_cnt_w});
    }
};

#endif
