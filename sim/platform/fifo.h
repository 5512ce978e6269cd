// SPDX-License-Identifier: Apache-2.0
// fifo.h: first in, first out, without an allocation for those that come and go.
#pragma once
#include <cstddef>
#include <vector>

template <typename T>
class Fifo {
   public:
    bool empty() const { return first_ == all_.size(); }
    size_t size() const { return all_.size() - first_; }
    const T &front() const { return all_[first_]; }
    void push(const T &t) { all_.push_back(t); }
    // T goes before those at the end that LATER says are later.
    template <typename Later>
    void put(const T &t, Later later) {
        all_.push_back(t);
        size_t i = all_.size() - 1;
        for (; i > first_ && later(all_[i - 1]); i--) all_[i] = all_[i - 1];
        if (i != all_.size() - 1)
            all_[i] = t;
    }
    void pop() {
        if (++first_ == all_.size()) {
            all_.clear();
            first_ = 0;
        } else if (first_ == MOST_GONE) {
            all_.erase(all_.begin(), all_.begin() + MOST_GONE);
            first_ = 0;
        }
    }

   private:
    enum { MOST_GONE = 1024 };
    std::vector<T> all_;
    size_t first_ = 0;  // those before it are gone
};
