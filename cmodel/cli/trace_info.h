// SPDX-License-Identifier: Apache-2.0
// trace_info.h: `gmmu trace info`: what is in a walk trace.
#ifndef GMMU_CLI_TRACE_INFO_H
#define GMMU_CLI_TRACE_INFO_H

#include "cli/source_options.h"
#include "cli/table.h"

// The exit status.
int trace_info(const char *trace, const gmmu_source_form *from, output_format format);

#endif
