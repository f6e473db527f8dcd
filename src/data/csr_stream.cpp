#include "data/csr_stream.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "data/io/memory_check.hpp"
#include "data/io/read_progress.hpp"
#include "dualkpca/core/errors.hpp"

namespace dualkpca {
namespace {

// Limits of a block; a single row may have more entries.
constexpr Index most_entries = Index{1} << 20;
constexpr Index most_rows = Index{1} << 16;

// Sorts the entries of a row by their columns, and replaces entries of the same column by their sum.
template <class T>
void sort_and_sum(std::vector<std::int32_t>& columns, std::vector<T>& values) {
  std::vector<std::size_t> order(columns.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return columns[a] < columns[b]; });
  std::vector<std::int32_t> sorted_columns;
  std::vector<T> sorted_values;
  for (const std::size_t e : order) {
    if (!sorted_columns.empty() && sorted_columns.back() == columns[e]) {
      sorted_values.back() += values[e];
      continue;
    }
    sorted_columns.push_back(columns[e]);
    sorted_values.push_back(values[e]);
  }
  columns = std::move(sorted_columns);
  values = std::move(sorted_values);
}

class CsrStream : public DataStream {
 public:
  CsrStream(std::unique_ptr<CsrSource> source, const CsrShape& shape, const std::string& name, const Observer& observe)
      : source_(std::move(source)), shape_(shape), name_(name), observe_(observe) {
    source_->read_offsets(1, &begin_);
    if (begin_ != 0) throw DataError(fmt::format("{}: indptr begins with {}, not with 0", name, begin_));
  }

  [[nodiscard]] Index rows() const override { return shape_.rows; }
  [[nodiscard]] Index cols() const override { return shape_.cols; }
  [[nodiscard]] bool is_sparse() const override { return true; }

  [[nodiscard]] Dataset next(Index most) override {
    return shape_.precision == Precision::float32 ? next_block<float>(most) : next_block<double>(most);
  }

 private:
  template <class T>
  Dataset next_block(Index most) {
    const Index count = plan_rows(most);
    if (count == 0) return {};
    const auto block = std::make_shared<CsrRows<T>>();
    block->cols = shape_.cols;
    const Index entries = ends_[count - 1] - begin_;
    // Columns and values as they are read, in vectors that grow, and sorted copies of them.
    constexpr double bytes_of_entry = 84;
    if (entries > most_entries)
      require_memory(name_, fmt::format("{} entries of one row", entries),
                     bytes_of_entry * static_cast<double>(entries), block_memory());
    read_entries(*block, entries);
    for (Index i = 0; i < count; ++i) append_row(*block, static_cast<std::size_t>(ends_[i] - begin_));
    begin_ = ends_[count - 1];
    ends_.erase(ends_.begin(), ends_.begin() + count);
    done_ += count;
    if (done_ == shape_.rows) source_->finish();
    report_read(observe_, done_, shape_.rows, name_);
    return {.samples = Samples(block, SamplesView(block->view()))};
  }

  // Returns the number of rows of the next block; their ends are the first of ends_.
  Index plan_rows(Index most) {
    const Index wanted = std::min({most, most_rows, shape_.rows - done_});
    if (wanted <= 0) return 0;
    const std::size_t known = ends_.size();
    if (static_cast<Index>(known) < wanted) {
      ends_.resize(static_cast<std::size_t>(wanted));
      source_->read_offsets(ends_.size() - known, ends_.data() + known);
    }
    for (std::size_t i = known; i < ends_.size(); ++i) {
      const Index before = i == 0 ? begin_ : ends_[i - 1];
      if (ends_[i] >= before && ends_[i] <= shape_.nonzeros) continue;
      throw DataError(fmt::format("{}: row {}: its entries end at {}; accepted are {}..{}: indptr must ascend", name_,
                                  done_ + static_cast<Index>(i) + 1, ends_[i], before, shape_.nonzeros));
    }
    Index count = 1;
    while (count < wanted && ends_[count] - begin_ <= most_entries) ++count;
    return count;
  }

  // Makes room only for entries that have arrived, because a hostile row is larger than memory.
  template <class T>
  void read_entries(CsrRows<T>& block, Index entries) {
    raw_columns_.clear();
    while (static_cast<Index>(raw_columns_.size()) < entries) {
      const std::size_t have = raw_columns_.size();
      const std::size_t piece = static_cast<std::size_t>(std::min(entries - static_cast<Index>(have), most_entries));
      raw_columns_.resize(have + piece);
      block.values.resize(have + piece);
      source_->read_columns(piece, raw_columns_.data() + have);
      source_->read_values(piece, block.values.data() + have);
    }
    taken_ = 0;
  }

  // Moves the entries up to number `end` of what was read into the block as one row.
  template <class T>
  void append_row(CsrRows<T>& block, std::size_t end) {
    const std::size_t first = block.columns.size();
    bool ascending = true;
    for (; taken_ < end; ++taken_) {
      const Index column = raw_columns_[taken_];
      if (column < 0 || column >= shape_.cols)
        throw DataError(fmt::format("{}: row {}: the column index {} is outside 0..{}", name_,
                                    done_ + static_cast<Index>(block.offsets.size()), column, shape_.cols - 1));
      const auto narrow = static_cast<std::int32_t>(column);
      ascending = ascending && (block.columns.size() == first || block.columns.back() < narrow);
      // The place that is written is never ahead of the one that is read, because rows only get shorter.
      block.values[block.columns.size()] = block.values[taken_];
      block.columns.push_back(narrow);
    }
    if (!ascending) sort_row(block, first);
    block.offsets.push_back(static_cast<Index>(block.columns.size()));
  }

  // Sorts the entries of the last row. The values behind it belong to later rows and must stay in place.
  template <class T>
  void sort_row(CsrRows<T>& block, std::size_t first) {
    const auto first_value = block.values.begin() + static_cast<Index>(first);
    std::vector<std::int32_t> columns(block.columns.begin() + static_cast<Index>(first), block.columns.end());
    std::vector<T> values(first_value, first_value + static_cast<Index>(columns.size()));
    sort_and_sum(columns, values);
    block.columns.resize(first);
    block.columns.insert(block.columns.end(), columns.begin(), columns.end());
    std::copy(values.begin(), values.end(), first_value);
  }

  std::unique_ptr<CsrSource> source_;
  CsrShape shape_;
  std::string name_;
  Observer observe_;
  Index done_ = 0;
  Index begin_ = 0;          // place of the next row's first entry
  std::vector<Index> ends_;  // ends of the rows from the next one on, as far as they are read
  std::vector<Index> raw_columns_;
  std::size_t taken_ = 0;
};

}  // namespace

void require_csr_shape(Index rows, Index cols, const std::string& name) {
  constexpr Index most_cols = std::numeric_limits<std::int32_t>::max();
  if (rows < 0 || cols < 0)
    throw DataError(fmt::format("{}: the shape of the matrix is negative, or too large for any matrix", name));
  if (rows == 0 || cols == 0)
    throw DataError(
        fmt::format("{}: the matrix has shape ({}, {}); at least one row and one column are needed", name, rows, cols));
  if (cols > most_cols)
    throw DataError(fmt::format("{}: {} columns are declared; at most {} are accepted", name, cols, most_cols));
}

std::unique_ptr<DataStream> stream_csr(std::unique_ptr<CsrSource> source, const CsrShape& shape,
                                       const std::string& name, const Observer& observe) {
  return std::make_unique<CsrStream>(std::move(source), shape, name, observe);
}

}  // namespace dualkpca
