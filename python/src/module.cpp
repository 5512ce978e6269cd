// SPDX-License-Identifier: Apache-2.0
// module.cpp: the extension module gmmu._core. Each file of this folder binds one part of the C
// library.
#include "module.h"

#include <nanobind/nanobind.h>

NB_MODULE(_core, m) {
    m.attr("version") = GMMU_VERSION;
    bind_lists(m);
    bind_trace(m);
    bind_replay(m);
    bind_curves(m);
    bind_unit(m);
}
