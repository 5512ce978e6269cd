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
    "gerc": "IIAPIPIPI", "swap": "IPIPI", "potrs": "CIIPIPIP", "trtrs": "CCCIIPIPIP", "trtri": "CCIPIP",
    "gemm3m": "CCIIIAPIPIBPI", "gemmt": "CCCIIAPIPIBPI", "gemmtr": "CCCIIAPIPIBPI", "omatcopy": "CIIAPIPI", "axpby": "IAPIBPI",
    "dot": "IPIPI"}
TYPES = {"hemm": "cz", "herk": "cz", "her2k": "cz", "hemv": "cz", "ger": "sd", "geru": "cz", "gerc": "cz", "gemm3m": "cz", "dot": "sd"}
LAPACK = ("potrf", "getrf", "getrs", "gesv", "potrs", "trtrs", "trtri")
VECTORS = ("axpy", "copy", "scal", "swap", "dot", "nrm2", "asum", "amax", "rot", "axpby", "dotu_sub", "dotc_sub")
# LAPACK's drivers, all by pointers: real; complex, where that has an argument more or other names
DRIVERS = {
    "gesdd": ("CIIPIPPIPIPIPP", "CIIPIPPIPIPIPPP"), "gesvd": ("CCIIPIPPIPIPIP", "CCIIPIPPIPIPIPP"),
    "syev": ("CCIPIPPIP", "CCIPIPPIPP"), "syevd": ("CCIPIPPIPIP", "CCIPIPPIPIPIP"),
    "syevr": ("CCCIPIPPIIPPPPIPPIPIP", "CCCIPIPPIIPPPPIPPIPIPIP"), "sygv": ("ICCIPIPIPPIP", "ICCIPIPIPPIPP"),
    "sygvd": ("ICCIPIPIPPIPIP", "ICCIPIPIPPIPIPIP"), "geev": ("CCIPIPPPIPIPIP", "CCIPIPPIPIPIPP"),
    "gees": ("CCPIPIPPPPIPIPP", "CCPIPIPPPIPIPPP"),
    "geevx": ("CCCCIPIPPPIPIPPPPPPPIPP", "CCCCIPIPPIPIPPPPPPPIPP"), "geesx": ("CCPCIPIPPPPIPPPIPIPP", "CCPCIPIPPPIPPPIPPP"),
    "ggevx": ("CCCCIPIPIPPPPIPIPPPPPPPPPIPPP", "CCCCIPIPIPPPIPIPPPPPPPPPIPPPP"),
    "gesvx": ("CCIIPIPIPCPPPIPIPPPPPP",) * 2, "posvx": ("CCIIPIPICPPIPIPPPPPP",) * 2, "sysvx": ("CCIIPIPIPPIPIPPPPIPP",) * 2,
    "ggev": ("CCIPIPIPPPPIPIPIP", "CCIPIPIPPPIPIPIPP"), "geqrf": ("IIPIPPIP",) * 2,
    "gelqf": ("IIPIPPIP",) * 2, "geqp3": ("IIPIPPPIP", "IIPIPPPIPP"), "orgqr": ("IIIPIPPIP",) * 2, "orglq": ("IIIPIPPIP",) * 2,
    "ormqr": ("CCIIIPIPPIPIP",) * 2, "ormlq": ("CCIIIPIPPIPIP",) * 2, "gehrd": ("IIIPIPPIP",) * 2, "getri": ("IPIPPIP",) * 2,
    "potri": ("CIPIP",) * 2, "posv": ("CIIPIPIP",) * 2, "sytrf": ("CIPIPPIP",) * 2, "sytrs": ("CIIPIPPIP",) * 2,
    "sysv": ("CIIPIPPIPIP",) * 2, "gels": ("CIIIPIPIPIP",) * 2, "gelsd": ("IIIPIPIPPPPIPP", "IIIPIPIPPPPIPPP"),
    "gelss": ("IIIPIPIPPPPIP", "IIIPIPIPPPPIPP"), "gelsy": ("IIIPIPIPPPPIP", "IIIPIPIPPPPIPP"), "gecon": ("CIPIPPPPP",) * 2,
    "pocon": ("CIPIPPPPP",) * 2, "gbtrf": ("IIIIPIPP",) * 2, "gbtrs": ("CIIIIPIPPIP",) * 2, "gbsv": ("IIIIPIPPIP",) * 2,
    "pbtrf": ("CIIPIP",) * 2, "pbtrs": ("CIIIPIPIP",) * 2, "gtsv": ("IIPPPPIP",) * 2}
# names of the complex types: first what replaces the real type's, then what both names have
HERMITIAN = {"syev": "heev", "syevd": "heevd", "syevr": "heevr", "sygv": "hegv", "sygvd": "hegvd", "orgqr": "ungqr", "orglq": "unglq",
             "ormqr": "unmqr", "ormlq": "unmlq"}
INDEFINITE = {"sytrf": "hetrf", "sytrs": "hetrs", "sysv": "hesv", "sysvx": "hesvx"}
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
    for name, alpha, beta in (("srot", "s", "s"), ("drot", "d", "d"), ("csrot", "s", "s"), ("zdrot", "d", "d"), ("crot", "s", "c"),
                              ("zrot", "d", "z")):
        yield name, "rot", "IPIPIAB", alpha, beta
    for name in ("snrm2", "dnrm2", "scnrm2", "dznrm2", "sasum", "dasum", "scasum", "dzasum", "isamax", "idamax", "icamax", "izamax"):
        yield name, name[-4:], "IPI", name[0], name[0]
    for name in ("cdotu_sub", "cdotc_sub", "zdotu_sub", "zdotc_sub"):
        yield name, name[1:], "IPIPIP", name[0], name[0]
    for base, both in DRIVERS.items():
        for t in "sdcz":
            letters = both[t in "cz"]
            yield t + (HERMITIAN.get(base, base) if t in "cz" else base), base, letters, t, t
            if t in "cz" and base in INDEFINITE:
                yield t + INDEFINITE[base], base, letters, t, t


def returned(name, base):
    """(type, value) that a routine returns."""
    if base == "amax":
        return "size_t", "12345"
    if base in ("dot", "nrm2", "asum"):
        return ("float", "1.5f") if name[0] == "s" else ("double", "2.0625")
    return "void", ""


def fortran(letters):
    """(type, value) of each parameter."""
    places = [("void *", "slot[%d]" % i) for i in range(len(letters))]
    return places + [("size_t ", str(1000 + i)) for i in range(letters.count("C"))]


def cblas(base, letters, alpha, beta, bits):
    out = [] if base in VECTORS else [("int ", "101")]
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
        found = []
        if base != "omatcopy" and not base.endswith("_sub"):
            found = [(s, fortran(letters)) for s in (name + "_", "scipy_" + name + "_", name + "_64_", "scipy_" + name + "_64_")]
        if base not in LAPACK and base not in DRIVERS and name not in ("csymv", "zsymv", "crot", "zrot"):
            for prefix in ("", "scipy_"):
                found += [(prefix + "cblas_" + name, cblas(base, letters, alpha, beta, 32)),
                          (prefix + "cblas_" + name + "64_", cblas(base, letters, alpha, beta, 64))]
        kind, value = returned(name, base)
        for symbol, parameters in found:
            call = "%s(%s)" % (symbol, ", ".join("(%s)%s" % p for p in parameters))
            symbols.append("    %s;" % call if kind == "void" else
                           '    check("%s, what it returns", %s == %s);' % (symbol, call, value))
            given = ", ".join("%sa%d" % (p[0], i) for i, p in enumerate(parameters))
            program.append("%s %s(%s);" % (kind, symbol, given))
            tests = " && ".join("a%d == (%s)%s" % (i, *p) for i, p in enumerate(parameters))
            library.append('%s %s(%s) { check("%s", %s); return %s; }' % (kind, symbol, given, symbol, tests, value))
    count = len(symbols) + sum(", what it returns" in line for line in symbols)
    program += ["double slot[32][2];", "unsigned arrived;", "void check(const char *symbol, int good) {",
                '    arrived += good != 0;', '    if (!good) printf("%s: its arguments did not arrive\\n", symbol);', "}",
                "int main(void) {"] + symbols + ['    printf("%%u of %d arrived\\n", arrived);' % count, "    return 0;", "}"]
    for path, lines in (("library.c", library), ("program.c", program)):
        with open(sys.argv[1] + "/" + path, "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")


main()
