// SPDX-License-Identifier: Apache-2.0
// frame_ages.h: an index of the frame table: the frames whose page may leave, by the reference of
// their last access, in the order of their ages. The RTL has no such index.
//
// Frames of one reference (row and generation) whose age is in one bin have one priority. Of these
// frames the oldest leaves first, the lowest of equals. The index finds this frame without a look
// at the others. A changed frame is noted (frame_store.h), and takes its place before the next
// search.
#ifndef GMMU_FRAME_AGES_H
#define GMMU_FRAME_AGES_H

#include "blocks/frame_table.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { GMMU_NO_FRAME = -1, GMMU_MOST_AGES_LISTS = 1 << 14 };

// A frame in its list; the neighbours may be GMMU_NO_FRAME.
typedef struct {
    int32_t older, newer;
    int16_t list;         // list of the frame; -1: none
    uint8_t first, last;  // the bins whose `from` is this frame; FIRST above LAST: none
    bool late;            // the frame was changed, and has not taken its place since
} gmmu_ages_node;

// The frames of one reference; GMMU_NO_FRAME: the list is empty.
typedef struct {
    int32_t oldest, newest;
    int32_t *from;  // of each bin: the frame from which on its frames follow; -1: the oldest
} gmmu_ages_list;

typedef struct {
    uint32_t frames;       // number of frames in the index, the first frames; 0: the index is off
    gmmu_ages_node *node;  // node of each frame
    uint64_t *late;        // the N_LATE frames that are late
    uint32_t n_late;
    gmmu_ages_list *list;         // the list of row r, generation g is number r << gen_w | g
    uint64_t *some;               // bits: lists that have frames
    unsigned lists, gen_w, bins;  // LISTS 0: there are too many references
} gmmu_frame_ages;

// Makes A for the sizes CFG, with the index off until gmmu_frame_ages_keep. More than
// GMMU_MOST_AGES_LISTS references (CLASSES times 2^GEN_W): LISTS is 0, and A takes no memory. Not
// 0: ARENA is too small.
int gmmu_frame_ages_init(gmmu_frame_ages *a, const gmmu_config *cfg, gmmu_arena *arena);
// The index holds the first FRAMES frames from now on, all of them noted as changed; 0: no frames,
// the only number with LISTS 0.
void gmmu_frame_ages_keep(gmmu_frame_ages *a, uint32_t frames);

// FRAME was changed, or will be changed before the next search.
static inline void gmmu_frame_ages_note(gmmu_frame_ages *a, uint32_t frame) {
    if (frame >= a->frames || a->node[frame].late)
        return;
    a->node[frame].late = true;
    a->late[a->n_late++] = frame;
}
// All frames of FT that were changed take their places; TIME is now.
void gmmu_frame_ages_settle(gmmu_frame_ages *a, const gmmu_frame_table *ft, uint32_t time);

// The oldest frame of list L whose age is in BIN at TIME, or GMMU_NO_FRAME. L is not empty, and no
// frame is late.
int32_t gmmu_frame_ages_oldest(gmmu_frame_ages *a, const gmmu_frame_table *ft, unsigned l,
                               unsigned bin, uint32_t time);

#ifdef __cplusplus
}
#endif
#endif
