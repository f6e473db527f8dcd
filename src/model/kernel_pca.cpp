#include "dualkpca/model/kernel_pca.hpp"

#include <fmt/format.h>

#include <limits>

#include "dualkpca/core/errors.hpp"
#include "dualkpca/core/memory.hpp"
#include "dualkpca/core/threads.hpp"
#include "dualkpca/core/timer.hpp"
#include "dualkpca/gram/centered.hpp"
#include "dualkpca/gram/stored.hpp"
#include "gram/kernel_source.hpp"
#include "model/components.hpp"
#include "model/fitted_model.hpp"
#include "model/project.hpp"
#include "model/reduced_rows.hpp"
#include "model/training_rows.hpp"

namespace dualkpca {
namespace {

Precision resolve_precision(const KernelPCAParams& params) {
  return params.precision.value_or(params.solver.tol >= 1e-5 ? Precision::float32 : Precision::float64);
}

// The parameters with the solver that they mean; sigmoid is the kernel that is not positive semi-definite.
SolverParams resolve_solver(const KernelPCAParams& params, Index n) {
  SolverParams solver = params.solver;
  solver.name = choose_solver(solver.name, n, params.kernel.name == KernelName::sigmoid);
  return solver;
}

// Seconds since the previous lap, by stage.
class Laps {
 public:
  void lap(FitReport& report, const char* stage) {
    report.seconds.emplace_back(stage, std::max(0.0, timer_.seconds() - moved_));
    timer_ = Timer();
    moved_ = 0;
  }
  /// Counts seconds of the running lap for the last one.
  void move_back(FitReport& report, double seconds) {
    report.seconds.back().second += seconds;
    moved_ += seconds;
  }

 private:
  Timer timer_;
  double moved_ = 0;
};

std::vector<std::string> notes_on(const KernelPCAParams& params, SolverName solver) {
  std::vector<std::string> notes;
  const KernelParams& kernel = params.kernel;
  const auto unused = [&](const char* option) {
    notes.push_back(fmt::format("{} has no effect with kernel {}", option, to_string(kernel.name)));
  };
  const auto unused_by_solver = [&](const char* option) {
    notes.push_back(fmt::format("{} has no effect with solver {}", option, to_string(solver)));
  };
  if (kernel.gamma.rule != GammaRule::automatic && !uses_gamma(kernel.name)) unused("gamma");
  if (kernel.degree != KernelParams{}.degree && kernel.name != KernelName::poly) unused("degree");
  if (kernel.coef0 != KernelParams{}.coef0 && !uses_coef0(kernel.name)) unused("coef0");
  if (params.scale != Scaling::none && kernel.name == KernelName::precomputed) unused("scale");
  if (solver != SolverName::rsvd) {
    if (params.solver.oversampling != SolverParams{}.oversampling) unused_by_solver("oversampling");
    if (params.solver.power_iterations) unused_by_solver("power_iterations");
  }
  return notes;
}

// Undefined if the components explain more than there is, and more than rounding could: negative eigenvalues have
// eaten of the trace.
Vector explained_ratio(const Vector& eigenvalues, double trace, double rounding) {
  if (eigenvalues.sum() > 1.001 * std::max(trace, 0.0) + rounding)
    return Vector::Constant(eigenvalues.size(), std::numeric_limits<double>::quiet_NaN());
  return trace > 0 ? Vector(eigenvalues / trace) : Vector::Zero(eigenvalues.size());
}

// Zero components and a trace that centring has cancelled are right as far as rounding goes; a user has to know.
void note_rounding(FitReport& report, bool centered, double size, double trace) {
  const char* advice = report.precision == Precision::float32 ? "; precision float64 sees further" : "";
  const Index zero = (report.eigenvalues.array() == 0).count();
  if (zero > 0)
    report.notes.push_back(
        fmt::format("{} of {} components are zero: the Gram matrix has no more eigenvalues above rounding in {}{}",
                    zero, report.n_components, to_string(report.precision), advice));
  if (report.explained_variance_ratio.hasNaN()) {
    report.notes.emplace_back(
        "the kernel matrix is not positive semi-definite: its components explain more than its trace, so there are no "
        "ratios");
    return;
  }
  const double share = epsilon_of(report.precision) * size / std::max(trace, std::numeric_limits<double>::min());
  if (centered && share > 1e-3 && share <= 1)
    report.notes.push_back(
        fmt::format("centring leaves so little of the kernel that rounding in {} is {:.1g} of the variance{}",
                    to_string(report.precision), share, advice));
  if (centered && share > 1)
    report.notes.push_back(
        fmt::format("centring leaves nothing of the kernel but rounding in {}{}", to_string(report.precision), advice));
}

// Of `rows`, or of `reduced` ones in their place; exact entries are always those of `rows`.
template <class T>
std::unique_ptr<GramOperator> make_gram(const std::shared_ptr<const Kernel>& kernel, const TrainingRows& rows,
                                        const TrainingRows& reduced, int threads, const Observer& observe) {
  if (rows.is_sparse()) return make_stored_gram(kernel, rows.sparse<T>(), threads, observe);
  ExactBlock exact;
  if (reduced.data != rows.data)
    exact = [source = KernelSource<T, DenseRows<T>>(kernel, rows.dense<T>(), threads, {})](
                Index first, std::span<const Index> columns, MatrixRef out) {
      source.exact_block(first, columns, out);
    };
  return make_stored_gram(kernel, reduced.dense<T>(), threads, observe, std::move(exact));
}

// Zeros are what makes rows sparse; moved or not, they would all have to be stored.
void require_zeros_kept(const SamplesView& X, Scaling scaling) {
  if (X.is_sparse() && scaling != Scaling::none)
    throw InvalidArgument(
        fmt::format("scale {} would make the sparse rows dense, since it moves zeros to other values: use scale none, "
                    "or give the rows dense",
                    to_string(scaling)));
}

// Working memory of the solver for n rows and s components, beside that of a product.
std::size_t solver_bytes(const SolverParams& params, std::size_t n, std::size_t s) {
  const std::size_t column = n * sizeof(double);
  switch (params.name) {
    case SolverName::dense: return n * column + 4 * s * column;
    case SolverName::lanczos: return (2 * std::max<std::size_t>(2 * s + 1, 20) + 8 * s) * column;
    case SolverName::rsvd: return 8 * (s + static_cast<std::size_t>(params.oversampling)) * column;
    default: return 28 * (s + 1) * column;  // lbfgs: ten pairs of history and eight working matrices
  }
}

}  // namespace

MemoryPlan plan_fit(const KernelPCAParams& params, const SamplesView& X) {
  const Index n = X.rows();
  const auto count = static_cast<std::size_t>(n);
  const SolverParams solver = resolve_solver(params, n);
  const bool dense = solver.name == SolverName::dense;
  // For a share of the variance the number is not known yet; 64 columns are the third attempt.
  const auto s = static_cast<std::size_t>(params.n_components.fraction > 0 ? std::min<Index>(n, dense ? n : 64)
                                                                           : params.n_components.count);
  const auto threads = static_cast<std::size_t>(resolve_threads(params.threads));
  MemoryPlan plan;
  plan.precision = resolve_precision(params);
  plan.gram_bytes = stored_gram_bytes(n, plan.precision);
  const std::size_t entry = bytes_of(plan.precision) + (X.is_sparse() ? sizeof(std::int32_t) : 0);
  if (params.kernel.name != KernelName::precomputed)
    plan.data_bytes = static_cast<std::size_t>(X.nonzeros()) * entry +
                      (X.is_sparse() ? count * sizeof(Index) : reduced_rows_bytes(n, X.cols(), plan.precision));
  const std::size_t vectors = count * (s + 1) * sizeof(double);
  const std::size_t product = (threads + 2) * vectors;  // sums of each thread, narrowed and centred operands
  plan.solver_bytes = product + solver_bytes(solver, count, s);
  plan.budget = params.memory > 0 ? params.memory : available_memory();
  return plan;
}

KernelPCA::KernelPCA(KernelPCAParams params) : params_(params) {}
KernelPCA::KernelPCA(KernelPCAParams params, std::shared_ptr<const FittedModel> fitted)
    : params_(params), fitted_(std::move(fitted)) {}

KernelPCA& KernelPCA::fit(const SamplesView& X, const Observer& observe) {
  const Index n = X.rows(), d = X.cols();
  if (n < 1 || d < 1)
    throw DataError(fmt::format("the data are {} x {}; at least one row and one column are needed", n, d));
  params_.validate(n);
  X.require_finite("data");
  auto model = std::make_shared<FittedModel>();
  FitReport& report = model->report;
  report.plan = plan_fit(params_, X);
  require_fits(report.plan, n);
  const int threads = resolve_threads(params_.threads);
  const Precision precision = report.plan.precision;
  const bool precomputed = params_.kernel.name == KernelName::precomputed;
  const Timer since_start;
  Laps laps;

  // Rows as the kernel sees them, and the width of the kernel.
  if (!precomputed) {
    require_zeros_kept(X, params_.scale);
    model->scaler = Scaler::fit(params_.scale, X);
    // Centred, x'y does not change either when all rows move. Sparse rows stay where they are.
    const bool movable =
        is_shift_invariant(params_.kernel.name) || (params_.kernel.name == KernelName::linear && params_.center);
    if (movable && !X.is_sparse()) model->shift = mean_row(X, model->scaler);
    model->rows = make_training_rows(X, {model->scaler, model->shift}, precision, threads);
  }
  if (uses_gamma(params_.kernel.name))
    report.gamma = resolve_gamma(params_.kernel, X, model->scaler, params_.solver.seed);
  laps.lap(report, "prepare");

  // The Gram matrix, centred.
  TrainingRows reduced;  // outlives the operator
  std::unique_ptr<GramOperator> gram;
  if (precomputed) {
    gram = make_precomputed_gram(X, precision, threads);
  } else {
    const std::shared_ptr<const Kernel> kernel =
        make_kernel(params_.kernel.name, report.gamma.value_or(0), params_.kernel.degree, params_.kernel.coef0);
    const KernelFormula formula{params_.kernel.name, report.gamma.value_or(0), params_.kernel.degree,
                                params_.kernel.coef0};
    reduced = reduced_rows(model->rows, formula, params_.center, threads, params_.solver.seed);
    report.features_used = reduced.cols;
    gram = precision == Precision::float32 ? make_gram<float>(kernel, model->rows, reduced, threads, observe)
                                           : make_gram<double>(kernel, model->rows, reduced, threads, observe);
  }
  const CenteredGram* centered = nullptr;
  if (params_.center) {
    auto decorated = std::make_unique<CenteredGram>(std::move(gram));
    centered = decorated.get();
    gram = std::move(decorated);
  }
  laps.lap(report, "gram");
  const double assembled = gram->counts().assembly_seconds;  // a given matrix is copied at once

  // The dual.
  SolverParams solver = resolve_solver(params_, n);
  if (solver.time_limit > 0) solver.time_limit = std::max(1e-9, solver.time_limit - since_start.seconds());
  SolveResult solution = params_.n_components.fraction > 0
                             ? solve_fraction(*gram, params_.n_components.fraction, solver, observe)
                             : solve(*gram, params_.n_components.count, solver, observe);
  laps.move_back(report, gram->counts().assembly_seconds - assembled);  // evaluated by the first product
  laps.lap(report, "solve");

  // Ordered components and what projecting new rows needs.
  OrderedComponents components = order_components(solution.H, solution.GH, rank_rule(*gram));
  model->H = std::move(components.H);
  model->rotation = std::move(components.rotation);
  model->scores = std::move(components.scores);
  model->coefficients = projection_coefficients(model->H, model->rotation, params_.center);
  model->offset = Vector::Zero(model->H.cols());
  if (centered != nullptr) {
    model->offset = model->coefficients.transpose() * centered->row_means();
    model->kernel_mean = centered->row_means().mean();
  }
  const double trace = gram->diagonal().sum(), size = gram->scale() * static_cast<double>(n);

  report.status = solution.status;
  report.message = solution.message;
  report.solver = to_string(solver.name);
  report.gram = to_string(GramMode::stored);
  report.precision = precision;
  report.n_samples = n;
  report.n_features = d;
  report.n_components = model->H.cols();
  if (X.is_sparse()) report.nonzeros = X.nonzeros();
  report.products = gram->counts().products;
  report.product_columns = gram->counts().product_columns;
  report.kernel_columns = gram->counts().kernel_columns;
  report.iterations = solution.iterations;
  report.tol = solver.tol;
  report.eta = solution.eta;
  report.dual_objective = solution.dual_objective;
  report.primal_objective = solution.primal_objective;
  report.eigenvalues = components.eigenvalues;
  report.explained_variance_ratio = explained_ratio(components.eigenvalues, trace, epsilon_of(precision) * size);
  report.support_size = (model->H.cwiseAbs().rowwise().maxCoeff().array() > 0).count();
  report.notes = notes_on(params_, solver.name);
  note_rounding(report, params_.center, size, trace);
  laps.lap(report, "finish");
  report.peak_memory_bytes = peak_memory();
  fitted_ = std::move(model);
  return *this;
}

Matrix KernelPCA::transform(const SamplesView& X, int threads) const {
  return project(fitted(), params_.kernel, X, resolve_threads(threads));
}

const FittedModel& KernelPCA::fitted() const {
  if (!fitted_) throw NotFitted("this KernelPCA is not fitted yet; call fit() or load() first");
  return *fitted_;
}

const FitReport& KernelPCA::report() const { return fitted().report; }
const Matrix& KernelPCA::scores() const { return fitted().scores; }
const Matrix& KernelPCA::dual_variables() const { return fitted().H; }

}  // namespace dualkpca
