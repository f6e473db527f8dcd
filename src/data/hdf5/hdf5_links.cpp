#include "data/hdf5/hdf5_links.hpp"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "data/io/text.hpp"
#include "dualkpca/core/errors.hpp"

namespace dualkpca {
namespace {

// Name of the file that the last refused link leads to. Hdf5Lock guards it.
std::optional<std::string>& refused_file() {
  static std::optional<std::string> file;
  return file;
}

// Refuses a link to another file. HDF5 calls it before it follows one; no exception may pass through its C functions.
herr_t refuse(const char* /*file*/, const char* /*group*/, const char* other, const char* /*object*/,
              unsigned* /*flags*/, hid_t /*access*/, void* /*data*/) noexcept {
  refused_file() = printable(other == nullptr ? "" : other, 100);
  return -1;
}

}  // namespace

Hdf5Handle local_links(hid_t property_class) {
  Hdf5Handle properties(H5Pcreate(property_class), H5Pclose);
  if (!properties || H5Pset_elink_cb(properties.id(), refuse, nullptr) < 0)
    throw ResourceError("HDF5 cannot make a property list");
  refused_file().reset();
  return properties;
}

void require_local_links(const std::string& name) {
  if (const auto file = std::exchange(refused_file(), std::nullopt))
    throw DataError(fmt::format(
        "{}: is behind a link to another file, '{}'; accepted are datasets in the file itself: name that file", name,
        *file));
}

}  // namespace dualkpca
