# SPDX-License-Identifier: BSD-3-Clause
"""Label matrices, predictions and scores that hypothesis draws for the measures."""

from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

# Few values, so that ties are common; 0 lies on the threshold.
_TIED = st.sampled_from([-1.5, -0.5, 0.0, 0.25, 2.0])
_WIDE = st.floats(allow_nan=False, width=64)

_SHAPES = st.tuples(st.integers(1, 7), st.integers(1, 6))


@st.composite
def label_pairs(draw):
    """True and predicted labels; empty and full sets and constant labels occur."""
    shape = draw(_SHAPES)
    labels = arrays(int, shape, elements=st.integers(0, 1))
    return draw(labels), draw(labels)


@st.composite
def scored(draw):
    """True labels and scores, tied or spread over all floats with infinities."""
    shape = draw(_SHAPES)
    labels = arrays(int, shape, elements=st.integers(0, 1))
    scores = arrays(float, shape, elements=draw(st.sampled_from([_TIED, _WIDE])))
    return draw(labels), draw(scores)
