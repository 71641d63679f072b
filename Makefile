# Everything runs in .venv, which is created from pyproject.toml and nothing else.
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready

.PHONY: demo test test-gpu lint docs wheel floors fuzz clean

# The stamp is newer than pyproject.toml exactly when nothing has to be installed.
$(READY): pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	touch $@

demo: $(READY)
	mkdir -p demo
	$(BIN)/labelsift doctor --warm
	$(BIN)/labelsift compare traits --jobs 2 --out demo/report.html
	@echo "Open demo/report.html in a browser."

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	$(BIN)/codespell
	if test -x $(BIN)/zizmor; then $(BIN)/zizmor --offline --quiet .github/workflows; fi

# A worker for each core: threads inside them would only wait.
test: export OPENBLAS_NUM_THREADS = 1
test: export OMP_NUM_THREADS = 1
test: lint
	$(BIN)/python -m pytest -m 'not slow' -n auto --dist worksteal

# Not in CI: a million files changed at random, then as many guided by coverage as time
# allows; FUZZ sets how many for each reader.
FUZZ ?= 75000
fuzz: $(READY)
	$(BIN)/python tools/fuzz_readers.py --inputs $(FUZZ)
	$(BIN)/python tools/fuzz_readers.py --inputs $(FUZZ) --engine atheris

# Every warning is an error; nothing is fetched while building.
docs: $(READY)
	$(BIN)/python -m sphinx -W --keep-going -q -b html docs docs/_build/html
	@echo "The documentation is in docs/_build/html/index.html"

# sdist and wheel in dist/, the wheel tried in an empty environment.
wheel: $(READY)
	$(BIN)/python tools/try_wheel.py

# The tests with the oldest releases that pyproject.toml allows.
floors: .venv-floors/.ready
	.venv-floors/bin/python -m pytest -m 'not slow'

.venv-floors/.ready: pyproject.toml
	test -x .venv-floors/bin/python || $(PYTHON) -m venv .venv-floors
	.venv-floors/bin/python -m pip install --quiet --editable '.[dev]' \
		'numpy==2.0.*' 'scipy==1.13.*' 'scikit-learn==1.6.*' 'numba==0.61.*' 'joblib==1.5.*' 'polars==1.*'
	touch $@

# Not in CI: arrays of torch, on a GPU where there is one; torch takes gigabytes.
test-gpu: .venv-gpu/.ready
	.venv-gpu/bin/python -m pytest tests/contract/test_device.py tests/core/test_arrays.py \
		tests/core/test_compiled.py tests/selection/greedy_rls/test_device_rows.py

.venv-gpu/.ready: pyproject.toml
	test -x .venv-gpu/bin/python || $(PYTHON) -m venv .venv-gpu
	.venv-gpu/bin/python -m pip install --quiet --editable '.[dev,gpu]'
	touch $@

clean:
	rm -rf .venv .venv-floors .venv-gpu demo build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis \
		.import_linter_cache docs/_build docs/api docs/gallery docs/_static/leaderboard
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
