#include "model/file/fit_report_json.hpp"

#include <array>

#include "model/file/json_values.hpp"

namespace dualkpca {
namespace {

// Reads a field that early files do not have.
template <class T>
std::optional<T> optional_from(const Json& json, const char* name) {
  if (!json.contains(name) || !json[name].is_number()) return {};
  return json[name].get<T>();
}

Json numbers(const Vector& values) {
  Json list = Json::array();
  for (const double value : values) list.push_back(number_to_json(value));
  return list;
}

Vector numbers_from(const Json& json) {
  Vector values(static_cast<Index>(json.size()));
  for (Index i = 0; i < values.size(); ++i) values[i] = number_from_json(json.at(static_cast<std::size_t>(i)));
  return values;
}

Json starts_to_json(const std::vector<StartReport>& starts) {
  Json list = Json::array();
  for (const StartReport& start : starts)
    list.push_back({{"name", start.name}, {"objective", number_to_json(start.objective)}, {"is_best", start.is_best}});
  return list;
}

Json extreme_rows_to_json(const std::vector<ExtremeRow>& rows) {
  Json list = Json::array();
  for (const ExtremeRow& row : rows)
    list.push_back(
        {{"index", row.index}, {"id", row.id.empty() ? Json(nullptr) : Json(row.id)}, {"weight", row.weight}});
  return list;
}

void loss_report_from_json(const Json& json, FitReport& report) {
  if (!json.contains("loss")) return;  // not in early files
  report.loss = parse_loss(json.at("loss").get<std::string>());
  if (json.at("norm").is_string()) report.norm = parse_norm(json.at("norm").get<std::string>());
  report.kappa = optional_from<double>(json, "kappa");
  report.kappa_max = optional_from<double>(json, "kappa_max");
  report.epsilon = optional_from<double>(json, "epsilon");
  report.sparsity = optional_from<double>(json, "sparsity");
  report.center_error = optional_from<double>(json, "center_error");
  report.center_landmarks = optional_from<Index>(json, "center_landmarks");
  report.model_bytes = json.at("model_bytes");
  report.weighted_rows = optional_from<Index>(json, "weighted_rows");
  for (const Json& row : json.at("extreme_rows"))
    report.extreme_rows.push_back(
        {row.at("index"), row.at("id").is_string() ? row.at("id").get<std::string>() : "", row.at("weight")});
  for (const Json& start : json.at("starts"))
    report.starts.push_back({start.at("name"), number_from_json(start.at("objective")), start.at("is_best")});
}

// kappa / kappa_max, or null if one of them is unknown.
Json ratio_of(const FitReport& report) {
  if (!report.kappa || !report.kappa_max || !(*report.kappa_max > 0)) return nullptr;
  return number_to_json(*report.kappa / *report.kappa_max);
}

Json limits_to_json(const std::optional<Limits>& limits) {
  if (!limits) return nullptr;
  return {{"kind", to_string(limits->kind)},
          {"level", limits->level},
          {"t2", number_to_json(limits->t2)},
          {"spe", number_to_json(limits->spe)},
          {"rows", limits->rows}};
}

std::optional<Limits> limits_from_json(const Json& json) {
  if (json.is_null()) return {};
  return Limits{.kind = parse_limit_kind(json.at("kind").get<std::string>()),
                .level = json.at("level"),
                .t2 = number_from_json(json.at("t2")),
                .spe = number_from_json(json.at("spe")),
                .rows = json.at("rows")};
}

Json plan_to_json(const MemoryPlan& plan) {
  return {{"gram", to_string(plan.gram)},  {"precision", to_string(plan.precision)}, {"gram_bytes", plan.gram_bytes},
          {"data_bytes", plan.data_bytes}, {"solver_bytes", plan.solver_bytes},      {"budget", plan.budget}};
}

MemoryPlan plan_from_json(const Json& json) {
  return {.gram = parse_gram_mode(json.at("gram").get<std::string>()),
          .precision = precision_from_json(json.at("precision")),
          .gram_bytes = json.at("gram_bytes"),
          .data_bytes = json.at("data_bytes"),
          .solver_bytes = json.at("solver_bytes"),
          .budget = json.at("budget")};
}

Json seconds_to_json(const std::vector<std::pair<std::string, double>>& stages) {
  Json seconds = Json::object();
  double total = 0;
  for (const auto& [stage, value] : stages) {
    seconds[stage] = number_to_json(value);
    total += value;
  }
  seconds["total"] = number_to_json(total);
  return seconds;
}

}  // namespace

Json report_to_json(const FitReport& report) {
  return {{"status", to_string(report.status)},
          {"message", report.message},
          {"solver", to_string(report.solver)},
          {"solver_reason", report.solver_reason},
          {"gram", to_string(report.gram)},
          {"precision", to_string(report.precision)},
          {"n_samples", report.n_samples},
          {"n_features", report.n_features},
          {"features_used", report.features_used},
          {"n_components", report.n_components},
          {"nonzeros", optional_to_json(report.nonzeros)},
          {"gamma", optional_to_json(report.gamma)},
          {"products", report.products},
          {"product_columns", report.product_columns},
          {"kernel_columns", report.kernel_columns},
          {"iterations", report.iterations},
          {"tol", number_to_json(report.tol)},
          {"eta", number_to_json(report.eta)},
          {"eta_kind", to_string(report.eta_kind)},
          {"dual_objective", number_to_json(report.dual_objective)},
          {"primal_objective", number_to_json(report.primal_objective)},
          {"eigenvalues", numbers(report.eigenvalues)},
          {"explained_variance_ratio", numbers(report.explained_variance_ratio)},
          {"support_size", report.support_size},
          {"loss", to_string(report.loss)},
          {"norm", optional_to_json(report.norm)},
          {"kappa", optional_to_json(report.kappa)},
          {"kappa_max", optional_to_json(report.kappa_max)},
          {"kappa_ratio", ratio_of(report)},
          {"epsilon", optional_to_json(report.epsilon)},
          {"sparsity", optional_to_json(report.sparsity)},
          {"center_error", optional_to_json(report.center_error)},
          {"center_landmarks", optional_to_json(report.center_landmarks)},
          {"stored_rows", report.stored_rows},
          {"model_bytes", report.model_bytes},
          {"weighted_rows", optional_to_json(report.weighted_rows)},
          {"extreme_rows", extreme_rows_to_json(report.extreme_rows)},
          {"starts", starts_to_json(report.starts)},
          {"landmarks", optional_to_json(report.landmarks)},
          {"trace_interval", report.trace_interval ? Json(*report.trace_interval) : Json(nullptr)},
          {"plan", plan_to_json(report.plan)},
          {"peak_memory_bytes", report.peak_memory_bytes},
          {"seconds", seconds_to_json(report.seconds)},
          {"limits", limits_to_json(report.limits)},
          {"notes", report.notes}};
}

FitReport report_from_json(const Json& json) {
  FitReport report;
  report.status = one_of_from_json(json.at("status"), "status",
                                   {Status::converged, Status::iteration_limit, Status::time_limit, Status::stopped});
  report.message = json.at("message");
  report.solver = parse_solver(json.at("solver").get<std::string>());
  report.solver_reason = json.value("solver_reason", std::string());  // not in early files
  report.gram = parse_gram_mode(json.at("gram").get<std::string>());
  report.precision = precision_from_json(json.at("precision"));
  report.n_samples = json.at("n_samples");
  report.n_features = json.at("n_features");
  report.features_used = json.value("features_used", Index{0});  // not in early files
  report.n_components = json.at("n_components");
  report.nonzeros = optional_from<Index>(json, "nonzeros");
  if (const Json& gamma = json.at("gamma"); !gamma.is_null()) report.gamma = gamma.get<double>();
  report.products = json.at("products");
  report.product_columns = json.at("product_columns");
  report.kernel_columns = json.at("kernel_columns");
  report.iterations = json.at("iterations");
  report.tol = number_from_json(json.at("tol"));
  report.eta = number_from_json(json.at("eta"));
  report.eta_kind =
      one_of_from_json(json.at("eta_kind"), "eta_kind", {EtaKind::estimated, EtaKind::certified, EtaKind::stationary});
  report.dual_objective = number_from_json(json.at("dual_objective"));
  report.primal_objective = number_from_json(json.at("primal_objective"));
  report.eigenvalues = numbers_from(json.at("eigenvalues"));
  report.explained_variance_ratio = numbers_from(json.at("explained_variance_ratio"));
  report.support_size = json.at("support_size");
  report.landmarks = optional_from<Index>(json, "landmarks");
  report.stored_rows = json.value("stored_rows", report.landmarks.value_or(report.n_samples));
  loss_report_from_json(json, report);
  if (json.contains("trace_interval") && json["trace_interval"].is_array())
    report.trace_interval = json["trace_interval"].get<std::array<double, 2>>();
  report.plan = plan_from_json(json.at("plan"));
  report.peak_memory_bytes = json.at("peak_memory_bytes");
  for (const auto& [stage, seconds] : json.at("seconds").items())
    if (stage != "total") report.seconds.emplace_back(stage, number_from_json(seconds));
  report.limits = limits_from_json(json.value("limits", Json()));  // not in early files
  report.notes = json.at("notes").get<std::vector<std::string>>();
  return report;
}

std::string version_of(const FitReport& report) { return report.version.empty() ? DUALKPCA_VERSION : report.version; }

}  // namespace dualkpca
