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
  std::vector<std::uint64_t> shape{};  ///< of one or two dimensions, as all arrays of a model are
  std::string bytes{};                 ///< as many as the shape says
};

[[nodiscard]] std::size_t element_bytes(const std::string& type);

/// A model file taken apart, so that a change of one part does not spoil the others.
struct ModelFile {
  nlohmann::ordered_json metadata{};
  std::vector<ModelArray> arrays{};
};

/// Nothing if the bytes do not have the layout of a model file.
[[nodiscard]] std::optional<ModelFile> parse_model(std::string_view bytes);

/// The bytes of the file, with their checksum.
[[nodiscard]] std::string assemble(const ModelFile& file);

/// Puts the right checksum into a file whose bytes were changed, if it still has a place for one.
void renew_checksum(std::string& bytes);

}  // namespace dualkpca::fuzz
