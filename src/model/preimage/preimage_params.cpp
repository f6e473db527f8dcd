#include <cmath>

#include "core/names.hpp"
#include "dualkpca/model/preimage.hpp"

namespace dualkpca {
namespace {

constexpr NameTable<PreimageMethod, 5> methods = {{{PreimageMethod::automatic, "auto"},
                                                   {PreimageMethod::ridge, "ridge"},
                                                   {PreimageMethod::fixed_point, "fixed_point"},
                                                   {PreimageMethod::distance, "distance"},
                                                   {PreimageMethod::linear, "linear"}}};
constexpr NameTable<PreimageWeights, 6> weight_names = {{{PreimageWeights::automatic, "auto"},
                                                         {PreimageWeights::none, "none"},
                                                         {PreimageWeights::huber, "huber"},
                                                         {PreimageWeights::huber_spe, "huber_spe"},
                                                         {PreimageWeights::dual, "dual"},
                                                         {PreimageWeights::density, "density"}}};
constexpr NameTable<PreimageCompatibility, 3> compatibilities = {{{PreimageCompatibility::none, "none"},
                                                                  {PreimageCompatibility::sklearn, "sklearn"},
                                                                  {PreimageCompatibility::paper, "paper"}}};

void require_positive(const char* name, const std::optional<double>& value) {
  if (value && !(*value > 0 && std::isfinite(*value)))
    throw InvalidArgument(fmt::format("{} is {}; it must be a positive number", name, *value));
}

}  // namespace

std::string_view to_string(PreimageMethod method) { return name_of(methods, method); }
std::string_view to_string(PreimageWeights weights) { return name_of(weight_names, weights); }
std::string_view to_string(PreimageCompatibility compatibility) { return name_of(compatibilities, compatibility); }

PreimageMethod parse_preimage_method(std::string_view name) { return parse_name(methods, "preimage", name); }
PreimageWeights parse_preimage_weights(std::string_view name) {
  return parse_name(weight_names, "preimage_weights", name);
}
PreimageCompatibility parse_preimage_compatibility(std::string_view name) {
  return parse_name(compatibilities, "preimage_compat", name);
}

void PreimageParams::validate(const KernelPCAParams& fit) const {
  const KernelName kernel = fit.kernel.name;
  if (kernel == KernelName::precomputed)
    throw InvalidArgument("there are no pre-images with kernel precomputed: the model does not contain the rows");
  const auto require = [&](bool goes_together, const char* kernels) {
    if (!goes_together)
      throw InvalidArgument(fmt::format("preimage {} exists for kernel {} only, not for {}", to_string(method), kernels,
                                        to_string(kernel)));
  };
  const bool is_euclidean = is_shift_invariant(kernel) && kernel != KernelName::laplacian;
  if (method == PreimageMethod::linear) require(kernel == KernelName::linear, "linear");
  if (method == PreimageMethod::fixed_point) require(is_euclidean, "rbf, laplace, matern32 and matern52");
  if (method == PreimageMethod::distance)
    require(kernel == KernelName::rbf || kernel == KernelName::laplace, "rbf and laplace");
  if (weights == PreimageWeights::dual && fit.loss.name == LossName::square)
    throw InvalidArgument("preimage_weights dual needs a fit with loss huber or epsilon_insensitive");
  if (compatibility == PreimageCompatibility::paper && fit.solver.name == SolverName::nystrom)
    throw InvalidArgument("preimage_compat paper needs dual variables, which solver nystrom does not give");
  if (weights == PreimageWeights::density && !is_shift_invariant(kernel))
    throw InvalidArgument(
        fmt::format("preimage_weights density exists for kernels of the distance only, not for {}", to_string(kernel)));
  require_positive("preimage_gamma", gamma);
  require_positive("preimage_alpha", alpha);
  if (centers < 1) throw InvalidArgument(fmt::format("preimage_centers is {}; it must be at least 1", centers));
  if (!(noise >= 0 && std::isfinite(noise)))
    throw InvalidArgument(fmt::format("noise is {}; it must be 0 or a positive number", noise));
  const bool compatible = compatibility != PreimageCompatibility::none;
  if (compatible && method != PreimageMethod::automatic && method != PreimageMethod::ridge)
    throw InvalidArgument(
        fmt::format("preimage_compat {} needs preimage ridge, not {}", to_string(compatibility), to_string(method)));
  if (compatible && gamma)
    throw InvalidArgument(fmt::format("preimage_compat {} takes the kernel of the fit: preimage_gamma cannot be given",
                                      to_string(compatibility)));
  if (compatible && noise > 0)
    throw InvalidArgument(
        fmt::format("preimage_compat {} does not support noise; set noise to 0", to_string(compatibility)));
  if (compatible && weights != PreimageWeights::automatic && weights != PreimageWeights::none)
    throw InvalidArgument(
        fmt::format("preimage_compat {} does not support preimage_weights; use none", to_string(compatibility)));
}

}  // namespace dualkpca
