#include "model/fit/prepare.hpp"

#include <fmt/format.h>

#include <optional>
#include <vector>

#include "dualkpca/core/errors.hpp"
#include "model/rows/shift_and_unit.hpp"

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
  model.rows = model.input.rows(samples, {precision, samples.is_sparse()}, threads);
}

}  // namespace dualkpca
