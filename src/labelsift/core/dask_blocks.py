# SPDX-License-Identifier: BSD-3-Clause
"""Dask collections as blocks of rows: paired, mapped and summed where they are.

A block is a task that gives X, y and weights of some rows. Answers come back in the
order of the blocks, and sums are taken by a tree whose shape depends on the number of
blocks alone: the order in which workers finish changes no bit. Tasks never change what
they are given, as they may be run again. With a client of ``distributed`` they run on
its workers, else on the scheduler that dask is set to (threads of this process).
"""

import os
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from inspect import signature
from typing import Any, NamedTuple, Self
from uuid import uuid4

import numpy as np

from labelsift.core.optional import import_extra
from labelsift.core.validation import is_collection

# How many partial results of a tree are added at a time.
FAN_IN = 4

Weighted = tuple[Any, Any, Any]


class Worker(NamedTuple):
    """A process that runs tasks."""

    address: str
    memory: int  # its limit in bytes
    threads: int


class DaskBlocks:
    """Blocks of rows of dask collections that belong together."""

    def __init__(self, blocks: Sequence[Weighted]) -> None:
        self._dask = _dask("dask")
        self._blocks = list(blocks)

    @classmethod
    def read(cls, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Pair the blocks of X, y and, where given, weights.

        Numbers of rows that are not known yet are compared when a block is read.
        """
        if not is_collection(y):
            raise TypeError(
                f"X is a dask {type(X).__name__} and y is {type(y).__name__}: pass y "
                "as a dask collection in blocks of the same rows."
            )
        given = {"X": X, "y": y}
        if sample_weight is not None:
            given["sample_weight"] = sample_weight
        parts = {name: _delayed(data, name) for name, data in given.items()}
        lengths = {name: _lengths(data) for name, data in given.items()}
        for name in given:
            _check_pairs(name, parts, lengths)
        weights = parts.get("sample_weight", [None] * len(parts["X"]))
        return cls(list(zip(parts["X"], parts["y"], weights, strict=True)))

    def __len__(self) -> int:
        return len(self._blocks)

    @property
    def client(self) -> Any:
        """The client whose workers run the tasks; None: dask's own scheduler."""
        scheduler = self._dask.base.get_scheduler()
        client = getattr(scheduler, "__self__", None)
        return client if hasattr(client, "scheduler_info") else None

    def workers(self) -> list[Worker]:
        """The processes that run tasks now, with their memory."""
        client = self.client
        if client is None:
            return [Worker(address(), _memory_of_machine(), os.cpu_count() or 1)]
        # Some versions tell of five workers unless they are asked for all.
        asked = signature(client.scheduler_info).parameters
        known = client.scheduler_info(
            **({"n_workers": -1} if "n_workers" in asked else {})
        )
        return [
            Worker(
                name,
                worker.get("memory_limit") or _memory_of_machine(),
                worker["nthreads"],
            )
            for name, worker in known["workers"].items()
        ]

    def tree(
        self,
        leaf: Callable[..., Any],
        merge: Callable[[list[Any]], Any],
    ) -> tuple[Any, list[int]]:
        """The merger of ``leaf(X, y, weights)`` of all blocks, and the rows of each.

        ``leaf`` gives something with ``rows``, a number. These numbers go up the tree
        with the parts: a task of their own would keep the parts of all blocks alive.
        """
        delayed = self._dask.delayed
        read = delayed(partial(_checked, partial(_with_rows, leaf)), pure=False)
        level = [read(i, *block) for i, block in enumerate(self._blocks)]
        join = delayed(partial(_merged, merge), pure=False)
        while len(level) > 1:
            starts = range(0, len(level), FAN_IN)
            level = [join(level[i : i + FAN_IN]) for i in starts]
        (answer,) = self.compute(level)
        total, rows = answer
        return total, rows

    def map(
        self,
        function: Callable[..., Any],
        common: Any,
        calls: Iterable[tuple[int, Any, str | None]],
    ) -> list[Any]:
        """``function(common, own, X, y, weights)`` of some blocks, in their order.

        A call is a block, its own argument and the worker that it prefers, if any.
        """
        # One task that all others need: it travels once, and can be had again.
        name = f"common-{uuid4().hex}"
        shared = self._dask.delayed(common, name=name, traverse=False)
        checked = self._dask.delayed(partial(_checked, function), pure=False)
        calls = list(calls)
        tasks = [checked(shared, own, i, *self._blocks[i]) for i, own, _ in calls]
        return self.compute(tasks, [place for *_, place in calls])

    def call(
        self,
        function: Callable[..., Any],
        arguments: Iterable[tuple[Any, ...]],
        places: Iterable[str],
    ) -> list[Any]:
        """The function for each tuple of arguments, on the worker that is preferred."""
        client = self.client
        if client is None:
            task = self._dask.delayed(function, pure=False)
            return self.compute([task(*own) for own in arguments])
        options = {"allow_other_workers": True, "pure": False}
        return list(
            client.gather(
                [
                    client.submit(function, *own, workers=[place], **options)
                    for own, place in zip(arguments, places, strict=True)
                ]
            )
        )

    def compute(
        self, tasks: Sequence[Any], places: Sequence[str | None] | None = None
    ) -> list[Any]:
        """The results of delayed tasks, each on the worker that it prefers."""
        client = self.client
        if client is None:
            return list(self._dask.compute(*tasks))
        preferred = [None] * len(tasks) if places is None else places
        futures = {
            i: client.compute(tasks[i], workers=[place], allow_other_workers=True)
            for i, place in enumerate(preferred)
            if place is not None
        }
        others = [i for i in range(len(tasks)) if i not in futures]
        together = client.compute([tasks[i] for i in others])
        futures |= dict(zip(others, together, strict=True))
        return list(client.gather([futures[i] for i in range(len(tasks))]))


def address() -> str:
    """The name of this process among the workers."""
    distributed = _dask("distributed")
    try:
        return str(distributed.get_worker().address)
    except ValueError:
        return f"process {os.getpid()}"


def _checked(function: Callable[..., Any], *arguments: Any) -> Any:
    """Call a function on a block, whose number is told where it fails.

    The last four arguments are the number and X, y and weights of the block.
    """
    *before, number, X, y, weights = arguments
    parts = {"X": X, "y": y, "sample_weight": weights}
    rows = {name: part.shape[0] for name, part in parts.items() if part is not None}
    for name in rows:
        _check_rows(number, rows["X"], name, rows[name])
    try:
        return function(*before, X, y, weights)
    except ValueError as error:
        raise ValueError(f"Block {number} ({X.shape[0]} rows): {error}") from error


def _with_rows(leaf: Callable[..., Any], *block: Any) -> tuple[Any, list[int]]:
    """The part of a block, and its rows."""
    part = leaf(*block)
    return part, [int(part.rows)]


def _merged(
    merge: Callable[[list[Any]], Any], answers: list[tuple[Any, list[int]]]
) -> tuple[Any, list[int]]:
    """The merger of some parts, and the rows of all their blocks in order."""
    parts, rows = zip(*answers, strict=True)
    return merge(list(parts)), [count for counts in rows for count in counts]


def _delayed(data: Any, name: str) -> list[Any]:
    """One delayed object for each block of rows."""
    kind = type(data)
    if not is_collection(data) or not hasattr(kind, "to_delayed"):
        raise TypeError(
            f"{name} is {kind.__name__}, and X is a dask collection: pass a dask array "
            "or dataframe in blocks of the same rows."
        )
    types = [data.dtype] if hasattr(data, "dtype") else list(data.dtypes)
    if np.dtype(np.float16) in types:
        raise TypeError(
            f"{name} holds float16, whose sums have three digits: pass "
            f"{name}.astype('float32')."
        )
    if getattr(data, "ndim", 2) == 2 and hasattr(kind, "rechunk"):
        data = data.rechunk({1: -1})
    return list(np.ravel(data.to_delayed()))


def _lengths(data: Any) -> tuple[float, ...]:
    """Rows of each block; NaN where that is not known."""
    if hasattr(type(data), "chunks"):
        return tuple(float(length) for length in data.chunks[0])
    return (float("nan"),) * data.npartitions


def _check_pairs(
    second: str,
    parts: dict[str, list[Any]],
    lengths: dict[str, tuple[float, ...]],
) -> None:
    """Raise where blocks cannot hold the same rows as those of X."""
    first = "X"
    if len(parts[first]) != len(parts[second]):
        raise ValueError(
            f"{first} has {len(parts[first])} blocks of rows and {second} has "
            f"{len(parts[second])}: cut both alike, with rechunk or repartition."
        )
    for number, (a, b) in enumerate(zip(lengths[first], lengths[second], strict=True)):
        if a == a and b == b:  # both are known
            _check_rows(number, a, second, b)


def _check_rows(number: int, of_X: float, name: str, rows: float) -> None:
    if of_X != rows:
        raise ValueError(
            f"Block {number} has {of_X:.0f} rows of X and {rows:.0f} of {name}: cut "
            "both alike, with rechunk or repartition."
        )


def _memory_of_machine() -> int:
    return int(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))


def _dask(module: str) -> Any:
    return import_extra(module, "Work on dask collections")
