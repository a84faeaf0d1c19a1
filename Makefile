# `make` lists the targets. Nothing here runs Python before `deps` has made sure of it.
.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help deps deps-debian deps-demo build generate check lint format test test-asan \
        fuzz instructions demo clean

DEBIAN := g++ cmake ninja-build ccache python3-venv python3-dev libgtest-dev libgmock-dev \
          libyaml-cpp-dev libhwy-dev libopenblas-dev librandom123-dev graphviz
PY := .venv/bin/python
SUDO = $(if $(filter 0,$(shell id -u)),,sudo)
apt_install = $(SUDO) apt-get -qq update && \
  $(SUDO) env DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends \
    -o Dpkg::Use-Pty=0 $(1) > /dev/null
# What mypy checks; it refuses a folder without Python files.
TYPED := $(sort $(dir $(wildcard generator/*.py benchmarks/*.py examples/*.py)))
OWN_CPP = $(shell find runtime bindings tests -name '*.h' -o -name '*.cpp')

help: ## List the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1\t\2/p' $(MAKEFILE_LIST) | expand -t 16

# --- what is needed ---------------------------------------------------------------------------

deps: deps-debian ## Install what is missing: Debian packages, .venv
	@[ -x $(PY) ] || { \
	  python=$$(python3.11 -c 'print("python3.11")' 2>/dev/null || echo python3); \
	  echo "making .venv with $$python"; \
	  rm -rf build/*/CMakeCache.txt build/*/build.ninja; \
	  $$python -m venv --clear .venv; }
	@$(call pip_install,requirements.txt)

# The packages are asked for, not a stamp: they can go without this folder being told.
deps-debian:
	@[ "$$(dpkg-query -W -f='$${db:Status-Status}\n' $(DEBIAN) 2>/dev/null | grep -cx installed)" \
	  = $(words $(DEBIAN)) ] || { echo "installing $(DEBIAN)"; $(call apt_install,$(DEBIAN)); }

deps-demo: deps
	@$(call pip_install,requirements-demo.txt)

# The stamp is a copy of the file that was installed.
pip_install = cmp -s $(1) .venv/$(1) || { echo "installing $(1)"; \
  $(PY) -m pip install -q --disable-pip-version-check -r $(1) && cp $(1) .venv/$(1); }

# --- build and generate -----------------------------------------------------------------------

build: deps build/release/build.ninja ## Build; afterwards .venv/bin/python imports oploom anywhere
	@cmake --build --preset release
	@for site in .venv/lib/python3*/site-packages; do \
	  echo $(CURDIR)/build/release/python > $$site/oploom.pth; done

build/%/build.ninja: CMakePresets.json | deps
	@cmake --preset $*
	@touch $@

generate: deps ## Write generated/ from ops.yaml
	@$(PY) -m generator generate

check: deps ## Is generated/ what ops.yaml says?
	@$(PY) -m generator check

# --- tests ------------------------------------------------------------------------------------

# mypy looks at the staged package: what users import, stubs and all. Staging is configuring.
lint: deps build/release/build.ninja ## ruff and mypy
	@ninja -C build/release --quiet build.ninja
	$(PY) -m ruff check
	$(PY) -m ruff format --check
	$(PY) -m mypy $(TYPED) build/release/python/oploom

format: deps ## Lay out the hand-written Python and C++
	$(PY) -m ruff check --fix
	$(PY) -m ruff format
	.venv/bin/clang-format -i $(OWN_CPP)

test: build check lint ## Build and run everything
	ctest --preset release -j $$(nproc)
	$(PY) -m pytest

# The process that loads the extension is not instrumented: the sanitizer must come first, then
# libstdc++, or the first C++ exception aborts. CPython itself leaks. --capture=sys: a report is
# written past Python, and pytest would take it along when the process dies.
ASAN_PYTHON = env PYTHONPATH=build/asan/python PYTHONMALLOC=malloc \
  ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1 \
  LD_PRELOAD="$$(g++ -print-file-name=libasan.so) $$(g++ -print-file-name=libstdc++.so)"

test-asan: deps build/asan/build.ninja ## C++ tests and marked Python tests under sanitizers
	@cmake --build --preset asan
	ctest --preset asan -j $$(nproc)
	$(ASAN_PYTHON) $(PY) -m pytest -m asan --capture=sys

# What libFuzzer finds goes to build/fuzz/corpus; the seeds in tests/fuzz/corpus stay as they are.
FUZZ_SECONDS ?= 60

fuzz: deps ## One minute of broken program files (FUZZ_SECONDS=60)
	@command -v clang++ > /dev/null && dpkg-query -W libclang-rt-14-dev > /dev/null 2>&1 \
	  || { $(call apt_install,clang libclang-rt-14-dev); }
	@[ -f build/fuzz/build.ninja ] || cmake --preset fuzz
	@cmake --build --preset fuzz
	@mkdir -p build/fuzz/corpus
	build/fuzz/load_fuzz -max_total_time=$(FUZZ_SECONDS) -max_len=8192 -timeout=10 \
	  -rss_limit_mb=2048 -print_final_stats=1 -artifact_prefix=build/fuzz/ \
	  -dict=tests/fuzz/load.dict build/fuzz/corpus tests/fuzz/corpus

# --- the rest ---------------------------------------------------------------------------------

instructions: build ## Count the instructions of a call with callgrind
	@command -v valgrind > /dev/null || { $(call apt_install,valgrind); }
	@$(PY) benchmarks/instructions.py

demo: deps-demo build ## Build and run the tours
	@$(PY) examples/tour.py
	@$(PY) examples/program_tour.py

clean: ## Remove what was built; .venv stays
	rm -rf build dist .mypy_cache .pytest_cache .ruff_cache
