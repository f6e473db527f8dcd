#include <algorithm>
#include <cmath>

#include "kernel/families.hpp"
#include "kernel/tiles.hpp"
#include "kernel/vector_math.hpp"

namespace dualkpca {
namespace {

class DistanceKernel final : public KernelOf<DistanceKernel> {
 public:
  DistanceKernel(KernelName name, double gamma) : name_(name), gamma_(gamma) {}

  template <class Rows, class T>
  void evaluate(const Rows& A, const Rows& B, const TileRef<T>& out) const {
    squared_distance_tile(A, B, out);
    for (Index i = 0; i < out.rows; ++i) map(out.row(i), out.cols);
  }
  template <class Rows>
  void evaluate_diagonal(const Rows& A, double* out) const {
    std::fill_n(out, A.rows, 1.0);
  }

 private:
  // In place, from squared distances to kernel values.
  template <class T>
  void map(T* row, Index n) const {
    switch (name_) {
      case KernelName::laplace: return vector_math::exp_of_root(row, n, static_cast<T>(-gamma_));
      case KernelName::matern32: return vector_math::matern32_of_root(row, n, static_cast<T>(std::sqrt(3.0) * gamma_));
      case KernelName::matern52: return vector_math::matern52_of_root(row, n, static_cast<T>(std::sqrt(5.0) * gamma_));
      default: return vector_math::exp_of(row, n, static_cast<T>(-gamma_));
    }
  }

  KernelName name_;
  double gamma_;
};

class LaplacianKernel final : public KernelOf<LaplacianKernel> {
 public:
  explicit LaplacianKernel(double gamma) : gamma_(gamma) {}

  template <class Rows, class T>
  void evaluate(const Rows& A, const Rows& B, const TileRef<T>& out) const {
    manhattan_distance_tile(A, B, out);
    for (Index i = 0; i < out.rows; ++i) vector_math::exp_of(out.row(i), out.cols, static_cast<T>(-gamma_));
  }
  template <class Rows>
  void evaluate_diagonal(const Rows& A, double* out) const {
    std::fill_n(out, A.rows, 1.0);
  }

 private:
  double gamma_;
};

}  // namespace

std::unique_ptr<const Kernel> make_distance_kernel(KernelName name, double gamma) {
  return std::make_unique<DistanceKernel>(name, gamma);
}

std::unique_ptr<const Kernel> make_laplacian_kernel(double gamma) { return std::make_unique<LaplacianKernel>(gamma); }

}  // namespace dualkpca
