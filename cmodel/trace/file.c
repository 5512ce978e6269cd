// SPDX-License-Identifier: Apache-2.0
// file.c: see file.h.
#include "trace/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "trace/message.h"

bool gmmu_file_open(gmmu_file *f, const char *path, gmmu_error *err) {
    bool standard = strcmp(path, "-") == 0;
    *f = (gmmu_file){.fd = -1, .name = strdup(standard ? "<stdin>" : path)};
    if (f->name == NULL) {
        FAIL(err, path, 0, "out of memory");
        return false;
    }
    f->fd = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    struct stat status;
    if (f->fd < 0 || fstat(f->fd, &status) != 0) {
        FAIL(err, f->name, 0, "found no readable file (%s), expected a walk trace",
             strerror(errno));
        return false;
    }
    if (S_ISDIR(status.st_mode)) {
        FAIL(err, f->name, 0, "found a directory, expected a walk trace");
        return false;
    }
    f->size = S_ISREG(status.st_mode) ? (uint64_t)status.st_size : 0;
    return true;
}

ptrdiff_t gmmu_file_read(const gmmu_file *f, void *to, size_t size, gmmu_error *err) {
    ssize_t got = 0;
    do {
        got = read(f->fd, to, size);
    } while (got < 0 && errno == EINTR);
    if (got < 0) {
        FAIL(err, f->name, 0, "found a read error (%s), expected a walk trace", strerror(errno));
    }
    return got;
}

bool gmmu_file_goto(const gmmu_file *f, uint64_t offset, gmmu_error *err) {
    if (lseek(f->fd, (off_t)offset, SEEK_SET) < 0) {
        FAIL(err, f->name, 0, "found that byte %llu cannot be reached (%s), expected a file",
             (unsigned long long)offset, strerror(errno));
        return false;
    }
    return true;
}

void gmmu_file_close(gmmu_file *f) {
    if (f->fd > STDIN_FILENO) {
        (void)close(f->fd);
    }
    free(f->name);
}
