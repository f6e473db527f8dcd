#include "model/rows/stored_rows.hpp"

#include "core/squared_distances.hpp"
#include "dualkpca/core/errors.hpp"
#include "model/rows/project.hpp"

namespace dualkpca {

StoredRows stored_rows(const FittedModel& model, int threads) {
  if (model.rows.view().is_sparse())
    throw InvalidArgument("there are no pre-images of sparse rows: fit the model on dense rows");
  StoredRows out;
  out.X = model.rows.view().to_matrix();
  // A loaded model of few rows has no scores, and early files have no SPE.
  if (model.holds == Holds::all && model.row_spe.size() == out.X.rows()) {
    out.scores = model.scores;
    out.spe = model.row_spe;
    return out;
  }
  Projection projection = project_with_spe(model, model.input.reverted(out.X), threads);
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
