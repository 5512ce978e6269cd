// SPDX-License-Identifier: Apache-2.0
// trace.h: walk traces: the record, the readers and the writers (docs/reference/formats.md, "Walk
// trace").
//
// A walk trace does not depend on a policy. The trace has every access that reaches the GMMU, in
// order. Residency, and so hit or fault, is decided at replay.
#ifndef GMMU_TRACE_H
#define GMMU_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

// One walk: a coalesced page reference that missed the TLBs.
typedef struct {
    uint64_t vpn;   // virtual page number
    uint64_t ref;   // memory instruction that made the access (its PC, or a hash of it)
    uint64_t time;  // the recorder's own clock, 0 when absent; no policy reads it
    uint32_t asid;  // address space; page identity is (asid, vpn)
    uint32_t sm;    // streaming multiprocessor
    bool write;
} gmmu_walk;

// Hints: knowledge of a driver about a program, beside the walks. A hint comes between two walks
// and changes no walk.
#define GMMU_HINT_TABLE(HINT)                                      \
    HINT(LAUNCH, launch) /* the kernel ID starts */                \
    HINT(ALLOC, alloc)   /* PAGES pages from FIRST on become ID */ \
    HINT(FREE, free)     /* their contents are not needed any more */

#define GMMU_HINT_ENUMERATOR(enumerator, name) GMMU_HINT_##enumerator,
typedef enum { GMMU_HINT_TABLE(GMMU_HINT_ENUMERATOR) GMMU_HINT_KINDS } gmmu_hint_kind;
#undef GMMU_HINT_ENUMERATOR

typedef struct {
    uint64_t walk;          // number, from 0, of the walk behind the hint
    uint64_t id;            // LAUNCH: the kernel's code; ALLOC: the allocation; else 0
    uint64_t first, pages;  // ALLOC, FREE: a range of at least one page, which ends with the memory
    uint32_t asid;          // address space of that range
    gmmu_hint_kind kind;
} gmmu_hint;

enum { GMMU_HINTS = 1 << 15 };  // most hints between two walks

// An error message in one line: "FILE:LINE: found X, expected Y", or of the binary forms "FILE:
// block B at byte N: found X, expected Y".
typedef struct {
    char text[512];
} gmmu_error;

enum {
    GMMU_OK = 0,   // done, or one record read
    GMMU_END = 1,  // no more records
    GMMU_BAD = 2   // bad input; the gmmu_error says file, line, found, expected
};

typedef struct gmmu_reader gmmu_reader;
typedef struct gmmu_writer gmmu_writer;

// The forms of a trace: enumerator and description (cmodel/trace/form.h). The forms from ACCELSIM
// on are imported. Every form may be compressed with gzip, xz or zstd.
#define GMMU_FORM_TABLE(FORM)                                                         \
    FORM(TEXT, text)                     /* walk trace */                             \
    FORM(GWT, gwt)                       /* walk trace, binary */                     \
    FORM(ACCELSIM, accelsim)             /* NVBit/Accel-Sim .traceg */                \
    FORM(LACKEY, lackey)                 /* valgrind --tool=lackey --trace-mem=yes */ \
    FORM(ORACLE_GENERAL, oracle_general) /* libCacheSim oracleGeneral */              \
    FORM(CSV, csv)                       /* any table with a header */                \
    FORM(UVM_CSV, uvm_csv)               /* page-ins of a unified-memory simulator */ \
    FORM(G10, g10)                       /* G10's tensors of each kernel */           \
    FORM(MOONCAKE, mooncake)             /* Mooncake's requests to an LLM service */  \
    FORM(ACCELSIM_LIST, accelsim_list)   /* Accel-Sim's kernelslist.g */              \
    FORM(NVBIT, nvbit)                   /* NVBit's mem_trace */                      \
    FORM(NVPROF, nvprof)                 /* nvprof's faults of unified memory */      \
    FORM(CHUNK_TRACE, chunk_trace)       /* gpu_ext's chunk_trace of nvidia-uvm */    \
    FORM(DRMEMTRACE, drmemtrace)         /* DynamoRIO's view of a drmemtrace */       \
    FORM(PERF_SCRIPT, perf_script)       /* perf script, events with an address */    \
    FORM(PERF_MEM, perf_mem)             /* perf mem report -D */                     \
    FORM(CHAMPSIM, champsim)             /* ChampSim, records of 64 bytes */          \
    FORM(VSCSI, vscsi)                   /* vscsi, versions 1 and 2 */                \
    FORM(CACHELIB, cachelib)             /* CacheLib's requests to a KV cache */      \
    FORM(TABLE, table)                   /* a table whose columns the user names */   \
    FORM(PINATRACE, pinatrace)           /* Pin's example tool */                     \
    FORM(RAMULATOR, ramulator)           /* Ramulator's requests to memory */         \
    FORM(RAMULATOR_CPU, ramulator_cpu)   /* Ramulator 1 and 2: of a core */           \
    FORM(RAMULATOR2, ramulator2)         /* Ramulator 2: loads and stores */          \
    FORM(DRAMSIM3, dramsim3)             /* DRAMsim3 */                               \
    FORM(DRAMSYS, dramsys)               /* DRAMSys .stl */                           \
    FORM(GEM5, gem5)                     /* gem5's packets, decoded */                \
    FORM(PROSPERO, prospero)             /* SST's prospero, text */                   \
    FORM(MSR, msr)                       /* MSR Cambridge's block requests */         \
    FORM(SPC, spc)                       /* SPC's block requests */

#define GMMU_FORM_ENUMERATOR(enumerator, kind) GMMU_FORM_##enumerator,
typedef enum {
    GMMU_FORM_AUTO,  // text or .gwt, by the content; with `guess` maybe an imported form
    GMMU_FORM_TABLE(GMMU_FORM_ENUMERATOR) GMMU_FORMS
} gmmu_form;
#undef GMMU_FORM_ENUMERATOR

// The description of a trace: from a .gwt header, or from the first comment lines of a text.
typedef struct {
    unsigned page_shift;  // log2 of the bytes of a page
    // Numbers of walks and of distinct pages; GMMU_UNKNOWN: not stated. A writer ignores both, but
    // does not count pages if `pages` is GMMU_UNKNOWN.
    uint64_t walks, pages;
    const char *source;  // texts; each may be NULL
    const char *licence;
    const char *comment;
} gmmu_about;

#define GMMU_UNKNOWN UINT64_MAX

// The parts of a trace that gmmu_reader_recover skipped.
typedef struct {
    uint64_t walks;  // walks of bad blocks, as far as headers state the number
    uint64_t lines;  // number of bad lines or records
    bool rest;       // all that followed is lost too, of unknown length
} gmmu_loss;

// Who follows the warps of a kernel trace. The functions are called before the walks of the same
// lines are given. Each returns NULL, or the expectation that the trace does not meet.
typedef struct {
    void *context;
    // A kernel of BLOCKS thread blocks, THREADS threads each, begins.
    const char *(*kernel)(void *context, uint64_t blocks, uint64_t threads);
    // The active lanes MASK, at least one, of a warp of the kernel access device memory.
    const char *(*access)(void *context, uint64_t block, uint64_t warp, bool write, bool atomic,
                          uint32_t mask, const uint64_t address[32]);
} gmmu_kernel_watch;

// Settings of an import; 0: the usual value of the form.
typedef struct {
    unsigned page_shift;  // 12; g10: 21
    uint64_t iterations;  // g10: iterations of the training; the table is one; 3
    // table: the columns from left to right, or ROLE=NAME,… (docs/reference/formats.md); characters
    // that separate fields, NULL: found in the first line; no line of names stands first.
    const char *columns, *separators;
    bool no_header;
    bool guess;     // AUTO: a file that is no walk trace may be of the one imported form that fits
    bool renumber;  // pages and address spaces become 0, 1, 2… in order of first appearance
    const gmmu_kernel_watch *watch;  // accelsim, accelsim-list; NULL: nobody
} gmmu_import_settings;

// Returns the name of a form on the command line, a constant text: "auto" of GMMU_FORM_AUTO, "" of
// what is no form.
const char *gmmu_form_name(gmmu_form form);
// Returns the form of a name, in which case, blanks, - and _ do not count; GMMU_FORMS: unknown
// name.
gmmu_form gmmu_form_find(const char *name);
// True: traces are written in this form, too.
bool gmmu_form_writes(gmmu_form form);
// Returns the form in which PATH is written: _GWT if PATH ends in ".gwt", else _TEXT. An
// ending .gz, .xz or .zst does not count.
gmmu_form gmmu_form_of_path(const char *path);

// Opens PATH ("-" is standard input) and reads the header. NULL and *err on failure.
gmmu_reader *gmmu_reader_open(const char *path, gmmu_error *err);
// The same for a given form. PAGE_SHIFT is for imported forms, which do not state the page size; 0:
// the usual size.
gmmu_reader *gmmu_reader_open_as(const char *path, gmmu_form form, unsigned page_shift,
                                 gmmu_error *err);
// The same with all settings.
gmmu_reader *gmmu_reader_open_import(const char *path, gmmu_form form,
                                     const gmmu_import_settings *settings, gmmu_error *err);
// From now on pages have 2^PAGE_SHIFT bytes, at least as many as in the trace: page numbers of
// walks are shifted, and each walk stays a walk. An allocation has each page of which it has a
// part, a free only whole pages. For a reader whose walks were not read yet. GMMU_BAD: smaller
// pages than the trace's, or a trace whose pages have no addresses.
int gmmu_reader_coarsen(gmmu_reader *r, unsigned page_shift, gmmu_error *err);
// Reads the next walk: GMMU_OK, GMMU_END or GMMU_BAD. Memory does not grow with the trace.
int gmmu_reader_next(gmmu_reader *r, gmmu_walk *walk, gmmu_error *err);
// Reads 1 to *COUNT walks at once. The *count walks at *walks lie in OWN, which has room for
// *COUNT, or in the reader's memory until the next call. At GMMU_END and GMMU_BAD *walks has the
// walks before the end or error, maybe 0.
int gmmu_reader_batch(gmmu_reader *r, gmmu_walk *own, const gmmu_walk **walks, size_t *count,
                      gmmu_error *err);
// Returns the *COUNT hints before the walks of the last call of gmmu_reader_next or
// gmmu_reader_batch, and at GMMU_END the hints behind the last walk, in order; NULL if there are
// none. Valid until the next call. Each hint is returned after one call only.
const gmmu_hint *gmmu_reader_hints(const gmmu_reader *r, size_t *count);
// Goes to walk number WALK, from 0: by the index of a .gwt file, else by reading, which only goes
// forward. A WALK behind the last walk is the end of the trace. GMMU_OK, or GMMU_BAD and *err.
int gmmu_reader_seek(gmmu_reader *r, uint64_t walk, gmmu_error *err);
// After GMMU_BAD: goes behind the bad line or block. False: nothing more can be read.
bool gmmu_reader_recover(gmmu_reader *r);
// Returns what gmmu_reader_recover has skipped so far.
gmmu_loss gmmu_reader_loss(const gmmu_reader *r);
// Returns the number of records of an imported trace that were no walks for reason number REASON,
// from 0, and describes the records in *WHAT. 0 behind the last reason.
uint64_t gmmu_reader_skipped(const gmmu_reader *r, size_t reason, const char **what);
// True at the end of a text whose last line has no newline: its last field may be cut.
bool gmmu_reader_unended(const gmmu_reader *r);
// Returns one line for the user on how an imported trace is read, or NULL.
const char *gmmu_reader_note(const gmmu_reader *r);
// Returns the form that is read.
gmmu_form gmmu_reader_form(const gmmu_reader *r);
// Returns log2 of the page size in bytes, from the header or as coarsened.
unsigned gmmu_reader_page_shift(const gmmu_reader *r);
// Returns the description of the trace, valid until the reader is closed.
const gmmu_about *gmmu_reader_about(const gmmu_reader *r);
// Returns the line of the last read record, from 1; in a binary form the number of the record.
uint64_t gmmu_reader_line(const gmmu_reader *r);
// Progress: bytes read so far, and bytes in all (0: not a regular file).
void gmmu_reader_progress(const gmmu_reader *r, uint64_t *done, uint64_t *total);
// Closes the file, and frees the reader (NULL: nothing) with all that it has returned.
void gmmu_reader_close(gmmu_reader *r);

// Creates PATH ("-" is standard output) and writes the header, of a .gwt if PATH ends so, else of a
// text; compressed if PATH goes on with .gz, .xz or .zst. PAGE_SHIFT is 9 to 30. COMMENT (may be
// NULL) follows as '# ' lines. NULL and *err on failure.
gmmu_writer *gmmu_writer_open(const char *path, unsigned page_shift, const char *comment,
                              gmmu_error *err);
// The same with FORM and all texts. FORM is GMMU_FORM_AUTO (by the path) or one that
// is written; a form of addresses leaves hints and references out, and refuses address spaces.
gmmu_writer *gmmu_writer_open_as(const char *path, gmmu_form form, const gmmu_about *about,
                                 gmmu_error *err);
// Writes one walk. A text has the shortest line that keeps the walk: vpn,ref,rw[,sm[,asid[,time]]].
// GMMU_OK, or GMMU_BAD and *err.
int gmmu_writer_put(gmmu_writer *w, const gmmu_walk *walk, gmmu_error *err);
// Writes a hint before the next walk; hint->walk is not read. GMMU_BAD: write error, more than
// GMMU_HINTS hints before a walk, or a .gwt with hints and no walk.
int gmmu_writer_hint(gmmu_writer *w, const gmmu_hint *hint, gmmu_error *err);
// Flushes, closes, and frees the writer in any case. GMMU_OK, or GMMU_BAD and *err: write errors
// that only show here (a full disk), too.
int gmmu_writer_close(gmmu_writer *w, gmmu_error *err);

// A digest of page_shift and the walks in order, whatever the form (docs/reference/formats.md). The
// digest detects accidents, not forgery.
typedef struct {
    uint64_t hash, walks;
} gmmu_digest;

// Returns the digest of no walks, with pages of 2^PAGE_SHIFT bytes.
gmmu_digest gmmu_digest_start(unsigned page_shift);
// Adds the next walk, with all its fields.
void gmmu_digest_add(gmmu_digest *d, const gmmu_walk *walk);
// Returns the digest of the walks so far; further walks may follow.
uint64_t gmmu_digest_value(const gmmu_digest *d);

#ifdef __cplusplus
}
#endif
#endif
