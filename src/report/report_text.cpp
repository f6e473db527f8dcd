#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

#include "data/io/text.hpp"
#include "dualkpca/core/memory.hpp"
#include "dualkpca/kernel/kernel.hpp"
#include "dualkpca/report/report.hpp"
#include "model/file/fit_report_json.hpp"
#include "model/file/params_json.hpp"

namespace dualkpca {
namespace {

constexpr Index components_in_summary = 10;

std::string plural(Index count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

// Formats a line. Some of the text comes from a model file, so characters that could steer a terminal are not printed.
std::string line(std::string_view name, std::string_view value) {
  return fmt::format("{:<15}{}\n", name, printable(value, value.size()));
}

// `nonzeros`: stored entries of sparse rows; unset for dense rows.
std::string shape_text(Index n, Index d, std::optional<Index> nonzeros) {
  std::string shape = fmt::format("{} x {}", plural(n, "row"), plural(d, "feature"));
  if (!nonzeros) return shape;
  const double share = 100 * static_cast<double>(*nonzeros) / (static_cast<double>(n) * static_cast<double>(d));
  return shape + fmt::format(", sparse: {} entries ({:.3g} %)", *nonzeros, share);
}

std::string data_line(const FitReport& report) {
  return line("data", shape_text(report.n_samples, report.n_features, report.nonzeros));
}

std::string kernel_line(const KernelPCAParams& params, const FitReport& report) {
  std::string text(to_string(params.kernel.name));
  if (report.gamma) text += fmt::format(", gamma {:.6g}", *report.gamma);
  if (params.kernel.name == KernelName::poly) text += fmt::format(", degree {}", params.kernel.degree);
  if (uses_coef0(params.kernel.name)) text += fmt::format(", coef0 {:.6g}", params.kernel.coef0);
  text += params.center ? ", centred" : ", not centred";
  if (params.scale != Scaling::none && params.kernel.name != KernelName::precomputed)
    text += fmt::format(", columns scaled: {}", to_string(params.scale));
  return line("kernel", text);
}

std::string loss_line(const FitReport& report) {
  if (!report.norm) return line("loss", to_string(report.loss));
  std::string text = fmt::format("{}, norm {}", to_string(report.loss), to_string(*report.norm));
  if (report.kappa) text += fmt::format(", kappa {:.6g}", *report.kappa);
  if (report.kappa && report.kappa_max && *report.kappa_max > 0)
    text += fmt::format(" ({:.4g} of kappa_max)", *report.kappa / *report.kappa_max);
  if (report.epsilon) text += fmt::format(", epsilon {:.6g}", *report.epsilon);
  return line("loss", text);
}

std::string support_line(const FitReport& report) {
  std::string text = fmt::format("{} of {}", report.support_size, plural(report.n_samples, "row"));
  if (report.epsilon && report.sparsity && report.norm)
    text += fmt::format(", {:.1f} % of the {} zero", 100 * *report.sparsity, to_string(*report.norm));
  if (report.center_landmarks)
    text += fmt::format("; centre on {}, {:.2g} from the mean", plural(*report.center_landmarks, "row"),
                        report.center_error.value_or(0));
  return line("support", text);
}

std::string size_line(const FitReport& report) {
  if (report.model_bytes == 0) return "";  // the model file predates this field
  return line("model size",
              fmt::format("{} with {}", format_bytes(report.model_bytes), plural(report.stored_rows, "row")));
}

std::string starts_lines(const FitReport& report) {
  std::string text;
  if (report.starts.size() < 2) return text;
  for (const StartReport& start : report.starts)
    text += line(text.empty() ? "starts" : "",
                 fmt::format("{:<14}{:.8g}{}", start.name, start.objective, start.is_best ? "  taken" : ""));
  return text;
}

// The features of a bounded kernel have bounded length, so the scores of a gross outlier are no larger than others, and
// it is hardly clipped.
bool is_bounded(KernelName kernel) { return is_shift_invariant(kernel) || kernel == KernelName::cosine; }

// Rows are counted from 1, as in messages about data.
std::string weights_lines(KernelName kernel, const FitReport& report) {
  if (!report.weighted_rows) return "";
  std::string text =
      line("row weights", fmt::format("{} of {} {}", *report.weighted_rows, plural(report.n_samples, "row"),
                                      report.kappa ? "clipped" : "shrunk"));
  for (std::size_t i = 0; i < report.extreme_rows.size(); ++i) {
    const ExtremeRow& row = report.extreme_rows[i];
    text += line(
        i > 0          ? ""
        : report.kappa ? "clipped most"
                       : "kept best",
        fmt::format("row {}{}, weight {:.4g}", row.index + 1, row.id.empty() ? "" : " (" + row.id + ")", row.weight));
  }
  if (report.kappa && is_bounded(kernel))
    text +=
        line("", fmt::format("with kernel {} weights are no outlier scores: use dualkpca score", to_string(kernel)));
  return text;
}

std::string limits_line(const FitReport& report) {
  if (!report.limits) return "";
  const Limits& limits = *report.limits;
  return line("limits", fmt::format("T2 {:.4g}, SPE {:.4g} at level {:g} ({}, {})", limits.t2, limits.spe, limits.level,
                                    to_string(limits.kind), plural(limits.rows, "row")));
}

std::string status_line(const FitReport& report) {
  std::string text(to_string(report.status));
  std::replace(text.begin(), text.end(), '_', ' ');
  text += fmt::format(", eta {:.2e} ({}), tol {:.2e}", report.eta, to_string(report.eta_kind), report.tol);
  if (!report.message.empty()) text += ": " + report.message;
  return line("status", text);
}

std::string work_line(const FitReport& report) {
  const std::string why = report.solver_reason.empty() ? "" : line("", "because " + report.solver_reason);
  if (report.landmarks)
    return line("solver", fmt::format("{}, {} of {}, no product with the Gram matrix", to_string(report.solver),
                                      plural(*report.landmarks, "landmark"), plural(report.n_samples, "row"))) +
           why;
  return line("solver", fmt::format("{}, {}, {} with a {} Gram matrix in {}", to_string(report.solver),
                                    plural(report.iterations, "iteration"), plural(report.products, "product"),
                                    to_string(report.gram), to_string(report.precision))) +
         why;
}

std::string time_line(const FitReport& report) {
  double total = 0;
  std::vector<std::string> stages;
  for (const auto& [stage, seconds] : report.seconds) {
    total += seconds;
    stages.push_back(fmt::format("{} {:.2f}", stage, seconds));
  }
  return line("seconds", stages.empty() ? fmt::format("{:.2f}", total)
                                        : fmt::format("{:.2f} ({})", total, fmt::join(stages, ", ")));
}

std::string components_table(const FitReport& report, Index shown) {
  std::string text = fmt::format("\n{:>9}  {:>14}  {:>10}  {:>10}\n", "component", "eigenvalue", "ratio", "cumulative");
  double cumulative = 0;
  for (Index j = 0; j < std::min(shown, report.n_components); ++j) {
    const double ratio = report.explained_variance_ratio[j];
    cumulative += ratio;
    text += fmt::format("{:>9}  {:>14.6g}  {:>10.6f}  {:>10.6f}\n", j + 1, report.eigenvalues[j], ratio, cumulative);
  }
  if (shown < report.n_components)
    text += fmt::format("{:>9}  {} more, {:.6f} with all of them\n", "...", report.n_components - shown,
                        report.explained_variance_ratio.sum());
  return text;
}

std::string notes(const FitReport& report) {
  std::string text;
  for (const std::string& note : report.notes) text += line("note", note);
  return text;
}

std::string results(const KernelPCA& model, Index shown) {
  const FitReport& report = model.report();
  const bool square = !report.norm;
  return status_line(report) + work_line(report) + (square ? "" : loss_line(report) + support_line(report)) +
         starts_lines(report) + time_line(report) + line("peak memory", format_bytes(report.peak_memory_bytes)) +
         size_line(report) + preimage_text(model) + weights_lines(model.params().kernel.name, report) +
         limits_line(report) + notes(report) + components_table(report, shown);
}

std::string parameters(const KernelPCAParams& params) {
  static const std::map<std::string, std::string_view> meaning_of_zero = {
      {"time_limit", "none"}, {"memory", "what was available"}, {"threads", "all"}};
  std::string text = "\nfitted with\n";
  const Json json = params_to_json(params);
  for (const auto& [name, value] : json.items()) {
    if (name == "degree" && params.kernel.name != KernelName::poly) continue;
    if (value.is_null() || (name == "norm" && params.loss.name == LossName::square)) continue;
    if (name == "coef0" && !uses_coef0(params.kernel.name)) continue;
    if ((name == "oversampling" || name == "power_iterations") && params.solver.name != SolverName::rsvd) continue;
    std::string shown = value.is_string() ? value.get<std::string>() : value.dump();
    if (const auto zero = meaning_of_zero.find(name); zero != meaning_of_zero.end() && value == 0) shown = zero->second;
    text += "  " + line(name, shown);
  }
  return text;
}

}  // namespace

std::string plan_text(const MemoryPlan& plan, const SamplesView& X) {
  const auto part = [](std::string_view name, std::size_t bytes) {
    return fmt::format("  {:<22}{:>12}\n", name, format_bytes(bytes));
  };
  const auto nonzeros = X.is_sparse() ? std::optional(X.nonzeros()) : std::nullopt;
  return shape_text(X.rows(), X.cols(), nonzeros) + "\n" +
         fmt::format("memory plan: {} of {}\n", format_bytes(plan.total()), format_bytes(plan.budget)) +
         (plan.gram_bytes == 0 ? std::string("  no Gram matrix: landmarks\n")
                               : part(fmt::format("Gram matrix, {}", to_string(plan.precision)), plan.gram_bytes)) +
         part("data", plan.data_bytes) + part("solver", plan.solver_bytes);
}

std::string preimage_text(const KernelPCA& model) {
  const PreimageReport* report = model.inverse_report();
  if (report == nullptr) return "";
  std::string text(to_string(report->method));
  if (report->compatibility != PreimageCompatibility::none)
    text +=
        fmt::format(" as {}'s", report->compatibility == PreimageCompatibility::paper ? "the paper" : "scikit-learn");
  if (report->gamma) text += fmt::format(", gamma {:.4g}", *report->gamma);
  if (report->alpha) text += fmt::format(", alpha {:.4g}", *report->alpha);
  if (report->centers) text += fmt::format(", {}", plural(*report->centers, "centre"));
  if (report->loo_error) text += fmt::format(", left-out error {:.4g}", *report->loo_error);
  if (report->weighted_rows && report->weights)
    text += fmt::format(", weights {}: {} below a half", to_string(*report->weights),
                        plural(*report->weighted_rows, "row"));
  if (report->noise > 0)
    text += fmt::format(", noise {:.4g}{}", report->noise, report->is_noise_aware ? " learnt" : " too small to matter");
  text += fmt::format(", {:.2f} s", report->seconds);
  std::string lines = line("pre-images", text);
  if (!report->reason.empty()) lines += line("", "because " + report->reason);
  for (const std::string& note : report->notes) lines += line("note", note);
  return lines;
}

std::string summary_text(const KernelPCA& model) { return results(model, components_in_summary); }

std::string info_text(const KernelPCA& model) {
  const FitReport& report = model.report();
  return line("model", fmt::format("dualkpca {}", version_of(report))) + data_line(report) +
         kernel_line(model.params(), report) + line("components", std::to_string(report.n_components)) +
         (!report.norm ? loss_line(report) + support_line(report) : "") +
         line("objective", fmt::format("{}primal {:.10g}",
                                       report.landmarks ? "" : fmt::format("dual {:.10g}, ", report.dual_objective),
                                       report.primal_objective)) +
         results(model, report.n_components) + parameters(model.params());
}

}  // namespace dualkpca
