#pragma once

#include <memory>
#include <string>
#include <vector>

#include "rows/rows_options.hpp"

namespace dualkpca::app {

/// What a model expects of its input.
struct InputRows {
  Index cols = 0;  ///< columns of numbers
  Index lags = 0;  ///< rows before a row that belong to its sample
};

/// The input of transform, denoise and monitor.
[[nodiscard]] InputRows input_of(const KernelPCA& model);

/// The samples of DATA in blocks of bounded size. A block begins with the rows that its first sample needs from the
/// block before. All functions throw DataError naming the file, with rows counted from its beginning.
class SampleBlocks {
 public:
  SampleBlocks(const RowsOptions& options, const InputRows& input, const Observer& observe);

  /// How many samples there will be; -1 if only reading to the end tells.
  [[nodiscard]] Index expected() const;
  /// Empty if the file names none.
  [[nodiscard]] const std::vector<std::string>& feature_names() const { return stream_->feature_names(); }

  /// Goes to the next block with samples, the first one at first. False after the last.
  [[nodiscard]] bool next();
  /// The rows of the block, those before its first sample included. Valid until next() is called.
  [[nodiscard]] const SamplesView& rows() const { return rows_; }
  /// The ids of the samples of the block, if there are any.
  [[nodiscard]] const std::vector<std::string>& ids() const { return block_.ids; }
  /// The file and, except in the first block, the row from which messages about the block count.
  [[nodiscard]] std::string context() const;

  /// Samples so far.
  [[nodiscard]] Index count() const { return rows_read_ - input_.lags; }

 private:
  [[nodiscard]] Dataset read_block();
  void require_more_than_lags(Index rows) const;
  [[nodiscard]] SamplesView with_rows_before(const SamplesView& block);

  const RowsOptions& options_;
  InputRows input_;
  std::unique_ptr<DataStream> stream_{};
  Dataset block_{};
  bool is_taken_ = false;  ///< whether next() has reached block_
  Matrix series_{};        ///< with lags: the rows of the block, after the last rows of the block before
  SamplesView rows_{};
  Index rows_read_ = 0;
};

}  // namespace dualkpca::app
