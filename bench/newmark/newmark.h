// SPDX-License-Identifier: Apache-2.0
// newmark.h: structural dynamics by recursive sub-domains, as the application of SemCache's case
// study (AlSaber and Kulkarni, ICS '13, §7.2): a clamped cuboid under a sudden load, in time by
// Newmark's beta method (gamma 1/2, beta 1/4), its sub-domains coupled in pairs, pairs of pairs, …
// by Lagrange multipliers on velocities (Prakash and Hjelmstad, IJNME 61(13), 2004, without
// sub-cycling).
//
// The linear algebra is a library's, told by functions, on row-major matrices of double: who runs
// it, here or on a GPU, the application does not know. What it touches itself it says before.
#ifndef NEWMARK_H
#define NEWMARK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Where the application calls, or touches: its "lines".
typedef enum {
    AT_SETUP,        // the matrices are made, by the CPU
    AT_RESPOND,      // a sub-domain's response to its interface: solve
    AT_RESPOND_GAP,  // of an inner one: the gap that its halves' responses leave
    AT_RESPOND_TIE,  // … is closed
    AT_INTERFACE,    // the interface's own matrix
    AT_PREDICT,      // displacements and velocities without the new accelerations
    AT_KEEP,         // velocities are kept
    AT_FORCE,        // K u + D v - f
    AT_SOLVE,        // accelerations of a sub-domain alone
    AT_UPDATE,       // velocities with them
    AT_GAP,          // between two halves
    AT_LAMBDA,       // what closes it
    AT_TIE,          // … and does to each sub-domain
    AT_CORRECT,      // displacements
    AT_PROBE,        // the tip is printed, by the CPU
    AT_REPORT,       // everything is
    NEWMARK_SITES
} newmark_site;
extern const char *const newmark_site_names[NEWMARK_SITES];

// All matrices are row-major, without gaps. Sizes are above 0.
typedef struct {
    void *context;
    // zeroed memory, which lives as long as the library; NULL: none left
    void *(*take)(void *context, size_t bytes);
    // C (m x n) = alpha A (m x k) B (k x n) + beta C, beta 0 or 1
    void (*gemm)(void *context, newmark_site site, size_t m, size_t n, size_t k, double alpha,
                 const double *a, const double *b, double beta, double *c);
    // A (n x n) X = B (n x r): X comes into B's place, A stays
    void (*gesv)(void *context, newmark_site site, size_t n, size_t r, const double *a, double *b);
    // y += alpha x; y = x
    void (*xpy)(void *context, newmark_site site, size_t n, double alpha, const double *x,
                double *y);
    void (*copy)(void *context, newmark_site site, size_t n, const double *x, double *y);
    // the application will read these bytes; write all of them
    void (*reads)(void *context, newmark_site site, const void *p, size_t bytes);
    void (*writes)(void *context, newmark_site site, void *p, size_t bytes);
} newmark_library;

typedef struct {
    unsigned size[3];  // cubes in each direction, 1 to 1000
    unsigned depth;    // 2^depth sub-domains; halves are taken of the longest side
    unsigned report;   // steps between reports, which read all displacements; 0: never
    double step;       // of time
} newmark_config;

typedef struct newmark newmark;

// NULL: no memory, or a sub-domain cannot be halved. Its matrices are the library's to free.
newmark *newmark_create(const newmark_config *config, const newmark_library *library);
void newmark_destroy(newmark *m);
// One step of time. What the tip, the far corner, has moved in x.
double newmark_step(newmark *m);
// Displacements of all nodes, x fastest, three each; where sub-domains meet, one's.
void newmark_displacements(newmark *m, double *u);
size_t newmark_unknowns(const newmark *m);
unsigned newmark_leaves(const newmark *m);

#ifdef __cplusplus
}
#endif
#endif
