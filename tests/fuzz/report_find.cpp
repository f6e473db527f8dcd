#include <cstdio>
#include <cstdlib>

#include "targets.hpp"

namespace dualkpca::fuzz {

void report_find(std::string_view what) {
  std::fprintf(stderr, "find: %.*s\n", static_cast<int>(what.size()), what.data());
  std::abort();
}

}  // namespace dualkpca::fuzz

// Options of the checker for undefined behaviour, which would only print a message otherwise. Other builds ignore them.
extern "C" const char* __ubsan_default_options();
extern "C" const char* __ubsan_default_options() { return "halt_on_error=1:print_stacktrace=1"; }
