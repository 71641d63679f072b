# SPDX-License-Identifier: BSD-3-Clause
"""Build sdist and wheel, install the wheel alone, and run the README's Python there.

The environment is new and has the core dependencies only, so a module that needs an
extra where it should not is seen here and nowhere else. Run by ``make wheel``.
"""

import re
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).parents[1]
NO_EXTRA = "labelsift select traits -k 3"


def _run(*words: str | Path, **options: object) -> subprocess.CompletedProcess[str]:
    print("+", *words, flush=True)
    return subprocess.run([str(word) for word in words], text=True, **options)  # type: ignore[call-overload]


def build(out: Path) -> Path:
    """The wheel, built from the source distribution, as a packager would."""
    for old in out.glob("labelsift-*"):
        old.unlink()
    _run(sys.executable, "-m", "build", "--outdir", out, ROOT, check=True)
    (wheel,) = out.glob("*.whl")
    return wheel


def readme_example() -> str:
    """The README's block of Python."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"^```python\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    return str(example)


def try_it(wheel: Path, folder: Path) -> None:
    """Install into an empty environment; run the example, then a command."""
    venv.create(folder / "venv", with_pip=True)
    binaries = folder / "venv" / "bin"
    python = binaries / "python"
    _run(python, "-m", "pip", "install", "--quiet", wheel, check=True)
    _run(python, "-m", "pip", "check", check=True)
    _run(python, "-c", readme_example(), cwd=folder, check=True)
    words = NO_EXTRA.split()
    told = _run(binaries / words[0], *words[1:], capture_output=True, cwd=folder)
    if told.returncode == 0 or "labelsift[cli]" not in told.stderr:
        raise SystemExit(f"{NO_EXTRA} without extras: {told.returncode}, {told.stderr}")
    print(told.stderr.strip())


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as name:
        try_it(build(ROOT / "dist"), Path(name))
    print("The wheel works with the core dependencies alone.")
