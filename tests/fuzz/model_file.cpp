#include "model_file.hpp"

#include <zlib.h>

#include <algorithm>
#include <cstdio>
#include <cstring>

namespace dualkpca::fuzz {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t length_bytes = 8;
constexpr std::size_t alignment = 64;
constexpr std::string_view checksum_key = R"("checksum":")";
constexpr std::size_t checksum_digits = 8;

std::string_view header_of(std::string_view bytes) {
  std::uint64_t length = 0;
  if (bytes.size() < length_bytes) return {};
  std::memcpy(&length, bytes.data(), length_bytes);
  return length > bytes.size() - length_bytes ? std::string_view{} : bytes.substr(length_bytes, length);
}

bool parse_array(const std::string& name, const Json& json, std::string_view data, ModelArray& array) {
  try {
    array = {name, json.at("dtype"), json.at("shape"), ""};
    const std::uint64_t begin = json.at("data_offsets").at(0), end = json.at("data_offsets").at(1);
    if (begin > end || end > data.size()) return false;
    array.bytes = data.substr(begin, end - begin);
  } catch (const Json::exception&) {
    return false;
  }
  std::uint64_t bytes = element_bytes(array.type);
  for (const std::uint64_t length : array.shape)
    if (__builtin_mul_overflow(bytes, length, &bytes)) return false;
  return !array.shape.empty() && array.shape.size() <= 2 && bytes == array.bytes.size();
}

}  // namespace

std::size_t element_bytes(const std::string& type) { return type == "F32" || type == "I32" ? 4 : 8; }

std::optional<ModelFile> parse_model(std::string_view bytes) {
  const std::string_view text = header_of(bytes);
  const Json header = Json::parse(text, nullptr, false);
  if (!header.is_object() || !header.contains("__metadata__") || !header["__metadata__"].is_object()) return {};
  const std::string_view data = bytes.substr(length_bytes + text.size());
  ModelFile file{header["__metadata__"], {}};
  for (const auto& [name, json] : header.items()) {
    ModelArray array;
    if (name != "__metadata__" && parse_array(name, json, data, array)) file.arrays.push_back(std::move(array));
  }
  return file;
}

std::string assemble(const ModelFile& file) {
  std::vector<ModelArray> arrays = file.arrays;
  std::stable_sort(arrays.begin(), arrays.end(), [](const ModelArray& a, const ModelArray& b) {
    return element_bytes(a.type) > element_bytes(b.type);  // wide elements come first, so that all are aligned
  });
  Json header;
  header["__metadata__"] = file.metadata;
  header["__metadata__"]["checksum"] = std::string(checksum_digits, '0');
  std::string data;
  for (const ModelArray& array : arrays) {
    header[array.name] = {{"dtype", array.type},
                          {"shape", array.shape},
                          {"data_offsets", {data.size(), data.size() + array.bytes.size()}}};
    data += array.bytes;
  }
  std::string text = header.dump(-1, ' ', true, Json::error_handler_t::replace);
  while ((length_bytes + text.size()) % alignment != 0) text += ' ';
  const std::uint64_t length = text.size();
  std::string bytes(length_bytes, '\0');
  std::memcpy(bytes.data(), &length, length_bytes);
  bytes += text + data;
  renew_checksum(bytes);
  return bytes;
}

void renew_checksum(std::string& bytes) {
  const std::size_t found = header_of(bytes).find(checksum_key);
  if (found == std::string_view::npos) return;
  const std::size_t at = length_bytes + found + checksum_key.size();
  if (bytes.size() < at + checksum_digits) return;
  bytes.replace(at, checksum_digits, checksum_digits, '0');
  char digits[checksum_digits + 1];
  const uLong crc = crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size());
  std::snprintf(digits, sizeof digits, "%08lx", crc);
  bytes.replace(at, checksum_digits, digits);
}

}  // namespace dualkpca::fuzz
