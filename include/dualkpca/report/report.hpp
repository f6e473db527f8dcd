#pragma once

#include <string>

#include "dualkpca/model/kernel_pca.hpp"

namespace dualkpca {

/// The report and parameters of a fitted model as one JSON object (indented), with every field named in docs/report.md.
/// A field without a value is null: the set of fields does not depend on the model. Throws NotFitted, as all below do.
[[nodiscard]] std::string report_json(const KernelPCA& model);

/// What will be held in memory, a few lines for a person.
[[nodiscard]] std::string plan_text(const MemoryPlan& plan, const SamplesView& X);

/// What was done and how well, a few lines for a person.
[[nodiscard]] std::string summary_text(const KernelPCA& model);

/// How the model comes back from scores to rows, a line for a person; empty if it has not learnt to.
[[nodiscard]] std::string preimage_text(const KernelPCA& model);

/// Everything the model knows: the summary with all components, then the parameters it was fitted with.
[[nodiscard]] std::string info_text(const KernelPCA& model);

/// The result of a check as one JSON object, and for a person.
[[nodiscard]] std::string check_json(const CheckReport& report);
[[nodiscard]] std::string check_text(const CheckReport& report);

}  // namespace dualkpca
