# `make help` lists what there is. Everything installed goes into .venv/, from the locks.

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.NOTPARALLEL:
.SUFFIXES:
MAKEFLAGS += --no-print-directory --no-builtin-rules
SHELL := /bin/bash

# Compiled modules are what makes a command start in half a second.
unexport PYTHONDONTWRITEBYTECODE
unexport PYTHONPATH
unexport VIRTUAL_ENV

BIN := .venv/bin
PIP := $(BIN)/python -m pip -qq --no-input --disable-pip-version-check
# No index address goes into a lock: pip takes the one that a machine is set up with, and the
# hashes say whether it gave the right thing.
LOCK := $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --fork-strategy fewest \
	--generate-hashes --no-emit-index-url --no-annotate --no-header $(if $(UPGRADE),--upgrade) \
	pyproject.toml --group build
PYTEST := $(BIN)/python -m pytest --quiet
PARALLEL := -n 2 --dist loadfile

# The first Python that is new enough and can make environments; PYTHON=... names another.
CANDIDATES := $(or $(PYTHON),python3 python3.14 python3.13 python3.12 python3.11 python)
USABLE := import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))

.PHONY: help demo test test-long check bench fuzz lock docs pictures format clean

help: ## this list
	@sed -nE 's/^([a-z-]+):.*## (.*)/  make \1\t\2/p' Makefile | expand -t 18

demo: .venv/run.stamp ## the sample history through the real path, then the dashboard (SERVE=0: no dashboard)
	@$(BIN)/ranktrail demo $(if $(filter 0,$(SERVE)),--no-serve)

test: .venv/dev.stamp ## the tests, in some minutes
	@$(PYTEST) $(PARALLEL) -m "not long"

test-long: .venv/dev.stamp ## the tests that take longer
	@$(PYTEST) $(PARALLEL) -m long || [ $$? -eq 5 ]

check: .venv/dev.stamp ## format, lint, types, import arrows, locks, doctests, stale docs
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check --quiet .
	@$(BIN)/mypy --no-error-summary
	@$(PYTEST) --doctest-modules crawler history app tests/test_arrows.py tests/test_house.py
	@echo "check: all good"

bench: .venv/dev.stamp ## time and memory on 2,000 versions, against their limits
	@$(BIN)/python -m tests.tools.bench $(ARGS)

fuzz: .venv/dev.stamp ## a million damaged files through all readers, and their branch coverage
	@$(BIN)/python -m tests.tools.fuzz $(ARGS)

format: .venv/dev.stamp ## rewrite the code as `make check` wants it
	@$(BIN)/ruff check --quiet --fix . ; $(BIN)/ruff format --quiet .

pictures: .venv/dev.stamp ## take the pictures of the dashboard in docs/ anew (needs a Chromium)
	@$(BIN)/python -m tests.tools.pictures

docs: .venv/dev.stamp ## rewrite the generated parts of README.md and docs/
	@$(BIN)/python -m tests.tools.docs

lock: .venv/dev.stamp ## pin the dependencies anew (UPGRADE=1: newest versions)
	@$(LOCK) --extra dev --output-file requirements-dev.lock >/dev/null
	@$(LOCK) --constraints requirements-dev.lock --output-file requirements.lock >/dev/null

clean: ## remove what was installed and made here; never a store
	@rm -rf .venv .demo build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
	@find app crawler history tests -name __pycache__ -prune -exec rm -rf {} +

# A stamp is written last, so what was interrupted is done again.

.venv/bin/python:
	@for python in $(CANDIDATES); do \
		if command -v "$$python" >/dev/null && "$$python" -c "$(USABLE)" 2>/dev/null; then \
			exec "$$python" -m venv .venv; \
		fi; \
	done; \
	echo "No Python 3.11 or newer with venv found. Install one (Debian: apt-get install python3 python3-venv) or name it: make PYTHON=/path/to/python3" >&2; \
	exit 1

.venv/run.stamp: requirements.lock pyproject.toml | .venv/bin/python
	@echo "Installing the locked dependencies into .venv (once, about a minute) ..." >&2
	@$(PIP) install --require-hashes -r requirements.lock
	@$(PIP) install --no-deps --no-build-isolation --editable .
	@$(BIN)/python -m compileall -q crawler history app
	@touch $@

.venv/dev.stamp: requirements-dev.lock .venv/run.stamp
	@echo "Installing what the tests need ..." >&2
	@$(PIP) install --require-hashes -r requirements-dev.lock
	@touch $@
