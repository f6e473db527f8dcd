#pragma once

#include "kernel/slope.hpp"
#include "model/fitted_model.hpp"
#include "model/monitor/statistics.hpp"

namespace dualkpca {

/// T2 and SPE with their gradients, at any points in the coordinates of the kernel, scaled and shifted; float64.
class StatisticGradients {
 public:
  /// Throws InvalidArgument for kernels without a gradient, sparse rows, and model files that predate the fields it
  /// needs.
  explicit StatisticGradients(const FittedModel& model);

  struct Values {
    Vector t2{}, spe{};
    Matrix t2_gradient{}, spe_gradient{};  ///< p x d
  };
  /// At the rows of P, p x d: four matrix products with the stored rows.
  [[nodiscard]] Values at(const Matrix& P) const;

  /// The stored rows, n x d.
  [[nodiscard]] const Matrix& rows() const { return rows_; }

 private:
  [[nodiscard]] Matrix weighted_slopes(const Matrix& weights, const Matrix& P) const;

  ScoreDistance distance_;
  KernelSlope slope_;
  Matrix rows_;          ///< n x d
  Matrix coefficients_;  ///< n x (s + 1): of the scores, then of the centre
  Matrix transposed_;    ///< (s + 1) x n
  Vector offset_;
  double kernel_mean_;
};

}  // namespace dualkpca
