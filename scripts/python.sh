#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# python.sh install: builds and installs package gmmu in the virtual environment of `make setup-python`.
# python.sh test [OPTION ...]: the same, then the tests of the package.
set -eu
cd "$(dirname "$0")/.."
venv=build/python-venv
if [ ! -x $venv/bin/pytest ]; then
    echo "python.sh: found no $venv, expected the environment of: make setup-python" >&2
    exit 2
fi
# what pip needs is there: nothing comes from the net
$venv/bin/pip install --disable-pip-version-check -q --no-build-isolation --no-deps --no-index --force-reinstall .
[ "$1" = test ] || exit 0
shift
exec env -u PYTHONPATH $venv/bin/python3 -m pytest -c python/pytest.ini "$@" python/tests
