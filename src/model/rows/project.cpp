#include "model/rows/project.hpp"

#include <fmt/format.h>

#include <optional>
#include <vector>

#include "core/blas.hpp"
#include "core/parallel.hpp"
#include "core/tall_matrix.hpp"
#include "dualkpca/core/errors.hpp"
#include "dualkpca/core/threads.hpp"
#include "model/rows/training_rows.hpp"

namespace dualkpca {
namespace {

constexpr Index projection_block = 512;

template <class T>
using RowMajor = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// Kernel values of a block of new rows against a run of training rows.
template <class T>
class KernelRows {
 public:
  KernelRows(const FittedModel& model, const KernelParams& params) : model_(model) {
    if (params.name != KernelName::precomputed)
      kernel_ = make_kernel(params.name, model.report.gamma.value_or(0), params.degree, params.coef0);
  }

  // Rows of X as the kernel wants them: sparse if the training rows are, whatever X is.
  struct Block {
    RowMajor<T> dense{};
    std::optional<CsrBlock<T>> sparse{};
  };
  [[nodiscard]] Block prepare(const SamplesView& X, Index first, Index count) const {
    Block block;
    if (model_.rows.is_sparse()) {
      block.sparse.emplace(X.slice(first, count), first);
      return block;
    }
    block.dense.resize(count, X.cols());
    std::vector<double> scratch(static_cast<std::size_t>(X.cols()));
    for (Index r = 0; r < count; ++r)
      RowTransform{model_.scaler, model_.shift}.apply(X, first + r, 0, scratch.data(), block.dense.row(r).data());
    return block;
  }

  void tile(const Block& block, Index first, Index count, const TileRef<T>& out) const {
    const RowMajor<T>& dense = block.dense;
    if (block.sparse) {
      const SparseRows<T> rows = model_.rows.sparse<T>();
      kernel_->tile(block.sparse->view(rows.cols), rows.slice(first, count), out);
    } else if (kernel_) {
      kernel_->tile({dense.data(), dense.rows(), dense.cols(), dense.cols()},
                    model_.rows.dense<T>().slice(first, count), out);
    } else {  // precomputed: the rows are kernel values already
      for (Index r = 0; r < dense.rows(); ++r) std::copy_n(dense.row(r).data() + first, count, out.row(r));
    }
  }

  // k(x, x) of every row x; not of a given kernel matrix, which does not tell.
  void diagonal(const Block& block, double* out) const {
    if (block.sparse)
      kernel_->diagonal(block.sparse->view(model_.rows.cols), out);
    else
      kernel_->diagonal(DenseRows<T>{block.dense.data(), block.dense.rows(), block.dense.cols(), block.dense.cols()},
                        out);
  }

 private:
  const FittedModel& model_;
  std::unique_ptr<const Kernel> kernel_;
};

template <class T>
void multiply_blocks(const FittedModel& model, const KernelParams& params, const Matrix& C, const SamplesView& X,
                     int threads, Matrix& sums, double* self) {
  const KernelRows<T> kernel_rows(model, params);
  RowMajor<T> coefficients = C.cast<T>();
  const Index n = coefficients.rows(), s = coefficients.cols();
  threads = useful_threads(X.rows() * n * (X.nonzeros() / std::max<Index>(1, X.rows()) + s), threads);
  // Few rows are shared out, too.
  const Index block = std::clamp<Index>((X.rows() + threads - 1) / threads, 32, projection_block);
  parallel_for((X.rows() + block - 1) / block, threads, [&](Index b, int) {
    const Index first = b * block, count = std::min(block, X.rows() - first);
    const auto rows = kernel_rows.prepare(X, first, count);
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

Matrix kernel_times(const FittedModel& model, const KernelParams& kernel, const Matrix& C, const SamplesView& X,
                    int threads, double* self) {
  Matrix sums = Matrix::Zero(X.rows(), C.cols());
  if (model.report.precision == Precision::float32)
    multiply_blocks<float>(model, kernel, C, X, threads, sums, self);
  else
    multiply_blocks<double>(model, kernel, C, X, threads, sums, self);
  return sums;
}

Matrix projection_coefficients(const Matrix& H, const Matrix& rotation, bool center) {
  const bool is_diagonal = rotation.isDiagonal(0);
  if (!is_diagonal) static_cast<void>(compute_threads(1));
  Matrix A = is_diagonal ? Matrix(H * rotation.diagonal().asDiagonal()) : times(H, rotation);
  if (center) A.rowwise() -= A.colwise().mean().eval();
  return A;
}

Matrix project(const FittedModel& model, const KernelParams& kernel, const SamplesView& X, int threads) {
  Matrix scores = kernel_times(model, kernel, model.coefficients, X, threads, nullptr);
  scores.rowwise() -= model.offset.transpose();
  return scores;
}

Projection project_with_spe(const FittedModel& model, const KernelParams& kernel, const Vector& center,
                            const SamplesView& X, int threads) {
  const Index s = model.coefficients.cols();
  Matrix coefficients(model.coefficients.rows(), s + 1);
  coefficients << model.coefficients, center;
  Vector self(X.rows());
  const Matrix values = kernel_times(model, kernel, coefficients, X, threads, self.data());
  Projection out{.scores = values.leftCols(s), .spe = {}};
  out.scores.rowwise() -= model.offset.transpose();
  out.spe = (self - 2 * values.col(s) - out.scores.rowwise().squaredNorm()).array() + model.kernel_mean;
  out.spe = out.spe.cwiseMax(0);  // what rounding leaves of a row inside of the span
  return out;
}

Vector center_weights(const FittedModel& model, bool centered) {
  if (model.center.size() > 0) return model.center;
  if (!centered || model.is_sparse) return Vector::Zero(model.coefficients.rows());
  if (model.is_landmark_model())
    throw InvalidArgument("the model is of an earlier version, which did not store its centre: fit it again");
  return Vector::Constant(model.coefficients.rows(), 1 / static_cast<double>(model.coefficients.rows()));
}

void require_columns(const FittedModel& model, const KernelParams& kernel, const SamplesView& X) {
  const bool precomputed = kernel.name == KernelName::precomputed;
  const Index expected = precomputed ? model.report.n_samples : model.report.n_features;
  if (X.cols() != expected)
    throw DataError(fmt::format("the data have {} columns; the model was fitted on {} {}", X.cols(), expected,
                                precomputed ? "rows, and needs their kernel values in that order" : "columns"));
  X.require_finite("data");
}

}  // namespace dualkpca
