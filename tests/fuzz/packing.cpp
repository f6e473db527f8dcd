#include "packing.hpp"

#include <bzlib.h>
#include <zlib.h>

#include <algorithm>
#include <cstdint>
#include <stdexcept>

namespace dualkpca::fuzz {
namespace packing {

// The names that the reader of scipy's sparse matrices looks for are among the first.
constexpr std::string_view names[] = {"X.npy",     "data.npy", "indices.npy", "indptr.npy",  "shape.npy", "format.npy",
                                      "arr_0.npy", "row.npy",  "col.npy",     "offsets.npy", "y.npy",     "X.txt"};
constexpr int gzip_header = 16, no_header = -1;

std::string deflate_bytes(std::string_view bytes, int window) {
  z_stream stream{};
  if (deflateInit2(&stream, 1, Z_DEFLATED, window, 8, Z_DEFAULT_STRATEGY) != Z_OK)
    throw std::runtime_error("zlib does not start");
  std::string out(deflateBound(&stream, static_cast<uLong>(bytes.size())), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));  // NOLINT: zlib only reads it
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

template <class T>
void put(std::string& out, std::initializer_list<T> numbers) {
  for (const T number : numbers)
    for (std::size_t byte = 0; byte < sizeof(T); ++byte) out += static_cast<char>((number >> (8 * byte)) & 0xff);
}

// Returns the part that the local header and the directory have in common.
std::string entry_header(bool deflated, std::string_view plain, std::string_view packed, std::size_t name_bytes) {
  std::string out;
  const uLong crc = crc32_z(0, reinterpret_cast<const Bytef*>(plain.data()), plain.size());
  put<std::uint16_t>(out, {20, 0, static_cast<std::uint16_t>(deflated ? 8 : 0), 0, 33});
  put<std::uint32_t>(out, {static_cast<std::uint32_t>(plain.empty() ? 0 : crc),
                           static_cast<std::uint32_t>(packed.size()), static_cast<std::uint32_t>(plain.size())});
  put<std::uint16_t>(out, {static_cast<std::uint16_t>(name_bytes), 0});
  return out;
}

}  // namespace packing

std::string gzip(std::string_view bytes) { return packing::deflate_bytes(bytes, MAX_WBITS + packing::gzip_header); }

std::string bzip2(std::string_view bytes) {
  std::string out(bytes.size() + bytes.size() / 100 + 601, '\0');  // upper bound from bzip2's manual
  auto size = static_cast<unsigned int>(out.size());
  char* in = const_cast<char*>(bytes.data());  // NOLINT: bzip2 only reads it
  if (BZ2_bzBuffToBuffCompress(out.data(), &size, in, static_cast<unsigned int>(bytes.size()), 1, 0, 0) != BZ_OK)
    throw std::runtime_error("bzip2 does not start");
  out.resize(size);
  return out;
}

std::string zip(std::string_view bytes) {
  using namespace packing;
  std::string out, directory;
  std::uint16_t members = 0;
  while (bytes.size() >= 3 && members < 32) {
    const auto choice = static_cast<unsigned char>(bytes[0]);
    const std::size_t length = static_cast<unsigned char>(bytes[1]) + 256u * static_cast<unsigned char>(bytes[2]);
    const std::string_view name = names[(choice & 0x7f) % std::size(names)], plain = bytes.substr(3, length);
    bytes.remove_prefix(3 + plain.size());
    const bool deflated = (choice & 0x80) != 0;
    const std::string packed = deflated ? deflate_bytes(plain, no_header * MAX_WBITS) : std::string(plain);
    const std::string header = entry_header(deflated, plain, packed, name.size());
    const auto at = static_cast<std::uint32_t>(out.size());
    (out += std::string_view("PK\3\4", 4)).append(header).append(name).append(packed);
    directory.append("PK\1\2", 4);
    put<std::uint16_t>(directory, {20});
    directory += header;
    put<std::uint16_t>(directory, {0, 0, 0});
    put<std::uint32_t>(directory, {0, at});
    directory += name;
    ++members;
  }
  const auto at = static_cast<std::uint32_t>(out.size());
  (out += directory).append("PK\5\6", 4);
  put<std::uint16_t>(out, {0, 0, members, members});
  put<std::uint32_t>(out, {static_cast<std::uint32_t>(directory.size()), at});
  put<std::uint16_t>(out, {0});
  return out;
}

}  // namespace dualkpca::fuzz
