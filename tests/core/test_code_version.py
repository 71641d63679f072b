# SPDX-License-Identifier: BSD-3-Clause
import importlib
import itertools
import subprocess
import sys
import textwrap
from functools import partial

import numpy as np
import pytest
from sklearn.linear_model import Ridge
from sklearn.metrics import accuracy_score

from labelsift.core.code_version import code_version
from labelsift.selection import FisherScore, GreedyRLS

_numbers = itertools.count()

MODEL = """
import math
from {package} import shared
from .parts.inner import weight as w

LIMIT = 3

class Model:
    def fit(self, X):
        return shared.spread(X) + w(LIMIT)

def judge(truth, found):
    return 1.0
"""


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A package in a folder of its own: its name, its folder and a way to load it."""
    name = f"written_{next(_numbers)}"
    folder = tmp_path / name
    write(folder / "__init__.py", "BANNER = 'hello'")
    write(folder / "model.py", MODEL.format(package=name))
    write(folder / "shared.py", "POWER = 1.0\ndef spread(X):\n    return X**POWER")
    write(folder / "unused.py", "ANSWER = 42")
    write(folder / "parts" / "__init__.py", "")
    write(folder / "parts" / "inner.py", "from .. import base\nweight = abs")
    write(folder / "base.py", "DEEP = 1")
    monkeypatch.syspath_prepend(tmp_path)
    yield Package(name, folder)
    unload(name)


def unload(name):
    """Forget all modules whose name begins so."""
    for key in [key for key in sys.modules if key.startswith(name)]:
        del sys.modules[key]


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(textwrap.dedent(text))


class Package:
    """A package that can be edited, loaded anew, and asked for its version."""

    def __init__(self, name, folder):
        self.name = name
        self.folder = folder

    def load(self, module="model"):
        """As a new process would."""
        unload(self.name)
        importlib.invalidate_caches()
        sys.dont_write_bytecode, before = True, sys.dont_write_bytecode
        try:
            return importlib.import_module(f"{self.name}.{module}")
        finally:
            sys.dont_write_bytecode = before

    def version(self):
        return code_version(self.load().Model)

    def edit(self, file, old, new):
        path = self.folder / file
        assert old in path.read_text()
        path.write_text(path.read_text().replace(old, new))


def test_a_class_its_instance_and_a_function_of_a_module_have_its_version(package):
    model = package.load()
    version = code_version(model.Model)
    assert isinstance(version, str)
    things = (model.Model(), model.judge, model.Model().fit, partial(model.judge, 1))
    assert [code_version(thing) for thing in things] == [version] * 4
    assert code_version(partial(partial(model.judge, 1), 2)) == version
    assert package.version() == version


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("model.py", "LIMIT = 3", "LIMIT = 3  # a comment"),
        ("model.py", "LIMIT = 3", "\n\n# moved down\nLIMIT = (\n    3\n)"),
        ("model.py", "import math", '"""Says what it is."""\nimport math'),
        ("model.py", "class Model:", 'class Model:\n    """Says what it is."""\n'),
        ("model.py", "return 1.0", '"""Judges."""\n    return 1.0'),
        ("model.py", "LIMIT = 3", 'LIMIT = 3\n"""What LIMIT means."""'),
        ("shared.py", "X**POWER", "X ** POWER"),
        ("shared.py", "POWER = 1.0", "POWER = 1.00"),
        ("unused.py", "42", "43"),
        ("__init__.py", "hello", "goodbye"),
        ("parts/__init__.py", "", "NEW = 1"),
    ],
)
def test_what_changes_nothing(package, file, old, new):
    """Comments, docstrings, positions, and modules that are not imported by name."""
    before = package.version()
    package.edit(file, old, new)
    assert package.version() == before


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("model.py", "LIMIT = 3", "LIMIT = 4"),
        ("model.py", "LIMIT = 3", "LIMIT = '3'"),
        ("model.py", "return 1.0", "return 'Judges.'"),
        ("model.py", "return 1.0", "f'''not a docstring {truth}'''\n    return 1.0"),
        ("model.py", "truth, found", "found, truth"),
        ("shared.py", "POWER = 1.0", "POWER = 2.0"),  # from package import module
        ("parts/inner.py", "abs", "max"),  # a relative import
        ("base.py", "DEEP = 1", "DEEP = 2"),  # a relative import of an import
        ("model.py", "import math", "import numpy"),
    ],
)
def test_what_changes_the_version(package, file, old, new):
    before = package.version()
    package.edit(file, old, new)
    assert package.version() != before


def test_arguments_and_unpacked_dicts_do_not_change_places(package):
    """What is empty in the tree is told apart by its place."""
    texts = [
        "{**a, 'k': b}", "{'k': a, **b}", "lambda *, a, b=1: 0", "lambda *, a=1, b: 0",
        "x[1:]", "x[:1]", "x[::1]", "None", "...", "0", "False", "''", "b''",
    ]  # fmt: skip
    versions = set()
    for text in texts:
        write(
            package.folder / "model.py", f"class Model:\n    f = lambda a, b, x: {text}"
        )
        versions.add(package.version())
    assert len(versions) == len(texts)


def test_names_of_an_init_count_where_they_are_imported(package):
    package.edit("model.py", "import math", f"from {package.name} import BANNER")
    before = package.version()
    package.edit("__init__.py", "hello", "goodbye")
    assert package.version() != before


def test_classes_of_an_init_follow_its_relative_imports(package):
    write(package.folder / "parts" / "__init__.py", "from . import inner\nclass C: ...")
    before = code_version(package.load("parts").C)
    package.edit("base.py", "DEEP = 1", "DEEP = 2")
    assert code_version(package.load("parts").C) != before


def test_imports_inside_functions_count_and_are_not_run(package):
    write(package.folder / "bomb.py", "raise RuntimeError('imported')")
    package.edit("model.py", "return 1.0", "from . import bomb\n    return 1.0")
    package.edit(
        "model.py", "import math", f"if False:\n    import {package.name}.base"
    )
    before = package.version()
    package.edit("bomb.py", "imported", "imported again")
    assert package.version() != before
    assert f"{package.name}.bomb" not in sys.modules


def test_modules_that_import_each_other(package):
    package.edit("shared.py", "POWER = 1.0", "POWER = 1.0\nfrom . import model")
    before = package.version()
    package.edit("shared.py", "POWER = 1.0", "POWER = 2.0")
    assert package.version() != before


def test_a_part_that_cannot_be_parsed_counts_with_its_bytes(package):
    write(package.folder / "old.py", "print 'hello'")
    package.edit(
        "model.py", "import math", "try:\n    from . import old\nexcept SyntaxError: 0"
    )
    before = package.version()
    package.edit("old.py", "hello", "goodbye")
    assert package.version() != before


def release(folder, name, version):
    """What pip writes about a package."""
    info = folder / f"{name}-{version}.dist-info"
    write(
        info / "METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
    )
    write(info / "top_level.txt", name)
    return info


@pytest.fixture
def forget_releases():
    from labelsift.core import code_version as module

    def forget():
        module._release.cache_clear()
        module._distributions.cache_clear()

    forget()
    yield forget
    forget()


def test_another_package_counts_with_its_release(package, forget_releases):
    other, home = f"{package.name}_other", package.folder.parent
    write(home / other / "__init__.py", "")
    write(home / other / "part.py", "VALUE = 1")
    info = release(home, other, "1.0")
    package.edit("model.py", "import math", f"import {other}.part")
    before = package.version()
    write(home / other / "part.py", "VALUE = 2")
    assert package.version() == before
    write(info / "METADATA", f"Metadata-Version: 2.1\nName: {other}\nVersion: 1.1\n")
    forget_releases()
    assert package.version() != before


def test_a_file_in_the_same_folder_counts_with_its_code(package):
    """It has no release that would tell."""
    neighbour, home = f"{package.name}_neighbour", package.folder.parent
    write(home / f"{neighbour}.py", "VALUE = 1")
    write(home / f"{neighbour}_folder" / "deep.py", "VALUE = 1")
    for line in (f"import {neighbour}", f"from {neighbour}_folder import deep"):
        package.edit("model.py", "import math", f"import math\n{line}")
    before = package.version()
    write(home / f"{neighbour}.py", "VALUE = 2")
    second = package.version()
    write(home / f"{neighbour}_folder" / "deep.py", "VALUE = 2")
    assert len({before, second, package.version()}) == 3


def test_of_an_installed_release_the_module_alone_is_looked_at(
    tmp_path, monkeypatch, forget_releases
):
    name, home = f"written_{next(_numbers)}", tmp_path / "site-packages"
    write(home / name / "__init__.py", "")
    write(home / name / "model.py", f"from {name} import shared\nclass Model: ...")
    write(home / name / "shared.py", "POWER = 1.0")
    info = release(home, name, "2.5")
    monkeypatch.syspath_prepend(home)
    installed = Package(name, home / name)
    before = installed.version()
    assert before.startswith(f"{name} 2.5 ")
    installed.edit("shared.py", "1.0", "2.0")
    assert installed.version() == before
    installed.edit("model.py", "class Model: ...", "class Model:\n    x = 1")
    second = installed.version()
    assert second != before
    write(info / "METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: 2.6\n")
    forget_releases()
    assert installed.version() == second.replace(" 2.5 ", " 2.6 ")


def test_scikit_learn_counts_with_its_version():
    from sklearn import __version__

    assert code_version(Ridge()).startswith(f"sklearn {__version__} ")
    assert code_version(Ridge) == code_version(Ridge(alpha=3))
    assert code_version(Ridge) != code_version(accuracy_score)


def test_an_edited_file_counts_when_it_is_loaded_again(package):
    """Results of the code in memory must not be stored as those of the file."""
    model = package.load()
    before = code_version(model.Model)
    package.edit("shared.py", "POWER = 1.0", "POWER = 2.0")
    assert code_version(model.Model) == before
    importlib.reload(sys.modules[f"{package.name}.shared"])
    assert code_version(model.Model) != before


def test_what_has_no_source_has_no_version(package):
    namespace = {"__name__": "__main__"}
    exec("class Notebook: ...\ndef judge(): ...", namespace)
    assert code_version(namespace["Notebook"]) is None
    assert code_version(namespace["Notebook"]()) is None
    assert code_version(namespace["judge"]) is None
    assert code_version(len) is None
    assert code_version(np.random.default_rng().normal) is None
    lost = package.load().Model
    lost.__module__ = "no_such_module.of_ours"
    assert code_version(lost) is None


def test_our_own_methods_have_versions_of_their_own():
    fisher, greedy = code_version(FisherScore), code_version(GreedyRLS())
    assert fisher
    assert greedy
    assert fisher != greedy


def test_another_process_finds_the_same(package):
    before = package.version()
    code = (
        f"import sys; sys.path.insert(0, {str(package.folder.parent)!r})\n"
        f"from {package.name}.model import Model\n"
        "from labelsift.core.code_version import code_version\n"
        "print(code_version(Model))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == before
