#pragma once

#include <vector>

#include "dualkpca/kernel/kernel_params.hpp"
#include "support/naive.hpp"

/// Gram matrices and the error of a solution in long double, from the formulas, for tests that compare a reported error
/// with the true one.
namespace dualkpca::test {

using LongMatrix = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using LongVector = Eigen::Matrix<long double, Eigen::Dynamic, 1>;

/// A Gram matrix, and a bound on the rounding of its entries.
struct LongGram {
  LongMatrix G{};
  long double rounding = 0;
};
/// Returns the kernel matrix of the rows of X, centred on request. Kernels of the distance are evaluated as k - 1
/// before they are centred, and linear kernels on centred rows, so that centring loses no digits.
LongGram exact_gram(const KernelCase& kernel, const Matrix& X, bool centered);
/// Returns a given matrix K, centred on request.
LongGram exact_gram(const Matrix& K, bool centered);
/// Returns (I - 1c') K (I - c1') for a given matrix K.
LongGram exact_centered_at(const Matrix& K, const Vector& c);

/// A number that lies between two others.
struct Range {
  long double low = 0, high = 0;
};

/// The exact matrix G and the sum of its s largest eigenvalues. The eigenvalues are computed in float64 at first, and
/// in long double where a comparison needs more digits.
class ExactGram {
 public:
  ExactGram(LongGram gram, Index s);
  /// Returns true if the sum of the s largest eigenvalues is not rounding of the reference.
  [[nodiscard]] bool has_variance() const { return values_.sum() > 2 * rounding_; }
  /// Returns the true error 1 - 2|d(H)| / sum, up to the rounding of the reference.
  [[nodiscard]] Range error(const Matrix& H) const;
  /// Returns true if the true error of H is above `eta` for certain.
  [[nodiscard]] bool error_exceeds(const Matrix& H, double eta);
  /// Returns the s largest eigenvalues, descending.
  [[nodiscard]] const LongVector& eigenvalues() const { return values_; }
  /// Returns the sum of the s largest eigenvalues, up to the rounding of the reference.
  [[nodiscard]] Range sum() const { return {values_.sum() - rounding_, values_.sum() + rounding_}; }
  /// Computes the eigenvalues in long double, unless that has been done or n is too large for it.
  void sharpen();

 private:
  void compute(bool sharp);
  LongMatrix G_;
  Index s_;
  long double entries_;       // bound on the rounding of the entries of G, as a Frobenius norm
  long double norm_;          // Frobenius norm of G
  LongVector values_{};       // the s largest eigenvalues
  long double rounding_ = 0;  // bound on the error of their sum
  bool is_sharp_ = false;
};

}  // namespace dualkpca::test
