// SPDX-License-Identifier: Apache-2.0
// demangle.c: see demangle.h.
#include "cli/demangle.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef char *demangle_function(const char *, char *, size_t *, int *);

static demangle_function *find(void) {
    static demangle_function *found;
    static bool looked;
    if (!looked) {
        looked = true;
        void *library = dlopen("libstdc++.so.6", RTLD_LAZY);
        void *is = library == NULL ? NULL : dlsym(library, "__cxa_demangle");
        memcpy(&found, &is, sizeof found);
    }
    return found;
}

const char *demangled(const char *site, char *to, size_t size) {
    const size_t n = strcspn(site, "+");
    char symbol[512];
    int status = 0;
    if (strncmp(site, "_Z", 2) != 0 || n >= sizeof symbol || find() == NULL)
        return site;
    memcpy(symbol, site, n);
    symbol[n] = 0;
    char *name = find()(symbol, NULL, NULL, &status);
    const int written =
        name == NULL || status != 0 ? -1 : snprintf(to, size, "%s%s", name, site + n);
    free(name);
    return written < 0 ? site : to;
}
