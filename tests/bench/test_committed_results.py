# SPDX-License-Identifier: BSD-3-Clause
"""The results in docs/results: every value as measured, and the page written of them.

``committed_values.json`` has digests of the values as they were committed: of sorted
lines "data|method|...|value" with all digits. "others" are the values that were first
committed, all but those of the random control; "random" is the control of eight draws,
measured again. A digest changes only where results are measured again.
"""

import hashlib
import json
from pathlib import Path

import pytest

from labelsift.bench.export import (
    TASKS_FILE,
    provenance_section,
    read_export,
    read_provenance,
)
from labelsift.bench.sections import report_sections
from labelsift.bench.suite_file import list_suites, read_suite
from labelsift.cli.report import TITLE
from labelsift.experiment.results import Results
from labelsift.tables.document import as_markdown

DOCS = Path(__file__).parents[2] / "docs"
FOLDER = DOCS / "results"
DIGESTS = json.loads((Path(__file__).parent / "committed_values.json").read_text())
COLUMNS = (
    "data", "method", "readout", "threshold", "budget", "params", "n_train", "split",
    "measure",
)  # fmt: skip


@pytest.fixture(scope="module")
def exported():
    return read_export(FOLDER)


def test_every_file_of_values_has_a_digest():
    files = {path.name for path in FOLDER.glob("*.csv")} - {TASKS_FILE}
    assert files == {f"{name}.csv" for name in DIGESTS}
    suites = read_provenance(FOLDER)["suites"]
    assert {suite["values"] for suite in suites.values()} == files
    assert sorted(suites) == [it for it in list_suites() if read_suite(it).paper]


@pytest.mark.parametrize("name", DIGESTS)
def test_every_value_is_bitwise_the_one_that_was_measured(name):
    values = Results.read(FOLDER / f"{name}.csv").values
    random = values["method"] == "random"
    parts = {
        "others": digest(values[~random], COLUMNS),
        "random": digest(values[random], (*COLUMNS, "draw")),
    }
    assert parts == DIGESTS[name]


def digest(values, columns):
    """How many rows, and the sha256 of their sorted lines."""
    lines = sorted(
        "|".join(str(row[column]) for column in columns) + f"|{float(row['value'])!r}"
        for row in values.to_dict("records")
    )
    text = "\n".join(lines).encode()
    return {"rows": len(lines), "sha256": hashlib.sha256(text).hexdigest()}


@pytest.mark.parametrize("name", DIGESTS)
def test_the_random_control_has_eight_draws_on_every_split(name):
    values = Results.read(FOLDER / f"{name}.csv").where(method="random").values
    draws = values.groupby(["data", "split", "n_train"])["draw"].unique()
    assert {tuple(sorted(own)) for own in draws} == {tuple(range(8))}


def test_files_are_as_they_would_be_written_now(tmp_path, exported):
    for result in exported:
        path = FOLDER / f"{result.suite.name}.csv"
        if path.exists():
            result.results.write(tmp_path / path.name)
            assert (tmp_path / path.name).read_bytes() == path.read_bytes()


def test_every_value_belongs_to_a_task_of_its_suite(exported):
    names = ["suite", "data", "method", "draw", "split", "n_train", "n_features"]
    for result in exported:
        values = result.results.values[names].drop_duplicates()
        assert values.merge(result.results.tasks, on=names).shape[0] == len(values)
        assert len(result.results.tasks) == len(values)


def test_the_page_is_the_one_in_the_documentation(exported):
    sections = [provenance_section(FOLDER), *report_sections(exported)]
    page = (DOCS / "reproduce.md").read_text(encoding="utf-8")
    assert as_markdown(TITLE, sections) == page
