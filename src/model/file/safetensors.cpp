#include "model/file/safetensors.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <string_view>

#include "core/names.hpp"
#include "data/io/input_file.hpp"
#include "data/io/text.hpp"
#include "dualkpca/core/errors.hpp"
#include "dualkpca/data/write.hpp"
#include "model/file/json.hpp"

namespace dualkpca {
namespace {

static_assert(std::endian::native == std::endian::little, "model files are little-endian, and so must be the machine");

constexpr std::string_view format_name = "dualkpca";
constexpr int first_version = 1, format_version = 2;  // the version of most files, and the latest
constexpr std::string_view no_checksum = "00000000";
constexpr std::size_t length_bytes = 8;
constexpr std::size_t alignment = 64;                // alignment of the first array: a cache line
constexpr std::size_t longest_header = 100'000'000;  // the limit of the safetensors format

[[noreturn]] void fail(const std::string& path, std::string_view problem) {
  throw DataError(fmt::format("{}: {}", printable_path(path), problem));
}

// A device may have no end, and a pipe cannot be mapped.
void require_regular(const std::string& path) {
  std::error_code error;
  const auto type = std::filesystem::status(path, error).type();
  if (!error && type != std::filesystem::file_type::regular && type != std::filesystem::file_type::directory &&
      type != std::filesystem::file_type::not_found)
    fail(path, "is not a regular file; a model must be one");
}

std::string digits(uLong crc) { return fmt::format("{:08x}", crc); }

uLong crc_of(uLong crc, const void* bytes, std::size_t count) {
  // An empty array may have a null pointer, for which zlib would restart the checksum.
  return count == 0 ? crc : crc32_z(crc, static_cast<const Bytef*>(bytes), count);
}

constexpr NameTable<ElementType, 4> type_names = {{{ElementType::float32, "F32"},
                                                   {ElementType::float64, "F64"},
                                                   {ElementType::int32, "I32"},
                                                   {ElementType::int64, "I64"}}};

std::size_t bytes_of(ElementType type) { return type == ElementType::float32 || type == ElementType::int32 ? 4 : 8; }

std::string header_text(const Metadata& metadata, const NamedTensors& tensors) {
  Json header;
  Json& meta = header["__metadata__"];
  meta["format"] = format_name;
  meta["format_version"] = std::to_string(first_version);
  meta["checksum"] = no_checksum;
  for (const auto& [key, value] : metadata) meta[key] = value;
  std::size_t offset = 0;
  for (const auto& [name, tensor] : tensors) {
    const std::size_t end = offset + tensor.bytes();
    header[name] = {
        {"dtype", name_of(type_names, tensor.type)}, {"shape", tensor.shape}, {"data_offsets", {offset, end}}};
    offset = end;
  }
  std::string text = header.dump(-1, ' ', true, Json::error_handler_t::replace);
  while ((length_bytes + text.size()) % alignment != 0) text += ' ';
  return text;
}

// Position of the digits of the checksum. Quotes inside a JSON string are escaped, so only the key itself can match.
std::size_t find_checksum(std::string_view header, std::string_view checksum) {
  constexpr std::string_view key = R"("checksum":")";
  const std::size_t at = header.find(fmt::format("{}{}\"", key, checksum));
  return at == std::string_view::npos ? at : at + key.size();
}

// Returns the header of a mapped file; fails if there is none.
std::string_view find_header(const std::string& path, std::string_view file) {
  constexpr std::string_view stranger = "is not a dualkpca model";
  std::uint64_t length = 0;
  if (file.size() < length_bytes) fail(path, stranger);
  std::memcpy(&length, file.data(), length_bytes);
  const std::string_view rest = file.substr(length_bytes);
  if (length > longest_header || (!rest.empty() && rest.front() != '{')) fail(path, stranger);
  if (length > rest.size())
    fail(path, fmt::format("is truncated: {} of at least {} bytes", file.size(), length_bytes + length));
  return rest.substr(0, length);
}

Json parse_header(const std::string& path, std::string_view text) {
  Json header = Json::parse(text, nullptr, false);
  if (!header.is_object()) fail(path, "is not a dualkpca model, or its header is damaged");
  return header;
}

Metadata read_metadata(const std::string& path, const Json& header) {
  Metadata metadata;
  if (const auto found = header.find("__metadata__"); found != header.end() && found->is_object())
    for (const auto& [key, value] : found->items())
      if (value.is_string()) metadata[key] = value.get<std::string>();
  if (metadata["format"] != format_name) fail(path, "is not a dualkpca model");
  const std::string& text = metadata["format_version"];
  int version = 0;
  std::from_chars(text.data(), text.data() + text.size(), version);
  if (version < 1) fail(path, "is damaged: it has no format version");
  if (version > format_version)
    fail(path, fmt::format("has format version {}; this program reads versions up to {}", version, format_version));
  return metadata;
}

// One array as the header declares it.
struct Entry {
  std::string name{};
  Tensor tensor{};
  std::size_t begin = 0, end = 0;
};

// Shape times element size, computed so that no header can make it overflow.
bool fills_its_bytes(const Entry& entry) {
  std::size_t bytes = bytes_of(entry.tensor.type);
  for (const std::size_t length : entry.tensor.shape)
    if (__builtin_mul_overflow(bytes, length, &bytes)) return false;
  return entry.begin <= entry.end && bytes == entry.end - entry.begin;
}

Entry read_entry(const std::string& path, const std::string& name, const Json& json) {
  Entry entry{.name = name};
  std::string type;
  try {
    type = json.at("dtype").get<std::string>();
    entry.tensor.shape = json.at("shape").get<std::vector<std::size_t>>();
    entry.begin = json.at("data_offsets").at(0).get<std::size_t>();
    entry.end = json.at("data_offsets").at(1).get<std::size_t>();
  } catch (const Json::exception&) {
    fail(path, fmt::format("is damaged: the header of array '{}' is incomplete", printable(name)));
  } catch (const InvalidArgument&) {
    fail(path, fmt::format("is damaged: the header of array '{}' has a number that is not a size", printable(name)));
  }
  try {
    entry.tensor.type = parse_name(type_names, "type", type);
  } catch (const InvalidArgument&) {
    fail(path, fmt::format("is damaged: array '{}' has type '{}'", printable(name), printable(type)));
  }
  if (!fills_its_bytes(entry))
    fail(path, fmt::format("is damaged: the shape of array '{}' does not match its bytes", printable(name)));
  if (entry.begin % bytes_of(entry.tensor.type) != 0)
    fail(path, fmt::format("is damaged: array '{}' is not aligned", printable(name)));
  return entry;
}

// The arrays of the header, found in the part of the file that follows it.
std::map<std::string, Tensor> read_tensors(const std::string& path, const Json& header, std::string_view file,
                                           std::size_t data_start) {
  std::vector<Entry> entries;
  for (const auto& [name, json] : header.items())
    if (name != "__metadata__") entries.push_back(read_entry(path, name, json));
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.begin < b.begin; });
  std::size_t end = 0;
  for (const Entry& entry : entries) {
    if (entry.begin != end) fail(path, "is damaged: its arrays overlap or leave holes");
    end = entry.end;
  }
  const std::size_t found = file.size() - data_start;
  if (found < end) fail(path, fmt::format("is truncated: {} of {} bytes", file.size(), data_start + end));
  if (found > end) fail(path, fmt::format("is damaged: {} bytes follow its last array", found - end));

  std::map<std::string, Tensor> tensors;
  for (Entry& entry : entries) {
    entry.tensor.data = file.data() + data_start + entry.begin;
    tensors.emplace(std::move(entry.name), std::move(entry.tensor));
  }
  return tensors;
}

void verify_checksum(const std::string& path, std::string_view header, const std::string& expected,
                     std::string_view file) {
  const std::size_t at =
      expected.size() == no_checksum.size() ? find_checksum(header, expected) : std::string_view::npos;
  if (at == std::string_view::npos) fail(path, "is damaged: it has no checksum");
  const std::size_t first = length_bytes + at, after = first + no_checksum.size();
  uLong crc = crc_of(0, file.data(), first);
  crc = crc_of(crc, no_checksum.data(), no_checksum.size());
  crc = crc_of(crc, file.data() + after, file.size() - after);
  if (digits(crc) != expected) fail(path, "checksum mismatch: the file is damaged");
}

}  // namespace

std::size_t Tensor::bytes() const {
  std::size_t bytes = bytes_of(type);
  for (const std::size_t length : shape) bytes *= length;
  return bytes;
}

namespace {

// Passes the bytes of a file to `write` in their order.
template <class Write>
void encode(const Metadata& metadata, NamedTensors tensors, const Write& write) {
  // Wide elements first: each array is then aligned to its element although the format forbids holes.
  std::stable_sort(tensors.begin(), tensors.end(),
                   [](const auto& a, const auto& b) { return bytes_of(a.second.type) > bytes_of(b.second.type); });
  std::string header = header_text(metadata, tensors);
  const std::uint64_t length = header.size();
  uLong crc = crc_of(crc_of(0, &length, length_bytes), header.data(), header.size());
  for (const auto& [name, tensor] : tensors) crc = crc_of(crc, tensor.data, tensor.bytes());
  header.replace(find_checksum(header, no_checksum), no_checksum.size(), digits(crc));

  write(&length, length_bytes);
  write(header.data(), header.size());
  for (const auto& [name, tensor] : tensors) write(tensor.data, tensor.bytes());
}

SafetensorsFile decode(const std::string& path, std::shared_ptr<const void> memory, std::string_view file) {
  const std::string_view text = find_header(path, file);
  const Json header = parse_header(path, text);
  SafetensorsFile result{std::move(memory), read_metadata(path, header), {}};
  const std::size_t data_start = length_bytes + text.size();
  if (data_start % sizeof(double) != 0) fail(path, "is damaged: its arrays are not aligned");
  result.tensors = read_tensors(path, header, file, data_start);
  verify_checksum(path, text, result.metadata["checksum"], file);
  return result;
}

}  // namespace

void write_safetensors(const std::string& path, const Metadata& metadata, NamedTensors tensors) {
  OutputFile file(path);
  encode(metadata, std::move(tensors), [&](const void* bytes, std::size_t count) { file.write(bytes, count); });
  file.commit();
}

std::string safetensors_bytes(const Metadata& metadata, NamedTensors tensors) {
  std::string out;
  encode(metadata, std::move(tensors),
         [&](const void* bytes, std::size_t count) { out.append(static_cast<const char*>(bytes), count); });
  return out;
}

SafetensorsFile read_safetensors(const std::string& path) {
  require_regular(path);
  const auto mapped = std::make_shared<const InputFile>(path);
  return decode(path, mapped, mapped->bytes());
}

SafetensorsFile read_safetensors(const std::string& name, std::string_view bytes) {
  // The copy is aligned for arrays of doubles.
  const std::shared_ptr<double[]> copy(new double[(bytes.size() + sizeof(double) - 1) / sizeof(double)]);
  std::memcpy(copy.get(), bytes.data(), bytes.size());
  return decode(name, copy, {reinterpret_cast<const char*>(copy.get()), bytes.size()});
}

}  // namespace dualkpca
