// SPDX-License-Identifier: Apache-2.0
// frame_memory.h: the memory behind the frame table's port (docs/reference/blocks/frame_mem.md).
//
// Answers after a random time, is ready at random, shows noise when nothing is valid. Watches the
// port's rules: what is offered stands until it is taken; no word is read and written at a time.
#pragma once
#include <cstdint>
#include <deque>
#include <string>
#include <type_traits>
#include <vector>

#include "verilated.h"

struct MemoryStyle {
    unsigned latency = 200;  // a read or write takes 1 to 1 + latency cycles, or more behind others
    unsigned ready = 500;    // permille of the cycles in which a request is taken
    unsigned spread = 1000;  // permille of the requests that draw a time; the others take all of it
    unsigned quick = 0;  // permille of the requests that take 1 to 5 cycles, but for those before
};

template <typename Dut>
class FrameMemory {
   public:
    MemoryStyle style;
    std::string broken;                           // the first rule that was
    uint64_t reads = 0, writes = 0, refused = 0;  // refused: cycles in which a request had to wait

    FrameMemory(std::size_t words, uint32_t seed) : word_(words), state_(seed * 2654435761u + 1) {
        for (Word &w : word_) noise(w);
    }
    // What stands at the unit's inputs in the coming cycle.
    void drive(Dut &d) {
        now_++;
        d.m_frame_ar_ready = chance(style.ready);
        d.m_frame_w_ready = chance(style.ready);
        d.m_frame_r_valid = !reads_.empty() && reads_.front().due <= now_;
        d.m_frame_b_valid = !writes_.empty() && writes_.front().due <= now_;
        if (d.m_frame_r_valid)
            d.m_frame_r_data = word_[reads_.front().at];
        else
            noise(d.m_frame_r_data);
    }
    // What the unit asks for in this cycle; its outputs are settled.
    void take(const Dut &d) {
        if (d.m_frame_r_valid)
            reads_.pop_front();
        if (d.m_frame_b_valid) {
            word_[writes_.front().at] = writes_.front().data;
            writes_.pop_front();
        }
        check(!ar_waits_ || (d.m_frame_ar_valid && d.m_frame_ar_addr == ar_),
              "a read was taken back");
        check(!w_waits_ || (d.m_frame_w_valid && d.m_frame_w_addr == w_), "a write was taken back");
        ar_waits_ = d.m_frame_ar_valid && !d.m_frame_ar_ready;
        w_waits_ = d.m_frame_w_valid && !d.m_frame_w_ready;
        refused += ar_waits_ || w_waits_;
        ar_ = d.m_frame_ar_addr;
        w_ = d.m_frame_w_addr;
        if (d.m_frame_ar_valid && d.m_frame_ar_ready &&
            check(ar_ < word_.size(), "a read beyond the frames")) {
            for (const Request &w : writes_) check(w.at != ar_, "a read while the word is written");
            reads_.push_back({now_ + 1 + time(), ar_, {}});
            reads++;
        }
        if (d.m_frame_w_valid && d.m_frame_w_ready &&
            check(w_ < word_.size(), "a write beyond the frames")) {
            for (const Request &r : reads_) check(r.at != w_, "a write while the word is read");
            writes_.push_back({now_ + 1 + time(), w_, d.m_frame_w_data});
            writes++;
        }
    }
    void forget() {  // the unit was reset
        reads_.clear();
        writes_.clear();
        ar_waits_ = w_waits_ = false;
    }

   private:
    using Word =
        std::remove_cv_t<std::remove_reference_t<decltype(std::declval<Dut &>().m_frame_r_data)>>;
    struct Request {
        uint64_t due;
        uint32_t at;
        Word data;
    };
    std::vector<Word> word_;
    std::deque<Request> reads_, writes_;
    uint64_t now_ = 0;
    uint32_t ar_ = 0, w_ = 0;
    bool ar_waits_ = false, w_waits_ = false;
    uint64_t state_;

    uint32_t random() {
        state_ = state_ * 6364136223846793005ull + 1442695040888963407ull;
        return static_cast<uint32_t>(state_ >> 33);
    }
    bool chance(unsigned permille) {
        return permille >= 1000 || (permille != 0 && random() % 1000 < permille);
    }
    unsigned time() {
        if (chance(style.quick))
            return random() % 5 % (style.latency + 1);
        return chance(style.spread) ? random() % (style.latency + 1) : style.latency;
    }
    template <typename T>
    void noise(T &w) {
        w = static_cast<T>(static_cast<uint64_t>(random()) << 32 | random());
    }
    template <std::size_t N>
    void noise(VlWide<N> &w) {
        for (std::size_t i = 0; i < N; i++) w[i] = random();
    }
    bool check(bool good, const char *rule) {
        if (!good && broken.empty())
            broken = rule;
        return good;
    }
};
