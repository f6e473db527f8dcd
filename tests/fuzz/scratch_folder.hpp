#pragma once

#include <map>
#include <string>

namespace dualkpca::fuzz {

/// A temporary folder with a few small files, in which the command runs.
class ScratchFolder {
 public:
  ScratchFolder();
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  /// Restores the first state of the folder: removes the files of a run and restores changed ones.
  void restore() const;
  [[nodiscard]] const std::string& path() const { return root_; }

 private:
  std::string root_;
  std::map<std::string, std::string> files_{};  ///< contents by name
};

}  // namespace dualkpca::fuzz
