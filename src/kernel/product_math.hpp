#pragma once

#include "dualkpca/core/types.hpp"

/// Kernels that are functions of an inner product, compiled for every vector width and chosen at run time. All
/// functions work on one row of a tile, and set results below the smallest normal number to 0.
namespace dualkpca::vector_math {

/// Computes row[j] = tanh(factor * row[j] + shift).
void tanh_of(float* row, Index n, float factor, float shift);
void tanh_of(double* row, Index n, double factor, double shift);

/// Computes row[j] = (factor * row[j] + shift)^degree, degree >= 1.
void power_of(float* row, Index n, float factor, float shift, int degree);
void power_of(double* row, Index n, double factor, double shift, int degree);

}  // namespace dualkpca::vector_math
