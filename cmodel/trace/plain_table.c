// SPDX-License-Identifier: Apache-2.0
// plain_table.c: tables of accesses whose columns are in a known order: as the user says (form
// `table`), or as a tool writes them (docs/reference/formats.md, "Tables").
#include "trace/address_writer.h"
#include "trace/message.h"
#include "trace/walk_table.h"

static const gmmu_table_kind kind = {.columns = gmmu_walk_columns, .row = gmmu_walk_row};

static bool start_table(gmmu_reader *r, const gmmu_import_settings *given, gmmu_error *err) {
    if (given->columns == NULL) {
        FAIL(err, r->in.file.name, 0,
             "found no --columns, expected the meaning of the table's columns, as in --columns "
             "addr,rw,time");
        return false;
    }
    gmmu_table_plan plan = {
        .columns = given->columns, .separators = given->separators, .header = !given->no_header};
    return gmmu_table_start_plan(r, &kind, &plan, "--columns", err);
}

static bool start_preset(gmmu_reader *r, const gmmu_import_settings *given, gmmu_error *err) {
    (void)given;
    return gmmu_table_start_plan(r, &kind, r->kind->how->preset, r->kind->name, err);
}

#define IMPORTER(start_with, plan)                                                      \
    {                                                                                   \
        .size = sizeof(gmmu_table), .shift = USUAL_SHIFT, .start = (start_with),        \
        .record = gmmu_import_record, .line = gmmu_table_line, .note = gmmu_table_note, \
        .free = gmmu_table_free, .preset = (plan)                                       \
    }

static const gmmu_importer table = IMPORTER(start_table, NULL);
const gmmu_form_kind gmmu_form_table = {.name = "table", GMMU_IMPORTED(table)};

// A form KIND of the name SHOWN; WRITER: it is written, too; VAGUE: many a file fits.
#define PRESET(kind, shown, columns_, separators_, writer_, vague_)                    \
    static const gmmu_table_plan plan_##kind = {.columns = (columns_),                 \
                                                .separators = (separators_)};          \
    static const gmmu_importer importer_##kind = IMPORTER(start_preset, &plan_##kind); \
    const gmmu_form_kind gmmu_form_##kind = {.name = (shown),                          \
                                             .writer = (writer_),                      \
                                             .vague = (vague_),                        \
                                             .doubt = gmmu_table_doubt,                \
                                             GMMU_IMPORTED(importer_##kind)};

// "0x7f31: R 0x7ffe8 8 0x0": size and value are there with Pin's option -values
PRESET(pinatrace, "pinatrace",
       "ref:0x:colon,rw:word,addr:hex|ref:0x:colon,rw:word,addr:hex,size,...", " ", NULL, false)
PRESET(ramulator, "ramulator", "addr:hex,rw:word", " ", &gmmu_ramulator_writer, false)
PRESET(ramulator_cpu, "ramulator-cpu", "-:number,addr|-:number,addr,store|-:number,addr,rw:word",
       " ", NULL, true)
PRESET(ramulator2, "ramulator2", "rw:word,addr", " ", &gmmu_ramulator2_writer, false)
PRESET(dramsim3, "dramsim3", "addr:hex,rw:word,time", " ", &gmmu_dramsim3_writer, false)
// util/decode_packet_trace.py: [id,]command,address,size[,flags],tick[,pc]
PRESET(gem5, "gem5",
       "rw:u,addr,size,time|rw:u,addr,size,-:number,time|rw:u,addr,size,-:number,time,ref|"
       "-:number,rw:u,addr,size,time|-:number,rw:u,addr,size,-:number,time|"
       "-:number,rw:u,addr,size,-:number,time,ref",
       ",", NULL, false)
PRESET(msr, "msr", "time,same,asid,rw:word,addr,size,-:number", ",", NULL, false)
// addresses in blocks of 512 bytes, the time in seconds
PRESET(spc, "spc", "asid,addr*512,size,rw:word,time*1000000,...", ",", NULL, false)
PRESET(prospero, "prospero", "time,rw:word,addr,size", " ", NULL, false)
// "31: (16) read 0x400140 0xdata": the length of the burst and the data may be missing
PRESET(dramsys, "dramsys",
       "time:dec:colon,rw:word,addr:hex|time:dec:colon,-:bracket,rw:word,addr:hex|"
       "time:dec:colon,rw:word,addr:hex,-|time:dec:colon,-:bracket,rw:word,addr:hex,-",
       " ", NULL, false)
