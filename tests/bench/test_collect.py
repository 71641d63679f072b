# SPDX-License-Identifier: BSD-3-Clause
import math

import pytest

from bench.tasks import data_spec, task
from labelsift.bench.collect import COLUMNS, counts, failures, tidy_rows
from labelsift.bench.plan import Planned
from labelsift.bench.run import run_task
from labelsift.bench.schedule import as_record
from labelsift.bench.spec import DataSpec
from labelsift.results import Record, ResultStore

NOWHERE = DataSpec("nowhere", checksum="0")
SIZES = [
    ("", "", 0, "{}", "n_train", 60.0),
    ("", "", 0, "{}", "n_features", 12.0),
]


@pytest.fixture
def store(tmp_path):
    with ResultStore(tmp_path / "runs.sqlite") as opened:
        yield opened


def planned(name, split=0):
    given = task(NOWHERE, name, split=split)
    return Planned(given, "nowhere", name)


def add(store, item, status="done", rows=(), error=""):
    key, content = item.task.key, item.task.content
    store.add(Record(key, content, status, error=error, rows=[*rows]))


def test_rows_of_a_run_are_tidy(store, tmp_path):
    given = task(data_spec(tmp_path), "fisher", readouts=("ridge", "3nn"))
    outcome = run_task(given)
    store.add(as_record(outcome))
    rows = list(tidy_rows("small", [Planned(given, "planted", "fisher")], store))
    assert len(rows) == len(outcome.rows) - 2  # the sizes became columns
    assert all(tuple(row) == COLUMNS for row in rows)
    told = {
        (r["suite"], r["data"], r["method"], r["n_train"], r["split"]) for r in rows
    }
    assert told == {("small", "planted", "fisher", 60, 0)}
    shares = {(row["budget"], row["share"]) for row in rows}
    assert shares == {(0, 0.0), (2, 0.166667), (5, 0.416667)}
    values = [row["value"] for row in rows if row["measure"] == "macro_auc"]
    assert values == [row.value for row in outcome.rows if row.measure == "macro_auc"]


def test_a_value_that_is_not_defined_stays_a_row(store):
    item = planned("rfs")
    value = ("ridge", "", 6, "{}", "macro_auc", None)
    add(store, item, rows=[*SIZES, value])
    [row] = tidy_rows("small", [item], store)
    assert math.isnan(row["value"])
    assert row["share"] == 0.5


def test_the_order_is_that_of_the_plan_and_missing_tasks_have_no_rows(store):
    items = [planned("rfs", split) for split in (2, 0, 1)]
    for item in items[1:]:
        value = ("ridge", "", 6, "{}", "macro_auc", item.task.split / 10)
        add(store, item, rows=[*SIZES, value])
    rows = list(tidy_rows("small", items, store))
    assert [(row["split"], row["value"]) for row in rows] == [(0, 0.0), (1, 0.1)]


def test_failures_are_told_and_counted(store):
    done, failed, late, missing = (
        planned(name) for name in ("rfs", "csfs", "mifs", "sfus")
    )
    add(store, done, rows=SIZES)
    add(store, failed, "failed", error="ValueError: no.")
    add(store, late, "timeout", error="Given up after 3 s.")
    items = [done, failed, late, missing]
    found = [(f.data, f.method, f.split, f.error) for f in failures(items, store)]
    assert found == [
        ("nowhere", "csfs", 0, "ValueError: no."),
        ("nowhere", "mifs", 0, "Given up after 3 s."),
    ]
    assert counts(items, store) == {"done": 1, "failed": 1, "timeout": 1, "missing": 1}
    assert list(tidy_rows("small", [failed, missing], store)) == []
