// SPDX-License-Identifier: Apache-2.0
// serial.h: a serial device of the system as a line.
#ifndef GMMU_BOARD_SERIAL_H
#define GMMU_BOARD_SERIAL_H

#include "board/link.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    int fd;
} gmmu_serial;

// Opens DEVICE, 8N1 at BAUD bits a second, raw, for this process alone, and makes LINE of the
// device. False and *err: the device cannot be opened, is no serial device, is in use, or does not
// know the rate.
bool gmmu_serial_open(gmmu_serial *s, const char *device, uint32_t baud, gmmu_line *line,
                      gmmu_error *err);
void gmmu_serial_close(gmmu_serial *s);

#ifdef __cplusplus
}
#endif
#endif
