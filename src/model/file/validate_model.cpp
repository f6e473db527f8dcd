#include "model/file/validate_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "dualkpca/core/errors.hpp"
#include "model/file/validate_arrays.hpp"

namespace dualkpca {
namespace {

bool is_count(Index value, Index most) { return value >= 0 && value <= most; }
bool is_count(const std::optional<Index>& value, Index most) { return !value || is_count(*value, most); }
bool is_positive(const std::optional<double>& value) { return value && std::isfinite(*value) && *value > 0; }

// Checks what the header declares.
class HeaderValidator {
 public:
  HeaderValidator(const std::string& path, const DeclaredModel& model) : path_(path), model_(model) {}

  DeclaredSizes run() {
    check_parameters();
    check_report();
    if (model_.preimage) check_preimage();
    check_sizes();
    return sizes_;
  }

 private:
  void require(bool holds, std::string_view problem) const {
    if (!holds) fail_damaged(path_, problem);
  }

  void check_parameters() const {
    const FitReport& report = model_.report;
    constexpr Index most = Index{1} << 48;
    require(report.n_samples >= 1 && report.n_samples <= most && report.n_features >= 1 && report.n_features <= most,
            "its numbers of rows and features are out of range");
    try {
      model_.params.validate(report.n_samples);
    } catch (const InvalidArgument& error) {
      fail_damaged(path_, error.what());
    }
    require(model_.params.lags < most, "its number of lags is out of range");
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
    require(report.loss == model_.params.loss.name, "its report is about another loss than its parameters");
    if (model_.params.loss.name != LossName::square)
      require(report.norm == model_.params.loss.norm, "its report is about another norm than its parameters");
    if (!report.limits) return;
    const Limits& limits = *report.limits;
    require(limits.level > 0 && limits.level < 1 && limits.rows >= 1 && !(limits.t2 < 0) && !(limits.spe < 0),
            "its limits are out of range");
    require(!model_.is_precomputed(), "it has limits, which a given kernel matrix cannot have");
  }

  void check_preimage() const {
    const PreimageReport& report = *model_.preimage;
    try {
      const PreimageParams given{.method = report.method, .compatibility = report.compatibility};
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
    const Holds holds = model_.holds();
    require((holds == Holds::support) == keeps_support_only(model_.params), "its arrays are not those of its loss");
    require(holds != Holds::landmarks || (model_.params.loss.name == LossName::square && *report.landmarks >= 1 &&
                                          *report.landmarks <= report.n_samples),
            "its number of landmarks is impossible");
    sizes_.samples = report.n_samples;
    sizes_.components = report.n_components;
    require(!__builtin_mul_overflow(report.n_features, model_.params.lags + 1, &sizes_.width),
            "it has more columns than can be counted");
    const Index rows = holds == Holds::landmarks ? *report.landmarks
                       : holds == Holds::support ? report.stored_rows
                                                 : report.n_samples;
    sizes_.stored = model_.is_precomputed() ? 0 : rows;
    sizes_.projected = model_.is_precomputed() ? report.n_samples : rows;
    // A model of a given matrix stores no rows, whatever early files report.
    require(rows >= 1 && is_count(report.stored_rows, report.n_samples) &&
                (model_.is_precomputed() || report.stored_rows == sizes_.stored),
            "its number of stored rows is not that of a model of its kind");
    require(!model_.is_precomputed() || report.n_features == report.n_samples, "its kernel matrix is not square");
  }

  const std::string& path_;
  const DeclaredModel& model_;
  DeclaredSizes sizes_{};
};

}  // namespace

void validate_model(const std::string& path, const DeclaredModel& model) {
  const DeclaredSizes sizes = HeaderValidator(path, model).run();
  validate_arrays(path, model, sizes);
}

}  // namespace dualkpca
