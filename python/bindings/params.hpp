#pragma once

#include <pybind11/pybind11.h>

#include "dualkpca/model/kernel_pca_params.hpp"
#include "dualkpca/model/preimage.hpp"

namespace dualkpca::python {

/// From keywords that have the names of the command's options, with '_'. What is missing has its default; None means
/// the same. Throws InvalidArgument for values that are none, TypeError for other types and unknown names.
[[nodiscard]] KernelPCAParams params_from(const pybind11::dict& keywords);
[[nodiscard]] PreimageParams preimage_params_from(const pybind11::dict& keywords);

}  // namespace dualkpca::python
