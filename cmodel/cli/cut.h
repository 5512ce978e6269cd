// SPDX-License-Identifier: Apache-2.0
// cut.h: the note about a text whose last line has no newline.
#ifndef GMMU_CLI_CUT_H
#define GMMU_CLI_CUT_H

// Says on standard error that NAME, a text, may be cut.
void cut_say(const char *command, const char *name);
// The same if the text PATH, read to its end, has no newline there; "-" is standard input, called
// NAME. Only a regular file has an end that can be read again: nothing is said of a pipe.
void cut_look(const char *command, const char *path, const char *name);

#endif
