# SPDX-License-Identifier: MIT
# Debian packages by CPack, one a component: smsim, smsim-dev, smsim-doc and python3-smsim.
# tests/package/debian.sh builds them, has lintian look at them, and installs them in a bare root.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME smsim)
set(CPACK_PACKAGE_VENDOR smsim)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "The smsim maintainers <maintainers@users.noreply.github.com>")
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY ">=")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

# The shared library's place in the linker's cache, which lintian asks for as a trigger.
file(WRITE ${PROJECT_BINARY_DIR}/triggers "activate-noawait ldconfig\n")
set(CPACK_DEBIAN_RUNTIME_PACKAGE_CONTROL_EXTRA ${PROJECT_BINARY_DIR}/triggers)

set(about "a model of one streaming multiprocessor.
It predicts, cycle by cycle, how fast a loop of NVIDIA machine code
(SASS) runs, without a GPU and without CUDA, and says where every issue
slot went.")

# Each package has its licence and its changes where Debian looks for them.
function(package component name section depends)
  string(TOUPPER ${component} key)
  set(CPACK_DEBIAN_${key}_PACKAGE_NAME ${name} PARENT_SCOPE)
  set(CPACK_DEBIAN_${key}_PACKAGE_SECTION ${section} PARENT_SCOPE)
  set(CPACK_DEBIAN_${key}_PACKAGE_DEPENDS "${depends}" PARENT_SCOPE)
  set(CPACK_COMPONENT_${key}_DESCRIPTION "${ARGN}${about}" PARENT_SCOPE)
  set(documents ${CMAKE_INSTALL_DATADIR}/doc/${name})
  install(FILES LICENSE DESTINATION ${documents} COMPONENT ${component} RENAME copyright)
  install(FILES ${PROJECT_BINARY_DIR}/changelog.gz DESTINATION ${documents}
          COMPONENT ${component})
endfunction()

file(WRITE ${PROJECT_BINARY_DIR}/changelog
"smsim (${PROJECT_VERSION}) unstable; urgency=medium

  * What changed stands in CHANGELOG.md of smsim-doc.

 -- ${CPACK_DEBIAN_PACKAGE_MAINTAINER}  Mon, 30 Nov 2026 00:00:00 +0000
")
execute_process(COMMAND gzip -9nf ${PROJECT_BINARY_DIR}/changelog)

set(same_version "= ${PROJECT_VERSION}")
package(runtime smsim science "" "The program smsim: ")
package(dev smsim-dev libdevel
        "smsim (${same_version}), libexpected-dev, libboost-iostreams-dev, libyaml-cpp-dev, libfmt-dev, libelf-dev, libtbb-dev"
        "Headers and libraries of smsim: ")
package(doc smsim-doc doc "" "Documentation of smsim: ")
set(CPACK_DEBIAN_DOC_PACKAGE_ARCHITECTURE all)
set(CPACK_COMPONENTS_ALL runtime dev doc)
if(TARGET smsim_python)
  package(python python3-smsim python "smsim (${same_version}), python3, python3-numpy"
          "Python module of smsim: ")
  list(APPEND CPACK_COMPONENTS_ALL python)
endif()
include(CPack)
