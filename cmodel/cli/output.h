// SPDX-License-Identifier: Apache-2.0
// output.h: what the subcommands share when they print.
#ifndef GMMU_CLI_OUTPUT_H
#define GMMU_CLI_OUTPUT_H

#include <jansson.h>
#include <stdint.h>

// Prints a field of a CSV line, quoted if it must be (RFC 4180).
void output_csv(const char *text);
// Before the first of the others: what runs out of memory then ends the program with status 2.
void output_start(void);
// TEXT as a JSON string; in text that is not UTF-8, bytes above 0x7f become '?'.
json_t *output_text(const char *text);
// Sets a member to a number, or to "0x…" (which keeps all 64 bits).
void output_number(json_t *object, const char *key, uint64_t value);
void output_hex(json_t *object, const char *key, uint64_t value);
// Prints VALUE to standard output and gives it back.
void output_json(json_t *value);

#endif
