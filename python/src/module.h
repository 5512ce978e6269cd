// SPDX-License-Identifier: Apache-2.0
// module.h: the parts of gmmu._core, one a file.
#ifndef GMMU_PYTHON_MODULE_H
#define GMMU_PYTHON_MODULE_H

#include <nanobind/nanobind.h>

void bind_lists(nanobind::module_ &m);  // lists.cpp: the names of policies and forms
void bind_unit(nanobind::module_ &m);   // unit.cpp: the unit call by call, the unit as a memory

#endif
