#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dualkpca/core/observer.hpp"
#include "dualkpca/core/status.hpp"
#include "dualkpca/gram/gram_operator.hpp"
#include "dualkpca/objective/loss.hpp"

namespace dualkpca {

/// automatic: dense for few rows (250 for 2 components, 930 for 20); lanczos for kernels that may be indefinite, for
/// which the dual has no meaning; nystrom if landmarks already meet tol; else krylov, started from them; panoc for
/// losses other than square. lbfgs and dca are the paper's; lanczos and rsvd are the methods to compare with.
enum class SolverName { automatic, lbfgs, krylov, nystrom, dense, lanczos, rsvd, dca, panoc };

[[nodiscard]] std::string_view to_string(SolverName name);
/// Throws InvalidArgument listing the accepted names.
[[nodiscard]] SolverName parse_solver(std::string_view name);

/// What eta has to be before a fit stops: an estimate, or a bound with a proof.
enum class Accuracy { estimated, certified };
[[nodiscard]] std::string_view to_string(Accuracy accuracy);
[[nodiscard]] Accuracy parse_accuracy(std::string_view name);

/// What eta is: of the square loss the relative error of d(H), estimated or certified; of the others the fixed-point
/// residual |H - Z|_F / |Z|_F, Z = prox(Y(H)).
enum class EtaKind { estimated, certified, stationary };
[[nodiscard]] std::string_view to_string(EtaKind kind);

struct SolverParams {
  SolverName name = SolverName::automatic;
  double tol = 1e-5;                        ///< stop when eta <= tol, 0 <= tol < 1
  Accuracy accuracy = Accuracy::estimated;  ///< of eta
  Index max_iter = 1000;                    ///< iterations, >= 1
  double time_limit = 0;                    ///< seconds, 0 for none
  std::uint64_t seed = 0;                   ///< of the random start
  Index oversampling = 10;                  ///< of rsvd: columns beyond the components, >= 0
  std::optional<Index> power_iterations{};  ///< of rsvd, >= 0; unset: as many as tol takes, at most max_iter

  Index landmarks = 0;  ///< of nystrom, at most; 0: as many as tol takes. Of a sparse model's centre: so many

  /// Throws InvalidArgument naming field, value and range.
  void validate() const;
};

/// What the caller knows about G and no solver can find out by itself. KernelPCA derives it from the kernel and from
/// the memory plan; the default suits a matrix of which nothing is known.
struct GramFacts {
  bool positive = false;    ///< G is positive semi-definite whatever the data are: then landmarks can certify
  bool indefinite = false;  ///< G may have large negative eigenvalues
  bool storable = true;     ///< G fits the memory budget
  std::size_t memory = 0;   ///< bytes for the solver's vectors and landmarks, 0: any number
};

/// Directions spanned by the features of a few rows (docs/math.md, "Landmarks").
struct Landmarks {
  std::vector<Index> rows{};  ///< k of them
  Matrix coefficients{};      ///< k x s: w_j = sum over the landmarks of coefficients(l, j) phi(x_l), orthonormal
  Vector offset{};            ///< s: score(x) = k_L(x)' coefficients - offset; zero if not centred
  double trace_low = 0;       ///< tr G is in this interval: no product has shown it
  double trace_high = 0;
  double kernel_mean = 0;  ///< of the entries of K, as far as the landmarks see it; 0 if not centred
  Vector center{};         ///< k: the centre is sum over the landmarks of center[l] phi(x_l); zero if not centred
  Vector center_values{};  ///< n: <phi(x_i), centre>
};

/// A point that a solver for losses other than square started from.
struct StartReport {
  std::string name{};
  double objective = 0;  ///< p where it ended, or was given up
  bool is_best = false;  ///< the solution came from it
};

/// What has made a solver stop, where its status is Status::stopped; none with every other status.
enum class StopReason {
  none,
  requested,      ///< the observer said so
  rounding,       ///< rounding in G's precision allows no smaller eta
  not_certified,  ///< more products would hardly improve the certificate
  landmarks,      ///< the landmarks that could be made do not meet the tolerance
};

/// The message of a solver that the observer has stopped.
inline constexpr const char* stopped_on_request = "stopped on request";

struct SolveResult {
  Matrix H{};   ///< n x s dual variables; columns beyond the rank of G are zero
  Matrix GH{};  ///< n x s, the product at H
  Status status = Status::converged;
  StopReason stop_reason = StopReason::none;
  std::string message{};  ///< why it stopped, where the status alone does not say
  Index iterations = 0;
  double eta = 0;  ///< error at H, see SolverParams::tol
  EtaKind eta_kind = EtaKind::estimated;
  double dual_objective = 0;    ///< d(H)
  double primal_objective = 0;  ///< -F(Y), for the square loss -1/2 |Y|_F^2: the paper's primal cost at the directions
  SolverName solver = SolverName::automatic;  ///< the one that ran
  std::string reason{};                       ///< why `automatic` chose it
  std::optional<Landmarks> landmarks{};       ///< of nystrom: H are the scores, GH is empty, dual_objective NaN
  Loss loss{};                                ///< with its number
  std::optional<double> kappa_max{};          ///< of the square-loss solution, if there was one on the way
  std::vector<StartReport> starts{};          ///< of losses other than square
  std::vector<std::string> notes{};           ///< what a user has to know besides the status
  bool is_eigen = false;  ///< H = U sqrt(Lambda), U eigenvectors of G in their order: nothing is left to be turned
};

/// Minimises the dual over H (n x s), 1 <= s <= n. Throws DataError if G turns out to be indefinite; slow convergence
/// is a status.
[[nodiscard]] SolveResult solve(const GramOperator& gram, Index s, const SolverParams& params,
                                const GramFacts& facts = {}, const Observer& observe = {});

/// Solves the dual for a loss other than square, from the solution for the square loss (`square`, of solve(); its eta
/// need not be small) or, with solver dca and a number that does not depend on kappa_max, from a seeded random start if
/// `square` is empty.
///   panoc  one product an iteration: extrapolated DC steps, then quasi-Newton steps whose direction and line search
///          cost no product (docs/math.md). Norm entries, and rows that become zero: from several starts at once,
///          within the span of the square-loss solution, which may have more than s components for that.
///   dca    Algorithm 1 of the paper. With tol 0 it stops by the paper's rule.
/// `warm`: a solution for a nearby number, that panoc starts from beside the other starts.
/// A target sparsity is met to within one percent by a warm-started search over epsilon. Throws InvalidArgument if
/// epsilon leaves nothing of the solution.
[[nodiscard]] SolveResult solve_loss(const GramOperator& gram, Index s, const LossParams& loss,
                                     const SolverParams& params, const std::optional<SolveResult>& square,
                                     const GramFacts& facts = {}, const Observer& observe = {},
                                     const std::optional<Matrix>& warm = {});

}  // namespace dualkpca
