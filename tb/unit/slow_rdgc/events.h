// SPDX-License-Identifier: Apache-2.0
// events.h: what a cache does in a step, and its counts.
#ifndef GMMU_TB_SLOW_RDGC_EVENTS_H
#define GMMU_TB_SLOW_RDGC_EVENTS_H

#include <cstdint>
#include <sstream>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

namespace slow_rdgc {

struct Place {
    uint64_t partition, bank, set, mshr_set;
    bool operator==(const Place &o) const {
        return std::tie(partition, bank, set, mshr_set) ==
               std::tie(o.partition, o.bank, o.set, o.mshr_set);
    }
};

// A coalesced access.
struct Access {
    uint64_t block;
    uint64_t warp;
    bool write;
};

enum class Status : uint8_t { kHit, kMiss, kMerged, kFailed, kPassed };

inline const char *status_name(Status s) {
    static const char *const names[] = {"hit", "miss", "merged", "failed", "passed"};
    return names[static_cast<size_t>(s)];
}

// What a watcher sees, in its order.
struct Event {
    enum class Kind : uint8_t { kUpdate, kAccess, kStep } kind;
    uint64_t step = 0;
    uint64_t block = 0;  // update, access
    uint32_t place = 0, partition = 0, bank = 0, port = 0, set = 0, rd = 0;
    uint32_t warp = 0;
    Status status = Status::kHit;
    bool write = false;
    uint32_t free_mshrs = 0;  // step

    static Event update(uint64_t step, uint64_t block) {
        return {.kind = Kind::kUpdate, .step = step, .block = block};
    }
    static Event end(uint64_t step, uint64_t free_mshrs) {
        return {.kind = Kind::kStep, .step = step, .free_mshrs = small(free_mshrs)};
    }
    static Event access(uint64_t step, const Access &a, uint64_t place, const Place &p,
                        uint64_t port, uint64_t rd, Status status) {
        return {.kind = Kind::kAccess,
                .step = step,
                .block = a.block,
                .place = small(place),
                .partition = small(p.partition),
                .bank = small(p.bank),
                .port = small(port),
                .set = small(p.set),
                .rd = small(rd),
                .warp = small(a.warp),
                .status = status,
                .write = a.write};
    }
    static uint32_t small(uint64_t n) {
        if (n > UINT32_MAX) {
            throw std::logic_error("an event's number is larger than 32 bits");
        }
        return static_cast<uint32_t>(n);
    }
    bool operator==(const Event &o) const {
        return std::tie(kind, step, block, place, partition, bank, port, set, rd, status, warp,
                        write, free_mshrs) == std::tie(o.kind, o.step, o.block, o.place,
                                                       o.partition, o.bank, o.port, o.set, o.rd,
                                                       o.status, o.warp, o.write, o.free_mshrs);
    }
    std::string text() const {
        std::ostringstream out;
        out << "step " << step;
        if (kind == Kind::kUpdate) {
            out << " update block " << block;
        } else if (kind == Kind::kStep) {
            out << " ends, " << free_mshrs << " MSHRs free";
        } else {
            out << " access place " << place << " warp " << warp << (write ? " write " : " read ")
                << block << " partition " << partition << " bank " << bank << " port " << port
                << " set " << set << " " << status_name(status) << " rd " << rd;
        }
        return out.str();
    }
};

struct Counts {
    std::vector<uint64_t> r, w;  // [K + 1]
    uint64_t merges = 0, rf = 0, steps = 0;
    uint64_t fills = 0, evictions = 0, write_evictions = 0, bypassed = 0;

    explicit Counts(uint64_t ways) : r(ways + 1), w(ways + 1) {}
    void add(const Counts &o) {
        for (size_t i = 0; i < r.size(); i++) {
            r[i] += o.r[i];
            w[i] += o.w[i];
        }
        merges += o.merges;
        rf += o.rf;
        steps += o.steps;
        fills += o.fills;
        evictions += o.evictions;
        write_evictions += o.write_evictions;
        bypassed += o.bypassed;
    }
    std::string text() const {
        std::ostringstream out;
        out << "r";
        for (uint64_t n : r) {
            out << " " << n;
        }
        out << " w";
        for (uint64_t n : w) {
            out << " " << n;
        }
        out << " merges " << merges << " rf " << rf << " steps " << steps << " fills " << fills
            << " evictions " << evictions << " write_evictions " << write_evictions << " bypassed "
            << bypassed;
        return out.str();
    }
};

}  // namespace slow_rdgc

#endif
