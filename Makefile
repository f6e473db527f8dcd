# Every target installs the packages it needs first, and takes seconds when nothing changed.
JOBS ?= $(shell nproc)
PREFIX ?= /usr/local
TEST_JOBS ?= 2
PART ?= all
OUTPUT ?= build/compare
SIZE ?= full
MINUTES ?= 10
TARGET ?=

.DEFAULT_GOAL := help
.PHONY: help deps command-deps lint-deps anywhere-deps bench-deps build demo test test-anywhere faults bench compare paper lint format asan tsan fuzz install wheel clean

help:  ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-13s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

deps:
	@scripts/install-deps

command-deps:
	@scripts/install-deps --command

lint-deps:
	@scripts/install-deps --lint

anywhere-deps:
	@scripts/install-deps --anywhere

bench-deps:
	@scripts/install-deps --bench

build: deps  ## build the library and the command into build/release
	@cmake --preset release
	@cmake --build --preset release -j $(JOBS)

# A build folder that is configured for the tests is used as it is.
demo: command-deps  ## build the command, fit the bundled data set and explain the result
	@test -f build/release/build.ninja || cmake --preset command
	@cmake --build --preset release -j $(JOBS) --target dualkpca_app
	@scripts/demo

test: build  ## run every test
	@ctest --preset release -j $(TEST_JOBS)

test-anywhere: anywhere-deps build  ## run the tests in the settings of other machines: ONLY="haswell busy" or --combined; docs/testing.md
	@scripts/test_anywhere $(ONLY)

faults: deps  ## let system calls of the command fail one by one, kill it, and check its outputs: ONLY="fit|h5"; docs/testing.md
	@cmake --preset release
	@cmake --build --preset release -j $(JOBS) --target dualkpca_app
	@scripts/inject_faults "$(ONLY)"

bench: deps  ## measure the speed of Gram products and of transform
	@cmake --preset bench
	@cmake --build --preset bench -j $(JOBS)
	@build/release/bench/gram_bench
	@build/release/bench/transform_bench

compare: bench-deps  ## compare with other programs: DATA=folder, PART="ready whole", MORE="options"; docs/benchmarking.md
	@test -n "$(DATA)" || { echo "make compare: DATA is not set; name the folder of the data sets: make compare DATA=folder" >&2; exit 2; }
	@cmake --preset bench
	@cmake --build --preset bench -j $(JOBS) --target dualkpca_app gram_bench
	@bench/compare/compare.py $(PART) --data "$(DATA)" --output "$(OUTPUT)" $(MORE)

paper: bench-deps  ## make the paper's tables and figures again: DATA=folder, SIZE=quick or full, PART="speed huber"; docs/benchmarking.md
	@test "$(SIZE)" = quick -o -n "$(DATA)" || { echo "make paper: DATA is not set; name the folder of the data sets: make paper DATA=folder, or use generated data: make paper SIZE=quick" >&2; exit 2; }
	@cmake --preset release
	@cmake --build --preset release -j $(JOBS) --target dualkpca_app dualkpca_python dualkpca_comparison
	@bench/paper/paper.py $(PART) $(if $(DATA),--data "$(DATA)") $(if $(filter quick,$(SIZE)),--quick) --output "$(if $(filter build/compare,$(OUTPUT)),build/paper$(if $(filter quick,$(SIZE)),-quick),$(OUTPUT))" $(MORE)

lint: lint-deps  ## check format, layers, shape, prose, missing includes and clang-tidy
	@cmake --preset lint >/dev/null
	@cmake --preset dev >/dev/null
	@scripts/lint

format: lint-deps  ## rewrite the C++ files in the project's format
	@scripts/lint --fix-format

asan: lint-deps  ## run the tests with address and undefined-behaviour checks
	@cmake --preset asan
	@cmake --build --preset asan -j $(JOBS)
	@UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1 ctest --preset asan -j $(TEST_JOBS) -LE no_sanitizer

# libomp and BLAS are not built for the thread checker, so it ignores accesses inside them. BLAS starts threads in a forked
# child, and die_after_fork=0 allows it.
tsan: lint-deps  ## run the C++ tests with the data-race checker
	@cmake --preset tsan
	@cmake --build --preset tsan -j $(JOBS)
	@TSAN_OPTIONS=ignore_noninstrumented_modules=1:die_after_fork=0 ctest --preset tsan -j $(TEST_JOBS) -LE no_sanitizer

fuzz: lint-deps  ## search for inputs that crash: MINUTES=10 per target, TARGET="model reader arguments hdf5"; docs/testing.md
	@cmake --preset fuzz
	@cmake --build --preset fuzz -j $(JOBS)
	@scripts/fuzz --minutes $(MINUTES) $(TARGET)

install: build  ## install into PREFIX (default /usr/local)
	@cmake --install build/release --prefix $(PREFIX)

wheel: deps  ## build a wheel of the Python package into dist; docs/installing.md
	@cmake --preset release
	@cmake --build --preset release -j $(JOBS) --target dualkpca_app dualkpca_python
	@DUALKPCA_CMAKE_BUILD_DIR=build/release /usr/bin/python3 -m pip wheel . --no-deps --no-index --no-build-isolation --wheel-dir dist

clean:  ## remove everything that was built
	@rm -rf build demo dist python/dualkpca.egg-info python/dualkpca/bin python/dualkpca/_core*.so
