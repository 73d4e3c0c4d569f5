# Knobel. Only python3 (3.11 or newer) and make are needed; everything else is installed into .venv.
.DEFAULT_GOAL := help
.PHONY: help install dev warm browser play test check bench torture screenshots extract update compile locks clean

PYTHON ?= python3
BIN    := .venv/bin
PO     := $(wildcard src/knobel/lang/*/LC_MESSAGES/*.po)
# One more than there are processors: many tests wait for a browser or a house.
WORKERS ?= $(shell echo $$(($$(nproc 2>/dev/null || echo 2) + 1)))
TEST   := $(BIN)/pytest -n $(WORKERS) --dist worksteal
UV     := $(BIN)/uv pip install --quiet --python $(BIN)/python --compile-bytecode

help:  ## Say what can be made.
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*##/\t/' | expand -t 12

install: .venv/installed  ## Set up what playing needs; nothing is started.

dev: .venv/dev  ## Set up what testing needs as well.

warm: .venv/warm  ## Compile the solver, so that the workers of the tests do not all do it at the same moment.

play: .venv/installed  ## Play in the browser.
	@$(BIN)/knobel serve

browser:  ## Find the browser the tests need; as root on Debian, install it.
	@for name in chromium-headless-shell chromium chromium-browser google-chrome google-chrome-stable; do command -v $$name && exit; done >/dev/null; \
	{ [ "$$(id -u)" = 0 ] && command -v apt-get && apt-get update -qq && export DEBIAN_FRONTEND=noninteractive \
	  && { apt-get install -y -qq chromium-headless-shell || apt-get install -y -qq chromium; }; } >/dev/null 2>&1 \
	|| echo "There is no Chromium here, so the browser tests will fail; on Debian: apt-get install chromium"

test: .venv/dev .venv/warm browser  ## Run every test.
	@$(TEST)

check: .venv/dev  ## Lint and types.
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy

bench: .venv/dev browser  ## Measure speed, each figure as a ratio to a reference of the same run.
	@$(BIN)/python benchmarks/run.py
	@$(BIN)/python -m benchmarks.tables
	@$(BIN)/python -m benchmarks.load
	@$(BIN)/python -m benchmarks.browser
	@$(BIN)/python -m benchmarks.paper

torture: .venv/dev .venv/warm browser  ## Run the long tests.
	@$(TEST) -m torture

screenshots: .venv/dev browser  ## Take a picture of every screen.
	@$(BIN)/python -m tests.screenshots

extract: .venv/installed  ## Write a template of every catalog, for translators.
	@$(BIN)/python catalogs.py extract

update: .venv/installed  ## Bring all catalogs up to date with the English ones; LANG=xx begins a language.
	@$(BIN)/python catalogs.py update $(if $(filter command line,$(origin LANG)),$(LANG))

compile: .venv/installed  ## Compile the catalogs.
	@$(BIN)/python catalogs.py compile

locks: .venv/uv  ## Renew the pinned versions.
	@$(BIN)/uv pip compile --quiet --universal --generate-hashes --no-header --no-annotate --upgrade pyproject.toml --group build -o requirements.lock
	@$(BIN)/uv pip compile --quiet --universal --generate-hashes --no-header --no-annotate --upgrade pyproject.toml --group build --group dev -o requirements-dev.lock
	@echo uv | $(BIN)/uv pip compile --quiet --universal --generate-hashes --no-header --no-annotate --upgrade - -o requirements-uv.lock

clean:  ## Remove everything that was set up or made.
	@rm -rf .venv dist build .mypy_cache .ruff_cache .pytest_cache .hypothesis
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +
	@find src -name '*.mo' -delete

.venv/uv: requirements-uv.lock
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Knobel needs Python 3.11 or newer; say which with: make PYTHON=python3.12 …"; exit 2; }
	@$(PYTHON) -m venv .venv || { echo "Python cannot make a virtual environment here; on Debian: apt-get install python3-venv"; exit 2; }
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-uv.lock
	@touch $@

.venv/installed: .venv/uv requirements.lock pyproject.toml catalogs.py $(PO)
	@$(UV) --require-hashes -r requirements.lock
	@$(UV) --no-deps --no-build-isolation --editable .
	@$(BIN)/python -m compileall -q src
	@touch $@

.venv/dev: .venv/installed requirements-dev.lock
	@$(UV) --require-hashes -r requirements-dev.lock
	@touch $@

.venv/warm: .venv/dev $(wildcard src/knobel/solver/*.py) tests/warm.py
	@$(BIN)/python -m tests.warm
	@touch $@
