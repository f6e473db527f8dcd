#pragma once

#include <string>

#include "data/hdf5/hdf5_handle.hpp"

namespace dualkpca {

/// Properties for opening objects by name that refuse links to other files: a strange file must not make us read
/// another one. `property_class` is H5P_LINK_ACCESS or one derived from it: H5P_GROUP_ACCESS, H5P_DATASET_ACCESS.
[[nodiscard]] Hdf5Handle local_links(hid_t property_class);

/// Throws DataError, with `name` for the object, if such a link was met since the last call. To be called when opening
/// by name has failed, under the same Hdf5Lock.
void require_local_links(const std::string& name);

}  // namespace dualkpca
