// SPDX-License-Identifier: Apache-2.0
// unit_rings_test.cpp: the driver of rings in C, against the twin of ring as a device: each access
// to the bus lets the device and its memory go on for some cycles. What one side sends the other
// receives, in order, by registers and by the phase in memory, through rings and windows; errors of
// memory and of the bus.
#include "driver/unit_rings.h"

#include <gtest/gtest.h>

#include <cstring>
#include <deque>
#include <random>
#include <vector>

#include "blocks/ring.h"

namespace {

using Beat = std::vector<uint32_t>;
enum { MOST = 1000 };

// The unit's streams, the twin, and memory at an address of its own.
class Device {
   public:
    static constexpr uint64_t BASE = 0x1234567000;
    gmmu_ring ring;
    gmmu_config cfg = gmmu_configs[0];
    std::mt19937_64 rng{1};
    alignas(64) uint8_t memory[0x4000] = {};
    std::deque<std::pair<Beat, bool>> stream[4];  // what the unit has to send
    std::deque<Beat> operations[2];               // what the unit has got
    unsigned fails = 0;  // answers of memory until one is an error; 0: none
    bool bus_fails = false, answers = true;
    unsigned accesses = 0;
    unsigned fails_at = 0;  // the access that the bus answers with an error; 0: none

    explicit Device(const char *name) {
        for (const gmmu_config *c = gmmu_configs; c->name != nullptr; c++)
            if (std::strcmp(c->name, name) == 0)
                cfg = *c;
        std::memset(memory, 0xFF, sizeof memory);  // of an earlier use
        gmmu_ring_init(&ring, &cfg, 48, 64, 8, 8);
        bus_ = {this,
                [](void *d, uint32_t at, uint32_t *data) {
                    return static_cast<Device *>(d)->read(at, data);
                },
                [](void *d, uint32_t at, uint32_t data) {
                    return static_cast<Device *>(d)->write(at, data);
                }};
    }
    const gmmu_bus *bus() const { return &bus_; }
    void steps(unsigned n) {
        for (; n != 0; n--) step();
    }
    void step();

   private:
    gmmu_bus bus_;
    std::deque<gmmu_ring_entry> writes_;
    gmmu_ring_burst burst_ = {};
    bool reading_ = false;

    bool ok() { return fails == 0 || --fails != 0; }
    bool read(uint32_t at, uint32_t *data) {
        const bool fine = ++accesses != fails_at && !bus_fails;
        steps(rng() % 4);
        show();
        return fine && gmmu_ring_read(&ring, (at - GMMU_RING_PAGE) / 4, data);
    }
    bool write(uint32_t at, uint32_t data) {
        const bool fine = ++accesses != fails_at && !bus_fails;
        steps(rng() % 4);
        show();
        const bool good = fine && gmmu_ring_write(&ring, (at - GMMU_RING_PAGE) / 4, data, 15);
        step();
        return good;
    }
    void show() {
        for (unsigned c = 0; c < 2; c++)
            gmmu_ring_shown(&ring, c, stream[c].empty() ? nullptr : stream[c].front().first.data(),
                            !stream[c].empty() && stream[c].front().second);
    }
};

void Device::step() {
    show();
    for (unsigned c = 0; c < 4; c++) {
        if (stream[c].empty())
            continue;
        gmmu_ring_entry e;
        const auto &[beat, last] = stream[c].front();
        const gmmu_ring_fate fate = gmmu_ring_take(&ring, c, beat.data(), last, &e);
        if (fate == GMMU_RING_FATE_ENTRY) {
            writes_.push_back(e);
            std::memcpy(memory + (e.address - BASE), e.data, e.bytes);
        }
        if (fate != GMMU_RING_FATE_NO)
            stream[c].pop_front();
    }
    if (!writes_.empty() && answers && rng() % 3 == 0) {
        writes_.pop_front();
        gmmu_ring_written(&ring, ok());
    }
    for (unsigned c = 4; c < 6 && !reading_; c++) reading_ = gmmu_ring_fetch(&ring, c, &burst_);
    if (reading_ && rng() % 3 == 0) {
        gmmu_ring_fetched(&ring, memory + (burst_.address - BASE), ok());
        reading_ = false;
    }
    for (unsigned c = 4; c < 6; c++)
        if (gmmu_ring_op(&ring, c) != nullptr && rng() % 3 == 0) {
            operations[c - 4].emplace_back(gmmu_ring_op(&ring, c), gmmu_ring_op(&ring, c) + 16);
            gmmu_ring_op_taken(&ring, c);
        }
    gmmu_ring_clock(&ring);
}

class UnitRings : public testing::TestWithParam<const char *> {
   protected:
    Device device{GetParam()};
    std::mt19937_64 rng{7};

    Beat beat(unsigned bits) {
        Beat b(16);
        for (unsigned i = 0; i < bits; i++) b[i / 32] |= static_cast<uint32_t>(rng() & 1) << i % 32;
        return b;
    }
    // Channel C with a ring of SIZE entries, each channel in its part of memory.
    gmmu_unit_ring ring(unsigned c, uint32_t size, gmmu_unit_interrupts when = {}) {
        gmmu_unit_ring r;
        EXPECT_TRUE(gmmu_rings_open(&r, device.bus(), c, MOST));
        EXPECT_LE(gmmu_rings_bytes(&r, size), 0x800u);
        EXPECT_TRUE(
            gmmu_rings_memory(&r, device.memory + 0x800 * c, Device::BASE + 0x800 * c, size));
        EXPECT_TRUE(gmmu_rings_interrupts(&r, &when));
        EXPECT_TRUE(gmmu_rings_enable(&r));
        return r;
    }
    std::deque<Beat> sends(unsigned c, unsigned bits, unsigned n) {
        std::deque<Beat> all;
        for (unsigned i = 0; i < n; i++) {
            all.push_back(beat(bits));
            device.stream[c].push_back({all.back(), c != 0});
        }
        return all;
    }
};

TEST_P(UnitRings, TakesDecisionsByTail) {
    for (uint32_t size : {2u, 3u, 7u, 16u}) {
        gmmu_unit_ring r = ring(GMMU_RING_DECISION, size);
        std::deque<Beat> sent = sends(0, gmmu_decision_layout_of(&device.cfg).bits, 200);
        uint32_t got[16], there = 0;
        bool last = false;
        for (unsigned i = 0; i < 10000 && !sent.empty(); i++) {
            ASSERT_TRUE(gmmu_rings_look(&r, &there));
            for (uint32_t n = 0; n < there; n++) {
                ASSERT_TRUE(gmmu_rings_take(&r, got, &last));
                EXPECT_TRUE(last);
                ASSERT_EQ(Beat(got, got + 16), sent.front());
                sent.pop_front();
            }
            ASSERT_FALSE(gmmu_rings_take(&r, got, &last));
            ASSERT_TRUE(gmmu_rings_give_back(&r));
        }
        EXPECT_TRUE(sent.empty());
        device.steps(20);
        ASSERT_TRUE(gmmu_rings_look(&r, &there));
        EXPECT_EQ(there, 0u);
    }
}

// Entries are seen before the unit has its answer; only those behind TAIL are given back.
TEST_P(UnitRings, PollsThePhase) {
    for (uint32_t size : {2u, 5u, 16u}) {
        gmmu_unit_ring r = ring(GMMU_RING_DECISION, size);
        std::deque<Beat> sent = sends(0, gmmu_decision_layout_of(&device.cfg).bits, 200);
        uint32_t got[16];
        device.answers = false;
        device.steps(50);
        unsigned before = device.accesses;
        for (unsigned i = 0; i < std::min(size - 1, 8u); i++) {
            ASSERT_TRUE(gmmu_rings_poll(&r, got, nullptr));
            ASSERT_EQ(Beat(got, got + 16), sent.front());
            sent.pop_front();
        }
        ASSERT_FALSE(gmmu_rings_poll(&r, got, nullptr));
        EXPECT_EQ(device.accesses, before);  // memory alone
        uint32_t told = 1;
        ASSERT_TRUE(gmmu_rings_look(&r, &told));
        EXPECT_EQ(told, 0u);  // ahead of the registers
        ASSERT_FALSE(gmmu_rings_take(&r, got, nullptr));
        ASSERT_TRUE(gmmu_rings_give_back(&r));
        EXPECT_EQ(r.head, 0u);
        device.answers = true;
        for (unsigned i = 0; i < 20000 && !sent.empty(); i++) {
            device.step();
            while (gmmu_rings_poll(&r, got, nullptr)) {
                ASSERT_FALSE(sent.empty());
                ASSERT_EQ(Beat(got, got + 16), sent.front());
                sent.pop_front();
            }
            if (rng() % 4 == 0) {
                ASSERT_TRUE(gmmu_rings_give_back(&r));
            }
            uint32_t there;
            if (rng() % 16 == 0) {
                ASSERT_TRUE(gmmu_rings_look(&r, &there));
            }
        }
        EXPECT_TRUE(sent.empty());
    }
}

// What a ring had before its reset is not taken for new.
TEST_P(UnitRings, PollsNothingOldAfterAReset) {
    for (const unsigned before : {1u, 3u, 7u, 11u}) {
        gmmu_unit_ring r = ring(GMMU_RING_DECISION, 8);
        uint32_t got[16];
        for (unsigned round = 0; round < 3; round++) {
            std::deque<Beat> sent =
                sends(0, gmmu_decision_layout_of(&device.cfg).bits, round == 0 ? before : 20);
            for (unsigned i = 0; i < 20000 && !sent.empty(); i++) {
                device.step();
                while (gmmu_rings_poll(&r, got, nullptr)) {
                    ASSERT_FALSE(sent.empty());
                    ASSERT_EQ(Beat(got, got + 16), sent.front()) << before << " " << round;
                    sent.pop_front();
                }
                ASSERT_TRUE(gmmu_rings_give_back(&r));
            }
            ASSERT_TRUE(sent.empty());
            device.steps(50);
            ASSERT_TRUE(gmmu_rings_reset(&r, MOST));
            ASSERT_TRUE(gmmu_rings_enable(&r));
            EXPECT_FALSE(gmmu_rings_poll(&r, got, nullptr)) << before << " " << round;
        }
    }
}

TEST_P(UnitRings, TakesWholePackets) {
    gmmu_unit_ring r = ring(GMMU_RING_RIT, 8, {.overflow = true});
    EXPECT_TRUE(r.packets);
    uint32_t got[16], dropped = 0, events = 0;
    bool last = false;
    std::deque<std::deque<Beat>> sent;
    unsigned drops = 0;
    for (unsigned p = 0; p < 300; p++) {
        const unsigned n = static_cast<unsigned>(rng() % 9);  // records
        std::deque<Beat> packet;
        for (unsigned i = 0; i <= n; i++) {
            packet.push_back(beat(gmmu_rit_head_layout_of(&device.cfg).bits));
            if (i == 0)
                packet[0][0] = (packet[0][0] & 0xFF00FFFF) | n << 16;
            device.stream[2].push_back({packet.back(), i == n});
        }
        drops += n + 1 > 7;
        if (n + 1 <= 7)
            sent.push_back(packet);
        for (unsigned i = 0; i < 10000 && (!device.stream[2].empty() || device.ring.under_way != 0);
             i++)
            device.step();
        ASSERT_TRUE(gmmu_rings_look(&r, nullptr));
        while (const uint32_t beats = gmmu_rings_packet(&r)) {
            ASSERT_FALSE(sent.empty());
            ASSERT_EQ(beats, sent.front().size());
            for (uint32_t i = 0; i < beats; i++) {
                ASSERT_TRUE(gmmu_rings_take(&r, got, &last));
                ASSERT_EQ(Beat(got, got + 16), sent.front()[i]);
                ASSERT_EQ(last, i + 1 == beats);
            }
            sent.pop_front();
        }
        ASSERT_TRUE(gmmu_rings_give_back(&r));
    }
    EXPECT_TRUE(sent.empty());
    ASSERT_TRUE(gmmu_rings_dropped(&r, &dropped));
    EXPECT_EQ(dropped, drops);
    EXPECT_GT(drops, 10u);
    EXPECT_TRUE(gmmu_ring_irq(&device.ring));
    ASSERT_TRUE(gmmu_rings_events(&r, &events));
    EXPECT_EQ(events, static_cast<uint32_t>(GMMU_RING_STATUS_HIGH_OVERFLOW_INT));
    device.steps(2);
    EXPECT_FALSE(gmmu_ring_irq(&device.ring));
}

// A packet of which only a part is in memory is not shown.
TEST_P(UnitRings, WaitsForTheRestOfAPacket) {
    gmmu_unit_ring r = ring(GMMU_RING_HIR, 8);
    Beat head(16);
    head[0] = 2u << 16;
    device.stream[3] = {{head, false}, {beat(40), false}};
    device.steps(100);
    uint32_t there;
    ASSERT_TRUE(gmmu_rings_look(&r, &there));
    EXPECT_EQ(there, 2u);
    EXPECT_EQ(gmmu_rings_packet(&r), 0u);
    device.stream[3].push_back({beat(40), true});
    device.steps(100);
    ASSERT_TRUE(gmmu_rings_look(&r, nullptr));
    EXPECT_EQ(gmmu_rings_packet(&r), 3u);
}

TEST_P(UnitRings, PostsOperations) {
    for (unsigned c : {GMMU_RING_DRV, GMMU_RING_RANGE}) {
        const unsigned bits = c == GMMU_RING_DRV ? gmmu_drv_layout_of(&device.cfg).bits
                                                 : gmmu_range_layout_of(&device.cfg).bits;
        for (uint32_t size : {2u, 6u, 32u}) {
            gmmu_unit_ring r = ring(c, size);
            std::deque<Beat> posted;
            unsigned fulls = 0;
            while (posted.size() < 200) {
                const Beat b = beat(bits);
                bool full = false;
                ASSERT_TRUE(gmmu_rings_post(&r, b.data(), &full));
                fulls += full;
                if (!full)
                    posted.push_back(b);
                if (full || rng() % 3 == 0) {
                    ASSERT_TRUE(gmmu_rings_ring(&r));
                }
            }
            uint32_t waiting = 0;
            ASSERT_TRUE(gmmu_rings_waiting(&r, &waiting));
            EXPECT_EQ(waiting, posted.size() - device.operations[c - 4].size());
            ASSERT_TRUE(gmmu_rings_ring(&r));
            device.steps(1000);
            ASSERT_TRUE(gmmu_rings_waiting(&r, &waiting));
            EXPECT_EQ(waiting, 0u);
            EXPECT_GT(fulls, 0u);
            EXPECT_EQ(device.operations[c - 4], posted);
            device.operations[c - 4].clear();
        }
    }
}

TEST_P(UnitRings, OneAtATimeByRegisters) {
    gmmu_unit_ring out, in;
    const gmmu_unit_interrupts when = {};
    ASSERT_TRUE(gmmu_rings_open(&out, device.bus(), GMMU_RING_XFER, MOST));
    ASSERT_TRUE(gmmu_rings_window(&out));
    ASSERT_TRUE(gmmu_rings_interrupts(&out, &when));
    ASSERT_TRUE(gmmu_rings_enable(&out));
    ASSERT_TRUE(gmmu_rings_open(&in, device.bus(), GMMU_RING_DRV, MOST));
    ASSERT_TRUE(gmmu_rings_window(&in));
    ASSERT_TRUE(gmmu_rings_enable(&in));
    uint32_t got[16];
    bool last = false, there = true, busy = true;
    ASSERT_TRUE(gmmu_rings_read_one(&out, got, &last, &there));
    EXPECT_FALSE(there);
    EXPECT_FALSE(gmmu_ring_irq(&device.ring));
    std::deque<Beat> sent = sends(1, gmmu_xfer_layout_of(&device.cfg).bits, 20), posted;
    device.stream[1][0].second = false;
    device.steps(3);
    EXPECT_TRUE(gmmu_ring_irq(&device.ring));  // a beat waits
    for (unsigned i = 0; i < 20; i++) {
        ASSERT_TRUE(gmmu_rings_read_one(&out, got, &last, &there));
        ASSERT_TRUE(there);
        EXPECT_EQ(last, i != 0);
        ASSERT_EQ(Beat(got, got + 16), sent[i]);
    }
    ASSERT_TRUE(gmmu_rings_read_one(&out, got, &last, &there));
    EXPECT_FALSE(there);
    unsigned waits = 0;
    while (posted.size() < 50) {
        const Beat b = beat(gmmu_drv_layout_of(&device.cfg).bits);
        ASSERT_TRUE(gmmu_rings_write_one(&in, b.data(), &busy));
        waits += busy;
        if (!busy)
            posted.push_back(b);
    }
    device.steps(100);
    EXPECT_GT(waits, 0u);
    EXPECT_EQ(device.operations[0], posted);
}

TEST_P(UnitRings, StopsAtAnErrorOfMemory) {
    gmmu_unit_ring r = ring(GMMU_RING_DECISION, 16, {.error = true});
    std::deque<Beat> sent = sends(0, 8, 3);
    device.fails = 2;
    device.steps(100);
    EXPECT_TRUE(gmmu_ring_irq(&device.ring));
    uint32_t channels, events, there, got[16];
    ASSERT_TRUE(gmmu_rings_asking(device.bus(), &channels));
    EXPECT_EQ(channels, 1u << GMMU_RING_DECISION);
    ASSERT_TRUE(gmmu_rings_events(&r, &events));
    EXPECT_EQ(events, static_cast<uint32_t>(GMMU_RING_STATUS_HIGH_ERROR));
    ASSERT_TRUE(gmmu_rings_look(&r, &there));
    EXPECT_EQ(there, 1u);  // of three
    EXPECT_FALSE(gmmu_rings_enable(&r));
    ASSERT_TRUE(gmmu_rings_reset(&r, MOST));
    ASSERT_TRUE(gmmu_rings_memory(&r, device.memory, Device::BASE, 16));
    ASSERT_TRUE(gmmu_rings_enable(&r));
    sent = sends(0, 8, 1);
    device.steps(100);
    ASSERT_TRUE(gmmu_rings_poll(&r, got, nullptr));
    EXPECT_EQ(got[0], sent[0][0]);
}

TEST_P(UnitRings, InterruptsByWatermarkAndTime) {
    gmmu_unit_ring r = ring(GMMU_RING_DECISION, 16, {.watermark = 4, .wait = 8});
    (void)sends(0, 8, 3);
    device.steps(100);
    EXPECT_FALSE(gmmu_ring_irq(&device.ring));
    device.steps(256);
    EXPECT_TRUE(gmmu_ring_irq(&device.ring));
    uint32_t events, got[16];
    ASSERT_TRUE(gmmu_rings_look(&r, nullptr));
    while (gmmu_rings_take(&r, got, nullptr)) {
    }
    ASSERT_TRUE(gmmu_rings_give_back(&r));
    ASSERT_TRUE(gmmu_rings_events(&r, &events));
    EXPECT_EQ(events, static_cast<uint32_t>(GMMU_RING_STATUS_HIGH_TIME_INT));
    device.steps(2);
    EXPECT_FALSE(gmmu_ring_irq(&device.ring));
    (void)sends(0, 8, 4);
    device.steps(60);
    EXPECT_TRUE(gmmu_ring_irq(&device.ring));
    ASSERT_TRUE(gmmu_rings_events(&r, &events));
    EXPECT_EQ(events, static_cast<uint32_t>(GMMU_RING_STATUS_HIGH_LEVEL_INT));
}

// A channel keeps its entries while it is disabled.
TEST_P(UnitRings, DisablesAndEnables) {
    gmmu_unit_ring r = ring(GMMU_RING_DECISION, 8);
    std::deque<Beat> sent = sends(0, 8, 20);
    device.steps(10);
    uint32_t got[16];
    ASSERT_TRUE(gmmu_rings_disable(&r, MOST));
    const size_t left = device.stream[0].size();
    device.steps(50);
    EXPECT_EQ(device.stream[0].size(), left);
    EXPECT_TRUE(gmmu_ring_rests(&device.ring));
    ASSERT_TRUE(gmmu_rings_enable(&r));
    for (unsigned i = 0; i < 1000 && !sent.empty(); i++) {
        ASSERT_TRUE(gmmu_rings_look(&r, nullptr));
        for (; gmmu_rings_take(&r, got, nullptr); sent.pop_front())
            ASSERT_EQ(got[0], sent.front()[0]);
        ASSERT_TRUE(gmmu_rings_give_back(&r));
    }
    EXPECT_TRUE(sent.empty());
}

TEST_P(UnitRings, SaysWhatIsNotThere) {
    gmmu_unit_ring r;
    EXPECT_FALSE(gmmu_rings_open(&r, device.bus(), GMMU_RING_CHANNELS, MOST));
    device.bus_fails = true;
    EXPECT_FALSE(gmmu_rings_open(&r, device.bus(), 0, MOST));
    device.bus_fails = false;
    device.cfg.ranges = 0;
    gmmu_ring_init(&device.ring, &device.cfg, 48, 64, 8, 8);
    EXPECT_FALSE(gmmu_rings_open(&r, device.bus(), GMMU_RING_XFER, MOST));
    r = ring(GMMU_RING_DECISION, 4);
    (void)sends(0, 8, 2);
    device.steps(50);
    uint32_t got[16], n;
    bool full, last, there;
    ASSERT_TRUE(gmmu_rings_look(&r, nullptr));
    ASSERT_TRUE(gmmu_rings_take(&r, got, nullptr));
    gmmu_unit_ring in = ring(GMMU_RING_DRV, 2);
    ASSERT_TRUE(gmmu_rings_post(&in, got, &full));
    device.bus_fails = true;
    EXPECT_FALSE(gmmu_rings_look(&r, &n));
    EXPECT_FALSE(gmmu_rings_give_back(&r));
    EXPECT_FALSE(gmmu_rings_events(&r, &n));
    EXPECT_FALSE(gmmu_rings_disable(&r, MOST));
    EXPECT_FALSE(gmmu_rings_post(&in, got, &full));
    EXPECT_FALSE(gmmu_rings_ring(&in));
    EXPECT_FALSE(gmmu_rings_read_one(&r, got, &last, &there));
    EXPECT_FALSE(gmmu_rings_write_one(&in, got, &full));
    device.bus_fails = false;
    EXPECT_TRUE(gmmu_rings_give_back(&r));
    EXPECT_TRUE(gmmu_rings_ring(&in));
}

// Whichever access to the bus fails: the function that made it says so.
TEST_P(UnitRings, SaysThatTheBusFailed) {
    unsigned last = 0;
    for (unsigned n = 1; last == 0; n++) {
        gmmu_ring_init(&device.ring, &device.cfg, 48, 64, 8, 8);
        for (auto &stream : device.stream) stream.clear();
        device.accesses = 0;
        device.fails_at = n;
        gmmu_unit_ring out, in, window;
        const gmmu_unit_interrupts when = {4, 8, true, true};
        uint32_t got[16] = {}, events, dropped, channels;
        bool full, tlast, there = false, busy;
        bool good = gmmu_rings_open(&out, device.bus(), GMMU_RING_DECISION, MOST) &&
                    gmmu_rings_memory(&out, device.memory, Device::BASE, 8) &&
                    gmmu_rings_interrupts(&out, &when) && gmmu_rings_enable(&out) &&
                    gmmu_rings_open(&in, device.bus(), GMMU_RING_DRV, MOST) &&
                    gmmu_rings_memory(&in, device.memory + 0x800, Device::BASE + 0x800, 2) &&
                    gmmu_rings_enable(&in);
        if (good)
            for (const Beat &b : sends(0, 8, 4)) (void)b;
        device.steps(100);
        good = good && gmmu_rings_look(&out, nullptr) && gmmu_rings_take(&out, got, nullptr) &&
               gmmu_rings_give_back(&out) && gmmu_rings_events(&out, &events) &&
               gmmu_rings_dropped(&out, &dropped) && gmmu_rings_asking(device.bus(), &channels) &&
               gmmu_rings_post(&in, got, &full) && gmmu_rings_ring(&in) &&
               gmmu_rings_post(&in, got, &full) && gmmu_rings_poll(&out, got, nullptr) &&
               gmmu_rings_give_back(&out) && gmmu_rings_disable(&out, MOST) &&
               gmmu_rings_reset(&out, MOST) && gmmu_rings_reset(&in, MOST) &&
               gmmu_rings_window(&in) && gmmu_rings_enable(&in) &&
               gmmu_rings_write_one(&in, got, &busy) &&
               gmmu_rings_open(&window, device.bus(), GMMU_RING_XFER, MOST) &&
               gmmu_rings_window(&window) && gmmu_rings_enable(&window);
        if (good)
            device.stream[1].push_back({beat(40), true});
        good = good && gmmu_rings_read_one(&window, got, &tlast, &there);
        ASSERT_EQ(good, device.accesses < n) << n;
        EXPECT_TRUE(!good || there);
        last = good ? n : 0;
    }
    EXPECT_GT(last, 60u);
}

// A channel whose work does not end is not waited for without end.
TEST_P(UnitRings, WaitsForSoLongAlone) {
    gmmu_unit_ring r = ring(GMMU_RING_DECISION, 8);
    (void)sends(0, 8, 1);
    device.answers = false;
    device.steps(10);
    EXPECT_FALSE(gmmu_rings_disable(&r, 20));
    EXPECT_FALSE(gmmu_rings_disable(&r, 20));
    EXPECT_FALSE(gmmu_rings_reset(&r, 20));
    device.answers = true;
    EXPECT_TRUE(gmmu_rings_reset(&r, MOST));
}

INSTANTIATE_TEST_SUITE_P(Sizes, UnitRings, testing::Values("tiny", "default"));

}  // namespace
