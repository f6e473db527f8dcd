#pragma once

#include "dualkpca/core/observer.hpp"
#include "dualkpca/gram/centered.hpp"
#include "dualkpca/model/kernel_pca_params.hpp"
#include "gram/reduced_center.hpp"
#include "model/fitted_model.hpp"

namespace dualkpca {

/// G of the training rows, with the decorator that centres it if there is one.
struct ModelGram {
  Samples rows{};  ///< rows that G is evaluated on, with fewer columns if that changes G by rounding only
  std::unique_ptr<GramOperator> gram{};
  const CenteredGram* centered = nullptr;
  const ReducedCenterGram* reduced_center = nullptr;  ///< if the centre is on few rows

  [[nodiscard]] bool is_centered() const { return centered != nullptr || reduced_center != nullptr; }
  /// Columns or directions that the kernel is evaluated on; 0 if it is precomputed.
  [[nodiscard]] Index features_used() const { return rows.view().cols(); }
};

/// Creates G, centred if the model is. A model that holds its support only keeps its centre or, if it has none yet,
/// gets one on a tenth of the rows (ten to a hundred), or on as many as `landmarks` says. `samples` are the training
/// data as they were given, `rows` the same as the kernel sees them, in the precision that G is to have (empty if the
/// kernel is precomputed). `model.input`, `samples` and `observe` must outlive the result.
[[nodiscard]] ModelGram make_model_gram(const KernelPCAParams& params, const FittedModel& model,
                                        const SamplesView& samples, const Samples& rows, Precision precision,
                                        int threads, const Observer& observe);

}  // namespace dualkpca
