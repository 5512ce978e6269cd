// SPDX-License-Identifier: Apache-2.0
// parse.h: the values of options: numbers and formats.
#ifndef GMMU_CLI_PARSE_H
#define GMMU_CLI_PARSE_H

#include "cli/table.h"
#include "gmmu/trace.h"

// A whole number from 1 on.
bool parse_count(const char *option, const char *text, uint64_t *value, gmmu_error *err);
// A count from LEAST to MOST.
bool parse_upto(const char *option, const char *text, uint64_t least, uint64_t most,
                uint64_t *value, gmmu_error *err);
// The size of a page in bytes, as 4096, 64K, 64KiB or 2M: a power of two, whose log2 is *SHIFT.
bool parse_page(const char *option, const char *text, unsigned *shift, gmmu_error *err);
// A number from 0 on, also in hexadecimal behind 0x; false without a word. Zeros before a number
// mean nothing.
bool parse_number(const char *text, uint64_t *value);
// One of the formats in the mask ALLOWED, in which table and json are.
bool parse_format(const char *name, unsigned allowed, output_format *format, gmmu_error *err);
// As many threads as there are cores, at least 1 and at most MOST.
unsigned core_count(unsigned most);

#endif
