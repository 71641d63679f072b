# SPDX-License-Identifier: BSD-3-Clause
"""The page while a comparison runs; loaded where that takes more than seconds."""

import time
from pathlib import Path
from typing import Any

from labelsift.compare import Comparison
from labelsift.compare.setup import Setup
from labelsift.compare.words import duration

# Share of a run that pages may take, seconds between them, and those of the first.
_SHARE, _PAUSE, _FIRST = 0.05, 5.0, 0.7


class LivePage:
    """Writes the page of what is done, now and then.

    The first as soon as there is an answer, where the run is long enough for it.

    Parameters
    ----------
    setup : Setup
        What is compared.
    ledger : Ledger
        What is done.
    path : Path
        The page; replaced as a whole.
    command : str
        The command.
    """

    def __init__(self, setup: Setup, ledger: Any, path: Path, command: str) -> None:
        self.setup, self.ledger, self.path, self.command = setup, ledger, path, command
        self.start, self.written = time.monotonic(), -_PAUSE
        self.spent, self.cost, self.pages = 0.0, _FIRST, 0

    def update(self, done: int, total: int) -> None:
        """Write the page where it is time for it."""
        now = time.monotonic() - self.start
        # The first page is for the whole of the run, further ones for what has passed.
        length = now if self.pages else now * total / max(done, 1)
        late = now - self.written < _PAUSE
        if late or done == total or self.spent + self.cost > _SHARE * length:
            return
        results = self.ledger.results(self.setup.tasks())
        if not set(results.values["method"]) & set(self.setup.methods):
            return
        results = results.where(readout=list(self.setup.readouts))
        parts = self.setup.artifacts(self.ledger), self.ledger.artifacts([])
        part = Comparison(self.setup, results, *parts, self.command)
        running = (
            f"{done} of about {total} fits were done after {duration(now)}. This page "
            "is replaced as the answer improves: load it again."
        )
        part.report(self.path, running=running)
        self.written = time.monotonic() - self.start
        self.cost = self.written - now
        self.spent += self.cost
        self.pages += 1
