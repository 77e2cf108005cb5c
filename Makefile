# The first call of any target makes what it needs; later calls find it made.
PYTHON ?= python3
ARGUMENTS ?=  # of pytest: make test ARGUMENTS="-k hull"

BIN := .venv/bin
MEMORY := $(if $(wildcard /dev/shm/.),PYTEST_DEBUG_TEMPROOT=/dev/shm)  # no test waits for a disk
KEPT := MALLOC_TRIM_THRESHOLD_=268435456 MALLOC_MMAP_THRESHOLD_=268435456  # asking for memory anew takes 4 %
BYTECODE := env -u PYTHONDONTWRITEBYTECODE PYTHONPYCACHEPREFIX=$(CURDIR)/build/bytecode  # each child would compile all
PYTEST := $(BYTECODE) QT_QPA_PLATFORM=offscreen PYTHONHASHSEED=0 $(KEPT) $(MEMORY) $(BIN)/python -m pytest
COMPILE := NUMBA_CACHE_DIR=build/machine-code $(BIN)/python -m
PARTS := -n 3 --dist loadfile --no-loadscope-reorder --max-worker-restart 0
TESTS := tests --ignore tests/benchmarks spotlab --doctest-modules
LIBRARIES := $(PYTHON) -I spotlab/diagnosis/system_libraries.py
FILL := bin/python resources/packaging/fill_environment.py
DISPLAYED := $(DISPLAY)$(WAYLAND_DISPLAY)

# a little of everything: files, figures, spotting, signals, the window
SMOKE := $(patsubst %, tests/%.py, cli/test_cli_convert cli/test_cli_consensus cli/test_cli_evaluate cli/test_cli_rerank \
	cli/test_cli_root cli/test_cli_spot_symbols cli/test_cli_spot_words cli/test_cli_uncertain \
	geometry/test_coverage formats/test_formats_convert formats/test_formats_page_properties \
	imaging/test_imaging_ink imaging/test_imaging_pages imaging/test_imaging_pyramid \
	cli/test_interruption gui/inspect/test_plot_curves report/test_report \
	formats/test_runs_csv formats/test_runs_formats studies/test_tallying \
	gui/annotate/test_tool_select gui/annotate/test_tool_shapes gui/annotate/test_tool_sketch \
	gui/window/test_window_open gui/window/test_window_start gui/systems/test_window_systems \
	gui/words/test_words_view)

.PHONY: run test quick slow times compiled check docs pictures lowest build deb smoke soak bench venv libraries

run: venv  # the sample collection in a window; without a display, pictures of it
	@$(LIBRARIES) --display
ifneq ($(DISPLAYED),)
	@$(BIN)/spotlab demo
else
	@$(MAKE) --no-print-directory build/pictures/report/report.html
	@echo "The pictures are in build/pictures, the report is build/pictures/report/report.html"
endif

build/pictures/report/report.html: $(shell find spotlab datasets resources/report -type f ! -name "*.pyc")
	@$(BIN)/spotlab demo --headless --out build/pictures

test: venv  # all that has to hold, but for what takes long: see slow
	@$(MAKE) --no-print-directory --jobs 2 check quick

quick: compiled
	@$(PYTEST) $(PARTS) -m "not slow" $(TESTS) $(ARGUMENTS)

slow: venv compiled  # what is left out there: walks, pictures, studies, and the costliest of all others
	@$(PYTEST) $(PARTS) -m slow $(TESTS) $(ARGUMENTS)

times: export TEST_TIMES = build/test-times
times: venv compiled  # measures all but the walks and studies, and chooses anew what is left to slow
	@rm -f $(TEST_TIMES) && : > tests/slow.txt
	@-$(PYTEST) $(PARTS) -m "not slow" $(TESTS) $(ARGUMENTS)
	@$(BIN)/python -m tests.slow

compiled: venv
	@$(COMPILE) spotlab.geometry.coverage_compiled
	@$(COMPILE) spotlab.spotting.symbols.alignment.chamfer_compiled

check: .venv/ready  # style, types, layers
	@$(BIN)/ruff format --check --quiet
	@$(BIN)/ruff check --quiet
	@$(BIN)/mypy --no-error-summary
	@report=$$($(BIN)/lint-imports --no-logo --no-cache 2>&1) || { echo "$$report"; exit 1; }

docs: venv  # help, notebooks and API as a static site in build/docs
	@$(BIN)/python -c "import furo, myst_nb, numpydoc, sphinx" 2> /dev/null || \
		.venv/$(FILL) --group docs
	@mkdir -p build/docs-sources
	@$(BIN)/sphinx-build -q --fail-on-warning -c resources/site build/docs-sources build/docs
	@echo "wrote build/docs/index.html"

pictures: venv  # those of the help and the README, drawn anew
	@$(BIN)/python -m tests.project.draw_pictures
	@$(BIN)/python -m tests.project.draw_architecture
	@$(BIN)/python -m tests.project.draw_clusters
	@QT_QPA_PLATFORM=offscreen $(BIN)/python -m tests.project.draw_demo

lowest: .venv-lowest/ready  # the smoke part with the oldest versions that pyproject.toml allows
	@QT_QPA_PLATFORM=offscreen .venv-lowest/bin/python -m pytest $(SMOKE) $(ARGUMENTS)

# For people without Python. A package that is installed in another root, as root:
# make smoke PROGRAM=/usr/bin/spotlab BARE_ROOT=/a/bare/root
export PROGRAM BARE_ROOT
BUILT := env PYTHONPATH=$(CURDIR) .venv-build/bin/python resources/packaging

build: .venv-build/ready  # a folder with all that spotlab needs, build/dist/spotlab; takes minutes
	@$(BUILT)/build.py

deb: .venv-build/ready  # of that folder, a package for Debian and its relatives
	@test -d build/dist/spotlab || $(BUILT)/build.py
	@$(BUILT)/deb.py

smoke: venv  # runs every command of the folder, or of the program that is named
	@$(PYTEST) -m slow tests/project/test_built_program.py $(ARGUMENTS)

# What takes as long as one likes: make soak FILES=1000000 USERS=100 SEED=7
FILES ?= 50000
EACH ?= 100
USERS ?= 20
INTERRUPTS ?= 300
SEED ?= 1
SOAK := QT_QPA_PLATFORM=offscreen $(BIN)/python -m tests.soak

soak: venv  # a walk, a random user, interrupts, damaged files of every kind, damaged caches
	@$(SOAK).walks
	@$(SOAK).random_user --seeds $(USERS) --events 10000 --kills 15 --seed $(SEED)
	@$(SOAK).killed_steps --pages 2000 --kills 20 --seed $(SEED)
	@$(SOAK).interrupts --count $(INTERRUPTS) --seed $(SEED)
	@$(SOAK).damaged_machine_code --each $(EACH) --seed $(SEED)
	@$(SOAK).damaged_page_files --each $(EACH) --seed $(SEED)
	@$(SOAK).fuzz --files $(FILES) --seed $(SEED)

ROUNDS := $(if $(FULL),,--benchmark-min-rounds=2 --benchmark-max-time=0.5)  # where a benchmark says none

bench: venv compiled  # medians and 95th percentiles, beside peers; ten minutes, or FULL=1 for all sizes
	@$(BIN)/python -c "import importlib.util as u, sys; sys.exit(not u.find_spec('crowdkit'))" || \
		.venv/$(FILL) --group bench
	@FULL=$(FULL) $(PYTEST) tests/benchmarks --benchmark-only --benchmark-quiet $(ROUNDS) -o addopts=-q $(ARGUMENTS)

venv: .venv/ready  # .venv with everything, .venv/bin/spotlab included

libraries:
	@$(LIBRARIES)

# An environment works only in its place and with its Python: elsewhere it is made anew.
MADE_FOR := $(CURDIR) $(shell $(PYTHON) --version)
ifneq ($(file < .venv/ready),$(MADE_FOR))
.PHONY: .venv/ready
endif

.venv-lowest/ready: pyproject.toml tests/project/lowest_versions.py | libraries
	@echo "Making .venv-lowest"
	@$(PYTHON) -m venv --clear .venv-lowest
	@$(PYTHON) tests/project/lowest_versions.py > .venv-lowest/requirements.txt
	@.venv-lowest/$(FILL) -r .venv-lowest/requirements.txt
	@.venv-lowest/$(FILL) --no-deps --editable .
	@touch $@

.venv-build/ready: pyproject.toml | libraries
	@echo "Making .venv-build"
	@$(PYTHON) -m venv --clear .venv-build
	@.venv-build/$(FILL) --editable ".[gui,fast,parquet]" --group build
	@touch $@

.venv/ready: pyproject.toml | libraries
	@echo "Making .venv"
	@grep -qsxF "$(MADE_FOR)" $@ || $(PYTHON) -m venv --clear .venv
	@.venv/$(FILL) --editable ".[gui,fast,parquet]" --group dev || \
		{ echo "pip could not fill .venv, which needs the network this once"; exit 1; }
	@echo "$(MADE_FOR)" > $@
