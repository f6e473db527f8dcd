#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dualkpca/core/types.hpp"

namespace dualkpca {

enum class ElementType { float32, float64, int32, int64 };

[[nodiscard]] constexpr ElementType element_type(Precision precision) {
  return precision == Precision::float32 ? ElementType::float32 : ElementType::float64;
}

/// A view of an array in row-major order; it does not own the memory.
struct Tensor {
  ElementType type = ElementType::float64;
  std::vector<std::size_t> shape{};
  const void* data = nullptr;

  [[nodiscard]] std::size_t bytes() const;
};

/// A number of rows, columns or entries as part of a shape.
[[nodiscard]] constexpr std::size_t length(Index n) { return static_cast<std::size_t>(n); }

using Metadata = std::map<std::string, std::string>;
using NamedTensors = std::vector<std::pair<std::string, Tensor>>;

/// A file in the safetensors layout: the length of the header in 8 bytes, the header as JSON, the arrays without holes;
/// everything little-endian. Its metadata contain `format`, `format_version` and `checksum` beside the given entries;
/// the version is 1 unless an entry gives another one.
/// The checksum is the CRC-32 of the whole file with its own eight digits taken as zeros. Throws DataError or
/// ResourceError; `path` is then unchanged.
void write_safetensors(const std::string& path, const Metadata& metadata, NamedTensors tensors);

/// The bytes of such a file.
[[nodiscard]] std::string safetensors_bytes(const Metadata& metadata, NamedTensors tensors);

struct SafetensorsFile {
  std::shared_ptr<const void> memory{};  ///< the mapped file; the tensors point into it
  Metadata metadata{};
  std::map<std::string, Tensor> tensors{};
};

/// Maps a file that write_safetensors made and verifies every byte of it. Throws DataError naming the file if it is
/// something else, truncated, damaged or of a later format version.
[[nodiscard]] SafetensorsFile read_safetensors(const std::string& path);

/// The same for bytes in memory, which are copied; messages call them `name`.
[[nodiscard]] SafetensorsFile read_safetensors(const std::string& name, std::string_view bytes);

}  // namespace dualkpca
