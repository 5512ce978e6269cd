// SPDX-License-Identifier: Apache-2.0
// scan.c: see scan.h.
#include "trace/scan.h"

#include <string.h>

bool gmmu_scan_whole(const char *text, uint64_t most, uint64_t *value) {
    uint64_t base = text[0] == '0' && (text[1] | 0x20) == 'x' ? 16 : 10;
    text += base == 16 ? 2 : 0;
    *value = 0;
    const char *first = text;
    for (; *text != '\0'; text++) {
        uint64_t d = (uint64_t)(unsigned char)*text - '0';
        uint64_t letter = ((uint64_t)(unsigned char)*text | 0x20U) - 'a';
        if (d > 9) {
            d = letter <= 5 ? letter + 10 : base;
        }
        if (d >= base || *value > (most - d) / base || d > most) {
            return false;
        }
        *value = *value * base + d;
    }
    return text != first;
}

bool gmmu_scan_digits(const char **p, unsigned base, uint64_t *value) {
    const char *first = *p;
    uint64_t v = 0;
    for (;; ++*p) {
        unsigned d = (unsigned)**p - '0';
        unsigned a = ((unsigned)**p | 0x20U) - 'a';
        if (d > 9) {
            d = a <= 5 ? a + 10 : base;
        }
        if (d >= base || v > (UINT64_MAX - d) / base) {
            break;
        }
        v = v * base + d;
    }
    *value = v;
    unsigned next = (unsigned)**p;
    return *p != first && next - '0' > 9 && !(base == 16 && (next | 0x20U) - 'a' <= 5);
}

void gmmu_scan_blanks(const char **p) {
    while (**p == ' ' || **p == '\t') {
        ++*p;
    }
}

const char *gmmu_scan_word(const char **p, size_t *length) {
    gmmu_scan_blanks(p);
    const char *first = *p;
    *p += strcspn(first, " \t");
    *length = (size_t)(*p - first);
    return *length == 0 ? NULL : first;
}

size_t gmmu_scan_split(char *line, char **words, size_t most) {
    size_t count = 0;
    for (char *p = line; count < most;) {
        p += strspn(p, " \t");
        if (*p == '\0') {
            break;
        }
        words[count++] = p;
        p += strcspn(p, " \t");
        if (*p != '\0') {
            *p++ = '\0';
        }
    }
    return count;
}

bool gmmu_scan_number(const char **p, unsigned base, uint64_t *value) {
    gmmu_scan_blanks(p);
    if (base == 16 && (*p)[0] == '0' && ((*p)[1] | 0x20) == 'x') {
        *p += 2;
    }
    return gmmu_scan_digits(p, base, value) && (**p == ' ' || **p == '\t' || **p == '\0');
}

bool gmmu_scan_signed(const char **p, uint64_t *value) {
    gmmu_scan_blanks(p);
    bool minus = **p == '-';
    *p += minus ? 1 : 0;
    bool good = gmmu_scan_number(p, 10, value);
    *value = minus ? 0 - *value : *value;
    return good;
}
