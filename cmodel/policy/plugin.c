// SPDX-License-Identifier: Apache-2.0
// plugin.c: see plugin.h.
#define _GNU_SOURCE
#include "policy/plugin.h"

#include <dlfcn.h>
#include <errno.h>
#include <inttypes.h>
#include <link.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "policy/registry.h"

// A program that links libgmmu.a has what plugins call.
static const void *const called[] __attribute__((used)) = {
    (const void *)gmmu_policy_room,   (const void *)gmmu_options_read,
    (const void *)gmmu_pages_number,  (const void *)gmmu_forecast_create,
    (const void *)gmmu_future_agrees,
};

typedef struct plugin {
    char *path;
    void *handle;
    const gmmu_plugin_table *table;
    struct plugin *next;
} plugin;

static plugin *first, **last = &first;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

#define SIZE(type) {#type, (uint32_t)sizeof(type)},
static const struct {
    const char *name;
    uint32_t bytes;
} sizes[] = {GMMU_PLUGIN_TYPES(SIZE)};
#undef SIZE

// Sets *err to "PATH: " and what was found and expected; returns false.
static __attribute__((format(printf, 3, 4))) bool refuse(const char *path, gmmu_error *err,
                                                         const char *what, ...) {
    char text[320];
    va_list arguments;
    va_start(arguments, what);
    (void)vsnprintf(text, sizeof text, what, arguments);
    va_end(arguments);
    const size_t length = strlen(path);
    const size_t shown = length < 160 ? length : 160;
    (void)snprintf(err->text, sizeof err->text, "%s%s: %s", shown < length ? "..." : "",
                   path + length - shown, text);
    for (char *p = strchr(err->text, '\n'); p != NULL; p = strchr(p, '\n')) {
        *p = ' ';
    }
    return false;
}

// The ELF file F of SIZE bytes has all its parts: the system's loader maps cut files.
static bool is_complete(FILE *f, uint64_t size, const char *path, gmmu_error *err) {
    ElfW(Ehdr) head = {0};
    if (fread(&head, 1, sizeof head, f) != sizeof head ||
        memcmp(head.e_ident, ELFMAG, SELFMAG) != 0) {
        return refuse(path, err, "found no ELF file, expected a shared object (cc -shared -fPIC)");
    }
    for (unsigned i = 0; i < head.e_phnum && head.e_phentsize == sizeof(ElfW(Phdr)); i++) {
        ElfW(Phdr) part = {0};
        const uint64_t at = head.e_phoff + i * sizeof part;
        if (at > size || fseek(f, (long)at, SEEK_SET) != 0 ||
            fread(&part, sizeof part, 1, f) != 1 || part.p_filesz > size ||
            part.p_offset > size - part.p_filesz) {
            return refuse(path, err, "found %" PRIu64 " bytes, expected more: the file is cut",
                          size);
        }
    }
    return true;
}

// The symbols of the object with this code are for plugins, too, where only its own user saw them:
// of a libgmmu.so that a program or an interpreter loaded by dlopen.
static void show_symbols(void) {
    Dl_info own;
    if (dladdr((const void *)gmmu_plugin_load, &own) != 0 && own.dli_fname != NULL) {
        (void)dlopen(own.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_GLOBAL);
    }
    (void)dlerror();
}

// The system's message without the file's name.
static const char *system_message(const char *path) {
    const char *text = dlerror();
    const size_t length = strlen(path);
    if (text == NULL) {
        return "no shared object";
    }
    return strncmp(text, path, length) == 0 && strncmp(text + length, ": ", 2) == 0
               ? text + length + 2
               : text;
}

// OBJECT lies in the file of TABLE, not in one that has a symbol of the same name.
static bool is_own(const gmmu_plugin_table *table, const void *object) {
    Dl_info a;
    Dl_info b;
    return object != NULL && dladdr(table, &a) != 0 && dladdr(object, &b) != 0 &&
           a.dli_fbase == b.dli_fbase;
}

static bool fits(const gmmu_plugin_table *t, const char *path, gmmu_error *err) {
    if (t->abi != GMMU_PLUGIN_ABI) {
        return refuse(path, err, "found a plugin of interface %u, expected %u: build it again",
                      t->abi, (unsigned)GMMU_PLUGIN_ABI);
    }
    if (strcmp(t->version, GMMU_VERSION) != 0) {
        return refuse(path, err,
                      "found a plugin for version %.20s, expected " GMMU_VERSION ": build it again",
                      t->version);
    }
    for (size_t i = 0; i < GMMU_PLUGIN_SIZES; i++) {
        if (t->sizes[i] != sizes[i].bytes) {
            return refuse(path, err,
                          "found a %s of %u bytes, expected %u, as in this program: build it again",
                          sizes[i].name, t->sizes[i], sizes[i].bytes);
        }
    }
    if (t->count == 0 || !is_own(t, t->policies)) {
        return refuse(path, err, "found no policies, expected GMMU_PLUGIN(&policy, ...)");
    }
    for (size_t i = 0; i < t->count; i++) {
        if (!is_own(t, t->policies[i])) {
            return refuse(path, err,
                          "found policy number %zu in another file, expected the plugin's own: "
                          "make it static",
                          i + 1);
        }
    }
    return true;
}

// Adds the plugin HANDLE, the file WHOLE, and its policies, unless HANDLE is there.
static bool add(void *handle, const char *whole, const char *path, gmmu_error *err) {
    for (const plugin *p = first; p != NULL; p = p->next) {
        if (p->handle == handle) {
            (void)dlclose(handle);
            return true;
        }
    }
    const gmmu_plugin_table *table = dlsym(handle, "gmmu_plugin");
    if (table == NULL) {
        return refuse(path, err,
                      "found no symbol gmmu_plugin, expected a plugin: GMMU_PLUGIN(&policy) of "
                      "policy/plugin.h");
    }
    gmmu_error why = {""};
    if (!fits(table, path, err)) {
        return false;
    }
    plugin *p = calloc(1, sizeof *p);
    char *own = strdup(whole);
    if (p == NULL || own == NULL) {
        free(p);
        free(own);
        return refuse(path, err, "out of memory");
    }
    if (!gmmu_policy_add(table->policies, table->count, &why)) {
        free(p);
        free(own);
        return refuse(path, err, "%s", why.text);
    }
    *p = (plugin){.path = own, .handle = handle, .table = table};
    *last = p;
    last = &p->next;
    return true;
}

// Loads the file WHOLE, which the caller named PATH. LOCK is held.
static bool load(const char *whole, const char *path, gmmu_error *err) {
    show_symbols();
    void *handle = dlopen(whole, RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL) {
        return refuse(path, err, "found %s, expected a shared object that loads",
                      system_message(whole));
    }
    if (!add(handle, whole, path, err)) {
        (void)dlclose(handle);
        return false;
    }
    return true;
}

// WHOLE is a file that the system's loader can look at.
static bool is_object(const char *whole, const char *path, gmmu_error *err) {
    struct stat status = {0};
    if (stat(whole, &status) == 0 && !S_ISREG(status.st_mode)) {
        return refuse(path, err, "found no regular file, expected a shared object");
    }
    FILE *f = fopen(whole, "rbe");
    if (f == NULL) {
        return refuse(path, err, "found %s, expected a shared object", strerror(errno));
    }
    const bool good = is_complete(f, (uint64_t)status.st_size, path, err);
    (void)fclose(f);
    return good;
}

bool gmmu_plugin_load(const char *path, gmmu_error *err) {
    char *whole = realpath(path, NULL);
    if (whole == NULL) {
        return refuse(path, err, "found %s, expected a shared object", strerror(errno));
    }
    bool good = is_object(whole, path, err);
    if (good) {
        (void)pthread_mutex_lock(&lock);
        good = load(whole, path, err);
        (void)pthread_mutex_unlock(&lock);
    }
    free(whole);
    return good;
}

const char *gmmu_plugin_path(size_t i) {
    (void)pthread_mutex_lock(&lock);
    const plugin *p = first;
    while (p != NULL && i-- != 0) {
        p = p->next;
    }
    (void)pthread_mutex_unlock(&lock);
    return p == NULL ? NULL : p->path;
}

const char *gmmu_plugin_of(const gmmu_policy *policy) {
    const char *path = NULL;
    (void)pthread_mutex_lock(&lock);
    for (const plugin *p = first; p != NULL && path == NULL; p = p->next) {
        for (size_t i = 0; i < p->table->count; i++) {
            path = p->table->policies[i] == policy ? p->path : path;
        }
    }
    (void)pthread_mutex_unlock(&lock);
    return path;
}
