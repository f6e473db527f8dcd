#include <fmt/format.h>

#include "dualkpca/report/report.hpp"
#include "model/file/json_values.hpp"

namespace dualkpca {
std::string check_json(const CheckReport& report) {
  const Json json = {{"status", to_string(report.status)},
                     {"message", report.message},
                     {"eta", number_to_json(report.eta)},
                     {"eta_kind", to_string(report.eta_kind)},
                     {"eta_low", number_to_json(report.eta_low)},
                     {"tol", number_to_json(report.tol)},
                     {"dual_objective", number_to_json(report.dual_objective)},
                     {"upper_bound", number_to_json(report.upper_bound)},
                     {"lower_bound", number_to_json(report.lower_bound)},
                     {"precision", to_string(report.precision)},
                     {"products", report.products},
                     {"product_columns", report.product_columns},
                     {"kernel_columns", report.kernel_columns},
                     {"seconds", number_to_json(report.seconds)}};
  return json.dump(2) + "\n";
}

std::string check_text(const CheckReport& report) {
  const bool met = report.eta <= report.tol;
  const char* ending = report.products == 1 ? "" : "s";
  if (report.eta_kind == EtaKind::stationary)
    return fmt::format(
        "eta            {:.3g} (stationary: residual of the equations of a critical point)\n"
        "tolerance      {:.3g}: {}\n"
        "objective      d(H) = {:.10g}\n"
        "work           {} product{} with {} columns in {}, {:.2f} seconds\n",
        report.eta, report.tol, met ? "met" : "not met", report.dual_objective, report.products, ending,
        report.product_columns, to_string(report.precision), report.seconds);
  if (report.eta_kind == EtaKind::estimated)  // the kernel may be indefinite, so there are no bounds
    return fmt::format(
        "eta            about {:.3g} (estimated: for a kernel that may be indefinite there is no bound)\n"
        "tolerance      {:.3g}: {}\n"
        "objective      d(H) = {:.10g}\n"
        "work           {} product{} with {} columns in {}, {:.2f} seconds\n",
        report.eta, report.tol, met ? "met by the estimate" : "not met by the estimate", report.dual_objective,
        report.products, ending, report.product_columns, to_string(report.precision), report.seconds);
  return fmt::format(
      "eta            at most {:.3g} ({}), at least {:.3g}\n"
      "tolerance      {:.3g}: {}\n"
      "objective      d(H) = {:.10g}; the optimum is between {:.10g} and {:.10g}\n"
      "work           {} product{} with {} columns in {}, {:.2f} seconds\n{}",
      report.eta, to_string(report.eta_kind), report.eta_low, report.tol,
      met                           ? "met"
      : report.eta_low > report.tol ? "not met"
                                    : "not shown to be met",
      report.dual_objective, -0.5 * report.upper_bound, -0.5 * report.lower_bound, report.products, ending,
      report.product_columns, to_string(report.precision), report.seconds,
      report.message.empty() ? "" : "note           " + report.message + "\n");
}

}  // namespace dualkpca
