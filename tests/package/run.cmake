# SPDX-License-Identifier: MIT
# Installs this build into a folder of its own and builds the README's first C++ block with it: by
# find_package, static and shared, by pkg-config, and as a part of another build.
# Called by ctest with source, build, generator, compiler and the sanitizers of the build, if any.
set(work ${build}/package-test)
set(instrument "")
if(sanitize)  # an instrumented library needs the runtime ahead of it in the program
  set(instrument -fsanitize=${sanitize})
endif()
file(REMOVE_RECURSE ${work})

# The snippet, exactly as the README shows it.
file(READ ${source}/README.md readme)
if(NOT readme MATCHES "```cpp\n")
  message(FATAL_ERROR "README.md has no C++ block")
endif()
string(FIND "${readme}" "```cpp\n" start)
math(EXPR start "${start} + 7")
string(SUBSTRING "${readme}" ${start} -1 snippet)
string(FIND "${snippet}" "\n```" end)
string(SUBSTRING "${snippet}" 0 ${end} snippet)
file(WRITE ${work}/snippet.cpp "${snippet}\n")

function(step)
  execute_process(COMMAND ${ARGN} WORKING_DIRECTORY ${source} RESULT_VARIABLE code
                  OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "exit code ${code} from: ${ARGN}\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

# Builds the snippet in a folder of its own and runs it in the checkout, where its trace is.
function(check name)
  step(${CMAKE_COMMAND} -S ${source}/tests/package -B ${work}/${name} -G ${generator}
       -DCMAKE_CXX_COMPILER=${compiler} -DCMAKE_BUILD_TYPE=Release
       -DCMAKE_PREFIX_PATH=${work}/prefix -DSNIPPET=${work}/snippet.cpp
       -DCMAKE_CXX_FLAGS=${instrument} ${ARGN})
  step(${CMAKE_COMMAND} --build ${work}/${name})
  step(${work}/${name}/snippet)
  if(output STREQUAL "")
    message(FATAL_ERROR "the README's snippet printed nothing, built as ${name}")
  endif()
  message("${output}")
endfunction()

step(${CMAKE_COMMAND} --install ${build} --prefix ${work}/prefix)
check(static)
check(shared -DBUILD_SHARED_LIBS=ON)

# The same by pkg-config.
file(GLOB_RECURSE pc ${work}/prefix/*/smsim.pc)
get_filename_component(pc ${pc} DIRECTORY)
set(ENV{PKG_CONFIG_PATH} ${pc})
find_program(pkg_config NAMES pkg-config pkgconf REQUIRED)
step(${pkg_config} --cflags --libs smsim)
separate_arguments(flags UNIX_COMMAND "${output}")
step(${compiler} -std=c++20 ${instrument} ${work}/snippet.cpp -o ${work}/by_pkg_config ${flags})
get_filename_component(libraries ${pc} DIRECTORY)
step(${CMAKE_COMMAND} -E env LD_LIBRARY_PATH=${libraries} ${work}/by_pkg_config)

# As a part of somebody else's build: the library alone, without our tests, warnings or packages.
step(${CMAKE_COMMAND} -S ${source}/tests/package -B ${work}/part -G ${generator}
     -DCMAKE_CXX_COMPILER=${compiler} -DSNIPPET=${work}/snippet.cpp -DSMSIM_SOURCE=${source})
step(${CMAKE_COMMAND} --build ${work}/part --target help)
foreach(unwanted IN ITEMS smsim_cli smsim_bench smsim_python test_physics)
  if(output MATCHES "${unwanted}")
    message(FATAL_ERROR "somebody else's build got our target ${unwanted}")
  endif()
endforeach()
file(READ ${work}/part/CMakeCache.txt cache)
if(cache MATCHES "CMAKE_BUILD_TYPE:[A-Z]+=[A-Za-z]")
  message(FATAL_ERROR "somebody else's build got our build type")
endif()

step(${work}/prefix/bin/smsim archs)
message("${output}")
