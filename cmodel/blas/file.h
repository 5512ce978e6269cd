// SPDX-License-Identifier: Apache-2.0
// file.h: a file of the drop-in in a program that may close all descriptors and open its own.
#ifndef GMMU_BLAS_FILE_H
#define GMMU_BLAS_FILE_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    int descriptor;
    dev_t device;  // identity of the file at first
    ino_t inode;
} gmmu_blas_file;

// Opens NAME to append to it, and waits until nobody else does, a second at most: reports of
// several processes are one after the other. -1: errno says why.
int gmmu_blas_file_append(const char *name);
// Writes the N bytes of TEXT to FD. No signal comes of it: SIGPIPE and SIGXFSZ would end the
// program. False: errno says why; a part may be written.
bool gmmu_blas_file_write(int fd, const char *text, size_t n);
// Opens NAME and empties the file, as a stream with one write for each line. If another process
// writes NAME, the file is NAME.PROCESS, and NAME becomes that name; SIZE is the room of NAME.
// Closing the stream closes F. A descriptor that is another file by now is not written to: EBADF.
// NULL: errno says why.
FILE *gmmu_blas_file_open(gmmu_blas_file *f, char *name, size_t size, long process);

#ifdef __cplusplus
}
#endif
#endif
