# The short door to CMake: every target installs what it misses and builds first.
.PHONY: all run test
all: build/build.ninja
	@cmake --build build
build/build.ninja:
	@cmake --preset release >/dev/null
run: all
	@build/banyan demo
test: all
	@ctest --test-dir build --output-on-failure -LE slow
