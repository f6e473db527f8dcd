#include "solver/krylov_space.hpp"

#include <Eigen/Cholesky>
#include <cmath>

#include "core/tall_matrix.hpp"

namespace dualkpca {
namespace {

// Returns X with X'SX = I for S = W'W, so that W X is orthonormal. It comes from the Cholesky factor or, if that breaks
// down, from the eigenvectors that are not rounding.
Matrix orthonormalising(const Matrix& S, double smallest) {
  const Eigen::LLT<Matrix> cholesky(S);
  if (cholesky.info() == Eigen::Success) {
    const Matrix L = cholesky.matrixL();
    // If the squared condition number is nearer to 1/epsilon, a second pass cannot repair the result.
    if (L.diagonal().minCoeff() > std::max(1e-5 * L.diagonal().maxCoeff(), 2 * std::sqrt(smallest)))
      return L.triangularView<Eigen::Lower>().solve(Matrix::Identity(S.rows(), S.rows())).transpose();
  }
  const SmallEigen eigen = small_eigen(S);
  Index rank = 0;
  while (rank < S.rows() && eigen.values[rank] > std::max(smallest, 1e-13 * eigen.values[0])) ++rank;
  return eigen.vectors.leftCols(rank) * eigen.values.head(rank).cwiseSqrt().cwiseInverse().asDiagonal();
}

}  // namespace

// The products of vectors that are being made orthonormal, and how they are combined from products of unit vectors: W
// = V of_new - Q of_basis.
struct KrylovSpace::Combined {
  Matrix* GW;
  Matrix of_new{}, of_basis{};

  void divide(const Vector& scale, Index basis) {
    *GW *= scale.asDiagonal();
    of_new = Matrix::Identity(scale.size(), scale.size());
    of_basis = Matrix::Zero(basis, scale.size());
  }
  void multiply(const Matrix& X, int threads) {
    *GW = times(*GW, X, threads);
    of_new = of_new * X;
    of_basis = of_basis * X;
  }
};

void KrylovSpace::orthonormalise(Matrix& W, Combined* products, double share, bool residuals) const {
  if (W.cols() == 0) return;
  // Columns are scaled to length 1 first: residuals differ by orders of magnitude, and small ones matter as much.
  Vector scale(W.cols());
  for (Index j = 0; j < W.cols(); ++j) {
    const double norm = W.col(j).norm();
    scale[j] = norm > 0 ? 1 / norm : 0;
  }
  W *= scale.asDiagonal();
  if (products != nullptr) products->divide(scale, size());
  // Two passes are enough if the columns are well separated; each pass squares the error.
  for (int pass = 0; pass < 6 && W.cols() > 0; ++pass) {
    double along = 0;  // largest component of W in Q
    if (size() > 0 && (pass > 0 || !residuals)) {
      const Matrix C = inner(basis(), W, threads_);
      add_times(W, basis(), C, -1.0, 1.0, threads_);
      if (products != nullptr) {
        add_times(*products->GW, this->products(), C, -1.0, 1.0, threads_);
        products->of_basis += C;
      }
      along = C.cwiseAbs().maxCoeff();
    }
    const Matrix S = inner(W, W, threads_);
    const double wrong = (S - Matrix::Identity(S.rows(), S.rows())).cwiseAbs().maxCoeff();
    if (wrong < 1e-12 && along < 1e-8 && (pass > 0 || !residuals)) return;
    const Matrix X = orthonormalising(S, pass == 0 ? share * share : 0.25);
    W = times(W, X, threads_);
    if (products != nullptr) products->multiply(X, threads_);
  }
  W.resize(W.rows(), 0);  // reached only if Q leaves no room
  if (products == nullptr) return;
  products->GW->resize(W.rows(), 0);
  products->of_new.resize(products->of_new.rows(), 0);
  products->of_basis.resize(size(), 0);
}

Matrix KrylovSpace::orthonormal(Matrix W) const {
  orthonormalise(W, nullptr, 1e-6, false);
  return W;
}

Matrix KrylovSpace::orthonormal_residuals(Matrix R) const {
  orthonormalise(R, nullptr, 1e-6, true);
  return R;
}

void KrylovSpace::reserve(Index columns) {
  if (columns <= Q_.cols()) return;
  const Index capacity = std::max(columns, Q_.cols() + Q_.cols() / 2);
  for (Matrix* M : {&Q_, &GQ_}) {
    Matrix wider(M->rows(), capacity);
    wider.leftCols(size()) = M->leftCols(size());
    *M = std::move(wider);
  }
}

void KrylovSpace::append(ConstMatrixRef W, ConstMatrixRef GW) {
  const Index m = size(), w = W.cols();
  if (w == 0) return;
  reserve(m + w);
  Q_.middleCols(m, w) = W;
  GQ_.middleCols(m, w) = GW;
  Matrix C(m + w, m + w), N(m + w, m + w);
  C.topLeftCorner(m, m) = C_;
  N.topLeftCorner(m, m) = N_;
  C.rightCols(w) = inner(Q_.leftCols(m + w), GW, threads_);
  N.rightCols(w) = inner(GQ_.leftCols(m + w), GW, threads_);
  C.bottomLeftCorner(w, m) = inner(W, GQ_.leftCols(m), threads_);
  N.bottomLeftCorner(w, m) = N.topRightCorner(m, w).transpose();
  C_ = std::move(C);
  N_ = std::move(N);
  mixing_.conservativeResizeLike(Matrix::Identity(m + w, m + w));
}

void KrylovSpace::join(Matrix V, Matrix GV, double share) {
  if (V.cols() == 0) return;
  Combined products{.GW = &GV};
  orthonormalise(V, &products, share, false);
  const Matrix of_earlier = mixing_ * products.of_basis;
  const Index m = size(), w = V.cols();
  append(V, GV);
  mixing_.topRightCorner(m, w) = -of_earlier;
  mixing_.bottomLeftCorner(w, m) = -of_earlier.transpose();
  mixing_.bottomRightCorner(w, w) =
      products.of_new.transpose() * products.of_new + products.of_basis.transpose() * of_earlier;
}

void KrylovSpace::compress(const Matrix& Z) {
  Q_ = times(basis(), Z, threads_);
  GQ_ = times(products(), Z, threads_);
  C_ = Z.transpose() * C_ * Z;
  N_ = Z.transpose() * N_ * Z;
  mixing_ = Z.transpose() * mixing_ * Z;
}

double KrylovSpace::unorthogonality() const {
  return (inner(basis(), basis(), threads_) - Matrix::Identity(size(), size())).norm();
}

BasisSpectrum KrylovSpace::exact_spectrum(const SmallEigen& ritz) const {
  Matrix R = products();
  add_times(R, basis(), C_, -1.0, 1.0, threads_);  // an error of C_ only adds to R'R
  const Matrix residual = times(inner(ritz.vectors, inner(R, R, threads_)), ritz.vectors);
  return {.theta = ritz.values, .residual = 0.5 * (residual + residual.transpose())};
}

BasisSpectrum KrylovSpace::spectrum(const SmallEigen& ritz) const {
  // R'R for R = (I - QQ')GQ. With T in place of C the difference of their rounding errors would hide a small residual.
  const Matrix RR = N_ - inner(C_, C_);
  const Matrix residual = times(inner(ritz.vectors, RR), ritz.vectors);
  return {.theta = ritz.values, .residual = 0.5 * (residual + residual.transpose())};
}

}  // namespace dualkpca
