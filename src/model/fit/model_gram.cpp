#include "model/fit/model_gram.hpp"

#include <algorithm>
#include <vector>

#include "core/parallel.hpp"
#include "dualkpca/gram/stored.hpp"
#include "model/fit/reduced_rows.hpp"
#include "model/rows/training_rows.hpp"
#include "solver/center_landmarks.hpp"

namespace dualkpca {
namespace {

// Entries of K from the rows before they were narrowed. Sparse rows are neither scaled nor shifted: their own entries
// do, which is what the operator takes without this.
ExactBlock exact_from_data(std::shared_ptr<const Kernel> kernel, const FittedModel& model, const SamplesView& X,
                           int threads) {
  if (X.is_sparse()) return {};
  return [kernel = std::move(kernel), &model, X, threads](std::span<const Index> rows, std::span<const Index> columns,
                                                          MatrixRef out) {
    const RowTransform transform{model.scaler, model.shift};
    const auto widened = [&](std::span<const Index> indices) {
      Matrix block(static_cast<Index>(indices.size()), X.cols());
      std::vector<double> scratch(static_cast<std::size_t>(X.cols()));
      for (std::size_t i = 0; i < indices.size(); ++i)
        transform.apply(X, indices[i], 0, scratch.data(), block.row(static_cast<Index>(i)).data());
      return block;
    };
    const auto view = [](const Matrix& M) { return DenseRows<double>{M.data(), M.rows(), M.cols(), M.cols()}; };
    const Matrix right = widened(columns);
    constexpr std::size_t block = 256;
    const std::size_t blocks = (rows.size() + block - 1) / block;
    parallel_for(static_cast<Index>(blocks), threads, [&](Index b, int) {
      const std::size_t first = static_cast<std::size_t>(b) * block;
      const Matrix left = widened(rows.subspan(first, std::min(block, rows.size() - first)));
      kernel->tile(view(left), view(right),
                   {&out(static_cast<Index>(first), 0), left.rows(), out.cols(), out.outerStride()});
    });
  };
}

template <class T>
std::unique_ptr<GramOperator> stored_gram(const std::shared_ptr<const Kernel>& kernel, const TrainingRows& rows,
                                          int threads, const Observer& observe, ExactBlock exact) {
  return rows.is_sparse() ? make_stored_gram(kernel, rows.sparse<T>(), threads, observe, std::move(exact))
                          : make_stored_gram(kernel, rows.dense<T>(), threads, observe, std::move(exact));
}

Index center_rows(const KernelPCAParams& params, Index n) {
  if (params.solver.landmarks > 0) return std::min(n, params.solver.landmarks);
  return std::min(n, std::clamp<Index>(n / 10, 10, 100));
}

ReducedCenter center_of(const FittedModel& model) {
  ReducedCenter center;
  std::vector<double> weights;
  for (Index i = 0; i < model.center.size(); ++i) {
    if (model.center[i] == 0) continue;
    center.landmarks.push_back(model.kept[static_cast<std::size_t>(i)]);
    weights.push_back(model.center[i]);
  }
  center.weights = Eigen::Map<const Vector>(weights.data(), static_cast<Index>(weights.size()));
  return center;
}

}  // namespace

// A given matrix comes with kernel values against all rows, later too.
bool keeps_support_only(const KernelPCAParams& params) {
  return params.loss.name == LossName::epsilon_insensitive && params.loss.norm != Norm::frobenius &&
         params.kernel.name != KernelName::precomputed;
}

ModelGram make_model_gram(const KernelPCAParams& params, const FittedModel& model, const SamplesView& X,
                          const TrainingRows& rows, Precision precision, int threads, const Observer& observe) {
  ModelGram out;
  if (params.kernel.name == KernelName::precomputed) {
    out.gram = make_precomputed_gram(X, precision, threads);
  } else {
    const std::shared_ptr<const Kernel> kernel =
        make_kernel(params.kernel.name, model.report.gamma.value_or(0), params.kernel.degree, params.kernel.coef0);
    const ResolvedKernel formula{params.kernel.name, model.report.gamma.value_or(0), params.kernel.degree,
                                 params.kernel.coef0};
    out.reduced = reduced_rows(rows, formula, params.center, threads, params.solver.seed);
    out.features_used = out.reduced.cols;
    ExactBlock exact = exact_from_data(kernel, model, X, threads);
    out.gram = precision == Precision::float32
                   ? stored_gram<float>(kernel, out.reduced, threads, observe, std::move(exact))
                   : stored_gram<double>(kernel, out.reduced, threads, observe, std::move(exact));
  }
  out.is_sparse = keeps_support_only(params);
  // Of a linear kernel the rows themselves are centred, if they could be moved.
  const bool is_centered = params.kernel.name == KernelName::linear && model.shift.size() > 0;
  if (!params.center || (out.is_sparse && is_centered)) return out;
  if (out.is_sparse) {
    ReducedCenter center = model.is_sparse
                               ? center_of(model)
                               : choose_center(*out.gram, center_rows(params, rows.rows), params.solver.seed);
    auto decorated = std::make_unique<ReducedCenterGram>(std::move(out.gram), std::move(center.landmarks),
                                                         std::move(center.weights));
    out.reduced_center = decorated.get();
    out.gram = std::move(decorated);
    return out;
  }
  auto decorated = std::make_unique<CenteredGram>(std::move(out.gram));
  out.centered = decorated.get();
  out.gram = std::move(decorated);
  return out;
}

}  // namespace dualkpca
