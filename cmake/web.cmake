# The page of `banyan web` (web/, docs/web.md): bundled by esbuild, compressed, and built into the
# program.  BANYAN_WEB=auto: the page is built if npm is installed; on: it is an error if it cannot be built;
# off: the program has no page.
#
#     web/src/*.ts --esbuild--> BUILD/web/{index.html,app.js,app.css}.gz --.incbin--> program
#
# Released sources contain the result in web/dist, so that nobody needs npm to build them.

set(BANYAN_WEB auto CACHE STRING "Build the page of `banyan web`: auto, on, off")
set(web_folder ${CMAKE_SOURCE_DIR}/web)
set(web_names index.html app.js app.css)
set(web_built "")

# npm's packages are in web/node_modules, for all builds; npm fetches them when their list has changed.
function(banyan_web_packages out)
  find_program(BANYAN_NODE node)
  find_program(BANYAN_NPM npm)
  set(${out} FALSE PARENT_SCOPE)
  if(NOT BANYAN_NODE OR NOT BANYAN_NPM)
    message(STATUS "No npm (Debian 12: nodejs, npm): `banyan web` is built without its page")
    return()
  endif()
  set(installed ${web_folder}/node_modules/.package-lock.json)
  if(NOT EXISTS ${installed} OR ${web_folder}/package-lock.json IS_NEWER_THAN ${installed})
    message(STATUS "npm fetches the packages of the page")
    execute_process(COMMAND ${BANYAN_NPM} ci --ignore-scripts --no-audit --no-fund --loglevel=error
      WORKING_DIRECTORY ${web_folder} RESULT_VARIABLE failed ERROR_VARIABLE said OUTPUT_QUIET TIMEOUT 240)
    if(failed)
      message(STATUS "npm cannot fetch them: `banyan web` is built without its page\n${said}")
      return()
    endif()
    file(TOUCH ${installed})
  endif()
  set(${out} TRUE PARENT_SCOPE)
endfunction()

if(BANYAN_WEB STREQUAL "off")
  set(web_here FALSE)
else()
  banyan_web_packages(web_here)
endif()
if(web_here)
  file(GLOB_RECURSE web_sources CONFIGURE_DEPENDS ${web_folder}/src/*)
  list(TRANSFORM web_names PREPEND ${CMAKE_BINARY_DIR}/web/ OUTPUT_VARIABLE web_built)
  list(TRANSFORM web_built APPEND .gz)
  add_custom_command(OUTPUT ${web_built} VERBATIM
    COMMAND ${BANYAN_NODE} ${web_folder}/bundle.js ${CMAKE_BINARY_DIR}/web
    DEPENDS ${web_sources} ${web_folder}/bundle.js ${web_folder}/package-lock.json
    COMMENT "Bundling the page of banyan web")
elseif(NOT BANYAN_WEB STREQUAL "off" AND EXISTS ${web_folder}/dist/index.html.gz)
  list(TRANSFORM web_names PREPEND ${web_folder}/dist/ OUTPUT_VARIABLE web_built)
  list(TRANSFORM web_built APPEND .gz)
elseif(BANYAN_WEB STREQUAL "on")
  message(FATAL_ERROR "BANYAN_WEB is on, but the page cannot be built here")
endif()

# The table that src/web/files.h declares.
set(web_code "/* Made by cmake/web.cmake. */\n#include \"web/files.h\"\n\n")
set(web_rows "")
set(web_types "text/html" "text/javascript" "text/css")
foreach(path name type IN ZIP_LISTS web_built web_names web_types)
  if(NOT path)
    break()
  endif()
  string(MAKE_C_IDENTIFIER files_${name} symbol)
  string(APPEND web_code "__asm__(\".section .rodata\\n${symbol}: .incbin \\\"${path}\\\"\\n${symbol}_end: .byte 0\\n.text\\n\");\n"
    "extern const unsigned char ${symbol}[], ${symbol}_end[];\n")
  string(APPEND web_rows "    {\"${name}\", \"${type}\", ${symbol}, ${symbol}_end},\n")
endforeach()
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/embedded/web_files.c @ONLY
  CONTENT "${web_code}\nconst struct files_entry files_built_in[] = {\n${web_rows}    {0}};\n")
set_property(SOURCE ${CMAKE_BINARY_DIR}/embedded/web_files.c APPEND PROPERTY OBJECT_DEPENDS "${web_built}")
list(APPEND app_sources ${CMAKE_BINARY_DIR}/embedded/web_files.c)
