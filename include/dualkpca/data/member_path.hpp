#pragma once

#include <string>

namespace dualkpca {

/// "file.h5:/dataset" or "file.npz:name" taken apart.
struct MemberPath {
  std::string file{};
  std::string member{};  ///< empty if the path names the file alone
};

/// Cuts after the first extension .h5, .hdf5, .h5ad or .npz that a colon follows, else at a colon before which a file
/// exists. A path that exists as it stands is not cut.
[[nodiscard]] MemberPath split_member_path(const std::string& path);

}  // namespace dualkpca
