#include "core/tall_matrix.hpp"

#include <vector>

#include "core/blas.hpp"
#include "core/parallel.hpp"

namespace dualkpca {

Matrix inner(ConstMatrixRef A, ConstMatrixRef B, int threads) {
  const Index n = A.rows(), p = A.cols(), q = B.cols();
  threads = useful_threads(n * p * q, threads);
  const auto runs = static_cast<Index>(threads);
  std::vector<Matrix> sums(static_cast<std::size_t>(runs), Matrix::Zero(p, q));
  const auto run = [&](Index r, int) {
    const Index first = n * r / runs, count = n * (r + 1) / runs - first;
    blas::gemm(blas::Op::transpose, blas::Op::none, p, q, count, 1.0, A.data() + first * A.outerStride(),
               A.outerStride(), B.data() + first * B.outerStride(), B.outerStride(), 0.0,
               sums[static_cast<std::size_t>(r)].data(), q);
  };
  if (threads == 1)
    run(0, 0);
  else
    parallel_for(runs, threads, run);
  for (std::size_t r = 1; r < sums.size(); ++r) sums[0] += sums[r];
  return std::move(sums[0]);
}

Matrix inner_square(const Matrix& A) {
  if (A.cols() < 200) return inner(A, A);
  const Matrix At = A.transpose();  // dsyrk saves half of the work, which is worth a copy
  Matrix S(A.cols(), A.cols());
  blas::lower_gram(At.rows(), At.cols(), At.data(), At.outerStride(), S.data(), S.outerStride());
  S.triangularView<Eigen::StrictlyUpper>() = S.transpose();
  return S;
}

void add_times(MatrixRef out, ConstMatrixRef A, ConstMatrixRef C, double alpha, double beta, int threads) {
  const Index n = A.rows();
  threads = useful_threads(n * A.cols() * C.cols(), threads);
  const auto runs = static_cast<Index>(threads);
  const auto run = [&](Index r, int) {
    const Index first = n * r / runs, count = n * (r + 1) / runs - first;
    blas::gemm(blas::Op::none, blas::Op::none, count, C.cols(), A.cols(), alpha, A.data() + first * A.outerStride(),
               A.outerStride(), C.data(), C.outerStride(), beta, out.data() + first * out.outerStride(),
               out.outerStride());
  };
  if (threads == 1)
    run(0, 0);
  else
    parallel_for(runs, threads, run);
}

Matrix times(ConstMatrixRef A, ConstMatrixRef C, int threads) {
  Matrix out = Matrix::Zero(A.rows(), C.cols());
  add_times(out, A, C, 1.0, 0.0, threads);
  return out;
}

Eigen::RowVectorXd column_sums(ConstMatrixRef A) {
  Eigen::RowVectorXd sum = Eigen::RowVectorXd::Zero(A.cols());
  for (Index i = 0; i < A.rows(); ++i) sum += A.row(i);
  return sum;
}

double dot(const Matrix& A, const Matrix& B) { return A.cwiseProduct(B).sum(); }

}  // namespace dualkpca
