#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>

#include "core/growing_buffer.hpp"
#include "data/io/memory_check.hpp"
#include "data/io/text.hpp"
#include "data/mtx/mtx_streams.hpp"
#include "dualkpca/core/errors.hpp"

namespace dualkpca {
namespace {

// Takes the next word, the number of a row or column, and returns it counted from 0.
Index take_position(const Lines& lines, std::string_view& line, const char* what, Index count) {
  const std::string_view word = take_word(line);
  Index position = 0;
  if (!parse_whole(word, position))
    refuse_line(lines, fmt::format("{} is not a {}; expected are row, column and value", in_quotes(word), what));
  if (position < 1 || position > count)
    refuse_line(lines, fmt::format("{} {} is outside 1..{}", what, printable(word), count));
  return position - 1;
}

bool is_skipped(std::string_view line) { return line.starts_with('%') || take_word(line).empty(); }

// Calls visit(row, column, value) for every entry of a coordinate file, in the order of the file.
template <class Visit>
void for_each_entry(Lines& lines, const MtxHeader& header, const Visit& visit) {
  Index found = 0;
  for (std::string_view line; lines.next(line);) {
    if (is_skipped(line)) continue;
    if (++found > header.entries)
      refuse_line(lines, fmt::format("there are more entries than the {} declared on line {}", header.entries,
                                     header.size_line));
    const Index row = take_position(lines, line, "row", header.rows);
    const Index col = take_position(lines, line, "column", header.cols);
    const double value = header.has_values ? take_value(lines, line) : 1.0;
    if (const std::string_view more = take_word(line); !more.empty())
      refuse_line(lines, fmt::format("{} is one word too many", in_quotes(more)));
    if (header.symmetry == MtxSymmetry::skew && row == col && value != 0)
      refuse_line(lines, "a skew-symmetric matrix has zeros on its diagonal");
    visit(row, col, value);
  }
  if (found < header.entries)
    throw DataError(fmt::format("{}: the file is cut short: {} entries found, {} declared on line {}", lines.name(),
                                found, header.entries, header.size_line));
}

// Entry of a matrix; entries are ordered by row, then column.
struct MtxEntry {
  std::uint64_t place;  // row in the upper half, column in the lower
  double value;

  [[nodiscard]] Index row() const { return static_cast<Index>(place >> 32); }
  [[nodiscard]] std::int32_t col() const { return static_cast<std::int32_t>(place & 0xffffffffU); }
  bool operator<(const MtxEntry& other) const { return place < other.place; }
};

std::uint64_t place_of(Index row, Index col) {
  return static_cast<std::uint64_t>(row) << 32 | static_cast<std::uint64_t>(col);
}

// Stream of a coordinate file, which keeps its entries in order. Rows without entries take no memory before they are
// given out.
class SparseMtxStream : public DataStream {
 public:
  SparseMtxStream(const std::string& path, const ReadOptions& options, Lines& lines, const MtxHeader& header)
      : header_(header), memory_(options.memory) {
    const double sign = header.symmetry == MtxSymmetry::skew ? -1 : 1;
    for_each_entry(lines, header, [&](Index row, Index col, double value) {
      add({place_of(row, col), value}, lines.name());
      if (header.symmetry != MtxSymmetry::general && row != col) add({place_of(col, row), sign * value}, lines.name());
    });
    require_room(lines.name());
    if (!std::is_sorted(entries_.begin(), entries_.end())) std::sort(entries_.begin(), entries_.end());
    const MtxEntry* twice = std::adjacent_find(entries_.begin(), entries_.end(),
                                               [](const MtxEntry& a, const MtxEntry& b) { return a.place == b.place; });
    if (twice != entries_.end()) refuse_duplicate(path, options, *twice);
  }

  [[nodiscard]] Index rows() const override { return header_.rows; }
  [[nodiscard]] Index cols() const override { return header_.cols; }
  [[nodiscard]] bool is_sparse() const override { return true; }
  [[nodiscard]] Dataset next(Index most) override {
    const Index last = row_ + std::min(most, header_.rows - row_);
    if (last == row_) return {};
    CsrMatrix block;
    block.cols = header_.cols;
    block.offsets.reserve(static_cast<std::size_t>(last - row_) + 1);
    const MtxEntry* end = std::lower_bound(entries_.begin() + given_, entries_.end(), MtxEntry{place_of(last, 0), 0});
    const auto count = static_cast<std::size_t>(end - entries_.begin()) - given_;
    block.columns.reserve(count);
    block.values.reserve(count);
    for (; row_ < last; ++row_) {
      for (; given_ < entries_.size() && entries_[given_].row() == row_; ++given_) {
        if (entries_[given_].value == 0) continue;
        block.columns.push_back(entries_[given_].col());
        block.values.push_back(entries_[given_].value);
      }
      block.offsets.push_back(static_cast<Index>(block.values.size()));
    }
    return {.samples = Samples(std::move(block))};
  }

 private:
  void add(const MtxEntry& entry, const std::string& name) {
    constexpr std::size_t between_checks = std::size_t{64} << 20;
    entries_.push_back(entry);
    if (entries_.size() * sizeof(MtxEntry) % between_checks == 0) require_room(name);
  }

  // Throws ResourceError without room for the rows, to which the entries are copied while they are still kept. What the
  // caller will need after that is not known.
  void require_room(const std::string& name) const {
    constexpr std::size_t bytes_of_copy = sizeof(std::int32_t) + sizeof(double);
    const double copied = static_cast<double>(entries_.size()) * static_cast<double>(bytes_of_copy) +
                          static_cast<double>(header_.rows) * static_cast<double>(sizeof(Index));
    const double held = static_cast<double>(entries_.size()) * static_cast<double>(sizeof(MtxEntry));
    const std::string what = fmt::format("the first {} entries", entries_.size());
    if (memory_ > 0) require_memory(name, what, held + copied, memory_);
    require_memory(name, what, copied);
  }

  // Throws the DataError for an entry that the file has twice. Sorting has lost the line of the entry, so a file is
  // read once more; a pipe cannot be.
  [[noreturn]] void refuse_duplicate(const std::string& path, const ReadOptions& options, const MtxEntry& twice) const {
    const auto is_it = [&](Index row, Index col) {
      const bool mirrored = header_.symmetry != MtxSymmetry::general && place_of(col, row) == twice.place;
      return mirrored || place_of(row, col) == twice.place;
    };
    const std::string what =
        fmt::format("the entry in row {}, column {} appears twice", twice.row() + 1, Index{twice.col()} + 1);
    if (std::filesystem::is_regular_file(path)) {
      Lines lines(path, options.observe);
      bool seen = false;
      for_each_entry(lines, read_mtx_header(lines, options.memory), [&](Index row, Index col, double) {
        if (is_it(row, col) && std::exchange(seen, true)) refuse_line(lines, what);
      });
    }
    throw DataError(fmt::format("{}: {}", shown_path(path), what));
  }

  MtxHeader header_;
  std::size_t memory_;
  GrowingBuffer<MtxEntry> entries_;
  std::size_t given_ = 0;  ///< entries that were given out
  Index row_ = 0;          ///< rows that were given out
};

}  // namespace

std::unique_ptr<DataStream> open_mtx_coordinate(Lines& lines, const MtxHeader& header, const std::string& path,
                                                const ReadOptions& options) {
  return std::make_unique<SparseMtxStream>(path, options, lines, header);
}

}  // namespace dualkpca
