#pragma once

#include "dualkpca/kernel/kernel.hpp"
#include "kernel/resolved_kernel.hpp"

namespace dualkpca {

/// Makes a kernel of |x - y|: rbf, laplace, matern32 or matern52.
[[nodiscard]] std::unique_ptr<const Kernel> make_distance_kernel(const ResolvedKernel& formula);
/// Makes the kernel of |x - y|_1: laplacian.
[[nodiscard]] std::unique_ptr<const Kernel> make_laplacian_kernel(const ResolvedKernel& formula);
/// Makes a kernel of x'y: linear, poly or sigmoid.
[[nodiscard]] std::unique_ptr<const Kernel> make_product_kernel(const ResolvedKernel& formula);
[[nodiscard]] std::unique_ptr<const Kernel> make_cosine_kernel(const ResolvedKernel& formula);

/// Base of a kernel family, which makes the overloads of Kernel. The family has templates `evaluate(A, B, out)` and
/// `evaluate_diagonal(A, out)` for any kind of rows.
template <class Family>
class KernelOf : public Kernel {
 public:
  explicit KernelOf(const ResolvedKernel& formula) : formula_(formula) {}
  [[nodiscard]] const ResolvedKernel& formula() const final { return formula_; }
  void tile(const DenseRows<float>& A, const DenseRows<float>& B, const TileRef<float>& out) const final {
    family().evaluate(A, B, out);
  }
  void tile(const DenseRows<double>& A, const DenseRows<double>& B, const TileRef<double>& out) const final {
    family().evaluate(A, B, out);
  }
  void tile(const SparseRows<float>& A, const SparseRows<float>& B, const TileRef<float>& out) const final {
    family().evaluate(A, B, out);
  }
  void tile(const SparseRows<double>& A, const SparseRows<double>& B, const TileRef<double>& out) const final {
    family().evaluate(A, B, out);
  }
  void diagonal(const DenseRows<float>& A, double* out) const final { family().evaluate_diagonal(A, out); }
  void diagonal(const DenseRows<double>& A, double* out) const final { family().evaluate_diagonal(A, out); }
  void diagonal(const SparseRows<float>& A, double* out) const final { family().evaluate_diagonal(A, out); }
  void diagonal(const SparseRows<double>& A, double* out) const final { family().evaluate_diagonal(A, out); }

 private:
  [[nodiscard]] const Family& family() const { return static_cast<const Family&>(*this); }

  ResolvedKernel formula_;
};

}  // namespace dualkpca
