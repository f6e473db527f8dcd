#pragma once

#include <cstdio>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dualkpca/data/file_format.hpp"

namespace dualkpca::app {

/// Prints to standard output or standard error. A reader that has gone (`| head`) is no error. Throws ResourceError if
/// the disk is full, else DataError.
void print(std::FILE* stream, std::string_view text);

/// Runs `write`. If that fails while `to_stdout` and the reader of standard output has gone (`| head`), it is no error.
void ignore_closed_pipe(bool to_stdout, const std::function<void()>& write);

[[nodiscard]] bool is_standard_output(const std::string& path);

/// A file of the command line and the option that names it; an empty path is an option not given.
struct NamedFile {
  std::string option{};
  std::string path{};
  bool is_table = false;               ///< its extension has to tell the format
  std::optional<FileFormat> format{};  ///< unless this does
};

/// Before any work is done: every output can be created, and none is an input or another output. Throws
/// InvalidArgument or DataError, and leaves nothing behind.
void check_outputs(const std::vector<NamedFile>& inputs, const std::vector<NamedFile>& outputs);

}  // namespace dualkpca::app
