#include <fmt/format.h>

#include <charconv>
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

Tensor tensor_of(const Matrix& A) { return {ElementType::float64, {length(A.rows()), length(A.cols())}, A.data()}; }
Tensor tensor_of(const Vector& v) { return {ElementType::float64, {length(v.size())}, v.data()}; }

// ASCII only: a message may quote bytes that are not UTF-8, which a JSON file must not hold.
std::string text_of(const Json& json) { return json.dump(-1, ' ', true, Json::error_handler_t::replace); }

[[noreturn]] void fail_damaged(const std::string& path, std::string_view problem) {
  throw DataError(fmt::format("{}: is damaged: {}", printable(path, 300), problem));
}

// The arrays of one model file, each asked for by name and shape.
class Arrays {
 public:
  Arrays(const std::string& path, const SafetensorsFile& file) : path_(path), tensors_(file.tensors) {}

  [[nodiscard]] const Tensor& at(const std::string& name, const Shape& shape, ElementType type) const {
    const auto found = tensors_.find(name);
    if (found == tensors_.end()) fail_damaged(path_, fmt::format("array '{}' is missing", name));
    if (found->second.shape != shape) fail_damaged(path_, fmt::format("array '{}' has the wrong shape", name));
    if (found->second.type != type) fail_damaged(path_, fmt::format("array '{}' has the wrong type", name));
    return found->second;
  }
  [[nodiscard]] Matrix matrix(const std::string& name, Index rows, Index cols) const {
    const Tensor& tensor = at(name, {length(rows), length(cols)}, ElementType::float64);
    return Eigen::Map<const Matrix>(static_cast<const double*>(tensor.data), rows, cols);
  }
  [[nodiscard]] Vector vector(const std::string& name, Index size) const {
    const Tensor& tensor = at(name, {length(size)}, ElementType::float64);
    return Eigen::Map<const Vector>(static_cast<const double*>(tensor.data), size);
  }
  [[nodiscard]] bool has(const std::string& name) const { return tensors_.contains(name); }

 private:
  const std::string& path_;
  const std::map<std::string, Tensor>& tensors_;
};

void require_consistent(const std::string& path, const KernelPCAParams& params, const FitReport& report) {
  const bool sizes = report.n_samples >= 1 && report.n_features >= 1 && report.n_components >= 1 &&
                     report.n_components <= report.n_samples && report.landmarks.value_or(1) >= 1 &&
                     report.eigenvalues.size() == report.n_components &&
                     report.explained_variance_ratio.size() == report.n_components;
  const bool gamma = !uses_gamma(params.kernel.name) || (report.gamma && *report.gamma > 0);
  if (!sizes || !gamma) fail_damaged(path, "its report contradicts itself");
}

void add_rows(NamedTensors& tensors, const TrainingRows& rows) {
  const ElementType type = element_type(rows.precision);
  if (!rows.is_sparse()) {
    tensors.emplace_back("rows", Tensor{type, {length(rows.rows), length(rows.cols)}, rows.data});
    return;
  }
  const Index entries = rows.offsets[rows.rows];
  tensors.emplace_back("row_offsets", Tensor{ElementType::int64, {length(rows.rows) + 1}, rows.offsets});
  tensors.emplace_back("row_columns", Tensor{ElementType::int32, {length(entries)}, rows.columns});
  tensors.emplace_back("row_values", Tensor{type, {length(entries)}, rows.data});
}

TrainingRows read_rows(const std::string& path, const Arrays& arrays, const SafetensorsFile& file,
                       const FitReport& report) {
  const Index n = report.landmarks.value_or(report.n_samples), d = report.n_features;
  const ElementType type = element_type(report.precision);
  TrainingRows rows{.memory = file.memory, .precision = report.precision, .rows = n, .cols = d};
  if (!arrays.has("row_offsets")) {
    rows.data = arrays.at("rows", {length(n), length(d)}, type).data;
    return rows;
  }
  rows.offsets = static_cast<const Index*>(arrays.at("row_offsets", {length(n) + 1}, ElementType::int64).data);
  const Index entries = rows.offsets[n];
  if (rows.offsets[0] != 0 || entries < 0) fail_damaged(path, "its sparse rows have no beginning or no end");
  rows.columns = static_cast<const std::int32_t*>(arrays.at("row_columns", {length(entries)}, ElementType::int32).data);
  rows.data = arrays.at("row_values", {length(entries)}, type).data;
  try {
    SamplesView view = rows.precision == Precision::float32 ? SamplesView(rows.sparse<float>()) : rows.sparse<double>();
    view.require_finite(printable(path, 300));
  } catch (const DataError& error) {
    fail_damaged(path, error.what());
  }
  return rows;
}

// 0 if there is none: models that hold their rows need none.
std::uint64_t read_data_checksum(const std::string& path, const SafetensorsFile& file) {
  std::uint64_t checksum = 0;
  if (!file.metadata.contains("data_checksum")) return checksum;
  const std::string& digits = file.metadata.at("data_checksum");
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), checksum, 16);
  if (error != std::errc{} || end != digits.data() + digits.size())
    fail_damaged(path, "its data_checksum is no number");
  return checksum;
}

void read_landmarks(const std::string& path, const Arrays& arrays, const KernelPCAParams& params, FittedModel& model) {
  const FitReport& report = model.report;
  const auto* rows =
      static_cast<const Index*>(arrays.at("landmarks", {length(*report.landmarks)}, ElementType::int64).data);
  model.landmarks.assign(rows, rows + *report.landmarks);
  for (const Index row : model.landmarks)
    if (row < 0 || row >= report.n_samples) fail_damaged(path, "a landmark is not among the rows");
  const bool precomputed = params.kernel.name == KernelName::precomputed;
  model.coefficients =
      arrays.matrix("coefficients", precomputed ? report.n_samples : *report.landmarks, report.n_components);
}

}  // namespace

void KernelPCA::save(const std::string& path) const {
  const FittedModel& model = fitted();
  const Vector kernel_mean = Vector::Constant(1, model.kernel_mean);
  NamedTensors tensors;
  if (!model.rows.empty()) add_rows(tensors, model.rows);
  if (model.is_landmark_model()) {
    tensors.emplace_back("landmarks", Tensor{ElementType::int64, {model.landmarks.size()}, model.landmarks.data()});
    tensors.emplace_back("coefficients", tensor_of(model.coefficients));
  } else {
    tensors.emplace_back("dual_variables", tensor_of(model.H));
    tensors.emplace_back("rotation", tensor_of(model.rotation));
    tensors.emplace_back("scores", tensor_of(model.scores));
  }
  tensors.emplace_back("offset", tensor_of(model.offset));
  tensors.emplace_back("kernel_mean", tensor_of(kernel_mean));
  if (model.shift.size() > 0) tensors.emplace_back("shift", tensor_of(model.shift));
  if (model.scaler.scaling != Scaling::none) {
    tensors.emplace_back("scaler_center", tensor_of(model.scaler.center));
    tensors.emplace_back("scaler_scale", tensor_of(model.scaler.scale));
  }
  Metadata metadata = {{"version", version_of(model.report)},
                       {"params", text_of(params_to_json(params_))},
                       {"report", text_of(report_to_json(model.report))}};
  if (model.data_checksum != 0) metadata["data_checksum"] = fmt::format("{:016x}", model.data_checksum);
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
  model->data_checksum = read_data_checksum(path, file);
  model->offset = arrays.vector("offset", s);
  model->kernel_mean = arrays.vector("kernel_mean", 1)[0];
  if (report.landmarks) {
    read_landmarks(path, arrays, params, *model);
  } else {
    model->H = arrays.matrix("dual_variables", n, s);
    model->rotation = arrays.matrix("rotation", s, s);
    model->scores = arrays.matrix("scores", n, s);
    model->coefficients = projection_coefficients(model->H, model->rotation, params.center);
  }
  if (arrays.has("shift")) model->shift = arrays.vector("shift", d);
  if (params.kernel.name != KernelName::precomputed) {
    model->rows = read_rows(path, arrays, file, report);
    model->scaler.scaling = params.scale;
  }
  if (model->scaler.scaling != Scaling::none) {
    model->scaler.center = arrays.vector("scaler_center", d);
    model->scaler.scale = arrays.vector("scaler_scale", d);
  }
  return {std::move(params), model};
}

}  // namespace dualkpca
