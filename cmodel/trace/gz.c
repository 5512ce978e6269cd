// SPDX-License-Identifier: Apache-2.0
// gz.c: see gz.h.
#include "trace/gz.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "trace/message.h"

// With 16 added to the window's bits, zlib takes gzip members and checks their CRC and length.
enum { WINDOW = 15 + 16 };

struct gmmu_gz {
    const gmmu_file *file;
    z_stream z;
    bool inside;     // of a member
    bool raw_ended;  // everything has been read
    uint64_t raw;    // compressed bytes read
    unsigned char in[GZ_INPUT];
};

void gmmu_gz_free(gmmu_gz *z) {
    if (z != NULL) {
        (void)inflateEnd(&z->z);
        free(z);
    }
}

uint64_t gmmu_gz_offset(const gmmu_gz *z) {
    return z->raw - z->z.avail_in;
}

gmmu_gz *gmmu_gz_start(const gmmu_file *file, const void *beginning, size_t size, bool ended,
                       gmmu_error *err) {
    gmmu_gz *z = malloc(sizeof *z);
    if (z != NULL) {
        memset(z, 0, offsetof(gmmu_gz, in));
    }
    if (z == NULL || inflateInit2(&z->z, WINDOW) != Z_OK) {
        free(z);
        FAIL(err, file->name, 0, "out of memory");
        return NULL;
    }
    memcpy(z->in, beginning, size);
    z->file = file;
    z->inside = true;
    z->raw = size;
    z->raw_ended = ended;
    z->z.next_in = z->in;
    z->z.avail_in = (unsigned)size;
    return z;
}

// Makes some compressed bytes available unless the input has ended.
static bool more(gmmu_gz *z, gmmu_error *err) {
    if (z->z.avail_in == 0 && !z->raw_ended) {
        ptrdiff_t got = gmmu_file_read(z->file, z->in, sizeof z->in, err);
        if (got < 0) {
            return false;
        }
        z->raw_ended = got == 0;
        z->raw += (uint64_t)got;
        z->z.next_in = z->in;
        z->z.avail_in = (unsigned)got;
    }
    return true;
}

ptrdiff_t gmmu_gz_read(gmmu_gz *z, void *to, size_t size, gmmu_error *err) {
    unsigned room = size < GZ_INPUT ? (unsigned)size : (unsigned)GZ_INPUT;
    z->z.next_out = to;
    z->z.avail_out = room;
    while (z->z.avail_out == room) {
        if (!more(z, err)) {
            return -1;
        }
        bool ended = z->raw_ended && z->z.avail_in == 0;
        if (ended && !z->inside) {
            return 0;
        }
        if (!z->inside) {
            (void)inflateReset(&z->z);  // another member
            z->inside = true;
        }
        int status = ended ? Z_BUF_ERROR : inflate(&z->z, Z_NO_FLUSH);
        if (status == Z_STREAM_END) {
            z->inside = false;
        } else if (status != Z_OK) {
            FAIL(err, z->file->name, 0, "found %s at byte %llu, expected gzip data",
                 ended                   ? "the end of the file"
                 : status == Z_MEM_ERROR ? "no memory left"
                                         : z->z.msg,
                 (unsigned long long)gmmu_gz_offset(z));
            return -1;
        }
    }
    return (ptrdiff_t)(room - z->z.avail_out);
}
