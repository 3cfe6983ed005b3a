# The two commands of the README are `make play` and `make test`; the rest is for developers.

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
PLAY ?=

.PHONY: play test core-test lint types format stub sanitize bench docs clean

# Start the local server and open the browser (or print the address). PLAY="--no-browser" passes options.
play: $(VENV)/.installed-web
	$(BIN)/komadai play $(PLAY)

# The whole suite.
test: $(VENV)/.installed-dev
	$(BIN)/pytest -n $(JOBS) --dist worksteal

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

SOURCES := pyproject.toml CMakeLists.txt $(wildcard native/*.cpp native/*.hpp) $(shell find src -type f -not -path '*/__pycache__/*')

$(VENV)/.installed-web: $(VENV)/bin/python $(SOURCES)
	$(BIN)/pip install --quiet '.[web]'
	touch $@

$(VENV)/.installed-dev: $(VENV)/bin/python $(SOURCES)
	$(BIN)/pip install --quiet '.[dev]'
	touch $@

lint: $(VENV)/.installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/clang-format --dry-run --Werror native/*.cpp native/*.hpp

types: $(VENV)/.installed-dev
	$(BIN)/mypy
	$(BIN)/python tools/make_stub.py --check

format: $(VENV)/.installed-dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/clang-format -i native/*.cpp native/*.hpp

# Write the stub of the native module anew; a test fails while the committed one differs.
stub: $(VENV)/.installed-dev
	$(BIN)/python tools/make_stub.py

# Build the core with AddressSanitizer and UndefinedBehaviorSanitizer and run the suite on it. TESTS=tests/rules narrows it.
SANITIZE_VENV := $(VENV)-sanitize
TESTS ?= tests
sanitize:
	$(PYTHON) -m venv $(SANITIZE_VENV)
	$(SANITIZE_VENV)/bin/pip install --quiet --config-settings=cmake.define.KOMADAI_SANITIZE=ON \
	  --config-settings=build-dir=build/sanitize --config-settings=install.strip=false '.[dev]'
	LD_PRELOAD="$$(g++ -print-file-name=libasan.so) $$(g++ -print-file-name=libubsan.so)" \
	  ASAN_OPTIONS=detect_leaks=0:abort_on_error=1 UBSAN_OPTIONS=print_stacktrace=1 PYTHONMALLOC=malloc \
	  $(SANITIZE_VENV)/bin/pytest -n $(JOBS) --dist worksteal $(TESTS)

bench: $(VENV)/.installed-dev
	$(BIN)/python bench/perft.py
	$(BIN)/python bench/python_api.py

# The documentation as a site, build/docs/index.html; warnings are errors.
docs: $(VENV)/.installed-docs
	$(BIN)/sphinx-build --fail-on-warning --keep-going --nitpicky --quiet --jobs auto docs build/docs

# Beside whatever installation of the package is there, so that the core is not built again.
$(VENV)/.installed-docs: $(if $(wildcard $(VENV)/.installed-dev),$(VENV)/.installed-dev,$(VENV)/.installed-web)
	$(BIN)/pip install --quiet $$($(BIN)/python -c \
	  'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["project"]["optional-dependencies"]["docs"])')
	touch $@

clean:
	rm -rf $(VENV) $(SANITIZE_VENV) build dist
