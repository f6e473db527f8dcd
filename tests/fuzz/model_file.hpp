#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dualkpca::fuzz {

/// One array of a model file.
struct ModelArray {
  std::string name{};
  std::string type{};                  ///< "F32", "F64", "I32" or "I64"
  std::vector<std::uint64_t> shape{};  ///< one or two dimensions, as in all arrays of a model
  std::string bytes{};                 ///< the elements, as many bytes as type and shape need
};

[[nodiscard]] std::size_t element_bytes(const std::string& type);

/// The parts of a model file, so that a change of one part does not spoil the others.
struct ModelFile {
  nlohmann::ordered_json metadata{};
  std::vector<ModelArray> arrays{};
};

/// Returns the parts of a file, or nothing if the bytes do not have the layout of a model file.
[[nodiscard]] std::optional<ModelFile> parse_model(std::string_view bytes);

/// Returns the bytes of the file, with their checksum.
[[nodiscard]] std::string assemble(const ModelFile& file);

/// Writes the right checksum into a file whose bytes were changed, if it still has a checksum field.
void renew_checksum(std::string& bytes);

}  // namespace dualkpca::fuzz
