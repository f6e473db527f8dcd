#include <cmath>

#include "core/blas.hpp"
#include "kernel/families.hpp"
#include "kernel/vector_math.hpp"

namespace dualkpca {
namespace {

class ProductKernel final : public Kernel {
 public:
  // linear is the polynomial of degree 1 with gamma 1 and coef0 0.
  ProductKernel(double gamma, int degree, double coef0) : gamma_(gamma), degree_(degree), coef0_(coef0) {}

  void tile(const DenseRows<float>& A, const DenseRows<float>& B, const TileRef<float>& out) const override {
    evaluate(A, B, out);
  }
  void tile(const DenseRows<double>& A, const DenseRows<double>& B, const TileRef<double>& out) const override {
    evaluate(A, B, out);
  }
  void diagonal(const DenseRows<float>& A, double* out) const override { diagonal_of(A, out); }
  void diagonal(const DenseRows<double>& A, double* out) const override { diagonal_of(A, out); }

 private:
  template <class T>
  void evaluate(const DenseRows<T>& A, const DenseRows<T>& B, const TileRef<T>& out) const {
    blas::gemm(blas::Op::none, blas::Op::transpose, A.rows, B.rows, A.cols, T{1}, A.data, A.stride, B.data, B.stride,
               T{0}, out.data, out.stride);
    for (Index i = 0; i < out.rows; ++i)
      vector_math::power_of(out.row(i), out.cols, static_cast<T>(gamma_), static_cast<T>(coef0_), degree_);
  }
  template <class T>
  void diagonal_of(const DenseRows<T>& A, double* out) const {
    squared_norms(A, out);
    for (Index i = 0; i < A.rows; ++i) out[i] = std::pow(gamma_ * out[i] + coef0_, degree_);
  }

  double gamma_;
  int degree_;
  double coef0_;
};

}  // namespace

std::unique_ptr<const Kernel> make_product_kernel(KernelName name, double gamma, int degree, double coef0) {
  if (name == KernelName::linear) return std::make_unique<ProductKernel>(1.0, 1, 0.0);
  return std::make_unique<ProductKernel>(gamma, degree, coef0);
}

}  // namespace dualkpca
