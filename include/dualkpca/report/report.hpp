#pragma once

#include <string>

#include "dualkpca/model/kernel_pca.hpp"

namespace dualkpca {

// The functions that take a model throw NotFitted if it is not fitted. The functions *_text return lines for a person.

/// Returns the report and the parameters of a fitted model as one indented JSON object. It has every field that
/// docs/report.md names. A field without a value is null, so the set of fields does not depend on the model.
[[nodiscard]] std::string report_json(const KernelPCA& model);

/// Returns the memory that a fit to X will hold.
[[nodiscard]] std::string plan_text(const MemoryPlan& plan, const SamplesView& X);

/// Returns a summary: what the fit did, how accurate it is, and its first components.
[[nodiscard]] std::string summary_text(const KernelPCA& model);

/// Returns a description of the inverse transform; empty if the model has not learnt one.
[[nodiscard]] std::string preimage_text(const KernelPCA& model);

/// Returns everything that the model contains: the summary with all components, then the parameters of the fit.
[[nodiscard]] std::string info_text(const KernelPCA& model);

/// Returns the result of a check as one JSON object.
[[nodiscard]] std::string check_json(const CheckReport& report);
/// Returns the result of a check.
[[nodiscard]] std::string check_text(const CheckReport& report);

}  // namespace dualkpca
