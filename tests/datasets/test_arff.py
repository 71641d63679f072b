# SPDX-License-Identifier: BSD-3-Clause
import gzip

import numpy as np
import pytest
import scipy.sparse as sp

from labelsift.datasets import read_arff

HEADER = """% a comment
@relation 'toy: -C 2'

@attribute a {0,1}
@attribute b {0,1}
@attribute x numeric
@attribute colour {red, green, 'dark blue'}
@data
"""
XML = "<labels><label name='b'/><label name='a'/></labels>"


def dense(data):
    return data.X.toarray() if sp.issparse(data.X) else data.X


@pytest.fixture
def toy(write):
    """Write a small file with the rows given and read it."""

    def read(rows, **options):
        return read_arff(write("toy.arff", HEADER + rows), **options)

    return read


def test_dense_rows(toy):
    data = toy("1,0,-2.5e-1,green\n\n% comment\n 0 , 1 , ? , 'dark blue' \n")
    assert data.label_names == ("a", "b")
    assert data.feature_names == ("x", "colour")
    assert data.name == "toy"
    np.testing.assert_array_equal(data.X, [[-0.25, 1], [np.nan, 2]])
    np.testing.assert_array_equal(data.Y, [[1, 0], [0, 1]])


def test_sparse_rows_mean_the_same(toy):
    sparse = toy("{0 1,2 -0.25,3 green}\n{}\n{ 3 'dark blue', 1 1 , 2 ? }\n")
    full = toy("1,0,-0.25,green\n0,0,0,red\n0,1,?,'dark blue'\n")
    assert sp.issparse(sparse.X)
    np.testing.assert_array_equal(dense(sparse), full.X)
    np.testing.assert_array_equal(sparse.Y, full.Y)
    assert sparse.X.has_canonical_format
    assert sparse.X.nnz == 4


@pytest.mark.parametrize(
    ("categories", "cells", "values"),
    [
        ("{1, 2, 10}", ["10", "1"], [10, 1]),
        ("{-1,.5}", [".5", "-1"], [0.5, -1]),
        ("{b,a}", ["a", "b"], [1, 0]),
        ("{1,2,many}", ["many", "1"], [2, 0]),
        ("{'a, b','c\\'d'}", ["'c\\'d'", "'a, b'"], [1, 0]),
        ("{1_0,2}", ["2", "1_0"], [1, 0]),  # 1_0 is a number in Python only
    ],
)
def test_nominal_values(write, categories, cells, values):
    rows = "\n".join(f"0,{cell}" for cell in cells)
    header = f"@relation 'r: -C 1'\n@attribute y {{0,1}}\n@ATTRIBUTE x {categories}\n"
    data = read_arff(write("a.arff", f"{header}@Data\n{rows}"))
    np.testing.assert_array_equal(data.X.ravel(), values)


def test_what_a_sparse_row_omits_is_the_first_category(write):
    header = """@relation 'r: -C 1'
    @attribute y {1,0}
    @attribute size {3,5}
    @attribute x real
    @data
    """
    data = read_arff(write("a.arff", header + "{2 7}\n{0 0,1 5}\n{1 3}\n"))
    np.testing.assert_array_equal(dense(data), [[3, 7], [5, 0], [3, 0]])
    np.testing.assert_array_equal(data.Y.ravel(), [1, 0, 1])


def test_labels_by_xml_keep_the_order_of_the_arff(write):
    write("toy.xml", XML)
    rows = HEADER.replace(": -C 2", "") + "1,0,3,red\n"
    for name in ("toy.arff", "toy-train.arff", "toy-test.arff", "toy.arff.gz"):
        content = rows.encode()
        packed = gzip.compress(content) if name.endswith(".gz") else content
        data = read_arff(write(name, packed))
        assert data.label_names == ("a", "b")
        assert data.Y.tolist() == [[1, 0]]


def test_the_xml_may_lie_elsewhere(toy, write):
    xml = write("other.xml", "<labels><label name='a'/></labels>")
    for labels in (xml, str(xml), [str(xml)]):
        data = toy("1,0,3,red\n", labels=labels)
        assert data.label_names == ("a",)
        assert data.feature_names == ("b", "x", "colour")


@pytest.mark.parametrize(
    ("labels", "names"), [("?", ("a", "b", "x")), (["b"], ("b",)), (1, ("a",))]
)
def test_labels_by_argument(toy, labels, names):
    assert toy("1,0,1,red\n", labels=labels).label_names == names


def test_meka_counts_from_the_end_too(write):
    text = "@relation 'r: -C -2'\n@attribute x real\n@attribute a {0,1}\n"
    data = read_arff(write("a.arff", text + "@attribute b {0,1}\n@data\n4,1,0"))
    assert data.label_names == ("a", "b")
    assert data.X.tolist() == [[4]]


def test_quoted_and_escaped_names(write):
    text = r"""@relation "quoted: -C 1"
@attribute 'it\'s \\ \u0416' {0,1}
@attribute "two words" numeric
@attribute plain%name{1,2}
@attribute	tab	real
@attribute 'inner	tab' real
@data
1,2,1,3,4"""
    data = read_arff(write("a.arff", text))
    assert data.label_names == (r"it's \ Ж",)
    assert data.feature_names == ("two words", "plain%name", "tab", "inner\ttab")


def test_strings_and_dates_are_dropped_on_demand(write):
    text = """@relation 'r: -C 1'
    @attribute y {0,1}
    @attribute title string
    @attribute day date "yyyy-MM-dd"
    @attribute x integer
    @data
    1,'a, \\'b\\' c',"2020-01-01",4
    0,?,?,5
    """
    path = write("a.arff", text)
    data = read_arff(path, drop=["title", "d*"])
    assert data.feature_names == ("x",)
    assert data.X.ravel().tolist() == [4, 5]
    with pytest.raises(ValueError, match=r"line 3: .*'title' is a string.*drop=\['ti"):
        read_arff(path)
    with pytest.raises(ValueError, match=r"line 4: attribute 'day' is a date"):
        read_arff(path, drop="title")


def test_true_and_false_are_labels(write):
    text = "@relation r\n@attribute x real\n@attribute y {TRUE,FALSE}\n@data\n"
    data = read_arff(write("a.arff", text + "1,FALSE\n2,TRUE\n"), labels="y")
    assert data.Y.ravel().tolist() == [0, 1]


def test_labels_may_be_declared_numeric(write):
    text = "@relation 'r: -C 1'\n@attribute y numeric\n@attribute x real\n@data\n"
    data = read_arff(write("a.arff", text + "1.0,1\n0,1\n"))
    assert data.Y.ravel().tolist() == [1, 0]
    with pytest.raises(ValueError, match=r"line 5: label 'y' is '2'.*must be 0 or 1"):
        read_arff(write("a.arff", text + "2,1\n"))


@pytest.mark.parametrize(
    ("rows", "sentence"),
    [
        ("1,0,3\n", r"line 9: the row has 3 values for 4 attributes"),
        ("1,0,3,red,5\n", r"line 9: the row has 5 values for 4 attributes"),
        ("1,0,3,red\n1,0,3\n", r"line 10: the row has 3 values"),
        ("1,0,3,pink\n", r"line 9: .*'colour' is 'pink'.*among its 3 categories red"),
        ("1,0,three,red\n", r"line 9: attribute 'x' is 'three'.*not a finite number"),
        ("1,0,nan,red\n", r"line 9: attribute 'x' is 'nan'"),
        ("1,0,1e999,red\n", r"line 9: attribute 'x' is '1e999'"),
        ("1,0,1_0,red\n", r"line 9: attribute 'x' is '1_0'"),
        ("1,0,,red\n", r"line 9: attribute 'x' is ''"),
        ("1,2,3,red\n", r"line 9: label 'b' is '2': a label must be 0 or 1"),
        ("1,?,3,red\n", r"line 9: label 'b' is '\?'"),
        ("1,0,3,'red\n", r"line 9: attribute 'colour' is \"'red\""),
        ("{0 1,2 3\n", r"line 9: a sparse row must begin with { and end with }"),
        ("{0 1}\n1,0,3,red\n", r"line 10: a sparse row must begin"),
        ("1,0,3,red\n{0 1}\n", r"line 10: a sparse row follows dense rows"),
        ("{4 1}\n", r"line 9: there is no attribute 4: .* from 0 to 3"),
        ("{99999999999999999999999 1}\n", r"line 9: there is no attribute 9999"),
        ("{-1 1}\n", r"line 9: '-1 1' is not an attribute's number and its value"),
        ("{2 1,2 1}\n", r"line 9: the row has an attribute twice"),
        ("{2 1 1}\n", r"line 9: attribute 'x' is '1 1'"),
        ("{2 1,}\n", r"line 9: '' is not an attribute's number"),
        ("{2}\n", r"line 9: '2' is not an attribute's number"),
        ("{3 pink}\n", r"line 9: .*'colour' is 'pink'"),
        ("{1 2}\n", r"line 9: label 'b' is '2'"),
        ("{2 inf}\n", r"line 9: attribute 'x' is 'inf'"),
        ("", r"toy\.arff has no rows after @data"),
    ],
)
def test_bad_rows(toy, rows, sentence):
    with pytest.raises(ValueError, match=sentence):
        toy(rows)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", r"bad\.arff ends at line 0 without @data"),
        (
            "@relation r\n@attribute x real\n",
            r"ends at line 2 without @data: .*truncated",
        ),
        ("@relation r\n@data\n1", r"line 2: @data comes before any @attribute"),
        ("x,y\n1,2\n", r"line 1: 'x,y' is not @relation"),
        ("@attribute\n", r"line 1: @attribute has no name"),
        ("@attribute 'x numeric\n", r"line 1: .*its quotes do not close"),
        ("@attribute x\n", r"line 1: attribute 'x' has the type ''"),
        ("@attribute x complex\n", r"line 1: attribute 'x' has the type 'complex'"),
        ("@attribute x relational\n", r"has the type 'relational'"),
        ("@attribute x {a,b\n", r"line 1: .*'x' have no closing brace"),
        ("@attribute x {}\n", r"line 1: attribute 'x' has no categories"),
        ("@attribute x {a,b,a}\n", r"line 1: attribute 'x' names a category twice"),
        (
            "@attribute x real\n@attribute 'x' real\n",
            r"line 2: there are two attributes called 'x'",
        ),
        (
            "@relation 'r: -C 1'\n@attribute y {no,yes}\n@attribute x real\n@data\n",
            r"line 2: label 'y' has the categories no, yes: a label must be 0 or 1",
        ),
        ("@attribute x real\n@data\n1\n", r"bad\.arff has no XML .*pass labels="),
        ("@relation 'r: -C 2'\n@attribute x real\n@attribute y real\n@data\n", "be 2"),
        ("@relation 'r: -C 0'\n@attribute x real\n@attribute y real\n@data\n", "be 0"),
        (b"@relation r\n@attribute \xe9t\xe9 real\n", r"line 2: byte 12 is not UTF-8"),
        (b"PK\x03\x04\xff\xff", r"line 1: byte 5 is not UTF-8"),
    ],
)
def test_bad_headers(write, text, sentence):
    with pytest.raises(ValueError, match=sentence):
        read_arff(write("bad.arff", text))


def test_a_label_of_the_xml_that_the_arff_lacks(toy, write):
    write("toy.xml", "<labels><label name='a'/><label name='zz'/></labels>")
    sentence = r"toy\.xml names the label 'zz', which .*toy\.arff does not have"
    with pytest.raises(ValueError, match=sentence):
        toy("1,0,3,red\n")


def test_labels_that_no_row_writes_cannot_fill_the_memory(write):
    labels = "".join(f"@attribute a{i} {{0,1}}\n" for i in range(5000))
    header = f"@relation 'r: -C -5000'\n@attribute x real\n{labels}@data\n"
    path = write("a.arff", header + "{}\n" * 20000)
    with pytest.raises(ValueError, match="its label matrix would take 100000000 bytes"):
        read_arff(path)


def test_categories_that_no_row_writes_cannot_fill_the_memory(write):
    features = "".join(f"@attribute a{i} {{1,2}}\n" for i in range(500))
    header = f"@relation 'r: -C 1'\n@attribute y {{0,1}}\n{features}@data\n"
    path = write("a.arff", header + "{}\n" * 5000)
    with pytest.raises(ValueError, match="its omitted first category would take"):
        read_arff(path)


@pytest.mark.parametrize("name", ["emotions", "flags", "scene", "yeast", "enron"])
def test_real_sets_equal_their_npz(real, data_home, name):
    expected = real(name)
    folder = data_home / name / "original"
    for part, rows in (("train", expected.train_idx), ("test", expected.test_idx)):
        data = read_arff(folder / f"{name}-{part}.arff")
        assert data.feature_names == expected.feature_names
        assert data.label_names == expected.label_names
        assert sp.issparse(data.X) == sp.issparse(expected.X)
        X = expected.X[rows]
        np.testing.assert_array_equal(dense(data), X.toarray() if sp.issparse(X) else X)
        np.testing.assert_array_equal(data.Y, expected.Y[rows])


@pytest.mark.parametrize("name", ["emotions", "flags", "yeast", "enron"])
def test_the_union_file_has_the_same_rows(real, data_home, name):
    expected = real(name)
    data = read_arff(data_home / name / "original" / f"{name}.arff")

    def sorted_rows(data):
        rows = np.hstack([dense(data), data.Y])
        return rows[np.lexsort(rows.T)]

    np.testing.assert_array_equal(sorted_rows(data), sorted_rows(expected))
