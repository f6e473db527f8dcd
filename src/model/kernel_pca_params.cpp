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

void KernelPCAParams::validate(Index n_samples) const {
  if (n_components.fraction != 0) {
    if (!(n_components.fraction > 0 && n_components.fraction < 1))
      throw InvalidArgument(
          fmt::format("n_components is {}; a share of the variance must be in (0, 1)", n_components.fraction));
  } else if (n_components.count < 1 || n_components.count > n_samples) {
    throw InvalidArgument(
        fmt::format("n_components is {}; with {} rows it must be in 1..{}", n_components.count, n_samples, n_samples));
  }
  kernel.validate();
  solver.validate();
  if (solver.accuracy == Accuracy::certified && kernel.name != KernelName::precomputed &&
      !kernel.is_positive_semidefinite())
    throw InvalidArgument(fmt::format("accuracy certified needs a positive semi-definite kernel, and {} is none{}",
                                      to_string(kernel.name),
                                      kernel.name == KernelName::poly ? " with a negative coef0" : ""));
  if (threads < 0) throw InvalidArgument(fmt::format("threads is {}; it must be 0 (all) or positive", threads));
  if (solver.accuracy == Accuracy::certified && kernel.name == KernelName::precomputed &&
      solver.name == SolverName::nystrom)
    throw InvalidArgument(
        "accuracy certified with solver nystrom needs a kernel known to be positive semi-definite; of a given matrix "
        "nobody knows, so choose solver krylov");
}

}  // namespace dualkpca
