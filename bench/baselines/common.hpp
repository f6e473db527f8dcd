#pragma once

#include "dualkpca/gram/gram_operator.hpp"

namespace dualkpca::baselines {

/// Throws InvalidArgument unless 1 <= s <= n.
void require_components(const GramOperator& gram, Index s);

/// Throws InvalidArgument unless value >= 1.
void require_positive_count(const char* name, Index value);

/// Returns GV.
[[nodiscard]] Matrix product(const GramOperator& gram, const Matrix& V);

/// Returns coefficients of an orthonormal basis of the span of Phi A: A V L^{-1/2} with A'GA = V L V'. Directions that
/// are only rounding become zero columns at the end. GA is the product of G and A.
[[nodiscard]] Matrix orthonormal_coefficients(const GramOperator& gram, const Matrix& A, const Matrix& GA);

}  // namespace dualkpca::baselines
