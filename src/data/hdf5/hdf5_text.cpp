#include "data/hdf5/hdf5_text.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <string_view>

#include "data/hdf5/hdf5_handle.hpp"

namespace dualkpca {
namespace {

constexpr std::size_t longest_text = 64;

// Place of a text of variable length: object `index` of the heap at `address`.
struct HeapReference {
  std::uint64_t address = 0;
  std::uint64_t index = 0;
  std::uint64_t length = 0;
};

std::uint64_t number(std::string_view bytes, std::size_t at, std::size_t count) {
  std::uint64_t value = 0;
  for (std::size_t i = count; i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
  return value;
}

// Widths of addresses and of lengths in a file, and the place of its address 0.
struct FileLayout {
  std::size_t address_bytes = 0, length_bytes = 0;
  hsize_t base = 0;
};

bool is_width(std::size_t bytes) { return bytes == 2 || bytes == 4 || bytes == 8; }

FileLayout layout_of(hid_t file) {
  FileLayout layout;
  const Hdf5Handle creation(H5Fget_create_plist(file), H5Pclose);
  if (!creation || H5Pget_sizes(creation.id(), &layout.address_bytes, &layout.length_bytes) < 0 ||
      H5Pget_userblock(creation.id(), &layout.base) < 0 || !is_width(layout.address_bytes) ||
      !is_width(layout.length_bytes))
    return {};
  return layout;
}

// Returns `count` bytes of the file; empty unless it has all of them.
std::string bytes_at(int file, std::uint64_t at, std::size_t count) {
  constexpr std::uint64_t largest_offset = std::uint64_t{1} << 62;
  if (at > largest_offset) return "";
  std::string bytes(count, '\0');
  std::size_t have = 0;
  while (have < count) {
    const ssize_t got = ::pread(file, bytes.data() + have, count - have, static_cast<off_t>(at + have));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return "";
    have += static_cast<std::size_t>(got);
  }
  return bytes;
}

// Leaves the bytes as they are stored. HDF5 calls it instead of its own conversion, which would look up the text.
herr_t keep_bytes(hid_t /*from*/, hid_t /*to*/, H5T_cdata_t* state, std::size_t /*count*/, std::size_t /*stride*/,
                  std::size_t /*background_stride*/, void* /*bytes*/, void* /*background*/, hid_t /*properties*/) {
  if (state->command == H5T_CONV_INIT) state->need_bkg = H5T_BKG_NO;
  return 0;
}

// Reads a reference as the file has it: length of the text, address of the heap, index of the object.
HeapReference read_reference(hid_t attribute, hid_t type, std::size_t address_bytes) {
  constexpr std::size_t length_width = 4, index_width = 4;
  const std::size_t size = length_width + address_bytes + index_width;
  if (H5Aget_storage_size(attribute) != size) return {};
  const Hdf5Handle raw(H5Tcreate(H5T_OPAQUE, size), H5Tclose);
  std::string bytes(size, '\0');
  constexpr const char* name = "dualkpca: keep a reference";
  if (!raw || H5Tregister(H5T_PERS_SOFT, name, type, raw.id(), keep_bytes) < 0) return {};
  const herr_t result = H5Aread(attribute, raw.id(), bytes.data());
  H5Tunregister(H5T_PERS_SOFT, name, type, raw.id(), keep_bytes);
  if (result < 0) return {};
  return {.address = number(bytes, length_width, address_bytes),
          .index = number(bytes, length_width + address_bytes, index_width),
          .length = number(bytes, 0, length_width)};
}

std::uint64_t aligned(std::uint64_t bytes) { return (bytes + 7) / 8 * 8; }

// Finds an object of a heap, by section III.E of the HDF5 File Format Specification 2.0. A heap is a header with its
// size, then objects, each a header (index, reference count, size) and its bytes. Object 0 is free space, and its size
// includes its header.
std::string find_object(int file, const FileLayout& layout, const HeapReference& wanted) {
  constexpr std::size_t fixed = 8;  // bytes of both headers before the size
  const std::size_t header_bytes = fixed + layout.length_bytes;
  const std::uint64_t begin = layout.base + wanted.address;
  const std::string header = bytes_at(file, begin, header_bytes);
  constexpr std::string_view signature = "GCOL\1";
  if (!header.starts_with(signature)) return "";
  const std::uint64_t size = number(header, fixed, layout.length_bytes);
  constexpr int most_heap_objects = 0x10000;  // an index has 16 bits
  std::uint64_t at = aligned(header_bytes);
  for (int i = 0; i < most_heap_objects && at < size && size - at >= aligned(header_bytes); ++i) {
    const std::string object = bytes_at(file, begin + at, header_bytes);
    if (object.empty()) return "";
    const std::uint64_t index = number(object, 0, 2), bytes = number(object, fixed, layout.length_bytes);
    const std::uint64_t room = size - at - aligned(header_bytes);
    if (index == 0 || bytes > room) return "";
    if (index == wanted.index)
      return bytes < wanted.length ? "" : bytes_at(file, begin + at + aligned(header_bytes), wanted.length);
    at += aligned(header_bytes) + aligned(bytes);
  }
  return "";
}

std::string read_variable(hid_t object, hid_t attribute, hid_t type) {
  const Hdf5Handle file(H5Iget_file_id(object), H5Fclose);
  const FileLayout layout = file ? layout_of(file.id()) : FileLayout{};
  if (layout.address_bytes == 0) return "";
  const HeapReference reference = read_reference(attribute, type, layout.address_bytes);
  if (reference.length == 0 || reference.length > longest_text) return "";
  void* descriptor = nullptr;
  if (H5Fget_vfd_handle(file.id(), H5P_DEFAULT, &descriptor) < 0 || descriptor == nullptr) return "";
  return find_object(*static_cast<const int*>(descriptor), layout, reference);
}

std::string read_fixed(hid_t attribute, hid_t type) {
  const Hdf5Handle memory(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_cset(memory.id(), H5Tget_cset(type));
  std::string text(longest_text, '\0');
  H5Tset_size(memory.id(), text.size());
  return H5Aread(attribute, memory.id(), text.data()) < 0 ? "" : text;
}

}  // namespace

std::string read_hdf5_text(hid_t object, const char* name) {
  if (H5Aexists(object, name) <= 0) return "";
  const Hdf5Handle attribute(H5Aopen(object, name, H5P_DEFAULT), H5Aclose);
  const Hdf5Handle type(H5Aget_type(attribute.id()), H5Tclose);
  const Hdf5Handle space(H5Aget_space(attribute.id()), H5Sclose);
  if (!type || H5Tget_class(type.id()) != H5T_STRING || H5Sget_simple_extent_npoints(space.id()) != 1) return "";
  const std::string text = H5Tis_variable_str(type.id()) > 0 ? read_variable(object, attribute.id(), type.id())
                                                             : read_fixed(attribute.id(), type.id());
  return text.substr(0, text.find('\0'));
}

}  // namespace dualkpca
