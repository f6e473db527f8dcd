#pragma once

#include <span>

#include "dualkpca/core/types.hpp"

namespace dualkpca {

/// Work done by an operator so far.
struct GramCounts {
  Index products = 0;           ///< products with G, of any width
  Index product_columns = 0;    ///< sum of their widths
  Index kernel_columns = 0;     ///< single columns of G evaluated, parts of columns added up
  double assembly_seconds = 0;  ///< wall time of the pass that evaluated G, with the product it carried
  bool stored = false;          ///< all of G has been evaluated and is kept
};

/// The Gram matrix G (n x n, symmetric) as solvers see it: a block product. Behind it G is stored, precomputed or
/// centred; solvers never ask which. One thread at a time may use an operator.
class GramOperator {
 public:
  virtual ~GramOperator() = default;
  [[nodiscard]] virtual Index size() const = 0;
  /// Width of the entries, and so the accuracy of a product.
  [[nodiscard]] virtual Precision precision() const = 0;
  /// Size of an entry before any centring, sqrt(max k_ii mean k_ii): the rounding errors of G have about the norm
  /// epsilon sqrt(n) scale.
  [[nodiscard]] virtual double scale() const = 0;
  /// Threads that a product is spread over.
  [[nodiscard]] virtual int threads() const = 0;
  /// GV = G V; V and GV are n x w and do not overlap. Cost: n^2 w multiply-adds.
  virtual void apply(ConstMatrixRef V, MatrixRef GV) const = 0;
  /// Entries (i, i).
  [[nodiscard]] virtual Vector diagonal() const = 0;
  /// out = G(:, indices), n x indices.size().
  virtual void columns(std::span<const Index> indices, MatrixRef out) const = 0;
  /// out = G(rows, columns) in float64 from the data themselves, whatever precision() is. What landmarks are made of,
  /// and what the rounding errors of a product are measured with.
  virtual void exact_block(std::span<const Index> rows, std::span<const Index> columns, MatrixRef out) const = 0;
  /// K if this is G = J K J, else this operator itself.
  [[nodiscard]] virtual const GramOperator& uncentered() const { return *this; }
  [[nodiscard]] virtual GramCounts counts() const = 0;
};

}  // namespace dualkpca
