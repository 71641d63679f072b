# SPDX-License-Identifier: BSD-3-Clause
"""Points of a grid that were tried survive a task that does not end.

A grid of a thousand points may take hours, and a worker may die or be stopped. Once a
task has tuned for a while, each value is a line of a file beside the ledger, named
after the task, and a second run begins where the first one stopped; the ledger removes
it with the outcome. A value belongs to the key of its task, as results do: other code,
data or settings have other files.
"""

import json
import time
from pathlib import Path

# Seconds after which values are written: shorter tasks leave no file.
WRITE_AFTER = 60.0


class Tried:
    """Values of the points of one task, by fold and point.

    Parameters
    ----------
    folder : Path or None, default=None
        Where they are written; None: nowhere.
    key : str, default=""
        Of the task.
    """

    def __init__(self, folder: Path | None = None, key: str = "") -> None:
        self._file = None if folder is None else folder / key
        self._values = {} if self._file is None else _read(self._file)
        self._waiting = ""
        # What was long before is long again.
        self._write_at = time.monotonic() + (0 if self._values else WRITE_AFTER)

    def __contains__(self, place: tuple[int, int]) -> bool:
        return place in self._values

    def __getitem__(self, place: tuple[int, int]) -> float:
        return self._values[place]

    def __setitem__(self, place: tuple[int, int], value: float) -> None:
        self._values[place] = value
        if self._file is None:
            return
        # The end of a line comes first: after one that was cut off, too.
        self._waiting += "\n" + json.dumps([*place, value])
        if time.monotonic() >= self._write_at:
            self._file.parent.mkdir(exist_ok=True)
            with self._file.open("a", encoding="utf-8") as file:
                file.write(self._waiting)
            self._waiting = ""


def _read(file: Path) -> dict[tuple[int, int], float]:
    """The values of a file; a line that was cut off is left out."""
    if not file.is_file():
        return {}
    lines = file.read_text(encoding="utf-8").splitlines()
    values = [json.loads(line) for line in lines if line.endswith("]")]
    return {(fold, point): value for fold, point, value in values}
