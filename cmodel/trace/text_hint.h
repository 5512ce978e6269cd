// SPDX-License-Identifier: Apache-2.0
// text_hint.h: hints in the text form; to a reader that does not know hints they are comments
// (docs/reference/formats.md, "Hints").
#ifndef GMMU_TRACE_TEXT_HINT_H
#define GMMU_TRACE_TEXT_HINT_H

#include "trace/text_line.h"

// The declaration: behind this line, lines with "#!" are hints.
#define GMMU_TEXT_HINTS "#!hints 1"

// True: the line at P begins as a declaration of hints, of any version.
bool gmmu_text_declares(const char *p);
// Read the line at *AT: the declaration, or a hint. True: *AT is behind the line's end. False: *no
// is the reason.
bool gmmu_text_declaration(const gmmu_reader *r, const char **at, refusal *no);
bool gmmu_text_hint(const gmmu_reader *r, const char **at, gmmu_hint *hint, refusal *no);

#endif
