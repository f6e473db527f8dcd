#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "data/io/byte_source.hpp"
#include "data/io/text.hpp"
#include "data/npy/npy_stream.hpp"
#include "data/streams.hpp"
#include "dualkpca/core/errors.hpp"

namespace dualkpca {
namespace {

std::unique_ptr<DataStream> open_npy_pipe(const std::string& path, const ReadOptions& options) {
  const auto source = std::make_shared<ByteSource>(path, options.observe);
  const NpyBytes bytes{.read = [source](char* out, std::size_t count) { return source->read(out, count); }};
  return stream_npy(bytes, source->name(), options.observe);
}

}  // namespace

std::unique_ptr<DataStream> open_npy(const std::string& path, const ReadOptions& options) {
  struct stat status {};
  // Files of /proc claim to be empty, and so are read as a pipe is.
  if (path == "-" || (::stat(path.c_str(), &status) == 0 && !S_ISDIR(status.st_mode) &&
                      (!S_ISREG(status.st_mode) || (status.st_size == 0 && path.starts_with("/proc/")))))
    return open_npy_pipe(path, options);
  const std::string name = printable(path, 300);
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  const int error = descriptor < 0 ? errno : ::fstat(descriptor, &status) != 0 ? errno : 0;
  if (error != 0 || S_ISDIR(status.st_mode)) {
    if (descriptor >= 0) ::close(descriptor);
    throw DataError(
        fmt::format("{}: cannot be read: {}", name, std::generic_category().message(error != 0 ? error : EISDIR)));
  }
  return stream_npy_file(descriptor, 0, static_cast<std::size_t>(status.st_size), name, options.observe);
}

}  // namespace dualkpca
