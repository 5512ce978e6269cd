// SPDX-License-Identifier: Apache-2.0
// serial.h: the other end of a Verilated board's serial line, a call a clock cycle, and what a bad
// line does to bytes.
#pragma once
#include <cstdint>
#include <deque>

// Bytes, 8N1, DIV cycles a bit.
class SerialEnd {
   public:
    std::deque<uint8_t> to_board, from_board;
    bool framing_error = false;  // a byte of the board had no start or no stop bit

    explicit SerialEnd(unsigned div) : div_(div) {}
    // The level of rxd in this cycle.
    bool drive() {
        if (out_left_ == 0 && out_bits_ == 0 && !to_board.empty()) {
            out_ = static_cast<uint16_t>(0x200 | to_board.front() << 1);
            to_board.pop_front();
            out_bits_ = 10;
        }
        if (out_left_ == 0 && out_bits_ != 0) {
            level_ = out_ & 1;
            out_ >>= 1;
            out_bits_--;
            out_left_ = div_;
        }
        out_left_ -= out_left_ != 0;
        return level_;
    }
    // The level of txd in this cycle, looked at in the middle of its bits.
    void sample(bool level) {
        if (in_bits_ == 0 && !level) {
            in_bits_ = 10;
            in_left_ = div_ / 2;
        } else if (in_bits_ != 0 && --in_left_ == 0) {
            in_ = static_cast<uint16_t>(in_ >> 1 | (level ? 0x200 : 0));
            in_left_ = div_;
            if (--in_bits_ == 0) {
                framing_error |= (in_ & 1) != 0 || (in_ >> 9 & 1) == 0;
                from_board.push_back(static_cast<uint8_t>(in_ >> 1));
            }
        }
    }
    bool sends() const { return !to_board.empty() || out_bits_ != 0 || out_left_ != 0; }
    bool receives() const { return in_bits_ != 0; }

   private:
    unsigned div_, out_bits_ = 0, out_left_ = 0, in_bits_ = 0, in_left_ = 0;
    uint16_t out_ = 0, in_ = 0;
    bool level_ = true;
};

// What a line does to bytes, each in so many of 10 000.
struct Damage {
    unsigned flip = 0, lose = 0, twice = 0, junk = 0;
    uint64_t done = 0;

    // RANDOM(n) is below n.
    template <typename Random>
    void pass(uint8_t byte, std::deque<uint8_t> *to, Random random) {
        const auto happens = [&](unsigned often) {
            const bool yes = often != 0 && random(10000) < often;
            done += yes;
            return yes;
        };
        if (happens(lose))
            return;
        if (happens(flip))
            byte ^= static_cast<uint8_t>(1u << random(8));
        if (happens(junk))
            to->push_back(static_cast<uint8_t>(random(256)));
        to->push_back(byte);
        if (happens(twice))
            to->push_back(byte);
    }
};
