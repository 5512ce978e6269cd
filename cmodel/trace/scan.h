// SPDX-License-Identifier: Apache-2.0
// scan.h: the words and numbers of a line, from left to right. The line ends at a 0.
#ifndef GMMU_TRACE_SCAN_H
#define GMMU_TRACE_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Moves *p behind blanks and tabs.
void gmmu_scan_blanks(const char **p);
// Reads the digits of a number in BASE 10 or 16, without 0x, and moves *p behind. False: no number.
bool gmmu_scan_digits(const char **p, unsigned base, uint64_t *value);
// Takes the next word and its length; NULL: no word is left.
const char *gmmu_scan_word(const char **p, size_t *length);
// Cuts LINE into its words, at blanks and tabs: WORDS gets at most MOST. Returns their number.
size_t gmmu_scan_split(char *line, char **words, size_t most);
// Takes a word that is a number in BASE; with BASE 16 the word may have 0x. False: no such word.
bool gmmu_scan_number(const char **p, unsigned base, uint64_t *value);
// Takes a word that is a decimal number with a sign. False: no such word.
bool gmmu_scan_signed(const char **p, uint64_t *value);
// Reads the whole of TEXT as a number up to MOST, decimal or 0x hexadecimal. False: no such number.
bool gmmu_scan_whole(const char *text, uint64_t most, uint64_t *value);

// In a function with const char *p and refusal *no that returns a bool: goes over blanks, and
// returns false, with *no filled, unless CONDITION is true there.
#define NEED(condition, what)  \
    do {                       \
        gmmu_scan_blanks(&p);  \
        no->at = p;            \
        no->expected = (what); \
        if (!(condition)) {    \
            return false;      \
        }                      \
    } while (0)

#endif
