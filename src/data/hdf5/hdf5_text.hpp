#pragma once

#include <hdf5.h>

#include <string>

namespace dualkpca {

/// Returns a short text attribute of an object; empty if there is none, or if it cannot be read. Texts of variable
/// length are looked up here and not by libhdf5, because a damaged heap makes libhdf5 1.10 loop for ever or write
/// outside its buffers.
[[nodiscard]] std::string read_hdf5_text(hid_t object, const char* name);

}  // namespace dualkpca
