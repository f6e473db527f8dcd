#pragma once

#include <hdf5.h>

#include <mutex>
#include <utility>

namespace dualkpca {

/// Lock that must be held around every call of HDF5, because Debian's library is not made for threads. It also keeps
/// the library from printing its errors, which are not for users. A thread may hold it twice.
class Hdf5Lock {
 public:
  Hdf5Lock();
  ~Hdf5Lock();
  Hdf5Lock(const Hdf5Lock&) = delete;
  Hdf5Lock& operator=(const Hdf5Lock&) = delete;

 private:
  std::unique_lock<std::recursive_mutex> lock_;
  H5E_auto2_t printer_ = nullptr;
  void* printer_data_ = nullptr;
};

/// Owner of an HDF5 identifier, which it closes. The identifier is below 0 if the call that made it failed.
class Hdf5Handle {
 public:
  using Close = herr_t (*)(hid_t);
  Hdf5Handle() = default;
  Hdf5Handle(hid_t id, Close closer) : id_(id), close_(closer) {}
  Hdf5Handle(Hdf5Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Hdf5Handle& operator=(Hdf5Handle&& other) noexcept;
  ~Hdf5Handle() { close(); }

  /// Closes the identifier, and returns whether that succeeded; true for an empty handle.
  bool close();
  [[nodiscard]] hid_t id() const { return id_; }
  explicit operator bool() const { return id_ >= 0; }

 private:
  hid_t id_ = -1;
  Close close_ = nullptr;
};

}  // namespace dualkpca
