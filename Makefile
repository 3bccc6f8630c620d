# Everything a developer or a curious DBA needs; `make demo` and `make test` work on a machine with only
# Python 3.11 or newer, make and git.

PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready

# What Python compiles is kept, whatever the environment says: tests start it many hundred times.
export PYTHONDONTWRITEBYTECODE :=

.DEFAULT_GOAL := help
.PHONY: help setup demo test test-rest test-all test-times lint bench bench-fleet twin trust mutants soak docs pictures dist smoke db2-up db2-down clean

help: ## What there is to make
	@sed -n 's/^\([a-z0-9-]*\):[^#]*## \(.*\)/\1|\2/p' $(MAKEFILE_LIST) | while IFS='|' read -r name says; do \
		printf '%-11s  %s\n' "$$name" "$$says"; done

setup: $(READY) ## A virtual environment in .venv with the program and what its developers need

$(READY): pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --upgrade 'pip>=25.1'
	$(BIN)/pip install --quiet --constraint constraints.txt --group dev --editable .
	touch $@

demo: $(READY) ## The advice for an online shop, and a change ticket
	@mkdir -p build
	@$(BIN)/db2tune demo --ticket build/demo-ticket.html

test: $(READY) ## The tests of every change; docs/test-times.md says how long they take
	$(BIN)/python -m pytest -m 'not full'

test-rest: $(READY) ## What only test-all has: more machines, every level and mode over the wire, container, second engine
	$(BIN)/python -m pytest -m full

test-all: $(READY) ## All tests
	$(BIN)/python -m pytest

lint: $(READY) ## Style, types, layers and plain English
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	$(BIN)/python -m tools.language

bench: $(READY) ## Measure, and write docs/benchmarks.md
	$(BIN)/python -m tools.bench docs/benchmarks.md

bench-fleet: $(READY) ## Measure an estate on one and two workers of Dask: print a table
	$(BIN)/python -m tools.bench.fleet $(or $(DATABASES),1000 10000)

twin: $(READY) ## Measure the advice on machines of the model, and write docs/model-study.md
	$(BIN)/python -m tests.twin.report

trust: $(READY) ## Make files, inputs and connections fail, and write docs/fault-tests.md
	$(BIN)/python -m tests.faults page docs/fault-tests.md

mutants: $(READY) ## Change each number and operator of the judgement's SQL, see which tests notice, and write docs/mutation.md
	$(BIN)/python -m tests.mutation $(if $(SAMPLE),--sample $(SAMPLE)) --page docs/mutation.md $(WHAT)

soak: $(READY) ## Run the nightly job over 50 databases for 1,000 nights, and see what it holds
	$(BIN)/python -m tests.soak $(or $(DATABASES),50) $(or $(NIGHTS),1000)

test-times: $(READY) ## Run both test commands, and write docs/test-times.md
	$(BIN)/python -m tools.test_times docs/test-times.md

docs: $(READY) build/pages/.ready ## Write the reference pages and the first screen of the README anew, and all pages as a site
	$(BIN)/python -m tools.reference
	$(BIN)/python -m tools.reference.first_screen
	NO_MKDOCS_2_WARNING=1 build/pages/bin/mkdocs build --quiet --config-file tools/site/mkdocs.yml
	@echo 'build/site/index.html'

# What makes a site of pages stays apart, too.
build/pages/.ready: pyproject.toml constraints.txt
	$(PYTHON) -m venv build/pages
	build/pages/bin/pip install --quiet --upgrade 'pip>=25.1'
	build/pages/bin/pip install --quiet --constraint constraints.txt --group site
	touch $@

pictures: $(READY) ## Take the pictures of docs/html-pages.md anew, where there is a Chromium
	$(BIN)/python -m tools.pictures

# What builds a release stays apart: it brings libraries that the program would not have beside it at a user's.
RELEASE := build/release

$(RELEASE)/.ready: pyproject.toml constraints.txt
	$(PYTHON) -m venv $(RELEASE)
	$(RELEASE)/bin/pip install --quiet --upgrade 'pip>=25.1'
	$(RELEASE)/bin/pip install --quiet --constraint constraints.txt --group release --editable .
	touch $@

dist: $(RELEASE)/.ready ## Everything that is released: wheel, source archive, scripts, bill of materials, sums
	$(RELEASE)/bin/python -m tools.release dist dist

smoke: $(RELEASE)/.ready ## Try the wheel of dist in empty environments, on each Python there is
	$(RELEASE)/bin/python -m tools.release try dist/db2tune-*.whl

db2-up: $(READY) ## A Db2 Community container for a developer; with STANDIN=1 the stand-in of the tests
	$(BIN)/python -m tools.container up $(if $(STANDIN),--standin)

db2-down: $(READY) ## Remove that container
	$(BIN)/python -m tools.container down

clean: ## Remove everything that was made
	rm -rf .venv dist build .mypy_cache .ruff_cache .pytest_cache .hypothesis
