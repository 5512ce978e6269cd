// SPDX-License-Identifier: Apache-2.0
// claimant.c: see claimant.h.
#include "sweep/claimant.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

// The first word of a file, or "-".
static void first_word(const char *path, char *word, size_t size) {
    FILE *f = fopen(path, "re");
    if (f == NULL || fgets(word, (int)size, f) == NULL) {
        (void)snprintf(word, size, "-");
    }
    word[strcspn(word, " \n")] = '\0';
    if (f != NULL) {
        (void)fclose(f);
    }
}

// When the process began; 0: not known. *ENDED: nobody has waited for its end yet.
static unsigned long long start_of(long pid, bool *ended) {
    enum { FIELD = 20 };  // behind the name, which ends with the last ')'
    char path[48];
    char text[1024] = "";
    (void)snprintf(path, sizeof path, "/proc/%ld/stat", pid);
    FILE *f = fopen(path, "re");
    const size_t length = f == NULL ? 0 : fread(text, 1, sizeof text - 1, f);
    text[length] = '\0';
    if (f != NULL) {
        (void)fclose(f);
    }
    const char *p = strrchr(text, ')');
    *ended = p != NULL && p[1] == ' ' && (p[2] == 'Z' || p[2] == 'X');
    for (unsigned i = 0; p != NULL && i < FIELD; i++) {
        p = strchr(p + 1, ' ');
    }
    return p == NULL ? 0 : strtoull(p, NULL, 10);
}

gmmu_claimant gmmu_claimant_self(void) {
    gmmu_claimant c = {.pid = (long)getpid()};
    struct utsname name;
    (void)snprintf(c.host, sizeof c.host, "%.64s", uname(&name) == 0 ? name.nodename : "-");
    for (char *p = c.host; *p != '\0'; p++) {
        *p = (char)(*p == '/' || *p == ' ' ? '_' : *p);
    }
    first_word("/proc/sys/kernel/random/boot_id", c.boot, sizeof c.boot);
    const ssize_t length = readlink("/proc/self/ns/pid", c.space, sizeof c.space - 1);
    c.space[length < 0 ? 0 : length] = '\0';
    if (length <= 0) {
        (void)snprintf(c.space, sizeof c.space, "-");
    }
    bool ended = false;
    c.start = start_of(c.pid, &ended);
    return c;
}

void gmmu_claimant_print(const gmmu_claimant *c, char text[GMMU_CLAIMANT_TEXT]) {
    (void)snprintf(text, GMMU_CLAIMANT_TEXT,
                   "gmmu-sweep 1 host=%s boot=%s space=%s pid=%ld start=%llu\n", c->host, c->boot,
                   c->space, c->pid, c->start);
}

bool gmmu_claimant_read(const char *path, gmmu_claimant *c) {
    char text[GMMU_CLAIMANT_TEXT] = "";
    FILE *f = fopen(path, "re");
    const size_t length = f == NULL ? 0 : fread(text, 1, sizeof text - 1, f);
    text[length] = '\0';
    if (f != NULL) {
        (void)fclose(f);
    }
    char pid[24] = "";
    char start[24] = "";
    *c = (gmmu_claimant){{""}, {""}, {""}, 0, 0};
    const bool good =
        sscanf(text, "gmmu-sweep 1 host=%71s boot=%47s space=%39s pid=%23s start=%23s", c->host,
               c->boot, c->space, pid, start) == 5;
    c->pid = strtol(pid, NULL, 10);
    c->start = strtoull(start, NULL, 10);
    return good && c->pid > 0;
}

bool gmmu_claimant_dead(const gmmu_claimant *c, const gmmu_claimant *self) {
    if (strcmp(c->boot, self->boot) != 0 || strcmp(c->space, self->space) != 0 ||
        strcmp(c->boot, "-") == 0) {
        return false;  // it ran elsewhere
    }
    if (kill((pid_t)c->pid, 0) != 0 && errno == ESRCH) {
        return true;
    }
    bool ended = false;
    const unsigned long long start = start_of(c->pid, &ended);
    return ended || (start != 0 && c->start != 0 && start != c->start);  // another has its number
}
