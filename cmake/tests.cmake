# Tests are found by name:
#
#     tests/test_X.c          one cmocka program of the release suite
#     tests/test_threads*.c   the same, label "threads": also run under ThreadSanitizer
#     tests/slow_X.c          one of the slow suite, label "slow"
#     tests/test_X.sh         a shell test of the release suite: run in the repository with the
#                             build folder as its argument; exit status 77 means skipped
#     tests/reference/*.c     the plain reference search, which test_reference and slow_reference share
#     fuzz/fuzz_X.c           a fuzz target; normally a program that replays fuzz/corpus/fuzz_X/*
#
# Tests of networks, and of games that are compiled for several instruction sets, run once more at
# lower levels, as TEST@LEVEL (src/base/cpu.h): skipped where the processor does not reach one.

set(onednn_portable SSE41)
set(onednn_avx2 AVX2)
set(onednn_avx512 AVX512_CORE)
set(onednn_avx512-bf16 AVX512_CORE_BF16)
function(banyan_test_levels test)
  foreach(level ${ARGN})
    add_test(NAME ${test}@${level} COMMAND ${test})
    # oneDNN reads its variable once, when the process first asks for anything.
    set_tests_properties(${test}@${level} PROPERTIES SKIP_RETURN_CODE 77 LABELS levels
      ENVIRONMENT "BANYAN_CPU_LEVEL=${level};ONEDNN_MAX_CPU_ISA=${onednn_${level}}")
  endforeach()
endfunction()

# Every game's own course in one program that needs the library only: its output must be the same
# from all compilers and machines (tools/check).
add_executable(portable tests/portable/portable.c tests/cpu_level.c)
target_include_directories(portable PRIVATE src)
target_link_libraries(portable PRIVATE banyan_static)
add_test(NAME portable COMMAND portable)
banyan_emulated(portable)

if(BANYAN_APP AND CMOCKA_FOUND)
  add_custom_target(threads_tests)
  file(GLOB reference_files CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/reference/*.c)
  add_library(reference_search STATIC ${reference_files})
  target_include_directories(reference_search PUBLIC tests src)
  target_link_libraries(reference_search PUBLIC banyan_static)
  file(GLOB test_files CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/test_*.c ${CMAKE_SOURCE_DIR}/tests/slow_*.c)
  foreach(file ${test_files})
    get_filename_component(name ${file} NAME_WE)
    add_executable(${name} ${file} tests/cpu_level.c)
    target_link_libraries(${name} PRIVATE banyan_app PkgConfig::CMOCKA)
    target_compile_definitions(${name} PRIVATE TEST_DATA="${CMAKE_SOURCE_DIR}/tests/data")
    if(name MATCHES "_reference$")
      target_link_libraries(${name} PRIVATE reference_search)
    endif()
    add_test(NAME ${name} COMMAND ${name})
    banyan_emulated(${name})
    set_tests_properties(${name} PROPERTIES SKIP_RETURN_CODE 77)
    if(name MATCHES "^test_nn_")
      banyan_test_levels(${name} avx2 avx512 avx512-bf16)
    elseif(name MATCHES "^test_(cpu|othello_endgame)$")
      banyan_test_levels(${name} portable avx2)
    endif()
    if(name MATCHES "^slow_")
      set_tests_properties(${name} PROPERTIES LABELS slow TIMEOUT 3600)
    elseif(name MATCHES "^test_threads")
      set_tests_properties(${name} PROPERTIES LABELS threads)
      add_dependencies(threads_tests ${name})
    endif()
  endforeach()
elseif(BANYAN_APP)
  message(WARNING "cmocka is not here: no unit tests (tools/bootstrap installs it)")
endif()

# Shell tests take long under sanitizers and would only test other people's programs there.
if(BANYAN_APP AND CMAKE_BUILD_TYPE STREQUAL "Release")
  file(GLOB shell_tests CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/test_*.sh)
  foreach(file ${shell_tests})
    get_filename_component(name ${file} NAME_WE)
    add_test(NAME ${name} COMMAND sh ${file} ${CMAKE_BINARY_DIR} WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
    set_tests_properties(${name} PROPERTIES SKIP_RETURN_CODE 77)
  endforeach()
endif()

if(BANYAN_APP)
  file(GLOB fuzz_files CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/fuzz/fuzz_*.c)
  add_custom_target(fuzz_targets)
  foreach(file ${fuzz_files})
    get_filename_component(name ${file} NAME_WE)
    add_executable(${name} ${file})
    target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR}/fuzz)
    target_link_libraries(${name} PRIVATE banyan_app)
    add_dependencies(fuzz_targets ${name})
    if(BANYAN_FUZZ)
      target_link_options(${name} PRIVATE -fsanitize=fuzzer)
    else()
      target_sources(${name} PRIVATE fuzz/replay.c tests/cpu_level.c)
      add_test(NAME ${name} COMMAND ${name} ${CMAKE_SOURCE_DIR}/fuzz/corpus/${name})
      banyan_emulated(${name})
    endif()
  endforeach()
endif()
