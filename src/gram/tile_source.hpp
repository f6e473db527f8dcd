#pragma once

#include <span>

#include "dualkpca/kernel/kernel.hpp"

namespace dualkpca {

/// Where the entries of a stored matrix K come from.
template <class T>
class TileSource {
 public:
  virtual ~TileSource() = default;
  /// Called once before the first tile.
  virtual void prepare() {}
  /// Multiply-adds of an entry, about.
  [[nodiscard]] virtual Index cost_per_entry() const { return 1; }
  /// out = K(row .. row + out.rows, col .. col + out.cols), as it is to be stored. Thread-safe.
  virtual void tile(Index row, Index col, const TileRef<T>& out) const = 0;
  /// out = K(:, indices), the values that tiles have, up to their rounding.
  virtual void columns(std::span<const Index> indices, MatrixRef out) const = 0;
  /// See GramOperator.
  virtual void exact_block(std::span<const Index> rows, std::span<const Index> columns, MatrixRef out) const = 0;
};

}  // namespace dualkpca
