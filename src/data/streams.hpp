#pragma once

#include "dualkpca/data/read.hpp"

namespace dualkpca {

// One function per format, of which open_dataset() chooses one. `path` exists, or is "-" for standard input.

[[nodiscard]] std::unique_ptr<DataStream> open_csv(const std::string& path, char delimiter, const ReadOptions& options);
[[nodiscard]] std::unique_ptr<DataStream> open_libsvm(const std::string& path, const ReadOptions& options);
[[nodiscard]] std::unique_ptr<DataStream> open_mtx(const std::string& path, const ReadOptions& options);
[[nodiscard]] std::unique_ptr<DataStream> open_npy(const std::string& path, const ReadOptions& options);
/// `path` may end in ":name".
[[nodiscard]] std::unique_ptr<DataStream> open_npz(const std::string& path, const ReadOptions& options);
/// `path` may end in ":/dataset".
[[nodiscard]] std::unique_ptr<DataStream> open_hdf5(const std::string& path, const ReadOptions& options);

/// Reads all rows of a stream into one Dataset. Throws ResourceError as soon as they exceed `memory` bytes, or, if that
/// is 0, the available memory.
[[nodiscard]] Dataset collect(DataStream& stream, const std::string& path, std::size_t memory = 0);

}  // namespace dualkpca
