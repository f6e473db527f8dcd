#pragma once

#include "model/file/safetensors.hpp"
#include "model/fitted_model.hpp"

namespace dualkpca {

/// The arrays of a model file: views of the model, which must outlive this object, and of arrays packed here.
class ModelArrays {
 public:
  explicit ModelArrays(const FittedModel& model);
  ModelArrays(const ModelArrays&) = delete;
  ModelArrays& operator=(const ModelArrays&) = delete;
  ~ModelArrays() = default;
  [[nodiscard]] const NamedTensors& tensors() const { return tensors_; }
  [[nodiscard]] std::size_t bytes() const;

 private:
  void add_rows(const SamplesView& rows);
  template <class T>
  void add_rows_of(const SamplesView& rows);
  void add_support(const FittedModel& model);

  NamedTensors tensors_{};
  Vector kernel_mean_, unit_;
  std::vector<Index> offsets_{0};  // H in CSR form
  std::vector<std::int32_t> columns_{};
  std::vector<double> values_{};
};

}  // namespace dualkpca
