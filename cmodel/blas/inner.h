// SPDX-License-Identifier: Apache-2.0
// inner.h: what the report says behind its table: calls within recorded calls, and the time of
// calls below the minimum.
#ifndef GMMU_BLAS_INNER_H
#define GMMU_BLAS_INNER_H

#include <stdio.h>

#include "blas/report.h"

void gmmu_blas_report_inner(FILE *to, const gmmu_blas_report *r);

#endif
