# SPDX-License-Identifier: BSD-3-Clause
import math
from collections import Counter
from dataclasses import replace

import pytest

from bench.made_up import made_up_rows, printed_cells
from labelsift.bench.beside import beside, claims
from labelsift.bench.suite import list_suites, read_suite
from labelsift.metrics import MEASURES

TABLES = [name for name in list_suites() if read_suite(name).table]
MEANS = [name for name in TABLES if name != "jian-table2"]  # which prints ranks
NAULA = read_suite("naula-table2")


def one(suite, **place):
    """The printed cell at a place."""
    [cell] = [
        cell
        for cell in printed_cells(suite)
        if all(getattr(cell, name) == value for name, value in place.items())
    ]
    return cell


def test_every_printed_cell_is_in_one_table():
    counts = Counter()
    for name in TABLES:
        suite = read_suite(name)
        counts[suite.paper] += len(beside(suite, [], (), ()))
    assert counts == {"gu": 144, "ji": 198, "jian": 40, "naula": 287, "rlefs": 280}


def test_a_figure_has_no_cells():
    assert beside(read_suite("gu-figure2"), [], (), ()) == []


@pytest.mark.parametrize("name", MEANS)
def test_the_printed_means_are_within_everywhere(name):
    suite = read_suite(name)
    found = beside(suite, list(made_up_rows(suite)), (), ())
    for given in found:
        assert given.verdict == ("shown" if given.cell.std is None else "within")
        assert given.ours == pytest.approx(given.cell.mean)
        assert given.count == suite.splits
        if given.cell.std is not None:
            assert given.away == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize("deviations", [-1.5, 1.5])
@pytest.mark.parametrize("name", [n for n in MEANS if n != "jian-table3"])
def test_values_beyond_a_deviation_are_better_or_worse(name, deviations):
    suite = read_suite(name)

    def shifted(cell, split):
        return (cell.mean + deviations * (cell.std or 0.01)) / cell.scale

    for given in beside(suite, list(made_up_rows(suite, shifted)), (), ()):
        gain = MEASURES[given.cell.measure].greater_is_better == (deviations > 0)
        assert given.verdict == ("better" if gain else "worse"), given
        if given.cell.std:
            assert given.away == pytest.approx(deviations)
        else:
            assert math.isinf(given.away)


def test_a_value_as_printed_is_within_where_no_spread_is_printed():
    flat = [cell for cell in printed_cells(NAULA) if cell.std == 0]
    assert flat
    rows = list(made_up_rows(NAULA, lambda cell, _: cell.mean + 4e-4))
    found = {given.cell: given for given in beside(NAULA, rows, (), ())}
    assert all(found[cell].verdict == "within" for cell in flat)


def test_mean_and_spread_are_over_splits():
    rows = list(made_up_rows(NAULA, lambda cell, split: cell.mean + split / 100))
    given = beside(NAULA, rows, (), ())[0]
    assert given.ours == pytest.approx(given.cell.mean + 0.045)
    assert given.std == pytest.approx(math.sqrt(99 / 12) / 100)
    assert given.count == 10


def test_mean_and_spread_are_over_budgets_where_there_is_one_split():
    suite = read_suite("rlefs-table2")
    place = {"data": "scene", "method": "rlefs"}
    cell = one(suite, **place)
    rows = [
        row | {"value": row["share"]}
        for row in made_up_rows(suite)
        if (row["data"], row["method"], row["readout"]) == ("scene", "rlefs", "svm")
        and row["measure"] == "macro_f1"
    ]
    [given] = [g for g in beside(suite, rows, (), ()) if g.cell == cell]
    shares = [0.01, 0.05, 0.1, 0.15, 0.2]
    assert given.ours == pytest.approx(sum(shares) / 5)
    assert given.std == pytest.approx(
        math.sqrt(sum((share - given.ours) ** 2 for share in shares) / 5)
    )
    assert given.count == 1


def test_only_the_chosen_threshold_counts():
    suite = read_suite("ji-table3")
    rows = [
        row | {"value": 0.9} if row["threshold"] == "oof" else row
        for row in made_up_rows(suite)
    ]
    verdicts = {given.verdict for given in beside(suite, rows, (), ())}
    assert verdicts == {"within"}
    assert "oof" in suite.thresholds
    cut = replace(suite, cut="oof")
    assert {given.verdict for given in beside(cut, rows, (), ())} == {
        "within",  # AUC is not cut
        "better",
    }


def test_cells_without_a_value_say_why():
    rows = [
        row
        for row in made_up_rows(NAULA)
        if row["data"] != "mediamill"
        and (row["data"], row["method"]) not in (("yeast", "mlknn"), ("scene", "mlknn"))
    ]
    found = beside(NAULA, rows, {"mediamill": "why"}, [("yeast", "mlknn")])
    for given in found:
        cell = given.cell
        wanted = "within"
        if cell.data == "mediamill":
            wanted = "data not present"
        elif cell.method == "mlknn" and cell.data in ("yeast", "scene"):
            wanted = "failed" if cell.data == "yeast" else "not run"
        assert given.verdict == wanted
        assert (given.count == 0) == math.isnan(given.ours) == (wanted != "within")


def test_a_method_that_failed_on_some_splits_has_the_mean_of_the_others():
    rows = [row for row in made_up_rows(NAULA) if row["split"] in (2, 7)]
    failed = [("scene", "greedy-rls")]
    given = beside(NAULA, rows, (), failed)[0]
    assert (given.verdict, given.count) == ("within", 2)


def test_a_value_that_is_not_defined_is_no_value():
    rows = list(
        made_up_rows(NAULA, lambda cell, split: cell.mean if split else math.nan)
    )
    found = beside(NAULA, rows, (), ())
    assert {(given.verdict, given.count) for given in found} == {("within", 9)}
    nothing = [row | {"value": math.nan} for row in rows]
    assert {given.verdict for given in beside(NAULA, nothing, (), ())} == {"not run"}


def test_ranks_are_averaged_over_budgets_and_measures():
    suite = read_suite("jian-table2")
    values = {"fisher": 0.1, "rfs": 0.2, "csfs": 0.3, "sfus": 0.4, "mifs": 0.5}

    def rows():
        for row in made_up_rows(suite):
            if row["method"] in values and row["data"] == "scene":
                value = values[row["method"]]
                if row["measure"] == "macro_f1":
                    value = -value  # the opposite order
                if row["method"] == "mifs":
                    value = 0.9  # always the best
                yield row | {"value": value}

    found = beside(suite, list(rows()), ["rcv1-regions"], ())
    ours = {g.cell.method: g.ours for g in found if g.cell.data == "scene"}
    assert ours == {"mifs": 1, "fisher": 3.5, "rfs": 3.5, "csfs": 3.5, "sfus": 3.5}
    verdicts = {g.cell.data: g.verdict for g in found}
    assert verdicts["scene"] == "shown"
    assert verdicts["rcv1-regions"] == "data not present"
    assert verdicts["rcv1-subset1"] == "not run"


def test_no_ranks_before_all_methods_are_there():
    suite = read_suite("jian-table2")
    rows = [row for row in made_up_rows(suite) if row["method"] != "sfus"]
    assert {given.verdict for given in beside(suite, rows, (), ())} == {"not run"}


SMALL_LOSS = {
    "says": "A has the smaller loss.",
    "better": "greedy-rls",
    "worse": "mt-lasso",
    "measure": "hamming_loss",
    "budget": "10%",
}


def claimed(claim, differences):
    """The verdict where the better method's values differ so, split by split."""
    suite = replace(NAULA, claims=(claim,))
    rows = [
        row | {"value": 0.5 + (differences[row["split"]] if row["method"] ==
                               claim["better"] else 0)}
        for row in made_up_rows(suite)
        if row["data"] == "scene" and row["split"] < len(differences)
    ]  # fmt: skip
    [verdict] = claims(suite, rows)
    assert verdict.says == claim["says"]
    return verdict


def test_a_claim_on_a_loss_holds_where_the_loss_is_smaller():
    smaller = claimed(SMALL_LOSS, [-0.01 * k for k in range(1, 9)])
    assert smaller.verdict == "holds"
    assert smaller.reason == (
        "hamming_loss +0.0450 on average, better in 8 of 8 blocks (1 data sets); "
        "signed ranks p = 0.00781."
    )
    larger = claimed(SMALL_LOSS, [0.01 * k for k in range(1, 9)])
    assert larger.verdict == "the opposite holds"
    assert "-0.0450" in larger.reason


def test_a_claim_on_a_gain_holds_where_the_value_is_larger():
    gain = SMALL_LOSS | {"measure": "macro_auc"}
    assert claimed(gain, [0.01 * k for k in range(1, 9)]).verdict == "holds"
    assert claimed(gain, [-0.01] * 8).verdict == "the opposite holds"


@pytest.mark.parametrize(
    ("differences", "why"),
    [
        ([0.01, -0.01, 0.02, -0.02, 0.03, -0.03], "signed ranks p = 1"),
        ([0.1] * 5, "signed ranks p = 0.0625"),
        ([0.0] * 8, "equal everywhere"),
        ([0.1], "one block is no test"),
    ],
)
def test_what_may_be_chance_is_not_shown(differences, why):
    found = claimed(SMALL_LOSS | {"measure": "macro_auc"}, differences)
    assert found.verdict == "not shown"
    assert why in found.reason


def test_a_mean_that_a_few_blocks_make_shows_nothing():
    gain = SMALL_LOSS | {"measure": "macro_auc"}
    found = claimed(gain, [-0.01 * k for k in range(1, 10)] + [0.9])
    assert "+0.0450" in found.reason
    assert found.verdict != "holds"


def test_a_claim_is_judged_at_its_budget_and_readout():
    suite = read_suite("rlefs-table2")
    claim = {"says": "s", "better": "rlefs", "worse": "lrfs", "measure": "macro_f1"}

    def rows(**where):
        for row in made_up_rows(suite):
            hit = row["method"] == "rlefs" and all(
                row[k] == v for k, v in where.items()
            )
            order = len(row["data"]) / 1000
            yield row | {"value": 0.6 + order if hit else 0.5}

    for more, where in (
        ({"readout": "3nn"}, {"readout": "3nn"}),
        ({"budget": "5%"}, {"budget": 10}),
    ):
        judged = replace(suite, claims=(claim | more,))
        [there] = claims(judged, list(rows(**where)))
        assert there.verdict == "holds"
        assert "+0.1" in there.reason
        other = {"readout": "svm"} if "readout" in more else {"budget": 20}
        [elsewhere] = claims(judged, list(rows(**other)))
        assert elsewhere.verdict == "not shown"


def test_a_claim_without_values_is_not_run():
    assert {claim.verdict for claim in claims(NAULA, [])} == {"not run"}
