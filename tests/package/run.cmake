# SPDX-License-Identifier: MIT
# Installs this build into a folder of its own, builds the README's first C++ block there, runs it.
# Called by ctest with source, build, generator and compiler.
set(work ${build}/package-test)
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

step(${CMAKE_COMMAND} --install ${build} --prefix ${work}/prefix)
step(${CMAKE_COMMAND} -S ${source}/tests/package -B ${work}/build -G ${generator}
     -DCMAKE_CXX_COMPILER=${compiler} -DCMAKE_BUILD_TYPE=Release
     -DCMAKE_PREFIX_PATH=${work}/prefix -DSNIPPET=${work}/snippet.cpp)
step(${CMAKE_COMMAND} --build ${work}/build)
# Run in the checkout, where the snippet's trace is.
step(${work}/build/snippet)
if(output STREQUAL "")
  message(FATAL_ERROR "the README's snippet printed nothing")
endif()
message("${output}")
step(${work}/prefix/bin/smsim archs)
message("${output}")
