# SPDX-License-Identifier: BSD-3-Clause
"""Fuzz raw tables: reading, labels, preparation and doubts, and the whole command.

    python tools/fuzz_tables.py [--files 10000] [--commands 200] [--seed 0]

All in one process. Printed are how many files were read and asked about, by whether
their labels are clear, unclear, or changed byte by byte; every wrong answer and every
traceback. The exit code is 1 where there is one. Files come from
``tests/fuzz/raw_tables.py``.
"""

import argparse
import contextlib
import io
import sys
import tempfile
import time
import traceback
import warnings
from collections import Counter
from pathlib import Path

import numpy as np

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))
ASKED = ("--methods", "fisher", "--budgets", "1", "--cv", "2")


def main() -> int:
    """Try files, then commands; print counts."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--files", type=int, default=10_000)
    parser.add_argument("--commands", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    warnings.simplefilter("error", RuntimeWarning)
    with tempfile.TemporaryDirectory() as folder:
        wrong = in_process(options.files, options.seed, Path(folder))
        wrong += commands(options.commands, options.seed + 1, Path(folder))
    return int(wrong > 0)


def in_process(count: int, seed: int, folder: Path) -> int:
    """Read, prepare and doubt; how many answers were wrong."""
    from fuzz.raw_tables import ASK, examine, random_case

    rng, start = np.random.default_rng(seed), time.perf_counter()
    counts: Counter[tuple[str, str]] = Counter()
    for _ in range(count):
        case = random_case(rng)
        kind = {None: "changed", ASK: "unclear"}.get(
            case.truth if isinstance(case.truth, str | None) else "", "clear"
        )
        try:
            outcome, words = examine(case, folder / "t.csv")
        except Exception:
            outcome, words = "TRACEBACK", traceback.format_exc()
        counts[kind, outcome] += 1
        if outcome not in ("read", "asked"):
            print(f"{outcome}: {words}\n{case.labels} {case.content[:2000]!r}")
    seconds = time.perf_counter() - start
    print(f"{count} files in {seconds:.0f} s: reading, labels, preparation, doubts")
    for kind in ("clear", "unclear", "changed"):
        shown = {o: n for (k, o), n in sorted(counts.items()) if k == kind}
        print(f"  labels {kind:8}", ", ".join(f"{o} {n}" for o, n in shown.items()))
    wrong = sum(n for (_, o), n in counts.items() if o not in ("read", "asked"))
    print(f"  wrong answers and tracebacks: {wrong}")
    return wrong


def commands(count: int, seed: int, folder: Path) -> int:
    """``labelsift compare``; how many ended with neither a page nor a sentence."""
    from fuzz.raw_tables import random_case

    rng, start = np.random.default_rng(seed), time.perf_counter()
    codes: Counter[int] = Counter()
    wrong = 0
    for _ in range(count):
        case = random_case(rng)
        path, page = folder / "t.csv", folder / "page.html"
        path.write_bytes(case.content)
        labels = [word for name in case.labels for word in ("--labels", name)]
        code, said = _run(["compare", str(path), *labels, *ASKED, "--out", str(page)])
        codes[code] += 1
        ended = page.exists() if code == 0 else "Error: " in said or code == 1
        if "Traceback" in said or not ended or code not in (0, 1, 2):
            wrong += 1
            print(f"code {code}: {said[-3000:]}\n{case.content[:2000]!r}")
        page.unlink(missing_ok=True)
    seconds = time.perf_counter() - start
    shown = ", ".join(f"code {code}: {n}" for code, n in sorted(codes.items()))
    print(f"{count} commands in {seconds:.0f} s: {shown}; wrong: {wrong}")
    return wrong


def _run(arguments: list[str]) -> tuple[int, str]:
    """The exit code of a command, and all that it said."""
    from labelsift.cli import app, terminal

    said = io.StringIO()
    terminal.output.file = terminal.errors.file = said
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        try:
            return int(app.run(arguments)), said.getvalue()
        except Exception:
            return -1, said.getvalue() + traceback.format_exc()


if __name__ == "__main__":
    sys.exit(main())
