# SPDX-License-Identifier: BSD-3-Clause
"""OpenBLAS's code for AVX-512, on processors that OpenBLAS does not know."""

import subprocess
import sys

import pytest

from labelsift.core import openblas

ALL = "fpu avx2 avx512f avx512dq avx512cd avx512bw avx512vl"
AMD = f"processor\t: 0\nvendor_id\t: AuthenticAMD\nflags\t\t: {ALL}\n\n"


@pytest.fixture
def chosen(monkeypatch, tmp_path):
    """The variable after the choice, for a text of the system and one of the user."""

    def chosen(text, by_user=None):
        file = tmp_path / "cpuinfo"
        if text is not None:
            file.write_text(text)
        environment = {} if by_user is None else {openblas.VARIABLE: by_user}
        monkeypatch.setattr(openblas, "_PROCESSOR", file)
        monkeypatch.setattr(openblas.os, "environ", environment)
        openblas.prefer_avx512()
        return environment.get(openblas.VARIABLE)

    return chosen


def test_an_amd_processor_with_avx512(chosen):
    assert chosen(AMD) == "SkylakeX"


@pytest.mark.parametrize("by_user", ["Haswell", ""])
def test_a_choice_of_the_user_stays(chosen, by_user):
    assert chosen(AMD, by_user) == by_user


@pytest.mark.parametrize(
    "text",
    [
        *(AMD.replace(f" {flag}", "") for flag in ALL.split()[2:]),
        AMD.replace("AuthenticAMD", "GenuineIntel"),
        "processor\t: 0\nvendor_id\t: AuthenticAMD\n\n" + AMD,  # the first one counts
        "Processor\t: AArch64 rev 0\nFeatures\t: fp asimd\n",
        "",
        None,
    ],
)
def test_others_are_left_to_openblas(chosen, text):
    assert chosen(text) is None


def test_the_command_chooses_before_numpy_is_loaded():
    code = (
        "import sys, labelsift.cli as cli\n"
        "cli.prefer_avx512 = lambda: print('numpy' in sys.modules)\n"
        "sys.argv[1:] = ['--version']\n"
        "cli.main()"
    )
    command = [sys.executable, "-c", code]
    out = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    assert out.splitlines()[0] == "False"
