# SPDX-License-Identifier: MIT
# Installs this build into a folder of its own and builds the README's C++ block with it: by
# find_package, static and shared, as its CMake block says, by pkg-config, and as a part of another
# build. Runs its shell block.
# Called by ctest with source, build, generator, compiler and the sanitizers of the build, if any.
set(work ${build}/package-test)
set(instrument "")
if(sanitize)  # an instrumented library needs the runtime ahead of it in the program
  set(instrument -fsanitize=${sanitize})
endif()
file(REMOVE_RECURSE ${work})

# The README's first block of a language, exactly as it is shown there.
file(READ ${source}/README.md readme)
function(write_block language file)
  string(FIND "${readme}" "```${language}\n" start)
  if(start EQUAL -1)
    message(FATAL_ERROR "README.md has no block of ${language}")
  endif()
  string(SUBSTRING "${readme}" ${start} -1 block)
  string(FIND "${block}" "\n" first)
  math(EXPR first "${first} + 1")
  string(SUBSTRING "${block}" ${first} -1 block)
  string(FIND "${block}" "\n```" end)
  string(SUBSTRING "${block}" 0 ${end} block)
  file(WRITE ${file} "${block}\n")
endfunction()
write_block(cpp ${work}/snippet.cpp)
write_block(cmake ${work}/mine/CMakeLists.txt)
write_block(sh ${work}/snippet.sh)

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

# As the README's CMake block says.
configure_file(${work}/snippet.cpp ${work}/mine/main.cpp COPYONLY)
step(${CMAKE_COMMAND} -S ${work}/mine -B ${work}/mine/build -G ${generator}
     -DCMAKE_CXX_COMPILER=${compiler} -DCMAKE_PREFIX_PATH=${work}/prefix
     -DCMAKE_CXX_FLAGS=${instrument})
step(${CMAKE_COMMAND} --build ${work}/mine/build)
step(${work}/mine/build/mine)

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

# The shell block, run where it writes nothing into the checkout.
file(CREATE_LINK ${source}/traces ${work}/traces SYMBOLIC)
execute_process(COMMAND ${CMAKE_COMMAND} -E env PATH=${work}/prefix/bin:$ENV{PATH}
                        bash -e ${work}/snippet.sh
                WORKING_DIRECTORY ${work} RESULT_VARIABLE code OUTPUT_VARIABLE output
                ERROR_VARIABLE output)
if(NOT code EQUAL 0 OR NOT output MATCHES "304")
  message(FATAL_ERROR "exit code ${code} from the README's shell block:\n${output}")
endif()

step(${work}/prefix/bin/smsim archs)
message("${output}")
