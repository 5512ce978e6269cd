// SPDX-License-Identifier: Apache-2.0
// file.h: a file of our own in a program that may close all descriptors and open its own.
#ifndef GMMU_BLAS_FILE_H
#define GMMU_BLAS_FILE_H

#include <stdio.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    int descriptor;
    dev_t device;  // which file it was at first
    ino_t inode;
} gmmu_blas_file;

// Opens NAME, emptied, or, if another process writes it, NAME.PROCESS, which NAME then is; SIZE is
// NAME's room. A high descriptor; -1: errno says why.
int gmmu_blas_file_own(char *name, size_t size, long process);
// The same as a stream, a write a line; its close closes F. A descriptor that is another file by
// now is not written to: EBADF. NULL: errno says why.
FILE *gmmu_blas_file_open(gmmu_blas_file *f, char *name, size_t size, long process);

#ifdef __cplusplus
}
#endif
#endif
