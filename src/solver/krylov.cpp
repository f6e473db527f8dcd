#include "solver/krylov.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "dualkpca/core/random.hpp"
#include "solver/fill_result.hpp"
#include "solver/heavy_rows.hpp"
#include "solver/solvers.hpp"
#include "solver/stopping.hpp"

namespace dualkpca {
namespace {

constexpr Index probe_columns = 16;

// Probes are useful once the basis contains the wanted eigenvectors: only then can the eigenvalues outside it be below
// theta_s.
constexpr double separation_for_probes = 0.3;
// Where eigenvalues at the cut are equal there is no separation, and probes start once the residual is small.
constexpr double residual_for_probes = 1e-3;

// Products improve no certificate that is far below tol but for rounding. A few more may, since each one is measured on
// other rows.
constexpr Index most_rounded = 3;

// Returns eta of H = U sqrt(Theta) from a bound on how much the largest eigenvalues exceed the Ritz values. Values left
// out as rounding count as missing, and so does the squared effect of rounding on H'GH (docs/math.md).
double certified_eta(const KrylovProcess& process, double excess, const ProductErrors& errors, Index s,
                     const RankRule& rule) {
  const Vector& theta = process.spectrum().theta;
  const Index rank = rule.rank(theta, s);
  if (rank == 0) return process.spectrum().sum(s) + excess <= 0 ? 0 : 1;  // all components were left out
  const double value = theta.head(rank).sum(), left_out = std::max(0.0, process.spectrum().sum(s) - value);
  return eta_of_excess(value, excess + left_out + errors.ritz * errors.ritz / theta[rank - 1], s, errors);
}

// One run: makes products until eta is small enough or a limit is reached, then takes the Ritz point of the basis.
class KrylovSolver {
 public:
  KrylovSolver(const GramOperator& gram, Index s, const SolverParams& params, const GramFacts& facts,
               const Observer& observe)
      : gram_(gram),
        s_(s),
        params_(params),
        facts_(facts),
        certified_(params.accuracy == Accuracy::certified),
        enough_(params.tol > 0 ? params.tol : 1.0),
        limits_(params, observe),
        rule_(rank_rule(gram)),
        tol_of_sums_(std::max(params.tol, 10 * epsilon_of(gram.precision()))),
        rounding_(100 * epsilon_of(gram.precision()) * std::sqrt(static_cast<double>(s))),
        process_(gram, s, krylov_options(gram, s, params.accuracy, params.seed, facts)) {}

  SolveResult run(Matrix start, Index products_before_trust) {
    process_.start(std::move(start));
    while (process_.can_step()) {
      step();
      double eta = current_eta(false);
      bool good = is_good_enough(eta);
      bool trusted = certified_ || result_.iterations >= products_before_trust || !process_.can_step();
      if ((good || !process_.can_step()) && !certified_ && may_be_near_identity()) {
        eta = current_eta(false);
        good = is_good_enough(eta);
        trusted = eta_by_sums() <= tol_of_sums_ || !join_heavy_rows();
      }
      if ((trusted && good) || has_to_stop(eta, trusted)) break;
    }
    conclude();
    return std::move(result_);
  }

 private:
  void step() {
    process_.step();
    rounded_eta_.reset();
    ++result_.iterations;
    if (!facts_.indefinite) require_positive(process_.lowest_quotient(), process_.spectrum().theta[0], rule_);
    if (!certified_) return;
    const bool is_ready = process_.separation() < separation_for_probes ||
                          process_.residual_norm() < residual_for_probes * process_.spectrum().sum(s_);
    if (is_ready) process_.start_certifying();
  }

  [[nodiscard]] double smallest_ritz() const {
    const Vector& theta = process_.spectrum().theta;
    return theta.size() > 0 ? theta[std::min(s_, theta.size()) - 1] : 0;
  }

  // Near the identity every residual is small, and nothing follows from it.
  [[nodiscard]] bool may_be_near_identity() {
    if (!heavy_rows_ && HeavyRows::are_needed(gram_, smallest_ritz())) heavy_rows_.emplace(gram_, params_.tol);
    return heavy_rows_.has_value();
  }

  // Bounds eta by the sums of the rows of K.
  [[nodiscard]] double eta_by_sums() const {
    const double sum = process_.spectrum().sum(s_), most = heavy_rows_ ? heavy_rows_->largest_sum(s_) : 0;
    return most > 0 ? std::clamp(1 - sum / most, 0.0, 1.0) : 1;
  }

  // Adds the rows to the next block whose sums say that they may belong to a larger eigenvalue. Returns false if there
  // are none, or if the sums say so of nearly all rows and so mean nothing.
  [[nodiscard]] bool join_heavy_rows() {
    constexpr Index most_rounds = 4;
    const Index n = gram_.size(), block = krylov_block(s_, n);
    const Vector& all = process_.spectrum().theta;
    const Vector theta = all.head(std::min(s_, all.size()));
    if (rounds_ >= most_rounds || (rounds_ > 0 && heavy_rows_->count(theta) > 8 * block)) return false;
    const std::vector<Index> rows = heavy_rows_->next(theta, 2 * block);
    ++rounds_;
    if (!rows.empty()) process_.widen(unit_columns(n, rows));
    return !rows.empty() && process_.can_step();
  }

  [[nodiscard]] double estimated_eta(const Vector& rounding) const {
    const double eta = process_.estimated_eta(enough_, rounding);
    const Vector& theta = process_.spectrum().theta;
    if (!heavy_rows_ || theta.size() < s_) return eta;
    const double squares = rounding.size() > 0 ? rounding.head(s_).sum() : 0;
    const double residual = std::pow(process_.residual_norm(), 2), unknown = std::numeric_limits<double>::infinity();
    return heavy_rows_->estimated_eta(theta.head(s_), residual, squares, unknown).value_or(eta);
  }

  [[nodiscard]] Vector offdiagonal() const { return heavy_rows_ ? heavy_rows_->offdiagonal() : Vector{}; }

  // `with_rounding`: includes rounding in a certified eta even if eta is above tol without it.
  [[nodiscard]] double current_eta(bool with_rounding) {
    if (!certified_) return estimated_eta({});
    if (rounded_eta_) return *rounded_eta_;
    const double rough = certified_eta(process_, process_.certified_excess(), {}, s_, rule_);
    if (!with_rounding && rough > params_.tol) return rough;
    const auto [excess, errors] = process_.certificate();
    rounded_ += rough <= 0.1 * params_.tol ? 1 : 0;
    return rounded_eta_.emplace(certified_eta(process_, excess, errors, s_, rule_));
  }

  [[nodiscard]] bool is_good_enough(double eta) const {
    if (params_.tol > 0) return eta <= params_.tol;
    // This is the size of LAPACK's residuals.
    return !certified_ && process_.residual_norm() <= 0.1 * rounding_ * process_.spectrum().theta[0];
  }

  // True if another product is useless or not allowed; the result then says why.
  [[nodiscard]] bool has_to_stop(double eta, bool trusted) {
    if (floor_.reached(process_.residual_norm(), rounding_ * process_.spectrum().theta[0]) && trusted &&
        (!certified_ || process_.probe_sets() > 2)) {
      if (params_.tol > 0) stop_by_rounding(result_, eta, gram_.precision());
      return true;
    }
    if (certified_ && eta > params_.tol && rounded_ >= most_rounded) {
      stop_by_rounding(result_, eta, gram_.precision());
      return true;
    }
    if (stall_.reached(eta) && certified_ && process_.probe_sets() > 0) {
      if (params_.tol > 0) stop_for(StopReason::not_certified);
      return true;
    }
    if (!process_.can_step()) return true;
    if (result_.iterations >= params_.max_iter) {
      result_.status = Status::iteration_limit;
      return true;
    }
    return limits_.reached(result_.iterations, eta, result_);
  }

  void conclude() {
    // With a kernel that may be indefinite, the s largest eigenvalues are wanted, and none may be negative beyond
    // rounding.
    const Vector& theta = process_.spectrum().theta;
    if (facts_.indefinite && theta.size() > 0) require_positive(smallest_ritz(), theta[0], rule_);
    take_solution();
    note_identity();
    if (certified_) result_.eta = current_eta(true);
    if (certified_ && result_.eta < 1)
      result_.eta_kind = EtaKind::certified;
    else
      result_.eta = estimated_eta(process_.rounding_squares(certified_ ? 0 : enough_, offdiagonal())) +
                    share_left_out(theta.head(std::min(s_, theta.size())), rule_.rank(theta, s_), rule_);
    allow_for_forgotten_rounding();
    if (certified_)
      conclude_certified();
    else if (params_.tol > 0 && !(result_.eta <= params_.tol) && result_.status == Status::converged)
      stop_by_rounding(result_, result_.eta, gram_.precision());
  }

  // H = U sqrt(Theta) without the values that are rounding.
  void take_solution() {
    const Vector& theta = process_.spectrum().theta;
    const Index rank = rule_.rank(theta, s_);
    const auto [U, GU] = process_.ritz_vectors(rank);
    const Vector root = theta.head(rank).cwiseSqrt();
    fill_result(result_, U * root.asDiagonal(), GU * root.asDiagonal(), s_, rule_);
  }

  void note_identity() {
    std::string note = heavy_rows_ ? heavy_rows_->note() : std::string();
    if (!note.empty()) result_.notes.push_back(std::move(note));
  }

  // A compressed basis no longer shows the rounding of its products, so no estimate below the square of that is true.
  void allow_for_forgotten_rounding() {
    const double least = std::pow(epsilon_of(gram_.precision()), 2);
    if (!(params_.tol > 0 && params_.tol < least)) return;
    if (result_.status == Status::converged) stop_for(StopReason::rounding);
    result_.eta = std::max(result_.eta, least);
    if (result_.message.empty()) result_.message = rounding_message(result_.eta, gram_.precision());
  }

  void conclude_certified() {
    if (params_.tol == 0 || (result_.eta_kind == EtaKind::certified && result_.eta <= params_.tol)) return;
    if (result_.status == Status::converged) stop_for(StopReason::not_certified);
    if (result_.message.empty() || result_.eta_kind == EtaKind::estimated)
      result_.message = not_certified_message(result_, gram_.precision());
  }

  void stop_for(StopReason reason) {
    result_.status = Status::stopped;
    result_.stop_reason = reason;
  }

  const GramOperator& gram_;
  Index s_;
  const SolverParams& params_;
  const GramFacts& facts_;
  bool certified_;
  double enough_;  // estimated eta that need not be sharper; with tol 0 the residual alone decides when to stop
  RunLimits limits_;
  RankRule rule_;
  double tol_of_sums_;  // eta by the sums of rows that counts as proven
  double rounding_;     // a residual up to this share of the largest Ritz value is rounding
  KrylovProcess process_;
  std::optional<HeavyRows> heavy_rows_{};  // set once it is needed
  Index rounds_ = 0;                       // rounds in which heavy rows have joined the basis
  std::optional<double> rounded_eta_{};    // certified eta including rounding, once it is known for this basis
  Index rounded_ = 0;                      // certificates far below tol but for rounding
  ResidualFloor floor_{};
  CertificateStall stall_{};
  SolveResult result_{};
};

}  // namespace

Index krylov_block(Index s, Index n) {
  // Eight columns more for few components, a tenth more for many, at most twice as many, at least eight: fewer columns
  // are likely to miss a component. Rounded up to a multiple of four, which fills the vector units.
  const Index wanted = (s + std::max<Index>(8, s / 10) + 3) / 4 * 4;
  return std::min({n, widest_block(s), wanted});
}

Index krylov_columns(std::size_t memory, Index n, Index block) {
  // A decomposition of the projected m x m matrix takes as long as a product with 16 m^3 / n^2 columns. With a larger
  // basis it would dominate, and restarting is cheaper.
  constexpr Index blocks = 20;
  const double rows = static_cast<double>(n), balanced = std::cbrt(static_cast<double>(block) * rows * rows / 16);
  const Index most = std::clamp(static_cast<Index>(balanced), 4 * block, blocks * block);
  if (memory == 0) return most;
  const auto affordable = static_cast<Index>(memory / (2 * sizeof(double) * static_cast<std::size_t>(n)));
  return std::clamp(affordable, 4 * block, most);
}

KrylovProcess::Options krylov_options(const GramOperator& gram, Index s, Accuracy accuracy, std::uint64_t seed,
                                      const GramFacts& facts) {
  const Index n = gram.size(), block = krylov_block(s, n);
  const Index widest = block + (accuracy == Accuracy::certified ? probe_columns : 0);
  return {.block = block,
          .probes = std::min(probe_columns, n),
          .max_columns = krylov_columns(facts.memory, n, widest),
          .seed = seed};
}

SolveResult solve_krylov_from(Matrix start, Index products_before_trust, const GramOperator& gram, Index s,
                              const SolverParams& params, const GramFacts& facts, const Observer& observe) {
  return KrylovSolver(gram, s, params, facts, observe).run(std::move(start), products_before_trust);
}

SolveResult solve_krylov(const GramOperator& gram, Index s, const SolverParams& params, const GramFacts& facts,
                         const Observer& observe) {
  const Index n = gram.size();
  return solve_krylov_from(random_normal(n, krylov_block(s, n), params.seed), 3, gram, s, params, facts, observe);
}

}  // namespace dualkpca
