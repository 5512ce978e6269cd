// SPDX-License-Identifier: Apache-2.0
// gwt_state.h: common data of the files that read a .gwt: header, blocks, index.
#ifndef GMMU_TRACE_GWT_STATE_H
#define GMMU_TRACE_GWT_STATE_H

#include <inttypes.h>
#include <zstd.h>

#include "trace/form.h"
#include "trace/gwt.h"
#include "trace/message.h"

// The reader's r->own.
typedef struct {
    gwt_crc crc;
    ZSTD_DCtx *zstd;
    gmmu_walk *walks;
    unsigned char *packed, *raw;
    size_t walk_room, packed_room, raw_room;
    uint64_t blocks;  // number of blocks read so far
    uint64_t offset;  // offset of the block or record under way
    uint64_t data;    // offset of the first block
    bool done;        // the end record has been read
} gmmu_gwt;

#define BAD(r, err, what, ...)                                                          \
    do {                                                                                \
        const gmmu_gwt *g_ = (r)->own;                                                  \
        char why_[256];                                                                 \
        (void)snprintf(why_, sizeof why_, __VA_ARGS__);                                 \
        FAIL(err, (r)->in.file.name, 0, "%s %" PRIu64 " at byte %" PRIu64 ": %s", what, \
             g_->blocks, g_->offset, why_);                                             \
    } while (0)

// Reports an error after which nothing more can be read.
#define STUCK(r, err, ...)                 \
    do {                                   \
        BAD(r, err, "block", __VA_ARGS__); \
        (r)->in.stuck = true;              \
    } while (0)

// gwt_header.c: reads the header. False and *err on failure.
bool gmmu_gwt_header(gmmu_reader *r, gmmu_error *err);
// gwt_index.c: reads the index's COUNT entries and its CRC, the trailer, and the end of the file.
// False and *err on failure.
bool gmmu_gwt_index(gmmu_reader *r, uint64_t count, gmmu_error *err);
// Goes to the block of walk WALK; r->walks is then the number of the block's first walk. A WALK
// behind the last one: to the end. GMMU_OK, or GMMU_BAD and *err.
int gmmu_gwt_seek(gmmu_reader *r, uint64_t walk, gmmu_error *err);

#endif
