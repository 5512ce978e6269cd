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
        if (in_.are_many())
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
        part_ -= (end_ - at_) * depth_;
        if (at_ > bucket_.size() * width_)
            bucket_.push_back(part_);
        for (const uint64_t a : bucket_) area_ += a;
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
        for (const uint64_t a : bucket_) means.push_back(double(a) / double(width_));
        *part = sc_core::sc_time::from_value(width_);
        return means;
    }

   private:
    enum : uint64_t { NEVER = UINT64_MAX };
    enum { MOST_WAIT = 64 };  // times are put in order so many at once
    // Times in their order. Those that come are mostly the last ones.
    class Times {
       public:
        Times() { make_room(2 * MOST_WAIT); }
        Times(const Times &) = delete;
        Times &operator=(const Times &) = delete;
        bool are_many() const { return end_ >= many_; }
        // The first, with NEVER behind the last.
        const uint64_t *closed() const {
            *end_ = NEVER;
            return &all_[1];
        }
        // Those before REST are gone.
        void gone(const uint64_t *rest) {
            end_ = std::copy(rest, static_cast<const uint64_t *>(end_), &all_[1]);
        }
        void put(uint64_t at) {
            if (end_ == room_)
                make_room(2 * all_.size());
            uint64_t *to = end_++;
            for (; to[-1] > at; to--) *to = to[-1];
            *to = at;
        }

       private:
        std::vector<uint64_t> all_;  // 0, which no time is before, those that are there, and room
        uint64_t *end_ = nullptr, *many_ = nullptr, *room_ = nullptr;

        void make_room(size_t room) {
            const size_t end = all_.empty() ? 1 : static_cast<size_t>(end_ - all_.data());
            all_.resize(room);
            end_ = &all_[end];
            many_ = &all_[1 + MOST_WAIT];
            room_ = &all_.back();
        }
    };
    Times in_, out_;                // not yet gone by
    std::vector<uint64_t> bucket_;  // those that are full, and in the end the last one
    uint64_t width_ = 1000000;      // of a bucket
    uint64_t end_ = width_;         // of the bucket that is not full
    uint64_t at_ = 0, depth_ = 0, most_ = 0, entered_ = 0;
    uint64_t area_ = 0, stays_ = 0;
    uint64_t part_ = 0;  // of the area, in the bucket that is not full: to the bucket's end

    // All that happened before BEFORE.
    void settle(uint64_t before) {
        const uint64_t *in = in_.closed(), *out = out_.closed();
        for (uint64_t at = 0; at < before;) {
            const uint64_t end = end_, until = std::min(before, end + 1);
            uint64_t depth = depth_, part = part_, most = most_, last = at_;
            for (;; last = at) {
                // of one time, who stays no time at all comes before it goes
                if (*out <= *in && (depth != 0 || *in == NEVER)) {
                    at = *out;
                    if (at >= until)
                        break;
                    out++;
                    depth--;
                    part -= end - at;
                } else {
                    at = *in;
                    if (at >= until)
                        break;
                    in++;
                    depth++;
                    most = std::max(most, depth);
                    part += end - at;
                }
            }
            depth_ = depth;
            part_ = part;
            most_ = most;
            at_ = last;
            if (at < before)
                next_bucket();
        }
        in_.gone(in);
        out_.gone(out);
    }
    void next_bucket() {
        bucket_.push_back(part_);
        if (bucket_.size() == BUCKETS)
            fold();
        end_ = (bucket_.size() + 1) * width_;
        part_ = width_ * depth_;
    }
    // Buckets of twice the width.
    void fold() {
        for (size_t i = 0; i < BUCKETS; i += 2) bucket_[i / 2] = bucket_[i] + bucket_[i + 1];
        bucket_.resize(BUCKETS / 2);
        width_ *= 2;
    }
};
