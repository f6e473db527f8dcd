#pragma once

#include <string>

namespace dualkpca {

/// Parts of a path such as "file.h5:/dataset" or "file.npz:name".
struct MemberPath {
  std::string file{};
  std::string member{};  ///< empty if the path names the file alone
};

/// Splits a path at the first colon before which it ends in .h5, .hdf5, .h5ad or .npz, or is an existing file. A path
/// that exists as it stands is not split.
[[nodiscard]] MemberPath split_member_path(const std::string& path);

}  // namespace dualkpca
