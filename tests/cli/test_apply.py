# SPDX-License-Identifier: BSD-3-Clause
import json

import numpy as np
import pandas as pd
import pytest

from labelsift.datasets import load_dataset, open_data
from labelsift.model_selection import load_selection


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
        ({"version": 3}, "of version 3, and this labelsift reads version 2"),
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
