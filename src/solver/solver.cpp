#include "dualkpca/solver/solver.hpp"

#include <cmath>

#include "core/derived_seed.hpp"
#include "core/names.hpp"
#include "solver/automatic.hpp"
#include "solver/certify.hpp"
#include "solver/challenge.hpp"
#include "solver/fill_result.hpp"
#include "solver/heavy_rows.hpp"
#include "solver/product_errors.hpp"
#include "solver/solvers.hpp"
#include "solver/stopping.hpp"

namespace dualkpca {
namespace {

constexpr NameTable<SolverName, 9> solver_names = {{{SolverName::automatic, "auto"},
                                                    {SolverName::lbfgs, "lbfgs"},
                                                    {SolverName::krylov, "krylov"},
                                                    {SolverName::nystrom, "nystrom"},
                                                    {SolverName::dense, "dense"},
                                                    {SolverName::lanczos, "lanczos"},
                                                    {SolverName::rsvd, "rsvd"},
                                                    {SolverName::dca, "dca"},
                                                    {SolverName::panoc, "panoc"}}};
constexpr NameTable<Accuracy, 2> accuracies = {
    {{Accuracy::estimated, "estimated"}, {Accuracy::certified, "certified"}}};

SolveResult run(SolverName name, const GramOperator& gram, Index s, const SolverParams& params, const GramFacts& facts,
                const Observer& observe) {
  switch (name) {
    case SolverName::dense: return solve_dense(gram, s, params, observe);
    case SolverName::lanczos: return solve_lanczos(gram, s, params, observe);
    case SolverName::rsvd: return solve_rsvd(gram, s, params, observe);
    case SolverName::lbfgs: return solve_lbfgs(gram, s, params, observe);
    case SolverName::krylov: return solve_krylov(gram, s, params, facts, observe);
    case SolverName::nystrom: return solve_nystrom(gram, s, params, facts, observe);
    case SolverName::dca:
    case SolverName::panoc: return solve_dc_square(gram, s, params, observe);
    default: return solve_automatic(gram, s, params, facts, observe);
  }
}

std::vector<Index> nonzero_indices(const Matrix& H) {
  std::vector<Index> columns;
  for (Index j = 0; j < H.cols(); ++j)
    if (!H.col(j).isZero(0)) columns.push_back(j);
  return columns;
}

// Estimates the error of a solution that no challenge has looked at, because rounding has ended the run.
void challenge(SolveResult& result, const GramOperator& gram, const SolverParams& params, const Observer& observe) {
  const RunLimits limits(params, observe);
  const std::vector<Index> columns = nonzero_indices(result.H);
  Challenge challenge(gram, result.H.cols(), params, limits);
  const Matrix H = result.H(Eigen::all, columns), GH = result.GH(Eigen::all, columns);
  if (const std::optional<RitzPoint> better = challenge.better_than(H, GH, result.iterations))
    fill_result(result, better->H, better->GH, result.H.cols(), rank_rule(gram));
  result.eta = std::max(result.eta, challenge.eta());
  result.next_value = challenge.next_value();
}

// Completes an eta that comes from a residual: adds the part of the residual that rounding hides, H - Y of the exact
// matrix, and near the identity makes no supposition about the gap between eigenvalues.
void complete_estimate(SolveResult& result, const GramOperator& gram, std::uint64_t seed, double tol) {
  const std::vector<Index> columns = nonzero_indices(result.H);
  Matrix U = result.H(Eigen::all, columns), GU = result.GH(Eigen::all, columns);
  const Vector lengths = U.colwise().norm(), theta = lengths.cwiseAbs2();
  U *= lengths.cwiseInverse().asDiagonal();
  GU *= lengths.cwiseInverse().asDiagonal();
  const Matrix one = Matrix::Identity(U.cols(), U.cols());
  ProductErrorBound errors(gram, 1, derived_seed(seed, Purpose::rounding));
  // H = U Theta^{1/2}, so an error D of the product GU moves Y by D Theta^{-1/2}.
  const auto eta_of = [&](const Vector& squares) { return 100 * squares.cwiseQuotient(theta).sum() / theta.sum(); };
  Vector squares = errors.likely_squares({U, GU, one}, one);
  const bool is_enough = gram.precision() == Precision::float64 || eta_of(squares) <= result.eta;
  if (!is_enough) squares = errors.estimated_squares({U, GU, one}, one);
  result.eta += eta_of(squares);
  if (!HeavyRows::are_needed(gram, theta.minCoeff())) return;
  const double residual = (GU - U * theta.asDiagonal()).squaredNorm();
  const HeavyRows rows(gram, tol);
  if (std::string note = rows.note(); !note.empty()) result.notes.push_back(std::move(note));
  if (is_enough) squares = errors.likely_squares({U, GU, one}, one, rows.offdiagonal());
  result.eta = std::max(result.eta, rows.estimated_eta(theta, residual, squares.sum(), result.next_value).value_or(0));
}

// No eigenvalue is above rounding. The solution 0 misses nothing that could be told from rounding. No bound says so.
void settle_zero(SolveResult& result, const SolverParams& params) {
  const bool is_limited = result.stop_reason == StopReason::requested || result.status == Status::time_limit;
  const bool is_done = params.accuracy == Accuracy::estimated;
  result.eta = is_done && !is_limited ? 0 : 1;
  result.eta_kind = is_done ? EtaKind::estimated : EtaKind::certified;
  if (is_limited) return;
  result.status = is_done ? Status::converged : Status::stopped;
  result.stop_reason = is_done ? StopReason::none : StopReason::not_certified;
  result.message.clear();
  if (!is_done) result.message = "no eigenvalue is above rounding, so there is nothing to certify";
}

}  // namespace

std::string_view to_string(SolverName name) { return name_of(solver_names, name); }
SolverName parse_solver(std::string_view name) { return parse_name(solver_names, "solver", name); }
std::string_view to_string(Accuracy accuracy) { return name_of(accuracies, accuracy); }
Accuracy parse_accuracy(std::string_view name) { return parse_name(accuracies, "accuracy", name); }
std::string_view to_string(EtaKind kind) {
  return kind == EtaKind::certified ? "certified" : kind == EtaKind::stationary ? "stationary" : "estimated";
}

void SolverParams::validate() const {
  if (!(tol >= 0 && tol < 1)) throw InvalidArgument(fmt::format("tol is {}; it must be in [0, 1)", tol));
  if (max_iter < 1) throw InvalidArgument(fmt::format("max_iter is {}; it must be at least 1", max_iter));
  if (!(time_limit >= 0))
    throw InvalidArgument(fmt::format("time_limit is {}; it must be 0 (none) or positive", time_limit));
  if (oversampling < 0) throw InvalidArgument(fmt::format("oversampling is {}; it must be 0 or more", oversampling));
  if (landmarks < 0)
    throw InvalidArgument(fmt::format("landmarks is {}; it must be 0 (any number) or more", landmarks));
  if (power_iterations && *power_iterations < 0)
    throw InvalidArgument(fmt::format("power_iterations is {}; it must be 0 or more", *power_iterations));
}

SolveResult solve(const GramOperator& gram, Index s, const SolverParams& params, const GramFacts& facts,
                  const Observer& observe) {
  params.validate();
  if (s < 1 || s > gram.size())
    throw InvalidArgument(fmt::format("n_components is {}; it must be in 1..{}", s, gram.size()));
  SolveResult result = run(params.name, gram, s, params, facts, observe);
  if (result.solver == SolverName::automatic) result.solver = params.name;
  if (!result.H.allFinite() || !result.GH.allFinite())
    throw DataError("the numbers of this fit leave the range of float64: scale the data");
  // Solvers without a certificate of their own get one afterwards, from products that start at their solution.
  const bool own = result.solver == SolverName::krylov || result.solver == SolverName::nystrom;
  if (result.H.isZero(0)) {
    settle_zero(result, params);
    return result;
  }
  if (params.accuracy == Accuracy::certified && !own)
    (void)certify(result, gram, params, facts, observe);
  else if (!own) {
    // A limit that the user has set also limits the products that would measure the error.
    const bool may_go_on = result.status == Status::converged || result.stop_reason == StopReason::rounding;
    if (!result.is_eigen && may_go_on && !std::isfinite(result.next_value)) challenge(result, gram, params, observe);
    complete_estimate(result, gram, params.seed, params.tol);
  }
  if (!(result.eta <= 1)) result.eta = 1;
  reconcile(result, params, result.landmarks ? Precision::float64 : gram.precision());
  return result;
}

}  // namespace dualkpca
