# SPDX-License-Identifier: BSD-3-Clause
"""The API reference: a page for every public name, found in the rooms themselves."""

import importlib
import inspect
import pkgutil
import re
from functools import cached_property
from pathlib import Path

import labelsift

# What scikit-learn's mixins give to our classes and a reader looks for there.
_INHERITED = ("fit_transform", "transform", "inverse_transform", "get_support")
# Private names, and what scikit-learn adds to every class to route metadata.
_HIDDEN = re.compile(r"_|set_\w+_request$")


def public_rooms():
    """(module, public names) of every room that has public names."""
    for info in pkgutil.iter_modules(labelsift.__path__):
        room = importlib.import_module(f"labelsift.{info.name}")
        names = getattr(room, "__all__", [])
        if info.ispkg and names:
            yield room, sorted(names, key=str.lower)


def write_api(folder):
    """Write index.rst, a page per room and a page per public name.

    Parameters
    ----------
    folder : Path
        Where to; pages of names that are gone are removed.
    """
    pages = {}
    rooms = []
    for room, names in public_rooms():
        rooms.append(room.__name__)
        pages[room.__name__] = _room_page(room, names)
        for name in names:
            pages[f"{room.__name__}.{name}"] = _page(room, name)
    pages["index"] = _index(rooms)
    _write(Path(folder), pages)


def _write(folder, pages):
    """Write what has changed, so that only that is built again."""
    folder.mkdir(parents=True, exist_ok=True)
    for page in folder.glob("*.rst"):
        if page.stem not in pages:
            page.unlink()
    for name, text in pages.items():
        page = folder / f"{name}.rst"
        if not page.exists() or page.read_text() != text:
            page.write_text(text)


def _title(text, line="="):
    return [text, line * len(text), ""]


def _index(rooms):
    lines = [
        *_title("API reference"),
        "Every public name, by the room it lives in.",
        "",
        ".. toctree::",
        "   :maxdepth: 1",
        "",
        *(f"   {room}" for room in rooms),
    ]
    return "\n".join(lines) + "\n"


def _room_page(room, names):
    rows = [
        f"   * - :py:obj:`{name} <{room.__name__}.{name}>`\n"
        f"     - {_summary(getattr(room, name))}"
        for name in names
    ]
    lines = [
        *_title(room.__name__),
        inspect.getdoc(room).partition("\n")[0],
        "",
        ".. list-table::",
        "   :widths: 30 70",
        "   :class: api",
        "",
        *rows,
        "",
        ".. toctree::",
        "   :hidden:",
        "",
        *(f"   {name} <{room.__name__}.{name}>" for name in names),
    ]
    return "\n".join(lines) + "\n"


def _summary(thing):
    """The first sentence of what it says of itself; of a dict, what it holds."""
    if isinstance(thing, dict):
        return f"Dictionary of {len(thing)}: {', '.join(thing)}."
    return inspect.getdoc(thing).partition("\n")[0].replace("*", r"\*")


def _page(room, name):
    thing = getattr(room, name)
    lines = [*_title(name), f".. currentmodule:: {room.__name__}", ""]
    if inspect.isclass(thing):
        lines += _guide(name)
        lines += [f".. autoclass:: {name}", ""]
        lines += [f"   .. auto{kind}:: {member}" for member, kind in _members(thing)]
    elif inspect.isfunction(thing):
        lines += [f".. autofunction:: {name}"]
    else:
        lines += _dictionary(name, thing)
    return "\n".join(lines) + "\n"


def _guide(name):
    """A line that leads to the page about the method, where there is one."""
    for page in (Path(__file__).parents[1] / "methods").glob("*.md"):
        if page.read_text().startswith(f"# {name}\n"):
            return [
                "When to use it, and what its paper printed: "
                f":doc:`the guide to {name} </methods/{page.stem}>`.",
                "",
            ]
    return []


def _members(cls):
    """(name, kind) of public methods and properties: ours, and the useful others."""
    for name in dir(cls):
        home = next(base for base in cls.__mro__ if name in vars(base))
        ours = home.__module__.startswith("labelsift") and not _HIDDEN.match(name)
        member = inspect.getattr_static(cls, name)
        if isinstance(member, property | cached_property) and ours:
            yield name, "property"
        elif name in _INHERITED or (ours and inspect.isroutine(member)):
            yield name, "method"


def _dictionary(name, things):
    lines = [f".. data:: {name}", "", "   .. list-table::", ""]
    for key, value in things.items():
        lines += [f"      * - ``{key}``", f"        - {_entry(value)}"]
    return lines


def _entry(value):
    """A class or the function of a measure as a link; text as it is."""
    if isinstance(value, str):
        return value
    thing = value if inspect.isclass(value) else value.function
    room = ".".join(thing.__module__.split(".")[:2])
    return f":py:obj:`~{room}.{thing.__name__}`"
