#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <memory>

#include "data/input_file.hpp"
#include "data/npy_header.hpp"
#include "data/text.hpp"
#include "dualkpca/core/errors.hpp"
#include "dualkpca/data/read.hpp"

namespace dualkpca {
namespace {

template <class T>
void convert(const char* bytes, std::size_t count, bool swapped, double* out) {
  for (std::size_t i = 0; i < count; ++i) {
    std::array<char, sizeof(T)> item;
    std::memcpy(item.data(), bytes + i * sizeof(T), sizeof(T));
    if (swapped) std::reverse(item.begin(), item.end());
    out[i] = static_cast<double>(std::bit_cast<T>(item));
  }
}

struct ItemType {
  std::string_view name;  // as in a dtype, after the byte order
  std::size_t bytes;
  void (*convert)(const char* bytes, std::size_t count, bool swapped, double* out);
};

template <class T>
constexpr ItemType item_type(std::string_view name) {
  return {name, sizeof(T), convert<T>};
}

constexpr std::array item_types = {
    item_type<float>("f4"),         item_type<double>("f8"),        item_type<std::int8_t>("i1"),
    item_type<std::int16_t>("i2"),  item_type<std::int32_t>("i4"),  item_type<std::int64_t>("i8"),
    item_type<std::uint8_t>("u1"),  item_type<std::uint16_t>("u2"), item_type<std::uint32_t>("u4"),
    item_type<std::uint64_t>("u8"), item_type<std::uint8_t>("b1"),
};

std::string_view describe_kind(char kind) {
  switch (kind) {
    case 'O': return "Python objects";
    case 'c': return "complex numbers";
    case 'S':
    case 'U': return "text";
    case 'V': return "raw records";
    case 'M':
    case 'm': return "dates or times";
    case 'f': return "floats of another width";
    default: return "items of an unknown type";
  }
}

// Whether the items are in the byte order that this machine does not use.
bool is_swapped(std::string_view descr) {
  return descr.starts_with(std::endian::native == std::endian::little ? '>' : '<');
}

const ItemType& find_type(std::string_view descr, const std::string& path) {
  std::string_view name = descr;
  name.remove_prefix(std::min(name.find_first_not_of("<>=|"), name.size()));
  for (const ItemType& type : item_types)
    if (type.name == name) return type;
  throw DataError(
      fmt::format("{}: the array holds {} (dtype {}); accepted are float32, float64, integers and bool, in "
                  "numpy: a.astype('float64')",
                  path, describe_kind(name.empty() ? ' ' : name.front()), quoted(descr)));
}

void require_matrix(const NpyHeader& header, const std::string& path) {
  const std::vector<Index>& shape = header.shape;
  const std::string shown = fmt::format("({}{})", fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
  if (shape.size() != 2)
    throw DataError(fmt::format("{}: the array has shape {}; accepted are 2-D arrays with one sample per row{}", path,
                                printable(shown), shape.size() == 1 ? ", in numpy: a.reshape(-1, 1)" : ""));
  if (shape[0] == 0 || shape[1] == 0)
    throw DataError(fmt::format("{}: the array has shape {}; at least one row and one column are needed", path, shown));
}

// Rows times columns; throws unless the file has that many items.
std::size_t count_items(const NpyHeader& header, std::size_t item_bytes, std::size_t file_bytes,
                        const std::string& path) {
  const auto rows = static_cast<std::size_t>(header.shape[0]), cols = static_cast<std::size_t>(header.shape[1]);
  const std::size_t present = file_bytes - header.data_offset;
  // Divided, not multiplied: a hostile header can declare a product that overflows.
  if (rows <= present / item_bytes / cols) return rows * cols;
  throw DataError(
      fmt::format("{}: the file is cut short: shape ({}, {}) with {} bytes per item needs {} bytes of data, "
                  "{} are there",
                  path, rows, cols, item_bytes,
                  static_cast<double>(rows) * static_cast<double>(cols) * static_cast<double>(item_bytes), present));
}

}  // namespace

Dataset read_npy(const std::string& path) {
  const std::string shown_path = printable(path, 300);
  const auto file = std::make_shared<const InputFile>(path);
  const NpyHeader header = parse_npy_header(file->bytes(), shown_path);
  const ItemType& type = find_type(header.descr, shown_path);
  require_matrix(header, shown_path);
  const std::size_t count = count_items(header, type.bytes, file->bytes().size(), shown_path);

  const Index rows = header.shape[0], cols = header.shape[1];
  const Index row_stride = header.fortran_order ? 1 : cols, col_stride = header.fortran_order ? rows : 1;
  const char* data = file->bytes().data() + header.data_offset;
  const bool is_aligned = reinterpret_cast<std::uintptr_t>(data) % type.bytes == 0;
  const bool swapped = is_swapped(header.descr);
  if (type.name.starts_with('f') && !swapped && is_aligned) {
    const Precision precision = type.bytes == bytes_of(Precision::float32) ? Precision::float32 : Precision::float64;
    return {.samples = Samples(file, SamplesView(data, precision, rows, cols, row_stride, col_stride))};
  }
  const auto numbers = std::make_shared_for_overwrite<double[]>(count);
  type.convert(data, count, swapped, numbers.get());
  const SamplesView view(numbers.get(), Precision::float64, rows, cols, row_stride, col_stride);
  return {.samples = Samples(numbers, view)};
}

}  // namespace dualkpca
