#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# pytest.sh [OPTION...] [FILE...]: the tests in Python (pytest.ini), by the first Python that has pytest: Debian's, for which the
# package python3-pytest is, else another on the search path.
cd "$(dirname "$0")/.." || exit 2
for python in /usr/bin/python3 python3; do
    if "$python" -c 'import pytest' 2>/dev/null; then
        exec "$python" -m pytest "$@"
    fi
done
echo "pytest.sh: found no pytest for /usr/bin/python3 or python3, expected Debian's package python3-pytest: make setup" >&2
exit 2
