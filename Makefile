# Short commands for CMake: every target first installs missing packages and builds.
#
#   make BUILD=folder   builds there instead of in build/
#   make JOBS=n         that many jobs at once; otherwise one for each processor

BUILD  = build
PREFIX = /usr/local
JOBS  := $(shell nproc 2>/dev/null || echo 2)

.PHONY: all run test check slow fuzz mutants redis install format tidy clean showdown-server nypc deb wheel help bootstrap bootstrap-test

all: bootstrap ## build the program and the libraries: build/banyan, build/libbanyan.a, .so
	@tools/configure $(BUILD)
	@cmake --build $(BUILD) -j $(JOBS)

run: bootstrap ## build the program without the tests, and see five games, each played by its best player
	@tools/build $(BUILD) $(JOBS)
	@$(BUILD)/banyan demo
	@echo 'In the browser: $(BUILD)/banyan web'
	@echo 'The program is $(BUILD)/banyan; for these commands: export PATH=$(abspath $(BUILD)):$$PATH'

test: bootstrap-test all ## the release suite: every test that is not slow; what was skipped, and why
	@tools/suite $(BUILD) -j $(JOBS) -LE slow

check: ## everything that continuous integration runs: also sanitizers, clang, arm64, format, layers, fuzz
	@tools/bootstrap --check
	@JOBS=$(JOBS) tools/check

slow: bootstrap-test all ## the slow suite, also on a processor of 2013, under ThreadSanitizer, and of the Python package: run it before an issue is closed
	@tools/bootstrap --check
	@tools/suite $(BUILD) -L slow
	@JOBS=$(JOBS) tools/check haswell races package

TIME = 60
fuzz: ## let the fuzz targets look for faults, TIME=60 seconds each, from a new seed; TARGET=fuzz_x: one
	@tools/bootstrap --check
	@for target in $(or $(TARGET),$(basename $(notdir $(wildcard fuzz/fuzz_*.c)))); do \
	    tools/fuzz $$target $(TIME) || exit 1; done

install: all ## install to DESTDIR/PREFIX (/usr/local)
	@DESTDIR=$(DESTDIR) cmake --install $(BUILD) --prefix $(PREFIX)

DIR  = src/search
N    = 300
SEED = 1
mutants: ## do the tests notice?  N=300 single-line defects, drawn by SEED=1, in DIR=src/search; ONLY=test BUDGET=seconds
	@tools/mutants $(DIR) --number $(N) --seed $(SEED) --jobs $(JOBS) $(if $(ONLY),--only '$(ONLY)') $(if $(BUDGET),--budget $(BUDGET))

format: ## format all C sources as .clang-format says
	@tools/sources | xargs clang-format-14 -i

tidy: all ## what clang-tidy has to say (advice; no part of the checks)
	@tools/sources | grep '^src/.*\.c$$' | xargs clang-tidy --quiet -p $(BUILD)

deb: ## Debian packages in build/deb, looked at by lintian; TRY=yes: also tried in a fresh Debian
	@tools/make_deb
	@if [ -n "$(TRY)" ]; then tools/make_deb --try; fi

wheel: ## the Python package as dist/banyan_mcts-*.whl, which holds the library (docs/python.md)
	@tools/make_wheel

nypc: ## the mushroom player of NYPC 2025 as one file: dist/nypc/main.c
	@tools/make_nypc

clean: ## remove everything that was built
	@rm -rf build build-*

REDIS_PORT = 6379
redis: bootstrap-test ## start a Redis server for queues on this machine only, REDIS_PORT=6379; its files: build/redis
	@mkdir -p $(BUILD)/redis
	@echo 'The queue: redis://127.0.0.1:$(REDIS_PORT)'
	@redis-server --bind 127.0.0.1 --port $(REDIS_PORT) --dir $(BUILD)/redis --save '' --appendonly yes \
	    --appendfsync everysec --maxmemory-policy noeviction

PORT ?= 8000
showdown-server: ## start the real Pokemon Showdown on this machine, PORT=8000 (npm installs it the first time)
	@tools/showdown/start $(PORT)

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' Makefile | expand -t 17

bootstrap:
	@tools/bootstrap

bootstrap-test:
	@tools/bootstrap --test
