#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

#include "data/io/temporary_names.hpp"
#include "data/io/text.hpp"
#include "dualkpca/core/errors.hpp"
#include "dualkpca/data/write.hpp"

namespace dualkpca {
namespace {

std::atomic<unsigned long> blocks{0};

// Tries names beside `path` until make(name) does not fail with EEXIST (which means that a killed process with the same
// id has left that name). Returns the result of make(), and the name in `name` unless make() failed.
template <class Make>
int make_beside(const std::string& path, std::string& name, const Make& make) {
  static std::atomic<unsigned> counter{0};
  constexpr std::size_t longest = 200;  // a name may have 255 bytes
  const std::string beginning = path.substr(0, path.rfind('/') + 1 + longest);
  for (;;) {
    const std::string candidate = fmt::format("{}.{}-{}.tmp", beginning, ::getpid(), counter++);
    const int result = make(candidate.c_str());
    if (result >= 0) name = candidate;
    if (result >= 0 || errno != EEXIST) return result;
  }
}

// Opens a new file beside `path` that no other writer, thread or process, has. Returns -1 and sets errno on failure.
int open_beside(const std::string& path, std::string& name, mode_t mode) {
  return make_beside(path, name, [mode](const char* candidate) {
    return ::open(candidate, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode);
  });
}

std::string proc_name(int descriptor) { return fmt::format("/proc/self/fd/{}", descriptor); }

// Opens a new file without a name in the directory of `path`, which the system removes however the process ends.
// Returns -1 if the file system or the kernel has no such files, or without /proc, through which such a file gets its
// name.
int open_nameless(const std::string& path, mode_t mode) {
  const std::string directory = path.substr(0, path.rfind('/') + 1);
  const int descriptor = ::open(directory.empty() ? "." : directory.c_str(), O_RDWR | O_TMPFILE | O_CLOEXEC, mode);
  if (descriptor < 0 || ::access(proc_name(descriptor).c_str(), F_OK) == 0) return descriptor;
  ::close(descriptor);
  return -1;
}

// Gives a name to a file without one. Returns -1 and sets errno on failure.
int link_nameless(int descriptor, const char* name) {
  return ::linkat(AT_FDCWD, proc_name(descriptor).c_str(), AT_FDCWD, name, AT_SYMLINK_FOLLOW);
}

// Copies all bytes of one file to another. Returns false and sets errno on failure.
bool copy_all(int from, int to) {
  std::array<char, 65536> piece;
  for (off_t at = 0;;) {
    const ssize_t got = ::pread(from, piece.data(), piece.size(), at);
    if (got <= 0) return got == 0;
    for (ssize_t done = 0; done < got;) {
      const ssize_t count = ::write(to, piece.data() + done, static_cast<std::size_t>(got - done));
      if (count < 0) return false;
      done += count;
    }
    at += got;
  }
}

bool is_same_file(const struct stat& a, const struct stat& b) { return a.st_dev == b.st_dev && a.st_ino == b.st_ino; }

// Returns whether `path` is standard output. "> file" makes /dev/stdout a link to a regular file, and a rename over it
// would lose the file that the shell has opened.
bool is_standard_output(const std::string& path, const struct stat& status) {
  struct stat standard_output {};
  return path == "-" || (::fstat(STDOUT_FILENO, &standard_output) == 0 && is_same_file(status, standard_output));
}

}  // namespace

OutputFile::OutputFile(std::string path) : path_(std::move(path)), registered_(std::make_shared<TemporaryName>()) {
  const int descriptor = open();
  if (descriptor >= 0) file_ = ::fdopen(descriptor, "wb");
  if (file_ != nullptr) return;
  const int error = errno;
  if (descriptor >= 0) ::close(descriptor);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
  const std::string directory = std::filesystem::path(path_).parent_path().string();
  if (error == ENOENT && !directory.empty())
    throw DataError(fmt::format("{}: cannot be opened for writing: there is no directory {}", printable_path(path_),
                                printable_path(directory)));
  errno = error;
  fail("opened for writing");
}

int OutputFile::open() {
  struct stat status {};
  const bool exists = ::stat(path_.c_str(), &status) == 0;
  const int reason = errno;
  if (is_standard_output(path_, status)) {
    std::fflush(stdout);  // text that the program has printed comes first
    return ::dup(STDOUT_FILENO);
  }
  if (exists && !S_ISREG(status.st_mode)) return ::open(path_.c_str(), O_WRONLY | O_CLOEXEC);
  target_ = path_;
  if (path_.empty() || (!exists && reason != ENOENT)) {  // for example, the name is too long
    errno = reason;
    return -1;
  }
  if (!exists) {
    target_ = followed(path_);
    return open_new(0666);
  }
  if (::faccessat(AT_FDCWD, path_.c_str(), W_OK, AT_EACCESS) != 0)
    return -1;  // rename would replace even a read-only file
  std::error_code unresolved;
  const auto resolved = std::filesystem::canonical(path_, unresolved);
  if (!unresolved) target_ = resolved.string();  // a link stays a link
  const mode_t mode = status.st_mode & 0777;     // a private file stays private
  const int descriptor = open_new(mode);
  if (descriptor >= 0) static_cast<void>(::fchmod(descriptor, mode));  // the umask may have taken rights away
  return descriptor;
}

int OutputFile::open_new(mode_t mode) {
  int descriptor = open_nameless(target_, mode);
  if (descriptor < 0) descriptor = open_beside(target_, temporary_, mode);
  registered_->set(temporary_);
  return descriptor;
}

std::string OutputFile::followed(const std::string& path) {
  constexpr int most_links = 40;  // as in Linux
  std::filesystem::path at = path;
  for (int links = 0; links < most_links; ++links) {
    std::error_code no_link;
    const std::filesystem::path next = std::filesystem::read_symlink(at, no_link);
    if (no_link) break;
    at = at.parent_path() / next;
  }
  return at.string();
}

unsigned long OutputFile::blocks_written() noexcept { return blocks; }

void OutputFile::remove_temporaries() noexcept { remove_temporary_names(); }

const std::string& OutputFile::temporary() {
  if (target_.empty() || !temporary_.empty()) return temporary_;
  const int descriptor = ::fileno(file_);
  const auto link = [&](const char* candidate) { return link_nameless(descriptor, candidate); };
  if (make_beside(target_, temporary_, link) < 0 && !move_to_name()) fail("put in place");
  registered_->set(temporary_);
  return temporary_;
}

// Copies the bytes to a file with a temporary name, for a file system or a policy of the machine that allows files
// without names but no links to them.
bool OutputFile::move_to_name() {
  struct stat status {};
  const int nameless = ::fileno(file_);
  if (::fstat(nameless, &status) != 0) return false;
  const mode_t mode = status.st_mode & 0777;
  const int named = open_beside(target_, temporary_, mode);
  if (named < 0) return false;
  static_cast<void>(::fchmod(named, mode));
  const bool done = copy_all(nameless, named) && ::fsync(named) == 0 && ::dup2(named, nameless) >= 0;
  const int error = errno;
  ::close(named);
  errno = error;
  return done;
}

OutputFile::~OutputFile() {
  if (file_ != nullptr) std::fclose(file_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

// Writes in pieces that reach the disk one by one, which shows whether the writing of a large file goes on. Otherwise
// all of it might wait in memory for a single long fsync().
void OutputFile::write(const void* bytes, std::size_t count) {
  constexpr std::size_t most = std::size_t{8} << 20, between_syncs = std::size_t{64} << 20;
  const auto* at = static_cast<const char*>(bytes);
  while (count > 0) {
    const std::size_t piece = std::min(count, most);
    if (std::fwrite(at, 1, piece, file_) != piece) fail("written");
    unsynced_ += piece;
    if (can_rewrite() && unsynced_ >= between_syncs) {
      if (std::fflush(file_) != 0 || ::fdatasync(::fileno(file_)) != 0) fail("written");
      unsynced_ = 0;
    }
    blocks.fetch_add(1, std::memory_order_relaxed);
    at += piece;
    count -= piece;
  }
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
  bool is_in_place = target_.empty();
  if (!is_in_place) {
    if (::fsync(::fileno(file_)) != 0) fail("written");
    // A link cannot replace a file. In that case the new file gets a temporary name until it is renamed.
    is_in_place = temporary_.empty() && link_nameless(::fileno(file_), target_.c_str()) == 0;
    if (!is_in_place) static_cast<void>(temporary());
  }
  if (std::fclose(std::exchange(file_, nullptr)) != 0) fail("written");
  if (is_in_place) return;
  if (std::rename(temporary_.c_str(), target_.c_str()) != 0) fail("put in place");
  temporary_.clear();
  registered_->clear();
}

void OutputFile::fail(const char* action) const {
  const int error = errno;
  const std::string shown = path_ == "-" ? "standard output" : printable_path(path_);
  const std::string message =
      fmt::format("{}: cannot be {}: {}", shown, action, std::generic_category().message(error));
  if (error == ENOSPC || error == EDQUOT || error == EFBIG) throw ResourceError(message);
  throw DataError(message);
}

}  // namespace dualkpca
