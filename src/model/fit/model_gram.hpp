#pragma once

#include "dualkpca/core/observer.hpp"
#include "dualkpca/gram/centered.hpp"
#include "dualkpca/model/kernel_pca_params.hpp"
#include "gram/reduced_center.hpp"
#include "model/fitted_model.hpp"

namespace dualkpca {

/// G of the training rows, with the decorator that centres it if there is one.
struct ModelGram {
  Samples reduced{};  ///< the rows with fewer columns that G is evaluated on
  std::unique_ptr<GramOperator> gram{};
  const CenteredGram* centered = nullptr;
  const ReducedCenterGram* reduced_center = nullptr;  ///< if the centre is on few rows

  [[nodiscard]] bool is_centered() const { return centered != nullptr || reduced_center != nullptr; }
  /// Columns or directions that the kernel is evaluated on; 0 if it is precomputed.
  [[nodiscard]] Index features_used() const { return reduced.view().cols(); }
};

/// True if a fit gives a model that holds its support and its centre only.
[[nodiscard]] bool keeps_support_only(const KernelPCAParams& params);

/// Centred if the model is. The centre of a model that holds its support only is the one it has or, before it has any,
/// one on a tenth of the rows, ten to a hundred, unless landmarks say how many. `samples` are the training data as they
/// were given and `rows` the same as the kernel sees them, in the precision that G shall have (empty if the kernel is
/// precomputed). All arguments must outlive the result.
[[nodiscard]] ModelGram make_model_gram(const KernelPCAParams& params, const FittedModel& model,
                                        const SamplesView& samples, const Samples& rows, Precision precision,
                                        int threads, const Observer& observe);

}  // namespace dualkpca
