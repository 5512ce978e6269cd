// SPDX-License-Identifier: Apache-2.0
// source_options.h: the trace that a subcommand reads, and how the command line says it is read.
#ifndef GMMU_CLI_SOURCE_OPTIONS_H
#define GMMU_CLI_SOURCE_OPTIONS_H

#include "run/source.h"

// Takes --from FORMAT, --page SIZE and the other options which every command that reads a trace has
// (gmmu --help) out of the command line into *FROM. False and *err on bad input.
bool source_options(int *argc, char **argv, gmmu_source_form *from, gmmu_error *err);

// As gmmu_source_open. COMMAND, e.g. "gmmu replay", begins what is said to standard error; where
// that is a terminal, progress is shown.
bool source_open(gmmu_source *s, const char *command, const char *path,
                 const gmmu_source_form *from, bool twice, gmmu_error *err);

#endif
