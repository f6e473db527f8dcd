#pragma once

#include <pybind11/pybind11.h>

#include "dualkpca/model/kernel_pca_params.hpp"
#include "dualkpca/model/preimage.hpp"

namespace dualkpca::python {

/// From keywords that have the names of the fields. Every field has to be there; None means its default. Throws
/// InvalidArgument for values that are none, TypeError for other types, and for names that are unknown or missing.
[[nodiscard]] KernelPCAParams params_from(const pybind11::dict& keywords);
/// Likewise, but fields may be missing and have their defaults then.
[[nodiscard]] PreimageParams preimage_params_from(const pybind11::dict& keywords);

/// Every field under its name. None stands for a number that is not given.
[[nodiscard]] pybind11::dict keywords_from(const KernelPCAParams& params);

/// The names of the fields of a fit with their options; None where the command has no such option.
[[nodiscard]] pybind11::dict fit_fields();

}  // namespace dualkpca::python
