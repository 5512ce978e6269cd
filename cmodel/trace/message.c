// SPDX-License-Identifier: Apache-2.0
// message.c: see message.h.
#include "trace/message.h"

#include <string.h>

void gmmu_printable(char *to, size_t size, const char *from, size_t length, unsigned limit) {
    static const char hex[] = "0123456789abcdef";
    size_t n = 0;
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)from[i];
        if (n + 8 > size) {
            memcpy(to + n, "…", sizeof "…");
            return;
        }
        if (c < 0x20 || c == 0x7f || c >= limit) {
            to[n++] = '\\';
            to[n++] = 'x';
            to[n++] = hex[c / 16];
            to[n++] = hex[c % 16];
        } else {
            to[n++] = (char)c;
        }
    }
    to[n] = '\0';
}

size_t gmmu_place(gmmu_error *err, const char *name, uint64_t line) {
    char shown[160];
    gmmu_printable(shown, sizeof shown, name, strlen(name), 0x100);
    int n = line == 0 ? snprintf(err->text, sizeof err->text, "%s: ", shown)
                      : snprintf(err->text, sizeof err->text, "%s:%llu: ", shown,
                                 (unsigned long long)line);
    return (size_t)n;
}
