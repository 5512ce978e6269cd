// SPDX-License-Identifier: Apache-2.0
// readers.h: software at the other end of the rings, which knows nothing of the twin: it reads
// entries from memory, by TAIL or by the phase alone, and compares them with what the streams gave.
#ifndef GMMU_TB_RING_READERS_H
#define GMMU_TB_RING_READERS_H

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <deque>

#include "ring/memory.h"

struct RingBeat {
    std::array<uint32_t, 16> words = {};
    bool last = false;
};

// The reader of an out channel.
class RingReader {
   public:
    uint64_t entries = 0, skipped = 0;
    const char *wrong = nullptr;

    // BYTES of an entry, of which BITS are a beat; PACKETS may be dropped.
    void begin(unsigned bits, unsigned bytes, bool packets, bool has_last) {
        bits_ = bits;
        bytes_ = bytes;
        packets_ = packets;
        has_last_ = has_last;
    }
    // The ring begins at BASE with entry 0. CLEARED: its memory has the other phase, so that the
    // phase can be followed.
    void start(uint64_t base, uint32_t size, bool cleared) {
        const bool phase = phase_;
        stop();
        phase_ = phase;
        base_ = base;
        size_ = size;
        follows_ = true;
        cleared_ = cleared;
    }
    // What is not read is of no matter any more.
    void stop() {
        beats_.clear();
        parcels_.clear();
        follows_ = amid_ = assembling_ = cleared_ = false;
        tail_ = ahead_ = at_ = 0;
        phase_ = true;
    }
    // The ring has taken the beat.
    void gave(const RingBeat &beat) {
        if (!packets_) {
            if (follows_)
                beats_.push_back(beat);
            return;
        }
        if (!inside_)
            assembling_ = follows_;
        if (assembling_ && !inside_)
            parcels_.push_back({});
        if (assembling_)
            parcels_.back().push_back(beat);
        inside_ = !beat.last;
    }
    void forget_packet() { inside_ = false; }
    // TAIL is seen.
    void saw(const RingMemory &m, uint32_t tail) {
        if (!follows_)
            return;
        uint32_t more = tail >= tail_ ? tail - tail_ : tail + size_ - tail_;
        tail_ = tail;
        for (; more > 0 && wrong == nullptr; more--)
            if (ahead_ > 0)
                ahead_--;
            else
                read(m);
    }
    // Reads the next entry if its phase says that it is there.
    void poll(const RingMemory &m) {
        if (!follows_ || !cleared_ || wrong != nullptr || ahead_ + 1 >= size_)
            return;
        const bool there = (m.byte(place() + bytes_ - 1) >> 7 != 0) == phase_;
        if (!there)
            return;
        read(m);
        ahead_++;
    }
    std::size_t unread() const { return beats_.size(); }
    bool phase() const { return phase_; }

   private:
    unsigned bits_ = 0, bytes_ = 0;
    bool packets_ = false, has_last_ = false, follows_ = false, cleared_ = false;
    bool inside_ = false, assembling_ = false;  // of what the stream gives
    bool amid_ = false;                         // of what is read
    std::size_t next_ = 0;                      // beat of the front parcel
    uint64_t base_ = 0;
    uint32_t size_ = 2, tail_ = 0, ahead_ = 0, at_ = 0;
    bool phase_ = true;
    std::deque<RingBeat> beats_;
    std::deque<std::deque<RingBeat>> parcels_;

    uint64_t place() const { return base_ + uint64_t{at_} * bytes_; }
    bool same(const RingMemory &m, const RingBeat &beat) const {
        for (unsigned b = 0; b + 1 < bytes_; b++) {
            const unsigned want = b < bits_ / 8 ? beat.words[b / 4] >> 8 * (b % 4) & 0xFF : 0;
            if (m.byte(place() + b) != want)
                return false;
        }
        const unsigned last = beat.last || !has_last_ ? 1 : 0;
        return m.byte(place() + bytes_ - 1) == (last | (phase_ ? 0x80 : 0));
    }
    void read(const RingMemory &m) {
        entries++;
        if (!packets_) {
            if (beats_.empty() || !same(m, beats_.front()))
                wrong = "an entry is not the stream's next beat";
            else
                beats_.pop_front();
        } else {
            while (!amid_ && !parcels_.empty() && !same(m, parcels_.front().front())) {
                parcels_.pop_front();
                skipped++;
            }
            if (!amid_)
                next_ = 0;
            if (parcels_.empty() || next_ >= parcels_.front().size() ||
                !same(m, parcels_.front()[next_])) {
                wrong = "an entry is of no packet";
            } else {
                amid_ = !parcels_.front()[next_++].last;
                if (!amid_)
                    parcels_.pop_front();
            }
        }
        at_ = at_ + 1 == size_ ? 0 : at_ + 1;
        phase_ = at_ == 0 ? !phase_ : phase_;
    }
};

#endif
