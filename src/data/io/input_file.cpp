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

void throw_unreadable(const std::string& name, int error) {
  throw DataError(fmt::format("{}: cannot be read: {}", name, std::generic_category().message(error)));
}

void require_file(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) throw_unreadable(printable_path(path), errno);
  if (S_ISDIR(status.st_mode)) throw_unreadable(printable_path(path), EISDIR);
}

OpenFile::OpenFile(const std::string& path) : descriptor_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
  struct stat status {};
  int error = descriptor_ < 0 || ::fstat(descriptor_, &status) != 0 ? errno : 0;
  if (error == 0 && S_ISDIR(status.st_mode)) error = EISDIR;
  if (error != 0) {
    if (descriptor_ >= 0) ::close(descriptor_);
    throw_unreadable(printable_path(path), error);
  }
  if (S_ISREG(status.st_mode)) bytes_ = static_cast<std::size_t>(status.st_size);
}

OpenFile::~OpenFile() { ::close(descriptor_); }

std::size_t OpenFile::read(char* out, std::size_t count, std::size_t at, const std::string& name) const {
  std::size_t have = 0;
  while (have < count) {
    const ssize_t got = ::pread(descriptor_, out + have, count - have, static_cast<off_t>(at + have));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw_unreadable(name, errno);
    if (got == 0) break;
    have += static_cast<std::size_t>(got);
  }
  return have;
}

InputFile::InputFile(const std::string& path) {
  const OpenFile file(path);
  if (file.bytes() > 0) {
    void* mapping = ::mmap(nullptr, file.bytes(), PROT_READ, MAP_PRIVATE, file.descriptor(), 0);
    if (mapping != MAP_FAILED) {
      mapping_ = mapping;
      bytes_ = {static_cast<const char*>(mapping), file.bytes()};
      return;
    }
  }
  read_all(file.descriptor(), path);  // files of /proc claim to be empty, so they must be read
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
    if (count < 0) throw_unreadable(printable_path(path), errno);
    if (count == 0) break;
    used += static_cast<std::size_t>(count);
  }
  buffer_.resize(used);
  bytes_ = buffer_;
}

}  // namespace dualkpca
