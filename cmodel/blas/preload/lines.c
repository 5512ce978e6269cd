// SPDX-License-Identifier: Apache-2.0
// lines.c: see lines.h.
//
// Python: only a thread that may touch Python's objects asks: it holds the GIL, or it is the only
// thread of the only interpreter. The latter is numpy's case, which releases the GIL around most
// calls: nobody else can hold it then, and the thread takes it for the moment, without waiting.
// Nothing of the program runs, and no exception is lost.
//
// R: R_GetCurrentSrcref reads R's contexts, and allocates nothing: a collection in the midst of a
// call might take the call's operands. So only functions whose source R keeps have lines
// (options(keep.source = TRUE)). Only the first thread of R's own program asks.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE  // RTLD_DEFAULT, gettid, program_invocation_short_name
#endif
#include "blas/preload/lines.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { DEPTH = 64, NAME = 64, FILE_NAME = 100 };

// A function by its name; false: it is not there.
static bool find(void *to, const char *name) {
    void *found = dlsym(RTLD_DEFAULT, name);
    memcpy(to, &found, sizeof found);
    return found != NULL;
}

static const char *base_of(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}

// ---- Python

static struct {
    int (*is_initialized)(void);
    void *(*this_thread)(void);
    void *(*current)(void);  // the thread that holds the GIL, or this one if it does
    void *(*first_interpreter)(void);
    void *(*next_interpreter)(void *);
    void *(*first_thread)(void *);
    void *(*next_thread)(void *);
    void (*acquire)(void *);
    void *(*release)(void);
    void *(*frame)(void *);
    void *(*back)(void *);
    void *(*code)(void *);
    int (*line)(void *);
    void *(*attribute)(void *, const char *);
    const char *(*text)(void *);
    void (*drop)(void *);
    void *(*error)(void);
    void (*clear)(void);
} py;

static bool find_python(void) {
    return find(&py.is_initialized, "Py_IsInitialized") &&
           find(&py.this_thread, "PyGILState_GetThisThreadState") &&
           (find(&py.current, "PyThreadState_GetUnchecked") ||
            find(&py.current, "_PyThreadState_UncheckedGet")) &&
           find(&py.first_interpreter, "PyInterpreterState_Head") &&
           find(&py.next_interpreter, "PyInterpreterState_Next") &&
           find(&py.first_thread, "PyInterpreterState_ThreadHead") &&
           find(&py.next_thread, "PyThreadState_Next") &&
           find(&py.acquire, "PyEval_RestoreThread") && find(&py.release, "PyEval_SaveThread") &&
           find(&py.frame, "PyThreadState_GetFrame") && find(&py.back, "PyFrame_GetBack") &&
           find(&py.code, "PyFrame_GetCode") && find(&py.line, "PyFrame_GetLineNumber") &&
           find(&py.attribute, "PyObject_GetAttrString") && find(&py.text, "PyUnicode_AsUTF8") &&
           find(&py.drop, "Py_DecRef") && find(&py.error, "PyErr_Occurred") &&
           find(&py.clear, "PyErr_Clear");
}

// The text NAME of CODE, to TO; empty: there is none.
static void code_text(char *to, size_t size, void *code, const char *name, bool base) {
    void *object = py.attribute(code, name);
    const char *text = object == NULL ? NULL : py.text(object);
    const char *is = text == NULL ? "" : text;
    *to = 0;
    // of a path the end, of a name the beginning
    const char *slash = strstr(is, "/lib/python");
    if (base && (slash != NULL || strstr(is, "-packages/") != NULL || *is == '<'))
        (void)snprintf(to, size, "<%.*s", (int)(size - 2), base_of(is));
    else
        (void)snprintf(to, size, "%.*s", (int)(size - 1), base ? base_of(is) : is);
    if (object == NULL || text == NULL)
        py.clear();
    if (object != NULL)
        py.drop(object);
}

typedef struct {
    char file[FILE_NAME], function[NAME], inner[NAME];
    int line;
} place;

// Looks at FRAME. True: it is the program's own; else it belongs to a library (a file below lib or
// in site-packages, or none).
static bool look_at(void *frame, place *p) {
    void *code = py.code(frame);
    // a decorator, or a part of a function, is not what was called
    if (strstr(p->function, "wrap") == NULL && *p->function != '<')
        memcpy(p->inner, p->function, sizeof p->inner);
    code_text(p->file, sizeof p->file, code, "co_filename", true);
    code_text(p->function, sizeof p->function, code, "co_name", false);
    p->line = py.line(frame);
    py.drop(code);
    return *p->file != '<' && *p->file != 0;
}

// This thread may touch Python's objects.
static bool ask_python(void *thread, char *to, size_t size) {
    place first = {.line = 0}, p = {.line = 0};
    void *frame = py.frame(thread);
    bool own = false;
    if (frame == NULL)
        return false;
    for (int i = 0; frame != NULL && !own && i < DEPTH; i++) {
        own = look_at(frame, &p);
        if (i == 0)
            first = p;
        void *back = own ? NULL : py.back(frame);
        py.drop(frame);
        frame = back;
    }
    if (frame != NULL)
        py.drop(frame);
    if (!own) {  // a module as a program, or code without a file (python -c)
        if (strcmp(p.file, "<<string>") != 0 && strcmp(p.file, "<<stdin>") != 0)
            p = first;
        memmove(p.file, p.file + 1, strlen(p.file));
    }
    (void)snprintf(to, size, "%s:%d (%s%s%s)", p.file, p.line, p.function,
                   *p.inner == 0 ? "" : ": ", p.inner);
    return true;
}

static bool python_line(char *to, size_t size) {
    if (!py.is_initialized())
        return false;
    void *thread = py.this_thread();
    if (thread == NULL)
        return false;
    void *interpreter = py.first_interpreter();
    if (interpreter == NULL || py.next_interpreter(interpreter) != NULL)
        return false;
    const bool holds = py.current() == thread;
    const bool alone = py.first_thread(interpreter) == thread && py.next_thread(thread) == NULL;
    if (!holds && !alone)
        return false;
    if (!holds)
        py.acquire(thread);
    const bool known = py.error() == NULL && ask_python(thread, to, size);
    if (!holds)
        (void)py.release();
    return known;
}

// ---- R

static struct {
    void *(*srcref)(int);
    int (*type)(void *);
    int *(*integers)(void *);
    void *(*attribute)(void *, void *);
    void *(*in_frame)(void *, void *);
    void *(*element)(void *, ptrdiff_t);
    const char *(*text)(void *);
    void *(*symbol)(const char *);
    void **nil;
    void **srcfile;
} r;

enum { R_ENVIRONMENT = 4, R_INTEGERS = 13, R_STRINGS = 16 };

static bool find_r(void) {
    return strcmp(program_invocation_short_name, "R") == 0 &&
           find(&r.srcref, "R_GetCurrentSrcref") && find(&r.type, "TYPEOF") &&
           find(&r.integers, "INTEGER") && find(&r.attribute, "Rf_getAttrib") &&
           find(&r.in_frame, "Rf_findVarInFrame") && find(&r.element, "STRING_ELT") &&
           find(&r.text, "R_CHAR") && find(&r.symbol, "Rf_install") && find(&r.nil, "R_NilValue") &&
           find(&r.srcfile, "R_SrcfileSymbol");
}

static bool r_line(char *to, size_t size) {
    if (getpid() != gettid() || *r.nil == NULL || *r.srcfile == NULL)
        return false;
    void *ref = r.srcref(0);  // of compiled code a mark, which is no source
    for (int i = 1; i < DEPTH && ref != NULL && ref != *r.nil && r.type(ref) != R_INTEGERS; i++)
        ref = r.srcref(i);
    if (ref == NULL || ref == *r.nil || r.type(ref) != R_INTEGERS)
        return false;
    void *file = r.attribute(ref, *r.srcfile);
    void *name = file == NULL || r.type(file) != R_ENVIRONMENT
                     ? NULL
                     : r.in_frame(file, r.symbol("filename"));  // R has this symbol already
    const char *text =
        name == NULL || r.type(name) != R_STRINGS ? "" : base_of(r.text(r.element(name, 0)));
    (void)snprintf(to, size, "%.*s:%d", FILE_NAME, *text == 0 ? "R" : text, r.integers(ref)[0]);
    return true;
}

// ---- which

enum { UNKNOWN, NONE, PYTHON, R };
static atomic_int language;

void gmmu_blas_forget_interpreters(void) {
    int none = NONE;
    (void)atomic_compare_exchange_strong(&language, &none, UNKNOWN);
}

bool gmmu_blas_program_line(char *to, size_t size) {
    const int error = errno;
    int is = atomic_load(&language);
    if (is == UNKNOWN) {
        is = find_r() ? R : find_python() ? PYTHON : NONE;
        atomic_store(&language, is);
    }
    const bool known = (is == PYTHON && python_line(to, size)) || (is == R && r_line(to, size));
    // a line is a part of a line
    for (char *p = to; known && *p != 0; p++)
        if ((unsigned char)*p < ' ' || *p == 0x7f || *p == ';')
            *p = '_';
    errno = error;
    return known;
}
