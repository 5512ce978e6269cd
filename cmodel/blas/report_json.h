// SPDX-License-Identifier: Apache-2.0
// report_json.h: the report as one line of JSON (docs/guide/blas.md, "JSON"), for `gmmu semcache
// --sum` and other programs.
#ifndef GMMU_BLAS_REPORT_JSON_H
#define GMMU_BLAS_REPORT_JSON_H

#include "blas/report.h"

void gmmu_blas_report_json(FILE *to, const gmmu_blas_report *r);

#endif
