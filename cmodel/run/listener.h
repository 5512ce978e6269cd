// SPDX-License-Identifier: Apache-2.0
// listener.h: who follows a long call.
#ifndef GMMU_RUN_LISTENER_H
#define GMMU_RUN_LISTENER_H

#include <stdbool.h>
#include <stdint.h>

typedef struct {
    uint64_t walks;        // read so far
    uint64_t done, total;  // bytes or walks of this reading; TOTAL 0: not known
    double seconds;        // since this reading began
} gmmu_progress;

// Each function may be NULL.
typedef struct {
    void *context;
    // A line for the user, without a newline.
    void (*say)(void *context, const char *text);
    // The progress of a reading, every fifth of a second; NULL: the reading has ended, or a message
    // comes.
    void (*progress)(void *context, const gmmu_progress *now);
    // True: the call shall end, as for an error whose text is "stopped". Asked for at least every
    // 1024 walks, from any of the threads.
    bool (*stop)(void *context);
    // Before and after the replays that take place on the calling thread alone
    // (gmmu_choice.alone).
    void (*enter)(void *context);
    void (*leave)(void *context);
} gmmu_listener;

#endif
