#include <Spectra/SymEigsSolver.h>
#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <cmath>
#include <stdexcept>

#include "core/tall_matrix.hpp"
#include "dualkpca/core/errors.hpp"
#include "dualkpca/core/random.hpp"
#include "dualkpca/core/threads.hpp"
#include "solver/challenge.hpp"
#include "solver/fill_result.hpp"
#include "solver/solvers.hpp"
#include "solver/stopping.hpp"

namespace dualkpca {
namespace {

using Basis = Eigen::MatrixXd;  // n x k, column by column as Spectra holds it

constexpr Index most_rounds = 20;     // challenges that may find something better
constexpr Index smallest_basis = 20;  // number of Lanczos vectors, as programs that call ARPACK choose it

/// Exception that leaves Spectra's loop, which cannot be left otherwise.
struct StopRequest {};

/// (I - UU') (G + shift I) (I - UU') with orthonormal U, in the interface of Spectra. The shift lets components that
/// are zero up to the rounding of a product count as converged: their residual has no relative meaning.
class ShiftedProduct {
 public:
  using Scalar = double;

  ShiftedProduct(const GramOperator& gram, double shift, const Basis& found, const RunLimits& limits,
                 SolveResult& result)
      : gram_(gram), shift_(shift), found_(found), limits_(limits), result_(result) {}
  [[nodiscard]] Eigen::Index rows() const { return gram_.size(); }
  [[nodiscard]] Eigen::Index cols() const { return gram_.size(); }
  void perform_op(const double* in, double* out) const {
    const double unknown_eta = std::numeric_limits<double>::quiet_NaN();
    if (limits_.reached(gram_.counts().products, unknown_eta, result_)) throw StopRequest{};
    const Vector x = without_found(Eigen::Map<const Vector>(in, rows()));
    Matrix Gx(rows(), 1);
    gram_.apply(x, Gx);
    Eigen::Map<Vector>(out, rows()) = without_found(Gx.col(0) + shift_ * x);
  }

 private:
  [[nodiscard]] Vector without_found(const Vector& x) const { return x - found_ * (found_.transpose() * x); }

  const GramOperator& gram_;
  double shift_;
  const Basis& found_;
  const RunLimits& limits_;
  SolveResult& result_;
};

class Lanczos : public Spectra::SymEigsSolver<ShiftedProduct> {
 public:
  using SymEigsSolver::SymEigsSolver;
  /// Returns Ritz vectors of the current Krylov basis by descending value, even if the run was stopped.
  [[nodiscard]] Basis ritz_vectors(dualkpca::Index count) const {
    const dualkpca::Index k = m_fac.subspace_dim();
    const Eigen::SelfAdjointEigenSolver<Basis> eigen(m_fac.matrix_H().topLeftCorner(k, k));
    return m_fac.matrix_V().leftCols(k) * eigen.eigenvectors().rightCols(std::min(count, k)).rowwise().reverse();
  }
};

struct Run {
  Basis vectors{};
  bool stopped = false;
  bool converged = false;
  bool has_failed = false;  // a decomposition inside Spectra did not converge
  Index restarts = 0;
};

Run run_lanczos(ShiftedProduct& op, Index count, Index max_restarts, double tolerance, std::uint64_t seed) {
  const Index n = op.rows();
  Lanczos lanczos(op, count, std::min(n, std::max(2 * count + 1, smallest_basis)));
  Run run{.vectors = Basis(n, 0)};
  bool has_basis = false;
  try {
    const Matrix start = random_normal(n, 1, seed);
    lanczos.init(start.data());
    has_basis = true;
    lanczos.compute(Spectra::SortRule::LargestAlge, max_restarts, tolerance);
    run.converged = lanczos.info() == Spectra::CompInfo::Successful;
    run.restarts = lanczos.num_iterations();
  } catch (const StopRequest&) {
    run.stopped = true;
  } catch (const Error&) {  // thrown by a product
    throw;
  } catch (const std::runtime_error&) {  // thrown by Spectra if its small decomposition does not converge
    run.has_failed = true;
  }
  if (has_basis) run.vectors = lanczos.ritz_vectors(count);
  if (!run.vectors.allFinite()) run.vectors = Basis(n, 0);
  return run;
}

Basis joined(const Basis& A, const Basis& B) {
  Basis both(std::max(A.rows(), B.rows()), A.cols() + B.cols());
  both << A, B;
  return both;
}

Basis orthonormalised(const Basis& A) {
  return Eigen::HouseholderQR<Basis>(A).householderQ() * Basis::Identity(A.rows(), A.cols());
}

// Returns the Ritz point in the range of an orthonormal U. Scores and eta come from its product.
RitzPoint ritz_of(const GramOperator& gram, const Basis& U, const RankRule& rule) {
  const Matrix V = U;
  Matrix GV(V.rows(), V.cols());
  gram.apply(V, GV);
  return ritz_point(V, GV, rule);
}

double top_sum(const RitzPoint& ritz, Index s) { return ritz.theta.head(std::min(s, ritz.theta.size())).sum(); }

// Returns a lower bound of |G|, usually close to it, by a few steps of the power method.
double estimate_norm(const GramOperator& gram, std::uint64_t seed) {
  Matrix v = random_normal(gram.size(), 1, seed), Gv(gram.size(), 1);
  double norm = 0;
  for (int step = 0; step < 3; ++step) {
    v /= v.norm();
    gram.apply(v, Gv);
    norm = Gv.norm();
    if (!(norm > 0)) return 0;
    v = Gv;
  }
  return norm;
}

// One run and its further runs for copies of repeated eigenvalues. `tolerance`: a Ritz pair (theta, u) has converged if
// |Gu - theta u| is at most this share of theta. `noise`: size of the rounding errors of a product.
SolveResult solve_once(const GramOperator& gram, Index s, const SolverParams& params, const RunLimits& limits,
                       double noise, double tolerance) {
  const RankRule rule = rank_rule(gram);
  const Index n = gram.size();
  SolveResult result;
  // Spectra finds at most n - 1 directions. If all n are wanted, the last one is orthogonal to the others.
  Basis found(n, 0);
  ShiftedProduct op(gram, noise / tolerance, found, limits, result);
  Run main_run{.vectors = Basis(n, 0), .converged = true};
  if (n > 1) main_run = run_lanczos(op, std::min(s, n - 1), params.max_iter, tolerance, params.seed);
  Basis U = main_run.vectors;
  if (U.cols() < s) {  // also after a run that was stopped early
    const Index missing = s - U.cols();
    U = orthonormalised(joined(U, Basis(random_normal(n, missing, params.seed + 1))));
  }
  RitzPoint ritz = ritz_of(gram, U, rule);
  require_positive(ritz.lowest, ritz.theta.size() > 0 ? ritz.theta[0] : 0, rule);
  result.iterations = main_run.restarts;

  // A repeated eigenvalue may have copies that the start vector cannot reach: further runs, orthogonal to the vectors
  // found, look for them.
  for (Index copy = 1; main_run.converged && copy <= s && s < n; ++copy) {
    found = U;
    const auto look = [&](Index restarts) {
      const Run run = run_lanczos(op, 1, restarts, tolerance, params.seed + 1 + static_cast<std::uint64_t>(copy));
      return ritz_of(gram, orthonormalised(joined(U, run.vectors)), rule);
    };
    const double gain = top_sum(look(1), s) - top_sum(ritz, s);
    if (!(gain > 0.1 * std::max(params.tol, epsilon_of(gram.precision())) * top_sum(ritz, s))) break;
    ritz = look(params.max_iter);
    U = orthonormalised(Basis(ritz.H.leftCols(std::min(s, ritz.H.cols()))));
  }

  const Index rank = std::min(s, ritz.theta.size());
  fill_result(result, ritz.H.leftCols(rank), ritz.GH.leftCols(rank), s, rule);
  if (main_run.stopped) return result;
  if (result.eta <= params.tol || (params.tol == 0 && main_run.converged)) return result;
  if (main_run.converged)
    stop_by_rounding(result, result.eta, gram.precision());
  else
    result.status = Status::iteration_limit;
  if (main_run.has_failed)
    result.message = "a decomposition inside the solver lanczos did not converge: choose another solver";
  return result;
}

}  // namespace

SolveResult solve_lanczos(const GramOperator& gram, Index s, const SolverParams& params, const Observer& observe) {
  const RunLimits limits(params, observe);
  const BlasThreadGuard one_blas_thread;
  const RankRule rule = rank_rule(gram);
  const double epsilon = epsilon_of(gram.precision()), least_tolerance = std::sqrt(epsilon) / 100;
  const double noise = 4 * epsilon * estimate_norm(gram, params.seed);
  SolveResult result;
  if (noise == 0) {  // G is zero
    fill_result(result, Matrix(gram.size(), 0), Matrix(gram.size(), 0), s, rule);
    return result;
  }
  Challenge challenge(gram, s, params, limits);
  // With sqrt(tol) / 10 eta would end at tol itself, and rounding or the shift would push it above. A tolerance below
  // rounding would need a shift that hides G.
  double tolerance = std::max(std::sqrt(params.tol) / 15, least_tolerance);
  while (true) {
    const Index before = result.iterations;
    result = solve_once(gram, s, params, limits, noise, tolerance);
    result.iterations += before;
    if (result.status != Status::converged) return result;
    for (Index round = 0; round < most_rounds; ++round) {
      const std::optional<RitzPoint> better = challenge.better_than(result.H, result.GH, result.iterations);
      if (!better) break;
      fill_result(result, better->H, better->GH, s, rule);
      if (limits.reached(result.iterations, result.eta, result)) return result;
    }
    result.eta = std::max(result.eta, challenge.eta());
    result.next_value = challenge.next_value();
    if (params.tol == 0 || result.eta <= params.tol || tolerance == least_tolerance) return result;
    tolerance = std::max(least_tolerance, tolerance * std::min(0.5, params.tol / result.eta));
  }
}

}  // namespace dualkpca
