// SPDX-License-Identifier: Apache-2.0
// magic.c: see magic.h.
#include "trace/magic.h"

#include <string.h>

// Of files with these LENGTH bytes at OFFSET.
typedef struct {
    size_t offset, length;
    const char *bytes;
    gmmu_magic is;
} row;

#define AT(from, text, what, how)           \
    {                                       \
        (from), sizeof(text) - 1, (text), { \
            .name = (what), .way = (how)    \
        }                                   \
    }
// So few bytes that a record may begin with them.
#define WEAK(text, what, how)                          \
    {                                                  \
        0, sizeof(text) - 1, (text), {                 \
            .name = (what), .way = (how), .weak = true \
        }                                              \
    }
#define PACKED(text, what, tool) AT(0, text, what, tool " FILE | gmmu ... -")
#define UTF16(text)                                                                  \
    {                                                                                \
        0, 2, (text), {                                                              \
            "UTF-16 text", "iconv -f UTF-16 -t UTF-8 FILE | gmmu ... -", false, true \
        }                                                                            \
    }

static const row known[] = {
    {0, 8, "\x89GWT\r\n\x1a\n", {.name = "a walk trace of the form gwt", .own = true}},
    PACKED("\x1f\x8b\x08", "gzip data", "gzip -dc"),
    PACKED("\x28\xb5\x2f\xfd", "zstd data", "zstd -dc"),
    AT(1, "\x2a\x4d\x18", "zstd data", "zstd -dc FILE | gmmu ... -"),
    PACKED("\xfd\x37zXZ\0", "xz data", "xz -dc"),
    PACKED("\x5d\0\0\x80\0\xff\xff\xff\xff\xff\xff\xff\xff", "lzma data", "xz -dc"),
    AT(4, "1AY&SY", "bzip2 data", "bzip2 -dc FILE | gmmu ... -"),
    PACKED("\x04\x22\x4d\x18", "lz4 data", "lz4 -dc"),
    PACKED("\x02\x21\x4c\x18", "lz4 data", "lz4 -dc"),
    PACKED("LZIP\1", "lzip data", "lzip -dc"),
    PACKED("\x89LZO\0\r\n\x1a\n", "lzop data", "lzop -dc"),
    PACKED("\x1f\x9d\x90", "compress data", "gzip -dc"),
    PACKED("\xff\x06\0\0sNaPpY", "snappy data", "snzip -dc"),
    PACKED("PK\3\4", "a zip archive", "unzip -p"),
    PACKED("7z\xbc\xaf\x27\x1c", "a 7z archive", "7z x -so"),
    AT(257, "ustar", "a tar archive", "tar -xOf FILE | gmmu ... -"),
    UTF16("\xff\xfe"),
    UTF16("\xfe\xff"),
    AT(0, "SQLite format 3\0", "an SQLite database",
       "sqlite3 -csv -header FILE QUERY | gmmu ... --from csv -"),
    AT(0, "PERFILE2", "perf data", "perf script"),
    AT(0, "\x89HDF\r\n\x1a\n", "an HDF5 file", NULL),
    AT(0, "PAR1", "a Parquet file", NULL),
    AT(0, "ARROW1\0\0", "an Arrow file", NULL),
    AT(0, "\x93NUMPY", "a NumPy array", NULL),
    AT(0,
       "\x7f"
       "ELF",
       "an ELF file", NULL),
    AT(0, "%PDF-", "a PDF file", NULL),
    AT(0, "version https://git-lfs.", "a pointer of Git LFS", "git lfs pull"),
    AT(0, "<!DOCTYPE html", "a page in HTML", NULL),
    AT(0, "<!doctype html", "a page in HTML", NULL),
    AT(0, "<html", "a page in HTML", NULL),
    AT(0, "\x89PNG\r\n\x1a\n", "a PNG image", NULL),
    WEAK("gem5", "a gem5 packet trace", "util/decode_packet_trace.py FILE OUT"),
    AT(0, "\x17\x08\x44tracing", "a trace of trace-cmd", "trace-cmd report"),
    AT(0, "{\\rtf", "an RTF text", NULL),
    AT(0, "Rar!\x1a\x07", "a RAR archive", "unrar p -inul FILE | gmmu ... -"),
    AT(0, "MSCF\0\0\0\0", "a CAB archive", NULL),
    AT(0, "!<arch>\n", "an ar archive", NULL),
    WEAK("Obj\1", "an Avro file", NULL),
    WEAK("FEA1", "a Feather file", NULL),
    WEAK("\xca\xfe\xba\xbe", "a Java class or Mach-O file", NULL),
    WEAK("\xd4\xc3\xb2\xa1", "a packet capture", NULL),
    WEAK("\x0a\x0d\x0d\x0a", "a packet capture", NULL),
    WEAK("\xff\xd8\xff", "a JPEG image", NULL),
    WEAK("GIF8", "a GIF image", NULL),
};

const gmmu_magic *gmmu_magic_find(const char *at, size_t size) {
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        const row *r = &known[i];
        if (r->offset + r->length <= size && memcmp(at + r->offset, r->bytes, r->length) == 0) {
            return &r->is;
        }
    }
    return NULL;
}
