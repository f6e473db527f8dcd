#include "model/file/preimage_json.hpp"

namespace dualkpca {
namespace {

template <class T>
std::optional<T> optional_from(const Json& json) {
  return json.is_null() ? std::nullopt : std::optional(json.get<T>());
}

}  // namespace

Json preimage_to_json(const PreimageReport& report) {
  return {{"method", report.method},
          {"reason", report.reason},
          {"gamma", optional_to_json(report.gamma)},
          {"alpha", optional_to_json(report.alpha)},
          {"centers", optional_to_json(report.centers)},
          {"loo_error", optional_to_json(report.loo_error)},
          {"weights", report.weights.empty() ? Json(nullptr) : Json(report.weights)},
          {"weighted_rows", optional_to_json(report.weighted_rows)},
          {"noise", report.noise},
          {"is_noise_aware", report.is_noise_aware},
          {"compatibility", report.compatibility},
          {"notes", report.notes},
          {"seconds", report.seconds}};
}

PreimageReport preimage_from_json(const Json& json) {
  PreimageReport report;
  report.method = json.at("method");
  report.reason = json.at("reason");
  report.gamma = optional_from<double>(json.at("gamma"));
  report.alpha = optional_from<double>(json.at("alpha"));
  report.centers = optional_from<Index>(json.at("centers"));
  report.loo_error = optional_from<double>(json.at("loo_error"));
  report.weights = optional_from<std::string>(json.at("weights")).value_or("");
  report.weighted_rows = optional_from<Index>(json.at("weighted_rows"));
  report.noise = json.at("noise");
  report.is_noise_aware = json.at("is_noise_aware");
  report.compatibility = json.at("compatibility");
  report.notes = json.at("notes").get<std::vector<std::string>>();
  report.seconds = json.at("seconds");
  return report;
}

}  // namespace dualkpca
