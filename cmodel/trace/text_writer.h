// SPDX-License-Identifier: Apache-2.0
// text_writer.h: the writer of the text form of a walk trace.
#ifndef GMMU_TRACE_TEXT_WRITER_H
#define GMMU_TRACE_TEXT_WRITER_H

#include "trace/form_writer.h"

extern const gmmu_form_writer gmmu_text_writer;

#endif
