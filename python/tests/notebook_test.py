# SPDX-License-Identifier: Apache-2.0
# notebook_test.py: examples/python/first_steps.ipynb runs from end to end, and its means are those of docs/reference/results.md.
import re
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOK = ROOT / "examples" / "python" / "first_steps.ipynb"


def means_of_the_page():
    """{(policy, size, half): mean} of the page's first table of policies."""
    text = (ROOT / "docs" / "reference" / "results.md").read_text()
    rows = {}
    for line in text[text.index("results:policies_recorded"):].splitlines():
        fields = [field.strip() for field in line.strip("|").split("|")]
        policy = re.fullmatch(r"\**`(\w[\w-]*)`(, the unit)?\**", fields[0])
        if policy and len(fields) == 10:
            for i, size in enumerate(("25%", "50%", "75%")):
                for j, half in enumerate(("chosen-on", "held-out")):
                    rows["leu:search=sample" if policy[1] == "leu" else policy[1], size, half] = float(fields[1 + 3 * i + j])
        if "<!-- /results -->" in line:
            return rows
    return rows


def test_the_notebook():
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    assert all(not cell.get("outputs") for cell in notebook.cells), "the notebook is committed without outputs"
    notebook.cells.append(nbformat.v4.new_code_cell("print(repr(means))"))
    NotebookClient(notebook, timeout=600, resources={"metadata": {"path": str(NOTEBOOK.parent)}}).execute()
    pictures = [out for cell in notebook.cells for out in cell.get("outputs", []) if "image/png" in out.get("data", {})]
    assert len(pictures) == 3
    means = eval(notebook.cells[-1]["outputs"][0]["text"])  # pylint: disable=eval-used
    page = means_of_the_page()
    assert len(means) == 7 * 3 * 2
    for key, mean in means.items():
        assert mean == pytest.approx(page[key], abs=0.00501), key
