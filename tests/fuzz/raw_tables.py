# SPDX-License-Identifier: BSD-3-Clause
"""Raw CSV files whose labels are known, and changes that they must survive.

A file is written from cells that are known, with any separator, decimal mark, encoding,
line end and form of labels. Reading it must give these labels or ask; where a label has
no clear reading, it must ask. Of a file whose bytes are changed as well, the labels are
read a second time by Python's csv module and the rules of the documentation.
"""

import csv
import io
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from fuzz.mutation import WORDS, mutated
from labelsift.datasets import read_csv
from labelsift.datasets.dialect import find_dialect
from labelsift.prepare import TablePreparation, doubts

PAIRS = [
    ("0", "1"), ("-1", "1"), ("false", "true"), ("no", "yes"), ("n", "y"),
    ("nein", "ja"), ("non", "oui"),
]  # fmt: skip
MISSING = {"", "na", "n/a", "nan", "null", "none", "-", "?", "#n/a"}
MARKS = ["X", "x", "*", "✓", "positive"]
GAPS = ["", "", "NA", "n/a", "NaN", "null", "?", "-"]
FOREIGN = ["maybe", "2", "1/0", "yes/no", "0.5", "jein", "X", "10", "\u0661", "TRUE!"]
MEMBERS = ["bug", "spam", "Anämie", "a b", "COPD", "Typ 2", "x"]
TEXTS = ["plain", 'say "so"', "two\nlines", "a,b", "c;d", "e|f", "tab\there", " pad ",
         "Größe", "'", "1,5", "-9999", "<b>", "=1+1"]  # fmt: skip
# What stands in a feature now and then: the words of other fuzzing, as text.
HOSTILE = [word.decode("latin-1") for word in WORDS if b"\0" not in word]
ENCODINGS = ["utf-8", "utf-8", "utf-8-sig", "cp1252", "utf-16"]
# What the labels of a file are said to be.
ASK = "ask"


@dataclass(frozen=True)
class Case:
    """A file, the argument ``labels``, and the labels in truth.

    ``truth`` is a mapping of names to 0/1, ASK where no reading is the only one, or
    None where the bytes were changed.
    """

    content: bytes
    labels: tuple[str, ...]
    truth: dict[str, list[int]] | str | None


def random_case(rng):
    """A file as somebody may have it."""
    n = int(rng.integers(2, 60))
    separator = str(rng.choice([",", ";", "\t", "|"]))
    decimal = "," if separator != "," and rng.random() < 0.4 else "."
    columns = {f"x{j}": _feature(rng, n, decimal) for j in range(rng.integers(1, 6))}
    labels, truth = [], {}
    for j in range(int(rng.integers(1, 4))):
        name = f"tag_{j}"
        columns[name], declared, found = _label(rng, n, name)
        labels.append(declared)
        truth = ASK if ASK in (truth, found) else truth | found
    content = _written(rng, columns, separator)
    case = Case(content, tuple(labels), truth)
    return _with_changed_bytes(case, rng) if rng.random() < 0.3 else case


def _feature(rng, n, decimal):
    kind = rng.integers(7)
    if kind == 0:
        cells = [f"{v:.{rng.integers(1, 5)}f}" for v in rng.normal(size=n) * 100]
        cells = [cell.replace(".", decimal) for cell in cells]
    elif kind == 1:
        cells = [str(v) for v in rng.integers(-5, 5, n)]
    elif kind == 2:
        cells = [f"2024-0{1 + i % 9}-1{i % 10}" for i in range(n)]
    elif kind == 3:
        cells = [str(1000 + i) for i in range(n)]
    elif kind == 4:
        cells = rng.choice(["DE", "US", "FR"], n).tolist()
    elif kind == 5:
        cells = rng.choice(TEXTS, n).tolist()
    else:
        cells = rng.choice(["1e308", "-1e308", "0", "inf", "5e-324", "nan"], n).tolist()
    for at in rng.integers(n, size=rng.choice([0, 0, 1, 3])):
        cells[at] = str(rng.choice(HOSTILE))
    gone = rng.random(n) < rng.choice([0, 0, 0.2, 0.95])
    return [
        str(rng.choice(GAPS)) if gap else cell
        for cell, gap in zip(cells, gone, strict=True)
    ]


def _label(rng, n, name):
    """Cells of a label column, the argument that declares it, and what it means."""
    form = rng.integers(5)
    if form == 4:
        cells = rng.choice(MEMBERS, n).tolist()
        found = {f"{name}={m}": [int(c == m) for c in cells] for m in set(cells)}
        return cells, f"{name}:class", found
    if form == 3:
        lists = [
            rng.choice(MEMBERS, rng.integers(0, 3), replace=False) for _ in range(n)
        ]
        used = {m for members in lists for m in members}
        found = {f"{name}={m}": [int(m in part) for part in lists] for m in used}
        cells = [" / ".join(part) for part in lists]
        return cells, f"{name}:/", found or ASK
    positive = (rng.random(n) < 0.4).tolist()
    if form == 2:
        mark = str(rng.choice(MARKS))
        cells = [mark if yes else "" for yes in positive]
        clear = any(positive) and not all(positive)
        return cells, name, {name: [*map(int, positive)]} if clear else ASK
    pair = PAIRS[rng.integers(len(PAIRS))]
    change = [str.lower, str.upper, str.title][rng.integers(3)]
    cells = [change(pair[int(yes)]) for yes in positive]
    if form == 1:  # something that does not belong there
        at = int(rng.integers(n))
        cells[at] = str(rng.choice([*FOREIGN, *GAPS]))
        return cells, name, ASK if _clear(cells) is None else {name: _clear(cells)}
    return cells, name, {name: _clear(cells)}


def _clear(cells):
    """0/1 of cells that are of one pair, or of a mark and blanks; None: it must ask."""
    words = [_word(cell.strip().casefold()) for cell in cells]
    known = {word for word in words if word not in MISSING}
    for absent, present in PAIRS:
        if known and known <= {absent, present}:
            gaps = any(word in MISSING for word in words)
            return None if gaps else [int(word == present) for word in words]
    marked = len(known) == 1 and "" in words and not (MISSING & {*words}) - {""}
    if not marked or (min(known).lstrip("+-")[:1] + " ")[0] in "0123456789.":
        return None
    return [int(word in known) for word in words]


def _word(text):
    """1.0 and +1 are 1."""
    for word in ("1", "0"):
        bare = text.lstrip("+-")
        same = bare == word or (bare.startswith(f"{word}.") and not bare[2:].strip("0"))
        if same and len(text) - len(bare) <= 1:
            return "-1" if word == "1" and text.startswith("-") else word
    return text


def _written(rng, columns, separator):
    """Cells as bytes, in a random manner."""
    style = {
        "delimiter": separator,
        "lineterminator": str(rng.choice(["\n", "\r\n"])),
        "quoting": int(rng.choice([csv.QUOTE_MINIMAL, csv.QUOTE_ALL])),
    }
    text = io.StringIO()
    writer = csv.writer(text, **style)
    names = list(columns)
    order = rng.permutation(len(names))
    writer.writerow([names[i] for i in order])
    writer.writerows(zip(*(columns[names[i]] for i in order), strict=True))
    title = "Export of today\n" if rng.random() < 0.05 else ""
    content, encoding = title + text.getvalue(), str(rng.choice(ENCODINGS))
    try:
        return content.encode(encoding)
    except UnicodeEncodeError:
        return content.encode()


def _with_changed_bytes(case, rng):
    words = [case.content, b"tag_0,tag_1\nyes,no\n", b"1;0\n", b"ja\tnein"]
    return Case(mutated(case.content, words, rng), case.labels, None)


def examine(case: Case, path: Path) -> tuple[str, str]:
    """("read", "asked" or "WRONG", what went wrong or was asked) of one file."""
    path.write_bytes(case.content)
    try:
        data = read_csv(path, case.labels)
    except (ValueError, OSError) as error:
        return ("asked", str(error)) if str(error) else ("WRONG", "no sentence")
    truth = _second_reading(path, case.labels) if case.truth is None else case.truth
    if truth == ASK:
        return "WRONG", "a label was read that has no clear reading"
    found = dict(zip(data.label_names, data.Y.T.tolist(), strict=True))
    if found != truth:
        return "WRONG", f"labels {found} instead of {truth}"
    try:
        made = TablePreparation().fit(data.frame)
        if not np.isfinite(made.transform(data.frame)).all():
            return "WRONG", "prepared numbers are not finite"
        found = doubts(data, made)
    except ValueError as error:
        return "asked", str(error)
    wrong = [d for d in found if not (d.sentence and np.isfinite(d.number))]
    return ("WRONG", f"{wrong[0]}") if wrong else ("read", "")


def _second_reading(path, labels):
    """The labels by the csv module and the documented rules."""
    dialect = find_dialect(path)
    text = path.read_bytes().decode(dialect.encoding)
    lines = io.StringIO(text, newline="")
    rows = csv.reader(lines, delimiter=dialect.separator, skipinitialspace=True)
    header, *rows = [row for row in rows if row]
    header = [name.strip() for name in header]
    found = {}
    for declared in labels:
        name, _, form = declared.partition(":")
        if declared in header:
            name, form = declared, ""
        # A line break within a cell is one letter, whatever ends the lines.
        place = header.index(name)
        cells = [row[place].strip().replace("\r\n", "\n") for row in rows]
        values = _clear(cells) if form == "" else None
        if form:
            gone = [cell.casefold() in MISSING for cell in cells]
            blank = [form == "/" and not cell for cell in cells]
            if any(g and not b for g, b in zip(gone, blank, strict=True)):
                return ASK
            parts = [_members(cell, form) for cell in cells]
            members = {m for part in parts for m in part}
            found |= {f"{name}={m}": [int(m in p) for p in parts] for m in members}
        elif values is None:
            return ASK
        else:
            found[name] = values
    return found


def _members(cell, form):
    if form == "class":
        return [cell]
    return [member.strip() for member in cell.split(form) if member.strip()]
