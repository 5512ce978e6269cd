// SPDX-License-Identifier: Apache-2.0
// fifo.h: first in, first out, without an allocation for those that come and go.
#pragma once
#include <algorithm>
#include <cstddef>
#include <vector>

template <typename T>
class Fifo {
   public:
    Fifo() = default;
    Fifo(const Fifo &) = delete;
    Fifo &operator=(const Fifo &) = delete;
    bool empty() const { return first_ == end_; }
    size_t size() const { return static_cast<size_t>(end_ - first_); }
    const T &front() const { return *first_; }
    void push(const T &t) {
        if (end_ == room_)
            make_room();
        *end_++ = t;
    }
    // T goes before those at the end that LATER says are later.
    template <typename Later>
    void put(const T &t, Later later) {
        if (end_ == room_)
            make_room();
        T *at = end_++;
        for (; at != first_ && later(at[-1]); at--) *at = at[-1];
        *at = t;
    }
    void pop() {
        if (++first_ == end_)
            first_ = end_ = all_.data();
    }

   private:
    std::vector<T> all_;
    T *first_ = nullptr, *end_ = nullptr;  // those that are there
    T *room_ = nullptr;                    // the end of the memory

    // At least half of the memory is free then, as seldom as that many come.
    void make_room() {
        const size_t n = size(), gone = static_cast<size_t>(first_ - all_.data());
        if (gone > n) {
            std::copy(first_, end_, all_.data());
        } else {
            std::vector<T> more(std::max<size_t>(16, 4 * n));
            std::copy(first_, end_, more.data());
            all_.swap(more);
        }
        first_ = all_.data();
        end_ = first_ + n;
        room_ = first_ + all_.size();
    }
};
