#include "model/file/validate_arrays.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "data/io/text.hpp"

namespace dualkpca {
namespace {

using Shape = std::vector<std::size_t>;

class ArrayValidator {
 public:
  ArrayValidator(const std::string& path, const DeclaredModel& model, const DeclaredSizes& sizes)
      : path_(path), model_(model), sizes_(sizes) {}

  void run() {
    expect_arrays();
    check_arrays();
    check_rows();
    check_unit();
    check_centre();
    check_covariance();
    if (model_.holds() == Holds::landmarks) check_landmarks();
    if (model_.holds() == Holds::support) check_sparse_dual();
    for (const double scale : numbers<double>("scaler_scale")) require(scale > 0, "a column has no positive scale");
    for (const char* name : {"row_spe", "row_weights"})
      for (const double value : numbers<double>(name))
        require(value >= 0, fmt::format("{} has a negative number", name));
  }

 private:
  void require(bool holds, std::string_view problem) const {
    if (!holds) fail_damaged(path_, problem);
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

  // Arrays that early files do not have may be missing, but only together.
  void expect_arrays() {
    const std::size_t n = length(sizes_.samples), s = length(sizes_.components), d = length(sizes_.width),
                      stored = length(sizes_.stored);
    const Holds holds = model_.holds();
    expect_numbers("offset", {s});
    expect_numbers("kernel_mean", {1});
    if (holds == Holds::all) {
      expect_numbers("dual_variables", {n, s});
      expect_numbers("scores", {n, s});
      if (model_.params.loss.name != LossName::square) expect_numbers("row_weights", {n});
    }
    if (holds == Holds::support) expect_sparse_dual();
    if (holds == Holds::landmarks) expect("landmarks", ElementType::int64, {length(*model_.report.landmarks)});
    if (holds != Holds::landmarks) expect_numbers("rotation", {s, s});
    if (holds != Holds::all) {
      expect_numbers("coefficients", {length(sizes_.projected), s});
      if (has("center_weights") || needs_center_weights()) expect_numbers("center_weights", {stored});
    }
    if (has("score_mean") || has("score_covariance") || has("row_spe")) {
      expect_numbers("score_mean", {s});
      expect_numbers("score_covariance", {s, s});
      if (!model_.is_precomputed()) expect_numbers("row_spe", {stored});
    }
    if (model_.preimage && model_.preimage->method == PreimageMethod::ridge) expect_ridge(s, d);
    if (!model_.is_precomputed()) expect_rows(stored, d);
    if (has("unit") && may_have_unit(model_.params.kernel.name)) expect_numbers("unit", {1});
  }

  // A linear kernel needs none if the rows themselves are centred. Early files of landmark models have none either.
  [[nodiscard]] bool needs_center_weights() const {
    if (!model_.params.center || model_.is_precomputed()) return false;
    if (model_.holds() == Holds::landmarks) return has("score_mean");
    return model_.params.kernel.name != KernelName::linear || model_.has_sparse_rows();
  }

  void expect_sparse_dual() {
    const std::size_t m = length(sizes_.stored);
    expect("kept_rows", ElementType::int64, {m});
    expect("dual_offsets", ElementType::int64, {m + 1});
    const Index entries = numbers<Index>("dual_offsets").back();
    require(entries >= 0, "its dual_offsets end with a negative number");
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
      require(entries >= 0, "its row_offsets end with a negative number");
      expect("row_columns", ElementType::int32, {length(entries)});
      expect("row_values", type, {length(entries)});
      require(model_.params.scale == Scaling::none, "its rows are sparse and scaled, which is impossible");
      require(sizes_.width <= std::numeric_limits<std::int32_t>::max(), "its sparse rows have too many columns");
      return;
    }
    expect("rows", type, {stored, d});
    if (may_move(model_.params.kernel.name, model_.params.center)) expect_numbers("shift", {d});
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

  // A unit is a power of two, and with it the kernel has a gamma that is a positive float64 number.
  void check_unit() const {
    if (!has("unit")) return;
    const double unit = numbers<double>("unit")[0];
    int exponent = 0;
    require(unit > 0 && std::frexp(unit, &exponent) == 0.5, "its unit is not a power of two");
    const double gamma = in_unit(resolved(model_.params.kernel, model_.report.gamma), unit).gamma;
    require(gamma_power(model_.params.kernel.name) == 0 || std::isnormal(gamma), "its unit does not fit its gamma");
    require(std::isnormal(1 / unit), "its unit is out of range");
  }

  // Checks rows in compressed form: the offsets ascend, and so do the columns within each row.
  void check_entries(std::string_view what, std::span<const Index> offsets, std::span<const std::int32_t> columns,
                     Index cols) const {
    require(offsets.front() == 0 && std::is_sorted(offsets.begin(), offsets.end()) &&
                offsets.back() == static_cast<Index>(columns.size()),
            fmt::format("{} have offsets that do not ascend", what));
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
      for (const double value : numbers<double>(name))
        require(value == 0, "it has a centre although it is not centred");
  }

  // With a matrix that is not a covariance, T2 could be 0 for every row, and no row would be an outlier.
  void check_covariance() const {
    const std::span<const double> covariance = numbers<double>("score_covariance");
    if (covariance.empty()) return;
    const auto s = static_cast<std::size_t>(sizes_.components);
    constexpr double rounding = 1e-6;
    const auto n = static_cast<double>(sizes_.samples);
    double squares = 0;  // sum of the squared scores, which is the sum of the eigenvalues
    for (std::size_t i = 0; i < s; ++i) {
      const double mean = numbers<double>("score_mean")[i];
      squares += (n - 1) * covariance[i * s + i] + n * mean * mean;
      require(covariance[i * s + i] >= 0, "the covariance of its scores has a negative variance");
      for (std::size_t j = 0; j < i; ++j) {
        const double a = covariance[i * s + j], b = covariance[j * s + i],
                     bound = std::sqrt(covariance[i * s + i]) * std::sqrt(covariance[j * s + j]);
        require(std::abs(a - b) <= rounding * bound && std::abs(a) <= (1 + rounding) * bound,
                "the covariance of its scores is not a covariance matrix");
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
  const DeclaredSizes& sizes_;
  std::vector<std::string> expected_{};
};

}  // namespace

void validate_arrays(const std::string& path, const DeclaredModel& model, const DeclaredSizes& sizes) {
  ArrayValidator(path, model, sizes).run();
}

}  // namespace dualkpca
