// SPDX-License-Identifier: MIT
#include "grader/submission/forms.hpp"

#include "tests/catch.hpp"

namespace grader {
namespace {

TEST_CASE("the ending tells the form, letter case apart", "[forms]") {
  CHECK(form_of("a.py") == Form::python);
  CHECK(form_of("A.IPYNB") == Form::notebook);
  CHECK(form_of("a.c") == Form::c);
  CHECK(form_of("a.cxx") == Form::cpp);
  CHECK(form_of("liba.so") == Form::library);
  for (const char* name : {"a.zip", "a.tar", "a.tar.gz", "a.tgz", "a.tar.bz2",
                           "a.tar.xz", "A.Tar.Gz"}) {
    INFO(name);
    CHECK(form_of(name) == Form::archive);
    CHECK(is_archive(name));
    CHECK_FALSE(is_candidate(name));
  }
  for (const char* name : {"", "py", "a", "a.h", "a.gz", "a.py~", "a.so.1"}) {
    INFO(name);
    CHECK(form_of(name) == Form::other);
    CHECK_FALSE(is_archive(name));
    CHECK_FALSE(is_candidate(name));
  }
}

TEST_CASE("what is not unpacked may be an archive none the less", "[forms]") {
  for (const char* name : {"a.rar", "a.7z", "a.whl", "a.tar.zst"}) {
    CHECK(form_of(name) == Form::other);
    CHECK(is_archive(name));
  }
}

}  // namespace
}  // namespace grader
