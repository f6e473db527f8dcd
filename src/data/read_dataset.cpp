#include <fmt/format.h>

#include <filesystem>
#include <limits>

#include "data/file_format.hpp"
#include "data/io/input_file.hpp"
#include "data/io/text.hpp"
#include "data/streams.hpp"
#include "dualkpca/core/errors.hpp"
#include "dualkpca/data/member_path.hpp"
#include "dualkpca/data/read.hpp"

namespace dualkpca {
namespace {

constexpr std::string_view standard_input = "-";

// Returns whether the file is a pipe or a device, whose name gives no format.
bool is_nameless(const std::string& file) {
  std::error_code missing;
  return file == standard_input || file.starts_with("/dev/") || std::filesystem::is_fifo(file, missing);
}

FileFormat find_format(const std::string& file, const std::string& shown) {
  const std::string bare = strip_compression(file);
  const std::optional<FileFormat> format = format_of(bare);
  if (!format && is_nameless(file)) return FileFormat::csv;
  if (!format)
    throw DataError(fmt::format("{}: the extension names no known format; accepted: {}", shown, accepted_extensions));
  if (bare != file && !is_text(*format))
    throw DataError(fmt::format("{}: only text may be compressed: .csv, .tsv, .libsvm, .svm, .svmlight, .mtx", shown));
  return *format;
}

std::string_view kind_of(FileFormat format) {
  switch (format) {
    case FileFormat::npy: return "an NPY file";
    case FileFormat::npz: return "an NPZ file";
    case FileFormat::libsvm: return "a LIBSVM file";
    case FileFormat::mtx: return "a Matrix Market file";
    case FileFormat::h5: return "an HDF5 file";
    default: return "a text file";
  }
}

// Returns the format of a file, after a check that the file exists and that its format can have the given columns.
FileFormat checked_format(const std::string& path, const ReadOptions& options) {
  const std::string shown = shown_path(path);
  const std::string file = split_member_path(path).file;
  if (file != standard_input) require_file(file);  // "no such file" says more about a mistyped path than its extension
  const FileFormat format = options.format ? *options.format : find_format(file, shown);
  const bool has_columns = format == FileFormat::csv || format == FileFormat::tsv;
  if (!has_columns && (options.label_col || options.id_col))
    throw InvalidArgument(fmt::format("{}: {} is for .csv and .tsv: {} has no named columns", shown,
                                      options.label_col ? "label_col" : "id_col", kind_of(format)));
  return format;
}

std::unique_ptr<DataStream> open_as(FileFormat format, const std::string& path, const ReadOptions& options) {
  switch (format) {
    case FileFormat::csv: return open_csv(path, ',', options);
    case FileFormat::tsv: return open_csv(path, '\t', options);
    case FileFormat::npy: return open_npy(path, options);
    case FileFormat::npz: return open_npz(path, options);
    case FileFormat::libsvm: return open_libsvm(path, options);
    case FileFormat::mtx: return open_mtx(path, options);
    case FileFormat::h5: break;
  }
  return open_hdf5(path, options);
}

Dataset whole_matrix(DataStream& stream) {
  Dataset data = stream.next(std::numeric_limits<Index>::max());
  const SamplesView& view = data.samples.view();
  const auto items = static_cast<std::size_t>(view.nonzeros()), rows = static_cast<std::size_t>(view.rows());
  data.bytes = items * sizeof(double) + (view.is_sparse() ? items * sizeof(std::int32_t) + rows * sizeof(Index) : 0);
  return data;
}

}  // namespace

const std::vector<std::string>& DataStream::feature_names() const {
  static const std::vector<std::string> none;
  return none;
}

std::unique_ptr<DataStream> open_dataset(const std::string& path, const ReadOptions& options) {
  return open_as(checked_format(path, options), path, options);
}

Dataset read_dataset(const std::string& path, const ReadOptions& options) {
  const FileFormat format = checked_format(path, options);
  if (format == FileFormat::npy && path != standard_input) return read_npy(path, options.memory);
  const std::unique_ptr<DataStream> stream = open_as(format, path, options);
  // This stream holds the whole matrix, because its entries come in any order. Joining blocks would hold it twice.
  if (format == FileFormat::mtx) return whole_matrix(*stream);
  return collect(*stream, path, options.memory);
}

}  // namespace dualkpca
