#include <algorithm>
#include <cmath>
#include <vector>

#include "kernel/distance_math.hpp"
#include "kernel/families.hpp"
#include "kernel/product_math.hpp"
#include "kernel/rows.hpp"
#include "kernel/tiles.hpp"

namespace dualkpca {
namespace {

class PolynomialKernel final : public KernelOf<PolynomialKernel> {
 public:
  using KernelOf::KernelOf;

  template <class Rows, class T>
  void evaluate(const Rows& A, const Rows& B, const TileRef<T>& out) const {
    inner_product_tile(A, B, out);
    for (Index i = 0; i < out.rows; ++i)
      vector_math::power_of(out.row(i), out.cols, static_cast<T>(formula().gamma), static_cast<T>(formula().coef0),
                            formula().degree);
  }
  template <class Rows>
  void evaluate_diagonal(const Rows& A, double* out) const {
    squared_norms(A, out);
    for (Index i = 0; i < A.rows; ++i) out[i] = std::pow(formula().gamma * out[i] + formula().coef0, formula().degree);
  }
};

class SigmoidKernel final : public KernelOf<SigmoidKernel> {
 public:
  using KernelOf::KernelOf;

  template <class Rows, class T>
  void evaluate(const Rows& A, const Rows& B, const TileRef<T>& out) const {
    inner_product_tile(A, B, out);
    for (Index i = 0; i < out.rows; ++i)
      vector_math::tanh_of(out.row(i), out.cols, static_cast<T>(formula().gamma), static_cast<T>(formula().coef0));
  }
  template <class Rows>
  void evaluate_diagonal(const Rows& A, double* out) const {
    squared_norms(A, out);
    for (Index i = 0; i < A.rows; ++i) out[i] = std::tanh(formula().gamma * out[i] + formula().coef0);
  }
};

/// A sum of squares from here on has lost no digits to underflow. None overflows: rows with such entries are refused.
constexpr double safe_square = 1e-280;

/// Returns the size of the largest entry of a row; 0 if it has none.
template <class T>
double largest_of(const Entries<T>& row) {
  double largest = 0;
  for (Index k = 0; k < row.count; ++k) largest = std::max(largest, std::abs(static_cast<double>(row.values[k])));
  return largest;
}

/// Copies of rows, divided by their norm; zero rows stay zero. The copies are cheap beside the inner products of a
/// tile, and with them inner products of very small or large numbers cannot leave the range of T.
template <class T>
class UnitRows {
 public:
  explicit UnitRows(const DenseRows<T>& A) : values_(static_cast<std::size_t>(A.rows * A.cols)), offset_(0) {
    T* out = values_.data();
    for (Index i = 0; i < A.rows; ++i, out += A.cols) divide(entries_of(A, i), out);
  }
  explicit UnitRows(const SparseRows<T>& A)
      : values_(static_cast<std::size_t>(A.nonzeros())), offset_(A.rows == 0 ? 0 : A.offsets[0]) {
    T* out = values_.data();
    for (Index i = 0; i < A.rows; ++i) {
      divide(entries_of(A, i), out);
      out += entries_of(A, i).count;
    }
  }
  [[nodiscard]] DenseRows<T> view(const DenseRows<T>& A) const { return {values_.data(), A.rows, A.cols, A.cols}; }
  [[nodiscard]] SparseRows<T> view(const SparseRows<T>& A) const {
    return {A.offsets, A.columns, values_.data() - offset_, A.rows, A.cols};
  }

 private:
  static void divide(const Entries<T>& row, T* out) {
    // The sum of squares may underflow. Then the largest entry is divided out first, so that no row becomes 0.
    double largest = 1, squares = vector_math::squared_norm(row.values, row.count);
    if (squares < safe_square) {
      largest = largest_of(row);
      squares = 0;
      if (largest > 0)
        for (Index k = 0; k < row.count; ++k) squares += squared(static_cast<double>(row.values[k]) / largest);
    }
    const double norm = std::sqrt(squares);
    for (Index k = 0; k < row.count; ++k)
      out[k] = norm > 0 ? static_cast<T>(static_cast<double>(row.values[k]) / largest / norm) : T{0};
  }
  static double squared(double x) { return x * x; }
  std::vector<T> values_;
  Index offset_;
};

class CosineKernel final : public KernelOf<CosineKernel> {
 public:
  using KernelOf::KernelOf;

  template <class Rows, class T>
  void evaluate(const Rows& A, const Rows& B, const TileRef<T>& out) const {
    const UnitRows<T> a(A), b(B);
    inner_product_tile(a.view(A), b.view(B), out);
  }
  template <class Rows>
  void evaluate_diagonal(const Rows& A, double* out) const {
    for (Index i = 0; i < A.rows; ++i) out[i] = largest_of(entries_of(A, i)) > 0 ? 1 : 0;  // a square may be 0
  }
};

}  // namespace

std::unique_ptr<const Kernel> make_product_kernel(const ResolvedKernel& formula) {
  // linear is the polynomial of degree 1 with gamma 1 and coef0 0.
  if (formula.name == KernelName::linear)
    return std::make_unique<PolynomialKernel>(ResolvedKernel{KernelName::linear, 1, 1, 0});
  if (formula.name == KernelName::sigmoid) return std::make_unique<SigmoidKernel>(formula);
  return std::make_unique<PolynomialKernel>(formula);
}

std::unique_ptr<const Kernel> make_cosine_kernel(const ResolvedKernel& formula) {
  return std::make_unique<CosineKernel>(formula);
}

}  // namespace dualkpca
