# SPDX-License-Identifier: BSD-3-Clause
import pytest

from labelsift.datasets.catalogue import BUILT_IN, Entry, entries, read_registry

DIGEST = "0123456789abcdef" * 4
LIST = f"""
[birds]
openml = 40588

[tags]
source = "https://example.org"
licence = "CC BY 4.0"
labels = "tag_*"
drop = ["id", "name"]
n = 10
cardinality = 2
[[tags.files]]
url = "https://example.org/data/tags.arff?raw=1"
sha256 = "{DIGEST}"
[[tags.files]]
url = "https://example.org/get?id=7"
sha256 = "{DIGEST.upper()}"
file = "tags.xml"
"""


def test_a_list_of_ones_own(write):
    birds, tags = read_registry(write("registry.toml", LIST))
    assert birds == Entry("birds", openml=40588)
    assert birds.licence == "see source"
    assert birds.origin == "https://www.openml.org/d/40588"
    assert (tags.labels, tags.drop, tags.n) == (("tag_*",), ("id", "name"), 10)
    assert [file.file for file in tags.files] == ["tags.arff", "tags.xml"]


def test_a_list_of_ones_own_goes_first(tmp_path, write):
    write("registry.toml", "[scene]\nopenml = 1\n[more]\nopenml = 2\n")
    found = entries([tmp_path, tmp_path / "nowhere"])
    assert found["scene"].openml == 1
    assert found["more"].openml == 2
    assert found["yeast"].openml == 40597


def test_nothing_is_built_in_without_size_and_source():
    for entry in BUILT_IN:
        assert entry.origin
        assert None not in (entry.n, entry.d, entry.t, entry.cardinality)
        # What is downloaded by address alone needs a checksum, and none is invented.
        assert not entry.files


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("[a", "registry.toml is not a list of data sets"),
        ("a = 1", "'a' is not a table"),
        ("[a]", "'a' needs either openml or files"),
        ("[a]\nopenml = 1\nfoo = 2", "'a' has the unknown key 'foo'"),
        ("[a]\nopenml = '1'", "openml of 'a' must be int"),
        ("[a]\nopenml = true", "openml of 'a' must be int"),
        ("['../a']\nopenml = 1", "data set '../a' cannot name a file"),
        ("[a]\nfiles = [1]", "a file of 'a' has the keys file, sha256, url"),
        ("[a]\nfiles = [{url = 'https://h/x.arff'}]", "needs url and sha256"),
        (
            "[a]\nfiles = [{url = 'https://h/x.arff', sha256 = 'abc'}]",
            "must be 64 hexadecimal digits",
        ),
        (
            f"[a]\nfiles = [{{url = 'file:///etc/passwd', sha256 = '{DIGEST}'}}]",
            "is not an http or https address",
        ),
        (
            f"[a]\nfiles = [{{url = 'https://h/', sha256 = '{DIGEST}'}}]",
            "file of https://h/: '' cannot name a file",
        ),
        (
            "[a]\nfiles = [{url = 'https://h/x', file = '../x', "
            f"sha256 = '{DIGEST}'}}]",
            "'../x' cannot name a file",
        ),
    ],
)
def test_bad_lists(write, text, sentence):
    with pytest.raises(ValueError, match=sentence):
        read_registry(write("registry.toml", text))


def test_a_list_that_is_not_utf8(write):
    with pytest.raises(ValueError, match="is not a list of data sets"):
        read_registry(write("registry.toml", b"[\xff]"))
