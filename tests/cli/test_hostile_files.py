# SPDX-License-Identifier: BSD-3-Clause
"""Paths that are no files, and one bad file among good ones: a sentence, no waiting."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from labelsift.datasets import load_dataset, write_npz

SUFFIXES = ["arff", "csv", "tsv", "parquet", "npz", "svm"]


def run(*words):
    """In a process of its own, ended where it waits for ever."""
    code = "from labelsift.cli import main; main()"
    return subprocess.run(
        [sys.executable, "-c", code, *map(str, words)],
        capture_output=True,
        text=True,
        timeout=100,
    )


@pytest.fixture
def pipe(tmp_path):
    def make(name):
        os.mkfifo(tmp_path / name)
        return tmp_path / name

    return make


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_pipe_as_data(command, pipe, suffix):
    path = pipe(f"a.{suffix}")
    code, _, err = command("data", "info", path, "--labels", "y")
    assert code == 2
    assert f"{path} is a pipe or a device: pass a regular file." in err


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="needs /dev/zero")
@pytest.mark.parametrize("suffix", ["csv", "npz"])
def test_a_device_without_end_as_data(tmp_path, suffix):
    link = tmp_path / f"a.{suffix}"
    link.symlink_to("/dev/zero")
    done = run("data", "info", link, "--labels", "y")
    assert done.returncode == 2
    assert "is a pipe or a device" in done.stderr


def test_a_pipe_as_labels_names_or_selection(command, tmp_path, pipe):
    (tmp_path / "a.arff").write_text("@relation a\n@attribute x numeric\n@data\n1\n")
    xml = pipe("a.xml")
    code, _, err = command("data", "info", tmp_path / "a.arff")
    assert (code, f"{xml} is a pipe" in err) == (2, True)
    np.savez(tmp_path / "a.npz", X=np.eye(3), Y=np.eye(3))
    meta = pipe("meta.json")
    code, _, err = command("data", "info", tmp_path / "a.npz")
    assert (code, f"{meta} is a pipe" in err) == (2, True)
    saved = pipe("selector.json")
    code, _, err = command("apply", saved, "traits")
    assert (code, f"{saved} is a pipe" in err) == (2, True)
    costs = pipe("costs.csv")
    code, _, err = command("compare", "traits", "--costs", costs)
    assert (code, f"{costs} is a pipe" in err) == (2, True)
    suite = pipe("suite.toml")
    code, _, err = command("bench", "run", suite, "--store", tmp_path / "r")
    assert (code, f"{suite} is a pipe" in " ".join(err.split())) == (2, True)


def test_a_bad_set_leaves_the_list_and_the_doctor_alone(command, tmp_path, monkeypatch):
    for name, content in [("bad", b"no zip"), ("empty", b"")]:
        (tmp_path / name).mkdir()
        (tmp_path / name / "data.npz").write_bytes(content)
    (tmp_path / "pipe").mkdir()
    os.mkfifo(tmp_path / "pipe" / "data.npz")
    write_npz(load_dataset("traits"), tmp_path / "good" / "data.npz")
    monkeypatch.setenv("LABELSIFT_DATA", str(tmp_path))
    code, out, _ = command("data", "list")
    assert code == 0
    assert out.count("cannot be read:") == 3
    assert "good" in out
    assert command("data", "list", "--json")[0] == 0
    monkeypatch.setattr("labelsift.cli.doctor.kernel_modules", list)
    assert command("doctor")[0] == 0
    code, _, err = command("select", "bad")
    assert code == 2
    assert "cannot be read as an npz file" in err
