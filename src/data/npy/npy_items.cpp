#include "data/npy/npy_items.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

#include "data/io/text.hpp"
#include "dualkpca/core/errors.hpp"

namespace dualkpca {
namespace {

template <class T>
void widen(const char* bytes, std::size_t count, bool swapped, double* out) {
  for (std::size_t i = 0; i < count; ++i) {
    std::array<char, sizeof(T)> item;
    std::memcpy(item.data(), bytes + i * sizeof(T), sizeof(T));
    if (swapped) std::reverse(item.begin(), item.end());
    out[i] = static_cast<double>(std::bit_cast<T>(item));
  }
}

struct ItemType {
  std::string_view name;  // name in a dtype, after the byte order
  std::size_t bytes;
  void (*widen)(const char* bytes, std::size_t count, bool swapped, double* out);
};

template <class T>
constexpr ItemType item_type(std::string_view name) {
  return {name, sizeof(T), widen<T>};
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

bool is_swapped(std::string_view descr) {
  return descr.starts_with(std::endian::native == std::endian::little ? '>' : '<');
}

}  // namespace

std::optional<Precision> NpyItems::as_stored() const {
  if (kind != 'f' || swapped) return {};
  return bytes == bytes_of(Precision::float32) ? Precision::float32 : Precision::float64;
}

NpyItems find_items(const NpyHeader& header, const std::string& path) {
  std::string_view name = header.descr;
  name.remove_prefix(std::min(name.find_first_not_of("<>=|"), name.size()));
  for (const ItemType& type : item_types)
    if (type.name == name) return {type.bytes, is_swapped(header.descr), name.front(), type.widen};
  throw DataError(
      fmt::format("{}: the array holds {} (dtype {}); accepted are float32, float64, integers and bool, in "
                  "numpy: a.astype('float64')",
                  path, describe_kind(name.empty() ? ' ' : name.front()), in_quotes(header.descr)));
}

std::string shape_text(const NpyHeader& header) {
  return printable(fmt::format("({}{})", fmt::join(header.shape, ", "), header.shape.size() == 1 ? "," : ""));
}

void require_matrix(const NpyHeader& header, const std::string& path) {
  const std::vector<Index>& shape = header.shape;
  if (shape.size() != 2)
    throw DataError(fmt::format("{}: the array has shape {}; accepted are 2-D arrays with one sample per row{}", path,
                                shape_text(header), shape.size() == 1 ? ", in numpy: a.reshape(-1, 1)" : ""));
  if (shape[0] == 0 || shape[1] == 0)
    throw DataError(fmt::format("{}: the array has shape {}; at least one row and one column are needed", path,
                                shape_text(header)));
}

void require_data(const NpyHeader& header, const NpyItems& items, std::size_t present, const std::string& path) {
  double needed = static_cast<double>(items.bytes);
  std::size_t room = present / items.bytes;
  bool fits = true;
  for (const Index size : header.shape) {
    needed *= static_cast<double>(size);
    // The room is divided and the sizes are not multiplied, because a hostile header can declare a product that
    // overflows.
    fits = fits && static_cast<std::size_t>(size) <= room;
    room = size > 0 ? room / static_cast<std::size_t>(size) : room;
  }
  if (fits) return;
  throw DataError(
      fmt::format("{}: the file is cut short: shape {} with {} bytes per item needs {} bytes of data, "
                  "{} are there",
                  path, shape_text(header), items.bytes, needed, present));
}

}  // namespace dualkpca
