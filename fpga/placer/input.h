// SPDX-License-Identifier: Apache-2.0
// input: integers from a text file, any white space between the integers. What is wrong with the
// file ends the program with status 1 and a line that names file, line, record, found, expected.
#ifndef PLACER_INPUT_H
#define PLACER_INPUT_H

#include <stdarg.h>
#include <stdio.h>

typedef struct {
    FILE *file;
    const char *path;
    int line;
    const char *record;  // the kind of record that is read, with its number; -1: no number
    int index;
} input;

// A line "ERROR: ..." on standard error; status 1.
_Noreturn void fail(const char *format, ...) __attribute__((format(printf, 1, 2)));
void *allocate(size_t count, size_t size);  // zeroed; fails without memory

input input_open(const char *path);
void input_record(input *in, const char *record, int index);
// The next integer, from LOW to HIGH; WHAT names the integer in the error message.
int input_number(input *in, const char *what, int low, int high);
// The record that was read last is wrong as a whole.
_Noreturn void input_fail(const input *in, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void input_close(input *in);  // fails where the file goes on

// An integer of the command line
unsigned long long argument(const char *text, const char *what, unsigned long long low,
                            unsigned long long high);

FILE *output_open(const char *path);
void output_close(FILE *file, const char *path);  // fails where not all was written

#endif
