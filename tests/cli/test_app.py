# SPDX-License-Identifier: BSD-3-Clause
import json
import subprocess
import sys

import numpy as np
import pytest

from labelsift.cli.app import app
from labelsift.selection import METHODS

# A process in which some packages are not installed.
WITHOUT = """
import sys
from importlib.machinery import PathFinder

class Finder(PathFinder):
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        if name.partition(".")[0] not in {packages}:
            return super().find_spec(name, path, target)

sys.meta_path = [Finder if f is PathFinder else f for f in sys.meta_path]
"""
EXTRAS = ("pandas", "plotly", "jinja2", "matplotlib")
MAIN = "from labelsift.cli import main; main()"


def run_process(*arguments, code=MAIN, **options):
    return run_python("-c", code, *map(str, arguments), **options)


def run_python(*arguments, **options):
    return subprocess.run(
        [sys.executable, *arguments],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        **options,
    )


def test_select_as_a_process_prints_names_and_scores():
    arguments = ("select", "traits", "--method", "fisher", "-k", "3")
    done = run_python("-m", "labelsift", *arguments)
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
        "gain": pytest.approx(0.129, abs=1e-3),
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
    code, _, err = command("select", "traits", "--picture", str(picture))
    assert code == 0
    assert f"Picture of the chosen pixels: {picture}" in err
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_methods_lists_every_method(command):
    code, out, _ = command("methods")
    assert code == 0
    rows = [line.split()[:2] for line in out.splitlines()[2:]]
    expected = [[name, cls.__name__] for name, cls in sorted(METHODS.items())]
    assert [row for row in rows if row in expected] == expected


def test_the_help_has_a_line_of_every_command(command):
    code, out, _ = command("--help")
    assert code == 0
    lines = out.partition("Commands:\n")[2].splitlines()
    assert [line.split(maxsplit=1) for line in lines] == [
        [name, line] for name, (_, line) in app.lines.items()
    ]


@pytest.mark.parametrize("name", app.list_commands(None))
def test_every_command_can_be_asked_for_help(command, name):
    code, out, _ = command(name, "--help")
    assert code == 0
    first = app.lines[name][1].split()[0]
    assert f"Usage: labelsift {name} " in out
    assert f"  {first} " in out


def test_the_help_is_there_at_once():
    code = (
        "import sys; from labelsift.cli.app import run; run(['--help']); "
        "print(*sys.modules, file=sys.stderr)"
    )
    loaded = run_process(code=code).stderr.split()
    assert "click" in loaded
    assert not {"numpy", "sklearn", "pandas", "rich"} & set(loaded)


def test_a_command_imports_what_it_needs_alone():
    code = (
        "import sys; from labelsift.cli.app import run; run(['methods']); "
        "print(*sys.modules, file=sys.stderr)"
    )
    loaded = run_process(code=code).stderr.split()
    assert "labelsift.cli.select" in loaded
    assert not [name for name in loaded if name.startswith("labelsift.compare")]
    assert "labelsift.cli.compare" not in loaded
    assert "labelsift.experiment" not in loaded


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--help"], "compare"),
        (["methods"], "FisherScore"),
        (["select", "traits", "-k", "3", "--json"], "pixel_5_2"),
        (["data", "info", "traits"], "closed_loop"),
        (["doctor"], "missing jinja2, plotly, pandas"),
    ],
)
def test_what_needs_no_extra_works_without(arguments, words):
    done = run_process(*arguments, code=WITHOUT.format(packages=EXTRAS) + MAIN)
    assert done.returncode == 0, done.stderr
    assert words in done.stdout
    assert not done.stderr.strip()


@pytest.mark.parametrize("package", ["pandas", "plotly", "jinja2"])
def test_a_comparison_names_the_extra_before_it_begins(package):
    code = WITHOUT.format(packages=[package]) + MAIN
    done = run_process("compare", "traits", code=code)
    assert done.returncode == 2
    assert done.stderr == (
        f"Error: labelsift compare needs the package '{package}': install it with pip "
        "install 'labelsift[report]'.\n"
    )


def test_doctor(command, monkeypatch):
    monkeypatch.delenv("LABELSIFT_DATA", raising=False)
    code, out, _ = command("doctor")
    assert code == 0
    for word in (
        "numba",
        "cores of the machine",
        "plot",
        "installed",
        "3 sets present",
    ):
        assert word in out


@pytest.mark.parametrize(
    ("architecture", "avx512", "variable", "told"),
    [
        ("Haswell", True, "", "set OPENBLAS_CORETYPE=SkylakeX for faster"),
        ("Haswell", True, "Haswell", "unset OPENBLAS_CORETYPE, which asks for it, for"),
        ("Haswell", False, "", ""),
        ("SkylakeX", True, "", ""),
        ("SkylakeX", True, "SkylakeX", ""),
    ],
)
def test_doctor_knows_of_faster_linear_algebra(
    command, monkeypatch, architecture, avx512, variable, told
):
    pool = {
        "user_api": "blas",
        "internal_api": "openblas",
        "architecture": architecture,
        "num_threads": 1,
    }
    at = "labelsift.cli.doctor."
    monkeypatch.setattr(at + "kernel_modules", lambda: [])
    monkeypatch.setattr(at + "threadpool_info", lambda: [pool])
    monkeypatch.setattr(at + "get_host_cpu_features", lambda: {"avx512f": avx512})
    monkeypatch.setenv("OPENBLAS_CORETYPE", variable)
    code, out, _ = command("doctor")
    assert code == 0
    assert ("OPENBLAS_CORETYPE" in out) == bool(told)
    assert told in " ".join(out.split())


def test_doctor_compiles_in_parallel(command, monkeypatch):
    monkeypatch.setattr("labelsift.cli.doctor.kernel_modules", lambda: ["auc", "hinge"])
    code, out, _ = command("doctor", "--warm")
    assert code == 0
    assert out.startswith("2 kernel modules are ready (")


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
        (["select", "traits", "-k", "0"], "'0' is not a budget: write 20"),
        (["select", "traits", "-k", "many"], "write 20, 5%, 0.05 or auto"),
        (["select", "traits", "-k", "1:9"], "'1:9' is not a budget: write 20"),
        (["select", "traits", "--method", "magic"], "magic"),
        (
            ["select", "traits", "--param", "beta=1"],
            "has no parameter 'beta'",
        ),
        (["select", "traits", "--max-cost", "3"], "max_cost=3 needs costs"),
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
    assert "bug of labelsift" in err


def test_ctrl_c(command, monkeypatch):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("labelsift.cli.select.open_source", interrupted)
    code, out, err = command("select", "traits")
    assert code == 130
    assert (out, err.split()) == ("", ["Stopped."])


def test_without_its_extra_the_command_says_what_to_install(tmp_path):
    (tmp_path / "click.py").write_text("raise ModuleNotFoundError(name='click')")
    done = run_process("methods", env={"PYTHONPATH": str(tmp_path)})
    assert done.returncode == 1
    assert "pip install 'labelsift[cli]'" in done.stderr
