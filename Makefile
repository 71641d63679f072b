# Everything runs in .venv, which is made from pyproject.toml and nothing else.
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready

.PHONY: demo test lint clean

# The stamp is newer than pyproject.toml exactly when nothing has to be installed.
$(READY): pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	touch $@

demo: $(READY)
	mkdir -p demo
	$(BIN)/labelsift select traits --method fisher -k 20 --picture demo/pixels.png

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo

test: lint
	$(BIN)/python -m pytest -m 'not slow'

clean:
	rm -rf .venv demo build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis \
		.import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
