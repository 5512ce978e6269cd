// SPDX-License-Identifier: Apache-2.0
// message.h: messages about an input: "FILE:LINE: found X, expected Y", in one printable line.
#ifndef GMMU_TRACE_MESSAGE_H
#define GMMU_TRACE_MESSAGE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "gmmu/trace.h"

// Copies the LENGTH bytes of FROM to the SIZE bytes of TO. Control characters and characters of
// LIMIT or more are escaped; "…" marks a cut.
void gmmu_printable(char *to, size_t size, const char *from, size_t length, unsigned limit);
// Puts "FILE: " or, if LINE is not 0, "FILE:LINE: " into *err; returns its length.
size_t gmmu_place(gmmu_error *err, const char *name, uint64_t line);

// Sets *err to the place and a printf-like message. (A macro: clang-tidy 14 takes every va_list
// for uninitialised when it checks several files in one run.)
#define FAIL(err, name, line, ...)                                                   \
    do {                                                                             \
        size_t used_ = gmmu_place((err), (name), (line));                            \
        (void)snprintf((err)->text + used_, sizeof(err)->text - used_, __VA_ARGS__); \
    } while (0)

#endif
