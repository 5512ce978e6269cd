// SPDX-License-Identifier: Apache-2.0
// replay.cpp: replays, as `gmmu replay` does them (run/replays.h).
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <chrono>
#include <cstdlib>
#include <memory>
#include <thread>

#include "arrays.h"
#include "how.h"
#include "long_call.h"
#include "module.h"
#include "python_policy.h"
#include "run/replays.h"

namespace nb = nanobind;

namespace {

// What is asked for, and what the user is told.
class Study {
   public:
    // POLICIES: strings as of --policy, and tuples (label, function that makes a gmmu.Policy).
    Study(const nb::list &policies, const std::string &sizes, const std::string &tier2) : Study() {
        gmmu_error err = {""};
        for (const nb::handle item : policies) {
            add_policy(item);
        }
        if (!gmmu_parse_sizes(sizes.c_str(), &sizes_, &r_.size_count, &err)) {
            throw_error(err);
        }
        r_.sizes = sizes_;
        r_.tiers = !tier2.empty();
        if (r_.tiers && !gmmu_parse_tier2(tier2.c_str(), &r_.tier2, &err)) {
            throw_error(err);
        }
        r_.policies = choices_.data();
        r_.policy_count = choices_.size();
    }
    ~Study() { release(); }
    Study(const Study &) = delete;
    Study &operator=(const Study &) = delete;

    void set(uint64_t seed, bool as_opt, uint64_t distinct, uint64_t threads) {
        r_.seed = seed;
        r_.as_opt = as_opt;
        r_.distinct = distinct;
        r_.threads = threads;
    }

    void run_path(const nb::bytes &name, const How &how) {
        const std::string path = path_of(name);
        const gmmu_source_form form = how.form();
        const gmmu_listener listener = this->listener();
        run([&](gmmu_error &err) {
            return gmmu_source_open(&source_, path.c_str(), &form, gmmu_replays_twice(&r_),
                                    &listener, &err) &&
                   gmmu_replays_run(&r_, &source_, &err);
        });
    }

    void run_walks(const Bytes &walk_bytes, const Bytes &hint_bytes, unsigned page_shift) {
        const auto walks = records<gmmu_walk>(walk_bytes);
        const auto hints = records<gmmu_hint>(hint_bytes);
        check_hints(hints, walks.count);
        const gmmu_listener listener = this->listener();
        run([&](gmmu_error &err) {
            gmmu_source_open_walks(&source_, walks.data, walks.count, hints.data, hints.count,
                                   page_shift, &listener);
            return gmmu_replays_run(&r_, &source_, &err);
        });
    }

    // Of each run (label, size as given, frames, lost: a text or None, counts, tier counts, as_opt,
    // note: a text or None).
    nb::list rows() const {
        nb::list all;
        for (size_t i = 0; i < r_.count; i++) {
            const gmmu_replay_run &run = r_.runs[i];
            const gmmu_counts counts = gmmu_sim_counts(run.sim);
            const gmmu_tier_counts tiers = gmmu_sim_tier_counts(run.sim);
            char note[1024];
            const bool noted = !run.lost && gmmu_sim_note(run.sim, note, sizeof note);
            all.append(nb::make_tuple(
                run.label, r_.sizes[i % r_.size_count].text, gmmu_sim_frames(run.sim),
                run.lost ? nb::object(nb::str(run.err.text)) : nb::none(),
                numbers(gmmu_count_columns, &counts), numbers(gmmu_tier_count_columns, &tiers),
                gmmu_sim_as_opt(run.sim), noted ? nb::object(nb::str(note)) : nb::none()));
        }
        return all;
    }

    uint32_t distinct() const { return r_.pages == nullptr ? 0 : gmmu_pages_count(r_.pages); }
    std::vector<std::string> notes() const { return notes_; }

   private:
    Study() = default;  // once this has run, what fails is destroyed

    void add_policy(nb::handle item) {
        gmmu_error err = {""};
        if (nb::isinstance<nb::str>(item)) {
            gmmu_choice *some = nullptr;
            size_t count = 0;
            if (!gmmu_parse_policies(nb::cast<std::string>(item).c_str(), &some, &count, &err)) {
                throw_error(err);
            }
            choices_.insert(choices_.end(), some, some + count);
            ::free(some);
            return;
        }
        const auto pair = nb::cast<nb::tuple>(item);
        own_.push_back(std::make_unique<PythonPolicy>(nb::cast<std::string>(pair[0]),
                                                      nb::borrow(pair[1]), raised_));
        choices_.push_back({&own_.back()->policy(), own_.back()->label().data(), nullptr,
                            own_.back().get(), true});
    }

    static void say(void *context, const char *line) {
        static_cast<Study *>(context)->notes_.emplace_back(line);
    }
    static bool stop(void *context) { return static_cast<Study *>(context)->is_stopped_now(); }
    static void enter(void *context) { static_cast<Study *>(context)->gil_.emplace(); }
    static void leave(void *context) { static_cast<Study *>(context)->gil_.reset(); }
    gmmu_listener listener() { return {this, say, nullptr, stop, enter, leave}; }

    // With policies in Python the calling thread replays, and itself looks for signals now and
    // then.
    bool is_stopped_now() {
        using clock = std::chrono::steady_clock;
        if (own_.empty() || stop_ || std::this_thread::get_id() != caller_) {
            return stop_;
        }
        const clock::time_point now = clock::now();
        if (now - looked_ > std::chrono::milliseconds(20)) {
            looked_ = now;
            const nb::gil_scoped_acquire with;
            if (PyErr_CheckSignals() != 0) {
                raised_.emplace();
                stop_ = true;
            }
        }
        return stop_;
    }

    template <class Work>
    void run(const Work &work) {
        gmmu_error err = {""};
        bool good = false;
        caller_ = std::this_thread::get_id();
        if (own_.empty()) {
            long_call(stop_, [&] { good = work(err); });
        } else {
            const nb::gil_scoped_release free;
            good = work(err);
        }
        if (raised_) {
            // an exception has this object in its traceback, so its classes must not stay in here
            nb::python_error raised = std::move(*raised_);
            raised_.reset();
            release();
            throw raised;
        }
        if (!good) {
            release();
            throw_error(err);
        }
    }

    void release() {
        {
            const nb::gil_scoped_release free;
            gmmu_replays_free(&r_);
            gmmu_source_close(&source_);
        }
        for (const gmmu_choice &c : choices_) {
            if (!c.alone) {
                ::free(c.label);
            }
        }
        choices_.clear();
        own_.clear();
        ::free(sizes_);
        sizes_ = nullptr;
        r_ = {};
        source_ = {};
    }

    static nb::tuple numbers(const gmmu_count_column *columns, const void *counts) {
        nb::list all;
        for (const gmmu_count_column *c = columns; c->name != nullptr; c++) {
            all.append(gmmu_count(counts, c));
        }
        return nb::tuple(all);
    }

    std::vector<std::unique_ptr<PythonPolicy>> own_;
    std::vector<gmmu_choice> choices_;
    gmmu_size *sizes_ = nullptr;
    gmmu_replays r_ = {};
    gmmu_source source_ = {};
    std::vector<std::string> notes_;
    Raised raised_;
    std::optional<nb::gil_scoped_acquire> gil_;
    std::atomic<bool> stop_ = false;
    std::thread::id caller_;
    std::chrono::steady_clock::time_point looked_ = {};
};

nb::list names(const gmmu_count_column *columns) {
    nb::list all;
    for (const gmmu_count_column *c = columns; c->name != nullptr; c++) {
        all.append(c->name);
    }
    return all;
}

}  // namespace

void bind_replay(nb::module_ &m) {
    nb::class_<Study>(m, "Study")
        .def(nb::init<const nb::list &, const std::string &, const std::string &>())
        .def("set", &Study::set)
        .def("run_path", &Study::run_path)
        .def("run_walks", &Study::run_walks)
        .def("rows", &Study::rows)
        .def_prop_ro("distinct", &Study::distinct)
        .def_prop_ro("notes", &Study::notes);
    m.attr("count_columns") = names(gmmu_count_columns);
    m.attr("tier_count_columns") = names(gmmu_tier_count_columns);
    nb::class_<WalkView>(m, "Walk")
        .def_prop_ro("vpn", [](const WalkView &w) { return w.walk.vpn; })
        .def_prop_ro("ref", [](const WalkView &w) { return w.walk.ref; })
        .def_prop_ro("time", [](const WalkView &w) { return w.walk.time; })
        .def_prop_ro("asid", [](const WalkView &w) { return w.walk.asid; })
        .def_prop_ro("sm", [](const WalkView &w) { return w.walk.sm; })
        .def_prop_ro("write", [](const WalkView &w) { return w.walk.write; })
        .def_ro("number", &WalkView::number)
        .def("__repr__", [](const WalkView &w) {
            char text[200];
            (void)snprintf(
                text, sizeof text,
                "Walk(number=%llu, vpn=0x%llx, ref=0x%llx, time=%llu, asid=%u, sm=%u, write=%s)",
                static_cast<unsigned long long>(w.number),
                static_cast<unsigned long long>(w.walk.vpn),
                static_cast<unsigned long long>(w.walk.ref),
                static_cast<unsigned long long>(w.walk.time), w.walk.asid, w.walk.sm,
                w.walk.write ? "True" : "False");
            return std::string(text);
        });
}
