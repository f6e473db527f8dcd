#pragma once

#include <pybind11/pybind11.h>

#include "dualkpca/model/kernel_pca_params.hpp"
#include "dualkpca/model/preimage.hpp"

namespace dualkpca::python {

/// Returns the parameters of a fit for keywords with the names of the fields. Every field has to be there; None means
/// its default. Throws InvalidArgument for invalid values, TypeError for wrong types and unknown or missing names.
[[nodiscard]] KernelPCAParams params_from(const pybind11::dict& keywords);
/// Returns the parameters of the inverse transform likewise. Fields that are missing have their defaults.
[[nodiscard]] PreimageParams preimage_params_from(const pybind11::dict& keywords);

/// Returns the value of every field under its name. None stands for a number that is not given.
[[nodiscard]] pybind11::dict keywords_from(const KernelPCAParams& params);

/// Returns the option of each field of a fit under the name of the field; None if the command has no such option.
[[nodiscard]] pybind11::dict fit_fields();

}  // namespace dualkpca::python
