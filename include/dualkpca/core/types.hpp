#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <limits>
#include <string_view>

namespace dualkpca {

using Index = std::ptrdiff_t;
/// Row-major, because rows are samples everywhere.
using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Vector = Eigen::VectorXd;
using MatrixRef = Eigen::Ref<Matrix>;
using ConstMatrixRef = const Eigen::Ref<const Matrix>&;

/// Width of stored numbers: samples in a file, or the entries of a Gram matrix.
enum class Precision { float32, float64 };

[[nodiscard]] constexpr std::string_view to_string(Precision precision) {
  return precision == Precision::float32 ? "float32" : "float64";
}
[[nodiscard]] constexpr std::size_t bytes_of(Precision precision) {
  return precision == Precision::float32 ? sizeof(float) : sizeof(double);
}
/// Unit roundoff of the width.
[[nodiscard]] constexpr double epsilon_of(Precision precision) {
  return precision == Precision::float32 ? std::numeric_limits<float>::epsilon()
                                         : std::numeric_limits<double>::epsilon();
}

template <class T>
inline constexpr Precision precision_of = sizeof(T) == sizeof(float) ? Precision::float32 : Precision::float64;

}  // namespace dualkpca
