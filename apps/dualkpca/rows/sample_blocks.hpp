#pragma once

#include <memory>
#include <string>
#include <vector>

#include "rows/rows_options.hpp"

namespace dualkpca::app {

/// Shape of the input that a model needs.
struct InputRows {
  Index cols = 0;  ///< columns of numbers
  Index lags = 0;  ///< number of earlier rows that belong to the sample of a row
};

/// Returns the shape of the input of transform, denoise and score.
[[nodiscard]] InputRows input_of(const KernelPCA& model);

/// Reader of the samples of DATA in blocks of bounded size. A block begins with the last rows of the block before, as
/// far as its first sample needs them. All functions throw DataError naming the file, with rows counted from its
/// beginning.
class SampleBlocks {
 public:
  SampleBlocks(const RowsOptions& options, const InputRows& input, const Observer& observe);

  /// Returns the number of samples, or -1 if it is unknown before the end.
  [[nodiscard]] Index expected() const;
  /// Returns the names of the columns; empty if the file has none.
  [[nodiscard]] const std::vector<std::string>& feature_names() const { return stream_->feature_names(); }

  /// Goes to the next block with samples; the first call goes to the first. Returns false after the last.
  [[nodiscard]] bool next();
  /// Returns the rows of the block, including those before its first sample. Valid until next() is called.
  [[nodiscard]] const SamplesView& rows() const { return rows_; }
  /// Returns the ids of the samples of the block; empty without --id-col.
  [[nodiscard]] const std::vector<std::string>& ids() const { return block_.ids; }
  /// Returns the start of a message about the block: the file and, after the first block, the row that counts as row 1.
  [[nodiscard]] std::string context() const;

  /// Returns the number of samples so far.
  [[nodiscard]] Index count() const { return rows_read_ - input_.lags; }

 private:
  [[nodiscard]] Dataset read_block();
  void require_more_than_lags(Index rows) const;
  [[nodiscard]] SamplesView with_rows_before(const SamplesView& block);

  const RowsOptions& options_;
  InputRows input_;
  std::unique_ptr<DataStream> stream_{};
  Dataset block_{};
  bool is_taken_ = false;  ///< whether next() has returned block_
  Matrix series_{};        ///< with lags: the last rows of the block before, then the rows of this block
  SamplesView rows_{};
  Index rows_read_ = 0;
};

}  // namespace dualkpca::app
