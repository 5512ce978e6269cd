// SPDX-License-Identifier: Apache-2.0
// writer.c: creates the file of a trace of either form and writes it out.
#include "trace/writer.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MIN_SHIFT = 9, MAX_SHIFT = 30 };

int gmmu_writer_fail(gmmu_error *err, const char *name, const char *what) {
    (void)snprintf(err->text, sizeof err->text, "%.200s: %s, expected a file to write to", name,
                   what);
    return GMMU_BAD;
}

static int write_out(gmmu_writer *w, const char *from, size_t size, gmmu_error *err) {
    size_t done = 0;
    while (done < size && !w->failed) {
        ssize_t n = write(w->fd, from + done, size - done);
        if (n < 0 && errno != EINTR) {
            w->failed = true;
            return gmmu_writer_fail(err, w->name, strerror(errno));
        }
        done += n < 0 ? 0 : (size_t)n;
    }
    w->written += done;
    return w->failed ? gmmu_writer_fail(err, w->name, "an earlier write failed") : GMMU_OK;
}

int gmmu_writer_flush(gmmu_writer *w, gmmu_error *err) {
    int status = write_out(w, w->buffer, w->used, err);
    w->used = 0;
    return status;
}

int gmmu_writer_bytes(gmmu_writer *w, const void *from, size_t size, gmmu_error *err) {
    if (w->used + size > WRITE_BUFFER && gmmu_writer_flush(w, err) != GMMU_OK) {
        return GMMU_BAD;
    }
    if (size > WRITE_BUFFER) {
        return write_out(w, from, size, err);
    }
    if (size != 0) {
        memcpy(w->buffer + w->used, from, size);
        w->used += size;
    }
    return GMMU_OK;
}

static void dispose(gmmu_writer *w) {
    gmmu_gwt_writer_free(w->gwt);
    free(w->name);
    free(w);
}

gmmu_form gmmu_form_of_path(const char *path) {
    size_t length = strlen(path);
    bool gwt = length > 4 && strcmp(path + length - 4, ".gwt") == 0;
    return gwt ? GMMU_FORM_GWT : GMMU_FORM_TEXT;
}

gmmu_writer *gmmu_writer_open_as(const char *path, gmmu_form form, const gmmu_about *about,
                                 gmmu_error *err) {
    if (about->page_shift < MIN_SHIFT || about->page_shift > MAX_SHIFT) {
        (void)snprintf(err->text, sizeof err->text,
                       "%.200s: found page_shift %u, expected %d to %d", path, about->page_shift,
                       MIN_SHIFT, MAX_SHIFT);
        return NULL;
    }
    if (form != GMMU_FORM_TEXT && form != GMMU_FORM_GWT) {
        form = gmmu_form_of_path(path);
    }
    bool standard = strcmp(path, "-") == 0;
    gmmu_writer *w = malloc(sizeof *w);
    char *name = strdup(standard ? "<stdout>" : path);
    bool memory = w != NULL && name != NULL;
    int fd = STDOUT_FILENO;
    if (memory && !standard) {
        fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    }
    if (!memory || fd < 0) {
        (void)gmmu_writer_fail(err, path, memory ? strerror(errno) : "out of memory");
        free(w);
        free(name);
        return NULL;
    }
    memset(w, 0, offsetof(gmmu_writer, buffer));
    w->fd = fd;
    w->name = name;
    int status =
        form == GMMU_FORM_GWT ? gmmu_gwt_start(w, about, err) : gmmu_text_start(w, about, err);
    if (status != GMMU_OK) {
        struct stat kind;
        if (fd > STDERR_FILENO) {
            // an empty file is no trace
            if (fstat(fd, &kind) == 0 && S_ISREG(kind.st_mode)) {
                (void)unlink(path);
            }
            (void)close(fd);
        }
        dispose(w);
        return NULL;
    }
    return w;
}

gmmu_writer *gmmu_writer_open(const char *path, unsigned page_shift, const char *comment,
                              gmmu_error *err) {
    gmmu_about about = {.page_shift = page_shift, .comment = comment};
    return gmmu_writer_open_as(path, GMMU_FORM_AUTO, &about, err);
}

int gmmu_writer_put(gmmu_writer *w, const gmmu_walk *walk, gmmu_error *err) {
    return w->gwt != NULL ? gmmu_gwt_put(w, walk, err) : gmmu_text_put(w, walk, err);
}

int gmmu_writer_close(gmmu_writer *w, gmmu_error *err) {
    int status = w->gwt != NULL ? gmmu_gwt_finish(w, err) : gmmu_writer_flush(w, err);
    if (w->fd > STDERR_FILENO && close(w->fd) != 0 && status == GMMU_OK) {
        status = gmmu_writer_fail(err, w->name, strerror(errno));
    }
    dispose(w);
    return status;
}
