#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string_view>

#include "data/text.hpp"
#include "dualkpca/core/errors.hpp"
#include "dualkpca/model/kernel_pca.hpp"
#include "model/fitted_model.hpp"
#include "model/model_arrays.hpp"
#include "model/model_json.hpp"
#include "model/preimage_json.hpp"
#include "model/project.hpp"
#include "model/safetensors.hpp"

namespace dualkpca {
namespace {

using Shape = std::vector<std::size_t>;

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
                     report.stored_rows >= 0 && report.stored_rows <= report.n_samples &&
                     report.eigenvalues.size() == report.n_components &&
                     report.explained_variance_ratio.size() == report.n_components;
  const bool gamma = !uses_gamma(params.kernel.name) || (report.gamma && *report.gamma > 0);
  if (!sizes || !gamma) fail_damaged(path, "its report contradicts itself");
}

TrainingRows read_rows(const std::string& path, const Arrays& arrays, const SafetensorsFile& file,
                       const FitReport& report, Index d) {
  const Index n = report.stored_rows;
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
  if (arrays.has("center_weights")) model.center = arrays.vector("center_weights", *report.landmarks);
}

void read_sparse(const std::string& path, const Arrays& arrays, FittedModel& model) {
  const FitReport& report = model.report;
  const Index m = report.stored_rows, n = report.n_samples, s = report.n_components;
  const auto* kept = static_cast<const Index*>(arrays.at("kept_rows", {length(m)}, ElementType::int64).data);
  model.is_sparse = true;
  model.kept.assign(kept, kept + m);
  for (Index i = 0; i < m; ++i)
    if (kept[i] < 0 || kept[i] >= n || (i > 0 && kept[i] <= kept[i - 1]))
      fail_damaged(path, "its kept rows are not among the rows in ascending order");
  const auto* offsets = static_cast<const Index*>(arrays.at("dual_offsets", {length(m) + 1}, ElementType::int64).data);
  const Index entries = offsets[m];
  if (offsets[0] != 0 || entries < 0 || entries > m * s || !std::is_sorted(offsets, offsets + m + 1))
    fail_damaged(path, "its dual variables have no beginning or no end");
  const auto* columns =
      static_cast<const std::int32_t*>(arrays.at("dual_columns", {length(entries)}, ElementType::int32).data);
  const auto* values =
      static_cast<const double*>(arrays.at("dual_values", {length(entries)}, ElementType::float64).data);
  model.H = Matrix::Zero(n, s);
  for (Index i = 0; i < m; ++i)
    for (Index e = offsets[i]; e < offsets[i + 1]; ++e) {
      if (columns[e] < 0 || columns[e] >= s) fail_damaged(path, "a dual variable is not among the components");
      model.H(kept[i], columns[e]) = values[e];
    }
  model.rotation = arrays.matrix("rotation", s, s);
  model.coefficients = arrays.matrix("coefficients", m, s);
  model.weights = Vector::Zero(n);
  model.weights(model.kept) = arrays.vector("row_weights", m);
  if (arrays.has("center_weights")) model.center = arrays.vector("center_weights", m);
}

std::shared_ptr<const Preimage> read_preimage(const std::string& path, const Arrays& arrays,
                                              const SafetensorsFile& file, const KernelPCAParams& params,
                                              const FittedModel& model) {
  auto preimage = std::make_shared<Preimage>();
  PreimageReport& report = preimage->report;
  try {
    report = preimage_from_json(Json::parse(file.metadata.at("preimage")));
    preimage->method = parse_preimage_method(report.method);
    if (preimage->method != PreimageMethod::ridge) return preimage;
    const Index m = report.centers.value_or(0), d = model.width(), s = model.report.n_components;
    if (m < 1) fail_damaged(path, "its pre-images have no centres");
    RidgeMap& ridge = preimage->ridge;
    ridge.kernel = parse_preimage_compatibility(report.compatibility) == PreimageCompatibility::none
                       ? KernelFormula{KernelName::rbf, report.gamma.value_or(0), 1, 0}
                       : kernel_of_fit(model, params.kernel);
    ridge.centers = arrays.matrix("preimage_centers", m, s);
    ridge.coefficients = arrays.matrix("preimage_coefficients", m, d);
    ridge.mean = arrays.vector("preimage_mean", d);
    if (arrays.has("preimage_turn")) ridge.turn = arrays.matrix("preimage_turn", s, s);
  } catch (const Json::exception&) {
    fail_damaged(path, "what it says of pre-images cannot be read");
  } catch (const InvalidArgument& error) {
    fail_damaged(path, error.what());
  }
  return preimage;
}

Metadata metadata_of(const KernelPCAParams& params, const FittedModel& model) {
  Metadata metadata = {{"version", version_of(model.report)},
                       {"params", text_of(params_to_json(params))},
                       {"report", text_of(report_to_json(model.report))}};
  if (model.preimage != nullptr) metadata["preimage"] = text_of(preimage_to_json(model.preimage->report));
  if (model.data_checksum != 0) metadata["data_checksum"] = fmt::format("{:016x}", model.data_checksum);
  return metadata;
}

std::pair<KernelPCAParams, std::shared_ptr<const FittedModel>> read_model(const std::string& path,
                                                                          const SafetensorsFile& file) {
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

  model->lags = params.lags;
  const Index n = report.n_samples, d = model->width(), s = report.n_components;
  const Arrays arrays(path, file);
  model->data_checksum = read_data_checksum(path, file);
  model->offset = arrays.vector("offset", s);
  model->kernel_mean = arrays.vector("kernel_mean", 1)[0];
  if (report.landmarks) {
    read_landmarks(path, arrays, params, *model);
  } else if (arrays.has("kept_rows")) {
    read_sparse(path, arrays, *model);
  } else {
    model->H = arrays.matrix("dual_variables", n, s);
    model->rotation = arrays.matrix("rotation", s, s);
    model->scores = arrays.matrix("scores", n, s);
    model->coefficients = projection_coefficients(model->H, model->rotation, params.center);
    if (arrays.has("row_weights")) model->weights = arrays.vector("row_weights", n);
  }
  if (arrays.has("score_mean")) {
    model->score_mean = arrays.vector("score_mean", s);
    model->score_covariance = arrays.matrix("score_covariance", s, s);
  }
  if (arrays.has("row_spe")) model->row_spe = arrays.vector("row_spe", report.stored_rows);
  if (arrays.has("shift")) model->shift = arrays.vector("shift", d);
  if (params.kernel.name != KernelName::precomputed) {
    model->rows = read_rows(path, arrays, file, report, d);
    model->scaler.scaling = params.scale;
  }
  if (model->scaler.scaling != Scaling::none) {
    model->scaler.center = arrays.vector("scaler_center", d);
    model->scaler.scale = arrays.vector("scaler_scale", d);
  }
  if (file.metadata.contains("preimage")) model->preimage = read_preimage(path, arrays, file, params, *model);
  return {params, model};
}

}  // namespace

void KernelPCA::save(const std::string& path) const {
  write_safetensors(path, metadata_of(params_, fitted()), ModelArrays(fitted()).tensors());
}

std::string KernelPCA::to_bytes() const {
  return safetensors_bytes(metadata_of(params_, fitted()), ModelArrays(fitted()).tensors());
}

KernelPCA KernelPCA::load(const std::string& path) {
  auto [params, model] = read_model(path, read_safetensors(path));
  return {params, std::move(model)};
}

KernelPCA KernelPCA::from_bytes(std::string_view bytes) {
  const std::string name = "model in memory";
  auto [params, model] = read_model(name, read_safetensors(name, bytes));
  return {params, std::move(model)};
}

}  // namespace dualkpca
