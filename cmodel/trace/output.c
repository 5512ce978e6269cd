// SPDX-License-Identifier: Apache-2.0
// output.c: see output.h.
#include "trace/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int gmmu_output_fail(gmmu_error *err, const char *name, const char *what) {
    (void)snprintf(err->text, sizeof err->text, "%.200s: %s, expected a file to write to", name,
                   what);
    return GMMU_BAD;
}

int gmmu_output_open(gmmu_output *o, const char *path, gmmu_error *err) {
    bool standard = strcmp(path, "-") == 0;
    o->name = strdup(standard ? "<stdout>" : path);
    if (o->name == NULL) {
        return gmmu_output_fail(err, path, "out of memory");
    }
    o->fd = standard ? STDOUT_FILENO : open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (o->fd < 0) {
        free(o->name);
        return gmmu_output_fail(err, path, strerror(errno));
    }
    return GMMU_OK;
}

static int write_out(gmmu_output *o, const char *from, size_t size, gmmu_error *err) {
    size_t done = 0;
    while (done < size && !o->failed) {
        ssize_t n = write(o->fd, from + done, size - done);
        if (n < 0 && errno != EINTR) {
            o->failed = true;
            return gmmu_output_fail(err, o->name, strerror(errno));
        }
        done += n < 0 ? 0 : (size_t)n;
    }
    o->written += done;
    return o->failed ? gmmu_output_fail(err, o->name, "an earlier write failed") : GMMU_OK;
}

int gmmu_output_flush(gmmu_output *o, gmmu_error *err) {
    int status = write_out(o, o->buffer, o->used, err);
    o->used = 0;
    return status;
}

int gmmu_output_bytes(gmmu_output *o, const void *from, size_t size, gmmu_error *err) {
    if (o->used + size > WRITE_BUFFER && gmmu_output_flush(o, err) != GMMU_OK) {
        return GMMU_BAD;
    }
    if (size > WRITE_BUFFER) {
        return write_out(o, from, size, err);
    }
    if (size != 0) {
        memcpy(o->buffer + o->used, from, size);
        o->used += size;
    }
    return GMMU_OK;
}

static bool is_file(const gmmu_output *o) {
    struct stat status;
    return o->fd > STDERR_FILENO && fstat(o->fd, &status) == 0 && S_ISREG(status.st_mode);
}

int gmmu_output_over(gmmu_output *o, const void *from, size_t size, gmmu_error *err) {
    if (!is_file(o)) {
        return GMMU_OK;
    }
    ssize_t n = 0;
    do {
        n = pwrite(o->fd, from, size, 0);
    } while (n < 0 && errno == EINTR);
    return n == (ssize_t)size
               ? GMMU_OK
               : gmmu_output_fail(err, o->name, n < 0 ? strerror(errno) : "disk full");
}

int gmmu_output_close(gmmu_output *o, int status, gmmu_error *err) {
    if (o->fd > STDERR_FILENO && close(o->fd) != 0 && status == GMMU_OK) {
        status = gmmu_output_fail(err, o->name, strerror(errno));
    }
    free(o->name);
    return status;
}

void gmmu_output_discard(gmmu_output *o, const char *path) {
    gmmu_error ignored;
    if (is_file(o)) {
        (void)unlink(path);  // an empty file is no trace
    }
    (void)gmmu_output_close(o, GMMU_BAD, &ignored);
}
