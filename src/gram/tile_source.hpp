#pragma once

#include <span>

#include "dualkpca/gram/gram_operator.hpp"
#include "dualkpca/kernel/kernel.hpp"

namespace dualkpca {

/// Source of the entries of a stored matrix K.
template <class T>
class TileSource {
 public:
  virtual ~TileSource() = default;
  /// Prepares the source; called once before the first tile.
  virtual void prepare() {}
  /// Returns the approximate number of multiply-adds per entry.
  [[nodiscard]] virtual Index cost_per_entry() const { return 1; }
  /// Computes out = K(row .. row + out.rows, col .. col + out.cols), in the precision of storage. Thread-safe.
  virtual void tile(Index row, Index col, const TileRef<T>& out) const = 0;
  /// Computes out = K(:, indices): the values of the tiles, up to rounding.
  virtual void columns(std::span<const Index> indices, MatrixRef out) const = 0;
  /// Returns the rounding errors of the entries. `sums` bounds the length of any `width` entries that follow each other
  /// in a row of K, and `unit_sums` that of a single one.
  [[nodiscard]] virtual RoundingErrors errors(Index width) const = 0;
  /// See GramOperator.
  virtual void exact_block(std::span<const Index> rows, std::span<const Index> columns, MatrixRef out) const = 0;
};

}  // namespace dualkpca
