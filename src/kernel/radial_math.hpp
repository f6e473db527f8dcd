#pragma once

#include <cstdint>

#include "dualkpca/core/types.hpp"

/// Kernels that are functions of a distance, compiled for every vector width and chosen at run time. All functions work
/// on one row of a tile, and set results below the smallest normal number to 0.
namespace dualkpca::vector_math {

/// Computes row[j] = exp(factor * row[j]). The argument of exp must not be positive, here and below.
void exp_of(float* row, Index n, float factor);
void exp_of(double* row, Index n, double factor);

/// Computes row[j] = exp(factor * sqrt(row[j])).
void exp_of_root(float* row, Index n, float factor);
void exp_of_root(double* row, Index n, double factor);

/// Computes row[j] = (1 + a) exp(-a), a = factor * sqrt(row[j]).
void matern32_of_root(float* row, Index n, float factor);
void matern32_of_root(double* row, Index n, double factor);

/// Computes row[j] = (1 + a + a^2 / 3) exp(-a), a = factor * sqrt(row[j]).
void matern52_of_root(float* row, Index n, float factor);
void matern52_of_root(double* row, Index n, double factor);

/// Name of one of these functions of a squared distance.
enum class Radial { exp, exp_of_root, matern32_of_root, matern52_of_root };

/// Computes squared_distances_from_products (distance_math.hpp) and then the function `kind`, in one pass over the row.
/// Writes the places where cancellation has cost too many digits of the distance to `cancelled` (room for n), and
/// returns their number.
Index radial_from_products(float* row, Index n, float x_norm, const float* y_norm, float threshold, Radial kind,
                           float factor, std::int32_t* cancelled);
Index radial_from_products(double* row, Index n, double x_norm, const double* y_norm, double threshold, Radial kind,
                           double factor, std::int32_t* cancelled);

}  // namespace dualkpca::vector_math
