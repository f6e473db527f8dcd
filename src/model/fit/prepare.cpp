#include "model/fit/prepare.hpp"

#include <fmt/format.h>

#include "dualkpca/core/errors.hpp"

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
  if (kernel != KernelName::precomputed) {
    require_zeros_kept(samples, params.scale);
    model.input.scaler = Scaler::fit(params.scale, samples);
    // Sparse rows stay where they are: a shift would fill their zeros.
    if (may_move(kernel, params.center) && !samples.is_sparse())
      model.input.shift = mean_row(samples, model.input.scaler);
    model.rows = model.input.rows(samples, {precision, samples.is_sparse()}, threads);
  }
  // gamma is computed from the samples, not from the rows, which may have been rounded to float32.
  std::optional<double> gamma;
  if (uses_gamma(kernel)) gamma = resolve_gamma(params.kernel, samples, model.input.scaler, params.solver.seed);
  model.kernel = resolved(params.kernel, gamma);
}

}  // namespace dualkpca
