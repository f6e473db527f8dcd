#include "model/fit/plan_fit.hpp"

#include <algorithm>

#include "dualkpca/core/memory.hpp"
#include "dualkpca/core/threads.hpp"
#include "dualkpca/gram/stored.hpp"
#include "dualkpca/model/kernel_pca.hpp"
#include "model/rows/reduced_rows.hpp"
#include "solver/automatic.hpp"

namespace dualkpca {
namespace {

// Working memory of the solver for n rows and s components, beside that of a product.
std::size_t solver_bytes(const SolverParams& params, std::size_t n, std::size_t s) {
  const std::size_t column = n * sizeof(double);
  const std::size_t block = s + std::max<std::size_t>(8, s / 10);
  const std::size_t challenge = 16 * (s + 8) * column;  // a basis of four blocks with its products, and working blocks
  switch (params.name) {
    case SolverName::dense: return 2 * n * column + 4 * s * column;
    case SolverName::lanczos: return (2 * std::max<std::size_t>(2 * s + 1, 20) + 8 * s) * column + challenge;
    case SolverName::rsvd: return 8 * (s + static_cast<std::size_t>(params.oversampling)) * column + challenge;
    case SolverName::lbfgs:
      return 28 * (s + 1) * column + challenge;  // ten pairs of history and eight working matrices
    // Six blocks of the basis with their products, and four working blocks; a larger basis uses memory that is left
    // over.
    default: return 16 * (block + (params.accuracy == Accuracy::certified ? 16 : 0)) * column;
  }
}

}  // namespace

Precision resolve_precision(const KernelPCAParams& params) {
  return params.precision.value_or(params.solver.tol >= 1e-5 ? Precision::float32 : Precision::float64);
}

bool landmarks_can_do(const KernelPCAParams& params) {
  const bool solver = params.solver.name == SolverName::automatic || params.solver.name == SolverName::nystrom;
  return solver && params.loss.name == LossName::square && params.kernel.is_positive_semidefinite() &&
         params.n_components.fraction == 0;
}

MemoryPlan plan_fit(const KernelPCAParams& params, const SamplesView& X) {
  if (params.lags == 0) return plan_samples(params, X);
  const Index n = std::max<Index>(0, X.rows() - params.lags);
  return plan_samples(params, SamplesView(nullptr, X.precision(), n, X.cols() * (params.lags + 1), X.cols(), 1));
}

MemoryPlan plan_samples(const KernelPCAParams& params, const SamplesView& samples) {
  const Index n = samples.rows();
  const auto count = static_cast<std::size_t>(n);
  const bool automatic = params.solver.name == SolverName::automatic;
  const Index asked = params.n_components.fraction > 0 ? unknown_components : params.n_components.count;
  const bool dense = params.solver.name == SolverName::dense || (automatic && automatic_is_dense(n, asked));
  // For a share of the variance the number is not known yet; 64 columns are the third attempt.
  const auto s = static_cast<std::size_t>(params.n_components.fraction > 0 ? std::min<Index>(n, dense ? n : 64)
                                                                           : params.n_components.count);
  const auto threads = static_cast<std::size_t>(resolve_threads(params.threads));
  MemoryPlan plan;
  plan.precision = resolve_precision(params);
  plan.gram_bytes = stored_gram_bytes(n, plan.precision);
  const std::size_t entry = bytes_of(plan.precision) + (samples.is_sparse() ? sizeof(std::int32_t) : 0);
  if (params.kernel.name != KernelName::precomputed)
    plan.data_bytes =
        static_cast<std::size_t>(samples.nonzeros()) * entry +
        (samples.is_sparse() ? count * sizeof(Index) : reduced_rows_bytes(n, samples.cols(), plan.precision));
  if (params.memory > 0) plan.data_bytes += params.input_memory;  // else the available memory excludes it
  const std::size_t vectors = count * (s + 1) * sizeof(double);
  const std::size_t product = (threads + 2) * vectors;  // sums of each thread, narrowed and centred operands
  SolverParams solver = params.solver;
  if (dense) solver.name = SolverName::dense;
  plan.solver_bytes = product + solver_bytes(solver, count, s);
  if (params.loss.name != LossName::square) {
    // Pairs with their products and the working points, for several starts.
    const std::size_t columns = (params.loss.norm == Norm::entries ? 4 : 2) * s;
    plan.solver_bytes += 45 * columns * count * sizeof(double);
  }
  plan.budget = params.memory > 0 ? params.memory : available_memory();
  if (params.solver.name == SolverName::nystrom || (plan.total() > plan.budget && landmarks_can_do(params))) {
    plan.gram = GramMode::matrix_free;
    plan.gram_bytes = 0;
    // About 500 landmarks; if their factor does not fit, it is evaluated again whenever it is needed.
    const std::size_t factor = 4 * vectors + count * sizeof(double) * std::min<std::size_t>(count, 500);
    const std::size_t left = plan.budget > plan.data_bytes ? plan.budget - plan.data_bytes : 0;
    plan.solver_bytes = std::max(4 * vectors, std::min(factor, left));
  }
  return plan;
}

MemoryPlan checked_plan(const KernelPCAParams& params, const SamplesView& samples) {
  MemoryPlan plan = plan_samples(params, samples);
  require_fits(plan, samples.rows());
  return plan;
}

GramFacts gram_facts(const KernelPCAParams& params, const MemoryPlan& plan) {
  const std::size_t others = plan.gram_bytes + plan.data_bytes;
  return {.positive = params.kernel.is_positive_semidefinite(),
          .indefinite = params.kernel.name == KernelName::sigmoid,
          .storable = plan.gram == GramMode::stored,
          .memory = std::max(plan.solver_bytes, plan.budget > others ? (plan.budget - others) / 2 : 0)};
}

}  // namespace dualkpca
