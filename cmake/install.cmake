# SPDX-License-Identifier: MIT
# Install rules, by component as the packages split them: the program with its configs and the
# shared library, what a build against the library needs, the documentation, the Python module.
include(CMakePackageConfigHelpers)

set(data_dir ${CMAKE_INSTALL_DATADIR}/smsim)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/smsim)

install(TARGETS smsim_static smsim_shared smsim_options EXPORT smsimTargets
        ARCHIVE COMPONENT dev
        LIBRARY COMPONENT runtime NAMELINK_COMPONENT dev)
install(DIRECTORY configs DESTINATION ${data_dir} COMPONENT runtime
        FILES_MATCHING PATTERN "*.yaml" PATTERN "*.yml" PATTERN "*.json")
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT runtime)
if(TARGET smsim_cli)
  install(TARGETS smsim_cli COMPONENT runtime)
endif()

install(DIRECTORY sim/include/smsim DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT dev)
install(EXPORT smsimTargets NAMESPACE smsim:: DESTINATION ${package_dir} COMPONENT dev)
configure_package_config_file(cmake/smsimConfig.cmake.in smsimConfig.cmake
                              INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(smsimConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/smsimConfig.cmake
              ${CMAKE_CURRENT_BINARY_DIR}/smsimConfigVersion.cmake
        DESTINATION ${package_dir} COMPONENT dev)
file(RELATIVE_PATH up_to_prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(cmake/smsim.pc.in smsim.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/smsim.pc
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT dev)

install(FILES README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/smsim-doc
        COMPONENT doc)
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/smsim-doc COMPONENT doc
        FILES_MATCHING PATTERN "*.md" PATTERN "*.svg" PATTERN "*.json")
