#include "model/preimage/preimage.hpp"

#include <fmt/format.h>

#include <Eigen/LU>
#include <numeric>
#include <vector>

#include "core/tall_matrix.hpp"
#include "dualkpca/core/errors.hpp"
#include "dualkpca/core/timer.hpp"
#include "model/preimage/distance_preimage.hpp"
#include "model/preimage/fixed_point.hpp"
#include "model/preimage/learn_ridge.hpp"
#include "model/rows/project.hpp"
#include "model/rows/stored_rows.hpp"

namespace dualkpca {
namespace {

PreimageMethod resolve_method(const PreimageParams& wanted, KernelName kernel, std::string& reason) {
  if (wanted.compatibility != PreimageCompatibility::none) return PreimageMethod::ridge;
  if (wanted.method != PreimageMethod::automatic) return wanted.method;
  const bool is_linear = kernel == KernelName::linear;
  reason = is_linear ? "the kernel is linear, so pre-images are exact"
                     : "ridge regression works with every kernel, and leave-one-out chooses its hyperparameters";
  return is_linear ? PreimageMethod::linear : PreimageMethod::ridge;
}

// Matrix that turns Y into the scores of the paper's programs, G H = Y rotation^{-1}.
Matrix paper_turn(const FittedModel& model) {
  if (model.rotation.size() == 0)
    throw InvalidArgument(
        "preimage_compat paper needs dual variables, which a landmark model does not have: fit with "
        "solver krylov");
  return Matrix(model.rotation).fullPivLu().solve(Matrix::Identity(model.rotation.rows(), model.rotation.cols()));
}

// Gives the same numbers as scikit-learn: the kernel of the fit between scores, all rows as centres, and no mean. The
// unit of rows is none of scores, so gamma is the one of the user.
RidgeMap compatible_ridge(const FittedModel& model, const PreimageParams& wanted, const StoredRows& rows,
                          PreimageReport& report, int threads) {
  const bool paper = wanted.compatibility == PreimageCompatibility::paper;
  const Matrix turn = paper ? paper_turn(model) : Matrix();
  const Matrix T = paper ? times(rows.scores, turn) : rows.scores;
  // scikit-learn does not shift the rows.
  Matrix X = rows.X;
  const Vector shift = model.input.unit * model.input.shift;
  if (shift.size() > 0) X.rowwise() += shift.transpose();
  std::vector<Index> all(static_cast<std::size_t>(T.rows()));
  std::iota(all.begin(), all.end(), Index{0});
  const Vector ones = Vector::Ones(T.rows());
  report.alpha = wanted.alpha.value_or(1.0);
  if (uses_gamma(model.kernel.name)) report.gamma = model.user_gamma();
  report.centers = T.rows();
  report.weights = PreimageWeights::none;
  RidgeMap map = solve_ridge({T, X, ones, all}, model.user_kernel(), *report.alpha, false, threads);
  if (shift.size() > 0) map.mean = -shift;
  map.turn = turn;
  return map;
}

// Notes on parameters that had no effect.
std::vector<std::string> notes_on(const PreimageParams& wanted, PreimageMethod method) {
  std::vector<std::string> notes;
  const auto unused = [&](bool given, const char* name) {
    if (given) notes.push_back(fmt::format("{} has no effect with preimage {}", name, to_string(method)));
  };
  if (wanted.compatibility != PreimageCompatibility::none) {
    if (wanted.centers != PreimageParams::default_centers)
      notes.push_back(
          fmt::format("preimage_centers has no effect with preimage_compat {}", to_string(wanted.compatibility)));
  } else if (method != PreimageMethod::ridge) {
    unused(wanted.gamma.has_value(), "preimage_gamma");
    unused(wanted.alpha.has_value(), "preimage_alpha");
    unused(wanted.centers != PreimageParams::default_centers, "preimage_centers");
    unused(wanted.weights != PreimageWeights::automatic, "preimage_weights");
    unused(wanted.noise > 0, "noise");
  }
  return notes;
}

}  // namespace

Preimage learn_preimage(const FittedModel& model, const PreimageParams& wanted, const StoredRows& rows, int threads,
                        const Observer& observe) {
  const Timer timer;
  Preimage out;
  const PreimageMethod method = resolve_method(wanted, model.kernel.name, out.report.reason);
  out.method = out.report.method = method;
  out.report.compatibility = wanted.compatibility;
  if (wanted.compatibility != PreimageCompatibility::none)
    out.ridge = compatible_ridge(model, wanted, rows, out.report, threads);
  else if (method == PreimageMethod::ridge)
    out.ridge = learn_ridge(model, rows, wanted, out.report, threads, observe);
  out.report.notes = notes_on(wanted, method);
  if (method == PreimageMethod::ridge && rows.X.rows() < model.n_samples)
    out.report.notes.push_back(fmt::format(
        "pre-images are learnt from the {} rows that the model holds; fit with --preimage to use all {} training rows",
        rows.X.rows(), model.n_samples));
  out.report.seconds = timer.seconds();
  return out;
}

Matrix Preimage::apply(const FittedModel& model, ConstMatrixRef T, const std::optional<Matrix>& near,
                       int threads) const {
  if (method == PreimageMethod::ridge) return ridge.apply(T, threads);
  const StoredRows rows = stored_rows(model, threads);
  const Vector center = center_weights(model);
  if (method == PreimageMethod::linear) {
    Matrix X = times(T, inner(model.coefficients, rows.X));
    X.rowwise() += center.transpose() * rows.X;
    return X;
  }
  const ResolvedKernel& kernel = model.kernel;
  if (method == PreimageMethod::distance) return distance_preimage(rows, kernel.name, kernel.gamma, T, threads);
  return fixed_point(rows, {model.coefficients, center}, {kernel.name, kernel.gamma, kernel.degree, kernel.coef0}, T,
                     near, threads);
}

}  // namespace dualkpca
