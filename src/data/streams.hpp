#pragma once

#include "dualkpca/data/read.hpp"

namespace dualkpca {

// One per format; `path` has been found to exist, or is "-" for standard input. open_dataset() chooses.

[[nodiscard]] std::unique_ptr<DataStream> open_csv(const std::string& path, char delimiter, const ReadOptions& options);
[[nodiscard]] std::unique_ptr<DataStream> open_libsvm(const std::string& path, const ReadOptions& options);
[[nodiscard]] std::unique_ptr<DataStream> open_mtx(const std::string& path, const ReadOptions& options);
[[nodiscard]] std::unique_ptr<DataStream> open_npy(const std::string& path, const ReadOptions& options);
/// `path` may end in ":name".
[[nodiscard]] std::unique_ptr<DataStream> open_npz(const std::string& path, const ReadOptions& options);
/// `path` may end in ":/dataset".
[[nodiscard]] std::unique_ptr<DataStream> open_hdf5(const std::string& path, const ReadOptions& options);

/// All rows of a stream as one Dataset. Throws ResourceError as soon as they exceed `memory` bytes, or
/// what is available.
[[nodiscard]] Dataset collect(DataStream& stream, const std::string& path, std::size_t memory = 0);

}  // namespace dualkpca
