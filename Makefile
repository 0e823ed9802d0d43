# Two commands matter: `make run` and `make test`. Bare `make` lists the rest.
PYTHON ?= python3

.PHONY: help run test lint format screenshots explorer-pictures bench first-question wheel clean

help: ## say what there is
	@echo "burnin: exam readiness for GenAI engineers, on your own machine."
	@echo
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1|\2/p' Makefile | awk -F'|' '{printf "%-22s %s\n", $$1, $$2}'
	@echo
	@echo "Another Python: make PYTHON=python3.12 run.   Without make: $(PYTHON) scripts/bootstrap.py run"

run: ## set up .venv, start the web app on 127.0.0.1, open a browser where there is one
	@$(PYTHON) scripts/bootstrap.py run

test: ## lint, types, import rules and every test, browser and PostgreSQL included where possible
	@$(PYTHON) scripts/bootstrap.py test

lint: ## only ruff, mypy, import rules and the content check
	@$(PYTHON) scripts/bootstrap.py lint

format: ## format the code
	@.venv/bin/ruff format src tests scripts benchmarks
	@.venv/bin/ruff check --fix src tests scripts benchmarks

screenshots: ## pictures of every page into screenshots/
	@.venv/bin/python scripts/screenshots.py

explorer-pictures: ## pictures of docs/explorers.md
	@.venv/bin/python scripts/explorer_pictures.py

bench: ## speed, each figure beside a named peer in the same run
	@.venv/bin/python -m benchmarks.web
	@.venv/bin/python -m benchmarks.assembly

first-question: ## bytes and seconds from a fresh clone to the first question
	@$(PYTHON) scripts/first_question.py

wheel: ## build the wheel into dist/
	@.venv/bin/python -m pip wheel --no-deps -q -w dist .

clean: ## remove .venv and caches (your data in BURNIN_HOME stays)
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache dist build
