// SPDX-License-Identifier: Apache-2.0
// depth_log.h: how many are in a queue, over time, and how long each stays.
//
// The depth comes from the times of entering and leaving, put in order; the stays are summed beside
// it. Little's law, depth = rate * stay, holds between the two, or a time was told wrongly.
#pragma once
#include <algorithm>
#include <cstdint>
#include <systemc>
#include <vector>

class DepthLog {
   public:
    enum { BUCKETS = 256 };

    // Someone comes at AT. Nothing will be told of times before BEFORE any more.
    void enter(const sc_core::sc_time &at, const sc_core::sc_time &before) {
        if (in_.size() >= MOST_WAIT)
            settle(before.value());
        in_.put(at.value());
        entered_++;
    }
    // Someone who came at SINCE goes at AT.
    void leave(const sc_core::sc_time &at, const sc_core::sc_time &since) {
        out_.put(at.value());
        stays_ += at.value() - since.value();
    }
    // The run ends at AT.
    void finish(const sc_core::sc_time &at) {
        settle(at.value() + 1);
        if (at_ > bucket_.size() * width_)
            bucket_.push_back(part_);
        for (const unsigned __int128 a : bucket_) area_ += a;
    }

    uint64_t entered() const { return entered_; }
    uint64_t most() const { return most_; }
    double mean_stay_ps() const { return entered_ == 0 ? 0 : double(stays_) / double(entered_); }
    double mean_depth(const sc_core::sc_time &run) const {
        return run.value() == 0 ? 0 : double(area_) / double(run.value());
    }
    // |depth - rate * stay| / depth.
    double little_error(const sc_core::sc_time &run) const {
        const double depth = mean_depth(run);
        const double rate = run.value() == 0 ? 0 : double(entered_) / double(run.value());
        const double other = rate * mean_stay_ps();
        return depth == 0 ? other : (depth > other ? depth - other : other - depth) / depth;
    }
    // Mean depth in each of the last run's equal parts, and how long a part is.
    std::vector<double> series(sc_core::sc_time *part) const {
        std::vector<double> means;
        for (const unsigned __int128 a : bucket_) means.push_back(double(a) / double(width_));
        *part = sc_core::sc_time::from_value(width_);
        return means;
    }

   private:
    enum : uint64_t { NEVER = UINT64_MAX };
    enum { MOST_WAIT = 64 };  // times are put in order so many at once
    // Times in their order, NEVER behind them. Those that come are mostly the last ones.
    class Times {
       public:
        size_t size() const { return end_ - first_; }
        const uint64_t *front() const { return &all_[first_]; }
        // Those before REST are gone.
        void gone(const uint64_t *rest) {
            first_ = static_cast<size_t>(rest - all_.data());
            if (first_ <= all_.size() / 2)
                return;
            std::copy(rest, rest + size() + 1, all_.data());
            end_ -= first_;
            first_ = 0;
        }
        void put(uint64_t at) {
            if (end_ + 1 == all_.size())
                all_.resize(all_.size() * 2);
            uint64_t *to = &all_[end_++];
            to[1] = NEVER;
            for (; to != &all_[first_] && to[-1] > at; to--) *to = to[-1];
            *to = at;
        }

       private:
        std::vector<uint64_t> all_ = std::vector<uint64_t>(1024, NEVER);
        size_t first_ = 0, end_ = 0;  // those that are there
    };
    Times in_, out_;                         // not yet gone by
    std::vector<unsigned __int128> bucket_;  // those that are full, and in the end the last one
    uint64_t width_ = 1000000;               // of a bucket
    uint64_t end_ = width_;                  // of the bucket that is not full
    uint64_t at_ = 0, depth_ = 0, most_ = 0, entered_ = 0;
    unsigned __int128 area_ = 0, stays_ = 0;
    unsigned __int128 part_ = 0;  // of the area, in the bucket that is not full

    // All that happened before BEFORE.
    void settle(uint64_t before) {
        const uint64_t *in = in_.front(), *out = out_.front();
        for (;;) {
            // of one time, who stays no time at all comes before it goes
            const bool goes = *out <= *in && (depth_ != 0 || *in == NEVER);
            const uint64_t at = goes ? *out : *in;
            if (at >= before)
                break;
            move_to(at);
            if (goes) {
                out++;
                depth_--;
            } else {
                in++;
                most_ = std::max(most_, ++depth_);
            }
        }
        in_.gone(in);
        out_.gone(out);
    }
    void move_to(uint64_t at) {
        while (at > end_) {
            part_ += static_cast<unsigned __int128>(end_ - at_) * depth_;
            at_ = end_;
            bucket_.push_back(part_);
            part_ = 0;
            if (bucket_.size() == BUCKETS)
                fold();
            end_ = (bucket_.size() + 1) * width_;
        }
        part_ += static_cast<unsigned __int128>(at - at_) * depth_;
        at_ = at;
    }
    // Buckets of twice the width.
    void fold() {
        for (size_t i = 0; i < BUCKETS; i += 2) bucket_[i / 2] = bucket_[i] + bucket_[i + 1];
        bucket_.resize(BUCKETS / 2);
        width_ *= 2;
    }
};
