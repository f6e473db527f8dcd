#pragma once

#include <memory>
#include <string_view>

#include "dualkpca/data/samples.hpp"

namespace dualkpca {

/// Name of a kernel function k(x, y).
/// Kernels of the distance, where |.| is the Euclidean norm and |.|_1 the sum of absolute values:
///   rbf        exp(-gamma |x-y|^2)
///   laplace    exp(-gamma |x-y|)
///   laplacian  exp(-gamma |x-y|_1)
///   matern32   (1+a) exp(-a), a = sqrt3 gamma |x-y|
///   matern52   (1+a+a^2/3) exp(-a), a = sqrt5 gamma |x-y|
/// Kernels of the inner product:
///   linear     x'y
///   poly       (gamma x'y + coef0)^degree
///   sigmoid    tanh(gamma x'y + coef0)
///   cosine     x'y / |x||y|, 0 for a zero row
/// precomputed has no formula: the samples are the rows of the kernel matrix itself.
enum class KernelName { rbf, laplace, laplacian, poly, linear, sigmoid, cosine, matern32, matern52, precomputed };

[[nodiscard]] std::string_view to_string(KernelName name);
/// Throws InvalidArgument listing the accepted names.
[[nodiscard]] KernelName parse_kernel(std::string_view name);
/// Returns true if k(x, y) depends on x - y only, so that all samples may be shifted by one vector.
[[nodiscard]] bool is_shift_invariant(KernelName name);
/// Returns true if gamma changes the kernel.
[[nodiscard]] bool uses_gamma(KernelName name);
/// Returns true if coef0 changes the kernel.
[[nodiscard]] bool uses_coef0(KernelName name);

struct ResolvedKernel;

/// Writable dense tile: a block of kernel values in row-major order.
template <class T>
struct TileRef {
  T* data = nullptr;
  Index rows = 0;
  Index cols = 0;
  Index stride = 0;  ///< elements from one row to the next

  [[nodiscard]] T* row(Index i) const { return data + i * stride; }
};

/// A kernel, evaluated one tile at a time, never one pair. So the virtual call, the choice of vector code and the
/// matrix multiplication (GEMM) are paid once per tile. Implementations are immutable and thread-safe. Values below the
/// smallest normal number of T become 0, because GEMM is some 80 times slower on denormals.
class Kernel {
 public:
  virtual ~Kernel() = default;
  /// Computes out(i, j) = k(A.row(i), B.row(j)). A is p x d, B is q x d, out is p x q.
  virtual void tile(const DenseRows<float>& A, const DenseRows<float>& B, const TileRef<float>& out) const = 0;
  virtual void tile(const DenseRows<double>& A, const DenseRows<double>& B, const TileRef<double>& out) const = 0;
  /// Computes the same for sparse rows from their entries alone: no array of width d is formed.
  virtual void tile(const SparseRows<float>& A, const SparseRows<float>& B, const TileRef<float>& out) const = 0;
  virtual void tile(const SparseRows<double>& A, const SparseRows<double>& B, const TileRef<double>& out) const = 0;
  /// Computes out[i] = k(A.row(i), A.row(i)) in float64, without forming a tile.
  virtual void diagonal(const DenseRows<float>& A, double* out) const = 0;
  virtual void diagonal(const DenseRows<double>& A, double* out) const = 0;
  virtual void diagonal(const SparseRows<float>& A, double* out) const = 0;
  virtual void diagonal(const SparseRows<double>& A, double* out) const = 0;
  /// Returns the name and the hyperparameters of the kernel.
  [[nodiscard]] virtual const ResolvedKernel& formula() const = 0;
};

/// Makes a kernel. gamma must be positive (linear and cosine ignore it), and degree at least 1 (only poly uses it).
/// Throws InvalidArgument otherwise, and for precomputed, which has no formula.
[[nodiscard]] std::unique_ptr<const Kernel> make_kernel(KernelName name, double gamma, int degree, double coef0);

}  // namespace dualkpca
