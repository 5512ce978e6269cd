// SPDX-License-Identifier: Apache-2.0
// routines.c: see routines.h. The conditions are those of the reference implementation: which
// arguments it refuses, when it returns at once, and when a scalar of 0 keeps it from an array.
#include "blas/routines.h"

#include <string.h>

#include "blas/drivers.h"
#include "blas/touching.h"

// ---- names

static const char *without(const char *name, const char *prefix) {
    const size_t length = strlen(prefix);
    return strncmp(name, prefix, length) == 0 ? name + length : name;
}

// What may stand behind a routine's name: marks of the interfaces, and a memo's triangle.
static bool ends(const char *rest) {
    static const char *const all[] = {"", "_", "64_", "_64_", "-U", "-L"};
    for (unsigned i = 0; i < sizeof all / sizeof all[0]; i++)
        if (strcmp(rest, all[i]) == 0)
            return true;
    return false;
}

bool gmmu_blas_is_single(const char *name) {
#define NAME_ROW(family, name, type, alpha, beta) #name,
#define DRIVER_NAME(signature, name, type, family) #name,
    static const char *const names[] = {GMMU_BLAS_ROWS(NAME_ROW)
                                            GMMU_BLAS_DRIVER_ROWS(DRIVER_NAME)};
#undef NAME_ROW
#undef DRIVER_NAME
    name = without(without(name, "scipy_"), "cblas_");
    if (*name != 's' && *name != 'c' && strncmp(name, "isa", 3) != 0 &&
        strncmp(name, "ica", 3) != 0)
        return false;
    for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strncmp(name, names[i], strlen(names[i])) == 0 && ends(name + strlen(names[i])))
            return true;
    return false;
}

// ---- arguments

gmmu_blas_scalar gmmu_blas_scalar_of(char type, const void *value) {
    double part[2] = {0, 0};
    float single[2] = {0, 0};
    if (type == 's' || type == 'c') {
        memcpy(single, value, type == 's' ? sizeof single[0] : sizeof single);
        part[0] = (double)single[0];
        part[1] = (double)single[1];
    } else {
        memcpy(part, value, type == 'd' ? sizeof part[0] : sizeof part);
    }
    if (part[1] != 0)
        return GMMU_BLAS_OTHER;
    return part[0] == 0 ? GMMU_BLAS_ZERO : part[0] == 1 ? GMMU_BLAS_ONE : GMMU_BLAS_OTHER;
}

char gmmu_blas_letter(int cblas) {
    static const struct {
        int value;
        char letter;
    } all[] = {{111, 'N'}, {112, 'T'}, {113, 'C'}, {114, 'R'}, {121, 'U'},
               {122, 'L'}, {131, 'N'}, {132, 'U'}, {141, 'L'}, {142, 'R'}};
    for (unsigned i = 0; i < sizeof all / sizeof all[0]; i++)
        if (all[i].value == cblas)
            return all[i].letter;
    return 0;
}

// What a transposition is of the transposed matrix; ONE if there is none. (cblas takes either
// transposition for the other.)
static char turn(char trans, char one) {
    if (among(trans, "N"))
        return one;
    if (among(trans, "TC"))
        return 'N';
    return trans;
}

static char flip(char letter, char one, char other) {
    const char both[] = {one, 0}, second[] = {other, 0};
    if (among(letter, both))
        return other;
    if (among(letter, second))
        return one;
    return letter;
}

static void swap_sizes(int64_t *x, int64_t *y) {
    const int64_t was = *x;
    *x = *y;
    *y = was;
}

void gmmu_blas_row_major(gmmu_blas_call *c) {
    const void *matrix = c->a, *x;
    const char letter = c->trans;
    const bool hermitian = c->family == GMMU_BLAS_HERK || c->family == GMMU_BLAS_HER2K;
    const int64_t m = c->m;
    switch (c->family) {
        case GMMU_BLAS_GEMM:  // C' = op(B)' op(A)'
        case GMMU_BLAS_GEMMT:
            c->uplo = flip(c->uplo, 'U', 'L');
            c->trans = c->trans_b;
            c->trans_b = letter;
            c->a = c->b;
            c->b = matrix;
            swap_sizes(&c->lda, &c->ldb);
            swap_sizes(&c->m, &c->n);
            break;
        case GMMU_BLAS_SYMM:
        case GMMU_BLAS_HEMM:
        case GMMU_BLAS_TRMM:
        case GMMU_BLAS_TRSM:
            c->side = flip(c->side, 'L', 'R');
            c->uplo = flip(c->uplo, 'U', 'L');
            swap_sizes(&c->m, &c->n);
            break;
        case GMMU_BLAS_SYRK:
        case GMMU_BLAS_HERK:
        case GMMU_BLAS_SYR2K:
        case GMMU_BLAS_HER2K:
            c->uplo = flip(c->uplo, 'U', 'L');
            c->trans = turn(letter, hermitian ? 'C' : 'T');
            break;
        case GMMU_BLAS_OMATCOPY:
            swap_sizes(&c->m, &c->n);
            break;
        case GMMU_BLAS_GEMV:
            c->trans = turn(letter, 'T');
            swap_sizes(&c->m, &c->n);
            break;
        case GMMU_BLAS_SYMV:
        case GMMU_BLAS_HEMV:
            c->uplo = flip(c->uplo, 'U', 'L');
            break;
        case GMMU_BLAS_TRMV:
        case GMMU_BLAS_TRSV:
            c->uplo = flip(c->uplo, 'U', 'L');
            c->trans = turn(letter, 'T');
            break;
        case GMMU_BLAS_GER:  // A' = A' + y x'
        case GMMU_BLAS_GERC:
            x = c->b;
            c->b = c->c;
            c->c = x;
            swap_sizes(&c->ldb, &c->ldc);
            swap_sizes(&c->m, &c->n);
            break;
        default:
            break;
    }
    c->swapped = c->m != m;
}

// ---- what is touched

static access result(const gmmu_blas_call *c) {
    return c->beta == GMMU_BLAS_ZERO ? WRITE : UPDATE;
}

// C is not changed: alpha·…, which NOTHING says is 0, and beta 1.
static bool unchanged(const gmmu_blas_call *c, bool nothing) {
    return nothing && c->beta == GMMU_BLAS_ONE;
}

// A product of ROWS rows, of which ALL or a triangle is written. LETTERS: what a matrix may be.
static void touch_product(touching *t, const gmmu_blas_call *c, int64_t rows, const char *letters,
                          bool all) {
    const bool a_stands = among(c->trans, "N"), b_stands = among(c->trans_b, "N");
    const int64_t a_rows = a_stands ? rows : c->k, b_rows = b_stands ? c->k : c->n;
    if (!among(c->trans, letters) || !among(c->trans_b, letters) || c->k < 0 ||
        !holds(c->lda, a_rows) || !holds(c->ldb, b_rows) || !holds(c->ldc, rows) || rows == 0 ||
        c->n == 0)
        return;
    const bool nothing = c->alpha == GMMU_BLAS_ZERO || c->k == 0;
    if (unchanged(c, nothing))
        return;
    if (!nothing) {
        matrix(t, READ, c->a, a_rows, a_stands ? c->k : rows, c->lda, true);
        matrix(t, READ, c->b, b_rows, b_stands ? c->n : c->k, c->ldb, true);
    }
    matrix(t, result(c), c->c, rows, c->n, c->ldc, all);
}

static void touch_copy(touching *t, const gmmu_blas_call *c) {
    const bool turns = among(c->trans, "TC");
    const int64_t rows = turns ? c->n : c->m, columns = turns ? c->m : c->n;
    if (!among(c->trans, "NTCR") || !holds(c->lda, c->m) || !holds(c->ldb, rows))
        return;
    if (c->alpha != GMMU_BLAS_ZERO)
        matrix(t, READ, c->a, c->m, c->n, c->lda, true);
    matrix(t, WRITE, c->b, rows, columns, c->ldb, true);
}

static void touch_symm(touching *t, const gmmu_blas_call *c) {
    const int64_t order = among(c->side, "L") ? c->m : c->n;
    if (!among(c->side, "LR") || !among(c->uplo, "UL") || !holds(c->lda, order) ||
        !holds(c->ldb, c->m) || !holds(c->ldc, c->m) || c->m == 0 || c->n == 0 ||
        unchanged(c, c->alpha == GMMU_BLAS_ZERO))
        return;
    if (c->alpha != GMMU_BLAS_ZERO) {
        matrix(t, READ, c->a, order, order, c->lda, false);
        matrix(t, READ, c->b, c->m, c->n, c->ldb, true);
    }
    matrix(t, result(c), c->c, c->m, c->n, c->ldc, true);
}

// SYRK, HERK, SYR2K, HER2K: a triangle of C is written.
static void touch_rank(touching *t, const gmmu_blas_call *c) {
    const bool two = c->family == GMMU_BLAS_SYR2K || c->family == GMMU_BLAS_HER2K;
    const bool hermitian = c->family == GMMU_BLAS_HERK || c->family == GMMU_BLAS_HER2K;
    const char *allowed = hermitian ? "NC" : is_complex(c) ? "NT" : "NTC";
    const bool stands = among(c->trans, "N");
    const int64_t rows = stands ? c->n : c->k, columns = stands ? c->k : c->n;
    if (!among(c->uplo, "UL") || !among(c->trans, allowed) || c->k < 0 || !holds(c->lda, rows) ||
        (two && !holds(c->ldb, rows)) || !holds(c->ldc, c->n) || c->n == 0)
        return;
    const bool nothing = c->alpha == GMMU_BLAS_ZERO || c->k == 0;
    if (unchanged(c, nothing))
        return;
    if (!nothing) {
        matrix(t, READ, c->a, rows, columns, c->lda, true);
        if (two)
            matrix(t, READ, c->b, rows, columns, c->ldb, true);
    }
    matrix(t, result(c), c->c, c->n, c->n, c->ldc, c->n == 1);
}

// TRMM, TRSM: B is written.
static void touch_triangle(touching *t, const gmmu_blas_call *c) {
    const int64_t order = among(c->side, "L") ? c->m : c->n;
    if (!among(c->side, "LR") || !among(c->uplo, "UL") || !among(c->trans, "NTC") ||
        !among(c->diag, "UN") || !holds(c->lda, order) || !holds(c->ldb, c->m) || c->m == 0 ||
        c->n == 0)
        return;
    const bool nothing = c->alpha == GMMU_BLAS_ZERO;
    if (!nothing)
        matrix(t, READ, c->a, order, order, c->lda, false);
    matrix(t, nothing ? WRITE : UPDATE, c->b, c->m, c->n, c->ldb, true);
}

static void touch_gemv(touching *t, const gmmu_blas_call *c) {
    const bool stands = among(c->trans, "N"), nothing = c->alpha == GMMU_BLAS_ZERO;
    if (!among(c->trans, "NTC") || !holds(c->lda, c->m) || c->ldb == 0 || c->ldc == 0 ||
        c->m == 0 || c->n == 0 || unchanged(c, nothing))
        return;
    if (!nothing) {
        matrix(t, READ, c->a, c->m, c->n, c->lda, true);
        vector(t, READ, c->b, stands ? c->n : c->m, c->ldb);
    }
    vector(t, result(c), c->c, stands ? c->m : c->n, c->ldc);
}

static void touch_symv(touching *t, const gmmu_blas_call *c) {
    const bool nothing = c->alpha == GMMU_BLAS_ZERO;
    if (!among(c->uplo, "UL") || !holds(c->lda, c->n) || c->ldb == 0 || c->ldc == 0 || c->n == 0 ||
        unchanged(c, nothing))
        return;
    if (!nothing) {
        matrix(t, READ, c->a, c->n, c->n, c->lda, false);
        vector(t, READ, c->b, c->n, c->ldb);
    }
    vector(t, result(c), c->c, c->n, c->ldc);
}

// TRMV, TRSV
static void touch_trmv(touching *t, const gmmu_blas_call *c) {
    if (!among(c->uplo, "UL") || !among(c->trans, "NTC") || !among(c->diag, "UN") ||
        !holds(c->lda, c->n) || c->ldc == 0 || c->n == 0)
        return;
    matrix(t, READ, c->a, c->n, c->n, c->lda, false);
    vector(t, UPDATE, c->c, c->n, c->ldc);
}

static void touch_ger(touching *t, const gmmu_blas_call *c) {
    if (!holds(c->lda, c->m) || c->ldb == 0 || c->ldc == 0 || c->m == 0 || c->n == 0 ||
        c->alpha == GMMU_BLAS_ZERO)
        return;
    vector(t, READ, c->b, c->m, c->ldb);
    vector(t, READ, c->c, c->n, c->ldc);
    matrix(t, UPDATE, c->a, c->m, c->n, c->lda, true);
}

// POTRS, TRTRS, TRTRI: the triangle is a factor, or is inverted. TRTRS looks for a 0 on the
// diagonal even if there is nothing to solve.
static void touch_factor(touching *t, const gmmu_blas_call *c) {
    const bool inverts = c->family == GMMU_BLAS_TRTRI, general = c->family == GMMU_BLAS_TRTRS;
    if (!among(c->uplo, "UL") || (c->family != GMMU_BLAS_POTRS && !among(c->diag, "UN")) ||
        (general && !among(c->trans, "NTC")) || !holds(c->lda, c->n) || c->n == 0 ||
        (!inverts && (c->k < 0 || !holds(c->ldb, c->n))))
        return;
    if (!inverts && c->k == 0 && (!general || among(c->diag, "U")))
        return;
    matrix(t, inverts ? UPDATE : READ, c->a, c->n, c->n, c->lda, false);
    if (!inverts)
        matrix(t, UPDATE, c->b, c->n, c->k, c->ldb, true);
}

static void touch_lapack(touching *t, const gmmu_blas_call *c) {
    const bool factors = c->family != GMMU_BLAS_GETRS, solves = c->family >= GMMU_BLAS_GETRS;
    const int64_t rows = c->family == GMMU_BLAS_GETRF ? c->m : c->n;
    if (!holds(c->lda, rows) || rows == 0 || c->n == 0)
        return;
    if (c->family == GMMU_BLAS_POTRF) {
        if (among(c->uplo, "UL"))
            matrix(t, UPDATE, c->a, c->n, c->n, c->lda, false);
        return;
    }
    if (solves && (c->k < 0 || !holds(c->ldb, c->n)))
        return;
    if (!factors && (!among(c->trans, "NTC") || c->k == 0))
        return;
    matrix(t, factors ? UPDATE : READ, c->a, rows, c->n, c->lda, true);
    pivots(t, factors ? WRITE : READ, c, least(rows, c->n));
    if (solves)
        matrix(t, UPDATE, c->b, c->n, c->k, c->ldb, true);
}

static bool has_m(gmmu_blas_family f) {
    return f == GMMU_BLAS_GEMM || f == GMMU_BLAS_SYMM || f == GMMU_BLAS_HEMM ||
           f == GMMU_BLAS_TRMM || f == GMMU_BLAS_TRSM || f == GMMU_BLAS_GEMV ||
           f == GMMU_BLAS_GER || f == GMMU_BLAS_GERC || f == GMMU_BLAS_GETRF ||
           f == GMMU_BLAS_OMATCOPY;
}

unsigned gmmu_blas_operands(const gmmu_blas_call *c,
                            gmmu_sem_operand out[GMMU_BLAS_MOST_OPERANDS]) {
    touching t = touching_of(c, out);
    if (gmmu_blas_is_driver(c->family))
        return gmmu_blas_driver_operands(c, out);
    if (c->n < 0 || (has_m(c->family) && c->m < 0))
        return 0;
    switch (c->family) {
        case GMMU_BLAS_GEMM:
            touch_product(&t, c, c->m, "NTC", true);
            break;
        case GMMU_BLAS_GEMMT:
            if (among(c->uplo, "UL"))
                touch_product(&t, c, c->n, "NTCR", c->n == 1);
            break;
        case GMMU_BLAS_OMATCOPY:
            touch_copy(&t, c);
            break;
        case GMMU_BLAS_SYMM:
        case GMMU_BLAS_HEMM:
            touch_symm(&t, c);
            break;
        case GMMU_BLAS_SYRK:
        case GMMU_BLAS_HERK:
        case GMMU_BLAS_SYR2K:
        case GMMU_BLAS_HER2K:
            touch_rank(&t, c);
            break;
        case GMMU_BLAS_TRMM:
        case GMMU_BLAS_TRSM:
            touch_triangle(&t, c);
            break;
        case GMMU_BLAS_GEMV:
            touch_gemv(&t, c);
            break;
        case GMMU_BLAS_SYMV:
        case GMMU_BLAS_HEMV:
            touch_symv(&t, c);
            break;
        case GMMU_BLAS_TRMV:
        case GMMU_BLAS_TRSV:
            touch_trmv(&t, c);
            break;
        case GMMU_BLAS_GER:
        case GMMU_BLAS_GERC:
            touch_ger(&t, c);
            break;
        case GMMU_BLAS_POTRS:
        case GMMU_BLAS_TRTRS:
        case GMMU_BLAS_TRTRI:
            touch_factor(&t, c);
            break;
        case GMMU_BLAS_DOT:
        case GMMU_BLAS_DOT_SUB:
            vector(&t, READ, c->b, c->n, c->ldb);
            vector(&t, READ, c->c, c->n, c->ldc);
            break;
        case GMMU_BLAS_NRM2:
            vector(&t, READ, c->b, c->n, c->ldb);
            break;
        case GMMU_BLAS_ASUM:
        case GMMU_BLAS_IAMAX:
            if (c->ldb > 0)
                vector(&t, READ, c->b, c->n, c->ldb);
            break;
        case GMMU_BLAS_AXPBY:
            if (c->alpha != GMMU_BLAS_ZERO)
                vector(&t, READ, c->b, c->n, c->ldb);
            if (!unchanged(c, c->alpha == GMMU_BLAS_ZERO))
                vector(&t, result(c), c->c, c->n, c->ldc);
            break;
        case GMMU_BLAS_ROT:
        case GMMU_BLAS_SWAP:
            vector(&t, UPDATE, c->b, c->n, c->ldb);
            vector(&t, UPDATE, c->c, c->n, c->ldc);
            break;
        case GMMU_BLAS_AXPY:
            if (c->alpha != GMMU_BLAS_ZERO) {
                vector(&t, READ, c->b, c->n, c->ldb);
                vector(&t, UPDATE, c->c, c->n, c->ldc);
            }
            break;
        case GMMU_BLAS_COPY:
            vector(&t, READ, c->b, c->n, c->ldb);
            vector(&t, WRITE, c->c, c->n, c->ldc);
            break;
        case GMMU_BLAS_SCAL:
            if (c->ldc > 0)
                vector(&t, UPDATE, c->c, c->n, c->ldc);
            break;
        default:
            touch_lapack(&t, c);
            break;
    }
    return t.bad ? 0 : t.used;
}
