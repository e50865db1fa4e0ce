# SPDX-License-Identifier: MIT
# Text files as constants of a generated header, so that the program needs no files beside it.

# smsim_embed(TARGET HEADER FILE...): HEADER, which TARGET can include, holds for report.css the
# std::string_view smsim::assets::report_css, and so on.
function(smsim_embed target header)
  set(text "// Generated from the files of the same names.\n#pragma once\n\n#include <string_view>\n\n")
  string(APPEND text "namespace smsim::assets {\n")
  foreach(file IN LISTS ARGN)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
    cmake_path(GET file FILENAME name)
    string(MAKE_C_IDENTIFIER ${name} identifier)
    file(READ ${file} content)
    string(APPEND text "inline constexpr std::string_view ${identifier} = R\"asset(${content})asset\";\n")
  endforeach()
  string(APPEND text "}  // namespace smsim::assets\n")
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/generated)
  file(WRITE ${folder}/fresh.hpp "${text}")
  cmake_path(GET header PARENT_PATH parent)
  file(MAKE_DIRECTORY ${folder}/${parent})
  file(COPY_FILE ${folder}/fresh.hpp ${folder}/${header} ONLY_IF_DIFFERENT)
  target_include_directories(${target} PRIVATE ${folder})
endfunction()
