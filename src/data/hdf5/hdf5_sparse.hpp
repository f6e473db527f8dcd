#pragma once

#include <memory>
#include <string>

#include "data/hdf5/hdf5_handle.hpp"
#include "dualkpca/data/read.hpp"

namespace dualkpca {

/// Returns the encoding ("csr_matrix", "csc_matrix", ...) of a group that is a sparse matrix as anndata writes it;
/// empty for any other group.
[[nodiscard]] std::string sparse_encoding(hid_t group);

/// Returns the rows of such a group; encodings other than csr_matrix are refused. `file` is kept open as long as
/// needed.
[[nodiscard]] std::unique_ptr<DataStream> open_sparse_group(std::shared_ptr<Hdf5Handle> file, const std::string& path,
                                                            const std::string& name, const Observer& observe);

}  // namespace dualkpca
