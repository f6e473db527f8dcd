#pragma once

#include <string>

namespace dualkpca {

/// Registered name of a temporary file that exists, so that a signal handler can remove it when it ends the process.
/// The name is kept where the handler may read it at any moment. If there are more names than places, the further ones
/// are not registered.
class TemporaryName {
 public:
  TemporaryName() = default;
  ~TemporaryName() { clear(); }
  TemporaryName(const TemporaryName&) = delete;
  TemporaryName& operator=(const TemporaryName&) = delete;

  void set(const std::string& name);
  /// Removes the name from the list, because the file was renamed or removed.
  void clear();

 private:
  int place_ = -1;
};

/// Removes the files of all registered names. A signal handler may call it.
void remove_temporary_names() noexcept;

}  // namespace dualkpca
