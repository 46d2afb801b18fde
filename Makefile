# make run    set up, then the guided show; make run ARGS="tree list" runs any other command
# make test   set up, then every test
# make test-thorough  the same with thousands of examples of every property
# make check  lint, types, import layers and docs, each of which can be made by its name
# make bench  speed, as ratios to plain implementations in the same run
# make browser  a Chromium for the tests of the page, if there is none
# make docs   the documentation as HTML in docs/_build
# PYTHON=python3.12 make ... chooses another interpreter

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
ARGS ?= demo
# What pip installs from; tests may run on several processes.
JOBS ?= auto

SOURCES := pyproject.toml CMakeLists.txt $(shell find native -type f)

# Compiled modules are kept even where the environment says not to: tests start many processes, and each would compile
# every module and every test anew.
test test-pure test-thorough bench: export PYTHONDONTWRITEBYTECODE :=

.PHONY: run test test-pure test-thorough check lint types layers bench browser docs clean install-pure

run: $(VENV)/.installed
	@$(BIN)/worldwise $(ARGS)

test: $(VENV)/.installed-dev
	$(BIN)/python -m pytest -n $(JOBS) --dist worksteal

# Thousands of examples of every property, and long comparisons with other programs: an hour or more.
test-thorough: $(VENV)/.installed-dev
	HYPOTHESIS_PROFILE=thorough $(BIN)/python -m pytest -n $(JOBS) --dist worksteal

# The same tests on an installation without the compiled kernels, and without the other programs that are test oracles;
# properties are tried on fewer examples, because `make test` has tried them on many, and left out are tests of modules
# that never meet a kernel, and what only puts the others together: documentation, shipped deals, whole experiments.
KERNEL_FREE := bridge/boards bridge/constraints bridge/files bridge/sampler bridge/views conformance core/lattice \
	extensive/games extensive/sampling extensive/views kriegspiel/another_umpire kriegspiel/board kriegspiel/records \
	kriegspiel/umpire lab/lab phantom trees/notation trees/views
TOGETHER := bridge/shipped_deals cli/kriegspiel cli/kriegspiel_kept cli/kriegspiel_play documentation examples \
	kriegspiel/match lab/bmv96 lab/clv21 lab/fb01 lab/papers lab/pns06 lab/suit_play
LEFT_OUT := $(foreach name,$(KERNEL_FREE) $(TOGETHER),$(dir tests/$(name))test_$(notdir $(name)).py)

test-pure: $(VENV)-pure/.installed-dev
	$(VENV)-pure/bin/worldwise --version
	HYPOTHESIS_PROFILE=quick $(VENV)-pure/bin/python -m pytest -n $(JOBS) --dist worksteal \
		$(addprefix --ignore=,$(LEFT_OUT) tests/web)

check: lint types layers docs

lint: $(VENV)/.installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.installed-dev
	$(BIN)/mypy

layers: $(VENV)/.installed-dev
	$(BIN)/lint-imports

bench: $(VENV)/.installed-dev
	$(BIN)/python -m pytest benchmarks -s

# Debian's; root needs no sudo, and containers of root often have none.
SUDO := $(if $(filter 0,$(shell id -u)),,sudo)
browser:
	@command -v chromium chromium-browser google-chrome google-chrome-stable || \
		{ $(SUDO) apt-get update --quiet && $(SUDO) apt-get install --quiet --yes --no-install-recommends chromium; }

docs: $(VENV)/.installed-dev
	$(BIN)/sphinx-build -q -W -b html docs docs/_build/html
	@echo "docs/_build/html/index.html"

clean:
	rm -rf $(VENV) $(VENV)-pure build docs/_build .mypy_cache .pytest_cache .ruff_cache .hypothesis

# ---------------------------------------------------------------------- set-up

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)-pure/bin/python:
	$(PYTHON) -m venv $(VENV)-pure

$(VENV)/.installed: $(VENV)/bin/python $(SOURCES)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[web]"
	@$(BIN)/worldwise --version
	@touch $@

$(VENV)/.installed-dev: $(VENV)/bin/python $(SOURCES)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[dev,oracles]"
	@$(BIN)/worldwise --version
	@touch $@ $(VENV)/.installed

install-pure: $(VENV)-pure/.installed-dev

# In a build folder of its own, so that it can go on beside the other installation.
$(VENV)-pure/.installed-dev: $(VENV)-pure/bin/python $(SOURCES)
	CC=false CXX=false $(VENV)-pure/bin/python -m pip install --quiet --disable-pip-version-check \
		--config-settings=build-dir=build/pure --editable ".[dev]"
	@touch $@
