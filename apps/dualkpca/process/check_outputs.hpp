#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dualkpca/data/file_format.hpp"

namespace dualkpca::app {

/// A file of the command line and the option that names it. The path is empty if the option was not given.
struct NamedFile {
  std::string option{};
  std::string path{};
  bool is_table = false;               ///< whether the file is a table; its extension gives the format
  std::optional<FileFormat> format{};  ///< the format, if an option gives it
};

/// Checks, before any work is done, that every output can be created and that none is an input or another output.
/// Throws InvalidArgument or DataError, and leaves nothing behind.
void check_outputs(const std::vector<NamedFile>& inputs, const std::vector<NamedFile>& outputs);

}  // namespace dualkpca::app
