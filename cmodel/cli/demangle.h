// SPDX-License-Identifier: Apache-2.0
// demangle.h: names of C++ functions as a person reads them.
#ifndef GMMU_CLI_DEMANGLE_H
#define GMMU_CLI_DEMANGLE_H

#include <stddef.h>

// Writes SITE, "symbol+0x12", to TO with its symbol demangled, and returns TO; SITE itself if its
// symbol is no C++ name, or if no C++ library is there, which is looked for when it is needed.
const char *demangled(const char *site, char *to, size_t size);

#endif
