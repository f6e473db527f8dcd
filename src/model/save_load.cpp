#include <fmt/format.h>

#include <string_view>

#include "data/text.hpp"
#include "dualkpca/core/errors.hpp"
#include "dualkpca/model/kernel_pca.hpp"
#include "model/fitted_model.hpp"
#include "model/model_json.hpp"
#include "model/project.hpp"
#include "model/safetensors.hpp"

namespace dualkpca {
namespace {

using Shape = std::vector<std::size_t>;

std::size_t length(Index n) { return static_cast<std::size_t>(n); }

Tensor tensor_of(const Matrix& A) { return {Precision::float64, {length(A.rows()), length(A.cols())}, A.data()}; }
Tensor tensor_of(const Vector& v) { return {Precision::float64, {length(v.size())}, v.data()}; }

// ASCII only: a message may quote bytes that are not UTF-8, which a JSON file must not hold.
std::string text_of(const Json& json) { return json.dump(-1, ' ', true, Json::error_handler_t::replace); }

[[noreturn]] void fail_damaged(const std::string& path, std::string_view problem) {
  throw DataError(fmt::format("{}: is damaged: {}", printable(path, 300), problem));
}

// The arrays of one model file, each asked for by name and shape.
class Arrays {
 public:
  Arrays(const std::string& path, const SafetensorsFile& file) : path_(path), tensors_(file.tensors) {}

  [[nodiscard]] const Tensor& at(const std::string& name, const Shape& shape) const {
    const auto found = tensors_.find(name);
    if (found == tensors_.end()) fail_damaged(path_, fmt::format("array '{}' is missing", name));
    if (found->second.shape != shape) fail_damaged(path_, fmt::format("array '{}' has the wrong shape", name));
    return found->second;
  }
  [[nodiscard]] Matrix matrix(const std::string& name, Index rows, Index cols) const {
    const Tensor& tensor = at(name, {length(rows), length(cols)});
    return Eigen::Map<const Matrix>(float64(name, tensor), rows, cols);
  }
  [[nodiscard]] Vector vector(const std::string& name, Index size) const {
    const Tensor& tensor = at(name, {length(size)});
    return Eigen::Map<const Vector>(float64(name, tensor), size);
  }
  [[nodiscard]] bool has(const std::string& name) const { return tensors_.contains(name); }

 private:
  [[nodiscard]] const double* float64(const std::string& name, const Tensor& tensor) const {
    if (tensor.precision != Precision::float64) fail_damaged(path_, fmt::format("array '{}' is not float64", name));
    return static_cast<const double*>(tensor.data);
  }
  const std::string& path_;
  const std::map<std::string, Tensor>& tensors_;
};

void require_consistent(const std::string& path, const KernelPCAParams& params, const FitReport& report) {
  const bool sizes = report.n_samples >= 1 && report.n_features >= 1 && report.n_components >= 1 &&
                     report.n_components <= report.n_samples && report.eigenvalues.size() == report.n_components &&
                     report.explained_variance_ratio.size() == report.n_components;
  const bool gamma = !uses_gamma(params.kernel.name) || (report.gamma && *report.gamma > 0);
  if (!sizes || !gamma) fail_damaged(path, "its report contradicts itself");
}

TrainingRows read_rows(const std::string& path, const Arrays& arrays, const SafetensorsFile& file,
                       const FitReport& report) {
  const Index n = report.n_samples, d = report.n_features;
  const Tensor& tensor = arrays.at("rows", {length(n), length(d)});
  if (tensor.precision != report.precision)
    fail_damaged(path, fmt::format("array 'rows' is not {}", to_string(report.precision)));
  return {file.memory, tensor.precision, tensor.data, n, d};
}

}  // namespace

void KernelPCA::save(const std::string& path) const {
  const FittedModel& model = fitted();
  const Vector kernel_mean = Vector::Constant(1, model.kernel_mean);
  NamedTensors tensors;
  if (model.rows.data != nullptr)
    tensors.emplace_back(
        "rows", Tensor{model.rows.precision, {length(model.rows.rows), length(model.rows.cols)}, model.rows.data});
  tensors.emplace_back("dual_variables", tensor_of(model.H));
  tensors.emplace_back("rotation", tensor_of(model.rotation));
  tensors.emplace_back("offset", tensor_of(model.offset));
  tensors.emplace_back("kernel_mean", tensor_of(kernel_mean));
  tensors.emplace_back("scores", tensor_of(model.scores));
  if (model.shift.size() > 0) tensors.emplace_back("shift", tensor_of(model.shift));
  if (model.scaler.scaling != Scaling::none) {
    tensors.emplace_back("scaler_center", tensor_of(model.scaler.center));
    tensors.emplace_back("scaler_scale", tensor_of(model.scaler.scale));
  }
  const Metadata metadata = {{"version", version_of(model.report)},
                             {"params", text_of(params_to_json(params_))},
                             {"report", text_of(report_to_json(model.report))}};
  write_safetensors(path, metadata, std::move(tensors));
}

KernelPCA KernelPCA::load(const std::string& path) {
  const SafetensorsFile file = read_safetensors(path);
  const auto model = std::make_shared<FittedModel>();
  KernelPCAParams params;
  try {
    params = params_from_json(Json::parse(file.metadata.at("params")));
    model->report = report_from_json(Json::parse(file.metadata.at("report")));
    model->report.version = file.metadata.at("version");
    params.kernel.validate();
  } catch (const Json::exception&) {
    fail_damaged(path, "its parameters or its report cannot be read");
  } catch (const std::out_of_range&) {
    fail_damaged(path, "its parameters or its report are missing");
  } catch (const InvalidArgument& error) {
    fail_damaged(path, error.what());
  }
  const FitReport& report = model->report;
  require_consistent(path, params, report);

  const Index n = report.n_samples, d = report.n_features, s = report.n_components;
  const Arrays arrays(path, file);
  model->H = arrays.matrix("dual_variables", n, s);
  model->rotation = arrays.matrix("rotation", s, s);
  model->offset = arrays.vector("offset", s);
  model->kernel_mean = arrays.vector("kernel_mean", 1)[0];
  model->scores = arrays.matrix("scores", n, s);
  if (arrays.has("shift")) model->shift = arrays.vector("shift", d);
  if (params.kernel.name != KernelName::precomputed) {
    model->rows = read_rows(path, arrays, file, report);
    model->scaler.scaling = params.scale;
  }
  if (model->scaler.scaling != Scaling::none) {
    model->scaler.center = arrays.vector("scaler_center", d);
    model->scaler.scale = arrays.vector("scaler_scale", d);
  }
  model->coefficients = projection_coefficients(model->H, model->rotation, params.center);
  return {std::move(params), model};
}

}  // namespace dualkpca
