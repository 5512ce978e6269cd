// SPDX-License-Identifier: Apache-2.0
// output.c: see output.h.
#include "trace/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PACKED_BUFFER = 1 << 16 };  // bytes that are compressed at once

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
    if (gmmu_pack_ending(path) != 0) {
        o->pack = gmmu_pack_create(path);
        if (o->pack == NULL) {
            gmmu_output_discard(o, path);
            return gmmu_output_fail(err, path, "out of memory");
        }
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
    return o->failed ? gmmu_output_fail(err, o->name, "an earlier write failed") : GMMU_OK;
}

// Compresses SIZE bytes and writes what comes of them; END: all of it.
static int pack_out(gmmu_output *o, const char *from, size_t size, bool end, gmmu_error *err) {
    char packed[PACKED_BUFFER];
    bool done = false;
    size_t made = 0;
    int status = GMMU_OK;
    while (status == GMMU_OK && (size != 0 || made == sizeof packed || (end && !done))) {
        if (!gmmu_pack_step(o->pack, &from, &size, end, packed, sizeof packed, &made, &done)) {
            o->failed = true;
            return gmmu_output_fail(err, o->name, "out of memory");
        }
        status = write_out(o, packed, made, err);
        if (done) {
            break;
        }
    }
    return status;
}

// Writes SIZE bytes of the trace.
static int put_out(gmmu_output *o, const char *from, size_t size, gmmu_error *err) {
    int status =
        o->pack == NULL ? write_out(o, from, size, err) : pack_out(o, from, size, false, err);
    o->written += size;
    return status;
}

int gmmu_output_flush(gmmu_output *o, gmmu_error *err) {
    int status = put_out(o, o->buffer, o->used, err);
    o->used = 0;
    return status;
}

int gmmu_output_bytes(gmmu_output *o, const void *from, size_t size, gmmu_error *err) {
    if (o->used + size > WRITE_BUFFER && gmmu_output_flush(o, err) != GMMU_OK) {
        return GMMU_BAD;
    }
    if (size > WRITE_BUFFER) {
        return put_out(o, from, size, err);
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
    if (o->pack != NULL || !is_file(o)) {
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
    if (o->pack != NULL && status == GMMU_OK && !o->failed) {
        status = pack_out(o, "", 0, true, err);
    }
    gmmu_pack_free(o->pack);
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
