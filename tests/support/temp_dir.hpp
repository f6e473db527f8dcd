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

/// A directory of its own for a test, removed afterwards. No other process has it: two runs at once do not meet. It is
/// where TMPDIR says, which testing::TempDir() does not look at.
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
  /// Returns the path.
  std::string write(const std::string& name, std::string_view bytes) const {
    std::filesystem::remove(path(name));  // ext4 waits for the disk when a file is truncated and rewritten
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

/// The message of the E that action() must throw; every message must be one printable line of bearable length.
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

/// Without root's right to read and write everything, while it lives.
class AsNobody {
 public:
  AsNobody() : was_root_(::geteuid() == 0), changed_(was_root_ && ::seteuid(65534) == 0) {}
  ~AsNobody() {
    if (changed_ && ::seteuid(0) != 0) std::abort();
  }
  /// False in a container where root is the only user: nothing is refused there, and nothing can be tested.
  [[nodiscard]] bool has_no_rights() const { return !was_root_ || changed_; }
  AsNobody(const AsNobody&) = delete;
  AsNobody& operator=(const AsNobody&) = delete;

 private:
  bool was_root_, changed_;
};

}  // namespace dualkpca::test
