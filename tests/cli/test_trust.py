# SPDX-License-Identifier: BSD-3-Clause
import json

import pytest

from labelsift.datasets import make_planted, write_csv


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    path = tmp_path_factory.mktemp("planted") / "a.csv"
    data = make_planted(300, 40, 3, n_relevant=12, noise=0.3, random_state=0)
    write_csv(data, path)
    return path


def select(command, source, *words):
    return command("select", source, "--labels", "y?", "--method", "fisher", *words)


def test_explain(command, source):
    code, out, _ = select(command, source, "-k", "4", "--explain")
    assert code == 0
    assert "chosen again on" in out
    for head in ("without it", "best substitute", "stands for", "serves"):
        assert head in out
    assert "swapping until the error here falls no more makes it worse" in out


def test_explain_for_a_program(command, source):
    code, out, _ = select(command, source, "-k", "3", "--explain", "--json")
    document = json.loads(out)
    assert code == 0
    told = document["explanation"]
    assert [f["name"] for f in told["features"]] == [
        row["name"] for row in document["selected"]
    ]
    assert told["threshold"] == 0.75
    assert told["meaning"] in " ".join(out.split())
    assert {"again", "removal_loss", "serves", "stands_for"} <= told["features"][
        0
    ].keys()


def test_pfer(command, source, tmp_path):
    saved = tmp_path / "stable.json"
    code, out, _ = select(command, source, "--pfer", "2", "--save", saved)
    assert code == 0
    assert "chosen again" in out
    assert "should be expected to be there by luck" in out
    order = json.loads(saved.read_text())["order"]
    assert f"{len(order)} of 40 features" in out
    code, _, err = command("apply", saved, source, "--labels", "y?")
    assert code == 0, err


def test_fdr(command, source):
    code, out, _ = select(command, source, "--fdr", "0.25")
    assert code == 0
    assert "by knockoffs" in out
    assert "features named, about 1 in 4 at most should be expected" in out


def test_nothing_that_can_be_named(command, source, tmp_path):
    saved = tmp_path / "none.json"
    code, out, _ = select(command, source, "--fdr", "0.01", "--save", saved)
    assert code == 0
    assert "Nothing can be named" in out
    assert not saved.exists()


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--pfer", "1", "-k", "3"], "--pfer decides which features are chosen"),
        (["--fdr", ".2", "-k", "3"], "--fdr decides which features are chosen"),
        (["--pfer", "1", "--fdr", ".2"], "--pfer and --fdr are two kinds of bounds"),
        (["--pfer", "1", "--max-cost", "3"], "leave --max-cost out"),
        (["--fdr", "1"], "--fdr"),
        (["--pfer", "0"], "--pfer"),
    ],
)
def test_mistakes(command, source, words, sentence):
    code, _, err = select(command, source, *words)
    assert code == 2
    assert sentence in " ".join(err.split())
