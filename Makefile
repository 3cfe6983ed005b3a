# The two commands of the README are `make play` and `make test`; the rest is for developers.

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
NATIVE = $(wildcard native/*.cpp native/*.hpp native/tests/*.cpp native/tests/*.hpp bench/*.cpp)
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
PLAY ?=

# Where it is set, every program that is started compiles all modules again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: play dev install learn-env lock check test test-all test-browsers test-container core-test core-sanitize lint contracts tidy portable types \
  format wire sanitize bench docs site test-site clean

# The virtual environment with Komadai, its packages and those of extras, as far as anything has changed.
SET_UP = @$(PYTHON) tools/set_up.py $(VENV)

# Start the local server and open the browser (or print the address). PLAY="--no-browser" passes options.
play:
	$(SET_UP) app
	$(BIN)/komadai play $(PLAY)

# One worker more than processors, since many tests wait for a program that they started.
WORKERS = $$(($(JOBS) + 1))
PYTEST = $(BIN)/pytest -n $(WORKERS) --dist worksteal --durations=10

# What a change of a game or of the core breaks first, with one seed; a look at engine, records and server.
QUICK := $(addprefix tests/,compiler game notation reference rules spec)
QUICK += tests/engine/test_engine.py tests/record/test_record.py tests/app/web/game/test_server.py
check: dev
	KOMADAI_SEEDS=1 KOMADAI_EXAMPLES=8 $(PYTEST) $(QUICK)

# Every test of the rules and most others, with a sixteenth of the random play.
test: dev
	$(PYTEST)

# All tests, with all of the random play, and with every allocation of the core failing.
test-all: dev
	KOMADAI_TESTS=full $(PYTEST)
	KOMADAI_TESTS=full $(MAKE) core-sanitize

# The tests in a browser that `make test` leaves out, each function once. On a busy machine a page may be late: a test
# that fails is run once more, and the summary names it (RERUN).
test-browsers: WORKERS = $$(($(JOBS) * 2))
test-browsers: dev
	$(PYTEST) -m browser --reruns 1 -rR tests/app/web/browser

# Build the image of deploy/ by its steps, without an engine for containers, and play on what they make.
test-container: dev
	$(SET_UP) deploy
	$(BIN)/pytest -n 0 -m slow tests/app/web/deploy

dev:
	$(SET_UP) dev
	@$(BIN)/python tools/wire_types.py

EXTRAS ?=
comma := ,
install:
	$(SET_UP) dev $(subst $(comma), ,$(EXTRAS))

# What `komadai learn` trains with: the version of PyTorch that is tried here, built for processors alone where there is
# one, and then the rest of the extra.
learn-env: dev
	$(BIN)/pip install --quiet torch==2.13.0
	$(SET_UP) learn

# Lock the packages of a server, for every system, with their hashes: requirements/, for docs/how-to/deploy.md; and the
# same versions for the server in a browser's tab.
LOCK = $(BIN)/uv pip compile --generate-hashes --upgrade --quiet --no-emit-index-url --no-emit-find-links
LOCK += --custom-compile-command 'make lock'
LOCK_SERVER = $(LOCK) pyproject.toml --extra app --universal --python-version 3.11
SITE := src/komadai/app/site/export
lock:
	$(SET_UP)
	$(BIN)/pip install --quiet 'uv>=0.5'
	$(LOCK_SERVER) --output-file requirements/server.txt
	$(LOCK_SERVER) --extra postgres --output-file requirements/server-postgres.txt
	$(LOCK) $(SITE)/requirements.in --constraint requirements/server.txt --no-annotate --python-version 3.14 \
	  --python-platform wasm32-pyodide2024 --output-file $(SITE)/requirements.txt

lint: dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/clang-format --dry-run --Werror $(NATIVE)
	$(BIN)/check-jsonschema --quiet --builtin-schema vendor.github-workflows .github/workflows/*.yml
	$(BIN)/check-jsonschema --quiet --builtin-schema vendor.citation-file-format CITATION.cff
	$(BIN)/check-jsonschema --quiet --builtin-schema vendor.readthedocs .readthedocs.yaml
	$(BIN)/check-jsonschema --quiet --builtin-schema vendor.github-issue-config .github/ISSUE_TEMPLATE/config.yml
	$(BIN)/check-jsonschema --quiet --builtin-schema vendor.github-issue-forms \
	  $(filter-out %/config.yml,$(wildcard .github/ISSUE_TEMPLATE/*.yml))

# The floors of docs/architecture.md: which package may import which (pyproject.toml).
contracts: dev
	PYTHONPATH=src $(BIN)/lint-imports --no-logo --no-cache

# The unit tests of the core, and komadai_perft, without Python; warnings are errors.
core-test: dev
	$(BIN)/pytest -n 0 -m slow tests/native/test_core_program.py

# clang-tidy by .clang-tidy; warnings are errors.
TIDY := build/tidy
tidy: dev
	cmake -S . -B $(TIDY) -DKOMADAI_PYTHON=OFF -DCMAKE_UNITY_BUILD=OFF >/dev/null
	printf '%s\n' $(filter-out native/bind%.cpp,$(wildcard native/*.cpp native/tests/*.cpp)) | \
	  xargs -P $(JOBS) -n 2 $(BIN)/clang-tidy -p $(TIDY) --quiet

# Compile the core for Windows, macOS, musl and arm64; KOMADAI_TESTS=full also links it, and runs what runs here.
portable: dev
	$(PYTEST) -m slow tests/native/test_cross_compiled.py

types: dev
	$(BIN)/mypy
	$(BIN)/python tools/wire_types.py --check
	$(BIN)/pytest -n 0 -m slow tests/app/web/test_client.py

format: dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/clang-format -i $(NATIVE)

# Write the schema of the wire format; a test fails while it is not up to date.
wire: dev
	$(BIN)/python tools/wire_types.py --schema

# Build the core with AddressSanitizer and UndefinedBehaviorSanitizer, beside the installed one, and run the suite on it.
# TESTS=tests/rules narrows it.
SANITIZED := build/sanitize
TESTS ?= tests
CONFIGURE_SANITIZED = cmake -S . -B $(SANITIZED) -DKOMADAI_SANITIZE=address -DKOMADAI_WERROR=ON \
  -DPython_EXECUTABLE=$(abspath $(BIN))/python -Dnanobind_DIR=$$($(BIN)/python -m nanobind --cmake_dir) >/dev/null
sanitize: dev
	$(CONFIGURE_SANITIZED)
	cmake --build $(SANITIZED) --parallel $(JOBS) >/dev/null
	rm -rf $(SANITIZED)/packages && mkdir $(SANITIZED)/packages && cp -rL src/komadai $(SANITIZED)/packages
	cmake --install $(SANITIZED) --prefix $(SANITIZED)/packages >/dev/null
	LD_PRELOAD="$$(g++ -print-file-name=libasan.so) $$(g++ -print-file-name=libubsan.so)" \
	  ASAN_OPTIONS=detect_leaks=0:abort_on_error=1 UBSAN_OPTIONS=print_stacktrace=1 PYTHONMALLOC=malloc \
	  PYTHONPATH=$(abspath $(SANITIZED)/packages) $(PYTEST) $(TESTS)

# The core's own program, without Python, over the tables of every game: with AddressSanitizer and LeakSanitizer while
# every allocation fails in its turn, and with ThreadSanitizer. KOMADAI_TESTS=full: all of the allocations, not a share.
TABLES := build/tables
THREADED := build/thread
core-sanitize: dev
	$(CONFIGURE_SANITIZED)
	cmake -S . -B $(THREADED) -DKOMADAI_PYTHON=OFF -DKOMADAI_SANITIZE=thread -DKOMADAI_WERROR=ON >/dev/null
	cmake --build $(SANITIZED) --parallel $(JOBS) --target komadai_core_tests >/dev/null
	cmake --build $(THREADED) --parallel $(JOBS) --target komadai_core_tests >/dev/null
	rm -rf $(TABLES) && mkdir $(TABLES)
	set -e; for game in $$($(BIN)/python -c 'import komadai; print(*komadai.variants(shelf=False))'); do \
	  $(BIN)/python -m komadai.compiler.dump $$game > $(TABLES)/$$game.rules; \
	done
	KOMADAI_TABLES=$(TABLES) $(SANITIZED)/komadai_core_tests
	KOMADAI_TABLES=$(TABLES) $(THREADED)/komadai_core_tests

# Perft and Python API beside peers.
bench: dev
	$(SET_UP) bench
	$(BIN)/python bench/perft.py
	$(BIN)/python bench/python_api.py

# The documentation as a site, build/docs/index.html; warnings are errors. Where there is Node.js, its search is asked.
docs:
	$(SET_UP) docs
	$(BIN)/sphinx-build --fail-on-warning --keep-going --nitpicky --quiet --jobs auto docs build/docs
	@if command -v node >/dev/null; then node tools/ask_docs.mjs build/docs; fi

# Komadai as a folder for any web host (docs/how-to/static-site.md). What is missing is taken by pip, npm and apt-get.
# CORE=FILE and PYODIDE=DIR name what is at hand.
FOLDER ?= build/site
CORE ?=
PYODIDE ?=
PYODIDE_CORE = $(BIN)/python tools/pyodide_core.py $(if $(PYODIDE),--pyodide '$(PYODIDE)')
site:
	$(SET_UP) site
	core=$(if $(CORE),'$(CORE)',$$($(PYODIDE_CORE))) && \
	  $(BIN)/komadai export-site '$(FOLDER)' --force --core "$$core" $(if $(PYODIDE),--pyodide '$(PYODIDE)')

# The suite in Pyodide under Node.js, as far as its tests need no processes, threads or sockets.
test-site:
	$(SET_UP) site
	$(BIN)/python tools/pyodide_suite.py

clean:
	rm -rf $(VENV) build dist
