// SPDX-License-Identifier: Apache-2.0
// by_page.h: a pointer for each page, by its number; null at first.
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
