#include "core/positive_solve.hpp"

#include "core/blas.hpp"
#include "dualkpca/core/errors.hpp"

namespace dualkpca {

Matrix positive_solve(Matrix A, const Matrix& B) {
  const int m = static_cast<int>(A.rows()), d = static_cast<int>(B.cols());
  if (m == 0 || d == 0) return B;
  Eigen::MatrixXd columns = B;  // LAPACK is column-major
  int info = 0;
  dposv_("L", &m, &d, A.data(), &m, columns.data(), &m, &info);
  if (info != 0)
    throw DataError(
        "the matrix of a regression is singular up to rounding; use a larger regularisation strength (alpha)");
  return columns;
}

}  // namespace dualkpca
