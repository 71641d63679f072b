# SPDX-License-Identifier: BSD-3-Clause
"""About ten seconds of fuzzing; ``make fuzz`` does it for as long as you like."""

import numpy as np
import pytest

from fuzz.corpus import FOLDER, stored
from fuzz.mutation import mutated, random_arrays
from fuzz.targets import TARGETS, escape

CORPUS = stored()
# How many inputs a target gets: what costs more gets fewer.
COUNTS = dict.fromkeys(TARGETS, 200) | {
    "csv": 100, "parquet": 60, "feather": 60, "xlsx": 30, "export": 60,
}  # fmt: skip


def test_every_target_has_a_right_input_and_others():
    assert CORPUS.keys() == TARGETS.keys()
    assert all(len(contents) >= 2 for contents in CORPUS.values())
    assert sum(f.stat().st_size for f in FOLDER.rglob("*") if f.is_file()) < 200_000


@pytest.mark.parametrize("name", TARGETS)
def test_old_faults_stay_mended(name, tmp_path):
    for content in CORPUS[name]:
        assert escape(name, content, tmp_path) is None, content[:200]


@pytest.mark.parametrize("name", TARGETS)
def test_changed_inputs_are_read_or_refused_in_a_sentence(name, tmp_path):
    rng = np.random.default_rng(0)
    contents = CORPUS[name]
    for _ in range(COUNTS[name]):
        if name in ("npz", "meta") and rng.integers(4):
            content = random_arrays(rng)
        else:
            seed = contents[rng.integers(len(contents))]
            content = mutated(seed, contents, rng)
        assert escape(name, content, tmp_path) is None, content[:2000]
