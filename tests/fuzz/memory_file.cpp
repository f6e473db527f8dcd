#include "memory_file.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <stdexcept>

namespace dualkpca::fuzz {

MemoryFile::MemoryFile(std::string_view bytes) : descriptor_(::memfd_create("fuzz", MFD_CLOEXEC)) {
  if (descriptor_ < 0) throw std::runtime_error("no file in memory");
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
    if (written < 0) throw std::runtime_error("no file in memory");
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

MemoryFile::~MemoryFile() { ::close(descriptor_); }

std::string MemoryFile::read() const {
  std::string bytes;
  char block[4096];
  for (;;) {
    const ssize_t got = ::pread(descriptor_, block, sizeof block, static_cast<off_t>(bytes.size()));
    if (got <= 0) return bytes;
    bytes.append(block, static_cast<std::size_t>(got));
  }
}

}  // namespace dualkpca::fuzz
