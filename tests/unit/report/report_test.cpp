#include "dualkpca/report/report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "dualkpca/core/errors.hpp"
#include "dualkpca/core/random.hpp"

namespace dualkpca::report_test {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

KernelPCA fitted(KernelPCAParams params) {
  KernelPCA model(params);
  model.fit(Matrix(random_normal(30, 4, 1)));
  return model;
}

TEST(ReportJson, has_every_field) {
  const json report = json::parse(report_json(fitted({.n_components = 2})));
  for (const char* name : {"status",         "message",       "solver",
                           "gram",           "precision",     "n_samples",
                           "n_features",     "features_used", "n_components",
                           "gamma",          "loss",          "norm",
                           "kappa",          "epsilon",       "products",
                           "iterations",     "eta",           "eta_kind",
                           "dual_objective", "eigenvalues",   "primal_objective",
                           "sparsity",       "support_size",  "product_columns",
                           "kernel_columns", "seconds",       "peak_memory_bytes",
                           "kernel",         "degree",        "coef0",
                           "center",         "scale",         "tol",
                           "max_iter",       "time_limit",    "seed",
                           "threads",        "memory",        "notes",
                           "version",        "plan",          "explained_variance_ratio"})
    EXPECT_TRUE(report.contains(name)) << name;
  EXPECT_EQ(report["loss"], "square");
  for (const char* name : {"norm", "kappa", "epsilon", "sparsity", "degree", "coef0"})
    EXPECT_TRUE(report[name].is_null());
  EXPECT_EQ(report["n_samples"], 30);
  EXPECT_EQ(report["n_features"], 4);
  EXPECT_EQ(report["eigenvalues"].size(), 2U);
  EXPECT_EQ(report["kernel"], "rbf");
  EXPECT_EQ(report["gamma"], 0.25);
}

TEST(ReportJson, says_what_was_used_where_a_parameter_left_it_open) {
  const json report = json::parse(report_json(fitted({.n_components = 0.5})));
  EXPECT_TRUE(report["n_components"].is_number_integer());
  EXPECT_EQ(report["solver"], "dense");
  EXPECT_EQ(report["precision"], "float32");
  EXPECT_EQ(report["gram"], "stored");
}

TEST(ReportJson, total_is_the_sum_of_the_stages) {
  const json seconds = json::parse(report_json(fitted({})))["seconds"];
  double sum = 0;
  for (const auto& [stage, value] : seconds.items())
    if (stage != "total") sum += value.get<double>();
  EXPECT_GT(seconds.size(), 1U);
  // The stages have another order in JSON, and sums round differently.
  const double rounding = static_cast<double>(seconds.size()) * std::numeric_limits<double>::epsilon() * sum;
  EXPECT_NEAR(seconds["total"].get<double>(), sum, rounding);
}

TEST(ReportJson, gives_degree_and_coef0_where_they_mean_something) {
  const json report =
      json::parse(report_json(fitted({.kernel = {.name = KernelName::poly, .degree = 2, .coef0 = 0.5}})));
  EXPECT_EQ(report["degree"], 2);
  EXPECT_EQ(report["coef0"], 0.5);
}

TEST(ReportJson, kernels_without_gamma_have_null) {
  const json report = json::parse(report_json(fitted({.kernel = {.name = KernelName::linear, .gamma = 3.0}})));
  EXPECT_TRUE(report["gamma"].is_null());
  ASSERT_EQ(report["notes"].size(), 1U);
  EXPECT_THAT(report["notes"][0].get<std::string>(), HasSubstr("gamma"));
}

TEST(ReportText, plan_adds_up_for_the_reader) {
  const MemoryPlan plan{.precision = Precision::float64,
                        .gram_bytes = 3 << 20,
                        .data_bytes = 1 << 20,
                        .solver_bytes = 1 << 19,
                        .budget = std::size_t{8} << 30};
  const std::string text = plan_text(plan, Matrix(1, 2));
  EXPECT_THAT(text, HasSubstr("1 row x 2 features\n"));
  EXPECT_THAT(text, HasSubstr("4.50 MiB of 8.00 GiB\n"));
  EXPECT_THAT(text, HasSubstr("float64"));
}

TEST(ReportText, summary_shows_status_components_and_notes) {
  const std::string text =
      summary_text(fitted({.n_components = 2, .kernel = {.name = KernelName::linear, .gamma = 3.0}}));
  EXPECT_THAT(text, HasSubstr("converged, eta "));
  EXPECT_THAT(text, HasSubstr("eigenvalue"));
  EXPECT_THAT(text, HasSubstr("note           gamma has no effect with kernel linear\n"));
  EXPECT_THAT(text, Not(HasSubstr("fitted with")));
}

TEST(ReportText, summary_is_short_and_info_is_not) {
  const KernelPCA model = fitted({.n_components = 12, .scale = Scaling::robust});
  EXPECT_THAT(summary_text(model), HasSubstr("2 more"));
  const std::string info = info_text(model);
  EXPECT_THAT(info, Not(HasSubstr("2 more")));
  EXPECT_THAT(info, HasSubstr("30 rows x 4 features\n"));
  EXPECT_THAT(info, HasSubstr("rbf, gamma 0.25, centred, columns scaled: robust\n"));
  EXPECT_THAT(info, HasSubstr("memory         what was available\n"));
  EXPECT_THAT(info, Not(HasSubstr("degree")));
}

TEST(Report, needs_a_fitted_model) {
  EXPECT_THROW(static_cast<void>(report_json(KernelPCA())), NotFitted);
  EXPECT_THROW(static_cast<void>(summary_text(KernelPCA())), NotFitted);
  EXPECT_THROW(static_cast<void>(info_text(KernelPCA())), NotFitted);
}

}  // namespace
}  // namespace dualkpca::report_test
