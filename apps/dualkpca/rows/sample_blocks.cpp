#include "rows/sample_blocks.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "dualkpca/core/errors.hpp"

namespace dualkpca::app {

InputRows input_of(const KernelPCA& model) { return {.cols = model.report().n_features, .lags = model.params().lags}; }

SampleBlocks::SampleBlocks(const RowsOptions& options, const InputRows& input, const Observer& observe)
    : options_(options), input_(input) {
  ReadOptions read = options.read;
  read.n_features = input.cols;  // without it, the width of a LIBSVM file is its largest index
  read.observe = observe;
  stream_ = open_dataset(options.data, read);
  block_ = read_block();  // its errors help more than a wrong number of columns, so it comes first
  if (const Index found = block_.samples.view().cols(); found != input.cols)
    throw DataError(
        fmt::format("{}: has {} columns of numbers; {} needs {}", options.data, found, options.model, input.cols));
  if (stream_->rows() >= 0) require_more_than_lags(stream_->rows());
}

Index SampleBlocks::expected() const { return stream_->rows() < 0 ? -1 : stream_->rows() - input_.lags; }

// The block has enough rows for all threads. It is bounded, so memory does not depend on the length of the data.
Dataset SampleBlocks::read_block() { return stream_->next(std::max<Index>(4096, Index{2048} * options_.read.threads)); }

void SampleBlocks::require_more_than_lags(Index rows) const {
  if (rows <= input_.lags)
    throw DataError(fmt::format("{}: has {} rows; with the {} lags of {} it needs more", options_.data, rows,
                                input_.lags, options_.model));
}

SamplesView SampleBlocks::with_rows_before(const SamplesView& block) {
  if (input_.lags == 0) return block;
  const Index before = std::min(input_.lags, series_.rows());
  Matrix rows(before + block.rows(), block.cols());
  if (before > 0) rows.topRows(before) = series_.bottomRows(before);  // the first block has no rows before it
  for (Index i = 0; i < block.rows(); ++i) block.copy_row(i, rows.row(before + i).data());
  series_ = std::move(rows);
  return series_;
}

bool SampleBlocks::next() {
  do {
    if (is_taken_) block_ = read_block();
    is_taken_ = true;
    const SamplesView& read = block_.samples.view();
    if (read.rows() == 0) {
      require_more_than_lags(rows_read_);
      return false;
    }
    read.require_finite(options_.data, rows_read_);
    rows_ = with_rows_before(read);
    rows_read_ += read.rows();
  } while (rows_.rows() <= input_.lags);
  if (const Index samples = rows_.rows() - input_.lags; static_cast<Index>(block_.ids.size()) > samples)
    block_.ids.erase(block_.ids.begin(), block_.ids.end() - samples);
  return true;
}

std::string SampleBlocks::context() const {
  const Index first = rows_read_ - rows_.rows();
  return first == 0 ? options_.data : fmt::format("{}: counted from row {}", options_.data, first + 1);
}

}  // namespace dualkpca::app
