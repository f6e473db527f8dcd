#pragma once

#include <functional>

#include "dualkpca/core/types.hpp"

namespace dualkpca {

struct TopEigenpairs {
  Vector values{};                                                  ///< s, descending
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic> vectors{};  ///< n x s, orthonormal columns
};

/// The s largest eigenpairs of a dense symmetric matrix, of which the lower triangle is read, by LAPACK.
/// `may_continue` is asked every now and then, which LAPACK's own drivers do not allow; the result is empty if it
/// says no.
[[nodiscard]] TopEigenpairs top_eigenpairs(Matrix A, Index s, const std::function<bool()>& may_continue);

}  // namespace dualkpca
