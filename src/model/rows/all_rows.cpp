#include "model/rows/all_rows.hpp"

#include "data/io/memory_check.hpp"

namespace dualkpca {

Matrix all_dual_variables(const FittedModel& model) {
  if (!model.is_sparse) return model.H;
  const Index n = model.report.n_samples, s = model.report.n_components;
  require_memory("the dual variables", n, s, sizeof(double));
  Matrix H = Matrix::Zero(n, s);
  H(model.kept, Eigen::all) = model.H;
  return H;
}

Vector all_row_weights(const FittedModel& model) {
  if (!model.is_sparse || model.weights.size() == 0) return model.weights;
  require_memory("the row weights", model.report.n_samples, 1, sizeof(double));
  Vector weights = Vector::Zero(model.report.n_samples);
  weights(model.kept) = model.weights;
  return weights;
}

}  // namespace dualkpca
