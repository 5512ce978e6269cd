// SPDX-License-Identifier: Apache-2.0
// gwt_writer.h: the writer of the binary form of a walk trace.
#ifndef GMMU_TRACE_GWT_WRITER_H
#define GMMU_TRACE_GWT_WRITER_H

#include "trace/form_writer.h"

extern const gmmu_form_writer gmmu_gwt_writer;

#endif
