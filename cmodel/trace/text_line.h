// SPDX-License-Identifier: Apache-2.0
// text_line.h: the fields of a line of the text form, from left to right.
#ifndef GMMU_TRACE_TEXT_LINE_H
#define GMMU_TRACE_TEXT_LINE_H

#include <stdbool.h>
#include <stdint.h>

#include "trace/form.h"

// The reason why a record was refused.
typedef enum { FINE, WRONG, TOO_LARGE, TRAILING } verdict;

typedef struct {
    verdict why;
    const char *at;        // the field's first character
    const char *expected;  // the field's name and form
} refusal;

// Reads a number up to MOST, decimal or 0x hexadecimal, and moves *at behind.
static inline verdict number(const char **at, uint64_t most, uint64_t *value) {
    const char *p = *at;
    uint64_t v = 0;
    bool large = false;
    if (p[0] == '0' && (p[1] | 0x20) == 'x') {
        p += 2;
        const char *first = p;
        for (;; p++) {
            unsigned d = (unsigned)*p - '0';
            unsigned a = ((unsigned)*p | 0x20U) - 'a';
            if (d > 9) {
                if (a > 5) {
                    break;
                }
                d = a + 10;
            }
            large |= v >> 60 != 0;
            v = v << 4 | d;
        }
        if (p == first) {
            return WRONG;
        }
    } else {
        unsigned d = (unsigned)*p - '0';
        if (d > 9) {
            return WRONG;
        }
        do {
            large |= v > UINT64_MAX / 10 || (v == UINT64_MAX / 10 && d > UINT64_MAX % 10);
            v = v * 10 + d;
            d = (unsigned)*++p - '0';
        } while (d <= 9);
    }
    *at = p;
    *value = v;
    return large || v > most ? TOO_LARGE : FINE;
}

// Takes a line's end ("\n", "\r\n" or the end of the input), and blanks before it, off *at.
static inline bool line_end(const gmmu_reader *r, const char **at) {
    const char *p = *at;
    while (*p == ' ' || *p == '\t') {
        p++;
    }
    p += *p == '\r' ? 1 : 0;
    if (*p == '\n') {
        *at = p + 1;
        return true;
    }
    if (p == r->in.end && r->in.ended) {
        *at = p;
        return true;
    }
    return false;
}

#define FIELD(form, most, value)              \
    do {                                      \
        no->at = p;                           \
        no->expected = form;                  \
        no->why = number(&p, most, &(value)); \
        if (no->why != FINE) {                \
            return false;                     \
        }                                     \
        no->why = WRONG;                      \
    } while (0)

// There is no comma at P. If the line ends there, the next field is what is missing; else the
// field before P is not what it should be.
static inline bool missing(const gmmu_reader *r, const char *p, const char *next, refusal *no) {
    const char *at = p;
    if (line_end(r, &at)) {
        no->at = p;
        no->expected = next;
    }
    return false;
}

#endif
