# Two INTERFACE targets, linked privately by our own targets only, so that no
# user of the installed package inherits our warnings.
add_library(project_warnings INTERFACE)
target_compile_options(project_warnings INTERFACE -Wall -Wextra)
if(ATTNGRADE_WERROR)
  # Only here: at -O2 g++ 12 sees null dereferences inside its own library.
  target_compile_options(project_warnings INTERFACE
    -Werror -Wpedantic -Wshadow -Wconversion -Wsign-conversion
    -Wcast-align -Wnull-dereference -Wformat=2
    # clang means double to long double as well, which our sums do on purpose.
    $<$<CXX_COMPILER_ID:GNU>:-Wdouble-promotion>
    $<$<COMPILE_LANGUAGE:CXX>:-Wold-style-cast -Wnon-virtual-dtor
      -Woverloaded-virtual -Wextra-semi>)
endif()

# Several files as one: a local name may be that of a neighbour's helper, and g++
# takes them all for headers, whose types should have no member of a type of an
# unnamed namespace. clang-tidy reads each file alone, and does warn of shadowing.
if(CMAKE_UNITY_BUILD)
  target_compile_options(project_warnings INTERFACE -Wno-shadow
    $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-subobject-linkage>)
endif()

add_library(project_sanitizers INTERFACE)
if(ATTNGRADE_SANITIZE)
  target_compile_options(project_sanitizers INTERFACE
    -fsanitize=address,undefined -fno-sanitize-recover=undefined
    -fno-omit-frame-pointer)
  target_link_options(project_sanitizers INTERFACE
    -fsanitize=address,undefined)
endif()

# Sanitized, compiling what CHECK expands to would take more than half of the
# build. After project_sanitizers, to be the last word; the stages that the tests
# call keep all checks, and a null pointer ends a test without this one, too.
add_library(project_test_settings INTERFACE)
if(ATTNGRADE_SANITIZE)
  target_compile_options(project_test_settings INTERFACE
    -O0 -fno-sanitize=null,alignment,object-size,vptr)
endif()
