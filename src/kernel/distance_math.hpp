#pragma once

#include "dualkpca/core/types.hpp"

/// Norms and distances of rows, compiled for every vector width and chosen at run time.
namespace dualkpca::vector_math {

/// Computes squared distances from inner products: row[j] = max(0, x_norm + y_norm[j] - 2 row[j]) for row[j] = x'y_j,
/// and 0 below the smallest normal number. Returns true if a result is below threshold * (x_norm + y_norm[j]), where
/// cancellation has cost too many digits.
bool squared_distances_from_products(float* row, Index n, float x_norm, const float* y_norm, float threshold);
bool squared_distances_from_products(double* row, Index n, double x_norm, const double* y_norm, double threshold);

/// Computes row[j] = sum_k (x[k] - Bt[k * stride + j])^2, which has no cancellation; for few columns.
void squared_distances_from_differences(const float* x, const float* Bt, Index stride, Index d, float* row, Index n);
void squared_distances_from_differences(const double* x, const double* Bt, Index stride, Index d, double* row, Index n);

/// Computes row[j] += sum_k |x[k] - Bt[k * stride + j]|.
void add_absolute_differences(const float* x, const float* Bt, Index stride, Index d, float* row, Index n);
void add_absolute_differences(const double* x, const double* Bt, Index stride, Index d, double* row, Index n);

/// Returns sum_k x[k]^2, summed in float64.
double squared_norm(const float* x, Index d);
double squared_norm(const double* x, Index d);

/// Returns sum_k (x[k] - y[k])^2.
float squared_distance(const float* x, const float* y, Index d);
double squared_distance(const double* x, const double* y, Index d);

}  // namespace dualkpca::vector_math
