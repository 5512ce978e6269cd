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

    // In each set as many page sets as it has ways, or one more; and shorter intervals then.
    bool run(uint64_t walks, unsigned more) {
        const gmmu_hir_config h = hir_config();
        dut->cfg_transfer = more != 0 ? 5 : 40;
        for (uint64_t i = 0; i < walks && ok(); i++) {
            Walk w;
            w.valid = rng.below(10) != 0;
            w.fault = rng.below(20) == 0;
            const uint64_t set = rng.below(h.ways + more) * h.sets + rng.below(h.sets);
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
        expect("most hits are counted", dropped > hits / 2 && cfg.hir_ways > 1, 0);
    }

   private:
    using Key = std::pair<uint64_t, uint64_t>;
    using Interval = std::map<Key, std::vector<uint32_t>>;  // hits of each page
    struct Packet {
        uint64_t n, dropped;
        Interval of;
    };
    std::deque<Walk> pipe_ = std::deque<Walk>(5);
    Packet now_ = {};
    std::deque<Packet> packets_;
    uint64_t seq_ = 0, left_ = 0;
    bool head_ = true, turned_ = false;

    void cycle(const Walk &w) {
        dut->walk_valid = w.valid;
        dut->walk_fault = w.fault;
        dut->walk_asid = w.asid;
        dut->walk_vpn = w.vpn;
        dut->m_tready = rng.below(8) != 0;
        settle();
        turns += dut->turned != turned_;
        turned_ = dut->turned;
        if (dut->m_tvalid && dut->m_tready)
            beat();
        act(pipe_.front());
        pipe_.pop_front();
        pipe_.push_back(w);
        edge();
    }

    void act(const Walk &w) {
        expect("HIT", dut->tvi_hit, w.valid && !w.fault);
        if (dut->tvi_hit) {
            actions++;
            hits++;
            const unsigned shift = static_cast<unsigned>(__builtin_ctz(cfg.hir_pages));
            if (dut->tvi_outcome == GMMU_HIR_DROPPED) {
                dropped++;
                now_.dropped++;
            } else {
                std::vector<uint32_t> &pages = now_.of[{w.asid, w.vpn >> shift}];
                pages.resize(cfg.hir_pages);
                pages[w.vpn % cfg.hir_pages]++;
                now_.n += dut->tvi_outcome == GMMU_HIR_TOUCHED;
            }
        }
        if (dut->tvi_swap) {
            packets_.push_back(now_);
            now_ = {};
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
        uint64_t any = asid | set;
        for (unsigned i = 0; i < cfg.hir_pages; i++) any |= count(l, i);
        if (any == 0) {
            empty++;
            return;
        }
        const auto is = p.of.find({asid, set});
        if (!expect("a page set that was hit", is != p.of.end(), 1))
            return;
        for (unsigned i = 0; i < cfg.hir_pages; i++)
            expect("no more hits than there were", count(l, i) > is->second[i], 0);
    }
    uint64_t count(const gmmu_hir_layout &l, unsigned page) {
        return get_bits(dut->m_tdata, {l.counters.offset + page * cfg.hir_cnt_w, cfg.hir_cnt_w});
    }
};

#endif
