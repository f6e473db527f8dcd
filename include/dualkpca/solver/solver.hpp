#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dualkpca/core/observer.hpp"
#include "dualkpca/core/status.hpp"
#include "dualkpca/gram/gram_operator.hpp"
#include "dualkpca/objective/loss.hpp"

namespace dualkpca {

// Words of this header. G is the Gram matrix: the n x n kernel values of all pairs of n training rows, usually centred.
// A product is one multiplication of G by a block of columns. The dual is the optimisation problem that is solved: its
// unknown H (n x s, for s components) has one row of dual variables for each training row, and d(H) is its objective.
// Landmarks are a few training rows whose kernel columns stand in for all of G. docs/glossary.md has more words.

/// Algorithm. automatic chooses: panoc for losses other than square; else dense for few rows (250 for 2 components, 930
/// for 20) or too many components for a Krylov basis; else lanczos for matrices that are or may be indefinite, for
/// which the dual has no meaning; else nystrom if landmarks meet tol or G cannot be stored; else krylov, started from
/// the landmarks if there are more than 500 rows. lbfgs and dca are the algorithms of the paper; lanczos and rsvd are
/// there to compare with.
enum class SolverName { automatic, lbfgs, krylov, nystrom, dense, lanczos, rsvd, dca, panoc };

[[nodiscard]] std::string_view to_string(SolverName name);
/// Throws InvalidArgument listing the accepted names.
[[nodiscard]] SolverName parse_solver(std::string_view name);

/// Kind of eta that a fit must have before it stops: an estimate, or an upper bound (see EtaKind).
enum class Accuracy { estimated, certified };
[[nodiscard]] std::string_view to_string(Accuracy accuracy);
/// Throws InvalidArgument listing the accepted names.
[[nodiscard]] Accuracy parse_accuracy(std::string_view name);

/// Kind of eta, the error of a solution.
/// For the square loss, eta is the relative error of d(H): the share of the best possible explained variance that the
/// components miss. estimated: usually right within a factor of ten. certified: an upper bound with failure probability
/// at most 1e-6 over random draws, if the rounding errors of single operations are independent (docs/tolerances.md).
/// The bound of landmarks needs no random numbers, but relies on float64. For other losses it is stationary: the
/// residual |H - Z|_F / |Z|_F with Z = prox(Y(H)), which is 0 at critical points of the dual only. It is no error of
/// the objective.
enum class EtaKind { estimated, certified, stationary };
[[nodiscard]] std::string_view to_string(EtaKind kind);

/// Algorithm, tolerance and limits.
struct SolverParams {
  SolverName name = SolverName::automatic;
  double tol = 1e-5;                        ///< stop when eta <= tol, 0 <= tol < 1; 0: as small as rounding allows
  Accuracy accuracy = Accuracy::estimated;  ///< kind of eta that must meet tol
  Index max_iter = 1000;                    ///< largest number of iterations, >= 1
  double time_limit = 0;                    ///< seconds; 0: no limit
  std::uint64_t seed = 0;                   ///< seed of the random start and of all other random choices
  Index oversampling = 10;                  ///< rsvd: columns of a product beyond the components, >= 0
  std::optional<Index> power_iterations{};  ///< rsvd: number, >= 0; unset: as many as tol needs, at most max_iter

  /// Largest number of landmarks of nystrom and automatic; 0: as many as tol needs, at most 4000. For a centred sparse
  /// model it is the largest number of rows that its centre is made of; 0: a tenth of the rows, between 10 and 100.
  Index landmarks = 0;

  /// Throws InvalidArgument naming field, value and range.
  void validate() const;
};

/// Facts about G that no solver can find out by itself. KernelPCA derives them from the kernel and from the memory
/// plan; the default suits any matrix.
struct GramFacts {
  bool positive = false;    ///< G is positive semi-definite for all data, so that landmarks can certify
  bool indefinite = false;  ///< G may have large negative eigenvalues
  bool storable = true;     ///< G fits the memory budget
  std::size_t memory = 0;   ///< bytes for the vectors and landmarks of the solver; 0: any number
};

/// Directions w_j, orthonormal combinations of the features phi(x_l) of a few training rows x_l, the landmarks
/// (docs/math.md, "Landmarks").
struct Landmarks {
  std::vector<Index> rows{};  ///< indices of the k landmarks
  Matrix coefficients{};      ///< k x s: w_j = sum over the landmarks of coefficients(l, j) phi(x_l)
  Vector offset{};            ///< s entries: score(x) = k_L(x)' coefficients - offset; zero if not centred
  double trace_low = 0;       ///< lower end of an interval that contains tr G, which no product has given exactly
  double trace_high = 0;      ///< upper end of that interval
  double kernel_mean = 0;     ///< mean entry of K, as the landmarks approximate it; 0 if not centred
  Vector center{};         ///< k weights: the centre is sum over the landmarks of center[l] phi(x_l); 0 if not centred
  Vector center_values{};  ///< n inner products <phi(x_i), centre>
};

/// Starting point of a solver for losses other than square.
struct StartReport {
  std::string name{};
  double objective = 0;  ///< p (see SolveResult::primal_objective) where the run ended or was given up
  bool is_best = false;  ///< true if the solution came from it
};

/// Reason why a solver stopped with Status::stopped; none with every other status.
enum class StopReason {
  none,
  requested,      ///< the observer asked for it
  rounding,       ///< rounding in the precision of G allows no smaller eta
  not_certified,  ///< more products would hardly improve the certificate
  landmarks,      ///< the landmarks that could be made do not meet the tolerance
};

/// Message of a solver that the observer has stopped.
inline constexpr const char* stopped_on_request = "stopped on request";

/// Solution of the dual, and how it was found.
struct SolveResult {
  Matrix H{};   ///< n x s dual variables; columns beyond the rank of G are zero
  Matrix GH{};  ///< n x s, the product at H; empty for nystrom
  Status status = Status::converged;
  StopReason stop_reason = StopReason::none;
  std::string message{};  ///< reason why it stopped, if the status alone does not say it
  Index iterations = 0;
  double eta = 0;  ///< error of H
  EtaKind eta_kind = EtaKind::estimated;
  double dual_objective = 0;    ///< d(H); NaN for nystrom
  double primal_objective = 0;  ///< p(H) = -F(Y) of the training scores Y; for the square loss -1/2 |Y|_F^2
  SolverName solver = SolverName::automatic;  ///< solver that ran
  std::string reason{};                       ///< reason why `automatic` chose it
  std::optional<Landmarks> landmarks{};       ///< directions found by nystrom, for which H are the training scores
  Loss loss{};                                ///< loss with its hyperparameter
  std::optional<double> kappa_max{};          ///< largest size in the square-loss solution, if that was computed
  std::vector<StartReport> starts{};          ///< starting points; empty for the square loss
  std::vector<std::string> notes{};           ///< facts that a user must know besides the status
  double next_value = std::numeric_limits<double>::infinity();  ///< estimated eigenvalue s + 1; infinite if unknown
  bool is_eigen = false;  ///< H is U sqrt(Lambda), with eigenvectors U of G in descending order: it needs no rotation
};

/// Minimises the dual for the square loss over H (n x s), 1 <= s <= n. `facts`: properties of G; `observe`: gets the
/// progress and may stop the solver. Throws DataError if G turns out to be indefinite. Slow convergence does not throw:
/// see SolveResult::status.
[[nodiscard]] SolveResult solve(const GramOperator& gram, Index s, const SolverParams& params,
                                const GramFacts& facts = {}, const Observer& observe = {});

/// Solves the dual for a loss other than square.
/// `square`: the solution of solve() for the square loss, from which it starts; its eta need not be small. It may be
/// empty with solver dca and a given kappa or epsilon; then the start is random, by the seed.
/// `warm`: a solution for a nearby kappa or epsilon, from which panoc starts in addition.
///   panoc  makes one product per iteration: first extrapolated steps of the DC algorithm (for differences of convex
///          functions), then quasi-Newton steps whose direction and line search cost no product (docs/math.md). For
///          norm entries, and for rows that become zero, it runs from several starts at once. These lie within the span
///          of `square`, which may have more than s components for this purpose.
///   dca    is Algorithm 1 of the paper. With tol 0 it stops by the paper's rule.
/// For a target sparsity it searches over epsilon until the share is right to within 0.01, or one row or entry; if the
/// share jumps over the target, the nearest one is taken, and a note says so. Throws InvalidArgument if epsilon leaves
/// nothing of the solution.
[[nodiscard]] SolveResult solve_loss(const GramOperator& gram, Index s, const LossParams& loss,
                                     const SolverParams& params, const std::optional<SolveResult>& square,
                                     const GramFacts& facts = {}, const Observer& observe = {},
                                     const std::optional<Matrix>& warm = {});

}  // namespace dualkpca
