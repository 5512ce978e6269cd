// SPDX-License-Identifier: Apache-2.0
// frames.h: the frames as the driver believes them: the page table, seen from both sides.
//
//            fill(frame, page)          leaves(frame)
//    EMPTY -------------------> HELD <----------------> LEAVING
//      ^                         |       stays(frame)      |
//      +------- free(frame) -----+                         |
//                                ^--- fill(frame, page) ---+
#pragma once
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "driver/page.h"

namespace driver {

enum State { EMPTY, HELD, LEAVING };

struct Frame {
    State state = EMPTY;
    Page page;             // of an empty frame: the last page there
    bool pinned = false;   // the page may not leave
    uint64_t written = 0;  // the cycle of the first write since FILL; 0: the page is clean
    uint64_t since = 0;    // the cycle in which the unit took the last FILL, PIN or FREE
};

class Frames {
   public:
    explicit Frames(uint32_t n) : frame_(n) {
        for (uint32_t f = n; f-- > 0;) empty_.push_back(f);
    }
    uint32_t n() const { return static_cast<uint32_t>(frame_.size()); }
    Frame &operator[](uint32_t f) { return frame_[f]; }
    const Frame &operator[](uint32_t f) const { return frame_[f]; }
    auto begin() const { return frame_.begin(); }
    auto end() const { return frame_.end(); }

    // The frame that PAGE is mapped to, or -1.
    int64_t find(Page page) const {
        const auto it = where_.find(page);
        return it == where_.end() ? -1 : static_cast<int64_t>(it->second);
    }
    // Some frame that holds a page which is not leaving; 0 if there is none.
    uint32_t any_held() const {
        for (uint32_t f = 0; f < n(); f++)
            if (frame_[f].state == HELD)
                return f;
        return 0;
    }

    // ---- empty frames that wait for a page: at first all of them, the lowest first
    bool has_empty() const { return !empty_.empty(); }
    uint32_t take_empty() {
        const uint32_t f = empty_.back();
        empty_.pop_back();
        return f;
    }
    void give_empty(uint32_t f) { empty_.push_back(f); }

    // ---- what happens to a frame
    // The page is in F from now on, and mapped there. Another frame that has the page keeps its
    // state, as in the unit.
    void fill(uint32_t f, Page page) {
        unmap(f);
        frame_[f].state = HELD;
        frame_[f].page = page;
        frame_[f].pinned = false;
        where_[page] = f;
    }
    void leaves(uint32_t f) {
        unmap(f);
        frame_[f].state = LEAVING;
        frame_[f].pinned = false;
    }
    // The driver does not follow the decision that named F.
    void stays(uint32_t f) {
        frame_[f].state = HELD;
        where_[frame_[f].page] = f;
    }
    void free(uint32_t f) {
        unmap(f);
        frame_[f].state = EMPTY;
        frame_[f].written = 0;
    }

   private:
    std::vector<Frame> frame_;
    std::unordered_map<Page, uint32_t, HashOfPage> where_;
    std::vector<uint32_t> empty_;

    void unmap(uint32_t f) {
        const auto it = where_.find(frame_[f].page);
        if (it != where_.end() && it->second == f)
            where_.erase(it);
    }
};

}  // namespace driver
