#include "support/unfriendly_rows.hpp"

#include <cmath>
#include <cstdlib>

namespace dualkpca::test {

int first_problem() {
  const char* first = std::getenv("DUALKPCA_FIRST_PROBLEM");
  return first != nullptr ? std::atoi(first) : 0;
}

double Dice::power(double low, double high) { return std::pow(10.0, uniform(low, high)); }

Matrix Dice::normal_rows(Index n, Index d) {
  Matrix X(n, d);
  for (double& value : X.reshaped()) value = normal();
  return X;
}

Matrix Dice::uniform_rows(Index n, Index d, double half_width) {
  Matrix X(n, d);
  for (double& value : X.reshaped()) value = uniform(-half_width, half_width);
  return X;
}

Matrix blobs(Dice& dice, Index n, Index d) {
  const Index centres = dice.pick(1, 5);
  const Matrix C = dice.uniform(0, 4) * dice.normal_rows(centres, d);
  Matrix X = dice.normal_rows(n, d);
  for (Index i = 0; i < n; ++i) X.row(i) += C.row(i % centres);
  return X;
}

void move_away(Dice& dice, Matrix& X, Index first, Index count, double distance) {
  const Eigen::RowVectorXd place = distance * dice.uniform_rows(1, X.cols(), 1);
  for (Index i = first; i < first + count; ++i)
    for (Index j = 0; j < X.cols(); ++j) X(i, j) = place[j] + 0.5 * dice.normal();
}

void add_tight_clusters(Dice& dice, Matrix& X, Index clusters, Index size, double width) {
  for (Index c = 0; c < clusters; ++c) {
    const Eigen::RowVectorXd centre = X.row(dice.pick(0, X.rows() - 1));
    for (Index i = 0; i < size; ++i) {
      const Index row = dice.pick(0, X.rows() - 1);
      for (Index j = 0; j < X.cols(); ++j) X(row, j) = centre[j] + width * dice.normal();
    }
  }
}

Matrix repeated_rows(Dice& dice, Index n, Index d, Index distinct) {
  const Matrix few = dice.normal_rows(distinct, d);
  Matrix X(n, d);
  for (Index i = 0; i < n; ++i) X.row(i) = few.row(i % distinct);
  return X;
}

Matrix scattered_rows(Dice& dice, Index n, double half_width, Index pairs) {
  Matrix X = dice.uniform_rows(n, 3, half_width);
  for (Index p = 0; p < pairs; ++p) {
    const Index i = dice.pick(0, n - 1), j = dice.pick(0, n - 1);
    for (Index k = 0; k < 3; ++k) X(i, k) = X(j, k) + dice.uniform(0.05, 0.8) * dice.normal();
  }
  return X;
}

}  // namespace dualkpca::test
