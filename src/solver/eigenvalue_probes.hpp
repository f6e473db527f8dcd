#pragma once

#include <vector>

#include "dualkpca/core/types.hpp"

namespace dualkpca {

/// Random vectors that bound the largest eigenvalue of C = (I - PP') G (I - PP') by Lanczos steps of their own. They
/// must be drawn after P was fixed: the component g of an unscaled normal vector on the top eigenvector of C is then
/// exactly N(0, 1), and the bound fails only if |g| < z for all probes at once, which has the given probability
/// `failure`. This event does not depend on the number of steps, so the bound may be used after any step.
class EigenvalueProbes {
 public:
  /// `P`: n x p, orthonormal. `centered`: G maps constants to zero, so they are taken out of the probes.
  EigenvalueProbes(ConstMatrixRef P, Index count, bool centered, double failure, std::uint64_t seed, int threads);

  /// Returns the unit vectors to be multiplied by G next, n x w; no columns if every probe has found an invariant
  /// subspace.
  [[nodiscard]] const Matrix& vectors() const { return vectors_; }
  /// Makes one Lanczos step with `GV` = G vectors(), and the same P.
  void advance(ConstMatrixRef GV, ConstMatrixRef P);
  /// Returns b >= lambda_max(C), which fails with the given probability at most; infinite before the first step.
  [[nodiscard]] double bound() const;
  /// Return the smallest and the largest Rayleigh quotient of C in the subspaces of the probes.
  [[nodiscard]] double lowest() const;
  [[nodiscard]] double largest() const;
  [[nodiscard]] Index steps() const { return static_cast<Index>(history_.size()); }

 private:
  struct Probe {
    double norm = 0;                      // norm of the drawn vector outside P
    std::vector<double> alpha{}, beta{};  // the tridiagonal matrix so far
    [[nodiscard]] double bound(double z) const;
    [[nodiscard]] Vector ritz_values() const;
  };
  void keep_active(const std::vector<Index>& columns);

  double z_;
  int threads_;
  std::vector<Probe> probes_;
  std::vector<Index> active_{};  // probe of each column of vectors_
  Matrix vectors_{};
  std::vector<Matrix> history_{};  // earlier Lanczos vectors, columns as in vectors_
};

/// Returns z with P(|g| < z)^count = failure for g ~ N(0, 1).
[[nodiscard]] double probe_threshold(double failure, Index count);

}  // namespace dualkpca
