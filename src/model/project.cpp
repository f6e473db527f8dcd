#include "model/project.hpp"

#include <fmt/format.h>

#include <vector>

#include "core/blas.hpp"
#include "core/parallel.hpp"
#include "core/tall_matrix.hpp"
#include "dualkpca/core/errors.hpp"
#include "model/training_rows.hpp"

namespace dualkpca {
namespace {

constexpr Index block = 512;

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

  // What tile() needs of rows first..first+count-1 of X.
  [[nodiscard]] RowMajor<T> prepare(const SamplesView& X, Index first, Index count) const {
    RowMajor<T> rows(count, X.cols());
    std::vector<double> scratch(static_cast<std::size_t>(X.cols()));
    for (Index r = 0; r < count; ++r)
      RowTransform{model_.scaler, model_.shift}.apply(X, first + r, 0, scratch.data(), rows.data() + r * X.cols());
    return rows;
  }

  void tile(const RowMajor<T>& rows, Index first, Index count, const TileRef<T>& out) const {
    if (kernel_) {
      kernel_->tile({rows.data(), rows.rows(), rows.cols(), rows.cols()}, model_.rows.view<T>().slice(first, count),
                    out);
    } else {  // precomputed: the rows are kernel values already
      for (Index r = 0; r < rows.rows(); ++r) std::copy_n(rows.data() + r * rows.cols() + first, count, out.row(r));
    }
  }

 private:
  const FittedModel& model_;
  std::unique_ptr<const Kernel> kernel_;
};

template <class T>
void project_blocks(const FittedModel& model, const KernelParams& params, const SamplesView& X, int threads,
                    Matrix& scores) {
  const KernelRows<T> kernel_rows(model, params);
  const RowMajor<T> coefficients = model.coefficients.cast<T>();
  const Index n = coefficients.rows(), s = coefficients.cols();
  parallel_for((X.rows() + block - 1) / block, threads, [&](Index b, int) {
    const Index first = b * block, count = std::min(block, X.rows() - first);
    const RowMajor<T> rows = kernel_rows.prepare(X, first, count);
    RowMajor<T> tile(count, block), product(count, s);
    auto out = scores.middleRows(first, count);
    for (Index t = 0; t < n; t += block) {
      const Index width = std::min(block, n - t);
      kernel_rows.tile(rows, t, width, {tile.data(), count, width, block});
      blas::gemm(blas::Op::none, blas::Op::none, count, s, width, T{1}, tile.data(), block, coefficients.data() + t * s,
                 s, T{0}, product.data(), s);
      out += product.template cast<double>();
    }
    out.rowwise() -= model.offset.transpose();
  });
}

}  // namespace

Matrix projection_coefficients(const Matrix& H, const Matrix& rotation, bool center) {
  Matrix A = times(H, rotation);
  if (center) A.rowwise() -= A.colwise().mean().eval();
  return A;
}

Matrix project(const FittedModel& model, const KernelParams& kernel, const SamplesView& X, int threads) {
  const bool precomputed = kernel.name == KernelName::precomputed;
  const Index expected = precomputed ? model.report.n_samples : model.report.n_features;
  if (X.cols() != expected)
    throw DataError(fmt::format("the data have {} columns; the model was fitted on {} {}", X.cols(), expected,
                                precomputed ? "rows, and needs their kernel values in that order" : "columns"));
  X.require_finite("data");
  Matrix scores = Matrix::Zero(X.rows(), model.coefficients.cols());
  if (model.report.precision == Precision::float32) {
    project_blocks<float>(model, kernel, X, threads, scores);
  } else {
    project_blocks<double>(model, kernel, X, threads, scores);
  }
  return scores;
}

}  // namespace dualkpca
