"""Shared libraries from other languages: the examples, built as their READMEs
say, and what libraries of any language can do wrong."""

import subprocess
import unittest

from support import PROJECT, Scratch, grade, needs, run

LANGUAGES = PROJECT / "examples"
SHAPE = "typedef struct { long long batch, heads, n_q, n_k, d_k, d_v; } shape;\n"

# attention() on a type, up to its scale; {0} is the type, {1} the suffix.
FUNCTION = """
int attention{1}(const {0} *q, const {0} *k, const {0} *v, shape s,
                 {0} *out, {0} *weights) {{
  for (long long r = 0; r < s.batch * s.heads * s.n_q; ++r) {{
    const {0} *kb = k + r / s.n_q * s.n_k * s.d_k;
    const {0} *vb = v + r / s.n_q * s.n_k * s.d_v;
    {0} w[4096], largest = -INFINITY, sum = 0;
    for (long long j = 0; j < s.n_k; ++j) {{
      w[j] = 0;
      for (long long c = 0; c < s.d_k; ++c) w[j] += q[r * s.d_k + c] * kb[j * s.d_k + c];
      w[j] /= {2};
      if (w[j] > largest) largest = w[j];
    }}
    for (long long j = 0; j < s.n_k; ++j) sum += w[j] = exp(w[j] - largest);
    for (long long c = 0; c < s.d_v; ++c) out[r * s.d_v + c] = 0;
    for (long long j = 0; j < s.n_k; ++j) {{
      if (weights) weights[r * s.n_k + j] = w[j] / sum;
      for (long long c = 0; c < s.d_v; ++c) out[r * s.d_v + c] += w[j] / sum * vb[j * s.d_v + c];
    }}
  }}
  return 0;
}}
"""


def function(suffix="", scale="sqrt(s.d_k)"):
    return FUNCTION.format("float" if suffix else "double", suffix, scale)


def source(*functions):
    return "#include <math.h>\n" + SHAPE + "".join(functions)


class Libraries(Scratch, unittest.TestCase):
    def build(self, *command):
        done = subprocess.run(
            list(map(str, command)), cwd=self.folder, capture_output=True, text=True
        )
        self.assertEqual(done.returncode, 0, done.stderr)

    def graded(self, name):
        """All records of one file in the test's folder."""
        return grade([self.folder / name])[1]["submissions"]

    def only(self, name):
        records = self.graded(name)
        self.assertEqual(len(records), 1, records)
        return records[0]

    def check_example(self, language, ending, command, fault):
        for stem, faults in (("attention", []), ("attention_wrong", [fault])):
            with self.subTest(stem):
                library = f"lib{stem}.so"
                self.build(*command, LANGUAGES / language / (stem + ending), "-o", library)
                record = self.only(library)
                self.assertEqual(record["verdict"], "faulty" if faults else "correct")
                self.assertEqual(record["faults"], faults)
                self.assertEqual(record["notes"], [])


class Examples(Libraries):
    @needs("rustc")
    def test_rust(self):
        command = ["rustc", "--crate-type", "cdylib", "-O"]
        self.check_example("rust", ".rs", command, "scale-by-dk")

    @needs("gfortran")
    def test_fortran(self):
        command = "gfortran -O2 -ffp-contract=off -fPIC -shared".split()
        self.check_example("fortran", ".f90", command, "softmax-over-queries")

    def test_the_readmes_name_these_commands(self):
        for language, command in (
            ("rust", "rustc --crate-type cdylib -O attention.rs -o"),
            ("fortran", "gfortran -O2 -ffp-contract=off -fPIC -shared attention.f90 -o"),
        ):
            readme = (LANGUAGES / language / "README.md").read_text()
            self.assertIn(command, readme)


class Rust(Libraries):
    @needs("rustc")
    def test_a_panic_is_a_crash(self):
        self.write(
            "panic.rs",
            '#[no_mangle]\npub extern "C" fn attention() -> i32 { panic!("no") }\n',
        )
        self.build(
            "rustc", "--crate-type", "cdylib", "-O", "panic.rs", "-o", "libpanic.so"
        )
        record = self.only("libpanic.so")
        self.assertEqual(record["verdict"], "crashed")
        self.assertIn("SIGABRT", record["summary"])
        self.assertIn("panicked", record["stderr"])


class FloatSymbols(Libraries):
    def test_float_only_is_graded_as_float(self):
        self.write("float.c", source(function("_f32")))
        record = self.only("float.c")
        self.assertEqual(record["verdict"], "correct", record["summary"])
        self.assertEqual(record["entry"], "attention_f32")
        self.assertEqual(record["notes"], [])

    def test_a_fault_in_float_is_found(self):
        self.write("float.c", source(function("_f32", "s.d_k")))
        record = self.only("float.c")
        self.assertEqual(record["faults"], ["scale-by-dk"])
        self.assertEqual(record["entry"], "attention_f32")

    def test_of_both_the_double_one_counts(self):
        for suffix, faults in (("_f32", []), ("", ["scale-by-dk"])):
            with self.subTest(wrong="attention" + suffix):
                scales = {"": "sqrt(s.d_k)", "_f32": "sqrt(s.d_k)", suffix: "s.d_k"}
                functions = [function(name, scale) for name, scale in scales.items()]
                self.write("both.c", source(*functions))
                record = self.only("both.c")
                self.assertEqual(record["entry"], "attention")
                self.assertEqual(record["faults"], faults)


class Dependencies(Libraries):
    def test_a_library_that_needs_a_missing_one_names_it(self):
        self.write("helper.c", "int helper(void) { return 0; }\n")
        self.write("main.c", "int helper(void);\nint attention(void) { return helper(); }\n")
        self.build("cc", "-shared", "-fPIC", "helper.c", "-o", "libvanished.so")
        self.build(
            "cc", "-shared", "-fPIC", "main.c", "-L.", "-lvanished", "-o", "libmain.so"
        )
        done = run("grade", self.folder / "libmain.so")
        self.assertEqual(done.returncode, 1, done.stdout)
        for text in ("LOAD ERROR", "libvanished.so", "cannot open shared object"):
            self.assertIn(text, done.stdout)
        self.assertNotIn("/tmp/attngrade", done.stdout)

    def test_the_standard_library_of_cpp_is_found(self):
        self.write(
            "cpp.cpp",
            "#include <vector>\n#include <stdexcept>\n"
            'extern "C" int attention() {\n'
            "  try { return std::vector<int>(1).at(2); }\n"
            "  catch (const std::out_of_range&) { return 7; }\n}\n",
        )
        self.build("c++", "-shared", "-fPIC", "cpp.cpp", "-o", "libcpp.so")
        record = self.only("libcpp.so")
        self.assertEqual(record["verdict"], "crashed")
        self.assertIn("7", record["summary"])


if __name__ == "__main__":
    unittest.main()
