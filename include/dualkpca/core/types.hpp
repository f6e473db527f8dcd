#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <limits>
#include <string_view>

namespace dualkpca {

using Index = std::ptrdiff_t;
/// Row-major matrix, because rows are samples everywhere.
using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Vector = Eigen::VectorXd;
using MatrixRef = Eigen::Ref<Matrix>;
using ConstMatrixRef = const Eigen::Ref<const Matrix>&;

/// Width of stored numbers: of samples in a file, or of the entries of a Gram matrix (the kernel values of all pairs of
/// training rows).
enum class Precision { float32, float64 };

[[nodiscard]] constexpr std::string_view to_string(Precision precision) {
  return precision == Precision::float32 ? "float32" : "float64";
}
/// Returns the bytes of one number.
[[nodiscard]] constexpr std::size_t bytes_of(Precision precision) {
  return precision == Precision::float32 ? sizeof(float) : sizeof(double);
}
/// Returns the machine epsilon: the distance from 1 to the next number of that precision.
[[nodiscard]] constexpr double epsilon_of(Precision precision) {
  return precision == Precision::float32 ? std::numeric_limits<float>::epsilon()
                                         : std::numeric_limits<double>::epsilon();
}

/// Precision of the type T, which is float or double.
template <class T>
inline constexpr Precision precision_of = sizeof(T) == sizeof(float) ? Precision::float32 : Precision::float64;

}  // namespace dualkpca
