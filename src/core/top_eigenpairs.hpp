#pragma once

#include <functional>

#include "dualkpca/core/types.hpp"

namespace dualkpca {

struct TopEigenpairs {
  Vector values{};                                                  ///< s, descending
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic> vectors{};  ///< n x s, orthonormal columns
};

/// Returns the s largest eigenpairs of a dense symmetric matrix, by LAPACK. `may_continue` is called from time to time,
/// which LAPACK's own drivers do not allow. The result is empty if it returns false.
[[nodiscard]] TopEigenpairs top_eigenpairs(Matrix A, Index s, const std::function<bool()>& may_continue);

}  // namespace dualkpca
