#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""names.py FOLDER: writes library.c, which has all routines of the drop-in by all names and checks that each argument
arrives, and program.c, which calls them all and prints how many arrived. The arguments are stated here once more."""
import sys

# C: a character, I: an integer, A, B: scalars, P: an array, pivots or info
ARGUMENTS = {
    "gemm": "CCIIIAPIPIBPI", "symm": "CCIIAPIPIBPI", "hemm": "CCIIAPIPIBPI", "syrk": "CCIIAPIBPI", "herk": "CCIIAPIBPI",
    "syr2k": "CCIIAPIPIBPI", "her2k": "CCIIAPIPIBPI", "trmm": "CCCCIIAPIPI", "trsm": "CCCCIIAPIPI", "gemv": "CIIAPIPIBPI",
    "axpy": "IAPIPI", "copy": "IPIPI", "scal": "IAPI", "potrf": "CIPIP", "getrf": "IIPIPP", "getrs": "CIIPIPPIP", "gesv": "IIPIPPIP",
    "symv": "CIAPIPIBPI", "hemv": "CIAPIPIBPI", "trmv": "CCCIPIPI", "trsv": "CCCIPIPI", "ger": "IIAPIPIPI", "geru": "IIAPIPIPI",
    "gerc": "IIAPIPIPI", "swap": "IPIPI", "potrs": "CIIPIPIP", "trtrs": "CCCIIPIPIP", "trtri": "CCIPIP"}
TYPES = {"hemm": "cz", "herk": "cz", "her2k": "cz", "symv": "sd", "hemv": "cz", "ger": "sd", "geru": "cz", "gerc": "cz"}
LAPACK = ("potrf", "getrf", "getrs", "gesv", "potrs", "trtrs", "trtri")
HEAD = """#include <stdint.h>
#include <stddef.h>
#include <stdio.h>
extern double slot[32][2];
extern unsigned arrived;
void check(const char *symbol, int good);
"""


def routines():
    for base, letters in ARGUMENTS.items():
        for t in TYPES.get(base, "sdcz"):
            alpha, beta = t, t
            if base == "herk":
                alpha = beta = {"c": "s", "z": "d"}[t]
            if base == "her2k":
                beta = {"c": "s", "z": "d"}[t]
            yield t + base, base, letters, alpha, beta
    yield "csscal", "scal", ARGUMENTS["scal"], "s", "s"
    yield "zdscal", "scal", ARGUMENTS["scal"], "d", "d"


def fortran(letters):
    """(type, value) of each parameter."""
    places = [("void *", "slot[%d]" % i) for i in range(len(letters))]
    return places + [("size_t ", str(1000 + i)) for i in range(letters.count("C"))]


def cblas(base, letters, alpha, beta, bits):
    out = [] if base in ("axpy", "copy", "scal", "swap") else [("int ", "101")]
    for i, letter in enumerate(letters):
        scalar = {"A": alpha, "B": beta}.get(letter, "")
        if letter == "C":
            out.append(("int ", str(500 + i)))
        elif letter == "I":
            out.append(("int%d_t " % bits, str(70000 + i) if bits == 32 else "INT64_C(%d)" % (7 << 40 | i)))
        elif scalar in ("s", "d") and scalar:
            out.append(({"s": "float ", "d": "double "}[scalar], "%d.5" % i))
        else:
            out.append(("const void *", "slot[%d]" % i))
    return out


def main():
    library, program, symbols = [HEAD], [HEAD], []
    for name, base, letters, alpha, beta in routines():
        found = [(s, fortran(letters)) for s in (name + "_", "scipy_" + name + "_", name + "_64_", "scipy_" + name + "_64_")]
        if base not in LAPACK:
            for prefix in ("", "scipy_"):
                found += [(prefix + "cblas_" + name, cblas(base, letters, alpha, beta, 32)),
                          (prefix + "cblas_" + name + "64_", cblas(base, letters, alpha, beta, 64))]
        for symbol, parameters in found:
            symbols.append("    %s(%s);" % (symbol, ", ".join("(%s)%s" % p for p in parameters)))
            given = ", ".join("%sa%d" % (p[0], i) for i, p in enumerate(parameters))
            program.append("void %s(%s);" % (symbol, given))
            tests = " && ".join("a%d == (%s)%s" % (i, *p) for i, p in enumerate(parameters))
            library.append('void %s(%s) { check("%s", %s); }' % (symbol, given, symbol, tests))
    program += ["double slot[32][2];", "unsigned arrived;", "void check(const char *symbol, int good) {",
                '    arrived += good != 0;', '    if (!good) printf("%s: its arguments did not arrive\\n", symbol);', "}",
                "int main(void) {"] + symbols + ['    printf("%%u of %d arrived\\n", arrived);' % len(symbols), "    return 0;", "}"]
    for path, lines in (("library.c", library), ("program.c", program)):
        with open(sys.argv[1] + "/" + path, "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")


main()
