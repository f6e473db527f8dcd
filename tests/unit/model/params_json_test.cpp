#include "model/file/params_json.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <sstream>
#include <type_traits>

#include "dualkpca/core/errors.hpp"
#include "dualkpca/model/kernel_pca_fields.hpp"
#include "dualkpca/model/preimage_fields.hpp"

namespace dualkpca {
namespace {

// Returns parameters whose every field differs from its default.
KernelPCAParams unusual_params() {
  return {.n_components = 0.5,
          .kernel = {.name = KernelName::poly, .gamma = GammaRule::median, .degree = 4, .coef0 = -2},
          .loss = {.name = LossName::huber,
                   .norm = Norm::entries,
                   .kappa = 1.5,
                   .kappa_ratio = 0.25,
                   .epsilon = 0.125,
                   .sparsity = 0.75},
          .center = false,
          .scale = Scaling::robust,
          .lags = 3,
          .solver = {.name = SolverName::rsvd,
                     .tol = 1e-3,
                     .accuracy = Accuracy::certified,
                     .max_iter = 7,
                     .time_limit = 2.5,
                     .seed = 18446744073709551615U,
                     .oversampling = 4,
                     .power_iterations = 6,
                     .landmarks = 11},
          .gram = GramMode::stored,
          .precision = Precision::float64,
          .memory = 12345,
          .threads = 2,
          .monitor = {.limits = LimitKind::chi2, .level = 0.9, .folds = 3}};
}

Json without(Json json, const std::string& name) {
  json.erase(name);
  return json;
}

Json with(Json json, const std::string& name, Json value) {
  json[name] = std::move(value);
  return json;
}

TEST(ParamsJson, KeepsEveryField) {
  const Json defaults = params_to_json({}), unusual = params_to_json(unusual_params());
  for (const auto& [name, value] : defaults.items()) EXPECT_NE(unusual.at(name), value) << name;
  EXPECT_EQ(params_to_json(params_from_json(unusual)), unusual);
  EXPECT_EQ(params_to_json(params_from_json(defaults)), defaults);
}

TEST(ParamsJson, HasTheFieldsOfTheListInItsOrder) {
  std::vector<std::string> listed, written;
  const KernelPCAParams params;
  for_each_field(params, [&](const Field& field, const auto& /*value*/) { listed.emplace_back(field.name); });
  const Json json = params_to_json(params);
  for (const auto& [name, value] : json.items()) written.push_back(name);
  EXPECT_EQ(written, listed);
  EXPECT_EQ(written.size(), 30U);
}

TEST(ParamsJson, FieldsThatAreNewerThanTheFileHaveTheirDefaults) {
  const Json json = params_to_json(unusual_params());
  EXPECT_EQ(params_from_json(without(json, "lags")).lags, 0);
  EXPECT_EQ(params_from_json(without(json, "accuracy")).solver.accuracy, Accuracy::estimated);
  EXPECT_EQ(params_from_json(without(json, "landmarks")).solver.landmarks, 0);
  EXPECT_EQ(params_from_json(without(json, "oversampling")).solver.oversampling, SolverParams{}.oversampling);
  EXPECT_FALSE(params_from_json(without(json, "power_iterations")).solver.power_iterations);
  const KernelPCAParams square =
      params_from_json(without(json, "loss"));  // files without a loss have none of its fields
  EXPECT_EQ(square.loss.name, LossName::square);
  EXPECT_EQ(square.loss.norm, Norm::rows);
  EXPECT_FALSE(square.loss.kappa || square.loss.epsilon);
  const KernelPCAParams unmonitored = params_from_json(without(json, "limits"));
  EXPECT_EQ(unmonitored.monitor.limits, LimitKind::none);
  EXPECT_EQ(unmonitored.monitor.folds, MonitorParams{}.folds);
}

TEST(ParamsJson, OtherFieldsMustBeThere) {
  const Json json = params_to_json(unusual_params());
  for (const char* name :
       {"n_components", "kernel", "gamma", "degree", "coef0", "center", "scale", "solver", "tol", "max_iter",
        "time_limit", "seed", "gram", "precision", "memory", "threads", "norm", "level", "folds"})
    EXPECT_THROW((void)params_from_json(without(json, name)), Json::exception) << name;
  EXPECT_FALSE(params_from_json(without(json, "kappa")).loss.kappa);  // a hyperparameter that was not given
  EXPECT_FALSE(params_from_json(with(json, "sparsity", nullptr)).loss.sparsity);
}

TEST(ParamsJson, RefusesOtherTypesAndNames) {
  const Json json = params_to_json(unusual_params());
  EXPECT_THROW((void)params_from_json(with(json, "kernel", "no such")), InvalidArgument);
  EXPECT_THROW((void)params_from_json(with(json, "precision", "float16")), InvalidArgument);
  EXPECT_THROW((void)params_from_json(with(json, "lags", 1e300)), InvalidArgument);
  EXPECT_THROW((void)params_from_json(with(json, "degree", 4294967296)), InvalidArgument);
  EXPECT_THROW((void)params_from_json(with(json, "center", 1)), Json::exception);
  EXPECT_THROW((void)params_from_json(with(json, "tol", nullptr)), Json::exception);
  EXPECT_THROW((void)params_from_json(with(json, "level", nullptr)), Json::exception);
  EXPECT_TRUE(std::isnan(params_from_json(with(json, "coef0", nullptr)).kernel.coef0));
  EXPECT_TRUE(std::isnan(params_from_json(with(json, "time_limit", nullptr)).solver.time_limit));
}

template <class Params>
void expect_choices_to_be_names() {
  Params params;
  for_each_field(params, []<class T>(const Field& field, T& value) {
    EXPECT_TRUE(!std::is_enum_v<T> || !field.choices.empty()) << field.name;
    if constexpr (std::is_enum_v<T>) {
      std::istringstream choices{std::string(field.choices)};
      for (std::string choice; std::getline(choices >> std::ws, choice, ',');) {
        set_by_name(value, choice);
        EXPECT_EQ(to_string(value), choice) << field.name;
      }
    }
  });
}

TEST(Fields, ChoicesAreNamesOfTheirType) {
  expect_choices_to_be_names<KernelPCAParams>();
  expect_choices_to_be_names<PreimageParams>();
}

TEST(Fields, ThoseThatACommandOffersHaveAHelp) {
  const KernelPCAParams params;
  for_each_field(params, []<class T>(const Field& field, const T& /*value*/) {
    if (field.group == FieldGroup::hidden) return;
    EXPECT_FALSE(field.help.empty()) << field.name;
    const bool needs_value_name = !std::is_same_v<T, bool> && field.choices.empty();
    EXPECT_EQ(field.value.empty(), !needs_value_name) << field.name;
  });
}

}  // namespace
}  // namespace dualkpca
