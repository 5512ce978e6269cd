// SPDX-License-Identifier: Apache-2.0
// progress.h: how far a step is, on a terminal.
#pragma once
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>

class Progress {
   public:
    explicit Progress(std::string what) : name(std::move(what)), tty(isatty(2) != 0) {}
    ~Progress() {
        if (tty)
            std::fprintf(stderr, "\r\033[K");
    }
    void at(uint64_t done, uint64_t total, uint64_t cycles) {
        if (!tty || (done & 1023) != 0)
            return;
        const double s = seconds();
        if (s < shown + 0.2)
            return;
        shown = s;
        std::fprintf(stderr, "\r\033[K%s: %3.0f %%, %.2f M cycles/s, %.0f s left", name.c_str(),
                     100.0 * static_cast<double>(done) / static_cast<double>(total ? total : 1),
                     static_cast<double>(cycles) / s / 1e6,
                     s * static_cast<double>(total - done) / static_cast<double>(done ? done : 1));
    }
    double seconds() const {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    }

   private:
    std::string name;
    bool tty;
    double shown = 0;
    std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
};
