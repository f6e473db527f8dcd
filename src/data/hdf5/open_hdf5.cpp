#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "data/hdf5/hdf5_candidates.hpp"
#include "data/hdf5/hdf5_dataset.hpp"
#include "data/hdf5/hdf5_handle.hpp"
#include "data/hdf5/hdf5_links.hpp"
#include "data/hdf5/hdf5_sparse.hpp"
#include "data/io/input_file.hpp"
#include "data/io/memory_check.hpp"
#include "data/io/read_progress.hpp"
#include "data/io/text.hpp"
#include "data/streams.hpp"
#include "dualkpca/core/errors.hpp"
#include "dualkpca/data/member_path.hpp"

namespace dualkpca {
namespace {

// Rows are read in slabs of whole chunks, so that no chunk is decompressed twice, and given out in blocks.
constexpr std::size_t slab_bytes = std::size_t{2} << 20;
constexpr std::size_t largest_slab_bytes = std::size_t{128} << 20;
constexpr std::size_t largest_row_bytes = std::size_t{1} << 31;

class Hdf5Stream : public DataStream {
 public:
  Hdf5Stream(std::shared_ptr<Hdf5Handle> file, const std::string& path, const std::string& name,
             const Observer& observe)
      : file_(std::move(file)), data_(file_->id(), path, name, 2), observe_(observe) {
    const auto row_bytes = static_cast<double>(cols()) * static_cast<double>(bytes_of(data_.precision()));
    if (row_bytes > static_cast<double>(largest_row_bytes))
      throw DataError(fmt::format("{}: {} columns are declared; rows of at most {} bytes are accepted", name, cols(),
                                  largest_row_bytes));
    const auto fitting = [&](std::size_t bytes) {
      return std::max<Index>(1, static_cast<Index>(static_cast<double>(bytes) / row_bytes));
    };
    const Index chunk = data_.chunk_rows();
    slab_rows_ = fitting(slab_bytes);
    if (chunk <= fitting(largest_slab_bytes)) slab_rows_ = std::max(slab_rows_ / chunk, Index{1}) * chunk;
  }

  [[nodiscard]] Index rows() const override { return data_.size(0); }
  [[nodiscard]] Index cols() const override { return data_.size(1); }
  [[nodiscard]] bool is_sparse() const override { return false; }

  [[nodiscard]] Dataset next(Index most) override {
    if (given_ == slab_.view().rows()) {
      slab_ = Samples();
      given_ = 0;
      if (read_ < rows()) read_slab();
    }
    const Index count = std::min(most, slab_.view().rows() - given_);
    if (count <= 0) return {};
    const SamplesView block = slab_.view().slice(given_, count);
    given_ += count;
    return {.samples = Samples(std::make_shared<Samples>(slab_), block)};
  }

 private:
  void read_slab() {
    const Index count = std::min({slab_rows_, rows() - read_, rows_that_fit()});
    const auto items = static_cast<std::size_t>(count * cols());
    const auto read_as = [&](auto number, hid_t type) {
      const auto memory = std::make_shared_for_overwrite<decltype(number)[]>(items);
      data_.read(read_, count, type, memory.get());
      slab_ = Samples(memory, SamplesView(memory.get(), count, cols()));
    };
    if (data_.precision() == Precision::float32)
      read_as(float{}, H5T_NATIVE_FLOAT);
    else
      read_as(double{}, H5T_NATIVE_DOUBLE);
    read_ += count;
    report_read(observe_, read_, rows(), data_.name());
  }

  // Returns the rows that can be read at once. A slab of many rows can be read in parts, a single row cannot.
  [[nodiscard]] Index rows_that_fit() const {
    const std::size_t row_bytes = static_cast<std::size_t>(cols()) * bytes_of(data_.precision());
    if (row_bytes > slab_bytes) require_memory(data_.name(), 1, cols(), bytes_of(data_.precision()), block_memory());
    if (block_memory() == 0) return slab_rows_;
    return std::max<Index>(1, static_cast<Index>(std::max(block_memory(), slab_bytes) / row_bytes));
  }

  std::shared_ptr<Hdf5Handle> file_;
  Hdf5Dataset data_;
  Observer observe_;
  Index slab_rows_ = 1;
  Samples slab_;
  Index read_ = 0;   // rows in all slabs so far
  Index given_ = 0;  // rows of this slab that were given out
};

bool is_annotated(const std::string& file) {
  constexpr std::string_view extension = ".h5ad";
  std::string end = file.substr(file.size() - std::min(file.size(), extension.size()));
  for (char& c : end) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return end == extension;
}

// Returns whether every part of the path exists, with links followed. Throws DataError for a link to another file.
bool exists(hid_t file, const std::string& shown, const std::string& path) {
  const Hdf5Handle links = local_links(H5P_LINK_ACCESS);
  for (std::size_t at = path.find('/', 1);; at = path.find('/', at + 1)) {
    const std::string part = path.substr(0, at);
    if (part != "/" && !part.ends_with('/') &&
        (H5Lexists(file, part.c_str(), links.id()) <= 0 || H5Oexists_by_name(file, part.c_str(), links.id()) <= 0)) {
      require_local_links(fmt::format("{}:{}", shown, printable(path, 100)));
      return false;
    }
    if (at == std::string::npos) return true;
  }
}

std::string choose(hid_t file, const std::string& shown, const std::string& path, const std::string& wanted) {
  if (wanted.empty() && is_annotated(path) && exists(file, shown, "/X")) return "/X";
  if (!wanted.empty()) {
    std::string full = wanted.starts_with('/') ? wanted : "/" + wanted;
    if (exists(file, shown, full)) return full;
    throw DataError(fmt::format("{}: there is no dataset {}; the file holds {}", shown, in_quotes(wanted),
                                find_hdf5_candidates(file).list()));
  }
  const Hdf5Candidates found = find_hdf5_candidates(file);
  if (!found.is_complete)
    throw DataError(
        fmt::format("{}: the file has too many objects, or too deep groups, to look through; say which: "
                    "{}:/NAME",
                    shown, shown));
  if (found.tables.size() == 1) return found.tables.front().path;
  if (found.tables.empty())
    throw DataError(fmt::format(
        "{}: the file holds no 2-D dataset of numbers with one sample per row; name a dataset to see why it "
        "is not accepted: {}:/NAME",
        shown, shown));
  throw DataError(fmt::format("{}: the file holds {} datasets: {}; say which: {}:{}", shown, found.tables.size(),
                              found.list(), shown, printable(found.tables.front().path)));
}

std::shared_ptr<Hdf5Handle> open_file(const std::string& file, const std::string& shown) {
  struct stat status {};
  if (file == "-" || (::stat(file.c_str(), &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode)))
    throw DataError(fmt::format("{}: an HDF5 file cannot be read from a pipe; give the file itself",
                                file == "-" ? "standard input" : shown));
  require_file(file);
  if (::faccessat(AT_FDCWD, file.c_str(), R_OK, AT_EACCESS) != 0)
    throw DataError(fmt::format("{}: cannot be read: {}", shown, std::generic_category().message(errno)));
  if (H5Fis_hdf5(file.c_str()) <= 0)
    throw DataError(fmt::format("{}: not an HDF5 file: it does not begin with \\x89HDF", shown));
  auto handle = std::make_shared<Hdf5Handle>(H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  if (!*handle)
    throw DataError(fmt::format(
        "{}: the HDF5 file cannot be opened: it is cut short, damaged, or open for writing elsewhere", shown));
  return handle;
}

}  // namespace

std::unique_ptr<DataStream> open_hdf5(const std::string& path, const ReadOptions& options) {
  const Hdf5Lock lock;
  const auto [file, wanted] = split_member_path(path);
  const std::string shown = printable_path(file);
  const std::shared_ptr<Hdf5Handle> handle = open_file(file, shown);
  const std::string chosen = choose(handle->id(), shown, file, wanted);
  const std::string name = fmt::format("{}:{}", shown, printable(chosen, 100));
  const Hdf5Handle links = local_links(H5P_LINK_ACCESS);
  const Hdf5Handle object(H5Oopen(handle->id(), chosen.c_str(), links.id()), H5Oclose);
  const H5I_type_t kind = object ? H5Iget_type(object.id()) : H5I_BADID;
  if (kind == H5I_GROUP && !sparse_encoding(object.id()).empty())
    return open_sparse_group(handle, chosen, name, options.observe);
  if (kind == H5I_GROUP)
    throw DataError(fmt::format("{}: is a group, not a dataset; the file holds {}", name,
                                find_hdf5_candidates(handle->id()).list()));
  if (kind != H5I_DATASET) throw DataError(fmt::format("{}: is not a dataset, or the file is damaged", name));
  return std::make_unique<Hdf5Stream>(handle, chosen, name, options.observe);
}

}  // namespace dualkpca
