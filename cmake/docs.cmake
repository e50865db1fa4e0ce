# SPDX-License-Identifier: MIT
# What is made of the program and of docs/: the manual page and shell completions, which are
# installed, and the target `docs`, a static site in docs-site/ of the build folder.
if(NOT TARGET smsim_cli)
  return()  # nothing is made of a program that is not built
endif()

set(made ${PROJECT_BINARY_DIR}/made)
set(words man bash zsh fish)
set(files smsim.1 smsim.bash _smsim smsim.fish)
set(outputs ${files})
list(TRANSFORM outputs PREPEND ${made}/)
set(commands COMMAND ${CMAKE_COMMAND} -E make_directory ${made})
foreach(word file IN ZIP_LISTS words files)
  list(APPEND commands COMMAND smsim_cli completion ${word} > ${made}/${file})
endforeach()
list(APPEND commands COMMAND gzip -9nkf ${made}/smsim.1)
add_custom_command(OUTPUT ${outputs} ${commands} DEPENDS smsim_cli
                   COMMENT "Manual page and shell completions")
add_custom_target(smsim_made ALL DEPENDS ${outputs})

# Debian's first, whose packages ./run installs.
find_program(SMSIM_PYTHON3 NAMES python3 PATHS /usr/bin NO_DEFAULT_PATH)
find_program(SMSIM_PYTHON3 NAMES python3)
if(SMSIM_PYTHON3)
  add_custom_target(docs COMMENT "docs-site/index.html"
    COMMAND ${SMSIM_PYTHON3} -B ${PROJECT_SOURCE_DIR}/docs/site.py ${PROJECT_BINARY_DIR}/docs-site)
endif()

if(SMSIM_INSTALL)
  install(FILES ${made}/smsim.1.gz DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT runtime)
  install(FILES ${made}/smsim.bash RENAME smsim COMPONENT runtime
          DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
  install(FILES ${made}/_smsim DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions
          COMPONENT runtime)
  install(FILES ${made}/smsim.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d
          COMPONENT runtime)
endif()
