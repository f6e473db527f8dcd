#include <fmt/format.h>

#include "dualkpca/core/errors.hpp"
#include "dualkpca/core/memory.hpp"
#include "dualkpca/core/threads.hpp"
#include "dualkpca/model/kernel_pca.hpp"
#include "model/file/model_arrays.hpp"
#include "model/preimage/noise_level.hpp"
#include "model/preimage/preimage.hpp"
#include "model/rows/project.hpp"
#include "model/rows/stored_rows.hpp"

namespace dualkpca {
namespace {

const Preimage& learnt(const FittedModel& model) {
  if (model.preimage == nullptr)
    throw NotFitted("this KernelPCA has not learnt an inverse transform; call fit_inverse() first");
  return *model.preimage;
}

// Rows in the units of the data; for samples with lags only the newest row.
Matrix newest_rows(const FittedModel& model, Matrix X) {
  X = model.input.reverted(std::move(X));
  return model.input.lags == 0 ? X : Matrix(X.rightCols(model.n_features));
}

}  // namespace

KernelPCA& KernelPCA::fit_inverse(const PreimageParams& params, int threads, const Observer& observe) {
  params.validate(params_);
  const int used = compute_threads(threads);
  keep_inverse(learn_preimage(fitted(), params, stored_rows(fitted(), used), used, observe));
  return *this;
}

KernelPCA& KernelPCA::fit_inverse(const SamplesView& X, const PreimageParams& params, int threads,
                                  const Observer& observe) {
  params.validate(params_);
  const FittedModel& model = fitted();
  const Samples samples = checked_samples(model, X);
  if (X.is_sparse() || model.rows.view().is_sparse())
    throw InvalidArgument("there are no pre-images of sparse rows: fit the model on dense rows and give X dense");
  const int used = compute_threads(threads);
  Projection projection = project_with_spe(model, samples.view(), used);
  const StoredRows rows{.X = model.input.matrix(samples.view()),
                        .scores = std::move(projection.scores),
                        .spe = std::move(projection.spe)};
  keep_inverse(learn_preimage(model, params, rows, used, observe));
  return *this;
}

void KernelPCA::keep_inverse(Preimage preimage) {
  auto model = std::make_shared<FittedModel>(fitted());
  model->preimage = std::make_shared<Preimage>(std::move(preimage));
  model->report.model_bytes = ModelArrays(*model).bytes();
  model->report.peak_memory_bytes = peak_memory();
  fitted_ = std::move(model);
}

Matrix KernelPCA::inverse_transform(const SamplesView& scores, int threads) const {
  const FittedModel& model = fitted();
  const Preimage& preimage = learnt(model);
  if (scores.cols() != model.n_components())
    throw DataError(
        fmt::format("the scores have {} columns; the model has {} components", scores.cols(), model.n_components()));
  scores.require_finite("scores");
  return newest_rows(model, preimage.apply(model, scores.to_matrix(), std::nullopt, compute_threads(threads)));
}

Matrix KernelPCA::denoise(const SamplesView& X, int threads) const {
  const FittedModel& model = fitted();
  const Preimage& preimage = learnt(model);
  const Samples samples = checked_samples(model, X);
  const int used = compute_threads(threads);
  const Matrix T = project(model, samples.view(), used);
  return newest_rows(model, preimage.apply(model, T, model.input.matrix(samples.view()), used));
}

double KernelPCA::noise_level(const SamplesView& X) const {
  const FittedModel& model = fitted();
  PreimageParams().validate(params_);  // throws for a given kernel matrix, which has no rows
  const Samples samples = checked_samples(model, X);
  return dualkpca::noise_level(stored_rows(model, 1).X, model.input.matrix(samples.view()), params_.solver.seed) /
         model.input.unit;
}

Matrix KernelPCA::inverse_coefficients() const {
  const Preimage& preimage = learnt(fitted());
  return preimage.method == PreimageMethod::ridge ? Matrix(preimage.ridge.coefficients / fitted().input.unit)
                                                  : Matrix();
}

const PreimageReport* KernelPCA::inverse_report() const {
  return fitted().preimage == nullptr ? nullptr : &fitted().preimage->report;
}

}  // namespace dualkpca
