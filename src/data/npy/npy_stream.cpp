#include "data/npy/npy_stream.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "data/io/memory_check.hpp"
#include "data/io/read_progress.hpp"
#include "data/npy/npy_items.hpp"
#include "dualkpca/core/errors.hpp"

namespace dualkpca {
namespace {

// A block has as many rows as fit into this size, at least one.
constexpr std::size_t most_block_bytes = std::size_t{32} << 20;
// No real array has longer rows, and the bytes of these can be counted without overflow.
constexpr Index widest_row = Index{1} << 48;

// Memory of items of any type; double gives the alignment.
using Buffer = std::vector<double>;
std::size_t words(std::size_t bytes) { return (bytes + sizeof(double) - 1) / sizeof(double); }
char* bytes_in(Buffer& buffer) { return reinterpret_cast<char*>(buffer.data()); }

class NpyStream : public DataStream {
 public:
  NpyStream(const NpyHeader& header, const std::string& name, const Observer& observe)
      : header_(header), name_(name), items_(find_items(header, name)), observe_(observe) {
    require_matrix(header, name);
    if (cols() > widest_row)
      throw DataError(fmt::format("{}: shape {}: no file can have rows of that many items", name, shape_text(header)));
    const std::size_t row_bytes = static_cast<std::size_t>(cols()) * std::max(items_.bytes, sizeof(float));
    block_rows_ = static_cast<Index>(std::max<std::size_t>(1, most_block_bytes / row_bytes));
  }

  [[nodiscard]] Index rows() const override { return header_.shape[0]; }
  [[nodiscard]] Index cols() const override { return header_.shape[1]; }
  [[nodiscard]] bool is_sparse() const override { return false; }

  [[nodiscard]] Dataset next(Index most) override {
    const Index count = std::min({most, block_rows_, rows() - done_});
    if (count <= 0) return {};
    auto stored = std::make_shared<Buffer>();
    read_rows(done_, count, *stored);
    done_ += count;
    report_read(observe_, done_, rows(), name_);
    const Index row_stride = header_.fortran_order ? 1 : cols(), col_stride = header_.fortran_order ? count : 1;
    const auto samples = [&](const std::shared_ptr<Buffer>& memory, Precision precision) {
      return Samples(memory, SamplesView(memory->data(), precision, count, cols(), row_stride, col_stride));
    };
    if (const auto precision = items_.as_stored()) return {.samples = samples(stored, *precision)};
    require_room(count, items_.bytes + sizeof(double));
    const auto wide = std::make_shared<Buffer>(static_cast<std::size_t>(count * cols()));
    items_.convert(bytes_in(*stored), wide->size(), wide->data());
    return {.samples = samples(wide, Precision::float64)};
  }

 protected:
  // Throws ResourceError without room for a single row that is larger than an ordinary block.
  void require_room(Index count, std::size_t bytes_per_item) const {
    if (bytes_of_items(count * cols()) > most_block_bytes)
      require_memory(name_, count, cols(), bytes_per_item, block_memory());
  }

  // Reads rows into the buffer, which becomes as large as their items. These are stored one row after the other or, in
  // Fortran order, one column after the other.
  virtual void read_rows(Index first, Index count, Buffer& out) = 0;

  [[nodiscard]] std::size_t bytes_of_items(Index count) const { return static_cast<std::size_t>(count) * items_.bytes; }
  [[nodiscard]] bool is_last(Index end) const { return end == rows(); }
  [[noreturn]] void throw_cut_short(Index row) const {
    throw DataError(fmt::format("{}: the file is cut short: shape {} is declared, the data end in row {}", name_,
                                shape_text(header_), row + 1));
  }

  NpyHeader header_;
  std::string name_;
  NpyItems items_;

 private:
  Observer observe_;
  Index block_rows_ = 1;
  Index done_ = 0;
};

class SequentialNpy : public NpyStream {
 public:
  SequentialNpy(NpyBytes bytes, const NpyHeader& header, const std::string& name, const Observer& observe)
      : NpyStream(header, name, observe), bytes_(std::move(bytes)) {
    if (bytes_.present > 0)
      require_data(header, items_, bytes_.present - std::min(bytes_.present, header.data_offset), name);
  }

 protected:
  void read_rows(Index first, Index count, Buffer& out) override {
    if (!header_.fortran_order) {
      const std::size_t have = read_bytes(bytes_of_items(count * cols()), out);
      if (have < bytes_of_items(count * cols()))
        throw_cut_short(first + static_cast<Index>(have / bytes_of_items(cols())));
      if (is_last(first + count) && bytes_.finish) bytes_.finish();
      return;
    }
    if (first == 0) read_whole();
    out.resize(words(bytes_of_items(count * cols())));
    for (Index j = 0; j < cols(); ++j)
      std::memcpy(bytes_in(out) + bytes_of_items(j * count), bytes_in(whole_) + bytes_of_items(j * rows() + first),
                  bytes_of_items(count));
  }

 private:
  // Reads up to `needed` bytes, and returns their number. It makes room only for bytes that have arrived, because a
  // hostile row is larger than memory.
  [[nodiscard]] std::size_t read_bytes(std::size_t needed, Buffer& out) const {
    std::size_t have = 0;
    while (have < needed) {
      const std::size_t piece = std::min(needed - have, std::max(most_block_bytes, have));
      // While the buffer grows, its old content is in memory twice.
      if (have > 0)
        require_memory(name_, fmt::format("rows of {} items", cols()), static_cast<double>(2 * have + piece),
                       block_memory());
      out.resize(words(have + piece));
      const std::size_t got = bytes_.read(bytes_in(out) + have, piece);
      have += got;
      if (got < piece) break;
    }
    return have;
  }

  // Reads all data of an array in Fortran order, because already its first row reaches into the last column.
  void read_whole() {
    require_memory(name_, rows(), cols(), items_.bytes, block_memory());
    if (read_bytes(bytes_of_items(rows() * cols()), whole_) < bytes_of_items(rows() * cols()))
      throw_cut_short(rows() - 1);
    if (bytes_.finish) bytes_.finish();
  }

  NpyBytes bytes_;
  Buffer whole_;
};

// Stream that reads the file and does not map it, because mapped pages would count as memory in use.
class PositionedNpy : public NpyStream {
 public:
  PositionedNpy(std::shared_ptr<const OpenFile> file, std::size_t begin, std::size_t present, const NpyHeader& header,
                const std::string& name, const Observer& observe)
      : NpyStream(header, name, observe), file_(std::move(file)), data_at_(begin + header.data_offset) {
    require_data(header, items_, present - std::min(present, header.data_offset), name);
  }

 protected:
  void read_rows(Index first, Index count, Buffer& out) override {
    require_room(count, items_.bytes);
    out.resize(words(bytes_of_items(count * cols())));
    if (!header_.fortran_order) return read_run(first * cols(), count * cols(), bytes_in(out), first);
    for (Index j = 0; j < cols(); ++j)
      read_run(j * rows() + first, count, bytes_in(out) + bytes_of_items(j * count), first);
  }

 private:
  void read_run(Index first_item, Index count, char* out, Index row) const {
    const std::size_t wanted = bytes_of_items(count);
    if (file_->read(out, wanted, data_at_ + bytes_of_items(first_item), name_) < wanted) throw_cut_short(row);
  }

  std::shared_ptr<const OpenFile> file_;
  std::size_t data_at_;
};

}  // namespace

std::unique_ptr<DataStream> stream_npy(NpyBytes bytes, const std::string& name, const Observer& observe) {
  const NpyHeader header = read_npy_header(bytes.read, name);
  return std::make_unique<SequentialNpy>(std::move(bytes), header, name, observe);
}

std::unique_ptr<DataStream> stream_npy_file(const std::shared_ptr<const OpenFile>& file, std::size_t begin,
                                            std::size_t present, const std::string& name, const Observer& observe) {
  std::size_t at = begin;
  const ReadBytes read = [&](char* out, std::size_t count) {
    const std::size_t got = file->read(out, std::min(count, begin + present - at), at, name);
    at += got;
    return got;
  };
  const NpyHeader header = read_npy_header(read, name);
  return std::make_unique<PositionedNpy>(file, begin, present, header, name, observe);
}

}  // namespace dualkpca
