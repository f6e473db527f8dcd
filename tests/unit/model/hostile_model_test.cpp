#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <functional>
#include <limits>

#include "dualkpca/core/errors.hpp"
#include "dualkpca/core/random.hpp"
#include "dualkpca/model/kernel_pca.hpp"
#include "dualkpca/report/report.hpp"
#include "model/file/json.hpp"
#include "model/file/safetensors.hpp"

// Forged model files: their checksum is valid, but other parts are wrong.
namespace dualkpca::hostile_model_test {
namespace {

// The parts of a model file. Any of them can be changed, and the file gets a new checksum.
struct Forgery {
  Json params{}, report{}, preimage{};
  Metadata metadata{};
  struct Array {
    ElementType type;
    std::vector<std::size_t> shape;
    std::vector<char> bytes;
  };
  std::map<std::string, Array> arrays{};

  explicit Forgery(const std::string& bytes) {
    const SafetensorsFile file = read_safetensors("model", bytes);
    metadata = file.metadata;
    for (const char* ours : {"format", "format_version", "checksum"}) metadata.erase(ours);
    params = Json::parse(metadata.at("params"));
    report = Json::parse(metadata.at("report"));
    if (metadata.contains("preimage")) preimage = Json::parse(metadata.at("preimage"));
    for (const auto& [name, tensor] : file.tensors) {
      const auto* first = static_cast<const char*>(tensor.data);
      arrays[name] = {tensor.type, tensor.shape, std::vector<char>(first, first + tensor.bytes())};
    }
  }

  [[nodiscard]] std::string bytes() const {
    Metadata written = metadata;
    written["params"] = params.dump();
    written["report"] = report.dump();
    if (!preimage.is_null()) written["preimage"] = preimage.dump();
    NamedTensors tensors;
    for (const auto& [name, array] : arrays)
      tensors.emplace_back(name, Tensor{array.type, array.shape, array.bytes.data()});
    return safetensors_bytes(written, tensors);
  }

  // Replaces an array by zeros of another shape.
  void resize(const std::string& name, std::vector<std::size_t> shape) {
    Array& array = arrays.at(name);
    array.shape = std::move(shape);
    array.bytes.assign(Tensor{array.type, array.shape, nullptr}.bytes(), 0);
  }
  template <class T>
  void set(const std::string& name, std::size_t at, T value) {
    std::memcpy(arrays.at(name).bytes.data() + at * sizeof(T), &value, sizeof(T));
  }
  void add(const std::string& name, std::vector<std::size_t> shape) {
    arrays[name] = {ElementType::float64, {}, {}};
    resize(name, std::move(shape));
  }
  void add_unit(double unit) {
    add("unit", {1});
    set("unit", 0, unit);
  }
};

enum class Base {
  full,
  sparse,
  landmarks,
  precomputed,
  huber,
  lagged,
  scaled,
  sparse_rows,
  ridge,
  poly,
  linear,
  cosine,
  tiny
};

KernelPCA fitted(Base base) {
  KernelPCAParams params;
  params.n_components = 2;
  params.kernel.gamma = 0.3;
  params.threads = 1;
  params.monitor.limits = LimitKind::training;
  Matrix X = random_normal(40, 3, 1);
  if (base == Base::sparse) params.loss = {.name = LossName::epsilon_insensitive, .epsilon = 0.2};
  if (base == Base::huber) params.loss = {.name = LossName::huber, .kappa_ratio = 0.5};
  if (base == Base::landmarks) params.solver = {.name = SolverName::nystrom, .landmarks = 8};
  if (base == Base::lagged) params.lags = 2;
  if (base == Base::poly) params.kernel.name = KernelName::poly;
  if (base == Base::linear) params.kernel.name = KernelName::linear;
  if (base == Base::cosine) params.kernel.name = KernelName::cosine;
  if (base == Base::tiny) {  // has a unit
    params.kernel.gamma = GammaRule::scale;
    X *= 1e-20;
  }
  if (base == Base::scaled) params.scale = Scaling::standard;
  if (base == Base::precomputed) {
    params.kernel.name = KernelName::precomputed;
    params.monitor.limits = LimitKind::none;
    X = (X * X.transpose()).eval();
  }
  KernelPCA pca(params);
  if (base == Base::sparse_rows) {
    CsrMatrix rows{.offsets = {0}, .columns = {}, .values = {}, .cols = 3};
    for (Index i = 0; i < X.rows(); ++i) {
      for (std::int32_t j = 0; j < 3; j += 2) {
        rows.columns.push_back(j);
        rows.values.push_back(X(i, j));
      }
      rows.offsets.push_back(static_cast<Index>(rows.values.size()));
    }
    pca.fit(Samples(std::move(rows)).view());
  } else {
    pca.fit(X);
  }
  if (base == Base::ridge) pca.fit_inverse({.gamma = 0.5, .alpha = 0.1, .centers = 10}, 1);
  return pca;
}

struct Lie {
  const char* name;
  Base base;
  std::function<void(Forgery&)> tell;
};

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

const std::vector<Lie>& lies() {
  static const std::vector<Lie> all = {
      // Arrays that are missing, superfluous, or whose size differs from the counts.
      {"no_row_spe", Base::full, [](Forgery& f) { f.arrays.erase("row_spe"); }},
      {"no_score_covariance", Base::full, [](Forgery& f) { f.arrays.erase("score_covariance"); }},
      {"no_score_mean", Base::full, [](Forgery& f) { f.arrays.erase("score_mean"); }},
      {"no_rows", Base::full, [](Forgery& f) { f.arrays.erase("rows"); }},
      {"no_shift", Base::full, [](Forgery& f) { f.arrays.erase("shift"); }},
      {"no_scores", Base::full, [](Forgery& f) { f.arrays.erase("scores"); }},
      {"no_weights", Base::huber, [](Forgery& f) { f.arrays.erase("row_weights"); }},
      {"no_scale", Base::scaled, [](Forgery& f) { f.arrays.erase("scaler_scale"); }},
      {"no_coefficients", Base::landmarks, [](Forgery& f) { f.arrays.erase("coefficients"); }},
      {"no_landmarks", Base::landmarks, [](Forgery& f) { f.arrays.erase("landmarks"); }},
      {"no_dual_values", Base::sparse, [](Forgery& f) { f.arrays.erase("dual_values"); }},
      {"no_ridge_mean", Base::ridge, [](Forgery& f) { f.arrays.erase("preimage_mean"); }},
      {"shift_of_a_given_matrix", Base::precomputed, [](Forgery& f) { f.add("shift", {40}); }},
      {"shift_of_sparse_rows", Base::sparse_rows, [](Forgery& f) { f.add("shift", {3}); }},
      {"weights_of_the_square_loss", Base::full, [](Forgery& f) { f.add("row_weights", {40}); }},
      {"unit_of_a_given_matrix", Base::precomputed, [](Forgery& f) { f.add_unit(4); }},
      {"unit_of_a_linear_kernel", Base::linear, [](Forgery& f) { f.add_unit(4); }},
      {"two_units", Base::tiny, [](Forgery& f) { f.resize("unit", {2}); }},
      {"an_unknown_array", Base::full, [](Forgery& f) { f.add("surprise", {1}); }},
      {"more_samples_than_rows", Base::full,
       [](Forgery& f) {
         f.report["n_samples"] = 200000;
         f.resize("dual_variables", {200000, 2});
         f.resize("scores", {200000, 2});
       }},
      {"fewer_stored_rows", Base::full,
       [](Forgery& f) {
         f.report["stored_rows"] = 5;
         f.resize("rows", {5, 3});
         f.resize("row_spe", {5});
       }},
      {"no_stored_rows_in_a_sparse_model", Base::sparse,
       [](Forgery& f) {
         f.report["stored_rows"] = 0;
         for (const char* name : {"kept_rows", "row_weights", "center_weights", "row_spe"}) f.resize(name, {0});
         f.resize("dual_offsets", {1});
         f.resize("dual_columns", {0});
         f.resize("dual_values", {0});
         f.resize("coefficients", {0, 2});
         f.resize("rows", {0, 3});
       }},
      {"a_matrix_of_other_width", Base::precomputed, [](Forgery& f) { f.report["n_features"] = 7; }},
      {"rows_of_another_type", Base::full, [](Forgery& f) { f.arrays.at("rows").type = ElementType::int32; }},
      {"landmarks_that_are_none", Base::full, [](Forgery& f) { f.report["landmarks"] = 3; }},
      {"sparse_arrays_of_the_square_loss", Base::sparse,
       [](Forgery& f) { f.params["loss"] = f.report["loss"] = "square"; }},

      // Wrong counts.
      {"negative_lags", Base::full, [](Forgery& f) { f.params["lags"] = -1; }},
      {"lags_of_a_given_matrix", Base::precomputed, [](Forgery& f) { f.params["lags"] = -1; }},
      {"more_lags_than_columns", Base::lagged, [](Forgery& f) { f.params["lags"] = 5; }},
      {"lags_that_overflow", Base::lagged, [](Forgery& f) { f.params["lags"] = std::numeric_limits<Index>::max(); }},
      {"columns_that_overflow", Base::lagged,
       [](Forgery& f) { f.report["n_features"] = std::numeric_limits<Index>::max() / 2; }},
      {"no_components", Base::full, [](Forgery& f) { f.report["n_components"] = 0; }},
      {"components_beyond_the_arrays", Base::full, [](Forgery& f) { f.report["n_components"] = 3; }},
      {"fewer_eigenvalues", Base::full, [](Forgery& f) { f.report["eigenvalues"] = {1.0}; }},
      {"fewer_ratios", Base::full, [](Forgery& f) { f.report["explained_variance_ratio"] = {1.0}; }},
      {"negative_samples", Base::full, [](Forgery& f) { f.report["n_samples"] = -40; }},
      {"samples_beyond_counting", Base::sparse, [](Forgery& f) { f.report["n_samples"] = Index{1} << 60; }},
      {"negative_degree", Base::poly, [](Forgery& f) { f.params["degree"] = -1; }},
      {"negative_max_iter", Base::full, [](Forgery& f) { f.params["max_iter"] = -1; }},
      {"negative_threads", Base::full, [](Forgery& f) { f.params["threads"] = -1; }},
      {"negative_folds", Base::full, [](Forgery& f) { f.params["folds"] = -1; }},
      {"negative_products", Base::full, [](Forgery& f) { f.report["products"] = -1; }},
      {"negative_iterations", Base::full, [](Forgery& f) { f.report["iterations"] = -1; }},
      {"negative_support", Base::full, [](Forgery& f) { f.report["support_size"] = -1; }},
      {"components_given_as_2.5", Base::full, [](Forgery& f) { f.params["n_components"] = 2.5; }},
      {"components_given_as_1e300", Base::full, [](Forgery& f) { f.params["n_components"] = 1e300; }},
      {"components_given_as_-1", Base::full, [](Forgery& f) { f.params["n_components"] = -1; }},
      {"samples_as_text", Base::full, [](Forgery& f) { f.report["n_samples"] = "40"; }},
      {"an_extreme_row_that_does_not_exist", Base::huber,
       [](Forgery& f) {
         f.report["extreme_rows"] = Json::array({{{"index", 40}, {"id", nullptr}, {"weight", 0.5}}});
       }},
      {"no_centres", Base::ridge, [](Forgery& f) { f.preimage["centers"] = nullptr; }},
      {"more_centres", Base::ridge, [](Forgery& f) { f.preimage["centers"] = 11; }},

      // Numbers that are not finite, or of the wrong sign.
      {"nan_in_the_covariance", Base::full, [](Forgery& f) { f.set("score_covariance", 0, nan); }},
      {"infinite_row", Base::full, [](Forgery& f) { f.set("rows", 5, std::numeric_limits<float>::infinity()); }},
      {"huge_row", Base::full, [](Forgery& f) { f.set("rows", 5, 1e30F); }},
      {"nan_in_a_sparse_row", Base::sparse_rows,
       [](Forgery& f) { f.set("row_values", 2, std::numeric_limits<float>::quiet_NaN()); }},
      {"nan_in_the_scores", Base::full, [](Forgery& f) { f.set("scores", 1, nan); }},
      {"nan_in_the_rotation", Base::full, [](Forgery& f) { f.set("rotation", 1, nan); }},
      {"nan_in_the_offset", Base::full, [](Forgery& f) { f.set("offset", 1, nan); }},
      {"nan_in_the_shift", Base::full, [](Forgery& f) { f.set("shift", 1, nan); }},
      {"infinite_kernel_mean", Base::full, [](Forgery& f) { f.set("kernel_mean", 0, infinity); }},
      {"nan_in_coefficients", Base::landmarks, [](Forgery& f) { f.set("coefficients", 3, nan); }},
      {"nan_in_the_ridge", Base::ridge, [](Forgery& f) { f.set("preimage_coefficients", 3, nan); }},
      {"a_unit_of_zero", Base::tiny, [](Forgery& f) { f.set("unit", 0, 0.0); }},
      {"a_negative_unit", Base::tiny, [](Forgery& f) { f.set("unit", 0, -4.0); }},
      {"a_unit_of_3", Base::tiny, [](Forgery& f) { f.set("unit", 0, 3.0); }},
      {"nan_unit", Base::tiny, [](Forgery& f) { f.set("unit", 0, nan); }},
      {"infinite_unit", Base::tiny, [](Forgery& f) { f.set("unit", 0, infinity); }},
      {"a_unit_that_makes_gamma_0", Base::full, [](Forgery& f) { f.add_unit(0x1p600); }},
      {"a_unit_that_makes_gamma_infinite", Base::sparse_rows, [](Forgery& f) { f.add_unit(0x1p-600); }},
      {"a_unit_without_inverse", Base::cosine, [](Forgery& f) { f.add_unit(0x1p-1070); }},
      {"a_scale_of_zero", Base::scaled, [](Forgery& f) { f.set("scaler_scale", 1, 0.0); }},
      {"a_negative_scale", Base::scaled, [](Forgery& f) { f.set("scaler_scale", 1, -1.0); }},
      {"a_negative_spe", Base::full, [](Forgery& f) { f.set("row_spe", 1, -1.0); }},
      {"a_negative_weight", Base::huber, [](Forgery& f) { f.set("row_weights", 1, -1.0); }},
      {"no_eigenvalue", Base::full,
       [](Forgery& f) {
         f.report["eigenvalues"] = {1.0, nullptr};
       }},
      {"no_gamma", Base::full, [](Forgery& f) { f.report["gamma"] = nullptr; }},
      {"a_negative_gamma", Base::full, [](Forgery& f) { f.report["gamma"] = -0.3; }},
      {"no_coef0", Base::poly, [](Forgery& f) { f.params["coef0"] = nullptr; }},
      {"a_negative_limit", Base::full, [](Forgery& f) { f.report["limits"]["t2"] = -1; }},
      {"a_level_of_2", Base::full, [](Forgery& f) { f.report["limits"]["level"] = 2; }},
      {"a_ridge_without_gamma", Base::ridge, [](Forgery& f) { f.preimage["gamma"] = nullptr; }},

      {"a_negative_covariance", Base::full,
       [](Forgery& f) {
         for (std::size_t at = 0; at < 4; ++at) f.set("score_covariance", at, -1.0);
       }},
      {"no_covariance", Base::full,
       [](Forgery& f) {
         f.resize("score_covariance", {2, 2});
       }},
      {"an_asymmetric_covariance", Base::full, [](Forgery& f) { f.set("score_covariance", 1, 5.0); }},
      {"a_centre_without_centring", Base::full, [](Forgery& f) { f.params["center"] = false; }},
      {"no_centre_weights_of_a_sparse_model", Base::sparse, [](Forgery& f) { f.arrays.erase("center_weights"); }},
      {"no_centre_weights_of_a_landmark_model", Base::landmarks, [](Forgery& f) { f.arrays.erase("center_weights"); }},
      {"limits_that_are_a_number", Base::full, [](Forgery& f) { f.report["limits"] = 3; }},

      // Wrong indices.
      {"a_landmark_beyond_the_rows", Base::landmarks, [](Forgery& f) { f.set("landmarks", 0, Index{40}); }},
      {"a_negative_landmark", Base::landmarks, [](Forgery& f) { f.set("landmarks", 0, Index{-1}); }},
      {"a_landmark_twice", Base::landmarks,
       [](Forgery& f) {
         f.set("landmarks", 0, Index{4});
         f.set("landmarks", 1, Index{4});
       }},
      {"kept_rows_that_descend", Base::sparse, [](Forgery& f) { f.set("kept_rows", 0, Index{39}); }},
      {"a_kept_row_beyond_the_rows", Base::sparse, [](Forgery& f) { f.report["n_samples"] = 5; }},
      {"dual_offsets_that_descend", Base::sparse, [](Forgery& f) { f.set("dual_offsets", 1, Index{1} << 40); }},
      {"dual_offsets_without_an_end", Base::sparse,
       [](Forgery& f) { f.set("dual_offsets", f.arrays.at("dual_offsets").shape[0] - 1, Index{-1}); }},
      {"a_dual_column_beyond_the_components", Base::sparse,
       [](Forgery& f) { f.set("dual_columns", 0, std::int32_t{2}); }},
      {"dual_columns_that_do_not_ascend", Base::sparse,
       [](Forgery& f) {
         f.set("dual_offsets", 1, Index{2});
         f.set("dual_columns", 0, std::int32_t{1});
         f.set("dual_columns", 1, std::int32_t{1});
       }},
      {"sparse_rows_that_do_not_begin", Base::sparse_rows, [](Forgery& f) { f.set("row_offsets", 0, Index{1}); }},
      {"sparse_rows_that_descend", Base::sparse_rows, [](Forgery& f) { f.set("row_offsets", 3, Index{1000}); }},
      {"a_column_of_sparse_rows_beyond_the_width", Base::sparse_rows,
       [](Forgery& f) { f.set("row_columns", 1, std::int32_t{3}); }},
      {"columns_of_sparse_rows_that_do_not_ascend", Base::sparse_rows,
       [](Forgery& f) { f.set("row_columns", 0, std::int32_t{2}); }},

      // Contradictions between fields.
      {"scaled_sparse_rows", Base::sparse_rows, [](Forgery& f) { f.params["scale"] = "standard"; }},
      {"pre_images_of_another_kernel", Base::ridge, [](Forgery& f) { f.preimage["method"] = "linear"; }},
      {"pre_images_without_a_method", Base::ridge, [](Forgery& f) { f.preimage["method"] = "auto"; }},
      {"pre_images_of_a_given_matrix", Base::precomputed,
       [](Forgery& f) { f.preimage = Forgery(fitted(Base::ridge).to_bytes()).preimage; }},
      {"another_loss_in_the_report", Base::huber, [](Forgery& f) { f.report["loss"] = "square"; }},
      {"another_norm_in_the_report", Base::huber, [](Forgery& f) { f.report["norm"] = "nonsense"; }},
      {"an_unknown_kernel", Base::full, [](Forgery& f) { f.params["kernel"] = "cauchy"; }},
      {"no_parameters", Base::full, [](Forgery& f) { f.params = Json::object(); }},
      {"no_report", Base::full, [](Forgery& f) { f.report = Json::array(); }},
  };
  return all;
}

class HostileModel : public testing::TestWithParam<Lie> {};

TEST_P(HostileModel, is_damaged) {
  const KernelPCA honest = fitted(GetParam().base);
  Forgery forgery(honest.to_bytes());
  EXPECT_NO_THROW(static_cast<void>(KernelPCA::from_bytes(forgery.bytes()))) << "taken apart and put together again";
  GetParam().tell(forgery);
  try {
    static_cast<void>(KernelPCA::from_bytes(forgery.bytes()));
    FAIL() << "the model was loaded";
  } catch (const DataError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("damaged"));
    EXPECT_THAT(error.what(), testing::Not(testing::HasSubstr("\n")));
  }
}

INSTANTIATE_TEST_SUITE_P(Lies, HostileModel, testing::ValuesIn(lies()), [](const auto& lie) {
  std::string name = lie.param.name;
  for (char& letter : name)
    if (std::isalnum(static_cast<unsigned char>(letter)) == 0) letter = '_';
  return name;
});

// The dual variables of rows that are not kept are zeros, and a file may declare any number of such rows.
TEST(HostileModel, takes_no_memory_for_rows_that_it_does_not_hold) {
  Forgery forgery(fitted(Base::sparse).to_bytes());
  forgery.report["n_samples"] = Index{1} << 47;
  const KernelPCA model = KernelPCA::from_bytes(forgery.bytes());
  EXPECT_EQ(model.transform(Matrix(random_normal(5, 3, 2)), 1),
            fitted(Base::sparse).transform(Matrix(random_normal(5, 3, 2)), 1));
  EXPECT_THAT(info_text(model), testing::HasSubstr("140737488355328 rows"));
  EXPECT_THROW(static_cast<void>(model.dual_variables()), ResourceError);
  EXPECT_THROW(static_cast<void>(model.row_weights()), ResourceError);
}

TEST(HostileModel, does_not_steer_the_terminal) {
  Forgery forgery(fitted(Base::full).to_bytes());
  forgery.report["message"] = "\x1b[2Jcleared";
  forgery.report["notes"] = {"one\rtwo", "\x1b]0;title\x07"};
  forgery.report["solver_reason"] = "\x1b[31mred";
  forgery.metadata["version"] = "0.1\x1b[2J";
  const KernelPCA model = KernelPCA::from_bytes(forgery.bytes());
  for (const std::string& text : {info_text(model), summary_text(model)})
    for (const char letter : text)
      EXPECT_TRUE(letter == '\n' || static_cast<unsigned char>(letter) >= ' ') << static_cast<int>(letter);
}

// A text that is none of the accepted names is refused, and the message does not contain its control characters.
TEST(HostileModel, does_not_steer_the_terminal_with_names) {
  const auto refusal = [](const Forgery& forgery) -> std::string {
    try {
      (void)KernelPCA::from_bytes(forgery.bytes());
    } catch (const DataError& error) {
      return error.what();
    }
    return "";
  };
  for (const char* field : {"solver", "gram", "eta_kind", "status", "precision", "loss", "norm"}) {
    Forgery forgery(fitted(Base::full).to_bytes());
    forgery.report[field] = "\x1b[31mred";
    const std::string message = refusal(forgery);
    EXPECT_NE(message, "") << field;
    for (const char letter : message) EXPECT_GE(static_cast<unsigned char>(letter), ' ') << field;
  }
  for (const char* field : {"kernel", "solver", "scale", "gram", "precision", "limits"}) {
    Forgery forgery(fitted(Base::full).to_bytes());
    forgery.params[field] = "\x1b[31mred";
    const std::string message = refusal(forgery);
    EXPECT_NE(message, "") << field;
    for (const char letter : message) EXPECT_GE(static_cast<unsigned char>(letter), ' ') << field;
  }
}

// Valid models of every kernel, kind and loss, centred or not, are read back. They store different arrays.
TEST(HonestModel, is_read_back) {
  const Matrix X = random_normal(30, 3, 1);
  for (const KernelName kernel : {KernelName::rbf, KernelName::laplace, KernelName::laplacian, KernelName::matern32,
                                  KernelName::matern52, KernelName::poly, KernelName::linear, KernelName::cosine})
    for (const bool center : {true, false})
      for (const int kind : {0, 1, 2, 3, 4}) {
        KernelPCAParams params;
        params.kernel.name = kernel;
        params.kernel.gamma = 0.4;
        params.center = center;
        params.threads = 1;
        params.monitor.limits = LimitKind::training;
        if (kind == 1) params.solver = {.name = SolverName::nystrom, .landmarks = 12};
        if (kind == 2) params.loss = {.name = LossName::epsilon_insensitive, .epsilon = 0.05};
        if (kind == 3) params.loss = {.name = LossName::huber, .kappa_ratio = 0.5};
        if (kind == 4) params.scale = Scaling::robust;
        SCOPED_TRACE(testing::Message() << to_string(kernel) << (center ? " centred, " : ", ") << kind);
        const KernelPCA model = KernelPCA(params).fit(X);
        const KernelPCA loaded = KernelPCA::from_bytes(model.to_bytes());
        EXPECT_EQ(loaded.transform(X, 1), model.transform(X, 1));
        EXPECT_EQ(loaded.monitor(X, 1).t2, model.monitor(X, 1).t2);
        EXPECT_EQ(loaded.support(), model.support());
        EXPECT_EQ(loaded.to_bytes(), model.to_bytes());
      }
}

// If rows are zero up to rounding, the fit is refused, or its model can be read back.
TEST(HonestModel, is_not_made_of_nothing) {
  for (const bool sparse : {true, false}) {
    KernelPCAParams params;
    params.kernel.name = KernelName::linear;
    if (sparse)
      params.loss.name = LossName::epsilon_insensitive;
    else
      params.solver.name = SolverName::nystrom;
    KernelPCA model(params);
    try {
      model.fit(Matrix(1e-100 * random_normal(50, 3, 1)));
      EXPECT_NO_THROW(static_cast<void>(KernelPCA::from_bytes(model.to_bytes())));
    } catch (const DataError& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr("scale the data"));
    }
  }
}

// The numbers are finite, but too large for LAPACK.
TEST(HostileModel, says_that_the_covariance_has_no_eigenvalues) {
  Forgery forgery(fitted(Base::full).to_bytes());
  for (std::size_t at = 0; at < 4; ++at) forgery.set("score_covariance", at, 1.7e308);
  const KernelPCA model = KernelPCA::from_bytes(forgery.bytes());
  try {
    const RowStatistics statistics = model.monitor(Matrix(random_normal(5, 3, 2)), 1);
    EXPECT_TRUE(statistics.t2.allFinite());
  } catch (const DataError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("LAPACK"));
  }
}

}  // namespace
}  // namespace dualkpca::hostile_model_test
