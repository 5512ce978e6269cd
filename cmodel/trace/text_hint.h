// SPDX-License-Identifier: Apache-2.0
// text_hint.h: hints in the text form, which are comments to a reader that does not know them
// (docs/reference/formats.md, "Hints").
#ifndef GMMU_TRACE_TEXT_HINT_H
#define GMMU_TRACE_TEXT_HINT_H

#include "trace/text_line.h"

// The line behind which lines with "#!" are hints.
#define GMMU_TEXT_HINTS "#!hints 1"

// Whether the line at P begins as one that declares hints, in whatever version.
bool gmmu_text_declares(const char *p);
// Parse the line at *AT: the declaration, or a hint. On success *AT is behind its line end; else
// *no says what is wrong.
bool gmmu_text_declaration(const gmmu_reader *r, const char **at, refusal *no);
bool gmmu_text_hint(const gmmu_reader *r, const char **at, gmmu_hint *hint, refusal *no);

#endif
