#pragma once

#include <vector>

#include "dualkpca/gram/gram_operator.hpp"

namespace dualkpca {

/// Rows of the kernel matrix K by their sums r_i = k_ii + sum over j != i of |k_ij|. K <= diag(r) in the Loewner order,
/// so the j-th largest eigenvalue of K, or of K after centring, is at most the j-th largest r_i. This is nearly sharp
/// if K is the identity plus a few large entries, where the residual of every vector is small and shows nothing
/// (docs/math.md, "Near the identity"). For other kernels it says nothing.
class HeavyRows {
 public:
  /// Returns true if the s-th Ritz value is so close to the mean of the diagonal that K may be near the identity.
  [[nodiscard]] static bool are_needed(const GramOperator& gram, double theta_s);
  /// Cost: a pass over all entries of K.
  explicit HeavyRows(const GramOperator& gram);

  /// Returns the rows not returned before whose r_i exceeds `value`, those with the largest r_i first, `most` of them
  /// at most.
  [[nodiscard]] std::vector<Index> next(double value, Index most);
  /// Returns how many rows have an r_i above `value`.
  [[nodiscard]] Index count_above(double value) const;
  /// Returns an upper bound on the sum of the s largest eigenvalues; infinite if there is none.
  [[nodiscard]] double largest_sum(Index s) const;

 private:
  std::vector<Index> order_{};  // rows by descending r_i
  Vector sums_{};               // r_i
  std::size_t returned_ = 0;
};

/// Returns the columns of the n x n identity with these indices.
[[nodiscard]] Matrix unit_columns(Index n, const std::vector<Index>& indices);

}  // namespace dualkpca
