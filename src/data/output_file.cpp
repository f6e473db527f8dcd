#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

#include "data/text.hpp"
#include "dualkpca/core/errors.hpp"
#include "dualkpca/data/write.hpp"

namespace dualkpca {
namespace {

// A new file beside `path` that no other writer, thread or process, has; its name goes to `name`. -1 and errno on
// failure.
int open_beside(const std::string& path, std::string& name) {
  static std::atomic<unsigned> counter{0};
  constexpr std::size_t longest = 200;  // of the 255 bytes a name may have
  const std::string beginning = path.substr(0, path.rfind('/') + 1 + longest);
  for (;;) {
    const std::string candidate = fmt::format("{}.{}-{}.tmp", beginning, ::getpid(), counter++);
    const int descriptor = ::open(candidate.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor >= 0) name = candidate;
    if (descriptor >= 0 || errno != EEXIST) return descriptor;  // EEXIST: left by a killed process of the same number
  }
}

bool is_same_file(const struct stat& a, const struct stat& b) { return a.st_dev == b.st_dev && a.st_ino == b.st_ino; }

// "> file" makes /dev/stdout a link to a regular file, and renaming over it would lose what the shell has opened.
bool is_standard_output(const std::string& path, const struct stat& status) {
  struct stat standard_output {};
  return path == "-" || (::fstat(STDOUT_FILENO, &standard_output) == 0 && is_same_file(status, standard_output));
}

}  // namespace

OutputFile::OutputFile(std::string path) : path_(std::move(path)) {
  const int descriptor = open();
  if (descriptor >= 0) file_ = ::fdopen(descriptor, "wb");
  if (file_ != nullptr) return;
  const int error = errno;
  if (descriptor >= 0) ::close(descriptor);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
  const std::string directory = std::filesystem::path(path_).parent_path().string();
  if (error == ENOENT && !directory.empty())
    throw DataError(fmt::format("{}: cannot be opened for writing: there is no directory {}", printable(path_, 300),
                                printable(directory, 300)));
  errno = error;
  fail("opened for writing");
}

int OutputFile::open() {
  struct stat status {};
  const bool exists = ::stat(path_.c_str(), &status) == 0;
  if (is_standard_output(path_, status)) {
    std::fflush(stdout);  // what the program has printed comes first
    return ::dup(STDOUT_FILENO);
  }
  if (exists && !S_ISREG(status.st_mode)) return ::open(path_.c_str(), O_WRONLY | O_CLOEXEC);
  target_ = path_;
  if (!exists) return open_beside(target_, temporary_);
  if (::faccessat(AT_FDCWD, path_.c_str(), W_OK, AT_EACCESS) != 0)
    return -1;  // rename would replace even a read-only file
  std::error_code unresolved;
  const auto resolved = std::filesystem::canonical(path_, unresolved);
  if (!unresolved) target_ = resolved.string();  // a link stays a link
  const int descriptor = open_beside(target_, temporary_);
  if (descriptor >= 0) static_cast<void>(::fchmod(descriptor, status.st_mode & 0777));  // a private file stays private
  return descriptor;
}

OutputFile::~OutputFile() {
  if (file_ != nullptr) std::fclose(file_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void OutputFile::write(const void* bytes, std::size_t count) {
  if (count > 0 && std::fwrite(bytes, 1, count, file_) != count) fail("written");
}

void OutputFile::rewrite(std::size_t at, std::string_view bytes) {
  if (std::fflush(file_) != 0) fail("written");
  while (!bytes.empty()) {
    const ssize_t count = ::pwrite(::fileno(file_), bytes.data(), bytes.size(), static_cast<off_t>(at));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail("written");
    at += static_cast<std::size_t>(count);
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
}

bool OutputFile::is_written_directly(const std::string& path) {
  struct stat status {};
  const bool exists = ::stat(path.c_str(), &status) == 0;
  return is_standard_output(path, status) || (exists && !S_ISREG(status.st_mode));
}

void OutputFile::commit() {
  if (std::fflush(file_) != 0) fail("written");
  if (!temporary_.empty() && ::fsync(::fileno(file_)) != 0) fail("written");
  if (std::fclose(std::exchange(file_, nullptr)) != 0) fail("written");
  if (temporary_.empty()) return;
  if (std::rename(temporary_.c_str(), target_.c_str()) != 0) fail("put in place");
  temporary_.clear();
}

void OutputFile::fail(const char* action) const {
  const int error = errno;
  const std::string shown = path_ == "-" ? "standard output" : printable(path_, 300);
  const std::string message =
      fmt::format("{}: cannot be {}: {}", shown, action, std::generic_category().message(error));
  if (error == ENOSPC || error == EDQUOT || error == EFBIG) throw ResourceError(message);
  throw DataError(message);
}

}  // namespace dualkpca
