# SPDX-License-Identifier: MIT
# What every target of ours is compiled with, held by one interface target.
add_library(smsim_options INTERFACE)
target_compile_features(smsim_options INTERFACE cxx_std_20)
set_target_properties(smsim_options PROPERTIES INTERFACE_POSITION_INDEPENDENT_CODE ON)

if(PROJECT_IS_TOP_LEVEL)
  set(CMAKE_CXX_EXTENSIONS OFF)
  set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
  target_compile_options(smsim_options INTERFACE -Wall -Wextra -Wshadow -Wconversion)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    # GCC 12 warns of overlapping copies in its own std::string (its bug 105651).
    target_compile_options(smsim_options INTERFACE -Wno-restrict)
  endif()
endif()
if(SMSIM_WERROR)
  target_compile_options(smsim_options INTERFACE -Werror)
endif()

if(SMSIM_SANITIZE)
  # One failed check ends the program, so that a test cannot pass over it.
  set(sanitize -fsanitize=${SMSIM_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_compile_options(smsim_options INTERFACE ${sanitize})
  target_link_options(smsim_options INTERFACE ${sanitize})
endif()

if(SMSIM_FUZZ)
  target_compile_options(smsim_options INTERFACE -fsanitize=fuzzer-no-link)
endif()

# For code that is never hot (the command line, the tests): compile soon rather than run fast.
set(SMSIM_COLD $<$<CONFIG:Release>:-O1>)
if(SMSIM_SANITIZE)
  set(SMSIM_COLD -O0)
endif()
