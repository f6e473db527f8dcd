#include "baselines/elastic_net.hpp"

#include <cmath>

#include "baselines/common.hpp"
#include "core/decompositions.hpp"
#include "dualkpca/solver/solver.hpp"
#include "solver/automatic.hpp"

namespace dualkpca::baselines {
namespace {

struct Point {
  Matrix B, GB;
  double value;
};

// Minimises tr B'GB - 2 tr B'GA + lambda2 |B|^2 + lambda1 |B|_1 over B.
class ElasticNetStep {
 public:
  ElasticNetStep(const GramOperator& gram, double largest, const SparseKpcaParams& params)
      : gram_(gram), params_(params), curvature_(2 * (largest + params.lambda2)) {}

  [[nodiscard]] double value(const Matrix& B, const Matrix& GB, const Matrix& GA) const {
    return B.cwiseProduct(GB - 2 * GA).sum() + params_.lambda2 * B.squaredNorm() + params_.lambda1 * B.cwiseAbs().sum();
  }

  // Accelerated proximal gradient. A step that increases the value is repeated without momentum, which cannot increase
  // it.
  [[nodiscard]] Point minimise(Point at, const Matrix& GA) const {
    at.value = value(at.B, at.GB, GA);
    if (!(curvature_ > 0)) return at;  // G is zero, so every point is a minimum
    Point previous = at;
    double t = 1;
    for (Index k = 0; k < params_.max_inner; ++k) {
      const double t_next = 0.5 * (1 + std::sqrt(1 + 4 * t * t)), momentum = (t - 1) / t_next;
      Point next = proximal_step(at.B + momentum * (at.B - previous.B), at.GB + momentum * (at.GB - previous.GB), GA);
      if (next.value > at.value) {
        if (momentum == 0) return at;  // only rounding can increase the value here
        t = 1;
        continue;
      }
      const double change = (next.B - at.B).norm();
      previous = std::move(at);
      at = std::move(next);
      t = t_next;
      if (change <= inner_share * params_.tol * at.B.norm()) break;
    }
    return at;
  }

 private:
  static constexpr double inner_share = 0.01;  // share of tol, because a step is shorter than the remaining distance

  [[nodiscard]] Point proximal_step(const Matrix& Z, const Matrix& GZ, const Matrix& GA) const {
    const double threshold = params_.lambda1 / curvature_;
    const Matrix moved = Z - 2 / curvature_ * (GZ - GA + params_.lambda2 * Z);
    Point next;
    next.B = moved.unaryExpr([threshold](double value) {
      return value > threshold ? value - threshold : value < -threshold ? value + threshold : 0.0;
    });
    next.GB = product(gram_, next.B);
    next.value = value(next.B, next.GB, GA);
    return next;
  }

  const GramOperator& gram_;
  const SparseKpcaParams& params_;
  double curvature_;
};

// Returns the best A for B. Columns that B does not determine stay near their old values.
Matrix best_directions(const Matrix& GB, const Matrix& A) {
  constexpr double memory = 1e-10;
  return polar_factor(GB + memory * GB.norm() * A);
}

}  // namespace

TopDirections top_directions(const GramOperator& gram, Index s) {
  SolverParams params;
  params.name = automatic_is_dense(gram.size(), s) ? SolverName::dense : SolverName::krylov;
  params.tol = 1e-10;
  const SolveResult top = solve(gram, s, params);  // H = U sqrt(Lambda)
  return {.A = orthonormal_columns(top.H), .largest = top.H.col(0).squaredNorm()};
}

ElasticNetRun elastic_net(const GramOperator& gram, Matrix A, double largest, const SparseKpcaParams& params) {
  const ElasticNetStep step(gram, largest, params);
  const double trace = gram.diagonal().sum();
  Matrix GA = product(gram, A);
  Point at{.B = A, .GB = GA, .value = 0};
  ElasticNetRun run;
  while (run.iterations < params.max_outer && !run.converged) {
    if (run.iterations > 0) GA = product(gram, A);
    Point next = step.minimise(at, GA);
    run.converged = (next.B - at.B).norm() <= params.tol * next.B.norm();
    at = std::move(next);
    if (!at.GB.isZero(0)) A = best_directions(at.GB, A);
    const double fixed = step.value(at.B, at.GB, Matrix::Zero(A.rows(), A.cols()));
    run.objective.push_back(trace + fixed - 2 * at.GB.cwiseProduct(A).sum());
    ++run.iterations;
  }
  run.B = std::move(at.B);
  run.GB = std::move(at.GB);
  return run;
}

}  // namespace dualkpca::baselines
