#pragma once

#include <map>
#include <string>

namespace dualkpca::fuzz {

/// A folder of its own with a few small files, in which the command runs. Everything that a run leaves is removed.
class ScratchFolder {
 public:
  ScratchFolder();
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  /// Brings the folder into its first state.
  void restore() const;
  [[nodiscard]] const std::string& path() const { return root_; }

 private:
  std::string root_;
  std::map<std::string, std::string> files_{};  ///< contents by name
};

}  // namespace dualkpca::fuzz
