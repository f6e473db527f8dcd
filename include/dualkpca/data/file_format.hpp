#pragma once

#include <string_view>

namespace dualkpca {

/// csv, tsv: delimited text; npy, npz: numpy's; libsvm: "label index:value ...", sparse; mtx: Matrix Market; h5: HDF5.
enum class FileFormat { csv, tsv, npy, npz, libsvm, mtx, h5 };

[[nodiscard]] std::string_view to_string(FileFormat format);
/// Throws InvalidArgument listing the accepted names.
[[nodiscard]] FileFormat parse_file_format(std::string_view name);

}  // namespace dualkpca
