// SPDX-License-Identifier: Apache-2.0
// serial.c: see serial.h.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE  // cfmakeraw, CRTSCTS, the rates above 38400
#endif
#include "board/serial.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

static const struct {
    uint32_t baud;
    speed_t speed;
} rates[] = {{9600, B9600},       {19200, B19200},     {38400, B38400},     {57600, B57600},
             {115200, B115200},   {230400, B230400},   {460800, B460800},   {500000, B500000},
             {921600, B921600},   {1000000, B1000000}, {1500000, B1500000}, {2000000, B2000000},
             {2500000, B2500000}, {3000000, B3000000}, {3500000, B3500000}, {4000000, B4000000}};

static long read_line(void *context, uint8_t *to, size_t room, unsigned ms) {
    const gmmu_serial *s = context;
    struct pollfd ready = {.fd = s->fd, .events = POLLIN};
    int n;
    do {
        n = poll(&ready, 1, (int)ms);
    } while (n < 0 && errno == EINTR);
    if (n <= 0)
        return n;
    const ssize_t came = read(s->fd, to, room);
    if (came > 0)
        return came;
    // of a device that hung up there is always an end to be read
    return came < 0 && (errno == EINTR || errno == EAGAIN) ? 0 : -1;
}

static bool write_line(void *context, const uint8_t *bytes, size_t count) {
    const gmmu_serial *s = context;
    while (count != 0) {
        const ssize_t went = write(s->fd, bytes, count);
        if (went > 0) {
            bytes += went;
            count -= (size_t)went;
        } else if (went < 0 && errno == EAGAIN) {
            // for as long as a rate of 9600 takes for the longest packet
            struct pollfd ready = {.fd = s->fd, .events = POLLOUT};
            if (poll(&ready, 1, 10000) == 0 || (ready.revents & (POLLHUP | POLLERR)) != 0)
                return false;
        } else if (went == 0 || errno != EINTR) {
            return false;
        }
    }
    return true;
}

static bool fails(gmmu_serial *s, const char *device, const char *what, gmmu_error *err) {
    (void)snprintf(err->text, sizeof err->text, "%.200s: %.200s", device, what);
    gmmu_serial_close(s);
    return false;
}

bool gmmu_serial_open(gmmu_serial *s, const char *device, uint32_t baud, gmmu_line *line,
                      gmmu_error *err) {
    struct termios t;
    size_t rate = 0;
    s->fd = open(device, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    if (s->fd < 0)
        return fails(s, device, strerror(errno), err);
    if (tcgetattr(s->fd, &t) != 0)
        return fails(s, device, "found no serial device, expected one", err);
    if (ioctl(s->fd, TIOCEXCL) != 0)
        return fails(s, device, strerror(errno), err);
    while (rate < sizeof rates / sizeof rates[0] && rates[rate].baud != baud) rate++;
    if (rate == sizeof rates / sizeof rates[0])
        return fails(s, device,
                     "found a rate that serial devices do not have, expected one as 115200, "
                     "1000000, 3000000",
                     err);
    cfmakeraw(&t);
    t.c_cflag = (t.c_cflag & ~(tcflag_t)(CSTOPB | CRTSCTS | PARENB)) | CS8 | CLOCAL | CREAD;
    t.c_cc[VMIN] = 0;
    t.c_cc[VTIME] = 0;
    if (cfsetispeed(&t, rates[rate].speed) != 0 || cfsetospeed(&t, rates[rate].speed) != 0 ||
        tcsetattr(s->fd, TCSANOW, &t) != 0)
        return fails(s, device, strerror(errno), err);
    (void)tcflush(s->fd, TCIOFLUSH);
    *line = (gmmu_line){s, read_line, write_line};
    return true;
}

void gmmu_serial_close(gmmu_serial *s) {
    if (s->fd >= 0)
        (void)close(s->fd);
    s->fd = -1;
}
