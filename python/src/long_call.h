// SPDX-License-Identifier: Apache-2.0
// long_call.h: calls that take long: without the GIL, and ended by Ctrl-C.
#ifndef GMMU_PYTHON_LONG_CALL_H
#define GMMU_PYTHON_LONG_CALL_H

#include <nanobind/nanobind.h>

#include <atomic>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>

#include "gmmu/trace.h"
#include "run/listener.h"

// One call of an object at a time, though the GIL is released in long ones.
class Busy {
   public:
    Busy(std::atomic<bool> &flag, const char *what) : flag_(flag) {
        if (flag_.exchange(true))
            throw std::runtime_error(
                std::string(what) +
                ": found a call of another thread under way, expected one call at a time");
    }
    ~Busy() { flag_ = false; }
    Busy(const Busy &) = delete;
    Busy &operator=(const Busy &) = delete;

   private:
    std::atomic<bool> &flag_;
};

// Throws gmmu.Error with the text, or MemoryError where that is the text's matter.
[[noreturn]] void throw_error(const gmmu_error &err);

// Runs WORK on a thread of its own, without the GIL, while this thread looks for signals. When a
// signal's handler raises, as for Ctrl-C, `stop` becomes true and, once WORK has ended, the
// exception is thrown. WORK calls nothing of Python; what it throws is thrown here.
void long_call(std::atomic<bool> &stop, const std::function<void()> &work);

// A path, as os.fsencode gives it: no name of a file is beyond it.
inline std::string path_of(const nanobind::bytes &path) {
    return {path.c_str(), path.size()};
}

// True if *CONTEXT, a std::atomic<bool>, is true: gmmu_listener.stop of a long call.
bool is_stopped(void *context);

#endif
