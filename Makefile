# Everything happens in a virtual environment of its own, made when it is first needed.
# `make help` lists the targets; ARGS="..." is handed on to pytest.

VENV ?= .venv
ARGS ?=
CLANG ?= clang
# Tests run on all cores; one that is done early takes work from another. Slow files, which may build, stay whole.
PYTEST = $(PY) -m pytest -n auto --dist worksteal -q
# What is compiled, under the sanitizers: the command and the pages run elsewhere.
COMPILED := $(addprefix tests/test_,core.py notation.py hand.py fan.py waits.py batch.py rows.py deal.py engine_golden.py \
	engine_machine.py rules_of_play.py reasons.py jintan_score.py jintan_play.py round.py tables.py)

BIN := $(VENV)/bin
PY := $(BIN)/python
KERNELS := $(wildcard src/tjmj/*.pyx src/tjmj/*.pxd src/tjmj/*.h src/tjmj/*/*.pyx src/tjmj/*/*.pxd)

# The first of these that is 3.11 or later and can make an environment; make PYTHON=... overrules it.
PYTHON ?= $(shell for python in python3 python3.14 python3.13 python3.12 python3.11; do \
	$$python -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null \
	&& echo $$python && break; done)

export PIP_DISABLE_PIP_VERSION_CHECK := 1

.PHONY: help run quick test test-all test-slow test-browser types properties fuzz soak soak-server bench instructions plots docs \
	fix lint hooks sanitize coverage mutate sdist wheel wheels release clean distclean
.NOTPARALLEL:
.DELETE_ON_ERROR:

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: $(VENV)/.built ## build, score the hands of examples/hands.txt, simulate 1,000 and verify their records
	@$(PY) -m tjmj score --file examples/hands.txt
	@echo
	@mkdir -p build
	@$(PY) -m tjmj simulate --hands 1000 --policy simple --records build/hands.jsonl
	@echo
	@$(PY) -m tjmj record verify build/hands.jsonl

test: $(VENV)/.built $(VENV)/.group-test ## the tests that are not slow
	@$(PYTEST) -m "not slow" $(ARGS)

quick: $(VENV)/.built $(VENV)/.group-test ## in less than a minute: fewer examples, and nothing that starts processes
	@TJMJ_HYPOTHESIS=brief $(PYTEST) -m "not slow and not process" $(ARGS)

test-all: $(VENV)/.built $(VENV)/.group-test ## all tests, the slow ones too
	@$(PYTEST) --dist loadfile $(ARGS)

test-slow: $(VENV)/.built $(VENV)/.group-test ## the slow tests: many hands, packaging, types
	@$(PYTEST) --dist loadfile -m slow $(ARGS)

test-browser: $(VENV)/.built $(VENV)/.group-browser ## the page of records in Chromium; pictures go to build/screenshots
	@$(PY) -m pytest -q -m browser $(ARGS)

types: $(VENV)/.built $(VENV)/.group-test ## the stubs and a consumer of the package, before mypy, stubtest and pyright
	@$(PYTEST) tests/typing $(ARGS)

properties: $(VENV)/.built $(VENV)/.group-test ## the property tests with new random examples each time, many more of them
	@TJMJ_HYPOTHESIS=full $(PYTEST) -m hypothesis $(ARGS)

# A third copy of the package, which tells the fuzzer which of its code an input reaches.
fuzz: $(VENV)/.built $(VENV)/.group-fuzz ## fuzz what is compiled, a minute for each target; ARGS="hands --seconds 600" (clang)
	@echo "Building for fuzzing"
	@CC=$(CLANG) TJMJ_FUZZ=1 $(PY) setup.py -q build --build-base build/fuzz --build-lib build/fuzz/lib
	@PYTHONPATH=build/fuzz/lib $(PY) -m fuzz $(ARGS)

soak: $(VENV)/.built $(VENV)/.group-test ## ten million hands under all rules, the laws checked on each; goes on where it was
	@$(PY) scripts/soak.py $(ARGS)

soak-server: $(VENV)/.built $(VENV)/.group-test ## half an hour of matches at the table server by clients that do it no good
	@$(PY) scripts/soak_server.py $(ARGS)

bench: $(VENV)/.built $(VENV)/.group-bench ## the benchmarks, in one table beside the floor and other packages
	@$(PY) -m pytest -q benchmarks $(ARGS)

instructions: $(VENV)/.built ## count the instructions of the hot paths; ARGS=--update keeps them (valgrind)
	@$(PY) benchmarks/instructions.py $(ARGS)

plots: $(VENV)/.built $(VENV)/.group-plots ## draw the plots in docs/; ARGS=--measure measures them anew
	@$(PY) scripts/plot_growth.py $(ARGS)

docs: $(VENV)/.built $(VENV)/.group-docs ## the documentation as a site in build/docs; a warning is an error
	@$(PY) -m sphinx -W --keep-going -n -q -d build/docs-trees docs build/docs

fix: $(VENV)/.group-lint ## let ruff correct what it can
	@$(BIN)/ruff check --fix

lint: $(VENV)/.group-lint ## style, spelling, workflows
	@$(BIN)/ruff check
	@PATH="$(abspath $(BIN)):$$PATH" cython-lint src scripts tests/embedding
	@$(BIN)/codespell
	@$(BIN)/zizmor --offline --quiet .github/workflows

hooks: $(VENV)/.group-lint $(VENV)/.group-hooks ## have git run the hooks of .pre-commit-config.yaml before each commit
	@$(PY) -m pre_commit install

# A second copy of the package, built with the sanitizers, goes before the usual one.
sanitize: $(VENV)/.built $(VENV)/.group-test ## quick tests of what is compiled, under sanitizers (Linux)
	@echo "Building with sanitizers"
	@TJMJ_SANITIZE=1 $(PY) setup.py -q build --build-base build/sanitize --build-lib build/sanitize/lib
	@LD_PRELOAD="$$($${CC:-cc} -print-file-name=libasan.so)" PYTHONMALLOC=malloc \
	ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1 PYTHONPATH=build/sanitize/lib \
	$(PYTEST) -m "not slow" $(COMPILED) $(ARGS)

# In one process: a worker may be ended before it has written its counters.
coverage: $(VENV)/.built $(VENV)/.group-test $(VENV)/.group-coverage ## the quick tests, and which lines they run, Cython's too (gcc)
	@echo "Building with counters"
	@TJMJ_COVERAGE=1 $(PY) setup.py -q build --build-base build/coverage --build-lib build/coverage/lib
	@find build/coverage \( -name '*.gcda' -o -name 'data*' \) -delete
	@PYTHONPATH=$(CURDIR)/build/coverage/lib $(PY) -m coverage run -m pytest -q -m "not slow" $(ARGS)
	@$(PY) -m coverage combine -q
	@$(PY) scripts/coverage_gaps.py

mutate: $(VENV)/.group-build $(VENV)/.group-test ## put faults into scoring, engine and settlement, and see whether tests notice
	@$(PY) scripts/mutate.py $(ARGS)

sdist: $(VENV)/.group-test ## source distribution into dist/
	@$(PY) -m build --sdist

wheel: $(VENV)/.group-test ## source distribution, and a wheel from it, into dist/
	@$(PY) -m build

wheels: $(VENV)/.group-test ## sdist, a wheel for each Python at hand, auditwheel, tests of what is installed, into dist/wheels
	@$(PY) scripts/check_wheels.py $(ARGS)

release: $(VENV)/.made ## say whether this commit can be released; ARGS=--tag makes the tag
	@$(PY) scripts/release.py $(ARGS)

clean: ## remove what was built, but not the environment
	@rm -rf build dist src/tjmj.egg-info .pytest_cache .ruff_cache .benchmarks .coverage htmlcov $(VENV)/.built
	@find src tests benchmarks scripts \( -name '*.so' -o -name '*.c' -o -name __pycache__ \) -prune -exec rm -rf {} +

distclean: clean ## remove the environment too
	@rm -rf $(VENV)

$(VENV)/.made:
	@test -n "$(PYTHON)" || { echo "No Python 3.11 or later with venv found; make PYTHON=/path/to/python3" >&2; exit 1; }
	@echo "Making $(VENV) with $$($(PYTHON) --version)"
	@$(PYTHON) -m venv --clear $(VENV)
	@$(PY) -m pip install -qq --upgrade 'pip>=25.1'
	@touch $@

# pip reads the dependency group from pyproject.toml.
$(VENV)/.group-%: pyproject.toml $(VENV)/.made
	@echo "Installing what '$*' needs"
	@$(PY) -m pip install -qq --group $*
	@touch $@

$(VENV)/.installed: pyproject.toml setup.py $(VENV)/.group-build
	@echo "Installing tjmj and what it needs"
	@$(PY) -m pip install -qq --no-build-isolation -e '.[cli]'
	@touch $@

$(VENV)/.built: $(KERNELS) $(VENV)/.installed
	@echo "Building the kernels"
	@$(PY) setup.py -q build_ext --inplace
	@touch $@
