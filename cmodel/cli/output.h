// SPDX-License-Identifier: Apache-2.0
// output.h: what the subcommands share when they print.
#ifndef GMMU_CLI_OUTPUT_H
#define GMMU_CLI_OUTPUT_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gmmu/trace.h"

// Is PATH, which OPTION names, none of the COUNT files INPUTS, which a command still has to read?
// Of these, "-" is standard input, and NULL is none. False: *err says so.
bool output_is_new(const char *option, const char *path, const char *const *inputs, size_t count,
                   gmmu_error *err);
// From now on standard output is the new file PATH, unless PATH is "-". False and *err: the file
// cannot be written, or is one of INPUTS.
bool output_to(const char *path, const char *const *inputs, size_t count, gmmu_error *err);
// From now on PATH is a file that the command writes besides. NULL: no more.
void output_besides(const char *path);
// Removes the files of output_to and output_besides: no row or half a result is in them.
void output_discard(void);
// The name of standard output, for messages: the file's since output_to.
const char *output_name(void);

// Prints a field of a CSV line, quoted if it must be (RFC 4180).
void output_csv(const char *text);
// Before the first of the others: what runs out of memory then ends the program with status 2.
void output_start(void);
// COUNT things of SIZE bytes, all 0, for free(); without memory the program ends with status 2.
void *output_room(size_t count, size_t size);
// TEXT as a JSON string; in text that is not UTF-8, bytes above 0x7f become '?'.
json_t *output_text(const char *text);
// Sets a member to a number (from 2^63 on a real one), or to "0x…" (which keeps all 64 bits).
void output_number(json_t *object, const char *key, uint64_t value);
void output_hex(json_t *object, const char *key, uint64_t value);
// Prints VALUE to standard output and gives it back.
void output_json(json_t *value);

#endif
