#pragma once

#include <algorithm>
#include <vector>

#include "dualkpca/data/samples.hpp"

namespace dualkpca {

/// Converter of rows to the bytes of dense numbers of one precision, zeros included, as binary formats store them.
class PackedRows {
 public:
  PackedRows(Index cols, Precision precision)
      : precision_(precision), row_(static_cast<std::size_t>(cols)), narrow_(row_.size()) {}

  [[nodiscard]] std::size_t row_bytes() const { return row_.size() * bytes_of(precision_); }
  /// Returns the bytes of row i, valid until the next call.
  [[nodiscard]] const char* pack(const SamplesView& block, Index i) {
    block.copy_row(i, row_.data());
    if (precision_ == Precision::float64) return reinterpret_cast<const char*>(row_.data());
    std::transform(row_.begin(), row_.end(), narrow_.begin(), [](double value) { return static_cast<float>(value); });
    return reinterpret_cast<const char*>(narrow_.data());
  }

 private:
  Precision precision_;
  std::vector<double> row_;
  std::vector<float> narrow_;
};

}  // namespace dualkpca
