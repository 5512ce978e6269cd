// SPDX-License-Identifier: Apache-2.0
// place.c: see place.h.
#include "blas/place.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { TEXT = 8192, NAME = 256 };

typedef struct {
    char name[NAME];  // of the object whose mappings are being read
    uint64_t start;   // of its first
} object;

// A line "start-end rwxp offset device inode   path"; whether its mapping has CODE.
static int has_code(const char *line, uint64_t code, object *o) {
    char *at;
    const uint64_t start = strtoull(line, &at, 16);
    const uint64_t end = *at == '-' ? strtoull(at + 1, &at, 16) : 0;
    const char *path = strchr(at, '/');
    const char *slash = path == NULL ? NULL : strrchr(path, '/');
    char name[NAME];
    (void)snprintf(name, sizeof name, "%s", slash == NULL ? "" : slash + 1);
    if (strcmp(name, o->name) != 0 || *name == 0) {
        memcpy(o->name, name, sizeof name);
        o->start = start;
    }
    return start <= code && code < end;
}

void gmmu_blas_place_name(char *to, size_t size, uint64_t code) {
    char text[TEXT + 1];
    size_t have = 0;
    object o = {"", 0};
    int found = 0;
    const int fd = (int)syscall(SYS_openat, AT_FDCWD, "/proc/self/maps", O_RDONLY | O_CLOEXEC, 0);
    while (fd >= 0 && !found) {
        const long n = syscall(SYS_read, fd, text + have, TEXT - have);
        if (n <= 0)
            break;
        have += (size_t)n;
        text[have] = 0;
        char *line = text;
        for (char *end; !found && (end = strchr(line, '\n')) != NULL; line = end + 1) {
            *end = 0;
            found = has_code(line, code, &o);
        }
        have = line == text ? 0 : have - (size_t)(line - text);  // no name is that long
        memmove(text, line, have);
    }
    if (fd >= 0)
        (void)syscall(SYS_close, fd);
    for (char *p = o.name; *p != 0; p++)
        if (*p <= ' ' || *p == 0x7f)
            *p = '_';
    if (found && *o.name != 0)
        (void)snprintf(to, size, "%.*s+0x%" PRIx64, (int)size - 24, o.name, code - o.start);
    else
        (void)snprintf(to, size, "?+0x%" PRIx64, code);
}
