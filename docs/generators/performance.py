# SPDX-License-Identifier: BSD-3-Clause
"""The page of performance figures: what the scripts in ``perf/`` printed, verbatim.

``docs/results/perf/SCRIPT.txt`` holds the output of ``perf/SCRIPT.py``. Its first lines
say how it was produced::

    # command: python perf/import_time.py
    # machine: 2 cores, 16 GiB, Linux 6.1
    # versions: Python 3.11.7, numpy 2.1.0, ...
    # date: 2026-01-31

To run a script and store its output, or to store output already in a file::

    python docs/generators/performance.py import_time
    python docs/generators/performance.py --from greedy.log greedy table --threads 1
"""

import argparse
import ast
import datetime
import os
import platform
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

HEAD = ("command", "machine", "versions", "date")


def write_performance(outputs, scripts, page):
    """Write the page from the stored outputs.

    Parameters
    ----------
    outputs : Path
        Folder of text files.
    scripts : Path
        Folder of the scripts that printed them.
    page : Path
        Markdown file to write.
    """
    lines = [
        "# Performance",
        "",
        "What the scripts in `perf/` printed, word for word, with the machine and the "
        "day. Read ratios within one table; seconds belong to the machine.",
        "",
    ]
    for path in sorted(Path(outputs).glob("*.txt")):
        lines += _section(path, Path(scripts) / f"{path.stem}.py")
    text = "\n".join(lines) + "\n"
    if not page.exists() or page.read_text() != text:
        page.write_text(text)


def _section(path, script):
    facts, output = read_output(path)
    title, _, rest = ast.get_docstring(ast.parse(script.read_text())).partition("\n")
    return [
        f"## perf/{script.name}",
        "",
        title,
        "",
        f"`{facts['command']}`: {facts['machine']}; {facts['versions']}; "
        f"{facts['date']}.",
        "",
        "```text",
        output,
        "```",
        "",
        "What the script says of itself:",
        "",
        "```text",
        rest.strip("\n"),
        "```",
        "",
    ]


def read_output(path):
    """The facts in the head of a file, and the rest.

    Parameters
    ----------
    path : Path
        A stored output.

    Returns
    -------
    facts : dict of str to str
        With the keys of ``HEAD``.
    output : str
        What the script printed.
    """
    facts, lines = {}, path.read_text().splitlines()
    while lines and lines[0].startswith("# "):
        name, _, value = lines.pop(0)[2:].partition(": ")
        facts[name] = value
    missing = [name for name in HEAD if not facts.get(name)]
    if missing:
        raise ValueError(
            f"{path} does not say its {missing[0]}: store outputs with "
            "docs/generators/performance.py."
        )
    return facts, "\n".join(lines).strip("\n")


def head(command):
    """The lines that say how, where and when."""
    packages = ("labelsift", "numpy", "scipy", "scikit-learn", "numba")
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    facts = (
        command,
        f"{os.cpu_count()} cores ({_processor()}), {memory:.0f} GiB, "
        f"{platform.system()}",
        ", ".join(
            [f"Python {platform.python_version()}"]
            + [f"{name} {version(name)}" for name in packages]
        ),
        datetime.date.today().isoformat(),
    )
    return [f"# {name}: {fact}" for name, fact in zip(HEAD, facts, strict=True)]


def _processor():
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.machine()
    names = [line.partition(": ")[2] for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()


def main():
    parser = argparse.ArgumentParser(description="Store the output of a perf script.")
    parser.add_argument("script", help="file name in perf/, without .py")
    parser.add_argument("--from", dest="log", type=Path, help="what it has printed")
    parser.add_argument("arguments", nargs=argparse.REMAINDER, help="of the script")
    given = parser.parse_args()
    root = Path(__file__).parents[2]
    command = ["python", f"perf/{given.script}.py", *given.arguments]
    if given.log is not None:
        output = given.log.read_text()
    else:
        done = subprocess.run(
            [sys.executable, *command[1:]],
            cwd=root, capture_output=True, text=True, check=True,
        )  # fmt: skip
        output = done.stdout
    stored = root / "docs" / "results" / "perf" / f"{given.script}.txt"
    stored.parent.mkdir(parents=True, exist_ok=True)
    stored.write_text("\n".join([*head(" ".join(command)), "", output.strip(), ""]))


if __name__ == "__main__":
    main()
