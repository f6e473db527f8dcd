#include "model/fit/model_gram.hpp"

#include <algorithm>
#include <vector>

#include "core/parallel.hpp"
#include "dualkpca/gram/stored.hpp"
#include "model/rows/reduced_rows.hpp"
#include "solver/center_landmarks.hpp"

namespace dualkpca {
namespace {

// Evaluates entries of K in float64 from the rows before they were narrowed.
ExactBlock exact_from_data(std::shared_ptr<const Kernel> kernel, const Preprocessing& input, const SamplesView& samples,
                           bool is_sparse, int threads) {
  return [kernel = std::move(kernel), &input, samples, is_sparse, threads](
             std::span<const Index> rows, std::span<const Index> columns, MatrixRef out) {
    const auto widened = [&](std::span<const Index> indices) {
      return input.rows(samples.pick(indices).view(), {Precision::float64, is_sparse}, 1);
    };
    const Samples right = widened(columns);
    constexpr std::size_t block = 256;
    const std::size_t blocks = (rows.size() + block - 1) / block;
    parallel_for(static_cast<Index>(blocks), threads, [&](Index b, int) {
      const std::size_t first = static_cast<std::size_t>(b) * block;
      const Samples left = widened(rows.subspan(first, std::min(block, rows.size() - first)));
      const TileRef<double> to{&out(static_cast<Index>(first), 0), left.view().rows(), out.cols(), out.outerStride()};
      if (is_sparse)
        kernel->tile(left.view().sparse<double>(), right.view().sparse<double>(), to);
      else
        kernel->tile(left.view().dense<double>(), right.view().dense<double>(), to);
    });
  };
}

template <class T>
std::unique_ptr<GramOperator> stored_gram(const std::shared_ptr<const Kernel>& kernel, const SamplesView& rows,
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
    center.landmarks.push_back(model.held[static_cast<std::size_t>(i)]);
    weights.push_back(model.center[i]);
  }
  center.weights = Eigen::Map<const Vector>(weights.data(), static_cast<Index>(weights.size()));
  return center;
}

}  // namespace

ModelGram make_model_gram(const KernelPCAParams& params, const FittedModel& model, const SamplesView& samples,
                          const Samples& rows, Precision precision, int threads, const Observer& observe) {
  ModelGram out;
  if (model.kernel.is_precomputed()) {
    out.gram = make_precomputed_gram(samples, precision, threads);
  } else {
    const std::shared_ptr<const Kernel> kernel = make_kernel(model.kernel);
    out.rows = reduced_rows(rows, model.kernel, model.centered, threads, params.solver.seed);
    // Sparse rows in float64 need no such function: they are no projection, and the operator reads their entries.
    const bool is_sparse = rows.view().is_sparse();
    ExactBlock exact;
    if (!is_sparse || precision == Precision::float32)
      exact = exact_from_data(kernel, model.input, samples, is_sparse, threads);
    out.gram = precision == Precision::float32
                   ? stored_gram<float>(kernel, out.rows.view(), threads, observe, std::move(exact))
                   : stored_gram<double>(kernel, out.rows.view(), threads, observe, std::move(exact));
  }
  const bool support_only = keeps_support_only(params);
  // With a linear kernel the rows themselves are centred if they may be shifted.
  const bool rows_are_centered = model.kernel.name == KernelName::linear && model.input.shift.size() > 0;
  if (!model.centered || (support_only && rows_are_centered)) return out;
  if (support_only) {
    ReducedCenter center = model.holds == Holds::support
                               ? center_of(model)
                               : choose_center(*out.gram, center_rows(params, samples.rows()), params.solver.seed);
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
