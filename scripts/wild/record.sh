#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# record.sh [TO] [PROGRAM...]: records .sem traces, with GMMU_TRACK=full, of programs that do not come from here: R, Octave,
# hpcc, ScaLAPACK's testers xdllt and xzqr (each by two processes), and scikit-learn. TO (build/wild) gets NAME.sem, of the
# first process, and NAME.out, what the program printed. A program that is not installed is named and left out.
#
#   apt-get install r-base-core octave hpcc scalapack-mpi-test openmpi-bin; pip install scikit-learn (PYTHON: its Python)
set -euo pipefail
to=${1:-build/wild}
shift $(($# > 0))
here=$(cd "$(dirname "$0")" && pwd)
library=${LIBRARY:-$here/../../build/libgmmu_blas.so}
tests=/usr/lib/x86_64-linux-gnu/scalapack/openmpi-tests
mkdir -p "$to"
to=$(cd "$to" && pwd)
library=$(realpath "$library")
# Open MPI's copies between processes (process_vm_readv) fail on pages that full has closed
export OMPI_MCA_btl_vader_single_copy_mechanism=none
export OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1

# run NAME COMMAND...: records COMMAND. The trace of the process with the most lines is NAME.sem.
run() {
  local name=$1
  shift
  if ! command -v "$1" >/dev/null || { [ "$1" = mpirun ] && ! command -v "${*: -1}" >/dev/null; }; then
    echo "record.sh: $name: not installed" >&2
    return
  fi
  rm -f "$to/$name".*.sem
  GMMU_TRACK=${TRACK:-full} GMMU_TRACE=$to/$name.%p.sem GMMU_REPORT=$to/$name.%p.report LD_PRELOAD=$library "$@" >"$to/$name.out" 2>"$to/$name.err" ||
    echo "record.sh: $name: status $?" >&2
  rm -f "$to/$name".*.report
  mv "$(ls -S "$to/$name".*.sem | head -1)" "$to/$name.sem"
  rm -f "$to/$name".*.sem
  echo "$name: $(grep -c ^call "$to/$name.sem") calls"
}

for program in ${*:-r octave sklearn hpcc xdllt xzqr}; do
  case $program in
    r) N=${N:-300} run r Rscript --vanilla "$here/work.R" ;;
    octave) N=${N:-150} run octave octave-cli --no-gui --norc "$here/work.m" ;;
    sklearn) N=${N:-300} run sklearn "${PYTHON:-python3}" "$here/work.py" ;;
    hpcc)
      mkdir -p "$to/hpcc"
      zcat -f /usr/share/doc/hpcc/examples/_hpccinf.txt* | sed 's/^1000 /600 /' >"$to/hpcc/hpccinf.txt" # N; two processes: 1 x 2
      sed -i -e 's/^2            Ps$/1            Ps/' "$to/hpcc/hpccinf.txt"
      (cd "$to/hpcc" && run hpcc mpirun -np 2 hpcc)
      ;;
    xdllt | xzqr) (cd "$tests" 2>/dev/null && run "$program" mpirun -np 2 "$tests/$program") || echo "record.sh: $program: not installed" >&2 ;;
    *) echo "record.sh: found \"$program\", expected r, octave, sklearn, hpcc, xdllt or xzqr" >&2 && exit 2 ;;
  esac
done
