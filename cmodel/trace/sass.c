// SPDX-License-Identifier: Apache-2.0
// sass.c: see sass.h.
#include "trace/sass.h"

#include <string.h>

gmmu_sass gmmu_sass_kind(const char *opcode, size_t length, bool *generic) {
    static const struct {
        const char *name;
        gmmu_sass kind;
        bool generic;
    } known[] = {{"LDG", GMMU_SASS_LOAD, false},  {"STG", GMMU_SASS_STORE, false},
                 {"LD", GMMU_SASS_LOAD, true},    {"ST", GMMU_SASS_STORE, true},
                 {"ATOM", GMMU_SASS_STORE, true}, {"ATOMG", GMMU_SASS_STORE, false},
                 {"RED", GMMU_SASS_STORE, true},  {"LDGSTS", GMMU_SASS_LOAD, false},
                 {"REDG", GMMU_SASS_STORE, false}};
    const char *dot = memchr(opcode, '.', length);
    length = dot != NULL ? (size_t)(dot - opcode) : length;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (strlen(known[i].name) == length && memcmp(known[i].name, opcode, length) == 0) {
            *generic = known[i].generic;
            return known[i].kind;
        }
    }
    return GMMU_SASS_NO_WALK;
}

bool gmmu_sass_inside(const char *opcode, size_t length) {
    static const char *const known[] = {"LDS", "STS", "LDSM", "STSM", "ATOMS",
                                        "LDL", "STL", "LDC",  "ULDC", "LDCU"};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (strlen(known[i]) == length && memcmp(known[i], opcode, length) == 0) {
            return true;
        }
    }
    return false;
}
