// SPDX-License-Identifier: Apache-2.0
// text_writer.c: writes the text form of a walk trace (docs/formats.md, "Walk trace").
//
// Page numbers and references are written in hexadecimal, as they are read everywhere else.
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gmmu/trace.h"

// A record's longest form is well below RECORD; a comment line is broken before COMMENT bytes.
enum { BUFFER = 1 << 18, RECORD = 128, COMMENT = 1000, MIN_SHIFT = 9, MAX_SHIFT = 30 };

struct gmmu_writer {
    int fd;
    size_t used;
    char *name;
    char buffer[BUFFER];
};

static int fail(gmmu_error *err, const char *name, const char *what) {
    (void)snprintf(err->text, sizeof err->text, "%.200s: %s, expected a file to write to", name,
                   what);
    return GMMU_BAD;
}

static int flush(gmmu_writer *w, gmmu_error *err) {
    size_t done = 0;
    while (done < w->used) {
        ssize_t n = write(w->fd, w->buffer + done, w->used - done);
        if (n < 0 && errno != EINTR) {
            w->used = 0;  // what could not be written is not tried again
            return fail(err, w->name, strerror(errno));
        }
        done += n < 0 ? 0 : (size_t)n;
    }
    w->used = 0;
    return GMMU_OK;
}

static void put_text(gmmu_writer *w, const char *text, size_t length) {
    memcpy(w->buffer + w->used, text, length);
    w->used += length;
}

static void put_number(gmmu_writer *w, uint64_t value, unsigned base) {
    char digits[24];
    size_t at = sizeof digits;
    do {
        digits[--at] = "0123456789abcdef"[value % base];
        value /= base;
    } while (value != 0);
    if (base == 16) {
        digits[--at] = 'x';
        digits[--at] = '0';
    }
    put_text(w, digits + at, sizeof digits - at);
}

static int put_comment(gmmu_writer *w, const char *comment, gmmu_error *err) {
    while (*comment != '\0') {
        if (w->used + COMMENT + RECORD > BUFFER && flush(w, err) != GMMU_OK) {
            return GMMU_BAD;
        }
        size_t length = strcspn(comment, "\r\n");
        length = length > COMMENT ? COMMENT : length;
        put_text(w, "# ", 2);
        put_text(w, comment, length);
        put_text(w, "\n", 1);
        comment += length;
        comment += *comment == '\r' ? 1 : 0;
        comment += *comment == '\n' ? 1 : 0;
    }
    return GMMU_OK;
}

gmmu_writer *gmmu_writer_open(const char *path, unsigned page_shift, const char *comment,
                              gmmu_error *err) {
    if (page_shift < MIN_SHIFT || page_shift > MAX_SHIFT) {
        (void)snprintf(err->text, sizeof err->text,
                       "%.200s: found page_shift %u, expected %d to %d", path, page_shift,
                       MIN_SHIFT, MAX_SHIFT);
        return NULL;
    }
    bool standard = strcmp(path, "-") == 0;
    gmmu_writer *w = malloc(sizeof *w);
    char *name = strdup(standard ? "<stdout>" : path);
    int fd = standard ? STDOUT_FILENO : open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (w == NULL || name == NULL || fd < 0) {
        (void)fail(err, path, fd < 0 ? strerror(errno) : "out of memory");
        if (fd > STDERR_FILENO) {
            (void)close(fd);
        }
        free(w);
        free(name);
        return NULL;
    }
    w->fd = fd;
    w->name = name;
    w->used = (size_t)snprintf(w->buffer, BUFFER, "# gmmu-walk 1 page_shift=%u\n", page_shift);
    if (comment != NULL && put_comment(w, comment, err) != GMMU_OK) {
        gmmu_error ignored;
        (void)gmmu_writer_close(w, &ignored);
        return NULL;
    }
    return w;
}

int gmmu_writer_put(gmmu_writer *w, const gmmu_walk *walk, gmmu_error *err) {
    if (w->used + RECORD > BUFFER && flush(w, err) != GMMU_OK) {
        return GMMU_BAD;
    }
    put_number(w, walk->vpn, 16);
    put_text(w, ",", 1);
    put_number(w, walk->ref, 16);
    put_text(w, walk->write ? ",w" : ",r", 2);
    if (walk->sm != 0 || walk->asid != 0 || walk->time != 0) {
        put_text(w, ",", 1);
        put_number(w, walk->sm, 10);
    }
    if (walk->asid != 0 || walk->time != 0) {
        put_text(w, ",", 1);
        put_number(w, walk->asid, 10);
    }
    if (walk->time != 0) {
        put_text(w, ",", 1);
        put_number(w, walk->time, 10);
    }
    put_text(w, "\n", 1);
    return GMMU_OK;
}

int gmmu_writer_close(gmmu_writer *w, gmmu_error *err) {
    int status = flush(w, err);
    if (w->fd > STDERR_FILENO && close(w->fd) != 0 && status == GMMU_OK) {
        status = fail(err, w->name, strerror(errno));
    }
    free(w->name);
    free(w);
    return status;
}
