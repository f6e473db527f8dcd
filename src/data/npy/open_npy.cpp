#include <sys/stat.h>

#include "data/io/byte_source.hpp"
#include "data/io/input_file.hpp"
#include "data/io/text.hpp"
#include "data/npy/npy_stream.hpp"
#include "data/streams.hpp"

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
  // Files of /proc claim to be empty, so they are read like a pipe.
  if (path == "-" || (::stat(path.c_str(), &status) == 0 && !S_ISDIR(status.st_mode) &&
                      (!S_ISREG(status.st_mode) || (status.st_size == 0 && path.starts_with("/proc/")))))
    return open_npy_pipe(path, options);
  const auto file = std::make_shared<const OpenFile>(path);
  return stream_npy_file(file, 0, file->bytes(), printable_path(path), options.observe);
}

}  // namespace dualkpca
