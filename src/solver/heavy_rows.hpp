#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dualkpca/gram/gram_operator.hpp"

namespace dualkpca {

/// Rows of the kernel matrix K by their sums r_i = k_ii + sum over j != i of |k_ij|. K <= diag(r) in the Loewner order,
/// so the j-th largest eigenvalue of K, or of K after centring, is at most the j-th largest r_i. This is nearly sharp
/// if K is the identity plus a few large entries, where the residual of every vector is small and shows nothing
/// (docs/math.md, "Near the identity"). For other kernels it says nothing.
class HeavyRows {
 public:
  /// Returns true if the s-th Ritz value is so close to a mean of the diagonal that K may be near the identity.
  [[nodiscard]] static bool are_needed(const GramOperator& gram, double theta_s);
  /// Cost: a pass over all entries of K.
  HeavyRows(const GramOperator& gram, double tol);

  /// Returns the rows not returned before that may belong to an eigenvalue larger than these s Ritz values, by enough
  /// to matter for tol. Those with the largest r_i come first, `most` of them at most.
  [[nodiscard]] std::vector<Index> next(const Vector& theta, Index most);
  /// Lets next() begin with the first row again.
  void rewind() { returned_ = 0; }
  /// Returns how many rows may, of all of them.
  [[nodiscard]] Index count(const Vector& theta) const;
  /// Returns the smallest eta that estimated_eta() can say of Ritz vectors that are not exact.
  [[nodiscard]] double least_eta() const { return unseen_; }
  /// Returns an upper bound on the sum of the s largest eigenvalues; infinite if there is none.
  [[nodiscard]] double largest_sum(Index s) const;
  /// Returns a note for the user if K is a multiple of the identity, so that no component explains more than others;
  /// empty otherwise.
  [[nodiscard]] std::string note() const;
  /// Returns the sums without k_ii. Rounding changes row i of a product by no more, because the error of an entry is
  /// smaller than the entry. Empty if the sums are not known.
  [[nodiscard]] const Vector& offdiagonal() const { return offdiagonal_; }
  /// Estimates eta of Ritz vectors with the values theta, for which the residual and the rounding errors of the product
  /// have these squared lengths. It supposes that next() has been asked for all rows that matter, but not that the s-th
  /// eigenvalue is separated from the next one. Returns nothing if the sums are so large that K is not near the
  /// identity.
  /// `next`: an estimate of the next eigenvalue from Ritz values, or infinity.
  [[nodiscard]] std::optional<double> estimated_eta(const Vector& theta, double residual, double rounding,
                                                    double next) const;

 private:
  // Returns the r_i above which a row may matter.
  [[nodiscard]] double least(const Vector& theta) const;

  bool is_near_ = false;        // most rows have little outside the diagonal
  double size_;                 // mean of the k_ii
  double epsilon_;              // a relative error of this size in an entry is not seen
  double unseen_;               // share of the sum that rows below least() may be worth
  std::vector<Index> order_{};  // rows by descending r_i
  Vector offdiagonal_{};        // r_i - k_ii
  Vector sums_{};               // r_i
  std::size_t returned_ = 0;
};

/// Returns the columns of the n x n identity with these indices.
[[nodiscard]] Matrix unit_columns(Index n, const std::vector<Index>& indices);

}  // namespace dualkpca
