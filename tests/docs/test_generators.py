# SPDX-License-Identifier: BSD-3-Clause
"""Pages that are made say what the files say."""

import csv
import json
import sys
from pathlib import Path

import pytest

from contract.discovery import public_objects

ROOT = Path(__file__).parents[2]


sys.path.insert(0, str(ROOT / "docs"))
from generators import api, choosing, docstrings, performance, standings  # noqa: E402


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("coef_ : ndarray (n_features_in_,)", r"coef_ : ndarray (n_features_in\_,)"),
        ("What is added to X coef_'; 0", r"What is added to X coef\_'; 0"),
        ("``coef_`` and `b_` stay, n_in does too", None),
        (">>> print(model.coef_)", None),
        ("See [1]_ for it", None),
    ],
)
def test_names_in_running_text_are_no_links(line, expected):
    assert docstrings.escaped(line) == (expected or line)


def test_every_public_name_has_a_page(tmp_path):
    api.write_api(tmp_path)
    for room, name, _ in public_objects():
        page = tmp_path / f"{room.__name__}.{name}.rst"
        assert f":: {name}" in page.read_text()
        assert name in (tmp_path / f"{room.__name__}.rst").read_text()


def test_pages_of_names_that_are_gone_are_removed(tmp_path):
    (tmp_path / "labelsift.selection.Gone.rst").write_text("")
    api.write_api(tmp_path)
    assert not (tmp_path / "labelsift.selection.Gone.rst").exists()


def test_a_class_shows_its_own_methods_and_not_those_of_every_estimator(tmp_path):
    api.write_api(tmp_path)
    page = (tmp_path / "labelsift.selection.GreedyRLS.rst").read_text()
    for name in ("fit", "with_budget", "transform", "decision_function"):
        assert name in page
    assert "get_metadata_routing" not in page


def _line(method, split, value, **more):
    row = dict.fromkeys(standings.COLUMNS, "")
    row |= {"suite": "s", "data": "scene", "readout": "svm", "share": "0.1"}
    row |= {"measure": "macro_auc", "method": method, "split": split, "value": value}
    return row | more


MACHINE = {
    "date": "2026-01-31",
    "versions": {"numpy": "2.0.0"},
    "machine": {"system": "abacus", "cores": 2},
}


@pytest.fixture
def results(tmp_path):
    def write(lines, columns=standings.COLUMNS):
        with (tmp_path / "s.csv").open("w", newline="") as file:
            writer = csv.DictWriter(file, columns, extrasaction="ignore")
            writer.writeheader()
            writer.writerows(lines)
        (tmp_path / "machine.json").write_text(json.dumps(MACHINE))
        return tmp_path

    return write


GOOD = [_line("greedy-rls", split, 0.9 + split / 100) for split in range(3)]
LEVEL = [_line("rfs", split, 0.9 + (split == 1) / 100) for split in range(3)]
WEAK = [_line("fisher", split, 0.5) for split in range(3)]
CONTROL = [_line("random", split, 0.6) for split in range(3)]


def test_counts_are_those_of_the_lines(results):
    blocks, left_out = standings.blocks_of(
        standings.read_results(results(GOOD + LEVEL + WEAK + CONTROL))
    )
    assert (len(blocks), left_out) == (1, 0)
    found = {s.method: s for s in standings.standings(blocks)}
    assert found["greedy-rls"].n_best == 1
    # Behind by 0, 0 and 2 hundredths: a mean of 0.0067, a standard error of 0.0067.
    assert found["rfs"].n_best == 1
    assert found["fisher"].n_best == found["fisher"].n_above_random == 0
    assert found["greedy-rls"].n_above_random == 1


def test_a_loss_is_better_when_it_is_smaller(results):
    lines = [
        _line(name, 0, value, measure="hamming_loss")
        for name, value in (("rfs", 0.1), ("random", 0.2))
    ]
    (block,), _ = standings.blocks_of(standings.read_results(results(lines)))
    assert block.best == "rfs"


def test_methods_that_predict_stand_beside_controls_with_a_read_out(results):
    lines = [_line("greedy-rls", 0, 0.9, readout="self"), _line("random", 0, 0.5)]
    (block,), _ = standings.blocks_of(standings.read_results(results(lines)))
    assert block.gain("greedy-rls", "random") == [pytest.approx(0.4)]


def test_two_read_outs_stay_apart_from_methods_that_predict(results):
    lines = [
        _line(method, 0, value, readout=readout)
        for method, value in (("a", 0.7), ("b", 0.6))
        for readout in ("svm", "3nn")
    ]
    lines.append(_line("ridge", 0, 0.9, readout="self"))
    blocks, left_out = standings.blocks_of(standings.read_results(results(lines)))
    assert sorted(block.readout for block in blocks) == ["3nn", "svm"]
    assert left_out == 1


def test_training_parts_of_different_sizes_are_paired_apart(results):
    lines = [
        _line(name, 0, value + size, n_train=size)
        for name, value in (("rfs", 0.5), ("random", 0.25))
        for size in (1, 2)
    ]
    (block,), _ = standings.blocks_of(standings.read_results(results(lines)))
    assert block.gain("rfs", "random") == [0.25, 0.25]


def test_a_study_of_settings_is_no_comparison(results):
    lines = GOOD + CONTROL + [_line("greedy-rls", 0, 0.7, params="alpha=2")]
    blocks, left_out = standings.blocks_of(standings.read_results(results(lines)))
    assert (blocks, left_out) == ([], 1)


def test_the_page_says_where_it_comes_from_and_what_is_weak(results, tmp_path):
    page = tmp_path / "choosing.md"
    choosing.write_choosing(results(GOOD + WEAK + CONTROL), page)
    text = page.read_text()
    assert "until 2026-01-31 (system abacus, cores 2; numpy 2.0.0)" in text
    assert "| [greedy-rls](methods/greedy-rls.md) | 1 of 1 | 1 of 1 |" in text
    assert "less than half of the blocks: [fisher](methods/fisher.md)." in text
    assert "| [greedy-rls](methods/greedy-rls.md) | 0.910 |" in text


def test_without_results_the_page_claims_nothing(tmp_path):
    choosing.write_choosing(tmp_path, tmp_path / "choosing.md")
    assert "holds none" in (tmp_path / "choosing.md").read_text()


def test_a_file_without_a_column_is_refused(results):
    folder = results(GOOD, [name for name in standings.COLUMNS if name != "measure"])
    with pytest.raises(ValueError, match=r"s\.csv lacks the column 'measure'"):
        standings.read_results(folder)


def test_outputs_are_shown_word_for_word_under_their_script(tmp_path):
    lines = [*performance.head("python perf/fisher.py"), "", "fit: 0.12 s"]
    (tmp_path / "fisher.txt").write_text("\n".join(lines))
    page = tmp_path / "performance.md"
    performance.write_performance(tmp_path, ROOT / "perf", page)
    text = page.read_text()
    assert "## perf/fisher.py" in text
    assert "fit: 0.12 s" in text
    assert "FisherScore on rcv1-subset1" in text


def test_an_output_of_unknown_origin_is_refused(tmp_path):
    (tmp_path / "fisher.txt").write_text("# command: x\n\nfit: 0.12 s")
    with pytest.raises(ValueError, match="does not say its machine"):
        performance.read_output(tmp_path / "fisher.txt")


def test_outputs_that_are_kept_belong_to_a_script_and_say_their_origin():
    for path in (ROOT / "docs" / "results" / "perf").glob("*.txt"):
        assert (ROOT / "perf" / f"{path.stem}.py").is_file()
        performance.read_output(path)
