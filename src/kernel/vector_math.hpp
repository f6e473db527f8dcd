#pragma once

#include <cstdint>

#include "dualkpca/core/types.hpp"

/// The inner loops of the kernels, compiled for every vector width and chosen at run time. All work on one row of a
/// tile; results below the smallest normal number are set to 0.
namespace dualkpca::vector_math {

/// row[j] = max(0, x_norm + y_norm[j] - 2 row[j]) for row[j] = x'y_j: squared distances from inner products.
/// True if some result is below threshold * (x_norm + y_norm[j]), where cancellation has eaten its digits.
bool squared_distances_from_products(float* row, Index n, float x_norm, const float* y_norm, float threshold);
bool squared_distances_from_products(double* row, Index n, double x_norm, const double* y_norm, double threshold);

/// The functions *_of below, of squared distances.
enum class Radial { exp, exp_of_root, matern32_of_root, matern52_of_root };

/// The two steps in one pass: row[j] becomes the function of kind `kind` of the squared distance. The places where
/// cancellation has eaten the digits of the distance are put into `cancelled` (room for n); returns their number.
Index radial_from_products(float* row, Index n, float x_norm, const float* y_norm, float threshold, Radial kind,
                           float factor, std::int32_t* cancelled);
Index radial_from_products(double* row, Index n, double x_norm, const double* y_norm, double threshold, Radial kind,
                           double factor, std::int32_t* cancelled);

/// row[j] = sum_k (x[k] - Bt[k * stride + j])^2: no cancellation, for few columns.
void squared_distances_from_differences(const float* x, const float* Bt, Index stride, Index d, float* row, Index n);
void squared_distances_from_differences(const double* x, const double* Bt, Index stride, Index d, double* row, Index n);

/// row[j] += sum_k |x[k] - Bt[k * stride + j]|
void add_absolute_differences(const float* x, const float* Bt, Index stride, Index d, float* row, Index n);
void add_absolute_differences(const double* x, const double* Bt, Index stride, Index d, double* row, Index n);

/// Rows that a panel of sparse rows holds (see SparsePanel): as many as four vectors have lanes.
Index panel_width(float);
Index panel_width(double);

/// out[r] = sum over entries e of p v with p = panel[slots[columns[e]] * width + r], v = values[e]; r < panel_width.
void panel_products(const float* panel, const std::int32_t* slots, const std::int32_t* columns, const float* values,
                    Index entries, float* out);
void panel_products(const double* panel, const std::int32_t* slots, const std::int32_t* columns, const double* values,
                    Index entries, double* out);
/// The same with |p - v| - |p| - |v| in place of the product.
void panel_overlaps(const float* panel, const std::int32_t* slots, const std::int32_t* columns, const float* values,
                    Index entries, float* out);
void panel_overlaps(const double* panel, const std::int32_t* slots, const std::int32_t* columns, const double* values,
                    Index entries, double* out);

/// sum_k x[k]^2, in float64
double squared_norm(const float* x, Index d);
double squared_norm(const double* x, Index d);

/// sum_k (x[k] - y[k])^2
float squared_distance(const float* x, const float* y, Index d);
double squared_distance(const double* x, const double* y, Index d);

/// row[j] = exp(factor * row[j]); the argument must not be positive, here and below
void exp_of(float* row, Index n, float factor);
void exp_of(double* row, Index n, double factor);

/// row[j] = exp(factor * sqrt(row[j]))
void exp_of_root(float* row, Index n, float factor);
void exp_of_root(double* row, Index n, double factor);

/// row[j] = (1 + a) exp(-a), a = factor * sqrt(row[j])
void matern32_of_root(float* row, Index n, float factor);
void matern32_of_root(double* row, Index n, double factor);

/// row[j] = (1 + a + a^2 / 3) exp(-a), a = factor * sqrt(row[j])
void matern52_of_root(float* row, Index n, float factor);
void matern52_of_root(double* row, Index n, double factor);

/// row[j] = tanh(factor * row[j] + shift)
void tanh_of(float* row, Index n, float factor, float shift);
void tanh_of(double* row, Index n, double factor, double shift);

/// row[j] = (factor * row[j] + shift)^degree, degree >= 1
void power_of(float* row, Index n, float factor, float shift, int degree);
void power_of(double* row, Index n, double factor, double shift, int degree);

}  // namespace dualkpca::vector_math
