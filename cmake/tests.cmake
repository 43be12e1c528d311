# Tests are found by name:
#
#     tests/test_X.c          one cmocka program of the release suite
#     tests/test_threads*.c   the same, label "threads": also run under ThreadSanitizer
#     tests/test_memory_*.c   the same, linked so that it can refuse memory (tests/refused_memory.h)
#     tests/test_*_clock.c    the same, linked with a clock of its own
#     tests/slow_X.c          one cmocka program of the slow suite, label "slow"
#     tests/slow_X.sh         a shell test of the slow suite
#     tests/test_X.sh         a shell test of the release suite: run in the repository with the
#                             build folder as its argument; exit status 77 means skipped
#     tests/reference/*.c     the plain reference search, which test_reference and slow_reference share
#     fuzz/fuzz_X.c           a fuzz target; normally a program that replays fuzz/corpus/fuzz_X/*
#
# Tests of networks, and of games that are compiled for several instruction sets, run once more at other
# levels, as TEST@LEVEL (src/base/cpu.h); a level that the processor does not have is skipped.

set(onednn_portable SSE41)
set(onednn_avx2 AVX2)
set(onednn_avx512 AVX512_CORE)
set(onednn_avx512-bf16 AVX512_CORE_BF16)
function(banyan_test_levels test)
  if(NOT CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    return()
  endif()
  foreach(level ${ARGN})
    add_test(NAME ${test}@${level} COMMAND ${test})
    # oneDNN reads ONEDNN_MAX_CPU_ISA only once, at the first call of one of its functions.
    set_tests_properties(${test}@${level} PROPERTIES SKIP_RETURN_CODE 77 LABELS levels
      ENVIRONMENT "BANYAN_CPU_LEVEL=${level};ONEDNN_MAX_CPU_ISA=${onednn_${level}}")
  endforeach()
endfunction()

# Random games and searches of every game, in one program that needs the library only: its output must be
# the same from all compilers and machines (tools/check).
add_executable(portable tests/portable/portable.c tests/cpu_level.c)
target_include_directories(portable PRIVATE src)
target_link_libraries(portable PRIVATE banyan_static)
add_test(NAME portable COMMAND portable)
banyan_emulated(portable)

# Whether a test, or a header of tests/ that it includes, needs more than the library.
function(banyan_wants_app file out)
  set(${out} FALSE PARENT_SCOPE)
  file(STRINGS ${file} lines REGEX "^#include")
  foreach(line ${lines})
    if(line MATCHES "[<\"](cli|json|match|nn|nypc|players/program|queue|records|showdown|train|web)/" OR line MATCHES "<(jansson|sqlite3)")
      set(${out} TRUE PARENT_SCOPE)
    elseif(line MATCHES "\"([^\"]+)\"")
      set(header ${CMAKE_SOURCE_DIR}/tests/${CMAKE_MATCH_1})
      if(EXISTS ${header})
        banyan_wants_app(${header} wanted)
        if(wanted)
          set(${out} TRUE PARENT_SCOPE)
        endif()
      endif()
    endif()
  endforeach()
endfunction()

# Without the program only the tests of the library are built; when cross-compiling, with a cmocka for the
# target (tools/arm64-cmocka).
if(BANYAN_APP AND CMOCKA_FOUND)
  set(cmocka PkgConfig::CMOCKA)
elseif(EXISTS ${CMAKE_BINARY_DIR}/cmocka/usr/include/cmocka.h)
  set(cmocka cmocka)
  set(cmocka_folder ${CMAKE_BINARY_DIR}/cmocka/usr/lib/${CMAKE_SYSTEM_PROCESSOR}-linux-gnu)
  add_library(cmocka SHARED IMPORTED)
  set_target_properties(cmocka PROPERTIES IMPORTED_LOCATION ${cmocka_folder}/libcmocka.so
    INTERFACE_INCLUDE_DIRECTORIES ${CMAKE_BINARY_DIR}/cmocka/usr/include)
endif()
if(cmocka)
  add_custom_target(threads_tests)
  file(GLOB reference_files CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/reference/*.c)
  add_library(reference_search STATIC ${reference_files})
  target_include_directories(reference_search PUBLIC tests src)
  target_link_libraries(reference_search PUBLIC banyan_static)
  file(GLOB test_files CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/test_*.c ${CMAKE_SOURCE_DIR}/tests/slow_*.c)
  foreach(file ${test_files})
    get_filename_component(name ${file} NAME_WE)
    banyan_wants_app(${file} wants_app)
    if(NOT BANYAN_APP AND (wants_app OR name MATCHES "^slow_"))
      continue()
    endif()
    add_executable(${name} ${file} tests/cpu_level.c)
    target_include_directories(${name} PRIVATE src)
    target_link_libraries(${name} PRIVATE ${cmocka} $<IF:$<BOOL:${BANYAN_APP}>,banyan_app,banyan_static>)
    target_compile_definitions(${name} PRIVATE TEST_DATA="${CMAKE_SOURCE_DIR}/tests/data")
    if(name MATCHES "_reference$")
      target_link_libraries(${name} PRIVATE reference_search)
    endif()
    if(name MATCHES "^test_memory_")
      foreach(function malloc calloc realloc aligned_alloc strdup free)
        target_link_options(${name} PRIVATE -Wl,--wrap=${function})
      endforeach()
    endif()
    if(name MATCHES "_clock$")
      target_link_options(${name} PRIVATE -Wl,--wrap=clock_gettime)
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

# Shell tests run in release builds only: under sanitizers they take long, and find faults of other programs.
if(BANYAN_APP AND CMAKE_BUILD_TYPE STREQUAL "Release")
  file(GLOB shell_tests CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/test_*.sh ${CMAKE_SOURCE_DIR}/tests/slow_*.sh)
  foreach(file ${shell_tests})
    get_filename_component(name ${file} NAME_WE)
    add_test(NAME ${name} COMMAND sh ${file} ${CMAKE_BINARY_DIR} WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
    set_tests_properties(${name} PROPERTIES SKIP_RETURN_CODE 77)
    if(name MATCHES "^slow_")
      set_tests_properties(${name} PROPERTIES LABELS slow TIMEOUT 7200)
    endif()
  endforeach()
  # The Showdown package is installed before the tests that use it, so that none of them sees half of it.  If
  # it cannot be installed, those tests are skipped, and this test still passes.
  add_test(NAME showdown_package COMMAND sh -c "tools/showdown/start --install || true"
    WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
  set_tests_properties(showdown_package PROPERTIES FIXTURES_SETUP showdown_package TIMEOUT 1500)
  set_tests_properties(test_showdown_real test_pokemon_data test_python slow_web_showdown
    PROPERTIES FIXTURES_REQUIRED showdown_package)
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

# The longest tests begin first, so that none of them is still alone at work when all others have ended.
set(longest showdown_package test_web_page test_python test_contract test_showdown_real test_search_luck
  test_mushroom_ending test_docs test_pytorch test_players test_reference)
set(cost 1000)
foreach(name ${longest})
  if(TEST ${name})
    set_tests_properties(${name} PROPERTIES COST ${cost})
    math(EXPR cost "${cost} - 1")
  endif()
endforeach()
