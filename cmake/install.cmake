# SPDX-License-Identifier: MIT
# Install rules: the library with its public headers, the program, the configs, and a CMake package.
include(CMakePackageConfigHelpers)

install(TARGETS smsim smsim_options EXPORT smsimTargets)
install(DIRECTORY sim/include/smsim DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY configs DESTINATION ${CMAKE_INSTALL_DATADIR}/smsim
        FILES_MATCHING PATTERN "*.yaml" PATTERN "*.yml" PATTERN "*.json")
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
if(TARGET smsim_cli)
  install(TARGETS smsim_cli)
endif()

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/smsim)
install(EXPORT smsimTargets NAMESPACE smsim:: DESTINATION ${package_dir})
configure_package_config_file(cmake/smsimConfig.cmake.in smsimConfig.cmake
                              INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(smsimConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/smsimConfig.cmake
              ${CMAKE_CURRENT_BINARY_DIR}/smsimConfigVersion.cmake
        DESTINATION ${package_dir})
