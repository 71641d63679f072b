# SPDX-License-Identifier: BSD-3-Clause
import json
import subprocess
import sys

import numpy as np
import pytest


def run_process(*arguments, **options):
    return subprocess.run(
        [sys.executable, "-c", "from labelsift.cli import main; main()", *arguments],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        **options,
    )


def test_select_as_a_process_prints_names_and_scores():
    done = run_process("select", "traits", "--method", "fisher", "-k", "3")
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    assert lines[0].startswith("3 of 64 features of traits (6 labels) by fisher")
    assert [line.split()[1] for line in lines[2:]] == [
        "pixel_5_2",
        "pixel_5_4",
        "pixel_7_2",
    ]


@pytest.mark.parametrize(("budget", "count"), [("5", 5), ("50%", 32), ("0.25", 16)])
def test_budgets_and_json(command, budget, count):
    code, out, _ = command("select", "traits", "-k", budget, "--json")
    document = json.loads(out)
    assert code == 0
    assert len(document["selected"]) == count
    assert document["selected"][0] == {
        "rank": 1,
        "index": 42,
        "name": "pixel_5_2",
        "score": pytest.approx(0.184, abs=1e-3),
    }


def test_parameters_reach_the_method(command):
    orders = [
        json.loads(
            command(
                "select", "traits", "--method", "random", "--json",
                "--param", f"random_state={seed}",
            )[1]
        )["selected"]
        for seed in (0, 0, 1)
    ]  # fmt: skip
    assert orders[0] == orders[1] != orders[2]


def test_a_file_of_ones_own(command, tmp_path, rng):
    Y = rng.integers(2, size=(30, 2), dtype=np.uint8)
    X = np.column_stack([rng.normal(size=(30, 3)), Y[:, 0] + rng.normal(size=30) / 9])
    np.savez(tmp_path / "mine.npz", X=X, Y=Y)
    code, out, _ = command("select", str(tmp_path / "mine.npz"), "-k", "1", "--json")
    assert code == 0
    assert json.loads(out)["selected"][0]["name"] == "x3"


def test_the_picture_is_written(command, tmp_path):
    picture = tmp_path / "pixels.png"
    assert command("select", "traits", "--picture", str(picture))[0] == 0
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_methods_lists_every_method(command):
    _, out, _ = command("methods")
    assert "FisherScore" in out
    assert "RandomRanking" in out


def test_doctor(command, monkeypatch):
    monkeypatch.delenv("LABELSIFT_DATA", raising=False)
    code, out, _ = command("doctor")
    assert code == 0
    for word in ("numba", "cores of the machine", "plot", "installed", "1 sets found"):
        assert word in out


def test_data_list_and_info(command):
    assert "traits" in command("data", "list")[1]
    _, out, _ = command("data", "info", "traits")
    assert "closed_loop" in out
    assert "713" in out


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["select", "no-such-set"], "no-such-set"),
        (["select", "no-such.npz"], "does not exist"),
        (["select", "traits", "-k", "0"], "'0' is out of range"),
        (["select", "traits", "-k", "many"], "write 20, 5% or 0.05"),
        (["select", "traits", "--method", "magic"], "magic"),
        (["select", "traits", "--param", "alpha=1"], "fisher has no parameter 'alpha'"),
        (["select", "traits", "--param", "alpha"], "not of the form name=value"),
        (["select", "traits", "--picture", "nowhere/x.png"], "nowhere"),
        (["data", "info", "no-such-set"], "no-such-set"),
        (["frobnicate"], "No such command 'frobnicate'"),
    ],
)
def test_mistakes_get_a_sentence_and_exit_code_2(command, arguments, sentence):
    code, out, err = command(*arguments)
    assert code == 2
    assert sentence in err
    assert "Traceback" not in out + err


def test_warnings_are_plain_sentences(command):
    code, _, err = command("select", "traits", "-k", "99", "--json")
    assert code == 0
    assert err.startswith("Warning: n_features_to_select=99 is more than")
    assert "UserWarning" not in err


def test_names_are_shown_literally(command, tmp_path, rng):
    folder = tmp_path / "odd"
    folder.mkdir()
    np.savez(folder / "data.npz", X=rng.normal(size=(9, 2)), Y=np.eye(9, 2, dtype="u1"))
    names = ["[red]x[/red]\x1b[2J", "ж" * 300]
    (folder / "meta.json").write_text(json.dumps({"feature_names": names}))
    _, out, _ = command("select", str(folder / "data.npz"), "-k", "2")
    assert "[red]x[/red]\\x1b[2J" in out
    assert out.count("ж") == 300


def test_a_fault_of_ours_is_called_one(command, monkeypatch):
    def broken(*_, **__):
        raise KeyError("inner")

    monkeypatch.setattr("labelsift.cli.select.open_source", broken)
    code, _, err = command("select", "traits")
    assert code == 2
    assert "fault of labelsift" in err


def test_ctrl_c(command, monkeypatch):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("labelsift.cli.select.open_source", interrupted)
    assert command("select", "traits")[0] == 130


def test_without_its_extra_the_command_says_what_to_install(tmp_path):
    (tmp_path / "click.py").write_text("raise ModuleNotFoundError(name='click')")
    done = run_process("methods", env={"PYTHONPATH": str(tmp_path)})
    assert done.returncode == 1
    assert "pip install 'labelsift[cli]'" in done.stderr
