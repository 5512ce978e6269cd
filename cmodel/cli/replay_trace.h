// SPDX-License-Identifier: Apache-2.0
// replay_trace.h: the replays of one trace: each policy at each memory size.
#ifndef GMMU_CLI_REPLAY_TRACE_H
#define GMMU_CLI_REPLAY_TRACE_H

#include "cli/replay_request.h"
#include "cli/replay_rows.h"

// Replays the trace at PATH and prints its rows. *LOST becomes true if a policy could not go on,
// which costs its row and is said. False and *err: the trace has no rows.
bool replay_trace(const replay_request *o, const char *path, replay_rows *rows, bool *lost,
                  gmmu_error *err);

#endif
