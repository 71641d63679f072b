# SPDX-License-Identifier: BSD-3-Clause
import numpy as np
import pytest

from labelsift.compare.request import as_data
from labelsift.prepare import TablePreparation
from labelsift.prepare.survey import survey
from prepare.tables import FLAVOURS, mixed


@pytest.mark.parametrize("flavour", FLAVOURS)
def test_every_column_at_a_glance(flavour):
    columns = mixed()
    frame = FLAVOURS[flavour](columns)
    data = as_data(frame, np.arange(300)[:, np.newaxis] % 2)
    found = survey(data, TablePreparation().fit(frame))
    assert [column.name for column in found] == list(columns)
    for column in found:
        cells = [cell for cell in columns[column.name] if cell is not None]
        assert column.missing == 300 - len(cells)
        assert column.distinct == len(set(cells))
        assert (column.kind == "drop") == bool(column.why)
        assert (column.outputs == 0) == (column.kind == "drop")
    by_name = {column.name: column for column in found}
    assert by_name["key"].why == "text with many different values: an id or free text"
    assert by_name["day"].why == "a date or time"
    assert by_name["row"].range == "1000 to 1299"
    assert by_name["same"].range == "7"
    plans = [cell for cell in columns["plan"] if cell is not None]
    frequent = sorted(set(plans), key=plans.count, reverse=True)
    assert by_name["plan"].range == ", ".join(frequent)
    assert by_name["plan"].outputs == 3
    assert by_name["age"].outputs == 2  # the number and its gaps


def test_long_categories_are_cut_and_dates_are_written_as_such():
    frame = FLAVOURS["pandas"](
        {
            "c": list("aaabbcd") * 30,
            "d": np.arange(210).astype("M8[D]"),
            "x": [None] * 210,
        }
    )
    data = as_data(frame, np.arange(210)[:, np.newaxis] % 2)
    c, d, x = survey(data, TablePreparation().fit(frame))
    assert c.range == "a, b, c, ..."
    assert d.range == "1970-01-01 00:00 to 1970-07-29 00:00"
    assert (x.distinct, x.range, x.missing) == (0, "", 210)
