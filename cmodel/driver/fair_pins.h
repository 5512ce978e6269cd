// SPDX-License-Identifier: Apache-2.0
// fair_pins.h: the pages of the SMs that refault most stay (docs/guide/fair_pins.md).
//
// A driver knows of which SM a fault is. A refault is a fault on a page that was in memory before.
// The driver pins the pages that came for the SMs with the most refaults. So victims are pages of
// the other SMs, and the SMs go on alike. The unit names the victims as ever, and hears PIN and
// UNPIN.
#ifndef GMMU_FAIR_PINS_H
#define GMMU_FAIR_PINS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { GMMU_FAIR_NONE = 0xFFFFFFFF };

typedef struct {
    uint32_t frames;  // number of frames, below 2^32 - 1
    uint32_t sms;     // number of SMs, or of TLBs, that faults name, at most 65536
    uint32_t behind;  // SMs whose pages are pinned, at most; fewer than SMS
    uint32_t most;    // pinned frames, at most; fewer than FRAMES
    uint32_t spare;  // of MOST, pins that are free at each batch: the oldest ones end; at most MOST
    uint64_t fades;  // refaults after which all counts are halved; 0: never
} gmmu_fair_pins_config;

// Frames in a list; the first one has no frame before itself. GMMU_FAIR_NONE: the list is empty.
typedef struct {
    uint64_t refaults;       // counted, and halved from time to time
    uint32_t pinned, loose;  // frames whose page came for this SM
    bool behind;             // its pages are to be pinned
} gmmu_fair_sm;

typedef struct {
    uint32_t sm;  // GMMU_FAIR_NONE: no page is known, or none that may be pinned
    uint32_t next, before;
    uint32_t older, newer;  // of a pinned frame: the pins before and after its own
    bool pinned;
} gmmu_fair_frame;

typedef struct {
    gmmu_fair_pins_config cfg;
    gmmu_fair_sm *sm;
    gmmu_fair_frame *frame;
    uint32_t *order;          // the SMs, most refaults first, as of the last batch
    uint32_t pinned;          // number of pinned frames
    uint32_t oldest, newest;  // pins; GMMU_FAIR_NONE: no frame is pinned
    uint64_t counted;         // refaults since the counts were halved
} gmmu_fair_pins;

// Receives each frame for which the driver is to send PIN, or UNPIN.
typedef void (*gmmu_fair_op)(void *ctx, uint32_t frame, bool pin);

// Returns the settings for FRAMES frames and SMS SMs: a quarter of the SMs, half of the frames, a
// thirty-second of these spare; counts are halved after twice as many refaults as there are frames.
gmmu_fair_pins_config gmmu_fair_pins_default(uint32_t frames, uint32_t sms);
// Returns the bytes that init needs.
size_t gmmu_fair_pins_bytes(const gmmu_fair_pins_config *cfg);
// Makes F in the SIZE bytes at MEM. Nonzero: SIZE is too small, or a number is out of range.
int gmmu_fair_pins_init(gmmu_fair_pins *f, const gmmu_fair_pins_config *cfg, void *mem,
                        size_t size);
// Counts a refault of SM: a fault on a page that was in memory before. A replay is no fault.
void gmmu_fair_pins_refault(gmmu_fair_pins *f, uint32_t sm);
// Returns for which of two SMs a page comes that both wait for: the SM with more refaults.
uint32_t gmmu_fair_pins_for(const gmmu_fair_pins *f, uint32_t a, uint32_t b);
// FRAME has a page that came for SM, since a FILL just now. True: the driver is to send PIN, as
// FILL ended any earlier PIN.
bool gmmu_fair_pins_filled(gmmu_fair_pins *f, uint32_t frame, uint32_t sm);
// The page of FRAME leaves: as a victim, or by FREE.
void gmmu_fair_pins_left(gmmu_fair_pins *f, uint32_t frame);
// Ranks the SMs; to be called for each batch. OP gets all frames that are to be unpinned, then
// those that are to be pinned. Unpinned are the pages of SMs that are not behind, and the oldest
// pins until SPARE are free; the page of such a pin is not pinned again until it comes anew.
void gmmu_fair_pins_rank(gmmu_fair_pins *f, gmmu_fair_op op, void *ctx);

#ifdef __cplusplus
}
#endif
#endif
