#pragma once

#include "core/small_eigen.hpp"
#include "solver/certificate.hpp"

namespace dualkpca {

/// An orthonormal basis Q (n x m) that grows, with its products GQ and the small matrices C = Q'(GQ) and N = (GQ)'(GQ).
/// Rounding makes C a little unsymmetric; T = (C + C') / 2 has the Ritz values.
class KrylovSpace {
 public:
  KrylovSpace(Index n, int threads) : Q_(n, 0), GQ_(n, 0), C_(0, 0), N_(0, 0), threads_(threads) {}

  [[nodiscard]] Index size() const { return C_.rows(); }
  [[nodiscard]] auto basis() const { return Q_.leftCols(size()); }
  [[nodiscard]] auto products() const { return GQ_.leftCols(size()); }
  /// Returns the part of C that belongs to `count` columns from `first` on.
  [[nodiscard]] Matrix projected(Index first, Index count) const { return C_.block(first, first, count, count); }

  /// Reserves memory for so many columns, so that growing does not copy.
  void reserve(Index columns);
  /// Returns the columns of W made orthonormal, and orthogonal to Q; dependent columns are left out.
  [[nodiscard]] Matrix orthonormal(Matrix W) const;
  /// Returns the same for columns (I - QQ')GQz, which are orthogonal to Q up to rounding: this saves a pass over Q.
  [[nodiscard]] Matrix orthonormal_residuals(Matrix R) const;
  /// Adds W, as orthonormal() gives it, and its product.
  void append(ConstMatrixRef W, ConstMatrixRef GW);
  /// Adds any vectors whose product is known. Leaves out directions of which less than `share` is new: normalising the
  /// new part would magnify the rounding errors of their products by up to 1 / share.
  void join(Matrix V, Matrix GV, double share);
  /// Replaces Q by Q Z for an m x r matrix Z with orthonormal columns.
  void compress(const Matrix& Z);

  /// Returns A'A if GQ was combined from products of unit vectors by the matrix A. If the errors of these products are
  /// independent of each other and of size e, then those of GQ have the covariance e^2 A'A.
  [[nodiscard]] const Matrix& mixing() const { return mixing_; }
  /// Returns |Q'Q - I|_F.
  [[nodiscard]] double unorthogonality() const;

  [[nodiscard]] SmallEigen ritz() const { return small_eigen(C_); }
  /// Returns the spectrum with a residual that is computed from small matrices. Its errors are some eps theta_1^2.
  [[nodiscard]] BasisSpectrum spectrum(const SmallEigen& ritz) const;
  /// Returns the spectrum with a residual from the vectors themselves, whose errors are some (eps theta_1)^2. Cost: 3 n
  /// m^2 multiply-adds.
  [[nodiscard]] BasisSpectrum exact_spectrum(const SmallEigen& ritz) const;

 private:
  struct Combined;
  void orthonormalise(Matrix& W, Combined* products, double share, bool residuals) const;

  Matrix Q_, GQ_;  // the first size() columns are in use
  Matrix C_, N_;
  Matrix mixing_;
  int threads_;
};

}  // namespace dualkpca
