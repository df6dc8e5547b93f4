# embed_text(TARGET FILE NAME)
#
# Adds a generated source to TARGET that defines
#   std::string_view grader::NAME();
# the bytes of FILE. The source that uses it declares the function itself.
# Written anew whenever FILE changes.
include_guard()

function(embed_text target file name)
  cmake_path(ABSOLUTE_PATH file BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
  set(source ${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp)
  set(script ${PROJECT_SOURCE_DIR}/cmake/write_embedded.cmake)
  add_custom_command(
    OUTPUT ${source}
    COMMAND ${CMAKE_COMMAND} -DINPUT=${file} -DOUTPUT=${source} -DNAME=${name}
            -P ${script}
    DEPENDS ${file} ${script}
    COMMENT "Embedding ${name}"
    VERBATIM)
  target_sources(${target} PRIVATE ${source})
endfunction()
