// SPDX-License-Identifier: Apache-2.0
// python_policy.cpp: see python_policy.h. The pages that are resident are known here, so a class in
// Python need not keep them, and its answers are checked.
#include "python_policy.h"

#include <cstdio>
#include <memory>
#include <vector>

namespace nb = nanobind;

namespace {

// One policy at one size of memory.
struct State {
    const PythonPolicy *of;
    nb::object self, view;
    nb::object hit, victim, insert;  // bound methods
    nb::object access;               // in place of these three, or not valid
    std::vector<bool> resident;      // of each page
    uint32_t frames, used = 0;
    uint64_t now = 0;  // number of the walk
};

// Keeps the exception that stands, for the caller of the replay.
int keep(Raised &raised, nb::python_error &&e, gmmu_error *err) {
    if (!raised) {
        raised.emplace(std::move(e));
    }
    (void)snprintf(err->text, sizeof err->text, "a policy in Python raised an exception");
    return GMMU_BAD;
}

// The text of an object in a message.
std::string shown(nb::handle object) {
    const nb::object bytes =
        nb::steal(PyUnicode_AsEncodedString(nb::repr(object).ptr(), "utf-8", "backslashreplace"));
    if (!bytes.is_valid()) {
        throw nb::python_error();
    }
    std::string text = PyBytes_AS_STRING(bytes.ptr());
    return text.size() <= 60 ? text : text.substr(0, 57) + "...";
}

int refuse(const State &s, const std::string &found, const std::string &expected, gmmu_error *err) {
    (void)snprintf(err->text, sizeof err->text,
                   "policy %.80s: walk %llu: found %.120s, expected %.120s", s.of->policy().name,
                   static_cast<unsigned long long>(s.now), found.c_str(), expected.c_str());
    return GMMU_BAD;
}

// ANSWER as a resident page; GMMU_NO_PAGE: it is none.
uint32_t as_resident(const State &s, nb::handle answer) {
    if (PyLong_Check(answer.ptr()) == 0 && PyIndex_Check(answer.ptr()) == 0) {
        return GMMU_NO_PAGE;
    }
    const nb::object number = nb::steal(PyNumber_Index(answer.ptr()));
    if (!number.is_valid()) {
        throw nb::python_error();
    }
    int overflow = 0;
    const long long page = PyLong_AsLongLongAndOverflow(number.ptr(), &overflow);
    return overflow == 0 && page >= 0 &&
                   static_cast<unsigned long long>(page) < s.resident.size() &&
                   s.resident[static_cast<size_t>(page)]
               ? static_cast<uint32_t>(page)
               : GMMU_NO_PAGE;
}

// ANSWER is the page that makes room.
int leave(State &s, nb::handle answer, const char *method, gmmu_outcome *out, gmmu_error *err) {
    const uint32_t page = as_resident(s, answer);
    if (page == GMMU_NO_PAGE) {
        return refuse(s, "page " + shown(answer) + " from " + method,
                      "one of the " + std::to_string(s.used) + " resident pages", err);
    }
    s.resident[page] = false;
    s.used--;
    gmmu_outcome_evict(out, page);
    return GMMU_OK;
}

int take_access(State &s, uint32_t page, gmmu_outcome *out, gmmu_error *err) {
    const bool is_hit = s.resident[page];
    const bool full = !is_hit && s.used == s.frames;
    gmmu_outcome_begin(out, page, !is_hit);
    int status = GMMU_OK;
    const nb::int_ number(page);
    if (s.access.is_valid()) {
        const nb::object answer = s.access(number, s.view);
        if (full) {
            status = leave(s, answer, "access", out, err);
        } else if (!answer.is_none()) {
            return refuse(s, "page " + shown(answer) + " from access",
                          is_hit ? "None at a hit" : "None while memory has room", err);
        }
    } else if (is_hit) {
        (void)s.hit(number, s.view);
    } else {
        status = full ? leave(s, s.victim(number, s.view), "victim", out, err) : GMMU_OK;
        if (status == GMMU_OK) {
            (void)s.insert(number, s.view);
        }
    }
    if (status == GMMU_OK && !is_hit) {
        s.resident[page] = true;
        s.used++;
    }
    return status;
}

int access(void *state, uint32_t page, const gmmu_walk *walk, gmmu_outcome *out, gmmu_error *err) {
    State &s = *static_cast<State *>(state);
    const nb::gil_scoped_acquire with;
    try {
        if (page >= s.resident.size()) {
            s.resident.resize(std::max<size_t>(page + size_t{1}, 2 * s.resident.size()));
        }
        auto *view = nb::inst_ptr<WalkView>(s.view);
        view->walk = *walk;
        view->number = s.now;
        const int status = take_access(s, page, out, err);
        s.now++;
        return status;
    } catch (nb::python_error &e) {
        return keep(s.of->raised(), std::move(e), err);
    } catch (const std::bad_alloc &) {
        return gmmu_policy_no_memory(s.of->policy().name, err);
    }
}

void *create(const gmmu_policy_config *config, gmmu_error *err) {
    const auto *of = static_cast<const PythonPolicy *>(config->context);
    const nb::gil_scoped_acquire with;
    try {
        auto s = std::make_unique<State>();
        s->of = of;
        s->frames = config->frames;
        s->self = of->make()(config->frames);
        const nb::object base = nb::module_::import_("gmmu._policy").attr("Policy");
        if (!nb::isinstance(s->self, base)) {
            (void)snprintf(err->text, sizeof err->text,
                           "policy %.80s: found an object of type %.80s, expected a gmmu.Policy",
                           of->policy().name, nb::type_name(s->self.type()).c_str());
            return nullptr;
        }
        s->view = nb::cast(WalkView{});
        if (s->self.type().attr("access").is(base.attr("access"))) {
            s->hit = s->self.attr("hit");
            s->victim = s->self.attr("victim");
            s->insert = s->self.attr("insert");
        } else {
            s->access = s->self.attr("access");
        }
        return s.release();
    } catch (nb::python_error &e) {
        (void)keep(of->raised(), std::move(e), err);
        return nullptr;
    } catch (const std::bad_alloc &) {
        (void)gmmu_policy_no_memory(of->policy().name, err);
        return nullptr;
    }
}

void destroy(void *state) {
    const nb::gil_scoped_acquire with;
    delete static_cast<State *>(state);
}

}  // namespace

PythonPolicy::PythonPolicy(std::string label, nb::object make, Raised &raised)
    : label_(std::move(label)), make_(std::move(make)), raised_(raised) {
    policy_.name = label_.c_str();
    policy_.help = "a policy in Python";
    policy_.create = create;
    policy_.access = access;
    policy_.destroy = destroy;
}
