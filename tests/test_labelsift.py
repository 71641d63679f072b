# SPDX-License-Identifier: BSD-3-Clause
"""The package itself: its rooms are attributes, and moved ones say where to."""

import pytest

import labelsift

ROOMS = [name for name in labelsift.__all__ if name != "__version__"]


@pytest.mark.parametrize("room", ROOMS)
def test_every_room_is_an_attribute(room):
    assert labelsift.__getattr__(room).__name__ == f"labelsift.{room}"
    assert getattr(labelsift, room) is labelsift.__getattr__(room)


def test_rooms_and_the_version_are_listed():
    assert dir(labelsift) == sorted([*ROOMS, "__version__"])
    assert {"compare", "bench", "stats", "plots"} <= set(ROOMS)


@pytest.mark.parametrize(
    ("room", "place"),
    [
        ("results", "labelsift.stats, labelsift.compare and labelsift.bench"),
        ("report", r"labelsift.compare \(pages\) and labelsift.plots \(pictures\)"),
    ],
)
def test_a_room_that_has_moved_says_where_to(room, place):
    with pytest.raises(AttributeError, match=f"labelsift.{room} has moved to {place}"):
        labelsift.__getattr__(room)


def test_other_names_are_not_there():
    with pytest.raises(AttributeError, match="'labelsift' has no attribute 'magic'"):
        labelsift.magic  # noqa: B018
