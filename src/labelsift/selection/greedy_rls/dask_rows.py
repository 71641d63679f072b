# SPDX-License-Identifier: BSD-3-Clause
"""Blocks of rows on the workers of dask: what a worker keeps only saves time.

A worker keeps the arrays of its blocks (``rows.py``) in a dictionary of this module,
each with the step that it is up to date with. A task that follows a step changes them
if they are one step behind, only scores if they are not (it may be run twice), and
answers None where they are lost; the block is then built again from its rows and the
plan. So an answer is a function of what a task is given, whatever a worker remembers.

A full worker would stop without a word. The room of each is therefore counted, and a
block without a home is *passed by*: its rows are read, scored a few at a time and
dropped, and at the next step it is offered a home again. With data larger than the
memory of the cluster every step is then a pass over the disk.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from threading import Lock
from typing import Any, Self
from uuid import uuid4

from labelsift.core.dask_blocks import DaskBlocks, address
from labelsift.selection.greedy_rls.rows import Answer, Block, Change, Plan, passed_by

# The share of a worker's memory that may be filled, and what it takes with the package.
_SHARE, _BARE = 0.6, 350_000_000
# Sizes of a block that a worker needs to read and score one that it does not keep.
_WORK = 3
# X, y and weights of a block as they come -> as numbers, y as selection sees it.
Reader = Callable[[Any, Any, Any], tuple[Any, Any, Any]]
# A run and the number of a block in it.
Key = tuple[str, int]


@dataclass(frozen=True)
class _Kept:
    """A block on a worker; only one task at a time changes it."""

    block: Block
    lock: Any = field(default_factory=Lock)


# What this process keeps. It must be found by name: a function that travels by value
# would have a dictionary of its own, always empty.
_KEPT: dict[Key, _Kept] = {}


def follow(key: Key, change: Change) -> Answer | None:
    """The answer of a block that this process keeps; None where it is lost."""
    kept = _KEPT.get(key)
    if kept is None:
        return None
    with kept.lock:
        if kept.block.step == change.step:
            return kept.block.score(change.delta, change.p)
        if kept.block.step == change.step - 1:
            return kept.block.advance(change)
    return None


def follow_each(keys: list[Key], change: Change) -> list[Answer | None]:
    """The answers of several blocks."""
    return [follow(key, change) for key in keys]


def build(
    common: tuple[Plan, Reader], own: tuple[Key, str | None], X: Any, y: Any, w: Any
) -> tuple[Answer, bool]:
    """The answer of a block from its rows, and whether it is kept here."""
    (plan, read), (key, home) = common, own
    rows = read(X, y, w)
    if home != address():
        return passed_by(plan, *rows), False
    kept = _Kept(Block(plan, *rows))
    _KEPT[key] = kept
    return kept.block.score(plan.delta, plan.p), True


def forget(run: str) -> None:
    """Drop what this process keeps of a run."""
    for key in [key for key in _KEPT if key[0] == run]:
        _KEPT.pop(key, None)


class DaskRows:
    """The blocks of one fit, to be used as a context, which ends in forgetting them.

    ``rows`` holds the number of rows of each block.
    """

    def __init__(
        self, blocks: DaskBlocks, read: Reader, rows: list[int], n_features: int
    ) -> None:
        self._blocks, self._read, self._run = blocks, read, uuid4().hex
        self._bytes = [16 * n_features * count for count in rows]
        self._homes: dict[int, str] = {}
        self._threads: dict[str, int] = {}
        # How many blocks were not kept, in every step.
        self.passed: list[int] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: Any) -> None:
        client = self._blocks.client
        forget(self._run)
        if client is not None:
            client.run(forget, self._run)

    def scores(self, plan: Plan, change: Change | None) -> Iterable[Answer]:
        """The answer of every block, in the order of the blocks."""
        room = self._room()
        answers: dict[int, Any] = {} if change is None else self._follow(change)
        lost = [i for i in range(len(self._blocks)) if answers.get(i) is None]
        calls = []
        for i in lost:
            self._homes.pop(i, None)
        for name, i in self._places(room, lost):
            calls.append((i, ((self._run, i), name), name))
        built = self._blocks.map(build, (plan, self._read), calls)
        for (i, _, name), (answer, kept) in zip(calls, built, strict=True):
            answers[i] = answer
            if kept and name is not None:
                self._homes[i] = name
        self.passed.append(len(self._blocks) - len(self._homes))
        return [answers[i] for i in range(len(self._blocks))]

    def _follow(self, change: Change) -> dict[int, Answer | None]:
        """The answers of blocks that have a home; None where it was lost.

        As many tasks as a worker has threads: tasks that wait could be taken over by
        another worker, which does not have the blocks.
        """
        groups: dict[tuple[str, int], list[int]] = defaultdict(list)
        for i, name in sorted(self._homes.items()):
            groups[name, i % self._threads[name]].append(i)
        calls = [
            ([(self._run, i) for i in blocks], change) for blocks in groups.values()
        ]
        answers = self._blocks.call(follow_each, calls, [name for name, _ in groups])
        return {
            i: answer
            for blocks, group in zip(groups.values(), answers, strict=True)
            for i, answer in zip(blocks, group, strict=True)
        }

    def _room(self) -> dict[str, float]:
        """Bytes that each worker may still be given; homes of others are given up."""
        workers = self._blocks.workers()
        self._threads = {worker.address: worker.threads for worker in workers}
        work = _BARE + _WORK * max(self._bytes) / 2  # kept are two arrays, read is one
        room = {worker.address: _SHARE * worker.memory - work for worker in workers}
        self._homes = {i: name for i, name in self._homes.items() if name in room}
        return room

    def _places(
        self, room: dict[str, float], blocks: list[int]
    ) -> Iterable[tuple[str | None, int]]:
        """A home for each block while there is room, on the emptiest worker."""
        filled = Counter[str]()
        for i, name in self._homes.items():
            filled[name] += self._bytes[i]
        for i in blocks:
            left = {name: room[name] - filled[name] for name in room}
            name = max(left, key=left.__getitem__, default="")
            if left.get(name, 0) < self._bytes[i]:
                yield None, i
            else:
                filled[name] += self._bytes[i]
                yield name, i
