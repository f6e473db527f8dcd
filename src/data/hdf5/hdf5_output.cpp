#include "data/hdf5/hdf5_output.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>

#include "data/io/text.hpp"
#include "dualkpca/core/errors.hpp"

namespace dualkpca {
namespace {

constexpr std::size_t chunk_bytes = std::size_t{1} << 20;

// Returns properties with which the groups on the way to a name are made, too.
Hdf5Handle with_parents() {
  Hdf5Handle list(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
  H5Pset_create_intermediate_group(list.id(), 1);
  return list;
}

// Sends the rest of a file that is given up, little more than the chunks in its cache, to memory. Otherwise the library
// crashes when the program exits, because it cannot write the file to its end. (This does not help against a limit on
// the size of files, which holds for memory, too.)
void write_nowhere(hid_t file) {
  void* descriptor = nullptr;
  if (file < 0 || H5Fget_vfd_handle(file, H5P_DEFAULT, &descriptor) < 0) return;
  const int nowhere = ::memfd_create("dualkpca", MFD_CLOEXEC);
  if (nowhere < 0) return;
  ::dup2(nowhere, *static_cast<int*>(descriptor));
  ::close(nowhere);
}

const std::string& require_regular(const std::string& path) {
  if (OutputFile::is_written_directly(path))
    throw InvalidArgument(fmt::format("{}: HDF5 cannot be written to a pipe or device; give a file",
                                      path == "-" ? "standard output" : printable_path(path)));
  return path;
}

}  // namespace

Hdf5Output::Hdf5Output(const std::string& path) : shown_(printable_path(path)), target_(require_regular(path)) {
  const Hdf5Lock lock;
  errno = 0;
  handle_ = Hdf5Handle(H5Fcreate(target_.temporary().c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose);
  require(handle_.id());
}

void Hdf5Output::require(std::int64_t done) const {
  if (done >= 0) return;
  const int error = errno;
  write_nowhere(handle_.id());
  const std::string message = fmt::format("{}: cannot be written: {}", shown_,
                                          error != 0 ? std::generic_category().message(error) : "HDF5 gives no reason");
  if (error == ENOSPC || error == EDQUOT || error == EFBIG) throw ResourceError(message);
  throw DataError(message);
}

Index Hdf5Output::chunk_rows(std::size_t row_bytes) {
  return static_cast<Index>(std::max<std::size_t>(1, chunk_bytes / row_bytes));
}

Hdf5Handle Hdf5Output::make_dataset(hid_t parent, const std::string& name, hid_t type, int rank, Index cols) {
  const Hdf5Lock lock;
  errno = 0;
  const auto width = static_cast<hsize_t>(cols);
  const std::size_t item_bytes = H5Tget_size(type);
  const std::array<hsize_t, 2> none = {0, width}, unlimited = {H5S_UNLIMITED, width};
  // Very wide rows are cut, so that no chunk is too large to be held in memory.
  const auto across = std::min<hsize_t>(width, chunk_bytes / item_bytes);
  const std::array<hsize_t, 2> chunk = {static_cast<hsize_t>(chunk_rows(static_cast<std::size_t>(across) * item_bytes)),
                                        across};
  const Hdf5Handle space(H5Screate_simple(rank, none.data(), unlimited.data()), H5Sclose);
  const Hdf5Handle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  H5Pset_chunk(creation.id(), rank, chunk.data());
  H5Pset_shuffle(creation.id());
  H5Pset_deflate(creation.id(), 1);
  const Hdf5Handle links = with_parents();
  Hdf5Handle dataset(H5Dcreate2(parent, name.c_str(), type, space.id(), links.id(), creation.id(), H5P_DEFAULT),
                     H5Dclose);
  require(dataset.id());
  return dataset;
}

void Hdf5Output::append(const Hdf5Handle& dataset, hid_t type, int rank, Index have, Index count, Index cols,
                        const void* rows) {
  if (count == 0) return;
  const Hdf5Lock lock;
  errno = 0;
  const std::array<hsize_t, 2> all = {static_cast<hsize_t>(have + count), static_cast<hsize_t>(cols)};
  const std::array<hsize_t, 2> start = {static_cast<hsize_t>(have), 0};
  const std::array<hsize_t, 2> size = {static_cast<hsize_t>(count), static_cast<hsize_t>(cols)};
  require(H5Dset_extent(dataset.id(), all.data()));
  const Hdf5Handle file_space(H5Dget_space(dataset.id()), H5Sclose);
  const Hdf5Handle memory_space(H5Screate_simple(rank, size.data(), nullptr), H5Sclose);
  require(H5Sselect_hyperslab(file_space.id(), H5S_SELECT_SET, start.data(), nullptr, size.data(), nullptr));
  require(H5Dwrite(dataset.id(), type, memory_space.id(), file_space.id(), H5P_DEFAULT, rows));
}

Hdf5Handle Hdf5Output::make_group(const std::string& name) {
  const Hdf5Lock lock;
  errno = 0;
  const Hdf5Handle links = with_parents();
  Hdf5Handle group(H5Gcreate2(file(), name.c_str(), links.id(), H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
  require(group.id());
  return group;
}

void Hdf5Output::set_text(const Hdf5Handle& object, const char* name, const std::string& text) {
  const Hdf5Lock lock;
  const Hdf5Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type.id(), H5T_VARIABLE);
  H5Tset_cset(type.id(), H5T_CSET_UTF8);
  const Hdf5Handle space(H5Screate(H5S_SCALAR), H5Sclose);
  const Hdf5Handle attribute(H5Acreate2(object.id(), name, type.id(), space.id(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  const char* pointer = text.c_str();
  require(H5Awrite(attribute.id(), type.id(), static_cast<const void*>(&pointer)));
}

void Hdf5Output::set_integers(const Hdf5Handle& object, const char* name, const std::int64_t* values,
                              std::size_t count) {
  const Hdf5Lock lock;
  const hsize_t size = count;
  const Hdf5Handle space(H5Screate_simple(1, &size, nullptr), H5Sclose);
  const Hdf5Handle attribute(H5Acreate2(object.id(), name, H5T_STD_I64LE, space.id(), H5P_DEFAULT, H5P_DEFAULT),
                             H5Aclose);
  require(H5Awrite(attribute.id(), H5T_NATIVE_INT64, values));
}

void Hdf5Output::close(Hdf5Handle& object) {
  const Hdf5Lock lock;
  errno = 0;
  require(H5Fflush(handle_.id(), H5F_SCOPE_LOCAL));
  require(object.close() ? 0 : -1);
}

void Hdf5Output::commit() {
  const Hdf5Lock lock;
  errno = 0;
  require(H5Fflush(handle_.id(), H5F_SCOPE_LOCAL));
  require(handle_.close() ? 0 : -1);
  target_.commit();
}

}  // namespace dualkpca
