#include "data/io/input_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "data/io/text.hpp"
#include "dualkpca/core/errors.hpp"

namespace dualkpca {
namespace {

[[noreturn]] void fail(const std::string& path, int error) {
  throw DataError(fmt::format("{}: cannot be read: {}", printable(path, 300), std::generic_category().message(error)));
}

// Closes on every way out of the constructor below.
struct Descriptor {
  int value;
  ~Descriptor() { ::close(value); }
};

}  // namespace

void require_file(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) fail(path, errno);
  if (S_ISDIR(status.st_mode)) fail(path, EISDIR);
}

InputFile::InputFile(const std::string& path) {
  const Descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
  if (file.value < 0) fail(path, errno);
  struct stat status {};
  if (::fstat(file.value, &status) != 0) fail(path, errno);
  if (S_ISDIR(status.st_mode)) fail(path, EISDIR);
  const auto size = static_cast<std::size_t>(status.st_size);
  if (S_ISREG(status.st_mode) && size > 0) {
    void* mapping = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.value, 0);
    if (mapping != MAP_FAILED) {
      mapping_ = mapping;
      bytes_ = {static_cast<const char*>(mapping), size};
      return;
    }
  }
  read_all(file.value, path);  // files of /proc claim to be empty: only reading tells
}

InputFile::~InputFile() {
  if (mapping_ != nullptr) ::munmap(mapping_, bytes_.size());
}

void InputFile::read_all(int descriptor, const std::string& path) {
  std::size_t used = 0;
  for (;;) {
    if (buffer_.size() == used) buffer_.resize(used + used / 2 + (1 << 16));
    const ssize_t count = ::read(descriptor, buffer_.data() + used, buffer_.size() - used);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail(path, errno);
    if (count == 0) break;
    used += static_cast<std::size_t>(count);
  }
  buffer_.resize(used);
  bytes_ = buffer_;
}

}  // namespace dualkpca
