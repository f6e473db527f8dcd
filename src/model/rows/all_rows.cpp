#include "model/rows/all_rows.hpp"

#include "data/io/memory_check.hpp"

namespace dualkpca {

Matrix all_dual_variables(const FittedModel& model) {
  if (model.holds != Holds::support) return model.H;
  require_memory("the dual variables", model.n_samples, model.n_components(), sizeof(double));
  Matrix H = Matrix::Zero(model.n_samples, model.n_components());
  H(model.held, Eigen::all) = model.H;
  return H;
}

Vector all_row_weights(const FittedModel& model) {
  if (model.holds != Holds::support || model.weights.size() == 0) return model.weights;
  require_memory("the row weights", model.n_samples, 1, sizeof(double));
  Vector weights = Vector::Zero(model.n_samples);
  weights(model.held) = model.weights;
  return weights;
}

}  // namespace dualkpca
