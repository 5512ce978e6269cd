// SPDX-License-Identifier: Apache-2.0
// operands.cpp: the table of routines against the reference BLAS and LAPACK: what a call touches
// lies in its operands; what it reads lies in those that are read; what is whole is whole.
//
// State space: each row of the table by its Fortran name and, where there is one, by cblas in both
// layouts; random sizes from −1 on, letters (wrong ones too), scalars 0, 1 and others, leading
// dimensions, increments of either sign and 0. Arrays that are no operands lie where nobody may
// touch them; operands end, or begin, where such memory begins or ends.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "blas/flops.h"
#include "blas/routines.h"
#include "random_trace.h"
#include "unit/blas/guarded.h"

namespace {

// What the arguments of a call are, of whatever routine.
struct Arguments {
    gmmu_blas_call call;
    alignas(16) double alpha[2], beta[2];
    int m, n, k, lda, ldb, ldc, info;
};

using Fortran = void(void *, void *, void *, void *, void *, void *, void *, void *, void *, void *,
                     void *, void *, void *, size_t, size_t, size_t, size_t);

enum Kind { CHAR, INT, ALPHA, BETA, ARRAY, PIVOT, INFO };

struct Row {
    gmmu_blas_family family;
    const char *name;
    char type, alpha, beta;
    bool has_matrix;
    std::vector<Kind> kinds;
    std::vector<void *(*)(Arguments &)> at;  // of each argument, in order
    void (*cblas)(void *f, int layout, Arguments &);
};

// cblas: a value's type by the letter; its enumerations by the letter of Fortran
int enumeration(Kind, const char *field, char letter) {
    const bool transposed = strncmp(field, "trans", 5) == 0;
    const char upper = static_cast<char>(toupper(letter));
    switch (upper) {
        case 'N':
            return transposed ? 111 : 131;
        case 'T':
            return 112;
        case 'C':
            return 113;
        case 'U':
            return strcmp(field, "diag") == 0 ? 132 : 121;
        case 'L':
            return strcmp(field, "side") == 0 ? 141 : 122;
        case 'R':
            return 142;
        default:
            return 99;
    }
}
template <char T>
struct Scalar {
    using type = const void *;
    static type of(const double *v) { return v; }
};
template <>
struct Scalar<'s'> {
    using type = float;
    static float of(const double *v) {
        float f;
        memcpy(&f, v, sizeof f);
        return f;
    }
};
template <>
struct Scalar<'d'> {
    using type = double;
    static double of(const double *v) { return v[0]; }
};

#define KIND_OF(kind, field) kind
#define PLACE_CHAR(field) &a.call.field
#define PLACE_INT(field) &a.field
#define PLACE_ALPHA(field) a.alpha
#define PLACE_BETA(field) a.beta
#define PLACE_ARRAY(field) const_cast<void *>(a.call.field)
#define PLACE_PIVOT(field) const_cast<void *>(a.call.field)
#define PLACE_INFO(field) &a.info
#define PLACE(kind, field) [](Arguments &a) -> void * { return PLACE_##kind(field); }
#define TYPE_CHAR int
#define TYPE_INT int
#define TYPE_ALPHA Scalar<A>::type
#define TYPE_BETA Scalar<B>::type
#define TYPE_ARRAY const void *
#define TYPE(kind, field) TYPE_##kind
#define VALUE_CHAR(field) enumeration(CHAR, #field, a.call.field)
#define VALUE_INT(field) a.field
#define VALUE_ALPHA(field) Scalar<A>::of(a.alpha)
#define VALUE_BETA(field) Scalar<B>::of(a.beta)
#define VALUE_ARRAY(field) a.call.field
#define VALUE(kind, field) VALUE_##kind(field)
#define LETTER(x) #x[0]
#define FORTRAN_PART(family, name, type, alpha, beta, matrix)                         \
    {                                                                                 \
        GMMU_BLAS_##family, #name, LETTER(type), LETTER(alpha), LETTER(beta), matrix, \
            {GMMU_BLAS_LIST(KIND_OF, GMMU_BLAS_ARGS_##family)},                       \
            {GMMU_BLAS_LIST(PLACE, GMMU_BLAS_ARGS_##family)},
#define MATRIX_ROW(family, name, type, alpha, beta)                                        \
    FORTRAN_PART(family, name, type, alpha, beta, true)                                    \
    [](void *f, int layout, Arguments &a) {                                                \
        [[maybe_unused]] constexpr char A = LETTER(alpha), B = LETTER(beta);               \
        reinterpret_cast<void (*)(int, GMMU_BLAS_LIST(TYPE, GMMU_BLAS_ARGS_##family))>(f)( \
            layout, GMMU_BLAS_LIST(VALUE, GMMU_BLAS_ARGS_##family));                       \
    }                                                                                      \
    }                                                                                      \
    ,
#define VECTOR_ROW(family, name, type, alpha, beta)                                   \
    FORTRAN_PART(family, name, type, alpha, beta, false)                              \
    [](void *f, int, Arguments &a) {                                                  \
        [[maybe_unused]] constexpr char A = LETTER(alpha), B = LETTER(beta);          \
        reinterpret_cast<void (*)(GMMU_BLAS_LIST(TYPE, GMMU_BLAS_ARGS_##family))>(f)( \
            GMMU_BLAS_LIST(VALUE, GMMU_BLAS_ARGS_##family));                          \
    }                                                                                 \
    }                                                                                 \
    ,
#define LAPACK_ROW(family, name, type, alpha, beta)             \
    FORTRAN_PART(family, name, type, alpha, beta, true) nullptr \
    }                                                           \
    ,

const std::vector<Row> &rows() {
    static const std::vector<Row> all = {GMMU_BLAS_MATRIX_ROWS(MATRIX_ROW) GMMU_BLAS_VECTOR_ROWS(
        VECTOR_ROW) GMMU_BLAS_REAL_ROWS(VECTOR_ROW) GMMU_BLAS_INDEX_ROWS(VECTOR_ROW)
                                             GMMU_BLAS_LAPACK_ROWS(LAPACK_ROW)};
    return all;
}

// ---- random calls

class Caller {
   public:
    Caller(const Row &row, uint64_t seed) : row_(row), rng_(seed) {}

    // Not CONJUGATED: the reference's cblas_cgemv turns the signs in y to and fro for a conjugate
    // transpose by rows, even if it has nothing to do, and never ends if INCY is 0.
    void arguments(bool conjugated = true) {
        a_ = {};
        a_.call.family = row_.family;
        a_.call.type = row_.type;
        a_.call.integer = 4;
        a_.call.side = letter("LR");
        a_.call.uplo = letter("UL");
        const gmmu_blas_family f = row_.family;
        const bool turns = f == GMMU_BLAS_GEMV || f == GMMU_BLAS_TRMV || f == GMMU_BLAS_TRSV;
        a_.call.trans = letter(conjugated || !turns ? "NTC" : "NT");
        a_.call.trans_b = letter("NTC");
        a_.call.diag = letter("UN");
        a_.m = size();
        a_.n = size();
        a_.k = size();
        a_.lda = leading(f <= GMMU_BLAS_GERC || f >= GMMU_BLAS_POTRF);
        a_.ldb = leading(f < GMMU_BLAS_GEMV || f >= GMMU_BLAS_POTRF);
        a_.ldc = leading(f < GMMU_BLAS_GEMV || f >= GMMU_BLAS_POTRF);
        scalar(row_.alpha, a_.alpha);
        scalar(row_.beta, a_.beta);
    }

    // The call is made; what it touches is compared. CBLAS: 0, or a layout.
    void check(int cblas) {
        void *const f = library(
            ((cblas ? "cblas_" : "") + std::string(row_.name) + (cblas ? "" : "_")).c_str());
        ASSERT_NE(f, nullptr) << row_.name;
        gmmu_sem_operand shape[GMMU_BLAS_MOST_OPERANDS];
        Guarded *const guards[] = {&ga_, &gb_, &gc_, &gp_};
        const void **const arrays[] = {&a_.call.a, &a_.call.b, &a_.call.c, &a_.call.pivots};
        // sizes first, with addresses that tell the arrays apart
        for (int i = 0; i < 4; i++)
            *arrays[i] = reinterpret_cast<const void *>(static_cast<uintptr_t>(i + 1) << 40);
        const unsigned n = gmmu_blas_operands(&converted(cblas), shape);
        touching_ += n != 0;
        const bool end = rng_() % 2 != 0;
        const gmmu_sem_operand *of[4] = {};
        for (unsigned i = 0; i < n; i++) {
            const unsigned which = static_cast<unsigned>(shape[i].start >> 40) - 1;
            ASSERT_LT(which, 4u);
            of[which] = &shape[i];
        }
        for (int i = 0; i < 4; i++)
            *arrays[i] = of[i] == nullptr ? guards[i]->nobodys()
                                          : guards[i]->place(of[i]->last - of[i]->start + 1, end);
        gmmu_sem_operand operand[GMMU_BLAS_MOST_OPERANDS];
        ASSERT_EQ(gmmu_blas_operands(&converted(cblas), operand), n);
        if (n != 0)
            flops_ += gmmu_blas_flops(&converted(cblas)) != 0;
        // the same twice, but for the old bytes of what is written and not read
        std::vector<std::vector<unsigned char>> before[2], after[2];
        std::vector<std::vector<unsigned char>> reads;
        for (unsigned i = 0; i < n; i++) reads.push_back(numbers(operand[i], row_.type));
        for (int run = 0; run < 2; run++) {
            const unsigned char outside = run == 0 ? 0xff : 0x7f;
            for (Guarded *g : guards) g->fill(outside);
            for (unsigned i = 0; i < n; i++) {
                if (!operand[i].reads)
                    std::fill(reads[i].begin(), reads[i].end(), run == 0 ? 0xff : 0x7e);
                for (size_t b = 0; b < reads[i].size(); b++)
                    if (in_gap(operand[i], b))
                        reads[i][b] = outside;
                memcpy(pointer(operand[i].start), reads[i].data(), reads[i].size());
                before[run].push_back(reads[i]);
            }
            Arguments given = a_;
            invoke(f, cblas, given);
            ASSERT_TRUE(touched == nullptr) << "touched beside operands" << told(cblas);
            for (int i = 0; i < 4; i++)
                ASSERT_TRUE(of[i] == nullptr || guards[i]->clean(outside)) << told(cblas);
            for (unsigned i = 0; i < n; i++) {
                const unsigned char *const p = pointer(operand[i].start);
                after[run].emplace_back(p, p + reads[i].size());
            }
        }
        for (unsigned i = 0; i < n; i++) compare(operand[i], before, after, i, cblas);
    }

    uint64_t touching() const { return touching_; }
    uint64_t whole() const { return whole_; }
    uint64_t gaps() const { return gaps_; }

   private:
    const Row &row_;
    std::mt19937_64 rng_;
    Arguments a_ = {};
    gmmu_blas_call converted_ = {};
    Guarded ga_, gb_, gc_, gp_;
    uint64_t touching_ = 0, flops_ = 0, whole_ = 0, gaps_ = 0;

    static unsigned char *pointer(uint64_t address) {
        return reinterpret_cast<unsigned char *>(static_cast<uintptr_t>(address));
    }
    char letter(const char *good) {
        if (rng_() % 50 == 0)
            return 'X';
        const char is = good[rng_() % strlen(good)];
        return static_cast<char>(rng_() % 4 == 0 ? tolower(is) : is);
    }
    int size() {
        const uint64_t r = rng_() % 24;
        return r == 0 ? -1 : r == 1 ? 0 : r < 6 ? 1 : 1 + static_cast<int>(rng_() % 9);
    }
    int leading(bool matrix) {
        const int most = std::max(1, std::max(a_.m, std::max(a_.n, a_.k)));
        if (!matrix)
            return static_cast<int>(rng_() % 7) - 3;
        switch (rng_() % 8) {
            case 0:
                return most + 1 + static_cast<int>(rng_() % 3);
            case 1:
                return static_cast<int>(rng_() % 6);
            case 2:
            case 3:
                return std::max(1, a_.n);
            case 4:
                return std::max(1, a_.k);
            case 5:
                return most;
            default:
                return std::max(1, a_.m);
        }
    }
    void scalar(char type, double *v) {
        const uint64_t r = rng_() % 8;
        const double part[2] = {r < 2 ? 0 : r < 4 ? 1 : 0.5, r < 5 ? 0 : -0.25};
        const float single[2] = {static_cast<float>(part[0]), static_cast<float>(part[1])};
        if (type == 's' || type == 'c')
            memcpy(v, single, sizeof single);
        else
            memcpy(v, part, sizeof part);
    }

    // The call as the drop-in sees it.
    const gmmu_blas_call &converted(int cblas) {
        converted_ = a_.call;
        converted_.m = a_.m;
        converted_.n = a_.n;
        converted_.k = a_.k;
        converted_.lda = a_.lda;
        converted_.ldb = a_.ldb;
        converted_.ldc = a_.ldc;
        converted_.alpha = gmmu_blas_scalar_of(row_.alpha, a_.alpha);
        converted_.beta = gmmu_blas_scalar_of(row_.beta, a_.beta);
        if (cblas) {
            char *const letters[] = {&converted_.side, &converted_.uplo, &converted_.trans,
                                     &converted_.trans_b, &converted_.diag};
            const char *const fields[] = {"side", "uplo", "trans", "trans_b", "diag"};
            for (int i = 0; i < 5; i++)
                *letters[i] = gmmu_blas_letter(enumeration(CHAR, fields[i], *letters[i]));
            if (cblas == 101)
                gmmu_blas_row_major(&converted_);
        }
        return converted_;
    }

    void invoke(void *f, int cblas, Arguments &given) {
        touched = nullptr;
        if (sigsetjmp(back, 1) == 0)
            jump(f, cblas, given);
    }

    void jump(void *f, int cblas, Arguments &given) {
        if (cblas) {
            row_.cblas(f, cblas, given);
            return;
        }
        void *p[17] = {};
        size_t n = 0;
        for (auto at : row_.at) p[n++] = at(given);
        for (Kind k : row_.kinds)
            if (k == CHAR)
                p[n++] = reinterpret_cast<void *>(1);
        reinterpret_cast<void (*)(void *, void *, void *, void *, void *, void *, void *, void *,
                                  void *, void *, void *, void *, void *, void *, void *, void *,
                                  void *)>(f)(p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7], p[8],
                                              p[9], p[10], p[11], p[12], p[13], p[14], p[15],
                                              p[16]);
    }

    // Random numbers from 1/2 to 2 for the bytes of O; pivots: rows.
    std::vector<unsigned char> numbers(const gmmu_sem_operand &o, char type) {
        std::vector<unsigned char> bytes(o.last - o.start + 1);
        if (pointer(o.start) == a_.call.pivots) {
            for (size_t i = 0; i + 4 <= bytes.size(); i += 4) {
                const int row = static_cast<int>(i / 4) + 1;
                memcpy(&bytes[i], &row, 4);
            }
            return bytes;
        }
        const bool single = type == 's' || type == 'c';
        for (size_t i = 0; i + 8 <= bytes.size() + (single ? 4 : 0); i += single ? 4 : 8) {
            const double value = 0.5 + static_cast<double>(rng_() % 1000) / 667;
            const float small = static_cast<float>(value);
            memcpy(&bytes[i], single ? static_cast<const void *>(&small) : &value, single ? 4 : 8);
        }
        return bytes;
    }

    static bool in_gap(const gmmu_sem_operand &o, size_t byte) {
        return o.run != 0 && byte % o.stride >= o.run;
    }

    void compare(const gmmu_sem_operand &o, const std::vector<std::vector<unsigned char>> *before,
                 const std::vector<std::vector<unsigned char>> *after, unsigned i, int cblas) {
        whole_ += o.whole;
        gaps_ += o.run != 0;
        ASSERT_FALSE(o.whole && o.reads);
        ASSERT_TRUE(o.reads || o.writes);
        for (size_t b = 0; b < before[0][i].size(); b++) {
            const bool same = after[0][i][b] == after[1][i][b];
            const bool untouched =
                after[0][i][b] == before[0][i][b] && after[1][i][b] == before[1][i][b];
            if (in_gap(o, b)) {
                ASSERT_TRUE(untouched)
                    << "operand " << i << " is written in a gap at " << b << told(cblas);
                continue;
            }
            ASSERT_TRUE(untouched || o.writes)
                << "operand " << i << " is written at " << b << told(cblas);
            ASSERT_TRUE(same || (untouched && !o.whole))
                << "operand " << i << " at " << b << (untouched ? " keeps" : " depends on")
                << " what was there" << told(cblas);
        }
    }

    std::string told(int cblas) const {
        const Arguments &a = a_;
        char text[300];
        (void)snprintf(text, sizeof text,
                       ": %s%s side %c uplo %c trans %c %c diag %c m %d n %d k %d ld %d %d %d "
                       "alpha %d beta %d",
                       cblas == 0     ? ""
                       : cblas == 101 ? "by rows "
                                      : "by columns ",
                       row_.name, a.call.side, a.call.uplo, a.call.trans, a.call.trans_b,
                       a.call.diag, a.m, a.n, a.k, a.lda, a.ldb, a.ldc,
                       gmmu_blas_scalar_of(row_.alpha, a.alpha),
                       gmmu_blas_scalar_of(row_.beta, a.beta));
        return text;
    }
};

TEST_F(BlasOperands, HoldWhatIsTouched) {
    uint64_t calls = 0, whole = 0, gaps = 0;
    for (const Row &row : rows()) {
        Caller c(row, test_seed() * 1000 + calls);
        for (int i = 0; i < 400 && !HasFatalFailure(); i++) {
            c.arguments();
            c.check(0);
            calls++;
        }
        if (HasFatalFailure())
            return;
        EXPECT_GT(c.touching(), 60u) << row.name;
        whole += c.whole();
        gaps += c.gaps();
    }
    EXPECT_GT(gaps, 1000u);
    printf("[          ] %zu routines, %llu calls, %llu operands that are whole, %llu with gaps\n",
           rows().size(), static_cast<unsigned long long>(calls),
           static_cast<unsigned long long>(whole), static_cast<unsigned long long>(gaps));
}

}  // namespace

// The reference refuses arguments by a message and the end of the program, unless it finds these.
extern "C" {
void xerbla_(const char *, const int *, size_t);
void cblas_xerbla(int, const char *, const char *, ...);
void xerbla_(const char *, const int *, size_t) {}
void cblas_xerbla(int, const char *, const char *, ...) {}
}

namespace {

TEST_F(BlasOperands, HoldWhatIsTouchedByCblas) {
    for (const Row &row : rows()) {
        if (row.cblas == nullptr)
            continue;
        Caller c(row, test_seed() * 1000 + 7);
        for (int i = 0; i < 400 && !HasFatalFailure(); i++) {
            // by rows the reference copies or turns vectors of these even if it has nothing to do
            const bool early = row.family == GMMU_BLAS_HEMV || row.family == GMMU_BLAS_GERC;
            const bool by_rows = row.has_matrix && !early && i % 2 != 0;
            c.arguments(!by_rows);
            c.check(by_rows ? 101 : 102);
        }
        if (HasFatalFailure())
            return;
        EXPECT_GT(c.touching(), 60u) << row.name;
    }
}

}  // namespace
