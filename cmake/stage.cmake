# project_library(NAME SOURCES … HEADERS … [LINKS …] [PRIVATE_LINKS …] [TESTS …])
#
# One static library a stage. HEADERS are a file set: CMake's
# VERIFY_INTERFACE_HEADER_SETS compiles each one on its own. TESTS become the
# executable NAME_test, which links this stage and so the earlier ones only.
function(project_library name)
  cmake_parse_arguments(arg "" "" "SOURCES;HEADERS;LINKS;PRIVATE_LINKS;TESTS;TEST_LINKS" ${ARGN})
  add_library(${name} STATIC ${arg_SOURCES})
  target_sources(${name} PUBLIC FILE_SET HEADERS
    BASE_DIRS ${PROJECT_SOURCE_DIR} FILES ${arg_HEADERS})
  target_link_libraries(${name}
    PUBLIC ${arg_LINKS}
    PRIVATE ${arg_PRIVATE_LINKS} $<BUILD_INTERFACE:project_warnings>
            $<BUILD_INTERFACE:project_sanitizers>)
  # Contraction to fused multiply-adds would make numbers depend on the machine.
  target_compile_options(${name} PRIVATE -ffp-contract=off)
  if(ATTNGRADE_TESTS AND arg_TESTS)
    project_test(${name}_test SOURCES ${arg_TESTS} LINKS ${name} ${arg_TEST_LINKS})
  endif()
endfunction()

# project_test(NAME SOURCES … [LINKS …])
function(project_test name)
  cmake_parse_arguments(arg "" "" "SOURCES;LINKS" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE ${arg_LINKS} Catch2::Catch2WithMain
    project_warnings project_sanitizers project_test_settings)
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR})
  target_compile_definitions(${name} PRIVATE
    PROJECT_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
    PROJECT_BINARY_DIR="${PROJECT_BINARY_DIR}")
  target_compile_options(${name} PRIVATE -ffp-contract=off)
  add_test(NAME ${name} COMMAND ${name})
endfunction()
