#pragma once

#include <memory>
#include <string>
#include <vector>

#include "data/npy/zip_archive.hpp"
#include "dualkpca/data/read.hpp"

namespace dualkpca {

/// Returns whether scipy.sparse.save_npz wrote the archive.
[[nodiscard]] bool is_sparse_npz(const std::vector<ZipEntry>& entries);

/// Returns the rows of such an archive; formats other than CSR are refused.
[[nodiscard]] std::unique_ptr<DataStream> open_sparse_npz(const std::string& path, const std::vector<ZipEntry>& entries,
                                                          const Observer& observe);

}  // namespace dualkpca
