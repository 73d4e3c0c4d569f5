# Knobel. Only python3 (3.11 or newer) and make are needed; everything else is installed into .venv.
.DEFAULT_GOAL := help
.PHONY: help install dev browser play test check bench torture screenshots locks clean

PYTHON ?= python3
BIN    := .venv/bin
PO     := $(wildcard src/knobel/lang/*/LC_MESSAGES/*.po)
UV     := $(BIN)/uv pip install --quiet --python $(BIN)/python --compile-bytecode
WORKERS ?= auto

help:  ## Say what can be made.
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*##/\t/' | expand -t 12

install: .venv/installed  ## Set up what playing needs; nothing is started.

dev: .venv/dev  ## Set up what testing needs as well.

play: .venv/installed  ## Play in the browser.
	@$(BIN)/knobel serve

browser:  ## Find the browser the tests need; as root on Debian, install it.
	@command -v chromium chromium-browser google-chrome >/dev/null || { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null \
	  && apt-get update -qq >/dev/null && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq chromium >/dev/null 2>&1; } \
	  || echo "There is no Chromium here, so the browser tests will fail; on Debian: apt-get install chromium"

test: .venv/dev browser  ## Run every test.
	@$(BIN)/pytest -n $(WORKERS)

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

torture: .venv/dev browser  ## Run the long tests.
	@$(BIN)/pytest -n $(WORKERS) -m torture

screenshots: .venv/dev browser  ## Take a picture of every screen.
	@$(BIN)/python -m tests.screenshots

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
