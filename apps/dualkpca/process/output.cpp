#include "process/output.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "dualkpca/core/errors.hpp"
#include "dualkpca/data/write.hpp"

namespace dualkpca::app {
namespace {

bool reader_has_gone() {
  pollfd standard_output{STDOUT_FILENO, POLLOUT, 0};
  return poll(&standard_output, 1, 0) == 1 && (standard_output.revents & (POLLERR | POLLHUP)) != 0;
}

}  // namespace

bool is_standard_output(const std::string& path) { return path == "-" || path == "/dev/stdout"; }

void print(std::FILE* stream, std::string_view text) {
  const bool written = std::fwrite(text.data(), 1, text.size(), stream) == text.size() && std::fflush(stream) == 0;
  const int error = errno;
  if (written || stream == stderr || error == EPIPE) return;
  const std::string message =
      fmt::format("standard output: cannot be written: {}", std::generic_category().message(error));
  if (error == ENOSPC || error == EDQUOT) throw ResourceError(message);
  throw DataError(message);
}

void say_written(const std::string& output, bool quiet, std::string_view text) {
  if (!quiet && !is_standard_output(output)) print(stdout, text);
}

void write_text(const std::string& path, std::string_view text) {
  OutputFile file(path);
  file.write(text);
  file.commit();
}

void ignore_closed_pipe(bool to_stdout, const std::function<void()>& write) {
  try {
    write();
  } catch (const Error&) {
    if (!to_stdout || !reader_has_gone()) throw;
  }
}

}  // namespace dualkpca::app
