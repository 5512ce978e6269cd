// SPDX-License-Identifier: Apache-2.0
// wrappers.c: the routines of the table by the names that libraries give them, made from its rows.
//
//              integers of 32 bits             of 64 bits
//   Fortran    x_  scipy_x_                    x_64_  scipy_x_64_
//   C          cblas_x  scipy_cblas_x          cblas_x64_  scipy_cblas_x64_
// NOLINTBEGIN(bugprone-macro-parentheses): names and statements take none
#include "blas/preload/parameters.def"
#include "blas/preload/preload.h"

#define LETTER(type) #type[0]

// ---- fields of the call

#define FILL(kind, field) FILL_##kind(field)
#define FILL_CHAR(field) f.call.field = *(field);
#define FILL_INT(field) f.call.field = *(const integer *)(field);
#define FILL_ALPHA(field) f.call.field = gmmu_blas_scalar_of(alpha_type, field);
#define FILL_BETA(field) f.call.field = gmmu_blas_scalar_of(beta_type, field);
#define FILL_ARRAY(field) f.call.field = (field);
#define FILL_PIVOT(field) f.call.field = (field);
#define FILL_INFO(field) f.call.field = (field);
#define PLACE_OF(value) _Generic((value), const void * : (value), default : &(value))
#define FILL_C(kind, field) FILL_C_##kind(field)
#define FILL_C_CHAR(field) f.call.field = gmmu_blas_letter(field);
#define FILL_C_INT(field) f.call.field = (field);
#define FILL_C_ALPHA(field) f.call.field = gmmu_blas_scalar_of(alpha_type, PLACE_OF(field));
#define FILL_C_BETA(field) f.call.field = gmmu_blas_scalar_of(beta_type, PLACE_OF(field));
#define FILL_C_ARRAY(field) f.call.field = (field);

// ---- wrappers

#define BEGIN(symbol, bits, family_, type_, alpha, beta)                 \
    typedef int##bits##_t integer;                                       \
    const char alpha_type = LETTER(alpha), beta_type = LETTER(beta);     \
    static const char routine[] = #symbol;                               \
    gmmu_blas_frame f;                                                   \
    (void)alpha_type;                                                    \
    (void)beta_type;                                                     \
    gmmu_blas_enter(&f, routine, __builtin_return_address(0));           \
    const __typeof__(&symbol) real = (__typeof__(&symbol))f.target.real; \
    if (f.counted)                                                       \
        f.call = (gmmu_blas_call){                                       \
            .family = GMMU_BLAS_##family_, .type = LETTER(type_), .integer = sizeof(integer)};

#define FORTRAN_WRAPPER(symbol, bits, family, type, alpha, beta)                      \
    GMMU_BLAS_PUBLIC void symbol(GMMU_BLAS_LIST(FORTRAN, GMMU_BLAS_ARGS_##family)     \
                                     GMMU_BLAS_ALL(LENGTH, GMMU_BLAS_ARGS_##family)); \
    void symbol(GMMU_BLAS_LIST(FORTRAN, GMMU_BLAS_ARGS_##family)                      \
                    GMMU_BLAS_ALL(LENGTH, GMMU_BLAS_ARGS_##family)) {                 \
        BEGIN(symbol, bits, family, type, alpha, beta)                                \
        if (f.counted) {                                                              \
            GMMU_BLAS_ALL(FILL, GMMU_BLAS_ARGS_##family)                              \
            gmmu_blas_go_on(&f);                                                      \
        }                                                                             \
        real(GMMU_BLAS_LIST(PASS, GMMU_BLAS_ARGS_##family)                            \
                 GMMU_BLAS_ALL(PASS_LENGTH, GMMU_BLAS_ARGS_##family));                \
        if (f.counted)                                                                \
            gmmu_blas_leave(&f);                                                      \
    }

#define COLUMNS 102
#define ROWS 101
// OF: LAYOUT where there is one. A layout that is neither is refused by the routine.
#define CBLAS_WRAPPER(symbol, bits, family, type, alpha, beta, OF)                        \
    GMMU_BLAS_PUBLIC void symbol(OF(int layout GMMU_BLAS_COMMA()) GMMU_BLAS_LIST(         \
        CBLAS_##bits##alpha##beta, GMMU_BLAS_ARGS_##family));                             \
    void symbol(OF(int layout GMMU_BLAS_COMMA())                                          \
                    GMMU_BLAS_LIST(CBLAS_##bits##alpha##beta, GMMU_BLAS_ARGS_##family)) { \
        BEGIN(symbol, bits, family, type, alpha, beta)                                    \
        if (f.counted) {                                                                  \
            GMMU_BLAS_ALL(FILL_C, GMMU_BLAS_ARGS_##family)                                \
            OF(if (layout == ROWS) gmmu_blas_row_major(&f.call);                          \
               else if (layout != COLUMNS) f.call.n = -1;)                                \
            gmmu_blas_go_on(&f);                                                          \
        }                                                                                 \
        real(OF(layout GMMU_BLAS_COMMA()) GMMU_BLAS_LIST(PASS, GMMU_BLAS_ARGS_##family)); \
        if (f.counted)                                                                    \
            gmmu_blas_leave(&f);                                                          \
    }

GMMU_BLAS_ROWS(FORTRAN_ROW)
GMMU_BLAS_MATRIX_ROWS(MATRIX_ROW)
GMMU_BLAS_VECTOR_ROWS(VECTOR_ROW)
// NOLINTEND(bugprone-macro-parentheses)
