#include "process/check_outputs.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <initializer_list>
#include <system_error>

#include "dualkpca/core/errors.hpp"
#include "dualkpca/data/member_path.hpp"
#include "dualkpca/data/write.hpp"
#include "process/output.hpp"

namespace dualkpca::app {
namespace {

// Returns the same name for all spellings of a path, also if the file does not exist yet.
std::string canonical_name(const std::string& path) {
  if (is_standard_output(path)) return "-";
  const std::filesystem::path target = OutputFile::followed(path);
  std::error_code missing;
  const std::filesystem::path folder =
      std::filesystem::canonical(target.has_parent_path() ? target.parent_path() : ".", missing);
  return missing ? path : (folder / target.filename()).string();
}

bool same_file(const std::string& a, const std::string& b) {
  std::error_code missing;
  if (std::filesystem::is_other(a, missing) && !is_standard_output(a)) return false;  // /dev/null may be named twice
  if (canonical_name(a) == canonical_name(b)) return true;
  return std::filesystem::is_regular_file(a, missing) && std::filesystem::equivalent(a, b, missing);
}

// With "dualkpca fit ... -o model > model" the shell has opened the file, and the printed text would be mixed into it.
// A path such as /dev/fd/1 names the stream on purpose, so it is allowed.
bool is_redirected_to(const std::string& path, int stream) {
  if (is_standard_output(path) || path.starts_with("/dev/") || path.starts_with("/proc/")) return false;
  struct stat file {
  }, redirected{};
  return ::stat(path.c_str(), &file) == 0 && ::fstat(stream, &redirected) == 0 && S_ISREG(file.st_mode) &&
         file.st_dev == redirected.st_dev && file.st_ino == redirected.st_ino;
}

void require_not_redirected(const NamedFile& named, const std::string& file, std::initializer_list<int> streams) {
  constexpr std::array names = {"input", "output", "error"};
  for (const int stream : streams)
    if (is_redirected_to(file, stream))
      throw InvalidArgument(fmt::format("{}: {} is also the standard {}, which the shell has redirected to it",
                                        named.option, named.path, names.at(static_cast<std::size_t>(stream))));
}

void require_writable(const NamedFile& output) {
  struct stat status {};
  const bool exists = ::stat(output.path.c_str(), &status) == 0;
  // The reader of a pipe would take an opening and closing for the end of the data, so pipes are not probed.
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

}  // namespace

void check_outputs(const std::vector<NamedFile>& inputs, const std::vector<NamedFile>& outputs) {
  std::vector<NamedFile> taken = inputs;
  std::erase_if(taken, [](const NamedFile& input) { return input.path == "-"; });  // standard input, not output
  for (const NamedFile& input : taken)
    require_not_redirected(input, split_member_path(input.path).file, {STDOUT_FILENO});
  for (const NamedFile& output : outputs) {
    if (output.path.empty()) continue;
    const std::string file = split_member_path(output.path).file;
    require_not_redirected(output, file, {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO});
    for (const NamedFile& other : taken)
      if (!other.path.empty() && same_file(file, split_member_path(other.path).file))
        throw InvalidArgument(
            fmt::format("{}: {} is also {}; name another file", output.option, output.path, other.option));
    taken.push_back(output);
  }
  for (const NamedFile& output : outputs)
    if (!output.path.empty() && !is_standard_output(output.path)) require_writable(output);
}

}  // namespace dualkpca::app
