// SPDX-License-Identifier: Apache-2.0
// loop.c: a fuzz loop for compilers without libFuzzer: loop RUNS SEED FOLDER gives RUNS inputs to
// LLVMFuzzerTestOneInput, each made of a file of FOLDER by a few changes: bytes, numbers, words of
// other files, cuts, repeats. The input under way lies in FOLDER.last, to be looked at if one
// fails.
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FILES = 256, MOST = 1 << 13, CHANGES = 6 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct {
    uint8_t *bytes;
    size_t size;
} seeds[FILES];
static size_t count;
static uint64_t state;

static uint64_t draw(uint64_t below) {
    uint64_t z = state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return (z ^ z >> 31) % below;
}

static void load(const char *folder) {
    DIR *dir = opendir(folder);
    struct dirent *entry = NULL;
    while (dir != NULL && (entry = readdir(dir)) != NULL && count < FILES) {
        char path[1024];
        (void)snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        FILE *f = entry->d_name[0] == '.' ? NULL : fopen(path, "rb");
        if (f != NULL) {
            seeds[count].bytes = malloc(MOST);
            seeds[count].size = fread(seeds[count].bytes, 1, MOST / 2, f);
            count += seeds[count].size >= 2 ? 1 : 0;
            (void)fclose(f);
        }
    }
    if (dir != NULL) {
        (void)closedir(dir);
    }
}

// Puts LENGTH bytes of FROM in place of CUT bytes at AT.
static size_t splice(uint8_t *data, size_t size, size_t at, size_t cut, const void *from,
                     size_t length) {
    cut = cut > size - at ? size - at : cut;
    if (size - cut + length > MOST) {
        return size;
    }
    memmove(data + at + length, data + at + cut, size - at - cut);
    memcpy(data + at, from, length);
    return size - cut + length;
}

static size_t change(uint8_t *data, size_t size) {
    static const char *const words[] = {"18446744073709551615",
                                        "0xffffffffffffffff",
                                        "-1",
                                        "0",
                                        "4294967296",
                                        "1e6",
                                        ".5",
                                        ":",
                                        ",",
                                        " ",
                                        "\n",
                                        "\t",
                                        "\"",
                                        "\r\n",
                                        "#",
                                        "0x",
                                        "|OP ",
                                        "=",
                                        "(",
                                        ")",
                                        "<",
                                        "byte(s)",
                                        "[Unified Memory ",
                                        "MEMTRACE: CTX 0x",
                                        "w",
                                        "r",
                                        "\n\n",
                                        "@ 0x",
                                        "kernel",
                                        "/dev/null"};
    uint8_t piece[64];
    const size_t at = 2 + draw(size - 1);
    const size_t other = draw(count);
    size_t length = 0;
    switch (draw(9)) {
        case 0:  // a bit
            if (at < size) {
                data[at] ^= (uint8_t)(1U << draw(8));
            }
            return size;
        case 1:  // a byte
            if (at < size) {
                data[at] = (uint8_t)draw(256);
            }
            return size;
        case 2:  // a cut at the end
            return at;
        case 3:  // a piece is lost
            return splice(data, size, at, draw(40), "", 0);
        case 4:  // a piece is there twice
            length = 1 + draw(sizeof piece - 1);
            length = length > size - at ? size - at : length;
            memcpy(piece, data + at, length);
            return splice(data, size, at, 0, piece, length);
        case 5:
        case 6: {  // a word
            const char *word = words[draw(sizeof words / sizeof words[0])];
            return splice(data, size, at, draw(12), word, strlen(word));
        }
        case 7:  // a piece of another file
            length = 1 + draw(sizeof piece - 1);
            length = length > seeds[other].size ? seeds[other].size : length;
            memcpy(piece, seeds[other].bytes + draw(seeds[other].size - length + 1), length);
            return splice(data, size, at, draw(40), piece, length);
        default:  // another form, or way to read
            data[draw(2)] = (uint8_t)draw(256);
            return size;
    }
}

int main(int argc, char **argv) {
    static uint8_t data[MOST];
    char last[1024];
    if (argc != 4) {
        return 2;
    }
    const uint64_t runs = strtoull(argv[1], NULL, 10);
    state = strtoull(argv[2], NULL, 10);
    load(argv[3]);
    (void)snprintf(last, sizeof last, "%s.last", argv[3]);
    for (uint64_t run = 0; run < runs && count != 0; run++) {
        const size_t seed = draw(count);
        size_t size = seeds[seed].size;
        memcpy(data, seeds[seed].bytes, size);
        for (uint64_t n = 1 + draw(CHANGES); n > 0; n--) {
            size = change(data, size);
        }
        FILE *f = fopen(last, "wb");
        if (f != NULL) {
            (void)fwrite(data, 1, size, f);
            (void)fclose(f);
        }
        (void)alarm(20);  // no input takes so long
        (void)LLVMFuzzerTestOneInput(data, size);
    }
    (void)printf("%llu runs of %zu seeds\n", (unsigned long long)(count != 0 ? runs : 0), count);
    return count == 0;
}
