# SPDX-License-Identifier: BSD-3-Clause
"""What may stand in the file of a suite: one description, for editors and the check.

The description is a JSON schema. ``labelsift bench schema`` prints it for editors, and
``suite_check`` checks files by it.
"""

from typing import Any

from labelsift.bench.published import PAPERS
from labelsift.experiment.catalogue import CATALOGUE, CONTROLS, READOUTS
from labelsift.experiment.inputs import FILE, PREPARE, SPLITS
from labelsift.experiment.run import STORED, THRESHOLDS
from labelsift.metrics.catalogue import BUILT_IN
from labelsift.model_selection.protocol import CV
from labelsift.prepare.array_scaling import SCALES

Schema = dict[str, Any]

# A task is planned for each split, and a seed must fit what shuffles.
MOST_SPLITS = 10_000
_LARGEST = 2**32 - 1

# Entries that a suite has, by itself or from the one that it extends.
REQUIRED = ("title", "protocol", "data", "methods", "measures")
# Tables that a suite merges with those of the suite it extends, entry by entry.
MERGED = (
    "protocol", "tuning", "quick", "data", "methods", "readout_classes",
    "measure_classes", "readout_budgets",
)  # fmt: skip


def _text(description: str) -> Schema:
    return {"type": "string", "description": description}


def _whole(description: str, least: int = 1, most: int = _LARGEST) -> Schema:
    return {
        "type": "integer", "minimum": least, "maximum": most,
        "description": description,
    }  # fmt: skip


def _one_of(known: Any, description: str) -> Schema:
    return {"enum": list(known), "description": description}


def _suggested(known: Any, description: str) -> Schema:
    """Text for which an editor offers known names; others may be the user's own."""
    return {
        "anyOf": [{"enum": list(known)}, {"type": "string"}],
        "description": description,
    }


def _list(items: Schema, description: str, least: int = 0) -> Schema:
    return {
        "type": "array", "items": items, "minItems": least, "description": description,
    }  # fmt: skip


def _table(
    entries: dict[str, Schema], description: str, required: tuple[str, ...] = ()
) -> Schema:
    return {
        "type": "object", "properties": entries, "required": list(required),
        "additionalProperties": False, "description": description,
    }  # fmt: skip


def _named(part: Schema, description: str) -> Schema:
    """A table of tables, each of a name that the user chooses."""
    return {
        "type": "object", "additionalProperties": part, "description": description,
    }  # fmt: skip


_ANYTHING: Schema = {}
_SCALES = ("none", *SCALES)
_BUDGET: Schema = {
    "type": ["string", "integer"],
    "format": "budget",
    "description": 'A count ("20"), a share ("5%") or a range ("1%:20%", "2:10:2").',
}
_STEP: Schema = {
    "type": "string",
    "pattern": rf"^({'|'.join(PREPARE)})(:\d+)?$",
    "description": f"one of {', '.join(PREPARE)}, with a number as text:40.",
}
_PATTERNS: Schema = {
    "type": ["string", "array"],
    "items": {"type": "string"},
    "description": "Names of columns, with * for any letters: one text or a list.",
}
_PARAMS = _named(_ANYTHING, "Parameters and their values.")
_GRID = _named(_list(_ANYTHING, "Values to choose from.", 1), "Values by parameter.")
_MEASURE = _suggested(BUILT_IN, "A measure, or one of measure_classes.")
_READOUT = _suggested(
    ("self", *READOUTS), "A read-out; self: the method's own prediction."
)

# What an effort may replace.
VARIED: dict[str, Schema] = {
    "budgets": _list(_BUDGET, "How many features the methods choose."),
    "folds": _whole("Folds of the tuning; 1: a quarter of the rows is held out."),
    "notes": _list(_text("A sentence."), "Sentences that stand in the report."),
    "quick_notes": _list(_text("A sentence."), "Sentences about a reduced run."),
    "readouts": _list(_READOUT, "What is trained on the chosen features.", 1),
    "splits": _whole("How many splits of the protocol are run.", 1, MOST_SPLITS),
    "thresholds": _list(
        _one_of(THRESHOLDS, "A threshold."), "Where scores are cut into labels.", 1
    ),
    "train_sizes": _list(_whole("Rows."), "Training sizes, each a protocol.", 1),
}
PROTOCOL = _table(
    {
        "kind": {
            "anyOf": [{"enum": [*SPLITS, FILE]}, {"type": "string", "pattern": CV}],
            "description": f"one of {', '.join([*SPLITS, FILE])}, or repeated folds "
            "(5x4), holdout:0.3x10, blocks:5.",
        },
        "splits": _whole("How many, where the kind does not say it.", 1, MOST_SPLITS),
        "train_size": _whole("Training rows of sample, or of published.", 0),
        "seed": _whole("Seed of the shuffle.", 0),
        "train_sizes": VARIED["train_sizes"],
    },
    "How rows are split.",
)
TUNING = _table(
    {
        "measure": _MEASURE,
        "folds": VARIED["folds"],
        "budgets": _list(_BUDGET, "Budgets by which a selector is judged.", 1),
    },
    "How methods choose from their grids, on the training part.",
)
DATA = _table(
    {
        "path": _text("A file, from the folder of the suite; no path: a known name."),
        "test": _text("A second file with the rows of the test part."),
        "splits": _text("A file of splits (.csv, .npz), where the kind is file."),
        "digest": _text("The sha256 of these splits: others are refused."),
        "labels": _PATTERNS,
        "drop": _PATTERNS,
        "prepare": _list(_STEP, "Steps before the split."),
        "scale": _one_of(_SCALES, "Scaling learned on the training part."),
        "budgets": VARIED["budgets"],
        "params": _named(_PARAMS, "Parameters of methods on this set."),
        "grids": _named(_GRID, "Grids of methods on this set."),
        "quick_grids": _named(_GRID, "The same for a reduced run."),
        "extra": {"type": "boolean", "description": "Not in the paper."},
    },
    "A data set.",
)
METHOD = _table(
    {
        "class": _text("A class of your own, as package.module:Class."),
        "entry": _suggested(CATALOGUE, "Name of the method, where it differs."),
        "params": _PARAMS,
        "grid": _GRID,
        "quick_grid": _GRID,
        "budgets": VARIED["budgets"],
        "readouts": VARIED["readouts"],
        "scale": _one_of(_SCALES, "Replaces the scaling of the data sets."),
        "fit_scale": _one_of(SCALES, "A further scaling that read-outs do not see."),
        "sweep": {
            "type": "boolean",
            "description": "Show every point of the grid, and choose none.",
        },
    },
    "A method.",
)
READOUT_CLASS = _table(
    {"class": _text("A classifier or regressor: package.module:Class."),
     "params": _PARAMS,
     "grid": _GRID},
    "A read-out of your own; a grid is tuned on the training part.",
)  # fmt: skip
MEASURE_CLASS = _table(
    {
        "class": _text("A labelsift.metrics.Measure, as package.module:NAME."),
        "title": _text("Name in tables; exports say it, and what follows."),
        "greater_is_better": {"type": "boolean", "description": "Its direction."},
        "digits": _whole("Decimals in a table.", 0),
        "bounded": {"type": "boolean", "description": "From 0 to 1."},
    },
    "A measure of your own.",
)
CLAIM = _table(
    {
        "says": _text("The claim in words."),
        "better": _text("A method of the suite."),
        "worse": _text("Another one."),
        "measure": _MEASURE,
        "readout": _READOUT,
        "budget": _BUDGET,
    },
    "That one method is better than another: tested over data sets.",
    ("says", "better", "worse", "measure"),
)
SUITE = _table(
    {
        "extends": _text("A suite to start from: its name, or a path from here."),
        "replaces": _list(
            _one_of(MERGED, "A table."), "Tables that replace those of the base."
        ),
        "suite": _text("Name in results; otherwise that of the file."),
        "title": _text("What the suite shows."),
        "paper": {"type": "string", "description": f"One of {', '.join(PAPERS)}."},
        "table": _text("The table of the paper whose printed numbers are compared."),
        "measures": _list(_MEASURE, "What is measured; tables have the first.", 1),
        "cut": _one_of(THRESHOLDS, "The threshold that tables show."),
        "scale": _one_of(_SCALES, "Scaling of data sets that name none."),
        "no_controls": _list(
            _one_of(CONTROLS, "A control."), "Controls that are not added."
        ),
        **VARIED,
        "readout_budgets": _named(
            VARIED["budgets"], "Budgets of a read-out that is not trained at all."
        ),
        "fit_limit": _whole("Seconds of processor time for a fit; 0: any.", 0),
        "artifacts": _list(
            _one_of(STORED, "A name."), "What is stored with the values."
        ),
        "protocol": PROTOCOL,
        "tuning": TUNING,
        "quick": _table(VARIED, "What a reduced run replaces."),
        "data": _named(DATA, "Data sets by name: [data.NAME]."),
        "methods": _named(METHOD, "Methods by name: [methods.NAME]."),
        "readout_classes": _named(READOUT_CLASS, "Read-outs of your own, by name."),
        "measure_classes": _named(MEASURE_CLASS, "Measures of your own, by name."),
        "claims": _list(CLAIM, "Claims to be tested: [[claims]]."),
    },
    "A suite of labelsift: data sets, methods, a protocol and what is measured.",
)


def suite_schema() -> Schema:
    """The JSON schema of a suite's file, for editors.

    Returns
    -------
    dict
        Draft 2020-12. A file that extends another one need not have every entry.
    """
    whole = {key: value for key, value in SUITE.items() if key != "required"}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A suite of labelsift",
        **whole,
        "anyOf": [
            {"required": ["extends"]},
            {
                "required": list(REQUIRED),
                "properties": {"protocol": {"required": ["kind"]}},
            },
        ],
    }
