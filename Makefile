# Needs Python 3.11 or newer with venv, and nothing else: everything is installed into .venv.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Files that mark what is installed. `make play` does not install what only developers need.
PLAYABLE := $(VENV)/playable
TESTABLE := $(VENV)/testable
MEASURABLE := $(VENV)/measurable
LOADABLE := $(VENV)/loadable
READABLE := $(VENV)/readable
PRINTABLE := $(VENV)/printable
PIP := $(BIN)/python -m pip --disable-pip-version-check -qq install -c constraints.txt

# Building the packages compiles the translations, so a change of them installs everything again.
SPOKEN := firmware_host/i18n/locale
BUILT_FROM := pyproject.toml constraints.txt setup.py $(wildcard $(SPOKEN)/*/LC_MESSAGES/*.po)

# Images of containers set this; each process that a test starts would then compile the whole program again.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help play test test-all test-system check soak cover bench docs site parts pictures screens pico goldens words clean
.PHONY: deb repository image release

help:  ## print this list
	@sed -n 's/^\([a-z-]*\):[^#]*## */\1\t/p' $(MAKEFILE_LIST) | expand -t 13

play: $(PLAYABLE)  ## play at an emulated table, in your browser; ARGS="--rules pyrudo --seed 7"
	@trap : INT; $(BIN)/dudo-table play --seats 4 $(if $(filter --watch --headless,$(ARGS)),,--screen) $(ARGS) || [ $$? = 130 ]

test: check  ## the check, then the fast tests: a few minutes; ARGS="tests/engine -k perft"
	@$(BIN)/python -m pytest --numprocesses auto --dist loadfile $(ARGS)

test-all: check $(READABLE)  ## the same with the slow tests: whole matches, a browser, planted faults
	@$(BIN)/python -m pytest --numprocesses auto --dist loadfile -m 'not soak and not system' $(ARGS)

check: $(TESTABLE)  ## style, types and allowed imports
	@$(BIN)/ruff check --quiet .
	@$(BIN)/ruff format --check --quiet . || { echo 'make: not formatted: run $(BIN)/ruff format' >&2; exit 1; }
	@$(BIN)/mypy --no-error-summary
	@$(BIN)/mypy --no-error-summary --config-file tests/mypy.ini
	@report=$$($(BIN)/lint-imports 2>&1) || { echo "$$report" >&2; exit 1; }

soak: $(TESTABLE)  ## tests that run for a long time
	@$(BIN)/python -m pytest -m soak -o timeout=0 $(ARGS)

test-system: $(TESTABLE)  ## tests on a real systemd and kernel; needs root, and says what is missing
	@$(BIN)/python -m pytest -m 'system and not soak' -o timeout=6000 $(ARGS)

cover: $(TESTABLE)  ## all tests, and the lines and branches that none of them reaches
	@$(BIN)/python -m pytest -m 'not soak and not system' --cov --cov-report=term-missing:skip-covered $(ARGS)

bench: $(MEASURABLE)  ## measure costs: start, memory, wakeups, bytes, the link, the engine; ARGS="start link --json FILE"
	@$(BIN)/python -m bench $(ARGS)

docs: $(TESTABLE)  ## the pages of the engine's API, into build/api
	@$(BIN)/python -m docs.api build/api

site: $(READABLE)  ## the documents as a site with search, into build/site
	@$(BIN)/python -m docs.site build/site

parts: $(PRINTABLE)  ## a seat's box and a cup's discs to print, as STL and STEP, into build/parts
	@$(BIN)/python -m docs.templates.solids build/parts

pictures: $(TESTABLE)  ## make the stale pictures of the documents again; needs Chromium
	@$(BIN)/python -m docs.pictures

screens: $(TESTABLE)  ## of these only the poster of the screens and the moving picture of a round
	@$(BIN)/python -m docs.pictures screens.png round.gif

deb: $(PLAYABLE) $(LOADABLE) $(READABLE)  ## build the Debian package into build; for Debian 13 and the Raspberry Pi OS based on it
	@debian/build $(abspath $(BIN))/python

repository:  ## a signed apt repository of the packages; URL=https://bar.example/debian KEY=you@bar.example
	@debian/repository "$(URL)" "$(KEY)" "$(DAYS)"

image: deb  ## an SD card for a Raspberry Pi 3 or 4, into build; asks for root; URL=https://bar.example/debian
	@debian/image/build "$(FOR)" "$(WITHOUT)" "$(URL)"

release: $(PLAYABLE) $(LOADABLE) $(READABLE)  ## commit, tag, build and sign a version: CONTRIBUTING.md; VERSION=x.y.z
	@debian/release $(abspath $(BIN))/python "$(VERSION)" "$(URL)" "$(KEY)" "$(DAYS)" "$(DRY)"

pico: $(LOADABLE)  ## the files for a seat board's Pico, into build/pico; WIRING=my-wiring.py
	@$(BIN)/python -m hardware.boards.pico_bundle build/pico $(WIRING)

goldens: $(TESTABLE)  ## make the golden pictures of all screens; prints the states that changed: look at them
	@$(BIN)/python -m docs.goldens

words: $(TESTABLE)  ## update the catalogues of translations: add new texts, remove old ones, compile
	@mkdir -p build
	@$(BIN)/pybabel -q extract -F pyproject.toml --no-location -c Room: -o build/dudo-table.pot .
	@$(BIN)/pybabel -q update -i build/dudo-table.pot -d $(SPOKEN) -D dudo-table --ignore-obsolete --ignore-pot-creation-date
	@$(BIN)/pybabel -q compile -d $(SPOKEN) -D dudo-table
	@$(BIN)/python -m docs.catalogues
	@touch $(TESTABLE) $(PLAYABLE)

clean:  ## remove .venv and all generated files
	@rm -rf $(VENV) build *.egg-info .coverage .hypothesis .*_cache
	@rm -f $(SPOKEN)/*/LC_MESSAGES/*.mo
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || \
	  { echo 'make: $(PYTHON) is not Python 3.11 or newer; name one that is: make PYTHON=python3.11 $(MAKECMDGOALS)' >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || \
	  { echo 'make: $(PYTHON) comes without venv; on Debian and Raspberry Pi OS: sudo apt install python3-venv' >&2; exit 1; }
	@$(PYTHON) -m venv $(VENV)

$(PLAYABLE): $(BUILT_FROM) | $(BIN)/python
	@echo 'Setting up $(VENV) to play (once, some minutes on a slow network) ...' >&2
	@$(PIP) -e '.[page]'
	@touch $@

$(TESTABLE): $(BUILT_FROM) | $(BIN)/python
	@echo 'Setting up $(VENV) to test (once, some minutes on a slow network) ...' >&2
	@$(PIP) -e '.[dev]'
	@touch $@ $(PLAYABLE)

$(MEASURABLE): $(BUILT_FROM) | $(BIN)/python
	@echo 'Setting up $(VENV) to measure (once, some minutes on a slow network) ...' >&2
	@$(PIP) -e '.[bench]'
	@touch $@

$(LOADABLE): $(BUILT_FROM) | $(BIN)/python
	@echo 'Setting up $(VENV) to load a Pico (once, some minutes on a slow network) ...' >&2
	@$(PIP) -e '.[pico]'
	@touch $@

$(READABLE): $(BUILT_FROM) | $(BIN)/python
	@echo 'Setting up $(VENV) to build the site (once, some minutes on a slow network) ...' >&2
	@$(PIP) -e '.[site]'
	@touch $@

$(PRINTABLE): $(BUILT_FROM) | $(BIN)/python
	@echo 'Setting up $(VENV) to make parts for printing (once, 1 GB) ...' >&2
	@$(PIP) -e '.[parts]'
	@touch $@
