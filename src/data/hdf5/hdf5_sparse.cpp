#include "data/hdf5/hdf5_sparse.hpp"

#include <fmt/format.h>

#include "data/csr_stream.hpp"
#include "data/hdf5/hdf5_dataset.hpp"
#include "data/hdf5/hdf5_links.hpp"
#include "data/hdf5/hdf5_text.hpp"
#include "data/io/text.hpp"
#include "dualkpca/core/errors.hpp"

namespace dualkpca {
namespace {

bool read_shape(hid_t group, const char* name, Index sizes[2]) {
  if (H5Aexists(group, name) <= 0) return false;
  const Hdf5Handle attribute(H5Aopen(group, name, H5P_DEFAULT), H5Aclose);
  const Hdf5Handle space(H5Aget_space(attribute.id()), H5Sclose);
  return H5Sget_simple_extent_npoints(space.id()) == 2 && H5Aread(attribute.id(), H5T_NATIVE_INT64, sizes) >= 0;
}

class Hdf5Csr : public CsrSource {
 public:
  Hdf5Csr(std::shared_ptr<Hdf5Handle> file, hid_t group, const std::string& name)
      : file_(std::move(file)),
        offsets_(group, "indptr", name + "/indptr", 1),
        columns_(group, "indices", name + "/indices", 1),
        values_(group, "data", name + "/data", 1) {
    for (const Hdf5Dataset* part : {&offsets_, &columns_})
      if (!part->is_integer()) throw DataError(fmt::format("{}: must hold integers", part->name()));
  }

  [[nodiscard]] CsrShape shape(Index rows, Index cols) const {
    if (rows < 0 || offsets_.size(0) - 1 != rows)
      throw DataError(fmt::format("{}: has {} items; {} rows need {}", offsets_.name(), offsets_.size(0), rows,
                                  static_cast<double>(rows) + 1));
    if (columns_.size(0) != values_.size(0))
      throw DataError(fmt::format("{}: has {} items, and indices has {}; both must have one per entry", values_.name(),
                                  values_.size(0), columns_.size(0)));
    return {rows, cols, values_.size(0), values_.precision()};
  }

  void read_offsets(std::size_t count, Index* out) override {
    read(offsets_, offset_at_, count, H5T_NATIVE_INT64, out);
  }
  void read_columns(std::size_t count, Index* out) override {
    read(columns_, column_at_, count, H5T_NATIVE_INT64, out);
  }
  void read_values(std::size_t count, float* out) override { read(values_, value_at_, count, H5T_NATIVE_FLOAT, out); }
  void read_values(std::size_t count, double* out) override { read(values_, value_at_, count, H5T_NATIVE_DOUBLE, out); }

 private:
  static void read(const Hdf5Dataset& from, Index& at, std::size_t count, hid_t type, void* out) {
    const auto items = static_cast<Index>(count);
    if (items > 0) from.read(at, items, type, out);
    at += items;
  }

  std::shared_ptr<Hdf5Handle> file_;
  Hdf5Dataset offsets_, columns_, values_;
  Index offset_at_ = 0, column_at_ = 0, value_at_ = 0;
};

}  // namespace

std::string sparse_encoding(hid_t group) {
  std::string encoding = read_hdf5_text(group, "encoding-type");
  if (encoding.ends_with("_matrix")) return encoding;
  const std::string format = read_hdf5_text(group, "h5sparse_format");  // before anndata 0.7
  return format.empty() ? "" : format + "_matrix";
}

std::unique_ptr<DataStream> open_sparse_group(std::shared_ptr<Hdf5Handle> file, const std::string& path,
                                              const std::string& name, const Observer& observe) {
  static_assert(sizeof(Index) == sizeof(std::int64_t), "offsets are read as 64-bit integers");
  const Hdf5Lock lock;
  const Hdf5Handle links = local_links(H5P_GROUP_ACCESS);
  const Hdf5Handle group(H5Gopen2(file->id(), path.c_str(), links.id()), H5Gclose);
  const std::string encoding = sparse_encoding(group.id());
  if (encoding != "csr_matrix")
    throw DataError(
        fmt::format("{}: a sparse matrix in encoding {}; accepted is csr_matrix, in Python: "
                    "adata.X = adata.X.tocsr(); adata.write_h5ad(file)",
                    name, in_quotes(encoding)));
  Index sizes[2] = {0, 0};
  if (!read_shape(group.id(), "shape", sizes) && !read_shape(group.id(), "h5sparse_shape", sizes))
    throw DataError(fmt::format("{}: a sparse matrix without the attribute 'shape', two integers", name));
  for (const char* part : {"indptr", "indices", "data"})
    if (H5Lexists(group.id(), part, H5P_DEFAULT) <= 0)
      throw DataError(fmt::format("{}: a sparse matrix without its dataset '{}'", name, part));
  auto source = std::make_unique<Hdf5Csr>(std::move(file), group.id(), name);
  require_csr_shape(sizes[0], sizes[1], name);
  const CsrShape shape = source->shape(sizes[0], sizes[1]);
  return stream_csr(std::move(source), shape, name, observe);
}

}  // namespace dualkpca
