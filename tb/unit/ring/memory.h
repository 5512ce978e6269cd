// SPDX-License-Identifier: Apache-2.0
// memory.h: memory behind the ring's AXI4: any delay, answers with errors now and then.
//
// A write is in memory at its answer, or some cycles before. A write or a beat that is answered
// with an error has no effect, or no data.
#ifndef GMMU_TB_RING_MEMORY_H
#define GMMU_TB_RING_MEMORY_H

#include <array>
#include <cstdint>
#include <deque>
#include <unordered_map>
#include <vector>

#include "bench.h"

// Permille of the cycles in which the memory is ready or answers, and of the answers that are bad.
struct Speed {
    unsigned aw = 1000, w = 1000, b = 1000, ar = 1000, r = 1000, bad = 0;
};

class RingMemory {
   public:
    using Data = std::array<uint8_t, 16>;
    // what the memory drives
    bool awready = false, wready = false, bvalid = false, arready = false, rvalid = false,
         rlast = false;
    unsigned bresp = 0, rresp = 0;
    Data rdata = {};
    const char *wrong = nullptr;  // what the manager did against the protocol
    uint64_t longest = 0;         // beats of a read burst

    RingMemory(unsigned beat_bytes, unsigned addr_w)
        : bytes_(beat_bytes), mask_(bench::mask(addr_w)) {}

    uint8_t byte(uint64_t address) const {
        address &= mask_;
        const auto found = words_.find(address / 16);
        if (found != words_.end())
            return found->second[address % 16];
        return static_cast<uint8_t>((address * 0x9E3779B97F4A7C15ull) >> 56);
    }
    void set(uint64_t address, uint8_t value) {
        address &= mask_;
        const auto found = words_.find(address / 16);
        if (found != words_.end()) {
            found->second[address % 16] = value;
            return;
        }
        Data d;
        for (unsigned i = 0; i < 16; i++) d[i] = byte((address & ~15ull) + i);
        d[address % 16] = value;
        words_[address / 16] = d;
    }
    // All that is under way is forgotten.
    void reset() {
        writes_.clear();
        beats_.clear();
        answers_.clear();
        left_ = 0;
    }
    void forget() { words_.clear(); }
    bool rests() const {
        return writes_.empty() && beats_.empty() && answers_.empty() && left_ == 0;
    }

    // Chooses what the memory drives in this cycle. STRAY: answers that nobody has asked for.
    void begin(bench::Random &rng, const Speed &s, bool stray) {
        awready = rng.chance(s.aw) && writes_.size() < 64;
        wready = rng.chance(s.w) && beats_.size() < 256;
        arready = rng.chance(s.ar);
        bvalid = !answers_.empty() && rng.chance(s.b);
        bresp = bvalid && answers_.front().bad ? 1 + static_cast<unsigned>(rng.below(3)) : 0;
        rvalid = left_ != 0 && rng.chance(s.r);
        rresp = 0;
        rlast = rvalid && left_ == 1;
        for (uint8_t &b : rdata) b = static_cast<uint8_t>(rng.next());
        if (rvalid && rng.chance(s.bad))
            rresp = 1 + static_cast<unsigned>(rng.below(3));
        else if (rvalid)
            for (unsigned i = 0; i < bytes_; i++) rdata[i] = byte(at_ + i);
        if (stray) {
            bvalid = rng.below(2) != 0;
            rvalid = rng.below(2) != 0;
            rlast = rng.below(2) != 0;
            bresp = static_cast<unsigned>(rng.below(4));
            rresp = static_cast<unsigned>(rng.below(4));
        }
        if (!bvalid)
            bresp = static_cast<unsigned>(rng.below(4));
        if (!rvalid) {
            rlast = rng.below(2) != 0;
            rresp = static_cast<unsigned>(rng.below(4));
        }
    }
    // The cycle's handshakes. Of an address not offered the rest is of no matter.
    void end(bench::Random &rng, const Speed &s, bool stray) {
        if (stray)
            return;
        if (bvalid) {
            commit(answers_.front());
            answers_.pop_front();
        }
        if (rvalid) {
            at_ += bytes_;
            left_--;
        }
        while (!writes_.empty() && beats_.size() >= writes_.front().beats) {
            Write w = writes_.front();
            writes_.pop_front();
            for (unsigned i = 0; i < w.beats; i++) {
                if (beats_.front().last != (i + 1 == w.beats))
                    wrong = "WLAST is not at the end of the burst";
                w.data.insert(w.data.end(), beats_.front().data.begin(),
                              beats_.front().data.begin() + bytes_);
                beats_.pop_front();
            }
            w.bad = rng.chance(s.bad);
            if (rng.below(2))
                commit(w);
            answers_.push_back(w);
        }
    }
    void write(uint64_t address, unsigned beats) {
        check(address, beats);
        writes_.push_back({.address = address, .beats = beats});
    }
    void write_beat(const Data &data, bool last) { beats_.push_back({data, last}); }
    void read(uint64_t address, unsigned beats) {
        check(address, beats);
        if (left_ != 0)
            wrong = "two read bursts are under way";
        at_ = address;
        left_ = beats;
        longest = beats > longest ? beats : longest;
    }

   private:
    struct Write {
        uint64_t address = 0;
        unsigned beats = 0;
        bool bad = false;
        std::vector<uint8_t> data = {};
    };
    struct Beat {
        Data data;
        bool last;
    };
    unsigned bytes_;
    uint64_t mask_;
    std::unordered_map<uint64_t, Data> words_;
    std::deque<Write> writes_;   // without all their beats
    std::deque<Beat> beats_;     // without their writes
    std::deque<Write> answers_;  // not yet answered
    uint64_t at_ = 0;            // of the read burst
    unsigned left_ = 0;

    void commit(const Write &w) {
        if (!w.bad)
            for (std::size_t i = 0; i < w.data.size(); i++) set(w.address + i, w.data[i]);
    }
    void check(uint64_t address, unsigned beats) {
        if (address % 4096 + uint64_t{beats} * bytes_ > 4096)
            wrong = "a burst crosses 4 KiB";
        if (address % bytes_ != 0 || address > mask_)
            wrong = "an address is not of a beat";
    }
};

#endif
