// SPDX-License-Identifier: Apache-2.0
// ring_twin_test.cpp: the twin of ring in every cycle against a slow model written from its page,
// between a memory and a driver that believes what it finds in memory alone.
//
// State space: all channels at once, in rings and windows; rings of 2 to 40 entries anywhere in
// memory, full and empty for long; packets that fit, do not fit, never fit; disable, reset, errors
// of memory, resets of the unit at any time; registers read and written at random, most by legal,
// some by any values and strobes.
// Parameter space: eight sets: 32, 48 and 64 bits of address, buses of 32, 64 and 128 bits, 1 to 32
// writes under way, 2 to 16 operations ahead, entries of 16, 32 and 64 bytes, a unit without
// ranges; 400,000 cycles, with GMMU_LONG=1 4 million (GMMU_SEED: others).
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <random>
#include <string>

#include "ring_twin/slow.h"

namespace {

using namespace ring_twin;

const gmmu_config *config(const char *name) {
    const gmmu_config *c = gmmu_configs;
    while (std::strcmp(c->name, name) != 0) c++;
    return c;
}

struct Sizes {
    const char *config;
    unsigned addr_w, data_w, writes, ops;
    bool ranges;
};

std::array<unsigned, 6> tdata_of(const gmmu_config &c) {
    const auto bytes = [](unsigned bits) { return (bits + 7) / 8; };
    return {bytes(gmmu_decision_layout_of(&c).bits),
            bytes(gmmu_xfer_layout_of(&c).bits),
            bytes(std::max(gmmu_rit_layout_of(&c).bits, gmmu_rit_head_layout_of(&c).bits)),
            bytes(std::max(gmmu_hir_layout_of(&c).bits, gmmu_hir_head_layout_of().bits)),
            bytes(gmmu_drv_layout_of(&c).bits),
            bytes(gmmu_range_layout_of(&c).bits)};
}

std::array<uint32_t, 16> words(const Beat &b) {
    std::array<uint32_t, 16> w = {};
    for (size_t i = 0; i < b.size(); i++) w[i / 4] |= static_cast<uint32_t>(b[i]) << 8 * (i % 4);
    return w;
}
Beat bytes(const uint32_t *w, size_t n) {
    Beat b(n);
    for (size_t i = 0; i < n; i++) b[i] = static_cast<uint8_t>(w[i / 4] >> 8 * (i % 4));
    return b;
}

struct Seen {
    uint64_t entries = 0, discarded = 0, dropped = 0, window = 0, ops = 0, bursts = 0, longest = 0;
    uint64_t errors = 0, resets = 0, unit_resets = 0, irqs = 0, bad = 0, good = 0, waits = 0;
    uint64_t passes = 0, time = 0, early = 0, again = 0;
};

class World {
   public:
    World(const Sizes &s, uint64_t seed)
        : sizes_(s),
          cfg_(*config(s.config)),
          rng_(seed),
          slow_(tdata_of(cfg_), s.ranges, s.addr_w, s.data_w, s.writes, s.ops) {
        if (!s.ranges)
            cfg_.ranges = 0;
        gmmu_ring_init(&r_, &cfg_, s.addr_w, s.data_w, s.writes, s.ops);
    }
    void cycle();
    Seen seen;

   private:
    struct Side {                  // what the test knows of a channel
        std::deque<Offer> packet;  // what is left of the stream's packet
        bool offers = false;
        std::deque<Entry> sent;   // out: entries from HEAD on
        uint64_t stored = 0;      // out: entries since the reset that memory has
        std::deque<Beat> posted;  // in: operations not yet taken
        bool lost = false;        // an error: what is in memory means nothing
        bool kept = false;        // disabled, and neither reset nor moved since
        unsigned greed = 0;       // of 8: how often its driver serves it
    };
    struct Write {
        unsigned channel;
        Entry entry;
        bool stored, lost;
    };
    const Sizes sizes_;
    gmmu_config cfg_;
    std::mt19937_64 rng_;
    Slow slow_;
    gmmu_ring r_;
    std::map<uint64_t, uint8_t> memory_;
    std::array<Side, 6> side_;
    std::deque<Write> writes_;
    gmmu_ring_burst burst_ = {};
    bool stopping_ = false;
    unsigned hurry_ = 8, errors_ = 0;

    uint64_t below(uint64_t n) { return rng_() % n; }
    bool chance(unsigned of_8) { return below(8) < of_8; }

    bool read(unsigned address, uint32_t *data) {
        uint32_t want;
        const bool ok = slow_.read(address, &want);
        EXPECT_EQ(gmmu_ring_read(&r_, address / 4, data), ok) << std::hex << address;
        EXPECT_EQ(*data, want) << std::hex << address;
        return ok;
    }
    bool write(unsigned address, uint32_t data, unsigned strobes = 15) {
        const bool ok = slow_.write(address, data, strobes);
        EXPECT_EQ(gmmu_ring_write(&r_, address / 4, data, strobes), ok)
            << std::hex << address << " " << data << " " << strobes;
        seen.good += ok;
        seen.bad += !ok;
        return ok;
    }
    static unsigned at(unsigned c, unsigned within) { return 0x10 + 0x100 * c + within; }
    void store(const Entry &e) {
        for (size_t i = 0; i < e.bytes.size(); i++) memory_[e.address + i] = e.bytes[i];
    }
    std::vector<uint8_t> load(uint64_t address, size_t n) {
        std::vector<uint8_t> b(n);
        for (size_t i = 0; i < n; i++) {
            const auto found = memory_.find(address + i);
            b[i] = found == memory_.end() ? 0 : found->second;
        }
        return b;
    }
    Beat random(unsigned n) {
        Beat b(n);
        for (uint8_t &x : b) x = static_cast<uint8_t>(rng_());
        return b;
    }

    void offer(unsigned c);
    void software(unsigned c);
    void set_up(unsigned c);
    void serve_out(unsigned c);
    void serve_in(unsigned c);
    void anything();
    void forget(unsigned c);
    void streams();
    void answers();
    void reads();
    void operations();
    void check_memory(unsigned c);
};

void World::forget(unsigned c) {
    side_[c].sent.clear();
    side_[c].posted.clear();
    side_[c].stored = 0;
    side_[c].lost = side_[c].kept = false;
}

// The next beats of stream C.
void World::offer(unsigned c) {
    Side &s = side_[c];
    if (s.packet.empty()) {
        const unsigned size = slow_.channel[c].size;
        unsigned n = c == 0 ? 0 : static_cast<unsigned>(below(6));
        if (c > 1 && below(4) == 0)
            n = below(3) == 0 || size == 0 ? 200u : size - 1 - static_cast<unsigned>(below(2));
        for (unsigned i = 0; i <= n; i++) {
            Offer o;
            o.beat = random(slow_.channel[c].tdata);
            o.last = i == n && c != 0;
            o.header = i == 0 && c > 1;
            if (o.header) {
                n = std::min(n, 255u);
                o.records = n;
                o.beat[2] = static_cast<uint8_t>(n);
                if (c == 3)
                    o.beat[3] = 0;
            }
            s.packet.push_back(o);
        }
    }
    s.offers = s.offers || chance(hurry_);
    const bool shown = s.offers && slow_.channel[c].window;
    const auto w = words(s.packet.front().beat);
    slow_.show(c, shown ? &s.packet.front() : nullptr);
    slow_.waited(c, shown);
    if (slow_.channel[c].window)
        gmmu_ring_shown(&r_, c, shown ? w.data() : nullptr, s.packet.front().last);
}

// ---- the driver
void World::set_up(unsigned c) {
    const Channel &ch = slow_.channel[c];
    if (side_[c].kept && !ch.error && chance(6)) {
        seen.again += write(at(c, 0x40), 1u << 16 | ch.flags);
        return;
    }
    side_[c].kept = false;
    if (ch.error || ch.place(ch.head) != 0 || ch.place(ch.tail) != 0 || chance(4)) {
        if (write(at(c, 0x40), 1u << 17 | (ch.flags & 0x1e00)))
            seen.resets++;
        return;
    }
    if (ch.size >= 2 && ch.dropped == 0 && chance(3) && (ch.head | ch.tail) == 0) {
        for (uint64_t i = 0; i < ch.size * ch.bytes; i++) memory_.erase(ch.base + i);
        forget(c);
        (void)write(at(c, 0x40), 1u << 16 | (static_cast<uint32_t>(rng_()) & 0x1e00));
        return;
    }
    const uint64_t region = UINT64_C(1) << (sizes_.addr_w - 3);
    uint64_t base = c * region + (below(4) == 0 ? region - 64 * 8 : below(region / 2));
    if (c == 5 && below(4) == 0)
        base = 0 - UINT64_C(64) * 5;  // entries at the end of memory, and then at its begin
    const unsigned size = below(3) == 0 ? 2 : 2 + static_cast<unsigned>(below(39));
    (void)write(at(c, 0x70), static_cast<uint32_t>(base));
    (void)write(at(c, 0x74), static_cast<uint32_t>(base >> 32));
    (void)write(at(c, 0x78), size);
    (void)write(at(c, 0x88), ch.window && below(4) == 0);
    (void)write(at(c, 0x50), static_cast<uint32_t>(below(6)));
    (void)write(at(c, 0x7c), static_cast<uint32_t>(below(7)));
    side_[c].greed = static_cast<unsigned>(below(9));
}

// What is between HEAD and TAIL is in memory, and the phase tells what memory has.
void World::check_memory(unsigned c) {
    const Channel &ch = slow_.channel[c];
    const Side &s = side_[c];
    if (ch.in || !ch.ring() || s.lost || ch.error || (!ch.enabled && !s.kept))
        return;
    for (uint64_t i = ch.head; i < ch.head + ch.size - 1; i++) {
        const auto b = load(
            (ch.base + i % ch.size * ch.bytes) & (UINT64_MAX >> (64 - sizes_.addr_w)), ch.bytes);
        const bool phase = b.back() >> 7, expected = i / ch.size % 2 == 0;
        ASSERT_EQ(phase == expected, i < s.stored) << "channel " << c << ", entry " << i;
        if (i < s.stored) {
            ASSERT_EQ(b, s.sent[i - ch.head].bytes) << "channel " << c << ", entry " << i;
        }
    }
    ASSERT_LE(ch.tail, s.stored);
    seen.early += ch.tail < s.stored;
}

void World::serve_out(unsigned c) {
    const Channel &ch = slow_.channel[c];
    uint32_t data;
    if (ch.mode) {
        (void)read(at(c, 0x8c), &data);
        for (unsigned i = 0; i < 16; i++) (void)read(at(c, 0xc0 + 4 * i), &data);
        seen.window += write(at(c, 0x8c), 1);
        return;
    }
    check_memory(c);
    (void)read(at(c, 0x68), &data);
    if (ch.fill() == 0 || ch.size < 2)
        return;
    const uint64_t n = 1 + below(ch.fill());
    ASSERT_TRUE(write(at(c, 0x68), static_cast<uint32_t>((ch.head + n) % ch.size) | 0xdead0000));
    for (uint64_t i = 0; i < n && !side_[c].sent.empty(); i++) side_[c].sent.pop_front();
    seen.passes += ch.head % ch.size < n;
}

void World::serve_in(unsigned c) {
    const Channel &ch = slow_.channel[c];
    uint32_t data;
    if (ch.mode) {
        (void)read(at(c, 0x8c), &data);
        if (data != 0)
            return;
        for (unsigned i = 0; i < (ch.tdata + 3) / 4; i++)
            (void)write(at(c, 0xc0 + 4 * i), static_cast<uint32_t>(rng_()));
        const Beat beat = ch.written;
        if (write(at(c, 0x8c), 1))
            side_[c].posted.push_back(beat);
        return;
    }
    if (ch.size < 2)
        return;
    const uint64_t n = below(ch.size - ch.fill());
    for (uint64_t i = 0; i < n; i++) {
        Entry e;
        e.address =
            (ch.base + (ch.tail + i) % ch.size * ch.bytes) & (UINT64_MAX >> (64 - sizes_.addr_w));
        e.bytes = random(ch.bytes);
        store(e);
        e.bytes.resize(ch.tdata);
        side_[c].posted.push_back(e.bytes);
    }
    ASSERT_TRUE(write(at(c, 0x68), static_cast<uint32_t>((ch.tail + n) % ch.size) << 16 | 0xbeef));
}

// Any register, any value. What would set the test's own knowledge at naught is left out.
void World::anything() {
    const unsigned address = static_cast<unsigned>(below(0x400)) * 4;
    uint32_t data;
    (void)read(address, &data);
    const unsigned within = (address - 0x10) % 0x100;
    const unsigned c = (address - 0x10) / 0x100;
    const bool channel = address >= 0x10 && c < 6;
    const bool safe = !channel || (within != 0x40 && within != 0x68 && within < 0x8c);
    if (safe && (within < 0x70 || within > 0x88 || !channel || within == 0x7c))
        (void)write(address, static_cast<uint32_t>(rng_()), static_cast<unsigned>(below(16)));
    else if (within == 0x68) {  // a pointer that may not be
        const Channel &ch = slow_.channel[c];
        const uint32_t any = static_cast<uint32_t>(below(45));
        const uint64_t from = ch.in ? ch.tail : ch.head,
                       to = ch.in ? ch.head + ch.size - 1 : ch.tail;
        bool legal = false;
        for (uint64_t i = from; ch.ring() && i <= to; i++) legal |= i % ch.size == any;
        if (!legal)
            (void)write(address, any | any << 16);
        else
            (void)write(address, any | any << 16, ch.in ? 3 | 4u << below(2) : 12 | 1u << below(2));
    } else if (within == 0x40 && (slow_.channel[c].op != 0 || slow_.channel[c].error))
        (void)write(address, 1u << 16);  // bad
    else if (channel && within >= 0x70 && within <= 0x88 && slow_.channel[c].enabled)
        (void)write(address, static_cast<uint32_t>(rng_()));  // bad
    else if (channel && within >= 0x8c && !slow_.channel[c].mode)
        (void)write(address, static_cast<uint32_t>(rng_()), static_cast<unsigned>(below(16)));
}

void World::software(unsigned c) {
    const Channel &ch = slow_.channel[c];
    if (slow_.stops)
        return;
    if (!ch.enabled && ch.op == 0) {
        set_up(c);
        return;
    }
    if (ch.enabled && below(200) == 0) {
        side_[c].kept = below(2) == 0;
        seen.resets += write(at(c, 0x40), (side_[c].kept ? 0 : 1u << 17) | (ch.flags & 0x1e00));
        return;
    }
    if (!ch.enabled)
        return;
    if (chance(side_[c].greed))
        ch.in ? serve_in(c) : serve_out(c);
    else if (chance(1))
        (void)write(at(c, 0x64), static_cast<uint32_t>(rng_()));
}

// ---- the unit and memory
void World::streams() {
    for (unsigned n = 0; n < 5; n++) {  // a GO takes its beat in its cycle
        const unsigned c = n < 2 ? n : static_cast<unsigned>(below(4));
        if (n < 2 && !slow_.reads(c))
            continue;
        Side &s = side_[c];
        if (!s.offers)
            continue;
        const Offer o = s.packet.front();
        const auto w = words(o.beat);
        const int fate = slow_.takes(c, o);
        ASSERT_EQ(gmmu_ring_takes(&r_, c, w.data(), o.last), fate) << "channel " << c;
        const uint32_t dropped = slow_.channel[c].dropped;
        const Entry want = slow_.take(c, o);
        gmmu_ring_entry e;
        ASSERT_EQ(gmmu_ring_take(&r_, c, w.data(), o.last, &e), fate);
        if (fate == GMMU_RING_FATE_NO) {
            seen.waits++;
            continue;
        }
        seen.dropped += slow_.channel[c].dropped - dropped;
        seen.discarded += fate == GMMU_RING_FATE_DISCARD;
        if (fate == GMMU_RING_FATE_ENTRY) {
            seen.entries++;
            ASSERT_EQ(e.address, want.address);
            ASSERT_EQ(std::vector<uint8_t>(e.data, e.data + e.bytes), want.bytes);
            ASSERT_EQ(e.address % e.bytes, 0u);
            const bool stored = chance(4);
            if (stored && (writes_.empty() || writes_.back().stored)) {
                store(want);
                s.stored++;
                writes_.push_back({c, want, true, false});
            } else {
                writes_.push_back({c, want, false, false});
            }
            s.sent.push_back(want);
        }
        s.packet.pop_front();
        s.offers = false;
    }
}

void World::answers() {
    if (writes_.empty() || !chance(hurry_))
        return;
    const Write w = writes_.front();
    writes_.pop_front();
    const bool ok = below(1000) >= errors_;
    if (!w.stored) {
        store(w.entry);
        side_[w.channel].stored++;
    }
    side_[w.channel].lost |= !ok;
    seen.errors += !ok;
    slow_.answered(ok);
    gmmu_ring_written(&r_, ok);
}

void World::reads() {
    const unsigned c = 4 + static_cast<unsigned>(below(2));
    if (slow_.burst() < 0) {
        uint64_t address = 0;
        const unsigned n = chance(hurry_) ? slow_.fetch(c, &address) : 0;
        if (n != 0) {
            ASSERT_TRUE(gmmu_ring_fetch(&r_, c, &burst_));
            ASSERT_EQ(burst_.address, address);
            ASSERT_EQ(burst_.entries, n);
            ASSERT_EQ(burst_.bytes, n * slow_.channel[c].bytes);
            ASSERT_EQ(address / 4096, (address + burst_.bytes - 1) / 4096);
            seen.bursts++;
            seen.longest = std::max<uint64_t>(seen.longest, n);
        } else if (slow_.could_fetch(c) == 0 || slow_.stops ||
                   (c == 5 && slow_.could_fetch(4) != 0)) {  // drv goes first
            gmmu_ring_burst none;
            ASSERT_FALSE(gmmu_ring_fetch(&r_, c, &none));
        }
    } else if (chance(hurry_)) {
        gmmu_ring_burst none;
        ASSERT_FALSE(gmmu_ring_fetch(&r_, c, &none));  // one at a time
        const Channel &ch = slow_.channel[slow_.burst()];
        const auto data = load(burst_.address, burst_.bytes);
        std::vector<Beat> ops;
        for (uint32_t i = 0; i < burst_.entries; i++)
            ops.emplace_back(data.begin() + i * ch.bytes, data.begin() + i * ch.bytes + ch.tdata);
        const bool ok = below(1000) >= errors_;
        seen.errors += !ok;
        slow_.fetched(ops, ok);
        gmmu_ring_fetched(&r_, data.data(), ok);
    }
}

void World::operations() {
    for (unsigned c = 4; c < 6; c++) {
        const Beat *const want = slow_.op(c);
        const uint32_t *const op = gmmu_ring_op(&r_, c);
        ASSERT_EQ(op != nullptr, want != nullptr);
        if (op == nullptr || !chance(hurry_))
            continue;
        ASSERT_EQ(bytes(op, want->size()), *want);
        ASSERT_FALSE(side_[c].posted.empty());
        ASSERT_EQ(*want, side_[c].posted.front());  // in order, none lost, none twice
        side_[c].posted.pop_front();
        slow_.op_taken(c);
        gmmu_ring_op_taken(&r_, c);
        seen.ops++;
    }
}

void World::cycle() {
    if (slow_.now % 512 == 0) {
        hurry_ = 1 + static_cast<unsigned>(below(8));
        errors_ = below(3) == 0 ? 5 : 0;
        check_memory(static_cast<unsigned>(below(4)));
    }
    for (unsigned c = 0; c < 4; c++) offer(c);
    if (!stopping_ && below(3000) == 0)
        stopping_ = true;
    slow_.stops = stopping_;
    gmmu_ring_stop(&r_, stopping_);
    if (below(3) == 0)
        anything();
    else
        software(static_cast<unsigned>(below(6)));
    if (testing::Test::HasFatalFailure())
        return;
    std::array<int, 4> parts = {0, 1, 2, 3};  // of a cycle, in any order
    std::shuffle(parts.begin(), parts.end(), rng_);
    for (int part : parts)
        part == 0 ? streams() : part == 1 ? answers() : part == 2 ? reads() : operations();
    if (testing::Test::HasFatalFailure())
        return;
    const uint32_t time = slow_.channel[0].status & 0x400;
    slow_.clock();
    gmmu_ring_clock(&r_);
    seen.time += time == 0 && (slow_.channel[0].status & 0x400) != 0;
    ASSERT_EQ(gmmu_ring_irq(&r_), slow_.irq);
    seen.irqs += slow_.irq;
    ASSERT_EQ(gmmu_ring_rests(&r_), slow_.rests());
    ASSERT_EQ(gmmu_ring_idle(&r_), slow_.rests() && !slow_.op(4) && !slow_.op(5));
    if (stopping_ && slow_.rests() && chance(2)) {
        const bool regs = chance(4);
        slow_.reset(regs);
        gmmu_ring_reset(&r_, regs);
        for (unsigned c = 0; c < 6; c++) {
            forget(c);
            side_[c].packet.clear();
            side_[c].offers = false;
        }
        stopping_ = false;
        seen.unit_resets++;
    }
}

void run(const Sizes &s, uint64_t cycles, uint64_t seed) {
    World w(s, seed);
    for (uint64_t i = 0; i < cycles && !testing::Test::HasFailure(); i++) {
        SCOPED_TRACE("cycle " + std::to_string(i));
        w.cycle();
    }
    const Seen &n = w.seen;
    for (uint64_t some :
         {n.entries, n.discarded, n.dropped, n.window, n.ops, n.bursts, n.errors, n.resets,
          n.unit_resets, n.irqs, n.bad, n.good, n.waits, n.passes, n.time, n.early, n.again})
        EXPECT_GT(some, cycles / 10000);
    EXPECT_GT(n.longest, 1u);
    std::printf(
        "%s, %u bits of address, bus of %u, %u writes, %u ahead: %llu entries, %llu packets "
        "dropped, %llu beats in windows, %llu operations in "
        "%llu bursts, %llu errors, %llu resets, %llu of the unit, %llu cycles with irq, %llu "
        "writes bad of %llu\n",
        s.config, s.addr_w, s.data_w, s.writes, s.ops, (unsigned long long)n.entries,
        (unsigned long long)n.dropped, (unsigned long long)n.window, (unsigned long long)n.ops,
        (unsigned long long)n.bursts, (unsigned long long)n.errors, (unsigned long long)n.resets,
        (unsigned long long)n.unit_resets, (unsigned long long)n.irqs, (unsigned long long)n.bad,
        (unsigned long long)(n.bad + n.good));
}

TEST(Ring, AsThePageSays) {
    static const Sizes sets[] = {{"tiny", 64, 64, 8, 8, true},      {"tiny", 32, 32, 1, 2, true},
                                 {"tiny", 48, 128, 32, 16, true},   {"default", 64, 64, 8, 8, true},
                                 {"default", 33, 32, 3, 16, false}, {"large", 64, 128, 4, 4, true},
                                 {"onchip", 40, 64, 2, 8, true},    {"tiny", 63, 64, 5, 4, false}};
    const char *seed = std::getenv("GMMU_SEED");
    uint64_t n = seed ? std::strtoull(seed, nullptr, 0) : 1;
    const uint64_t cycles = std::getenv("GMMU_LONG") ? 500000 : 50000;
    for (const Sizes &s : sets) {
        SCOPED_TRACE(std::string(s.config) + ", writes " + std::to_string(s.writes));
        run(s, cycles, n++);
        if (HasFailure())
            break;
    }
}

// ---- by hand
struct Unit {
    gmmu_ring r;
    gmmu_config cfg = *config("tiny");
    gmmu_ring_entry entry = {};
    std::array<uint32_t, 16> beat = {};

    Unit() { gmmu_ring_init(&r, &cfg, 64, 64, 8, 8); }
    uint32_t read(unsigned address) {
        uint32_t data = 0;
        EXPECT_TRUE(gmmu_ring_read(&r, address / 4, &data));
        return data;
    }
    bool write(unsigned address, uint32_t data) {
        return gmmu_ring_write(&r, address / 4, data, 15);
    }
    void clocks(unsigned n) {
        for (; n != 0; n--) gmmu_ring_clock(&r);
    }
    // A ring of SIZE entries at 0x1000 for channel C.
    void enable(unsigned c, unsigned size, uint32_t flags = 0) {
        EXPECT_TRUE(write(0x10 + 0x100 * c + 0x70, 0x1000));
        EXPECT_TRUE(write(0x10 + 0x100 * c + 0x78, size));
        EXPECT_TRUE(write(0x10 + 0x100 * c + 0x40, 0x10000 | flags));
    }
    gmmu_ring_fate take(unsigned c, uint32_t first, bool last = true) {
        beat[0] = first;
        return gmmu_ring_take(&r, c, beat.data(), last, &entry);
    }
};

TEST(Ring, SaysWhatItIs) {
    Unit u;
    EXPECT_EQ(u.read(0x000), 0x601u);  // version 1, six channels
    EXPECT_EQ(u.read(0x008), 0x100u);  // from one to the next
    EXPECT_EQ(u.read(0x014), 0xFFFF0000u);
    EXPECT_EQ(u.read(0x010), 0x20u);  // decision: LEVEL
    EXPECT_EQ(u.read(0x210), 0x30u);  // rit: OVERFLOW, LEVEL
    EXPECT_EQ(u.read(0x410), 0u);     // drv
    EXPECT_EQ(u.read(0x01c), 1u << 17);
    EXPECT_EQ(u.read(0x05c), 0x100u);
    EXPECT_EQ(u.read(0x090), 144u << 16 | 0x805);  // decision: 18 bytes in 32, a window
    EXPECT_EQ(u.read(0x190), 120u << 16 | 0xA04);  // xfer: 15 bytes in 16, packets, a window
    EXPECT_EQ(u.read(0x290), 104u << 16 | 0x604);  // rit: packets, may drop
    EXPECT_EQ(u.read(0x490), 72u << 16 | 0x904);   // drv
    uint32_t data;
    EXPECT_FALSE(gmmu_ring_read(&u.r, 0x610 / 4, &data));
    EXPECT_TRUE(gmmu_ring_read(&u.r, 0x800 / 4, &data));
    EXPECT_FALSE(u.write(0x010, 0));
}

// Three places hold two entries; the third decision waits for software.
TEST(Ring, ARingOfThree) {
    Unit u;
    EXPECT_FALSE(u.write(0x050, 0x10000));  // no ring yet
    u.enable(0, 3);
    EXPECT_EQ(u.take(0, 0xA), GMMU_RING_FATE_ENTRY);
    EXPECT_EQ(u.entry.address, 0x1000u);
    EXPECT_EQ(u.entry.bytes, 32u);
    EXPECT_EQ(u.entry.data[0], 0xAu);
    EXPECT_EQ(u.entry.data[31], 0x81u);
    EXPECT_EQ(u.take(0, 0xB), GMMU_RING_FATE_ENTRY);
    EXPECT_EQ(u.entry.address, 0x1020u);
    EXPECT_EQ(u.take(0, 0xC), GMMU_RING_FATE_NO);
    EXPECT_EQ(u.read(0x078), 0u);  // nothing is answered
    gmmu_ring_written(&u.r, true);
    EXPECT_EQ(u.read(0x078), 0x10000u);
    EXPECT_FALSE(u.write(0x078, 2));  // behind TAIL
    EXPECT_TRUE(u.write(0x078, 1));
    EXPECT_EQ(u.take(0, 0xC), GMMU_RING_FATE_ENTRY);
    EXPECT_EQ(u.entry.address, 0x1040u);
    gmmu_ring_written(&u.r, true);
    EXPECT_TRUE(u.write(0x078, 2));
    EXPECT_EQ(u.take(0, 0xD), GMMU_RING_FATE_ENTRY);
    EXPECT_EQ(u.entry.address, 0x1000u);
    EXPECT_EQ(u.entry.data[31], 0x01u);  // the second pass
}

TEST(Ring, PacketsAreWhole) {
    Unit u;
    u.enable(2, 4, 0x200);                                          // INT_ON_OVERFLOW
    EXPECT_EQ(u.take(2, 3u << 16, false), GMMU_RING_FATE_DISCARD);  // 4 beats, 3 places
    for (unsigned i = 0; i < 3; i++) EXPECT_EQ(u.take(2, i, i == 2), GMMU_RING_FATE_DISCARD);
    EXPECT_EQ(u.read(0x210 + 0x84), 1u);
    u.clocks(1);
    EXPECT_EQ(u.read(0x210 + 0x64), 0x100u);
    EXPECT_EQ(u.read(0x800), 4u);
    EXPECT_FALSE(gmmu_ring_irq(&u.r));
    u.clocks(1);
    EXPECT_TRUE(gmmu_ring_irq(&u.r));  // a cycle later
    EXPECT_TRUE(u.write(0x210 + 0x64, 0x100));
    EXPECT_EQ(u.take(2, 2u << 16, false), GMMU_RING_FATE_ENTRY);  // 3 beats
    EXPECT_TRUE(u.write(0x210 + 0x40, 0));                        // amid the packet
    u.clocks(5);
    EXPECT_EQ(u.read(0x210 + 0x60), 2u << 16);
    EXPECT_EQ(u.take(2, 1, false), GMMU_RING_FATE_ENTRY);
    EXPECT_EQ(u.entry.data[15], 0x80u);
    EXPECT_EQ(u.take(2, 2, true), GMMU_RING_FATE_ENTRY);
    EXPECT_EQ(u.entry.data[15], 0x81u);
    for (unsigned i = 0; i < 3; i++) gmmu_ring_written(&u.r, true);
    u.clocks(1);
    EXPECT_EQ(u.read(0x210 + 0x60), 2u << 16);
    u.clocks(1);
    EXPECT_EQ(u.read(0x210 + 0x60), 0u);
    EXPECT_EQ(u.read(0x210 + 0x68), 3u << 16);
    EXPECT_EQ(u.take(2, 0, true), GMMU_RING_FATE_DISCARD);  // disabled: not counted
    EXPECT_EQ(u.read(0x210 + 0x84), 1u);
}

TEST(Ring, InterruptsByLevelAndTime) {
    Unit u;
    EXPECT_TRUE(u.write(0x060, 2));  // watermark
    EXPECT_TRUE(u.write(0x08c, 3));  // 8 cycles
    u.enable(0, 8, 0xC00);
    (void)u.take(0, 1);
    gmmu_ring_written(&u.r, true);
    u.clocks(1);  // now the fill is 1
    u.clocks(8);
    EXPECT_EQ(u.read(0x074), 0u);
    u.clocks(1);
    EXPECT_EQ(u.read(0x074), 0x400u);
    EXPECT_TRUE(u.write(0x074, 0x400));
    u.clocks(1);
    EXPECT_EQ(u.read(0x074), 0x400u);  // still so
    EXPECT_TRUE(u.write(0x074, 0x400));
    EXPECT_TRUE(u.write(0x078, 1));  // empty
    u.clocks(1);
    EXPECT_EQ(u.read(0x074), 0x400u);  // of the cycle of the write
    EXPECT_TRUE(u.write(0x074, 0x400));
    u.clocks(100);
    EXPECT_EQ(u.read(0x074), 0u);
    for (unsigned i = 0; i < 2; i++) (void)u.take(0, i);
    gmmu_ring_written(&u.r, true);
    u.clocks(2);
    EXPECT_EQ(u.read(0x074), 0u);
    gmmu_ring_written(&u.r, true);
    u.clocks(2);
    EXPECT_EQ(u.read(0x074), 0x200u);
}

// What may not be written, and leaves all as it was.
TEST(Ring, BadWrites) {
    Unit u;
    EXPECT_FALSE(u.write(0x088, 0));  // SIZE
    EXPECT_FALSE(u.write(0x088, 1));
    EXPECT_FALSE(u.write(0x298, 1));  // MODE of rit
    EXPECT_TRUE(u.write(0x298, 0));
    EXPECT_FALSE(u.write(0x0d0, 1));  // WINDOW of an out channel
    EXPECT_FALSE(u.write(0x4d0, 1));  // of drv, in mode 0
    u.enable(0, 4);
    EXPECT_FALSE(u.write(0x080, 0));  // BASE while enabled
    (void)u.take(0, 1);
    gmmu_ring_written(&u.r, true);
    EXPECT_TRUE(u.write(0x078, 1));  // HEAD = TAIL = 1
    EXPECT_TRUE(u.write(0x050, 0));
    EXPECT_FALSE(u.write(0x050, 0));  // an operation is in progress
    u.clocks(2);
    for (unsigned at : {0x080, 0x084, 0x088, 0x098}) EXPECT_FALSE(u.write(at, 2)) << at;
    EXPECT_EQ(u.read(0x088), 4u);
    EXPECT_TRUE(u.write(0x050, 0x20000));
    u.clocks(2);
    EXPECT_TRUE(u.write(0x088, 2));
}

// Writes of a part of a word, and of one bit among others.
TEST(Ring, PartsOfWords) {
    Unit u;
    const auto write = [&u](unsigned at, uint32_t data, unsigned strobes) {
        return gmmu_ring_write(&u.r, at / 4, data, strobes);
    };
    u.enable(0, 4);
    EXPECT_TRUE(u.write(0x050, 0x11E00));  // other interrupts: the channel runs on
    EXPECT_EQ(u.read(0x070), 1u);
    EXPECT_EQ(u.read(0x050), 0x11E00u);
    EXPECT_TRUE(write(0x050, 0, 2));
    EXPECT_EQ(u.read(0x050), 0x10000u);
    (void)u.take(0, 1);
    gmmu_ring_written(&u.r, true);
    EXPECT_TRUE(write(0x078, 1, 12));  // the unit's half: nothing
    EXPECT_TRUE(write(0x078, 1, 0));
    EXPECT_FALSE(write(0x078, 1, 1));
    EXPECT_FALSE(write(0x078, 1, 14));
    EXPECT_EQ(u.read(0x078), 0x10000u);
    EXPECT_TRUE(u.write(0x050, 0x30000));  // RESET and ENABLE: RESET
    EXPECT_EQ(u.read(0x070), 3u << 16);
    EXPECT_FALSE(u.write(0x088, 5));  // while an operation is in progress
    u.clocks(2);
    EXPECT_EQ(u.read(0x070), 0u);
    EXPECT_TRUE(u.write(0x098, 1));
    EXPECT_FALSE(u.write(0x09c, 0));  // GO of a disabled channel
    EXPECT_TRUE(u.write(0x050, 0x10000));
    EXPECT_TRUE(u.write(0x09c, 0));  // no GO
    EXPECT_TRUE(write(0x09c, 1, 2));
    EXPECT_FALSE(u.write(0x09c, 1));  // no beat
    u.enable(4, 4);
    EXPECT_TRUE(u.write(0x478, 2u << 16));
    EXPECT_TRUE(u.write(0x450, 0));
    u.clocks(2);
    EXPECT_FALSE(u.write(0x488, 5));  // HEAD is 0, TAIL is not
}

// The timer stands at its end.
TEST(Ring, TheLongestTime) {
    Unit u;
    EXPECT_TRUE(u.write(0x08c, 31));
    u.enable(0, 4);
    (void)u.take(0, 1);
    gmmu_ring_written(&u.r, true);
    u.clocks(2);
    u.r.channel[0].timer = (1u << 31) - 2;
    u.clocks(2);
    EXPECT_EQ(u.read(0x074), 0u);
    for (unsigned i = 0; i < 4; i++) {
        u.clocks(2);
        EXPECT_EQ(u.read(0x074), 0x400u);
        EXPECT_TRUE(u.write(0x074, 0x400));
    }
    EXPECT_EQ(u.r.channel[0].timer, 1u << 31);
}

// An operation in the window stays until the unit has taken it; a beat that waits asks again and
// again; GO is of its own cycle.
TEST(Ring, Windows) {
    Unit u;
    EXPECT_TRUE(u.write(0x498, 1));
    EXPECT_TRUE(u.write(0x450, 0x10000));
    EXPECT_TRUE(u.write(0x4d0, 0xABCD));
    EXPECT_FALSE(u.write(0x4d0 + 12, 1));  // 72 bits have three words
    EXPECT_TRUE(u.write(0x4d0 + 8, 0xFFFF));
    EXPECT_EQ(u.read(0x4d0 + 8), 0xFFu);
    EXPECT_TRUE(u.write(0x49c, 1));
    EXPECT_FALSE(u.write(0x49c, 1));
    EXPECT_FALSE(u.write(0x4d0, 0));
    ASSERT_NE(gmmu_ring_op(&u.r, GMMU_RING_DRV), nullptr);
    EXPECT_EQ(*gmmu_ring_op(&u.r, GMMU_RING_DRV), 0xABCDu);
    EXPECT_FALSE(gmmu_ring_idle(&u.r));
    gmmu_ring_op_taken(&u.r, GMMU_RING_DRV);
    EXPECT_TRUE(u.write(0x4d0, 0));

    EXPECT_TRUE(u.write(0x098, 1));
    EXPECT_TRUE(u.write(0x050, 0x10400));
    u.clocks(1);
    u.beat[0] = 7;
    gmmu_ring_shown(&u.r, 0, u.beat.data(), false);
    EXPECT_EQ(u.read(0x0d0), 7u);
    EXPECT_EQ(u.read(0x09c), 3u);
    for (unsigned i = 0; i < 3; i++) {
        u.clocks(1);
        EXPECT_EQ(u.read(0x074), 0x200u) << i;
        EXPECT_TRUE(u.write(0x074, 0x200));
    }
    EXPECT_EQ(u.take(0, 7), GMMU_RING_FATE_NO);
    EXPECT_TRUE(u.write(0x09c, 1));
    EXPECT_EQ(u.read(0x09c), 0u);
    EXPECT_FALSE(u.write(0x09c, 1));
    u.clocks(1);
    EXPECT_EQ(u.take(0, 7), GMMU_RING_FATE_NO);
    EXPECT_TRUE(u.write(0x09c, 1));
    EXPECT_EQ(u.take(0, 7), GMMU_RING_FATE_READ);
    EXPECT_EQ(u.read(0x0d0), 0u);
    u.clocks(1);
    EXPECT_EQ(u.read(0x074), 0x200u);  // of the cycle of the take
    EXPECT_TRUE(u.write(0x074, 0x200));
    u.clocks(2);
    EXPECT_EQ(u.read(0x074), 0u);
}

// An error does not end the reset that waits for its write.
TEST(Ring, AnErrorDuringAReset) {
    Unit u;
    u.enable(0, 4);
    (void)u.take(0, 1);
    EXPECT_TRUE(u.write(0x050, 0x20000));
    u.clocks(3);
    EXPECT_EQ(u.read(0x070), 3u << 16);
    gmmu_ring_written(&u.r, false);
    EXPECT_EQ(u.read(0x070), 3u << 16);
    EXPECT_EQ(u.read(0x074), 0x800u);
    u.clocks(2);
    EXPECT_EQ(u.read(0x070), 0u);
    EXPECT_EQ(u.read(0x074), 0u);
}

// What lies behind a failed write is not published; the channel stops until its reset.
TEST(Ring, AFailedWrite) {
    Unit u;
    u.enable(0, 8, 0x1000);
    for (unsigned i = 0; i < 3; i++) (void)u.take(0, i);
    gmmu_ring_written(&u.r, true);
    gmmu_ring_written(&u.r, false);
    EXPECT_EQ(u.take(0, 3), GMMU_RING_FATE_NO);
    gmmu_ring_written(&u.r, true);
    EXPECT_EQ(u.read(0x078), 1u << 16);
    EXPECT_EQ(u.read(0x074), 0x800u);
    u.clocks(2);
    EXPECT_TRUE(gmmu_ring_irq(&u.r));
    EXPECT_EQ(u.read(0x070), 0u);
    EXPECT_FALSE(u.write(0x050, 0x10000));
    EXPECT_TRUE(u.write(0x050, 0x20000));
    u.clocks(1);
    EXPECT_EQ(u.read(0x078), 1u << 16);
    u.clocks(1);
    EXPECT_EQ(u.read(0x078), 0u);
    EXPECT_EQ(u.read(0x074), 0u);
    EXPECT_TRUE(u.write(0x050, 0x10000));
    (void)u.take(0, 4);
    EXPECT_EQ(u.entry.data[31], 0x81u);  // the first pass again
}

// Bursts end with the ring, with the places for operations, and with 4 KiB.
TEST(Ring, BurstsOfOperations) {
    Unit u;
    const unsigned drv = 0x410;
    EXPECT_TRUE(u.write(drv + 0x70, 0x1FC0));  // 4 entries before the border
    EXPECT_TRUE(u.write(drv + 0x78, 20));
    EXPECT_TRUE(u.write(drv + 0x40, 0x10000));
    EXPECT_FALSE(u.write(drv + 0x68, 20u << 16));
    EXPECT_TRUE(u.write(drv + 0x68, 19u << 16));
    gmmu_ring_burst b;
    std::array<uint8_t, 16 * 16> data = {};
    const auto next = [&] {
        EXPECT_TRUE(gmmu_ring_fetch(&u.r, GMMU_RING_DRV, &b));
        gmmu_ring_fetched(&u.r, data.data(), true);
        return b.entries;
    };
    EXPECT_EQ(next(), 4u);
    EXPECT_EQ(b.address, 0x1FC0u);
    EXPECT_EQ(next(), 4u);  // 8 are held
    EXPECT_EQ(b.address, 0x2000u);
    EXPECT_FALSE(gmmu_ring_fetch(&u.r, GMMU_RING_DRV, &b));
    for (unsigned i = 0; i < 8; i++) gmmu_ring_op_taken(&u.r, GMMU_RING_DRV);
    EXPECT_EQ(next(), 8u);
    EXPECT_EQ(u.read(drv + 0x68), 19u << 16 | 8);
    for (unsigned i = 0; i < 8; i++) gmmu_ring_op_taken(&u.r, GMMU_RING_DRV);
    EXPECT_FALSE(u.write(drv + 0x68, 16u << 16));  // HEAD itself is not free
    EXPECT_TRUE(u.write(drv + 0x68, 2u << 16));
    EXPECT_EQ(next(), 4u);  // up to the end of the ring
    EXPECT_EQ(next(), 2u);
    EXPECT_EQ(b.address, 0x1FC0u);
}

}  // namespace
