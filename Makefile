# Everything one does with the project. The builds themselves are the presets of CMakePresets.json;
# a target here adds the set-up before it and the order of steps.

JOBS ?= $(shell nproc)
PREFIX ?= /usr/local

configure_and_build = cmake --preset $(1) >/dev/null && cmake --build --preset $(1) -j $(JOBS)

.DEFAULT_GOAL := build
.PHONY: help run build test dev-test asan tsan bench bench-page goals soak asan-kernels aarch64 fuzz coverage format lint install clean

help:
	@echo 'make run      build, then the main job on generated records'
	@echo 'make build    the release: build/release/sluice'
	@echo 'make test     the suite, also under the sanitizers'
	@echo 'make dev-test the suite alone, built by GCC        (asan, tsan: under one sanitizer;'
	@echo '                                                    tsan: flow, simulated and sources)'
	@echo 'make bench    speed against other programs        (AREA=reader|text|edit|fan for one)'
	@echo 'make bench-page  docs/benchmarks.md and its plots from the rows of the last make bench'
	@echo 'make goals    verdicts on the goals of AREA=json|memory|fan|http|journal:'
	@echo '              Error 1 when one is short, else Error 3 when one is unmeasured'
	@echo 'make soak     the long forms of random tests (SOAK=50 times as many rounds); asan-kernels:'
	@echo '              each kernel under the sanitizers; aarch64: the library for ARM, emulated'
	@echo 'make fuzz     each fuzzer for FUZZ_SECONDS (60)'
	@echo 'make coverage  which lines of the JSON library its tests reach'
	@echo 'make lint     clang-tidy    make format  clang-format'
	@echo 'make install  to PREFIX (/usr/local) under DESTDIR'
	@echo 'make clean    removes build/'

run: build
	@tools/demo build/release

build:
	@tools/setup build
	@$(call configure_and_build,release)

# The plain suite runs last, so that the last lines are the summary of everything there is.
test:
	@tools/setup test
	@$(MAKE) --no-print-directory asan tsan dev-test

dev-test:
	@tools/setup test
	@$(call configure_and_build,dev)
	@ctest --preset dev -j $(JOBS)

asan:
	@tools/setup test
	@$(call configure_and_build,asan)
	@ctest --preset asan -j $(JOBS)

tsan:
	@tools/setup test
	@$(call configure_and_build,tsan)
	@ctest --preset tsan -j $(JOBS)

bench:
	@tools/setup bench
	@$(call configure_and_build,bench)
	@python3 bench/run.py $(AREA) $(if $(DATA),--data $(DATA))

bench-page:
	@python3 bench/page.py

goals:
	@tools/setup bench
	@$(call configure_and_build,bench) >/dev/null
	@python3 bench/goals.py $(AREA)

# The long forms of tests that draw their cases at random: rounds times SOAK, SOAK_SEEDS seeds, and
# every sequence of four bytes as UTF-8. Then what the kernels decide alone: each of this machine
# forced under the sanitizers, and that of 64-bit ARM under an emulator.
SOAK ?= 50
SOAK_SEEDS ?= 20000
SOAK_MINUTES ?= 10
soak:
	@tools/setup soak
	@$(call configure_and_build,dev)
	@SLUICE_SOAK=$(SOAK) SLUICE_SEEDS=$(SOAK_SEEDS) ctest --preset dev -j $(JOBS) --timeout 14400 \
	  -R '^(corpora|simulated|number|kernel)\.'
	@$(call configure_and_build,release)
	@SLUICE=build/release/sluice SOAK_MINUTES=$(SOAK_MINUTES) python3 tests/program/soak.py
	@$(MAKE) --no-print-directory asan-kernels aarch64

# The program does not start with a kernel that the machine cannot run.
asan-kernels:
	@tools/setup test
	@$(call configure_and_build,asan)
	@for kernel in swar avx2 avx512 neon; do \
	  export SLUICE_KERNEL=$$kernel; \
	  build/asan/sluice version >/dev/null 2>&1 || continue; \
	  echo "SLUICE_KERNEL=$$kernel"; \
	  ctest --preset asan -j $(JOBS) -R '^(kernel|json|corpora)\.' || exit 1; \
	done

aarch64:
	@tools/setup soak
	@$(call configure_and_build,aarch64)
	@ctest --preset aarch64 -j $(JOBS)

FUZZ_SECONDS ?= 60
fuzz:
	@tools/setup test
	@$(call configure_and_build,fuzz)
	@tools/fuzz build/fuzz $(FUZZ_SECONDS)

coverage:
	@tools/setup test
	@$(call configure_and_build,coverage)
	@tools/coverage build/coverage

sources = find src tools fuzz bench tests -name '*.cpp' -o -name '*.h' -o -name '*.inl'

format:
	@tools/setup lint
	@$(sources) | xargs clang-format-19 -i

lint:
	@tools/setup lint
	@cmake --preset asan >/dev/null
	@$(sources) | grep '\.cpp$$' | grep -v -e '^fuzz/' -e '^bench/' | \
	  xargs -P $(JOBS) -n 1 clang-tidy-19 --quiet -p build/asan

install: build
	@cmake --install build/release --prefix $(PREFIX)

clean:
	@rm -rf build
