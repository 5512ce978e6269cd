// SPDX-License-Identifier: Apache-2.0
// drivers.c: see drivers.h. Operands are what LAPACK's documentation of a routine says; operations
// are those of LAPACK Working Note 41, and where a routine iterates estimates: the note's counts of
// its steps, and of the iterations what scripts/blas_operations.py counts.
#include "blas/drivers.h"

#include "blas/touching.h"

// ---- signatures
// NOLINTBEGIN(bugprone-macro-parentheses): initializers take none

#define FIELD_CHAR(field) offsetof(gmmu_blas_call, field)
#define FIELD_INT(field) offsetof(gmmu_blas_call, field)
#define FIELD_ARRAY(field) offsetof(gmmu_blas_call, field)
#define FIELD_INFO(field) offsetof(gmmu_blas_call, field)
#define FIELD_VALUE(field) 0
#define FIELD_FOUND(field) 0
#define FIELD_ESTIMATE(field) 0
#define FIELD_CODE(field) 0
#define FIELD_LETTER(field) offsetof(gmmu_blas_call, field)
#define ONE_MORE(kind, field) +1
#define ARGUMENT(kind, field) \
    { GMMU_BLAS_##kind, FIELD_##kind(field) }
#define SIGNATURE(name)                                                   \
    [GMMU_BLAS_SIGNATURE_##                                               \
        name] = {.count = GMMU_BLAS_ALL(ONE_MORE, GMMU_BLAS_ARGS_##name), \
                 .argument = {GMMU_BLAS_LIST(ARGUMENT, GMMU_BLAS_ARGS_##name)}},
const gmmu_blas_signature gmmu_blas_signatures[GMMU_BLAS_SIGNATURE_COUNT] = {
    GMMU_BLAS_SIGNATURES(SIGNATURE)};

// NOLINTEND(bugprone-macro-parentheses)

void gmmu_blas_driver_fill(gmmu_blas_call *call, const gmmu_blas_signature *signature,
                           void *const *argument) {
    for (unsigned i = 0; i < signature->count; i++) {
        char *field = (char *)call + signature->argument[i].at;
        int32_t narrow;
        int64_t wide;
        if (argument[i] == NULL)  // not referenced: SYEVR's VL, VU, IL, IU without an interval
            continue;
        switch (signature->argument[i].kind) {
            case GMMU_BLAS_CHAR:
            case GMMU_BLAS_LETTER:
                memcpy(field, argument[i], 1);
                break;
            case GMMU_BLAS_INT:
                if (call->integer == sizeof narrow) {
                    memcpy(&narrow, argument[i], sizeof narrow);
                    wide = narrow;
                } else {
                    memcpy(&wide, argument[i], sizeof wide);
                }
                memcpy(field, &wide, sizeof wide);
                break;
            case GMMU_BLAS_ARRAY:
            case GMMU_BLAS_INFO:
                memcpy(field, &argument[i], sizeof argument[i]);
                break;
            default:
                break;
        }
    }
}

bool gmmu_blas_driver_asks(const gmmu_blas_call *c) {
    return c->lwork == -1 || c->lrwork == -1 || c->liwork == -1;
}

// ---- operands

static int64_t most(int64_t x, int64_t y) {
    return x > y ? x : y;
}

// Bytes of a real number of the type's precision.
static unsigned real_bytes(const gmmu_blas_call *c) {
    return c->type == 's' || c->type == 'c' ? 4 : 8;
}

static void reals(touching *t, access how, const gmmu_blas_call *c, const void *start, int64_t n) {
    others(t, how, start, n, real_bytes(c), true);
}

static void integers(touching *t, access how, const gmmu_blas_call *c, const void *start, int64_t n,
                     bool all) {
    others(t, how, start, n, (unsigned)c->integer, all);
}

static void touch_svd(touching *t, const gmmu_blas_call *c) {
    const bool same = c->family == GMMU_BLAS_GESDD;  // one letter for both sides
    const int64_t small = least(c->m, c->n);
    const char jobs[2] = {c->job, c->job_b};
    const char u = jobs[0], v = jobs[!same];
    // GESDD with O: the side with fewer vectors in A, the other in full
    const bool over = same && among(c->job, "O"), tall = c->m >= c->n;
    int64_t u_columns = among(u, "A") ? c->m : among(u, "S") ? small : 0;
    int64_t v_rows = among(v, "A") ? c->n : among(v, "S") ? small : 0;
    if (over) {
        u_columns = tall ? 0 : c->m;
        v_rows = tall ? c->n : 0;
    }
    if (!among(u, "ASON") || !among(v, "ASON") || (!same && among(u, "O") && among(v, "O")) ||
        !holds(c->lda, c->m) || !holds(c->ldb, u_columns != 0 ? c->m : 1) ||
        !holds(c->ldc, v_rows == 0 ? 1 : v_rows) || small == 0)
        return;
    matrix(t, UPDATE, c->a, c->m, c->n, c->lda, true);
    reals(t, WRITE, c, c->values, small);
    if (u_columns != 0)
        matrix(t, WRITE, c->b, c->m, u_columns, c->ldb, true);
    if (v_rows != 0)
        matrix(t, WRITE, c->c, v_rows, c->n, c->ldc, true);
}

// SYEV, SYEVD, SYGV, SYGVD: A is read by a triangle, and overwritten.
static void touch_symmetric(touching *t, const gmmu_blas_call *c) {
    const bool two = c->family == GMMU_BLAS_SYGV || c->family == GMMU_BLAS_SYGVD;
    if (!among(c->job, "NV") || !among(c->uplo, "UL") || !holds(c->lda, c->n) || c->n == 0 ||
        (two && (c->itype < 1 || c->itype > 3 || !holds(c->ldb, c->n))))
        return;
    matrix(t, UPDATE, c->a, c->n, c->n, c->lda, false);
    if (two)
        matrix(t, UPDATE, c->b, c->n, c->n, c->ldb, false);
    reals(t, WRITE, c, c->values, c->n);
}

// How many values are wanted; −1: that is found by the routine.
static int64_t wanted(const gmmu_blas_call *c) {
    int64_t more;
    if (among(c->range, "A"))
        return c->n;
    if (!among(c->range, "I"))
        return -1;
    return __builtin_sub_overflow(c->to, c->from, &more) || more == INT64_MAX ? 0 : more + 1;
}

static void touch_syevr(touching *t, const gmmu_blas_call *c) {
    const bool vectors = among(c->job, "V");
    const int64_t k = wanted(c);
    if (!among(c->job, "NV") || !among(c->range, "AVI") || !among(c->uplo, "UL") ||
        !holds(c->lda, c->n) || !holds(c->ldc, vectors ? c->n : 1) || c->n == 0 ||
        (among(c->range, "I") &&
         (c->from < 1 || c->from > most(1, c->n) || c->to < least(c->n, c->from) || c->to > c->n)))
        return;
    if (k < 0) {
        t->bad = vectors;  // how much of Z there is is not known before
        if (vectors)
            return;
    }
    matrix(t, UPDATE, c->a, c->n, c->n, c->lda, false);
    others(t, WRITE, c->values, c->n, real_bytes(c), false);
    if (vectors) {
        matrix(t, WRITE, c->c, c->n, k, c->ldc, true);
        integers(t, WRITE, c, c->pivots, 2 * most(1, k), false);
    }
}

// What is wanted of condition numbers: those of values (or of their mean), those of vectors.
static bool wants_values(const gmmu_blas_call *c) {
    return among(c->sense, "EB");
}

static bool wants_vectors(const gmmu_blas_call *c) {
    return among(c->sense, "VB");
}

// GEEVX, GEESX, GGEVX: the letters that the plain drivers do not have.
static bool are_expert_letters(const gmmu_blas_call *c, bool left, bool right) {
    if (!among(c->sense, "NEVB"))
        return false;
    if (c->family == GMMU_BLAS_GEESX)
        return among(c->sort, "S") || among(c->sense, "N");
    return among(c->balance, "NPSB") &&
           (c->family == GMMU_BLAS_GGEVX || !wants_values(c) || (left && right));
}

// GEEV, GEES, GGEV, GEEVX, GEESX, GGEVX
static void touch_general(touching *t, const gmmu_blas_call *c) {
    const gmmu_blas_family f = c->family;
    const bool complex = is_complex(c), two = f == GMMU_BLAS_GGEV || f == GMMU_BLAS_GGEVX;
    const bool schur = f == GMMU_BLAS_GEES || f == GMMU_BLAS_GEESX;
    const bool expert = f >= GMMU_BLAS_GEEVX && f <= GMMU_BLAS_GGEVX;
    const bool left = among(c->job, "V"), right = !schur && among(c->job_b, "V");
    const void *l = two ? c->c : c->b, *r = two ? c->d : c->c;
    const int64_t ldl = two ? c->ldc : c->ldb, ldr = two ? c->ldd : c->ldc;
    if (!among(c->job, "NV") || (!schur && !among(c->job_b, "NV")) ||
        (schur && !among(c->sort, "NS")) || !holds(c->lda, c->n) || (two && !holds(c->ldb, c->n)) ||
        !holds(ldl, left ? c->n : 1) || (!schur && !holds(ldr, right ? c->n : 1)) ||
        (expert && !are_expert_letters(c, left, right)) || c->n == 0)
        return;
    matrix(t, UPDATE, c->a, c->n, c->n, c->lda, true);
    if (two)
        matrix(t, UPDATE, c->b, c->n, c->n, c->ldb, true);
    matrix(t, WRITE, c->values, c->n, 1, c->n, true);
    if (!complex)
        matrix(t, WRITE, c->values_b, c->n, 1, c->n, true);
    if (two)
        matrix(t, WRITE, c->values_c, c->n, 1, c->n, true);
    if (left)
        matrix(t, WRITE, l, c->n, c->n, ldl, true);
    if (right)
        matrix(t, WRITE, r, c->n, c->n, ldr, true);
    if (!expert || schur)  // (GEESX's two condition numbers are scalars)
        return;
    reals(t, WRITE, c, c->scale, c->n);
    if (two)
        reals(t, WRITE, c, c->scale_b, c->n);
    if (wants_values(c))
        reals(t, WRITE, c, c->errors, c->n);
    if (wants_vectors(c))
        reals(t, WRITE, c, c->errors_b, c->n);
}

// GEQRF, GELQF, GEQP3, GEHRD. GEQP3 sets JPVT even if there are no rows.
static void touch_orthogonal(touching *t, const gmmu_blas_call *c) {
    const bool hessenberg = c->family == GMMU_BLAS_GEHRD, pivoted = c->family == GMMU_BLAS_GEQP3;
    const int64_t m = hessenberg ? c->n : c->m;
    const int64_t k = hessenberg ? c->n - 1 : least(m, c->n);
    if (!holds(c->lda, m) || k < 0 ||
        (hessenberg &&
         (c->from < 1 || c->from > most(1, c->n) || c->to < least(c->from, c->n) || c->to > c->n)))
        return;
    if (pivoted)
        integers(t, UPDATE, c, c->pivots, c->n, true);
    if (k == 0 && !hessenberg)
        return;
    matrix(t, UPDATE, c->a, m, c->n, c->lda, true);
    matrix(t, WRITE, c->tau, k, 1, k, true);
}

// ORGQR, ORGLQ: of the reflections the matrix.
static void touch_generate(touching *t, const gmmu_blas_call *c) {
    const bool rows = c->family == GMMU_BLAS_ORGLQ;
    const int64_t large = rows ? c->n : c->m, small = rows ? c->m : c->n;
    if (small > large || c->k < 0 || c->k > small || !holds(c->lda, c->m) || small == 0)
        return;
    matrix(t, UPDATE, c->a, c->m, c->n, c->lda, true);
    matrix(t, READ, c->tau, c->k, 1, c->k, true);
}

// ORMQR, ORMLQ: the reflections times C.
static void touch_multiply(touching *t, const gmmu_blas_call *c) {
    const bool left = among(c->side, "L"), rows = c->family == GMMU_BLAS_ORMLQ;
    const int64_t order = left ? c->m : c->n;
    if (!among(c->side, "LR") || !among(c->trans, is_complex(c) ? "NC" : "NT") || c->k < 0 ||
        c->k > order || !holds(c->lda, rows ? c->k : order) || !holds(c->ldc, c->m) || c->m == 0 ||
        c->n == 0 || c->k == 0)
        return;
    // the diagonal is set to 1 meanwhile
    matrix(t, READ, c->a, rows ? c->k : order, rows ? order : c->k, c->lda, true);
    matrix(t, READ, c->tau, c->k, 1, c->k, true);
    matrix(t, UPDATE, c->c, c->m, c->n, c->ldc, true);
}

// GETRI, POTRI, POSV, SYTRF, SYTRS, SYSV, GECON, POCON: square matrices.
static void touch_square(touching *t, const gmmu_blas_call *c) {
    const gmmu_blas_family f = c->family;
    const bool general = f == GMMU_BLAS_GETRI || f == GMMU_BLAS_GECON;
    const bool indefinite = f == GMMU_BLAS_SYTRF || f == GMMU_BLAS_SYTRS || f == GMMU_BLAS_SYSV;
    const bool solves = f == GMMU_BLAS_POSV || f == GMMU_BLAS_SYTRS || f == GMMU_BLAS_SYSV;
    const bool reads = f == GMMU_BLAS_SYTRS || f == GMMU_BLAS_GECON || f == GMMU_BLAS_POCON;
    if ((!general && !among(c->uplo, "UL")) || (f == GMMU_BLAS_GECON && !among(c->norm, "1OI")) ||
        !holds(c->lda, c->n) || c->n == 0 || (solves && (c->k < 0 || !holds(c->ldb, c->n))) ||
        (f == GMMU_BLAS_SYTRS && c->k == 0))
        return;
    matrix(t, reads ? READ : UPDATE, c->a, c->n, c->n, c->lda, general);
    if (indefinite || f == GMMU_BLAS_GETRI)
        pivots(t, indefinite && !reads ? WRITE : READ, c, c->n);
    if (solves)
        matrix(t, UPDATE, c->b, c->n, c->k, c->ldb, true);
}

// GESVX, POSVX: how A and B are scaled by EQUED.
static bool scales_rows(const gmmu_blas_call *c) {
    return among(c->equed, c->family == GMMU_BLAS_POSVX ? "Y" : "RB");
}

static bool scales_columns(const gmmu_blas_call *c) {
    return c->family == GMMU_BLAS_GESVX && among(c->equed, "CB");
}

static bool scales_sides(const gmmu_blas_call *c) {
    const bool turned = c->family == GMMU_BLAS_GESVX && !among(c->trans, "N");
    return turned ? scales_columns(c) : scales_rows(c);
}

// GESVX, POSVX, SYSVX. With FACT = 'F' the factors are given, and EQUED says how A was scaled. With
// 'E' the routine decides whether it scales: A and B may be written, and the factors of the scaling
// are. Without rows the bounds of errors are 0.
static void touch_expert(touching *t, const gmmu_blas_call *c) {
    const bool general = c->family == GMMU_BLAS_GESVX, definite = c->family == GMMU_BLAS_POSVX;
    const bool scaled = general || definite, given = among(c->job, "F");
    const bool scales = scaled && among(c->job, "E"), keeps = scaled && given;
    if (!among(c->job, scaled ? "NEF" : "NF") ||
        (general ? !among(c->trans, "NTC") : !among(c->uplo, "UL")) || c->k < 0 ||
        !holds(c->lda, c->n) || !holds(c->ldb, c->n) || !holds(c->ldc, c->n) ||
        !holds(c->ldd, c->n) || (keeps && !among(c->equed, general ? "NRCB" : "NY")))
        return;
    matrix(t, scales ? UPDATE : READ, c->a, c->n, c->n, c->lda, general);
    matrix(t, given ? READ : WRITE, c->c, c->n, c->n, c->ldc, general);
    if (!definite)
        pivots(t, given ? READ : WRITE, c, c->n);
    if (scales || (keeps && scales_rows(c)))
        reals(t, scales ? WRITE : READ, c, c->scale, c->n);
    if (general && (scales || (keeps && scales_columns(c))))
        reals(t, scales ? WRITE : READ, c, c->scale_b, c->n);
    matrix(t, scales || (keeps && scales_sides(c)) ? UPDATE : READ, c->b, c->n, c->k, c->ldb, true);
    matrix(t, WRITE, c->d, c->n, c->k, c->ldd, true);
    reals(t, WRITE, c, c->errors, c->k);
    reals(t, WRITE, c, c->errors_b, c->k);
}

uint32_t gmmu_blas_driver_unwritten(const gmmu_blas_call *c, const gmmu_sem_operand *operand,
                                    unsigned n) {
    uint32_t is = 0;
    if ((c->family != GMMU_BLAS_GESVX && c->family != GMMU_BLAS_POSVX) || !among(c->job, "E"))
        return 0;
    for (unsigned i = 0; i < n; i++)
        if ((operand[i].start == (uintptr_t)c->a && !scales_rows(c) && !scales_columns(c)) ||
            (operand[i].start == (uintptr_t)c->b && !scales_sides(c)))
            is |= UINT32_C(1) << i;
    return is;
}

// GELS, GELSD, GELSS, GELSY: B has the right sides, and then the solutions.
static void touch_least_squares(touching *t, const gmmu_blas_call *c) {
    const bool plain = c->family == GMMU_BLAS_GELS, pivoted = c->family == GMMU_BLAS_GELSY;
    const int64_t small = least(c->m, c->n), large = most(c->m, c->n);
    if ((plain && !among(c->trans, is_complex(c) ? "NC" : "NT")) || c->k < 0 ||
        !holds(c->lda, c->m) || !holds(c->ldb, large))
        return;
    if (plain && (small == 0 || c->k == 0)) {
        matrix(t, WRITE, c->b, large, c->k, c->ldb, true);  // the solution is 0
        return;
    }
    if (small == 0 || c->k == 0)
        return;
    matrix(t, UPDATE, c->a, c->m, c->n, c->lda, true);
    matrix(t, UPDATE, c->b, large, c->k, c->ldb, true);
    if (pivoted)
        integers(t, UPDATE, c, c->pivots, c->n, true);
    else if (!plain)
        reals(t, WRITE, c, c->values, small);
}

// GBTRF, GBTRS, GBSV, PBTRF, PBTRS, GTSV: of a matrix with few diagonals only these are stored.
static void touch_band(touching *t, const gmmu_blas_call *c) {
    const gmmu_blas_family f = c->family;
    const bool definite = f == GMMU_BLAS_PBTRF || f == GMMU_BLAS_PBTRS;
    const bool solves = f != GMMU_BLAS_GBTRF && f != GMMU_BLAS_PBTRF;
    const bool factors = f != GMMU_BLAS_GBTRS && f != GMMU_BLAS_PBTRS;
    const int64_t wide = INT64_MAX / 8;
    if (c->kl < 0 || c->ku < 0 || c->kl > wide || c->ku > wide)
        return;
    const int64_t rows = definite ? c->kl + 1 : 2 * c->kl + c->ku + 1;
    if (c->n == 0 || (f == GMMU_BLAS_GBTRF && c->m == 0) || !holds(c->lda, rows) ||
        (definite && !among(c->uplo, "UL")) || (f == GMMU_BLAS_GBTRS && !among(c->trans, "NTC")) ||
        (solves && (c->k < 0 || !holds(c->ldb, c->n))) || (!factors && c->k == 0))
        return;
    matrix(t, factors ? UPDATE : READ, c->a, rows, c->n, c->lda, true);
    if (!definite)
        pivots(t, factors ? WRITE : READ, c, least(f == GMMU_BLAS_GBTRF ? c->m : c->n, c->n));
    if (solves)
        matrix(t, UPDATE, c->b, c->n, c->k, c->ldb, true);
}

static void touch_gtsv(touching *t, const gmmu_blas_call *c) {
    if (c->k <= 0 || !holds(c->ldb, c->n) || c->n == 0)
        return;
    matrix(t, UPDATE, c->a, c->n - 1, 1, c->n, true);
    matrix(t, UPDATE, c->c, c->n, 1, c->n, true);
    matrix(t, UPDATE, c->d, c->n - 1, 1, c->n, true);
    matrix(t, UPDATE, c->b, c->n, c->k, c->ldb, true);
}

static bool has_m(gmmu_blas_family f) {
    return f == GMMU_BLAS_GESDD || f == GMMU_BLAS_GESVD || f == GMMU_BLAS_GEQRF ||
           f == GMMU_BLAS_GELQF || f == GMMU_BLAS_GEQP3 ||
           (f >= GMMU_BLAS_ORGQR && f <= GMMU_BLAS_ORMLQ) ||
           (f >= GMMU_BLAS_GELS && f <= GMMU_BLAS_GELSY) || f == GMMU_BLAS_GBTRF;
}

unsigned gmmu_blas_driver_operands(const gmmu_blas_call *c, gmmu_sem_operand *out) {
    touching t = touching_of(c, out);
    const int64_t beyond = INT64_MAX / 8;  // no memory holds these
    if (c->m > beyond || c->n > beyond || c->k > beyond)
        return 0;
    if (c->n < 0 || (has_m(c->family) && c->m < 0) || gmmu_blas_driver_asks(c))
        return 0;
    switch (c->family) {
        case GMMU_BLAS_GESDD:
        case GMMU_BLAS_GESVD:
            touch_svd(&t, c);
            break;
        case GMMU_BLAS_SYEV:
        case GMMU_BLAS_SYEVD:
        case GMMU_BLAS_SYGV:
        case GMMU_BLAS_SYGVD:
            touch_symmetric(&t, c);
            break;
        case GMMU_BLAS_SYEVR:
            touch_syevr(&t, c);
            break;
        case GMMU_BLAS_GEEV:
        case GMMU_BLAS_GEES:
        case GMMU_BLAS_GGEV:
        case GMMU_BLAS_GEEVX:
        case GMMU_BLAS_GEESX:
        case GMMU_BLAS_GGEVX:
            touch_general(&t, c);
            break;
        case GMMU_BLAS_GEQRF:
        case GMMU_BLAS_GELQF:
        case GMMU_BLAS_GEQP3:
        case GMMU_BLAS_GEHRD:
            touch_orthogonal(&t, c);
            break;
        case GMMU_BLAS_ORGQR:
        case GMMU_BLAS_ORGLQ:
            touch_generate(&t, c);
            break;
        case GMMU_BLAS_ORMQR:
        case GMMU_BLAS_ORMLQ:
            touch_multiply(&t, c);
            break;
        case GMMU_BLAS_GELS:
        case GMMU_BLAS_GELSD:
        case GMMU_BLAS_GELSS:
        case GMMU_BLAS_GELSY:
            touch_least_squares(&t, c);
            break;
        case GMMU_BLAS_GESVX:
        case GMMU_BLAS_POSVX:
        case GMMU_BLAS_SYSVX:
            touch_expert(&t, c);
            break;
        case GMMU_BLAS_GBTRF:
        case GMMU_BLAS_GBTRS:
        case GMMU_BLAS_GBSV:
        case GMMU_BLAS_PBTRF:
        case GMMU_BLAS_PBTRS:
            touch_band(&t, c);
            break;
        case GMMU_BLAS_GTSV:
            touch_gtsv(&t, c);
            break;
        default:
            touch_square(&t, c);
            break;
    }
    return t.bad ? 0 : t.used;
}

// ---- scratch memory

// Levels of GELSD's tree, whose leaves have 25 columns at most.
static int64_t levels(int64_t small) {
    int64_t n = 0;
    for (int64_t leaf = 26; leaf * 2 <= small; leaf *= 2) n++;
    return small < 26 ? 0 : n + 1;
}

// Elements of the array of real numbers of a complex routine, of no size of its own.
static int64_t reals_of(const gmmu_blas_call *c) {
    const int64_t small = least(c->m, c->n), large = most(c->m, c->n), leaf = 25;
    const int64_t k = c->k, deep = levels(small);
    int64_t vectors;
    switch (c->family) {
        case GMMU_BLAS_GESDD:
            if (among(c->job, "N"))
                return 7 * small;
            vectors = 2 * large * small + 2 * small * small + small;
            return most(5 * small * small + 5 * small, vectors);
        case GMMU_BLAS_GESVD:
        case GMMU_BLAS_GELSS:
            return 5 * small;
        case GMMU_BLAS_GELSD:
            vectors = most((leaf + 1) * (leaf + 1), small * (1 + k) + 2 * k);
            return 10 * small + 2 * small * leaf + 8 * small * deep + 3 * leaf * k + vectors;
        case GMMU_BLAS_SYEV:
        case GMMU_BLAS_SYGV:
            return most(1, 3 * c->n - 2);
        case GMMU_BLAS_GGEV:
            return 8 * c->n;
        case GMMU_BLAS_GGEVX:
            return (among(c->balance, "SB") ? 6 : 2) * c->n;
        case GMMU_BLAS_GEES:
        case GMMU_BLAS_GEESX:
        case GMMU_BLAS_POCON:
        case GMMU_BLAS_POSVX:
        case GMMU_BLAS_SYSVX:
            return c->n;
        default:  // GEEV, GEEVX, GECON, GESVX, GEQP3, GELSY
            return most(1, 2 * c->n);
    }
}

static int64_t integers_of(const gmmu_blas_call *c) {
    const int64_t small = least(c->m, c->n);
    switch (c->family) {
        case GMMU_BLAS_GESDD:
            return 8 * small;
        case GMMU_BLAS_GELSD:
            return most(1, 3 * small * levels(small) + 11 * small);
        case GMMU_BLAS_GEEVX:
            return wants_vectors(c) ? 2 * c->n - 2 : 0;
        case GMMU_BLAS_GGEVX:
            return wants_vectors(c) ? c->n + (is_complex(c) ? 2 : 6) : 0;
        default:  // GECON, POCON, GESVX, POSVX, SYSVX
            return c->n;
    }
}

// Elements of WORK where LWORK does not say how many there are.
static int64_t elements_of(const gmmu_blas_call *c) {
    const bool growth = c->family == GMMU_BLAS_GESVX;  // WORK(1) is a result, without rows, too
    const int64_t columns = is_complex(c) ? 2 : growth || c->family == GMMU_BLAS_GECON ? 4 : 3;
    return most(growth, columns * c->n);
}

unsigned gmmu_blas_driver_scratch(const gmmu_blas_call *c, gmmu_sem_operand *out) {
    touching t = touching_of(c, out);
    const int64_t huge = (int64_t)1
                         << 28;  // no scratch memory of such a matrix has a product that overflows
    if (c->m > huge || c->n > huge || c->k > huge || c->lwork > INT64_MAX / 64 ||
        c->lrwork > INT64_MAX / 64 || c->liwork > INT64_MAX / 64)
        return 0;
    const bool condition = c->family == GMMU_BLAS_GECON || c->family == GMMU_BLAS_POCON ||
                           c->family == GMMU_BLAS_GESVX || c->family == GMMU_BLAS_POSVX;
    const bool flags = c->family == GMMU_BLAS_GGEVX ? !among(c->sense, "N") : !among(c->sort, "N");
    if (c->work != NULL) {
        const int64_t work = condition ? elements_of(c) : most(1, c->lwork);
        matrix(&t, WRITE, c->work, work, 1, work, true);
    }
    if (c->rwork != NULL)
        reals(&t, WRITE, c, c->rwork, c->lrwork != 0 ? most(1, c->lrwork) : reals_of(c));
    if (c->iwork != NULL)
        integers(&t, WRITE, c, c->iwork,
                 c->family == GMMU_BLAS_GEESX && !wants_vectors(c) ? 1
                 : c->liwork != 0                                  ? most(1, c->liwork)
                                                                   : integers_of(c),
                 true);
    if (c->flags != NULL && flags)
        integers(&t, WRITE, c, c->flags, c->n, true);
    return t.bad ? 0 : t.used;
}

// ---- operations

// Of m × n with n columns or fewer, by reflections: GEQRF.
static double qr_flops(double m, double n) {
    return m >= n ? 2 * m * n * n - n * n * n * 2 / 3 + m * n + n * n + n * 14 / 3
                  : 2 * n * m * m - m * m * m * 2 / 3 + 3 * n * m - m * m + m * 14 / 3;
}

static double orgqr_flops(double m, double n, double k) {
    return 4 * m * n * k - 2 * (m + n) * k * k + k * k * k * 4 / 3 + 3 * n * k - m * k - k * k -
           k * 4 / 3;
}

static double ormqr_flops(bool left, double m, double n, double k) {
    return left ? 4 * n * m * k - 2 * n * k * k + 3 * n * k
                : 4 * n * m * k - 2 * m * k * k + 2 * m * k + n * k - k * k / 2 + k / 2;
}

static double cholesky_flops(double n) {
    return n * (n + 1) * (2 * n + 1) / 6;
}

// The rows of a band of K beside the diagonal: of column j min(K, n − 1 − j).
static double band_flops(double n, double k) {
    const double is = k < n - 1 ? k : n - 1;
    return (n - is) * (is + 1) * (is + 1) + is * (is + 1) * (2 * is + 1) / 6;
}

// Steps as LAPACK goes through them, of m × n with m ≥ n: GEQRF first if there are many more rows;
// bidiagonalisation; GESDD's merges of halves, which are products of half the size each, for both
// sides, and ORMBR; GESVD's ORGBR and two rotations of a row of vectors for each of n² / 2
// elements, a side.
static double svd_flops(const gmmu_blas_call *c) {
    const bool tall = c->m >= c->n, divides = c->family == GMMU_BLAS_GESDD;
    const double m = (double)(tall ? c->m : c->n), n = (double)(tall ? c->n : c->m);
    const double cube = n * n * n;
    const char jobs[2] = {c->job, c->job_b};
    const char large = jobs[tall || divides ? 0 : 1], small = jobs[tall && !divides];
    const bool full = among(large, "A") && c->m != c->n,
               by_qr = m >= n * (divides ? 11.0 / 6 : 1.6);
    double is = by_qr ? 2 * m * n * n + 2 * cube : 4 * m * n * n - cube * 4 / 3;
    if (divides && among(large, "N"))
        return is;
    // Q of the rows, by which the vectors of the square are multiplied
    const double q = full ? orgqr_flops(m, m, n) : orgqr_flops(m, n, n);
    if (divides && by_qr)
        return is + cube * 8 / 3 + 4 * cube + q + 2 * m * n * n;
    if (divides)
        return is + cube * 8 / 3 + 2 * cube + ormqr_flops(true, m, full ? m : n, n);
    if (!among(large, "N"))
        is += by_qr ? q + 2 * m * n * n + cube * 22 / 3 : q + 6 * m * n * n;
    return is + (among(small, "N") ? 0 : cube * 22 / 3);
}

static double symmetric_flops(const gmmu_blas_call *c) {
    const bool vectors = among(c->job, "V");
    const bool divides = c->family == GMMU_BLAS_SYEVD || c->family == GMMU_BLAS_SYGVD;
    const double n = (double)c->n, cube = n * n * n;
    const int64_t wants = wanted(c);
    if (!vectors)
        return cube * 4 / 3;
    if (c->family == GMMU_BLAS_SYEVR)
        return cube * 4 / 3 + 2 * n * n * (wants < 0 ? n : (double)wants);
    return divides ? cube * 14 / 3 : 9 * cube;
}

// Counted (docs/guide/blas.md): QR and QZ with deflation of many values at once take fewer
// operations than Golub and Van Loan have for one after the other.
static double general_flops(const gmmu_blas_call *c) {
    const gmmu_blas_family f = c->family;
    const bool schur = f == GMMU_BLAS_GEES || f == GMMU_BLAS_GEESX;
    const bool left = among(c->job, "V"), right = !schur && among(c->job_b, "V");
    const bool conditions = (f == GMMU_BLAS_GEEVX || f == GMMU_BLAS_GGEVX) && wants_vectors(c);
    const double n = (double)c->n, cube = n * n * n, more = conditions ? 12 * cube : 0;
    if (f == GMMU_BLAS_GGEV || f == GMMU_BLAS_GGEVX)
        return (22 + (left ? 16 : 0) + (right ? 16 : 0)) * cube + more;
    if (schur)
        return (left ? 20 : 12) * cube;
    return (left || right ? 20 + (left ? 2 : 0) + (right ? 2 : 0) : 10) * cube + more;
}

static double least_squares_flops(const gmmu_blas_call *c) {
    const double m = (double)c->m, n = (double)c->n, k = (double)c->k;
    const double small = m < n ? m : n, large = m < n ? n : m;
    const double factor = qr_flops(m, n), turn = ormqr_flops(true, large, k, small);
    if (c->family == GMMU_BLAS_GELS)
        return factor + turn + k * small * small;
    if (c->family == GMMU_BLAS_GELSY)  // the other side's reflections, too
        return factor + turn + k * small * small + (m < n ? turn : 0);
    const double direct = 4 * large * small * small - small * small * small * 4 / 3;
    const double by_qr = 2 * large * small * small + 2 * small * small * small;
    // B is turned by both sides' reflections; GELSD turns B by merges of halves, GELSS by rotations
    // as ORGBR's matrix, by which B is multiplied in the end
    const double cube = small * small * small, square = k * small * small;
    return (direct < by_qr ? direct : by_qr) + turn +
           (c->family == GMMU_BLAS_GELSS ? cube * 22 / 3 + 10 * square : 12 * square);
}

static double band_driver_flops(const gmmu_blas_call *c) {
    const double n = (double)c->n, k = (double)c->k, kl = (double)c->kl, ku = (double)c->ku;
    const double columns = c->family == GMMU_BLAS_GBTRF && c->m < c->n ? (double)c->m : n;
    const double below = kl < n ? kl : n, above = kl + ku < n ? kl + ku : n;
    const double factor = columns * below * (2 * above + 1);
    const double solve = k * n * (2 * below + 2 * above + 1);
    switch (c->family) {
        case GMMU_BLAS_GBTRF:
            return factor;
        case GMMU_BLAS_GBTRS:
            return solve;
        case GMMU_BLAS_GBSV:
            return factor + solve;
        case GMMU_BLAS_PBTRF:
            return band_flops(n, kl);
        case GMMU_BLAS_PBTRS:
            return k * n * (4 * below + 2);
        default:  // GTSV
            return 3 * (n - 1) + k * (5 * n - 4);
    }
}

// The factorisation, if it is not given; five solutions for the condition; and of each right-hand
// side the solution, three residuals with a step of refinement between, and five solutions for its
// bound.
static double expert_flops(const gmmu_blas_call *c) {
    const double n = (double)c->n, k = (double)c->k;
    const double factor = c->family == GMMU_BLAS_GESVX   ? n * n * n * 2 / 3 - n * n / 2 - n / 6
                          : c->family == GMMU_BLAS_POSVX ? cholesky_flops(n)
                                                         : n * n * n / 3 + n * n / 2 + n * 19 / 6;
    return (among(c->job, "F") ? 0 : factor) + 10 * n * n + k * (2 + 3 * 4 + 2 * 2 + 5 * 2) * n * n;
}

static double flops_of(const gmmu_blas_call *c) {
    const double m = (double)c->m, n = (double)c->n, k = (double)c->k;
    switch (c->family) {
        case GMMU_BLAS_GESDD:
        case GMMU_BLAS_GESVD:
            return svd_flops(c);
        case GMMU_BLAS_SYEV:
        case GMMU_BLAS_SYEVD:
        case GMMU_BLAS_SYEVR:
            return symmetric_flops(c);
        case GMMU_BLAS_SYGV:
        case GMMU_BLAS_SYGVD:  // POTRF, SYGST, SYEV, and TRSM of the vectors
            return cholesky_flops(n) + n * n * n + symmetric_flops(c) +
                   (among(c->job, "V") ? n * n * n : 0);
        case GMMU_BLAS_GEEV:
        case GMMU_BLAS_GEES:
        case GMMU_BLAS_GGEV:
        case GMMU_BLAS_GEEVX:
        case GMMU_BLAS_GEESX:
        case GMMU_BLAS_GGEVX:
            return general_flops(c);
        case GMMU_BLAS_GEQRF:
        case GMMU_BLAS_GEQP3:
            return qr_flops(m, n);
        case GMMU_BLAS_GELQF:
            return qr_flops(n, m);
        case GMMU_BLAS_ORGQR:
            return orgqr_flops(m, n, k);
        case GMMU_BLAS_ORGLQ:
            return orgqr_flops(n, m, k);
        case GMMU_BLAS_ORMQR:
        case GMMU_BLAS_ORMLQ:
            return ormqr_flops(among(c->side, "L"), m, n, k);
        case GMMU_BLAS_GEHRD:
            return n * n * n * 10 / 3 - n * n / 2 - n * 11 / 6;
        case GMMU_BLAS_GETRI:
            return n * n * n * 4 / 3 - n * n + n * 5 / 3;
        case GMMU_BLAS_POTRI:
            return n * n * n * 2 / 3 + n * n / 2 + n * 5 / 6;
        case GMMU_BLAS_POSV:
            return cholesky_flops(n) + 2 * k * n * n;
        case GMMU_BLAS_SYTRF:
            return n * n * n / 3 + n * n / 2 + n * 19 / 6;
        case GMMU_BLAS_SYTRS:
            return 2 * k * n * n;
        case GMMU_BLAS_SYSV:
            return n * n * n / 3 + n * n / 2 + n * 19 / 6 + 2 * k * n * n;
        case GMMU_BLAS_GELS:
        case GMMU_BLAS_GELSD:
        case GMMU_BLAS_GELSS:
        case GMMU_BLAS_GELSY:
            return least_squares_flops(c);
        case GMMU_BLAS_GECON:
        case GMMU_BLAS_POCON:
            return 10 * n * n;
        case GMMU_BLAS_GESVX:
        case GMMU_BLAS_POSVX:
        case GMMU_BLAS_SYSVX:
            return expert_flops(c);
        default:
            return band_driver_flops(c);
    }
}

uint64_t gmmu_blas_driver_flops(const gmmu_blas_call *c) {
    const double is = flops_of(c);
    return is >= 1.8e19 ? UINT64_MAX : is > 0 ? (uint64_t)is : 0;
}
