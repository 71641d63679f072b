# SPDX-License-Identifier: BSD-3-Clause
"""The example table holds the faults that it says it holds."""

import pytest

from labelsift.datasets import read_csv, write_example
from labelsift.prepare import doubts


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    target = tmp_path_factory.mktemp("example") / "tickets.csv"
    write_example(target)
    return target


def test_it_is_always_the_same(path, tmp_path):
    again = tmp_path / "again.csv"
    write_example(again)
    assert again.read_bytes() == path.read_bytes()


def test_size_and_labels(path):
    data = read_csv(path, labels="tag_*")
    assert data.X.shape == (2000, 22)
    assert dict(zip(data.label_names, data.Y.sum(axis=0), strict=True)) == {
        "tag_refund": 400,
        "tag_login": 240,
        "tag_bug": 400,
        "tag_slow": 200,
        "tag_escalate": 160,
        "tag_privacy": 12,
    }


def test_every_planted_fault_is_found_and_nothing_else(path):
    raised = doubts(read_csv(path, labels="tag_*"))
    assert {(doubt.code, *doubt.columns, *doubt.labels) for doubt in raised} == {
        ("leak", "closed_as", "tag_refund"),
        ("outliers", "words"),
        ("duplicates", "mood", "rating"),
        ("rare-label", "tag_privacy"),
        ("gaps", "minutes_to_reply", "tag_escalate"),
    }
