#include <fmt/format.h>

#include <cmath>
#include <numeric>

#include "baselines/common.hpp"
#include "baselines/comparison.hpp"
#include "core/decompositions.hpp"
#include "core/small_eigen.hpp"
#include "core/tall_matrix.hpp"
#include "dualkpca/core/errors.hpp"
#include "dualkpca/objective/dual_objective.hpp"

namespace dualkpca::baselines {
namespace {

constexpr double growth = 1.1, largest_mu = 1e6;

void validate(const L21RkpcaParams& params) {
  if (!(params.lambda >= 0 && std::isfinite(params.lambda)))
    throw InvalidArgument(fmt::format("lambda is {}; it must be 0 or positive", params.lambda));
  if (!(params.mu > 0 && std::isfinite(params.mu)))
    throw InvalidArgument(fmt::format("mu is {}; it must be positive", params.mu));
  if (!(params.tol > 0 && params.tol < 1))
    throw InvalidArgument(fmt::format("tol is {}; it must be in (0, 1)", params.tol));
  require_positive_count("max_iter", params.max_iter);
}

// Functions of G (n x n each) and the start of the iterations.
struct Spectral {
  Matrix G, root;             // G^{1/2}
  Matrix inverse, inverse_g;  // (G^2 + I)^{-1} and (G^2 + I)^{-1} G
  Matrix A, B;                // n x s, plain kernel PCA: A'GA = I; B = G^{1/2} A, orthonormal beyond the rank, too
};

Spectral spectral(const GramOperator& gram, Index s) {
  const Index n = gram.size();
  Spectral at;
  at.G.resize(n, n);
  std::vector<Index> all(static_cast<std::size_t>(n));
  std::iota(all.begin(), all.end(), Index{0});
  gram.columns(all, at.G);
  const SmallEigen eigen = small_eigen(at.G);
  const RankRule rule = rank_rule(gram);
  require_positive(eigen.values[n - 1], eigen.values[0], rule);
  const Vector values = eigen.values.cwiseMax(0);
  const Matrix Qt = eigen.vectors.transpose();
  const auto function_of_g = [&](const Vector& f) { return times(eigen.vectors, f.asDiagonal() * Qt, gram.threads()); };
  at.root = function_of_g(values.cwiseSqrt());
  const Vector shrunk = (values.array().square() + 1).inverse();
  at.inverse = function_of_g(shrunk);
  at.inverse_g = function_of_g(shrunk.cwiseProduct(values));
  at.B = eigen.vectors.leftCols(s);
  at.A = at.B;
  for (Index j = 0; j < s; ++j) at.A.col(j) *= rule.is_zero(values[j], values[0]) ? 0 : 1 / std::sqrt(values[j]);
  return at;
}

// Shortens every row of M to at most `length`. This is the part of M that shrinkage by `length` removes.
Matrix rows_within(Matrix M, double length) {
  for (Index i = 0; i < M.rows(); ++i) {
    const double norm = M.row(i).norm();
    if (norm > length) M.row(i) *= length / norm;
  }
  return M;
}

// The method of multipliers. Rows are samples here: R = G^{1/2} - G A B' is the transpose of the residual in the model.
class Admm {
 public:
  Admm(const Spectral& at, const L21RkpcaParams& params, int threads)
      : at_(at), params_(params), threads_(threads), mu_(params.mu), A_(at.A), B_(at.B) {
    const Index n = A_.rows(), s = A_.cols();
    E_ = U_ = Matrix::Zero(n, n);
    C_ = V_ = Matrix::Zero(n, s);
    GA_ = times(at_.G, A_, threads_);
    R_ = residual(GA_);
  }

  // Updates E and C, then the multipliers U and V, which are then subgradients of the two norms. Rows of U are at most
  // 1/mu long and those of V at most lambda/mu, so R - E and A - C go to zero as mu grows.
  void split() {
    const Matrix U = rows_within(R_ + U_, 1 / mu_), V = rows_within(A_ + V_, params_.lambda / mu_);
    E_ = R_ + U_ - U;
    C_ = A_ + V_ - V;
    // Rows that shrink to zero become exactly zero, without rounding.
    for (Index i = 0; i < C_.rows(); ++i)
      if ((A_ + V_).row(i).norm() <= params_.lambda / mu_) C_.row(i).setZero();
    U_ = U;
    V_ = V;
  }

  // Updates A and B for the next penalty. U and V are the multipliers divided by the penalty.
  void solve() {
    const double next_mu = std::min(growth * mu_, largest_mu);
    U_ *= mu_ / next_mu;
    V_ *= mu_ / next_mu;
    mu_ = next_mu;
    const Matrix M = at_.root - E_ + U_;
    A_ = times(at_.inverse_g, times(M, B_, threads_), threads_) + times(at_.inverse, C_ - V_, threads_);
    GA_ = times(at_.G, A_, threads_);
    const Matrix MGA = inner(M, GA_, threads_);
    if (!MGA.isZero(0)) B_ = polar_factor(MGA);
    R_ = residual(GA_);
  }

  [[nodiscard]] double residual_e() const { return (R_ - E_).norm() / at_.root.norm(); }
  [[nodiscard]] double residual_c() const { return (A_ - C_).norm() / std::max({A_.norm(), C_.norm(), at_.A.norm()}); }
  // Objective of the model at the start and at (C, B).
  [[nodiscard]] double start_objective() const { return objective(R_, A_); }
  [[nodiscard]] double split_objective() const { return objective(residual(times(at_.G, C_, threads_)), C_); }
  [[nodiscard]] const Matrix& coefficients() const { return C_; }

 private:
  [[nodiscard]] Matrix residual(const Matrix& GA) const {
    Matrix R = at_.root;
    add_times(R, GA, B_.transpose(), -1.0, 1.0, threads_);
    return R;
  }
  [[nodiscard]] double objective(const Matrix& R, const Matrix& A) const {
    return R.rowwise().norm().sum() + params_.lambda * A.rowwise().norm().sum();
  }

  const Spectral& at_;
  const L21RkpcaParams& params_;
  int threads_;
  double mu_;
  Matrix A_, B_, GA_, C_, E_, R_, U_, V_;
};

}  // namespace

L21RkpcaResult l21_rkpca(const GramOperator& gram, Index s, const L21RkpcaParams& params) {
  require_components(gram, s);
  validate(params);
  const Spectral at = spectral(gram, s);
  L21RkpcaResult result;
  Matrix best = at.A;
  if (at.A.isZero(0)) {  // G is zero, too
    result.converged = true;
  } else {
    Admm admm(at, params, gram.threads());
    result.objective.push_back(admm.start_objective());
    result.best_objective = result.objective[0];
    while (result.iterations < params.max_iter && !result.converged) {
      if (result.iterations > 0) admm.solve();
      admm.split();
      ++result.iterations;
      result.residual_e.push_back(admm.residual_e());
      result.residual_c.push_back(admm.residual_c());
      result.objective.push_back(admm.split_objective());
      if (result.objective.back() < result.best_objective) {
        result.best_objective = result.objective.back();
        best = admm.coefficients();
      }
      result.converged = std::max(result.residual_e.back(), result.residual_c.back()) < params.tol;
    }
  }
  const Matrix G_best = times(at.G, best, gram.threads());
  result.A = orthonormal_coefficients(gram, best, G_best);
  result.scores = times(at.G, result.A, gram.threads());
  return result;
}

}  // namespace dualkpca::baselines
