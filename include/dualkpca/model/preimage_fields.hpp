#pragma once

#include <concepts>
#include <type_traits>

#include "dualkpca/model/field.hpp"
#include "dualkpca/model/preimage.hpp"

namespace dualkpca {

inline void set_by_name(PreimageMethod& value, std::string_view name) { value = parse_preimage_method(name); }
inline void set_by_name(PreimageWeights& value, std::string_view name) { value = parse_preimage_weights(name); }
inline void set_by_name(PreimageCompatibility& value, std::string_view name) {
  value = parse_preimage_compatibility(name);
}

/// The parameters of the inverse transform under their names. The seed is hidden: the command takes that of the fit.
namespace preimage_fields {

inline constexpr Field method{.name = "method",
                              .group = FieldGroup::preimage,
                              .option = "preimage",
                              .help = "method of the inverse transform",
                              .choices = "auto, ridge, fixed_point, distance, linear"};
inline constexpr Field gamma{.name = "gamma",
                             .group = FieldGroup::preimage,
                             .option = "preimage_gamma",
                             .value = "VALUE",
                             .help = "ridge: inverse width of its rbf kernel between scores",
                             .standard = ": by leave-one-out"};
inline constexpr Field alpha{.name = "alpha",
                             .group = FieldGroup::preimage,
                             .option = "preimage_alpha",
                             .value = "VALUE",
                             .help = "regularisation strength of the ridge regression",
                             .standard = ": by leave-one-out"};
inline constexpr Field centers{.name = "centers",
                               .group = FieldGroup::preimage,
                               .option = "preimage_centers",
                               .value = "N",
                               .help = "ridge: largest number of training rows used as centres",
                               .lowest = 1};
inline constexpr Field weights{.name = "weights",
                               .group = FieldGroup::preimage,
                               .option = "preimage_weights",
                               .help = "ridge: weights of the training rows",
                               .choices = "auto, none, huber, huber_spe, dual, density"};
inline constexpr Field compatibility{.name = "compatibility",
                                     .group = FieldGroup::preimage,
                                     .option = "preimage_compat",
                                     .help = "ridge: program whose numbers it reproduces",
                                     .choices = "none, sklearn, paper"};
inline constexpr Field noise{.name = "noise",
                             .group = FieldGroup::noise,
                             .value = "SD",
                             .help = "ridge: standard deviation of the noise, in scaled units"};
inline constexpr Field seed{.name = "seed"};

}  // namespace preimage_fields

/// Calls visit(field, member) for every parameter of the inverse transform. `Params` may be const.
template <class Params, class Visit>
requires std::same_as<std::remove_const_t<Params>, PreimageParams>
void for_each_field(Params& params, const Visit& visit) {
  visit(preimage_fields::method, params.method);
  visit(preimage_fields::gamma, params.gamma);
  visit(preimage_fields::alpha, params.alpha);
  visit(preimage_fields::centers, params.centers);
  visit(preimage_fields::weights, params.weights);
  visit(preimage_fields::compatibility, params.compatibility);
  visit(preimage_fields::noise, params.noise);
  visit(preimage_fields::seed, params.seed);
}

}  // namespace dualkpca
