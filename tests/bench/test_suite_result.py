# SPDX-License-Identifier: BSD-3-Clause
"""Suites from Python."""

import pytest

from bench.stand_ins import SUITE
from labelsift.bench import run_suite


def test_a_suite_is_run_once_and_collected(tmp_path):
    path = tmp_path / "small.toml"
    path.write_text(SUITE)
    done = []
    for _ in range(2):
        result = run_suite(
            str(path),
            store=tmp_path / "runs.sqlite",
            on_done=lambda k, n, outcome: done.append(outcome.key),
        )
    assert len(done) == len(set(done)) == 10
    assert set(result.absent) == {"not-there"}
    assert not result.failed
    assert {row["method"] for row in result.rows} == {
        "fisher",
        "random",
        "all-features",
        "ridge",
        "rfs",
    }
    assert result.claims[0].verdict == "not shown"  # two blocks cannot show it


def test_a_part_of_a_suite_and_an_unknown_one(tmp_path):
    path = tmp_path / "small.toml"
    path.write_text(SUITE)
    store = tmp_path / "runs.sqlite"
    part = run_suite(str(path), store=store, methods=["fisher"])
    assert {row["method"] for row in part.rows} == {"fisher"}
    with pytest.raises(ValueError, match="There is no suite"):
        run_suite("nothing", store=store)
