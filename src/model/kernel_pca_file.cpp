#include <fmt/format.h>

#include <charconv>
#include <string_view>

#include "dualkpca/core/errors.hpp"
#include "dualkpca/model/kernel_pca.hpp"
#include "model/file/fit_report_json.hpp"
#include "model/file/model_arrays.hpp"
#include "model/file/params_json.hpp"
#include "model/file/preimage_json.hpp"
#include "model/file/safetensors.hpp"
#include "model/file/validate_model.hpp"
#include "model/fitted_model.hpp"
#include "model/rows/project.hpp"

namespace dualkpca {
namespace {

// ASCII only: a message may quote bytes that are not UTF-8, which JSON must not contain.
std::string text_of(const Json& json) { return json.dump(-1, ' ', true, Json::error_handler_t::replace); }

// The arrays of a validated model file, so that every array of the model exists.
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

template <class T>
Samples read_rows_of(const Arrays& arrays, const SafetensorsFile& file, Index rows, Index cols) {
  if (!arrays.has("row_offsets")) return {file.memory, SamplesView(arrays.data<T>("rows"), rows, cols)};
  return {file.memory,
          SamplesView(SparseRows<T>{arrays.data<Index>("row_offsets"), arrays.data<std::int32_t>("row_columns"),
                                    arrays.data<T>("row_values"), rows, cols})};
}

Samples read_rows(const Arrays& arrays, const SafetensorsFile& file, const FittedModel& model, Index rows) {
  return model.precision == Precision::float32 ? read_rows_of<float>(arrays, file, rows, model.width())
                                               : read_rows_of<double>(arrays, file, rows, model.width());
}

// 0 if there is none: models that hold their rows need none.
std::uint64_t read_data_checksum(const std::string& path, const SafetensorsFile& file) {
  std::uint64_t checksum = 0;
  if (!file.metadata.contains("data_checksum")) return checksum;
  const std::string& digits = file.metadata.at("data_checksum");
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), checksum, 16);
  if (error != std::errc{} || end != digits.data() + digits.size())
    fail_damaged(path, "its data_checksum is not a number");
  return checksum;
}

// The dual variables of a model that holds its support only.
Matrix read_support(const Arrays& arrays, Index held, Index components) {
  const auto* offsets = arrays.data<Index>("dual_offsets");
  const auto* columns = arrays.data<std::int32_t>("dual_columns");
  const auto* values = arrays.data<double>("dual_values");
  Matrix H = Matrix::Zero(held, components);
  for (Index i = 0; i < held; ++i)
    for (Index e = offsets[i]; e < offsets[i + 1]; ++e) H(i, columns[e]) = values[e];
  return H;
}

std::shared_ptr<const Preimage> read_preimage(const Arrays& arrays, const PreimageReport& report,
                                              const ResolvedKernel& user_kernel) {
  auto preimage = std::make_shared<Preimage>();
  preimage->method = report.method;
  preimage->report = report;
  if (report.method != PreimageMethod::ridge) return preimage;
  RidgeMap& ridge = preimage->ridge;
  ridge.kernel = report.compatibility == PreimageCompatibility::none ? rbf_kernel(*report.gamma) : user_kernel;
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
  if (model.input.unit != 1) metadata["format_version"] = "2";  // earlier programs would misread the rows
  if (model.data_checksum != 0) metadata["data_checksum"] = fmt::format("{:016x}", model.data_checksum);
  return metadata;
}

// Parameters and reports from the header.
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

// Restores from the header the options that the fit resolved.
void resolve_from(FittedModel& model, const Header& header) {
  const KernelPCAParams& params = header.params;
  const FitReport& report = header.report;
  model.kernel = resolved(params.kernel, report.gamma);
  model.centered = params.center;
  model.precision = report.precision;
  model.input.lags = params.lags;
  model.input.keeps_directions = params.kernel.name == KernelName::cosine;
  model.n_samples = report.n_samples;
  model.n_features = report.n_features;
  model.loss = {.name = report.loss,
                .norm = report.norm.value_or(Norm::rows),
                .parameter = report.kappa ? *report.kappa : report.epsilon.value_or(0)};
}

// Reads the solution and the indices of its rows.
void read_solution(FittedModel& model, const Arrays& arrays, const Header& header) {
  model.offset = arrays.vector("offset");
  model.kernel_mean = arrays.vector("kernel_mean")[0];
  model.weights = arrays.vector("row_weights");
  if (model.holds != Holds::landmarks) model.rotation = arrays.matrix("rotation");
  if (model.holds == Holds::all) {
    model.H = arrays.matrix("dual_variables");
    model.scores = arrays.matrix("scores");
    model.coefficients = projection_coefficients(model.H, model.rotation, model.centered);
    return;
  }
  model.held = arrays.indices(model.holds == Holds::landmarks ? "landmarks" : "kept_rows");
  if (model.holds == Holds::support)
    model.H = read_support(arrays, static_cast<Index>(model.held.size()), header.report.n_components);
  model.coefficients = arrays.matrix("coefficients");
  model.center = arrays.vector("center_weights");
}

std::pair<KernelPCAParams, std::shared_ptr<const FittedModel>> read_model(const std::string& path,
                                                                          const SafetensorsFile& file) {
  const Header header = read_header(path, file);
  const DeclaredModel declared{header.params, header.report, header.preimage, file.tensors};
  validate_model(path, declared);

  const auto model = std::make_shared<FittedModel>();
  model->report = header.report;
  resolve_from(*model, header);
  const Arrays arrays(file);
  model->holds = declared.holds();
  model->data_checksum = read_data_checksum(path, file);
  read_solution(*model, arrays, header);
  model->score_mean = arrays.vector("score_mean");
  if (arrays.has("score_covariance")) model->score_covariance = arrays.matrix("score_covariance");
  model->row_spe = arrays.vector("row_spe");
  model->input.shift = arrays.vector("shift");
  if (arrays.has("unit")) model->input.unit = *arrays.data<double>("unit");
  model->kernel = in_unit(model->kernel, model->input.unit);
  if (!declared.is_precomputed()) {
    model->rows = read_rows(arrays, file, *model, header.report.stored_rows);
    model->input.scaler = {header.params.scale, arrays.vector("scaler_center"), arrays.vector("scaler_scale")};
  }
  if (header.preimage) model->preimage = read_preimage(arrays, *header.preimage, model->user_kernel());
  return {header.params, model};
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
