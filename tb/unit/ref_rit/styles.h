// SPDX-License-Identifier: Apache-2.0
// styles.h: how a run drives the block, and by how many cycles it may be late.
#ifndef GMMU_TB_REF_RIT_STYLES_H
#define GMMU_TB_REF_RIT_STYLES_H

#include <cstdint>

enum { LEARN, CLEAR, HALVE, REFRESH };
// From w2 to w9; from a record's pop to LEARN; from LEARN to its result; from REFRESH to its first
// count; from the state that a row operation is chosen in to its start.
enum {
    EXECUTE_CYCLES = 7,
    TAKE_CYCLES = 3,
    LEARN_CYCLES = 6,
    SNAP_CYCLES = 4,
    CHOICE_CYCLES = 2,
    // from the last pop to the start of the row operation that it made way for
    DRAIN_CYCLES = TAKE_CYCLES + LEARN_CYCLES + CHOICE_CYCLES
};
// What may pass before a row operation that is due starts: the records that go first, at worst each
// when the one before it is just counted, and the end of the row operation before.
enum { TURN = 16, START_BOUND = (TURN + 1) * (DRAIN_CYCLES + 1) + DRAIN_CYCLES + 4 };

// Executions in a row behind which a FLUSH takes the slot of the next.
enum { FLUSH_WAITS = 63 };

enum { WRAPS = 2000, GROWS, EVEN };

struct Style {
    unsigned execute = 0;         // permille of the cycles
    unsigned sets = 1, refs = 1;  // sets in play, references in each
    unsigned hot = 0;  // permille of the executions are of one reference; WRAPS, GROWS, EVEN: see
                       // wrapping(), growing(), even()
    unsigned rec0 = 0, rec1 = 0;  // permille of the cycles bring a record
    unsigned bins = 0;            // of the records: 0 all borders, else so many
    unsigned steady = 0;          // permille of the records are of one class
    unsigned tick = 0;            // permille of the walks
    unsigned ready = 0, calm = 0,
             hurry = 0;  // permille of the cycles; ready 0: about when an execution is at w9
    uint64_t cycles = 0;
    unsigned flush = 0;  // permille of the cycles in which none is under way order a flush
    unsigned look = 0;   // permille of the cycles; these are without an execution
};

#endif
