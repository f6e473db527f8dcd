#include "model/rows/kernel_matrix.hpp"

#include "core/parallel.hpp"

namespace dualkpca {
namespace {

template <class Rows>
Matrix evaluate(const Kernel& kernel, const Rows& A, const Rows& B, int threads) {
  constexpr Index block = 512;
  Matrix K(A.rows, B.rows);
  parallel_blocks(A.rows, block, threads, [&](Index first, Index count, int) {
    kernel.tile(A.slice(first, count), B, {K.row(first).data(), count, K.cols(), K.cols()});
  });
  return K;
}

}  // namespace

Matrix kernel_matrix(const ResolvedKernel& kernel, const SamplesView& A, const SamplesView& B, int threads) {
  const auto made = make_kernel(kernel);
  return A.is_sparse() ? evaluate(*made, A.sparse<double>(), B.sparse<double>(), threads)
                       : evaluate(*made, A.dense<double>(), B.dense<double>(), threads);
}

}  // namespace dualkpca
