// SPDX-License-Identifier: Apache-2.0
// by_page.h: a pointer for each page, by its number, null at first; and what few pages have.
#pragma once
#include <cstdint>
#include <vector>

template <typename T>
class ByPage {
   public:
    T *&operator[](uint32_t page) {
        if (page >= of_.size())
            of_.resize(page * size_t(2) + 64);
        return of_[page];
    }

   private:
    std::vector<T *> of_;
};

// What some pages have, side by side, without an allocation for those that come and go.
template <typename T>
class OfPages {
   public:
    struct Item {
        uint32_t page;
        T of;
    };
    // Null: PAGE has nothing. Until the next put or erase.
    const T *find(uint32_t page) const {
        return page < at_.size() && at_[page] != 0 ? &all_[at_[page] - 1].of : nullptr;
    }
    void put(uint32_t page, const T &of) {
        if (page >= at_.size())
            at_.resize(page * size_t(2) + 64);
        if (at_[page] != 0) {
            all_[at_[page] - 1].of = of;
            return;
        }
        all_.push_back({page, of});
        at_[page] = static_cast<uint32_t>(all_.size());
    }
    // PAGE has something.
    void erase(uint32_t page) {
        Item *const hole = &all_[at_[page] - 1];
        if (hole != &all_.back()) {
            *hole = all_.back();
            at_[hole->page] = at_[page];
        }
        at_[page] = 0;
        all_.pop_back();
    }
    const std::vector<Item> &all() const { return all_; }

   private:
    std::vector<Item> all_;
    std::vector<uint32_t> at_;  // of each page: its place in ALL_, from 1; 0: none
};
