#include "model/rows/stored_rows.hpp"

#include <vector>

#include "core/squared_distances.hpp"
#include "dualkpca/core/errors.hpp"
#include "model/rows/project.hpp"
#include "model/rows/training_rows.hpp"

namespace dualkpca {

Matrix original_rows(const FittedModel& model, Matrix X) {
  if (model.shift.size() > 0) X.rowwise() += model.shift.transpose();
  for (Index i = 0; i < X.rows(); ++i) model.scaler.revert(X.row(i).data());
  return X;
}

StoredRows stored_rows(const FittedModel& model, const KernelParams& kernel, bool centered, int threads) {
  if (model.rows.is_sparse())
    throw InvalidArgument("there are no pre-images of sparse rows: fit the model on dense rows");
  StoredRows out;
  out.X = widened(model.rows);
  // A model of few rows that was loaded has no scores, and the first files have no distances.
  const bool all = !model.is_sparse && !model.is_landmark_model();
  if (all && model.row_spe.size() == out.X.rows()) {
    out.scores = model.scores;
    out.spe = model.row_spe;
    return out;
  }
  Projection projection =
      project_with_spe(model, kernel, center_weights(model, centered), original_rows(model, out.X), threads);
  out.scores = std::move(projection.scores);
  out.spe = std::move(projection.spe);
  return out;
}

Matrix feature_distances(const StoredRows& rows, ConstMatrixRef T) {
  Matrix D = squared_distances(T, rows.scores);
  D.rowwise() += rows.spe.transpose();
  return D;
}

}  // namespace dualkpca
