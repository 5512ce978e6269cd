// SPDX-License-Identifier: Apache-2.0
// board_sim.cpp: a board that is none: the top that boards have, Verilated, behind a
// pseudo-terminal. Prints the terminal's name, and is there until it is killed, or unplugged as an
// option says.
#include <fcntl.h>
#include <getopt.h>
#include <poll.h>
#include <termios.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <random>

#include "Vdut.h"
#include "serial.h"

namespace {

enum { DIV = 4, RESET_CYCLES = 4, POLL_CYCLES = 256 };

[[noreturn]] void usage(const char *what) {
    std::fprintf(
        stderr,
        "board_sim: found %s\n"
        "usage: board_sim [--seed N] [--flip N] [--lose N] [--twice N] [--junk N] [--unplug N]\n"
        "  so many of 10 000 bytes are damaged, lost, doubled, or have one before them; after N "
        "bytes it is unplugged\n",
        what);
    std::exit(2);
}

class BoardSim {
   public:
    Damage damage;
    uint64_t unplug = ~0ull;

    explicit BoardSim(unsigned seed) : random_(seed) {
        const char *args[] = {"board_sim", "+ram=garbage"};
        context_.commandArgs(2, args);
        context_.randReset(2);
        context_.randSeed(static_cast<int>(seed));
        dut_ = std::make_unique<Vdut>(&context_);
        dut_->rxd = 1;
        dut_->rst = 1;
        for (int i = 0; i < RESET_CYCLES; i++) tick();
        dut_->rst = 0;
    }
    bool open() {
        master_ = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK);
        struct termios t;
        if (master_ < 0 || grantpt(master_) != 0 || unlockpt(master_) != 0 ||
            tcgetattr(master_, &t) != 0)
            return false;
        cfmakeraw(&t);
        return tcsetattr(master_, TCSANOW, &t) == 0;
    }
    const char *name() const { return ptsname(master_); }
    void run() {
        while (bytes_ < unplug) {
            const bool rests = !wire_.sends() && !wire_.receives() && !dut_->active && dut_->txd;
            hear(rests ? 20 : 0);
            for (int i = 0; i < POLL_CYCLES; i++) cycle();
            say();
        }
        close(master_);
    }

   private:
    std::mt19937 random_;
    VerilatedContext context_;
    std::unique_ptr<Vdut> dut_;
    SerialEnd wire_{DIV};
    std::deque<uint8_t> out_;
    int master_ = -1;
    uint64_t bytes_ = 0;

    void pass(uint8_t byte, std::deque<uint8_t> *to) {
        damage.pass(byte, to, [this](unsigned n) { return static_cast<unsigned>(random_() % n); });
    }
    void tick() {
        dut_->clk = 0;
        dut_->eval();
        dut_->clk = 1;
        dut_->eval();
    }
    void cycle() {
        dut_->rxd = wire_.drive();
        tick();
        wire_.sample(dut_->txd);
    }
    void hear(int ms) {
        struct pollfd ready = {master_, POLLIN, 0};
        uint8_t bytes[512];
        if (poll(&ready, 1, ms) <= 0)
            return;
        const ssize_t came = read(master_, bytes, sizeof bytes);
        if (came < 0 && ms != 0)
            usleep(20000);  // nobody has it open
        for (ssize_t i = 0; i < came; i++) {
            pass(bytes[i], &wire_.to_board);
            bytes_++;
        }
    }
    void say() {
        for (; !wire_.from_board.empty(); wire_.from_board.pop_front()) {
            pass(wire_.from_board.front(), &out_);
            bytes_++;
        }
        while (!out_.empty()) {
            const uint8_t byte = out_.front();
            if (write(master_, &byte, 1) != 1)
                return;  // nobody reads: it waits, or is gone with the terminal
            out_.pop_front();
        }
    }
};

}  // namespace

int main(int argc, char **argv) {
    static const option options[] = {{"seed", 1, nullptr, 's'}, {"flip", 1, nullptr, 'f'},
                                     {"lose", 1, nullptr, 'l'}, {"twice", 1, nullptr, 't'},
                                     {"junk", 1, nullptr, 'j'}, {"unplug", 1, nullptr, 'u'},
                                     {nullptr, 0, nullptr, 0}};
    Damage damage;
    unsigned seed = 1;
    uint64_t unplug = ~0ull;
    for (int c; (c = getopt_long(argc, argv, "", options, nullptr)) != -1;) {
        if (c == '?')
            usage("an option that is none");
        char *end;
        const unsigned long long n = std::strtoull(optarg, &end, 10);
        if (*end != '\0' || end == optarg)
            usage(optarg);
        const unsigned count = static_cast<unsigned>(n);
        switch (c) {
            case 's':
                seed = count;
                break;
            case 'f':
                damage.flip = count;
                break;
            case 'l':
                damage.lose = count;
                break;
            case 't':
                damage.twice = count;
                break;
            case 'j':
                damage.junk = count;
                break;
            default:
                unplug = n;
        }
    }
    BoardSim board(seed);
    board.damage = damage;
    board.unplug = unplug;
    if (!board.open()) {
        std::perror("board_sim: no pseudo-terminal");
        return 2;
    }
    std::printf("%s\n", board.name());
    std::fflush(stdout);
    board.run();
    return 0;
}
