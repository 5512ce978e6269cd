// SPDX-License-Identifier: Apache-2.0
// lockstep.h: the RTL of ring beside its twin, in every cycle, and software at both ends of the
// rings.
//
// The twin has no stages: what the RTL does late is in `Late`.
#ifndef GMMU_TB_RING_LOCKSTEP_H
#define GMMU_TB_RING_LOCKSTEP_H

#include <array>
#include <cstring>
#include <deque>
#include <iterator>
#include <memory>
#include <vector>

#include "blocks/beat.h"
#include "blocks/ring.h"
#include "ring/memory.h"
#include "ring/readers.h"

struct Style {
    unsigned asks = 500;   // permille of the cycles with a request
    unsigned chaos = 0;    // permille of the requests: any word, any data
    unsigned beats = 500;  // permille of the cycles in which a stream without a beat gets one
    unsigned takes = 500;  // permille of the cycles in which the unit takes an operation
    Speed memory = {};
    unsigned most = 8;       // entries of most rings
    unsigned windows = 0;    // percent: MODE 1
    unsigned idle = 0;       // permille of the requests for an enabled channel: disable or reset
    unsigned empties = 500;  // permille of the requests for an out ring: HEAD goes on
    unsigned fills = 500;    // permille of the requests for an in ring: TAIL goes on
    unsigned stops = 0;      // of 100000 cycles: a reset of the unit
    unsigned rsts = 0;       // of 100000 cycles: a reset of all
    unsigned parts = 50;     // permille of the writes: with any strobes
    bool clocks = false;     // the time bits alone are asked for: WAIT about the timer's value
    bool honest = false;     // software keeps to what rings are for, and reads all entries
    // entries of each channel's ring; 0: any
    std::array<uint32_t, GMMU_RING_CHANNELS> sizes = {};
    uint64_t cycles = 0;
};

class Ring : public bench::Block {
   public:
    uint64_t bad = 0, good_writes = 0, irqs = 0, resets = 0, entries = 0, ops = 0, drops = 0,
             errors = 0, discards = 0, windows = 0, full = 0, bursts = 0;
    RingMemory memory_model;
    std::array<RingReader, 4> readers;

    explicit Ring(const bench::Setup &s)
        : Block("ring", s),
          memory_model(bench::config().ring_data_w / 8, bench::config().ring_addr_w) {
        twin_ = std::make_unique<gmmu_ring>();
        init();
        for (unsigned c = 0; c < 4; c++)
            readers[c].begin(channel(c).bits, channel(c).bytes, channel(c).drops,
                             channel(c).packets);
        wraps_ = static_cast<unsigned>(rng.below(GMMU_RING_CHANNELS));
        high_ = rng.next();
    }

    void reset() {
        in_ = {};
        in_.rst = true;
        stopping_ = 0;
        request_ = {};
        for (uint64_t i = rng.below(3); i < 3; i++) {
            drive_inputs();
            tick();
        }
        reset_twin();
        memory_model.forget();
        in_.rst = false;
    }

    bool run(const Style &s) {
        for (uint64_t i = 0; i < s.cycles && ok(); i++) {
            choose(s);
            cycle(s);
        }
        return ok();
    }

    // Until nothing is under way: but for the rest of packets no beats come, software reads all,
    // the unit takes all.
    bool drain() {
        const Style s = {.asks = 900,
                         .beats = 0,
                         .takes = 700,
                         .empties = 900,
                         .fills = 0,
                         .honest = true,
                         .cycles = 2000};
        for (unsigned i = 0; i < 100 && ok() && !is_drained(); i++) (void)run(s);
        return is_drained();
    }
    bool is_drained() {
        bool is = ok() && dut->idle;
        for (unsigned c = 0; c < 4 && ok(); c++) {
            readers[c].saw(memory_model, channel(c).tail);
            is = is && reader_is_right(c) && !stream_[c].valid && readers[c].unread() == 0;
        }
        for (unsigned i = 0; i < 2; i++) is = is && (!honest_[i] || given_[i].empty());
        return is;
    }
    const gmmu_ring &twin() const { return *twin_; }

   private:
    struct Request {
        bool valid = false, write = false;
        unsigned word = 0;
        uint32_t data = 0;
        unsigned strobes = 0;
        bool fills = false;  // TAIL of an in channel: its operations are in memory
        uint32_t from = 0;   // that TAIL before
    };
    struct Answer {
        bool valid = false, bad = false;
        uint32_t data = 0;
    };
    struct Stream {
        bool valid = false;
        RingBeat beat;
        unsigned left = 0;  // beats of the packet behind this one
        bool inside = false;
    };
    // What the RTL does some cycles behind the twin.
    struct Late {
        bool fresh = false, open = false, aw = false, w = false;
        gmmu_ring_entry entry = {};
        unsigned beat = 0;
        bool b = false, b_ok = false;
        unsigned picked = 0;  // cycles since a burst began; 0: none
        bool ar = false, asked = false;
        gmmu_ring_burst burst = {};
        bool r = false, r_last = false, r_bad = false, any_bad = false;
        std::vector<uint8_t> data;
        std::array<bool, 2> offered = {};
    };
    struct In {
        bool rst = false, unit_rst = false, regs_rst = false, stops = false;
        std::array<bool, 2> takes = {};
    };

    std::unique_ptr<gmmu_ring> twin_;
    In in_;
    Late late_;
    Request request_, executed_;
    std::deque<Answer> answers_ = {{}};
    std::array<Stream, 4> stream_;
    std::array<std::deque<RingBeat>, 2> given_;     // operations of software, not yet taken
    std::array<std::vector<RingBeat>, 2> filling_;  // of the TAIL that is being written
    std::array<bool, 2> honest_ = {};               // given_ is whole
    unsigned wraps_ = 0;                            // the channel at the end of the address space
    uint64_t high_ = 0;
    uint16_t seq_ = 0;
    std::array<bool, GMMU_RING_CHANNELS> is_new_ = {};  // not enabled since its reset
    unsigned stopping_ = 0, stray_ = 0;
    bool keep_ = false;
    unsigned parts_ = 0;
    std::deque<Request> script_;  // requests to come, one a cycle

    gmmu_ring_channel &channel(unsigned c) { return twin_->channel[c]; }
    void init() {
        gmmu_ring_init(twin_.get(), &cfg, cfg.ring_addr_w, cfg.ring_data_w, cfg.ring_writes,
                       cfg.ring_ops);
    }
    unsigned beat_bytes() const { return cfg.ring_data_w / 8; }

    // ---- what the bench chooses
    void choose(const Style &s) {
        if (stopping_ == 0 && rng.below(100000) < s.stops) {
            stopping_ = 8;
            keep_ = rng.below(2) != 0;
        }
        in_.stops = stopping_ != 0;
        in_.unit_rst = in_.stops && (stopping_ < 8 || gmmu_ring_rests(twin_.get()));
        in_.regs_rst = in_.unit_rst && !keep_;
        if (in_.stops && !in_.unit_rst && rng.below(200) == 0)
            stopping_ = 0;  // as if it had not been
        if (in_.unit_rst)
            stopping_--;
        in_.rst = rng.below(100000) < s.rsts;
        if (in_.rst)
            in_.unit_rst = in_.regs_rst = rng.below(2) != 0;
        if (in_.rst)
            stopping_ = 0;
        for (unsigned c = 0; c < 4; c++)
            if (!stream_[c].valid && !in_.unit_rst &&
                rng.chance(stream_[c].inside ? std::max(s.beats, 300u) : s.beats))
                offer(c, s);
        for (unsigned i = 0; i < 2; i++) in_.takes[i] = rng.chance(s.takes);
        request_ = {};
        parts_ = s.parts;
        if (s.clocks) {
            ask_for_time();
        } else if (rng.chance(s.asks)) {
            script_.clear();
            ask(s);
        }
    }
    // Is the time bit set with WAIT about the timer's value? WAIT is long before and behind, as the
    // bit stays.
    void ask_for_time() {
        if (script_.empty()) {
            const auto c = static_cast<unsigned>(rng.below(4));
            if (!channel(c).present)
                return;
            unsigned above = 0;  // bits of the timer
            while (above < 32 && channel(c).timer >> above != 0) above++;
            const auto wait = static_cast<unsigned>(
                rng.below(2) ? above + 1 - std::min<uint64_t>(above, rng.below(9))
                             : rng.below(above + 2));
            const std::pair<unsigned, uint32_t> writes[] = {
                {GMMU_RING_WAIT, 31},
                {GMMU_RING_STATUS_HIGH, GMMU_RING_STATUS_HIGH_TIME_INT},
                {GMMU_RING_WAIT, std::min(wait, 31u)}};
            for (const auto &[within, data] : writes)
                script_.push_back({.valid = true,
                                   .write = true,
                                   .word = word_of(c, within),
                                   .data = data,
                                   .strobes = 15});
            for (unsigned i = 0; i < 2; i++)  // the bit is set in the cycle behind the first
                script_.push_back({.valid = true, .word = word_of(c, GMMU_RING_STATUS_HIGH)});
        }
        request_ = script_.front();
        script_.pop_front();
    }

    void offer(unsigned c, const Style &s) {
        Stream &st = stream_[c];
        gmmu_ring_channel &ch = channel(c);
        if (!ch.present)
            return;
        st.valid = true;
        st.beat = {};
        for (unsigned b = 0; b < ch.bits; b += 32)
            st.beat.words[b / 32] =
                static_cast<uint32_t>(rng.next() & bench::mask(std::min(32u, ch.bits - b)));
        if (c == GMMU_RING_DECISION) {
            st.beat.last = rng.below(2) != 0;  // has no wire
            return;
        }
        if (c == GMMU_RING_XFER) {
            st.beat.last = rng.below(3) == 0;
            return;
        }
        if (!st.inside) {
            st.left = static_cast<unsigned>(rng.below(4) ? rng.below(s.most + 1) : rng.below(4));
            if (rng.below(3) == 0 && ch.size >= 2 &&
                ch.enabled) {  // about as much as there is room
                const unsigned used =
                    ch.next >= ch.head ? ch.next - ch.head : ch.next + ch.size - ch.head;
                st.left = ch.size - 1 - used + static_cast<unsigned>(rng.below(3)) -
                          std::min(2u, ch.size - 1 - used);
            }
            if (rng.below(1000) == 0)
                st.left = static_cast<unsigned>(rng.below(1000));
            st.left = std::min(st.left, c == GMMU_RING_RIT ? 255u : 4000u);
            const gmmu_field n =
                c == GMMU_RING_RIT ? gmmu_rit_head_layout_of(&cfg).n : gmmu_hir_head_layout_of().n;
            for (unsigned i = 0; i < n.width; i++)
                st.beat.words[(n.offset + i) / 32] &= ~(1u << (n.offset + i) % 32);
            gmmu_beat_put(st.beat.words.data(), n, st.left);
            st.beat.words[0] = (st.beat.words[0] & ~0xFFFFu) | ++seq_;
        } else {
            st.left--;
        }
        st.inside = st.left != 0;
        st.beat.last = st.left == 0;
    }

    // ---- requests
    static unsigned word_of(unsigned c, unsigned within) {
        return (GMMU_RING_FIRST + c * GMMU_RING_LENGTH + within) / 4;
    }
    void put(unsigned c, unsigned within, uint64_t data) {
        request_.valid = request_.write = true;
        request_.word = word_of(c, within);
        request_.data = static_cast<uint32_t>(data);
        request_.strobes = rng.chance(parts_) ? static_cast<unsigned>(rng.below(16)) : 15u;
    }
    void get(unsigned c, unsigned within) {
        request_.valid = true;
        request_.write = false;
        request_.word = word_of(c, within);
        request_.data = static_cast<uint32_t>(rng.next());
        request_.strobes = static_cast<unsigned>(rng.below(16));
    }
    // Rings of different channels lie apart.
    bool apart(unsigned c) {
        const uint64_t base = channel(c).base;
        return (base & 0xFFFFFFFF) >> 26 == c + 1 ||
               (c == wraps_ && base >> 16 == bench::mask(cfg.ring_addr_w) >> 16);
    }
    uint64_t new_base(const Style &s, unsigned c) {
        const uint64_t all = bench::mask(cfg.ring_addr_w);
        if (!s.honest && rng.below(3) == 0)
            return rng.next();  // each bit of the words
        if (c == wraps_ && rng.below(2))
            return all & ~63ull & ~(64 * rng.below(60));
        uint64_t at = 64 * rng.below(1 << 14);
        if (rng.below(2))
            at = (at & ~4095ull) + 4096 - 64 * rng.below(10);
        return (((high_ & ~0xFFFFFFFFull) | static_cast<uint64_t>(c + 1) << 26) + at) & all;
    }
    uint32_t new_size(const Style &s, unsigned c) {
        if (s.sizes[c] != 0)
            return s.sizes[c];
        switch (rng.below(16)) {
            case 0:
                return static_cast<uint32_t>(rng.below(3));
            case 1:
                return static_cast<uint32_t>(rng.edgy(16));
            case 2:
                return static_cast<uint32_t>((1u << rng.below(16)) + rng.below(3));
            default:
                return static_cast<uint32_t>(2 + rng.below(s.most));
        }
    }
    void ask(const Style &s) {
        if (executed_.write && rng.below(6) == 0) {  // is it as it was written?
            request_.valid = true;
            request_.word = executed_.word;
            return;
        }
        if (rng.chance(s.chaos)) {
            any_request(s);
            return;
        }
        const auto c = static_cast<unsigned>(rng.below(GMMU_RING_CHANNELS));
        gmmu_ring_channel &ch = channel(c);
        if (rng.below(6) == 0 || !ch.present) {
            static const unsigned words[] = {
                GMMU_RING_CONF0,     GMMU_RING_CONF2,     GMMU_RING_STATUS,  GMMU_RING_STATUS_HIGH,
                GMMU_RING_HEAD_TAIL, GMMU_RING_HEAD_TAIL, GMMU_RING_DROPPED, GMMU_RING_DROPPED,
                GMMU_RING_GO,        GMMU_RING_WINDOW,    GMMU_RING_BASE,    GMMU_RING_BASE_HIGH,
                GMMU_RING_SIZE,      GMMU_RING_WAIT,      GMMU_RING_ENTRY,   GMMU_RING_MODE};
            get(c, words[rng.below(std::size(words))]);
            if (rng.below(20) == 0)
                request_.word = GMMU_RING_IRQ / 4;
            return;
        }
        const uint32_t flags = static_cast<uint32_t>(rng.bits(4)) << 9;
        if (rng.below(12) == 0) {
            put(c, GMMU_RING_STATUS_HIGH, rng.next());
        } else if (rng.below(12) == 0) {
            const uint64_t fill =
                ch.tail >= ch.head ? ch.tail - ch.head : ch.tail + ch.size - ch.head;
            const uint64_t thresholds[] = {rng.below(8), fill + rng.below(4),
                                           rng.below(ch.size + 1), rng.edgy(16)};
            if (rng.below(2))
                put(c, GMMU_RING_CONF2, thresholds[rng.below(4)]);
            else
                put(c, GMMU_RING_WAIT, rng.below(6) ? rng.below(6) : rng.next());
        } else if (!ch.enabled && ch.op == GMMU_RING_OP_NONE && rng.below(8) != 0) {
            set_up(s, c, flags);
        } else if (ch.enabled && rng.chance(s.idle)) {
            put(c, GMMU_RING_CONF0,
                flags | (rng.below(2) ? unsigned{GMMU_RING_CONF0_RESET} : 0u) |
                    (rng.below(8) ? 0u : unsigned{GMMU_RING_CONF0_ENABLE}));
        } else if (ch.mode) {
            use_window(c);
        } else {
            use_ring(s, c);
        }
    }
    void set_up(const Style &s, unsigned c, uint32_t flags) {
        gmmu_ring_channel &ch = channel(c);
        const bool moved = ch.head != 0 || ch.tail != 0;
        if (ch.size < 2 && rng.below(16) == 0) {  // there is no ring, and no pointer of it
            put(c, GMMU_RING_HEAD_TAIL, rng.below(3) * 0x10001);
        } else if ((ch.error || moved) && rng.below(3) != 0) {
            put(c, GMMU_RING_CONF0, flags | GMMU_RING_CONF0_RESET);
        } else if (!moved && s.honest && !apart(c)) {
            const uint64_t base = new_base(s, c);
            put(c, GMMU_RING_BASE, base);
        } else if (rng.below(moved ? 8 : 3) < (moved ? 7u : 1u)) {
            put(c, GMMU_RING_CONF0, flags | GMMU_RING_CONF0_ENABLE);
        } else {
            switch (rng.below(6)) {
                case 0:
                    put(c, GMMU_RING_BASE, new_base(s, c));
                    break;
                case 1:
                    put(c, GMMU_RING_BASE_HIGH, new_base(s, c) >> 32);
                    break;
                case 2:
                    put(c, GMMU_RING_MODE, rng.below(100) < s.windows);
                    break;
                default:
                    put(c, GMMU_RING_SIZE, new_size(s, c));
                    break;
            }
        }
    }
    void use_window(unsigned c) {
        gmmu_ring_channel &ch = channel(c);
        const unsigned words = (ch.bits + 31) / 32;
        const unsigned at =
            GMMU_RING_WINDOW + 4 * static_cast<unsigned>(rng.below(rng.below(4) ? words : 16));
        if (rng.below(3) == 0) {
            put(c, GMMU_RING_GO, rng.below(4) ? 1 : rng.next());
        } else if (ch.in && rng.below(3)) {
            put(c, at, rng.next());
        } else {
            get(c, rng.below(4) ? at : unsigned{GMMU_RING_GO});
        }
    }
    void use_ring(const Style &s, unsigned c) {
        gmmu_ring_channel &ch = channel(c);
        if (ch.size < 2 || (s.honest && !apart(c))) {
            get(c, GMMU_RING_HEAD_TAIL);
            return;
        }
        const uint32_t fill = ch.tail >= ch.head ? ch.tail - ch.head : ch.tail + ch.size - ch.head;
        if (!rng.chance(ch.in ? s.fills : s.empties)) {
            get(c, GMMU_RING_HEAD_TAIL);
            return;
        }
        const bool is_long = s.sizes[c] != 0;
        const uint32_t real = ch.in ? ch.size - 1 - fill : fill;
        const uint32_t room = ch.in && s.honest && fill > 200 && !is_long ? 0 : real;
        const uint32_t most = is_long ? room : s.most;
        uint32_t by = static_cast<uint32_t>(rng.below(4) ? rng.below(std::min(room, most) + 1)
                                                         : std::min(room, 400u));
        if (rng.below(8) == 0)
            by = room + 1;  // one too far
        if (rng.below(50) == 0)
            by = static_cast<uint32_t>(rng.next());
        const uint32_t from = ch.in ? ch.tail : ch.head;
        uint32_t to = (from + by % ch.size) % ch.size;
        if (rng.below(50) == 0)
            to = ch.size + static_cast<uint32_t>(rng.below(3));
        if (rng.below(is_long ? 2 : 20) == 0)
            to = (rng.below(4) ? from : to) ^ (1u << rng.below(16));  // each bit of the pointers
        const uint32_t step = to >= from ? to - from : to + ch.size - from;
        if (is_long && !ch.in && to < ch.size && step <= real && rng.below(24) != 0) {
            get(c, GMMU_RING_HEAD_TAIL);  // the ring fills; refused writes are many
            return;
        }
        put(c, GMMU_RING_HEAD_TAIL,
            ch.in ? to << 16 | rng.bits(16) : rng.bits(16) << 16 | (to & 0xFFFF));
        if (ch.in && s.honest && by <= room && to == (from + by) % ch.size && !executed_.write &&
            ch.op != GMMU_RING_OP_RESET)
            fill_ring(c, by);
        else if (ch.in && s.honest && to < ch.size && step <= real + 8)
            get(c, GMMU_RING_HEAD_TAIL);  // would be taken, now or soon
    }
    // Software writes BY operations and then TAIL.
    void fill_ring(unsigned c, uint32_t by) {
        gmmu_ring_channel &ch = channel(c);
        std::vector<RingBeat> &beats = filling_[c - GMMU_RING_DRV];
        beats.clear();
        for (uint32_t i = 0; i < by; i++) {
            RingBeat beat;
            const uint64_t at = ch.base + uint64_t{(ch.tail + i) % ch.size} * ch.bytes;
            for (unsigned b = 0; b < ch.bytes; b++) {
                const auto value = static_cast<uint8_t>(rng.next());
                memory_model.set(at + b, value);
                if (b < ch.bits / 8)
                    beat.words[b / 4] |= uint32_t{value} << 8 * (b % 4);
            }
            beats.push_back(beat);
        }
        request_.fills = true;
        request_.from = ch.tail;
    }
    void any_request(const Style &s) {
        request_.valid = true;
        request_.write = rng.below(2) != 0;
        request_.strobes = static_cast<unsigned>(rng.below(4) ? 15 : rng.below(16));
        request_.data = static_cast<uint32_t>(rng.below(2) ? rng.edgy(32) : rng.next());
        const auto c = static_cast<unsigned>(rng.below(GMMU_RING_CHANNELS));
        static const unsigned words[] = {
            GMMU_RING_CONF0,     GMMU_RING_CONF2,  GMMU_RING_STATUS,    GMMU_RING_STATUS_HIGH,
            GMMU_RING_HEAD_TAIL, GMMU_RING_BASE,   GMMU_RING_BASE_HIGH, GMMU_RING_SIZE,
            GMMU_RING_WAIT,      GMMU_RING_ENTRY,  GMMU_RING_MODE,      GMMU_RING_GO,
            GMMU_RING_WINDOW,    GMMU_RING_DROPPED};
        switch (rng.below(4)) {
            case 0:
                request_.word = static_cast<unsigned>(rng.below(1024));
                break;
            case 1:
                request_.word = word_of(c, 4 * static_cast<unsigned>(rng.below(64)));
                break;
            default:
                request_.word = word_of(c, words[rng.below(std::size(words))]);
                break;
        }
        if (rng.below(200) == 0)
            request_.word = GMMU_RING_IRQ / 4;
        if (!s.honest || !request_.write || request_.word < GMMU_RING_FIRST / 4)
            return;
        const unsigned of = (4 * request_.word - GMMU_RING_FIRST) / GMMU_RING_LENGTH;
        const unsigned within = (4 * request_.word - GMMU_RING_FIRST) % GMMU_RING_LENGTH;
        if (within == GMMU_RING_BASE || within == GMMU_RING_BASE_HIGH ||
            within == GMMU_RING_CONF0 || (within == GMMU_RING_HEAD_TAIL && of >= GMMU_RING_DRV))
            request_.write = false;
    }

    // ---- a cycle
    template <typename Port>
    void drive(Port &port, const RingBeat &beat, unsigned bits) {
        for (unsigned b = 0; b < bits; b += 32)
            put_bits(port, {b, std::min(32u, bits - b)}, beat.words[b / 32]);
    }
    template <typename Port>
    bool same(const Port &port, const uint32_t *words, unsigned bits) {
        for (unsigned b = 0; b < bits; b += 32)
            if (get_bits(port, {b, std::min(32u, bits - b)}) != words[b / 32])
                return false;
        return true;
    }
    void drive_inputs() {
        dut->rst = in_.rst;
        dut->unit_rst = in_.unit_rst;
        dut->regs_rst = in_.regs_rst;
        dut->stops = in_.stops;
        dut->req_valid = request_.valid;
        dut->req_write = request_.write;
        dut->req_word = static_cast<uint16_t>(request_.word);
        dut->req_data = request_.data;
        dut->req_strb = static_cast<uint8_t>(request_.strobes);
        drive(dut->s_axis_decision_tdata, stream_[0].beat, channel(0).bits);
        drive(dut->s_axis_xfer_tdata, stream_[1].beat, channel(1).bits);
        drive(dut->s_axis_rit_tdata, stream_[2].beat, channel(2).bits);
        drive(dut->s_axis_hir_tdata, stream_[3].beat, channel(3).bits);
        dut->s_axis_decision_tvalid = stream_[0].valid;
        dut->s_axis_xfer_tvalid = stream_[1].valid;
        dut->s_axis_rit_tvalid = stream_[2].valid;
        dut->s_axis_hir_tvalid = stream_[3].valid;
        dut->s_axis_xfer_tlast = stream_[1].beat.last;
        dut->s_axis_rit_tlast = stream_[2].beat.last;
        dut->s_axis_hir_tlast = stream_[3].beat.last;
        dut->m_axis_drv_tready = in_.takes[0];
        dut->m_axis_range_tready = in_.takes[1];
        const RingMemory &m = memory_model;
        dut->m_axi_awready = m.awready;
        dut->m_axi_wready = m.wready;
        dut->m_axi_bvalid = m.bvalid;
        dut->m_axi_bresp = static_cast<uint8_t>(m.bresp);
        dut->m_axi_bid = static_cast<uint8_t>(rng.below(2));
        dut->m_axi_arready = m.arready;
        dut->m_axi_rvalid = m.rvalid;
        dut->m_axi_rlast = m.rlast;
        dut->m_axi_rresp = static_cast<uint8_t>(m.rresp);
        dut->m_axi_rid = static_cast<uint8_t>(rng.below(2));
        for (unsigned b = 0; b < 8 * beat_bytes(); b += 8)
            put_bits(dut->m_axi_rdata, {b, 8}, m.rdata[b / 8]);
    }

    void cycle(const Style &s) {
        bool offers = false;
        for (const Stream &st : stream_) offers = offers || st.valid;
        const bool stray = gmmu_ring_rests(twin_.get()) && memory_model.rests() &&
                           (stray_ != 0 || (!offers && rng.below(20) == 0));
        memory_model.begin(rng, s.memory, stray);
        drive_inputs();
        settle();
        gmmu_ring *r = twin_.get();
        gmmu_ring_stop(r, in_.stops);
        for (unsigned c = 0; c < 2; c++)
            gmmu_ring_shown(r, c, stream_[c].valid ? stream_[c].beat.words.data() : nullptr,
                            stream_[c].beat.last);
        // what registers and twin have left
        expect("irq", dut->irq, gmmu_ring_irq(r));
        expect("idle", dut->idle, gmmu_ring_idle(r));
        expect("rests", dut->rests, gmmu_ring_rests(r));
        const Answer due = answers_.front();
        expect("an answer", dut->ans_valid, due.valid);
        if (due.valid) {
            expect("the access is bad", dut->ans_bad, due.bad);
            expect("what is read", dut->ans_data, due.data);
        }
        const bool asked_for = r->under_way != 0;
        irqs += gmmu_ring_irq(r);
        answers_.pop_front();
        compare_bus();
        const std::array<bool, 2> offered = compare_ops();
        const std::array<bool, 4> takes = turns();
        // reads, then what is taken by the registers of this cycle, then writes, then the rest
        Answer answer;
        const Request &q = executed_;
        answer.valid = q.valid;
        if (q.valid && !q.write)
            answer.bad = !gmmu_ring_read(r, q.word, &answer.data);
        if (q.valid && !q.write && !answer.bad)
            saw(q.word);
        gmmu_ring_entry entry = {};
        bool loads = false;
        for (unsigned c = 0; c < 4; c++)
            if (takes[c])
                loads = take(c, &entry) || loads;
        const bool picks = fetch();
        if (q.valid && q.write)
            answer.bad = !write(s, q);
        std::array<bool, 4> ready = ready_;
        for (unsigned c = 0; c < 2; c++)
            if (channel(c).present && channel(c).go) {
                ready[c] = true;
                windows++;
                (void)gmmu_ring_take(r, c, stream_[c].beat.words.data(), stream_[c].beat.last,
                                     &entry);
                stream_[c].valid = false;
            }
        expect("s_axis_decision_tready", dut->s_axis_decision_tready, ready[0]);
        expect("s_axis_xfer_tready", dut->s_axis_xfer_tready, ready[1]);
        expect("s_axis_rit_tready", dut->s_axis_rit_tready, ready[2]);
        expect("s_axis_hir_tready", dut->s_axis_hir_tready, ready[3]);
        if (answer.bad)
            answer.data = 0;
        answers_.push_back(answer);
        bad += answer.valid && answer.bad;
        actions += answer.valid;
        for (unsigned i = 0; i < 2; i++)
            if (offered[i] && in_.takes[i])
                take_op(i);
        if (late_.b && asked_for) {
            errors += !late_.b_ok;
            gmmu_ring_written(r, late_.b_ok);
        }
        const bool ends = late_.r && late_.r_last;
        if (ends) {
            errors += late_.any_bad;
            gmmu_ring_fetched(r, late_.data.data(), !late_.any_bad);
        }
        std::array<unsigned, GMMU_RING_CHANNELS> op;
        for (unsigned c = 0; c < GMMU_RING_CHANNELS; c++) op[c] = channel(c).op;
        std::array<bool, 2> queued;  // an operation is in the queue, behind the one that is offered
        for (unsigned i = 0; i < 2; i++) {
            const gmmu_ring_channel &ch = channel(GMMU_RING_DRV + i);
            queued[i] = !ch.mode && !offered[i] && queue_[i] != 0;
            queue_[i] = ch.mode ? 0 : ch.fetched;
        }
        gmmu_ring_clock(r);
        for (unsigned c = 0; c < GMMU_RING_CHANNELS; c++)
            if (op[c] == GMMU_RING_OP_RESET && channel(c).op == GMMU_RING_OP_NONE)
                restarts(c);
        step(loads, entry, picks, ends, offered, queued);
        memory_model.end(rng, s.memory, stray);
        for (unsigned c = 0; c < 4 && s.honest; c++)
            if (rng.below(16) == 0)
                readers[c].poll(memory_model);
        for (unsigned c = 0; c < 4; c++) (void)reader_is_right(c);
        if (memory_model.wrong != nullptr)
            expect(memory_model.wrong, 1, 0);
        executed_ = request_;
        stray_ -= stray_ != 0;
        if (in_.unit_rst || in_.rst)
            reset_twin();
        edge();
    }

    bool reader_is_right(unsigned c) {
        return readers[c].wrong == nullptr || expect(readers[c].wrong, c, 0x100);
    }

    void compare_bus() {
        const Late &l = late_;
        expect("m_axi_awvalid", dut->m_axi_awvalid, l.aw);
        expect("m_axi_wvalid", dut->m_axi_wvalid, l.w);
        expect("m_axi_arvalid", dut->m_axi_arvalid, l.ar);
        if (l.aw) {
            expect("m_axi_awaddr", dut->m_axi_awaddr, l.entry.address);
            expect("m_axi_awlen", dut->m_axi_awlen, l.entry.bytes / beat_bytes() - 1);
        }
        if (l.w) {
            for (unsigned b = 0; b < beat_bytes(); b++)
                expect("m_axi_wdata", get_bits(dut->m_axi_wdata, {8 * b, 8}),
                       l.entry.data[l.beat * beat_bytes() + b]);
            expect("m_axi_wlast", dut->m_axi_wlast, l.beat + 1 == l.entry.bytes / beat_bytes());
        }
        if (l.ar) {
            expect("m_axi_araddr", dut->m_axi_araddr, l.burst.address);
            expect("m_axi_arlen", dut->m_axi_arlen, l.burst.bytes / beat_bytes() - 1);
        }
        const unsigned size = gmmu_log2(beat_bytes());
        const uint64_t fixed = static_cast<uint64_t>(
            dut->m_axi_awsize == size && dut->m_axi_arsize == size && dut->m_axi_awburst == 1 &&
            dut->m_axi_arburst == 1 && dut->m_axi_awcache == 3 && dut->m_axi_arcache == 3 &&
            dut->m_axi_awprot == 2 && dut->m_axi_arprot == 2 && dut->m_axi_awlock == 0 &&
            dut->m_axi_arlock == 0 && dut->m_axi_awqos == 0 && dut->m_axi_arqos == 0 &&
            dut->m_axi_awid == 0 && dut->m_axi_arid == 0 && dut->m_axi_bready &&
            dut->m_axi_rready && dut->m_axi_wstrb == bench::mask(beat_bytes()));
        expect("what never changes on the bus", fixed, 1);
    }

    // Whether each in channel offers an operation, compared.
    std::array<bool, 2> compare_ops() {
        std::array<bool, 2> offered;
        for (unsigned i = 0; i < 2; i++) {
            const gmmu_ring_channel &ch = channel(GMMU_RING_DRV + i);
            offered[i] = ch.present && (ch.mode ? ch.offered : late_.offered[i]);
        }
        expect("m_axis_drv_tvalid", dut->m_axis_drv_tvalid, offered[0]);
        expect("m_axis_range_tvalid", dut->m_axis_range_tvalid, offered[1]);
        if (offered[0])
            expect("m_axis_drv_tdata",
                   same(dut->m_axis_drv_tdata, op_of(0), channel(GMMU_RING_DRV).bits), 1);
        if (offered[1])
            expect("m_axis_range_tdata",
                   same(dut->m_axis_range_tdata, op_of(1), channel(GMMU_RING_RANGE).bits), 1);
        return offered;
    }
    const uint32_t *op_of(unsigned i) {
        static const uint32_t none[16] = {};
        const uint32_t *op = gmmu_ring_op(twin_.get(), GMMU_RING_DRV + i);
        return expect("the twin has an operation", op != nullptr, 1) ? op : none;
    }

    // Which streams are ready, and which of them give a beat; but for those that software reads.
    std::array<bool, 4> ready_ = {};
    std::array<bool, 4> turns() {
        const bool turn = !late_.open && twin_->under_way < twin_->writes && !in_.stops;
        std::array<bool, 4> takes = {};
        ready_ = {};
        bool taken = false;
        for (const unsigned c :
             {GMMU_RING_DECISION, GMMU_RING_XFER, GMMU_RING_HIR, GMMU_RING_RIT}) {
            const gmmu_ring_channel &ch = channel(c);
            if (!ch.present)
                continue;
            bool mine;  // the beat needs the writer's turn
            if (ch.drops)
                mine = ch.inside ? !ch.discards : ch.enabled;
            else
                mine = turn && gmmu_ring_takes(twin_.get(), c, stream_[c].beat.words.data(),
                                               stream_[c].beat.last) == GMMU_RING_FATE_ENTRY;
            ready_[c] = mine ? turn && !taken : ch.drops && !in_.stops;
            takes[c] = ready_[c] && stream_[c].valid;
            full += !ch.drops && turn && ch.enabled && !ch.mode && !mine;
            taken = taken || (mine && stream_[c].valid);
        }
        return takes;
    }
    // True: the beat becomes *ENTRY.
    bool take(unsigned c, gmmu_ring_entry *entry) {
        gmmu_ring_entry made;
        Stream &st = stream_[c];
        const uint32_t dropped = channel(c).dropped;
        const gmmu_ring_fate fate =
            gmmu_ring_take(twin_.get(), c, st.beat.words.data(), st.beat.last, &made);
        expect("the twin takes the beat",
               fate == GMMU_RING_FATE_ENTRY || fate == GMMU_RING_FATE_DISCARD, 1);
        readers[c].gave(st.beat);
        st.valid = false;
        actions++;
        drops += channel(c).dropped != dropped;
        discards += fate == GMMU_RING_FATE_DISCARD;
        if (fate != GMMU_RING_FATE_ENTRY)
            return false;
        *entry = made;
        entries++;
        return true;
    }
    bool fetch() {
        gmmu_ring *r = twin_.get();
        if (!gmmu_ring_fetch(r, GMMU_RING_DRV, &late_.burst) &&
            !gmmu_ring_fetch(r, GMMU_RING_RANGE, &late_.burst))
            return false;
        bursts++;
        return true;
    }
    void take_op(unsigned i) {
        const unsigned c = GMMU_RING_DRV + i;
        if (!channel(c).mode && honest_[i]) {
            const bool is = !given_[i].empty() &&
                            std::memcmp(given_[i].front().words.data(), op_of(i),
                                        (channel(c).bits + 31) / 32 * sizeof(uint32_t)) == 0;
            expect("an operation is software's next", is, 1);
            if (!given_[i].empty())
                given_[i].pop_front();
        }
        gmmu_ring_op_taken(twin_.get(), c);
        ops++;
        actions++;
    }

    // ---- software
    void saw(unsigned word) {
        for (unsigned c = 0; c < 4; c++)
            if (word == word_of(c, GMMU_RING_HEAD_TAIL) && channel(c).present)
                readers[c].saw(memory_model, channel(c).tail);
    }
    bool write(const Style &s, const Request &q) {
        const unsigned c =
            4 * q.word < GMMU_RING_FIRST ? 6 : (4 * q.word - GMMU_RING_FIRST) / GMMU_RING_LENGTH;
        const unsigned within = c < 6 ? (4 * q.word - GMMU_RING_FIRST) % GMMU_RING_LENGTH : 0;
        if (c < 4 && within == GMMU_RING_HEAD_TAIL && channel(c).present)
            readers[c].saw(memory_model, channel(c).tail);  // before room is made
        const bool was_enabled = c < 6 && channel(c).enabled;
        const uint32_t was_tail = c < 6 ? channel(c).tail : 0;
        const bool done = gmmu_ring_write(twin_.get(), q.word, q.data, q.strobes);
        good_writes += done;
        if (!done || c >= 6)
            return done;
        gmmu_ring_channel &ch = channel(c);
        if (ch.in && within == GMMU_RING_HEAD_TAIL && ch.tail != was_tail) {
            if (q.fills && q.from == was_tail)
                given_[c - 4].insert(given_[c - 4].end(), filling_[c - 4].begin(),
                                     filling_[c - 4].end());
            else
                honest_[c - 4] = false;
        }
        if (within == GMMU_RING_CONF0 && ch.enabled && !was_enabled && !ch.mode) {
            if (!ch.in && (is_new_[c] || (ch.head == 0 && ch.tail == 0)))
                start_reader(s, c);
            is_new_[c] = false;
        }
        return done;
    }
    // The ring begins at entry 0, perhaps at another place than before.
    void start_reader(const Style &s, unsigned c) {
        gmmu_ring_channel &ch = channel(c);
        if (is_new_[c])
            readers[c].stop();
        else
            readers[c].saw(memory_model, 0);
        if (!s.honest || !apart(c)) {
            readers[c].stop();
            return;
        }
        const bool cleared = ch.size <= 64 && rng.below(2);
        const uint8_t fill = readers[c].phase() ? 0 : 0x80;
        for (uint64_t b = 0; cleared && b < uint64_t{ch.size} * ch.bytes; b++)
            memory_model.set(ch.base + b, fill);
        readers[c].start(ch.base, ch.size, cleared);
    }
    void restarts(unsigned c) {
        resets++;
        is_new_[c] = true;
        if (c < 4) {
            readers[c].stop();
        } else {
            given_[c - 4].clear();
            honest_[c - 4] = true;
        }
    }
    void reset_twin() {
        for (unsigned c = 0; c < GMMU_RING_CHANNELS; c++) restarts(c);
        if (in_.rst) {
            const bool stops = twin_->stops;
            init();
            twin_->stops = stops;
            late_ = {};
            answers_.assign(1, Answer{});
            executed_ = {};
            memory_model.reset();
            stray_ = 8;
        } else {
            gmmu_ring_reset(twin_.get(), in_.regs_rst);
        }
        late_.offered = {};
        queue_ = {};
        for (unsigned c = 0; c < 4; c++) {
            stream_[c].valid = stream_[c].inside = false;
            readers[c].forget_packet();
        }
    }

    // ---- the RTL's stages, at the end of a cycle
    std::array<unsigned, 2> queue_ = {};  // operations fetched and not taken, a cycle ago
    void step(bool loads, const gmmu_ring_entry &entry, bool picks, bool ends,
              const std::array<bool, 2> &offered, const std::array<bool, 2> &queued) {
        Late &l = late_;
        const RingMemory &m = memory_model;
        const bool w_last = l.beat + 1 == l.entry.bytes / beat_bytes();
        const bool aw_goes = l.aw && m.awready, w_goes = l.w && m.wready;
        l.open = loads || l.fresh || (l.aw && !aw_goes) || (l.w && !(w_goes && w_last));
        if (aw_goes)
            memory_model.write(l.entry.address, l.entry.bytes / beat_bytes());
        if (w_goes) {
            RingMemory::Data data = {};
            std::memcpy(data.data(), l.entry.data + l.beat * beat_bytes(), beat_bytes());
            memory_model.write_beat(data, w_last);
        }
        l.aw = (l.aw && !aw_goes) || l.fresh;
        l.w = (l.w && !(w_goes && w_last)) || l.fresh;
        l.beat = l.fresh ? 0 : l.beat + w_goes;
        l.fresh = loads;
        if (loads)
            l.entry = entry;
        l.b = m.bvalid;
        l.b_ok = m.bresp == 0;
        // reads: the address three cycles behind its choice
        const bool ar_goes = l.ar && m.arready;
        if (ar_goes)
            memory_model.read(l.burst.address, l.burst.bytes / beat_bytes());
        l.r = m.rvalid && l.asked && !ends;
        l.r_last = m.rlast;
        if (l.r) {
            l.any_bad = l.any_bad || m.rresp != 0;
            l.data.insert(l.data.end(), m.rdata.begin(), m.rdata.begin() + beat_bytes());
        }
        if (ends)
            l.asked = false;
        l.asked = l.asked || ar_goes;
        l.ar = (l.ar && !ar_goes) || l.picked == 2;
        l.picked = picks ? 1 : l.picked != 0 && l.picked < 3 ? l.picked + 1 : 0;
        if (picks) {
            l.any_bad = false;
            l.data.clear();
        }
        for (unsigned i = 0; i < 2; i++)
            l.offered[i] =
                queued[i] || (offered[i] && !in_.takes[i] && !channel(GMMU_RING_DRV + i).mode);
    }
};

#endif
