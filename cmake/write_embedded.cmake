# cmake -DINPUT=… -DOUTPUT=… -DNAME=… -P write_embedded.cmake
#
# A list of characters, not a string literal: those end at 64 KiB, and need
# care with what the text contains.
file(READ ${INPUT} bytes HEX)
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${bytes}")
string(REGEX REPLACE
  "('[^']*','[^']*','[^']*','[^']*','[^']*','[^']*','[^']*','[^']*',)" "\\1\n"
  bytes "${bytes}")
file(WRITE ${OUTPUT}
"// Generated from ${INPUT}
#include <string_view>

namespace grader {

std::string_view ${NAME}();

std::string_view ${NAME}() {
  static constexpr char text[] = {
${bytes}
'\\0'};
  return {text, sizeof text - 1};
}

}  // namespace grader
")
