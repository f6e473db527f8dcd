#include "model/monitor/statistic_gradients.hpp"

#include "core/tall_matrix.hpp"
#include "dualkpca/core/errors.hpp"
#include "model/rows/project.hpp"

namespace dualkpca {
namespace {

Matrix dense_rows(const SamplesView& rows) {
  if (rows.is_sparse())
    throw InvalidArgument("contributions need a model of dense rows; this one was fitted to sparse rows");
  return rows.to_matrix();
}

}  // namespace

StatisticGradients::StatisticGradients(const FittedModel& model)
    : distance_(model),
      slope_(model.kernel.name, model.kernel.gamma, model.kernel.degree, model.kernel.coef0),
      rows_(dense_rows(model.rows.view())),
      coefficients_(model.coefficients.rows(), model.coefficients.cols() + 1),
      offset_(model.offset),
      kernel_mean_(model.kernel_mean) {
  const Vector center = center_weights(model);  // may throw, which is not safe within Eigen's comma list
  coefficients_ << model.coefficients, center;
  transposed_ = coefficients_.transpose();
}

// sum_i weights_i grad_x k(x, x_i) for every row x of P; the weights include the slopes.
Matrix StatisticGradients::weighted_slopes(const Matrix& weights, const Matrix& P) const {
  Matrix sums = times(weights, rows_);
  if (slope_.is_of_distance()) sums -= weights.rowwise().sum().asDiagonal() * P;
  return sums;
}

StatisticGradients::Values StatisticGradients::at(const Matrix& P) const {
  const Index s = offset_.size();
  const Matrix arguments = slope_.arguments(P, rows_);
  Matrix kernel_values, slopes;
  slope_.evaluate(arguments, kernel_values, slopes);
  const Matrix products = times(kernel_values, coefficients_);
  const Matrix scores = products.leftCols(s).rowwise() - offset_.transpose();
  const Vector squares = P.rowwise().squaredNorm();
  const Vector self = slope_.is_of_distance() ? Vector::Zero(P.rows()) : squares;  // the argument of k(x, x)
  Values out;
  out.t2 = distance_(scores);
  out.spe =
      (self.unaryExpr([&](double u) { return slope_.value(u); }) - 2 * products.col(s) - scores.rowwise().squaredNorm())
          .array() +
      kernel_mean_;
  Matrix weights(P.rows(), s + 1);  // weights of the gradients of the scores and of <phi(x), centre>
  weights << 2 * distance_.half_gradient(scores), Vector::Zero(P.rows());
  out.t2_gradient = weighted_slopes(times(weights, transposed_).cwiseProduct(slopes), P);
  weights << -2 * scores, Vector::Constant(P.rows(), -2);
  out.spe_gradient = weighted_slopes(times(weights, transposed_).cwiseProduct(slopes), P);
  if (!slope_.is_of_distance())
    out.spe_gradient += (2 * self.unaryExpr([&](double u) { return slope_.slope(u); })).asDiagonal() * P;
  return out;
}

}  // namespace dualkpca
