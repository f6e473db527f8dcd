#include <fmt/format.h>

#include <vector>

#include "dualkpca/core/errors.hpp"
#include "dualkpca/core/memory.hpp"
#include "dualkpca/core/threads.hpp"
#include "dualkpca/data/lagged.hpp"
#include "dualkpca/model/kernel_pca.hpp"
#include "model/file/model_arrays.hpp"
#include "model/fitted_model.hpp"
#include "model/preimage/noise_level.hpp"
#include "model/preimage/preimage.hpp"
#include "model/rows/project.hpp"
#include "model/rows/stored_rows.hpp"
#include "model/rows/training_rows.hpp"

namespace dualkpca {
namespace {

const Preimage& learnt(const FittedModel& model) {
  if (model.preimage == nullptr)
    throw NotFitted("this KernelPCA has not learnt to come back from scores; call fit_inverse() first");
  return *model.preimage;
}

// In the units of the data, of samples with lags the newest row.
Matrix newest_rows(const FittedModel& model, Matrix X) {
  X = original_rows(model, std::move(X));
  return model.lags == 0 ? X : Matrix(X.rightCols(model.report.n_features));
}

// Dense rows as the kernel sees them.
Matrix kernel_rows(const FittedModel& model, const SamplesView& X) {
  Matrix out(X.rows(), X.cols());
  std::vector<double> scratch(static_cast<std::size_t>(X.cols()));
  for (Index i = 0; i < X.rows(); ++i)
    RowTransform{model.scaler, model.shift}.apply(X, i, 0, scratch.data(), out.row(i).data());
  return out;
}

}  // namespace

KernelPCA& KernelPCA::fit_inverse(const PreimageParams& params, int threads, const Observer& observe) {
  params.validate(params_);
  const int used = compute_threads(threads);
  const StoredRows rows = stored_rows(fitted(), params_.kernel, params_.center, used);
  keep_inverse(learn_preimage(fitted(), params_, params, rows, used, observe));
  return *this;
}

KernelPCA& KernelPCA::fit_inverse(const SamplesView& X, const PreimageParams& params, int threads,
                                  const Observer& observe) {
  params.validate(params_);
  const FittedModel& model = fitted();
  require_columns(model, params_.kernel, X);
  if (X.is_sparse() || model.rows.is_sparse()) throw InvalidArgument("there are no pre-images of sparse rows");
  const int used = compute_threads(threads);
  const Samples lagged = lag_rows(X, params_.lags);
  Projection projection =
      project_with_spe(model, params_.kernel, center_weights(model, params_.center), lagged.view(), used);
  const StoredRows rows{
      .X = kernel_rows(model, lagged.view()), .scores = std::move(projection.scores), .spe = std::move(projection.spe)};
  keep_inverse(learn_preimage(model, params_, params, rows, used, observe));
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
  if (scores.cols() != model.report.n_components)
    throw DataError(fmt::format("the scores have {} columns; the model has {} components", scores.cols(),
                                model.report.n_components));
  scores.require_finite("scores");
  Matrix T(scores.rows(), scores.cols());
  for (Index i = 0; i < T.rows(); ++i) scores.copy_row(i, T.row(i).data());
  return newest_rows(model, preimage.apply(model, params_, T, std::nullopt, compute_threads(threads)));
}

Matrix KernelPCA::denoise(const SamplesView& X, int threads) const {
  const FittedModel& model = fitted();
  const Preimage& preimage = learnt(model);
  require_columns(model, params_.kernel, X);
  const Samples lagged = lag_rows(X, params_.lags);
  const int used = compute_threads(threads);
  const Matrix T = project(model, params_.kernel, lagged.view(), used);
  return newest_rows(model, preimage.apply(model, params_, T, kernel_rows(model, lagged.view()), used));
}

double KernelPCA::noise_level(const SamplesView& X) const {
  const FittedModel& model = fitted();
  PreimageParams().validate(params_);  // a given kernel matrix has no rows
  require_columns(model, params_.kernel, X);
  const Matrix rows = stored_rows(model, params_.kernel, params_.center, 1).X;
  return dualkpca::noise_level(rows, kernel_rows(model, lag_rows(X, params_.lags).view()), params_.solver.seed);
}

Matrix KernelPCA::inverse_coefficients() const {
  const Preimage& preimage = learnt(fitted());
  return preimage.method == PreimageMethod::ridge ? preimage.ridge.coefficients : Matrix();
}

const PreimageReport* KernelPCA::inverse_report() const {
  return fitted().preimage == nullptr ? nullptr : &fitted().preimage->report;
}

}  // namespace dualkpca
