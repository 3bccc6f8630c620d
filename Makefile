# Commands for developers and curious DBAs; `make demo` and `make test` need only Python 3.11 or newer, make
# and git.

PYTHON ?= python3
BIN := .venv/bin
PRODUCT := .venv/.product
READY := .venv/.ready

# Keep compiled Python files, whatever the environment sets: tests start Python many hundred times.
export PYTHONDONTWRITEBYTECODE :=

.DEFAULT_GOAL := help
.PHONY: help setup demo test test-rest test-all test-times lint bench bench-fleet twin rates trust mutants soak docs pictures dist smoke db2-up db2-down test-db2 first clean

help: ## Print this list
	@sed -n 's/^\([a-z0-9-]*\):[^#]*## \(.*\)/\1|\2/p' $(MAKEFILE_LIST) | while IFS='|' read -r name says; do \
		printf '%-11s  %s\n' "$$name" "$$says"; done

setup: $(READY) ## Create a virtual environment in .venv with the program and its development tools

$(PRODUCT): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "$(PYTHON) is older than 3.11; name another, as in: make demo PYTHON=python3.11" >&2; exit 1; }
	@echo "First start: create .venv and install the program (35 MB, some seconds)"
	@$(PYTHON) -m venv .venv
	@$(BIN)/pip install --quiet --constraint constraints.txt --editable .
	@touch $@

$(READY): $(PRODUCT)
	@echo "Install the development tools in .venv (650 MB, a minute or two)"
	@$(BIN)/pip install --quiet --upgrade 'pip>=25.1'
	@$(BIN)/pip install --quiet --constraint constraints.txt --group dev --editable .
	@touch $@

demo: $(PRODUCT) ## Print the advice for an online shop, and write a change ticket
	@mkdir -p build
	@$(BIN)/db2tune demo --ticket build/demo-ticket.html
	@echo "Next, in this folder:"; echo "  $(BIN)/db2tune explain --capture fixtures/webshop.capture 1"

test: $(READY) ## Run the tests of every change; docs/test-times.md lists their times
	$(BIN)/python -m pytest -m 'not full'

test-rest: $(READY) ## Run the tests that only test-all has: more machines, every level and mode over the wire, container, second engine, PostgreSQL
	$(BIN)/python -m pytest -m full

test-all: $(READY) ## Run all tests
	$(BIN)/python -m pytest

lint: $(READY) ## Check style, types, layers and plain English
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	$(BIN)/python -m tools.language
	$(BIN)/python -m tools.weight

bench: $(READY) ## Measure, and write docs/benchmarks.md
	$(BIN)/python -m tools.bench docs/benchmarks.md

bench-fleet: $(READY) ## Measure a fleet on one and two Dask workers, and print a table
	$(BIN)/python -m tools.bench.fleet $(or $(DATABASES),1000 10000)

twin: $(READY) ## Measure the advice on machines of the model, and write docs/model-study.md
	$(BIN)/python -m tests.twin.report

rates: $(READY) ## Measure verdicts on simulated histories for about an hour, and write docs/verification.md
	$(BIN)/python -m tests.verify.rates
	$(BIN)/python -m tests.verify.regressions

trust: $(READY) ## Make files, inputs and connections fail, and write docs/trust.md
	$(BIN)/python -m tools.trials.faults page docs/trust.md

mutants: $(READY) ## Change each number and operator of the rules' SQL, check that tests fail, and write docs/mutation.md
	$(BIN)/python -m tools.trials.mutation $(if $(SAMPLE),--sample $(SAMPLE)) --page docs/mutation.md $(WHAT)

soak: $(READY) ## Run the nightly job over 50 databases for 1,000 nights, and measure its memory and files
	$(BIN)/python -m tools.trials.soak $(or $(DATABASES),50) $(or $(NIGHTS),1000)

test-times: $(READY) ## Run both test commands, and write docs/test-times.md
	$(BIN)/python -m tools.test_times docs/test-times.md

docs: $(READY) build/pages/.ready ## Write the reference pages, the first screen of the README, and all pages as a site
	$(BIN)/python -m tools.reference
	$(BIN)/python -m tools.reference.first_screen
	$(BIN)/python -m tools.pictures --check
	NO_MKDOCS_2_WARNING=1 build/pages/bin/mkdocs build --quiet --config-file tools/site/mkdocs.yml
	@echo 'build/site/index.html'

# The site generator has its own environment, too.
build/pages/.ready: pyproject.toml constraints.txt
	$(PYTHON) -m venv build/pages
	build/pages/bin/pip install --quiet --upgrade 'pip>=25.1'
	build/pages/bin/pip install --quiet --constraint constraints.txt --group site
	touch $@

pictures: $(READY) ## Write the pictures of docs/html-pages.md; needs Chromium
	$(BIN)/python -m tools.pictures

# The release tools have their own environment: they bring libraries that a user's installation lacks.
RELEASE := build/release

$(RELEASE)/.ready: pyproject.toml constraints.txt
	$(PYTHON) -m venv $(RELEASE)
	$(RELEASE)/bin/pip install --quiet --upgrade 'pip>=25.1'
	$(RELEASE)/bin/pip install --quiet --constraint constraints.txt --group release --editable .
	touch $@

dist: $(RELEASE)/.ready ## Write all released files: wheel, source archive, scripts, bill of materials, sums
	$(RELEASE)/bin/python -m tools.release dist dist

smoke: $(RELEASE)/.ready ## Try the wheel of dist in empty environments, on each installed Python
	$(RELEASE)/bin/python -m tools.release try dist/db2tune-*.whl

db2-up: $(READY) ## Start a Db2 Community container for a developer; with STANDIN=1 the tests' fake server
	$(BIN)/python -m tools.container up $(if $(STANDIN),--standin)

db2-down: $(READY) ## Remove that container
	$(BIN)/python -m tools.container down

test-db2: $(READY) ## Start a Db2 Community container, and run the tests marked real in it
	$(BIN)/python -m tools.container test $(if $(STANDIN),--standin) -- -m real

first: $(READY) ## Try everything on a new Db2 Community container, and write an archive to send
	$(BIN)/python -m tools.container first $(if $(STANDIN),--standin)

clean: ## Remove all generated files
	rm -rf .venv dist build .mypy_cache .ruff_cache .pytest_cache .hypothesis
