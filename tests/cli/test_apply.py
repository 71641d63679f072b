# SPDX-License-Identifier: BSD-3-Clause
import json

import numpy as np
import pandas as pd
import pytest

from labelsift.datasets import chunks, load_dataset, open_data
from labelsift.model_selection import load_selection, save_selection
from labelsift.selection import FisherScore


@pytest.fixture
def saved(command, tmp_path):
    """Four pixels of traits, saved by the command line."""
    path = tmp_path / "selector.json"
    code, _, err = command("select", "traits", "-k", 4, "--save", path)
    assert code == 0
    assert f"Selection: {path}" in err
    return path


def frame_of(traits, labels=True):
    frame = pd.DataFrame(traits.X, columns=traits.feature_names)
    frame = frame[frame.columns[::-1]]
    if labels:
        frame[list(traits.label_names)] = traits.Y
    return frame


def test_select_saves_what_it_shows(command, tmp_path):
    path = tmp_path / "s.json"
    _, out, _ = command(
        "select", "traits", "--method", "greedy-rls", "-k", 3, "--json", "--save", path
    )
    shown, found = json.loads(out), load_selection(path)
    assert [row["index"] for row in shown["selected"]] == found.order.tolist()
    assert found.method == "greedy-rls"
    assert found.label_names == load_dataset("traits").label_names
    assert found.checksum == shown["checksum"]


def test_without_out_the_names_are_shown(command, saved):
    code, out, _ = command("apply", saved, "traits")
    assert code == 0
    assert out.split() == list(load_selection(saved).get_feature_names_out())


@pytest.mark.parametrize("suffix", [".npz", ".csv", ".arff"])
def test_the_reduced_data_are_written(command, saved, tmp_path, suffix):
    out = tmp_path / f"reduced{suffix}"
    code, said, err = command("apply", saved, "traits", "--out", out)
    assert code == 0, err
    assert "1797 samples, 4 of 64 features, 6 labels" in said
    labels = load_dataset("traits").label_names if suffix == ".csv" else None
    reduced = open_data(out, labels=labels)
    traits = load_dataset("traits")
    expected = load_selection(saved).transform(traits.X)
    np.testing.assert_array_equal(reduced.X, expected)
    np.testing.assert_array_equal(reduced.Y, traits.Y)


def test_a_table_in_another_order_with_and_without_labels(command, saved, tmp_path):
    traits = load_dataset("traits")
    expected = load_selection(saved).transform(traits.X)
    for labels in (True, False):
        source, out = tmp_path / f"{labels}.csv", tmp_path / f"{labels}.npz"
        frame_of(traits, labels).to_csv(source, index=False)
        code, said, err = command("apply", saved, source, "--out", out)
        assert code == 0, err
        assert f"{6 if labels else 0} labels" in said
        np.testing.assert_array_equal(open_data(out).X, expected)


def test_an_existing_file_is_kept_without_force(command, saved, tmp_path):
    out = tmp_path / "x.npz"
    out.write_text("mine")
    code, _, err = command("apply", saved, "traits", "--out", out)
    assert code == 2
    assert "--force" in err
    assert out.read_text() == "mine"
    assert command("apply", saved, "traits", "--out", out, "--force")[0] == 0
    assert open_data(out).n_features == 4


def test_data_that_lack_features(command, saved, tmp_path):
    names = load_selection(saved).get_feature_names_out()
    source = tmp_path / "few.csv"
    frame_of(load_dataset("traits")).drop(columns=names[1:]).to_csv(source, index=False)
    out = tmp_path / "x.csv"
    code, _, err = command("apply", saved, source, "--out", out)
    assert code == 2
    assert f"lack 3 of the 4 selected features: '{names[1]}'" in err
    assert not out.exists()


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"version": 4}, "of version 4, and this labelsift reads version 3"),
        ({"format": "other"}, "is not a selector file"),
        ({"order": [99]}, "damaged selector file, its 'order'"),
    ],
)
def test_wrong_selector_files(command, saved, tmp_path, change, sentence):
    wrong = tmp_path / "wrong.json"
    wrong.write_text(json.dumps(json.loads(saved.read_text()) | change))
    code, out, err = command("apply", wrong, "traits")
    assert code == 2
    assert sentence in " ".join(err.split())
    assert not out


def test_a_selector_that_does_not_exist(command, tmp_path):
    code, _, err = command("apply", tmp_path / "none.json", "traits")
    assert code == 2
    assert "does not exist" in err


def test_a_place_that_cannot_be_written(command, tmp_path):
    (tmp_path / "file").write_text("")
    code, _, err = command("select", "traits", "--save", tmp_path / "file" / "x.json")
    assert code == 2
    assert "x.json cannot be written" in " ".join(err.split())


@pytest.fixture
def table(tmp_path):
    """Forty rows with an id, a number with gaps, a category and a label."""
    rng = np.random.default_rng(0)
    size = rng.normal(size=40).round(3)
    frame = pd.DataFrame(
        {
            "id": [f"00{i}" for i in range(40)],
            "size": size,
            "plan": rng.choice(["01", "b"], 40),
            "extra": rng.normal(size=40),
            "tag": np.where(size > 0, "yes", "no"),
        }
    )
    frame.to_csv(tmp_path / "t.csv", index=False)
    return frame


@pytest.fixture
def model(command, table, tmp_path):
    """Two of its columns, saved."""
    path = tmp_path / "model.json"
    place = (tmp_path / "t.csv", "--labels", "tag", "--drop", "id,extra")
    code, _, err = command("select", *place, "-k", 2, "--save", path)
    assert code == 0, err
    return path


def applied(command, *arguments):
    code, out, err = command("apply", *arguments)
    assert code == 0, err
    return out


def test_only_the_selected_columns_are_needed_and_ids_come_along(
    command, table, model, tmp_path
):
    new, out = tmp_path / "new.csv", tmp_path / "out.csv"
    table[["plan", "id", "size"]].to_csv(new, index=False)
    said = applied(command, model, new, "--carry", "id", "--out", out)
    assert "40 samples, 2 of 2 features, 0 labels" in said
    written = pd.read_csv(out, dtype=str)
    assert list(written.columns) == ["id", "size", "plan"]
    assert written["id"].tolist() == table["id"].tolist()
    assert written["plan"].tolist() == table["plan"].tolist()


def test_labels_stay_where_there_are_any(command, table, model, tmp_path):
    out = tmp_path / "out.csv"
    said = applied(command, model, tmp_path / "t.csv", "--out", out)
    assert "1 labels" in said
    assert list(pd.read_csv(out).columns) == ["size", "plan", "tag"]


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".parquet"])
@pytest.mark.parametrize("what", ["--predict", "--scores", "--prepared"])
def test_parts_of_any_size_give_the_same(
    command, table, model, tmp_path, monkeypatch, suffix, what
):
    """The value 01 alone in a part is still a text."""
    files = []
    for cells in (2, 2**20):
        monkeypatch.setattr(chunks, "CELLS", cells)
        out = tmp_path / f"{cells}{suffix}"
        applied(command, model, tmp_path / "t.csv", what, "--out", out, "--carry", "id")
        reader = {".csv": pd.read_csv, ".tsv": pd.read_table}.get(suffix)
        files.append(pd.read_parquet(out) if reader is None else reader(out))
    pd.testing.assert_frame_equal(*files)
    saved = load_selection(model)
    if what == "--predict":
        assert files[0]["tag"].tolist() == saved.predict(table).ravel().tolist()
        right = files[0]["tag"] == (table["tag"] == "yes")
        assert right.mean() > 0.9
    if what == "--prepared":
        expected = saved.preparation.transform(table)
        np.testing.assert_allclose(files[0].drop(columns="id"), expected)


def test_data_that_are_no_table_predict_too(command, saved, tmp_path):
    out = tmp_path / "out.csv"
    said = applied(command, saved, "traits", "--predict", "--out", out)
    assert "1797 samples, 6 predicted labels from 4 of 64 features" in said
    traits = load_dataset("traits")
    expected = load_selection(saved).predict(traits.X)
    np.testing.assert_array_equal(pd.read_csv(out), expected)


def test_a_cell_that_is_no_number_is_named_with_its_row(
    command, table, model, tmp_path, monkeypatch
):
    monkeypatch.setattr(chunks, "CELLS", 6)
    table["size"] = table["size"].astype(object)
    table.loc[16, "size"] = "many"
    new, out = tmp_path / "new.csv", tmp_path / "out.csv"
    table.to_csv(new, index=False)
    code, _, err = command("apply", model, new, "--predict", "--out", out)
    assert code == 2
    said = " ".join(err.split())
    assert "Column 'size' held numbers when the selection was made" in said
    assert "holds 'many' in row 17: fix it" in said
    assert not out.exists()


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--predict"], "--predict writes a table: name one with --out"),
        (["--predict", "--out", "x.npz"], "ending in .csv, .tsv, .parquet"),
        (["--carry", "nope", "--out", "x.csv"], "the table has no column 'nope'"),
        (
            ["--carry", "tag", "--predict", "--out", "x.csv"],
            "a label that is predicted",
        ),
    ],
)
def test_mistakes_of_production(command, model, tmp_path, options, sentence):
    options = [tmp_path / text if text.startswith("x.") else text for text in options]
    code, _, err = command("apply", model, tmp_path / "t.csv", *options)
    assert code == 2
    assert sentence in " ".join(err.split())


def test_nothing_to_carry_where_there_is_no_table(command, saved, tmp_path):
    out = tmp_path / "x.csv"
    code, _, err = command("apply", saved, "traits", "--carry", "id", "--out", out)
    assert code == 2
    assert "traits is none" in err


def test_a_selection_of_python_that_does_not_predict(command, tmp_path):
    traits, path = load_dataset("traits"), tmp_path / "fisher.json"
    fisher = FisherScore(n_features_to_select=2).fit(traits.X, traits.Y)
    save_selection(fisher, path, feature_names=traits.feature_names)
    code, _, err = command(
        "apply", path, "traits", "--predict", "--out", tmp_path / "x.csv"
    )
    assert code == 2
    assert "has no weights" in err


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".parquet"])
def test_what_is_written_can_be_read_again(command, table, model, tmp_path, suffix):
    """A table with semicolons and decimal commas stays one, or becomes numbers."""
    source, out = tmp_path / "de.csv", tmp_path / f"reduced{suffix}"
    table.to_csv(source, index=False, sep=";", decimal=",")
    applied(command, model, source, "--out", out, "--carry", "id")
    if suffix == ".csv":
        assert out.read_text().splitlines()[0] == "id;size;plan;tag"
    results = []
    for place in (source, out):
        scores = tmp_path / "scores.csv"
        applied(command, model, place, "--scores", "--out", scores, "--force")
        results.append(pd.read_csv(scores))
    pd.testing.assert_frame_equal(*results)
