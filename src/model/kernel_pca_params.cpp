#include "dualkpca/model/kernel_pca_params.hpp"

#include <fmt/format.h>

#include <charconv>

#include "dualkpca/core/errors.hpp"

namespace dualkpca {

Components parse_components(std::string_view text) {
  const char* end = text.data() + text.size();
  Index count = 0;
  if (const auto [at, error] = std::from_chars(text.data(), end, count);
      error == std::errc{} && at == end && count >= 1)
    return count;
  double fraction = 0;
  if (const auto [at, error] = std::from_chars(text.data(), end, fraction);
      error == std::errc{} && at == end && fraction > 0 && fraction < 1)
    return fraction;
  throw InvalidArgument(
      fmt::format("n_components is '{}'; it must be a number from 1 to the number of rows, or a share of the "
                  "variance between 0 and 1",
                  text));
}

namespace {

// Checks the loss against solver, accuracy and kernel.
void require_compatible(const KernelPCAParams& params) {
  if (params.loss.name == LossName::square) return;
  const std::string_view loss = to_string(params.loss.name);
  const SolverName solver = params.solver.name;
  if (solver != SolverName::automatic && solver != SolverName::panoc && solver != SolverName::dca)
    throw InvalidArgument(
        fmt::format("solver {} supports only the square loss; with loss {} it must be auto, panoc or dca",
                    to_string(solver), loss));
  if (params.solver.accuracy == Accuracy::certified)
    throw InvalidArgument(fmt::format(
        "accuracy certified exists for the square loss only, since loss {} has local minima; use accuracy estimated",
        loss));
  if (params.kernel.name != KernelName::precomputed && !params.kernel.is_positive_semidefinite())
    throw InvalidArgument(fmt::format("loss {} needs a positive semi-definite kernel, which {} is not{}", loss,
                                      to_string(params.kernel.name),
                                      params.kernel.name == KernelName::poly ? " with a negative coef0" : ""));
}

}  // namespace

void KernelPCAParams::validate(Index n_samples) const {
  if (n_components.fraction != 0) {
    if (!(n_components.fraction > 0 && n_components.fraction < 1))
      throw InvalidArgument(
          fmt::format("n_components is {}; a share of the variance must be in (0, 1)", n_components.fraction));
  } else if (n_components.count < 1 || n_components.count > n_samples) {
    throw InvalidArgument(fmt::format("n_components is {}; with {} {} it must be in 1..{}", n_components.count,
                                      n_samples, lags > 0 ? "samples of lagged rows" : "rows", n_samples));
  }
  kernel.validate();
  loss.validate();
  solver.validate();
  require_compatible(*this);
  if (solver.accuracy == Accuracy::certified && kernel.name != KernelName::precomputed &&
      !kernel.is_positive_semidefinite())
    throw InvalidArgument(fmt::format("accuracy certified needs a positive semi-definite kernel, which {} is not{}",
                                      to_string(kernel.name),
                                      kernel.name == KernelName::poly ? " with a negative coef0" : ""));
  if (lags < 0) throw InvalidArgument(fmt::format("lags is {}; it must be 0 (none) or positive", lags));
  if (lags > 0 && kernel.name == KernelName::precomputed)
    throw InvalidArgument(fmt::format("lags is {}; the rows of a given kernel matrix cannot be lagged", lags));
  monitor.validate();
  const LimitKind limits = monitor.limits;
  if (kernel.name == KernelName::precomputed && limits != LimitKind::none && limits != LimitKind::automatic)
    throw InvalidArgument(
        fmt::format("limits is {}; SPE needs k(x, x), which a precomputed kernel does not contain", to_string(limits)));
  if (threads < 0) throw InvalidArgument(fmt::format("threads is {}; it must be 0 (all) or positive", threads));
  if (solver.accuracy == Accuracy::certified && kernel.name == KernelName::precomputed &&
      solver.name == SolverName::nystrom)
    throw InvalidArgument(
        "accuracy certified with solver nystrom needs a kernel known to be positive semi-definite, which a given "
        "matrix is not; choose solver krylov");
}

}  // namespace dualkpca
