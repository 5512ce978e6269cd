// SPDX-License-Identifier: Apache-2.0
// range_dir.h: checks each packet of range_dir, beat by beat; and offers it random operations, if
// it is told to.
#pragma once
#include <algorithm>
#include <deque>
#include <functional>
#include <type_traits>
#include <vector>

#include "bits.h"
#include "lockstep/checker.h"

namespace lockstep {

class RangeDir : public Checker<RangeDir> {
   public:
    static constexpr const char *block = "range_dir";
    // in how many of 1000 cycles an operation is offered, if none waits; a beat is taken
    unsigned offers = 0, ready = 1000;
    // These in their order, instead of random ones.
    const std::vector<gmmu_range_op> *list = nullptr;
    // Beats, as they are taken: words, and how many.
    std::function<void(const uint32_t *, unsigned)> on_beat;

    explicit RangeDir(Pair &pair)
        : Checker(pair), in(gmmu_range_layout_of(&cfg)), out(gmmu_xfer_layout_of(&cfg)) {}

    void drive(uint32_t random) {
        state = state * 6364136223846793005ull + 2 * random + 1;
        dut.m_axis_xfer_tready = below(1000) < ready;
        if (took)
            offered = false;
        if (!offered && cfg.ranges != 0 && below(1000) < offers &&
            (list == nullptr || next < list->size())) {
            if (list == nullptr && expected.empty() && below(16) == 0)
                limit();
            op = list != nullptr ? (*list)[next++] : make();
            offered = true;
            put();
        }
        dut.s_axis_range_tvalid = offered;
    }
    void settled() { took = offered && dut.s_axis_range_tready; }
    const char *under_way() const {
        return !expected.empty() ? "quiet with a packet of a range under way" : nullptr;
    }

    // RANGE.
    void range() {
        if (!expect("RANGE without an operation", took, 1))
            return;
        const uint32_t n = gmmu_tier_range(&twin, op);
        expected.insert(expected.end(), twin.range_beats, twin.range_beats + n);
    }
    void end() {
        expect("RANGE of an operation that is taken", dut.tvi_range, took);
        if (cfg.ranges == 0)
            expect("an operation is taken, or a beat comes, without RANGES",
                   dut.s_axis_range_tready || dut.m_axis_xfer_tvalid, 0);
        watch(!expected.empty() && !dut.m_axis_xfer_tvalid, waits);
        if (waits != 0)
            expect("a beat overdue", now() - waits > longest(), 0);
    }
    void taken() {
        if (on_beat && dut.m_axis_xfer_tvalid && dut.m_axis_xfer_tready)
            tell();
        if (!p.compare || !dut.m_axis_xfer_tvalid || !dut.m_axis_xfer_tready)
            return;
        if (!expect("a beat that is not due", expected.empty(), 0))
            return;
        const gmmu_range_beat b = expected.front();
        expected.pop_front();
        const auto &t = dut.m_axis_xfer_tdata;
        expect("kind", get_bits(t, out.kind), b.kind);
        expect("code", get_bits(t, out.code), b.code);
        expect("tag", get_bits(t, out.tag), b.tag);
        expect("state", get_bits(t, out.state), b.state);
        expect("hit", get_bits(t, out.hit), b.hit);
        expect("base_ok", get_bits(t, out.base_ok), b.base_ok);
        expect("asid", get_bits(t, out.asid), b.asid);
        expect("start", get_bits(t, out.start), b.start);
        expect("last", get_bits(t, out.last), b.last);
        expect("base", get_bits(t, out.base), b.base);
        expect("tlast", dut.m_axis_xfer_tlast, b.kind == GMMU_RANGE_ANSWER);
    }
    void finish() { expect("beats not given", 0, expected.size()); }

   private:
    const gmmu_range_layout in;
    const gmmu_xfer_layout out;
    gmmu_range_op op = {};
    size_t next = 0;  // of the list
    bool offered = false, took = false;
    std::deque<gmmu_range_beat> expected;
    uint64_t waits = 0, state = 0;

    void tell() const {
        uint32_t words[16] = {};
        unsigned n = 0;
        for (unsigned at = 0; at < out.bits; at += 32)
            words[n++] = static_cast<uint32_t>(
                get_bits(dut.m_axis_xfer_tdata, {at, std::min(32u, out.bits - at)}));
        on_beat(words, n);
    }
    uint64_t below(uint64_t n) {
        state = state * 6364136223846793005ull + 1442695040888963407ull;
        return (state >> 33) % n;
    }
    uint64_t mask() const { return UINT64_MAX >> (64 - in.start.width); }
    // Cycles to a beat: 4 RANGES + 32, a search, which takes two a level, three where it has more
    // than 16 records, and records that leave.
    uint64_t longest() const {
        const uint64_t r = cfg.ranges;
        uint64_t search = 0;
        for (unsigned b = 0; r >> b != 0; b++)
            search += ((r + (1ull << b)) >> (b + 1)) > 16 ? 3 : 2;
        return 4 * r + search + 32 + r * (r + 11);
    }
    // GPU memory for none, some, all.
    void limit() {
        const uint64_t some[] = {0, below(2 * cfg.ranges) << 12, mask()};
        p.regs.range_bytes = some[below(3)];
        dut.cfg_range_bytes =
            static_cast<std::remove_reference_t<decltype(dut.cfg_range_bytes)>>(regs.range_bytes);
        gmmu_tier_range_limit(&twin, regs.range_bytes);
    }
    // Of all kinds, on a page, a few, a part, at both ends of the address space; often on a record.
    gmmu_range_op make() {
        gmmu_range_op o = {};
        static const unsigned more[] = {
            GMMU_RANGE_READ_GPU,  GMMU_RANGE_READ_GPU, GMMU_RANGE_READ_GPU, GMMU_RANGE_WRITE_GPU,
            GMMU_RANGE_WRITE_GPU, GMMU_RANGE_UNPIN,    GMMU_RANGE_UNPIN,    GMMU_RANGE_UNPIN};
        const uint64_t kind = below(20);
        o.op = static_cast<uint8_t>(kind < 12 ? kind : more[kind - 12]);
        if (below(50) == 0)
            o.op = static_cast<uint8_t>(below(16));
        o.tag = static_cast<uint8_t>(below(256));
        o.asid = static_cast<uint32_t>(below(3) & ((1u << std::min(cfg.asid_w, 2u)) - 1));
        o.start = below(2 * cfg.ranges) << 12;
        o.last = o.start + ((below(4) ? 1 : 1 + below(4)) << 12) - 1;
        if (below(4) == 0)
            o.start |= below(4096);
        if (below(4) == 0) {
            const uint64_t last = mask() - o.start;
            o.start = mask() - o.last;
            o.last = last;
        }
        if (twin.range.used != 0 && below(2)) {
            const gmmu_range &r = twin.range.range[below(twin.range.used)];
            o.asid = r.asid;
            o.start = r.start;
            o.last = r.last;
        }
        if (o.op == GMMU_RANGE_BASE)
            o.last = (state ^ state >> 20) & mask();
        o.whole = below(3) == 0;
        o.pin = below(4) == 0;
        return o;
    }
    void put() {
        auto &t = dut.s_axis_range_tdata;
        clear_bits(t);
        put_bits(t, in.op, op.op);
        put_bits(t, in.tag, op.tag);
        put_bits(t, in.asid, op.asid);
        put_bits(t, in.start, op.start);
        put_bits(t, in.last, op.last);
        put_bits(t, in.whole, op.whole);
        put_bits(t, in.pin, op.pin);
    }
};

}  // namespace lockstep
