// SPDX-License-Identifier: Apache-2.0
// depth_log.h: how many are in a queue, over time, and how long each stays.
//
// The depth comes from the times of entering and leaving, put in order; the stays are summed beside
// it. Little's law, depth = rate * stay, holds between the two, or a time was told wrongly.
#pragma once
#include <cstdint>
#include <deque>
#include <systemc>
#include <vector>

class DepthLog {
   public:
    enum { BUCKETS = 256 };

    // Someone comes at AT. Nothing will be told of times before BEFORE any more.
    void enter(const sc_core::sc_time &at, const sc_core::sc_time &before) {
        settle(before.value());
        put(&in_, at.value());
        entered_++;
    }
    // Someone who came at SINCE goes at AT.
    void leave(const sc_core::sc_time &at, const sc_core::sc_time &since) {
        put(&out_, at.value());
        stays_ += at.value() - since.value();
    }
    // The run ends at AT.
    void finish(const sc_core::sc_time &at) { settle(at.value() + 1); }

    uint64_t entered() const { return entered_; }
    uint64_t most() const { return most_; }
    uint64_t now() const { return entered_ - left_ - in_.size(); }
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
    std::deque<uint64_t> in_, out_;  // sorted, not yet gone by
    std::vector<unsigned __int128> bucket_;
    uint64_t width_ = 1000000;  // of a bucket
    uint64_t at_ = 0, depth_ = 0, most_ = 0, entered_ = 0, left_ = 0;
    unsigned __int128 area_ = 0, stays_ = 0;

    static void put(std::deque<uint64_t> *q, uint64_t at) {
        auto i = q->end();
        while (i != q->begin() && *(i - 1) > at) --i;
        q->insert(i, at);
    }
    // All that happened before BEFORE.
    void settle(uint64_t before) {
        for (;;) {
            const bool out = !out_.empty() && (in_.empty() || out_.front() <= in_.front());
            std::deque<uint64_t> *q = out ? &out_ : &in_;
            // of one time, who stays no time at all comes before it goes
            if (out && depth_ == 0 && !in_.empty())
                q = &in_;
            if (q->empty() || q->front() >= before)
                return;
            move_to(q->front());
            q->pop_front();
            if (q == &out_) {
                depth_--;
                left_++;
            } else if (++depth_ > most_) {
                most_ = depth_;
            }
        }
    }
    void move_to(uint64_t at) {
        area_ += static_cast<unsigned __int128>(at - at_) * depth_;
        while (at_ < at) {
            while (at_ / width_ >= BUCKETS) fold();
            const uint64_t i = at_ / width_, end = (i + 1) * width_, to = end < at ? end : at;
            if (i >= bucket_.size())
                bucket_.resize(i + 1, 0);
            bucket_[i] += static_cast<unsigned __int128>(to - at_) * depth_;
            at_ = to;
        }
    }
    // Buckets of twice the width.
    void fold() {
        for (size_t i = 0; i < bucket_.size(); i += 2)
            bucket_[i / 2] = bucket_[i] + (i + 1 < bucket_.size() ? bucket_[i + 1] : 0);
        bucket_.resize((bucket_.size() + 1) / 2);
        width_ *= 2;
    }
};
