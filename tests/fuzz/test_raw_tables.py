# SPDX-License-Identifier: BSD-3-Clause
"""A hundred raw tables; ``tools/fuzz_tables.py`` tries as many as you like."""

from collections import Counter

import numpy as np
import pytest

from fuzz.raw_tables import ASK, Case, examine, random_case
from labelsift.cli import app


def test_labels_are_read_as_they_are_or_asked_about(tmp_path):
    rng = np.random.default_rng(0)
    counts = Counter()
    for _ in range(100):
        case = random_case(rng)
        outcome, words = examine(case, tmp_path / "t.csv")
        assert outcome != "WRONG", (words, case)
        counts[outcome] += 1
    assert min(counts["read"], counts["asked"]) > 20


@pytest.mark.parametrize(
    ("case", "outcome"),
    [
        (Case(b"x,t\n1,yes\n2,no\n", ("t",), {"t": [1, 0]}), "read"),
        (Case(b"x,t\n1,yes\n2,no\n", ("t",), {"t": [0, 1]}), "WRONG"),
        (Case(b"x,t\n1,yes\n2,no\n", ("t",), ASK), "WRONG"),
        (Case(b"x,t\n1,yes\n2,no\n", ("t",), None), "read"),
        (Case(b"x,t\n1,yes\n2,2\n", ("t",), None), "asked"),
    ],
)
def test_the_judge_can_say_wrong(tmp_path, case, outcome):
    assert examine(case, tmp_path / "t.csv")[0] == outcome


def test_the_whole_command_ends_with_a_page_or_a_sentence(tmp_path, capfd):
    rng = np.random.default_rng(1)
    asked = ("--methods", "fisher", "--budgets", "1", "--cv", "2")
    codes = Counter()
    for _ in range(6):
        case = random_case(rng)
        path = tmp_path / "t.csv"
        path.write_bytes(case.content)
        labels = [word for name in case.labels for word in ("--labels", name)]
        page = tmp_path / "page.html"
        codes[app.run(["compare", str(path), *labels, *asked, "--out", str(page)])] += 1
        out, err = capfd.readouterr()
        assert "Traceback" not in out + err
        assert page.exists() or "Error: " in err
        page.unlink(missing_ok=True)
    assert codes.keys() <= {0, 1, 2}
    assert codes[0] >= 1
