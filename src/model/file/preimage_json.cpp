#include "model/file/preimage_json.hpp"

#include "model/file/json_values.hpp"

namespace dualkpca {
namespace {

template <class T>
std::optional<T> optional_from(const Json& json) {
  return json.is_null() ? std::nullopt : std::optional(json.get<T>());
}

}  // namespace

Json preimage_to_json(const PreimageReport& report) {
  return {{"method", to_string(report.method)},
          {"reason", report.reason},
          {"gamma", optional_to_json(report.gamma)},
          {"alpha", optional_to_json(report.alpha)},
          {"centers", optional_to_json(report.centers)},
          {"loo_error", optional_to_json(report.loo_error)},
          {"weights", optional_to_json(report.weights)},
          {"weighted_rows", optional_to_json(report.weighted_rows)},
          {"noise", report.noise},
          {"is_noise_aware", report.is_noise_aware},
          {"compatibility", to_string(report.compatibility)},
          {"notes", report.notes},
          {"seconds", report.seconds}};
}

PreimageReport preimage_from_json(const Json& json) {
  PreimageReport report;
  report.method = parse_preimage_method(json.at("method").get<std::string>());
  report.reason = json.at("reason");
  report.gamma = optional_from<double>(json.at("gamma"));
  report.alpha = optional_from<double>(json.at("alpha"));
  report.centers = optional_from<Index>(json.at("centers"));
  report.loo_error = optional_from<double>(json.at("loo_error"));
  if (const auto weights = optional_from<std::string>(json.at("weights")))
    report.weights = parse_preimage_weights(*weights);
  report.weighted_rows = optional_from<Index>(json.at("weighted_rows"));
  report.noise = json.at("noise");
  report.is_noise_aware = json.at("is_noise_aware");
  report.compatibility = parse_preimage_compatibility(json.at("compatibility").get<std::string>());
  report.notes = json.at("notes").get<std::vector<std::string>>();
  report.seconds = json.at("seconds");
  return report;
}

}  // namespace dualkpca
