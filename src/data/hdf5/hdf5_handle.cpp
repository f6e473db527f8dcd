#include "data/hdf5/hdf5_handle.hpp"

#include <atomic>

#include "dualkpca/data/read.hpp"

namespace dualkpca {
namespace {

std::atomic<int> locks_held{0};

std::recursive_mutex& mutex() {
  static std::recursive_mutex the_mutex;
  return the_mutex;
}

}  // namespace

Hdf5Lock::Hdf5Lock() : lock_(mutex()) {
  ++locks_held;
  // After a failed write the exit handler of the library writes again and crashes. Everything opened here is closed
  // here, so the handler is not needed. This call has no effect if the host has used the library before.
  static const herr_t no_exit_handler = H5dont_atexit();
  static_cast<void>(no_exit_handler);
  H5Eget_auto2(H5E_DEFAULT, &printer_, &printer_data_);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

Hdf5Lock::~Hdf5Lock() {
  H5Eset_auto2(H5E_DEFAULT, printer_, printer_data_);
  --locks_held;
}

bool is_inside_hdf5() noexcept { return locks_held > 0; }

Hdf5Handle& Hdf5Handle::operator=(Hdf5Handle&& other) noexcept {
  std::swap(id_, other.id_);
  std::swap(close_, other.close_);
  return *this;
}

bool Hdf5Handle::close() {
  if (id_ < 0) return true;
  const Hdf5Lock lock;
  return close_(std::exchange(id_, -1)) >= 0;
}

}  // namespace dualkpca
