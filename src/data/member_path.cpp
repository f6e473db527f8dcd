#include "dualkpca/data/member_path.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <string_view>
#include <system_error>

namespace dualkpca {
namespace {

bool has_members(const std::string& file) {
  static constexpr std::array<std::string_view, 4> container_extensions = {".h5", ".hdf5", ".h5ad", ".npz"};
  std::string lower = file;
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return std::any_of(container_extensions.begin(), container_extensions.end(),
                     [&](std::string_view extension) { return lower.ends_with(extension); });
}

}  // namespace

MemberPath split_member_path(const std::string& path) {
  std::error_code missing;
  if (std::filesystem::exists(path, missing)) return {path};
  for (std::size_t at = path.find(':'); at != std::string::npos; at = path.find(':', at + 1)) {
    const std::string file = path.substr(0, at);
    if (has_members(file) || std::filesystem::is_regular_file(file, missing)) return {file, path.substr(at + 1)};
  }
  return {path};
}

}  // namespace dualkpca
