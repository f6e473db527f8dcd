#include <algorithm>
#include <cmath>

#include "kernel/families.hpp"
#include "kernel/radial_math.hpp"
#include "kernel/tiles.hpp"

namespace dualkpca {
namespace {

class DistanceKernel final : public KernelOf<DistanceKernel> {
 public:
  DistanceKernel(const ResolvedKernel& formula, vector_math::Radial kind, double factor)
      : KernelOf(formula), kind_(kind), factor_(factor) {}

  template <class Rows, class T>
  void evaluate(const Rows& A, const Rows& B, const TileRef<T>& out) const {
    radial_tile(A, B, kind_, static_cast<T>(factor_), out);
  }
  template <class Rows>
  void evaluate_diagonal(const Rows& A, double* out) const {
    std::fill_n(out, A.rows, 1.0);
  }

 private:
  vector_math::Radial kind_;
  double factor_;
};

class LaplacianKernel final : public KernelOf<LaplacianKernel> {
 public:
  using KernelOf::KernelOf;

  template <class Rows, class T>
  void evaluate(const Rows& A, const Rows& B, const TileRef<T>& out) const {
    manhattan_distance_tile(A, B, out);
    for (Index i = 0; i < out.rows; ++i) vector_math::exp_of(out.row(i), out.cols, static_cast<T>(-formula().gamma));
  }
  template <class Rows>
  void evaluate_diagonal(const Rows& A, double* out) const {
    std::fill_n(out, A.rows, 1.0);
  }
};

}  // namespace

std::unique_ptr<const Kernel> make_distance_kernel(const ResolvedKernel& formula) {
  using vector_math::Radial;
  const double gamma = formula.gamma;
  switch (formula.name) {
    case KernelName::laplace: return std::make_unique<DistanceKernel>(formula, Radial::exp_of_root, -gamma);
    case KernelName::matern32:
      return std::make_unique<DistanceKernel>(formula, Radial::matern32_of_root, std::sqrt(3.0) * gamma);
    case KernelName::matern52:
      return std::make_unique<DistanceKernel>(formula, Radial::matern52_of_root, std::sqrt(5.0) * gamma);
    default: return std::make_unique<DistanceKernel>(formula, Radial::exp, -gamma);
  }
}

std::unique_ptr<const Kernel> make_laplacian_kernel(const ResolvedKernel& formula) {
  return std::make_unique<LaplacianKernel>(formula);
}

}  // namespace dualkpca
