// SPDX-License-Identifier: Apache-2.0
// accesses.c: a program that touches its matrices between calls of BLAS in the ways that
// tb/blas_track_test.sh asks for. It prints sums, which do not depend on whether it is tracked.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

void dgemm_(const char *ta, const char *tb, const int *m, const int *n, const int *k,
            const double *alpha, const double *a, const int *lda, const double *b, const int *ldb,
            const double *beta, double *c, const int *ldc, size_t, size_t);

enum { N = 96 };

static double *matrix(void) {
    double *m = calloc(N * N, sizeof *m);
    if (m == NULL)
        exit(1);
    return m;
}

static void multiply(const double *a, const double *b, double *c) {
    const double one = 1, zero = 0;
    const int n = N;
    dgemm_("N", "N", &n, &n, &n, &one, a, &n, b, &n, &zero, c, &n, 1, 1);
}

static void print(const char *what, const double *m) {
    double sum = 0;
    for (int i = 0; i < N * N; i++) sum += m[i] * (1 + i % 3);
    printf("%s %.17g\n", what, sum);
}

static void *by_thread(void *m) {
    ((double *)m)[N * N / 2] = 3;
    return NULL;
}

static void complain(const char *what) {
    printf("%s: %s\n", what, strerror(errno));
}

// Everything that can write a matrix, and read one, between calls.
static void mix(void) {
    double *a = matrix(), *b = matrix(), *c = matrix();
    const size_t bytes = N * N * sizeof *a;
    char name[] = "/tmp/gmmu_accesses.XXXXXX";
    const int fd = mkstemp(name);
    FILE *f = fdopen(dup(fd), "r+");
    (void)unlink(name);
    for (int i = 0; i < N * N; i++) {
        a[i] = i % 5;
        b[i] = i % 3;
    }
    multiply(a, b, c);
    print("first", c);
    a[N * N / 2] = 77;  // a store
    multiply(a, b, c);
    print("store", c);
    if (pwrite(fd, c, bytes, 0) != (ssize_t)bytes)  // the system reads it
        complain("pwrite");
    if (pread(fd, a, bytes, 0) != (ssize_t)bytes)  // and writes it
        complain("pread");
    for (int i = 0; i < N * N; i++) a[i] *= 1e-3;
    multiply(a, b, c);
    print("pread", c);
    struct iovec v[2] = {{a, bytes / 2}, {(char *)a + bytes / 2, bytes / 2}};
    if (lseek(fd, 0, SEEK_SET) != 0 || readv(fd, v, 2) != (ssize_t)bytes)
        complain("readv");
    multiply(a, b, c);
    print("readv", c);
    rewind(f);
    if (fwrite(c, sizeof *c, N * N, f) != N * N || fflush(f) != 0)
        complain("fwrite");
    rewind(f);
    if (fread(b, sizeof *b, N * N, f) != N * N)
        complain("fread");
    for (int i = 0; i < N * N; i++) b[i] *= 1e-6;
    multiply(a, b, c);
    print("fread", c);
    pthread_t thread;
    if (pthread_create(&thread, NULL, by_thread, a) != 0 || pthread_join(thread, NULL) != 0)
        complain("thread");
    multiply(a, b, c);
    print("thread", c);
    memset(a, 0, bytes);
    memcpy(a, b, bytes / 2);
    multiply(a, b, c);
    print("memcpy", c);
    int ends[2];
    if (pipe(ends) != 0 || write(ends[1], c, 4096) != 4096 || read(ends[0], a, 4096) != 4096)
        complain("pipe");
    multiply(a, b, c);
    print("pipe", c);
    (void)fclose(f);
    free(a);
    free(b);
    free(c);
}

// Says whether CALL, of the system or of stdio, did WANTED on matrices that a call of BLAS has just
// had, and what it left in A.
#define TRY(call, wanted)                                           \
    do {                                                            \
        multiply(a, b, c);                                          \
        const long long is = (long long)(call);                     \
        printf("%s: %s\n", #call, is == (wanted) ? "done" : "not"); \
        print("A", a);                                              \
    } while (0)

static void files(void) {
    double *a = matrix(), *b = matrix(), *c = matrix();
    enum { BYTES = N * N * sizeof *a, SOME = 4096 };
    char name[] = "/tmp/gmmu_accesses.XXXXXX", *text = (char *)a;
    const int fd = mkstemp(name);
    FILE *f = fdopen(dup(fd), "r+");
    size_t room = BYTES;
    int ends[2];
    (void)unlink(name);
    if (f == NULL || socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0)
        exit(1);
    for (int i = 0; i < N * N; i++) {
        a[i] = i % 5;
        b[i] = i % 3;
    }
    struct iovec to[2] = {{a, BYTES / 2}, {(char *)a + BYTES / 2, BYTES / 2}}, from = {c, BYTES};
    struct iovec in = {a + 600, SOME}, out = {c + 600, SOME};
    struct msghdr got = {.msg_iov = &in, .msg_iovlen = 1},
                  sent = {.msg_iov = &out, .msg_iovlen = 1};
    TRY(pwrite64(fd, c, BYTES, 0), BYTES);
    TRY(pread64(fd, a, BYTES, 0), BYTES);
    TRY(pwritev(fd, &from, 1, 0), BYTES);
    TRY(preadv(fd, to, 2, 0), BYTES);
    TRY(pwritev64(fd, &from, 1, 0), BYTES);
    TRY(preadv64(fd, to, 2, 0), BYTES);
    TRY(pwritev2(fd, &from, 1, 0, 0), BYTES);
    TRY(preadv2(fd, to, 2, 0, 0), BYTES);
    TRY(pwritev64v2(fd, &from, 1, 0, 0), BYTES);
    TRY(preadv64v2(fd, to, 2, 0, 0), BYTES);
    for (int i = 0; i < N * N; i++) a[i] *= 1e-6;
    TRY(writev(fd, &from, 1), BYTES);
    TRY(send(ends[0], c, SOME, 0), SOME);
    TRY(recv(ends[1], a, SOME, 0), SOME);
    TRY(sendto(ends[0], c, SOME, 0, NULL, 0), SOME);
    TRY(recvfrom(ends[1], a + 1200, SOME, 0, NULL, NULL), SOME);
    TRY(sendmsg(ends[0], &sent, 0), SOME);
    TRY(recvmsg(ends[1], &got, 0), SOME);
    double *m = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    multiply(a, b, m);
    if (madvise(m + SOME / sizeof *m, SOME, MADV_DONTNEED) != 0)
        complain("madvise");
    print("discarded", m);
    // text in a matrix: small numbers all the same
    memset(a, 0, BYTES);
    memcpy(text, "a line\n", 8);
    rewind(f);
    if (ftruncate(fd, 0) != 0)
        complain("ftruncate");
    TRY(fputs(text, f) >= 0, 1);
    TRY(puts(text) >= 0, 1);
    rewind(f);
    TRY(fgets(text, BYTES, f) == text, 1);
    rewind(f);
    TRY(getline(&text, &room, f), 7);
    rewind(f);
    TRY(getdelim(&text, &room, 'i', f), 4);
    (void)signal(SIGSEGV, SIG_IGN);
    printf("handler: %s\n", signal(SIGSEGV, SIG_DFL) == SIG_IGN ? "ignores" : "was lost");
    sigset_t segv, before;
    (void)sigemptyset(&segv);
    (void)sigaddset(&segv, SIGSEGV);
    multiply(a, b, c);
    (void)sigprocmask(SIG_BLOCK, &segv, &before);
    a[N] = 5;
    (void)sigprocmask(SIG_SETMASK, &before, NULL);
    print("blocked", a);
    (void)fclose(f);
    (void)munmap(m, BYTES);
    free(a);
    free(b);
    free(c);
}

static sigjmp_buf jump;
static volatile uintptr_t fault;

static void on_segv(int number, siginfo_t *info, void *context) {
    (void)number, (void)context;
    fault = (uintptr_t)info->si_addr;
    siglongjmp(jump, 1);
}

// A handler of its own, set before and after calls; signals blocked while a matrix is touched.
static void handler(void) {
    double *a = matrix(), *b = matrix(), *c = matrix();
    char *bad = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    struct sigaction action = {.sa_flags = SA_SIGINFO}, old;
    action.sa_sigaction = on_segv;
    for (int time = 0; time < 3; time++) {
        a[time] = b[time * N] = time + 1;
        multiply(a, b, c);
        if (time == 1 && sigaction(SIGSEGV, &action, NULL) != 0)
            complain("sigaction");
        print("result", c);
        sigset_t all, before;
        (void)sigfillset(&all);
        (void)pthread_sigmask(SIG_BLOCK, &all, &before);
        a[N * N - N] = 2;
        (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
        fault = 0;
        if (time >= 1 && sigsetjmp(jump, 1) == 0)
            bad[17] = 1;
        printf("fault %ld\n", time >= 1 ? (long)(fault - (uintptr_t)bad) : 17L);
    }
    (void)sigaction(SIGSEGV, NULL, &old);
    printf("handler %s\n", old.sa_sigaction == on_segv ? "is the program's" : "was lost");
    (void)signal(SIGSEGV, SIG_DFL);
    // what the program protects itself stays so
    double *m = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    multiply(a, b, m);
    (void)sigaction(SIGSEGV, &action, NULL);
    (void)mprotect(m, 1 << 20, PROT_READ);
    multiply(m, b, c);
    print("protected", m);
    fault = 0;
    if (sigsetjmp(jump, 1) == 0)
        ((volatile double *)m)[N * 30] = 1;
    printf("protected: fault %ld\n", (long)(fault - (uintptr_t)m));
    (void)munmap(m, 1 << 20);
    free(a);
    free(b);
    free(c);
}

// COUNT matrices of a page, a page between them: more than there may be mappings.
static void ranges(long count) {
    double *m = mmap(NULL, (size_t)count * 8192, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    const double one = 1, zero = 0;
    const int n = 22, lda = 22;
    double sum = 0;
    if (m == MAP_FAILED)
        exit(1);
    for (long i = 0; i + 2 < count; i += 3) {
        double *a = m + i * 1024, *b = a + 1024, *c = b + 1024;
        a[i % 400] = 2;
        b[i % 300] = 3;
        dgemm_("N", "N", &n, &n, &n, &one, a, &lda, b, &lda, &zero, c, &lda, 1, 1);
        sum += c[i % 484];
    }
    printf("ranges %.17g\n", sum);
}

// The command after it runs where userfaultfd is refused.
static int denied(char **command) {
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_userfaultfd, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog filter = {sizeof code / sizeof code[0], code};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) != 0)
        return 77;
    (void)execvp(command[0], command);
    return 1;
}

int main(int argc, char **argv) {
    if (argc > 1 && strcmp(argv[1], "mix") == 0)
        mix();
    else if (argc > 1 && strcmp(argv[1], "handler") == 0)
        handler();
    else if (argc > 1 && strcmp(argv[1], "files") == 0)
        files();
    else if (argc > 2 && strcmp(argv[1], "ranges") == 0)
        ranges(atol(argv[2]));
    else if (argc > 2 && strcmp(argv[1], "denied") == 0)
        return denied(argv + 2);
    else
        return 2;
    return 0;
}
