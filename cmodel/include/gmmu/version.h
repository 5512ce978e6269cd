// SPDX-License-Identifier: Apache-2.0
// version.h: the version of the library, as in the file VERSION.
#ifndef GMMU_VERSION_H
#define GMMU_VERSION_H

#ifndef GMMU_VERSION
#define GMMU_VERSION "0.2.0"
#endif

#endif
