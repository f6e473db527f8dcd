#include "kernel/slope.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "core/squared_distances.hpp"
#include "dualkpca/core/errors.hpp"

namespace dualkpca {

KernelSlope::KernelSlope(KernelName name, double gamma, int degree, double coef0)
    : name_(name), gamma_(gamma), coef0_(coef0), degree_(degree), is_of_distance_(is_shift_invariant(name)) {
  if (name == KernelName::laplacian || name == KernelName::cosine || name == KernelName::precomputed)
    throw InvalidArgument(fmt::format(
        "there is no derivative of kernel {}; use rbf, laplace, matern32, matern52, poly, linear or sigmoid",
        to_string(name)));
}

double KernelSlope::value(double u) const {
  const double r = is_of_distance_ ? std::sqrt(u) : 0;
  switch (name_) {
    case KernelName::rbf: return std::exp(-gamma_ * u);
    case KernelName::laplace: return std::exp(-gamma_ * r);
    case KernelName::matern32: {
      const double a = std::numbers::sqrt3 * gamma_ * r;
      return (1 + a) * std::exp(-a);
    }
    case KernelName::matern52: {
      const double a = std::sqrt(5.0) * gamma_ * r;
      return (1 + a + a * a / 3) * std::exp(-a);
    }
    case KernelName::poly: return std::pow(gamma_ * u + coef0_, degree_);
    case KernelName::sigmoid: return std::tanh(gamma_ * u + coef0_);
    default: return u;
  }
}

double KernelSlope::slope(double u) const {
  const double r = is_of_distance_ ? std::sqrt(u) : 0;
  switch (name_) {
    case KernelName::rbf: return 2 * gamma_ * std::exp(-gamma_ * u);
    case KernelName::laplace: return gamma_ * std::exp(-gamma_ * r) / std::max(r, 1e-9 / gamma_);
    case KernelName::matern32: return 3 * gamma_ * gamma_ * std::exp(-std::numbers::sqrt3 * gamma_ * r);
    case KernelName::matern52: {
      const double a = std::sqrt(5.0) * gamma_ * r;
      return 5.0 / 3.0 * gamma_ * gamma_ * (1 + a) * std::exp(-a);
    }
    case KernelName::poly: return degree_ * gamma_ * std::pow(gamma_ * u + coef0_, degree_ - 1);
    case KernelName::sigmoid: {
      const double k = std::tanh(gamma_ * u + coef0_);
      return gamma_ * (1 - k * k);
    }
    default: return 1;
  }
}

void KernelSlope::evaluate(const Matrix& U, Matrix& values, Matrix& slopes) const {
  if (name_ == KernelName::rbf) {  // rbf is common, so it uses the vector code
    values = (-gamma_ * U.array()).exp();
    slopes = 2 * gamma_ * values;
    return;
  }
  values = U.unaryExpr([this](double u) { return value(u); });
  slopes = U.unaryExpr([this](double u) { return slope(u); });
}

Matrix KernelSlope::arguments(ConstMatrixRef X, ConstMatrixRef Y) const {
  if (is_of_distance_) return squared_distances(X, Y);
  Matrix U(X.rows(), Y.rows());
  blas::gemm(blas::Op::none, blas::Op::transpose, X.rows(), Y.rows(), X.cols(), 1.0, X.data(), X.outerStride(),
             Y.data(), Y.outerStride(), 0.0, U.data(), U.cols());
  return U;
}

}  // namespace dualkpca
