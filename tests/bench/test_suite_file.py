# SPDX-License-Identifier: BSD-3-Clause
import math
import tomllib
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from bench.printed_results import everywhere
from labelsift.bench.plan import QUICK_SETTINGS, find_data, plan
from labelsift.bench.published import published_cells
from labelsift.bench.runs import run_suite
from labelsift.bench.suite_file import EFFORTS, list_suites, read_suite
from labelsift.bench.toml_text import toml_text
from labelsift.datasets import list_datasets, make_planted, write_csv
from labelsift.experiment.catalogue import CONTROLS
from labelsift.experiment.inputs import prepared, splits
from labelsift.experiment.models import make
from labelsift.experiment.task import Protocol
from labelsift.metrics import MEASURES
from labelsift.model_selection import make_splits, write_splits
from labelsift.tables.protocol_words import _split_words

TABLES = {
    "gu": ["table2"],
    "ji": ["table3", "table4"],
    "jian": ["table2", "table3"],
    "naula": ["table2", "table3"],
    "rlefs": ["table2", "table3", "table4", "table5"],
}
SMALL = """
title = "Small"
paper = "naula"
measures = ["macro_auc"]
{more}
[protocol]
kind = "folds"
splits = 4
[data.traits]
{of_data}
[methods.fisher]
{of_method}
"""
OF_PAPERS = [name for name in list_suites() if read_suite(name).paper]


@pytest.fixture
def write(tmp_path):
    def put(name="small", text=SMALL, more="", of_data="", of_method=""):
        path = tmp_path / f"{name}.toml"
        path.write_text(text.format(more=more, of_data=of_data, of_method=of_method))
        return str(path)

    return put


def test_every_table_of_the_papers_has_a_suite():
    tables = {name: [] for name in TABLES}
    for name in OF_PAPERS:
        suite = read_suite(name)
        tables[suite.paper] += [suite.table] if suite.table else []
    assert {paper: sorted(own) for paper, own in tables.items()} == TABLES


@pytest.mark.parametrize("effort", EFFORTS)
@pytest.mark.parametrize("name", list_suites())
def test_every_suite_is_read_and_planned_at_both_efforts(name, effort):
    suite = read_suite(name, effort)
    assert (suite.name, suite.effort) == (name, effort)
    keys = [item.task.key for item in plan(suite, everywhere(suite))]
    assert len(keys) == len(set(keys)) > 0
    controls = {*CONTROLS} - {*suite.content.get("no_controls", [])}
    assert controls <= {method.name for method in suite.methods}


@pytest.mark.parametrize("effort", EFFORTS)
@pytest.mark.parametrize("name", list_suites())
def test_every_parameter_is_one_of_its_method(name, effort):
    suite = read_suite(name, effort)
    for item in plan(suite, everywhere(suite)):
        method = item.task.method
        point = {parameter: values[-1] for parameter, values in method.grid.items()}
        if point or method.params:
            params = make(item.task, 6, point).get_params()
            for parameter, value in {**method.params, **point}.items():
                assert params[parameter] == value


@pytest.mark.parametrize("name", list_suites())
def test_a_quick_run_is_small_and_a_full_one_is_the_papers(name):
    quick, full = read_suite(name), read_suite(name, "full")
    for item in plan(quick, everywhere(quick)):
        grid = item.task.method.grid
        assert math.prod(map(len, grid.values())) <= QUICK_SETTINGS
    assert quick.splits <= full.splits
    assert full.splits == max(protocol.splits for protocol in full.protocols)
    assert [part.name for part in quick.data] == [part.name for part in full.data]
    assert quick.splits <= 2 or quick.splits == full.splits


@pytest.mark.parametrize("name", list_suites())
def test_data_is_registered_printed_in_the_paper_or_has_frozen_splits(name):
    suite = read_suite(name)
    printed = set(published_cells()["data"])
    registered = {info.name for info in list_datasets()}
    frozen = {part.name for part in suite.data if part.splits}
    own = {part.name for part in suite.data if not part.extra}
    assert own <= printed | registered | frozen


@pytest.mark.parametrize("name", OF_PAPERS)
def test_a_suite_has_all_that_its_table_prints(name):
    suite = read_suite(name)
    cells = published_cells(suite.paper)
    cells = cells[cells["table"] == suite.table]
    assert cells.empty != bool(suite.table)
    assert set(cells["data"]) <= {part.name for part in suite.data}
    assert set(cells["method"]) <= {method.name for method in suite.methods}
    assert set(cells["measure"]) <= {*suite.measures, "rank", "seconds"}
    own = {part.name for part in suite.data if not part.extra}
    assert cells.empty or own == set(cells["data"])


def test_a_suite_lies_over_the_one_that_it_extends():
    base, more = read_suite("ji-table3"), read_suite("ji-table4")
    assert more.methods == base.methods
    assert more.table == "table4"
    assert not {part.name for part in more.data} & {part.name for part in base.data}


def test_a_file_can_be_a_suite_and_extend_another(write):
    path = write("second", text='extends = "{more}"\ntitle = "Second"', more=write())
    suite = read_suite(path)
    assert (suite.name, suite.title) == ("second", "Second")
    assert suite.protocols == (Protocol("folds", 4),)
    assert [part.name for part in suite.data] == ["traits"]


def test_quick_takes_the_place_of_what_it_names(write):
    path = write(
        more='budgets = ["2:8:2"]\nquick = { splits = 2, budgets = ["3"], folds = 2 }',
        of_data="grids = { fisher = { a = [1] } }\nquick_grids = { fisher = { b = [2] "
        "} }",
        of_method="grid = { c = [1, 2] }\nquick_grid = { c = [3] }",
    )
    quick, full = read_suite(path), read_suite(path, "full")
    assert (quick.splits, full.splits) == (2, 4)
    assert (quick.budgets, full.budgets) == (("3",), ("2", "4", "6", "8"))
    assert (quick.tuning.folds, full.tuning.folds) == (2, 5)
    assert (quick.data[0].grids, full.data[0].grids) == (
        {"fisher": {"b": [2]}},
        {"fisher": {"a": [1]}},
    )
    grids = [suite.methods[0].spec.grid for suite in (quick, full)]
    assert grids == [{"c": [3]}, {"c": [1, 2]}]


def test_a_method_may_have_another_name_in_the_catalogue(write):
    path = write(
        of_method='entry = "ppt"\nparams = { score = "chi2" }\nscale = "minmax"'
    )
    method = read_suite(path).methods[0]
    assert (method.name, method.spec.name) == ("fisher", "ppt")
    assert method.spec.params == {"score": "chi2"}
    assert method.scale == "minmax"


def test_controls_come_with_a_readout_and_a_budget_where_the_suite_has_none(write):
    bare = {method.name: method for method in read_suite(write()).methods}
    assert list(bare) == ["fisher", *CONTROLS]
    assert bare["fisher"].readouts == ()
    assert bare["random"].readouts == ("ridge",)
    assert bare["random"].budgets == ("10%",)
    assert bare["ridge"].budgets is None
    path = write(more='budgets = ["5"]\nreadouts = ["svm"]\nno_controls = ["rfs"]')
    own = {method.name: method for method in read_suite(path).methods}
    assert "rfs" not in own
    assert (own["random"].readouts, own["random"].budgets) == ((), None)


def test_training_sizes_are_protocols_of_their_own(write):
    suite = read_suite(write(more="train_sizes = [100, 200]"))
    assert [protocol.train_size for protocol in suite.protocols] == [100, 200]


@pytest.mark.parametrize(
    ("parts", "sentence"),
    [
        ({"more": 'suite = "../../X"'}, "suite '../../X' cannot name a file"),
        ({"more": 'suite = "/tmp/X"'}, "suite '/tmp/X' cannot name a file"),
        ({"name": "a\x1bb"}, "cannot name a file"),
        ({"more": "suite = [1]"}, r"small.toml: suite is \[1\]: write text in quotes"),
        (
            {"of_method": 'entry = "fish"'},
            r"small.toml, \[methods.fisher\]: There is no method 'fish': choose from",
        ),
        (
            {"of_method": 'class = "no.such:Class"'},
            r"small.toml, \[methods.fisher\]: 'no.such:Class' cannot be imported",
        ),
        (
            {"more": 'readout_classes.tree = { class = "no.such:Class" }'},
            r"small.toml, \[readout_classes.tree\]: 'no.such:Class' cannot be",
        ),
        ({"more": "title = 3"}, r"small.toml is not TOML: .*line 5.*; correct it"),
    ],
)
def test_a_mistake_is_an_error_of_one_sentence(write, parts, sentence):
    with pytest.raises(ValueError, match=sentence) as error:
        read_suite(write(**parts))
    assert "\n" not in str(error.value)
    assert str(error.value).endswith(".")


def test_a_suite_needs_no_paper(write):
    text = SMALL.replace('paper = "naula"\n', "")
    assert read_suite(write(text=text)).paper == ""


def test_a_paper_must_be_known_where_a_table_is(write):
    text = SMALL.replace("naula", "nobody")
    assert read_suite(write(text=text)).paper == "nobody"
    with pytest.raises(ValueError, match="table is 'table1', but paper is 'nobody'"):
        read_suite(write(text=text, more='table = "table1"'))


BASE = """
title = "Base"
measures = ["macro_auc"]
budgets = ["5", "10"]
[protocol]
kind = "folds"
splits = 4
seed = 7
[tuning]
measure = "micro_f1"
[quick]
splits = 2
folds = 3
[data.traits]
scale = "minmax"
[methods.rfs]
params = { max_iter = 9 }
grid = { gamma = [1.0, 2.0] }
[methods.fisher]
"""


def test_tables_are_merged_entry_by_entry(write):
    base = write("base", text="{more}", more=BASE)
    more = f"""
extends = "{base}"
title = "More"
[protocol]
splits = 6
[quick]
splits = 1
[data.scene]
[data.traits]
budgets = ["3"]
[methods.rfs]
grid = {{ gamma = [5.0] }}
[methods.mdmr]
"""
    suite = read_suite(write("more", text="{more}", more=more))
    assert suite.title == "More"
    assert suite.protocols == (Protocol("folds", 6, seed=7),)
    assert (suite.splits, suite.tuning.folds, suite.tuning.measure) == (
        1,
        3,
        "micro_f1",
    )
    assert [part.name for part in suite.data] == ["traits", "scene"]
    assert (suite.data[0].scale, suite.data[0].budgets) == ("minmax", ("3",))
    own = {method.name: method.spec for method in suite.methods}
    assert list(own)[:3] == ["rfs", "fisher", "mdmr"]
    assert own["rfs"].params == {"max_iter": 9}
    assert own["rfs"].grid == {"gamma": [5.0]}  # a grid is replaced as a whole


def test_a_table_may_replace_that_of_the_base(write):
    base = write("base", text="{more}", more=BASE)
    more = f'extends = "{base}"\nreplaces = ["data", "protocol"]\n'
    more += '[protocol]\nkind = "published"\n[data.scene]'
    suite = read_suite(write("more", text="{more}", more=more))
    assert [part.name for part in suite.data] == ["scene"]
    assert suite.protocols == (Protocol("published"),)
    assert [method.name for method in suite.methods][:2] == ["rfs", "fisher"]


def test_suites_extend_each_other_to_any_depth_and_by_paths_from_their_folder(write):
    write("a", text="{more}", more=BASE)
    for name, base in zip("bcd", "abc", strict=True):
        last = write(
            name, text="{more}", more=f'extends = "{base}.toml"\nsuite = "{name}"'
        )
    suite = read_suite(last)
    assert (suite.name, suite.title, suite.splits) == ("d", "Base", 2)
    paper = read_suite(
        write(text="{more}", more='extends = "rlefs-table3"\n[methods.mrmr]')
    )
    assert "mrmr" in [method.name for method in paper.methods]
    assert (paper.paper, paper.table) == ("rlefs", "table3")


def test_a_suite_that_extends_itself_is_refused(write):
    write("a", text="{more}", more='extends = "b.toml"')
    path = write("b", text="{more}", more='extends = "./a.toml"')
    with pytest.raises(ValueError, match=r"b\.toml extends itself \(.*b\.toml -> .*a"):
        read_suite(path)
    own = write("own", text="{more}", more='extends = "own.toml"')
    with pytest.raises(ValueError, match="take one of the extends out"):
        read_suite(own)


def test_a_mistake_is_told_of_the_file_that_has_it(write):
    write("base", text="{more}", more=BASE.replace("seed = 7", "seed = -7"))
    path = write("more", text="{more}", more='extends = "base.toml"')
    with pytest.raises(ValueError, match=r"base\.toml, \[protocol\]: seed has -7"):
        read_suite(path)
    lost = write("lost", text="{more}", more='extends = "nowhere.toml"')
    with pytest.raises(ValueError, match=r"no suite file .*nowhere\.toml"):
        read_suite(lost)


def test_the_content_of_a_suite_is_a_file_of_the_same_suite(write, tmp_path):
    write("base", text="{more}", more=BASE)
    text = 'extends = "base.toml"\n[[claims]]\nsays = "s"\nbetter = "rfs"\n'
    text += 'worse = "fisher"\nmeasure = "macro_auc"'
    suite = read_suite(write("own", text="{more}", more=text))
    again = tmp_path / "again.toml"
    again.write_text(toml_text(suite.content))
    assert "extends" not in tomllib.loads(toml_text(suite.content))
    assert read_suite(str(again)) == replace(suite, name="again")


def test_names_of_suites_and_efforts():
    with pytest.raises(ValueError, match=r"There is no suite 'naula': choose from gu-"):
        read_suite("naula")
    with pytest.raises(ValueError, match=r"There is no suite file nowhere\.toml \(No"):
        read_suite("nowhere.toml")
    with pytest.raises(ValueError, match="effort='slow' is not known"):
        read_suite("naula-table2", "slow")


OWN = """
title = "A method of somebody else"
paper = ""
budgets = ["2", "5"]
readouts = ["ridge", "trees"]
measures = ["macro_auc", "hits"]
[protocol]
kind = "stratified"
splits = 2
[measure_classes.hits]
class = "outside.methods:HITS"
[data.mine]
path = "train.csv"
test = "test.csv"
labels = "y*"
[methods.spread]
class = "outside.methods:SpreadSelector"
params = { factor = 2.0 }
[methods.plain]
class = "outside.methods:PlainSelector"
[methods.importance]
class = "outside.methods:CorrelationImportance"
[readout_classes.trees]
class = "sklearn.ensemble:ExtraTreesClassifier"
params = { n_estimators = 5, random_state = 0 }
"""


@pytest.fixture
def own_suite(tmp_path):
    data = make_planted(90, 12, 3, n_relevant=4, random_state=0)
    write_csv(data.rows(np.arange(60)), tmp_path / "train.csv")
    write_csv(data.rows(np.arange(60, 90)), tmp_path / "test.csv")
    (tmp_path / "own.toml").write_text(OWN)
    return tmp_path / "own.toml"


def test_classes_and_files_of_the_user_in_a_suite(own_suite, tmp_path):
    suite = read_suite(str(own_suite))
    spread = next(method for method in suite.methods if method.name == "spread")
    assert spread.spec.name == "outside.methods:SpreadSelector"
    assert spread.estimator.factor == 2.0
    result = run_suite(str(own_suite), store=tmp_path / "runs.sqlite", jobs=2)
    assert not result.absent
    assert not len(result.failed), result.failed["error"].tolist()
    values = result.results.values
    assert {"spread", "plain", "importance", "random"} <= set(values["method"])
    assert {"ridge", "trees"} <= set(values["readout"])
    assert {"macro_auc", "hits"} <= set(values["measure"])
    alone = run_suite(str(own_suite), store=tmp_path / "alone.sqlite")
    pairs = [
        frame[~frame["measure"].str.endswith("seconds")]
        for frame in (values, alone.results.values)
    ]
    pd.testing.assert_frame_equal(*pairs)


def test_a_suite_that_is_only_looked_at_imports_nothing(own_suite):
    text = own_suite.read_text().replace("outside.methods", "no.such.module")
    own_suite.write_text(text)
    with pytest.raises(ValueError, match="cannot be imported"):
        read_suite(str(own_suite))
    with pytest.raises(ValueError, match="greater_is_better is missing: export"):
        read_suite(str(own_suite), import_classes=False)
    own_suite.write_text(
        text.replace("[measure_classes.hits]",
                     "[measure_classes.hits]\ngreater_is_better = true")
    )  # fmt: skip
    suite = read_suite(str(own_suite), import_classes=False)
    assert [method.name for method in suite.methods][:2] == ["spread", "plain"]


def test_the_content_of_a_suite_says_what_tables_need_of_a_measure(own_suite):
    content = read_suite(str(own_suite)).content
    assert content["measure_classes"]["hits"] == {
        "class": "outside.methods:HITS",
        "title": "share of hits",
        "greater_is_better": True,
        "digits": 3,
        "bounded": True,
    }


def test_a_measure_that_is_only_described_cannot_be_computed(write, monkeypatch):
    monkeypatch.setattr("labelsift.experiment.own.MEASURES", dict(MEASURES))
    described = """
    [measure_classes.regret]
    class = "no.such:REGRET"
    title = "regret"
    greater_is_better = false
    digits = 2
    bounded = false
    """
    path = write(text=SMALL.replace('["macro_auc"]', '["regret"]') + described)
    measure = read_suite(path, import_classes=False).own_measures["regret"]
    assert (measure.title, measure.greater_is_better, measure.digits) == (
        "regret",
        False,
        2,
    )
    with pytest.raises(ValueError, match="not imported: run its suite file"):
        measure.function(None, None)


def test_a_measure_has_the_name_of_its_table(own_suite):
    own_suite.write_text(own_suite.read_text().replace("hits", "misses"))
    with pytest.raises(
        ValueError,
        match=r"own.toml, \[measure_classes.misses\]: .* measure 'hits': name",
    ):
        read_suite(str(own_suite))


@pytest.mark.parametrize(
    ("kind", "count", "words"),
    [
        ("3x2", 6, "3 folds that preserve the share of every label, 2 times (seed 0)"),
        ("holdout:0.3x4", 4, "4 random splits, 30 % of the rows as test part (seed 0)"),
        ("blocks:3", 3, "3 folds of neighbouring rows"),
    ],
)
def test_protocols_are_written_as_on_the_command_line(own_suite, kind, count, words):
    text = own_suite.read_text()
    text = text.replace('kind = "stratified"\nsplits = 2', f'kind = "{kind}"')
    own_suite.write_text(text)
    suite = read_suite(str(own_suite))
    assert suite.splits == count
    (way,) = {planned.task.protocol for planned in plan(suite, find_data([suite])[0])}
    assert way == Protocol(kind, count)
    spec = find_data([suite])[0]["mine"]
    parts = splits(spec, way)
    for got, wanted in zip(parts, make_splits(kind, prepared(spec)), strict=True):
        assert np.array_equal(got[0], wanted[0])
        assert np.array_equal(got[1], wanted[1])
    assert _split_words(way) == words


def test_a_file_of_splits_freezes_a_protocol(own_suite, tmp_path):
    text = own_suite.read_text().replace('"stratified"', '"file"')
    own_suite.write_text(text.replace("[data.mine]", '[data.mine]\nsplits = "s.csv"'))
    rows = np.arange(90)
    pairs = [(rows[:50], rows[50:]), (rows[40:], rows[:40])]
    write_splits(pairs, tmp_path / "s.csv")
    result = run_suite(str(own_suite), store=tmp_path / "runs.sqlite")
    assert not len(result.failed), result.failed["error"].tolist()
    tasks = plan(result.suite, find_data([result.suite])[0])
    assert {planned.task.split for planned in tasks} == {0, 1}
    first = splits(tasks[0].task.data, tasks[0].task.protocol)
    assert np.array_equal(first[1][1], rows[:40])
    write_splits(pairs[::-1], tmp_path / "s.csv")
    again = plan(result.suite, find_data([result.suite])[0])
    assert not {p.task.key for p in tasks} & {p.task.key for p in again}
    write_splits(pairs[:1], tmp_path / "s.csv")
    with pytest.raises(ValueError, match="has 1 splits, the protocol 2"):
        plan(result.suite, find_data([result.suite])[0])


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ('"stratified"', '"file"', r"\[data.mine\]: the entry 'splits' is missing"),
        ('"stratified"\nsplits = 2', '"file"', r"\[protocol\]: the entry 'splits' is"),
        ("[data.mine]", '[data.mine]\nsplits = "s.csv"', "splits has no effect"),
        ('"stratified"', '"5y3"', "kind has '5y3': write one of folds"),
        ('["macro_auc", "hits"]', '["misses"]', "measures has 'misses': choose from"),
        ('class = "outside.methods:HITS"', "", r"\[measure_classes.hits\]: the entry"),
    ],
)
def test_mistakes_about_splits_and_measures(own_suite, old, new, sentence):
    own_suite.write_text(own_suite.read_text().replace(old, new))
    with pytest.raises(ValueError, match=sentence):
        read_suite(str(own_suite))
