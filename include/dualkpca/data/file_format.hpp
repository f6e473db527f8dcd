#pragma once

#include <string_view>

namespace dualkpca {

/// Format of a data file. csv, tsv: delimited text; npy, npz: the formats of NumPy; libsvm: sparse rows as text,
/// "label index:value ..."; mtx: Matrix Market; h5: HDF5.
enum class FileFormat { csv, tsv, npy, npz, libsvm, mtx, h5 };

[[nodiscard]] std::string_view to_string(FileFormat format);
/// Throws InvalidArgument listing the accepted names.
[[nodiscard]] FileFormat parse_file_format(std::string_view name);

}  // namespace dualkpca
