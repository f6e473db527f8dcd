#include "support/naive.hpp"

#include <Eigen/SVD>
#include <cmath>
#include <limits>

#include "dualkpca/core/random.hpp"
#include "support/decompositions.hpp"

namespace dualkpca::test {

std::string case_name(const KernelCase& kernel) {
  std::string name(to_string(kernel.name));
  if (kernel.name == KernelName::poly) name += std::to_string(kernel.degree);
  return name;
}

double naive_kernel(const KernelCase& kernel, const double* x, const double* y, Index d) {
  long double product = 0, square = 0, absolute = 0, xx = 0, yy = 0;
  for (Index k = 0; k < d; ++k) {
    absolute += std::abs(static_cast<long double>(x[k]) - y[k]);
    xx += static_cast<long double>(x[k]) * x[k];
    yy += static_cast<long double>(y[k]) * y[k];
    product += static_cast<long double>(x[k]) * y[k];
    square += (static_cast<long double>(x[k]) - y[k]) * (static_cast<long double>(x[k]) - y[k]);
  }
  switch (kernel.name) {
    case KernelName::rbf: return static_cast<double>(std::exp(-kernel.gamma * square));
    case KernelName::laplace: return static_cast<double>(std::exp(-kernel.gamma * std::sqrt(square)));
    case KernelName::poly: return static_cast<double>(std::pow(kernel.gamma * product + kernel.coef0, kernel.degree));
    case KernelName::laplacian: return static_cast<double>(std::exp(-kernel.gamma * absolute));
    case KernelName::sigmoid: return static_cast<double>(std::tanh(kernel.gamma * product + kernel.coef0));
    case KernelName::cosine: return xx > 0 && yy > 0 ? static_cast<double>(product / std::sqrt(xx * yy)) : 0;
    case KernelName::matern32: {
      const long double a = std::sqrt(3.0L * square) * kernel.gamma;
      return static_cast<double>((1 + a) * std::exp(-a));
    }
    case KernelName::matern52: {
      const long double a = std::sqrt(5.0L * square) * kernel.gamma;
      return static_cast<double>((1 + a + a * a / 3) * std::exp(-a));
    }
    default: return static_cast<double>(product);
  }
}

Matrix naive_kernel_matrix(const KernelCase& kernel, const Matrix& A, const Matrix& B) {
  Matrix K(A.rows(), B.rows());
  for (Index i = 0; i < A.rows(); ++i)
    for (Index j = 0; j < B.rows(); ++j)
      K(i, j) = naive_kernel(kernel, A.data() + i * A.cols(), B.data() + j * B.cols(), A.cols());
  return K;
}

Matrix naive_centered(const Matrix& K) {
  const Index n = K.rows();
  const Matrix J = Matrix::Identity(n, n) - Matrix::Constant(n, n, 1.0 / static_cast<double>(n));
  return J * K * J;
}

Vector spread(Index n, const std::vector<Index>& rows, const Vector& weights) {
  Vector c = Vector::Zero(n);
  for (std::size_t l = 0; l < rows.size(); ++l) c[rows[l]] += weights[static_cast<Index>(l)];
  return c;
}

Matrix naive_centered_at(const Matrix& K, const Vector& c) {
  const Index n = K.rows();
  const Matrix shift = Matrix::Identity(n, n) - Vector::Ones(n) * c.transpose();
  return shift * K * shift.transpose();
}

Vector eigenvalues_descending(const Matrix& G) { return SymmetricEigen(G).eigenvalues().reverse(); }

Matrix random_orthonormal(Index rows, Index cols, std::uint64_t seed) {
  return orthonormal(random_normal(rows, cols, seed));
}

Matrix with_spectrum(const Vector& values, std::uint64_t seed) {
  const Index n = values.size();
  const Matrix Q = random_orthonormal(n, n, seed);
  const Matrix G = Q * values.asDiagonal() * Q.transpose();
  return 0.5 * (G + G.transpose());
}

Polar polar(const Matrix& M) {
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(M, Eigen::ComputeThinU | Eigen::ComputeThinV);
  const Vector& sigma = svd.singularValues();
  const double noise =
      static_cast<double>(M.size()) * std::numeric_limits<double>::epsilon() * (sigma.size() > 0 ? sigma[0] : 0);
  const Index rank = (sigma.array() > noise).count();
  return {.sigma = sigma, .W = svd.matrixU().leftCols(rank) * svd.matrixV().leftCols(rank).transpose()};
}

Matrix rounded(const Matrix& X, Precision precision) {
  return precision == Precision::float32 ? Matrix(X.cast<float>().cast<double>()) : X;
}

}  // namespace dualkpca::test
