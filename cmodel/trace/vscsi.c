// SPDX-License-Identifier: Apache-2.0
// vscsi.c: reads VMware's vscsi traces, as libCacheSim takes them (docs/reference/formats.md,
// "Imported traces").
#include "trace/gwt.h"
#include "trace/import.h"
#include "trace/message.h"

enum { BLOCK = 512, RECORD_1 = 32, RECORD_2 = 40, MOST = RECORD_2 };

typedef struct {
    unsigned version;
} vscsi;

static unsigned get16(const unsigned char *at) {
    return at[0] | (unsigned)at[1] << 8;
}

// Little-endian, with the version in the upper byte of VER:
// 1: uint32 sn, len, nSG; uint16 cmd, ver; uint64 lbn, ts
// 2: uint16 cmd, ver; uint32 sn, len, nSG; uint64 lbn, ts, rt
static unsigned version_of(const unsigned char *record) {
    return get16(record + 2) >> 8 == 2 ? 2 : get16(record + 14) >> 8 == 1 ? 1 : 0;
}

static bool start(gmmu_reader *r, const gmmu_import_settings *given, gmmu_error *err) {
    vscsi *v = gmmu_import_of(r)->form;
    (void)given;
    v->version = r->in.end - r->in.at >= RECORD_1 ? version_of((const unsigned char *)r->in.at) : 0;
    if (v->version == 0) {
        FAIL(err, r->in.file.name, 0,
             "record 1 at byte 0: found neither version 1 nor 2, expected a vscsi record");
    }
    return v->version != 0;
}

// Sets *write by the SCSI command. False: neither a read nor a write.
static bool direction(unsigned command, bool *write) {
    switch (command) {
        case 0x08:  // READ (6), (10), (12), (16)
        case 0x28:
        case 0xa8:
        case 0x88:
            *write = false;
            return true;
        case 0x0a:  // WRITE
        case 0x2a:
        case 0xaa:
        case 0x8a:
            *write = true;
            return true;
        default:
            return false;
    }
}

static int record_in(gmmu_reader *r, gmmu_error *err) {
    gmmu_import *m = r->own;
    const vscsi *v = m->form;
    unsigned char record[MOST];
    const bool second = v->version == 2;
    const size_t size = second ? RECORD_2 : RECORD_1;
    int status = gmmu_import_fixed(r, record, size, err);
    if (status != GMMU_OK) {
        return status;
    }
    if (get16(record + (second ? 2 : 14)) >> 8 != v->version) {
        return gmmu_import_refuse_fixed(r, size, "another version", "that of the first record",
                                        err);
    }
    const unsigned command = get16(record + (second ? 0 : 12));
    const uint64_t length = gwt_get32(record + (second ? 8 : 4));
    const uint64_t block = gwt_get64(record + 16);
    gmmu_walk w = {.time = gwt_get64(record + 24)};
    if (!direction(command, &w.write)) {
        char name[16];
        (void)snprintf(name, sizeof name, "0x%02x", command);
        gmmu_import_skip(m, "SCSI commands", name);
    } else if (length == 0) {
        gmmu_import_skip(m, "requests of 0 bytes", "");
    } else if (block > UINT64_MAX / BLOCK) {
        return gmmu_import_refuse_fixed(r, size, "a block beyond 2^55", "a block of a disk", err);
    } else {
        gmmu_import_range(m, block * BLOCK, length, w);
    }
    return GMMU_OK;
}

static const gmmu_importer importer = {
    .size = sizeof(vscsi), .shift = USUAL_SHIFT, .start = start, .record = record_in};

const gmmu_form_kind gmmu_form_vscsi = {.name = "vscsi", .binary = true, GMMU_IMPORTED(importer)};
