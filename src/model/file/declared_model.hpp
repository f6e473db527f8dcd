#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "dualkpca/model/kernel_pca_params.hpp"
#include "dualkpca/model/preimage.hpp"
#include "model/file/safetensors.hpp"
#include "model/fitted_model.hpp"

namespace dualkpca {

[[noreturn]] void fail_damaged(const std::string& path, std::string_view problem);

/// Header and arrays of a model file before they are checked.
struct DeclaredModel {
  const KernelPCAParams& params;
  const FitReport& report;
  const std::optional<PreimageReport>& preimage;
  const std::map<std::string, Tensor>& arrays;

  [[nodiscard]] Holds holds() const;
  [[nodiscard]] bool is_precomputed() const { return params.kernel.name == KernelName::precomputed; }
  [[nodiscard]] bool has_sparse_rows() const { return arrays.contains("row_offsets"); }
};

/// The sizes that a model declares. Products of two of them cannot overflow.
struct DeclaredSizes {
  Index samples = 0, width = 0, components = 0;
  Index stored = 0;     ///< rows that the file holds
  Index projected = 0;  ///< rows with which a new row needs kernel values
};

}  // namespace dualkpca
