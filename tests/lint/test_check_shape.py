"""Tests that scripts/check_shape finds violations of its rules."""
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]
CHECK = REPOSITORY / "scripts" / "check_shape"
sys.path.insert(0, str(REPOSITORY / "scripts"))

from cpp_functions import find_functions  # noqa: E402


def run(root):
    return subprocess.run([CHECK, root], capture_output=True, encoding="utf-8")


def write(root, name, text):
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return root


def function_of(lines, name="f"):
    return f"void {name}() {{\n" + "  g();\n" * (lines - 2) + "}\n"


@pytest.mark.parametrize("top", ["src/core", "include/dualkpca/core", "apps/dualkpca", "python/bindings"])
def test_a_function_may_have_sixty_lines(tmp_path, top):
    assert run(write(tmp_path, "src/core/b.cpp", "")).stdout == ""
    assert run(write(tmp_path, f"{top}/a.cpp", "// text\n" + function_of(60))).stdout == ""
    result = run(write(tmp_path, f"{top}/a.cpp", "// text\n" + function_of(61)))
    assert result.returncode == 1
    assert result.stdout == f"{top}/a.cpp:2: f has 61 lines; a function has at most 60\n"


def test_a_python_function_counts_without_signature_and_docstring(tmp_path):
    write(tmp_path, "src/core/a.cpp", "")
    signature = "class A:\n    def f(\n" + "".join(f"        a{i},\n" for i in range(70)) + "    ):\n"
    docstring = '        """Text.\n' + "        more\n" * 70 + '        """\n'
    assert run(write(tmp_path, "python/a.py", signature + docstring + "        g()\n" * 60)).stdout == ""
    assert run(write(tmp_path, "python/a.py", signature + docstring)).stdout == ""
    result = run(write(tmp_path, "python/a.py", signature + docstring + "        g()\n" * 61))
    assert (result.returncode, result.stdout) == (1, "python/a.py:2: f has 61 lines; a function has at most 60\n")


@pytest.mark.parametrize("file", ["src/core/a.cpp", "include/a.hpp", "apps/a.cpp", "python/a.py", "python/a.pyi"])
def test_a_file_may_have_three_hundred_lines(tmp_path, file):
    write(tmp_path, "src/core/b.cpp", "")
    assert run(write(tmp_path, file, "\n" * 300)).stdout == ""
    result = run(write(tmp_path, file, "\n" * 301))
    assert (result.returncode, result.stdout) == (1, f"{file}:1: has 301 lines; a file has at most 300\n")


def test_vector_code_may_be_longer(tmp_path):
    text = '#include "hwy/foreach_target.h"\n' + "\n" * 300
    assert run(write(tmp_path, "src/core/a.cpp", text)).returncode == 0
    # Functions of vector code may not be longer.
    assert run(write(tmp_path, "src/core/a.cpp", text + function_of(61))).returncode == 1


def test_a_folder_may_hold_twenty_files(tmp_path):
    for folder in ("src/model", "src/model/fit", "src/data/csv", "src/solver"):
        for i in range(20):
            write(tmp_path, f"{folder}/{i}.cpp", "")
    assert run(tmp_path).stdout == ""
    for folder in ("src/model", "src/data/csv", "src/solver"):
        write(tmp_path, f"{folder}/20.cpp", "")
    rule = "holds 21 files; a folder holds at most 20"
    assert run(tmp_path).stdout.splitlines() == [f"src/data/csv:1: {rule}", f"src/model:1: {rule}"]


def test_braces_that_do_not_match_are_reported(tmp_path):
    result = run(write(tmp_path, "src/core/a.cpp", "void f() {\n"))
    assert (result.returncode, result.stdout) == (1, "src/core/a.cpp:2: 1 braces are not closed\n")
    assert "closing brace" in run(write(tmp_path, "src/core/a.cpp", "void f() {}\n}\n")).stdout


CODE = r'''#include <map>
#define OPEN {
#define LONG_ONE do { \
  } while (0) {
// a comment with {
namespace a::b {
namespace {
/* another { */
const std::map<int, const char*> table = {{1, "}"}, {2, R"x({"quoted )" {{)x"}};
constexpr Point origin{0, 0};
enum class Colour { red, green };
int first(char c = '{', int n = 1'000'000) {
  const auto inner = [&](int i) {
    return i + c + '\'' + "\"{"[0];
  };
  return inner(n);
}
}  // namespace

template <class T = int, class U = std::vector<T>>
[[nodiscard]] auto second(T x = {}) -> std::vector<U> {
  if (x) { return {}; }
  return {{x}};
}

class C : public D<int> {
 public:
  explicit C(int n) : D{n}, n_(n), list_{n, n} {
    g();
  }
  bool operator==(const C& other) const { return n_ == other.n_; }
  C& operator=(C&& other) noexcept {
    return *this;
  }
  void operator()(int) const {}
  struct Inner {
    ~Inner() {}
    int depth{0};
  };
  std::vector<int> list_{1, 2};

 private:
  [[nodiscard]] bool is_plain() const { return true; }
  int n_ = 0;
};

const auto by_name = [](int i) {
  return i;
};
extern "C" {
void plain(struct S* s) {}
}
void C::Inner::run() const noexcept {
}
}  // namespace a::b
'''


def test_functions_are_found_among_everything_else():
    lines = CODE.splitlines()
    found = find_functions(CODE)
    assert [function.name for function in found] == [
        "first", "second", "C", "operator==", "operator=", "operator()", "~Inner", "is_plain", "by_name", "plain",
        "C::Inner::run"]
    by_name = {function.name: function for function in found}

    def ends(name):
        return lines[by_name[name].first - 1].strip(), by_name[name].last - by_name[name].first + 1

    assert ends("first") == ("int first(char c = '{', int n = 1'000'000) {", 6)
    assert ends("second") == ("template <class T = int, class U = std::vector<T>>", 5)
    assert ends("C") == ("explicit C(int n) : D{n}, n_(n), list_{n, n} {", 3)
    assert ends("is_plain")[1] == 1
    assert [name for name in by_name if by_name[name].is_local] == ["first"]


def test_an_empty_root_is_wrong_usage(tmp_path):
    assert run(tmp_path).returncode == 2


def test_the_long_files_are_there():
    assert [file for file in runpy.run_path(str(CHECK))["LONG_FILES"] if not (REPOSITORY / file).is_file()] == []


def test_this_repository_passes():
    result = run(REPOSITORY)
    assert result.stdout == ""
    assert result.returncode == 0
