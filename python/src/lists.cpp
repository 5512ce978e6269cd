// SPDX-License-Identifier: Apache-2.0
// lists.cpp: the names of policies and forms.
#include <nanobind/stl/string.h>

#include "gmmu/trace.h"
#include "long_call.h"
#include "module.h"
#include "policy/plugin.h"
#include "policy/registry.h"

namespace nb = nanobind;

static nb::object text(const char *t) {
    return t == nullptr ? nb::object(nb::none()) : nb::object(nb::str(t));
}

// (name, help, options, needs_future, tiers, ideal) of each policy; options and ideal are None
// where the policy has none.
static nb::list policies() {
    nb::list all;
    for (size_t i = 0; gmmu_policy_at(i) != nullptr; i++) {
        const gmmu_policy *p = gmmu_policy_at(i);
        all.append(nb::make_tuple(p->name, p->help, text(p->options), p->needs_future, p->tiers,
                                  text(p->ideal), text(gmmu_plugin_of(p))));
    }
    return all;
}

static void load_plugin(const nb::bytes &name) {
    const std::string path = path_of(name);
    gmmu_error err = {""};
    if (!gmmu_plugin_load(path.c_str(), &err)) {
        throw_error(err);
    }
}

// (name, writes) of each form of a trace.
static nb::list forms() {
    nb::list all;
    for (int i = GMMU_FORM_AUTO + 1; i < GMMU_FORMS; i++) {
        const auto form = static_cast<gmmu_form>(i);
        all.append(nb::make_tuple(gmmu_form_name(form), gmmu_form_writes(form)));
    }
    return all;
}

// The name of the form that NAME finds, or None.
static nb::object find_form(const std::string &name) {
    const gmmu_form form = gmmu_form_find(name.c_str());
    return form < GMMU_FORMS ? nb::object(nb::str(gmmu_form_name(form))) : nb::none();
}

void bind_lists(nb::module_ &m) {
    m.def("policies", policies);
    m.def("load_plugin", load_plugin);
    m.def("forms", forms);
    m.def("find_form", find_form);
}
