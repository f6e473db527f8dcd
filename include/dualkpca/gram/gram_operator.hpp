#pragma once

#include <span>

#include "dualkpca/core/types.hpp"

namespace dualkpca {

/// Work that an operator has done so far.
struct GramCounts {
  Index products = 0;           ///< products with G, of any width
  Index product_columns = 0;    ///< sum of their widths
  Index kernel_columns = 0;     ///< single columns of G that were evaluated, with parts of columns added up
  double assembly_seconds = 0;  ///< wall time of the pass that evaluated G, including the product it carried
  bool stored = false;          ///< true once all of G has been evaluated and is kept
};

/// Rounding errors of a product, one entry per row (docs/math.md, "Rounding"). The entries of G have errors that the
/// values of a row share, and errors of each value alone. The latter, and those of adding up, are taken for independent
/// of each other, so only their typical size is given.
struct RoundingErrors {
  Vector shared{};         ///< bound on the length of row i of the matrix of shared errors
  double shared_norm = 0;  ///< bound on the spectral norm of that matrix
  Vector single{};         ///< error of row i of a product with a unit vector by the errors of single values
  Vector sums{};           ///< error of row i of such a product by adding up
  /// The errors of k_ij for i != j as shares of |k_ij|, which bound the spectral norm where most of these are 0. Empty
  /// if they are not known.
  Vector shared_share{}, single_share{};
  Vector unit_sums{};  ///< error of row i by adding up if the vector has one entry only
};

/// The Gram matrix G as solvers see it. G is the symmetric n x n matrix of the kernel values of all pairs of n training
/// rows, usually centred. A solver multiplies it by a block of columns, which is called a product. It need not know
/// whether G is stored, given or centred. One thread at a time may use an operator.
class GramOperator {
 public:
  virtual ~GramOperator() = default;
  [[nodiscard]] virtual Index size() const = 0;
  /// Returns the precision of the entries, on which the accuracy of a product depends.
  [[nodiscard]] virtual Precision precision() const = 0;
  /// Returns the size of an entry before any centring, sqrt(max k_ii mean k_ii) for kernel values k_ij. The norm of the
  /// rounding errors of G is about epsilon sqrt(n) scale.
  [[nodiscard]] virtual double scale() const = 0;
  /// Returns the number of threads that share a product.
  [[nodiscard]] virtual int threads() const = 0;
  /// Computes the product GV = G V. V and GV are n x w and do not overlap. Cost: n^2 w multiply-adds.
  virtual void apply(ConstMatrixRef V, MatrixRef GV) const = 0;
  /// Returns the entries (i, i).
  [[nodiscard]] virtual Vector diagonal() const = 0;
  /// Computes out = G(:, indices), n x indices.size().
  virtual void columns(std::span<const Index> indices, MatrixRef out) const = 0;
  /// Computes out = G(rows, columns) in float64 from the data themselves, whatever precision() is. Landmarks are chosen
  /// with these entries, and the rounding errors of a product are measured against them.
  virtual void exact_block(std::span<const Index> rows, std::span<const Index> columns, MatrixRef out) const = 0;
  /// Returns what rounding may do to products with vectors of length 1 whose entries add up to at most `sum`, a priori.
  /// `sharp`: uses the sizes of the entries if these are stored. Cost: a pass over the data, and over the entries.
  [[nodiscard]] virtual RoundingErrors rounding(double sum, bool sharp) const = 0;
  /// Returns the sums of |k_ij| over all j other than i, for the kernel matrix K before any centring, or an empty
  /// vector if the eigenvalues of G may exceed those of K. Cost: a pass over all entries.
  [[nodiscard]] virtual Vector offdiagonal_sums() const = 0;
  /// Returns the operator of the kernel matrix K if this one is G = J K J, else this operator itself.
  [[nodiscard]] virtual const GramOperator& uncentered() const { return *this; }
  /// Returns the work done so far.
  [[nodiscard]] virtual GramCounts counts() const = 0;
};

}  // namespace dualkpca
