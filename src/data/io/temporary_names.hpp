#pragma once

#include <string>

namespace dualkpca {

/// The names of temporary files that exist now, so that a signal handler can remove them when it ends the process.
/// A name is kept where the handler may read it at any moment. Where there are more names than places, the further ones
/// are not known.
class TemporaryName {
 public:
  TemporaryName() = default;
  ~TemporaryName() { clear(); }
  TemporaryName(const TemporaryName&) = delete;
  TemporaryName& operator=(const TemporaryName&) = delete;

  void set(const std::string& name);
  /// The file has been renamed or removed.
  void clear();

 private:
  int place_ = -1;
};

/// Removes the files of all names. May be called by a signal handler.
void remove_temporary_names() noexcept;

}  // namespace dualkpca
