#pragma once

#include <optional>

#include "dualkpca/gram/gram_operator.hpp"
#include "solver/certificate.hpp"

namespace dualkpca {

/// Products with G whose rounding errors are to be bounded.
struct KnownProducts {
  ConstMatrixRef Q;      ///< n x m, orthonormal
  ConstMatrixRef GQ;     ///< n x m, as computed
  const Matrix& mixing;  ///< m x m, A'A if GQ was combined from products of unit vectors by the matrix A
};

/// Bounds the rounding errors D = fl(GQ) - GQ of products (docs/math.md, "Rounding").
///
/// In float64 the bounds are those of GramOperator::rounding(). In float32 they would be far too large, so rows of D
/// are measured: the 64 rows that may have the largest errors, and 192 rows drawn with probabilities from the bounds.
/// The errors of all other rows lie between 0 and their bounds, so Hoeffding's inequality bounds their sum. It fails
/// with the given probability at most, over all calls together.
class ProductErrorBound {
 public:
  ProductErrorBound(const GramOperator& gram, double failure, std::uint64_t seed);

  /// Bounds the errors for the first s of the combinations Z (m x m', orthonormal columns) of the products.
  [[nodiscard]] ProductErrors operator()(const KnownProducts& products, const Matrix& Z);
  /// Returns |D z_j|^2 for the columns z_j of Z, as large as the model of rounding makes it, but with at most most_i
  /// for row i of D if `most` is given. Cost: a pass over the data.
  [[nodiscard]] Vector likely_squares(const KnownProducts& products, const Matrix& Z, const Vector& most = {});
  /// Estimates the same from 64 rows of D, measured in float64: rows that may have large errors, rows that matter to
  /// the combinations, and rows drawn at random.
  [[nodiscard]] Vector estimated_squares(const KnownProducts& products, const Matrix& Z);
  /// Returns a bound on the spectral norm of the errors of the entries of G.
  [[nodiscard]] double entries_norm();
  /// Uses that most entries are nearly 0, and so are their errors, if they are: makes one pass over the entries. Call
  /// it near the identity.
  void look_at_entries();

 private:
  struct Sample;
  [[nodiscard]] static ProductErrors a_priori(const KnownProducts& products, const Matrix& Z,
                                              const RoundingErrors& errors);
  [[nodiscard]] ProductErrors measured(const KnownProducts& products, const Matrix& Z, const RoundingErrors& errors);
  // Takes the rows with the largest ranks for certain, and draws others by their bounds.
  [[nodiscard]] Sample draw(const Vector& bounds, const Vector& ranks, Index certain, Index drawn);
  [[nodiscard]] Matrix measured_rows(const KnownProducts& products, const std::vector<Index>& rows) const;

  const GramOperator& gram_;
  double failure_;      // failure probability of the next call
  std::uint64_t seed_;  // seed of the next sample
  // The model of rounding, with what is known of the entries.
  [[nodiscard]] RoundingErrors rounding(const KnownProducts& products, bool sharp) const;

  [[nodiscard]] bool knows_entries(const RoundingErrors& errors) const;

  std::optional<double> entries_norm_{};
  std::optional<Vector> sums_{};  // sums of the entries off the diagonal; empty if not known
  double raised_ = 1;             // factor of the bounds, above 1 once a measured row has exceeded its bound
};

/// Returns the largest mean in [0, 1] that numbers in [0, 1] may have if `count` of them, drawn independently, have the
/// given mean. It is too small with the given probability at most (Hoeffding 1963, theorem 1).
[[nodiscard]] double largest_mean(double sampled_mean, Index count, double failure);

}  // namespace dualkpca
