# Everything a developer or a curious DBA needs; `make demo` and `make test` work on a machine with only
# Python 3.11 or newer, make and git.

PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready

.PHONY: setup demo test lint bench docs dist db2-up db2-down clean

setup: $(READY)

$(READY): pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --upgrade 'pip>=25.1'
	$(BIN)/pip install --quiet --constraint constraints.txt --group dev --editable .
	touch $@

demo: $(READY)
	@mkdir -p build
	@$(BIN)/db2tune demo --ticket build/demo-ticket.html

test: $(READY)
	$(BIN)/python -m pytest

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo

bench: $(READY)
	$(BIN)/python -m tools.bench docs/benchmarks.md

docs: $(READY)
	$(BIN)/python -m tools.reference

dist: $(READY)
	$(BIN)/pip wheel --quiet --no-deps --wheel-dir dist .
	$(BIN)/db2tune install --script > dist/tune-install.sql
	$(BIN)/db2tune uninstall --script > dist/tune-uninstall.sql

# A Db2 Community container for a developer; with STANDIN=1 the stand-in of the tests in its place.
db2-up: $(READY)
	$(BIN)/python -m tools.container up $(if $(STANDIN),--standin)

db2-down: $(READY)
	$(BIN)/python -m tools.container down

clean:
	rm -rf .venv dist build .mypy_cache .ruff_cache .pytest_cache .hypothesis
