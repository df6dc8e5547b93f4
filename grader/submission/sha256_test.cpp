// SPDX-License-Identifier: MIT
#include "grader/submission/sha256.hpp"

#include "tests/catch.hpp"

namespace grader {
namespace {

// The examples that NIST publishes beside FIPS 180-4.
TEST_CASE("the digests are those of the standard's examples", "[sha256]") {
  CHECK(sha256("") ==
        "e3b0c44298fc1c149afbf4c8996fb924"
        "27ae41e4649b934ca495991b7852b855");
  CHECK(sha256("abc") ==
        "ba7816bf8f01cfea414140de5dae2223"
        "b00361a396177a9cb410ff61f20015ad");
  CHECK(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq") ==
        "248d6a61d20638b8e5c026930c3e6039"
        "a33ce45964ff2167f6ecedd419db06c1");
  CHECK(sha256(std::string(1000000, 'a')) ==
        "cdc76e5c9914fb9281a1c7e284d73e67"
        "f1809a48a497200e046d39ccc7112cd0");
}

// hashlib.sha256(b"a" * n).hexdigest()
TEST_CASE("the padding is right on both sides of a block's end", "[sha256]") {
  CHECK(sha256(std::string(55, 'a')) ==
        "9f4390f8d30c2dd92ec9f095b65e2b9a"
        "e9b0a925a5258e241c9f1e910f734318");
  CHECK(sha256(std::string(56, 'a')) ==
        "b35439a4ac6f0948b6d6f9e3c6af0f5f"
        "590ce20f1bde7090ef7970686ec6738a");
  CHECK(sha256(std::string(63, 'a')) ==
        "7d3e74a05d7db15bce4ad9ec0658ea98"
        "e3f06eeecf16b4c6fff2da457ddc2f34");
  CHECK(sha256(std::string(64, 'a')) ==
        "ffe054fe7ae0cb6dc65c3af9b61d5209"
        "f439851db43d0ba5997337df154668eb");
  CHECK(sha256(std::string(120, 'a')) ==
        "2f3d335432c70b580af0e8e1b3674a7c"
        "020d683aa5f73aaaedfdc55af904c21c");
}

}  // namespace
}  // namespace grader
