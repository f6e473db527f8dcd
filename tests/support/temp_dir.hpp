#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>

namespace dualkpca::test {

/// A temporary directory for a test, removed afterwards. Its name is unique, so simultaneous runs do not disturb each
/// other. It is in TMPDIR, which testing::TempDir() ignores.
class TempDir {
 public:
  TempDir() : root_((std::filesystem::temp_directory_path() / "dualkpca-XXXXXX").string()) {
    if (::mkdtemp(root_.data()) == nullptr) throw std::runtime_error("cannot create " + root_);
  }
  ~TempDir() {
    std::error_code ignored;
    std::filesystem::remove_all(root_, ignored);
  }
  TempDir(const TempDir&) = delete;
  TempDir& operator=(const TempDir&) = delete;

  [[nodiscard]] std::string path(const std::string& name) const { return root_ + "/" + name; }
  /// Writes a file and returns its path.
  std::string write(const std::string& name, std::string_view bytes) const {
    std::filesystem::remove(path(name));  // rewriting a truncated file would wait for the disk on ext4
    std::ofstream(path(name), std::ios::binary) << bytes;
    return path(name);
  }
  [[nodiscard]] std::string read(const std::string& name) const {
    std::ifstream file(path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  [[nodiscard]] long count_files() const {
    return std::distance(std::filesystem::directory_iterator(root_), std::filesystem::directory_iterator());
  }

 private:
  std::string root_;
};

/// Returns the message of the E that action() must throw. Checks that it is one printable line of limited length.
template <class E, class Action>
std::string message_of(const Action& action) {
  try {
    action();
  } catch (const E& error) {
    const std::string message = error.what();
    EXPECT_TRUE(std::none_of(message.begin(), message.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; }))
        << message;
    EXPECT_LE(message.size(), 1000u) << message;
    return message;
  }
  ADD_FAILURE() << "nothing was thrown";
  return "";
}

/// Drops root's right to read and write everything during its lifetime.
class AsNobody {
 public:
  AsNobody() : was_root_(::geteuid() == 0), changed_(was_root_ && ::seteuid(65534) == 0) {}
  ~AsNobody() {
    if (changed_ && ::seteuid(0) != 0) std::abort();
  }
  /// Whether the rights are dropped. In a container where root is the only user they stay, so nothing can be tested.
  [[nodiscard]] bool has_no_rights() const { return !was_root_ || changed_; }
  AsNobody(const AsNobody&) = delete;
  AsNobody& operator=(const AsNobody&) = delete;

 private:
  bool was_root_, changed_;
};

}  // namespace dualkpca::test
