#include "core/small_eigen.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "dualkpca/core/errors.hpp"

namespace dualkpca::small_eigen_test {
namespace {

// LAPACK may fail on such numbers or return some, depending on the implementation. Only an Error may be thrown.
template <class Decompose>
void expect_no_foreign_error(const Decompose& decompose) {
  for (const double value :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(), 1e308}) {
    Matrix A = Matrix::Constant(30, 30, 0.5);
    A(3, 3) = A(3, 4) = A(4, 3) = value;
    try {
      decompose(A);
    } catch (const Error&) {
      continue;  // a fuzzer once found a std::runtime_error here
    }
  }
}

TEST(SmallEigen, ThrowsAnErrorOfTheLibraryForNumbersThatAreNotFinite) {
  expect_no_foreign_error([](const Matrix& A) { static_cast<void>(small_eigen(A)); });
  expect_no_foreign_error([](const Matrix& A) { static_cast<void>(small_eigenvalues(A)); });
}

}  // namespace
}  // namespace dualkpca::small_eigen_test
