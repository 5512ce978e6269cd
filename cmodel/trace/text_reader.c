// SPDX-License-Identifier: Apache-2.0
// text_reader.c: reads the text form of a walk trace (docs/formats.md, "Walk trace").
//
// A record is parsed straight from the read buffer, which is refilled whenever less than one
// longest line is left in it. Only when that fails is the line looked at again, to say what was
// found and what was expected.
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gmmu/trace.h"

enum { BUFFER = 1 << 20, MAX_LINE = 4096, MIN_SHIFT = 9, MAX_SHIFT = 30 };

static const char header_form[] = "\"# gmmu-walk 1 page_shift=12\"";

struct gmmu_reader {
    int fd;
    bool ended;  // everything has been read into the buffer
    unsigned page_shift;
    uint64_t line;         // of the record read last
    uint64_t read, total;  // bytes
    const char *at, *end;  // what is left in the buffer; *end is 0
    char *name;
    char buffer[BUFFER + 1];
};

// Why a record was refused.
typedef enum { FINE, WRONG, TOO_LARGE, TRAILING } verdict;

typedef struct {
    verdict why;
    const char *at;        // the field's first character
    const char *expected;  // its name and form
} refusal;

// Copies FROM to TO with control characters and those of LIMIT or more escaped, and "…" where it
// was cut.
static void printable(char *to, size_t size, const char *from, size_t length, unsigned limit) {
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

// Puts "FILE: " or, if LINE is not 0, "FILE:LINE: " into *err; returns its length.
static size_t put_place(gmmu_error *err, const char *name, uint64_t line) {
    char shown[160];
    printable(shown, sizeof shown, name, strlen(name), 0x100);
    int n = line == 0 ? snprintf(err->text, sizeof err->text, "%s: ", shown)
                      : snprintf(err->text, sizeof err->text, "%s:%llu: ", shown,
                                 (unsigned long long)line);
    return (size_t)n;
}

// Sets *err to the place and a printf-like message. (A macro: clang-tidy 14 takes every va_list
// for uninitialised when it checks several files in one run.)
#define FAIL(err, name, line, ...)                                                   \
    do {                                                                             \
        size_t used_ = put_place((err), (name), (line));                             \
        (void)snprintf((err)->text + used_, sizeof(err)->text - used_, __VA_ARGS__); \
    } while (0)

// Moves what is left to the front and reads until the buffer is full or the input ends.
static bool refill(gmmu_reader *r, gmmu_error *err) {
    size_t left = (size_t)(r->end - r->at);
    memmove(r->buffer, r->at, left);
    while (left < BUFFER) {
        ssize_t got = read(r->fd, r->buffer + left, BUFFER - left);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got < 0) {
            FAIL(err, r->name, 0, "found a read error (%s), expected a walk trace",
                 strerror(errno));
            return false;
        }
        if (got == 0) {
            r->ended = true;
            break;
        }
        left += (size_t)got;
        r->read += (uint64_t)got;
        if (left > MAX_LINE + 2) {
            break;  // a pipe delivers what it has: do not wait for more
        }
    }
    r->at = r->buffer;
    r->end = r->buffer + left;
    r->buffer[left] = '\0';
    return true;
}

// Makes the whole next line, if it is no longer than MAX_LINE, lie in the buffer.
static inline bool ready(gmmu_reader *r, gmmu_error *err) {
    return r->end - r->at > MAX_LINE + 2 || r->ended || refill(r, err);
}

// A number in decimal or 0x hex, no larger than MOST. Leaves *at behind it.
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

// Takes a line's end ("\n", "\r\n" or the end of the input) off *at.
static inline bool line_end(const gmmu_reader *r, const char **at) {
    const char *p = *at;
    p += *p == '\r' ? 1 : 0;
    if (*p == '\n') {
        *at = p + 1;
        return true;
    }
    if (p == r->end && r->ended) {
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
static bool missing(const gmmu_reader *r, const char *p, const char *next, refusal *no) {
    const char *at = p;
    if (line_end(r, &at)) {
        no->at = p;
        no->expected = next;
    }
    return false;
}

// Parses a record. On success *at is behind its line end; else *no says what is wrong.
static inline bool record(const gmmu_reader *r, const char **at, gmmu_walk *walk, refusal *no) {
    const char *p = *at;
    uint64_t sm = 0;
    uint64_t asid = 0;
    walk->time = 0;
    FIELD("vpn, a number below 2^64", UINT64_MAX, walk->vpn);
    if (*p != ',') {
        return missing(r, p, "a comma and ref", no);
    }
    p++;
    FIELD("ref, a number below 2^64", UINT64_MAX, walk->ref);
    if (*p != ',') {
        return missing(r, p, "a comma and rw", no);
    }
    no->at = ++p;
    no->expected = "rw, r or w";
    if (*p != 'r' && *p != 'w') {
        return false;
    }
    walk->write = *p++ == 'w';
    if (*p == ',') {
        p++;
        FIELD("sm, a number below 2^32", UINT32_MAX, sm);
    }
    if (*p == ',') {
        p++;
        FIELD("asid, a number below 2^32", UINT32_MAX, asid);
    }
    if (*p == ',') {
        p++;
        FIELD("time, a number below 2^64", UINT64_MAX, walk->time);
        if (*p == ',') {
            no->at = p + 1;
            no->expected = "the end of the line, after at most 6 fields";
            no->why = TRAILING;
            return false;
        }
    }
    walk->sm = (uint32_t)sm;
    walk->asid = (uint32_t)asid;
    *at = p;
    return line_end(r, at);
}

// The number of characters from AT up to the line's end, at most MAX_LINE + 2.
static size_t rest_of_line(const gmmu_reader *r, const char *at) {
    size_t left = (size_t)(r->end - at);
    left = left > MAX_LINE + 2 ? MAX_LINE + 2 : left;
    const char *newline = memchr(at, '\n', left);
    size_t length = newline != NULL ? (size_t)(newline - at) : left;
    return newline != NULL && length > 0 && at[length - 1] == '\r' ? length - 1 : length;
}

static int refuse(const gmmu_reader *r, const refusal *no, gmmu_error *err) {
    size_t length = rest_of_line(r, r->at);
    if (length > MAX_LINE) {
        FAIL(err, r->name, r->line, "found a line of more than %d bytes, expected a walk record",
             MAX_LINE);
        return GMMU_BAD;
    }
    size_t rest = rest_of_line(r, no->at);
    const char *comma = no->why == TRAILING ? NULL : memchr(no->at, ',', rest);
    size_t found = comma != NULL ? (size_t)(comma - no->at) : rest;
    char shown[60];
    printable(shown, sizeof shown, no->at, found, 0x80);
    if (rest == 0) {
        FAIL(err, r->name, r->line, "found the end of the line, expected %s", no->expected);
    } else {
        FAIL(err, r->name, r->line, "found \"%s\", expected %s", shown, no->expected);
    }
    return GMMU_BAD;
}

// Skips a comment or a blank line: true if there was one. *at is then behind it.
static bool skip_line(const gmmu_reader *r, const char **at) {
    const char *p = *at;
    size_t length = rest_of_line(r, p);
    if (length > MAX_LINE || (*p == '#' && memchr(p, '\0', length) != NULL)) {
        return false;
    }
    if (*p == '#') {
        p += length;
    } else {
        p += strspn(p, " \t");
    }
    *at = p;
    return line_end(r, at);
}

int gmmu_reader_next(gmmu_reader *r, gmmu_walk *walk, gmmu_error *err) {
    for (;;) {
        if (!ready(r, err)) {
            return GMMU_BAD;
        }
        const char *at = r->at;
        if (at == r->end) {
            return GMMU_END;
        }
        r->line++;
        refusal no = {.why = WRONG};
        if (record(r, &at, walk, &no) &&
            (at - r->at <= MAX_LINE || rest_of_line(r, r->at) <= MAX_LINE)) {
            r->at = at;
            return GMMU_OK;
        }
        at = r->at;
        if (!skip_line(r, &at)) {
            if (*r->at == '#') {
                no = (refusal){.why = TRAILING, .at = r->at, .expected = "a comment without NUL"};
            }
            return refuse(r, &no, err);
        }
        r->at = at;
    }
}

// Reads the header line.
static bool header(gmmu_reader *r, gmmu_error *err) {
    static const char form[] = "# gmmu-walk ";
    static const char key[] = " page_shift=";
    if (!ready(r, err)) {
        return false;
    }
    if (r->at == r->end) {
        FAIL(err, r->name, 1, "found the end of the file, expected %s", header_form);
        return false;
    }
    r->line = 1;
    size_t length = rest_of_line(r, r->at);
    char shown[80];
    printable(shown, sizeof shown, r->at, length, 0x80);
    const char *p = r->at;
    uint64_t version = 0;
    uint64_t shift = 0;
    if (length > MAX_LINE || strncmp(p, form, sizeof form - 1) != 0) {
        FAIL(err, r->name, 1, "found \"%s\", expected %s", shown, header_form);
        return false;
    }
    p += sizeof form - 1;
    if (number(&p, UINT32_MAX, &version) != FINE || version != 1) {
        FAIL(err, r->name, 1, "found \"%s\", expected format version 1", shown);
        return false;
    }
    if (strncmp(p, key, sizeof key - 1) != 0) {
        FAIL(err, r->name, 1, "found \"%s\", expected %s", shown, header_form);
        return false;
    }
    p += sizeof key - 1;
    if (number(&p, MAX_SHIFT, &shift) != FINE || shift < MIN_SHIFT || !line_end(r, &p)) {
        FAIL(err, r->name, 1, "found \"%s\", expected a page_shift of %d to %d at the line's end",
             shown, MIN_SHIFT, MAX_SHIFT);
        return false;
    }
    r->page_shift = (unsigned)shift;
    r->at = p;
    return true;
}

// Opens PATH and fills in the rest; false and *err on failure.
static bool open_file(gmmu_reader *r, const char *path, gmmu_error *err) {
    bool standard = strcmp(path, "-") == 0;
    r->fd = -1;
    r->at = r->end = r->buffer;
    r->name = strdup(standard ? "<stdin>" : path);
    if (r->name == NULL) {
        FAIL(err, path, 0, "out of memory");
        return false;
    }
    r->fd = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    struct stat status;
    if (r->fd < 0 || fstat(r->fd, &status) != 0) {
        FAIL(err, r->name, 0, "found no readable file (%s), expected a walk trace",
             strerror(errno));
        return false;
    }
    if (S_ISDIR(status.st_mode)) {
        FAIL(err, r->name, 0, "found a directory, expected a walk trace");
        return false;
    }
    r->total = S_ISREG(status.st_mode) ? (uint64_t)status.st_size : 0;
    return header(r, err);
}

gmmu_reader *gmmu_reader_open(const char *path, gmmu_error *err) {
    gmmu_reader *r = malloc(sizeof *r);
    if (r == NULL) {
        FAIL(err, path, 0, "out of memory");
        return NULL;
    }
    memset(r, 0, offsetof(gmmu_reader, buffer) + 1);
    if (!open_file(r, path, err)) {
        gmmu_reader_close(r);
        return NULL;
    }
    return r;
}

unsigned gmmu_reader_page_shift(const gmmu_reader *r) {
    return r->page_shift;
}

uint64_t gmmu_reader_line(const gmmu_reader *r) {
    return r->line;
}

void gmmu_reader_progress(const gmmu_reader *r, uint64_t *done, uint64_t *total) {
    *done = r->read - (uint64_t)(r->end - r->at);
    *total = r->total;
}

void gmmu_reader_close(gmmu_reader *r) {
    if (r != NULL) {
        if (r->fd > STDIN_FILENO) {
            (void)close(r->fd);
        }
        free(r->name);
        free(r);
    }
}
