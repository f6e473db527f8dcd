#pragma once

#include <string>

#include "data/hdf5/hdf5_handle.hpp"

namespace dualkpca {

/// Returns properties for opening objects by name that refuse links to other files, because a foreign file must not
/// make the program read another one. `property_class` is H5P_LINK_ACCESS or one derived from it: H5P_GROUP_ACCESS,
/// H5P_DATASET_ACCESS.
[[nodiscard]] Hdf5Handle local_links(hid_t property_class);

/// Throws DataError if such a link was met since the last call; `name` is the object, for the message. Must be called
/// when opening by name has failed, under the same Hdf5Lock.
void require_local_links(const std::string& name);

}  // namespace dualkpca
