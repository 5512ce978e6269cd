#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# plot_python.sh: prints the Python that draws: the first of these that has matplotlib: Debian's, the one of `make setup-plots`,
# python3. Where none has, Debian's, whose scripts then say so.
cd "$(dirname "$0")/.." || exit 2
for python in /usr/bin/python3 build/plot-venv/bin/python3 python3; do
    if "$python" -c 'import importlib.util, sys; sys.exit(importlib.util.find_spec("matplotlib") is None)' 2>/dev/null; then
        echo "$python"
        exit 0
    fi
done
[ -x /usr/bin/python3 ] && echo /usr/bin/python3 || echo python3
