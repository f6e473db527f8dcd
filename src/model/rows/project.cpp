#include "model/rows/project.hpp"

#include <fmt/format.h>

#include "core/blas.hpp"
#include "core/parallel.hpp"
#include "core/tall_matrix.hpp"
#include "dualkpca/core/errors.hpp"
#include "dualkpca/core/threads.hpp"

namespace dualkpca {
namespace {

constexpr Index projection_block = 512;

template <class T>
using RowMajor = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// Kernel values of a block of new rows against a run of held rows.
template <class T>
class KernelRows {
 public:
  explicit KernelRows(const FittedModel& model) : model_(model) {
    if (!model.kernel.is_precomputed()) kernel_ = make_kernel(model.kernel);
  }

  // Rows in the form of the held rows: sparse if those are, whatever the samples are.
  [[nodiscard]] Samples prepare(const SamplesView& samples, Index first, Index count) const {
    return model_.input.rows(samples.slice(first, count), model_.row_form(), 1, first);
  }

  void tile(const SamplesView& block, Index first, Index count, const TileRef<T>& out) const {
    const SamplesView& held = model_.rows.view();
    if (block.is_sparse()) {
      kernel_->tile(block.sparse<T>(), held.sparse<T>().slice(first, count), out);
    } else if (kernel_) {
      kernel_->tile(block.dense<T>(), held.dense<T>().slice(first, count), out);
    } else {  // precomputed: the rows are kernel values already
      for (Index r = 0; r < block.rows(); ++r) std::copy_n(block.dense<T>().row(r) + first, count, out.row(r));
    }
  }

  // k(x, x) of every row x; not for a given kernel matrix, which does not contain it.
  void diagonal(const SamplesView& block, double* out) const {
    if (block.is_sparse())
      kernel_->diagonal(block.sparse<T>(), out);
    else
      kernel_->diagonal(block.dense<T>(), out);
  }

 private:
  const FittedModel& model_;
  std::unique_ptr<const Kernel> kernel_;
};

template <class T>
void multiply_blocks(const FittedModel& model, const Matrix& C, const SamplesView& X, int threads, Matrix& sums,
                     double* self) {
  const KernelRows<T> kernel_rows(model);
  RowMajor<T> coefficients = C.cast<T>();
  const Index n = coefficients.rows(), s = coefficients.cols();
  threads = useful_threads(X.rows() * n * (X.nonzeros() / std::max<Index>(1, X.rows()) + s), threads);
  // Even a few rows are divided among the threads.
  const Index block = std::clamp<Index>((X.rows() + threads - 1) / threads, 32, projection_block);
  parallel_blocks(X.rows(), block, threads, [&](Index first, Index count, int) {
    const Samples prepared = kernel_rows.prepare(X, first, count);
    const SamplesView& rows = prepared.view();
    RowMajor<T> tile(count, projection_block), product(count, s);
    auto out = sums.middleRows(first, count);
    if (self != nullptr) kernel_rows.diagonal(rows, self + first);
    for (Index t = 0; t < n; t += projection_block) {
      const Index width = std::min(projection_block, n - t);
      kernel_rows.tile(rows, t, width, {tile.data(), count, width, projection_block});
      blas::gemm(blas::Op::none, blas::Op::none, count, s, width, T{1}, tile.data(), projection_block,
                 coefficients.data() + t * s, s, T{0}, product.data(), s);
      out += product.template cast<double>();
    }
  });
}

}  // namespace

Samples checked_samples(const FittedModel& model, const SamplesView& X) {
  const bool precomputed = model.kernel.is_precomputed();
  if (X.cols() != model.n_features)
    throw DataError(fmt::format("the data have {} columns; the model was fitted on {} {}", X.cols(), model.n_features,
                                precomputed ? "rows, and needs their kernel values in that order" : "columns"));
  X.require_finite("data");
  return model.input.lagged(X);
}

Matrix kernel_times(const FittedModel& model, const Matrix& C, const SamplesView& samples, int threads, double* self) {
  Matrix sums = Matrix::Zero(samples.rows(), C.cols());
  if (model.precision == Precision::float32)
    multiply_blocks<float>(model, C, samples, threads, sums, self);
  else
    multiply_blocks<double>(model, C, samples, threads, sums, self);
  return sums;
}

Matrix projection_coefficients(const Matrix& H, const Matrix& rotation, bool center) {
  const bool is_diagonal = rotation.isDiagonal(0);
  if (!is_diagonal) static_cast<void>(compute_threads(1));
  Matrix A = is_diagonal ? Matrix(H * rotation.diagonal().asDiagonal()) : times(H, rotation);
  if (center) A.rowwise() -= A.colwise().mean().eval();
  return A;
}

Matrix project(const FittedModel& model, const SamplesView& samples, int threads) {
  Matrix scores = kernel_times(model, model.coefficients, samples, threads);
  scores.rowwise() -= model.offset.transpose();
  return scores;
}

Projection project_with_spe(const FittedModel& model, const SamplesView& samples, int threads) {
  const Index s = model.n_components();
  const Vector center = center_weights(model);
  Matrix coefficients(model.coefficients.rows(), s + 1);
  coefficients << model.coefficients, center;
  Vector self(samples.rows());
  const Matrix values = kernel_times(model, coefficients, samples, threads, self.data());
  Projection out{.scores = values.leftCols(s), .spe = {}};
  out.scores.rowwise() -= model.offset.transpose();
  out.spe = (self - 2 * values.col(s) - out.scores.rowwise().squaredNorm()).array() + model.kernel_mean;
  out.spe = out.spe.cwiseMax(0);  // rounding may make the SPE of a row within the span negative
  return out;
}

Vector center_weights(const FittedModel& model) {
  if (model.center.size() > 0) return model.center;
  const Index m = model.coefficients.rows();
  if (!model.centered || model.holds == Holds::support) return Vector::Zero(m);
  if (model.holds == Holds::landmarks)
    throw InvalidArgument("the model is of an earlier version, which did not store its centre: fit it again");
  return Vector::Constant(m, 1 / static_cast<double>(m));
}

}  // namespace dualkpca
