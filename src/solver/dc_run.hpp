#pragma once

#include <vector>

#include "objective/merit.hpp"
#include "solver/product_pairs.hpp"

namespace dualkpca {

/// none: the DC algorithm of the paper. extrapolated: ADCA (Phan, Le, Le Thi 2018) alone. quasi_newton: ADCA, and once
/// the residual is small PANOC (Stella, Themelis, Sopasakis, Patrinos 2017).
enum class Acceleration { none, extrapolated, quasi_newton };

/// One run of the DC algorithm H <- prox(Y(H)), plain or accelerated, as a state that asks for one product at a time,
/// so several runs can share one wide product. Extrapolations, quasi-Newton steps and their line searches cost no
/// product, since G is linear. The merit p(H) = -F(Y) is never above the largest of its last four values: an
/// accelerated step is accepted only if this holds, and a plain step always satisfies it.
class DcRun {
 public:
  struct Problem {
    Loss loss{};
    RankRule rule{};
    Acceleration acceleration = Acceleration::quasi_newton;
    int threads = 1;
    double noise = 1e-15;  ///< relative error of a merit: far below that of G, as product errors enter it squared
  };
  /// Starts at `first`, n x s: any point, though only an output of prox is a solution.
  DcRun(const Problem& problem, Matrix first) : problem_(problem), next_point_(std::move(first)) {}

  /// Returns the point whose product is needed next: the first one, then outputs of prox.
  [[nodiscard]] const Matrix& next_point() const { return next_point_; }
  /// Continues with `product` = G next_point().
  void advance(Matrix product);

  /// Returns the current point: the last one whose product is known.
  [[nodiscard]] const Matrix& point() const { return H_.value; }
  [[nodiscard]] const Matrix& product() const { return H_.product; }
  [[nodiscard]] const Merit& at() const { return at_; }
  /// Returns p at every iterate: the points of ADCA, then the x of the quasi-Newton steps.
  [[nodiscard]] const std::vector<double>& merits() const { return merits_; }

 private:
  [[nodiscard]] Merit evaluate(const WithProduct& point) const;
  [[nodiscard]] bool is_low_enough(double merit) const;
  void extrapolate();
  void quasi_newton_step();
  void start_quasi_newton();

  Problem problem_;
  Matrix next_point_;
  WithProduct H_{};
  Merit at_{};
  std::vector<double> merits_{};

  // ADCA
  WithProduct previous_{};
  double momentum_ = 1;  // t of Nesterov's sequence

  // PANOC: x is the current point, at_x_.Z the one whose product is needed next.
  static constexpr std::size_t memory = 5;
  bool is_quasi_newton_ = false;
  WithProduct x_{}, last_x_{}, last_residual_{};
  Merit at_x_{};
  ProductPairs pairs_{memory};
  Index steps_ = 0;
};

}  // namespace dualkpca
