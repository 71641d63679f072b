# SPDX-License-Identifier: BSD-3-Clause
"""How the code is laid out: lines per room, modules per walk, cycles.

    python tools/house.py

Prints, for every room, its modules and lines; for four typical uses, the modules of
labelsift that are loaded when they are done; and every cycle of imports between rooms
or between the modules of one room. The exit code is 1 where a limit is broken: a file
above 400 lines, a median of 150 lines or more, a comparison that loads more than 25
modules above the library, or a cycle.
"""

import ast
import subprocess
import sys
import tempfile
from collections import Counter
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from statistics import median

SOURCE = Path(__file__).parents[1] / "src" / "labelsift"
ABOVE_LIBRARY = ("experiment", "stats", "plots", "tables", "compare", "bench", "cli")
MOST_LINES, MEDIAN_LINES, MOST_MODULES = 400, 150, 25

WALKS = {
    "compare traits": """
from labelsift.cli.app import run
run(["compare", "traits", "--methods", "fisher", "--budgets", "4,8", "--cv", "2",
     "--out", FOLDER + "/report.html"])
""",
    "bench report": """
from labelsift.cli.app import run
run(["bench", "report", "--from", RESULTS, "--out", FOLDER + "/report.md"])
""",
    "fit": """
from labelsift.datasets import make_planted
from labelsift.selection import GreedyRLS
data = make_planted(60, 20, 3, random_state=0)
GreedyRLS(5).fit(data.X, data.Y)
""",
    "read_arff": """
from labelsift.datasets import load_dataset, read_arff, write_arff
write_arff(load_dataset("traits"), FOLDER + "/traits.arff")
read_arff(FOLDER + "/traits.arff")
""",
}


def modules():
    """{dotted name: file} of every module."""
    return {
        ".".join(["labelsift", *path.relative_to(SOURCE).with_suffix("").parts])
        .removesuffix(".__init__"): path
        for path in sorted(SOURCE.rglob("*.py"))
    }  # fmt: skip


def lines_by_room(files):
    """{room: list of lines per file}."""
    rooms = {}
    for name, path in files.items():
        room = name.split(".")[1] if "." in name else "labelsift"
        rooms.setdefault(room, []).append(len(path.read_text().splitlines()))
    return rooms


def imports(name, path, known):
    """Modules of labelsift that a module imports, wherever in the file."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in known)
        elif isinstance(node, ast.ImportFrom) and node.module in known:
            for alias in node.names:
                full = f"{node.module}.{alias.name}"
                yield full if full in known else node.module


def import_graph(files):
    """{module: modules that it imports}; a package does not import itself."""
    return {
        name: {other for other in imports(name, path, files) if other != name}
        for name, path in files.items()
    }


def siblings(graph, parent):
    """The graph of the direct children of a package: who imports from whom."""
    depth = parent.count(".") + 2
    inside = {}
    for name, others in graph.items():
        if not name.startswith(f"{parent}."):
            continue
        child = ".".join(name.split(".")[:depth])
        inside.setdefault(child, set()).update(
            other
            for full in others
            if full.startswith(f"{parent}.")
            and (other := ".".join(full.split(".")[:depth])) != child
        )
    return inside


def cycles(files):
    """Every package whose children import each other in a circle, with the circle."""
    graph = import_graph(files)
    packages = [name for name, path in files.items() if path.name == "__init__.py"]
    for package in packages:
        try:
            TopologicalSorter(siblings(graph, package)).prepare()
        except CycleError as error:
            yield package, error.args[1]


def loaded(code):
    """Names of labelsift's modules that are loaded after running a piece of code."""
    results = SOURCE.parents[1] / "docs" / "results"
    tail = (
        "import sys; print('\\n'.join(m for m in sys.modules if m[:9] == 'labelsift'))"
    )
    with tempfile.TemporaryDirectory() as folder:
        head = f"FOLDER = {folder!r}; RESULTS = {str(results)!r}"
        done = subprocess.run(
            [sys.executable, "-c", f"{head}\n{code}\n{tail}"],
            capture_output=True, text=True, check=True,
        )  # fmt: skip
    return [name for name in done.stdout.split() if name.startswith("labelsift.")]


def above_library(names):
    """Those of the rooms above the library."""
    return [name for name in names if name.split(".")[1] in ABOVE_LIBRARY]


def main():
    files, broken = modules(), []
    sizes = lines_by_room(files)
    print("room              modules  lines")
    for room, lines in sorted(sizes.items()):
        print(f"{room:18}{len(lines):7}{sum(lines):7}")
    every = [count for lines in sizes.values() for count in lines]
    print(f"{'all':18}{len(every):7}{sum(every):7}")
    print(f"longest file {max(every)} lines, median {median(every):g}")
    if max(every) > MOST_LINES or median(every) >= MEDIAN_LINES:
        broken.append("file lengths")
    print("\nmodules loaded       all  above the library, by room")
    for walk, code in WALKS.items():
        names = loaded(code)
        above = above_library(names)
        counts = Counter(name.split(".")[1] for name in above)
        parts = ", ".join(f"{room} {count}" for room, count in sorted(counts.items()))
        print(f"{walk:18}{len(names):6}  {len(above):3}  {parts}")
        if walk == "compare traits" and len(above) > MOST_MODULES:
            broken.append(f"modules of {walk}")
    circles = list(cycles(files))
    print(f"\ncycles: {len(circles)}")
    for package, circle in circles:
        print(f"  in {package}: {' -> '.join(circle)}")
        broken.append("cycles")
    sys.exit(f"Broken: {', '.join(dict.fromkeys(broken))}" if broken else 0)


if __name__ == "__main__":
    main()
