# SPDX-License-Identifier: BSD-3-Clause
import json

import numpy as np
import pytest

from labelsift.cli import app
from labelsift.datasets import (
    load_dataset,
    make_planted,
    read_arff,
    read_npz,
    write_npz,
)


@pytest.fixture
def command(capfd, monkeypatch, tmp_path):
    """Run a command as a user does; give its exit code and what it printed."""
    monkeypatch.delenv("LABELSIFT_DATA", raising=False)
    monkeypatch.setenv("LABELSIFT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("LABELSIFT_OFFLINE", "1")

    def call(*arguments):
        code = app.run(["data", *map(str, arguments)])
        out, err = capfd.readouterr()
        return code, out, err

    return call


@pytest.fixture
def doubtful(tmp_path):
    """A file with constant and duplicate features and empty rows."""
    X = np.array([[1, 5, 1, 0], [2, 5, 2, 1], [0, 0, 0, 0], [3, 5, 3, 0]], float)
    X[:, 3] = 0
    Y = [[1, 1], [1, 0], [0, 0], [1, 1]]
    np.savez(tmp_path / "toy.npz", X=X, Y=Y)
    return tmp_path / "toy.npz"


def test_list(command, tmp_path):
    data = make_planted(9, 4, 2, n_relevant=2, random_state=0)
    write_npz(data, tmp_path / "home" / "mine" / "data.npz", licence="my own")
    code, out, _ = command("list", "--data-home", tmp_path / "home")
    assert code == 0
    lines = {line.split()[0]: line for line in out.splitlines()[1:]}
    assert lines["mine"].split()[1:4] == ["9", "4", "2"]
    assert "my own" in lines["mine"]
    assert "downloaded on request" in lines["rcv1"]
    assert "804414" in lines["rcv1"]


def test_list_as_json(command):
    _, out, _ = command("list", "--json")
    first = json.loads(out)[0]
    assert first["name"] == "traits"
    assert first["n_samples"] == 1797
    assert first["licence"]


def test_info(command, doubtful):
    code, out, _ = command("info", doubtful)
    assert code == 0
    rows = [line.split() for line in out.splitlines()]
    for row in (
        ["samples", "4"],
        ["features", "4,", "dense"],
        ["cardinality", "1.25"],
        ["density", "0.625"],
        ["y0", "3", "75.0%"],
        ["y0", "y1", "2", "66.7%"],
        ["constant", "features", "1", "x3"],
        ["duplicate", "features", "1", "x2", "=", "x0"],
        ["rows", "of", "zeros", "1", "2"],
        ["rows", "without", "a", "label", "1", "2"],
        ["missing", "values", "0"],
    ):
        assert row in rows


def test_info_as_json(command, doubtful):
    _, out, _ = command("info", doubtful, "--json")
    document = json.loads(out)
    assert document["co_occurrence"] == [[3, 2], [2, 2]]
    assert document["label_names"] == ["y0", "y1"]
    assert document["constant_features"] == ["x3"]
    assert document["duplicate_features"] == [["x2", "x0"]]
    assert document["empty_rows"] == [2]
    assert document["checksum"] == read_npz(doubtful).checksum


def test_long_lists_are_cut(command):
    _, out, _ = command("info", "traits", "--pairs", "1")
    assert "pixel_0_0, pixel_4_0, pixel_4_7" in out
    pairs = out.partition("Labels together")[2].partition("Suspect")[0]
    assert len(pairs.strip().splitlines()) == 3


@pytest.mark.parametrize("suffix", ["npz", "arff", "svm", "csv", "tsv", "parquet"])
def test_convert_there_and_back(command, tmp_path, suffix):
    middle, end = tmp_path / f"traits.{suffix}", tmp_path / "end.npz"
    code, out, _ = command("convert", "traits", middle, "--drop", "pixel_0_*")
    assert code == 0
    assert "1797 samples, 56 features, 6 labels" in out.replace("\n", " ")
    traits = load_dataset("traits")
    tables = ("csv", "tsv", "parquet")
    names = [f"--labels={name}" for name in traits.label_names if suffix in tables]
    assert command("convert", middle, end, *names)[0] == 0
    back = read_npz(end)
    X = back.X if suffix != "svm" else back.X.toarray()
    np.testing.assert_array_equal(X, traits.X[:, 8:])
    np.testing.assert_array_equal(back.Y, traits.Y)


def test_convert_replaces_on_demand_only(command, tmp_path):
    target = tmp_path / "a.arff"
    target.write_text("precious")
    code, _, err = command("convert", "traits", target)
    assert code == 2
    assert "exists already: pass --force" in err
    assert target.read_text() == "precious"
    assert command("convert", "traits", target, "--force")[0] == 0
    assert read_arff(target).n_samples == 1797


def test_labels_may_be_an_xml_file(command, tmp_path):
    text = "@relation r\n@attribute x real\n@attribute y {0,1}\n@data\n1,0\n2,1\n"
    (tmp_path / "a.arff").write_text(text)
    (tmp_path / "b.xml").write_text("<labels><label name='y'/></labels>")
    code, out, _ = command(
        "info", tmp_path / "a.arff", "--labels", tmp_path / "b.xml", "--json"
    )
    assert code == 0
    assert json.loads(out)["label_names"] == ["y"]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["info", "nowhere"], "There is no data set 'nowhere'"),
        (["info", "nowhere.csv"], "does not say which columns are labels"),
        (["info", "scene"], "scene is not available, downloads are off"),
        (["convert", "traits", "a.doc"], "no suffix of a format"),
        (["convert", "traits", "a.csv", "--drop", "zzz"], "no column 'zzz'"),
        (["list", "--data-home", "nowhere"], "does not exist: check data_home"),
    ],
)
def test_mistakes_get_a_sentence(command, monkeypatch, tmp_path, arguments, sentence):
    monkeypatch.chdir(tmp_path)
    code, out, err = command(*arguments)
    assert code == 2
    assert sentence in " ".join(err.split())
    assert "Traceback" not in out + err
    assert not list(tmp_path.glob("a.*"))


def test_a_hostile_file_gets_a_sentence_too(command, tmp_path):
    (tmp_path / "a.svm").write_bytes(b"1 1:1\n1 \xff:2\n")
    code, _, err = command("info", tmp_path / "a.svm")
    assert code == 2
    assert "a.svm, line 2: byte 3 is not UTF-8" in err


def test_example_writes_a_table_once(command, tmp_path):
    target = tmp_path / "tickets.csv"
    code, out, _ = command("example", target)
    assert code == 0
    assert f"labelsift look {target}" in out
    code, _, err = command("example", target)
    assert code == 2
    assert "exists already: pass --force" in err
    assert command("example", target, "--force")[0] == 0
