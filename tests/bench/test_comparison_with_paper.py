# SPDX-License-Identifier: BSD-3-Clause
import math
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from bench.printed_results import failures, only, printed_cells, printed_results
from labelsift.bench.comparison_with_paper import compare_cells, judge_claims
from labelsift.bench.suite_file import list_suites, read_suite
from labelsift.experiment.results import VALUES, Results, frame
from labelsift.metrics import MEASURES

TABLES = [name for name in list_suites() if read_suite(name).table]
MEANS = [name for name in TABLES if name != "jian-table2"]  # which prints ranks
NAULA = read_suite("naula-table2")
NOTHING = Results(frame([], VALUES))


def with_values(results, values):
    return Results(results.values.assign(value=values), results.tasks)


def at(cells, **place):
    """The one cell at a place."""
    for name, value in place.items():
        cells = cells[cells[name] == value]
    [cell] = cells.to_dict("records")
    return cell


def test_every_printed_cell_is_in_one_table():
    counts = Counter()
    for name in TABLES:
        suite = read_suite(name)
        counts[suite.paper] += len(compare_cells(suite, NOTHING))
    assert counts == {"gu": 144, "ji": 198, "jian": 40, "naula": 287, "rlefs": 280}


def test_a_figure_has_no_cells():
    suite = read_suite("gu-figure2")
    assert compare_cells(suite, printed_results(suite)).empty


def test_cells_are_in_the_order_of_the_table():
    cells = compare_cells(NAULA, printed_results(NAULA))
    names = ["data", "method", "measure", "setting", "mean", "std"]
    printed = printed_cells(NAULA)[names].reset_index(drop=True)
    assert cells[names].equals(printed)


@pytest.mark.parametrize("name", MEANS)
def test_the_printed_means_are_within_everywhere(name):
    suite = read_suite(name)
    cells = compare_cells(suite, printed_results(suite))
    wanted = np.where(cells["std"].isna(), "shown", "within")
    assert (cells["verdict"] == wanted).all()
    np.testing.assert_allclose(cells["ours"], cells["mean"])
    assert (cells["n_splits"] == suite.splits).all()
    assert cells["deviations"].isna().equals(cells["std"].isna())
    np.testing.assert_allclose(cells["deviations"].dropna(), 0, atol=1e-6)


@pytest.mark.parametrize("deviations", [-1.5, 1.5])
@pytest.mark.parametrize("name", [n for n in MEANS if n != "jian-table3"])
def test_values_beyond_a_deviation_are_better_or_worse(name, deviations):
    suite = read_suite(name)

    def shifted(cell, split):
        return (cell["mean"] + deviations * (cell["std"] or 0.01)) / cell["scale"]

    cells = compare_cells(suite, printed_results(suite, shifted))
    for cell in cells.to_dict("records"):
        gain = MEASURES[cell["measure"]].greater_is_better == (deviations > 0)
        assert cell["verdict"] == ("better" if gain else "worse"), cell
        if cell["std"]:
            assert cell["deviations"] == pytest.approx(deviations)
        else:
            assert math.isinf(cell["deviations"])


def test_a_value_as_printed_is_within_where_no_spread_is_printed():
    results = printed_results(NAULA, lambda cell, _: cell["mean"] + 4e-4)
    cells = compare_cells(NAULA, results)
    flat = cells[cells["std"] == 0]
    assert len(flat)
    assert set(flat["verdict"]) == {"within"}


def test_mean_and_spread_are_over_splits():
    results = printed_results(NAULA, lambda cell, split: cell["mean"] + split / 100)
    cell = compare_cells(NAULA, results).iloc[0]
    assert cell["ours"] == pytest.approx(cell["mean"] + 0.045)
    assert cell["ours_std"] == pytest.approx(math.sqrt(99 / 12) / 100)
    assert cell["n_splits"] == 10


def test_mean_and_spread_are_over_budgets_where_there_is_one_split():
    suite = read_suite("rlefs-table2")
    results = printed_results(suite)
    shares = results.values["budget"] / results.values["n_features"]
    cells = compare_cells(suite, with_values(results, shares))
    cell = at(cells, data="scene", method="rlefs")
    wanted = [0.01, 0.05, 0.1, 0.15, 0.2]
    assert cell["ours"] == pytest.approx(np.mean(wanted))
    assert cell["ours_std"] == pytest.approx(np.std(wanted))
    assert cell["n_splits"] == 1


def test_a_printed_budget_is_that_of_the_training_part():
    results = printed_results(NAULA)
    cells = compare_cells(NAULA, with_values(results, results.values["budget"]))
    budgets = {
        setting: at(
            cells,
            data="scene",
            method="greedy-rls",
            measure="macro_auc",
            setting=setting,
        )["ours"]
        for setting in ("10%", "45%", "80%")
    }
    assert budgets == {"10%": 20, "45%": 90, "80%": 160}


def test_only_the_chosen_threshold_counts():
    suite = read_suite("ji-table3")
    results = printed_results(suite)
    values = results.values["value"].mask(results.values["threshold"] == "oof", 0.9)
    results = with_values(results, values)
    assert set(compare_cells(suite, results)["verdict"]) == {"within"}
    assert "oof" in suite.thresholds
    cells = compare_cells(replace(suite, cut="oof"), results)
    verdicts = cells.groupby("measure")["verdict"].unique().map(list).to_dict()
    assert verdicts == {
        "macro_auc": ["within"],  # is not cut
        "macro_f1": ["better"],
        "micro_f1": ["better"],
    }


def test_cells_without_a_value_say_why():
    lost = [("yeast", "mlknn"), ("scene", "mlknn")]
    results = only(
        printed_results(NAULA),
        lambda values: (
            ~(
                values["data"].eq("mediamill")
                | (
                    values["method"].eq("mlknn")
                    & values["data"].isin(["yeast", "scene"])
                )
            )
        ),
    )
    tasks = failures(NAULA, ("yeast", "mlknn", "ValueError: no."))
    cells = compare_cells(NAULA, Results(results.values, tasks), ["mediamill"])
    for cell in cells.to_dict("records"):
        wanted = "within"
        if cell["data"] == "mediamill":
            wanted = "data not present"
        elif (cell["data"], cell["method"]) in lost:
            wanted = "failed" if cell["data"] == "yeast" else "not run"
        assert cell["verdict"] == wanted
        lacks = wanted != "within"
        assert (cell["n_splits"] == 0) == math.isnan(cell["ours"]) == lacks


def test_a_method_that_failed_on_some_splits_has_the_mean_of_the_others():
    results = printed_results(NAULA).where(split=[2, 7])
    tasks = failures(NAULA, ("scene", "greedy-rls", "ValueError: no."))
    cells = compare_cells(NAULA, Results(results.values, tasks))
    assert set(zip(cells["verdict"], cells["n_splits"], strict=True)) == {("within", 2)}


def test_a_value_that_is_not_defined_is_no_value():
    results = printed_results(
        NAULA, lambda cell, split: cell["mean"] if split else math.nan
    )
    cells = compare_cells(NAULA, results)
    assert set(zip(cells["verdict"], cells["n_splits"], strict=True)) == {("within", 9)}
    nothing = compare_cells(NAULA, with_values(results, math.nan))
    assert set(nothing["verdict"]) == {"not run"}


def test_ranks_are_averaged_over_budgets_and_measures():
    suite = read_suite("jian-table2")
    ours = {"fisher": 0.1, "rfs": 0.2, "csfs": 0.3, "sfus": 0.4}
    results = printed_results(suite).where(data="scene", method=[*ours, "mifs"])
    values = results.values["method"].map(ours)
    # The opposite order by the other measure; mifs is always the best.
    values = values.mask(results.values["measure"] == "macro_f1", -values).fillna(0.9)
    cells = compare_cells(suite, with_values(results, values), ["rcv1-regions"])
    scene = cells[cells["data"] == "scene"].set_index("method")["ours"].to_dict()
    assert scene == {"mifs": 1, "fisher": 3.5, "rfs": 3.5, "csfs": 3.5, "sfus": 3.5}
    verdicts = cells.set_index("data")["verdict"].to_dict()
    assert verdicts["scene"] == "shown"
    assert verdicts["rcv1-regions"] == "data not present"
    assert verdicts["rcv1-subset1"] == "not run"


def test_no_ranks_before_all_methods_have_run():
    suite = read_suite("jian-table2")
    results = only(printed_results(suite), lambda values: values["method"] != "sfus")
    assert set(compare_cells(suite, results)["verdict"]) == {"not run"}


SMALL_LOSS = {
    "says": "A has the smaller loss.",
    "better": "greedy-rls",
    "worse": "mt-lasso",
    "measure": "hamming_loss",
    "budget": "10%",
}


def judged(claim, differences, splits=2):
    """The verdict where the better method's values differ so, data set by data set."""
    data = tuple(
        replace(NAULA.data[0], name=f"set{d}") for d in range(len(differences))
    )
    suite = replace(NAULA, data=data, claims=(claim,), splits=splits)
    results = printed_results(suite)
    better = results.values["method"] == claim["better"]
    shift = results.values["data"].map(
        dict(zip([d.name for d in data], differences, strict=True))
    )
    [verdict] = judge_claims(suite, with_values(results, 0.5 + shift.where(better, 0)))
    assert verdict.claim == claim["says"]
    return verdict


def test_a_claim_on_a_loss_holds_where_the_loss_is_smaller():
    smaller = judged(SMALL_LOSS, [-0.01 * k for k in range(1, 9)])
    assert smaller.verdict == "holds"
    assert smaller.reason == (
        "hamming_loss +0.0450 on average, better on 8 of 8 data sets; rank-biserial "
        "r = 1.00, shift +0.0450, from +0.0200 to +0.0700 at 95%, signed ranks "
        "p = 0.00781."
    )
    larger = judged(SMALL_LOSS, [0.01 * k for k in range(1, 9)])
    assert larger.verdict == "the opposite holds"
    assert "-0.0450" in larger.reason
    assert "r = -1.00" in larger.reason


def test_a_claim_on_a_gain_holds_where_the_value_is_larger():
    gain = SMALL_LOSS | {"measure": "macro_auc"}
    assert judged(gain, [0.01 * k for k in range(1, 9)]).verdict == "holds"
    assert judged(gain, [-0.01] * 8).verdict == "the opposite holds"


@pytest.mark.parametrize(
    ("differences", "why"),
    [
        ([0.01, -0.01, 0.02, -0.02, 0.03, -0.03], "signed ranks p = 1"),
        ([0.1] * 5, "too few for an interval, signed ranks p = 0.0625"),
        ([0.0] * 8, "equal everywhere"),
        ([0.1], "one data set is no test"),
    ],
)
def test_what_may_be_chance_is_not_shown(differences, why):
    claim = judged(SMALL_LOSS | {"measure": "macro_auc"}, differences)
    assert claim.verdict == "not shown"
    assert why in claim.reason


@pytest.mark.parametrize("splits", [1, 10])
def test_more_splits_of_one_data_set_show_no_more(splits):
    gain = SMALL_LOSS | {"measure": "macro_auc"}
    claim = judged(gain, [0.1, 0.2, 0.3], splits)
    assert claim.verdict == "not shown"
    assert "better on 3 of 3 data sets" in claim.reason
    assert "signed ranks p = 0.25" in claim.reason


def test_a_split_counts_where_both_methods_have_it():
    gain = SMALL_LOSS | {"measure": "macro_auc"}
    suite = replace(NAULA, data=NAULA.data[:2], claims=(gain,), splits=2)
    results = printed_results(suite)
    late = (results.values["method"] == "greedy-rls") & (results.values["split"] == 1)
    values = results.values["value"].mask(late, math.nan).where(late, 0.5)
    first = (results.values["method"] == "greedy-rls") & (results.values["split"] == 0)
    [claim] = judge_claims(suite, with_values(results, values.mask(first, 0.7)))
    assert "macro_auc +0.2000 on average, better on 2 of 2" in claim.reason


def test_a_mean_that_a_few_blocks_make_shows_nothing():
    gain = SMALL_LOSS | {"measure": "macro_auc"}
    claim = judged(gain, [-0.01 * k for k in range(1, 10)] + [0.9])
    assert "+0.0450" in claim.reason
    assert claim.verdict != "holds"


@pytest.mark.parametrize(
    ("more", "place", "other"),
    [
        ({"readout": "3nn"}, {"readout": "3nn"}, {"readout": "svm"}),
        ({"budget": "5%"}, {"budget": 10}, {"budget": 20}),
    ],
)
def test_a_claim_is_judged_at_its_budget_and_readout(more, place, other):
    suite = read_suite("rlefs-table2")
    claim = {"says": "s", "better": "rlefs", "worse": "lrfs", "measure": "macro_f1"}
    suite = replace(suite, claims=(claim | more,))
    results = printed_results(suite)

    def verdict(**where):
        """Of values by which rlefs is better at one place alone."""
        hit = results.values["method"] == "rlefs"
        for name, value in where.items():
            hit &= results.values[name] == value
        gain = 0.1 + results.values["data"].str.len() / 1000
        [judgement] = judge_claims(
            suite, with_values(results, 0.5 + gain.where(hit, 0))
        )
        return judgement

    assert verdict(**place).verdict == "holds"
    assert "+0.1" in verdict(**place).reason
    assert verdict(**other).verdict == "not shown"


def test_a_claim_without_values_is_not_run():
    assert {claim.verdict for claim in judge_claims(NAULA, NOTHING)} == {"not run"}
