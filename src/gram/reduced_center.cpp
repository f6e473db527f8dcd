#include "gram/reduced_center.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/tall_matrix.hpp"
#include "dualkpca/core/errors.hpp"

namespace dualkpca {
namespace {

using RowVector = Eigen::RowVectorXd;

// Adds up the terms of |phi(x) - mu|^2. Small negative values are rounding errors of an x at the centre and become 0.
// Larger negative values belong to indefinite kernels and are kept.
double squared_distance(double own, double with_center, double center_norm, double epsilon) {
  const double value = own - 2 * with_center + center_norm;
  const double rounding = 16 * epsilon * (std::abs(own) + 2 * std::abs(with_center) + std::abs(center_norm));
  return value < 0 && value > -rounding ? 0 : value;
}

void require_rows(const std::vector<Index>& landmarks, const Vector& weights, Index n) {
  if (static_cast<Index>(landmarks.size()) != weights.size())
    throw InvalidArgument(fmt::format("the centre has {} rows but {} weights; give one weight per row",
                                      landmarks.size(), weights.size()));
  for (const Index l : landmarks)
    if (l < 0 || l >= n) throw InvalidArgument(fmt::format("a row of the centre is {}; it must be in 0..{}", l, n - 1));
}

}  // namespace

ReducedCenterGram::ReducedCenterGram(std::unique_ptr<GramOperator> base, std::vector<Index> landmarks, Vector weights)
    : GramDecorator(std::move(base)), landmarks_(std::move(landmarks)), weights_(std::move(weights)) {
  require_rows(landmarks_, weights_, size());
}

void ReducedCenterGram::apply(ConstMatrixRef V, MatrixRef GV) const {
  const Index n = size(), w = V.cols();
  const bool first = kernel_of_difference_.size() == 0;
  shifted_.resize(n, w + (first ? 1 : 0));
  shifted_.leftCols(w) = V;
  const RowVector sums = column_sums(V);
  for (std::size_t l = 0; l < landmarks_.size(); ++l)
    shifted_.row(landmarks_[l]).head(w) -= weights_[static_cast<Index>(l)] * sums;
  if (first) {
    shifted_.col(w) = difference();
    Matrix product(n, w + 1);
    base().apply(shifted_, product);
    kernel_of_difference_ = product.col(w);
    GV = product.leftCols(w);
  } else {
    base().apply(shifted_, GV);
  }
  // The centre's row is taken from this same product, not from K c in float64. The factors on both sides are then
  // transposes of each other, and G is as symmetric and positive semi-definite as K is in its own precision.
  RowVector at_center = RowVector::Zero(w);
  for (std::size_t l = 0; l < landmarks_.size(); ++l)
    at_center += weights_[static_cast<Index>(l)] * GV.row(landmarks_[l]);
  for (Index i = 0; i < n; ++i) GV.row(i) -= at_center;
}

Vector ReducedCenterGram::difference() const {
  Vector v = Vector::Constant(size(), 1.0 / static_cast<double>(size()));
  for (std::size_t l = 0; l < landmarks_.size(); ++l) v[landmarks_[l]] -= weights_[static_cast<Index>(l)];
  return v;
}

const Vector& ReducedCenterGram::center_values() const {
  if (center_values_.size() > 0) return center_values_;
  const Index n = size(), count = weights_.size();
  Vector values = Vector::Zero(n);
  constexpr Index panel = 4096;
  std::vector<Index> rows;
  for (Index first = 0; first < n && count > 0; first += panel) {
    rows.resize(static_cast<std::size_t>(std::min(panel, n - first)));
    std::iota(rows.begin(), rows.end(), first);
    Matrix block(static_cast<Index>(rows.size()), count);
    base().exact_block(rows, landmarks_, block);
    values.segment(first, block.rows()) = block * weights_;
  }
  center_values_ = std::move(values);
  return center_values_;
}

double ReducedCenterGram::center_norm() const { return weights_.dot(Vector(center_values()(landmarks_))); }

double ReducedCenterGram::center_error() const {
  if (kernel_of_difference_.size() == 0) {
    Matrix product(size(), 1);
    base().apply(Matrix(difference()), product);
    kernel_of_difference_ = product.col(0);
  }
  // v'Kv = 1'Kv / n - c'Kv for v = 1/n - c. The second term multiplies large weights by the rounding errors of single
  // entries, so it is computed in float64. In the first term rounding is averaged over n rows.
  const double of_center = center_values().mean() - center_norm();
  return std::sqrt(std::max(0.0, kernel_of_difference_.mean() - of_center));
}

RoundingErrors ReducedCenterGram::rounding(double sum, bool sharp) const {
  // The errors are those of K, times I - c1' from the right and its transpose from the left. The first factor adds to a
  // vector -c times the sum of its entries. The second one subtracts the row of the centre.
  RoundingErrors errors = base().rounding(sum, sharp);
  const double most = std::sqrt(static_cast<double>(size())), at_most = std::min(sum, most), length = weights_.norm();
  errors.shared *= 1 + at_most * length;
  errors.shared_norm *= std::pow(1 + most * length, 2);
  errors.single *= 1 + at_most * length;
  errors.sums += at_most * weights_.lpNorm<1>() * errors.unit_sums;
  errors.unit_sums *= 1 + weights_.lpNorm<1>();
  const auto at_center = [&](const Vector& of) -> Vector { return Vector(of(landmarks_)).cwiseProduct(weights_); };
  errors.shared.array() += at_center(errors.shared).lpNorm<1>();
  for (Vector* independent : {&errors.single, &errors.sums, &errors.unit_sums})
    independent->array() += at_center(*independent).norm();
  return errors;
}

Vector ReducedCenterGram::diagonal() const {
  const Vector& m = center_values();
  const double norm = center_norm();
  Vector out = base().diagonal();
  for (Index i = 0; i < size(); ++i) out[i] = squared_distance(out[i], m[i], norm, epsilon_of(precision()));
  return out;
}

void ReducedCenterGram::columns(std::span<const Index> indices, MatrixRef out) const {
  const Vector& m = center_values();
  const double norm = center_norm();
  base().columns(indices, out);
  for (std::size_t c = 0; c < indices.size(); ++c)
    out.col(static_cast<Index>(c)).array() += norm - m[indices[c]] - m.array();
}

void ReducedCenterGram::exact_block(std::span<const Index> rows, std::span<const Index> columns, MatrixRef out) const {
  const Vector& m = center_values();
  const double norm = center_norm();
  base().exact_block(rows, columns, out);
  for (std::size_t r = 0; r < rows.size(); ++r)
    for (std::size_t c = 0; c < columns.size(); ++c) {
      double& entry = out(static_cast<Index>(r), static_cast<Index>(c));
      entry = rows[r] == columns[c] ? squared_distance(entry, m[rows[r]], norm, epsilon_of(Precision::float64))
                                    : entry + norm - m[rows[r]] - m[columns[c]];
    }
}

}  // namespace dualkpca
