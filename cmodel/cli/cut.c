// SPDX-License-Identifier: Apache-2.0
// cut.c: see cut.h.
#include "cli/cut.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "run/source.h"

void cut_say(const char *command, const char *name) {
    (void)fprintf(stderr, "%s: " GMMU_SOURCE_CUT "\n", command, name);
}

void cut_look(const char *command, const char *path, const char *name) {
    const bool standard = strcmp(path, "-") == 0;
    struct stat status;
    // no open of a FIFO, which would wait for its writer
    if (!standard && (stat(path, &status) != 0 || !S_ISREG(status.st_mode))) {
        return;
    }
    const int fd = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    char last = '\n';
    if (fd >= 0 && fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_size != 0 &&
        pread(fd, &last, 1, status.st_size - 1) == 1 && last != '\n') {
        cut_say(command, standard ? name : path);
    }
    if (fd >= 0 && !standard) {
        (void)close(fd);
    }
}
