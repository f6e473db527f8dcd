#pragma once

#include "dualkpca/core/observer.hpp"
#include "dualkpca/gram/centered.hpp"
#include "model/fitted_model.hpp"

namespace dualkpca {

/// G of the training rows, with the decorator that centres it if there is one.
struct ModelGram {
  std::unique_ptr<GramOperator> gram{};
  const CenteredGram* centered = nullptr;
};

/// From X as it was given and from `rows`, the same as the kernel sees them (empty if the kernel is precomputed). Both
/// must outlive the result.
[[nodiscard]] ModelGram make_model_gram(const KernelPCAParams& params, const FittedModel& model, const SamplesView& X,
                                        const TrainingRows& rows, Precision precision, int threads,
                                        const Observer& observe);

}  // namespace dualkpca
