# Everyday commands of the project. `make` alone lists them.
#
# Everything is installed into .venv, made by the newest suitable interpreter (tools/find_python). `make check
# PYTHON=python3.11` uses that interpreter and an environment of its own, .venv-3.11.

ifeq ($(strip $(PYTHON)),)
VENV := .venv
else
VENV := .venv-$(shell $(PYTHON) -c 'import sys; print("%d.%d" % sys.version_info[:2])')
endif
BIN := $(VENV)/bin
# Half of a comparison with the reference is waiting for its process, so two workers pay even on two cores.
PYTEST := $(BIN)/python -m pytest --quiet --numprocesses 2 --dist worksteal
# What a worker that crashes prints is read behind the list of failures, not in the midst of dots.
ERRORS := $(VENV)/errors.txt
ALL_TESTS = $(PYTEST) 2>$(ERRORS) || { failed=1; tail -n 100 $(ERRORS) >&2; }
PIP := $(BIN)/python -m pip --quiet --quiet --disable-pip-version-check --no-input

# Node comes from the packages that pyright brings along.
PAGE := python/sdy/page/static/report.js
PAGE_SOURCES := $(wildcard web/src/*.js web/src/*.css web/src/views/*.js) web/build.js web/package.json web/package-lock.json

WHEEL := build/wheel
# Apart from the environment, whose packages are not to be replaced by those that it wants.
TENSORFLOW := build/tensorflow-$(notdir $(VENV))
SMOKE_LIT := lit_tests/dialect lit_tests/tools lit_tests/passes/importing lit_tests/passes/propagation \
  --filter-out 'tools/(explain|more_flags|outputs|report_communication|sdy_auto|sdy_opt|sdy_report|verify_diagnostics)|$(\
  )dialect/(hlo_async|upstream_passes)|importing/save_module'
SMOKE := tests/api tests/unit tests/execution/test_jit.py -m 'not slow'

# Tests start many processes, each of which would compile the sources of the package again.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help install page pictures demo smoke check check-all check-torch check-wheel release-check mutants run-smoke bench lint format hooks docs site clean

help: ## this list
	@echo "Usage: make TARGET [PYTHON=python3.11]"
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  \1\t\2/p' $(firstword $(MAKEFILE_LIST)) | expand -t 14

install: $(VENV)/.dependencies $(PAGE) ## set up the environment: the package, editable, and what its tests need

page: $(VENV)/.dependencies ## build the code of the page that sdy-report writes, from web/
	@$(MAKE) --no-print-directory --always-make --old-file=$(VENV)/.dependencies $(PAGE)

pictures: install ## make the pictures of the README and docs/report.md, in a browser, from their tests
	@mkdir -p docs/pictures
	@SDY_PICTURES=docs/pictures SDY_BROWSER=required $(BIN)/python -m pytest --quiet tests/report/test_browser.py

demo: install ## train a small transformer on a 4x2 mesh of CPU devices, sharded and unsharded
	@$(BIN)/python examples/train_transformer.py

smoke: install ## the quickest tests of every part, in less than a minute
	@$(MAKE) --no-print-directory run-smoke

run-smoke:
	@failed=0; \
	$(BIN)/lit --succinct $(SMOKE_LIT) || failed=1; \
	$(PYTEST) $(SMOKE) || failed=1; \
	exit $$failed

check: install ## all tests: lit, then pytest
	@failed=0; \
	$(BIN)/lit --succinct lit_tests || failed=1; \
	$(ALL_TESTS); \
	exit $$failed

check-all: install $(TENSORFLOW)/.installed ## all tests, with many more random programs per pass
	@failed=0; \
	$(BIN)/lit --succinct lit_tests || failed=1; \
	SDY_TESTS=all SDY_TENSORFLOW=$(abspath $(TENSORFLOW)) $(ALL_TESTS); \
	exit $$failed

check-torch: install ## the tests of programs of PyTorch, with PyTorch: make check-torch PYTHON=python3.11
	@$(PIP) install --editable '.[torch]' 'transformers>=5'
	@$(PYTEST) tests/pytorch tests/api/test_pages.py -k pytorch

# A clean clone has what git has, of what is not committed yet as well, and no page.
check-wheel: install ## build sdist and wheel in a clean clone, install the wheel into an environment of its own, test that
	@rm -rf $(WHEEL)
	@mkdir -p $(WHEEL)/clone
	@stashed=$$(git stash create) && git archive $${stashed:-HEAD} | tar -x -C $(WHEEL)/clone
	@$(BIN)/python -m build --outdir $(WHEEL) $(WHEEL)/clone >$(WHEEL)/build.log 2>&1 || { tail -20 $(WHEEL)/build.log; exit 1; }
	@$(BIN)/python -m venv $(WHEEL)/venv
	@for wheel in $(WHEEL)/*.whl; do \
	  $(WHEEL)/venv/bin/python -m pip --quiet --quiet --disable-pip-version-check --no-input install "$$wheel[test,browser]"; \
	done
	@cd / && $(CURDIR)/$(WHEEL)/venv/bin/python -c 'import sdy, sys; sys.exit(not sdy.__file__.startswith(sys.prefix))'
	@failed=0; \
	$(MAKE) --no-print-directory run-smoke BIN=$(WHEEL)/venv/bin || failed=1; \
	$(WHEEL)/venv/bin/python -m pytest --quiet tests/report/test_browser.py -k overview || failed=1; \
	exit $$failed

release-check: install ## rehearse a release: build, twine check, install from sdist and wheel, tag, in a clean clone
	@$(BIN)/python tools/release_check.py

mutants: install ## which of 300 faults put into the source the tests notice; MUTANTS="--room dialect" for some
	@$(BIN)/python -m tests.mutants $(MUTANTS)

bench: install ## speed and communication beside the reference and jax.jit; BENCH="export step_time" for some only
	@$(BIN)/python -m benchmarks $(BENCH)

lint: install ## ruff (rules and format), pyright, and the subjects of commits that origin/main has not
	@failed=0; \
	$(BIN)/ruff check . || failed=1; \
	$(BIN)/ruff format --check . || failed=1; \
	$(BIN)/pyright --pythonpath $(BIN)/python || failed=1; \
	$(BIN)/python tools/check_commits.py || failed=1; \
	exit $$failed

hooks: install ## look at each commit before it is made, by pre-commit, as `make lint` does
	@$(PIP) install 'pre-commit>=4'
	@$(BIN)/pre-commit install

docs: install ## write the generated pages of docs/, the stubs of typed views and builders, the IRDL files of dialect/ and the help of sdy-opt from their sources
	@$(BIN)/python tools/generate_docs.py
	@$(BIN)/python tools/generate_views.py
	@$(BIN)/python tools/generate_builders.py
	@$(BIN)/python -m sdy.dialect.irdl_loading dialect
	@$(BIN)/python -m sdy.tools.opt.pass_help

site: install $(VENV)/.site ## build the documentation site into build/site; every warning and every broken link is an error
	@rm -rf build/site
	@$(BIN)/python -m sphinx -c docs/site -b html -q -W --keep-going docs build/site
	@$(BIN)/python docs/site/check_links.py build/site
	@echo "sdy: build/site/index.html"

format: install ## put all Python files into the house format
	@$(BIN)/ruff check --fix --quiet . || true
	@$(BIN)/ruff format .

clean: ## remove environments, build products and caches
	rm -rf .venv .venv-* build dist web/node_modules python/sdy/page/static tests/data/cache .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -prune -exec rm -rf {} +

$(TENSORFLOW)/.installed: | $(VENV)/.dependencies
	@mkdir -p $(@D)
	@$(PIP) install --target $(@D) tensorflow-cpu && touch $@ || echo "sdy: without tensorflow-cpu its tests are skipped"

# Environment ---------------------------------------------------------------------------------------------------------

$(BIN)/python:
	@python=$(if $(PYTHON),'$(PYTHON)',$$(tools/find_python)) || exit 1; \
	echo "sdy: making $(VENV) with $$("$$python" --version) ($$(command -v "$$python"))"; \
	"$$python" -m venv $(VENV)

# An editable install is the path of python/; a file added there needs no other one.
$(VENV)/.dependencies: pyproject.toml | $(BIN)/python
	@echo "sdy: installing into $(VENV) (one to three minutes the first time)"
	@$(PIP) install --editable '.[dev]'
	@touch $@

$(VENV)/.site: pyproject.toml $(VENV)/.dependencies
	@$(PIP) install $$($(BIN)/python -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["project"]["optional-dependencies"]["site"])')
	@touch $@

# Without a registry of packages everything but the page is there, which says so itself.
$(PAGE): $(PAGE_SOURCES) | $(VENV)/.dependencies
	@$(BIN)/python tools/build_backend.py || echo "sdy: the page of sdy-report was not built; \`make page\` tries again"
