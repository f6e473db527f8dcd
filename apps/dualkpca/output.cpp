#include "output.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

#include "dualkpca/core/errors.hpp"
#include "dualkpca/data/member_path.hpp"
#include "dualkpca/data/write.hpp"

namespace dualkpca::app {
namespace {

bool same_file(const std::string& a, const std::string& b) {
  std::error_code missing;
  if (a == b) return !std::filesystem::is_other(a, missing);  // /dev/null may be named twice
  return std::filesystem::is_regular_file(a, missing) && std::filesystem::equivalent(a, b, missing);
}

void require_writable(const NamedFile& output) {
  struct stat status {};
  const bool exists = ::stat(output.path.c_str(), &status) == 0;
  // Opening a pipe and closing it again would look like the end of the data to its reader.
  if (exists && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode)) return;
  if (output.is_table) {
    TableLayout layout;
    layout.cols = 1;
    layout.rows = 0;
    layout.format = output.format;
    static_cast<void>(make_table_writer(output.path, layout));
  } else {
    const OutputFile probe(output.path);
  }
}

bool reader_has_gone() {
  pollfd standard_output{STDOUT_FILENO, POLLOUT, 0};
  return poll(&standard_output, 1, 0) == 1 && (standard_output.revents & (POLLERR | POLLHUP)) != 0;
}

}  // namespace

void print(std::FILE* stream, std::string_view text) {
  const bool written = std::fwrite(text.data(), 1, text.size(), stream) == text.size() && std::fflush(stream) == 0;
  const int error = errno;
  if (written || stream == stderr || error == EPIPE) return;
  const std::string message =
      fmt::format("standard output: cannot be written: {}", std::generic_category().message(error));
  if (error == ENOSPC || error == EDQUOT) throw ResourceError(message);
  throw DataError(message);
}

void write_forgivingly(bool to_stdout, const std::function<void()>& write) {
  try {
    write();
  } catch (const Error&) {
    if (!to_stdout || !reader_has_gone()) throw;
  }
}

bool is_standard_output(const std::string& path) { return path == "-" || path == "/dev/stdout"; }

void check_outputs(const std::vector<NamedFile>& inputs, const std::vector<NamedFile>& outputs) {
  std::vector<NamedFile> taken = inputs;
  std::erase_if(taken, [](const NamedFile& input) { return input.path == "-"; });  // standard input, not output
  for (const NamedFile& output : outputs) {
    if (output.path.empty()) continue;
    for (const NamedFile& other : taken)
      if (same_file(split_member_path(output.path).file, other.path))
        throw InvalidArgument(fmt::format("{}: {} is also {}", output.option, output.path, other.option));
    taken.push_back(output);
  }
  for (const NamedFile& output : outputs)
    if (!output.path.empty() && !is_standard_output(output.path)) require_writable(output);
}

}  // namespace dualkpca::app
