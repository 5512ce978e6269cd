// SPDX-License-Identifier: Apache-2.0
// wrappers.c: the routines of the table by the names that libraries give them, made from its rows.
//
//              integers of 32 bits             of 64 bits
//   Fortran    x_  scipy_x_                    x_64_  scipy_x_64_
//   C          cblas_x  scipy_cblas_x          cblas_x64_  scipy_cblas_x64_
// NOLINTBEGIN(bugprone-macro-parentheses): names and statements take none
#include <string.h>

#include "blas/preload/parameters.def"
#include "blas/preload/preload.h"

#define LETTER(type) #type[0]

// ---- fields of the call

#define FILL(kind, field) FILL_##kind(field)
#define FILL_CHAR(field) f.call.field = *(field);
#define FILL_INT(field) f.call.field = *(const integer *)(field);
#define FILL_ALPHA(field) f.call.field = keep(&f, 0, alpha_type, field);
#define FILL_BETA(field) f.call.field = keep(&f, 1, beta_type, field);
#define FILL_ARRAY(field) f.call.field = (field);
#define FILL_PIVOT(field) f.call.field = (field);
#define FILL_INFO(field) f.call.field = (field);
#define PLACE_OF(value) _Generic((value), const void * : (value), default : &(value))
#define FILL_C(kind, field) FILL_C_##kind(field)
#define FILL_C_CHAR(field) f.call.field = gmmu_blas_letter(field);
#define FILL_C_INT(field) f.call.field = (field);
#define FILL_C_ALPHA(field) f.call.field = keep(&f, 0, alpha_type, PLACE_OF(field));
#define FILL_C_BETA(field) f.call.field = keep(&f, 1, beta_type, PLACE_OF(field));
#define FILL_C_ARRAY(field) f.call.field = (field);
#define FILL_C_RESULT(field)

// ---- what the kernel gets

#define PASS(kind, field) PASS_##kind(field)
#define PASS_CHAR(field) (f.on_gpu ? &f.call.field : (field))
// (the first bytes of the 64 bits are those of the 32)
#define PASS_INT(field) (f.on_gpu ? (const void *)&f.call.field : (field))
#define PASS_ALPHA(field) (f.on_gpu ? (const void *)f.scalar[0] : (field))
#define PASS_BETA(field) (f.on_gpu ? (const void *)f.scalar[1] : (field))
#define PASS_ARRAY(field) gmmu_blas_place(&f, field)
#define PASS_PIVOT(field) gmmu_blas_place(&f, field)
#define PASS_INFO(field) (f.on_gpu ? (void *)&f.info : (field))
#define PASS_C(kind, field) PASS_C_##kind(field)
#define PASS_C_CHAR(field) field
#define PASS_C_INT(field) field
#define PASS_C_ALPHA(field) PASS_VALUE(field, 0)
#define PASS_C_BETA(field) PASS_VALUE(field, 1)
#define PASS_C_ARRAY(field) gmmu_blas_place(&f, field)
#define PASS_C_RESULT(field) (f.on_gpu ? (void *)f.scalar[0] : (field))
#define RETURN_C(kind, field) RETURN_C_##kind(field)
#define RETURN_C_CHAR(field)
#define RETURN_C_INT(field)
#define RETURN_C_ALPHA(field)
#define RETURN_C_BETA(field)
#define RETURN_C_ARRAY(field)
#define RETURN_C_RESULT(field) \
    if (f.on_gpu)              \
        memcpy(field, f.scalar[0], f.call.type == 'c' ? 8 : 16);
#define PASS_VALUE(field, i) \
    _Generic((field), const void * : scalar_p, float : scalar_s, double : scalar_d)(&f, i, field)
#define RETURN(kind, field) RETURN_##kind(field)
#define RETURN_CHAR(field)
#define RETURN_INT(field)
#define RETURN_ALPHA(field)
#define RETURN_BETA(field)
#define RETURN_ARRAY(field)
#define RETURN_PIVOT(field)
#define RETURN_INFO(field) \
    if (f.on_gpu)          \
        *(integer *)(field) = (integer)f.info;

static inline float scalar_s(const gmmu_blas_frame *f, int i, float value) {
    (void)f;
    (void)i;
    return value;
}

static inline double scalar_d(const gmmu_blas_frame *f, int i, double value) {
    (void)f;
    (void)i;
    return value;
}

static inline const void *scalar_p(const gmmu_blas_frame *f, int i, const void *value) {
    return f->on_gpu ? f->scalar[i] : value;
}

static inline gmmu_blas_scalar keep(gmmu_blas_frame *f, int i, char type, const void *value) {
    if (value == NULL)  // BLAS does not look at it either, where there is nothing to do
        return GMMU_BLAS_OTHER;
    memcpy(f->scalar[i], value, type == 's' ? 4 : type == 'z' ? 16 : 8);
    return gmmu_blas_scalar_of(type, value);
}

// ---- what decides whether the call is below the minimum

#define SIZE(kind, field) SIZE_##kind(field)
#define SIZE_CHAR(field) size.field = *(field);
#define SIZE_INT(field) size.field = *(const integer *)(field);
#define SIZE_ALPHA(field)
#define SIZE_BETA(field)
#define SIZE_ARRAY(field)
#define SIZE_PIVOT(field)
#define SIZE_INFO(field)
#define SIZE_C(kind, field) SIZE_C_##kind(field)
#define SIZE_C_CHAR(field) size.field = gmmu_blas_letter(field);
#define SIZE_C_INT(field) size.field = (field);
#define SIZE_C_ALPHA(field)
#define SIZE_C_BETA(field)
#define SIZE_C_ARRAY(field)
#define SIZE_C_RESULT(field)
#define RAW(kind, field) field

// ---- wrappers

// What has been found of a routine, by where it is called.
enum { LASTS = 8 };
#define LAST(symbol, caller) \
    (&symbol##_last[((uintptr_t)(caller) >> 3 ^ (uintptr_t)(caller) >> 6) % LASTS])
#define TARGETS(symbol)                          \
    static const char symbol##_name[] = #symbol; \
    static _Atomic(gmmu_blas_target *) symbol##_last[LASTS];

#define REAL_OF(symbol, target) \
    ((__typeof__(&symbol))atomic_load_explicit(&(target)->real, memory_order_relaxed))
#define SIZE_OF_CALL(family_, type_) \
    { .family = GMMU_BLAS_##family_, .type = LETTER(type_), .integer = sizeof(integer) }

// What a routine returns, RETURNED: nothing, an index, or a real number. A number is handed on as a
// register of 64 bits: a float is its lower half, and with f2c's convention a float is returned as
// a double.
#define GIVE_1(what, call) GIVE_##what(call)
#define GIVE(what, call) GIVE_1(what, call)
#define KEEP_1(what, call) KEEP_##what(call)
#define KEEP(what, call) KEEP_1(what, call)
#define KEPT_1(what) KEPT_##what
#define KEPT(what) KEPT_1(what)
#define GIVE_void(call) \
    call;               \
    return;
#define KEEP_void(call) call;
#define KEPT_void return;
#define GIVE_double(call) return call;
#define KEEP_double(call) const double kept = call;
#define KEPT_double return kept;
#define GIVE_size_t(call) return call;
#define KEEP_size_t(call) const size_t kept = call;
#define KEPT_size_t return kept;

// Most calls end here: within another call, while nothing is recorded, or below the minimum. There
// is no frame, and the real routine is jumped to, if it calls none of the table itself (a LEAF).
#define BEGIN(symbol, bits, family, type, SIZES, CALL, SLOWLY, LEAF)                  \
    typedef int##bits##_t integer;                                                    \
    const void *caller = __builtin_return_address(0);                                 \
    const gmmu_blas_target *target = gmmu_blas_last(LAST(symbol, caller), caller);    \
    if (target == NULL) {                                                             \
        GIVE(RETURNED, SLOWLY)                                                        \
    }                                                                                 \
    const __typeof__(&symbol) real = REAL_OF(symbol, target);                         \
    gmmu_blas_site *site = atomic_load_explicit(&target->site, memory_order_relaxed); \
    if (site == NULL || gmmu_blas_within(GMMU_BLAS_FRAME)) {                          \
        gmmu_blas_inner++;                                                            \
        GIVE(RETURNED, CALL)                                                          \
    }                                                                                 \
    gmmu_blas_call size = SIZE_OF_CALL(family, type);                                 \
    SIZES                                                                             \
    if (!gmmu_blas_is_below(target, gmmu_blas_flops(&size))) {                        \
        GIVE(RETURNED, SLOWLY)                                                        \
    }                                                                                 \
    LEAF(GIVE(RETURNED, CALL))                                                        \
    gmmu_blas_mark mark;                                                              \
    gmmu_blas_enter(&mark);                                                           \
    KEEP(RETURNED, CALL)                                                              \
    gmmu_blas_exit();                                                                 \
    KEPT(RETURNED)

// The others, and the first of a place.
#define GO_ON(symbol, bits, family, type, alpha, beta, SIZES, CALL)                   \
    typedef int##bits##_t integer;                                                    \
    const char alpha_type = LETTER(alpha), beta_type = LETTER(beta);                  \
    gmmu_blas_target spare;                                                           \
    gmmu_blas_frame f;                                                                \
    (void)alpha_type;                                                                 \
    (void)beta_type;                                                                  \
    const gmmu_blas_target *target =                                                  \
        gmmu_blas_find(LAST(symbol, caller), symbol##_name, caller, &spare);          \
    const __typeof__(&symbol) real = REAL_OF(symbol, target);                         \
    gmmu_blas_site *site = atomic_load_explicit(&target->site, memory_order_relaxed); \
    if (site == NULL || gmmu_blas_within(GMMU_BLAS_FRAME)) {                          \
        gmmu_blas_inner++;                                                            \
        GIVE(RETURNED, CALL)                                                          \
    }                                                                                 \
    gmmu_blas_call size = SIZE_OF_CALL(family, type);                                 \
    SIZES                                                                             \
    gmmu_blas_enter(&f.mark);                                                         \
    switch (gmmu_blas_below(target, gmmu_blas_flops(&size))) {                        \
        case GMMU_BLAS_NOT_BELOW:                                                     \
            break;                                                                    \
        case GMMU_BLAS_TIMED: {                                                       \
            const uint64_t began = gmmu_blas_clock();                                 \
            KEEP(RETURNED, CALL)                                                      \
            gmmu_blas_below_took(target, gmmu_blas_clock() - began);                  \
            gmmu_blas_exit();                                                         \
            KEPT(RETURNED)                                                            \
        }                                                                             \
        default: {                                                                    \
            KEEP(RETURNED, CALL)                                                      \
            gmmu_blas_exit();                                                         \
            KEPT(RETURNED)                                                            \
        }                                                                             \
    }                                                                                 \
    f.call = size;

#define FORTRAN_PARAMETERS(family)                   \
    GMMU_BLAS_LIST(FORTRAN, GMMU_BLAS_ARGS_##family) \
    GMMU_BLAS_ALL(LENGTH, GMMU_BLAS_ARGS_##family)
#define FORTRAN_CALL(family)                          \
    real(GMMU_BLAS_LIST(RAW, GMMU_BLAS_ARGS_##family) \
             GMMU_BLAS_ALL(PASS_LENGTH, GMMU_BLAS_ARGS_##family))
#define IS_LEAF(...) __VA_ARGS__
#define IS_NO_LEAF(...)

#define FORTRAN_WRAPPER(symbol, bits, family, type, alpha, beta) \
    WRAPPER(symbol, bits, family, type, alpha, beta, FORTRAN_LEAF)
#define WRAPPER(symbol, bits, family, type, alpha, beta, LEAF)                          \
    GMMU_BLAS_PUBLIC RETURNED symbol(FORTRAN_PARAMETERS(family));                       \
    TARGETS(symbol)                                                                     \
    static __attribute__((noinline))                                                    \
    RETURNED symbol##slowly(FORTRAN_PARAMETERS(family), const void *caller) {           \
        GO_ON(symbol, bits, family, type, alpha, beta,                                  \
              GMMU_BLAS_ALL(SIZE, GMMU_BLAS_ARGS_##family), FORTRAN_CALL(family))       \
        GMMU_BLAS_ALL(FILL, GMMU_BLAS_ARGS_##family)                                    \
        gmmu_blas_go_on(&f, site);                                                      \
        KEEP(RETURNED, real(GMMU_BLAS_LIST(PASS, GMMU_BLAS_ARGS_##family)               \
                                GMMU_BLAS_ALL(PASS_LENGTH, GMMU_BLAS_ARGS_##family)))   \
        gmmu_blas_leave(&f);                                                            \
        GMMU_BLAS_ALL(RETURN, GMMU_BLAS_ARGS_##family)                                  \
        KEPT(RETURNED)                                                                  \
    }                                                                                   \
    RETURNED symbol(FORTRAN_PARAMETERS(family)) {                                       \
        BEGIN(symbol, bits, family, type, GMMU_BLAS_ALL(SIZE, GMMU_BLAS_ARGS_##family), \
              FORTRAN_CALL(family),                                                     \
              symbol##slowly(GMMU_BLAS_LIST(RAW, GMMU_BLAS_ARGS_##family)               \
                                 GMMU_BLAS_ALL(PASS_LENGTH, GMMU_BLAS_ARGS_##family),   \
                             caller),                                                   \
              LEAF)                                                                     \
    }

#define COLUMNS 102
#define ROWS 101
#define CBLAS_PARAMETERS(bits, family, alpha, beta, OF) \
    OF(int layout GMMU_BLAS_COMMA())                    \
    GMMU_BLAS_LIST(CBLAS_##bits##alpha##beta, GMMU_BLAS_ARGS_##family)
#define CBLAS_CALL(family, OF) \
    real(OF(layout GMMU_BLAS_COMMA()) GMMU_BLAS_LIST(RAW, GMMU_BLAS_ARGS_##family))
// OF: LAYOUT where there is one. A layout that is neither is refused by the routine.
#define CBLAS_WRAPPER(symbol, bits, family, type, alpha, beta, OF)                                 \
    GMMU_BLAS_PUBLIC RETURNED symbol(CBLAS_PARAMETERS(bits, family, alpha, beta, OF));             \
    TARGETS(symbol)                                                                                \
    static __attribute__((noinline))                                                               \
    RETURNED symbol##slowly(CBLAS_PARAMETERS(bits, family, alpha, beta, OF), const void *caller) { \
        GO_ON(symbol, bits, family, type, alpha, beta,                                             \
              GMMU_BLAS_ALL(SIZE_C, GMMU_BLAS_ARGS_##family), CBLAS_CALL(family, OF))              \
        GMMU_BLAS_ALL(FILL_C, GMMU_BLAS_ARGS_##family)                                             \
        OF(if (layout == ROWS) gmmu_blas_row_major(&f.call);                                       \
           else if (layout != COLUMNS) f.call.n = -1;)                                             \
        gmmu_blas_go_on(&f, site);                                                                 \
        KEEP(RETURNED,                                                                             \
             real(OF(layout GMMU_BLAS_COMMA()) GMMU_BLAS_LIST(PASS_C, GMMU_BLAS_ARGS_##family)))   \
        gmmu_blas_leave(&f);                                                                       \
        GMMU_BLAS_ALL(RETURN_C, GMMU_BLAS_ARGS_##family)                                           \
        KEPT(RETURNED)                                                                             \
    }                                                                                              \
    RETURNED symbol(CBLAS_PARAMETERS(bits, family, alpha, beta, OF)) {                             \
        BEGIN(symbol, bits, family, type, GMMU_BLAS_ALL(SIZE_C, GMMU_BLAS_ARGS_##family),          \
              CBLAS_CALL(family, OF),                                                              \
              symbol##slowly(OF(layout GMMU_BLAS_COMMA())                                          \
                                 GMMU_BLAS_LIST(RAW, GMMU_BLAS_ARGS_##family),                     \
                             caller),                                                              \
              IS_NO_LEAF)                                                                          \
    }

// ---- drivers

#define AT(kind, field) at_##field
#define TAKEN(kind, field) argument[at_##field]
#define DRIVER_WRAPPER(symbol, bits, signature_, type_, family_)                          \
    GMMU_BLAS_PUBLIC void symbol(FORTRAN_PARAMETERS(signature_));                         \
    TARGETS(symbol)                                                                       \
    void symbol(FORTRAN_PARAMETERS(signature_)) {                                         \
        enum { GMMU_BLAS_LIST(AT, GMMU_BLAS_ARGS_##signature_) };                         \
        void *argument[] = {GMMU_BLAS_LIST(POINTER, GMMU_BLAS_ARGS_##signature_)};        \
        const void *caller = __builtin_return_address(0);                                 \
        gmmu_blas_target spare;                                                           \
        gmmu_blas_drive drive;                                                            \
        const gmmu_blas_target *target = gmmu_blas_last(LAST(symbol, caller), caller);    \
        if (target == NULL)                                                               \
            target = gmmu_blas_find(LAST(symbol, caller), symbol##_name, caller, &spare); \
        const __typeof__(&symbol) real = REAL_OF(symbol, target);                         \
        drive.signature = &gmmu_blas_signatures[GMMU_BLAS_SIGNATURE_##signature_];        \
        drive.argument = argument;                                                        \
        drive.frame.call = (gmmu_blas_call){                                              \
            .family = GMMU_BLAS_##family_, .type = LETTER(type_), .integer = bits / 8};   \
        gmmu_blas_drive_begin(&drive, target, GMMU_BLAS_FRAME);                           \
        real(GMMU_BLAS_LIST(TAKEN, GMMU_BLAS_ARGS_##signature_)                           \
                 GMMU_BLAS_ALL(PASS_LENGTH, GMMU_BLAS_ARGS_##signature_));                \
        gmmu_blas_drive_end(&drive);                                                      \
    }
#define POINTER(kind, field) (void *)(uintptr_t)(field)

GMMU_BLAS_DRIVER_ROWS(DRIVER_ROW)

// BLAS's Fortran routines call none of the table; cblas's call those, LAPACK's many
#define FORTRAN_LEAF IS_LEAF
#define RETURNED void
GMMU_BLAS_MATRIX_ROWS(FORTRAN_ROW)
GMMU_BLAS_MORE_MATRIX_ROWS(FORTRAN_ROW)
GMMU_BLAS_VECTOR_ROWS(FORTRAN_ROW)
GMMU_BLAS_MORE_VECTOR_ROWS(FORTRAN_ROW)
#undef RETURNED
#define RETURNED double
GMMU_BLAS_REAL_ROWS(FORTRAN_ROW)
GMMU_BLAS_REAL_ROWS(VECTOR_ROW)
#undef RETURNED
#define RETURNED size_t
GMMU_BLAS_INDEX_ROWS(FORTRAN_ROW)
GMMU_BLAS_INDEX_ROWS(VECTOR_ROW)
#undef RETURNED
#define RETURNED void
#undef FORTRAN_LEAF
#define FORTRAN_LEAF IS_NO_LEAF
GMMU_BLAS_LAPACK_ROWS(FORTRAN_ROW)
GMMU_BLAS_MATRIX_ROWS(MATRIX_ROW)
GMMU_BLAS_MORE_MATRIX_ROWS(MATRIX_ROW)
GMMU_BLAS_COPY_ROWS(MATRIX_ROW)
GMMU_BLAS_VECTOR_ROWS(VECTOR_ROW)
GMMU_BLAS_MORE_VECTOR_ROWS(VECTOR_ROW)
GMMU_BLAS_SUB_ROWS(VECTOR_ROW)
// NOLINTEND(bugprone-macro-parentheses)
