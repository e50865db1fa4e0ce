# SPDX-License-Identifier: MIT
# Makes every test case of a doctest program a test of ctest, named by its sentence.
#
# Unlike doctest's own module, a sentence may hold commas, semicolons, brackets and quotes: the
# filter asks for any one character in their place.

# Included by a CMakeLists.txt: after each build of TARGET, list its cases into a ctest file.
function(smsim_discover_cases target prefix)
  set(cases ${CMAKE_CURRENT_BINARY_DIR}/${target}_cases.cmake)
  add_custom_command(TARGET ${target} POST_BUILD BYPRODUCTS ${cases} VERBATIM
    COMMAND ${CMAKE_COMMAND} -D program=$<TARGET_FILE:${target}> -D prefix=${prefix}
            -D cases=${cases} -P ${PROJECT_SOURCE_DIR}/cmake/doctest_cases.cmake)
  set(guard ${CMAKE_CURRENT_BINARY_DIR}/${target}_include.cmake)
  file(WRITE ${guard} "if(EXISTS \"${cases}\")\n  include(\"${cases}\")\nelse()\n"
                      "  add_test(${target}_is_not_built ${target}_is_not_built)\nendif()\n")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${guard})
endfunction()

if(NOT CMAKE_SCRIPT_MODE_FILE)
  return()
endif()

# Run as a script: write the ctest file of one program.
execute_process(COMMAND ${program} --list-test-cases --no-intro
                OUTPUT_VARIABLE listing COMMAND_ERROR_IS_FATAL ANY)
string(ASCII 1 semicolon)
string(ASCII 2 open)
string(ASCII 3 close)
string(REPLACE ";" "${semicolon}" listing "${listing}")
string(REPLACE "[" "${open}" listing "${listing}")
string(REPLACE "]" "${close}" listing "${listing}")
string(REPLACE "\n" ";" listing "${listing}")

set(script "")
foreach(line IN LISTS listing)
  if(line STREQUAL "" OR line MATCHES "^${open}doctest${close}" OR line MATCHES "^====")
    continue()
  endif()
  string(REGEX REPLACE "[^A-Za-z0-9 _.:/=+-]" "?" filter "${line}")
  string(REPLACE "${semicolon}" ";" line "${line}")
  string(REPLACE "${open}" "[" line "${line}")
  string(REPLACE "${close}" "]" line "${line}")
  set(name "[==[${prefix}: ${line}]==]")
  # A filter that selects no test case must not pass, nor a case that checks nothing.
  string(APPEND script
    "add_test(${name} [==[${program}]==] [==[--test-case=${filter}]==])\n"
    "set_tests_properties(${name} PROPERTIES LABELS [==[${prefix}]==] TIMEOUT 300 "
    "FAIL_REGULAR_EXPRESSION [==[test cases: +0 ;assertions: +0 ]==])\n")
endforeach()
file(WRITE ${cases} "${script}")
