#include <algorithm>

#include "kernel/families.hpp"
#include "kernel/vector_math.hpp"

namespace dualkpca {
namespace {

class DistanceKernel final : public Kernel {
 public:
  DistanceKernel(KernelName name, double gamma) : name_(name), gamma_(gamma) {}

  void tile(const DenseRows<float>& A, const DenseRows<float>& B, const TileRef<float>& out) const override {
    evaluate(A, B, out);
  }
  void tile(const DenseRows<double>& A, const DenseRows<double>& B, const TileRef<double>& out) const override {
    evaluate(A, B, out);
  }
  void diagonal(const DenseRows<float>& A, double* out) const override { std::fill_n(out, A.rows, 1.0); }
  void diagonal(const DenseRows<double>& A, double* out) const override { std::fill_n(out, A.rows, 1.0); }

 private:
  template <class T>
  void evaluate(const DenseRows<T>& A, const DenseRows<T>& B, const TileRef<T>& out) const {
    squared_distance_tile(A, B, out);
    const T factor = static_cast<T>(-gamma_);
    for (Index i = 0; i < out.rows; ++i) {
      if (name_ == KernelName::rbf) {
        vector_math::exp_of(out.row(i), out.cols, factor);
      } else {
        vector_math::exp_of_root(out.row(i), out.cols, factor);
      }
    }
  }

  KernelName name_;
  double gamma_;
};

}  // namespace

std::unique_ptr<const Kernel> make_distance_kernel(KernelName name, double gamma) {
  return std::make_unique<DistanceKernel>(name, gamma);
}

}  // namespace dualkpca
