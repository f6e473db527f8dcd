#include "model/fit/prepare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "dualkpca/core/errors.hpp"
#include "kernel/entry_errors.hpp"
#include "model/fit/plan_fit.hpp"
#include "model/rows/shift_and_unit.hpp"
#include "solver/stopping.hpp"

namespace dualkpca {
namespace {

// Rejects scaling of sparse rows: their zeros would become other values, which would all have to be stored.
void require_zeros_kept(const SamplesView& X, Scaling scaling) {
  if (X.is_sparse() && scaling != Scaling::none)
    throw InvalidArgument(
        fmt::format("scale {} would make the sparse rows dense, since it moves zeros to other values: use scale none, "
                    "or give the rows dense",
                    to_string(scaling)));
}

// Chooses the shift and the unit of the rows, and converts gamma to this unit.
void move_rows(FittedModel& model, const SamplesView& samples, std::uint64_t seed, int threads) {
  Preprocessing& input = model.input;
  const KernelName kernel = model.kernel.name;
  const std::vector<Index> typical = typical_rows(samples.rows(), seed);
  // Sparse rows stay where they are: a shift would fill their zeros.
  if (may_move(kernel, model.centered) && !samples.is_sparse())
    input.shift = kernel == KernelName::linear ? mean_row(samples, input.scaler)
                                               : median_row(samples, typical, input.scaler, threads);
  if (!may_have_unit(kernel)) return;
  input.unit = bounded_unit(model.kernel, unit_of_rows(samples, typical, input), model.precision);
  model.kernel = in_unit(model.kernel, input.unit);
}

void require_gamma_in_range(const FittedModel& model) {
  constexpr double most = 1e37;  // below the largest float32 number by the factors that kernels multiply gamma by
  if (model.precision == Precision::float32 && uses_gamma(model.kernel.name) && model.kernel.gamma > most)
    throw DataError(
        fmt::format("gamma is {:.3g}, too large for float32 arithmetic: scale the data or use precision float64",
                    model.user_gamma()));
}

// Largest rounding error of a kernel value that leaves `tol` within reach. Such errors enter eta squared, and the
// factor leaves room for many of them to add up. Ordinary rows, for which the precision does what it can, are allowed.
double allowed_error(const SolverParams& params, Precision precision) {
  return std::max(std::sqrt(enough_eta(params, precision)) / 30, 100 * epsilon_of(precision));
}

// Returns the largest error of any kernel value, as a share of the largest value. One row that cannot be represented
// does no harm: its value with each other row has at most the error of that row.
double largest_error(const EntryErrors& errors) {
  if (errors.is_product || errors.shared.size() < 2) return 0;  // errors of x'y are relative to |x| |y|
  Vector of_rows = errors.shared + errors.single;
  std::nth_element(of_rows.begin(), of_rows.begin() + 1, of_rows.end(), std::greater<>());
  return of_rows[1];
}

bool has_nonzero(const SamplesView& samples) {
  bool found = false;
  for (Index i = 0; i < samples.rows() && !found; ++i)
    samples.for_each_entry(i, [&](Index, double value) { found |= value != 0; });
  return found;
}

// Returns true if the values of a kernel of x'y leave the range of float32, where they would overflow or become zero.
bool leaves_float32(const EntryErrors& errors, const SamplesView& samples) {
  if (!errors.is_product) return false;
  const double largest = std::pow(errors.size.maxCoeff(), 2), n = static_cast<double>(errors.size.size());
  if (largest == 0) return has_nonzero(samples);  // numbers that float32 turns into 0
  return largest < 1e-28 || largest * n > 1e36;
}

std::string note_on(double error, Precision precision, const SolverParams& params) {
  if (!(error > allowed_error(params, precision))) return {};
  const char* advice = precision == Precision::float32 ? "use precision float64"
                                                       : "the rows are too far apart for this gamma, so scale the data";
  return fmt::format("rounding in {} may change kernel values by up to {:.1g}, too much for tol {:.1g}: {}",
                     to_string(precision), std::min(error, 1.0), params.tol, advice);
}

}  // namespace

Samples checked_training_samples(const KernelPCAParams& params, const SamplesView& X) {
  Samples samples = lag_rows(X, params.lags);
  const Index n = samples.view().rows(), d = samples.view().cols();
  if (n < 1 || d < 1)
    throw DataError(fmt::format("the data are {} x {}; at least one row and one column are needed", n, d));
  params.validate(n);
  X.require_finite("data");
  return samples;
}

void prepare_rows(FittedModel& model, const KernelPCAParams& params, const SamplesView& samples, Index features,
                  Precision precision, int threads) {
  const KernelName kernel = params.kernel.name;
  model.n_samples = samples.rows();
  model.n_features = features;
  model.centered = params.center;
  model.precision = precision;
  model.input.lags = params.lags;
  if (kernel == KernelName::precomputed) {
    model.kernel = resolved(params.kernel, {});
    return;
  }
  require_zeros_kept(samples, params.scale);
  model.input.scaler = Scaler::fit(params.scale, samples);
  // gamma is computed from the samples, not from the rows, which may have been rounded to float32.
  std::optional<double> gamma;
  if (uses_gamma(kernel)) gamma = resolve_gamma(params.kernel, samples, model.input.scaler, params.solver.seed);
  model.kernel = resolved(params.kernel, gamma);
  model.input.keeps_directions = kernel == KernelName::cosine;
  move_rows(model, samples, params.solver.seed, threads);
  require_gamma_in_range(model);
  model.rows = model.input.rows(samples, {precision, samples.is_sparse()}, threads);
}

std::string prepare_in_precision(FittedModel& model, const KernelPCAParams& params, const SamplesView& samples,
                                 Index features, MemoryPlan& plan, int threads) {
  const bool is_given = params.precision || params.kernel.name == KernelName::precomputed;
  const bool may_widen = !is_given && plan.precision == Precision::float32;
  KernelPCAParams wide = params;
  wide.precision = Precision::float64;
  std::string reason;
  double error = 0;
  try {
    prepare_rows(model, params, samples, features, plan.precision, threads);
    if (params.kernel.name == KernelName::precomputed) return {};
    const EntryErrors errors = entry_errors(model.kernel, model.rows.view(), threads);
    error = largest_error(errors);
    if (may_widen && leaves_float32(errors, samples))
      reason = "the kernel values leave the range of float32";
    else if (may_widen && error > allowed_error(params.solver, Precision::float32))
      reason = fmt::format("rounding in float32 could change kernel values by up to {:.1g}", std::min(error, 1.0));
  } catch (const DataError&) {  // a value too large for float32
    if (!may_widen) throw;
    reason = "the data leave the range of float32";
  }
  if (!reason.empty()) {
    const MemoryPlan wider = plan_samples(wide, samples);
    const bool is_possible = error > 0;  // float32 is possible, though not good
    if (!is_possible) require_fits(wider, samples.rows());
    if (wider.total() <= wider.budget) {
      plan = wider;
      const FittedModel fresh;
      model.input = fresh.input;
      prepare_rows(model, wide, samples, features, plan.precision, threads);
      const std::string left =
          note_on(largest_error(entry_errors(model.kernel, model.rows.view(), threads)), plan.precision, params.solver);
      return left.empty() ? "the precision is float64, because " + reason : left;
    }
  }
  return note_on(error, plan.precision, params.solver);
}

}  // namespace dualkpca
