// SPDX-License-Identifier: Apache-2.0
// ring_device.h: gmmu_tier_ring in RTL with a memory behind m_axi_: what a driver in software has
// is a bus to registers, the memory, and an interrupt; what the walkers have is a stream of walks.
#pragma once
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "driver/unit_bus.h"

class Vring;

class RingDevice {
   public:
    // BYTES of memory, a multiple of 64, that is WAY cycles from the unit and as many back.
    RingDevice(size_t bytes, unsigned way);
    ~RingDevice();

    void reset();
    void cycle();
    uint64_t cycles() const { return cycles_; }
    bool irq() const;
    bool quiet() const;  // of the unit and of its rings
    // Offers a walk until the unit takes it.
    void walk(const uint32_t *beat);
    const gmmu_bus *bus() const { return &bus_; }
    uint8_t *memory() { return memory_.get(); }
    // Where the unit sees the memory.
    uint64_t address() const;

   private:
    struct Freed {
        void operator()(uint8_t *p) const;
    };
    struct Burst {
        uint64_t address;  // in MEMORY
        unsigned beats;
        bool good;     // all of it lies in memory
        uint64_t due;  // the cycle in which it is at the memory; of a write, when all beats came
    };
    struct Answer {
        uint64_t due;
        bool good, last;
        std::vector<uint8_t> data;  // of a read's beat
    };
    std::unique_ptr<Vring> rtl_;
    gmmu_bus bus_ = {};
    size_t bytes_;
    std::unique_ptr<uint8_t, Freed> memory_;
    unsigned way_;
    uint64_t cycles_ = 0;
    std::deque<Burst> writes_, reads_;  // on their way
    std::vector<uint8_t> came_;         // beats of the oldest write that is not whole
    size_t whole_ = 0;                  // of writes_: their beats have come
    std::deque<std::vector<uint8_t>> contents_;
    std::deque<Answer> written_, read_;  // on their way back
    // of the last cycle: what the unit and the bus had accepted or offered
    struct {
        bool walk_ready, aw_ready, w_ready, ar_ready, b_valid, r_valid, b_good, r_good;
        uint32_t r_data;
    } seen_ = {};

    bool access(bool write, uint32_t address, uint32_t *data);
    Burst burst(uint64_t address, unsigned len, unsigned size, unsigned kind);
    void offer_answers();
    void take_beats();
    void move_memory();
};
