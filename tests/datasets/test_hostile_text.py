# SPDX-License-Identifier: BSD-3-Clause
"""Both text readers against files made to break them.

Whatever the bytes, a reader gives data or raises one ValueError that names the file;
it ends, and its memory stays within a small multiple of the file.
"""

import tracemalloc

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from labelsift.datasets import (
    MultiLabelData,
    read_arff,
    read_libsvm,
    write_arff,
    write_libsvm,
)

BOUNDED = settings(
    max_examples=300,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)

DENSE = b"""@relation 'toy: -C 2'
@attribute a {0,1}
@attribute 'b c' {1,0}
@attribute x numeric
@attribute "it's" {red, 'dark blue', ?}
@attribute z integer [0,9]
@data
1,0,-2.5e-1,red,7
% comment
0,1,?,'dark blue',0
"""
SPARSE = DENSE.partition(b"1,0,-2")[0] + b"{0 1,2 3.5}\n{}\n{1 0,3 'dark blue', 4 ?}\n"
LIBSVM = b"2,7 3:0.5 1:-2 # doc\n7 1:1e-3\n\n 2:4 4:0\n11\n"

# What the formats are made of, and what parsers trip over.
ARFF_PIECES = [
    b"@relation ", b"@attribute ", b"@data", b"\n", b"\r", b"%", b",", b"{", b"}",
    b"'", b'"', b"\\", b"\\u00e9", b"?", b" ", b"\t", b"0", b"1", b"-C 1", b"-C -1",
    b"numeric", b"string", b"date", b"{0,1}", b"1e999", b"nan", b"-inf", b"1_0", b"0x1",
    b"99999999999999999999", b"\x00", b"\xff", b"\xef\xbb\xbf", b"\x1f\x8b",
    "٣".encode(), b"a",
]  # fmt: skip
LIBSVM_PIECES = [
    b":", b",", b" ", b"\n", b"\r", b"#", b"0", b"1", b"7", b"-", b"+", b".", b"e",
    b"_", b"1:1", b"nan", b"inf", b"1e999", b"4294967296", b"99999999999999999999",
    b"qid:1", b"\t", b"\x00", b"\xff", b"\xef\xbb\xbf", b"\x1f\x8b", "٣".encode(),
    b"\x0b", b"\x1c",
]  # fmt: skip


def edited(originals, pieces):
    """A good file after some deletions, repetitions and insertions."""
    edit = st.tuples(
        st.sampled_from(["delete", "repeat", "insert", "cut"]),
        st.integers(0, 400),
        st.integers(1, 40),
        st.one_of(st.sampled_from(pieces), st.binary(max_size=8)),
    )

    def apply(original, edits):
        content = original
        for kind, start, length, piece in edits:
            start = start % (len(content) + 1)
            head, body, tail = (
                content[:start],
                content[start : start + length],
                content[start + length :],
            )
            content = {
                "delete": head + tail,
                "repeat": head + body * 3 + tail,
                "insert": head + piece + body + tail,
                "cut": head,
            }[kind]
        return content

    return st.builds(
        apply, st.sampled_from(originals), st.lists(edit, min_size=1, max_size=6)
    )


def assembled(pieces):
    """A file thrown together from what the format is made of."""
    return st.lists(st.sampled_from(pieces), max_size=60).map(b"".join)


def check(read, path, content):
    """Data that keep their promises, or one sentence with the file's name."""
    path.write_bytes(content)
    try:
        data = read(path)
    except ValueError as error:
        message = str(error)
        assert path.name in message
        assert len(message.splitlines()) == 1
        assert message.endswith(".")
        return
    assert isinstance(data, MultiLabelData)
    assert np.isin(data.Y, (0, 1)).all()
    values = data.X.data if sp.issparse(data.X) else data.X
    assert not np.isinf(values).any()


@BOUNDED
@given(content=edited([DENSE, SPARSE], ARFF_PIECES) | assembled(ARFF_PIECES))
def test_arff_gives_data_or_a_sentence(tmp_path, content):
    check(read_arff, tmp_path / "fuzz.arff", content)


@BOUNDED
@given(row=st.lists(st.sampled_from(ARFF_PIECES), max_size=20).map(b"".join))
def test_arff_rows_give_data_or_a_sentence(tmp_path, row):
    header = DENSE.partition(b"1,0,-2")[0]
    check(read_arff, tmp_path / "fuzz.arff", header + b"{" + row + b"}")
    check(read_arff, tmp_path / "fuzz.arff", header + b"1,0,1," + row)


@BOUNDED
@given(content=edited([LIBSVM], LIBSVM_PIECES) | assembled(LIBSVM_PIECES))
def test_libsvm_gives_data_or_a_sentence(tmp_path, content):
    check(read_libsvm, tmp_path / "fuzz.svm", content)


NAMES = st.text(min_size=1, max_size=8).filter(lambda name: name.isprintable())
NUMBERS = st.floats(allow_nan=False, allow_infinity=False, width=64)


@st.composite
def small_data(draw):
    n, d, t = (draw(st.integers(1, 4)) for _ in range(3))
    names = draw(st.lists(NAMES, min_size=d + t, max_size=d + t, unique=True))
    cells = draw(st.lists(NUMBERS, min_size=n * d, max_size=n * d))
    bits = draw(st.lists(st.integers(0, 1), min_size=n * t, max_size=n * t))
    X = np.reshape(cells, (n, d))
    Y = np.reshape(bits, (n, t))
    Y[0] = 1  # LIBSVM does not keep a label that no row has
    form = draw(st.sampled_from([np.asarray, sp.csr_array]))
    return MultiLabelData(form(X), Y, tuple(names[:d]), tuple(names[d:]))


@settings(BOUNDED, max_examples=100)
@given(data=small_data())
def test_what_is_written_is_read_back(tmp_path, data):
    write_arff(data, tmp_path / "a.arff")
    back = read_arff(tmp_path / "a.arff")
    assert back.feature_names == data.feature_names
    assert back.label_names == data.label_names
    assert np.array_equal(_dense(back), _dense(data))
    assert np.array_equal(back.Y, data.Y)
    write_libsvm(data, tmp_path / "a.svm")
    back = read_libsvm(tmp_path / "a.svm")
    assert np.array_equal(_dense(back), _dense(data))
    assert np.array_equal(back.Y, data.Y)


def _dense(data):
    return data.X.toarray() if sp.issparse(data.X) else data.X


MEKA = "@relation 'r: -C 1'\n@attribute y {0,1}\n"
ROWS = MEKA + "@attribute x real\n@data\n"
MANY = 6_000
MORE = 30_000

# Each would cost the square of its size in time, or a large multiple of it in memory,
# if a reader were careless.
HEAVY_ARFF = {
    "many attributes": MEKA
    + "".join(f"@attribute a{i} real\n" for i in range(MANY))
    + f"@data\n1{',0' * MANY}\n",
    "a category set for each": MEKA
    + "".join(f"@attribute a{i} {{0,{i + 1}}}\n" for i in range(MANY))
    + f"@data\n1{',0' * MANY}\n",
    "many categories": f"{MEKA}@attribute x {{{','.join(map(str, range(MORE)))}}}\n"
    "@data\n1,0\n",
    "many commas": f"{ROWS}1,{'0,' * MORE}\n",
    "an open quote": f"{ROWS}1,'{'0,' * MORE}\n",
    "escaped quotes": ROWS + "1,'" + "\\'" * MORE + "\n",
    "half quotes": ROWS + "1," + "'\\," * MORE + "\n",
    "quotes of two kinds": ROWS + "1," + "'\"," * MORE + "\n",
    "spaces in a row": f"{ROWS}1,{' ' * MORE}x\n",
    "spaces between letters": f"{ROWS}1,{'x ' * MORE}\n",
    "spaces in a name": f"{MEKA}@attribute {' ' * MORE}x\n",
    "a name that does not end": MEKA + "@attribute '" + "\\\\" * MORE + "\n",
    "a long name": f"{MEKA}@attribute {'x' * MORE} real\n@data\n0,x\n",
    "a long type": f"{MEKA}@attribute x {'x' * MORE}\n",
    "many pairs": f"{ROWS}{{{'0 1,' * MORE}}}\n",
    "many quoted pairs": ROWS + "{" + "0 '1'," * MORE + "}\n",
    "spaces in a pair": f"{ROWS}{{0 1{' ' * MORE}x}}\n",
    "a long index": f"{ROWS}{{{'9' * MORE} 1}}\n",
    "many short rows": ROWS + "1,0\n" * MORE,
    "many empty rows": ROWS + "{}\n" * MORE,
    "labels that no row writes": MEKA.replace("-C 1", f"-C {MANY}")
    + "".join(f"@attribute a{i} {{0,1}}\n" for i in range(MANY))
    + "@data\n"
    + "{}\n" * MORE,
    "categories that no row writes": MEKA
    + "".join(f"@attribute a{i} {{1,2}}\n" for i in range(MANY))
    + "@data\n"
    + "{}\n" * MORE,
}
HEAVY_LIBSVM = {
    "a large index": "1 999999999:1\n" * 10_000,
    "a long index": f"1 {'9' * MORE}:1\n",
    "a long label": f"{'9' * MORE} 1:1\n",
    "many labels": ",".join(map(str, range(MORE))) + " 1:1\n",
    "a label many times": "1" + ",1" * MORE + " 1:1\n",
    "a label of its own for each row": "".join(f"{i} 1:1\n" for i in range(MORE)),
    "many pairs": "1 " + " ".join(f"{i}:1" for i in range(MORE)) + "\n",
    "colons": f"1 {':' * MORE}\n",
    "many short rows": "1\n" * MORE + "1 1:1\n",
}
CASES = [(read_arff, name, text) for name, text in HEAVY_ARFF.items()]
CASES += [(read_libsvm, name, text) for name, text in HEAVY_LIBSVM.items()]


@pytest.mark.parametrize(
    ("read", "content"),
    [(read, text) for read, _, text in CASES],
    ids=[f"{read.__name__}: {name}" for read, name, _ in CASES],
)
def test_memory_is_a_small_multiple_of_the_file(tmp_path, read, content):
    path = tmp_path / "heavy"
    path.write_text(content)
    message, peak = peak_memory(read, path)
    assert peak < 2**20 + 40 * len(content)
    assert message is None or ("heavy" in message and len(message) < 500)


def peak_memory(read, path):
    """What a reader complains about, if anything, and the most it held."""
    tracemalloc.start()
    try:
        read(path)
        message = None
    except ValueError as error:
        message = str(error)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return message, peak
