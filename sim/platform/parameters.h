// SPDX-License-Identifier: Apache-2.0
// parameters.h: the numbers of the platform, from config/platform.json and --set.
#pragma once
#include <cstdint>
#include <string>
#include <systemc>
#include <vector>

#include "host/bad.h"  // thrown for input that cannot be used: one line, exit status 2

// Bytes a second, and how long so many bytes take, rounded up to a picosecond.
struct Rate {
    uint64_t bytes_per_s = 1;
    sc_core::sc_time of(uint64_t bytes) const {
        const unsigned __int128 ps = static_cast<unsigned __int128>(bytes) * 1000000000000u;
        return sc_core::sc_time::from_value(
            static_cast<uint64_t>((ps + bytes_per_s - 1) / bytes_per_s));
    }
};

struct Parameters {
    enum { BATCH, PAGE, BLOCK, ONCE };
    enum { DECIDED, ARRIVAL };
    enum { TREE, ALONE };
    enum { COPIED, DROPPED };
    struct {
        uint32_t warps;
        sc_core::sc_time think;
        uint32_t sms, frames_per_warp, window;
    } gpu;
    struct {
        uint32_t count;
        sc_core::sc_time latency;
    } walkers;
    struct {
        sc_core::sc_time decision, clock;
        uint32_t measured;
        uint32_t memory;        // rtl-ring: cycles of the way to memory, and of the way back
        uint32_t fresh, ahead;  // cfg_fresh, cfg_ahead
    } unit;
    struct {
        sc_core::sc_time fault, block, page, prefetched;
        uint32_t batch;
        uint32_t replay;    // when warps go on: BATCH, PAGE...
        uint32_t pin;       // a page on its way may not leave
        uint32_t fair;      // of a hundred SMs, those whose pages are pinned
        uint64_t grain;     // bytes of a chunk; 0: pages
        uint64_t big;       // bytes that a first touch brings
        uint32_t prefetch;  // TREE, ALONE
        uint32_t clean;     // of chunks that leave: COPIED, DROPPED
    } driver;
    struct {
        Rate bandwidth;
        sc_core::sc_time latency;
    } link, host;
    struct {
        uint32_t commands;
        sc_core::sc_time latency;
        Rate read, write;
    } ssd;
    struct {
        sc_core::sc_time quantum, watchdog;
        uint32_t timeline;  // DECIDED, ARRIVAL
    } run;
};

// Reads PATH, then SETTINGS ("gpu.warps=8", "link.bandwidth=1 GB/s"). Throws Bad. The resolution of
// sc_time is a picosecond.
Parameters read_parameters(const std::string &path, const std::vector<std::string> &settings);
// The bytes of TEXT, "64 KiB" or "64K": a power of two. Throws Bad, which names WHAT.
uint64_t read_bytes(const std::string &what, const std::string &text);
