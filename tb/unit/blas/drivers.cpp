// SPDX-License-Identifier: Apache-2.0
// drivers.cpp: LAPACK's drivers against the reference: what a call touches lies in its operands and
// its scratch memory; what it reads lies in operands that are read; what is whole is whole.
// Operations where they are known.
//
// State space: each row of the drivers; random sizes from −1 on, letters (wrong ones too), leading
// dimensions, bands, ranges; scratch memory of the size for which the routine asks. Arrays that are
// no operands lie where nobody may touch.
#include "blas/drivers.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "blas/flops.h"
#include "random_trace.h"
#include "unit/blas/guarded.h"

namespace {

struct Driver {
    const char *name;
    int signature;
    char type;
    gmmu_blas_family family;
};
#define DRIVER_ROW(signature, name, type, family) \
    {#name, GMMU_BLAS_SIGNATURE_##signature, #type[0], GMMU_BLAS_##family},
const Driver drivers[] = {GMMU_BLAS_DRIVER_ROWS(DRIVER_ROW)};

// the program's functions that GEES and GEESX ask: of the eigenvalues some are chosen
int select_single(const float *real, const float *) {
    return *real > 0.4f;
}
int select_double(const double *real, const double *) {
    return *real > 0.4;
}

class DriverCall {
   public:
    DriverCall(const Driver &driver, uint64_t seed)
        : driver_(driver), signature_(gmmu_blas_signatures[driver.signature]), rng_(seed) {
        real_ = library((std::string(driver.name) + "_").c_str());
    }

    // One random call, and what it touches.
    void check() {
        ASSERT_NE(real_, nullptr) << driver_.name;
        arguments();
        gmmu_sem_operand shape[GMMU_BLAS_MOST_OPERANDS];
        for (size_t i = 0; i < ARRAYS; i++)
            if (has(i))
                set(i, reinterpret_cast<void *>(static_cast<uintptr_t>(i + 1) << 40));
        ask();
        const unsigned n = gmmu_blas_operands(&call(), shape);
        touching_ += n != 0;
        if (driver_.family == GMMU_BLAS_SYEVR && toupper(call_.range) == 'V' &&
            toupper(call_.job) == 'V')
            return;  // how much of Z is touched is not known before: it has no operands
        const unsigned all = n == 0 ? 0 : n + gmmu_blas_driver_scratch(&call(), shape + n);
        ASSERT_LE(all, static_cast<unsigned>(GMMU_BLAS_MOST_OPERANDS));
        if ((driver_.family == GMMU_BLAS_GELSD || driver_.family == GMMU_BLAS_GELSS ||
             driver_.family == GMMU_BLAS_GTSV) &&
            call_.k == 0)
            return;  // the reference touches a column of B for some sizes
        // of each operand, its array; and of each array, where it is
        std::vector<size_t> which;
        std::vector<gmmu_sem_operand> is;
        const bool end = rng_() % 2 != 0;
        for (size_t i = 0; i < ARRAYS; i++)
            if (has(i))
                set(i, guard_[i].nobodys());
        for (unsigned i = 0; i < all; i++) {
            const size_t at = static_cast<size_t>(shape[i].start >> 40) - 1;
            ASSERT_LT(at, ARRAYS);
            const size_t bytes = shape[i].last - shape[i].start + 1;
            char *const place = guard_[at].place(bytes, end);
            set(at, place);
            which.push_back(at);
            is.push_back(shape[i]);
            is.back().start = reinterpret_cast<uintptr_t>(place);
            is.back().last = is.back().start + bytes - 1;
        }
        // the first element of scratch memory is written whatever the call
        for (size_t i = 0; i < ARRAYS; i++)
            if (has(i) && i >= FIRST_SCRATCH && pointer(i) == guard_[i].nobodys())
                set(i, guard_[i].place(16, false));
        // the routine looks for a scale that is 0 before it refuses what comes behind
        for (size_t i : {SCALE, SCALE + 1})
            if (n == 0 && may_scale() && has(i))
                set(i, guard_[i].place(PAGE, false));
        std::vector<std::vector<unsigned char>> before[2], after[2], given;
        bad_rows_ = rng_() % 2 != 0;
        bad_columns_ = rng_() % 2 != 0;
        for (unsigned i = 0; i < all; i++) given.push_back(numbers(is[i], which[i]));
        char letters[2][GMMU_BLAS_MOST_ARGUMENTS];
        memcpy(letters[0], letter_, sizeof letter_);
        for (int run = 0; run < 2; run++) {
            memcpy(letter_, letters[0], sizeof letter_);
            const unsigned char outside = run == 0 ? 0xff : 0x7f;
            for (size_t i = 0; i < ARRAYS; i++)
                if (has(i))
                    guard_[i].fill(outside);
            for (unsigned i = 0; i < all; i++) {
                if (!is[i].reads)
                    std::fill(given[i].begin(), given[i].end(), run == 0 ? 0xff : 0x7e);
                for (size_t b = 0; b < given[i].size(); b++)
                    if (in_gap(is[i], b))
                        given[i][b] = outside;
                memcpy(reinterpret_cast<void *>(is[i].start), given[i].data(), given[i].size());
                before[run].push_back(given[i]);
            }
            invoke();
            ASSERT_TRUE(touched == nullptr) << "touched beside operands" << told();
            for (unsigned i = 0; i < all; i++) {
                ASSERT_TRUE(guard_[which[i]].clean(outside)) << "array " << which[i] << told();
                const auto *const p = reinterpret_cast<const unsigned char *>(is[i].start);
                after[run].emplace_back(p, p + given[i].size());
            }
            // (of no rows GEQP3 hands on INFO of a routine that finds its scratch memory too small)
            const bool odd = driver_.family == GMMU_BLAS_GEQP3 && call_.m == 0;
            ASSERT_TRUE(n == 0 || odd || info_ >= 0)
                << "refused with operands, info " << info_ << told();
        }
        succeeded_ += n != 0 && info_ == 0;
        const uint32_t unwritten =
            n == 0 || info_ != 0 ? 0 : gmmu_blas_driver_unwritten(&call(), is.data(), n);
        const bool free_to_scale =
            n != 0 && info_ == 0 && call_.n > 0 && may_scale() && toupper(call_.job) == 'E';
        if (free_to_scale)
            ((unwritten & 1) != 0 ? unscaled_ : scaled_)++;
        if (free_to_scale && (unwritten & 1) == 0) {
            ASSERT_NE(after[0][0], before[0][0]) << "A is not scaled" << told();
        }
        for (unsigned i = 0; i < n; i++) {
            if ((unwritten >> i & 1) != 0) {
                ASSERT_EQ(after[0][i], before[0][i]) << "operand " << i << " is written" << told();
                ASSERT_TRUE(is[i].reads && is[i].writes);
            }
        }
        for (unsigned i = 0; i < n; i++) {
            ASSERT_FALSE(is[i].whole && is[i].reads);
            for (size_t b = 0; b < before[0][i].size(); b++) {
                const bool same = after[0][i][b] == after[1][i][b];
                const bool untouched =
                    after[0][i][b] == before[0][i][b] && after[1][i][b] == before[1][i][b];
                const bool restored =
                    driver_.family == GMMU_BLAS_ORMQR || driver_.family == GMMU_BLAS_ORMLQ;
                if (in_gap(is[i], b))
                    ASSERT_TRUE(untouched)
                        << "operand " << i << " is written in a gap at " << b << told();
                else if (!is[i].writes)
                    ASSERT_TRUE(untouched || restored)
                        << "operand " << i << " is written at " << b << told();
                else
                    ASSERT_TRUE(same || (untouched && (!is[i].whole || info_ != 0)))
                        << "operand " << i << " at " << b << (untouched ? " keeps" : " depends on")
                        << " what was there, info " << info_ << told();
            }
        }
    }

    uint64_t touching() const { return touching_; }
    uint64_t succeeded() const { return succeeded_; }
    // calls that were free to scale A, and did, or did not
    uint64_t scaled() const { return scaled_; }
    uint64_t unscaled() const { return unscaled_; }
    bool may_scale() const {
        return driver_.family == GMMU_BLAS_GESVX || driver_.family == GMMU_BLAS_POSVX;
    }

   private:
    // fields of a call that are arrays, scratch memory at the end
    static constexpr size_t FIELDS[] = {
        offsetof(gmmu_blas_call, a),        offsetof(gmmu_blas_call, b),
        offsetof(gmmu_blas_call, c),        offsetof(gmmu_blas_call, d),
        offsetof(gmmu_blas_call, values),   offsetof(gmmu_blas_call, values_b),
        offsetof(gmmu_blas_call, values_c), offsetof(gmmu_blas_call, tau),
        offsetof(gmmu_blas_call, scale),    offsetof(gmmu_blas_call, scale_b),
        offsetof(gmmu_blas_call, errors),   offsetof(gmmu_blas_call, errors_b),
        offsetof(gmmu_blas_call, pivots),   offsetof(gmmu_blas_call, work),
        offsetof(gmmu_blas_call, rwork),    offsetof(gmmu_blas_call, iwork),
        offsetof(gmmu_blas_call, flags)};
    static constexpr size_t ARRAYS = sizeof FIELDS / sizeof FIELDS[0], FIRST_SCRATCH = 13,
                            WORK = 13, PIVOTS = 12, SCALE = 8;

    const Driver &driver_;
    const gmmu_blas_signature &signature_;
    std::mt19937_64 rng_;
    void *real_;
    Guarded guard_[ARRAYS];
    // what the arguments point to
    char letter_[GMMU_BLAS_MOST_ARGUMENTS] = {};
    int number_[GMMU_BLAS_MOST_ARGUMENTS] = {};
    double value_[GMMU_BLAS_MOST_ARGUMENTS] = {};
    void *argument_[GMMU_BLAS_MOST_ARGUMENTS] = {};
    gmmu_blas_call call_ = {};
    int info_ = 0;
    bool bad_rows_ = false, bad_columns_ = false;
    uint64_t touching_ = 0, succeeded_ = 0, scaled_ = 0, unscaled_ = 0;

    bool at(unsigned i, size_t field) const { return signature_.argument[i].at == field; }
    int index_of(size_t field) const {
        for (unsigned i = 0; i < signature_.count; i++)
            if (signature_.argument[i].kind <= GMMU_BLAS_ARRAY && at(i, field))
                return static_cast<int>(i);
        return -1;
    }
    bool has(size_t array) const { return index_of(FIELDS[array]) >= 0; }
    void set(size_t array, void *to) { argument_[index_of(FIELDS[array])] = to; }
    void *pointer(size_t array) const { return argument_[index_of(FIELDS[array])]; }
    bool is_expert() const {
        return driver_.family >= GMMU_BLAS_GESVX && driver_.family <= GMMU_BLAS_SYSVX;
    }
    bool is_single() const { return driver_.type == 's' || driver_.type == 'c'; }

    const gmmu_blas_call &call() {
        call_ = {};
        call_.family = driver_.family;
        call_.type = driver_.type;
        call_.integer = 4;
        gmmu_blas_driver_fill(&call_, &signature_, argument_);
        return call_;
    }

    char one_of(const char *good) {
        if (rng_() % 60 == 0)
            return 'X';
        const char is = good[rng_() % strlen(good)];
        return static_cast<char>(rng_() % 4 == 0 ? tolower(is) : is);
    }
    int size() {
        const uint64_t r = rng_() % 30;
        return r == 0 ? -1 : r == 1 ? 0 : r < 6 ? 1 : 1 + static_cast<int>(rng_() % 9);
    }
    void arguments() {
        int m = size(), n = size(), k = size();
        const gmmu_blas_family f = driver_.family;
        if (rng_() % 3 == 0)
            m = n;
        // reflections are as many as fit
        if (f >= GMMU_BLAS_ORGQR && f <= GMMU_BLAS_ORMLQ && rng_() % 8 != 0) {
            const bool rows = f == GMMU_BLAS_ORGLQ;
            if (f <= GMMU_BLAS_ORGLQ && (rows ? m > n : n > m))
                std::swap(m, n);
            k = std::max(0, std::min(k, std::min(m, n)));
        }
        const int most = std::max(1, std::max(m, std::max(n, k)));
        const int kl = static_cast<int>(rng_() % 4) - (rng_() % 40 == 0),
                  ku = static_cast<int>(rng_() % 4);
        int values = 0;
        for (unsigned i = 0; i < signature_.count; i++) {
            // of VL, VU, ABSTOL the second is the largest
            values += signature_.argument[i].kind == GMMU_BLAS_VALUE;
            const double real = values == 2 ? 5 : 0.125;
            const auto single = static_cast<float>(real);
            switch (signature_.argument[i].kind) {
                case GMMU_BLAS_CHAR:
                case GMMU_BLAS_LETTER:
                    letter_[i] = letter_at(i);
                    argument_[i] = &letter_[i];
                    break;
                case GMMU_BLAS_INT:
                    number_[i] =
                        at(i, offsetof(gmmu_blas_call, m))    ? m
                        : at(i, offsetof(gmmu_blas_call, n))  ? n
                        : at(i, offsetof(gmmu_blas_call, k))  ? k
                        : at(i, offsetof(gmmu_blas_call, kl)) ? kl
                        : at(i, offsetof(gmmu_blas_call, ku)) ? ku
                        : at(i, offsetof(gmmu_blas_call, from))
                            ? (n > 0 ? 1 + static_cast<int>(rng_() % 2) : 1)
                        : at(i, offsetof(gmmu_blas_call, to))
                            ? n - static_cast<int>(rng_() % 5 == 0)
                        : at(i, offsetof(gmmu_blas_call, itype))
                            ? 1 + static_cast<int>(rng_() % 3) - (rng_() % 40 == 0)
                        : at(i, offsetof(gmmu_blas_call, lda)) && f >= GMMU_BLAS_GBTRF
                            ? 2 * kl + ku + 1 + static_cast<int>(rng_() % 3) - (rng_() % 20 == 0)
                            : most + static_cast<int>(rng_() % 3) - (rng_() % 20 == 0);
                    argument_[i] = &number_[i];
                    break;
                case GMMU_BLAS_INFO:
                    argument_[i] = &info_;
                    break;
                case GMMU_BLAS_CODE:
                    argument_[i] = is_single() ? reinterpret_cast<void *>(select_single)
                                               : reinterpret_cast<void *>(select_double);
                    break;
                case GMMU_BLAS_VALUE:
                    memcpy(&value_[i], is_single() ? static_cast<const void *>(&single) : &real,
                           is_single() ? 4 : 8);
                    argument_[i] = &value_[i];
                    break;
                default:
                    argument_[i] = &value_[i];
                    break;
            }
        }
    }
    char letter_at(unsigned i) {
        const gmmu_blas_family f = driver_.family;
        const bool complex = driver_.type == 'c' || driver_.type == 'z';
        if (is_expert() && at(i, offsetof(gmmu_blas_call, job)))
            return one_of(f == GMMU_BLAS_SYSVX ? "NF" : "NEF");
        if (at(i, offsetof(gmmu_blas_call, equed)))
            return one_of(f == GMMU_BLAS_GESVX ? "NRCB" : "NY");
        if (at(i, offsetof(gmmu_blas_call, balance)))
            return one_of("NPSB");
        if (at(i, offsetof(gmmu_blas_call, sense)))
            return one_of("NNEVB");
        if (at(i, offsetof(gmmu_blas_call, job)))
            return one_of(f == GMMU_BLAS_GESDD || f == GMMU_BLAS_GESVD ? "ASON" : "NV");
        if (at(i, offsetof(gmmu_blas_call, job_b)))
            return one_of(f == GMMU_BLAS_GESVD ? "ASON" : "NV");
        if (at(i, offsetof(gmmu_blas_call, range)))
            return one_of("AAIIV");
        if (at(i, offsetof(gmmu_blas_call, norm)))
            return one_of("1OI");
        if (at(i, offsetof(gmmu_blas_call, sort)))
            return one_of("NS");
        if (at(i, offsetof(gmmu_blas_call, side)))
            return one_of("LR");
        if (at(i, offsetof(gmmu_blas_call, uplo)))
            return one_of("UL");
        return one_of(f == GMMU_BLAS_GBTRS || f == GMMU_BLAS_GESVX ? "NTC" : complex ? "NC" : "NT");
    }

    // The sizes of scratch memory, by the routine itself.
    void ask() {
        static constexpr size_t sizes[] = {offsetof(gmmu_blas_call, lwork),
                                           offsetof(gmmu_blas_call, lrwork),
                                           offsetof(gmmu_blas_call, liwork)};
        bool any = false;
        for (size_t s : sizes)
            if (index_of(s) >= 0) {
                number_[index_of(s)] = -1;
                any = true;
            }
        if (!any)
            return;
        gmmu_sem_operand none[GMMU_BLAS_MOST_OPERANDS];
        EXPECT_EQ(gmmu_blas_operands(&call(), none), 0u);
        EXPECT_TRUE(gmmu_blas_driver_asks(&call()));
        void *was[ARRAYS] = {};
        double answer[3][2] = {};
        for (size_t i = 0; i < 3; i++)
            if (has(WORK + i)) {
                was[i] = pointer(WORK + i);
                set(WORK + i, answer[i]);
            }
        invoke();
        EXPECT_TRUE(touched == nullptr) << "touched for a question" << told();
        for (size_t i = 0; i < 3; i++) {
            if (!has(WORK + i))
                continue;
            set(WORK + i, was[i]);
            const int index = index_of(sizes[i]);
            if (index < 0)
                continue;
            int whole;
            float single;
            memcpy(&whole, answer[i], sizeof whole);
            memcpy(&single, answer[i], sizeof single);
            number_[index] = i == 2        ? whole
                             : is_single() ? static_cast<int>(single)
                                           : static_cast<int>(answer[i][0]);
            if (info_ != 0 || number_[index] < 1)
                number_[index] = 1000;
        }
    }

    void invoke() {
        touched = nullptr;
        if (sigsetjmp(back, 1) != 0)
            return;
        void *p[GMMU_BLAS_MOST_ARGUMENTS + 5] = {};
        unsigned n = 0;
        for (; n < signature_.count; n++) p[n] = argument_[n];
        for (unsigned i = 0; i < signature_.count; i++)
            if (gmmu_blas_has_length(signature_.argument[i].kind))
                p[n++] = reinterpret_cast<void *>(1);
        using P = void *;
        reinterpret_cast<void (*)(P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P,
                                  P, P, P, P, P, P, P, P, P, P, P, P)>(real_)(
            p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7], p[8], p[9], p[10], p[11], p[12], p[13],
            p[14], p[15], p[16], p[17], p[18], p[19], p[20], p[21], p[22], p[23], p[24], p[25],
            p[26], p[27], p[28], p[29], p[30], p[31], p[32], p[33]);
    }

    // Random numbers from 1/2 to 2; pivots: rows, or for GEQP3 and GELSY 0 or 1; diagonals of
    // definite matrices: large.
    std::vector<unsigned char> numbers(const gmmu_sem_operand &o, size_t array) {
        std::vector<unsigned char> bytes(o.last - o.start + 1);
        const gmmu_blas_family f = driver_.family;
        if (array == PIVOTS) {
            for (size_t i = 0; i + 4 <= bytes.size(); i += 4) {
                const int free = static_cast<int>(rng_() % 2), row = static_cast<int>(i / 4) + 1;
                memcpy(&bytes[i], f == GMMU_BLAS_GEQP3 || f == GMMU_BLAS_GELSY ? &free : &row, 4);
            }
            return bytes;
        }
        const bool complex = driver_.type == 'c' || driver_.type == 'z';
        const size_t real = is_single() ? 4 : 8, element = complex ? 2 * real : real;
        const size_t column =
            o.run != 0 ? o.stride
                       : static_cast<size_t>(std::max<int64_t>(1, rows_of(array))) * element;
        const bool definite = f == GMMU_BLAS_POSV || f == GMMU_BLAS_PBTRF || f == GMMU_BLAS_PBTRS ||
                              f == GMMU_BLAS_POCON || f == GMMU_BLAS_POTRI || f == GMMU_BLAS_GTSV ||
                              f == GMMU_BLAS_POSVX ||
                              ((f == GMMU_BLAS_SYGV || f == GMMU_BLAS_SYGVD) && array == 1);
        const bool band = f == GMMU_BLAS_PBTRF || f == GMMU_BLAS_PBTRS;
        const size_t diagonal =
            band && (call_.uplo == 'U' || call_.uplo == 'u') ? static_cast<size_t>(call_.kl) : 0;
        // of such a matrix the routine scales rows, columns, or both
        const bool scaled =
            is_expert() && array == 0 && toupper(call_.job) == 'E' && (bad_rows_ || bad_columns_);
        for (size_t i = 0; i + real <= bytes.size(); i += real) {
            double value = 0.5 + static_cast<double>(rng_() % 1000) / 667;
            const size_t in = i / column, row = i % column / element;
            if (definite && i % element == 0 && row == (band ? diagonal : in))
                value += 30;
            if (scaled && (bad_rows_ || f == GMMU_BLAS_POSVX))
                value *= std::pow(10, -2.0 * static_cast<double>(row % 3));
            if (scaled && (bad_columns_ || f == GMMU_BLAS_POSVX))
                value *= std::pow(10, -2.0 * static_cast<double>(in % 3));
            const auto small = static_cast<float>(value);
            memcpy(&bytes[i], real == 4 ? static_cast<const void *>(&small) : &value, real);
        }
        return bytes;
    }
    int64_t rows_of(size_t array) const { return array == 1 ? call_.ldb : call_.lda; }

    static bool in_gap(const gmmu_sem_operand &o, size_t byte) {
        return o.run != 0 && byte % o.stride >= o.run;
    }

    std::string told() const {
        std::string text = std::string(": ") + driver_.name;
        for (unsigned i = 0; i < signature_.count; i++) {
            if (gmmu_blas_has_length(signature_.argument[i].kind))
                text += std::string(" ") + letter_[i];
            if (signature_.argument[i].kind == GMMU_BLAS_INT)
                text += " " + std::to_string(number_[i]);
        }
        return text;
    }
};

class BlasDrivers : public BlasOperands {};

TEST_F(BlasDrivers, TouchTheirOperandsAndTheirScratchMemory) {
    uint64_t calls = 0, succeeded = 0;
    for (const Driver &driver : drivers) {
        DriverCall c(driver, test_seed() * 1000 + calls);
        for (int i = 0; i < 150 && !HasFatalFailure(); i++) {
            c.check();
            calls++;
        }
        if (HasFatalFailure())
            return;
        if (c.may_scale()) {
            EXPECT_GT(c.scaled(), 3u) << driver.name;
            EXPECT_GT(c.unscaled(), 3u) << driver.name;
        }
        EXPECT_GT(c.succeeded(), 20u) << driver.name << ": " << c.touching() << " with operands";
        succeeded += c.succeeded();
    }
    printf("[          ] %zu drivers, %llu calls, %llu that compute something\n",
           sizeof drivers / sizeof drivers[0], static_cast<unsigned long long>(calls),
           static_cast<unsigned long long>(succeeded));
}

}  // namespace
