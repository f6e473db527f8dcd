#include "model/fit/fit_notes.hpp"

#include <fmt/format.h>

#include <limits>

#include "model/fit/model_gram.hpp"

namespace dualkpca {
namespace {

const char* advice_on(Precision precision) { return precision == Precision::float32 ? "; use precision float64" : ""; }

bool may_be_indefinite(const ResolvedKernel& kernel) {
  return kernel.is_precomputed() ||
         !KernelParams{.name = kernel.name, .coef0 = kernel.coef0}.is_positive_semidefinite();
}

}  // namespace

std::vector<std::string> notes_on(const KernelPCAParams& params, SolverName solver) {
  std::vector<std::string> notes;
  const KernelParams& kernel = params.kernel;
  const auto unused = [&](const char* option) {
    notes.push_back(fmt::format("{} has no effect with kernel {}", option, to_string(kernel.name)));
  };
  const auto unused_by_solver = [&](const char* option) {
    notes.push_back(fmt::format("{} has no effect with solver {}", option, to_string(solver)));
  };
  if (kernel.gamma.rule != GammaRule::automatic && !uses_gamma(kernel.name)) unused("gamma");
  if (kernel.degree != KernelParams{}.degree && kernel.name != KernelName::poly) unused("degree");
  if (kernel.coef0 != KernelParams{}.coef0 && !uses_coef0(kernel.name)) unused("coef0");
  if (params.scale != Scaling::none && kernel.name == KernelName::precomputed) unused("scale");
  const bool has_landmarks = params.loss.name == LossName::square ? params.solver.name == SolverName::nystrom ||
                                                                        params.solver.name == SolverName::automatic
                                                                  : keeps_support_only(params) && params.center;
  if (params.solver.landmarks != 0 && !has_landmarks) unused_by_solver("landmarks");
  if (solver != SolverName::rsvd) {
    if (params.solver.oversampling != SolverParams{}.oversampling) unused_by_solver("oversampling");
    if (params.solver.power_iterations) unused_by_solver("power_iterations");
  }
  return notes;
}

void note_zeros(FittedModel& model) {
  FitReport& report = model.report;
  const Index count = model.n_components();
  const Index zero = (report.eigenvalues.array() == 0).count();
  if (zero > 0 && model.loss.name == LossName::epsilon_insensitive && model.loss.parameter > 0)
    report.notes.push_back(fmt::format("{} of {} components are zero; a smaller epsilon may keep them", zero, count));
  else if (zero > 0)
    report.notes.push_back(
        fmt::format("{} of {} components are zero: the Gram matrix has no more eigenvalues above rounding in {}{}",
                    zero, count, to_string(model.precision), advice_on(model.precision)));
}

void note_rounding(FittedModel& model, bool centered, double size, double trace) {
  FitReport& report = model.report;
  const char* advice = advice_on(model.precision);
  if (report.explained_variance_ratio.hasNaN()) {
    const std::string reason =
        may_be_indefinite(model.kernel)
            ? "the kernel matrix is not positive semi-definite"
            : fmt::format("rounding in {} is larger than the variance", to_string(model.precision));
    report.notes.push_back(
        fmt::format("{}: the components explain more than the trace, so explained_variance_ratio is undefined{}",
                    reason, may_be_indefinite(model.kernel) ? "" : advice));
    return;
  }
  const double share = epsilon_of(model.precision) * size / std::max(trace, std::numeric_limits<double>::min());
  if (centered && share > 1e-3 && share <= 1)
    report.notes.push_back(
        fmt::format("centring leaves so little of the kernel that rounding in {} is {:.1g} of the variance{}",
                    to_string(model.precision), share, advice));
  if (centered && share > 1)
    report.notes.push_back(
        fmt::format("centring leaves nothing of the kernel but rounding in {}{}", to_string(model.precision), advice));
}

}  // namespace dualkpca
