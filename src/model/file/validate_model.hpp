#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "dualkpca/model/fit_report.hpp"
#include "dualkpca/model/kernel_pca_params.hpp"
#include "dualkpca/model/preimage.hpp"
#include "model/file/safetensors.hpp"

namespace dualkpca {

[[noreturn]] void fail_damaged(const std::string& path, std::string_view problem);

/// A model holds all training rows, its landmarks, or the rows that a sparse solution needs.
enum class ModelKind { full, landmarks, sparse };

/// What a model file says about itself, before any of its arrays has been looked at.
struct DeclaredModel {
  const KernelPCAParams& params;
  const FitReport& report;
  const std::optional<PreimageReport>& preimage;
  const std::map<std::string, Tensor>& arrays;

  [[nodiscard]] ModelKind kind() const;
  [[nodiscard]] bool is_precomputed() const { return params.kernel.name == KernelName::precomputed; }
  [[nodiscard]] bool has_sparse_rows() const { return arrays.contains("row_offsets"); }
};

/// Checks everything that a model file declares. A checksum only shows that a file has not changed since it was
/// written: whoever forges a file computes it anew. After this call every array that the model needs is there with the
/// right type and shape, no other array is, every count agrees with them, every index is in its range and every number
/// is finite, so that no reader has to check again. Throws DataError.
void validate_model(const std::string& path, const DeclaredModel& model);

}  // namespace dualkpca
