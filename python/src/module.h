// SPDX-License-Identifier: Apache-2.0
// module.h: the parts of gmmu._core, one a file.
#ifndef GMMU_PYTHON_MODULE_H
#define GMMU_PYTHON_MODULE_H

#include <nanobind/nanobind.h>

void bind_lists(nanobind::module_ &m);   // lists.cpp: the names of policies and forms
void bind_trace(nanobind::module_ &m);   // trace.cpp: traces read and written
void bind_replay(nanobind::module_ &m);  // replay.cpp: replays
void bind_curves(nanobind::module_ &m);  // curves.cpp: miss-ratio curves
void bind_unit(nanobind::module_ &m);    // unit.cpp: the unit call by call, the unit as a memory

#endif
