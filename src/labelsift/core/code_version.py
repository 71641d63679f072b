# SPDX-License-Identifier: BSD-3-Clause
"""Which version of its code a class or function has: a hash that comments leave alone.

The hash covers the module of the object and every module of the same package that it
imports, directly or not, as syntax trees without docstrings; other packages count with
their version, and of an installed release the module alone is looked at. Stored results
are so valid until code behind them changes.
"""

import ast
import hashlib
import importlib.util
import sys
from functools import cache
from importlib.metadata import PackageNotFoundError, packages_distributions, version
from pathlib import Path
from typing import Any

_DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def code_version(thing: Any) -> str | None:
    """Hash of the code behind a class, function or instance.

    Parameters
    ----------
    thing : object
        A class, a function, or an instance of a class.

    Returns
    -------
    str or None
        None where the source cannot be read: a notebook, ``__main__``, compiled code.
    """
    home = getattr(thing, "__module__", None) or type(thing).__module__
    if home == "__main__" or _source(home) is None:
        return None
    package = home.partition(".")[0]
    if _is_installed(home):  # its release says the rest
        return f"{package} {_version(package)} {_digest(home)[:20]}"
    inside, outside = _closure(home, package)
    parts = [f"{name} {_digest(name)}" for name in sorted(inside)]
    parts += [f"{name} {_version(name)}" for name in sorted(outside)]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:20]


def _is_installed(home: str) -> bool:
    """Whether a module belongs to a release: editable installs are elsewhere."""
    path = _source(home)
    return path is not None and "site-packages" in path.parts


@cache
def _version(package: str) -> str:
    """Version of a package; "unknown" where it does not say."""
    known = getattr(sys.modules.get(package), "__version__", None)
    if known is not None:
        return str(known)
    for name in packages_distributions().get(package, [package]):
        try:
            return version(name)
        except PackageNotFoundError:
            continue
    return "unknown"


@cache
def _closure(home: str, package: str) -> tuple[frozenset[str], frozenset[str]]:
    """Modules of the package that a module reaches, and the other packages."""
    inside, outside, waiting = set(), set(), [home]
    while waiting:
        name = waiting.pop()
        if name in inside:
            continue
        inside.add(name)
        for other in _imports(name):
            top = other.partition(".")[0]
            if top != package:
                outside.add(top)
            elif other not in inside:
                waiting.append(other)
    return frozenset(inside), frozenset(outside - set(sys.stdlib_module_names))


@cache
def _imports(name: str) -> frozenset[str]:
    """Modules that a module imports, wherever in the file, as dotted names."""
    names: set[str] = set()
    parent = name if _is_package(name) else name.rpartition(".")[0]
    for node in ast.walk(_tree(name)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                steps = parent.split(".")
                above = steps[: len(steps) - node.level + 1]
                base = ".".join([*above, *([base] if base else [])])
            for alias in node.names:
                full = f"{base}.{alias.name}"
                names.add(full if _source(full) is not None else base)
    return frozenset(names - {""})


@cache
def _source(name: str) -> Path | None:
    """The file of a module; None where it is no module or has no source."""
    loaded = sys.modules.get(name)
    path = getattr(loaded, "__file__", None)
    if path is None:
        try:
            spec = importlib.util.find_spec(name)
        except (ImportError, AttributeError, ValueError):
            return None
        path = None if spec is None else spec.origin
    if path is None or not path.endswith(".py"):
        return None
    file = Path(path)
    return file if file.is_file() else None


def _is_package(name: str) -> bool:
    path = _source(name)
    return path is not None and path.name == "__init__.py"


def _tree(name: str) -> ast.Module:
    path = _source(name)
    return ast.parse(b"" if path is None else path.read_bytes())


@cache
def _digest(name: str) -> str:
    """Hash of a module's syntax tree without docstrings and positions."""
    tree = _tree(name)
    for node in ast.walk(tree):
        if isinstance(node, _DOCUMENTED) and node.body:
            first = node.body[0]
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
                node.body = node.body[1:] or [ast.Pass()]
    return hashlib.sha256(ast.dump(tree).encode()).hexdigest()
