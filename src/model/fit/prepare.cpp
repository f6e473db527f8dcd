#include "model/fit/prepare.hpp"

#include <fmt/format.h>

#include "dualkpca/core/errors.hpp"
#include "model/fit/resolve.hpp"
#include "model/rows/training_rows.hpp"

namespace dualkpca {
namespace {

// Zeros are what makes rows sparse; moved or not, they would all have to be stored.
void require_zeros_kept(const SamplesView& X, Scaling scaling) {
  if (X.is_sparse() && scaling != Scaling::none)
    throw InvalidArgument(
        fmt::format("scale {} would make the sparse rows dense, since it moves zeros to other values: use scale none, "
                    "or give the rows dense",
                    to_string(scaling)));
}

}  // namespace

MemoryPlan checked_plan(const KernelPCAParams& params, const SamplesView& X) {
  const Index n = X.rows(), d = X.cols();
  if (n < 1 || d < 1)
    throw DataError(fmt::format("the data are {} x {}; at least one row and one column are needed", n, d));
  params.validate(n);
  X.require_finite("data");
  MemoryPlan plan = plan_rows(params, X);
  require_fits(plan, n);
  return plan;
}

void prepare_rows(FittedModel& model, const KernelPCAParams& params, const SamplesView& X, int threads) {
  if (params.kernel.name != KernelName::precomputed) {
    require_zeros_kept(X, params.scale);
    model.scaler = Scaler::fit(params.scale, X);
    // Centred, x'y does not change either when all rows move. Sparse rows stay where they are.
    const bool movable =
        is_shift_invariant(params.kernel.name) || (params.kernel.name == KernelName::linear && params.center);
    if (movable && !X.is_sparse()) model.shift = mean_row(X, model.scaler);
    model.rows = make_training_rows(X, {model.scaler, model.shift}, model.report.plan.precision, threads);
  }
  if (uses_gamma(params.kernel.name))
    model.report.gamma = resolve_gamma(params.kernel, X, model.scaler, params.solver.seed);
}

}  // namespace dualkpca
