#include <fmt/format.h>

#include <charconv>
#include <string_view>

#include "dualkpca/core/errors.hpp"
#include "dualkpca/model/kernel_pca.hpp"
#include "model/file/model_arrays.hpp"
#include "model/file/model_json.hpp"
#include "model/file/params_json.hpp"
#include "model/file/preimage_json.hpp"
#include "model/file/safetensors.hpp"
#include "model/file/validate_model.hpp"
#include "model/fitted_model.hpp"
#include "model/rows/project.hpp"

namespace dualkpca {
namespace {

// ASCII only: a message may quote bytes that are not UTF-8, which a JSON file must not hold.
std::string text_of(const Json& json) { return json.dump(-1, ' ', true, Json::error_handler_t::replace); }

// The arrays of a model file that has been validated: whatever is asked for is there.
class Arrays {
 public:
  explicit Arrays(const SafetensorsFile& file) : tensors_(file.tensors) {}

  template <class T>
  [[nodiscard]] const T* data(const std::string& name) const {
    return static_cast<const T*>(tensors_.at(name).data);
  }
  [[nodiscard]] Matrix matrix(const std::string& name) const {
    const auto& shape = tensors_.at(name).shape;
    return Eigen::Map<const Matrix>(data<double>(name), static_cast<Index>(shape.at(0)),
                                    static_cast<Index>(shape.at(1)));
  }
  /// Empty if there is no such array.
  [[nodiscard]] Vector vector(const std::string& name) const {
    if (!has(name)) return {};
    return Eigen::Map<const Vector>(data<double>(name), static_cast<Index>(tensors_.at(name).shape.at(0)));
  }
  [[nodiscard]] std::vector<Index> indices(const std::string& name) const {
    const auto* first = data<Index>(name);
    return {first, first + tensors_.at(name).shape.at(0)};
  }
  [[nodiscard]] bool has(const std::string& name) const { return tensors_.contains(name); }

 private:
  const std::map<std::string, Tensor>& tensors_;
};

TrainingRows read_rows(const Arrays& arrays, const SafetensorsFile& file, const FitReport& report, Index d) {
  TrainingRows rows{.memory = file.memory, .precision = report.precision, .rows = report.stored_rows, .cols = d};
  if (!arrays.has("row_offsets")) {
    rows.data = arrays.data<void>("rows");
    return rows;
  }
  rows.offsets = arrays.data<Index>("row_offsets");
  rows.columns = arrays.data<std::int32_t>("row_columns");
  rows.data = arrays.data<void>("row_values");
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

void read_sparse(const Arrays& arrays, FittedModel& model) {
  model.is_sparse = true;
  model.kept = arrays.indices("kept_rows");
  const auto* offsets = arrays.data<Index>("dual_offsets");
  const auto* columns = arrays.data<std::int32_t>("dual_columns");
  const auto* values = arrays.data<double>("dual_values");
  const auto kept = static_cast<Index>(model.kept.size());
  model.H = Matrix::Zero(kept, model.report.n_components);
  for (Index i = 0; i < kept; ++i)
    for (Index e = offsets[i]; e < offsets[i + 1]; ++e) model.H(i, columns[e]) = values[e];
}

std::shared_ptr<const Preimage> read_preimage(const Arrays& arrays, const PreimageReport& report,
                                              const KernelPCAParams& params, const FittedModel& model) {
  auto preimage = std::make_shared<Preimage>();
  preimage->report = report;
  preimage->method = parse_preimage_method(report.method);
  if (preimage->method != PreimageMethod::ridge) return preimage;
  RidgeMap& ridge = preimage->ridge;
  ridge.kernel = parse_preimage_compatibility(report.compatibility) == PreimageCompatibility::none
                     ? ResolvedKernel{KernelName::rbf, *report.gamma, 1, 0}
                     : kernel_of_fit(model, params.kernel);
  ridge.centers = arrays.matrix("preimage_centers");
  ridge.coefficients = arrays.matrix("preimage_coefficients");
  ridge.mean = arrays.vector("preimage_mean");
  if (arrays.has("preimage_turn")) ridge.turn = arrays.matrix("preimage_turn");
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

// What the header says in words and numbers.
struct Header {
  KernelPCAParams params{};
  FitReport report{};
  std::optional<PreimageReport> preimage{};
};

Header read_header(const std::string& path, const SafetensorsFile& file) {
  Header header;
  try {
    header.params = params_from_json(Json::parse(file.metadata.at("params")));
    header.report = report_from_json(Json::parse(file.metadata.at("report")));
    header.report.version = file.metadata.at("version");
    if (file.metadata.contains("preimage"))
      header.preimage = preimage_from_json(Json::parse(file.metadata.at("preimage")));
  } catch (const Json::exception&) {
    fail_damaged(path, "its parameters or its report cannot be read");
  } catch (const std::out_of_range&) {
    fail_damaged(path, "its parameters or its report are missing");
  } catch (const InvalidArgument& error) {
    fail_damaged(path, error.what());
  }
  return header;
}

std::pair<KernelPCAParams, std::shared_ptr<const FittedModel>> read_model(const std::string& path,
                                                                          const SafetensorsFile& file) {
  Header header = read_header(path, file);
  const KernelPCAParams& params = header.params;
  const DeclaredModel declared{params, header.report, header.preimage, file.tensors};
  validate_model(path, declared);

  const ModelKind kind = declared.kind();
  const auto model = std::make_shared<FittedModel>();
  model->report = header.report;
  model->lags = params.lags;
  const Arrays arrays(file);
  model->data_checksum = read_data_checksum(path, file);
  model->offset = arrays.vector("offset");
  model->kernel_mean = arrays.vector("kernel_mean")[0];
  model->weights = arrays.vector("row_weights");
  if (kind == ModelKind::landmarks) model->landmarks = arrays.indices("landmarks");
  if (kind == ModelKind::sparse) read_sparse(arrays, *model);
  if (kind != ModelKind::landmarks) model->rotation = arrays.matrix("rotation");
  if (kind == ModelKind::full) {
    model->H = arrays.matrix("dual_variables");
    model->scores = arrays.matrix("scores");
    model->coefficients = projection_coefficients(model->H, model->rotation, params.center);
  } else {
    model->coefficients = arrays.matrix("coefficients");
    model->center = arrays.vector("center_weights");
  }
  model->score_mean = arrays.vector("score_mean");
  if (arrays.has("score_covariance")) model->score_covariance = arrays.matrix("score_covariance");
  model->row_spe = arrays.vector("row_spe");
  model->shift = arrays.vector("shift");
  if (!declared.is_precomputed()) {
    model->rows = read_rows(arrays, file, model->report, model->width());
    model->scaler = {params.scale, arrays.vector("scaler_center"), arrays.vector("scaler_scale")};
  }
  if (header.preimage) model->preimage = read_preimage(arrays, *header.preimage, params, *model);
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
