# SPDX-License-Identifier: BSD-3-Clause
"""Generated pages say what the files say."""

import json
import sys
from pathlib import Path

import pandas as pd
import pytest

from labelsift.experiment.results import VALUES, Results

ROOT = Path(__file__).parents[2]


sys.path.insert(0, str(ROOT / "docs"))
from generators import choosing, docstrings, pages, performance  # noqa: E402


def test_committed_pages_are_up_to_date(tmp_path):
    pages.write_pages(tmp_path)
    for name in pages.PAGES:
        committed = (ROOT / "docs" / name).read_text()
        assert committed == (tmp_path / name).read_text(), f"make docs writes {name}"


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


def _line(method, split, value, **more):
    row = dict.fromkeys(VALUES, "") | dict.fromkeys(("draw", "n_train"), 0)
    row |= {"suite": "s", "data": "scene", "readout": "svm", "measure": "macro_auc"}
    row |= {"budget": 10, "n_features": 100, "params": "{}"}
    return row | {"method": method, "split": split, "value": value} | more


PROVENANCE = {
    "date": "2026-01-31",
    "versions": {"numpy": "2.0.0"},
    "machine": {"system": "abacus", "cores": 2},
    "suites": {
        "s": {"effort": "quick", "values": "s.csv", "absent": {}},
        "a second view": {"effort": "quick", "values": "s.csv", "absent": {}},
    },
}


@pytest.fixture
def results(tmp_path):
    def write(lines):
        Results(pd.DataFrame(lines)).write(tmp_path / "s.csv")
        (tmp_path / "provenance.json").write_text(json.dumps(PROVENANCE))
        return tmp_path

    return write


@pytest.fixture
def judged(results):
    def judge(lines):
        return choosing.judged_blocks(choosing.read_values(results(lines)))

    return judge


# Behind the best by 0, 0 and 2 thirty-seconds: a mean of 1/48, and a standard error
# of as much.
GOOD = [_line("greedy-rls", split, 0.5 + split / 32) for split in range(3)]
LEVEL = [_line("rfs", split, 0.5 + (split == 1) / 32) for split in range(3)]
WEAK = [_line("fisher", split, 0.125) for split in range(3)]
CONTROL = [_line("random", split, 0.25) for split in range(3)]


def counts(judged):
    names = ["best", "against_random", "above_random"]
    return judged.groupby("method")[names].sum().astype(int)


def test_counts_are_those_of_the_lines(judged):
    blocks, left_out = judged(GOOD + LEVEL + WEAK + CONTROL)
    assert left_out == 0
    assert len(blocks) == 4  # four methods in one block
    total = counts(blocks)
    assert total["best"].to_dict() == {
        "fisher": 0,
        "greedy-rls": 1,
        "random": 0,
        "rfs": 1,
    }
    assert total["above_random"].to_dict() == {
        "fisher": 0,
        "greedy-rls": 1,
        "random": 0,
        "rfs": 1,
    }
    assert (total["against_random"] == 1).all()
    means = blocks.set_index("method")["mean"]
    assert means["greedy-rls"] == pytest.approx(0.5 + 1 / 32)


def test_draws_of_the_control_are_one_value_of_their_split(judged):
    drawn = [_line("random", 0, value, draw=k) for k, value in enumerate([0.2, 0.4])]
    blocks, left_out = judged([_line("rfs", 0, 0.35), *drawn])
    assert left_out == 0
    assert blocks.set_index("method")["mean"]["random"] == pytest.approx(0.3)
    assert counts(blocks)["above_random"]["rfs"] == 1


def test_a_method_further_behind_than_a_standard_error_is_not_among_the_best(judged):
    behind = [_line("rfs", split, 0.5 + (split == 1) / 64) for split in range(3)]
    assert counts(judged(GOOD + behind)[0])["best"].to_dict() == {
        "greedy-rls": 1,
        "rfs": 0,
    }


def test_a_loss_is_better_when_it_is_smaller(judged):
    lines = [
        _line(name, 0, value, measure="hamming_loss")
        for name, value in (("rfs", 0.1), ("random", 0.2))
    ]
    blocks, _ = judged(lines)
    assert counts(blocks)["best"].to_dict() == {"random": 0, "rfs": 1}
    assert blocks.set_index("method")["mean"].to_dict() == {"random": 0.2, "rfs": 0.1}


def test_methods_that_predict_are_compared_with_controls_that_have_a_read_out(judged):
    lines = [_line("greedy-rls", 0, 0.9, readout="self"), _line("random", 0, 0.5)]
    blocks, left_out = judged(lines)
    assert left_out == 0
    assert counts(blocks).loc["greedy-rls"].tolist() == [1, 1, 1]


def test_two_read_outs_stay_apart_from_methods_that_predict(judged):
    lines = [
        _line(method, 0, value, readout=readout)
        for method, value in (("a", 0.7), ("b", 0.6))
        for readout in ("svm", "3nn")
    ]
    lines.append(_line("ridge", 0, 0.9, readout="self"))
    blocks, left_out = judged(lines)
    assert set(blocks["readout"]) == {"3nn", "svm"}
    assert left_out == 1


def test_training_parts_of_different_sizes_are_paired_apart(judged):
    lines = [
        _line(name, 0, value + size, n_train=size)
        for name, value in (("rfs", 0.5), ("random", 0.25))
        for size in (1, 2)
    ]
    blocks, left_out = judged(lines)
    assert left_out == 0
    # Ahead by a quarter at both sizes: no spread, so random is not level.
    assert counts(blocks)["best"].to_dict() == {"random": 0, "rfs": 1}


def test_a_study_of_settings_is_no_comparison(judged):
    lines = GOOD + CONTROL + [_line("greedy-rls", 0, 0.7, params="alpha=2")]
    blocks, left_out = judged(lines)
    assert blocks.empty
    assert left_out == 1


def test_a_value_that_is_not_defined_does_not_count(judged):
    lines = GOOD + CONTROL + [_line("rfs", 0, float("nan"))]
    assert set(judged(lines)[0]["method"]) == {"greedy-rls", "random"}


def test_the_page_says_where_it_comes_from_and_what_is_weak(results, tmp_path):
    page = tmp_path / "choosing.md"
    choosing.write_choosing(results(GOOD + WEAK + CONTROL), page)
    text = page.read_text()
    assert "9 values of the suites s, measured" in text  # a second view adds none
    assert "until 2026-01-31 (system abacus, cores 2; numpy 2.0.0)" in text
    assert "| [greedy-rls](methods/greedy-rls.md) | 1 of 1 | 1 of 1 |" in text
    assert "less than half of the blocks: [fisher](methods/fisher.md)." in text
    assert "| [greedy-rls](methods/greedy-rls.md) | 0.531 |" in text


def test_seconds_of_budgets_that_share_a_fit_are_added_up(results, tmp_path):
    timed = [
        _line("rfs", split, seconds, measure="fit_seconds", budget=budget)
        for split in range(3)
        for budget, seconds in ((10, 1.0 + split), (20, 0.5))
    ]
    page = tmp_path / "choosing.md"
    choosing.write_choosing(results(GOOD + CONTROL + timed), page)
    seconds = page.read_text().partition("## Seconds of a fit")[2]
    assert "| [rfs](methods/rfs.md) | 2.5 |" in seconds


def test_without_results_the_page_claims_nothing(tmp_path, results):
    page = tmp_path / "choosing.md"
    choosing.write_choosing(tmp_path, page)
    assert "holds none" in page.read_text()
    choosing.write_choosing(results(GOOD), page)  # one method is no comparison
    assert "holds none" in page.read_text()


def test_a_file_without_a_column_is_refused(results):
    folder = results(GOOD)
    pd.DataFrame(GOOD).drop(columns="measure").to_csv(folder / "s.csv", index=False)
    with pytest.raises(ValueError, match=r"s\.csv has no column 'measure'"):
        choosing.read_values(folder)


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


def test_stored_outputs_belong_to_a_script_and_say_their_origin():
    for path in (ROOT / "docs" / "results" / "perf").glob("*.txt"):
        assert (ROOT / "perf" / f"{path.stem}.py").is_file()
        performance.read_output(path)
