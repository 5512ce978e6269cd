// SPDX-License-Identifier: Apache-2.0
// slow.h: ring as its page says, another way: a channel counts entries from its reset on and never
// wraps; what a cycle is judged by is a copy of the state at the cycle's begin.
#ifndef GMMU_RING_TWIN_SLOW_H
#define GMMU_RING_TWIN_SLOW_H

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <vector>

#include "blocks/ring.h"

namespace ring_twin {

using Beat = std::vector<uint8_t>;  // bytes of TDATA

struct Offer {
    Beat beat;
    bool last = false, header = false;
    uint32_t records = 0;  // behind a header
};

struct Entry {
    uint64_t address = 0;
    std::vector<uint8_t> bytes;
};

struct Channel {
    bool present = true, in = false, drops = false, packets = false, window = false;
    unsigned tdata = 0, bytes = 16;  // bytes of TDATA, of an entry
    bool enabled = false, mode = false, error = false;
    uint32_t flags = 0, threshold = 0, wait = 0, size = 0, status = 0, dropped = 0;
    uint64_t base = 0;
    int op = 0;
    // entries since the reset; out: head <= tail <= next; in: head <= next <= tail
    uint64_t head = 0, tail = 0, next = 0;
    uint64_t zero = 0;                        // the cycle of the timer's 0
    bool taking = false, discarding = false;  // amid a packet
    bool asked = false;                       // in: a burst is under way
    std::deque<Beat> given;                   // in: fetched, not taken
    Beat written;                             // in: the window
    bool going = false;                       // in: the window's beat is offered

    uint64_t fill() const { return tail - head; }
    bool ring() const { return !mode && size >= 2; }
    uint64_t place(uint64_t entry) const { return size == 0 ? 0 : entry % size; }
    bool busy(unsigned writes) const {
        return in ? asked || going || !given.empty() : writes != 0 || taking;
    }
};

class Slow {
   public:
    std::array<Channel, 6> channel;
    bool stops = false, irq = false;
    uint64_t now = 0;

    Slow(const std::array<unsigned, 6> &tdata, bool ranges, unsigned addr_w, unsigned data_w,
         unsigned writes, unsigned ops)
        : addr_w_(addr_w), data_w_(data_w), writes_(writes), ops_(ops) {
        for (unsigned c = 0; c < 6; c++) {
            Channel &ch = channel[c];
            ch.present = ranges || (c != 1 && c != 5);
            ch.in = c > 3;
            ch.drops = c == 2 || c == 3;
            ch.packets = c >= 1 && c <= 3;
            ch.window = !ch.drops;
            ch.tdata = tdata[c];
            ch.bytes = tdata[c] < 16 ? 16 : tdata[c] < 32 ? 32 : 64;
            ch.written.resize(ch.tdata);
        }
        begin();
    }

    // ---- registers
    bool read(unsigned address, uint32_t *data) const {
        *data = 0;
        if (address < 0x10) {
            *data = address == 0 ? 0x601 : address == 8 ? 0x100 : 0;
            return true;
        }
        if (address == 0x800) {
            for (unsigned c = 0; c < 6; c++) *data |= asks(before_[c]) ? 1u << c : 0;
            return true;
        }
        if (address >= 0x610)
            return false;
        const unsigned c = (address - 0x10) / 0x100;
        if (channel[c].present)
            *data = word(c, (address - 0x10) % 0x100);
        return true;
    }

    bool write(unsigned address, uint32_t data, unsigned strobes) {
        if (stops || address < 0x10 || address >= 0x610)
            return false;
        Channel &ch = channel[(address - 0x10) / 0x100];
        const unsigned at = (address - 0x10) % 0x100;
        if (!ch.present)
            return false;
        const auto mix = [&](uint32_t old) {
            for (unsigned b = 0; b < 4; b++)
                if (strobes & 1u << b) {
                    old &= ~(255u << 8 * b);
                    old |= data & 255u << 8 * b;
                }
            return old;
        };
        const bool still =
            !ch.enabled && ch.op == 0 && ch.place(ch.head) == 0 && ch.place(ch.tail) == 0;
        if (at >= 0xc0) {
            const unsigned from = at - 0xc0;
            if (!ch.in || !ch.mode || ch.going || from >= ch.tdata)
                return false;
            for (unsigned b = 0; b < 4; b++)
                if ((strobes & 1u << b) && from + b < ch.tdata)
                    ch.written[from + b] = static_cast<uint8_t>(data >> 8 * b);
            return true;
        }
        if (at == 0x40) {
            const uint32_t value = mix(ch.flags | (ch.enabled ? 1u << 16 : 0));
            const bool reset = value >> 17 & 1, enable = (value >> 16 & 1) && !reset;
            if (ch.op != 0 || (enable && ch.error) || (enable && !ch.mode && ch.size < 2))
                return false;
            ch.flags = value & 0x1e00;
            ch.op = reset ? 3 : ch.enabled && !enable ? 2 : 0;
            ch.enabled = enable;
            return true;
        }
        if (at == 0x50) {
            ch.threshold = mix(ch.threshold) & 0xffff;
            return true;
        }
        if (at == 0x64) {
            if (strobes & 2)
                ch.status &= ~(data & 0x700);
            return true;
        }
        if (at == 0x68)
            return write_pointer(&ch, data, strobes);
        if (at == 0x70 || at == 0x74) {
            if (!still)
                return false;
            const uint64_t low = at == 0x70 ? mix(static_cast<uint32_t>(ch.base)) : ch.base;
            const uint64_t high =
                at == 0x74 ? mix(static_cast<uint32_t>(ch.base >> 32)) : ch.base >> 32;
            ch.base = (high << 32 | (low & 0xffffffc0)) & mask();
            return true;
        }
        if (at == 0x78) {
            if (!still || (mix(ch.size) & 0xffff) < 2)
                return false;
            const bool odd = ch.size != 0 && ch.head / ch.size % 2 != 0;  // the phase stays
            ch.size = mix(ch.size) & 0xffff;
            ch.head = ch.tail = ch.next = odd ? ch.size : 0;
            return true;
        }
        if (at == 0x7c) {
            ch.wait = mix(ch.wait) & 31;
            return true;
        }
        if (at == 0x88) {
            const bool mode = mix(ch.mode) & 1;
            if (!still || (mode && ch.drops))
                return false;
            ch.mode = mode;
            return true;
        }
        if (at == 0x8c) {
            if (!ch.enabled || !ch.mode)
                return false;
            if (!(strobes & 1) || !(data & 1))
                return true;
            if (ch.in) {
                const bool ok = !ch.going;
                ch.going = true;
                return ok;
            }
            const unsigned c = (address - 0x10) / 0x100;
            if (shown_[c] == nullptr || reads_[c])
                return false;
            reads_[c] = true;
            return true;
        }
        return false;
    }

    // ---- out channels
    void show(unsigned c, const Offer *offer) { shown_[c] = offer; }

    int takes(unsigned c, const Offer &o) const {
        const Channel &ch = channel[c];
        if (stops || !ch.present)
            return 0;
        const int wait = order_.size() >= writes_ ? 0 : 1;
        if (ch.discarding)
            return 2;
        if (ch.taking)
            return wait;
        if (ch.drops)
            return !ch.enabled || !fits(ch, o) ? 2 : wait;
        if (ch.mode)
            return reads_[c] ? 3 : 0;
        return ch.enabled && ch.next - ch.head < ch.size - 1 ? wait : 0;
    }
    Entry take(unsigned c, const Offer &o) {
        Channel &ch = channel[c];
        const int fate = takes(c, o);
        Entry e;
        if (fate == 0)
            return e;
        if (fate == 2 && o.header && ch.enabled) {
            ch.dropped++;
            overflowed_[c] = true;
        }
        if (fate == 1) {
            e.address = (ch.base + ch.place(ch.next) * ch.bytes) & mask();
            e.bytes = o.beat;
            e.bytes.resize(ch.bytes);
            const bool even = ch.next / ch.size % 2 == 0;
            e.bytes.back() = static_cast<uint8_t>((o.last || c == 0 ? 1 : 0) | (even ? 0x80 : 0));
            ch.next++;
            order_.push_back(c);
        }
        if (ch.drops) {
            ch.taking = fate == 1 && !o.last;
            ch.discarding = fate == 2 && !o.last;
        }
        reads_[c] = false;
        return e;
    }
    void answered(bool ok) {
        Channel &ch = channel[order_.front()];
        order_.pop_front();
        if (ok && !ch.error)
            ch.tail++;
        if (!ok)
            fails(&ch);
    }
    bool reads(unsigned c) const { return reads_[c]; }

    // ---- in channels
    // Entries of the burst that C begins now; 0: none.
    unsigned could_fetch(unsigned c) const {
        const Channel &ch = channel[c];
        if (!ch.present || !ch.enabled || !ch.ring())
            return 0;
        unsigned n = 0;
        uint64_t from = 0;
        for (uint64_t entry = ch.next; entry < ch.tail; entry++, n++) {
            const uint64_t at = (ch.base + ch.place(entry) * ch.bytes) & mask();
            if (n == 0)
                from = at;
            const bool full = ch.given.size() + n == ops_, wraps = n != 0 && ch.place(entry) == 0;
            if (full || wraps || at / 4096 != from / 4096 ||
                (n + 1) * ch.bytes > 256 * (data_w_ / 8))
                break;
        }
        return n;
    }
    unsigned fetch(unsigned c, uint64_t *address) {
        if (stops || burst_ >= 0 || (c == 5 && could_fetch(4) != 0))
            return 0;
        Channel &ch = channel[c];
        *address = (ch.base + ch.place(ch.next) * ch.bytes) & mask();
        const unsigned n = could_fetch(c);
        if (n != 0) {
            burst_ = static_cast<int>(c);
            ch.asked = true;
        }
        return n;
    }
    int burst() const { return burst_; }
    void fetched(const std::vector<Beat> &ops, bool ok) {
        Channel &ch = channel[burst_];
        burst_ = -1;
        ch.asked = false;
        if (!ok) {
            fails(&ch);
            return;
        }
        ch.given.insert(ch.given.end(), ops.begin(), ops.end());
        ch.next += ops.size();
    }
    const Beat *op(unsigned c) const {
        const Channel &ch = channel[c];
        return ch.going ? &ch.written : ch.given.empty() ? nullptr : &ch.given.front();
    }
    void op_taken(unsigned c) {
        Channel &ch = channel[c];
        if (ch.going) {
            ch.going = false;
            return;
        }
        ch.given.pop_front();
        ch.head++;
    }

    // ---- cycles
    void clock() {
        irq = false;
        for (unsigned c = 0; c < 6; c++) {
            Channel &ch = channel[c];
            const Channel &was = before_[c];
            irq |= asks(was);
            if (!ch.in && !was.mode && was.threshold != 0 && was.fill() >= was.threshold)
                ch.status |= 0x200;
            if (!ch.in && was.mode && was.enabled && waited_[c])
                ch.status |= 0x200;
            if (!ch.in && was.wait != 0 && was.fill() != 0 &&
                now - was.zero >= UINT64_C(1) << was.wait)
                ch.status |= 0x400;
            if (overflowed_[c])
                ch.status |= 0x100;
            if (was.fill() == 0 || headed_[c])
                ch.zero = now + 1;
            if (was.op != 0 && !busy_[c]) {
                if (was.op == 3)
                    restart(&ch);
                ch.op = 0;
            }
        }
        now++;
        begin();
    }
    // What C's stream offered in this cycle, before it was taken.
    void waited(unsigned c, bool is) { waited_[c] = is; }

    void reset(bool regs) {
        for (Channel &ch : channel) {
            restart(&ch);
            ch.enabled = ch.taking = ch.discarding = ch.asked = ch.going = false;
            ch.given.clear();
            ch.op = 0;
            if (regs) {
                ch.flags = ch.threshold = ch.wait = ch.size = 0;
                ch.base = 0;
                ch.mode = false;
            }
        }
        order_.clear();
        burst_ = -1;
        irq = false;
        begin();
    }
    bool rests() const { return order_.empty() && burst_ < 0; }

   private:
    unsigned addr_w_, data_w_, writes_, ops_;
    std::deque<unsigned> order_;  // channels of writes under way
    int burst_ = -1;
    std::array<Channel, 6> before_;  // at the cycle's begin
    std::array<bool, 6> busy_ = {}, overflowed_ = {}, headed_ = {}, waited_ = {}, reads_ = {};
    std::array<const Offer *, 6> shown_ = {};

    uint64_t mask() const { return addr_w_ == 64 ? UINT64_MAX : (UINT64_C(1) << addr_w_) - 1; }
    static bool asks(const Channel &ch) {
        const uint32_t is = ch.status | (ch.error ? 0x800 : 0);
        return ((ch.flags & 0x200) && (is & 0x100)) || ((ch.flags & 0x400) && (is & 0x200)) ||
               ((ch.flags & 0x800) && (is & 0x400)) || ((ch.flags & 0x1000) && (is & 0x800));
    }
    static bool fits(const Channel &ch, const Offer &o) {
        return ch.next - ch.head + o.records + 1 <= ch.size - 1;
    }
    void restart(Channel *ch) {
        ch->head = ch->tail = ch->next = 0;
        ch->status = ch->dropped = 0;
        ch->error = false;
        ch->zero = now + 1;
        std::fill(ch->written.begin(), ch->written.end(), 0);
    }
    static void fails(Channel *ch) {
        ch->error = true;
        ch->enabled = false;
        ch->op = ch->op == 3 ? 3 : 2;
        ch->discarding |= ch->taking;
        ch->taking = false;
    }
    void begin() {
        before_ = channel;
        for (unsigned c = 0; c < 6; c++)
            busy_[c] =
                channel[c].busy(static_cast<unsigned>(std::count(order_.begin(), order_.end(), c)));
        overflowed_ = headed_ = waited_ = {};
    }
    // A pointer may go forward to each place that lies before the pointer of the other side.
    bool write_pointer(Channel *ch, uint32_t data, unsigned strobes) {
        const unsigned half = ch->in ? strobes >> 2 : strobes & 3;
        if (!ch->ring() || (half != 0 && half != 3))
            return false;
        if (half == 0)
            return true;
        const uint32_t value = ch->in ? data >> 16 : data & 0xffff;
        uint64_t *const pointer = ch->in ? &ch->tail : &ch->head;
        const uint64_t most = ch->in ? ch->head + ch->size - 1 : ch->tail;
        for (uint64_t at = *pointer; at <= most; at++)
            if (ch->place(at) == value) {
                *pointer = at;
                headed_[ch - channel.data()] |= !ch->in;
                return true;
            }
        return false;
    }
    uint32_t word(unsigned c, unsigned at) const {
        const Channel &ch = channel[c];
        const bool shows = !ch.in && ch.enabled && ch.mode && shown_[c] != nullptr && !reads_[c];
        if (at >= 0xc0) {
            const Beat *const b = ch.in ? &ch.written : shows ? &shown_[c]->beat : nullptr;
            uint32_t data = 0;
            for (unsigned i = 0; b != nullptr && !ch.drops && i < 4; i++)
                if (at - 0xc0 + i < b->size())
                    data |= static_cast<uint32_t>((*b)[at - 0xc0 + i]) << 8 * i;
            return data;
        }
        switch (at) {
            case 0x00:
                return (ch.drops ? 0x10 : 0) | (ch.in ? 0 : 0x20);
            case 0x04:
                return 0xffff0000;
            case 0x0c:
                return 0x20000;
            case 0x40:
                return ch.flags | (ch.enabled ? 0x10000 : 0);
            case 0x4c:
                return 0x100;
            case 0x50:
                return ch.threshold;
            case 0x60:
                return (ch.enabled ? 1 : 0) | static_cast<uint32_t>(ch.op) << 16;
            case 0x64:
                return ch.status | (ch.error ? 0x800 : 0);
            case 0x68:
                return static_cast<uint32_t>(ch.place(ch.head) | ch.place(ch.tail) << 16);
            case 0x70:
                return static_cast<uint32_t>(ch.base);
            case 0x74:
                return static_cast<uint32_t>(ch.base >> 32);
            case 0x78:
                return ch.size;
            case 0x7c:
                return ch.wait;
            case 0x80:
                return (ch.bytes == 16   ? 4
                        : ch.bytes == 32 ? 5
                                         : 6) |
                       (ch.in ? 0x100 : 0) | (ch.packets ? 0x200 : 0) | (ch.drops ? 0x400 : 0x800) |
                       ch.tdata * 8 << 16;
            case 0x84:
                return ch.dropped;
            case 0x88:
                return ch.mode;
            case 0x8c:
                if (ch.in)
                    return ch.going;
                return shows ? 1u | (shown_[c]->last || !ch.packets ? 2u : 0u) : 0u;
            default:
                return 0;
        }
    }
};

}  // namespace ring_twin
#endif
