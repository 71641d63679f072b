# SPDX-License-Identifier: BSD-3-Clause
"""A comparison that ends in time: methods race, and what does not fit is cut.

Rounds of successive halving over the splits: all methods that fit run the first split,
the better ones the second, and the best of those the others. The first round begins
with the cheapest method, for an answer at once, goes on with those that lead the
leaderboard, and then with the others, the cheap ones first. What ran corrects the
estimates, and while the round lasts those come in that fit by the corrected ones.
Loaded where a time was promised.
"""

import math
import re
import statistics
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from labelsift.compare.answer import enough_splits
from labelsift.compare.setup import Setup
from labelsift.compare.standings import behind, in_question, surely_worse
from labelsift.compare.words import duration
from labelsift.experiment.catalogue import ALL_FEATURES, RANDOM
from labelsift.experiment.ledger import Ledger
from labelsift.experiment.pool import run_tasks
from labelsift.experiment.results import TASKS, Results
from labelsift.experiment.task import Planned
from labelsift.metrics import EVERY_MEASURE

_TIME = re.compile(r"\s*(\d+(?:\.\d*)?|\.\d+)\s*(s|m|min|h|)\s*")
_UNITS = {"": 1.0, "s": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0}
# Share of the time that repeated random rankings may take, and that is left at the end
# for the fit on all rows.
_DRAWS, _FINAL = 0.1, 0.05
# What several processes achieve of what they should.
_EFFICIENCY = 0.85
# Where there is too little time for everything, these come first: among the first by
# mean rank in the leaderboard (a test compares), and nearly as quick to load and to fit
# as the cheapest. One that takes more than this share of the round waits.
LEADERS = ("greedy-fair", "greedy-rls", "scls", "mdmr")
_AT_MOST = 0.05
# So many methods say by how much the estimates of the others are off.
_ENOUGH = 3

OnDone = Callable[[int, int, Any], None] | None


def read_seconds(value: Any) -> float:
    """Seconds, from a number or from text as 60s, 2m or 90."""
    parts = _TIME.fullmatch(str(value))
    seconds = float(parts[1]) * _UNITS[parts[2]] if parts else math.nan
    if not 0 < seconds < math.inf:
        raise ValueError(f"within={value!r} is no time: write 60s, 2m or 90 (seconds).")
    return seconds


def race(
    setup: Setup,
    ledger: Ledger,
    engine: Mapping[str, Any],
    on_done: OnDone,
    until: float,
) -> tuple[Results, bool]:
    """Run what fits until then: results, with what was cut; whether interrupted."""
    run = Race(setup, ledger, engine, on_done, until)
    interrupted = False
    try:
        run.all_rounds()
    except KeyboardInterrupt:
        interrupted = True
    return run.results(finished=not interrupted), interrupted


def rounds(splits: int) -> list[int]:
    """How many splits are done after each round: 1, 2, 4, ..., all."""
    ends = [2**i for i in range(splits) if 2 ** (i + 1) < splits]
    return [*ends, splits]


@dataclass
class Race:
    """Who is still in, what each costs, and why others are out."""

    setup: Setup
    ledger: Ledger
    engine: Mapping[str, Any]
    on_done: OnDone
    until: float
    why: dict[str, str] = field(default_factory=dict)
    done: int = 0

    def __post_init__(self) -> None:
        self.planned = self.setup.tasks()
        self.within = f"{self.setup.within or 0.0:g} s"
        self.estimates = {name: self.setup.seconds(name) for name in self.setup.methods}
        self.measured: dict[str, float] = {}
        self.waiting: list[str] = []
        self.pace = 1.0  # what methods take, over what was estimated
        self.n_draws = 1 + max(item.draw for item in self.planned)
        # Methods whose cost nobody knows come last; the end of the round is for them.
        self.alive = sorted(self.setup.methods, key=self.estimates.__getitem__)
        self.opening, self.round_end = self.alive[0], self.until

    def all_rounds(self) -> None:
        """Run split by split those that the time left is enough for."""
        self._open()
        self.leaders_first()
        for split in range(self.setup.cv):
            if not self._choose(split):
                return
            self._run(split)
            while newcomers := self._newcomers():
                self.alive += newcomers
                self._run(split)
            self.waiting = []  # whoever is not in by now ran no first split
            if not self._settle(split):
                return

    def _open(self) -> None:
        """The cheapest method and the controls on the first split: the first answer."""
        first = [self.opening, ALL_FEATURES, RANDOM]
        tasks = [i for i in self._of(first, [0]) if i.draw == 0]
        self._call(sorted(tasks, key=lambda i: first.index(i.method)), self.until, 1)
        self._time()
        random = self._cost(RANDOM) * self.setup.cv
        if random > 0:
            fitting = int(_DRAWS * (self.setup.within or 0.0) / random)
            self.n_draws = min(self.n_draws, max(1, fitting))

    def leaders_first(self) -> None:
        """Order the first round: a short race needs the likely winners in it."""
        most = _AT_MOST * self._left() / len(rounds(self.setup.cv))
        first = [m for m in LEADERS if m in self.alive and self._cost(m) <= most]
        self.alive = [*first, *(m for m in self.alive if m not in first)]

    def _of(self, methods: Iterable[str], splits: Iterable[int]) -> list[Planned]:
        """What is missing of methods on splits; of the random ranking some draws."""
        finished, names, wanted = self.ledger.statuses(), set(methods), set(splits)
        return [
            item
            for item in self.planned
            if item.method in names
            and item.task.split in wanted
            and item.draw < self.n_draws
            and item.task.key not in finished
        ]

    def _call(
        self, planned: Sequence[Planned], until: float, jobs: int | None = None
    ) -> None:
        left = len(self._of([*self.alive, RANDOM, ALL_FEATURES], range(self.setup.cv)))
        total, before = self.done + left, self.done

        def report(done: int, _: int, outcome: Any) -> None:
            self.done = before + done
            if self.on_done is not None:
                self.on_done(min(self.done, total), total, outcome)

        tasks, engine = [item.task for item in planned], dict(self.engine)
        if jobs is not None:
            engine["jobs"] = jobs
        run_tasks(tasks, self.ledger, **engine, until=until, on_done=report)

    def _run(self, split: int) -> None:
        """A split of all who are in: controls first, then the likely winners."""
        self._call(self._of([RANDOM, ALL_FEATURES], [split]), self.until)
        tasks = self._of(self.alive, [split])
        tasks.sort(key=lambda item: self.alive.index(item.method))
        self._call(tasks, self.round_end)
        self._time()

    def _time(self) -> None:
        """What a split of each method took, from those that are done.

        The longest does not count: with it come compilation and the reading of data.
        """
        tasks = self.ledger.results(self.planned).tasks
        tasks = tasks[tasks["status"] == "done"]
        for method, seconds in tasks.groupby("method")["seconds"]:
            if len(seconds) > 1:
                known = (seconds.sum() - seconds.max()) / (len(seconds) - 1)
            elif method == self.opening:
                known = min(seconds.max(), self._cost(self.opening))
            else:
                known = seconds.max()
            self.measured[str(method)] = float(known)
        ran = [method for method in self.setup.methods if method in self.measured]
        if len(ran) >= _ENOUGH:
            ratios = [self.measured[m] / max(self._estimate(m), 1e-9) for m in ran]
            self.pace = statistics.median(ratios)

    def _cost(self, method: str) -> float:
        """Seconds of a split: measured, or those of the fit and of a read-out."""
        if method in self.measured:
            return self.measured[method]
        return self.pace * self._estimate(method)

    def _estimate(self, method: str) -> float:
        fit = self.estimates.get(method, 0.0)
        return (fit if math.isfinite(fit) else 0.0) + self.measured.get(RANDOM, 0.0)

    def _newcomers(self) -> list[str]:
        """Who did not fit into the first round before it was known what others take."""
        left = self._per_second * (self.round_end - time.time())
        enough, fitting = range(enough_splits(self.setup.cv)), []
        for method in sorted(self.waiting, key=self._cost):
            left -= self._cost(method)
            if left >= 0 and self._fits(enough, [method]):
                fitting.append(method)
                del self.why[method]
        self.waiting = [m for m in self.waiting if m not in fitting]
        return fitting

    def _need(self, methods: Iterable[str], splits: Iterable[int]) -> float:
        """Seconds that what is missing of methods on splits will take."""
        return sum(self._cost(item.method) for item in self._of(methods, splits))

    def _left(self, methods: Sequence[str] = ()) -> float:
        """Seconds of work that fit before one of the best methods is fitted on all."""
        final = _FINAL * (self.setup.within or 0.0)
        final = max(final, *(1.5 * self._cost(m) for m in methods[:3]), 0.0)
        return max(0.0, self.until - time.time() - final) * self._per_second

    @property
    def _per_second(self) -> float:
        jobs = self.engine.get("jobs", 1)
        return jobs * _EFFICIENCY if jobs > 1 else 1.0

    def _fits(
        self, splits: Iterable[int], methods: Sequence[str] | None = None
    ) -> bool:
        """Whether there is time for splits of controls and methods (all who are in)."""
        methods = self.alive if methods is None else methods
        needed = self._need([*methods, RANDOM, ALL_FEATURES], splits)
        return needed <= self._left(methods)

    def _choose(self, split: int) -> bool:
        """Cut who does not fit; whether there is time for the split at all."""
        cv, self.round_end = self.setup.cv, self.until
        if self._fits(range(split, cv)):
            return True
        if split >= enough_splits(cv):
            return self._fits([split])
        if split:
            self._rank(split)
        if not self._fits(range(split, cv)):
            self._halve(split)
        return True

    def _halve(self, split: int) -> None:
        """Keep the best that fit into the share of this round, or all into the rest."""
        cv = self.setup.cv
        ends = [end for end in rounds(cv) if end > split]
        end, share = ends[0], self._left() / len(ends)
        best = self._best_that_can_win(split)
        first = self._need([*best, RANDOM, ALL_FEATURES], range(split, end))
        if len(ends) > 1 and first <= share:
            left = self.until - time.time()
            self.round_end = time.time() + left / len(ends)
        else:  # this is the last round, and has as many splits as the best can run
            end, share = cv, self._left(best)
            while end > split + 1 and not self._fits(range(split, end), best):
                end -= 1
        enough = range(split, max(split + 1, min(end, enough_splits(cv))))
        finalists: list[str] = []
        for method in self.alive:
            names = [*finalists, method, RANDOM, ALL_FEATURES]
            if (
                self._need(names, range(split, end)) <= share
                and self._fits(enough, [method])
            ):  # fmt: skip
                finalists.append(method)
        finalists = finalists or best
        out = [method for method in self.alive if method not in finalists]
        for method in out:
            self.why[method] = self._reason(method, split, len(finalists))
        if not split and self.round_end < self.until:
            self.waiting = out
        self.alive = finalists

    def _best_that_can_win(self, split: int) -> list[str]:
        """The first with time for enough splits: a slow one must not stop others."""
        able = [m for m in self.alive if self._can_win(m, split)]
        return (able or self.alive)[:1]

    def _can_win(self, method: str, split: int) -> bool:
        """Whether a method alone has time for as many splits as an answer needs."""
        end = max(split + 1, enough_splits(self.setup.cv))
        return self._fits(range(split, end), [method])

    def _reason(self, method: str, begin: int, n_finalists: int) -> str:
        need = self._cost(method) * self.setup.cv
        if not begin and need > (self.setup.within or 0.0):
            return f"Not begun: it would take about {duration(need)}."
        if not begin:
            return (
                "Not begun: methods that lead the leaderboard or are cheaper come "
                f"first within {self.within}."
            )
        if not self._can_win(method, begin):
            return (
                f"A split takes it about {duration(self._cost(method))}: there was no "
                f"time for enough of them within {self.within}."
            )
        best = "the best" if n_finalists == 1 else f"among the best {n_finalists}"
        return (
            f"Not {best} after {_splits(begin)}: there was no time for more within "
            f"{self.within}."
        )

    def _settle(self, split: int) -> bool:
        """Cut who did not end this split; whether anybody did."""
        done = self.ledger.results(self.planned).tasks
        done = set(done.loc[done["split"] == split, "method"])
        late = [method for method in self.alive if method not in done]
        for method in late:
            self.why[method] = (
                f"There was no time for the end of split {split + 1} within "
                f"{self.within}."
            )
        self.alive = [method for method in self.alive if method in done]
        return bool(self.alive)

    def _rank(self, splits: int) -> None:
        """Order the methods by how near they come; cut those that are surely worse."""
        results = self.ledger.results(self.planned).where(
            readout=self.setup.readout, method=self.alive
        )
        table = results.by_split(self.setup.metric).reindex(columns=range(splits))
        measure = EVERY_MEASURE[self.setup.metric]
        table = (1.0 if measure.greater_is_better else -1.0) * table.dropna()
        if table.empty:
            return
        margin = self.setup.margin
        if not measure.bounded:
            margin *= abs(float(table.mean(axis=1).max()))
        near = in_question(table, margin)
        gaps = behind(near)
        worse = surely_worse(near, margin, self.setup.test_over_train)
        for method in worse:
            self.why[method] = (
                f"Surely worse after {_splits(splits)} at every size in question (by "
                "the test of the answer)."
            )
        order = {method: gaps.get(method, math.inf) for method in self.alive}
        self.alive = sorted(
            (m for m in self.alive if m not in worse), key=order.__getitem__
        )

    def results(self, finished: bool) -> Results:
        """All values, and the tasks with those that were cut."""
        results = self.ledger.results(self.planned)
        places = results.tasks[["method", "draw", "split"]]
        ran = set(places.itertuples(index=False, name=None))
        splits = results.tasks["split"].nunique()
        cv, within = self.setup.cv, self.within
        rest = f"There was time for {splits} of {cv} splits within {within}."
        rows = []
        for item in self.planned:
            place = (item.method, item.draw, item.task.split)
            why = self.why.get(item.method, rest if finished else "")
            if item.draw >= self.n_draws:
                why = (
                    f"Only {self.n_draws} in each split, to keep within {self.within}."
                )
            if place not in ran and why:
                empty = {name: kind() for name, kind in TASKS.items()}
                known = {"method": item.method, "draw": item.draw, "data": item.data}
                known |= {"split": item.task.split, "status": "cut", "error": why}
                rows.append(empty | known)
        cut = pd.DataFrame(rows, columns=list(TASKS))
        tasks = pd.concat([results.tasks, cut]) if rows else results.tasks
        return Results(results.values, tasks)


def _splits(count: int) -> str:
    return "1 split" if count == 1 else f"{count} splits"
