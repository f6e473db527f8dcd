#include "data/npy/npz_sparse.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "data/csr_stream.hpp"
#include "data/io/text.hpp"
#include "data/npy/npy_header.hpp"
#include "data/npy/npy_items.hpp"
#include "dualkpca/core/errors.hpp"

namespace dualkpca {
namespace {

const ZipEntry* find_entry(const std::vector<ZipEntry>& entries, const std::string& name) {
  const auto found =
      std::find_if(entries.begin(), entries.end(), [&](const ZipEntry& entry) { return entry.name == name + ".npy"; });
  return found == entries.end() ? nullptr : &*found;
}

// A 1-D array of numbers inside the archive, read from its front.
class NpzVector {
 public:
  NpzVector(const std::string& path, const ZipEntry& entry, bool is_integer)
      : member_(path, entry),
        header_(
            read_npy_header([this](char* out, std::size_t count) { return member_.read(out, count); }, member_.name())),
        items_(find_items(header_, member_.name())) {
    if (header_.shape.size() != 1)
      throw DataError(fmt::format("{}: the array has shape {}; that of a sparse matrix has one dimension",
                                  member_.name(), shape_text(header_)));
    if (is_integer && items_.kind != 'i' && items_.kind != 'u')
      throw DataError(fmt::format("{}: the array holds {}; that of a sparse matrix holds integers", member_.name(),
                                  in_quotes(header_.descr)));
    require_data(header_, items_, entry.bytes - std::min<std::uint64_t>(entry.bytes, header_.data_offset),
                 member_.name());
  }

  [[nodiscard]] Index size() const { return header_.shape[0]; }
  [[nodiscard]] Precision precision() const { return items_.as_stored().value_or(Precision::float64); }
  [[nodiscard]] const std::string& name() const { return member_.name(); }
  void finish() { member_.finish(); }

  void read(std::size_t count, float* out) { read_bytes(reinterpret_cast<char*>(out), count); }
  void read(std::size_t count, double* out) {
    if (items_.as_stored() == Precision::float64) return read_bytes(reinterpret_cast<char*>(out), count);
    buffer_.resize(count * items_.bytes);
    read_bytes(buffer_.data(), count);
    items_.convert(buffer_.data(), count, out);
  }
  void read(std::size_t count, Index* out) {
    wide_.resize(count);
    read(count, wide_.data());
    constexpr double largest = 9007199254740992;  // up to this number a double can represent every integer
    for (std::size_t i = 0; i < count; ++i)
      out[i] = wide_[i] >= 0 && wide_[i] <= largest ? static_cast<Index>(wide_[i]) : -1;
  }

 private:
  void read_bytes(char* out, std::size_t count) {
    if (member_.read(out, count * items_.bytes) == count * items_.bytes) return;
    throw DataError(fmt::format("{}: the array is cut short: it has fewer items than its shape {} says", name(),
                                shape_text(header_)));
  }

  ZipMember member_;
  NpyHeader header_;
  NpyItems items_;
  std::vector<char> buffer_;
  std::vector<double> wide_;
};

class NpzCsr : public CsrSource {
 public:
  NpzCsr(const std::string& path, const std::vector<ZipEntry>& entries)
      : offsets_(path, *find_entry(entries, "indptr"), true),
        columns_(path, *find_entry(entries, "indices"), true),
        values_(path, *find_entry(entries, "data"), false) {}

  [[nodiscard]] CsrShape shape(Index rows, Index cols) const {
    if (offsets_.size() - 1 != rows)
      throw DataError(fmt::format("{}: has {} items; {} rows need {}", offsets_.name(), offsets_.size(), rows,
                                  static_cast<double>(rows) + 1));
    if (columns_.size() != values_.size())
      throw DataError(fmt::format("{}: has {} items, and indices has {}; both must have one per entry", values_.name(),
                                  values_.size(), columns_.size()));
    return {rows, cols, values_.size(), values_.precision()};
  }

  void read_offsets(std::size_t count, Index* out) override { offsets_.read(count, out); }
  void read_columns(std::size_t count, Index* out) override { columns_.read(count, out); }
  void read_values(std::size_t count, float* out) override { values_.read(count, out); }
  void read_values(std::size_t count, double* out) override { values_.read(count, out); }
  void finish() override {
    offsets_.finish();
    columns_.finish();
    values_.finish();
  }

 private:
  NpzVector offsets_, columns_, values_;
};

// Returns the few letters of the 0-d array `format`: bytes since SciPy 1.0, text in files of Python 2.
std::string read_format(const std::string& path, const ZipEntry& entry) {
  ZipMember member(path, entry);
  const ReadBytes read = [&](char* out, std::size_t count) { return member.read(out, count); };
  static_cast<void>(read_npy_header(read, member.name()));
  std::string text(64, '\0');
  text.resize(member.read(text.data(), text.size()));
  std::erase(text, '\0');  // text has four bytes for every letter
  return text;
}

}  // namespace

bool is_sparse_npz(const std::vector<ZipEntry>& entries) {
  return find_entry(entries, "format") != nullptr && find_entry(entries, "shape") != nullptr &&
         find_entry(entries, "data") != nullptr;
}

std::unique_ptr<DataStream> open_sparse_npz(const std::string& path, const std::vector<ZipEntry>& entries,
                                            const Observer& observe) {
  const std::string shown = printable_path(path);
  const std::string format = read_format(path, *find_entry(entries, "format"));
  if (format != "csr")
    throw DataError(fmt::format(
        "{}: a sparse matrix in format {}; accepted is csr, in scipy: scipy.sparse.save_npz(file, a.tocsr())", shown,
        in_quotes(format)));
  for (const std::string name : {"indptr", "indices"})
    if (find_entry(entries, name) == nullptr)
      throw DataError(fmt::format("{}: a sparse matrix without its array '{}'", shown, name));
  NpzVector shape(path, *find_entry(entries, "shape"), true);
  Index sizes[2] = {0, 0};
  if (shape.size() != 2)
    throw DataError(fmt::format("{}: has {} items; accepted are 2: rows and columns", shape.name(), shape.size()));
  shape.read(2, sizes);
  shape.finish();
  require_csr_shape(sizes[0], sizes[1], shown);
  auto source = std::make_unique<NpzCsr>(path, entries);
  const CsrShape csr = source->shape(sizes[0], sizes[1]);
  return stream_csr(std::move(source), csr, shown, observe);
}

}  // namespace dualkpca
