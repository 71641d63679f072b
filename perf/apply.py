# SPDX-License-Identifier: BSD-3-Clause
"""``labelsift apply --predict`` on tables of growing size: seconds and peak memory.

    python perf/apply.py [--rows 50000 400000]

A selection of 20 columns (numbers with gaps, categories) is saved once. Tables of 60
columns are then predicted in a process of their own, as CSV and as Parquet; the peak is
that of the whole process, the imports of pandas and scikit-learn included.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd

CODE = """
import sys, time
from labelsift.cli.app import run
start = time.perf_counter()
code = run(sys.argv[1:])
seconds = time.perf_counter() - start
status = open("/proc/self/status").read()  # of this process, not of its parent
peak = int(status.split("VmHWM:")[1].split()[0]) / 1024
print(f"{code} {seconds} {peak}", file=sys.stderr)
"""


def table(n_rows, seed):
    """Numbers with gaps, categories and an id."""
    rng = np.random.default_rng(seed)
    numbers = rng.normal(size=(n_rows, 50)).round(4)
    columns = {f"n{i}": numbers[:, i] for i in range(50)}
    columns["n0"] = np.where(rng.random(n_rows) < 0.05, np.nan, columns["n0"])
    columns |= {f"c{i}": rng.choice(list("abcdef"), n_rows) for i in range(9)}
    made = pd.DataFrame({"id": np.arange(n_rows).astype(str), **columns})
    for i in range(3):
        made[f"tag_{i}"] = (numbers[:, i] + (made[f"c{i}"] == "a") > 0.3).astype(int)
    return made


def run(*arguments):
    """A command in a process of its own: its seconds and its peak in MiB."""
    command = [sys.executable, "-c", CODE, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, env=os.environ)
    code, seconds, peak = done.stderr.split("\n")[-2].split()
    assert code == "0", done.stderr
    return float(seconds), float(peak)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, nargs="+", default=[50_000, 400_000])
    sizes = parser.parse_args().rows
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        table(2000, 0).to_csv(folder / "train.csv", index=False)
        saved = folder / "s.json"
        run(
            "select",
            folder / "train.csv",
            "--labels",
            "tag_*",
            "-k",
            20,
            "--save",
            saved,
        )
        for suffix in (".csv", ".parquet"):
            for n_rows in sizes:
                path = folder / f"{n_rows}{suffix}"
                made = table(n_rows, 1)
                if suffix == ".csv":
                    made.to_csv(path, index=False)
                else:
                    made.to_parquet(path)
                del made
                out = folder / f"out{suffix}"
                asked = ("--predict", "--carry", "id", "--out", out, "--force")
                seconds, peak = run("apply", saved, path, *asked)
                size = path.stat().st_size / 2**20
                print(
                    f"{suffix[1:]:8s} {n_rows:9,} rows, {size:6.0f} MiB: "
                    f"{seconds:6.1f} s, peak {peak:5.0f} MiB"
                )
                path.unlink()


if __name__ == "__main__":
    main()
