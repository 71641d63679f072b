# SPDX-License-Identifier: BSD-3-Clause
"""Generated pages say what the files say."""

import sys
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest

from labelsift.bench.board import Board
from labelsift.compare.race import LEADERS
from labelsift.selection.familiar import FAMILIAR

ROOT = Path(__file__).parents[2]


sys.path.insert(0, str(ROOT / "docs"))
from generators import (  # noqa: E402
    choosing,
    claims,
    docstrings,
    leaderboard,
    pages,
    performance,
)
from generators.board import read_summary  # noqa: E402


def test_a_race_begins_with_those_that_lead_the_leaderboard():
    ranks = choosing.mean_ranks(read_summary(), "macro_auc")
    selectors = [name for name in ranks.index if name not in FAMILIAR]
    assert set(LEADERS) <= set(selectors[:10])


def test_committed_pages_are_up_to_date(tmp_path):
    pages.write_pages(tmp_path)
    for name in pages.PAGES:
        committed = (ROOT / "docs" / name).read_text()
        assert committed == (tmp_path / name).read_text(), f"make docs writes {name}"


@pytest.mark.parametrize("page", pages.FILLED, ids=lambda page: page.name)
def test_sentences_from_the_rows_are_up_to_date(page):
    text = page.read_text()
    assert claims.MARKED.search(text)
    assert claims.filled(text, read_summary()) == text, "generators.pages writes it"


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


SIZES = {"small": 20, "large": 100}


def _row(data, method, split, readout, budget, value, draw=0):
    rows = {"data": data, "method": method, "draw": draw, "split": split}
    rows |= {"n_train": 9, "n_features": SIZES[data], "readout": readout}
    measures = {"macro_auc": value, "lowest_tenth_auc": value / 2, "micro_f1": 0.5}
    measures |= {"macro_f1": 0.5, "ranking_loss": 1 - value, "hamming_loss": 0.1}
    times = dict.fromkeys(("fit_seconds", "processor_seconds"), 0.5 * len(method))
    return rows | {"budget": budget} | measures | times | {"readout_seconds": 0.0}


def small_board(qualities, lost=()):
    """Two data sets, two splits; the quality of a method grows with the budget."""
    rows, tasks = [], []
    for data, size in SIZES.items():
        counts = sorted(
            {max(1, size * share // 100) for share in (1, 2, 5, 10, 20, 50)}
        )
        for method, quality in qualities.items():
            for split in range(2):
                ended = (data, method) not in lost
                task = {"data": data, "method": method, "draw": 0, "split": split}
                task |= {"status": "done" if ended else "timeout", "error": ""}
                task |= {"seconds": 1.0, "memory_mib": 2.0 * split, "key": "k"}
                tasks.append(task)
                own = [size] if method == "all-features" else counts
                rows += [
                    _row(data, method, split, readout, k, quality + k / 1000)
                    for readout in ("ridge", "knn", "forest")
                    for k in own
                    if ended
                ]
    stable = [(data, "fisher", size // 10, 0.5) for data, size in SIZES.items()]
    about = {"protocol": 1, "date": "2026-01-31", "machine": {"cores": 2}}
    about |= {"complete": [*SIZES], "missing": ["huge"], "versions": {}}
    names = ["data", "method", "budget", "stability"]
    return Board(
        pd.DataFrame(rows), pd.DataFrame(tasks), pd.DataFrame(stable, columns=names),
        about,
    )  # fmt: skip


QUALITIES = {"fisher": 0.7, "rfs": 0.8, "csfs": 0.4, "random": 0.5, "all-features": 0.9}


@pytest.fixture
def stored(tmp_path):
    def write(**options):
        small_board(QUALITIES, **options).write(tmp_path / "rows")
        return tmp_path / "rows"

    return write


def test_a_board_comes_back_bit_by_bit(stored, tmp_path):
    board = Board.read(stored())
    first = small_board(QUALITIES)
    for name in ("rows", "tasks", "stability"):
        pd.testing.assert_frame_equal(
            getattr(board, name), getattr(first, name), check_exact=True
        )
    board.write(tmp_path / "again")
    for file in (tmp_path / "rows").iterdir():
        assert file.read_bytes() == (tmp_path / "again" / file.name).read_bytes()


def test_ranks_count_a_method_without_values_as_last(stored):
    summary = read_summary(stored(lost={("large", "rfs")}))
    ranks = summary.ranks("macro_auc", "ridge", "10%")
    assert ranks["small"].to_dict() == {"fisher": 2, "rfs": 1, "csfs": 4, "random": 3}
    assert ranks["large"].to_dict() == {"fisher": 1, "rfs": 4, "csfs": 3, "random": 2}
    losses = summary.ranks("ranking_loss", "ridge", "10%")
    pd.testing.assert_frame_equal(ranks, losses)
    assert summary.endings == {"rfs": {"timeout": ["large"], "failed": []}}
    assert summary.above_random("macro_auc", "knn", "10%")["csfs"] == 0
    assert summary.memory["fisher"] == 2.0  # of the split that took most
    assert summary.seconds.loc["rfs", "small"] == pytest.approx(
        1.5 * 3 * 4
    )  # read-outs, budgets


def test_a_share_is_a_number_of_features_of_its_data_set(stored):
    summary = read_summary(stored())
    values = summary.values("macro_auc", "ridge", "10%")
    assert values.loc["fisher"].to_dict() == {"small": 0.702, "large": 0.71}
    assert values.loc["all-features"].to_dict() == {"small": 0.92, "large": 1.0}


def test_advice_comes_first_and_names_what_is_missing(stored, tmp_path):
    page = tmp_path / "choosing.md"
    choosing.write_choosing(stored(), page)
    text = page.read_text()
    assert "- **Start with** [rfs](methods/rfs.md) (1.0). Next: [fisher]" in text
    assert "- **If speed is all:** [rfs](methods/rfs.md)" in text
    assert "[csfs](methods/csfs.md) (0 of 30)" in text
    assert "not measured yet: huge; this advice is as good as 2 data sets" in text
    assert text.index("**If your model is a forest") < text.index("## Evidence")


def test_methods_that_are_level_are_led_by_the_fastest(tmp_path):
    level = QUALITIES | {"rfs": 0.7}
    small_board(level).write(tmp_path / "rows")
    summary = read_summary(tmp_path / "rows")
    assert choosing.level_best(summary) == ["rfs", "fisher"]


def test_without_rows_the_pages_claim_nothing(tmp_path):
    for name, write in (("choosing", choosing.write_choosing),):
        page = tmp_path / f"{name}.md"
        write(tmp_path, page)
        assert "holds no rows" in page.read_text()
    page = tmp_path / "leaderboard.md"
    leaderboard.write_leaderboard(tmp_path, page, tmp_path / "static")
    assert "No rows are stored" in page.read_text()


@pytest.mark.parametrize("page", pages.FILLED, ids=lambda page: page.name)
def test_a_sentence_from_the_rows_does_not_begin_a_line(page):
    """There it would be a block of HTML, in which markdown is not read."""
    begins = [
        line for line in page.read_text().splitlines() if "<!-- board" in line[:12]
    ]
    assert begins == []


def test_sentences_say_what_the_rows_say(tmp_path):
    names = {"greedy-rls": 0.8, "forest": 0.7, "anova": 0.6, "rlefs": 0.4, "ralm": 0.9}
    names |= dict.fromkeys(("anova-max", "anova-robin", "chi2", "chi2-max"), 0.65)
    names |= dict.fromkeys(("chi2-robin", "mutual-info", "pmu", "relief-ml"), 0.65)
    names |= {"grro": 0.75, "random": 0.5, "all-features": 0.9}
    lost = {("large", "mutual-info")}
    small_board(names, lost=lost).write(tmp_path / "rows")
    summary = read_summary(tmp_path / "rows")

    def said(name):
        return claims.filled(f"<!-- board:{name} -->old<!-- /board -->", summary)

    assert "of two data sets" in said("readme")
    assert "`greedy-rls` has mean rank 2.0 of 15 methods" in said("readme")
    assert "Not run yet: one more" in said("readme")
    assert "ahead of it are ralm 1.0. The best" in said("greedy")
    assert "after 2016: grro 3.0, rlefs 14.5." in said("greedy")
    weak = "half of the blocks: two of 14, rlefs (0 of 30), mutual-info"
    weak += " (15 of 30, no answer in 15)"
    assert weak in said("random")
    assert "Out of time after two minutes: mutual-info on one." in said("familiar")
    assert "on 0 of 2 data sets at 10 % with ridge (not on small, large)" in said(
        "rlefs"
    )
    assert "Not run yet: huge." in said("state")
    assert "`ralm` (mean rank 1.0, " in said("quick")
    with pytest.raises(KeyError):
        said("unknown")


def test_what_tuning_changes_comes_from_both_tables(tmp_path, monkeypatch, stored):
    summary = read_summary(stored())
    marked = "<!-- board:tuned --><!-- /board -->"
    monkeypatch.setattr(claims, "TUNED", tmp_path / "tuned")
    assert "has not been run" in claims.filled(marked, summary)
    small_board(QUALITIES | {"csfs": 0.85}).write(tmp_path / "tuned")
    text = claims.filled(marked, summary)
    assert "on small, large, where 3 methods" in text
    assert "by +0.1500 in the mean over methods (from +0.0000, fisher, to" in text
    assert "to +0.4500, csfs)" in text
    assert "is -0.50 (Spearman)" in text
    assert "three are csfs, rfs, fisher; with defaults rfs, fisher, csfs" in text


def test_wide_data_come_from_their_own_table(tmp_path, monkeypatch, stored):
    summary = read_summary(stored())
    marked = "<!-- board:wide --><!-- /board -->"
    monkeypatch.setattr(claims, "WIDE", tmp_path / "wide")
    assert "has not been run" in claims.filled(marked, summary)
    small_board(QUALITIES, lost={("large", "rfs")}).write(tmp_path / "wide")
    text = claims.filled(marked, summary)
    # rfs is first on one set, and shares the last rank on the other.
    assert "by macro AUC are fisher, rfs, random, csfs." in text
    assert "on small, large (" in text
    assert "Out of time after two minutes: rfs on one." in text


def test_tables_of_other_suites_and_submissions_are_on_the_page(tmp_path):
    rows, static, page = tmp_path / "leaderboard", tmp_path / "s", tmp_path / "page.md"
    board = small_board(QUALITIES)
    by = [{"name": "mine", "by": "ranking", "data": ["small"]}]
    by += [{"name": "ours", "by": "their.code:Class", "data": ["small"]}]
    replace(board, about=board.about | {"submissions": by}).write(rows)
    leaderboard.write_leaderboard(rows, page, static)
    text = page.read_text()
    assert text.count("No data set is complete yet.") == 2
    assert "| mine | ranking file | a submitted ranking: cannot be recomputed |" in text
    assert "| ours | `their.code:Class` | a class: run again when merged |" in text
    small_board(QUALITIES | {"fisher": 0.95}).write(tmp_path / "leaderboard-tuned")
    leaderboard.write_leaderboard(rows, page, static)
    text = page.read_text()
    assert "| fisher | 1.00 | 0.956 | 0.706 |" in text
    assert "Complete: small, large. Not run yet: huge." in text


def test_the_section_of_a_method_is_from_the_same_rows(stored):
    summary = read_summary(stored(lost={("large", "rfs")}))
    text = leaderboard.method_section(summary, "fisher")
    assert "| ridge | 1.5 | 1.5 | 1.5 | 2 of 2 |" in text
    assert "agree on the chosen 10 % to 0.50" in text
    assert "ended by timeout on large" in leaderboard.method_section(summary, "rfs")
    assert leaderboard.method_section(summary, "mlls") == ""
    assert leaderboard.method_section(None, "fisher") == ""


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
