# SPDX-License-Identifier: BSD-3-Clause
"""The papers' results that are committed: every value as measured, and the pages.

``committed_values.json`` has digests of the values with all digits. They change only
where results are measured again, by ``tools/papers.py``.
"""

import json
import sys
from pathlib import Path

import pytest

from labelsift.bench.export import TASKS_FILE, read_export, read_provenance
from labelsift.bench.suite_file import list_suites, quick_is_full, read_suite

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tools"))
from papers import DIGESTS, PAGES, digests, page_text  # noqa: E402

PAPERS = [name for name in list_suites() if read_suite(name).paper]


@pytest.fixture(scope="module", params=PAGES)
def effort(request):
    return request.param


@pytest.fixture(scope="module")
def exported(effort):
    return read_export(PAGES[effort][0])


def test_the_folder_has_what_its_provenance_names(effort, exported):
    folder = PAGES[effort][0]
    suites = read_provenance(folder)["suites"]
    files = {path.name for path in folder.glob("*.csv")} - {TASKS_FILE}
    assert {suite["values"] for suite in suites.values()} == files
    assert {suite["effort"] for suite in suites.values()} == {effort}
    assert [result.suite.name for result in exported] == list(suites)


def test_every_value_is_bitwise_the_one_that_was_measured(effort):
    assert digests(effort) == json.loads(DIGESTS.read_text())[effort]


def test_what_is_the_same_in_both_efforts_is_stored_once():
    assert quick_is_full("naula-table2")
    assert not quick_is_full("gu-figure2")
    for name in read_provenance(PAGES["full"][0])["suites"]:
        assert not quick_is_full(name)


def test_all_suites_are_there_in_quick_effort():
    assert sorted(read_provenance(PAGES["quick"][0])["suites"]) == PAPERS


def test_the_random_control_has_eight_draws_on_every_split(exported):
    for result in exported:
        values = result.results.where(method="random").values
        draws = values.groupby(["data", "split", "n_train"])["draw"].unique()
        assert {tuple(sorted(own)) for own in draws} == {tuple(range(8))}


def test_files_are_as_they_would_be_written_now(tmp_path, effort, exported):
    for result in exported:
        path = PAGES[effort][0] / f"{result.suite.name}.csv"
        if path.exists():
            result.results.write(tmp_path / path.name)
            assert (tmp_path / path.name).read_bytes() == path.read_bytes()


def test_every_value_belongs_to_a_task_of_its_suite(exported):
    names = ["suite", "data", "method", "draw", "split", "n_train", "n_features"]
    for result in exported:
        values = result.results.values[names].drop_duplicates()
        assert values.merge(result.results.tasks, on=names).shape[0] == len(values)
        assert len(result.results.tasks) == len(values)


def test_the_page_is_the_one_in_the_documentation(effort):
    assert page_text(effort) == PAGES[effort][2].read_text(encoding="utf-8")
