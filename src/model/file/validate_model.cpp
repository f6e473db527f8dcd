#include "model/file/validate_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "data/io/text.hpp"
#include "dualkpca/core/errors.hpp"

namespace dualkpca {
namespace {

using Shape = std::vector<std::size_t>;

// The sizes that a model declares. Products of two of them cannot overflow.
struct Sizes {
  Index samples = 0, width = 0, components = 0;
  Index stored = 0;     // rows that the file holds
  Index projected = 0;  // rows that kernel values of a new row are needed with
};

bool is_count(Index value, Index most) { return value >= 0 && value <= most; }
bool is_count(const std::optional<Index>& value, Index most) { return !value || is_count(*value, most); }
bool is_positive(const std::optional<double>& value) { return value && std::isfinite(*value) && *value > 0; }

class Validator {
 public:
  Validator(const std::string& path, const DeclaredModel& model) : path_(path), model_(model) {}

  void run() {
    check_parameters();
    check_report();
    if (model_.preimage) check_preimage();
    check_sizes();
    expect_arrays();
    check_arrays();
    check_rows();
    check_centre();
    check_covariance();
    if (model_.kind() == ModelKind::landmarks) check_landmarks();
    if (model_.kind() == ModelKind::sparse) check_sparse_dual();
    for (const double scale : numbers<double>("scaler_scale")) require(scale > 0, "a column has no positive scale");
    for (const char* name : {"row_spe", "row_weights"})
      for (const double value : numbers<double>(name))
        require(value >= 0, fmt::format("{} has a negative number", name));
  }

 private:
  void require(bool holds, std::string_view problem) const {
    if (!holds) fail_damaged(path_, problem);
  }

  void check_parameters() const {
    const FitReport& report = model_.report;
    constexpr Index most = Index{1} << 48;
    require(report.n_samples >= 1 && report.n_samples <= most && report.n_features >= 1 && report.n_features <= most,
            "its numbers of rows and features are not those of a data set");
    try {
      model_.params.validate(report.n_samples);
    } catch (const InvalidArgument& error) {
      fail_damaged(path_, error.what());
    }
    require(model_.params.lags < most, "its lags are more than a data set has rows");
    require(!uses_gamma(model_.params.kernel.name) || is_positive(report.gamma), "its gamma is not a positive number");
  }

  void check_report() const {
    const FitReport& report = model_.report;
    const Index n = report.n_samples, most = std::numeric_limits<Index>::max();
    require(report.n_components >= 1 && report.n_components <= n, "it has more components than rows, or none");
    require(report.eigenvalues.size() == report.n_components && report.eigenvalues.allFinite() &&
                report.explained_variance_ratio.size() == report.n_components,
            "its eigenvalues are not one finite number for each component");
    require(is_count(report.products, most) && is_count(report.product_columns, most) &&
                is_count(report.kernel_columns, most) && is_count(report.iterations, most) &&
                is_count(report.features_used, most) && is_count(report.nonzeros, most) &&
                is_count(report.support_size, n) && is_count(report.weighted_rows, n) &&
                is_count(report.center_landmarks, n),
            "its report has a count that is out of its range");
    for (const ExtremeRow& row : report.extreme_rows)
      require(row.index >= 0 && row.index < n, "its report names a row that does not exist");
    for (const auto& [stage, seconds] : report.seconds) require(!(seconds < 0), "a stage took a negative time");
    require(report.loss == to_string(model_.params.loss.name), "its report is about another loss than its parameters");
    if (model_.params.loss.name != LossName::square)
      require(report.norm == to_string(model_.params.loss.norm),
              "its report is about another norm than its parameters");
    if (!report.limits) return;
    const Limits& limits = *report.limits;
    require(limits.level > 0 && limits.level < 1 && limits.rows >= 1 && !(limits.t2 < 0) && !(limits.spe < 0),
            "its limits are not those of a data set");
    require(!model_.is_precomputed(), "it has limits, which a given kernel matrix cannot have");
  }

  void check_preimage() const {
    const PreimageReport& report = *model_.preimage;
    try {
      PreimageParams given{.method = parse_preimage_method(report.method),
                           .compatibility = parse_preimage_compatibility(report.compatibility)};
      require(given.method != PreimageMethod::automatic, "its pre-images have no method");
      given.validate(model_.params);
      if (given.method != PreimageMethod::ridge) return;
      if (given.compatibility == PreimageCompatibility::none)
        require(is_positive(report.gamma), "the gamma of its pre-images is not a positive number");
    } catch (const InvalidArgument& error) {
      fail_damaged(path_, error.what());
    }
    require(report.centers.value_or(0) >= 1, "its pre-images have no centres");
    require(!model_.has_sparse_rows(), "it has pre-images, which sparse rows cannot have");
  }

  void check_sizes() {
    const FitReport& report = model_.report;
    const ModelKind kind = model_.kind();
    const bool sparse_loss = model_.params.loss.name == LossName::epsilon_insensitive &&
                             model_.params.loss.norm != Norm::frobenius && !model_.is_precomputed();
    require((kind == ModelKind::sparse) == sparse_loss, "its arrays are not those of its loss");
    require(kind != ModelKind::landmarks || (model_.params.loss.name == LossName::square && *report.landmarks >= 1 &&
                                             *report.landmarks <= report.n_samples),
            "its number of landmarks is impossible");
    sizes_.samples = report.n_samples;
    sizes_.components = report.n_components;
    require(!__builtin_mul_overflow(report.n_features, model_.params.lags + 1, &sizes_.width),
            "it has more columns than can be counted");
    const Index rows = kind == ModelKind::landmarks ? *report.landmarks
                       : kind == ModelKind::sparse  ? report.stored_rows
                                                    : report.n_samples;
    sizes_.stored = model_.is_precomputed() ? 0 : rows;
    sizes_.projected = model_.is_precomputed() ? report.n_samples : rows;
    // A model of a given matrix stores none, whatever the first files say.
    require(rows >= 1 && is_count(report.stored_rows, report.n_samples) &&
                (model_.is_precomputed() || report.stored_rows == sizes_.stored),
            "its number of stored rows is not that of a model of its kind");
    require(!model_.is_precomputed() || report.n_features == report.n_samples, "its kernel matrix is not square");
  }

  void expect(const std::string& name, ElementType type, const Shape& shape) {
    const auto found = model_.arrays.find(name);
    if (found == model_.arrays.end()) fail_damaged(path_, fmt::format("array '{}' is missing", name));
    if (found->second.shape != shape) fail_damaged(path_, fmt::format("array '{}' has the wrong shape", name));
    if (found->second.type != type) fail_damaged(path_, fmt::format("array '{}' has the wrong type", name));
    expected_.push_back(name);
  }
  void expect_numbers(const std::string& name, const Shape& shape) { expect(name, ElementType::float64, shape); }
  [[nodiscard]] bool has(const std::string& name) const { return model_.arrays.contains(name); }

  template <class T>
  [[nodiscard]] std::span<const T> numbers(const std::string& name) const {
    const auto found = model_.arrays.find(name);
    if (found == model_.arrays.end()) return {};
    return {static_cast<const T*>(found->second.data), found->second.bytes() / sizeof(T)};
  }

  // Arrays that the first files do not have may be missing, but only together.
  void expect_arrays() {
    const std::size_t n = length(sizes_.samples), s = length(sizes_.components), d = length(sizes_.width),
                      stored = length(sizes_.stored);
    const ModelKind kind = model_.kind();
    expect_numbers("offset", {s});
    expect_numbers("kernel_mean", {1});
    if (kind == ModelKind::full) {
      expect_numbers("dual_variables", {n, s});
      expect_numbers("scores", {n, s});
      if (model_.params.loss.name != LossName::square) expect_numbers("row_weights", {n});
    }
    if (kind == ModelKind::sparse) expect_sparse_dual();
    if (kind == ModelKind::landmarks) expect("landmarks", ElementType::int64, {length(*model_.report.landmarks)});
    if (kind != ModelKind::landmarks) expect_numbers("rotation", {s, s});
    if (kind != ModelKind::full) {
      expect_numbers("coefficients", {length(sizes_.projected), s});
      if (has("center_weights") || needs_center_weights()) expect_numbers("center_weights", {stored});
    }
    if (has("score_mean") || has("score_covariance") || has("row_spe")) {
      expect_numbers("score_mean", {s});
      expect_numbers("score_covariance", {s, s});
      if (!model_.is_precomputed()) expect_numbers("row_spe", {stored});
    }
    if (model_.preimage && model_.preimage->method == to_string(PreimageMethod::ridge)) expect_ridge(s, d);
    if (!model_.is_precomputed()) expect_rows(stored, d);
  }

  // A linear kernel has none if the rows themselves are centred. The first files of landmark models have none either.
  [[nodiscard]] bool needs_center_weights() const {
    if (!model_.params.center || model_.is_precomputed()) return false;
    if (model_.kind() == ModelKind::landmarks) return has("score_mean");
    return model_.params.kernel.name != KernelName::linear || model_.has_sparse_rows();
  }

  void expect_sparse_dual() {
    const std::size_t m = length(sizes_.stored);
    expect("kept_rows", ElementType::int64, {m});
    expect("dual_offsets", ElementType::int64, {m + 1});
    const Index entries = numbers<Index>("dual_offsets").back();
    require(entries >= 0, "its dual variables have no end");
    expect("dual_columns", ElementType::int32, {length(entries)});
    expect_numbers("dual_values", {length(entries)});
    expect_numbers("row_weights", {m});
  }

  void expect_ridge(std::size_t s, std::size_t d) {
    const std::size_t m = length(*model_.preimage->centers);
    expect_numbers("preimage_centers", {m, s});
    expect_numbers("preimage_coefficients", {m, d});
    expect_numbers("preimage_mean", {d});
    if (has("preimage_turn")) expect_numbers("preimage_turn", {s, s});
  }

  void expect_rows(std::size_t stored, std::size_t d) {
    const ElementType type = element_type(model_.report.precision);
    if (model_.has_sparse_rows()) {
      expect("row_offsets", ElementType::int64, {stored + 1});
      const Index entries = numbers<Index>("row_offsets").back();
      require(entries >= 0, "its sparse rows have no end");
      expect("row_columns", ElementType::int32, {length(entries)});
      expect("row_values", type, {length(entries)});
      require(model_.params.scale == Scaling::none, "its sparse rows are scaled, which they cannot be");
      require(sizes_.width <= std::numeric_limits<std::int32_t>::max(), "its sparse rows have too many columns");
      return;
    }
    expect("rows", type, {stored, d});
    const KernelName kernel = model_.params.kernel.name;
    if (is_shift_invariant(kernel) || (kernel == KernelName::linear && model_.params.center))
      expect_numbers("shift", {d});
    if (model_.params.scale == Scaling::none) return;
    expect_numbers("scaler_center", {d});
    expect_numbers("scaler_scale", {d});
  }

  void check_arrays() const {
    for (const auto& [name, tensor] : model_.arrays) {
      if (std::find(expected_.begin(), expected_.end(), name) == expected_.end())
        fail_damaged(path_, fmt::format("array {} does not belong to a model of its kind", in_quotes(name)));
      if (tensor.type == ElementType::float64) require_finite<double>(name);
      if (tensor.type == ElementType::float32) require_finite<float>(name);
    }
  }

  template <class T>
  void require_finite(const std::string& name) const {
    const std::span<const T> values = numbers<T>(name);
    using Array = Eigen::Array<T, Eigen::Dynamic, 1>;
    if (Eigen::Map<const Array>(values.data(), static_cast<Index>(values.size())).isFinite().all()) return;
    fail_damaged(path_, fmt::format("array '{}' has a number that is not finite", name));
  }

  template <class T>
  void check_row_values(const char* name, T largest) const {
    for (const T value : numbers<T>(name)) require(std::abs(value) < largest, "a value of its rows is too large");
  }

  // The same bounds as for the rows of a fit: squares of larger values would overflow.
  void check_rows() const {
    for (const char* name : {"rows", "row_values"}) {
      if (model_.report.precision == Precision::float32)
        check_row_values<float>(name, 1e15F);
      else
        check_row_values<double>(name, 1e150);
    }
    if (!model_.has_sparse_rows()) return;
    const std::span<const Index> offsets = numbers<Index>("row_offsets");
    check_entries("its sparse rows", offsets, numbers<std::int32_t>("row_columns"), sizes_.width);
  }

  // Entries of rows in compressed form: the rows follow each other, and in each the columns ascend.
  void check_entries(std::string_view what, std::span<const Index> offsets, std::span<const std::int32_t> columns,
                     Index cols) const {
    require(offsets.front() == 0 && std::is_sorted(offsets.begin(), offsets.end()) &&
                offsets.back() == static_cast<Index>(columns.size()),
            fmt::format("{} do not follow each other", what));
    for (std::size_t i = 0; i + 1 < offsets.size(); ++i) {
      std::int64_t before = -1;
      for (Index e = offsets[i]; e < offsets[i + 1]; ++e) {
        const std::int32_t column = columns[static_cast<std::size_t>(e)];
        require(column > before && column < cols, fmt::format("{} have columns that do not ascend", what));
        before = column;
      }
    }
  }

  void check_centre() const {
    if (model_.params.center) return;
    for (const char* name : {"offset", "kernel_mean"})
      for (const double value : numbers<double>(name)) require(value == 0, "it has a centre and is not centred");
  }

  // T2 would be 0 for every row, and no row an outlier, if this were no covariance.
  void check_covariance() const {
    const std::span<const double> covariance = numbers<double>("score_covariance");
    if (covariance.empty()) return;
    const auto s = static_cast<std::size_t>(sizes_.components);
    constexpr double rounding = 1e-6;
    const auto n = static_cast<double>(sizes_.samples);
    double squares = 0;  // the sum of those of the scores, and of the eigenvalues
    for (std::size_t i = 0; i < s; ++i) {
      const double mean = numbers<double>("score_mean")[i];
      squares += (n - 1) * covariance[i * s + i] + n * mean * mean;
      require(covariance[i * s + i] >= 0, "the covariance of its scores has a negative variance");
      for (std::size_t j = 0; j < i; ++j) {
        const double a = covariance[i * s + j], b = covariance[j * s + i],
                     bound = std::sqrt(covariance[i * s + i]) * std::sqrt(covariance[j * s + j]);
        require(std::abs(a - b) <= rounding * bound && std::abs(a) <= (1 + rounding) * bound,
                "the covariance of its scores is not one");
      }
    }
    require(squares >= 0.5 * model_.report.eigenvalues.sum(),
            "the covariance of its scores does not fit its eigenvalues");
  }

  void check_landmarks() const {
    const std::span<const Index> landmarks = numbers<Index>("landmarks");
    std::vector<Index> sorted(landmarks.begin(), landmarks.end());
    std::sort(sorted.begin(), sorted.end());
    require(sorted.front() >= 0 && sorted.back() < sizes_.samples, "a landmark is not among the rows");
    require(std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end(), "two landmarks are the same row");
  }

  void check_sparse_dual() const {
    const std::span<const Index> kept = numbers<Index>("kept_rows"), offsets = numbers<Index>("dual_offsets");
    for (std::size_t i = 0; i < kept.size(); ++i)
      require(kept[i] >= 0 && kept[i] < sizes_.samples && (i == 0 || kept[i] > kept[i - 1]),
              "its kept rows are not among the rows in ascending order");
    check_entries("its dual variables", offsets, numbers<std::int32_t>("dual_columns"), sizes_.components);
  }

  const std::string& path_;
  const DeclaredModel& model_;
  Sizes sizes_{};
  std::vector<std::string> expected_{};
};

}  // namespace

void fail_damaged(const std::string& path, std::string_view problem) {
  throw DataError(fmt::format("{}: is damaged: {}", printable(path, 300), problem));
}

ModelKind DeclaredModel::kind() const {
  if (report.landmarks) return ModelKind::landmarks;
  return arrays.contains("kept_rows") ? ModelKind::sparse : ModelKind::full;
}

void validate_model(const std::string& path, const DeclaredModel& model) { Validator(path, model).run(); }

}  // namespace dualkpca
