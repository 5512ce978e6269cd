// SPDX-License-Identifier: Apache-2.0
// beats.h: a stream of packets that leaves the unit, beat by beat: a head, then its records, the
// last one with tlast.
#pragma once
#include <algorithm>
#include <cstdint>
#include <deque>
#include <functional>
#include <string>

#include "bits.h"
#include "lockstep/pair.h"

namespace lockstep {

template <unsigned WORDS>
class Beats {
   public:
    struct Beat {
        uint32_t words[WORDS];
        bool last;
    };
    // beats, as they are taken: (words, tlast); in how many of 1000 cycles they may be
    std::function<void(const uint32_t *, bool)> on_beat;
    unsigned ready = 1000;
    uint64_t records = 0, packets = 0;  // taken
    std::deque<Beat> expected;

    explicit Beats(const char *block_name) : block(block_name) {}
    bool draw(uint32_t random) const { return random % 1000 < ready; }

    // The beat on TDATA, so many BITS, is taken; with P.compare it must be the one expected.
    template <typename Port>
    void take(Pair &p, const Port &tdata, unsigned bits, bool last) {
        uint32_t words[WORDS] = {};
        for (unsigned i = 0; i < bits; i += 32)
            words[i / 32] = static_cast<uint32_t>(get_bits(tdata, {i, std::min(32u, bits - i)}));
        (in_packet ? records : packets)++;
        in_packet = !last;
        if (on_beat)
            on_beat(words, last);
        if (!p.compare || !p.expect(block, "a beat that is not due", expected.empty(), 0))
            return;
        const Beat &b = expected.front();
        for (unsigned i = 0; i < WORDS; i++)
            if (words[i] != b.words[i])
                p.expect(block, ("word " + std::to_string(i) + " of a beat").c_str(), words[i],
                         b.words[i]);
        p.expect(block, "tlast", last, b.last);
        expected.pop_front();
    }

   private:
    const char *block;
    bool in_packet = false;
};

}  // namespace lockstep
