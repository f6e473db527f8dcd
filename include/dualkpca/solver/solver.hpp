#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "dualkpca/core/observer.hpp"
#include "dualkpca/core/status.hpp"
#include "dualkpca/gram/gram_operator.hpp"

namespace dualkpca {

/// automatic: dense up to 1000 rows, lbfgs above; lanczos for kernels that may be indefinite, for which the dual has no
/// meaning. lanczos and rsvd are the methods to compare with.
enum class SolverName { automatic, lbfgs, dense, lanczos, rsvd };

[[nodiscard]] std::string_view to_string(SolverName name);
/// Throws InvalidArgument listing the accepted names.
[[nodiscard]] SolverName parse_solver(std::string_view name);

struct SolverParams {
  SolverName name = SolverName::automatic;
  double tol = 1e-5;                        ///< stop when eta <= tol, 0 <= tol < 1
  Index max_iter = 1000;                    ///< iterations, >= 1
  double time_limit = 0;                    ///< seconds, 0 for none
  std::uint64_t seed = 0;                   ///< of the random start
  Index oversampling = 10;                  ///< of rsvd: columns beyond the components, >= 0
  std::optional<Index> power_iterations{};  ///< of rsvd, >= 0; unset: as many as tol takes, at most max_iter

  /// Throws InvalidArgument naming field, value and range.
  void validate() const;
};

struct SolveResult {
  Matrix H{};   ///< n x s dual variables; columns beyond the rank of G are zero
  Matrix GH{};  ///< n x s, the product at H
  Status status = Status::converged;
  std::string message{};  ///< why it stopped, where the status alone does not say
  Index iterations = 0;
  double eta = 0;               ///< error estimate at H, see SolverParams::tol
  double dual_objective = 0;    ///< d(H)
  double primal_objective = 0;  ///< -1/2 |Y|_F^2, the paper's primal cost at the orthonormal directions of H
};

/// Minimises the dual over H (n x s), 1 <= s <= n. Throws DataError if G turns out to be indefinite; slow convergence
/// is a status.
[[nodiscard]] SolveResult solve(const GramOperator& gram, Index s, const SolverParams& params,
                                const Observer& observe = {});

/// The solver `automatic` stands for; `indefinite` if G may be.
[[nodiscard]] SolverName choose_solver(SolverName requested, Index n, bool indefinite = false);

/// Limited-memory BFGS on the dual (the paper's solver), from a seeded random start. Strong-Wolfe steps are found on
/// GH + a GD, so an iteration costs exactly one product with G: products = iterations + 1.
/// eta = 100 |H - Y|_F^2 / |H|_F^2, an estimate that allows for a relative eigenvalue gap of one percent.
[[nodiscard]] SolveResult solve_lbfgs(const GramOperator& gram, Index s, const SolverParams& params,
                                      const Observer& observe = {});

/// LAPACK on the explicit matrix: 8 n^2 bytes and O(n^3). One product, for the scores and for eta: a status other than
/// converged means that rounding in G's precision allows no better.
[[nodiscard]] SolveResult solve_dense(const GramOperator& gram, Index s, const SolverParams& params);

/// Implicitly restarted Lanczos (Spectra, after ARPACK) with a basis of 2s + 1 or more vectors: products of width 1,
/// and one of width s at the end for the scores and for eta. A Ritz pair counts as converged when |Gu - theta u| <=
/// sqrt(tol) / 15 theta, which gives eta <= tol / 2. A single start vector can miss copies of a repeated eigenvalue:
/// twenty more steps orthogonal to what was found look for one. An iteration is a restart.
[[nodiscard]] SolveResult solve_lanczos(const GramOperator& gram, Index s, const SolverParams& params,
                                        const Observer& observe = {});

/// Randomized SVD (Halko, Martinsson, Tropp 2011, algorithms 4.4 and 5.3): an orthonormal basis of G^(q+1) Omega with s
/// + oversampling columns, then Rayleigh-Ritz; q + 2 products. With power_iterations given, q is that number and eta
/// says how good it was (iteration_limit if above tol); otherwise q grows until eta <= tol.
[[nodiscard]] SolveResult solve_rsvd(const GramOperator& gram, Index s, const SolverParams& params,
                                     const Observer& observe = {});

}  // namespace dualkpca
