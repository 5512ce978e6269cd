// SPDX-License-Identifier: Apache-2.0
// cli.h: the subcommands of `gmmu`. Each takes its own argc and argv (argv[0] is its full name,
// e.g. "gmmu replay") and returns the exit status: 0 done, 1 a check failed, 2 usage or bad input.
#ifndef GMMU_CLI_H
#define GMMU_CLI_H

int cmd_replay(int argc, char **argv);
int cmd_sweep(int argc, char **argv);
int cmd_diff(int argc, char **argv);
int cmd_mrc(int argc, char **argv);
int cmd_trace(int argc, char **argv);
int cmd_explain(int argc, char **argv);
int cmd_record(int argc, char **argv);
int cmd_rdgc(int argc, char **argv);
int cmd_gen(int argc, char **argv);
int cmd_semcache(int argc, char **argv);
int cmd_fpga(int argc, char **argv);

#endif
