# Knobel. Only python3 (3.11 or newer) and make are needed; everything else is installed into .venv and node_modules.
.DEFAULT_GOAL := help
.PHONY: help docs pictures dist install dev warm browser proxies play check format quick golden test test-rest test-all languages torture mutants bench screenshots fonts extract update words spelling compile locks clean

PYTHON ?= python3
BIN    := .venv/bin
PO     := $(wildcard src/knobel/lang/*/LC_MESSAGES/*.po)
CORES  := $(shell nproc 2>/dev/null || echo 2)
# Two more than there are processors: many tests wait for a browser or a server.
WORKERS ?= $(shell echo $$(($(CORES) + 2)))
# Tests are rewritten when they are imported; without a cache every worker and every program they start would do it again.
PYTEST := PYTHONDONTWRITEBYTECODE= $(BIN)/pytest
TEST   := $(PYTEST) -n $(WORKERS) --dist worksteal $(RERUNS)
# Programs of node's packages; node itself comes from .venv, never from the machine.
NODE   := $(BIN)/node node_modules/.bin
UV     := $(BIN)/uv pip install --quiet --python $(BIN)/python --compile-bytecode
# What is said when packages cannot be fetched; setting up needs the network, playing does not.
FETCH  := { echo "Knobel could not fetch its packages; if you are offline, try again with a connection. Once it is set up, playing needs none."; exit 2; }

help:  ## Say what can be made.
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*##/\t/' | expand -t 12

install: .venv/installed  ## Set up what playing needs; nothing is started.

dev: .venv/dev  ## Set up what testing needs as well.

warm: .venv/warm  ## Compile the solver, so that the workers of the tests do not all do it at the same moment.

play: .venv/installed  ## Play in the browser; PORT=9000 chooses another port.
	@$(BIN)/knobel serve $(if $(PORT),--port $(PORT))

browser:  ## Find the browser the tests need; as root on Debian, install it.
	@for name in chromium-headless-shell chromium chromium-browser google-chrome google-chrome-stable; do command -v $$name && exit; done >/dev/null; \
	{ [ "$$(id -u)" = 0 ] && command -v apt-get && apt-get update -qq && export DEBIAN_FRONTEND=noninteractive \
	  && { apt-get install -y -qq chromium-headless-shell || apt-get install -y -qq chromium; }; } >/dev/null 2>&1 \
	|| echo "There is no Chromium here, so the browser tests will fail; on Debian: apt-get install chromium"

proxies:  ## Find nginx, Caddy, compose and Debian's PostgreSQL, which tests try our files with; as root on Debian, install them.
	@{ { command -v nginx || [ -x /usr/sbin/nginx ]; } && command -v caddy && { command -v docker-compose || docker compose version; } && ls /usr/lib/postgresql/*/bin/initdb; } >/dev/null 2>&1 || \
	{ [ "$$(id -u)" = 0 ] && command -v apt-get && apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends nginx-light openssl caddy docker-compose postgresql; } >/dev/null 2>&1 \
	|| echo "nginx, Caddy, compose or Debian's PostgreSQL is missing here, so its test is skipped; on Debian: apt-get install nginx-light caddy docker-compose postgresql"

quick: .venv/dev  ## Run the tests of every day: no browser, no database server, no processes, no long solves.
	@$(PYTEST) -n $(CORES) --dist worksteal $(addprefix --ignore tests/,browser processes solver) -m "not (browser or database or process or solve or rest or torture)"

golden: .venv/dev  ## Run the golden cases alone; KNOBEL_GOLDEN=DIR names another folder in the same format.
	@$(PYTEST) -m golden tests/test_golden.py

test: .venv/dev .venv/warm browser  ## Run what a change must pass: everything once, each kind by representative cases.
	@$(TEST) -m "not (rest or torture)"

test-rest: .venv/dev .venv/docs .venv/warm browser proxies  ## Run what make test leaves out: every language, screen, edition and walk.
	@$(TEST) -m "rest and not torture"

test-all: .venv/dev .venv/docs .venv/warm browser proxies  ## Run both.
	@$(TEST) -m "not torture"

check: .venv/dev node_modules/installed  ## Lint, formatting and types, of Python and of the browser's code.
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(NODE)/biome check --error-on-warnings
	@$(BIN)/python -m tests.wire_types --check
	@$(NODE)/tsc

format: .venv/dev node_modules/installed  ## Format Python, and the browser's scripts and styles.
	@$(BIN)/ruff check --quiet --select I --fix .
	@$(BIN)/ruff format --quiet .
	@$(NODE)/biome check --write --linter-enabled=false

mutants: .venv/mutants  ## Change the rules in one place at a time: does a test notice? Hours; continues where it stopped.
	@PYTHONDONTWRITEBYTECODE= $(BIN)/python -m tests.mutants $(MODULES)

bench: .venv/dev browser  ## Measure speed, each figure as a ratio to a reference of the same run.
	@$(BIN)/python benchmarks/run.py
	@$(BIN)/python -m benchmarks.tables
	@$(BIN)/python -m benchmarks.load
	@$(BIN)/python -m benchmarks.browser
	@$(BIN)/python -m benchmarks.paper

languages: .venv/dev .venv/warm browser  ## Walk every screen in every language.
	@$(TEST) -m languages tests/browser

torture: .venv/dev .venv/warm browser  ## Run the long tests.
	@$(TEST) -m torture

screenshots: .venv/dev browser  ## Take a picture of every screen.
	@$(BIN)/python -m tests.screenshots

pictures: .venv/dev browser  ## Take the pictures of the README from the real program.
	@$(BIN)/python -m tests.pictures

docs: .venv/docs .venv/warm  ## Build the documentation as a site into build/site.
	@$(BIN)/python -m website

dist: .venv/installed  ## Build a wheel and a source archive into dist.
	@$(BIN)/uv build --quiet --out-dir dist .
	@ls dist/*.whl dist/*.tar.gz

fonts: .venv/fonts fonts/node_modules/installed  ## Cut the open fonts down to what the languages need, for screen and paper.
	@$(BIN)/python fonts/build.py

extract: .venv/installed  ## Write a template of every catalog, for translators.
	@$(BIN)/python catalogs.py extract

update: .venv/installed  ## Bring all catalogs up to date with the English ones; LANG=xx begins a language.
	@$(BIN)/python catalogs.py update $(if $(filter command line,$(origin LANG)),$(LANG))

words: .venv/installed  ## List what waits for its translation, by language and catalog; LANG=xx one language.
	@$(BIN)/python catalogs.py words $(if $(filter command line,$(origin LANG)),$(LANG))

spelling: .venv/installed  ## List words that the dictionaries of hunspell do not know; LANG=xx one language.
	@$(BIN)/python spelling.py $(if $(filter command line,$(origin LANG)),$(LANG))

compile: .venv/installed  ## Compile the catalogs.
	@$(BIN)/python catalogs.py compile

locks: .venv/dev .venv/node  ## Renew the pinned versions.
	@$(BIN)/uv pip compile --quiet --universal --generate-hashes --no-header --no-annotate --upgrade pyproject.toml --extra all --group build -o requirements.lock
	@$(BIN)/uv pip compile --quiet --universal --generate-hashes --no-header --no-annotate --upgrade pyproject.toml --extra all --extra lab --group build --group dev -o requirements-dev.lock
	@$(BIN)/uv pip compile --quiet --universal --generate-hashes --no-header --no-annotate --upgrade -c requirements-dev.lock pyproject.toml --extra all --group mutants -o requirements-mutants.lock
	@$(BIN)/uv pip compile --quiet --universal --generate-hashes --no-header --no-annotate --upgrade -c requirements-dev.lock --group docs -o requirements-docs.lock
	@printf 'brotli\nfonttools\n' | $(BIN)/uv pip compile --quiet --universal --generate-hashes --no-header --no-annotate --upgrade - -o fonts/requirements.lock
	@echo uv | $(BIN)/uv pip compile --quiet --universal --generate-hashes --no-header --no-annotate --upgrade - -o requirements-uv.lock
	@$(BIN)/uv pip compile --quiet --universal --generate-hashes --no-header --no-annotate --upgrade --group node -o requirements-node.lock
	@$(BIN)/npm update --silent --package-lock-only
	@$(BIN)/python -c 'import pathlib, re; lock = pathlib.Path("package-lock.json"); lock.write_text(re.sub(r" *\"funding\": \{[^}]*\},\n", "", lock.read_text()))'

clean:  ## Remove everything that was set up or made.
	@rm -rf .venv node_modules fonts/node_modules dist build .mypy_cache .ruff_cache .pytest_cache .hypothesis
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +
	@find src -name '*.mo' -delete

.venv/uv: requirements-uv.lock
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Knobel needs Python 3.11 or newer; say which with: make PYTHON=python3.12 …"; exit 2; }
	@$(PYTHON) -m venv .venv || { echo "Python cannot make a virtual environment here; on Debian: apt-get install python3-venv"; exit 2; }
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-uv.lock || $(FETCH)
	@touch $@

.venv/installed: .venv/uv requirements.lock pyproject.toml catalogs.py $(PO)
	@$(UV) --require-hashes -r requirements.lock || $(FETCH)
	@$(UV) --no-deps --no-build-isolation --editable .
	@$(BIN)/python -m compileall -q src
	@# Compiles the solver, so that nobody waits for that in their first game.
	@$(BIN)/knobel solve examples/house-rules/two-dice.toml --no-cache >/dev/null
	@touch $@

.venv/dev: .venv/installed requirements-dev.lock
	@$(UV) --require-hashes -r requirements-dev.lock
	@touch $@

.venv/mutants: .venv/dev requirements-mutants.lock
	@$(UV) --require-hashes -r requirements-mutants.lock
	@touch $@

.venv/docs: .venv/dev requirements-docs.lock
	@$(UV) --require-hashes -r requirements-docs.lock
	@touch $@

.venv/fonts: .venv/dev fonts/requirements.lock
	@$(UV) --require-hashes -r fonts/requirements.lock
	@touch $@

fonts/node_modules/installed: .venv/dev fonts/package.json fonts/package-lock.json
	@$(BIN)/npm ci --silent --prefix fonts
	@touch $@

.venv/warm: .venv/dev $(wildcard src/knobel/solver/*.py) tests/warm.py
	@$(BIN)/python -m tests.warm
	@touch $@

.venv/node: .venv/dev requirements-node.lock
	@$(UV) --require-hashes -r requirements-node.lock
	@touch $@

node_modules/installed: .venv/node package.json package-lock.json .npmrc
	@$(BIN)/npm ci --silent
	@touch $@
