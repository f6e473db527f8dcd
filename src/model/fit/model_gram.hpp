#pragma once

#include "dualkpca/core/observer.hpp"
#include "dualkpca/gram/centered.hpp"
#include "gram/reduced_center.hpp"
#include "model/fitted_model.hpp"

namespace dualkpca {

/// G of the training rows, with the decorator that centres it if there is one.
struct ModelGram {
  TrainingRows reduced{};  ///< the rows with fewer columns that G is evaluated on
  std::unique_ptr<GramOperator> gram{};
  const CenteredGram* centered = nullptr;
  const ReducedCenterGram* reduced_center = nullptr;  ///< if the centre is on few rows
  bool is_sparse = false;                             ///< the model will hold the support and the centre only
  Index features_used = 0;  ///< columns or directions that the kernel is evaluated on; 0 if it is precomputed
};

/// True if a fit gives a model that holds few rows.
[[nodiscard]] bool keeps_support_only(const KernelPCAParams& params);

/// A sparse model's centre is the one it has or, before it has any, one on a tenth of the rows, ten to a hundred,
/// unless landmarks say how many. From X as it was given and from `rows`, the same as the kernel sees them (empty if
/// the kernel is precomputed). Both must outlive the result.
[[nodiscard]] ModelGram make_model_gram(const KernelPCAParams& params, const FittedModel& model, const SamplesView& X,
                                        const TrainingRows& rows, Precision precision, int threads,
                                        const Observer& observe);

}  // namespace dualkpca
