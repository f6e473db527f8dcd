#include "model/file/model_arrays.hpp"

#include "model/preimage/preimage.hpp"

namespace dualkpca {
namespace {

Tensor tensor_of(const Matrix& A) { return {ElementType::float64, {length(A.rows()), length(A.cols())}, A.data()}; }
Tensor tensor_of(const Vector& v) { return {ElementType::float64, {length(v.size())}, v.data()}; }
Tensor tensor_of(const std::vector<Index>& v) { return {ElementType::int64, {v.size()}, v.data()}; }
Tensor tensor_of(const std::vector<std::int32_t>& v) { return {ElementType::int32, {v.size()}, v.data()}; }
Tensor tensor_of(const std::vector<double>& v) { return {ElementType::float64, {v.size()}, v.data()}; }

}  // namespace

ModelArrays::ModelArrays(const FittedModel& model)
    : kernel_mean_(Vector::Constant(1, model.kernel_mean)), unit_(Vector::Constant(1, model.input.unit)) {
  if (!model.rows.view().empty()) add_rows(model.rows.view());
  if (model.holds == Holds::landmarks) {
    tensors_.emplace_back("landmarks", tensor_of(model.held));
    tensors_.emplace_back("coefficients", tensor_of(model.coefficients));
    if (model.center.size() > 0) tensors_.emplace_back("center_weights", tensor_of(model.center));
  } else if (model.holds == Holds::support) {
    add_support(model);
    tensors_.emplace_back("rotation", tensor_of(model.rotation));
  } else {
    tensors_.emplace_back("dual_variables", tensor_of(model.H));
    tensors_.emplace_back("rotation", tensor_of(model.rotation));
    tensors_.emplace_back("scores", tensor_of(model.scores));
    if (model.weights.size() > 0) tensors_.emplace_back("row_weights", tensor_of(model.weights));
  }
  tensors_.emplace_back("offset", tensor_of(model.offset));
  tensors_.emplace_back("kernel_mean", tensor_of(kernel_mean_));
  if (model.score_mean.size() > 0) {  // empty in models from early files
    tensors_.emplace_back("score_mean", tensor_of(model.score_mean));
    tensors_.emplace_back("score_covariance", tensor_of(model.score_covariance));
    if (!model.rows.view().empty()) tensors_.emplace_back("row_spe", tensor_of(model.row_spe));
  }
  if (model.preimage != nullptr && model.preimage->method == PreimageMethod::ridge) {
    const RidgeMap& ridge = model.preimage->ridge;
    tensors_.emplace_back("preimage_centers", tensor_of(ridge.centers));
    tensors_.emplace_back("preimage_coefficients", tensor_of(ridge.coefficients));
    tensors_.emplace_back("preimage_mean", tensor_of(ridge.mean));
    if (ridge.turn.size() > 0) tensors_.emplace_back("preimage_turn", tensor_of(ridge.turn));
  }
  if (model.input.shift.size() > 0) tensors_.emplace_back("shift", tensor_of(model.input.shift));
  if (model.input.unit != 1) tensors_.emplace_back("unit", tensor_of(unit_));
  const Scaler& scaler = model.input.scaler;
  if (scaler.scaling != Scaling::none) {
    tensors_.emplace_back("scaler_center", tensor_of(scaler.center));
    tensors_.emplace_back("scaler_scale", tensor_of(scaler.scale));
  }
}

std::size_t ModelArrays::bytes() const {
  std::size_t sum = 0;
  for (const auto& [name, tensor] : tensors_) sum += tensor.bytes();
  return sum;
}

void ModelArrays::add_rows(const SamplesView& rows) {
  if (rows.precision() == Precision::float32)
    add_rows_of<float>(rows);
  else
    add_rows_of<double>(rows);
}

template <class T>
void ModelArrays::add_rows_of(const SamplesView& rows) {
  const ElementType type = element_type(precision_of<T>);
  if (!rows.is_sparse()) {
    tensors_.emplace_back("rows", Tensor{type, {length(rows.rows()), length(rows.cols())}, rows.dense<T>().data});
    return;
  }
  const SparseRows<T> sparse = rows.sparse<T>();
  const std::size_t entries = length(sparse.nonzeros());
  tensors_.emplace_back("row_offsets", Tensor{ElementType::int64, {length(sparse.rows) + 1}, sparse.offsets});
  tensors_.emplace_back("row_columns", Tensor{ElementType::int32, {entries}, sparse.columns});
  tensors_.emplace_back("row_values", Tensor{type, {entries}, sparse.values});
}

// Rows that are not held have zeros in H, no part in the centre and the weight 0.
void ModelArrays::add_support(const FittedModel& model) {
  for (Index i = 0; i < model.H.rows(); ++i) {
    for (Index j = 0; j < model.H.cols(); ++j) {
      if (model.H(i, j) == 0) continue;
      columns_.push_back(static_cast<std::int32_t>(j));
      values_.push_back(model.H(i, j));
    }
    offsets_.push_back(static_cast<Index>(values_.size()));
  }
  tensors_.emplace_back("kept_rows", tensor_of(model.held));
  tensors_.emplace_back("dual_offsets", tensor_of(offsets_));
  tensors_.emplace_back("dual_columns", tensor_of(columns_));
  tensors_.emplace_back("dual_values", tensor_of(values_));
  tensors_.emplace_back("coefficients", tensor_of(model.coefficients));
  tensors_.emplace_back("row_weights", tensor_of(model.weights));
  if (model.center.size() > 0) tensors_.emplace_back("center_weights", tensor_of(model.center));
}

}  // namespace dualkpca
