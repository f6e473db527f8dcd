#pragma once

#include "dualkpca/data/samples.hpp"

namespace dualkpca {

/// A block of rows that was read and is given out in pieces.
class PendingRows {
 public:
  PendingRows() = default;
  explicit PendingRows(Dataset block) : block_(std::move(block)) {}

  [[nodiscard]] bool empty() const { return given_ == block_.samples.view().rows(); }
  /// Returns the next rows, at most `most`. They share the memory of the block.
  [[nodiscard]] Dataset take(Index most);

 private:
  Dataset block_{};
  Index given_ = 0;
};

}  // namespace dualkpca
