// SPDX-License-Identifier: Apache-2.0
// curves.cpp: miss-ratio curves, as `gmmu mrc` makes them (run/curves.h).
#include "run/curves.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstdlib>

#include "arrays.h"
#include "how.h"
#include "long_call.h"
#include "module.h"

namespace nb = nanobind;

namespace {

class Curves {
   public:
    // SIZES: a text as of --frames, or "" for POINTS sizes, 0: every size.
    Curves(const std::string &policies, const std::string &sizes, uint64_t points, bool log,
           double rate, uint64_t most, bool check, unsigned threads)
        : Curves() {
        gmmu_error err = {""};
        if (!gmmu_parse_policies(policies.c_str(), &choices_, &count_, &err) ||
            (!sizes.empty() && !gmmu_parse_sizes(sizes.c_str(), &sizes_, &s_.size_count, &err))) {
            throw_error(err);
        }
        s_.policies = choices_;
        s_.policy_count = count_;
        s_.sizes = sizes_;
        s_.points = points;
        s_.log = log;
        s_.rate = rate;
        s_.most = most;
        s_.check = check;
        s_.threads = threads;
        if (!gmmu_curves_begin(&s_, &err)) {
            throw_error(err);
        }
    }
    ~Curves() {
        {
            const nb::gil_scoped_release free;
            gmmu_curves_free(&s_);
            gmmu_source_close(&source_);
        }
        gmmu_choices_free(choices_, count_);
        ::free(sizes_);
    }
    Curves(const Curves &) = delete;
    Curves &operator=(const Curves &) = delete;

    void run_path(const nb::bytes &name, const How &how) {
        const std::string path = path_of(name);
        const gmmu_source_form form = how.form();
        const gmmu_listener listener = this->listener();
        run([&](gmmu_error &err) {
            return gmmu_source_open(&source_, path.c_str(), &form, false, &listener, &err) &&
                   gmmu_curves_run(&s_, &source_, &err);
        });
    }

    void run_walks(const Bytes &walk_bytes, unsigned page_shift) {
        const auto walks = records<gmmu_walk>(walk_bytes);
        const gmmu_listener listener = this->listener();
        run([&](gmmu_error &err) {
            gmmu_source_open_walks(&source_, walks.data, walks.count, nullptr, 0, page_shift,
                                   &listener);
            return gmmu_curves_run(&s_, &source_, &err);
        });
    }

    // (policy, frames, accesses, distinct, faults, cold, evictions, miss_ratio, std_error,
    // exact_miss_ratio) of each policy and size
    nb::list rows() const {
        nb::list all;
        for (size_t i = 0; s_.rows != nullptr && i < s_.policy_count * s_.frame_count; i++) {
            const gmmu_curve_row &r = s_.rows[i];
            all.append(nb::make_tuple(r.policy, r.frames, r.accesses, r.distinct, r.faults, r.cold,
                                      r.evictions, r.miss_ratio, r.std_error, r.exact));
        }
        return all;
    }

    std::vector<std::string> notes() const { return notes_; }

   private:
    Curves() = default;  // once this has run, what fails is destroyed

    static void say(void *context, const char *line) {
        static_cast<Curves *>(context)->notes_.emplace_back(line);
    }
    static bool stop(void *context) { return is_stopped(&static_cast<Curves *>(context)->stop_); }
    gmmu_listener listener() { return {this, say, nullptr, stop, nullptr, nullptr}; }

    template <class Work>
    void run(const Work &work) {
        gmmu_error err = {""};
        bool good = false;
        long_call(stop_, [&] { good = work(err); });
        if (!good) {
            throw_error(err);
        }
    }

    gmmu_choice *choices_ = nullptr;
    size_t count_ = 0;
    gmmu_size *sizes_ = nullptr;
    gmmu_curves s_ = {};
    gmmu_source source_ = {};
    std::vector<std::string> notes_;
    std::atomic<bool> stop_ = false;
};

}  // namespace

void bind_curves(nb::module_ &m) {
    nb::class_<Curves>(m, "Curves")
        .def(nb::init<const std::string &, const std::string &, uint64_t, bool, double, uint64_t,
                      bool, unsigned>())
        .def("run_path", &Curves::run_path)
        .def("run_walks", &Curves::run_walks)
        .def("rows", &Curves::rows)
        .def_prop_ro("notes", &Curves::notes);
}
