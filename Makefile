# What one types to run Tabia and to work on it. `make help` lists the targets.
# Needs of the machine only what README.md names in its one apt line.

PYTHON ?= python3
PYTEST_ARGS ?=
LOCK_ARGS ?=

VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check
PACKAGES := engine worker server dashboards
CORE := $(wildcard engine/core/*.cpp engine/core/*.hpp)
FUZZ_SECONDS ?= 300

# One stamp for each layer: what others wrote, then what we wrote.
LOCKED := $(VENV)/.locked
INSTALLED := $(VENV)/.installed

.DEFAULT_GOAL := help
.PHONY: help setup demo test check pytest nightly sanitize fuzz bench lock format ci-deps clean
.DELETE_ON_ERROR:

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-9s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: $(INSTALLED) ## make .venv and build the core; the other targets do it by themselves

demo: $(INSTALLED) ## decide one tweak, then start Grand Chess against Grander Chess
	$(BIN)/tabia run experiments/demo.toml
	$(BIN)/tabia run --minutes 2 experiments/grand-vs-grander.toml

test: check pytest ## every check and every test that takes seconds

check: $(INSTALLED) ## formatting, lint, types, import contracts, declared dependencies
	$(BIN)/ruff check --quiet .
	$(BIN)/ruff format --check --quiet .
	$(if $(CORE),$(BIN)/clang-format --dry-run --Werror $(CORE) tests/fuzz/core.cpp)
	$(BIN)/mypy $(PACKAGES:%=-p tabia.%)
	$(BIN)/lint-imports --no-logo
	$(BIN)/deptry .

pytest: $(INSTALLED)
	$(BIN)/python -m pytest $(PYTEST_ARGS)

nightly: $(INSTALLED) ## the tests that take minutes, and new examples for those that take any
	$(BIN)/python -m pytest -m "nightly or hypothesis" --hypothesis-profile=explore $(PYTEST_ARGS)

bench: $(INSTALLED) ## measure the engine
	$(BIN)/tabia bench
	$(BIN)/python benchmarks/engine.py

format: $(INSTALLED) ## lay out the source as `make check` wants it
	$(BIN)/ruff check --quiet --fix-only .
	$(BIN)/ruff format --quiet .
	$(if $(CORE),$(BIN)/clang-format -i $(CORE) tests/fuzz/core.cpp)

COMPILE = $(BIN)/uv pip compile --quiet --universal --python-version 3.11 \
    --generate-hashes --no-annotate --no-header pyproject.toml

lock: $(INSTALLED) ## write the lock files anew from pyproject.toml (LOCK_ARGS=--upgrade)
	$(COMPILE) --all-extras $(LOCK_ARGS) --output-file requirements.lock
	$(COMPILE:pyproject.toml=) --group pyproject.toml:build \
	    --constraint requirements.lock --upgrade --output-file containers/build.lock
	$(COMPILE) --extra celery \
	    --constraint requirements.lock --upgrade --output-file containers/worker.lock
	$(COMPILE) --extra server \
	    --constraint requirements.lock --upgrade --output-file containers/server.lock

# --- the environment ------------------------------------------------------------------------

# uv installs the lock file in seconds; pip takes the better part of a minute, but it knows
# mirrors that only pip is configured for, and platforms that uv is not built for.
$(LOCKED): requirements.lock
	@echo "installing the packages of requirements.lock into $(VENV)"
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@awk '/^uv==/ { found = 1 } found { print } found && !/\\$$/ { exit }' requirements.lock \
	    > $(VENV)/uv.lock
	@$(PIP) install --require-hashes --only-binary :all: --requirement $(VENV)/uv.lock \
	  && $(BIN)/uv pip install --quiet --require-hashes --requirement requirements.lock \
	  || $(PIP) install --require-hashes --requirement requirements.lock
	@touch $@

# An editable installation: Python is run where it lies, C++ is compiled again when it changes.
$(INSTALLED): $(LOCKED) pyproject.toml CMakeLists.txt $(CORE)
	@echo "compiling engine/core"
	@$(PIP) install --no-deps --no-build-isolation --editable .
	@touch $@

# --- the core under sanitizers --------------------------------------------------------------

# A second environment that sees the packages of the first but compiles the core for itself.
# The sanitizer's own library, and the C++ library whose exceptions it watches, must be in the
# process before Python is. Python's arenas would hide what happens inside them: malloc does not.
# Leaks stay unchecked: the interpreter itself leaves much to be freed by its end. Capturing sys
# only, pytest lets the sanitizer's report through to the terminal. Programs of others are started
# with nothing of ours in them, the sanitizer's library neither: their tests are left out.
SANITIZED := build/sanitize/venv
SITE = lib/python$(shell $(BIN)/python -c 'import sys; print("%d.%d" % sys.version_info[:2])')/site-packages

sanitize: $(INSTALLED) ## the core's tests under the address and undefined-behaviour sanitizers
	test -x $(SANITIZED)/bin/python || $(BIN)/python -m venv --without-pip $(SANITIZED)
	echo $(CURDIR)/$(VENV)/$(SITE) > $(SANITIZED)/$(SITE)/house.pth
	$(PIP) --python $(SANITIZED)/bin/python install --no-deps --no-build-isolation --editable . \
	    --config-settings build-dir=build/sanitize/core \
	    --config-settings cmake.define.TABIA_SANITIZE=ON
	LD_PRELOAD="$$($(CXX) -print-file-name=libasan.so) $$($(CXX) -print-file-name=libstdc++.so)" \
	    ASAN_OPTIONS=detect_leaks=0:quarantine_size_mb=16 UBSAN_OPTIONS=print_stacktrace=1 PYTHONMALLOC=malloc \
	    $(SANITIZED)/bin/python -m pytest tests/engine --capture=sys --ignore=tests/engine/outside \
	    --ignore=tests/engine/match/test_outside_players.py $(PYTEST_ARGS)

# --- the core under a fuzzer ----------------------------------------------------------------

# Rule tables made of bytes, compiled and played (tests/fuzz). What is found stays in
# build/fuzz/found, what was learnt in build/fuzz/corpus: the next run goes on from there.
FUZZ := build/fuzz
FUZZED := tests/fuzz/core.cpp $(filter-out %bindings.cpp %/game.cpp,$(filter %.cpp,$(CORE)))

$(FUZZ)/core: $(FUZZED) $(CORE)
	mkdir -p $(@D)
	clang++ -std=c++20 -O1 -g -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all \
	    -fno-omit-frame-pointer -ffp-contract=off -Iengine/core $(FUZZED) -o $@

ifeq ($(shell command -v clang++),)
fuzz:
	@echo "SKIPPED make fuzz: no clang++ on this machine; make ci-deps installs it" >&2
	@test "$$TABIA_NO_SKIP" != 1
else
fuzz: $(FUZZ)/core $(INSTALLED) ## the core on rules made of bytes, for FUZZ_SECONDS=300
	mkdir -p $(FUZZ)/corpus $(FUZZ)/found
	$(BIN)/python tests/fuzz/seeds.py $(FUZZ)/seeds
	$(FUZZ)/core -max_len=8192 -timeout=10 -rss_limit_mb=1500 -malloc_limit_mb=200 \
	    -max_total_time=$(FUZZ_SECONDS) -artifact_prefix=$(FUZZ)/found/ -print_final_stats=1 \
	    $(FUZZ)/corpus $(FUZZ)/seeds
endif

# --- what tests use where it is there, and continuous integration must have ------------------

SUDO := $(if $(filter 0,$(shell id -u)),,sudo)

ci-deps: ## install what tests would otherwise skip for (Debian; as root or with sudo)
	$(SUDO) apt-get update -qq
	$(SUDO) env DEBIAN_FRONTEND=noninteractive apt-get install -qq --no-install-recommends \
	    g++ git make python3-dev python3-venv \
	    chromium clang fairy-stockfish fairymax fonts-dejavu-core libclang-rt-dev

clean: ## remove everything that `make` made
	rm -rf $(VENV) build dist .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis
