// SPDX-License-Identifier: Apache-2.0
// hints.h: forecast of a page's next use, from the launches of kernels and the pages touched in
// each launch, without knowledge of the future.
//
// Kernels are launched in an order that repeats. The last launches, at most four, are looked up
// among all earlier launches: the present launch repeats the launch in which this sequence ended
// last time. The walk to come is then the walk at the same distance from that launch, and a page's
// next use is the page's first use behind that point:
//
//   launches     A  B  C  A  B            then, at walk t of the second B:
//   page p          x     y     now       p's next use is as far as y lies behind walk t of the
//                   |--t--|     |--t--|   first B
//
// A page keeps the last launches that touched the page, each with first and last touch. A page
// without a touch behind that point is late, or does not come. A freed page is not used again,
// unless launches repeat and so give the time of its next use. Source: DeepUM (ASPLOS 2023).
#ifndef GMMU_POLICY_HINTS_H
#define GMMU_POLICY_HINTS_H

#include <stdbool.h>
#include <stdint.h>

#include "gmmu/trace.h"
#include "trace/pages.h"

#ifdef __cplusplus
extern "C" {
#endif

// No forecast: no earlier launch is like the present one, or the page is late. NEVER: the page is
// dead.
#define GMMU_NEXT_UNKNOWN UINT64_MAX
#define GMMU_NEXT_NEVER (UINT64_MAX - 1)

enum {
    GMMU_FORECAST_CONTEXT = 4,         // number of launches that are looked up; then 2, then 1
    GMMU_FORECAST_SLOTS = 1 << 14,     // table of contexts; later contexts overwrite
    GMMU_FORECAST_LAUNCHES = 1 << 14,  // number of launches whose beginnings are kept
    GMMU_FORECAST_STAYS = 8            // number of launches that a page keeps
};

typedef struct gmmu_forecast gmmu_forecast;

// Returns a forecast for the pages of PAGES. NULL: no memory.
gmmu_forecast *gmmu_forecast_create(const gmmu_pages *pages);
void gmmu_forecast_destroy(gmmu_forecast *f);
// Takes a hint. FOLLOWED: the next launched kernel will be NEXT.
void gmmu_forecast_hint(gmmu_forecast *f, const gmmu_hint *hint, bool followed, uint64_t next);
// A walk to PAGE. False: no memory.
bool gmmu_forecast_walk(gmmu_forecast *f, uint32_t page);
// Returns the walks until the next use of PAGE, GMMU_NEXT_UNKNOWN or _NEVER. PAGE had a walk
// before.
uint64_t gmmu_forecast_next(const gmmu_forecast *f, uint32_t page);
// Returns the walks since the last walk to PAGE.
uint64_t gmmu_forecast_age(const gmmu_forecast *f, uint32_t page);

#ifdef __cplusplus
}
#endif
#endif
