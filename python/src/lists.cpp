// SPDX-License-Identifier: Apache-2.0
// lists.cpp: the names of policies and forms.
#include "gmmu/trace.h"
#include "module.h"
#include "policy/registry.h"

namespace nb = nanobind;

// (name, help, options) of each policy; options is None where the policy has none.
static nb::list policies() {
    nb::list all;
    for (size_t i = 0; gmmu_policy_at(i) != nullptr; i++) {
        const gmmu_policy *p = gmmu_policy_at(i);
        const nb::object options = p->options == nullptr ? nb::object(nb::none()) : nb::object(nb::str(p->options));
        all.append(nb::make_tuple(p->name, p->help, options));
    }
    return all;
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

void bind_lists(nb::module_ &m) {
    m.def("policies", policies);
    m.def("forms", forms);
}
