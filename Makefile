# Everything runs in an environment of its own, .venv, which is made and kept up to date by itself.
# `make test PYTEST_ARGS="-n 2 -k settings"` hands arguments on to pytest; `make train TRAIN_ARGS="--seed 3"` to training.

.DEFAULT_GOAL := help
SHELL := /bin/sh
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
LOWEST := .venv-lowest
PYTEST_ARGS ?= -n 2 --dist worksteal

# torch as it is on Linux by default brings gigabytes of CUDA, which small networks have no use for.
TORCH_FOR_CPU := https://download.pytorch.org/whl/cpu
TORCH := $(shell sed -n 's/^torch==//p' constraints.txt)
PIP := $(BIN)/python -m pip install --disable-pip-version-check -c constraints.txt

# The first Python of version 3.11 or newer; `make PYTHON=/path/to/python ...` names one.
ENOUGH := import sys; sys.exit(sys.version_info < (3, 11))
PYTHON ?= $(shell for python in python3 python3.11 python3.12 python3.13 python3.14 python; do \
	if $$python -c '$(ENOUGH)' >/dev/null 2>&1; then echo $$python; break; fi; done)

# What the package itself needs, in the lowest versions that pyproject.toml allows, and the tests of that.
LOWEST_VERSIONS := import re, tomllib; project = tomllib.load(open("pyproject.toml", "rb"))["project"]; \
	needs = project["dependencies"] + project["optional-dependencies"]["jit"]; \
	print(*(re.sub(r">=([0-9.]+).*", r"==\1", need) for need in needs))
CORE_TESTS := tests/tabletop tests/envs tests/records tests/games/heart_rush/rules

# What `make test` searches with a few random fights, and `make test-long` with many.
SEARCHES := tests/games/heart_rush/encoding/test_encoding.py $(addprefix tests/fights/test_, \
	properties.py map_properties.py classic_properties.py \
	against_reference.py maps_against_reference.py classic_against_reference.py)

.PHONY: help venv train quick test say-train say-test test-long test-lowest test-libraries test-ray lint wheel wheels bench docs docs-site clean

help: ## list what can be made
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "make %-15s %s\n", $$1, $$2}' Makefile

venv: $(STAMP) ## make or update the environment in .venv

$(STAMP): pyproject.toml constraints.txt
	@python="$(PYTHON)"; "$${python:-python3}" -c '$(ENOUGH)' >/dev/null 2>&1 || \
		{ echo "make: heartrush-env needs Python 3.11 or newer; name one with make PYTHON=/path/to/python." >&2; exit 1; }
	@if ! $(BIN)/python -c '$(ENOUGH)' >/dev/null 2>&1 || ! $(BIN)/python -m pip --version >/dev/null 2>&1; then \
		"$(PYTHON)" -m venv --clear $(VENV) || \
		{ echo "make: $(PYTHON) cannot make an environment; on Debian or Ubuntu, install python3-venv." >&2; exit 1; }; fi
	@echo "Downloading into $(VENV) what training and tests need: about 400 MB, 190 of them torch (without CUDA)."
	@if [ "$$(uname -sm)" = "Linux x86_64" ]; then \
		$(PIP) -qqq --no-deps --retries 1 --timeout 15 --index-url $(TORCH_FOR_CPU) torch \
		|| { echo "make: no torch without CUDA from $(TORCH_FOR_CPU); the usual one takes about 3 GB more." >&2; \
			$(PIP) --quiet --no-deps torch; }; fi
	$(PIP) --quiet -e '.[dev,train,render]'
	@touch $@

# Said before anything is installed or run, so that nobody waits for an unknown time.
say-train:
	@echo "make train: 5 to 15 minutes on two quiet cores, after what it downloads; training says how far it is."

say-test:
	@echo "make test: about 10 minutes on two quiet cores, after what it downloads."

train: say-train $(STAMP) ## train the standard duelist and print how it does against the roster: 5 to 15 minutes
	$(BIN)/heartrush train duel --id duelist --seed 2 --learner sb3 --exploiters 4 $(TRAIN_ARGS)

lint: $(STAMP) ## check style, format and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

test: say-test $(STAMP) ## check everything that takes minutes at most
	@$(MAKE) --no-print-directory -j 2 lint warm-maps warm-fights # two at a time, for two cores
	$(BIN)/pytest -m "not long" $(PYTEST_ARGS)

quick: $(STAMP) ## test the rules, without single abilities, and the core as plain Python: under a minute
	NUMBA_DISABLE_JIT=1 $(BIN)/pytest -m "not long" -W "ignore:overflow encountered:RuntimeWarning" $(PYTEST_ARGS) \
		--ignore tests/games/heart_rush/rules/abilities tests/tabletop tests/games/heart_rush/rules

warm-%: $(STAMP)
	-@$(BIN)/heartrush machine warm $*

test-long: $(VENV)/.docs-site test-lowest ## run the tests that take longer, and those of the core on the lowest versions allowed
	$(BIN)/pytest -m long $(PYTEST_ARGS)
	HEARTRUSH_COMPILED_RULES=1 $(BIN)/pytest -m "not long" $(PYTEST_ARGS) $(wildcard tests/games/*/rules)
	HEARTRUSH_COMPILED_RULES=1 HEARTRUSH_EXAMPLES=30 HEARTRUSH_REFERENCE_FIGHTS=400 $(BIN)/pytest -m "not long" $(PYTEST_ARGS) $(SEARCHES)

test-lowest: $(LOWEST)/.installed ## run the tests of the core on the lowest versions that pyproject.toml allows
	$(LOWEST)/bin/heartrush machine warm
	$(LOWEST)/bin/python -m pytest -m "not long" $(PYTEST_ARGS) $(CORE_TESTS)

$(LOWEST)/.installed: pyproject.toml
	"$(PYTHON)" -m venv --clear $(LOWEST)
	$(LOWEST)/bin/python -m pip install --disable-pip-version-check --quiet -e '.[jit,protocol,render]' \
		pytest pytest-xdist hypothesis packaging scipy $$("$(PYTHON)" -c '$(LOWEST_VERSIONS)')
	@touch $@

test-libraries: test-ray .venv-torchrl/.installed ## run the examples for RLlib and TorchRL, each in an environment of its own
	.venv-torchrl/bin/python -m pytest tests/libraries/test_torchrl.py

test-ray: .venv-ray/.installed ## run what uses Ray, on a local cluster of two workers, one of which is killed
	.venv-ray/bin/python -m pytest tests/libraries/test_ray.py

.venv-%/.installed: pyproject.toml examples/requirements-%.txt
	@"$(PYTHON)" -m venv --clear .venv-$*
	@echo "Downloading into .venv-$* what the example for $* needs."
	@if [ "$$(uname -sm)" = "Linux x86_64" ]; then \
		.venv-$*/bin/python -m pip install -qqq --no-deps --retries 1 --timeout 15 --index-url $(TORCH_FOR_CPU) torch==$(TORCH) \
		|| .venv-$*/bin/python -m pip install --quiet --no-deps torch==$(TORCH); fi
	.venv-$*/bin/python -m pip install --quiet --disable-pip-version-check -e '.[jit]' pytest torch==$(TORCH) -r examples/requirements-$*.txt
	@touch $@

wheel: $(STAMP) ## build the wheel with its machine code, and play every shipped scenario with it, without Numba
	@echo "make wheel: about 15 minutes, most of them for compiling."
	rm -rf dist
	HEARTRUSH_LIBRARY=yes $(BIN)/python -m build --wheel --outdir dist
	"$(PYTHON)" -m venv --clear .venv-wheel
	.venv-wheel/bin/python -m pip install --quiet --disable-pip-version-check -c constraints.txt dist/*.whl
	cd dist && ../.venv-wheel/bin/python ../tests/play_from_wheel.py

wheels: $(STAMP) ## build a wheel with machine code for each platform, in dist/; needs LLVM's linker lld
	@echo "make wheels: about half an hour, most of it for compiling."
	rm -rf dist build/machine_code
	$(BIN)/python -W ignore -m heartrush_env.app.cli.main machine warm --library build/machine_code --everywhere
	for folder in build/machine_code/*; do HEARTRUSH_LIBRARY=$$PWD/$$folder $(BIN)/python -m build --wheel --outdir dist || exit 1; done

bench: $(STAMP) ## measure speed, beside others where they are installed; BENCH_ARGS="--only vector" a part
	$(BIN)/python -m benchmarks.run $(BENCH_ARGS)

docs: $(STAMP) ## write the short tables in docs/ and the starter kits from what they describe
	$(BIN)/python docs-site/write.py

docs-site: $(VENV)/.docs-site ## build docs/, its long tables and the API reference as a site into build/site
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet -f docs-site/mkdocs.yml

$(VENV)/.docs-site: $(STAMP)
	$(PIP) --quiet -e '.[docs-site]'
	@touch $@

clean: ## remove the environment and everything built
	rm -rf $(VENV) .venv-* build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
