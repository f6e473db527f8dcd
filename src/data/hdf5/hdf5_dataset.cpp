#include "data/hdf5/hdf5_dataset.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>

#include "data/hdf5/hdf5_links.hpp"
#include "data/io/text.hpp"
#include "dualkpca/core/errors.hpp"

namespace dualkpca {
namespace {

std::string_view describe_class(H5T_class_t type) {
  switch (type) {
    case H5T_STRING: return "text";
    case H5T_COMPOUND: return "records (a compound type)";
    case H5T_ENUM: return "an enumeration";
    case H5T_VLEN: return "lists of varying length";
    case H5T_REFERENCE: return "references";
    case H5T_ARRAY: return "arrays";
    case H5T_BITFIELD: return "bit fields";
    case H5T_OPAQUE: return "raw bytes";
    case H5T_TIME: return "times";
    default: return "items of an unknown type";
  }
}

// Returns whether the type is an enumeration of two, as h5py stores bool.
bool is_bool(hid_t type) { return H5Tget_class(type) == H5T_ENUM && H5Tget_nmembers(type) == 2; }

bool is_number(hid_t type) {
  const H5T_class_t kind = H5Tget_class(type);
  return kind == H5T_INTEGER || kind == H5T_FLOAT || is_bool(type);
}

// Returns whether all bits of a type are inside its bytes. A damaged type may have its exponent outside of them, and
// libhdf5 then reads bytes of the next number.
bool fits_its_bytes(hid_t type) {
  const std::size_t bits = 8 * H5Tget_size(type);
  const int offset = H5Tget_offset(type);
  if (offset < 0 || static_cast<std::size_t>(offset) + H5Tget_precision(type) > bits) return false;
  if (H5Tget_class(type) != H5T_FLOAT) return true;
  std::size_t sign = 0, exponent = 0, exponent_bits = 0, mantissa = 0, mantissa_bits = 0;
  return H5Tget_fields(type, &sign, &exponent, &exponent_bits, &mantissa, &mantissa_bits) >= 0 && sign < bits &&
         exponent + exponent_bits <= bits && mantissa + mantissa_bits <= bits;
}

std::string_view filter_name(H5Z_filter_t filter) {
  switch (filter) {
    case H5Z_FILTER_SZIP: return "szip";
    case 307: return "bzip2";
    case 32000: return "lzf";
    case 32001: return "blosc";
    case 32004: return "lz4";
    case 32008: return "bitshuffle";
    case 32013: return "zfp";
    case 32015: return "zstd";
    case 32026: return "blosc2";
    default: return "not a common one";
  }
}

std::vector<hsize_t> sizes_of(hid_t space) {
  const int rank = H5Sget_simple_extent_ndims(space);
  std::vector<hsize_t> sizes(static_cast<std::size_t>(std::max(rank, 0)));
  if (rank > 0) H5Sget_simple_extent_dims(space, sizes.data(), nullptr);
  return sizes;
}

std::string shape_of(const std::vector<hsize_t>& sizes) {
  return printable(fmt::format("({}{})", fmt::join(sizes, ", "), sizes.size() == 1 ? "," : ""));
}

}  // namespace

std::string hdf5_shape_text(hid_t space) { return shape_of(sizes_of(space)); }

bool holds_numbers(hid_t dataset) {
  const Hdf5Handle type(H5Dget_type(dataset), H5Tclose);
  return type && is_number(type.id());
}

Hdf5Dataset::Hdf5Dataset(hid_t parent, const std::string& path, const std::string& name, std::size_t rank)
    : name_(name) {
  const Hdf5Lock lock;
  const Hdf5Handle links = local_links(H5P_DATASET_ACCESS);
  dataset_ = Hdf5Handle(H5Dopen2(parent, path.c_str(), links.id()), H5Dclose);
  if (!dataset_) require_local_links(name);
  if (!dataset_) fail("cannot be opened: the file is damaged, or this is not a dataset");
  require_numbers();
  const Hdf5Handle space(H5Dget_space(dataset_.id()), H5Sclose);
  sizes_ = sizes_of(space.id());
  if (sizes_.size() != rank)
    fail(fmt::format("has shape {}; accepted are {}-D arrays{}", shape_of(sizes_), rank,
                     rank == 1            ? ""
                     : sizes_.size() == 1 ? " with one sample per row, in numpy: a.reshape(-1, 1)"
                                          : " with one sample per row"));
  if (rank == 2 && (sizes_[0] == 0 || sizes_[1] == 0))
    fail(fmt::format("has shape {}; at least one row and one column are needed", shape_of(sizes_)));
  const Hdf5Handle creation(H5Dget_create_plist(dataset_.id()), H5Pclose);
  require_filters(creation.id());
  require_data(creation.id());
  open_with_cache(parent, path, creation.id());
}

void Hdf5Dataset::fail(const std::string& reason) const { throw DataError(fmt::format("{}: {}", name_, reason)); }

void Hdf5Dataset::require_numbers() {
  const Hdf5Handle type(H5Dget_type(dataset_.id()), H5Tclose);
  if (!type) fail("the file is damaged: its type cannot be read");
  const H5T_class_t kind = H5Tget_class(type.id());
  if (!is_number(type.id()))
    fail(fmt::format("holds {}; accepted are floats, integers and bool", describe_class(kind)));
  if (!fits_its_bytes(type.id())) fail("the file is damaged: its type has bits outside of its bytes");
  item_bytes_ = H5Tget_size(type.id());
  is_integer_ = kind == H5T_INTEGER;
  precision_ = kind == H5T_FLOAT && item_bytes_ == sizeof(float) ? Precision::float32 : Precision::float64;
}

void Hdf5Dataset::require_filters(hid_t creation) const {
  const int count = H5Pget_nfilters(creation);
  for (int i = 0; i < count; ++i) {
    unsigned flags = 0;
    std::size_t values = 0;
    const H5Z_filter_t filter =
        H5Pget_filter2(creation, static_cast<unsigned>(i), &flags, &values, nullptr, 0, nullptr, nullptr);
    if (filter < 0 || H5Zfilter_avail(filter) <= 0)
      fail(
          fmt::format("is compressed with filter {} ({}), which this HDF5 library does not have; rewrite it with "
                      "gzip: h5repack -f GZIP=1 IN OUT, or in h5py: compression='gzip'",
                      filter, filter_name(filter)));
  }
}

// Throws unless the declared data are in the file: a few bytes can declare more data than any disk holds.
void Hdf5Dataset::require_data(hid_t creation) const {
  const H5D_layout_t layout = H5Pget_layout(creation);
  if (layout == H5D_VIRTUAL || H5Pget_external_count(creation) > 0)
    fail("has its data in other files; accepted are datasets with their data in the file itself");
  double declared = static_cast<double>(item_bytes_);
  for (const hsize_t size : sizes_) declared *= static_cast<double>(size);
  if (declared == 0) return;
  const auto stored = static_cast<double>(H5Dget_storage_size(dataset_.id()));
  // Chunks that were never written are read as a fill value. gzip expands a byte to at most 1032, other filters to
  // more.
  bool only_gzip = true;
  for (int i = 0; i < H5Pget_nfilters(creation); ++i) {
    unsigned flags = 0;
    std::size_t values = 0;
    const H5Z_filter_t filter =
        H5Pget_filter2(creation, static_cast<unsigned>(i), &flags, &values, nullptr, 0, nullptr, nullptr);
    only_gzip =
        only_gzip && (filter == H5Z_FILTER_DEFLATE || filter == H5Z_FILTER_SHUFFLE || filter == H5Z_FILTER_FLETCHER32);
  }
  const double believable = layout != H5D_CHUNKED ? 1 : only_gzip ? 1100 : 1e5;
  constexpr double small = 16 << 20;  // chunks are larger than a small array, which may hold zeros alone
  const bool is_huge = layout != H5D_CHUNKED || declared > small;
  if (stored == 0 || (is_huge && declared > stored * believable))
    fail(
        fmt::format("declares shape {}, that is {} bytes, and {} are stored; the data were never written or are cut "
                    "short",
                    shape_of(sizes_), declared, stored));
}

// Opens the dataset with room for all chunks of a row of chunks, so that reads across their borders decompress no chunk
// twice.
void Hdf5Dataset::open_with_cache(hid_t parent, const std::string& path, hid_t creation) {
  if (H5Pget_layout(creation) != H5D_CHUNKED) return;
  std::vector<hsize_t> chunk(sizes_.size(), 1);
  H5Pget_chunk(creation, static_cast<int>(chunk.size()), chunk.data());
  chunk_rows_ = static_cast<Index>(std::clamp<hsize_t>(chunk[0], 1, sizes_[0] > 0 ? sizes_[0] : 1));
  double chunk_bytes = static_cast<double>(item_bytes_);
  for (const hsize_t size : chunk) chunk_bytes *= static_cast<double>(size);
  constexpr double largest_chunk = std::size_t{128} << 20;  // as much as is read at once
  if (H5Pget_nfilters(creation) > 0 && chunk_bytes > largest_chunk)
    fail(
        fmt::format("has compressed chunks of {} bytes; at most {} are accepted: rewrite it, h5repack -l CHUNK=1000x{}",
                    chunk_bytes, largest_chunk, sizes_.back()));
  const hsize_t chunks_across = sizes_.size() < 2 ? 1 : std::max<hsize_t>(1, (sizes_[1] + chunk[1] - 1) / chunk[1]);
  const auto across = static_cast<double>(chunks_across);
  constexpr double least = 1 << 20, most = 64 << 20;
  const Hdf5Handle access = local_links(H5P_DATASET_ACCESS);
  constexpr std::size_t slots = 12421;  // a prime, many times the chunks the cache holds
  H5Pset_chunk_cache(access.id(), slots, static_cast<std::size_t>(std::clamp(2 * across * chunk_bytes, least, most)),
                     1.0);
  dataset_ = Hdf5Handle(H5Dopen2(parent, path.c_str(), access.id()), H5Dclose);
  if (!dataset_) fail("cannot be opened: the file is damaged");
}

void Hdf5Dataset::read(Index first, Index count, hid_t type, void* out) const {
  const Hdf5Lock lock;
  std::vector<hsize_t> start(sizes_.size(), 0), size = sizes_;
  start[0] = static_cast<hsize_t>(first);
  size[0] = static_cast<hsize_t>(count);
  const Hdf5Handle file_space(H5Dget_space(dataset_.id()), H5Sclose);
  const Hdf5Handle memory_space(H5Screate_simple(static_cast<int>(size.size()), size.data(), nullptr), H5Sclose);
  if (H5Sselect_hyperslab(file_space.id(), H5S_SELECT_SET, start.data(), nullptr, size.data(), nullptr) >= 0 &&
      H5Dread(dataset_.id(), type, memory_space.id(), file_space.id(), H5P_DEFAULT, out) >= 0)
    return;
  fail(fmt::format("the {} from {} on cannot be read: the file is damaged or cut short",
                   sizes_.size() == 2 ? "rows" : "items", first + 1));
}

}  // namespace dualkpca
