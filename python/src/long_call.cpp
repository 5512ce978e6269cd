// SPDX-License-Identifier: Apache-2.0
// long_call.cpp: see long_call.h.
#include "long_call.h"

#include <chrono>
#include <condition_variable>
#include <cstring>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>

namespace nb = nanobind;

void throw_error(const gmmu_error &err) {
    const bool memory = std::strstr(err.text, "out of memory") != nullptr ||
                        std::strstr(err.text, "no memory") != nullptr;
    // bytes of a file's name that are no UTF-8 are shown as \xNN
    const nb::object text = nb::steal(PyUnicode_DecodeUTF8(
        err.text, static_cast<Py_ssize_t>(std::strlen(err.text)), "backslashreplace"));
    const nb::object type =
        memory ? nb::borrow(PyExc_MemoryError) : nb::module_::import_("gmmu._error").attr("Error");
    PyErr_SetObject(type.ptr(), text.ptr());
    throw nb::python_error();
}

bool is_stopped(void *context) {
    return static_cast<std::atomic<bool> *>(context)->load(std::memory_order_relaxed);
}

void long_call(std::atomic<bool> &stop, const std::function<void()> &work) {
    std::mutex gate;
    std::condition_variable ended;
    bool done = false;
    std::exception_ptr thrown;
    std::optional<nb::python_error> raised;
    const auto task = [&] {
        try {
            work();
        } catch (...) {
            thrown = std::current_exception();
        }
        const std::lock_guard<std::mutex> hold(gate);
        done = true;
        ended.notify_one();
    };
    {
        const nb::gil_scoped_release free;
        std::thread worker;
        try {
            worker = std::thread(task);
        } catch (const std::system_error &) {
            task();  // no thread can be had
        }
        std::unique_lock<std::mutex> hold(gate);
        while (!ended.wait_for(hold, std::chrono::milliseconds(20), [&] { return done; })) {
            if (raised) {
                continue;
            }
            hold.unlock();
            {
                const nb::gil_scoped_acquire with;
                if (PyErr_CheckSignals() != 0) {
                    raised.emplace();
                    stop = true;
                }
            }
            hold.lock();
        }
        hold.unlock();
        if (worker.joinable()) {
            worker.join();
        }
    }
    if (raised) {
        throw std::move(*raised);
    }
    if (thrown) {
        std::rethrow_exception(thrown);
    }
}
