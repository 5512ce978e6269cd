// SPDX-License-Identifier: Apache-2.0
// python_policy.h: a policy that is a class in Python (gmmu/_policy.py), as a policy of C.
#ifndef GMMU_PYTHON_PYTHON_POLICY_H
#define GMMU_PYTHON_PYTHON_POLICY_H

#include <nanobind/nanobind.h>

#include <optional>
#include <string>

#include "policy/policy.h"

// The walk of an access, for policies in Python: one object for all accesses of a replay.
struct WalkView {
    gmmu_walk walk = {};
    uint64_t number = 0;  // in the trace, from 0
};

// What policies in Python raised; the first exception counts.
using Raised = std::optional<nanobind::python_error>;

// A policy in Python: makes the policy's objects, one for each size of memory.
class PythonPolicy {
   public:
    // MAKE(frames) gives a gmmu.Policy.
    PythonPolicy(std::string label, nanobind::object make, Raised &raised);
    PythonPolicy(const PythonPolicy &) = delete;
    PythonPolicy &operator=(const PythonPolicy &) = delete;

    const gmmu_policy &policy() const { return policy_; }
    std::string &label() { return label_; }
    const nanobind::object &make() const { return make_; }
    Raised &raised() const { return raised_; }

   private:
    std::string label_;
    nanobind::object make_;
    Raised &raised_;
    gmmu_policy policy_ = {};
};

#endif
