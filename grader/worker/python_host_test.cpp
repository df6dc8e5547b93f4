// SPDX-License-Identifier: MIT
#include "grader/worker/test_submission.hpp"
#include "tests/catch.hpp"

using namespace grader;

namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// What `return EXPRESSION` comes back as; one process for all expressions.
Returned result_of(const std::string& expression) {
  static PythonSubmission submission(
      "import numpy as np\n"
      "def attention(q, k, v):\n"
      "    return eval(open('expression').read())\n");
  submission.folder().write("expression", expression);
  return returned(submission.call(small_call()));
}

std::string problem_of(const std::string& expression) {
  const Returned result = result_of(expression);
  CHECK(result.results.empty());
  return result.problem;
}

// "output(2, 4) (2, 3)": role and shape of each result.
std::string shapes_of(const std::string& expression) {
  const Returned result = result_of(expression);
  INFO(result.problem);
  CHECK(result.problem.empty());
  std::string text;
  for (const ResultArray& array : result.results) {
    text += (text.empty() ? "" : " ") + array.role +
            reference::to_string(array.values.shape);
  }
  return text;
}

DType dtype_of(const std::string& dtype) {
  const Returned result = result_of("np.ones((2, 4)).astype('" + dtype + "')");
  REQUIRE(result.results.size() == 1);
  CHECK(result.results[0].values.data == std::vector<double>(8, 1.0));
  return result.results[0].dtype;
}

const Callable& find(const Description& description, const std::string& name) {
  for (const Callable& callable : description.callables) {
    if (callable.name == name) {
      return callable;
    }
  }
  FAIL("no callable " + name);
  return description.callables.front();
}

std::vector<std::string> names_in(const std::string& source) {
  PythonSubmission submission(source);
  std::vector<std::string> names;
  for (const Callable& callable : submission.description().callables) {
    names.push_back(callable.name);
  }
  return names;
}

}  // namespace

TEST_CASE("arrays, scalars and nested lists come back as they are",
          "[python_host]") {
  CHECK(shapes_of("q @ k.T") == "(2, 3)");
  CHECK(shapes_of("(q @ k.T).T") == "(3, 2)");
  CHECK(shapes_of("v[:0]") == "(0, 4)");
  CHECK(shapes_of("[[1, 2, 3], [4, 5, 6.5]]") == "(2, 3)");
  CHECK(shapes_of("[list(row) for row in v]") == "(3, 4)");
  CHECK(shapes_of("[row for row in v]") == "(3, 4)");
  CHECK(shapes_of("q.sum()") == "()");
  CHECK(shapes_of("0.5") == "()");
  CHECK(shapes_of("np.matrix(q)") == "(2, 2)");
  CHECK(shapes_of("memoryview(q)[0:1] if False else q.view()") == "(2, 2)");
}

TEST_CASE("values are exact whatever their layout", "[python_host]") {
  const std::vector<double> swapped{0.0, 0.25, 0.125, 0.375};
  for (const char* expression :
       {"q.T", "np.asfortranarray(q.T)", "q.T.astype('>f8')",
        "q.T.astype('longdouble')", "q.T.astype('float16')"}) {
    INFO(expression);
    CHECK(result_of(expression).results.at(0).values.data == swapped);
  }
}

TEST_CASE("the type of the values is kept", "[python_host]") {
  CHECK(dtype_of("float64") == DType::float64);
  CHECK(dtype_of("float32") == DType::float32);
  CHECK(dtype_of("float16") == DType::float16);
  CHECK(dtype_of("int64") == DType::integer);
  CHECK(dtype_of("uint8") == DType::integer);
  CHECK(dtype_of("bool") == DType::boolean);
}

TEST_CASE("several results stay in their order", "[python_host]") {
  CHECK(shapes_of("(q @ k.T @ v, q @ k.T)") == "(2, 4) (2, 3)");
  CHECK(shapes_of("[q @ k.T, q @ k.T @ v]") == "(2, 3) (2, 4)");
  CHECK(shapes_of("[q, q]") == "(2, 2) (2, 2)");
  CHECK(shapes_of("(q.tolist(), v.tolist())") == "(2, 2) (3, 4)");
  CHECK(shapes_of("(v, None)") == "(3, 4)");
}

TEST_CASE("names of results are roles", "[python_host]") {
  CHECK(shapes_of("{'attn': q, 'out': v}") == "output(3, 4) weights(2, 2)");
  CHECK(shapes_of("{'Weights': q, 'loss': 3}") == "weights(2, 2)");
  CHECK(shapes_of("__import__('collections').namedtuple('R', 'weights output')"
                  "(q, v)") == "output(3, 4) weights(2, 2)");
  CHECK(shapes_of("__import__('types').SimpleNamespace(context=v, probs=q)") ==
        "output(3, 4) weights(2, 2)");
}

TEST_CASE("arrays under unknown names are passed on without a role",
          "[python_host]") {
  CHECK(shapes_of("{'y': v, 'attn': q}") == "weights(2, 2) (3, 4)");
  CHECK(shapes_of("{'y': v, 'z': q}") == "(3, 4) (2, 2)");
  CHECK(shapes_of("__import__('collections').namedtuple('R', 'y weights')"
                  "(v, q)") == "weights(2, 2) (3, 4)");
  CHECK(shapes_of("__import__('types').SimpleNamespace(values=v, w=q)") ==
        "(3, 4) (2, 2)");
}

TEST_CASE("what is no array does no harm beside one", "[python_host]") {
  CHECK(shapes_of("(v, q, 0.25)") == "(3, 4) (2, 2)");
  CHECK(shapes_of("(v, {'weights': q})") == "(3, 4)");
  CHECK(shapes_of("(v, (q, k))") == "(3, 4)");  // a cache
  CHECK(shapes_of("{'out': v, 'seconds': 0.1, 'name': 'a'}") == "output(3, 4)");
  CHECK(problem_of("{'out': v, 'weights': [[1], [1, 2]]}") ==
        "returned a list that is no rectangle of numbers");
}

TEST_CASE("what is no result says so", "[python_host]") {
  CHECK(problem_of("None") == "returned None");
  CHECK(problem_of("'text'") == "returned a str, not an array");
  CHECK(problem_of("(row for row in v)") ==
        "returned a generator, not an array");
  CHECK(problem_of("object()") == "returned an object, not an array");
  CHECK(problem_of("[[1, 2], [3]]") ==
        "returned a list that is no rectangle of numbers");
  CHECK(problem_of("[[1, None]]") ==
        "returned a list that is no rectangle of numbers");
  CHECK(problem_of("{'a': 1}") == "returned a dict without an array");
  CHECK(problem_of("q * 1j") ==
        "returned an array of dtype complex128, not of real numbers");
  CHECK(problem_of("np.array(['a'])") ==
        "returned an array of dtype <U1, not of real numbers");
  CHECK(problem_of("np.array([object()])") ==
        "returned an array of dtype object, not of real numbers");
  CHECK(problem_of("(1, 2, 3, 4, 5)") == "returned no array among 5 values");
  CHECK(problem_of("(q,) * 9") == "returned 9 values");
  CHECK(contains(problem_of("np.zeros((1000, 1000))"),
                 "returned an array of shape (1000, 1000), far larger"));
}

TEST_CASE("an object that refuses to be an array is no result",
          "[python_host]") {
  PythonSubmission submission(
      "class Trap:\n"
      "    def __array__(self, *rest): raise RuntimeError('no')\n"
      "def attention(q, k, v): return Trap()\n");
  CHECK(contains(returned(submission.call(small_call())).problem,
                 "returned a Trap that cannot be converted: RuntimeError: no"));
}

TEST_CASE("changed arguments are noticed and do not reach the next call",
          "[python_host]") {
  PythonSubmission submission(
      "def attention(q, k, v):\n    q += 1\n    return q\n");
  const Returned first = returned(submission.call(small_call()));
  const Returned second = returned(submission.call(small_call()));
  CHECK(first.input_mutated);
  CHECK(first.results[0].values == second.results[0].values);
}

TEST_CASE("arguments are passed by name where the match says so",
          "[python_host]") {
  PythonSubmission submission(
      "def attention(value, key, query, *, mask=None):\n"
      "    return query.tolist() + key.tolist() if mask is None else "
      "mask.astype(float)\n");
  Match match = submission.match("attention");
  match.keywords = {"query", "key", "value"};
  const Returned result =
      returned(submission.worker().call(match, small_call()));
  CHECK(result.results.at(0).values.shape == reference::Shape{5, 2});

  Call masked = small_call();
  masked.mask = reference::Mask{{2, 3}, {1, 0, 1, 1, 1, 0}};
  match.keywords = {"query", "key", "value", "mask"};
  CHECK(returned(submission.worker().call(match, masked))
            .results.at(0)
            .values.data == std::vector<double>{1, 0, 1, 1, 1, 0});
}

TEST_CASE("widths are integers beside the arguments", "[python_host]") {
  PythonSubmission submission(
      "def attention(dim, query, key, value, *, d_k):\n"
      "    assert type(dim) is int and dim == d_k == key.shape[-1]\n"
      "    return query\n");
  Match match = submission.match("attention");
  match.keywords = {"query", "key", "value"};
  match.filled = {{"dim", Filling::key_width}, {"d_k", Filling::key_width}};
  returned(submission.worker().call(match, small_call()));
}

TEST_CASE("what has no name for a caller is passed in its place",
          "[python_host]") {
  PythonSubmission submission(
      "def attention(d_k, q, k, v, scale=None, mask=None, /):\n"
      "    assert d_k == k.shape[-1] and scale is None and mask.dtype == bool\n"
      "    return q\n");
  Match match = submission.match("attention");
  CHECK(match.callable.parameters.at(0).positional_only);
  match.keywords = {"q", "k", "v", "mask"};
  match.filled = {{"d_k", Filling::key_width}};
  Call masked = small_call();
  masked.mask_mode = MaskMode::masked;
  masked.mask = reference::Mask{{2, 3}, {1, 0, 1, 1, 1, 0}};
  returned(submission.worker().call(match, masked));
}

TEST_CASE("a switch is a bool, and a width that is refused is left out",
          "[python_host]") {
  PythonSubmission submission(
      "def attention(q, k, v, causal=True):\n"
      "    assert causal is False\n"
      "    return q\n"
      "def narrow(q, k, v):\n"
      "    return q\n");
  Match match = submission.match("attention");
  match.filled = {{"causal", Filling::off}};
  returned(submission.worker().call(match, small_call()));
  match = submission.match("narrow");
  match.filled = {{"causal", Filling::off}};
  returned(submission.worker().call(match, small_call()));
}

TEST_CASE("a decorator that shows nothing hides no signature",
          "[python_host]") {
  PythonSubmission submission(R"(
def stars(function):
    def run(*args, **kwargs): return function(*args, **kwargs)
    return run
def places(function):
    def run(*args): return function(*args)
    return run

@stars
def attention(q, k, v, d_k, mask=None): return q
@places
def scaled(q, k, v, mask=None): return q
class Attention:
    @stars
    def __call__(self, q, k, v): return q
class Derived(Attention): pass
def later(q, k, v): return q
later = stars(later)
other = stars(later)
def really(*args): return args[0]
if True:
    @stars
    def either(q): return q
else:
    @stars
    def either(q, k, v): return q
)");
  const auto parameters = [&](const std::string& name) {
    std::string text;
    const Callable& callable = find(submission.description(), name);
    for (const Parameter& parameter : callable.parameters) {
      text += parameter.name + (parameter.positional_only ? "/ " : " ");
    }
    return text + (callable.takes_any ? "*" : "");
  };
  CHECK(parameters("attention") == "q/ k/ v/ d_k/ mask ");
  CHECK(parameters("scaled") == "q/ k/ v/ mask/ ");
  CHECK(parameters("Attention") == "q/ k/ v/ ");
  CHECK(parameters("Derived") == "q/ k/ v/ ");
  CHECK(parameters("later") == "q/ k/ v/ ");
  CHECK(parameters("other") == "*");
  CHECK(parameters("really") == "*");
  CHECK(parameters("either") == "*");
}

TEST_CASE("the layout is told by a parameter as it was passed",
          "[python_host]") {
  PythonSubmission submission(R"(
def named(q, k, v):
    B, H, n, d = q.shape
    q = q.swapaxes(1, 2)
def renamed(q, k, v):
    q = q.swapaxes(1, 2)
    B, H, n, d = q.shape
def local(query, key, value):
    q, k, v = query, key, value
    B, H, n, d = q.shape
def inner(q, k, v):
    def split(q):
        B, H, n, d = q.shape
    return split(k)
class Module:
    def helper(self, q):
        B, H, n, d = q.shape
    def forward(self, q, k, v):
        B, n, H, d = q.size()
)");
  const Description& description = submission.description();
  CHECK(find(description, "named").heads_first);
  for (const std::string name : {"renamed", "local", "inner", "Module"}) {
    INFO(name);
    CHECK_FALSE(find(description, name).heads_first);
  }
}

TEST_CASE("words about a missing card do not excuse an exception",
          "[python_host]") {
  PythonSubmission submission(
      "def attention(q, k, v):\n"
      "    raise AssertionError('Torch not compiled with CUDA enabled')\n");
  const Outcome outcome = submission.call(small_call());
  CHECK(std::get<Raised>(outcome).missing_device.empty());
}

TEST_CASE("the number of heads is an integer before the mask",
          "[python_host]") {
  PythonSubmission submission(
      "def attention(x, w_q, w_k, w_v, w_o, n_heads, mask):\n"
      "    assert type(n_heads) is int and mask.dtype == bool\n"
      "    return n_heads * x\n");
  Call call;
  call.kind = Kind::multi_head_attention;
  call.mask_mode = MaskMode::masked;
  call.rank = 2;
  call.dimensions.heads = 2;
  for (const char* name : {"x", "w_q", "w_k", "w_v", "w_o"}) {
    call.arguments.push_back({name, reference::Tensor({2, 2}, 1.0)});
  }
  call.mask = reference::Mask{{2}, {1, 1}};
  CHECK(returned(submission.call(call)).results.at(0).values ==
        reference::Tensor({2, 2}, 2.0));
}

TEST_CASE("a description tells signatures, lines, calls and imports",
          "[python_host]") {
  PythonSubmission submission(R"(import numpy as np, os.path
from math import sqrt
try:
    import scipy.special
except ImportError:
    pass

def softmax(x, axis=-1): return x

def attention(q, k, v, mask=None, *, causal=False):
    import json
    return softmax(q)

anything = lambda *args: attention(*args)
)");
  const Description& description = submission.description();
  REQUIRE(description.callables.size() == 3);
  const Callable& attention = find(description, "attention");
  CHECK(attention.line == 10);
  CHECK(attention.calls == std::vector<std::string>{"softmax"});
  REQUIRE(attention.parameters.size() == 5);
  CHECK(attention.parameters[3].name == "mask");
  CHECK(attention.parameters[3].has_default);
  CHECK_FALSE(attention.parameters[3].default_is_bool);
  CHECK(attention.parameters[4].keyword_only);
  CHECK(attention.parameters[4].default_is_bool);
  CHECK_FALSE(attention.takes_any);
  CHECK(find(description, "anything").takes_any);
  CHECK(find(description, "anything").calls ==
        std::vector<std::string>{"attention"});
}

TEST_CASE("only what the file defines is described", "[python_host]") {
  CHECK(names_in("from numpy import dot\nimport math\nroot = math.sqrt\n"
                 "x = 3\nclass Config: pass\nclass Error(Exception): pass\n"
                 "if True:\n    def f(): pass\n"
                 "exec('def g(): pass')\n"
                 "if __name__ == '__main__':\n    def h(): pass\n") ==
        std::vector<std::string>{"root", "f", "g"});
}

TEST_CASE("what a call stores in its object is no result", "[python_host]") {
  PythonSubmission submission(R"(
class Attention:
    def __call__(self, q, k, v):
        self.attention = q @ k.T  # the scores, whatever the name says
        return self.attention @ v
)");
  CHECK(returned(submission.call(small_call(), "Attention")).results.size() ==
        1);
}

TEST_CASE("a class is called through a new instance", "[python_host]") {
  PythonSubmission submission(R"(
import numpy as np
class Attention:
    def __init__(self, scale=2.0):
        self.calls = 0
    def forward(self, q, k, v):
        self.calls += 1
        return np.full((2, 4), float(self.calls))
class Projecting:
    def __init__(self, d_model, heads): pass
    def __call__(self, x): return x
class Broken:
    def __init__(self): raise ValueError('not today')
    def __call__(self, x): return x
)");
  const Description& description = submission.description();
  const Callable& attention = find(description, "Attention");
  CHECK(attention.is_class);
  CHECK(attention.parameters.size() == 3);
  CHECK(attention.problem.empty());
  CHECK(find(description, "Projecting").problem ==
        "its constructor needs arguments: d_model, heads");
  CHECK(find(description, "Broken").problem ==
        "its constructor fails: ValueError: not today");
  for (int i = 0; i < 2; ++i) {
    CHECK(returned(submission.call(small_call(), "Attention"))
              .results.at(0)
              .values.data[0] == 1.0);
  }
}

TEST_CASE("partial objects and instances are called like functions",
          "[python_host]") {
  PythonSubmission submission(R"(
import functools
def scaled(q, k, v, scale): return scale * q
attention = functools.partial(scaled, scale=2.0)
class Module:
    def forward(self, q, k, v): return q
module = Module()
module.__class__.__call__ = Module.forward
)");
  CHECK(returned(submission.call(small_call())).results.at(0).values.data[3] ==
        0.75);
  CHECK(returned(submission.call(small_call(), "module"))
            .results.at(0)
            .values.data[3] == 0.375);
  CHECK(find(submission.description(), "module").parameters.size() == 3);
}

TEST_CASE("a syntax error names the line and points at the place",
          "[python_host]") {
  const LoadFailure failure =
      PythonSubmission("def attention(q, k, v)\n    return q\n").failure();
  CHECK(failure.kind == "syntax");
  CHECK(contains(failure.detail, "line 1: "));
  CHECK(contains(failure.detail, "def attention(q, k, v)\n"));
  CHECK(contains(failure.detail, "^"));
  CHECK(PythonSubmission("return 3\n").failure().kind == "syntax");
  CHECK(PythonSubmission(std::string("a\0b", 3)).failure().kind == "syntax");
}

TEST_CASE("a source that no parser survives is a load failure or a crash",
          "[python_host]") {
  const PythonSubmission nested(std::string(100000, '('));
  CHECK_FALSE(std::holds_alternative<Description>(nested.loaded().result));
}

TEST_CASE("a file that is not UTF-8 names the byte and the line",
          "[python_host]") {
  const LoadFailure failure = PythonSubmission(
                                  "# one\n# two\n# gr\xF6\xDF"
                                  "e\n")
                                  .failure();
  CHECK(failure.kind == "encoding");
  CHECK(failure.detail ==
        "line 3: byte 0xf6 is not valid utf-8; save the file as UTF-8");
  CHECK(PythonSubmission("# gr\xF6\xDF"
                         "e\n")
            .failure()
            .kind == "encoding");
  CHECK(PythonSubmission("# coding: martian\n").failure().kind == "encoding");
}

TEST_CASE("a file that declares its encoding is read in it", "[python_host]") {
  CHECK(names_in("# -*- coding: latin-1 -*-\n# gr\xF6\xDF"
                 "e\n"
                 "def f(): pass\n") == std::vector<std::string>{"f"});
}

TEST_CASE("a missing module is told in Python's words once it is touched",
          "[python_host]") {
  const LoadFailure failure =
      PythonSubmission(
          "import no_such_module.part\n"
          "class A(no_such_module.part.Base):\n    pass\n")
          .failure();
  CHECK(failure.kind == "import");
  CHECK(failure.detail.rfind("No module named 'no_such_module'", 0) == 0);
  CHECK(contains(failure.detail, "candidate.py\", line 2"));
  CHECK(PythonSubmission("from numpy import no_such_name\n").failure().kind ==
        "import");
}

TEST_CASE("a missing module that nothing touches does no harm",
          "[python_host]") {
  const char* source =
      "import matplotlib_not_here.pyplot as plt\n"
      "from not_there import Float, helper\n"
      "try:\n    import not_this_one_either\n"
      "except ImportError:\n    not_this_one_either = None\n"
      "assert not_this_one_either is None\n"
      "def attention(q: Float[q, 'n d'] if False else Float['n d'], k, v):\n"
      "    return q\n"
      "def draw():\n    plt.show()\n";
  PythonSubmission submission(source);
  REQUIRE(std::holds_alternative<Description>(submission.loaded().result));
  const auto& loaded = std::get<Description>(submission.loaded().result);
  CHECK(loaded.remarks.size() == 2);
  CHECK(loaded.remarks.at(1) ==
        "not_there is not installed; a stand-in takes its place");
}

TEST_CASE("an error while importing shows the candidate's frames only",
          "[python_host]") {
  const LoadFailure failure =
      PythonSubmission("def f():\n    return 1 / 0\nf()\n").failure();
  CHECK(failure.kind == "exception");
  CHECK(contains(failure.detail, "ZeroDivisionError"));
  CHECK(contains(failure.detail, "candidate.py\", line 2"));
  CHECK_FALSE(contains(failure.detail, "host.py"));
  CHECK(PythonSubmission("raise SystemExit(0)\n").failure().kind == "exit");
  CHECK(PythonSubmission("raise KeyboardInterrupt\n").failure().kind ==
        "exception");
}

TEST_CASE("a file named like a library does not replace it", "[python_host]") {
  PythonSubmission submission(
      "import numpy as np\ndef attention(q, k, v): return np.ones(3)\n",
      short_limits(), "numpy.py");
  CHECK(returned(submission.call(small_call())).results.at(0).values.shape ==
        reference::Shape{3});
}

TEST_CASE("hostile names and messages survive the way", "[python_host]") {
  PythonSubmission submission(
      "def attention(q, k, v):\n"
      "    print('\\ud800')\n"
      "    raise type('E\\x1b[31m', (Exception,), {})('\\ud800' * 100000)\n");
  const Outcome outcome = submission.call(small_call());
  const auto* raised = std::get_if<Raised>(&outcome);
  REQUIRE(raised != nullptr);
  CHECK(raised->message.size() < 10000);
}

TEST_CASE("flags of evaluation are set, and left out where they are refused",
          "[python_host]") {
  PythonSubmission submission(
      "import functools\n"
      "def hidden(f):\n"
      "    @functools.wraps(f)\n"
      "    def wrapped(q, k, v):\n"
      "        return f(q, k, v)\n"
      "    return wrapped\n"
      "def attention(q, k, v, is_train=True, eval_mode=False):\n"
      "    return q[:, :1] if is_train or not eval_mode else q\n"
      "attention2 = hidden(attention)\n");
  for (const auto& [name, width] : std::vector<std::pair<std::string, int>>{
           {"attention", 2}, {"attention2", 1}}) {
    Match match = submission.match(name);
    match.filled = {{"is_train", Filling::off}, {"eval_mode", Filling::on}};
    CHECK(returned(submission.worker().call(match, small_call()))
              .results.at(0)
              .values.shape == reference::Shape{2, width});
  }
}

TEST_CASE("any class is switched to evaluation where it can be",
          "[python_host]") {
  PythonSubmission submission(
      "class Attention:\n"
      "    training = True\n"
      "    def eval(self): self.training = False\n"
      "    def __call__(self, q, k, v): return q[:, :1 + (not self.training)]\n"
      "class Metric(Attention):\n"
      "    def eval(self, dataset): raise ValueError\n");
  for (const auto& [name, width] : std::vector<std::pair<std::string, int>>{
           {"Attention", 2}, {"Metric", 1}}) {
    CHECK(returned(submission.call(small_call(), name))
              .results.at(0)
              .values.shape == reference::Shape{2, width});
  }
}

TEST_CASE("endless recursion is an exception with a short traceback",
          "[python_host]") {
  PythonSubmission submission(
      "def attention(q, k, v): return attention(q, k, v)\n");
  const Outcome outcome = submission.call(small_call());
  const auto* raised = std::get_if<Raised>(&outcome);
  REQUIRE(raised != nullptr);
  CHECK(raised->type == "RecursionError");
  CHECK(raised->traceback.size() < 5000);
}
