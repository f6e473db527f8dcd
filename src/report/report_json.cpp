#include "dualkpca/report/report.hpp"
#include "model/file/fit_report_json.hpp"
#include "model/file/params_json.hpp"
#include "model/file/preimage_json.hpp"

namespace dualkpca {

std::string report_json(const KernelPCA& model) {
  Json json = report_to_json(model.report());
  // If a parameter and a result share a name (gamma, solver, precision), the report has the value that was used.
  const Json params = params_to_json(model.params());
  for (const auto& [name, value] : params.items())
    if (!json.contains(name)) json[name] = value;
  const KernelName kernel = model.params().kernel.name;
  if (kernel != KernelName::poly) json["degree"] = nullptr;
  if (!uses_coef0(kernel)) json["coef0"] = nullptr;
  if (model.report().solver != SolverName::rsvd) json["oversampling"] = json["power_iterations"] = nullptr;
  json["preimage"] = model.inverse_report() == nullptr ? Json(nullptr) : preimage_to_json(*model.inverse_report());
  json["version"] = version_of(model.report());
  return json.dump(2, ' ', true, Json::error_handler_t::replace) + "\n";
}

}  // namespace dualkpca
