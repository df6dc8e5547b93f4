# `cmake --install`: the program with what it reads, attngrade.h, and a CMake
# package by which candidates link their functions into a self-check.
include(CMakePackageConfigHelpers)

set(data_folder ${CMAKE_INSTALL_DATADIR}/attngrade)
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/attngrade)

install(TARGETS attngrade RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS native_host attngrade_cell attngrade_fork
  RUNTIME DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/attngrade
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/attngrade)
install(FILES include/attngrade.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES grader/report/schema.json DESTINATION ${data_folder})
install(DIRECTORY fixtures/ DESTINATION ${data_folder}/fixtures
  FILES_MATCHING PATTERN "*.json" PATTERN "verify.py")

# A sanitizer's run time would have to be linked by the candidate too.
if(ATTNGRADE_SANITIZE)
  return()
endif()

# One archive of every stage, so that the package needs nothing but threads and
# libarchive.
set(parts reference native_host_library grader_app)
foreach(stage IN LISTS grader_stages)
  list(APPEND parts grader_${stage})
endforeach()
add_library(self_check STATIC grader/self_check.cpp grader/self_check.hpp)
target_include_directories(self_check PRIVATE ${PROJECT_SOURCE_DIR})
foreach(part IN LISTS parts)
  target_sources(self_check PRIVATE $<TARGET_OBJECTS:${part}>)
endforeach()
target_link_libraries(self_check
  PRIVATE $<BUILD_INTERFACE:project_warnings>
  INTERFACE Threads::Threads LibArchive::LibArchive ${CMAKE_DL_LIBS})
target_include_directories(self_check INTERFACE
  $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
set_target_properties(self_check PROPERTIES OUTPUT_NAME attngrade_self_check)

install(TARGETS self_check EXPORT attngradeTargets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT attngradeTargets NAMESPACE attngrade::
  DESTINATION ${package_folder})
set(attngrade_data ${data_folder})
configure_package_config_file(cmake/attngradeConfig.cmake.in
  ${PROJECT_BINARY_DIR}/attngradeConfig.cmake
  INSTALL_DESTINATION ${package_folder}
  PATH_VARS attngrade_data)
write_basic_package_version_file(
  ${PROJECT_BINARY_DIR}/attngradeConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES
    ${PROJECT_BINARY_DIR}/attngradeConfig.cmake
    ${PROJECT_BINARY_DIR}/attngradeConfigVersion.cmake
  DESTINATION ${package_folder})
