# SPDX-License-Identifier: BSD-3-Clause
"""Which version of its code a class or function has: a hash that comments leave alone.

The hash covers the module of the object and every module of the same package that it
imports, directly or not, as syntax trees without docstrings. Other packages count with
the version of their release; those without one (a file in the same folder) with their
code. Of an object that belongs to a release, its own module alone is looked at. Stored
results are so valid until code behind them changes.
"""

import ast
import gc
import hashlib
import importlib.util
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, partial
from importlib.metadata import PackageNotFoundError, packages_distributions, version
from pathlib import Path
from typing import Any

# Folders of releases: packages under development are elsewhere.
_RELEASES = {"site-packages", "dist-packages"}


def code_version(thing: Any) -> str | None:
    """Hash of the code behind a class, function or instance.

    Parameters
    ----------
    thing : object
        A class, a function, a ``functools.partial``, or an instance of a class.

    Returns
    -------
    str or None
        None where the source cannot be read: a notebook, ``__main__``, compiled code.
    """
    while isinstance(thing, partial):
        thing = thing.func
    home = getattr(thing, "__module__", None) or type(thing).__module__
    path = None if home == "__main__" else _file(home)
    if path is None:
        return None
    if _RELEASES & set(path.parts):  # its release says the rest
        package = home.partition(".")[0]
        return f"{package} {_release(package)} {_module(home).digest[:20]}"
    inside, outside = _closure(home)
    parts = [f"{name} {_module(name).digest}" for name in sorted(inside)]
    parts += [f"{name} {_release(name)}" for name in sorted(outside)]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:20]


def _closure(home: str) -> tuple[set[str], set[str]]:
    """Modules whose code counts, and packages whose release counts."""
    package = home.partition(".")[0]
    inside: set[str] = set()
    outside: set[str] = set()
    waiting = [home]
    while waiting:
        name = waiting.pop()
        if name in inside:
            continue
        inside.add(name)
        for other in _module(name).imports:
            top = other.partition(".")[0]
            if top == package or (_release(top) is None and _file(other) is not None):
                waiting.append(other)
            elif top not in sys.stdlib_module_names:
                outside.add(top)
    return inside, outside


@cache
def _release(package: str) -> str | None:
    """Version of the distribution that a package belongs to; None without one."""
    if package in sys.stdlib_module_names:
        return "of Python"
    for name in sorted(_distributions().get(package, [package])):
        try:
            return version(name)
        except PackageNotFoundError:
            continue
    return None


_distributions = cache(packages_distributions)


@dataclass(frozen=True)
class _Module:
    """What counts of a module: its code, and the modules that it imports."""

    spec: Any
    digest: str
    imports: frozenset[str]


_looked_at: dict[str, _Module] = {}


def _module(name: str) -> _Module:
    """A module as it was at the first look since it was loaded or reloaded.

    A file that was edited while its old code is loaded is looked at after the reload.
    """
    spec = getattr(sys.modules.get(name), "__spec__", None)  # of each load its own
    known = _looked_at.get(name)
    if known is None or spec is None or known.spec is not spec:
        known = _looked_at[name] = _read(name, spec)
    return known


def _read(name: str, spec: Any) -> _Module:
    path = _file(name)
    source = b"" if path is None else path.read_bytes()
    is_package = path is not None and path.name == "__init__.py"
    parent = name if is_package else name.rpartition(".")[0]
    digest, imports = _parsed(source)
    return _Module(spec, digest, frozenset(_imports(imports, parent)))


@cache
def _parsed(source: bytes) -> tuple[str, list[ast.Import | ast.ImportFrom]]:
    """Hash of the syntax tree, and the imports in it, wherever in the file."""
    collects = gc.isenabled()
    # Every few hundred objects of a tree, which is dropped a moment later, collection
    # would visit all objects of the process: that takes most of the time.
    gc.disable()
    try:
        tree = ast.parse(source)
        lines, imports = _nodes(tree)
    except (SyntaxError, ValueError):  # cannot be run, so that it imports nothing
        return hashlib.sha256(source).hexdigest(), []
    finally:
        if collects:
            gc.enable()
    return hashlib.sha256("\n".join(lines).encode()).hexdigest(), imports


def _nodes(tree: ast.Module) -> tuple[list[str], list[ast.Import | ast.ImportFrom]]:
    """The syntax tree, a line for each node, without positions and docstrings.

    ``ast.dump`` differs from one Python to the next in how it writes empty fields.
    """
    lines: list[str] = []
    imports: list[ast.Import | ast.ImportFrom] = []
    waiting: list[tuple[int, str, Any]] = [(0, "", tree)]
    while waiting:
        depth, field, node = waiting.pop()
        if not isinstance(node, ast.AST):
            lines.append(f"{depth} {field} {node!a}")
            continue
        if isinstance(node, ast.Import | ast.ImportFrom):
            imports.append(node)
        lines.append(f"{depth} {field} {type(node).__name__}")
        parts: list[tuple[int, str, Any]] = []
        for name, value in ast.iter_fields(node):
            if isinstance(value, list):
                kept = [part for part in value if not _is_docstring(part)]
                parts += [(depth + 1, name, part) for part in kept]
            elif value is not None:
                parts.append((depth + 1, name, value))
        waiting += reversed(parts)
    return lines, imports


def _is_docstring(node: Any) -> bool:
    """Whether a statement is a string by itself, which does nothing."""
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


def _imports(nodes: list[ast.Import | ast.ImportFrom], parent: str) -> Iterator[str]:
    """Modules that a module imports, as dotted names."""
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
            continue
        steps = parent.split(".") if node.level else []
        above = steps[: max(0, len(steps) - node.level + 1)]
        base = ".".join([*above, *filter(None, [node.module])])
        for full in (f"{base}.{alias.name}" for alias in node.names):
            yield base if _file(full) is None else full


def _file(name: str) -> Path | None:
    """Source of a module, which is not imported for it; None where there is none."""
    loaded = sys.modules.get(name)
    top, *below = name.split(".")
    try:
        spec = importlib.util.find_spec(top)
    except (ImportError, ValueError):
        spec = None
    if loaded is not None:
        places = [getattr(loaded, "__file__", None) or ""]
    elif spec is None:
        return None
    elif not below:
        places = [spec.origin or ""]
    else:
        folders = [Path(it, *below) for it in spec.submodule_search_locations or ()]
        places = [f"{folder}{end}" for folder in folders for end in _ENDINGS]
    paths = (Path(place) for place in places if place.endswith(".py"))
    return next((path for path in paths if path.is_file()), None)


_ENDINGS = ("/__init__.py", ".py")
