// SPDX-License-Identifier: Apache-2.0
// store.h: a folder of results, one file each, that several processes and machines share.
//
//   rows/KEY.json    a result; written elsewhere, synced and renamed, so that it is whole or absent
//   traces/KEY.json  what is known of a trace, the same way
//   claims/KEY       a process is at this result
//   workers/NAME/    a process: its claim, and the file that it writes
//
// A claim is a hard link to its process's file `claim`, which says host and process, and whose time
// of modification the process renews (gmmu_store_beat). A claim is stale when its process is known
// to be dead, or was not renewed for a lease; whoever finds a stale claim takes it over. Claims
// save work and protect nothing: two processes that make the same result write the same file.
#ifndef GMMU_SWEEP_STORE_H
#define GMMU_SWEEP_STORE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "gmmu/trace.h"

enum { GMMU_STORE_KEY = 33 };  // bytes of a key, with the 0 behind: hexadecimal digits

typedef struct gmmu_store gmmu_store;

typedef enum {
    GMMU_STORE_THERE,
    GMMU_STORE_MISSING,
    GMMU_STORE_CORRUPT,  // a file is there, but is not what gmmu_store_put wrote under this key
} gmmu_store_state;

typedef enum {
    GMMU_CLAIM_MINE,
    GMMU_CLAIM_OTHER,  // another process is at it
    GMMU_CLAIM_BAD,
} gmmu_claim;

// To read results alone. NULL and *err: no memory.
gmmu_store *gmmu_store_look(const char *folder, gmmu_error *err);
// To make results, too: makes the folder if it is not there. LEASE: seconds. Removes what dead
// processes left. NULL and *err on failure.
gmmu_store *gmmu_store_join(const char *folder, unsigned lease, gmmu_error *err);
// Gives claims back. After that other calls write nothing.
void gmmu_store_leave(gmmu_store *s);
void gmmu_store_free(gmmu_store *s);

// *OBJECT: what was put under KEY in PART, "rows" or "traces". *err: what is corrupt.
gmmu_store_state gmmu_store_get(const gmmu_store *s, const char *part, const char *key,
                                json_t **object, gmmu_error *err);
// Puts OBJECT under KEY, adding the members `key` and `check`. False and *err on failure: the file
// under KEY is as before.
bool gmmu_store_put(gmmu_store *s, const char *part, const char *key, json_t *object,
                    gmmu_error *err);

// Claims KEY. GMMU_CLAIM_BAD and *err: the folder cannot be written.
gmmu_claim gmmu_store_claim(gmmu_store *s, const char *key, gmmu_error *err);
void gmmu_store_release(gmmu_store *s, const char *key);
// Renews all claims of this process; at least once in a third of the lease.
void gmmu_store_beat(const gmmu_store *s);
// Who has a claim on KEY that is not stale, "HOST:PROCESS"; false: nobody. LEASE: seconds.
bool gmmu_store_claimed(const gmmu_store *s, const char *key, unsigned lease, char *who,
                        size_t size);

#endif
